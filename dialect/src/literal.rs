//! Literals: what a value of a column's type may look like.

use sqlparser::tokenizer::Location;
use uuid::Uuid;

use crate::canon::stored_forms;
use crate::column::{Catalog, Column, ColumnId, ValueType};
use crate::filter::Value;
use crate::fold;
use crate::refusal::Fault;

/// A literal as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Literal {
    Text(String),
    /// With its sign.
    Number(String),
    Boolean(bool),
    Null,
}

/// A literal and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) literal: Literal,
    pub(crate) at: Location,
}

/// A literal that was read as something else than it says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reading {
    /// Path of the column that it is compared with.
    pub column: String,
    /// The literal as given.
    pub given: String,
    /// What is searched for.
    pub read_as: String,
    /// The literal as given is searched for, too: records hold such values in both forms.
    pub also_as_given: bool,
}

/// Which end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Low,
    High,
}

/// The values that a literal of `=` or `IN` stands for.
pub(crate) fn equal(
    catalog: &Catalog,
    id: ColumnId,
    given: &Placed,
    readings: &mut Vec<Reading>,
) -> Result<Vec<Value>, Fault> {
    let column = catalog.column(id);
    let value = match (column.value, &given.literal) {
        (_, Literal::Null) => return Err(null(column, given.at)),
        (ValueType::Text, Literal::Text(text)) => {
            let forms = stored_forms(catalog.kind(), column, text);
            note(column, text, &forms, readings);
            return Ok(forms.into_iter().map(Value::Text).collect());
        }
        (ValueType::Id, Literal::Text(text)) => {
            let id = Uuid::try_parse(text)
                .map_err(|_| wrong_type(column, given))?
                .to_string();
            note(column, text, std::slice::from_ref(&id), readings);
            Value::Text(id)
        }
        (ValueType::Date, Literal::Text(text)) => Value::Text(date(column, text, given)?),
        (ValueType::Integer, Literal::Number(digits)) => match whole(digits) {
            Some(Whole::Exact(number)) => Value::Integer(number),
            _ => return Err(wrong_type(column, given)),
        },
        (ValueType::Number, Literal::Number(digits)) => {
            Value::Number(number(digits).ok_or_else(|| wrong_type(column, given))?)
        }
        (ValueType::Boolean, Literal::Boolean(boolean)) => Value::Boolean(*boolean),
        _ => return Err(wrong_type(column, given)),
    };
    Ok(vec![value])
}

/// The end of a range, and whether it belongs to the range.
pub(crate) fn bound(
    catalog: &Catalog,
    id: ColumnId,
    given: &Placed,
    end: End,
    inclusive: bool,
) -> Result<(Value, bool), Fault> {
    let column = catalog.column(id);
    let value = match (column.value, &given.literal) {
        (_, Literal::Null) => return Err(null(column, given.at)),
        (ValueType::Boolean, _) => {
            let message = format!("`{}` is true or false and has no order.", column.path);
            return Err(
                Fault::forbidden(given.at, message).suggest(format!("{} = true", column.path))
            );
        }
        (ValueType::Text | ValueType::Id, Literal::Text(text)) => Value::Text(fold(text)),
        (ValueType::Date, Literal::Text(text)) => Value::Text(date(column, text, given)?),
        (ValueType::Integer, Literal::Number(digits)) => {
            let whole = whole(digits).ok_or_else(|| wrong_type(column, given))?;
            return Ok(integer_bound(whole, end, inclusive));
        }
        (ValueType::Number, Literal::Number(digits)) => {
            Value::Number(number(digits).ok_or_else(|| wrong_type(column, given))?)
        }
        _ => return Err(wrong_type(column, given)),
    };
    Ok((value, inclusive))
}

/// The pattern of a LIKE.
pub(crate) fn pattern(catalog: &Catalog, id: ColumnId, given: &Placed) -> Result<String, Fault> {
    let column = catalog.column(id);
    if !matches!(
        column.value,
        ValueType::Text | ValueType::Id | ValueType::Date
    ) {
        let message = format!(
            "LIKE compares text; `{}` is {}.",
            column.path,
            type_name(column.value)
        );
        return Err(Fault::forbidden(given.at, message));
    }
    match &given.literal {
        Literal::Null => Err(null(column, given.at)),
        Literal::Text(text) => {
            let backslashes = text.chars().rev().take_while(|c| *c == '\\').count();
            if backslashes % 2 == 1 {
                let message = "A pattern cannot end with a single backslash.";
                return Err(Fault::forbidden(given.at, message).suggest("\\\\"));
            }
            Ok(fold(text))
        }
        _ => Err(wrong_type(column, given)),
    }
}

/// Readings of a query beyond this are not told: nobody reads more, and each is compared with those before it.
pub const MAX_READINGS: usize = 100;

fn note(column: &Column, given: &str, forms: &[String], readings: &mut Vec<Reading>) {
    if readings.len() >= MAX_READINGS {
        return;
    }
    let folded = fold(given);
    let mut others = forms.iter().filter(|form| **form != folded);
    let Some(first) = others.next() else {
        return;
    };
    // Ranges of employees stand in their order.
    let read_as = match others.next_back() {
        Some(last) => format!("{first} to {last}"),
        None => first.clone(),
    };
    let reading = Reading {
        column: column.path.clone(),
        given: given.to_owned(),
        read_as,
        also_as_given: forms.contains(&folded),
    };
    if !readings.contains(&reading) {
        readings.push(reading);
    }
}

/// A whole number, or where it lies between two.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Whole {
    Exact(i64),
    /// Between this one and the next.
    Above(i64),
    /// Below every whole number that is stored.
    TooSmall,
    /// Above every whole number that is stored.
    TooLarge,
}

fn whole(digits: &str) -> Option<Whole> {
    if let Ok(number) = digits.parse() {
        return Some(Whole::Exact(number));
    }
    let number = number_or_infinity(digits)?;
    // 2^63 is the first float beyond either end.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    Some(if number >= LIMIT {
        Whole::TooLarge
    } else if number < -LIMIT {
        Whole::TooSmall
    } else {
        // Within the range of i64, as was seen above.
        let floor = number.floor() as i64;
        if number.fract() == 0.0 {
            Whole::Exact(floor)
        } else {
            Whole::Above(floor)
        }
    })
}

/// The same range with a whole number as its end.
fn integer_bound(whole: Whole, end: End, inclusive: bool) -> (Value, bool) {
    let (number, inclusive) = match (whole, end) {
        (Whole::Exact(number), _) => (number, inclusive),
        (Whole::Above(number), End::Low) => (number, false),
        (Whole::Above(number), End::High) => (number, true),
        (Whole::TooSmall, End::Low) => (i64::MIN, true),
        (Whole::TooSmall, End::High) => (i64::MIN, false),
        (Whole::TooLarge, End::Low) => (i64::MAX, false),
        (Whole::TooLarge, End::High) => (i64::MAX, true),
    };
    (Value::Integer(number), inclusive)
}

fn number(digits: &str) -> Option<f64> {
    number_or_infinity(digits).filter(|number| number.is_finite())
}

fn number_or_infinity(digits: &str) -> Option<f64> {
    // Only digits, a point and an exponent: the parser of the standard library reads `inf` and `nan`, too.
    let is_plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    if !digits.chars().all(is_plain) {
        return None;
    }
    // No minus zero: it would be another value than zero.
    digits.parse::<f64>().ok().map(|number| number + 0.0)
}

fn is_year(text: &str) -> bool {
    is_digits(text, 4)
}

fn is_digits(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn date(column: &Column, text: &str, given: &Placed) -> Result<String, Fault> {
    if is_date(text) {
        Ok(text.to_owned())
    } else {
        Err(wrong_type(column, given))
    }
}

/// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let within = |part: &str, last: u8| {
        is_digits(part, 2)
            && part
                .parse::<u8>()
                .is_ok_and(|number| (1..=last).contains(&number))
    };
    parts.next().is_some_and(is_year)
        && parts.next().is_none_or(|month| within(month, 12))
        && parts.next().is_none_or(|day| within(day, 31))
        && parts.next().is_none()
}

fn null(column: &Column, at: Location) -> Fault {
    Fault::forbidden(at, "A comparison with NULL is never true.")
        .suggest(format!("{} IS NULL", column.path))
        .suggest(format!("{} IS NOT NULL", column.path))
}

fn wrong_type(column: &Column, given: &Placed) -> Fault {
    if let (ValueType::Number, Literal::Number(digits)) = (column.value, &given.literal)
        && number_or_infinity(digits).is_some_and(f64::is_infinite)
    {
        let message = format!("`{}` is a number; this one is too large.", column.path);
        return Fault::forbidden(given.at, message);
    }
    let fault = Fault::forbidden(
        given.at,
        format!("`{}` is {}.", column.path, type_name(column.value)),
    );
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    match (column.value, &given.literal) {
        (ValueType::Text, Literal::Number(digits)) => fault.suggest(quoted(digits)),
        (ValueType::Text, Literal::Boolean(boolean)) => fault.suggest(quoted(&boolean.to_string())),
        (ValueType::Date, Literal::Number(year)) if is_year(year) => fault.suggest(quoted(year)),
        (ValueType::Date, _) => fault
            .suggest("'2026'")
            .suggest("'2026-03'")
            .suggest("'2026-03-31'"),
        (ValueType::Integer, Literal::Text(text))
            if matches!(whole(text), Some(Whole::Exact(_))) =>
        {
            fault.suggest(text.as_str())
        }
        (ValueType::Number, Literal::Text(text)) if number(text).is_some() => {
            fault.suggest(text.as_str())
        }
        (ValueType::Boolean, Literal::Text(text)) if text.eq_ignore_ascii_case("true") => {
            fault.suggest("true")
        }
        (ValueType::Boolean, Literal::Text(text)) if text.eq_ignore_ascii_case("false") => {
            fault.suggest("false")
        }
        (ValueType::Boolean, _) => fault.suggest("true").suggest("false"),
        _ => fault,
    }
}

/// A type in words.
pub(crate) const fn type_name(value: ValueType) -> &'static str {
    match value {
        ValueType::Text => "text, written '…'",
        ValueType::Id => "an id, written as a quoted UUID",
        ValueType::Date => "a date, written 'YYYY', 'YYYY-MM' or 'YYYY-MM-DD'",
        ValueType::Integer => "a whole number",
        ValueType::Number => "a number",
        ValueType::Boolean => "a boolean, true or false",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_giants_become_the_equivalent_whole_bound() {
        let low = |digits, inclusive| integer_bound(whole(digits).unwrap(), End::Low, inclusive);
        let high = |digits, inclusive| integer_bound(whole(digits).unwrap(), End::High, inclusive);
        assert_eq!(low("5.5", true), (Value::Integer(5), false));
        assert_eq!(high("5.5", false), (Value::Integer(5), true));
        assert_eq!(low("-5.5", true), (Value::Integer(-6), false));
        assert_eq!(low("2.0", true), (Value::Integer(2), true));
        assert_eq!(low("1e3", false), (Value::Integer(1000), false));
        assert_eq!(
            low("99999999999999999999", true),
            (Value::Integer(i64::MAX), false)
        );
        assert_eq!(high("1e999", false), (Value::Integer(i64::MAX), true));
        assert_eq!(high("-1e30", true), (Value::Integer(i64::MIN), false));
        assert_eq!(
            low("-9223372036854775808", true),
            (Value::Integer(i64::MIN), true)
        );
    }
}
