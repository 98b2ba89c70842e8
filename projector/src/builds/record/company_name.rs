//! The name of a company in its three forms.

use normalize::titlecase;
use serde::Serialize;
use serde_json::Value;

use super::reader::{Reader, plain};

/// `{cleaned, display, raw}`.
#[derive(Debug, Default, Serialize)]
pub(super) struct Name {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cleaned: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) display: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) raw: Vec<String>,
}

impl Name {
    /// Takes the field as given: a text or the three forms.
    pub(super) fn read(&mut self, value: Value, reader: &mut Reader<'_>) {
        if let Value::Object(mut object) = value {
            let raw = object
                .remove("raw")
                .map_or_else(Vec::new, |raw| reader.texts("name.raw", raw));
            let display = object
                .remove("display")
                .and_then(|value| reader.given("name.display", value));
            let cleaned = object
                .remove("cleaned")
                .and_then(|value| reader.given("name.cleaned", value));
            for key in object.keys() {
                reader.tally.unknown_key(&format!("name.{key}"));
            }
            let given = cleaned
                .or_else(|| display.clone())
                .or_else(|| raw.first().cloned());
            let Some(given) = given else { return };
            self.cleaned = clean("name.cleaned", &given, reader);
            let shown = || self.cleaned.as_deref().map(titlecase::organization);
            self.display = display.or_else(shown);
            self.raw = if raw.is_empty() { vec![given] } else { raw };
        } else if let Some(given) = reader.given("name", value) {
            self.cleaned = clean("name", &given, reader);
            // Written by people: the given form is the one to show unless it is all in lower case.
            let is_lower = !given.chars().any(char::is_uppercase);
            self.display = self.cleaned.as_deref().map(|cleaned| {
                if is_lower {
                    titlecase::organization(cleaned)
                } else {
                    given.clone()
                }
            });
            self.raw = vec![given];
        }
    }
}

fn clean(field: &str, given: &str, reader: &mut Reader<'_>) -> Option<String> {
    match reader.repeated.company(given) {
        Ok(name) => Some(name),
        // Names in signs alone exist; they are kept in lower case.
        Err(_) => plain(given).ok().or_else(|| reader.unreadable(field)),
    }
}
