//! Keys of companies and schools: legal forms, punctuation, articles and accents do not count.

use crate::{company, domain, school, text};

/// Words that a name has or has not in different sources without being another company.
const LIGHT: &[&str] = &["the", "and", "of", "le", "la", "der", "die", "das", "el"];

/// Words at the end of a name that say only that it is a company.
const TAIL: &[&str] = &[
    "company",
    "co",
    "group",
    "holding",
    "holdings",
    "international",
    "corporation",
    "inc",
];

/// The key of a company's name: folded, without legal form and light words, words joined; a domain given as a name is
/// its registrable part.
///
/// `The Coca-Cola Company`, `Coca Cola Co.` and `coca-cola` have one key.
#[must_use]
pub fn company_name_key(name: &str) -> String {
    match company::clean(name) {
        Ok(cleaned) if cleaned.kind == company::Kind::Name => {
            joined(company::bare_name(&cleaned.name), TAIL)
        }
        Ok(cleaned) => domain_key(&cleaned.name),
        Err(_) => joined(&text::clean(name), TAIL),
    }
}

/// By what a company's name is asked for: its key and, for a domain given as a name, the name that it is made of
/// (`booking.com` → `booking`).
pub fn company_name_lookups(name: &str) -> impl Iterator<Item = String> {
    let key = company_name_key(name);
    let label = key
        .split_once('.')
        .map(|(label, _)| label.replace('-', ""))
        .filter(|label| !label.is_empty());
    std::iter::once(key).chain(label)
}

/// The key of a school's name.
#[must_use]
pub fn school_name_key(name: &str) -> String {
    match school::clean(name) {
        Ok(cleaned) if school::kind(name) != school::Kind::Name => domain_key(&cleaned),
        Ok(cleaned) => joined(&cleaned, &["at", "in"]),
        Err(_) => joined(&text::clean(name), &[]),
    }
}

/// What a name context is keyed by: the registrable domain of a website or domain, the name key of a name.
#[must_use]
pub fn company_context(company_or_domain: &str) -> String {
    company_name_key(company_or_domain)
}

fn domain_key(host: &str) -> String {
    domain::registrable(host).unwrap_or(host).to_owned()
}

/// Folded words joined without spaces; closing words of `tail` and light words are left out unless nothing remains.
fn joined(name: &str, tail: &[&str]) -> String {
    let folded = text::fold(&name.replace('&', " and "));
    let mut words: Vec<&str> = folded
        .split(' ')
        .filter(|word| !LIGHT.contains(word))
        .collect();
    while words.len() > 1 && words.last().is_some_and(|last| tail.contains(last)) {
        words.pop();
    }
    if words.is_empty() {
        folded.replace(' ', "")
    } else {
        words.concat()
    }
}
