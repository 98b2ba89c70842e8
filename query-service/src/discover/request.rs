//! From a body to a description and a page. Every fault of the body is found before one is reported.

use column_files::Start;
use discover::{Refused, Unsupported, supported_fields};
use events_schema::api::limits::{
    MAX_DISCOVER_CHARS, MAX_OFFSET, MAX_PAGE_LIMIT, MIN_DISCOVER_CHARS,
};
use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};
use service_kit::problem::VALIDATION_ERROR;
use service_kit::{Fields, Problem};

use crate::render::View;
use crate::render::field_list;
use crate::search::asked::Asked;
use crate::search::request::{SearchRefusal, SearchRequest};
use crate::spending::{MAX_CREDITS, MaxCredits};

const ACCEPTED: &[&str] = &[
    "query",
    "limit",
    "offset",
    "strict",
    MAX_CREDITS,
    "titlecase",
    "include_fields",
    "exclude_fields",
    "pretty_print",
];
/// A request that can be translated.
#[derive(Debug, Clone)]
pub struct DiscoverRequest {
    kind: RecordKind,
    /// What is sought, in plain words.
    pub text: String,
    /// Most records.
    pub limit: u32,
    /// Records that are passed over.
    pub offset: u32,
    /// Refuse what cannot be answered in full.
    pub strict: bool,
    /// The most that the page may cost.
    pub max_credits: Option<MaxCredits>,
    /// How the records are shown.
    pub view: View,
}

impl DiscoverRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// Unknown, missing or malformed parameters.
    pub fn read(kind: RecordKind, body: &Map<String, Value>) -> Result<Self, SearchRefusal> {
        let mut fields = Fields::new(body, ACCEPTED);
        fields.require("query");
        fields.require("limit");
        let text = description(&mut fields);
        let limit = fields.integer("limit", 1..=i64::from(MAX_PAGE_LIMIT), 1);
        let offset = fields.integer("offset", 0..=i64::from(MAX_OFFSET), 0);
        let strict = fields.boolean("strict", false);
        let max_credits = MaxCredits::read(&mut fields);
        let titlecase = fields.boolean("titlecase", false);
        let pretty_print = fields.boolean("pretty_print", false);
        let include = field_list(&mut fields, "include_fields");
        let exclude = field_list(&mut fields, "exclude_fields");
        fields.check_names().map_err(SearchRefusal::Form)?;
        let view = View::new(kind, &include, &exclude, titlecase, pretty_print)
            .map_err(SearchRefusal::UnknownFields)?;
        fields.finish().map_err(SearchRefusal::Form)?;
        let whole = |number: i64| u32::try_from(number).unwrap_or_default();
        Ok(Self {
            kind,
            text,
            limit: whole(limit),
            offset: whole(offset),
            strict,
            max_credits,
            view,
        })
    }

    /// The search that a translation asks for.
    #[must_use]
    pub fn as_search(&self, query: Asked) -> SearchRequest {
        SearchRequest {
            query,
            of_cursor: None,
            readings: Vec::new(),
            limit: self.limit,
            start: Start::Offset(self.offset),
            pin: None,
            view: self.view.clone(),
            dry_run: false,
            max_credits: None,
        }
    }

    /// The refusal of a description of which nothing can be answered.
    #[must_use]
    pub fn refused(&self, refused: &Refused) -> Problem {
        let other = match self.kind {
            RecordKind::Person => "/company/discover",
            RecordKind::Company => "/person/discover",
        };
        let suggestion = refused
            .is_other_kind
            .then(|| format!("describe it to {other}"));
        self.problem(
            "no searchable condition recognised",
            suggestion.as_deref(),
            &refused.unsupported,
        )
    }

    /// The refusal of a description of which a part cannot be answered, when all of it must be.
    #[must_use]
    pub fn too_strict(&self, unsupported: &[Unsupported]) -> Problem {
        self.problem(
            "parts of the description cannot be answered",
            Some("leave them out, or strict"),
            unsupported,
        )
    }

    fn problem(
        &self,
        error: &str,
        suggestion: Option<&str>,
        unsupported: &[Unsupported],
    ) -> Problem {
        let shown: String = self.text.chars().take(200).collect();
        let field =
            json!({"field": "query", "value": shown, "error": error, "suggestion": suggestion});
        Problem::new(
            VALIDATION_ERROR,
            format!("The description cannot be searched for: {error}."),
        )
        .detail("fields", json!([field]))
        .detail("unsupported", json!(unsupported))
        .detail("supported_fields", supported_fields(self.kind))
    }
}

/// The description, of 3 to 1,000 characters.
fn description(fields: &mut Fields<'_>) -> String {
    let Some(value) = fields.value("query") else {
        return String::new();
    };
    let Value::String(text) = value else {
        fields.fail("query", "must be a string", None);
        return String::new();
    };
    let length = text.chars().count();
    if !(MIN_DISCOVER_CHARS..=MAX_DISCOVER_CHARS).contains(&length) {
        let error =
            format!("length {length} is outside {MIN_DISCOVER_CHARS}..{MAX_DISCOVER_CHARS}");
        fields.fail("query", &error, None);
    }
    text.clone()
}
