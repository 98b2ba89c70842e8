//! `report_person` and `report_company` (`docs/REPORTS.md`).

use events_schema::api::endpoint::Endpoint;
use serde_json::{Value, json};

use super::ToolEntry;

pub(super) const PERSON: ToolEntry = ToolEntry {
    endpoint: Endpoint::ReportPerson,
    title: "Report a person",
    summary: "Report a person data issue",
    description: "Report wrong, outdated or misattributed data of a person. Free. Give correct_value or comment.",
    output: receipt,
};

pub(super) const COMPANY: ToolEntry = ToolEntry {
    endpoint: Endpoint::ReportCompany,
    title: "Report a company",
    summary: "Report a company data issue",
    description: "Report wrong, outdated or misattributed data of a company. Free. Give correct_value or comment.",
    output: receipt,
};

fn receipt() -> Value {
    json!({"type": "object", "required": ["report_id"], "properties": {
        "report_id": {"type": "string"}, "status": {"type": "string"}}})
}
