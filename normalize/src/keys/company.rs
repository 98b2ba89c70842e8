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

/// Words that are written out, and how they are cut short.
const SHORT: &[(&str, &str)] = &[
    ("us", "united states"),
    ("usa", "united states"),
    ("uk", "united kingdom"),
    ("intl", "international"),
    ("natl", "national"),
    ("univ", "university"),
    ("uni", "university"),
    ("inst", "institute"),
    ("dept", "department"),
    ("govt", "government"),
    ("assoc", "associates"),
    ("assn", "association"),
    ("bros", "brothers"),
    ("mfg", "manufacturing"),
    ("svcs", "services"),
    ("svc", "services"),
    ("mgmt", "management"),
    ("tech", "technology"),
    ("technologies", "technology"),
    ("labs", "laboratories"),
    ("st", "saint"),
    ("mt", "mount"),
    ("ft", "fort"),
];

/// Places in which a slip is looked for: more make more keys, fewer make keys that many names share.
const GAPS: usize = 4;
/// Fewer letters have no key for slips: names so short differ by one letter and are others.
const MIN_SLIPPED: usize = 6;

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
    let label = domain_label(&key);
    std::iter::once(key).chain(label)
}

/// The key of a company's name with its closing words: `dunelmgroup`. The same as [`company_name_key`] for most.
#[must_use]
pub fn company_whole_key(name: &str) -> String {
    match company::clean(name) {
        Ok(cleaned) if cleaned.kind == company::Kind::Name => {
            joined(company::bare_name(&cleaned.name), &[])
        }
        Ok(cleaned) => domain_key(&cleaned.name),
        Err(_) => joined(&text::clean(name), &[]),
    }
}

/// Under what a company's name is stored so that it is found in spite of a slip: its key with a gap in each of four
/// places, beside the length of the whole. A slip falls into one of the gaps. A name with a closing word is stored
/// without and with it.
pub fn company_slip_keys(name: &str) -> impl Iterator<Item = String> {
    let (key, whole) = (company_name_key(name), company_whole_key(name));
    let other = (whole != key).then_some(whole);
    let keys = std::iter::once(key).chain(other);
    keys.flat_map(|key| with_gaps(&key, key.len()))
}

/// By what a name with a slip is asked for: its key with the gaps of one that is as long, one shorter or one longer.
pub fn company_slip_lookups(name: &str) -> impl Iterator<Item = String> {
    let key = company_whole_key(name);
    let lengths = [key.len().saturating_sub(1), key.len(), key.len() + 1];
    let keys = lengths.map(|length| with_gaps(&key, length));
    keys.into_iter().flatten()
}

/// The name that a domain is made of, as a key: `northwind-tools.example` → `northwindtools`.
#[must_use]
pub fn domain_label(host: &str) -> Option<String> {
    let registered = domain_key(host);
    let (label, _) = registered.split_once('.')?;
    Some(label.replace('-', "")).filter(|label| !label.is_empty())
}

/// What stands around each gap of a key that is `length` letters long, as far as this one has it. The gaps overlap, so
/// that two turned letters fall into one.
fn with_gaps(key: &str, length: usize) -> Vec<String> {
    if length < MIN_SLIPPED || key.contains('.') {
        return Vec::new();
    }
    let around = |gap: usize| {
        let from = (gap * length / GAPS).saturating_sub(1);
        let to = ((gap + 1) * length / GAPS + 1).min(length);
        let start = key.get(..from)?;
        let end = key.get(key.len().checked_sub(length - to)?..)?;
        Some(format!("{length} {start} {end}"))
    };
    (0..GAPS).filter_map(around).collect()
}

/// What a company's name may be called by its first letters (`ibm`), for names of three words or more.
pub fn company_letters(name: &str) -> impl Iterator<Item = String> {
    let letters = company_words(name).map(|words| {
        let letters: String = words
            .iter()
            .filter_map(|word| word.chars().next())
            .collect();
        Some(letters).filter(|letters| letters.len() > 2)
    });
    let [without, with] = letters;
    let with = with.filter(|letters| Some(letters) != without.as_ref());
    without.into_iter().chain(with)
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

/// The folded words of a company's name without its legal form: without the light ones, and with them.
pub(crate) fn company_words(name: &str) -> [Vec<String>; 2] {
    match company::clean(name) {
        Ok(cleaned) if cleaned.kind == company::Kind::Name => {
            both_words(company::bare_name(&cleaned.name))
        }
        _ => Default::default(),
    }
}

/// The folded words of a school's name: without the light ones, and with them.
pub(crate) fn school_words(name: &str) -> [Vec<String>; 2] {
    both_words(name)
}

fn both_words(name: &str) -> [Vec<String>; 2] {
    let folded = text::fold(name);
    let all = || folded.split(' ').filter(|word| !word.is_empty());
    let own = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    let heavy = all().filter(|word| !LIGHT.contains(word) && !matches!(*word, "at" | "in"));
    [own(heavy.collect()), own(all().collect())]
}

fn domain_key(host: &str) -> String {
    domain::registrable(host).unwrap_or(host).to_owned()
}

/// Folded words joined without spaces, short ones written out; closing words of `tail` and light words are left out
/// unless nothing remains.
fn joined(name: &str, tail: &[&str]) -> String {
    let folded = text::fold(&name.replace('&', " and "));
    let mut words: Vec<&str> = folded
        .split(' ')
        .filter(|word| !LIGHT.contains(word))
        .map(written_out)
        .collect();
    while words.len() > 1 && words.last().is_some_and(|last| tail.contains(last)) {
        words.pop();
    }
    if words.is_empty() {
        folded.replace(' ', "")
    } else {
        words.concat().replace(' ', "")
    }
}

fn written_out(word: &str) -> &str {
    SHORT
        .iter()
        .find_map(|(short, long)| (*short == word).then_some(*long))
        .unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::{company_slip_keys, company_slip_lookups};

    #[test]
    fn a_name_with_one_slip_is_found_around_it() {
        let stored: Vec<String> = company_slip_keys("Northwind Tools, Inc.").collect();
        assert_eq!(
            stored,
            [
                "14  hwindtools",
                "14 no dtools",
                "14 northw ols",
                "14 northwind "
            ]
        );
        for asked in [
            "northwnd tools",
            "northwindd tools",
            "northwind tols",
            "nrothwind tools",
            "northwnid tools",
        ] {
            assert!(
                company_slip_lookups(asked).any(|key| stored.contains(&key)),
                "{asked}"
            );
        }
        assert_eq!(company_slip_keys("acme").count(), 0);
        assert_eq!(company_slip_keys("https://northwind.example").count(), 0);
    }
}
