//! What stands beside a company's name: a remark in brackets (`acme (germany)`), another name (`acme, formerly apex`).

use crate::text;

/// Another name follows.
const MARKERS: &[&str] = &[
    "formerly known as",
    "previously known as",
    "formerly",
    "previously",
    "also known as",
    "doing business as",
    "trading as",
    "f/k/a",
    "fka",
    "a/k/a",
    "aka",
    "d/b/a",
    "dba",
    "t/a",
];
/// The same, where they open a bracket: outside of one they are words of names.
const MARKERS_IN_BRACKETS: &[&str] = &["now known as", "now", "was", "ex", "former", "née", "nee"];
/// Remarks without a bracket, behind a comma or a dash.
const OFFICES: &[&str] = &[
    "hq",
    "head office",
    "headquarters",
    "corporate headquarters",
    "global headquarters",
    "main office",
    "corporate office",
    "registered office",
    "regional office",
    "branch office",
    "branch",
];
const BRACKETS: &[(char, char)] = &[('(', ')'), ('[', ']'), ('（', '）')];
/// More of either is no name.
const MOST: usize = 4;

/// A name taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asides {
    /// What is left without them; lower case.
    pub name: String,
    /// Names that it has or had beside.
    pub others: Vec<String>,
    /// Whatever else is said: a place, an office, a kind.
    pub remarks: Vec<String>,
}

impl Asides {
    /// Takes a name apart; `None` where nothing stands beside it.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        if name.len() > text::MAX_LINE_BYTES {
            return None;
        }
        let (outside, inside) = brackets(&text::clean(name));
        let mut asides = Self {
            name: String::new(),
            others: Vec::new(),
            remarks: Vec::new(),
        };
        for text in inside {
            let other = [MARKERS, MARKERS_IN_BRACKETS].into_iter().flatten();
            match other.copied().find_map(|marker| behind(&text, marker)) {
                Some(other) => asides.others.push(trim(other).to_owned()),
                None => asides.remarks.push(text),
            }
        }
        let (before, other) = at_marker(&outside).unwrap_or((&outside, None));
        asides.others.extend(other.map(str::to_owned));
        let (before, office) = at_office(before);
        asides.remarks.extend(office.map(str::to_owned));
        asides.name = trim(before).to_owned();
        asides.others.retain(|other| !text::is_blank(other));
        asides.others.truncate(MOST);
        asides.remarks.truncate(MOST);
        let is_any = !asides.others.is_empty() || !asides.remarks.is_empty();
        (is_any && !text::is_blank(&asides.name)).then_some(asides)
    }
}

/// The text without its brackets, and what stands in them. One that does not end is no bracket.
fn brackets(text: &str) -> (String, Vec<String>) {
    let (mut outside, mut inside, mut rest) = (String::new(), Vec::new(), text);
    while let Some((at, open)) = rest
        .char_indices()
        .find(|(_, c)| BRACKETS.iter().any(|(open, _)| open == c))
    {
        let close = BRACKETS.iter().find(|(known, _)| *known == open);
        let (before, after) = rest.split_at(at);
        let after = after.get(open.len_utf8()..).unwrap_or_default();
        let found = close.and_then(|(_, close)| after.split_once(*close));
        let Some((within, after)) = found.filter(|_| inside.len() < MOST) else {
            break;
        };
        outside.push_str(before);
        outside.push(' ');
        inside.push(trim(within).to_owned());
        rest = after;
    }
    outside.push_str(rest);
    inside.retain(|text| !text::is_blank(text));
    (text::squeeze(&outside), inside)
}

/// What follows a marker that opens a text.
fn behind<'a>(text: &'a str, marker: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(marker)?;
    let next = rest.chars().next()?;
    (next.is_whitespace() || matches!(next, ':' | '-' | '.')).then_some(rest)
}

/// What stands before and behind the first marker, where both are something.
fn at_marker(text: &str) -> Option<(&str, Option<&str>)> {
    let places = MARKERS.iter().filter_map(|marker| {
        let at = text.match_indices(marker).find_map(|(at, _)| {
            let before = text.get(..at)?;
            before.ends_with([' ', ',', ';', '-']).then_some(at)
        })?;
        let other = trim(behind(text.get(at..)?, marker)?);
        let before = trim(text.get(..at)?);
        let is_both = !text::is_blank(before) && !text::is_blank(other);
        is_both.then_some((at, before, other))
    });
    let (_, before, other) = places.min_by_key(|(at, ..)| *at)?;
    Some((before, Some(other)))
}

/// An office behind a comma or a dash.
fn at_office(text: &str) -> (&str, Option<&str>) {
    let cut = text.rsplit_once([',', '-', '–', '—']);
    match cut.map(|(before, tail)| (before, trim(tail))) {
        Some((before, tail)) if OFFICES.contains(&tail) && !text::is_blank(before) => {
            (before, Some(tail))
        }
        _ => (text, None),
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '—'))
}

#[cfg(test)]
mod tests {
    use super::Asides;

    fn taken(name: &str) -> Option<(String, Vec<String>, Vec<String>)> {
        Asides::of(name).map(|asides| (asides.name, asides.others, asides.remarks))
    }

    fn told(
        name: &str,
        others: &[&str],
        remarks: &[&str],
    ) -> Option<(String, Vec<String>, Vec<String>)> {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Some((name.to_owned(), own(others), own(remarks)))
    }

    #[test]
    fn what_stands_in_brackets_is_a_remark_or_another_name() {
        assert_eq!(taken("Acme (Germany)"), told("acme", &[], &["germany"]));
        assert_eq!(taken("Acme [HQ]"), told("acme", &[], &["hq"]));
        assert_eq!(taken("Acme (UK) Ltd"), told("acme ltd", &[], &["uk"]));
        assert_eq!(
            taken("ATLASPORT (formerly Northwind Tools)"),
            told("atlasport", &["northwind tools"], &[])
        );
        assert_eq!(
            taken("Apex Co. (now Acme)"),
            told("apex co.", &["acme"], &[])
        );
        assert_eq!(
            taken("Acme (f/k/a Apex, Inc.)"),
            told("acme", &["apex, inc."], &[])
        );
    }

    #[test]
    fn another_name_and_an_office_are_known_without_brackets() {
        assert_eq!(
            taken("Acme Ltd, formerly known as Apex"),
            told("acme ltd", &["apex"], &[])
        );
        assert_eq!(
            taken("Jane Roe d/b/a Acme"),
            told("jane roe", &["acme"], &[])
        );
        assert_eq!(
            taken("Acme - Head Office"),
            told("acme", &[], &["head office"])
        );
    }

    #[test]
    fn a_name_that_has_nothing_beside_it_is_left_alone() {
        for name in [
            "Acme",
            "(Acme)",
            "Acme (",
            "The Formerly",
            "Ex Libris",
            "Now Foods",
            "Akamai",
            "Rolls-Royce",
            "",
        ] {
            assert_eq!(taken(name), None, "{name}");
        }
    }
}
