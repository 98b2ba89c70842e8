//! Bodies of `POST /person/enrich` and `POST /company/enrich` (`docs/API.md`).

use serde_json::{Value, json};

use super::pieces::{
    body, choice, data_build, dry_run, flag, max_credits, number_without_default, record_id,
    region, shape_of_answer, text,
};
use crate::api::limits::{DEFAULT_ENRICH_LIMIT, MAX_ENRICH_LIMIT};
use crate::record::{Confidence, RecordKind};

pub(super) fn person() -> Value {
    let hash = json!({
        "type": "string",
        "pattern": "^([0-9a-fA-F]{64}|[0-9a-fA-F]{40}|[0-9a-fA-F]{32})$",
        "description": "SHA-256, SHA-1 or MD5 of the e-mail",
    });
    let mut properties = vec![
        ("email", text("e-mail address")),
        ("email_hash", hash),
        ("phone", text("phone number")),
        ("social_url", text("profile URL")),
        ("linkedin_id", text("LinkedIn id")),
        ("service_id", record_id()),
        ("full_name", text("name; needs context")),
        ("first_name", text("with last_name")),
        ("last_name", text("with first_name")),
        ("company", text("context: employer's name or domain")),
        ("school", text("context: name or domain")),
        ("job_title", text("context")),
        ("address", text("context")),
        ("city", text("context")),
        ("state", text("context")),
        ("country", text("context")),
        ("postal_code", text("context")),
        ("birth_date", text("context: YYYY, YYYY-MM or YYYY-MM-DD")),
        ("default_region", region()),
    ];
    properties.extend(options(RecordKind::Person));
    properties.push(dry_run());
    body(
        properties,
        &[],
        json!({"email": "maya@example.com", "include_fields": "full_name,job_title"}),
    )
}

pub(super) fn company() -> Value {
    let mut properties = vec![
        ("domain", text("domain or website")),
        ("name", text("company name")),
        ("linkedin_url", text("LinkedIn page")),
        ("social_url", text("profile URL")),
        ("linkedin_id", text("LinkedIn id")),
        ("ticker_symbol", text("stock ticker")),
        ("service_id", record_id()),
        ("industry", text("context")),
        ("city", text("context")),
        ("state", text("context")),
        ("country", text("context")),
    ];
    properties.extend(options(RecordKind::Company));
    properties.push(dry_run());
    body(
        properties,
        &[],
        json!({"domain": "example.com", "include_fields": "name,industry,size"}),
    )
}

/// See [`super::enrich_options`].
#[must_use]
pub fn options(kind: RecordKind) -> Vec<(&'static str, Value)> {
    let required_fields = match kind {
        RecordKind::Person => "must be known, comma list: work_email, phones.type:mobile",
        RecordKind::Company => "must be known, comma list: domain, socials.network",
    };
    let mut confidence = choice(Confidence::NAMES, "lowest match confidence");
    if let Some(confidence) = confidence.as_object_mut() {
        confidence.insert("default".to_owned(), json!("low"));
    }
    let mut options = vec![
        ("multiple_results", flag("return several candidates")),
        (
            "limit",
            number_without_default(
                1,
                MAX_ENRICH_LIMIT,
                &format!("most matches ({DEFAULT_ENRICH_LIMIT}); with multiple_results"),
            ),
        ),
        ("min_confidence", confidence),
        ("required_fields", text(required_fields)),
        ("explain", flag("say why each match was chosen")),
        data_build(),
        max_credits(),
    ];
    options.extend(shape_of_answer());
    options
}
