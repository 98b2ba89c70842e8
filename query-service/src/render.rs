//! Showing records: the full shape from the table of fields, field selection, title case, indentation.
//!
//! Guarantee: a record always has the same keys in the same order (contract C0), whatever its document holds; keys that
//! are no fields are never shown, and `service_id` always is. Pure; which records are shown is decided elsewhere.

mod fill;
mod plan;
mod titles;

use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use plan::Plan;

/// How a request wants its records shown.
#[derive(Debug, Clone)]
pub struct View {
    kind: RecordKind,
    plan: Plan,
    titlecase: bool,
    pretty_print: bool,
}

impl View {
    /// Reads the comma lists of `include_fields` (empty = all) and `exclude_fields`, which is applied after it.
    ///
    /// # Errors
    /// The names that no field has.
    pub fn new(
        kind: RecordKind,
        include: &str,
        exclude: &str,
        titlecase: bool,
        pretty_print: bool,
    ) -> Result<Self, Vec<String>> {
        let plan = Plan::new(kind, include, exclude)?;
        Ok(Self {
            kind,
            plan,
            titlecase,
            pretty_print,
        })
    }

    /// One record in the wanted shape.
    #[must_use]
    pub fn record(&self, service_id: Uuid, build: &BuildName, doc: &Map<String, Value>) -> Value {
        let mut shown = fill::object(&self.plan, doc, self.titlecase);
        if let Some(id) = shown.get_mut("service_id") {
            *id = Value::String(service_id.to_string());
        }
        if let Some(version) = shown.get_mut("build_version") {
            *version = Value::String(build.as_str().to_owned());
        }
        Value::Object(shown)
    }

    /// `person` or `company`: the key of a match under which the record stands.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.kind.name()
    }

    /// The text of a body.
    #[must_use]
    pub fn text(&self, body: &impl Serialize) -> String {
        let text = if self.pretty_print {
            serde_json::to_string_pretty(body)
        } else {
            serde_json::to_string(body)
        };
        // Values and maps with text keys always serialize.
        text.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
