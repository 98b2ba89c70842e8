#![allow(clippy::unwrap_used, clippy::indexing_slicing)]
use serde_json::json;

use super::*;

fn shown(kind: RecordKind, include: &str, exclude: &str, titlecase: bool, doc: Value) -> Value {
    let view = View::new(kind, include, exclude, titlecase, false).unwrap();
    let build: BuildName = "2026.10.1".parse().unwrap();
    view.record(Uuid::nil(), &build, doc.as_object().unwrap())
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
    assert_eq!(view.unwrap_err(), ["nickname", "emails.colour"]);
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
