//! What single texts compare as: the meaning of a test on one value, for dictionaries that must be gone through.

use dialect::{Test, Value};

use super::pattern::Pattern;

/// A test on texts, ready for use.
#[derive(Debug)]
pub(super) enum TextTest {
    /// Is, or begins with, one of these.
    In {
        values: Vec<String>,
        prefixes: bool,
        negated: bool,
    },
    /// Lies in a range; of dates, with as many characters as the bound has.
    Range {
        low: Option<(String, bool)>,
        high: Option<(String, bool)>,
        prefixes: bool,
    },
    /// Matches a pattern.
    Like { pattern: Pattern, negated: bool },
    /// Is known (or not): the same for every value.
    Known(bool),
}

impl TextTest {
    /// The meaning of a test; `dates` are compared by their first characters.
    pub(super) fn of(test: &Test, dates: bool) -> Self {
        match test {
            Test::In { values, negated } => Self::In {
                values: values.iter().filter_map(text).map(str::to_owned).collect(),
                prefixes: dates,
                negated: *negated,
            },
            Test::Range { low, high } => {
                let bound = |bound: &Option<(Value, bool)>| {
                    bound.as_ref().map(|(value, closed)| {
                        (text(value).unwrap_or_default().to_owned(), *closed)
                    })
                };
                Self::Range {
                    low: bound(low),
                    high: bound(high),
                    prefixes: dates,
                }
            }
            Test::Like { pattern, negated } => Self::Like {
                pattern: Pattern::of(pattern),
                negated: *negated,
            },
            Test::Null { negated } => Self::Known(*negated),
        }
    }

    /// Whether a known text makes it true.
    pub(super) fn holds(&self, text: &[u8]) -> bool {
        match self {
            Self::In {
                values,
                prefixes: false,
                negated,
            } => {
                values
                    .binary_search_by(|value| value.as_bytes().cmp(text))
                    .is_ok()
                    != *negated
            }
            Self::In {
                values,
                prefixes: true,
                negated,
            } => {
                values
                    .iter()
                    .any(|value| text.starts_with(value.as_bytes()))
                    != *negated
            }
            Self::Range {
                low,
                high,
                prefixes,
            } => {
                low.as_ref()
                    .is_none_or(|(bound, closed)| !is_below(text, bound, *closed, *prefixes))
                    && high
                        .as_ref()
                        .is_none_or(|(bound, closed)| is_below(text, bound, !*closed, *prefixes))
            }
            Self::Like { pattern, negated } => pattern.matches(text) != *negated,
            Self::Known(known) => *known,
        }
    }
}

/// The text of a literal.
pub(super) const fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text.as_str()),
        Value::Integer(_) | Value::Number(_) | Value::Boolean(_) => None,
    }
}

/// Whether a text is less than a bound, or, unless `strictly`, equal to it; with `prefixes`, by as many characters as the
/// bound has.
pub(super) fn is_below(text: &[u8], bound: &str, strictly: bool, prefixes: bool) -> bool {
    let text = if prefixes {
        first_characters(text, bound.chars().count())
    } else {
        text
    };
    match text.cmp(bound.as_bytes()) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Equal => !strictly,
        std::cmp::Ordering::Greater => false,
    }
}

fn first_characters(text: &[u8], characters: usize) -> &[u8] {
    let mut starts = text
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte & 0xC0 != 0x80);
    match starts.nth(characters) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}
