//! `POST /utility/validate` (`docs/CANON.md`, "What validate says"): what is wrong, what is doubtful, what the canon would make
//! of it.

use chrono::NaiveDate;
use events_schema::api::limits::MAX_STRING_CHARS;
use normalize::check::{self, Cleaned, Field};
use serde_json::{Map, Value, json};
use service_kit::{Fields, Problem};

use super::shown;
use crate::region;

/// The fields of [`Field::ALL`] by name, and the reading of phones.
const PARAMETERS: &[&str] = &[
    "email",
    "phone",
    "first_name",
    "last_name",
    "full_name",
    "birth_date",
    "social_url",
    "school",
    "address",
    "state",
    "country",
    "company",
    "domain",
    "ticker_symbol",
    "linkedin_company_url",
    REGION,
];
const REGION: &str = "default_region";

/// Values to validate, in the order of [`Field::ALL`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidateRequest {
    values: Vec<(Field, String)>,
    region: String,
}

impl ValidateRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// 400 for an unknown parameter and where no field is given; 422 for a value that is no string.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Problem> {
        let mut parameters = Fields::new(body, PARAMETERS);
        let mut values = Vec::new();
        for field in Field::ALL {
            match parameters.value(field.as_str()) {
                // Any text is data here, also a blank or a far too long one.
                Some(Value::String(text)) => values.push((field, text.clone())),
                _ => {
                    let text = parameters.string(field.as_str(), MAX_STRING_CHARS);
                    values.extend(text.map(|text| (field, text.to_owned())));
                }
            }
        }
        let region = region::read(&mut parameters);
        parameters.check_names()?;
        check_given(&parameters)?;
        parameters.finish()?;
        Ok(Self { values, region })
    }

    /// `valid` where no value is at fault; a suggestion where the cleaned form differs from the input.
    #[must_use]
    pub fn answer(&self, today: NaiveDate) -> Value {
        let (mut errors, mut warnings, mut suggestions) = (Vec::new(), Vec::new(), Vec::new());
        for (field, value) in &self.values {
            let name = field.as_str();
            let verdict = check::validate(*field, value, &self.region, today);
            match &verdict.cleaned {
                Err(refusal) => {
                    errors.push(json!({"field": name, "value": value,
                        "error": refusal.reason, "suggestion": refusal.suggestion}));
                }
                Ok(cleaned) if !is_as_given(cleaned, value) => {
                    suggestions.push(json!({"field": name, "cleaned": shown(cleaned)}));
                }
                Ok(_) => {}
            }
            warnings.extend(verdict.warnings.iter().map(|warning| {
                json!({"field": name, "value": value, "warning": warning.text,
                    "suggestion": warning.suggestion})
            }));
        }
        json!({"valid": errors.is_empty(), "errors": errors, "warnings": warnings,
            "suggestions": suggestions})
    }
}

fn check_given(parameters: &Fields<'_>) -> Result<(), Problem> {
    if Field::ALL
        .iter()
        .any(|field| parameters.is_given(field.as_str()))
    {
        return Ok(());
    }
    let accepted: Vec<&str> = Field::ALL.iter().map(|field| field.as_str()).collect();
    let message = "Provide at least one field to validate.";
    Err(Problem::bad_request("missing_parameter", message)
        .detail("parameters", json!([]))
        .detail("accepted", accepted))
}

/// A place may be given by its name or by its code.
fn is_as_given(cleaned: &Cleaned, value: &str) -> bool {
    match cleaned {
        Cleaned::Text(text) | Cleaned::Company { name: text, .. } => text == value,
        Cleaned::Place { full_name, code } => value == *full_name || value == *code,
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, PARAMETERS, REGION};

    #[test]
    fn the_parameters_are_the_fields_of_the_canon_and_the_region() {
        let mut names: Vec<&str> = Field::ALL.iter().map(|field| field.as_str()).collect();
        names.push(REGION);
        assert_eq!(names, PARAMETERS);
    }
}
