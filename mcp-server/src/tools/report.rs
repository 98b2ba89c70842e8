//! `report_person` and `report_company` (`docs/REPORTS.md`).

use events_schema::api::endpoint::Endpoint;
use serde_json::{Value, json};

use super::ToolEntry;
use super::schema::{arguments, choice, record_id, text};

pub(super) const PERSON: ToolEntry = ToolEntry {
    endpoint: Endpoint::ReportPerson,
    title: "Report a person",
    summary: "Report a person data issue",
    description: "Report wrong, outdated or misattributed data of a person. Free. Give correct_value or comment.",
    input: person,
    output: receipt,
};

pub(super) const COMPANY: ToolEntry = ToolEntry {
    endpoint: Endpoint::ReportCompany,
    title: "Report a company",
    summary: "Report a company data issue",
    description: "Report wrong, outdated or misattributed data of a company. Free. Give correct_value or comment.",
    input: company,
    output: receipt,
};

fn person() -> Value {
    let types = [
        "incorrect",
        "outdated",
        "misattributed",
        "frankenstein",
        "not_a_real_person",
        "duplicate",
    ];
    report(
        &types,
        "kind of issue; frankenstein = several people mixed",
        "job_title",
    )
}

fn company() -> Value {
    report(
        &[
            "incorrect",
            "outdated",
            "misattributed",
            "frankenstein",
            "duplicate",
        ],
        "kind of issue",
        "industry",
    )
}

fn report(types: &[&str], kind: &str, field: &str) -> Value {
    let properties = vec![
        ("service_id", record_id()),
        ("issue_type", choice(types, kind)),
        (
            "issue_level",
            choice(&["record", "group", "field"], "what is wrong"),
        ),
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
    arguments(
        properties,
        &["service_id", "issue_type", "issue_level"],
        example,
    )
}

fn receipt() -> Value {
    json!({"type": "object", "required": ["report_id"], "properties": {
        "report_id": {"type": "string"}, "status": {"type": "string"}}})
}
