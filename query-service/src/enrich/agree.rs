//! What persons and companies are both compared by.

use normalize::compare;

use super::compared::Compared;
use super::finding::{Finding, How};
use super::memo::ClueMemo;

/// A city against the record's place and all its locations, in any language.
#[must_use]
pub fn city<'a>(doc: &'a Compared, city: &str, memo: ClueMemo<'_>) -> Finding<'a> {
    let places = doc.texts("city").chain(doc.texts("locations.city"));
    Finding::nearest(places, |value| {
        memo.how(value, || How::of_near(compare::cities(city, value)))
    })
}

/// A state, by code where both have one, else by name.
#[must_use]
pub fn state<'a>(doc: &'a Compared, name: &str, code: Option<&str>) -> Finding<'a> {
    let mut codes = doc
        .texts("state_code")
        .chain(doc.texts("locations.state_code"))
        .peekable();
    match code {
        Some(code) if codes.peek().is_some() => Finding::nearest(codes, |value| {
            How::of_equal(value.eq_ignore_ascii_case(code))
        }),
        _ => {
            let names = doc.texts("state").chain(doc.texts("locations.state"));
            Finding::nearest(names, |value| How::of_whole(compare::places(name, value)))
        }
    }
}

/// A country by its code.
#[must_use]
pub fn country<'a>(doc: &'a Compared, code: &str) -> Finding<'a> {
    Finding::nearest(countries(doc), |value| {
        How::of_equal(value.eq_ignore_ascii_case(code))
    })
}

/// Codes of the countries of a record.
pub(super) fn countries(doc: &Compared) -> impl Iterator<Item = &str> + Clone {
    let locations = doc.texts("locations.country_code");
    doc.texts("country_code").chain(locations)
}

/// An organisation, by a domain or by a name, against the hosts and the names that a record has. Where the record has values of the kind that was given, those decide;
/// values of the other kind can only agree.
pub fn organisation<'a>(
    is_domain: bool,
    hosts: impl Iterator<Item = &'a str>,
    names: impl Iterator<Item = &'a str>,
    how: impl Fn(&str) -> How,
) -> Finding<'a> {
    if is_domain {
        Finding::nearest(hosts, &how).or_agreeing(|| Finding::nearest(names, &how))
    } else {
        Finding::nearest(names, &how).or_agreeing(|| Finding::nearest(hosts, &how))
    }
}
