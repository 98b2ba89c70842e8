//! A query as text that parses back to the same query.
//!
//! Conditions on one element are printed side by side, by their dot paths. Where two elements of one list stand in one
//! AND, also in ORs in it, all but one are guarded by `NOT (NOT (…))`, which is the same and keeps them apart; shortcuts
//! need no guard.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use crate::canon::{keeps_given, stored_forms};
use crate::column::{Catalog, ColumnId, ListId};
use crate::filter::{Condition, Filter, OrderKey, Query, Target, Test, Value};
use crate::names::shortcut_of;
use crate::precheck::MAX_ITEMS;

/// What a condition stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Nothing, or brackets.
    Alone,
    And,
    Or,
}

impl Query {
    /// The query as SQL. For a filter in normal form whose values are as [`crate::stored_forms`] gives them it parses
    /// back to the same query, unless it is beyond the limits of [`Query::parse`].
    #[must_use]
    pub fn text(&self) -> String {
        let printer = Printer {
            catalog: Catalog::of(self.kind),
            added: RefCell::default(),
        };
        let mut text = format!("SELECT * FROM {}", self.kind);
        if let Some(filter) = &self.filter {
            text.push_str(" WHERE ");
            text.push_str(&printer.filter(filter, Within::Alone));
        }
        for (at, key) in self.order.iter().enumerate() {
            text.push_str(if at == 0 { " ORDER BY " } else { ", " });
            printer.order(key, &mut text);
        }
        text
    }
}

struct Printer<'q> {
    catalog: &'static Catalog,
    /// The other form that a text is read as, by column: the branches of a condition may have the same texts.
    added: RefCell<BTreeMap<(ColumnId, &'q str), Option<String>>>,
}

impl<'q> Printer<'q> {
    fn order(&self, key: &OrderKey, text: &mut String) {
        text.push_str(&self.catalog.column(key.column).path);
        if key.descending {
            text.push_str(" DESC");
        }
        if key.nulls_first {
            text.push_str(" NULLS FIRST");
        }
    }

    fn filter(&self, filter: &'q Filter, within: Within) -> String {
        match filter {
            Filter::And(parts) => bracketed(self.and(parts), within == Within::Or),
            Filter::Or(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.filter(part, Within::Or))
                    .collect();
                bracketed(parts.join(" OR "), within != Within::Alone)
            }
            Filter::Test(condition) => self.test(condition, &self.path(&condition.target), within),
            Filter::Element {
                filter,
                negated: false,
                ..
            } => self.element(filter, within),
            Filter::Element {
                filter,
                negated: true,
                ..
            } => self
                .unknown_shortcut(filter)
                .unwrap_or_else(|| format!("NOT ({})", self.element(filter, Within::Alone))),
            Filter::Empty { list, negated } => {
                let not = if *negated { "NOT " } else { "" };
                format!("{} IS {not}NULL", self.catalog.list(*list).path)
            }
        }
    }

    /// The parts of an AND. The first part about a list is printed as it is.
    fn and(&self, parts: &'q [Filter]) -> String {
        let mut printed = Vec::with_capacity(parts.len());
        let mut seen: BTreeSet<ListId> = BTreeSet::new();
        for part in parts {
            let mut lists = BTreeSet::new();
            self.plain_lists(part, &mut lists);
            let is_guarded = !seen.is_disjoint(&lists);
            printed.push(if is_guarded {
                format!("NOT (NOT ({}))", self.filter(part, Within::Alone))
            } else {
                seen.extend(lists);
                self.filter(part, Within::And)
            });
        }
        printed.join(" AND ")
    }

    /// The lists of the elements that are printed by dot paths, outside of a NOT.
    fn plain_lists(&self, filter: &'q Filter, lists: &mut BTreeSet<ListId>) {
        match filter {
            Filter::And(parts) | Filter::Or(parts) => {
                for part in parts {
                    self.plain_lists(part, lists);
                }
            }
            Filter::Element {
                list,
                filter,
                negated: false,
            } if !self.has_shortcut(filter) => {
                lists.insert(*list);
            }
            _ => {}
        }
    }

    /// By shortcut or by dot path. Forms of a name have no dot path: what is said of one form is one comparison, or some of
    /// which one holds.
    fn element(&self, filter: &'q Filter, within: Within) -> String {
        if self.has_shortcut(filter) {
            self.by_shortcut(filter, within)
        } else {
            self.filter(filter, within)
        }
    }

    /// `title IS NULL`: no element has one.
    fn unknown_shortcut(&self, filter: &Filter) -> Option<String> {
        let Filter::Test(Condition {
            target,
            test: Test::Null { negated: true },
        }) = filter
        else {
            return None;
        };
        let shortcut = shortcut_of(self.catalog, target.column).filter(|found| !found.is_list)?;
        Some(format!("{} IS NULL", shortcut.name))
    }

    /// Whether a condition can be said by one shortcut each: a comparison, or some comparisons of which one holds.
    fn has_shortcut(&self, filter: &'q Filter) -> bool {
        match filter {
            Filter::Test(condition @ Condition { target, test }) => {
                let Some(shortcut) = shortcut_of(self.catalog, target.column) else {
                    return false;
                };
                match test {
                    Test::Null { negated } => *negated && !shortcut.is_list,
                    // Two comparisons by a shortcut would be about two elements.
                    Test::Range {
                        low: Some((_, low)),
                        high: Some((_, high)),
                    } => *low && *high,
                    Test::In {
                        negated: true,
                        values,
                    } => {
                        values.len() <= MAX_ITEMS
                            || self.catalog.find(shortcut.name) == Some(target.column)
                            || self.values(condition).len() <= MAX_ITEMS
                    }
                    _ => true,
                }
            }
            Filter::Or(parts) => parts.iter().all(|part| self.has_shortcut(part)),
            _ => false,
        }
    }

    /// A condition that [has](Self::has_shortcut) them.
    fn by_shortcut(&self, filter: &'q Filter, within: Within) -> String {
        match filter {
            Filter::Or(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.by_shortcut(part, Within::Or))
                    .collect();
                bracketed(parts.join(" OR "), within != Within::Alone)
            }
            Filter::Test(condition) => {
                let column = condition.target.column;
                match shortcut_of(self.catalog, column) {
                    Some(shortcut) => self.test(condition, shortcut.name, within),
                    None => self.filter(filter, within),
                }
            }
            other => self.filter(other, within),
        }
    }

    fn test(&self, condition: &'q Condition, path: &str, within: Within) -> String {
        match &condition.test {
            Test::In { negated, .. } => {
                let values = self.values(condition);
                let lists: Vec<String> = values
                    .chunks(MAX_ITEMS)
                    .map(|values| one_of(path, values, *negated))
                    .collect();
                let (join, own) = if *negated {
                    (" AND ", Within::And)
                } else {
                    (" OR ", Within::Or)
                };
                let needs = lists.len() > 1 && within != Within::Alone && within != own;
                bracketed(lists.join(join), needs)
            }
            Test::Range { low, high } => match (low, high) {
                (Some((low, true)), Some((high, true))) => {
                    format!("{path} BETWEEN {} AND {}", literal(low), literal(high))
                }
                (low, high) => {
                    let low = low.iter().map(|(value, inclusive)| {
                        format!("{path} >{} {}", equals(*inclusive), literal(value))
                    });
                    let high = high.iter().map(|(value, inclusive)| {
                        format!("{path} <{} {}", equals(*inclusive), literal(value))
                    });
                    let ends: Vec<String> = low.chain(high).collect();
                    bracketed(ends.join(" AND "), ends.len() > 1 && within == Within::Or)
                }
            },
            Test::Like { pattern, negated } => {
                let not = if *negated { "NOT " } else { "" };
                format!("{path} {not}LIKE {}", quoted(pattern))
            }
            Test::Null { negated } => {
                let not = if *negated { "NOT " } else { "" };
                format!("{path} IS {not}NULL")
            }
        }
    }

    /// The values of a list, without those that parsing another one of them adds again.
    fn values(&self, condition: &'q Condition) -> Vec<&'q Value> {
        let Test::In { values, .. } = &condition.test else {
            return Vec::new();
        };
        let id = condition.target.column;
        let column = self.catalog.column(id);
        let kind = self.catalog.kind();
        if values.len() == 1 || !keeps_given(kind, &column.path) {
            return values.iter().collect();
        }
        let mut known = self.added.borrow_mut();
        let texts = || {
            values.iter().filter_map(|value| match value {
                Value::Text(text) => Some(text.as_str()),
                Value::Integer(_) | Value::Number(_) | Value::Boolean(_) => None,
            })
        };
        for text in texts() {
            known.entry((id, text)).or_insert_with(|| {
                let forms = stored_forms(kind, column, text);
                forms.into_iter().find(|form| form != text)
            });
        }
        let added: BTreeSet<&str> = texts()
            .filter_map(|text| known.get(&(id, text))?.as_deref())
            .collect();
        let is_needed =
            |value: &&Value| !matches!(value, Value::Text(text) if added.contains(text.as_str()));
        values.iter().filter(is_needed).collect()
    }

    fn path(&self, target: &Target) -> String {
        let column = self.catalog.column(target.column);
        match (&target.key, column.path.split_once('.')) {
            (None, _) => column.path.clone(),
            (Some(key), None) => format!("{}.{}", column.path, part(key)),
            (Some(key), Some((map, period))) => format!("{map}.{}.{period}", part(key)),
        }
    }
}

fn one_of(path: &str, values: &[&Value], negated: bool) -> String {
    if let [value] = values {
        let sign = if negated { "<>" } else { "=" };
        return format!("{path} {sign} {}", literal(value));
    }
    let mut text = format!("{path} {}IN (", if negated { "NOT " } else { "" });
    for (at, value) in values.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{}", literal(value));
    }
    text.push(')');
    text
}

const fn equals(inclusive: bool) -> &'static str {
    if inclusive { "=" } else { "" }
}

fn bracketed(text: String, needs: bool) -> String {
    if needs { format!("({text})") } else { text }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => format!("{number:?}"),
        Value::Boolean(boolean) => boolean.to_string(),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A part of a path, in quotes where it is no plain word.
fn part(key: &str) -> String {
    let is_word = key.starts_with(|c: char| c.is_ascii_lowercase())
        && key
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && matches!(Token::make_word(key, None), Token::Word(word) if word.keyword == Keyword::NoKeyword);
    if is_word {
        key.to_owned()
    } else {
        format!("\"{}\"", key.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use events_schema::record::RecordKind;

    use super::*;
    use crate::canon::read_count;

    #[test]
    fn what_is_the_same_in_many_branches_is_read_once_and_a_digest_reads_nothing() {
        let names: Vec<String> = (0..300).map(|name| format!("'a{name}'")).collect();
        let years: Vec<String> = (1..16).map(|year| format!("founded = {year}")).collect();
        let mut condition = format!(
            "name NOT IN ({}) AND locations.city = 'a' AND (locations.city = 'b' OR {})",
            names.join(", "),
            years.join(" OR ")
        );
        for level in 0..8 {
            condition = format!("founded = {level} AND (founded = 9{level} OR ({condition}))");
        }
        let text = format!("SELECT * FROM company WHERE {condition}");
        let parsed = Query::parse(RecordKind::Company, &text);
        let query = parsed.map(|parsed| parsed.query).unwrap();
        let before = read_count();
        let _ = query.digests();
        assert_eq!(read_count(), before);
        let printed = query.text();
        let read = read_count() - before;
        assert!(printed.matches("'a0'").count() > 4, "{printed}");
        assert!(read <= names.len(), "{read}");
    }
}
