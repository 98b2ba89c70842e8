//! The oracle: what a filter means, said as plainly as possible, on one document.
//!
//! Slow and without any cleverness, so that what executes filters fast can be compared with it.

use std::cmp::Ordering;

use events_schema::record::RecordKind;
use serde_json::{Map, Value as Json};

use crate::column::{Catalog, Column, ColumnId, ListForm, ListId, Place, ValueType};
use crate::filter::{Condition, Filter, Target, Test, Value};
use crate::fold;

/// Whether a record is found: whether the filter is true of it. The document is as a data build stores it: what is
/// absent is left out.
#[must_use]
pub fn interpret(filter: &Filter, kind: RecordKind, document: &Map<String, Json>) -> bool {
    truth(filter, kind, document) == Some(true)
}

/// What a filter says of a record: true, false, or nothing, where it compares an unknown value.
#[must_use]
pub fn truth(filter: &Filter, kind: RecordKind, document: &Map<String, Json>) -> Option<bool> {
    let record = Scope {
        catalog: Catalog::of(kind),
        document,
        element: None,
    };
    record.truth(filter)
}

/// The value by which `ORDER BY` sorts a record; none where it is unknown.
#[must_use]
pub fn order_value(
    kind: RecordKind,
    document: &Map<String, Json>,
    column: ColumnId,
) -> Option<Value> {
    let record = Scope {
        catalog: Catalog::of(kind),
        document,
        element: None,
    };
    record.value(&Target { column, key: None })
}

/// All values of a column in a document: of every element of its list, of every entry of its map.
#[cfg(any(test, feature = "arbitrary"))]
pub(crate) fn values_of(
    kind: RecordKind,
    document: &Map<String, Json>,
    column: ColumnId,
) -> Vec<Value> {
    let catalog = Catalog::of(kind);
    let target = Target { column, key: None };
    let record = Scope {
        catalog,
        document,
        element: None,
    };
    let Some(list) = catalog.column(column).place.list() else {
        return record.value(&target).into_iter().collect();
    };
    let elements = record.elements(list);
    let values = elements.iter().filter_map(|element| {
        let scope = Scope {
            catalog,
            document,
            element: Some(element),
        };
        scope.value(&target)
    });
    values.collect()
}

/// The keys of a map in a document, folded.
#[cfg(any(test, feature = "arbitrary"))]
pub(crate) fn keys_of(kind: RecordKind, document: &Map<String, Json>, list: ListId) -> Vec<String> {
    let map = document.get(&Catalog::of(kind).list(list).path);
    let entries = map.and_then(Json::as_object).into_iter().flatten();
    entries.map(|(key, _)| fold(key)).collect()
}

/// What conditions look at: a record, or an element of one of its lists.
struct Scope<'a> {
    catalog: &'static Catalog,
    document: &'a Map<String, Json>,
    element: Option<&'a Json>,
}

impl Scope<'_> {
    fn truth(&self, filter: &Filter) -> Option<bool> {
        match filter {
            Filter::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.truth(part)).collect();
                if parts.contains(&Some(false)) {
                    Some(false)
                } else if parts.contains(&None) {
                    None
                } else {
                    Some(true)
                }
            }
            Filter::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.truth(part)).collect();
                if parts.contains(&Some(true)) {
                    Some(true)
                } else if parts.contains(&None) {
                    None
                } else {
                    Some(false)
                }
            }
            Filter::Test(condition) => self.test(condition),
            Filter::Element {
                list,
                filter,
                negated,
            } => {
                let found = self.elements(*list).iter().any(|element| {
                    let scope = Scope {
                        catalog: self.catalog,
                        document: self.document,
                        element: Some(element),
                    };
                    scope.truth(filter) == Some(true)
                });
                Some(found != *negated)
            }
            Filter::Empty { list, negated } => Some(self.elements(*list).is_empty() != *negated),
        }
    }

    fn test(&self, condition: &Condition) -> Option<bool> {
        let value = self.value(&condition.target);
        if let Test::Null { negated } = condition.test {
            return Some(value.is_none() != negated);
        }
        let value = value?;
        let is_date = self.column(&condition.target).value == ValueType::Date;
        Some(match &condition.test {
            Test::In { values, negated } => {
                values.iter().any(|wanted| equals(&value, wanted, is_date)) != *negated
            }
            Test::Range { low, high } => {
                let above = low.as_ref().is_none_or(|(low, inclusive)| {
                    let order = compare(&value, low, is_date);
                    order == Ordering::Greater || (*inclusive && order == Ordering::Equal)
                });
                let below = high.as_ref().is_none_or(|(high, inclusive)| {
                    let order = compare(&value, high, is_date);
                    order == Ordering::Less || (*inclusive && order == Ordering::Equal)
                });
                above && below
            }
            Test::Like { pattern, negated } => match &value {
                Value::Text(text) => like(text, pattern) != *negated,
                _ => *negated,
            },
            Test::Null { negated } => *negated,
        })
    }

    fn column(&self, target: &Target) -> &'static Column {
        self.catalog.column(target.column)
    }

    /// The elements of a list.
    fn elements(&self, list: ListId) -> Vec<Json> {
        let list = self.catalog.list(list);
        match (list.form, self.document.get(&list.path)) {
            (ListForm::Elements, Some(Json::Array(elements))) => elements.clone(),
            (ListForm::Entries, Some(Json::Object(entries))) => entries
                .iter()
                .map(|(key, figures)| serde_json::json!({ "key": key, "figures": figures }))
                .collect(),
            (ListForm::NameForms, Some(Json::Object(name))) => name_forms(name),
            _ => Vec::new(),
        }
    }

    /// The value of a target.
    fn value(&self, target: &Target) -> Option<Value> {
        let column = self.column(target);
        let json = match column.place {
            Place::Record => match column.path.split_once('.') {
                None => self.document.get(&column.path).cloned(),
                Some((first, rest)) => below(self.document.get(first)?, rest).cloned(),
            },
            Place::Element(list) => {
                let element = self.element?;
                let list = self.catalog.list(list);
                match column.path.strip_prefix(&format!("{}.", list.path)) {
                    Some(rest) => below(element, rest).cloned(),
                    // A form of a name is a value itself.
                    None => Some(element.clone()),
                }
            }
            Place::MapKey(_) => self.element?.get("key").cloned(),
            Place::MapValue(list) => {
                let map = &self.catalog.list(list).path;
                let period = column.path.strip_prefix(&format!("{map}."));
                let figures = match self.element {
                    Some(element) => element.get("figures").cloned(),
                    None => entry(self.document.get(map)?, target.key.as_deref()?),
                }?;
                match period {
                    Some(period) => figures.get(period).cloned(),
                    None => Some(figures),
                }
            }
        }?;
        typed(&json, column.value)
    }
}

/// All forms of a company's name, each once.
fn name_forms(name: &Map<String, Json>) -> Vec<Json> {
    let single = ["cleaned", "display"]
        .into_iter()
        .filter_map(|form| name.get(form)?.as_str());
    let raw = name
        .get("raw")
        .and_then(Json::as_array)
        .into_iter()
        .flatten();
    let mut forms: Vec<String> = single
        .chain(raw.filter_map(Json::as_str))
        .map(fold)
        .collect();
    forms.sort();
    forms.dedup();
    forms.into_iter().map(Json::String).collect()
}

/// The entry of a map whose key is this one in lower case.
fn entry(map: &Json, key: &str) -> Option<Json> {
    let entries = map.as_object()?;
    entries
        .iter()
        .find(|(name, _)| fold(name) == key)
        .map(|(_, figures)| figures.clone())
}

/// What stands at a dot path.
fn below<'a>(json: &'a Json, path: &str) -> Option<&'a Json> {
    path.split('.').try_fold(json, |json, part| json.get(part))
}

fn typed(json: &Json, value: ValueType) -> Option<Value> {
    match value {
        ValueType::Text | ValueType::Id | ValueType::Date => {
            json.as_str().map(|text| Value::Text(fold(text)))
        }
        ValueType::Integer => json.as_i64().map(Value::Integer),
        ValueType::Number => json.as_f64().map(|number| Value::Number(number + 0.0)),
        ValueType::Boolean => json.as_bool().map(Value::Boolean),
    }
}

/// A date is in the year, month or day that the literal names.
fn equals(stored: &Value, wanted: &Value, is_date: bool) -> bool {
    match (stored, wanted) {
        (Value::Text(stored), Value::Text(wanted)) if is_date => stored.starts_with(wanted),
        _ => stored == wanted,
    }
}

/// Of a date as many characters as the literal has.
fn compare(stored: &Value, bound: &Value, is_date: bool) -> Ordering {
    match (stored, bound) {
        (Value::Text(stored), Value::Text(bound)) if is_date => {
            let part: String = stored.chars().take(bound.chars().count()).collect();
            part.as_str().cmp(bound)
        }
        _ => stored.cmp(bound),
    }
}

/// `%` any text, `_` one character, a backslash takes the meaning of the next character away. Takes as long as the product of
/// both lengths.
#[must_use]
pub fn like(text: &str, pattern: &str) -> bool {
    enum Part {
        Any,
        One,
        Just(char),
    }
    let mut parts = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        parts.push(match c {
            '%' => Part::Any,
            '_' => Part::One,
            '\\' => Part::Just(chars.next().unwrap_or('\\')),
            other => Part::Just(other),
        });
    }
    let text: Vec<char> = text.chars().collect();
    // `ends[i]`: whether the parts so far can match the first i characters.
    let mut ends = vec![false; text.len() + 1];
    if let Some(start) = ends.first_mut() {
        *start = true;
    }
    for part in parts {
        let mut next = vec![false; ends.len()];
        let mut before = false;
        let mut some_before = false;
        for (at, is_end) in ends.iter().enumerate() {
            some_before |= is_end;
            if let Some(here) = next.get_mut(at) {
                *here = match part {
                    Part::Any => some_before,
                    Part::One => before,
                    Part::Just(c) => {
                        before && at.checked_sub(1).and_then(|last| text.get(last)) == Some(&c)
                    }
                };
            }
            before = *is_end;
        }
        ends = next;
    }
    ends.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn patterns_match_whole_texts() {
        assert!(like("vp of sales", "vp%"));
        assert!(like("vp of sales", "%of%"));
        assert!(like("vp", "__"));
        assert!(like("ü", "_"));
        assert!(like("", "%"));
        assert!(like("100%", "100\\%"));
        assert!(!like("100x", "100\\%"));
        assert!(!like("vp of sales", "vp"));
        assert!(!like("", "_"));
    }
}
