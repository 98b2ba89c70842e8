//! Showing records: the full shape from the table of fields, field selection, title case, indentation.
//!
//! Reading order: `plan` cuts the table of fields to what a request wants; `index` finds the values in the bytes of a
//! document; `fill` walks the plan and copies them into a [`Text`]. No tree stands in between.
//!
//! Guarantee: a record always has the same keys in the same order, whatever its document holds; keys that are no fields
//! are never shown, and `service_id` always is. Bytes that are no document are an error. Pure; which records are shown is
//! decided elsewhere.

mod fill;
mod index;
mod plan;
mod text;
mod titles;

use std::sync::Arc;

use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use serde_json::Value;
use service_kit::Fields;
use uuid::Uuid;

pub use index::Malformed;
pub use text::Text;

use index::Index;
use plan::Plan;

use crate::instead::UnknownField;

/// Longest list of fields: room for every path of a record.
pub(crate) const MAX_FIELD_LIST_CHARS: usize = 8_192;
/// Longest list that is suggested in place of one that was sent as an array.
const MAX_SUGGESTED_CHARS: usize = 1_024;

/// How a request wants its records shown.
#[derive(Debug, Clone)]
pub struct View {
    kind: RecordKind,
    plan: Arc<Plan>,
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
    ) -> Result<Self, Vec<UnknownField>> {
        let plan = Plan::new(kind, include, exclude)?;
        Ok(Self {
            kind,
            plan,
            titlecase,
            pretty_print,
        })
    }

    /// Writes one record in the wanted shape; `document` is its compact JSON.
    ///
    /// # Errors
    /// When the bytes are no document; some of the record may have been written then.
    pub fn write(
        &self,
        out: &mut Text,
        service_id: Uuid,
        build: &BuildName,
        document: &[u8],
    ) -> Result<(), Malformed> {
        let index = Index::of(document)?;
        let mut buffer = Uuid::encode_buffer();
        let own = fill::Own {
            service_id: service_id.hyphenated().encode_lower(&mut buffer),
            build_version: build.as_str(),
        };
        fill::record(&self.plan, &index, &own, self.titlecase, out)
    }

    /// `person` or `company`: the key of a match under which the record stands.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.kind.name()
    }

    /// An empty body, indented if the request wants it, with room for so many bytes of documents.
    #[must_use]
    pub fn text(&self, document_bytes: usize) -> Text {
        Text::new(self.pretty_print, document_bytes.saturating_mul(2))
    }
}

/// A comma list of fields as a request gives it, empty without one. One that names no field is at fault: it would be taken for all.
pub(crate) fn field_list(fields: &mut Fields<'_>, name: &'static str) -> String {
    if let Some(Value::Array(items)) = fields.value(name) {
        let names: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
        let list = names.map(|names| names.join(","));
        let list = list.filter(|list| (1..=MAX_SUGGESTED_CHARS).contains(&list.len()));
        fields.fail(name, "must be one string, a comma list", list.as_deref());
        return String::new();
    }
    let list = fields
        .string(name, MAX_FIELD_LIST_CHARS)
        .unwrap_or_default();
    if !list.is_empty() && list.split(',').all(|item| item.trim().is_empty()) {
        fields.fail(name, "must name a field", Some("leave the field out"));
    }
    list.to_owned()
}

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;
