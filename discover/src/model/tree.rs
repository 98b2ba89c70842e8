//! The typed tree: what a language model answers with, and the form in which it is told what was read already.

use serde::{Deserialize, Serialize};

use crate::amount::Bounds;
use crate::cond::{Cond, Within};

/// Deepest nesting; what the rules make of a sentence has four levels.
pub(crate) const MAX_DEPTH: usize = 8;
/// Most parts of a tree, groups and conditions; a thousand characters have no room for more.
pub(crate) const MAX_PARTS: usize = 64;
/// Most values of one condition; the largest region has fewer countries.
pub(crate) const MAX_VALUES: usize = 64;
/// Longest text of a tree in characters: phrases are parts of the description, values are names.
pub(crate) const MAX_TEXT: usize = 200;

/// The whole answer: an object, because a schema's root has to be one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Which records are sought.
    pub tree: Tree,
}

/// A condition on a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Tree {
    /// Each part holds.
    All(Vec<Self>),
    /// At least one part holds.
    Any(Vec<Self>),
    /// The part does not hold; also true where the value is unknown (docs/DISCOVER.md, R3).
    Not(Box<Self>),
    /// One column.
    Condition(Condition),
}

/// A condition on one column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The path of a column of search.
    pub column: String,
    /// The comparison.
    pub operator: Operator,
    /// As many as the operator takes, of the type of the column.
    pub values: Vec<Value>,
    /// The words of the description that ask for it, as they are written.
    pub phrase: String,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// One value.
    Equals,
    /// One of the values.
    OneOf,
    /// The text is part of the value.
    Contains,
    /// The value begins with the text.
    StartsWith,
    /// The value ends with the text.
    EndsWith,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    MoreThan,
    /// `<`
    LessThan,
    /// From the first value to the second, both included.
    Between,
    /// The value is known; takes no value.
    IsKnown,
    /// The value is not known; takes no value.
    IsUnknown,
}

impl Operator {
    /// All of them.
    pub(crate) const ALL: [Self; 12] = [
        Self::Equals,
        Self::OneOf,
        Self::Contains,
        Self::StartsWith,
        Self::EndsWith,
        Self::AtLeast,
        Self::AtMost,
        Self::MoreThan,
        Self::LessThan,
        Self::Between,
        Self::IsKnown,
        Self::IsUnknown,
    ];
}

/// A value of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A text, or a date.
    Text(String),
    /// A number.
    Number(f64),
    /// True or false.
    Truth(bool),
}

impl Tree {
    /// Whether it is within the limits, and every group of it has a part.
    pub(crate) fn is_bounded(&self) -> bool {
        let mut parts = 0;
        self.is_bounded_from(1, &mut parts)
    }

    fn is_bounded_from(&self, depth: usize, parts: &mut usize) -> bool {
        *parts += 1;
        if depth > MAX_DEPTH || *parts > MAX_PARTS {
            return false;
        }
        match self {
            Self::All(below) | Self::Any(below) => {
                !below.is_empty()
                    && below
                        .iter()
                        .all(|part| part.is_bounded_from(depth + 1, parts))
            }
            Self::Not(below) => below.is_bounded_from(depth + 1, parts),
            Self::Condition(condition) => condition.is_bounded(),
        }
    }

    /// The tree of a condition that the rules made; `phrase` says which words asked for a part of it.
    pub(crate) fn of(cond: &Cond, phrase: &impl Fn(&Cond) -> String) -> Self {
        let condition = |column: &str, (operator, values): Comparison| {
            Self::Condition(Condition {
                column: column.to_owned(),
                operator,
                values,
                phrase: phrase(cond),
            })
        };
        let trees = |parts: &[Cond]| parts.iter().map(|part| Self::of(part, phrase)).collect();
        match cond {
            Cond::In(column, values) => condition(column, one_of(values)),
            Cond::Contains(column, part, within) => condition(column, has_part(part, *within)),
            Cond::Number(column, bounds) => {
                let comparisons = within_bounds(*bounds).into_iter();
                Self::all(comparisons.map(|one| condition(column, one)).collect())
            }
            Cond::Dates(column, first, last) => {
                condition(column, between_dates(first.as_deref(), last.as_deref()))
            }
            Cond::Known(column) => condition(column, (Operator::IsKnown, Vec::new())),
            Cond::Unknown(column) => condition(column, (Operator::IsUnknown, Vec::new())),
            Cond::True(column) => condition(column, (Operator::Equals, vec![Value::Truth(true)])),
            Cond::All(parts) => Self::all(trees(parts)),
            Cond::Any(parts) => Self::Any(trees(parts)),
            Cond::Not(part) => Self::Not(Box::new(Self::of(part, phrase))),
        }
    }

    fn all(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => Self::All(parts),
        }
    }

    /// The parts that must all hold, those of ANDs in it included.
    pub(crate) fn into_parts(self) -> Vec<Self> {
        match self {
            Self::All(parts) => parts.into_iter().flat_map(Self::into_parts).collect(),
            part => vec![part],
        }
    }

    /// Its conditions, each with whether it stands under an odd number of NOTs.
    pub(crate) fn conditions(&self) -> Vec<(&Condition, bool)> {
        let mut found = Vec::new();
        self.add_conditions(false, &mut found);
        found
    }

    fn add_conditions<'a>(&'a self, negated: bool, found: &mut Vec<(&'a Condition, bool)>) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.add_conditions(negated, found);
                }
            }
            Self::Not(part) => part.add_conditions(!negated, found),
            Self::Condition(condition) => found.push((condition, negated)),
        }
    }
}

/// What is asked of a column, without its name.
type Comparison = (Operator, Vec<Value>);

fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

/// `IN ('sales')` is `=`.
fn one_of(values: &[String]) -> Comparison {
    let operator = match values {
        [_] => Operator::Equals,
        _ => Operator::OneOf,
    };
    (operator, values.iter().map(text).collect())
}

/// `LIKE '%nurse%'`, `LIKE 'nurse%'`, `LIKE '%nurse'`
fn has_part(part: &str, within: Within) -> Comparison {
    let operator = match within {
        Within::Anywhere => Operator::Contains,
        Within::Beginning => Operator::StartsWith,
        Within::End => Operator::EndsWith,
    };
    (operator, vec![text(part)])
}

/// One comparison for one number and for both ends of a range that belong to it; else one for each end.
fn within_bounds(bounds: Bounds) -> Vec<Comparison> {
    let number = |number| vec![Value::Number(number)];
    match (bounds.low, bounds.high) {
        (Some((low, true)), Some((high, true))) if low.to_bits() == high.to_bits() => {
            vec![(Operator::Equals, number(low))]
        }
        (Some((low, true)), Some((high, true))) => {
            let ends = vec![Value::Number(low), Value::Number(high)];
            vec![(Operator::Between, ends)]
        }
        (low, high) => {
            let low = low.map(|(low, is_inside)| match is_inside {
                true => (Operator::AtLeast, number(low)),
                false => (Operator::MoreThan, number(low)),
            });
            let high = high.map(|(high, is_inside)| match is_inside {
                true => (Operator::AtMost, number(high)),
                false => (Operator::LessThan, number(high)),
            });
            low.into_iter().chain(high).collect()
        }
    }
}

/// Both ends of a closed time belong to it; an open one ends before its last day.
fn between_dates(first: Option<&str>, last: Option<&str>) -> Comparison {
    match (first, last) {
        (Some(first), Some(last)) => (Operator::Between, vec![text(first), text(last)]),
        (Some(first), None) => (Operator::AtLeast, vec![text(first)]),
        (None, Some(last)) => (Operator::LessThan, vec![text(last)]),
        (None, None) => (Operator::IsKnown, Vec::new()),
    }
}

impl Condition {
    fn is_bounded(&self) -> bool {
        let is_short = |text: &str| text.chars().take(MAX_TEXT + 1).count() <= MAX_TEXT;
        is_short(&self.column)
            && is_short(&self.phrase)
            && self.values.len() <= MAX_VALUES
            && self.values.iter().all(|value| match value {
                Value::Text(text) => is_short(text) && !text.chars().any(char::is_control),
                Value::Number(number) => number.is_finite(),
                Value::Truth(_) => true,
            })
    }
}
