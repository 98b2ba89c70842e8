//! Where literals stand in dictionaries of every type.

use dialect::Value;

use super::compare::is_below;
use super::text::partition;
use crate::view::Dictionary;

/// The highest code.
pub(super) fn known(dictionary: &Dictionary<'_>) -> u32 {
    let length = match dictionary {
        Dictionary::Text(texts) => return texts.len,
        Dictionary::Id(ids) => ids.len(),
        Dictionary::Integer(numbers) => numbers.len(),
        Dictionary::Number(numbers) => numbers.len(),
        Dictionary::Boolean => 2,
    };
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The text of a UUID.
pub(super) fn id_text<'a>(id: &[u8; 16], text: &'a mut [u8; 36]) -> &'a [u8] {
    uuid::Uuid::from_bytes(*id)
        .hyphenated()
        .encode_lower(text)
        .as_bytes()
}

/// How many texts, from the first one, `before` holds for.
pub(super) fn texts_below(dictionary: &Dictionary<'_>, before: impl Fn(&[u8]) -> bool) -> u32 {
    match dictionary {
        Dictionary::Text(texts) => partition(texts, before),
        Dictionary::Id(ids) => length(ids.partition_point(|id| before(id_text(id, &mut [0; 36])))),
        Dictionary::Integer(_) | Dictionary::Number(_) | Dictionary::Boolean => 0,
    }
}

/// How many entries are less than a literal, or, unless `strictly`, equal to it.
pub(super) fn entries_below(
    dictionary: &Dictionary<'_>,
    value: &Value,
    strictly: bool,
    dates: bool,
) -> u32 {
    match (dictionary, value) {
        (Dictionary::Text(_) | Dictionary::Id(_), Value::Text(bound)) => {
            texts_below(dictionary, |text| is_below(text, bound, strictly, dates))
        }
        (Dictionary::Integer(numbers), Value::Integer(bound)) => length(
            numbers.partition_point(|number| number < bound || (!strictly && number == bound)),
        ),
        (Dictionary::Number(numbers), Value::Number(bound)) => length(
            numbers.partition_point(|number| number < bound || (!strictly && number == bound)),
        ),
        (Dictionary::Boolean, Value::Boolean(bound)) => length(
            [false, true].partition_point(|value| value < bound || (!strictly && value == bound)),
        ),
        _ => 0,
    }
}

/// First and last code of what equals a literal; nothing is an empty run.
pub(super) fn run_of(dictionary: &Dictionary<'_>, value: &Value, dates: bool) -> (u32, u32) {
    let first = entries_below(dictionary, value, true, dates);
    let last = entries_below(dictionary, value, false, dates);
    (first.saturating_add(1), last)
}

fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
