//! Conditions on the way from words to a query, and their text in the language of search.
//!
//! The text is read by [`dialect`] like any customer's query, so that what discover asks is what search accepts, in one
//! normal form.

use crate::amount::Bounds;

/// Where in a value a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    Anywhere,
    Beginning,
    End,
}

/// A condition on named columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cond {
    In(&'static str, Vec<String>),
    /// A text inside the value.
    Contains(&'static str, String, Within),
    Number(&'static str, Bounds),
    /// First and last text of a range of dates.
    Dates(&'static str, Option<String>, Option<String>),
    Known(&'static str),
    Unknown(&'static str),
    True(&'static str),
    All(Vec<Self>),
    Any(Vec<Self>),
    /// Also true where the value is not known (docs/DISCOVER.md, R3).
    Not(Box<Self>),
}

impl Cond {
    pub(crate) fn all(parts: Vec<Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::All(parts) => flat.extend(parts),
                part => flat.push(part),
            }
        }
        if flat.len() == 1 {
            flat.swap_remove(0)
        } else {
            Self::All(flat)
        }
    }

    /// Alternatives; values of one column are put together.
    pub(crate) fn any(parts: Vec<Self>) -> Self {
        let mut merged: Vec<Self> = Vec::new();
        let mut open: Vec<Self> = parts.into_iter().rev().collect();
        while let Some(part) = open.pop() {
            match part {
                Self::Any(parts) => open.extend(parts.into_iter().rev()),
                Self::In(column, values) => {
                    let known = merged.iter_mut().find_map(|before| match before {
                        Self::In(found, known) if *found == column => Some(known),
                        _ => None,
                    });
                    match known {
                        Some(known) => {
                            for value in values {
                                if !known.contains(&value) {
                                    known.push(value);
                                }
                            }
                        }
                        None => merged.push(Self::In(column, values)),
                    }
                }
                part if merged.contains(&part) => {}
                part => merged.push(part),
            }
        }
        if merged.len() == 1 {
            merged.swap_remove(0)
        } else {
            Self::Any(merged)
        }
    }

    pub(crate) fn not(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            Self::Known(column) => Self::Unknown(column),
            Self::Unknown(column) => Self::Known(column),
            other => Self::Not(Box::new(other)),
        }
    }

    /// In the language of search.
    pub(crate) fn sql(&self) -> String {
        match self {
            Self::In(column, values) => compared(column, values, false),
            Self::Contains(column, text, within) => {
                format!("{column} LIKE {}", pattern(text, *within))
            }
            Self::Number(column, bounds) => number(column, *bounds),
            Self::Dates(column, first, last) => dates(column, first.as_deref(), last.as_deref()),
            Self::Known(column) => format!("{column} IS NOT NULL"),
            Self::Unknown(column) => format!("{column} IS NULL"),
            Self::True(column) => format!("{column} = true"),
            Self::All(parts) => joined(parts, " AND ", Self::sql),
            Self::Any(parts) => joined(parts, " OR ", Self::sql),
            Self::Not(part) => part.negated_sql(),
        }
    }

    /// What is true where this is false or unknown.
    fn negated_sql(&self) -> String {
        if let Some(columns) = self.list_columns() {
            // No place of the company is known to be there.
            let known: Vec<String> = columns
                .iter()
                .map(|column| format!("{column} IS NOT NULL"))
                .collect();
            return format!("NOT ({} AND {})", self.sql(), known.join(" AND "));
        }
        let or_unknown = |column: &str, test: String| format!("({column} IS NULL OR {test})");
        match self {
            Self::In(column, values) => or_unknown(column, compared(column, values, true)),
            Self::Contains(column, text, within) => or_unknown(
                column,
                format!("{column} NOT LIKE {}", pattern(text, *within)),
            ),
            Self::Number(column, bounds) => {
                or_unknown(column, format!("NOT ({})", number(column, *bounds)))
            }
            Self::Dates(column, first, last) => or_unknown(
                column,
                format!("NOT ({})", dates(column, first.as_deref(), last.as_deref())),
            ),
            Self::Known(column) => format!("{column} IS NULL"),
            Self::Unknown(column) => format!("{column} IS NOT NULL"),
            Self::True(column) => or_unknown(column, format!("{column} <> true")),
            Self::All(parts) => joined(parts, " OR ", Self::negated_sql),
            Self::Any(parts) => joined(parts, " AND ", Self::negated_sql),
            Self::Not(part) => part.sql(),
        }
    }

    /// The columns that it is on.
    pub(crate) fn columns(&self) -> Vec<&'static str> {
        match self {
            Self::In(column, _)
            | Self::Contains(column, ..)
            | Self::Number(column, _)
            | Self::Dates(column, ..)
            | Self::Known(column)
            | Self::Unknown(column)
            | Self::True(column) => vec![column],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::columns).collect(),
            Self::Not(part) => part.columns(),
        }
    }

    /// Whether a part of it is on a column.
    pub(crate) fn is_about(&self, column: &str) -> bool {
        self.columns().contains(&column)
    }

    /// The columns of a condition on one place of a company.
    fn list_columns(&self) -> Option<Vec<&'static str>> {
        match self {
            Self::In(column, _) => column.starts_with("locations.").then(|| vec![*column]),
            Self::All(parts) => {
                let columns: Option<Vec<Vec<&'static str>>> =
                    parts.iter().map(Self::list_columns).collect();
                columns.map(|columns| columns.concat())
            }
            _ => None,
        }
    }
}

fn joined(parts: &[Cond], word: &str, of: impl Fn(&Cond) -> String) -> String {
    let parts: Vec<String> = parts.iter().map(of).collect();
    format!("({})", parts.join(word))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn pattern(text: &str, within: Within) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    literal(&match within {
        Within::Anywhere => format!("%{escaped}%"),
        Within::Beginning => format!("{escaped}%"),
        Within::End => format!("%{escaped}"),
    })
}

fn compared(column: &str, values: &[String], negated: bool) -> String {
    match (values, negated) {
        ([only], false) => format!("{column} = {}", literal(only)),
        ([only], true) => format!("{column} <> {}", literal(only)),
        (many, _) => {
            let values: Vec<String> = many.iter().map(|value| literal(value)).collect();
            let word = if negated { "NOT IN" } else { "IN" };
            format!("{column} {word} ({})", values.join(", "))
        }
    }
}

fn number(column: &str, bounds: Bounds) -> String {
    let text = |number: f64| {
        // Percentages that were divided have digits behind those that were said.
        let rounded = (number * 1e6).round() / 1e6;
        rounded.to_string()
    };
    match (bounds.low, bounds.high) {
        (Some((low, true)), Some((high, true))) if low.to_bits() == high.to_bits() => {
            format!("{column} = {}", text(low))
        }
        (Some((low, true)), Some((high, true))) => {
            format!("{column} BETWEEN {} AND {}", text(low), text(high))
        }
        (low, high) => {
            let low = low.map(|(low, inside)| {
                format!("{column} {} {}", if inside { ">=" } else { ">" }, text(low))
            });
            let high = high.map(|(high, inside)| {
                format!(
                    "{column} {} {}",
                    if inside { "<=" } else { "<" },
                    text(high)
                )
            });
            let both: Vec<String> = low.into_iter().chain(high).collect();
            if both.len() == 1 {
                both.concat()
            } else {
                format!("({})", both.join(" AND "))
            }
        }
    }
}

fn dates(column: &str, first: Option<&str>, last: Option<&str>) -> String {
    match (first, last) {
        (Some(first), Some(last)) => {
            format!("{column} BETWEEN {} AND {}", literal(first), literal(last))
        }
        (Some(first), None) => format!("{column} >= {}", literal(first)),
        (None, Some(last)) => format!("{column} < {}", literal(last)),
        (None, None) => format!("{column} IS NOT NULL"),
    }
}
