//! Industries, sizes and types of companies.

use std::sync::LazyLock;

use super::phrases::Phrases;
use super::{COMPANY_SIZES, COMPANY_TYPES, INDUSTRIES, Mapped};
use crate::text;

static INDUSTRY_NAMES: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::of(INDUSTRIES, include_str!("../../tables/industries.tsv")));
static GENERAL_NAMES: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::of(&[], include_str!("../../tables/industries_general.tsv")));
static TYPE_NAMES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::of(
        COMPANY_TYPES,
        include_str!("../../tables/company_types.tsv"),
    )
});

/// An industry of persons' employers and of companies: the whole name, else its longest part that is known, of equally
/// long ones the first.
#[must_use]
pub fn industry(given: &str) -> Mapped {
    INDUSTRY_NAMES
        .whole(given)
        .or_else(|| INDUSTRY_NAMES.first(given))
        .or_else(|| GENERAL_NAMES.first(given))
        .map_or_else(|| Mapped::kept(given), Mapped::known)
}

/// The type of a company.
#[must_use]
pub fn company_type(given: &str) -> Mapped {
    TYPE_NAMES
        .whole(given)
        .map_or_else(|| Mapped::kept(given), Mapped::known)
}

/// A range of employees; a number, or another range, gives the range that holds its lower end.
#[must_use]
pub fn company_size(given: &str) -> Mapped {
    let lowest = plain_range(given)
        .split(['-', '+'])
        .next()
        .and_then(|low| low.parse::<u64>().ok());
    lowest
        .and_then(|count| COMPANY_SIZES.iter().find(|range| holds(range, count)))
        .map_or_else(|| Mapped::kept(given), |range| Mapped::known(range))
}

/// The ranges of employees that somebody means who asks for a number or a range: the one that holds it whole, or all of which it is
/// made up (`1001-10000`, `10001+`; `1000+`, too, which is how others write it). Empty where it cuts a range in two: no answer is
/// better than one about other companies.
#[must_use]
pub fn company_sizes(given: &str) -> &'static [&'static str] {
    let plain = plain_range(given);
    let number = |text: &str| text.parse::<u64>().ok();
    let (low, high) = match (plain.split_once('-'), plain.strip_suffix('+')) {
        (Some((low, high)), _) => (number(low), number(high)),
        (None, Some(low)) => (number(low), Some(u64::MAX)),
        (None, None) => (number(&plain), number(&plain)),
    };
    let (Some(low), Some(high)) = (low, high) else {
        return &[];
    };
    if let Some(whole) = COMPANY_SIZES
        .iter()
        .position(|range| holds(range, low) && holds(range, high))
    {
        return COMPANY_SIZES.get(whole..=whole).unwrap_or_default();
    }
    let first = COMPANY_SIZES.iter().position(|range| {
        ends(range).is_some_and(|(begin, _)| begin == low || begin == low.saturating_add(1))
    });
    let last = if high == u64::MAX {
        COMPANY_SIZES.len().checked_sub(1)
    } else {
        COMPANY_SIZES
            .iter()
            .position(|range| ends(range).is_some_and(|(_, end)| end == high))
    };
    match (first, last) {
        (Some(first), Some(last)) => COMPANY_SIZES.get(first..=last).unwrap_or_default(),
        _ => &[],
    }
}

/// Without spaces, thousands separators and the word for what is counted; `-` between the ends.
fn plain_range(given: &str) -> String {
    text::clean(given)
        .replace("employees", "")
        .replace(" to ", "-")
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .map(|c| {
            if matches!(c, '\u{2010}'..='\u{2015}') {
                '-'
            } else {
                c
            }
        })
        .collect()
}

fn holds(range: &str, count: u64) -> bool {
    ends(range).is_some_and(|(low, high)| (low..=high).contains(&count))
}

fn ends(range: &str) -> Option<(u64, u64)> {
    let (low, high) = range.split_once('-')?;
    Some((low.parse().ok()?, high.parse().ok()?))
}
