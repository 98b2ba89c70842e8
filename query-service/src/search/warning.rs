//! What an answer adds in the header `Search-Warning`: literals that were read as something else than they say, words of
//! closed columns that no record of the build has, and closed columns whose words were compared.

use std::collections::{HashMap, HashSet};

use column_files::Columns;
use column_files::view::Dictionary;
use dialect::{
    Catalog, ColumnId, Condition, Filter, MAX_READINGS, Query, Reading, Test, Value, closed_values,
    nearest,
};

/// Most bytes of the header.
const MAX_BYTES: usize = 1_000;
/// Most warnings of the header: each may cost a search for the nearest word.
const MAX_WARNINGS: usize = 20;
/// Most characters of a literal that are repeated.
const SHOWN_CHARS: usize = 60;
/// Most bytes of a literal that are repeated, as they are written: a warning of two of them has room.
const SHOWN_BYTES: usize = 120;
/// Between two warnings.
const SEPARATOR: &str = " | ";
/// Room for the last words, which say how many warnings are left out.
const REST_BYTES: usize = 32;

/// The header's value, if there is anything to say: ASCII, of bounded length. Without `columns` nothing is said of words
/// that no record has.
#[must_use]
pub fn warning(columns: Option<&Columns>, query: &Query, readings: &[Reading]) -> Option<String> {
    let mut warnings = Warnings {
        are_more: readings.len() >= MAX_READINGS,
        ..Warnings::default()
    };
    for reading in readings {
        warnings.add(|| {
            let (given, read_as) = (shown(&reading.given), shown(&reading.read_as));
            let also = if reading.also_as_given {
                ", and searched for as it is, too"
            } else {
                ""
            };
            format!("{} '{given}' was read as '{read_as}'{also}", reading.column)
        });
    }
    if let (Some(filter), Some(columns)) = (&query.filter, columns) {
        let mut words = Words {
            columns,
            catalog: Catalog::of(query.kind),
            stored: HashMap::new(),
            looked_up: HashSet::new(),
            gone_through: HashSet::new(),
            compared: HashSet::new(),
        };
        collect(filter, &mut |condition| {
            words.warn(condition, &mut warnings)
        });
    }
    warnings.finish()
}

fn collect<'a>(filter: &'a Filter, each: &mut impl FnMut(&'a Condition)) {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => {
            for part in parts {
                collect(part, each);
            }
        }
        Filter::Test(condition) => each(condition),
        Filter::Element { filter, .. } => collect(filter, each),
        Filter::Empty { .. } => {}
    }
}

/// The words of closed columns.
struct Words<'a> {
    columns: &'a Columns,
    catalog: &'a Catalog,
    /// By column: the words of its list that a record has, once somebody needs them.
    stored: HashMap<ColumnId, Vec<&'static str>>,
    /// A condition that was multiplied out says the same word many times.
    looked_up: HashSet<(ColumnId, &'a str)>,
    /// Nor need the lists be gone through again that its branches share.
    gone_through: HashSet<(ColumnId, *const Value)>,
    /// Of which it was told that their words are compared.
    compared: HashSet<ColumnId>,
}

impl<'a> Words<'a> {
    /// Of a column with a closed list of words: of `=`, `IN` and their opposites, and of comparisons.
    fn warn(&mut self, condition: &'a Condition, warnings: &mut Warnings) {
        let id = condition.target.column;
        let column = self.catalog.column(id);
        let Some(words) = closed_values(column) else {
            return;
        };
        let values = match &condition.test {
            Test::In { values, .. } => values,
            Test::Range { .. } if self.compared.insert(id) => {
                return warnings.add(|| {
                    let path = &column.path;
                    format!("{path} is compared letter by letter, not by rank; its values can be listed with IN")
                });
            }
            _ => return,
        };
        if !self.gone_through.insert((id, values.as_ptr())) {
            return;
        }
        let view = self.columns.column(id);
        let is_stored = |word: &str| {
            let Dictionary::Text(texts) = view.dictionary else {
                // Closed columns hold text.
                return false;
            };
            // Columns share a dictionary.
            texts
                .find(word.as_bytes())
                .is_ok_and(|code| view.may_have(code))
        };
        let texts = values.iter().filter_map(|value| match value {
            Value::Text(text) => Some(text.as_str()),
            Value::Integer(_) | Value::Number(_) | Value::Boolean(_) => None,
        });
        for text in texts {
            if !self.looked_up.insert((id, text)) || is_stored(text) {
                continue;
            }
            warnings.add(|| {
                let stored = self.stored.entry(id).or_insert_with(|| {
                    let words = words.iter().copied();
                    words.filter(|word| is_stored(word)).collect()
                });
                let near = match nearest(text, stored.iter().copied(), 1).first() {
                    Some(near) => format!("; nearest: {near}"),
                    None => String::new(),
                };
                let (path, text) = (&column.path, shown(text));
                format!("{path} '{text}' matches no stored value{near}")
            });
        }
    }
}

/// As many whole warnings as have room. Those behind them are counted and not made.
#[derive(Debug, Default)]
struct Warnings {
    text: String,
    told: usize,
    left_out: usize,
    /// Whether there may be more than were told of.
    are_more: bool,
}

impl Warnings {
    fn add(&mut self, warning: impl FnOnce() -> String) {
        if self.left_out > 0 || self.told == MAX_WARNINGS {
            self.left_out += 1;
            return;
        }
        let warning: String = warning().chars().flat_map(ascii).collect();
        if self.text.len() + SEPARATOR.len() + warning.len() + REST_BYTES > MAX_BYTES {
            self.left_out += 1;
            return;
        }
        self.separate();
        self.text.push_str(&warning);
        self.told += 1;
    }

    fn separate(&mut self) {
        if !self.text.is_empty() {
            self.text.push_str(SEPARATOR);
        }
    }

    fn finish(mut self) -> Option<String> {
        if self.left_out > 0 {
            self.separate();
            let at_least = if self.are_more { "at least " } else { "" };
            self.text
                .push_str(&format!("and {at_least}{} more", self.left_out));
        }
        (!self.text.is_empty()).then_some(self.text)
    }
}

/// The beginning of a literal, as a header may hold it.
fn shown(literal: &str) -> String {
    let mut shown = String::new();
    for (place, sign) in literal.chars().enumerate() {
        let written: String = ascii(sign).collect();
        if place == SHOWN_CHARS || shown.len() + written.len() > SHOWN_BYTES {
            shown.push_str("...");
            break;
        }
        shown.push_str(&written);
    }
    shown
}

/// A character as a header may hold it; others as `\u{…}`.
fn ascii(sign: char) -> impl Iterator<Item = char> {
    let is_plain = matches!(sign, ' '..='~');
    let plain = is_plain.then_some(sign);
    let escaped = (!is_plain).then(|| sign.escape_unicode());
    plain.into_iter().chain(escaped.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(each: impl IntoIterator<Item = String>) -> Option<String> {
        let mut warnings = Warnings::default();
        for warning in each {
            warnings.add(|| warning);
        }
        warnings.finish()
    }

    #[test]
    fn warnings_are_ascii_of_bounded_length_and_say_how_many_are_left_out() {
        assert_eq!(joined([]), None);
        let two = ["city 'zürich\n' was read".to_owned(), "b".to_owned()];
        assert_eq!(
            joined(two).unwrap(),
            r"city 'z\u{fc}rich\u{a}' was read | b"
        );
        let long =
            |number| format!("industry 'a rather long word {number}' matches no stored value");
        let text = joined((0..1_000).map(long)).unwrap();
        assert!(
            text.len() <= MAX_BYTES && text.len() > MAX_BYTES - 100,
            "{}",
            text.len()
        );
        let kept = text.matches("matches").count();
        assert!(
            text.ends_with(&format!(" | and {} more", 1_000 - kept)),
            "{text}"
        );
        assert_eq!(joined(["x".repeat(MAX_BYTES)]).unwrap(), "and 1 more");
    }

    #[test]
    fn warnings_that_are_left_out_are_not_made() {
        let (mut warnings, mut made) = (Warnings::default(), 0);
        for _ in 0..10_000 {
            warnings.add(|| {
                made += 1;
                "a".to_owned()
            });
        }
        assert_eq!(made, MAX_WARNINGS);
        assert!(warnings.finish().unwrap().ends_with("a | and 9980 more"));
    }

    #[test]
    fn two_literals_of_any_length_have_room() {
        assert_eq!(shown(&"a".repeat(60)), "a".repeat(60));
        assert_eq!(shown(&"a".repeat(61)), format!("{}...", "a".repeat(60)));
        assert_eq!(shown("ä"), r"\u{e4}");
        let wide = shown(&"😀".repeat(1_000));
        assert_eq!(wide.len(), SHOWN_BYTES / 9 * 9 + 3);
        assert!(
            joined([format!("{wide} was read as {wide}")])
                .unwrap()
                .contains("was read")
        );
    }
}
