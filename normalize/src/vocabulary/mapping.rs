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
    let plain: String = text::clean(given)
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
        .collect();
    let lowest = plain
        .split(['-', '+'])
        .next()
        .and_then(|low| low.parse::<u64>().ok());
    lowest
        .and_then(|count| COMPANY_SIZES.iter().find(|range| holds(range, count)))
        .map_or_else(|| Mapped::kept(given), |range| Mapped::known(range))
}

fn holds(range: &str, count: u64) -> bool {
    range
        .split_once('-')
        .and_then(|(low, high)| Some((low.parse::<u64>().ok()?, high.parse::<u64>().ok()?)))
        .is_some_and(|(low, high)| (low..=high).contains(&count))
}
