//! Values of a line into values of a record, by type. What cannot be read is counted under its field and left out.

use std::ops::RangeInclusive;

use normalize::vocabulary::{self, Mapped};
use normalize::{Unreadable, birth_date, text};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Reading;
use super::dates::is_ahead;
use super::repeated::Repeated;
use super::tally::Tally;

/// `{cleaned, raw}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Cleaned {
    /// The canonical form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cleaned: Option<String>,
    /// What was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) raw: Vec<String>,
}

/// Reads values and counts what it cannot read.
pub(super) struct Reader<'a> {
    pub(super) tally: &'a mut Tally,
    pub(super) repeated: &'a mut Repeated,
    pub(super) reading: &'a Reading,
}

impl Reader<'_> {
    /// Text as given, trimmed; a number counts as its digits. Blank is absent.
    pub(super) fn given(&mut self, field: &str, value: Value) -> Option<String> {
        match value {
            Value::Null => None,
            Value::String(text) => printable(text),
            Value::Number(number) => Some(number.to_string()),
            _ => self.unreadable(field),
        }
    }

    /// Text in lower case.
    pub(super) fn text(&mut self, field: &str, value: Value) -> Option<String> {
        let given = self.given(field, value)?;
        Some(text::clean(&given)).filter(|text| !text.is_empty())
    }

    /// Text that `clean` reads.
    pub(super) fn by<T>(
        &mut self,
        field: &str,
        value: Value,
        clean: impl FnOnce(&str) -> Result<T, Unreadable>,
    ) -> Option<T> {
        self.by_repeated(field, value, |_, given| clean(given))
    }

    /// The same of a text that other records may have, too.
    fn by_repeated<T>(
        &mut self,
        field: &str,
        value: Value,
        clean: impl FnOnce(&mut Repeated, &str) -> Result<T, Unreadable>,
    ) -> Option<T> {
        let given = self.given(field, value)?;
        match clean(self.repeated, &given) {
            Ok(cleaned) => Some(cleaned),
            Err(_) => self.unreadable(field),
        }
    }

    /// A value of a closed list of the schema.
    pub(super) fn one_of(
        &mut self,
        field: &str,
        value: Value,
        accepted: &[&str],
    ) -> Option<String> {
        let text = self.text(field, value)?;
        if accepted.contains(&text.as_str()) {
            return Some(text);
        }
        let joined = text.replace([' ', '-'], "_");
        if accepted.contains(&joined.as_str()) {
            Some(joined)
        } else {
            self.unreadable(field)
        }
    }

    /// A value of a vocabulary; what no table knows is kept and counted.
    pub(super) fn vocabulary(
        &mut self,
        field: &str,
        value: Value,
        map: fn(&str) -> Mapped,
    ) -> Option<String> {
        let given = self.given(field, value)?;
        let mapped = map(&given);
        if !mapped.known {
            self.tally.unmapped(field, &mapped.value);
        }
        Some(mapped.value).filter(|value| !value.is_empty())
    }

    /// A job's function by what is given, or by the title where that says more; what no table knows is kept and counted.
    pub(super) fn job_function(
        &mut self,
        field: &str,
        given: Option<&str>,
        title: Option<&Cleaned>,
    ) -> Option<String> {
        let given = given?;
        let title = title.and_then(|title| title.cleaned.as_deref());
        let mapped = vocabulary::job_function_of(Some(given), title)?;
        if !mapped.known {
            self.tally.unmapped(field, &mapped.value);
        }
        Some(mapped.value).filter(|value| !value.is_empty())
    }

    /// A whole number; a text of digits and a number without fraction count.
    pub(super) fn integer(&mut self, field: &str, value: &Value) -> Option<i64> {
        let read = match value {
            Value::Null => return None,
            Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
            Value::String(text) if text.trim().is_empty() => return None,
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        read.or_else(|| self.unreadable(field))
    }

    /// A whole number of a range; one outside cannot be meant.
    pub(super) fn integer_within(
        &mut self,
        field: &str,
        value: &Value,
        accepted: RangeInclusive<i64>,
    ) -> Option<i64> {
        let number = self.integer(field, value)?;
        if accepted.contains(&number) {
            Some(number)
        } else {
            self.unreadable(field)
        }
    }

    /// A number.
    pub(super) fn number(&mut self, field: &str, value: &Value) -> Option<f64> {
        let read = match value {
            Value::Null => return None,
            Value::Number(number) => number.as_f64(),
            Value::String(text) if text.trim().is_empty() => return None,
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        read.filter(|number: &f64| number.is_finite())
            .or_else(|| self.unreadable(field))
    }

    /// true or false, also as text.
    pub(super) fn boolean(&mut self, field: &str, value: &Value) -> Option<bool> {
        match value {
            Value::Null => None,
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "" => None,
                "true" | "yes" => Some(true),
                "false" | "no" => Some(false),
                _ => self.unreadable(field),
            },
            _ => self.unreadable(field),
        }
    }

    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    pub(super) fn date(&mut self, field: &str, value: Value) -> Option<String> {
        self.by(field, value, birth_date::clean)
            .map(|date| date.to_string())
    }

    /// When something was seen: not after the day of loading.
    pub(super) fn seen(&mut self, field: &str, value: Value) -> Option<String> {
        let date = self.date(field, value)?;
        if is_ahead(&date, self.reading.today) {
            return self.unreadable(field);
        }
        Some(date)
    }

    /// When somebody was born who can be alive at the reference date.
    pub(super) fn born(&mut self, field: &str, value: Value) -> Option<String> {
        let today = self.reading.today;
        let born = self.by(field, value, |text| {
            let date = birth_date::clean(text)?;
            match is_ahead(&date.to_string(), today) {
                true => Err(birth_date::IN_FUTURE),
                false => Ok(date),
            }
        });
        born.map(|date| date.to_string())
    }

    /// How many there are of something.
    pub(super) fn count(&mut self, field: &str, value: &Value) -> Option<i64> {
        self.integer_within(field, value, 0..=i64::MAX)
    }

    /// A UUID in its usual spelling.
    pub(super) fn id(&mut self, field: &str, value: Value) -> Option<String> {
        let given = self.given(field, value)?;
        match Uuid::parse_str(&given) {
            Ok(id) => Some(id.to_string()),
            Err(_) => self.unreadable(field),
        }
    }

    /// A host.
    pub(super) fn domain(&mut self, field: &str, value: Value) -> Option<String> {
        self.by_repeated(field, value, Repeated::host)
    }

    /// A profile of a company on LinkedIn.
    pub(super) fn company_profile(&mut self, field: &str, value: Value) -> Option<String> {
        self.by_repeated(field, value, Repeated::company_profile)
    }

    /// The name of a company.
    pub(super) fn company(&mut self, field: &str, value: Value) -> Option<Cleaned> {
        self.cleaned_repeated(field, value, Repeated::company)
    }

    /// The name of a school.
    pub(super) fn school(&mut self, field: &str, value: Value) -> Option<Cleaned> {
        self.cleaned_repeated(field, value, Repeated::school)
    }

    /// The title of a job.
    pub(super) fn title(&mut self, field: &str, value: Value) -> Option<Cleaned> {
        self.cleaned_repeated(field, value, Repeated::title)
    }

    /// `{cleaned, raw}` or a plain text.
    pub(super) fn cleaned(
        &mut self,
        field: &str,
        value: Value,
        clean: impl FnOnce(&str) -> Result<String, Unreadable>,
    ) -> Option<Cleaned> {
        self.cleaned_repeated(field, value, |_, given| clean(given))
    }

    /// The same of a text that other records may have, too.
    fn cleaned_repeated(
        &mut self,
        field: &str,
        value: Value,
        clean: impl FnOnce(&mut Repeated, &str) -> Result<String, Unreadable>,
    ) -> Option<Cleaned> {
        let (given, raw) = match value {
            Value::Null => return None,
            Value::Object(mut object) => {
                let raw = object
                    .remove("raw")
                    .map_or_else(Vec::new, |raw| self.texts(field, raw));
                let cleaned = object
                    .remove("cleaned")
                    .and_then(|value| self.given(field, value));
                (cleaned.or_else(|| raw.first().cloned())?, raw)
            }
            other => (self.given(field, other)?, Vec::new()),
        };
        match clean(self.repeated, &given) {
            Ok(cleaned) => Some(Cleaned {
                cleaned: Some(cleaned),
                raw: if raw.is_empty() { vec![given] } else { raw },
            }),
            Err(_) => self.unreadable(field),
        }
    }

    /// A list of texts as given; one text counts as a list of one.
    pub(super) fn texts(&mut self, field: &str, value: Value) -> Vec<String> {
        self.items(field, value)
            .into_iter()
            .filter_map(|item| self.given(field, item))
            .collect()
    }

    /// The elements of a list; a single element counts as a list of one.
    pub(super) fn items(&mut self, field: &str, value: Value) -> Vec<Value> {
        match value {
            Value::Null => Vec::new(),
            Value::Array(items) => items,
            Value::Object(_) | Value::String(_) => vec![value],
            _ => {
                self.tally.unreadable(field);
                Vec::new()
            }
        }
    }

    /// The objects of a list. A text stands for an object with it under `short`.
    pub(super) fn objects(
        &mut self,
        field: &str,
        value: Value,
        short: &str,
    ) -> Vec<Map<String, Value>> {
        let mut objects = Vec::new();
        for item in self.items(field, value) {
            match item {
                Value::Object(object) => objects.push(object),
                Value::String(text) => {
                    objects.push(Map::from_iter([(short.to_owned(), Value::String(text))]));
                }
                Value::Null => {}
                _ => self.tally.unreadable(field),
            }
        }
        objects
    }

    /// An object.
    pub(super) fn object(&mut self, field: &str, value: Value) -> Option<Map<String, Value>> {
        match value {
            Value::Null => None,
            Value::Object(object) => Some(object),
            _ => self.unreadable(field),
        }
    }

    /// Counts a value that cannot be read.
    pub(super) fn unreadable<T>(&mut self, field: &str) -> Option<T> {
        self.tally.unreadable(field);
        None
    }
}

/// A text that is not empty, as the clean function of fields that are only put in lower case.
pub(super) fn plain(given: &str) -> Result<String, Unreadable> {
    let cleaned = text::clean(given);
    if cleaned.is_empty() {
        Err(Unreadable::new("nothing to read"))
    } else {
        Ok(cleaned)
    }
}

/// jsonb and text hold no NUL.
fn printable(text: String) -> Option<String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        None
    } else if trimmed.contains('\0') {
        Some(trimmed.replace('\0', "")).filter(|text| !text.is_empty())
    } else if trimmed.len() == text.len() {
        Some(text)
    } else {
        Some(trimmed.to_owned())
    }
}

/// A float that is a whole number; above 2^53 not every whole number is one.
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0).then_some(number as i64)
}
