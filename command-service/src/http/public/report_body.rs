//! The body of a report, read and checked (`docs/REPORTS.md`, "Filing a report").

use events_schema::api::limits::{MAX_REPORT_COMMENT_CHARS, MAX_REPORT_VALUE_CHARS};
use events_schema::record::RecordKind;
use events_schema::report::v1::{IssueLevel, IssueType, ReportDetails};
use serde_json::{Map, Value, json};
use service_kit::{Fields, Problem};
use uuid::Uuid;

const ACCEPTED: &[&str] = &[
    "service_id",
    "issue_type",
    "issue_level",
    "field",
    "observed_value",
    "correct_value",
    "comment",
];
const MAX_FIELD_CHARS: usize = 128;
const MAX_ID_CHARS: usize = 64;

/// A report as the client sent it, checked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ReportBody {
    pub(super) service_id: Uuid,
    pub(super) issue_type: IssueType,
    pub(super) issue_level: IssueLevel,
    pub(super) field: Option<String>,
    /// Without the stored value, which the record gives.
    pub(super) details: ReportDetails,
}

/// Reads the body; all faults at once, 400 before 422.
pub(super) fn read(kind: RecordKind, map: &Map<String, Value>) -> Result<ReportBody, Problem> {
    let mut fields = Fields::new(map, ACCEPTED);
    let service_id = service_id(&mut fields);
    let issue_type: Option<IssueType> = word(&mut fields, "issue_type", IssueType::NAMES);
    let issue_level: Option<IssueLevel> = word(&mut fields, "issue_level", IssueLevel::NAMES);
    if kind == RecordKind::Company && issue_type == Some(IssueType::NotARealPerson) {
        fields.fail("issue_type", "not allowed for a company report", None);
    }
    let field = field(&mut fields, issue_level);
    let unknown = field.filter(|path| kind.field(path).is_none());
    let details = details(&mut fields);
    match fields.finish() {
        Err(problem) if problem.status() == http::StatusCode::BAD_REQUEST => return Err(problem),
        _ if unknown.is_some() => return Err(unknown_field(kind, unknown)),
        checked => checked?,
    }
    match (service_id, issue_type, issue_level) {
        (Some(service_id), Some(issue_type), Some(issue_level)) => Ok(ReportBody {
            service_id,
            issue_type,
            issue_level,
            field: field.map(str::to_owned),
            details,
        }),
        _ => Err(Problem::internal()),
    }
}

fn service_id(fields: &mut Fields<'_>) -> Option<Uuid> {
    fields.require("service_id");
    let text = fields.string("service_id", MAX_ID_CHARS)?;
    let id = Uuid::parse_str(text).ok();
    if id.is_none() {
        fields.fail("service_id", "must be a UUID", None);
    }
    id
}

fn word<T: serde::de::DeserializeOwned>(
    fields: &mut Fields<'_>,
    name: &'static str,
    words: &[&'static str],
) -> Option<T> {
    fields.require(name);
    let word = fields.optional_one_of(name, words)?;
    serde_json::from_value(json!(word)).ok()
}

/// The field or group: named where the level needs one, and nowhere else.
fn field<'a>(fields: &mut Fields<'a>, level: Option<IssueLevel>) -> Option<&'a str> {
    match level {
        Some(IssueLevel::Group | IssueLevel::Field) => fields.require("field"),
        Some(IssueLevel::Record) if fields.is_given("field") => {
            fields.fail("field", "only with issue_level group or field", None);
        }
        Some(IssueLevel::Record) | None => {}
    }
    fields.string("field", MAX_FIELD_CHARS)
}

fn details(fields: &mut Fields<'_>) -> ReportDetails {
    fields.require_one_of(&["correct_value", "comment"]);
    let mut text = |name, max_chars| fields.string(name, max_chars).map(str::to_owned);
    ReportDetails {
        observed_value: text("observed_value", MAX_REPORT_VALUE_CHARS),
        stored_value: None,
        correct_value: text("correct_value", MAX_REPORT_VALUE_CHARS),
        comment: text("comment", MAX_REPORT_COMMENT_CHARS),
    }
}

fn unknown_field(kind: RecordKind, path: Option<&str>) -> Problem {
    let accepted: Vec<&str> = kind.fields().iter().map(|field| field.name).collect();
    let message = format!("The field named in the report is none of a {kind}.");
    Problem::bad_request("unknown_field", message)
        .detail("unknown_fields", json!([path]))
        .detail("accepted", json!(accepted))
}

#[cfg(test)]
mod tests {
    use events_schema::api::endpoint::Endpoint;
    use events_schema::api::parameters;

    use super::*;

    const ID: &str = "5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10";

    fn read_as(kind: RecordKind, body: &Value) -> Result<ReportBody, Problem> {
        read(kind, body.as_object().unwrap())
    }

    fn refused(kind: RecordKind, body: &Value) -> (u16, Value) {
        let problem = read_as(kind, body).unwrap_err();
        (
            problem.status().as_u16(),
            Value::Object(problem.details_ref().clone()),
        )
    }

    #[test]
    fn the_example_of_the_docs_is_taken() {
        let body = json!({ "service_id": ID, "issue_type": "outdated", "issue_level": "field",
            "field": "job_title", "observed_value": "director of operations",
            "correct_value": "chief operating officer", "comment": "promoted in august" });
        let report = read_as(RecordKind::Person, &body).unwrap();
        assert_eq!(report.field.as_deref(), Some("job_title"));
        assert_eq!(report.issue_type, IssueType::Outdated);
        assert_eq!(
            report.details.correct_value.as_deref(),
            Some("chief operating officer")
        );
    }

    #[test]
    fn what_is_told_of_the_body_is_what_is_read() {
        for (kind, endpoint) in [
            (RecordKind::Person, Endpoint::ReportPerson),
            (RecordKind::Company, Endpoint::ReportCompany),
        ] {
            let told = parameters::of(endpoint);
            let properties = told["properties"].as_object().unwrap();
            let names: Vec<&str> = properties.keys().map(String::as_str).collect();
            assert_eq!(names, ACCEPTED, "{kind}");
            let types = IssueType::NAMES.iter();
            let types =
                types.filter(|name| kind == RecordKind::Person || **name != "not_a_real_person");
            let types: Vec<_> = types.collect();
            assert_eq!(properties["issue_type"]["enum"], json!(types));
            assert_eq!(properties["issue_level"]["enum"], json!(IssueLevel::NAMES));
            assert!(read_as(kind, &told["examples"][0]).is_ok());
        }
    }

    #[test]
    fn a_company_cannot_be_no_real_person() {
        let body = json!({"service_id": ID, "issue_type": "not_a_real_person",
            "issue_level": "record", "comment": "x"});
        assert!(read_as(RecordKind::Person, &body).is_ok());
        let (status, details) = refused(RecordKind::Company, &body);
        assert_eq!(status, 422);
        assert_eq!(
            details["fields"],
            json!([{"field": "issue_type", "value": "not_a_real_person",
                "error": "not allowed for a company report", "suggestion": null}])
        );
    }

    #[test]
    fn field_and_group_level_need_a_field() {
        for level in ["group", "field"] {
            let body = json!({"service_id": ID, "issue_type": "incorrect", "issue_level": level,
                "comment": "x"});
            let (status, details) = refused(RecordKind::Person, &body);
            assert_eq!((status, &details["parameters"]), (400, &json!(["field"])));
        }
        let body = json!({"service_id": ID, "issue_type": "incorrect", "issue_level": "record",
            "field": "job_title", "comment": "x"});
        assert_eq!(refused(RecordKind::Person, &body).0, 422);
    }

    #[test]
    fn an_unknown_field_name_is_a_400_even_beside_a_422() {
        let body = json!({"service_id": "x", "issue_type": "incorrect", "issue_level": "field",
            "field": "emails.colour", "comment": "x"});
        let (status, details) = refused(RecordKind::Person, &body);
        assert_eq!((status, &details["reason"]), (400, &json!("unknown_field")));
        assert_eq!(details["unknown_fields"], json!(["emails.colour"]));
    }

    #[test]
    fn a_dot_path_of_the_other_kind_is_unknown() {
        let body = |field: &str| {
            json!({"service_id": ID, "issue_type": "incorrect", "issue_level": "field",
            "field": field, "comment": "x"})
        };
        assert!(read_as(RecordKind::Person, &body("emails.address")).is_ok());
        assert_eq!(refused(RecordKind::Company, &body("emails.address")).0, 400);
    }

    #[test]
    fn a_report_says_what_is_right_or_comments() {
        let body = json!({"service_id": ID, "issue_type": "duplicate", "issue_level": "record",
            "observed_value": "x"});
        let (status, details) = refused(RecordKind::Company, &body);
        assert_eq!(
            (status, &details["parameters"]),
            (400, &json!(["correct_value", "comment"]))
        );
        let problem = read_as(RecordKind::Company, &body).unwrap_err();
        assert_eq!(
            problem.message(),
            "The body lacks correct_value or comment."
        );
    }

    #[test]
    fn unknown_keys_come_first_and_all_bad_values_come_together() {
        let body = json!({"service_id": ID, "issue_type": "bad", "severity": 1});
        let (_, details) = refused(RecordKind::Person, &body);
        assert_eq!(details["reason"], "unknown_parameter");
        let body = json!({"service_id": "no", "issue_type": "bad", "issue_level": "bad",
            "comment": "x".repeat(2001)});
        let (status, details) = refused(RecordKind::Person, &body);
        assert_eq!(
            (status, details["fields"].as_array().unwrap().len()),
            (422, 4)
        );
    }
}
