//! What is stored is found by what is stored: reading a canonical value gives the value.

use std::io::{BufRead as _, BufReader};
use std::path::Path;

use dialect::{Catalog, Column, ValueType, fold, stored_forms};
use events_schema::record::RecordKind;
use flate2::read::GzDecoder;
use serde_json::{Map, Value};

/// The first records of the sample data; what a build derives is not in them.
pub(crate) fn sample(kind: RecordKind, limit: usize) -> Vec<Map<String, Value>> {
    let file = match kind {
        RecordKind::Person => "persons.ndjson.gz",
        RecordKind::Company => "companies.ndjson.gz",
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../data/sample")
        .join(file);
    let lines = BufReader::new(GzDecoder::new(std::fs::File::open(path).unwrap())).lines();
    let records = lines.take(limit).map(|line| {
        let mut record: Map<String, Value> = serde_json::from_str(&line.unwrap()).unwrap();
        record.retain(|_, value| !value.is_null());
        stored(&mut record);
        record
    });
    records.collect()
}

/// Short forms of jobs as a build stores them.
fn stored(record: &mut Map<String, Value>) {
    let jobs = record
        .get_mut("experience")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten();
    for job in jobs.filter_map(Value::as_object_mut) {
        if let Some(Value::String(title)) = job.remove("title") {
            job.insert("title".to_owned(), serde_json::json!({ "cleaned": title }));
        }
        if let Some(name) = job.remove("company_name") {
            job.insert(
                "organization".to_owned(),
                serde_json::json!({ "name": { "cleaned": name } }),
            );
        }
    }
}

fn settles(kind: RecordKind, column: &Column, value: &str) {
    let forms = stored_forms(kind, column, value);
    for form in &forms {
        let again = stored_forms(kind, column, form);
        assert!(
            again.iter().all(|again| forms.contains(again)),
            "{} {value:?}: {forms:?}, {again:?}",
            column.path
        );
        assert!(
            again.contains(form) || forms.len() == 1,
            "{} {form:?}: {again:?}",
            column.path
        );
    }
}

#[test]
fn readings_of_sample_values_are_settled() {
    for kind in RecordKind::ALL {
        let catalog = Catalog::of(kind);
        let vocabulary = dialect::arbitrary::Vocabulary::of(kind, &sample(kind, 400), 60);
        for (id, values) in vocabulary.values {
            let column = catalog.column(id);
            for value in values {
                if let dialect::Value::Text(text) = value
                    && column.value == ValueType::Text
                {
                    settles(kind, column, &text);
                    settles(kind, column, &text.to_uppercase());
                }
            }
        }
    }
}

#[test]
fn values_of_the_canon_are_found_as_they_are() {
    let person = Catalog::of(RecordKind::Person);
    let forms = |path: &str, value: &str| {
        stored_forms(
            RecordKind::Person,
            person.column(person.find(path).unwrap()),
            value,
        )
    };
    for country in normalize::country::all() {
        assert_eq!(
            forms("country", country.full_name),
            [fold(country.full_name)]
        );
        assert_eq!(forms("country_code", country.code), [fold(country.code)]);
    }
    for state in normalize::state::all() {
        assert_eq!(forms("state_code", state.code), [fold(state.code)]);
        assert!(forms("state", state.full_name).contains(&fold(state.full_name)));
    }
    for (path, list) in [
        ("company_industry", normalize::vocabulary::INDUSTRIES),
        ("seniority_level", normalize::vocabulary::SENIORITY_LEVELS),
        ("job_function", normalize::vocabulary::JOB_FUNCTIONS),
        ("company_size", normalize::vocabulary::COMPANY_SIZES),
    ] {
        for value in list {
            assert_eq!(forms(path, value), [fold(value)], "{path}");
        }
    }
}

#[test]
fn cases_of_the_canon_are_settled() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../normalize/cases");
    for (file, kind, path) in [
        ("email", RecordKind::Person, "work_email"),
        ("full_name", RecordKind::Person, "full_name"),
        ("company", RecordKind::Company, "name"),
        ("company", RecordKind::Person, "company_name"),
        (
            "school",
            RecordKind::Person,
            "education.organization.name.cleaned",
        ),
        ("social_url", RecordKind::Person, "socials.url"),
        ("domain", RecordKind::Company, "domain"),
        ("state", RecordKind::Person, "state"),
    ] {
        let column = Catalog::of(kind).column(Catalog::of(kind).find(path).unwrap());
        let text = std::fs::read_to_string(cases.join(format!("{file}.jsonl"))).unwrap();
        for line in text.lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let given = case.get("input").and_then(Value::as_str).expect("an input");
            settles(kind, column, given);
        }
    }
}
