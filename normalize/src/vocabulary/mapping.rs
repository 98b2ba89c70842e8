//! Industries, sizes and types of companies.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{COMPANY_SIZES, COMPANY_TYPES, INDUSTRIES, Mapped};
use crate::{table, text};

static INDUSTRY_NAMES: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| table::pairs(include_str!("../../tables/industries.tsv")));
static TYPE_NAMES: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| table::pairs(include_str!("../../tables/company_types.tsv")));

/// An industry of persons' employers and of companies.
#[must_use]
pub fn industry(given: &str) -> Mapped {
    listed(given, INDUSTRIES, &INDUSTRY_NAMES)
}

/// The type of a company.
#[must_use]
pub fn company_type(given: &str) -> Mapped {
    listed(given, COMPANY_TYPES, &TYPE_NAMES)
}

/// A range of employees; a bare number gives the range that holds it.
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
    if COMPANY_SIZES.contains(&plain.as_str()) {
        return Mapped::known(&plain);
    }
    let lowest = plain
        .split(['-', '+'])
        .next()
        .and_then(|low| low.parse::<u64>().ok());
    let range = lowest.and_then(|count| COMPANY_SIZES.iter().find(|range| holds(range, count)));
    match range {
        Some(range) => Mapped::known(range),
        None => Mapped::kept(text::clean(given)),
    }
}

fn holds(range: &str, count: u64) -> bool {
    range
        .split_once('-')
        .and_then(|(low, high)| Some((low.parse::<u64>().ok()?, high.parse::<u64>().ok()?)))
        .is_some_and(|(low, high)| (low..=high).contains(&count))
}

fn listed(given: &str, list: &[&str], names: &HashMap<&str, &str>) -> Mapped {
    let cleaned = text::clean(given);
    if list.contains(&cleaned.as_str()) {
        return Mapped::known(&cleaned);
    }
    let folded = text::fold(&cleaned.replace('&', " and "));
    match names.get(folded.as_str()) {
        Some(value) => Mapped::known(value),
        None => Mapped::kept(cleaned),
    }
}
