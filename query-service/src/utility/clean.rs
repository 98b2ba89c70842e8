//! `POST /utility/clean` (`docs/API.md`).

use normalize::check::{self, Field};
use serde_json::{Map, Value, json};
use service_kit::{Fields, Problem};

use super::shown;
use crate::region;

const PARAMETERS: &[&str] = &["fields", "default_region"];
/// The fields of [`Field::CLEANABLE`], by name.
const FIELDS: &[&str] = &[
    "email",
    "phone",
    "full_name",
    "first_name",
    "last_name",
    "state",
    "country",
    "social_url",
    "school",
    "domain",
    "company",
    "linkedin_company_url",
    "ticker_symbol",
];

/// Values to clean, in the order in which they were given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanRequest {
    values: Vec<(Field, String)>,
    region: String,
}

impl CleanRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// 400 for an unknown parameter and for no or unsupported fields; 422 for a value that is no string.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Problem> {
        let mut parameters = Fields::new(body, PARAMETERS);
        parameters.require("fields");
        let given = parameters.object("fields");
        let region = region::read(&mut parameters);
        parameters.check_names()?;
        check_names(given)?;
        parameters.finish()?;
        let values = values(given)?;
        Ok(Self { values, region })
    }

    /// The result of each field. `normalized` says whether a canonical form was produced.
    #[must_use]
    pub fn answer(&self) -> Value {
        let result = |(field, original): &(Field, String)| {
            let cleaned = check::clean(*field, original, &self.region).ok();
            let result = json!({
                "original": original,
                "cleaned": cleaned.as_ref().map(shown),
                "normalized": cleaned.is_some(),
            });
            (field.as_str().to_owned(), result)
        };
        let results: Map<String, Value> = self.values.iter().map(result).collect();
        json!({"results": results})
    }
}

/// An unsupported name refuses the whole request, and so does an empty map, which would be charged for nothing.
fn check_names(given: Option<&Map<String, Value>>) -> Result<(), Problem> {
    let Some(given) = given else { return Ok(()) };
    if given.is_empty() {
        let message = "Provide at least one field to clean.";
        return Err(Problem::bad_request("missing_parameter", message)
            .detail("parameters", json!(["fields"]))
            .detail("accepted", FIELDS));
    }
    let unknown = Fields::new(given, FIELDS).unknown_names();
    if unknown.is_empty() {
        return Ok(());
    }
    let (noun, names) = (
        if unknown.len() == 1 { "name" } else { "names" },
        unknown.join(", "),
    );
    Err(Problem::bad_request(
        "unknown_field",
        format!("Unsupported field {noun}: {names}."),
    )
    .detail("unknown_fields", unknown)
    .detail("accepted", FIELDS))
}

fn values(given: Option<&Map<String, Value>>) -> Result<Vec<(Field, String)>, Problem> {
    let mut values = Vec::new();
    let Some(given) = given else {
        return Ok(values);
    };
    let mut faults = Fields::new(given, FIELDS);
    for (name, value) in given {
        match (name.parse(), value.as_str()) {
            (Ok(field), Some(text)) => values.push((field, text.to_owned())),
            _ => faults.fail(name, "must be a string", None),
        }
    }
    faults.finish()?;
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, Field};

    #[test]
    fn the_accepted_names_are_those_of_the_canon() {
        let names: Vec<&str> = Field::CLEANABLE
            .iter()
            .map(|field| field.as_str())
            .collect();
        assert_eq!(names, FIELDS);
    }
}
