//! Bodies of reports (`docs/REPORTS.md`, "Filing a report").

use serde_json::{Value, json};

use super::pieces::{body, choice, record_id, text};
use crate::report::v1::{IssueLevel, IssueType};

pub(super) fn person() -> Value {
    report(
        IssueType::NAMES,
        "kind of issue; frankenstein = several people mixed",
        "job_title",
    )
}

pub(super) fn company() -> Value {
    let names = IssueType::NAMES.iter().copied();
    let types: Vec<&str> = names.filter(|name| *name != "not_a_real_person").collect();
    report(&types, "kind of issue", "industry")
}

fn report(types: &[&str], kind: &str, field: &str) -> Value {
    let properties = vec![
        ("service_id", record_id()),
        ("issue_type", choice(types, kind)),
        ("issue_level", choice(IssueLevel::NAMES, "what is wrong")),
        (
            "field",
            text("for group and field level, e.g. emails.address"),
        ),
        ("observed_value", text("what the record says")),
        ("correct_value", text("what is right")),
        ("comment", text("up to 2000 characters")),
    ];
    let example = json!({
        "service_id": "5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10",
        "issue_type": "outdated",
        "issue_level": "field",
        "field": field,
        "comment": "changed in august",
    });
    body(
        properties,
        &["service_id", "issue_type", "issue_level"],
        example,
    )
}
