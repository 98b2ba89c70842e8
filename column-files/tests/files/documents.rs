//! Documents with every field of a kind, from a seed.

use events_schema::record::{Field, FieldType, RecordKind};
use serde_json::{Map, Value, json};
use sha2::Digest;

/// Numbers that are the same for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % limit
    }
}

/// So many documents; texts are few or many, short or long, of any script.
pub(crate) fn documents(kind: RecordKind, count: u32, seed: u64) -> Vec<Vec<u8>> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    (0..count)
        .map(|_| serde_json::to_vec(&object(kind.fields(), &mut random)).unwrap())
        .collect()
}

fn object(fields: &[Field], random: &mut Random) -> Value {
    let mut object = Map::new();
    for field in fields {
        if random.below(4) > 0 {
            object.insert(field.name.to_owned(), value(field, random));
        }
    }
    hashes(&mut object, random);
    if random.below(20) == 0 {
        object.insert(
            "unknown".to_owned(),
            json!({"a": ["]", {"b": "\\\""}], "c": null}),
        );
    }
    Value::Object(object)
}

/// Most hashes of an e-mail are those of its address.
fn hashes(object: &mut Map<String, Value>, random: &mut Random) {
    let Some(address) = object
        .get("address")
        .and_then(Value::as_str)
        .map(dialect::fold)
    else {
        return;
    };
    let hex = |digest: &[u8]| {
        digest
            .iter()
            .map(|byte| format!("{byte:02X}"))
            .collect::<String>()
    };
    let all = [
        ("hash_sha256", hex(&sha2::Sha256::digest(&address))),
        ("hash_sha1", hex(&sha1::Sha1::digest(&address))),
        ("hash_md5", hex(&md5::Md5::digest(&address))),
    ];
    for (name, hash) in all {
        if object.contains_key(name) && random.below(5) > 0 {
            object.insert(name.to_owned(), json!(hash));
        }
    }
}

fn value(field: &Field, random: &mut Random) -> Value {
    let list = |random: &mut Random, mut one: Box<dyn FnMut(&mut Random) -> Value>| {
        let length = random.below(4);
        Value::Array((0..length).map(|_| one(random)).collect())
    };
    match field.kind {
        _ if random.below(30) == 0 => Value::Null,
        FieldType::Id => {
            let (high, low) = (random.below(40), random.below(3));
            json!(format!("0191d6a4-{high:04X}-7000-8000-{low:012x}"))
        }
        FieldType::Date => {
            json!(["2024", "2024-02", "2023-12-31"][usize::try_from(random.below(3)).unwrap()])
        }
        FieldType::Integer => {
            let limit = 1 << random.below(40);
            json!(random.below(limit).cast_signed() - 5)
        }
        FieldType::Number => match random.below(4) {
            0 => json!(random.below(50)),
            1 => json!(-0.0),
            _ => json!((random.below(2_000).cast_signed() - 1_000) as f64 / 8.0),
        },
        FieldType::Boolean => json!(random.below(2) == 0),
        FieldType::Cleaned | FieldType::Object { .. } => object(field.children(), random),
        FieldType::List(_) | FieldType::CleanedList(_) => {
            let children = field.children();
            let length = random.below(4);
            Value::Array((0..length).map(|_| object(children, random)).collect())
        }
        FieldType::TextList => list(random, Box::new(|random| json!(text(random)))),
        FieldType::Map => map(random, |random| json!(random.below(100))),
        FieldType::Periods => periods(random),
        FieldType::PeriodsMap => map(random, periods),
        FieldType::Text
        | FieldType::Enum(_)
        | FieldType::Vocabulary(_)
        | FieldType::Url
        | FieldType::Code => {
            json!(text(random))
        }
    }
}

fn map(random: &mut Random, mut one: impl FnMut(&mut Random) -> Value) -> Value {
    let mut map = Map::new();
    for _ in 0..random.below(4) {
        map.insert(text(random), one(random));
    }
    Value::Object(map)
}

fn periods(random: &mut Random) -> Value {
    let mut periods = Map::new();
    for period in ["1m", "3m", "6m", "12m"] {
        if random.below(3) > 0 {
            periods.insert(
                period.to_owned(),
                json!(random.below(1_000) as f64 / 10_000.0),
            );
        }
    }
    Value::Object(periods)
}

fn text(random: &mut Random) -> String {
    match random.below(12) {
        0 => String::new(),
        1 => "Ärzte Straße ΣΊΣΥΦΟΣ İ e\u{301}".to_owned(),
        2 => "quote \" back \\ line \n tab \t nul \u{0} 東京 🦀".to_owned(),
        3 => format!("linkedin.com/in/{}", random.below(5_000)),
        4 => "long ".repeat(usize::try_from(random.below(100)).unwrap()),
        5..8 => format!("Value {}", random.below(300)),
        _ => format!("v{}", random.below(12)),
    }
}
