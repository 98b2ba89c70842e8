//! What an answer adds in the header `Search-Warning`: literals that were read as something else than they say, words of
//! closed columns that no record of the build has, closed columns whose words were compared, and patterns that miss what `=` would find.

use std::collections::{HashMap, HashSet};

use column_files::Columns;
use column_files::view::Dictionary;
use dialect::{
    Catalog, Column, ColumnId, Condition, Filter, MAX_READINGS, Query, Reading, Test, Value,
    ValueType, closed_values, like, nearest, stored_forms,
};
use events_schema::record::RecordKind;

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
/// Room for the words of a closed list: all functions of a job fit.
const LISTED_BYTES: usize = 560;
/// Most patterns that are looked at, and most parts of one that are read: each may cost some microseconds.
const MAX_PATTERNS: usize = 20;
const MAX_PARTS: usize = 4;
/// Most texts that a pattern is compared with here: a search has compared it with all of them already.
const MAX_COMPARED: u32 = 4_096;

/// The header's value, if there is anything to say: ASCII, of bounded length. Without `columns` nothing is said of words
/// that no record has. `total` is the number of records that the query finds.
#[must_use]
pub fn warning(
    columns: Option<&Columns>,
    query: &Query,
    readings: &[Reading],
    total: u64,
) -> Option<String> {
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
            kind: query.kind,
            catalog: Catalog::of(query.kind),
            finds_nothing: total == 0 && is_one_condition(filter),
            stored: HashMap::new(),
            listed: HashSet::new(),
            looked_up: HashSet::new(),
            gone_through: HashSet::new(),
            compared: HashSet::new(),
            patterns: HashSet::new(),
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

/// Whether nothing else than one condition decides which records are found, and it is not turned into its opposite.
fn is_one_condition(filter: &Filter) -> bool {
    match filter {
        Filter::Test(condition) => !matches!(condition.test, Test::Like { negated: true, .. }),
        Filter::Element {
            filter,
            negated: false,
            ..
        } => is_one_condition(filter),
        Filter::And(_) | Filter::Or(_) | Filter::Element { .. } | Filter::Empty { .. } => false,
    }
}

/// The words of closed columns, and patterns.
struct Words<'a> {
    columns: &'a Columns,
    kind: RecordKind,
    catalog: &'a Catalog,
    /// Whether the query is one pattern that finds nobody.
    finds_nothing: bool,
    /// By column: the words of its list that a record has, once somebody needs them.
    stored: HashMap<ColumnId, Vec<&'static str>>,
    /// Of which it was told what is stored.
    listed: HashSet<ColumnId>,
    /// A condition that was multiplied out says the same word many times.
    looked_up: HashSet<(ColumnId, &'a str)>,
    /// Nor need the lists be gone through again that its branches share.
    gone_through: HashSet<(ColumnId, *const Value)>,
    /// Of which it was told that their words are compared.
    compared: HashSet<ColumnId>,
    patterns: HashSet<(ColumnId, &'a str)>,
}

impl<'a> Words<'a> {
    fn warn(&mut self, condition: &'a Condition, warnings: &mut Warnings) {
        let id = condition.target.column;
        match &condition.test {
            Test::In { values, .. } => self.warn_of_words(id, values, warnings),
            Test::Like { pattern, negated } => {
                self.warn_of_pattern(id, pattern, *negated, warnings);
            }
            Test::Range { .. } => self.warn_of_order(id, warnings),
            Test::Null { .. } => {}
        }
    }

    fn warn_of_order(&mut self, id: ColumnId, warnings: &mut Warnings) {
        let column = self.catalog.column(id);
        if closed_values(column).is_some() && self.compared.insert(id) {
            warnings.add(|| {
                let path = &column.path;
                format!("{path} is compared letter by letter, not by rank; its values can be listed with IN")
            });
        }
    }

    /// Of a column with a closed list of words: of `=`, `IN` and their opposites.
    fn warn_of_words(&mut self, id: ColumnId, values: &'a [Value], warnings: &mut Warnings) {
        let column = self.catalog.column(id);
        if closed_values(column).is_none() || !self.gone_through.insert((id, values.as_ptr())) {
            return;
        }
        let texts = values.iter().filter_map(|value| match value {
            Value::Text(text) => Some(text.as_str()),
            Value::Integer(_) | Value::Number(_) | Value::Boolean(_) => None,
        });
        for text in texts {
            if !self.looked_up.insert((id, text)) || self.is_stored(id, text) {
                continue;
            }
            warnings.add(|| {
                let instead = self.instead(id, text);
                let (path, text) = (&column.path, shown(text));
                format!("{path} '{text}' matches no stored value{instead}")
            });
        }
    }

    /// A pattern is compared with stored text: of an abbreviation that `=` would read, and of one that no stored text is like.
    fn warn_of_pattern(
        &mut self,
        id: ColumnId,
        pattern: &'a str,
        negated: bool,
        warnings: &mut Warnings,
    ) {
        let is_new = self.patterns.len() < MAX_PATTERNS && self.patterns.insert((id, pattern));
        let column = self.catalog.column(id);
        if !is_new || column.value != ValueType::Text {
            return;
        }
        let path = &column.path;
        let operator = if negated { "NOT LIKE" } else { "LIKE" };
        let is_stored = |part: &str| self.is_stored(id, part);
        if let Some((part, written)) = written_otherwise(self.kind, column, pattern, is_stored) {
            return warnings.add(|| {
                let (pattern, part, written) = (shown(pattern), shown(&part), shown(&written));
                format!("{path} {operator} '{pattern}' compares stored text, where '{part}' is written '{written}'")
            });
        }
        if !negated && (self.finds_nothing || self.is_like_nothing(id, pattern)) {
            warnings.add(|| {
                let instead = self.instead(id, pattern.trim_matches('%'));
                let pattern = shown(pattern);
                format!("{path} {operator} '{pattern}' matches no stored value{instead}")
            });
        }
    }

    /// Columns share a dictionary.
    fn is_stored(&self, id: ColumnId, word: &str) -> bool {
        let view = self.columns.column(id);
        let Dictionary::Text(texts) = view.dictionary else {
            // Closed columns hold text.
            return false;
        };
        texts
            .find(word.as_bytes())
            .is_ok_and(|code| view.may_have(code))
    }

    /// Whether it is known without much work that no stored text is like a pattern.
    fn is_like_nothing(&self, id: ColumnId, pattern: &str) -> bool {
        let view = self.columns.column(id);
        let Dictionary::Text(texts) = view.dictionary else {
            return false;
        };
        let start = pattern.split(['%', '_', '\\']).next().unwrap_or_default();
        if !start.is_empty() && !texts.begins(start.as_bytes()) {
            return true;
        }
        if texts.len > MAX_COMPARED || pattern.len() > SHOWN_BYTES {
            return false;
        }
        let is_like = |prefix: &[u8], tail: &[u8]| {
            let text = [prefix, tail].concat();
            std::str::from_utf8(&text).is_ok_and(|text| like(text, pattern))
        };
        !texts.blocks().any(|block| {
            let mut texts = block.texts();
            texts.any(|(code, tail)| is_like(block.prefix, tail) && view.may_have(code))
        })
    }

    /// What to ask instead of a word that a column does not have: the nearest word, or else the words that it has, told once. Nothing of
    /// columns without a closed list.
    fn instead(&mut self, id: ColumnId, text: &str) -> String {
        let Some(words) = closed_values(self.catalog.column(id)) else {
            return String::new();
        };
        if !self.stored.contains_key(&id) {
            let words = words.iter().copied();
            let stored = words.filter(|word| self.is_stored(id, word)).collect();
            self.stored.insert(id, stored);
        }
        let stored: &[&str] = self.stored.get(&id).map_or(&[], Vec::as_slice);
        if let Some(near) = nearest(text, stored.iter().copied(), 1).first() {
            return format!("; nearest: {near}");
        }
        let (list, left_out) = listed(stored);
        if list.is_empty() || !self.listed.insert(id) {
            return String::new();
        }
        match left_out {
            0 => format!("; stored values: {list}"),
            more => format!("; stored values: {list} and {more} more"),
        }
    }
}

/// As many words as have room, and how many are left out.
fn listed(words: &[&str]) -> (String, usize) {
    let mut list = String::new();
    for (place, word) in words.iter().enumerate() {
        let between = if place == 0 { "" } else { ", " };
        if list.len() + between.len() + word.len() > LISTED_BYTES {
            return (list, words.len() - place);
        }
        list.push_str(between);
        list.push_str(word);
    }
    (list, 0)
}

/// A part of a pattern that `=` of the column reads as another text, and that text, where the pattern misses it. The parts are what
/// stands between `%`.
fn written_otherwise(
    kind: RecordKind,
    column: &Column,
    pattern: &str,
    is_stored: impl Fn(&str) -> bool,
) -> Option<(String, String)> {
    // What a backslash stands before is no word of a list, nor an abbreviation.
    if pattern.contains('\\') {
        return None;
    }
    let parts: Vec<&str> = pattern.split('%').collect();
    let last = parts.len() - 1;
    let parts = parts.into_iter().enumerate();
    let parts = parts.map(|(place, part)| (place > 0, part.trim(), place < last));
    let parts = parts.filter(|(_, part, _)| !part.is_empty() && part.len() <= SHOWN_BYTES);
    let mut parts = parts.take(MAX_PARTS);
    parts.find_map(|(is_behind, part, is_before)| {
        let any = |is_any| if is_any { "%" } else { "" };
        let alone = format!("{}{part}{}", any(is_behind), any(is_before));
        let mut forms = stored_forms(kind, column, part).into_iter();
        let missed = forms.find(|form| form != part && !like(form, &alone))?;
        // Some columns hold the given form beside the other one.
        (!is_stored(part)).then(|| (part.to_owned(), missed))
    })
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
