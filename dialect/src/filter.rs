//! What a query asks, in one canonical form.
//!
//! Truth is SQL's: a comparison with an unknown value is unknown, and a row is found only where the whole is true. In
//! normal form there is no NOT but in front of a list condition, so that "true" of the parts decides "true" of the whole.

use events_schema::record::RecordKind;

use crate::column::{ColumnId, ListId};
use crate::values::Values;

/// A whole query.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Query {
    /// Which records.
    pub kind: RecordKind,
    /// Which of them; none = all.
    pub filter: Option<Filter>,
    /// In which order; rank is the last key of every order, and the only one of an empty list.
    pub order: Vec<OrderKey>,
}

/// A condition on a record, or, inside [`Filter::Element`], on an element of that list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Filter {
    /// All hold. At least two, sorted, without repeats, none an `And`.
    And(Vec<Self>),
    /// At least one holds. At least two, sorted, without repeats, none an `Or`.
    Or(Vec<Self>),
    /// A comparison.
    Test(Condition),
    /// Some element of the list makes `filter` true; with `negated`, none does. Never unknown.
    Element {
        /// The list.
        list: ListId,
        /// Of [`Filter::And`], [`Filter::Or`] and [`Filter::Test`] on columns of this list only.
        filter: Box<Self>,
        /// None instead of some.
        negated: bool,
    },
    /// The list has no element; with `negated`, it has one. Never unknown.
    Empty {
        /// The list.
        list: ListId,
        /// Not empty instead of empty.
        negated: bool,
    },
}

/// One comparison: unknown where the value is, except for [`Test::Null`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// What is compared.
    pub target: Target,
    /// With what.
    pub test: Test,
}

/// What a condition looks at.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// The column.
    pub column: ColumnId,
    /// For a column of a map: which entry (folded). Unknown where the map has no such entry.
    pub key: Option<String>,
}

/// The comparison. Values have the type of the column.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Test {
    /// `=`, `IN`; `<>`, `NOT IN` with `negated`. At least one value, sorted, without repeats. On a date column a value
    /// means the whole period that it names: the stored text begins with it.
    In {
        /// The values.
        values: Values,
        /// None of them instead of one of them.
        negated: bool,
    },
    /// `<`, `<=`, `>`, `>=`, `BETWEEN`; at least one bound. On a date column the first characters of the stored text, as
    /// many as the bound has, are compared with the bound.
    Range {
        /// Lower bound and whether it belongs to the range.
        low: Option<(Value, bool)>,
        /// Upper bound and whether it belongs to the range.
        high: Option<(Value, bool)>,
    },
    /// `LIKE`: `%` any text, `_` one character, a backslash takes the meaning of the next character away. Folded.
    Like {
        /// The pattern.
        pattern: String,
        /// `NOT LIKE`.
        negated: bool,
    },
    /// `IS NULL`; `IS NOT NULL` with `negated`.
    Null {
        /// Known instead of unknown.
        negated: bool,
    },
}

/// A literal of the type of its column.
#[derive(Debug, Clone)]
pub enum Value {
    /// Folded text; of a date column a year, month or day; of an id column a UUID in its usual form.
    Text(String),
    /// Whole number.
    Integer(i64),
    /// Number; never NaN.
    Number(f64),
    /// true or false.
    Boolean(bool),
}

/// One key of `ORDER BY`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OrderKey {
    /// A column of the record itself, not of a list or map.
    pub column: ColumnId,
    /// From the largest to the smallest.
    pub descending: bool,
    /// Unknown values first; last unless the query says so, in both directions.
    pub nulls_first: bool,
}

impl Value {
    fn class(&self) -> u8 {
        match self {
            Self::Text(_) => 0,
            Self::Integer(_) => 1,
            Self::Number(_) => 2,
            Self::Boolean(_) => 3,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Boolean(a), Self::Boolean(b)) => a.cmp(b),
            _ => self.class().cmp(&other.class()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.class().hash(state);
        match self {
            Self::Text(text) => text.hash(state),
            Self::Integer(number) => number.hash(state),
            Self::Number(number) => number.to_bits().hash(state),
            Self::Boolean(boolean) => boolean.hash(state),
        }
    }
}
