//! From a condition of the tree to one of the crate's own, by the type of its column. What it becomes is written and quoted
//! by `cond`, like everything that the rules read.

use dialect::fold;

use super::NotAccepted;
use super::tree::{Condition, Operator, Tree, Value};
use crate::amount::Bounds;
use crate::cond::{Cond, Within};
use crate::fields::{self, Holds};
use events_schema::record::RecordKind;

/// The condition that a tree means.
///
/// # Errors
/// When a column is none of those that words become conditions on, or an operator or value is none of its type.
pub(super) fn cond(kind: RecordKind, tree: &Tree) -> Result<Cond, NotAccepted> {
    let below = |parts: &[Tree]| -> Result<Vec<Cond>, NotAccepted> {
        parts.iter().map(|part| cond(kind, part)).collect()
    };
    Ok(match tree {
        Tree::All(parts) => Cond::all(below(parts)?),
        Tree::Any(parts) => Cond::any(below(parts)?),
        Tree::Not(part) => cond(kind, part)?.not(),
        Tree::Condition(condition) => of_column(kind, condition)?,
    })
}

fn of_column(kind: RecordKind, condition: &Condition) -> Result<Cond, NotAccepted> {
    let (column, holds) =
        fields::column(kind, &condition.column).ok_or(NotAccepted::UnknownColumn)?;
    match condition.operator {
        Operator::IsKnown if condition.values.is_empty() => return Ok(Cond::Known(column)),
        Operator::IsUnknown if condition.values.is_empty() => return Ok(Cond::Unknown(column)),
        _ => {}
    }
    let typed = match holds {
        Holds::Closed | Holds::Country | Holds::Place | Holds::Name | Holds::Title => {
            text(column, condition)
        }
        Holds::Number | Holds::Share => number(column, condition),
        Holds::Date => date(column, condition),
        Holds::Flag => {
            let is_true =
                condition.operator == Operator::Equals && condition.values == [Value::Truth(true)];
            is_true.then_some(Cond::True(column))
        }
        // Whose address or page it is, is not asked by words.
        Holds::Contact => None,
    };
    typed.ok_or(NotAccepted::WrongType)
}

/// The values as folded texts; none if one is of another type.
pub(super) fn texts(condition: &Condition) -> Option<Vec<String>> {
    let each = condition.values.iter().map(|value| match value {
        Value::Text(text) if !text.trim().is_empty() => Some(fold(text)),
        _ => None,
    });
    each.collect()
}

/// The values as numbers; none if one is of another type.
pub(super) fn numbers(condition: &Condition) -> Option<Vec<f64>> {
    let each = condition.values.iter().map(|value| match value {
        Value::Number(number) => Some(*number),
        _ => None,
    });
    each.collect()
}

fn text(column: &'static str, condition: &Condition) -> Option<Cond> {
    let mut values = texts(condition)?;
    match (condition.operator, values.len()) {
        (Operator::Equals, 1) | (Operator::OneOf, 1..) => Some(Cond::In(column, values)),
        (Operator::Contains, 1) => Some(Cond::Contains(column, values.pop()?, Within::Anywhere)),
        (Operator::StartsWith, 1) => Some(Cond::Contains(column, values.pop()?, Within::Beginning)),
        (Operator::EndsWith, 1) => Some(Cond::Contains(column, values.pop()?, Within::End)),
        _ => None,
    }
}

fn number(column: &'static str, condition: &Condition) -> Option<Cond> {
    let values = numbers(condition)?;
    let (low, high) = match (condition.operator, values.as_slice()) {
        (Operator::Equals, [value]) => (Some((*value, true)), Some((*value, true))),
        (Operator::Between, [low, high]) if low <= high => {
            (Some((*low, true)), Some((*high, true)))
        }
        (Operator::AtLeast, [low]) => (Some((*low, true)), None),
        (Operator::MoreThan, [low]) => (Some((*low, false)), None),
        (Operator::AtMost, [high]) => (None, Some((*high, true))),
        (Operator::LessThan, [high]) => (None, Some((*high, false))),
        _ => return None,
    };
    Some(Cond::Number(column, Bounds { low, high }))
}

fn date(column: &'static str, condition: &Condition) -> Option<Cond> {
    let mut values = texts(condition)?.into_iter();
    let (first, last) = match condition.operator {
        Operator::Between => (values.next(), values.next()),
        Operator::AtLeast => (values.next(), None),
        Operator::LessThan => (None, values.next()),
        _ => return None,
    };
    let is_whole = values.next().is_none()
        && (first.is_some() || last.is_some())
        && (condition.operator != Operator::Between || last.is_some());
    is_whole.then_some(Cond::Dates(column, first, last))
}
