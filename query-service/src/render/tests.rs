use events_schema::record::{Field, FieldType};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

fn shown(kind: RecordKind, include: &str, exclude: &str, titlecase: bool, doc: Value) -> Value {
    let view = View::new(kind, include, exclude, titlecase, false).unwrap();
    serde_json::from_str(&written(&view, &doc.to_string()).unwrap()).unwrap()
}

fn written(view: &View, document: &str) -> Result<String, Malformed> {
    let mut out = view.text(0);
    view.write(&mut out, Uuid::nil(), &build(), document.as_bytes())?;
    Ok(out.finish())
}

fn build() -> BuildName {
    "2026.10.1".parse().unwrap()
}

const NIL: &str = "00000000-0000-0000-0000-000000000000";

#[test]
fn an_empty_document_has_every_key_of_the_schema_in_order() {
    for kind in RecordKind::ALL {
        let record = shown(kind, "", "", false, json!({}));
        let keys: Vec<&str> = record
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let names: Vec<&str> = kind.fields().iter().map(|field| field.name).collect();
        assert_eq!(keys, names);
    }
    let person = shown(RecordKind::Person, "", "", false, json!({}));
    assert_eq!(person["service_id"], NIL);
    assert_eq!(person["build_version"], "2026.10.1");
    assert_eq!(person["summary"], Value::Null);
    assert_eq!(person["skills"], json!([]));
    let company = shown(RecordKind::Company, "", "", false, json!({}));
    assert_eq!(
        company["name"],
        json!({"cleaned": null, "display": null, "raw": []})
    );
    assert_eq!(company["service_seniority_distribution"], json!({}));
    assert_eq!(company["service_turnover_rate"], Value::Null);
}

#[test]
fn sparse_elements_of_lists_are_filled_and_unknown_keys_are_not_shown() {
    let doc = json!({"_name_aliases": ["x"], "secret": 1, "education": [{"organization": {"name": {"cleaned": "mit"}}, "_x": 1}]});
    let person = shown(RecordKind::Person, "", "", false, doc);
    assert!(person.get("_name_aliases").is_none() && person.get("secret").is_none());
    let element = json!({
        "organization": {"name": {"cleaned": "mit", "raw": []}, "website": null, "linkedin_url": null},
        "degree": null, "degree_level": null, "field_of_study": null, "start_date": null, "end_date": null, "current": null
    });
    assert_eq!(person["education"], json!([element]));
}

#[test]
fn exclusion_comes_after_inclusion_and_the_id_is_always_shown() {
    let doc = json!({"emails": [{"address": "a@b.example", "type": "work"}], "full_name": "a b"});
    let person = shown(
        RecordKind::Person,
        "emails,full_name",
        "emails.type,full_name,service_id",
        false,
        doc,
    );
    let keys: Vec<&str> = person
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys, ["service_id", "emails"]);
    assert_eq!(person["emails"][0]["address"], "a@b.example");
    assert!(person["emails"][0].get("type").is_none());
}

#[test]
fn a_dot_path_includes_only_what_stands_below_it() {
    let doc = json!({"experience": [{"title": {"cleaned": "cto"}, "organization": {"name": {"cleaned": "acme", "raw": ["Acme"]}, "size": "11-50"}}]});
    let person = shown(
        RecordKind::Person,
        "experience.organization.name",
        "",
        false,
        doc,
    );
    assert_eq!(
        person,
        json!({"service_id": NIL, "experience": [{"organization": {"name": {"cleaned": "acme", "raw": ["Acme"]}}}]})
    );
}

#[test]
fn names_that_no_field_has_are_returned() {
    let view = View::new(
        RecordKind::Person,
        "full_name, nickname",
        "emails.colour",
        false,
        false,
    );
    let unknown: Vec<_> = view
        .unwrap_err()
        .into_iter()
        .map(|one| (one.parameter, one.name))
        .collect();
    let expected = [
        ("include_fields", "nickname".to_owned()),
        ("exclude_fields", "emails.colour".to_owned()),
    ];
    assert_eq!(unknown, expected);
    assert!(
        View::new(
            RecordKind::Person,
            "experience.title.cleaned",
            "skills.raw",
            false,
            false
        )
        .is_ok()
    );
    assert!(
        View::new(
            RecordKind::Company,
            "service_employee_growth_rate.12m,name.display",
            "",
            false,
            false
        )
        .is_ok()
    );
}

#[test]
fn title_case_touches_names_places_and_titles_and_nothing_else() {
    let doc = json!({
        "full_name": "maya o'brien", "city": "isle of man", "job_title": "vp of it operations", "seniority_level": "vp",
        "company_name": "bank of america", "company_industry": "machinery", "work_email": "a@b.example",
        "linkedin_url": "linkedin.com/in/x", "confidence": "high", "headline": {"cleaned": "a leader", "raw": ["a leader"]},
        "experience": [{"title": {"cleaned": "chief of staff", "raw": ["chief of staff"]}, "organization": {"name": {"cleaned": "acme tools", "raw": ["acme tools"]}}}]
    });
    let person = shown(RecordKind::Person, "", "", true, doc);
    assert_eq!(person["full_name"], "Maya O'Brien");
    assert_eq!(person["city"], "Isle of Man");
    assert_eq!(person["job_title"], "VP of IT Operations");
    assert_eq!(person["company_name"], "Bank of America");
    let job = &person["experience"][0];
    assert_eq!(
        job["title"],
        json!({"cleaned": "Chief of Staff", "raw": ["chief of staff"]})
    );
    assert_eq!(
        job["organization"]["name"],
        json!({"cleaned": "Acme Tools", "raw": ["acme tools"]})
    );
    for (field, same) in [
        ("seniority_level", "vp"),
        ("company_industry", "machinery"),
        ("work_email", "a@b.example"),
        ("confidence", "high"),
    ] {
        assert_eq!(person[field], same);
    }
    assert_eq!(person["headline"]["cleaned"], "a leader");
    let company = shown(
        RecordKind::Company,
        "",
        "",
        true,
        json!({"name": {"cleaned": "acme tools", "display": "ACME tools", "raw": ["acme"]}}),
    );
    assert_eq!(
        company["name"],
        json!({"cleaned": "Acme Tools", "display": "ACME tools", "raw": ["acme"]})
    );
}

#[test]
fn texts_with_escapes_are_copied_and_put_in_title_case() {
    let doc = json!({"full_name": "ana \"nan\" o\\neil", "summary": {"cleaned": "line\n\u{1}\u{e9}", "raw": ["\t\""]}});
    for titlecase in [false, true] {
        let person = shown(RecordKind::Person, "", "", titlecase, doc.clone());
        assert_eq!(person["summary"], doc["summary"]);
        let name = if titlecase {
            "Ana \"Nan\" O\\neil"
        } else {
            "ana \"nan\" o\\neil"
        };
        assert_eq!(person["full_name"], name);
    }
    // A key may be escaped as well, though none of ours is.
    let view = View::new(RecordKind::Person, "city", "", false, false).unwrap();
    let text = written(&view, r#"{"\u0063ity":"\u006fslo"}"#).unwrap();
    assert_eq!(
        text,
        format!(r#"{{"service_id":"{NIL}","city":"\u006fslo"}}"#)
    );
}

#[test]
fn bytes_that_are_no_document_are_an_error() {
    let whole = r#"{"city":"oslo","skills":[{"cleaned":"a","raw":["b"]}],"num_sources":3}"#;
    let view = View::new(RecordKind::Person, "", "", true, false).unwrap();
    assert!(written(&view, whole).is_ok());
    for length in 0..whole.len() {
        assert!(written(&view, &whole[..length]).is_err(), "cut to {length}");
    }
    // Half of a pair of surrogates is no text that could be put in title case.
    assert!(written(&view, r#"{"city":"\ud800"}"#).is_err());
}

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn text(&mut self) -> Value {
        let words = [
            "",
            "maya o'brien",
            "isle of man",
            "vp of it",
            "a\"b\\c",
            "\n\u{1}",
            "\u{e9}漢\u{1f600}",
            "{\"x\":[1,2]}",
        ];
        json!(words[usize::try_from(self.below(8)).unwrap()])
    }

    fn scalar(&mut self) -> Value {
        match self.below(8) {
            0 => Value::Null,
            1 => json!(self.below(1 << 30)),
            2 => json!(-1.5e-7),
            3 => json!(true),
            4 => json!([1, "x", [], {}]),
            _ => self.text(),
        }
    }

    fn value(&mut self, field: &Field) -> Value {
        match field.kind {
            // What does not fit is shown as absent or as it is.
            _ if self.below(20) == 0 => self.scalar(),
            FieldType::List(_) | FieldType::CleanedList(_) => {
                let count = self.below(3);
                let mut element = |_| {
                    if self.below(9) == 0 {
                        self.scalar()
                    } else {
                        self.object(field.children())
                    }
                };
                Value::Array((0..count).map(&mut element).collect())
            }
            FieldType::Object { .. } | FieldType::Cleaned | FieldType::Periods => {
                self.object(field.children())
            }
            FieldType::TextList => Value::Array((0..self.below(3)).map(|_| self.text()).collect()),
            FieldType::Map | FieldType::PeriodsMap => {
                json!({"director": self.below(90), "a \"key\"": {"1m": null, "x": []}})
            }
            _ => self.scalar(),
        }
    }

    /// An object with some of the fields, in an order that is sometimes another, and with keys that are none.
    fn object(&mut self, fields: &[Field]) -> Value {
        let mut keys: Vec<&Field> = fields.iter().collect();
        if self.below(4) == 0 {
            keys.reverse();
        }
        let mut object = Map::new();
        for field in keys {
            if self.below(3) > 0 {
                object.insert(field.name.to_owned(), self.value(field));
            }
            if self.below(12) == 0 {
                object.insert(format!("_{}", field.name), self.scalar());
            }
        }
        Value::Object(object)
    }

    /// Some paths of fields, as a request names them.
    fn paths(&mut self, kind: RecordKind) -> String {
        let mut paths = Vec::new();
        for _ in 0..self.below(6) {
            let (mut fields, mut path) = (kind.fields(), Vec::new());
            while !fields.is_empty() && (path.is_empty() || self.below(2) == 0) {
                let field = &fields[usize::try_from(self.below(fields.len() as u64)).unwrap()];
                path.push(field.name);
                fields = field.children();
            }
            paths.push(path.join("."));
        }
        paths.join(",")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_record_is_written_as_a_tree_would_be(seed: u64, is_person: bool, titlecase: bool, pretty_print: bool) {
        let kind = if is_person { RecordKind::Person } else { RecordKind::Company };
        let mut dice = Dice(seed);
        let (include, exclude) = (dice.paths(kind), dice.paths(kind));
        let view = View::new(kind, &include, &exclude, titlecase, pretty_print).unwrap();
        let document = dice.object(kind.fields());
        let expected = naive::text(&view, Uuid::nil(), &build(), document.as_object().unwrap());
        prop_assert_eq!(written(&view, &document.to_string()).unwrap(), expected);
    }

    #[test]
    fn damaged_documents_never_panic(seed: u64, place: usize, byte: u8) {
        let document = Dice(seed).object(RecordKind::Person.fields()).to_string();
        let mut bytes = document.into_bytes();
        let place = place % bytes.len();
        bytes[place] = byte;
        let view = View::new(RecordKind::Person, "", "", true, true).unwrap();
        let mut out = view.text(0);
        if view.write(&mut out, Uuid::nil(), &build(), &bytes).is_ok() {
            prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&out.finish()).is_ok());
        }
    }
}

/// 100 full records of some 4 kB, as a page of a search shows them: by the tree, and straight from the bytes. Time is no
/// assertion: `cargo test --release -p query-service --lib measured -- --ignored --nocapture`.
#[test]
#[ignore = "prints times, asserts nothing of them"]
#[allow(clippy::print_stdout)]
fn a_page_of_full_records_is_measured() {
    let mut dice = Dice(7);
    let job = |at: u64| json!({"title": {"cleaned": "director of operations", "raw": ["Director, Operations"]}, "organization": {"name": {"cleaned": "northwind tools", "raw": ["Northwind Tools, Inc."]}, "website": "northwind-tools.example", "industry": "machinery", "size": "201-500"}, "start_date": "2021-06", "current": at == 0, "seniority_level": "director", "summary": {"cleaned": "led a team of forty in three plants", "raw": ["Led a team of forty in three plants"]}});
    let person = |number: u64| {
        json!({
            "full_name": format!("maya okafor {number}"), "first_name": "maya", "last_name": "okafor", "city": "chicago",
            "state": "illinois", "country": "united states", "job_title": "director of operations", "num_sources": 6,
            "emails": (0..4).map(|at| json!({"address": format!("m.okafor{at}@northwind-tools.example"), "type": "work", "current": true, "confidence": "high", "num_sources": 3})).collect::<Vec<_>>(),
            "skills": (0..20).map(|at| json!({"cleaned": format!("skill number {at}"), "raw": [format!("Skill Number {at}")]})).collect::<Vec<_>>(),
            "experience": (0..6).map(job).collect::<Vec<_>>()
        })
        .to_string()
    };
    let page: Vec<String> = (0..100).map(|_| person(dice.below(1 << 20))).collect();
    let bytes = page.iter().map(String::len).sum::<usize>() / page.len();
    let view = View::new(RecordKind::Person, "", "", false, false).unwrap();
    let build = build();
    let median = |act: &dyn Fn() -> usize| {
        let mut times: Vec<_> = (0..101)
            .map(|_| {
                let start = std::time::Instant::now();
                std::hint::black_box(act());
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        times[50]
    };
    let tree = median(&|| {
        let documents = page
            .iter()
            .map(|text| serde_json::from_str::<Map<String, Value>>(text).unwrap());
        documents
            .map(|document| naive::text(&view, Uuid::nil(), &build, &document).len())
            .sum()
    });
    let straight = median(&|| {
        let mut out = view.text(0);
        for text in &page {
            view.write(&mut out, Uuid::nil(), &build, text.as_bytes())
                .unwrap();
        }
        out.finish().len()
    });
    println!("100 full records of {bytes} bytes: by a tree {tree:?}, straight {straight:?}");
}

#[test]
fn a_list_that_names_no_field_is_at_fault() {
    for (list, is_sound) in [
        (json!("full_name, ,"), true),
        (json!(","), false),
        (json!(" , ,"), false),
        (json!(" "), false),
        (json!(null), true),
    ] {
        let body = json!({ "include_fields": list });
        let mut fields = Fields::new(body.as_object().unwrap(), &["include_fields"]);
        field_list(&mut fields, "include_fields");
        assert_eq!(fields.finish().is_ok(), is_sound, "{list}");
    }
}
