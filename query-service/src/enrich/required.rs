//! `required_fields`: `work_email`, `socials.network`, `phones.type:mobile`. All must hold.

use events_schema::record::{Field, FieldType, RecordKind};
use normalize::vocabulary;
use serde_json::Value;

use super::{Candidate, Document};

/// What a record must hold to be answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequiredFields(Vec<Requirement>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Requirement {
    path: Vec<String>,
    /// The value that one of the path's values must have; none = any.
    value: Option<String>,
}

impl RequiredFields {
    /// Reads a comma list.
    ///
    /// # Errors
    /// The items that name no field, or a value that the field cannot have.
    pub fn parse(kind: RecordKind, list: &str) -> Result<Self, Vec<String>> {
        let items: Vec<&str> = list.split(',').map(str::trim).collect();
        let mut rest = items.as_slice();
        let mut requirements = Vec::new();
        let mut unknown = Vec::new();
        while let [item, behind @ ..] = rest {
            if let Some((requirement, left)) = of_several_items(kind, rest) {
                requirements.push(requirement);
                rest = left;
                continue;
            }
            match requirement(kind, item) {
                Some(requirement) => requirements.push(requirement),
                None if item.is_empty() => {}
                None => unknown.push((*item).to_owned()),
            }
            rest = behind;
        }
        if unknown.is_empty() {
            Ok(Self(requirements))
        } else {
            Err(unknown)
        }
    }

    /// Whether nothing is required.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the candidate's document holds all of them; one that cannot be read holds nothing.
    #[must_use]
    pub fn are_in(&self, candidate: &Candidate) -> bool {
        candidate.whole().is_ok_and(|document| self.hold(&document))
    }

    /// Whether the document holds all of them.
    #[must_use]
    pub fn hold(&self, doc: &Document) -> bool {
        self.0.iter().all(|requirement| {
            let Some((first, rest)) = requirement.path.split_first() else {
                return true;
            };
            doc.get(first)
                .is_some_and(|value| holds(value, rest, requirement.value.as_deref()))
        })
    }
}

/// More commas no value of a closed list has.
const MAX_COMMAS: usize = 4;

/// The longest value of a closed list that has commas of its own, `industry:glass, ceramics & concrete`, and the items behind it.
fn of_several_items<'a>(
    kind: RecordKind,
    items: &'a [&'a str],
) -> Option<(Requirement, &'a [&'a str])> {
    let (path, _) = items.first()?.split_once(':')?;
    let field = kind.field(path.trim())?;
    if !matches!(field.kind, FieldType::Enum(_) | FieldType::Vocabulary(_)) {
        return None;
    }
    (2..=MAX_COMMAS + 1).rev().find_map(|count| {
        let (taken, left) = items.split_at_checked(count)?;
        Some((requirement(kind, &taken.join(", "))?, left))
    })
}

fn requirement(kind: RecordKind, item: &str) -> Option<Requirement> {
    let (path, value) = match item.split_once(':') {
        Some((path, value)) => (path.trim(), Some(value.trim())),
        None => (item, None),
    };
    let field = kind.field(path)?;
    let value = value.map(|value| accepted(field, value)).transpose().ok()?;
    Some(Requirement {
        path: path.split('.').map(str::to_owned).collect(),
        value,
    })
}

/// The value as records hold it, if the field can have it.
fn accepted(field: &Field, value: &str) -> Result<String, ()> {
    let listed = |words: &[&str]| {
        words
            .iter()
            .find(|word| word.eq_ignore_ascii_case(value))
            .map(|word| (*word).to_owned())
    };
    let found = match field.kind {
        FieldType::Enum(words) => listed(words),
        FieldType::Vocabulary(name) => listed(closed_list(name)),
        FieldType::Boolean => listed(&["true", "false"]),
        FieldType::Integer => value.parse::<i64>().ok().map(|number| number.to_string()),
        FieldType::Number => value.parse::<f64>().ok().map(|_| value.to_owned()),
        FieldType::Text | FieldType::Url | FieldType::Id | FieldType::TextList => {
            Some(value.to_lowercase())
        }
        FieldType::Code | FieldType::Date => Some(value.to_owned()),
        FieldType::Cleaned | FieldType::CleanedList(_) => Some(value.to_lowercase()),
        FieldType::Object { .. }
        | FieldType::List(_)
        | FieldType::Map
        | FieldType::Periods
        | FieldType::PeriodsMap => None,
    };
    found.filter(|value| !value.is_empty()).ok_or(())
}

pub(crate) fn closed_list(name: &str) -> &'static [&'static str] {
    match name {
        "seniority_level" => vocabulary::SENIORITY_LEVELS,
        "job_function" => vocabulary::JOB_FUNCTIONS,
        "industry" => vocabulary::INDUSTRIES,
        "size" => vocabulary::COMPANY_SIZES,
        "type" => vocabulary::COMPANY_TYPES,
        _ => &[],
    }
}

fn holds(value: &Value, path: &[String], wanted: Option<&str>) -> bool {
    match (value, path.split_first()) {
        (Value::Null, _) => false,
        (Value::Array(items), _) => items.iter().any(|item| holds(item, path, wanted)),
        (Value::Object(map), Some((first, rest))) => map
            .get(first)
            .is_some_and(|inner| holds(inner, rest, wanted)),
        // A cleaned value stands for itself: `skills:logistics`.
        (Value::Object(map), None) => match wanted {
            None => !map.is_empty(),
            Some(_) => map
                .get("cleaned")
                .is_some_and(|cleaned| holds(cleaned, path, wanted)),
        },
        (_, Some(_)) => false,
        (Value::String(text), None) => {
            !text.is_empty() && wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(text))
        }
        (Value::Bool(truth), None) => {
            wanted.is_none_or(|wanted| wanted == if *truth { "true" } else { "false" })
        }
        (Value::Number(number), None) => {
            wanted.is_none_or(|wanted| wanted.parse().ok() == number.as_f64())
        }
    }
}

#[cfg(test)]
mod tests {
    use events_schema::record::RecordKind;
    use normalize::vocabulary;
    use serde_json::json;

    use super::{MAX_COMMAS, RequiredFields};

    #[test]
    fn a_value_with_commas_can_be_required_beside_others() {
        let list = "industry:glass, ceramics & concrete, domain,industry:machinery";
        let required = RequiredFields::parse(RecordKind::Company, list).unwrap();
        assert_eq!(required.0.len(), 3);
        let mut doc = json!({"industry": "glass, ceramics & concrete", "domain": "acme.com"});
        let hold = |doc: &serde_json::Value| required.hold(doc.as_object().unwrap());
        assert!(!hold(&doc));
        doc["industry"] = json!(["glass, ceramics & concrete", "machinery"]);
        assert!(hold(&doc));
        let wrong = RequiredFields::parse(RecordKind::Company, "industry:glass, domain, ceramics");
        assert_eq!(
            wrong,
            Err(vec!["industry:glass".to_owned(), "ceramics".to_owned()])
        );
    }

    #[test]
    fn every_value_of_the_closed_lists_can_be_required() {
        for value in vocabulary::INDUSTRIES {
            assert!(value.matches(',').count() <= MAX_COMMAS, "{value}");
            let list = format!("domain,industry:{value}");
            let required = RequiredFields::parse(RecordKind::Company, &list);
            assert_eq!(required.map(|required| required.0.len()), Ok(2), "{value}");
        }
    }
}
