//! Many enrich requests in one body (`docs/API.md`, "POST /person/enrich/bulk, POST /company/enrich/bulk"): items with what they mean, and
//! options for all.

use std::sync::LazyLock;

use events_schema::api::limits::MAX_BULK_ITEMS;
use events_schema::record::RecordKind;
use serde_json::{Map, Value};
use service_kit::{Fields, Problem};

use super::options::{self, with_options};
use super::{EnrichRequest, RequestRefusal, clues};
use crate::pin::{DATA_BUILD, Pin};
use crate::region;
use crate::spending::{DRY_RUN, MAX_CREDITS, MaxCredits};

const ITEMS: &str = "items";
/// The client's own words about an item, given back with it.
const METADATA: &str = "metadata";
const PRETTY_PRINT: &str = "pretty_print";
/// All items are in one text, from one build, paid by one charge: no item has such options of its own.
const OF_THE_WHOLE: &[&str] = &[PRETTY_PRINT, DATA_BUILD, MAX_CREDITS];

const COMPANY: &[&str] = with_options![ITEMS];
const PERSON: &[&str] = with_options![ITEMS, "default_region"];

/// The keys of an item.
static COMPANY_ITEM: LazyLock<Vec<&str>> = LazyLock::new(|| keys_of_item(RecordKind::Company));
static PERSON_ITEM: LazyLock<Vec<&str>> = LazyLock::new(|| keys_of_item(RecordKind::Person));

fn keys_of_item(kind: RecordKind) -> Vec<&'static str> {
    let of_one = clues::accepted(kind).iter().copied();
    of_one
        .filter(|key| !OF_THE_WHOLE.contains(key) && *key != DRY_RUN)
        .chain([METADATA])
        .collect()
}

/// A body that can be answered, item by item.
#[derive(Debug, Clone)]
pub struct BulkRequest {
    /// In the order of the body.
    pub items: Vec<Item>,
    /// Whether the answer is indented.
    pub pretty_print: bool,
    /// The build that is to answer instead of the active one.
    pub pin: Option<Pin>,
    /// The most that all items may cost.
    pub max_credits: Option<MaxCredits>,
}

/// One request of many.
#[derive(Debug, Clone)]
pub struct Item {
    /// What it asks for, or why that is none: an item that is refused concerns no other.
    pub request: Result<EnrichRequest, RequestRefusal>,
    /// Given back as it came.
    pub metadata: Map<String, Value>,
}

impl BulkRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// What is wrong with the options, or with the list itself; faults of an item are its own.
    pub fn read(kind: RecordKind, body: &Map<String, Value>) -> Result<Self, RequestRefusal> {
        let accepted = match kind {
            RecordKind::Person => PERSON,
            RecordKind::Company => COMPANY,
        };
        let mut fields = Fields::new(body, accepted);
        fields.require(ITEMS);
        let items = fields.array(ITEMS, MAX_BULK_ITEMS).unwrap_or_default();
        if items.is_empty() && fields.is_given(ITEMS) && !fields.has_failed(ITEMS) {
            fields.fail(ITEMS, "must have at least 1 item", None);
        }
        region::read(&mut fields);
        let pretty_print = fields.boolean(PRETTY_PRINT, false);
        fields.check_names().map_err(RequestRefusal::Form)?;
        // The others are read for their faults alone: every item has them as its own.
        let of_all = options::read(kind, &mut fields)?;
        fields.finish().map_err(RequestRefusal::Form)?;
        let options = Options::of(body);
        Ok(Self {
            items: items.iter().map(|item| options.item(kind, item)).collect(),
            pretty_print,
            pin: of_all.pin,
            max_credits: of_all.max_credits,
        })
    }
}

/// What holds for each item that does not say otherwise.
struct Options<'a>(Vec<(&'a String, &'a Value)>);

impl<'a> Options<'a> {
    fn of(body: &'a Map<String, Value>) -> Self {
        let is_one = |name: &str| name != ITEMS && !OF_THE_WHOLE.contains(&name);
        let given = body.iter();
        Self(given.filter(|(name, _)| is_one(name)).collect())
    }

    fn item(&self, kind: RecordKind, item: &Value) -> Item {
        let mut metadata = Map::new();
        let own = own(item, &mut metadata).and_then(|own| {
            let accepted = match kind {
                RecordKind::Person => &PERSON_ITEM,
                RecordKind::Company => &COMPANY_ITEM,
            };
            Fields::new(&own, accepted).check_names()?;
            Ok(own)
        });
        let own = own.map_err(RequestRefusal::Form);
        Item {
            request: own.and_then(|own| EnrichRequest::read(kind, &self.beside(own))),
            metadata,
        }
    }

    /// An item as a request by itself. One that wants a single match wants none of the options' limit of several.
    fn beside(&self, mut own: Map<String, Value>) -> Map<String, Value> {
        let is_single = own.get("multiple_results") == Some(&Value::Bool(false));
        for (name, value) in &self.0 {
            if !(is_single && *name == "limit") {
                own.entry(*name).or_insert_with(|| (*value).clone());
            }
        }
        own
    }
}

/// What is left of an item without the client's words, which are told apart also where the rest is refused.
fn own(item: &Value, metadata: &mut Map<String, Value>) -> Result<Map<String, Value>, Problem> {
    let wrong = |field, value, error| Err(Problem::invalid_field(field, value, error, None));
    let Value::Object(item) = item else {
        return wrong(ITEMS, item, "must hold objects");
    };
    let mut own = item.clone();
    // As everywhere, null is left out.
    own.retain(|_, value| !value.is_null());
    match own.remove(METADATA) {
        None => {}
        Some(Value::Object(words)) => *metadata = words,
        Some(other) => return wrong(METADATA, &other, "must be an object"),
    }
    for name in OF_THE_WHOLE {
        if let Some(value) = own.get(*name) {
            return wrong(name, value, "is an option of the whole, beside items");
        }
    }
    match own.get(DRY_RUN) {
        Some(value) => wrong(DRY_RUN, value, "is an option of single requests"),
        None => Ok(own),
    }
}

#[cfg(test)]
mod tests {
    use events_schema::record::Confidence;
    use serde_json::json;

    use super::*;

    fn read(body: &Value) -> Result<BulkRequest, RequestRefusal> {
        BulkRequest::read(RecordKind::Person, body.as_object().unwrap())
    }

    fn problem(refusal: RequestRefusal) -> Value {
        match refusal {
            RequestRefusal::Form(problem) => problem.part(),
            other => json!(format!("{other:?}")),
        }
    }

    #[test]
    fn options_hold_for_every_item_that_does_not_say_otherwise() {
        let body = json!({
            "min_confidence": "high", "multiple_results": true, "limit": 4, "default_region": "DE", "pretty_print": true,
            "items": [
                {"phone": "030 1234567", "metadata": {"row": 1}},
                {"email": "maya@example.com", "min_confidence": "low", "multiple_results": false},
                {"email": "maya@example.com", "limit": null, "multiple_results": null,
                    "data_build": null, "dry_run": null, "metadata": null},
            ],
        });
        let bulk = read(&body).unwrap();
        assert!(bulk.pretty_print);
        let wanted = |item: &Item| {
            let wanted = &item.request.as_ref().unwrap().wanted;
            (wanted.min_confidence, wanted.limit)
        };
        let wanted: Vec<_> = bulk.items.iter().map(wanted).collect();
        assert_eq!(
            wanted,
            [
                (Confidence::High, 4),
                (Confidence::Low, 1),
                (Confidence::High, 4)
            ]
        );
        assert_eq!(bulk.items[0].metadata["row"], 1);
        assert!(bulk.items[1].metadata.is_empty());
    }

    #[test]
    fn a_faulty_item_concerns_no_other() {
        let body = json!({"items": [
            7, {"email": "bad"}, {"email": "maya@example.com", "metadata": "x"}, {"city": "chicago"},
            {"email": "maya@example.com", "colour": 1}, {"email": "maya@example.com", "pretty_print": false},
            {"email": "maya@example.com"},
        ]});
        let bulk = read(&body).unwrap();
        let refused: Vec<_> = bulk
            .items
            .into_iter()
            .map(|item| item.request.err().map(problem))
            .collect();
        assert_eq!(
            refused[0].as_ref().unwrap()["details"]["fields"][0]["error"],
            "must hold objects"
        );
        assert_eq!(
            refused[1].as_ref().unwrap()["details"]["fields"][0]["field"],
            "email"
        );
        assert_eq!(
            refused[2].as_ref().unwrap()["details"]["fields"][0]["field"],
            "metadata"
        );
        assert!(
            refused[3]
                .as_ref()
                .unwrap()
                .as_str()
                .unwrap()
                .starts_with("InsufficientIdentifiers")
        );
        assert_eq!(
            refused[4].as_ref().unwrap()["details"]["parameters"],
            json!(["colour"])
        );
        let accepted = refused[4].as_ref().unwrap()["details"]["accepted"].to_string();
        assert!(accepted.contains("metadata") && accepted.contains("explain"));
        for of_the_whole in OF_THE_WHOLE.iter().chain(&[DRY_RUN, ITEMS]) {
            assert!(!accepted.contains(of_the_whole), "{accepted}");
        }
        assert_eq!(
            refused[5].as_ref().unwrap()["details"]["fields"][0]["field"],
            "pretty_print"
        );
        assert_eq!(refused[6], None);
    }

    #[test]
    fn faults_of_the_whole_are_told_before_any_item_is_read() {
        let items = vec![json!({"email": "maya@example.com"}); MAX_BULK_ITEMS + 1];
        for (body, told) in [
            (json!({}), "lacks items"),
            (json!({"items": []}), "items"),
            (json!({"items": {}}), "items"),
            (json!({"items": items}), "items"),
            (
                json!({"items": [{}], "email": "maya@example.com"}),
                "not known",
            ),
            (
                json!({"items": [{}], "min_confidence": "sure"}),
                "min_confidence",
            ),
            (
                json!({"items": [{}], "default_region": "XX"}),
                "default_region",
            ),
            (json!({"items": [{}], "limit": 2}), "LimitWithoutMultiple"),
            (json!({"items": [{}], "include_fields": "colour"}), "colour"),
        ] {
            let told_of = problem(read(&body).unwrap_err()).to_string();
            assert!(told_of.contains(told), "{body}: {told_of}");
        }
        let company = json!({"items": [{}], "default_region": "DE"});
        let refused = BulkRequest::read(RecordKind::Company, company.as_object().unwrap());
        assert!(
            problem(refused.unwrap_err())
                .to_string()
                .contains("not known")
        );
    }
}
