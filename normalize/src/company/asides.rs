//! What stands beside a company's name: a remark in brackets (`acme (germany)`), another name (`acme, formerly apex`), whose it is
//! (`acme, an apex company`).

use crate::country::{self, Country};
use crate::{company, keys, state, text};

/// Another name follows, wherever it stands.
const MARKERS: &[&str] = &[
    "formerly known as",
    "previously known as",
    "also known as",
    "doing business as",
    "trading as",
    "formerly",
    "f/k/a",
    "a/k/a",
    "d/b/a",
    "t/a",
];
/// The same behind one of [`SEPARATORS`], and where they open a bracket: elsewhere they are words of names.
const MARKERS_BEHIND_A_COMMA: &[&str] = &["previously", "fka", "aka", "ex"];
/// The same, but for a slash and a bar, behind which it is a word: `oracle | dba consulting`.
const DBA: &[&str] = &["dba"];
/// The same where they open a bracket.
const MARKERS_IN_BRACKETS: &[&str] = &["was", "former", "née", "nee"];
/// What follows is the name of today, and what stands before a former one.
const NOW: &[&str] = &["now known as", "now called"];
/// The same in brackets: behind a comma or a dash what follows is as often what they do (`oak manor - now leasing`).
const NOW_IN_BRACKETS: &[&str] = &["now"];
/// Whose the company is follows, which is no name of its own; behind one of [`SEPARATORS`].
const OWNERS: &[&str] = &[
    "part of",
    "member of",
    "division of",
    "subsidiary of",
    "brand of",
    "owned by",
    "a division of",
    "a subsidiary of",
    "a brand of",
    "a member of",
    "a part of",
    "a unit of",
];
/// The same between an article and one of these at the end: `an apex company`.
const OWNED: &[&str] = &[
    "company",
    "business",
    "brand",
    "subsidiary",
    "enterprise",
    "group company",
];
/// What parts a name from what stands beside it.
const SEPARATORS: &[char] = &[',', ';', '-', '–', '—', '/', '|'];
/// The same, where a place may follow.
const DASHES: &[&str] = &[" - ", " – ", " — ", " | ", " / "];
/// What follows a marker and is no name: `(now closed)`, `(formerly of boston)`.
const NO_NAMES: &[&str] = &[
    "acquired",
    "bankrupt",
    "closed",
    "defunct",
    "dissolved",
    "hiring",
    "inactive",
    "independent",
    "merged",
    "open",
    "owned",
    "private",
    "public",
    "sold",
    "a",
    "an",
    "at",
    "based",
    "by",
    "in",
    "of",
    "on",
    "part",
    "under",
    "with",
];
/// Remarks that say nothing, in brackets or behind a comma or a dash.
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
/// Of these, what is a part of names where no sign stands between: `olive branch`.
const OFFICES_OR_NAMES: &[&str] = &[
    "registered office",
    "regional office",
    "branch office",
    "branch",
];
/// Departments, which say as little behind a comma or a dash, and before one; in brackets they can be what the company does.
const DEPARTMENTS: &[&str] = &[
    "accounting",
    "business development",
    "communications",
    "compliance",
    "customer service",
    "customer success",
    "customer support",
    "engineering",
    "finance",
    "hr",
    "human resources",
    "internal audit",
    "it",
    "legal",
    "marketing",
    "operations",
    "procurement",
    "public affairs",
    "purchasing",
    "r&d",
    "recruiting",
    "research & development",
    "research and development",
    "sales",
    "supply chain",
    "talent acquisition",
    "treasury",
];
/// The same where a word beside them says that it is one: by themselves these are as often companies of a group.
const DEPARTMENTS_OF_A_GROUP: &[&str] = &[
    "audit",
    "corporate",
    "data",
    "digital",
    "facilities",
    "logistics",
    "people",
    "product",
    "risk",
    "security",
    "strategy",
    "technology",
];
/// Departments whose names are trades as well: without a sign between it and the name, that is a sister's.
const DEPARTMENTS_OR_TRADES: &[&str] = &[
    "accounting",
    "communications",
    "engineering",
    "finance",
    "hr",
    "human resources",
    "it",
    "legal",
    "marketing",
    "recruiting",
    "sales",
    "talent acquisition",
    "treasury",
];
/// What opens and what closes the name of a department.
const BEFORE_DEPARTMENTS: &[&str] = &[
    "group ",
    "global ",
    "corporate ",
    "department of ",
    "dept of ",
    "dept. of ",
];
const BEHIND_DEPARTMENTS: &[&str] = &[" department", " dept", " dept.", " team"];
/// More words than this are no department.
const MOST_OF_A_DEPARTMENT: usize = 4;
const BRACKETS: &[(char, char)] = &[('(', ')'), ('[', ']'), ('（', '）')];
/// More of either is no name.
const MOST: usize = 4;
/// Shorter texts in brackets within a word are a part of it: `pixel(s)`.
const MIN_WITHIN_A_WORD: usize = 4;

/// A name taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asides {
    /// The name of today without them; lower case.
    pub name: String,
    /// Names that it has or had beside.
    pub others: Vec<String>,
    /// Whatever else is said that tells companies apart: a place, a kind. A country by its name.
    pub remarks: Vec<String>,
    /// The first country among the remarks, by its code.
    pub country: Option<&'static str>,
}

impl Asides {
    /// Takes a name apart; `None` where nothing stands beside it.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        if name.len() > text::MAX_LINE_BYTES {
            return None;
        }
        let (outside, inside) = brackets(&text::clean(name));
        let is_any = !inside.is_empty();
        let (mut others, mut remarks, mut today) = (Vec::new(), Vec::new(), None);
        for text in inside {
            let formerly = [MARKERS, MARKERS_BEHIND_A_COMMA, DBA, MARKERS_IN_BRACKETS];
            let now = behind_any(&text, NOW).or_else(|| behind_any(&text, NOW_IN_BRACKETS));
            if let Some(name) = now {
                today = today.or_else(|| named(name));
            } else if let Some(name) = formerly
                .iter()
                .find_map(|markers| behind_any(&text, markers))
            {
                others.extend(named(name));
            } else {
                remarks.extend(remark(&text));
            }
        }
        let (before, other) = at_marker(&outside).unwrap_or((&outside, None));
        match other {
            Some(Beside::Other(other)) => others.extend(named(other)),
            Some(Beside::Today(name)) => today = today.or_else(|| named(name)),
            None => {}
        }
        let (before, owner) = at_owner(before);
        remarks.extend(owner.map(str::to_owned));
        let (before, place) = at_place(without_office(before));
        remarks.extend(place);
        let before = trim(before);
        let is_all = before.len() == outside.len() && !is_any;
        // `retired, ex apex` is nobody's name.
        if text::is_blank(before) || company::is_placeholder(before) || is_all {
            return None;
        }
        let name = match today {
            Some(today) => {
                others.insert(0, before.to_owned());
                today
            }
            None => before.to_owned(),
        };
        others.truncate(MOST);
        Some(Self {
            name,
            others,
            country: remarks
                .iter()
                .find_map(|remark| self::place(remark))
                .map(|country| country.code),
            remarks,
        })
    }
}

/// A country; two letters that are a state of the United States or a legal form are more often that, and so is Georgia.
fn place(remark: &str) -> Option<Country> {
    let is_two = remark.chars().nth(2).is_none();
    let is_other = state::clean(remark, Some("US")).is_ok()
        || (is_two && company::is_light_word(remark) && remark != "uk" && remark != "us");
    country::clean(remark).ok().filter(|_| !is_other)
}

fn remark(text: &str) -> Option<String> {
    // Two letters say where, not in which form: `(ca)`.
    let is_long = text.chars().nth(2).is_some();
    let says_nothing =
        OFFICES.contains(&text) || (is_long && company::is_light_word(&text::fold(text)));
    match place(text) {
        Some(country) => Some(country.full_name.to_owned()),
        None if says_nothing => None,
        None => Some(text.to_owned()),
    }
}

/// A text that can be a name.
fn named(text: &str) -> Option<String> {
    let text = trim(text);
    let first = text.split(' ').next().unwrap_or_default();
    let is_name =
        !text::is_blank(text) && !NO_NAMES.contains(&first) && !company::is_placeholder(text);
    is_name.then(|| text.to_owned())
}

/// The text without its brackets, and what stands in them. One that does not end, or stands within a word, is no bracket.
fn brackets(text: &str) -> (String, Vec<String>) {
    let (mut outside, mut inside, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, within, after)) = next_bracket(rest).filter(|_| inside.len() < MOST) {
        outside.push_str(before);
        if is_within_a_word(&outside, within, after) {
            let end = rest.len() - after.len();
            outside.push_str(rest.get(before.len()..end).unwrap_or_default());
        } else {
            outside.push(' ');
            inside.push(trim(within).to_owned());
        }
        rest = after;
    }
    outside.push_str(rest);
    inside.retain(|text| !text::is_blank(text));
    (text::squeeze(&outside), inside)
}

/// What stands before the next bracket, in it, and behind it.
fn next_bracket(text: &str) -> Option<(&str, &str, &str)> {
    let (at, open) = text
        .char_indices()
        .find(|(_, c)| BRACKETS.iter().any(|(open, _)| open == c))?;
    let (_, close) = BRACKETS.iter().find(|(known, _)| *known == open)?;
    let (within, behind) = text.get(at + open.len_utf8()..)?.split_once(*close)?;
    Some((text.get(..at)?, within, behind))
}

fn is_within_a_word(before: &str, within: &str, after: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_short = within.chars().count() < MIN_WITHIN_A_WORD;
    let is_ascii = before.ends_with(|c: char| c.is_ascii_alphanumeric());
    is_ascii && (is_short || joins(after.chars().next()))
}

/// What follows a marker that opens a text.
fn behind<'a>(text: &'a str, marker: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(marker)?;
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    let next = rest.chars().next()?;
    (next.is_whitespace() || next == ':').then_some(rest)
}

fn behind_any<'a>(text: &'a str, markers: &[&str]) -> Option<&'a str> {
    markers.iter().find_map(|marker| behind(text, marker))
}

/// The same, where it is something.
fn told_behind_any<'a>(text: &'a str, markers: &[&str]) -> Option<&'a str> {
    let told = markers.iter().filter_map(|marker| behind(text, marker));
    told.map(trim).find(|other| !text::is_blank(other))
}

/// What a marker outside of brackets is followed by.
#[derive(Debug, Clone, Copy)]
enum Beside<'a> {
    /// Another name.
    Other(&'a str),
    /// The name of today.
    Today(&'a str),
}

/// What stands before and behind the first marker, where both are something.
fn at_marker(text: &str) -> Option<(&str, Option<Beside<'_>>)> {
    text.match_indices(' ').find_map(|(space, _)| {
        let (before, rest) = (text.get(..space)?, text.get(space + 1..)?);
        let parted = before.trim_end();
        let other = told_behind_any(rest, MARKERS)
            .or_else(|| {
                told_behind_any(rest, MARKERS_BEHIND_A_COMMA)
                    .filter(|_| parted.ends_with(SEPARATORS))
            })
            .or_else(|| {
                told_behind_any(rest, DBA)
                    .filter(|_| parted.ends_with(SEPARATORS) && !parted.ends_with(['/', '|']))
            });
        let today = || told_behind_any(rest, NOW).map(Beside::Today);
        let beside = other.map(Beside::Other).or_else(today)?;
        let before = trim(before);
        (!text::is_blank(before)).then_some((before, Some(beside)))
    })
}

/// What stands before whose the company is, and whose: `part of the apex group`, `an apex company`.
fn at_owner(text: &str) -> (&str, Option<&str>) {
    let parted = text.match_indices(' ').find_map(|(space, _)| {
        let (before, rest) = (text.get(..space)?, text.get(space + 1..)?);
        let is_owner = before.trim_end().ends_with(SEPARATORS) && says_whose(rest);
        (is_owner && !text::is_blank(trim(before))).then_some((before, Some(rest)))
    });
    parted.unwrap_or((text, None))
}

fn says_whose(text: &str) -> bool {
    let behind_article = text.strip_prefix("a ").or_else(|| text.strip_prefix("an "));
    let is_owned = behind_article
        .filter(|text| text.starts_with(char::is_alphanumeric))
        .is_some_and(|text| {
            let mut owner = OWNED.iter().filter_map(|end| text.strip_suffix(end));
            owner.any(|owner| owner.ends_with(' ') && !text::is_blank(owner))
        });
    is_owned || told_behind_any(text, OWNERS).is_some()
}

/// Without an office behind a comma or a dash, or a department behind or before a comma or a dash with its spaces: `post-it` is whole.
fn without_office(text: &str) -> &str {
    let office = text.rsplit_once(SEPARATORS);
    let office = office.filter(|(_, tail)| OFFICES.contains(&trim(tail)));
    let parts = || DASHES.iter().chain(&[", "]);
    let department = || {
        let mut parted = parts().filter_map(|dash| text.rsplit_once(dash));
        parted.find(|(before, tail)| is_department(trim(tail)) && has_own_word(before))
    };
    let before = |(before, _)| before;
    office
        .or_else(department)
        .map(before)
        .or_else(|| before_dept(text))
        .or_else(|| {
            let mut parted = parts().filter_map(|dash| text.split_once(dash));
            parted
                .find(|(head, tail)| is_department(trim(head)) && is_whose_department(tail))
                .map(|(_, tail)| tail)
        })
        .filter(|name| !text::is_blank(name))
        .unwrap_or(text)
}

/// `hr`, `group hr`, `marketing dept.`, `global technology`.
fn is_department(text: &str) -> bool {
    let mut bare = text;
    for opening in BEFORE_DEPARTMENTS {
        bare = bare.strip_prefix(opening).unwrap_or(bare);
    }
    for closing in BEHIND_DEPARTMENTS {
        bare = bare.strip_suffix(closing).unwrap_or(bare);
    }
    DEPARTMENTS.contains(&bare)
        || (bare.len() < text.len() && DEPARTMENTS_OF_A_GROUP.contains(&bare))
}

/// Whether words behind a name, as keys have them, are an office or a department by themselves: `hq`, `procurement`, `it department`, `r d`.
/// One without a sign of it (`procurement`, not `it department`) only where it may be one.
pub(crate) fn is_department_behind(words: &[String], may_be_bare: bool) -> bool {
    let text = words.join(" ");
    let is_one_of = |offices: &[&str]| offices.contains(&text.as_str());
    if is_one_of(OFFICES) && !is_one_of(OFFICES_OR_NAMES) {
        return true;
    }
    let is = |department: &&str| {
        let folded = text::fold(&department.replace('&', " "));
        let mut told = folded
            .split(' ')
            .filter(|word| !matches!(*word, "and" | ""));
        words.iter().all(|word| told.next() == Some(word)) && told.next().is_none()
    };
    let is_closed = BEHIND_DEPARTMENTS
        .iter()
        .any(|closing| text.ends_with(closing));
    let is_opened = BEFORE_DEPARTMENTS
        .iter()
        .any(|opening| text.starts_with(opening));
    match DEPARTMENTS.iter().find(|department| is(department)) {
        Some(department) => may_be_bare && !DEPARTMENTS_OR_TRADES.contains(department),
        None => (is_closed || is_opened && may_be_bare) && is_department(&text),
    }
}

/// The company whose department is named before a comma: no legal form, place or end of a list (`marketing, sales and events`).
fn is_whose_department(tail: &str) -> bool {
    let tail = trim(tail);
    let is_list = tail.contains([',', '&']) || tail.contains(" and ");
    let is_place = place(tail).is_some() || keys::is_listed_city(tail);
    !is_list && !is_place && has_own_word(tail)
}

/// Whether something is left that says which company it is.
fn has_own_word(name: &str) -> bool {
    let folded = text::fold(name);
    let mut words = folded.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word.len() > 1 && !company::is_common_word(word))
}

/// `bayer marketing dept.`: without a sign only that word tells that it is one.
fn before_dept(text: &str) -> Option<&str> {
    if !text.ends_with(" dept") && !text.ends_with(" dept.") {
        return None;
    }
    let cuts = text.rmatch_indices(' ').take(MOST_OF_A_DEPARTMENT);
    let parted = cuts.filter_map(|(at, _)| Some((text.get(..at)?, text.get(at + 1..)?)));
    parted
        .filter(|(before, tail)| is_department(tail) && !before.ends_with('&'))
        .map(|(before, _)| before)
        .last()
}

/// What stands before a place behind a spaced dash, and the place: `acme - milano`.
fn at_place(text: &str) -> (&str, Option<String>) {
    let parted = DASHES.iter().find_map(|dash| text.rsplit_once(dash));
    let place = |tail: &str| match place(tail) {
        Some(country) => Some(country.full_name.to_owned()),
        None => keys::is_listed_city(tail).then(|| keys::city_key(tail)),
    };
    let parted = parted.and_then(|(before, tail)| Some((before, place(trim(tail))?)));
    match parted {
        Some((before, place)) if !text::is_blank(trim(before)) => (before, Some(place)),
        _ => (text, None),
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == ':' || SEPARATORS.contains(&c))
}

#[cfg(test)]
mod tests {
    use super::Asides;

    type Taken = Option<(String, Vec<String>, Vec<String>)>;

    fn taken(name: &str) -> Taken {
        Asides::of(name).map(|asides| (asides.name, asides.others, asides.remarks))
    }

    fn told(name: &str, others: &[&str], remarks: &[&str]) -> Taken {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Some((name.to_owned(), own(others), own(remarks)))
    }

    #[test]
    fn a_department_or_a_place_behind_a_dash_stands_beside_a_name() {
        for (name, wanted) in [
            ("Acme - Sales", told("acme", &[], &[])),
            ("Acme, IT Department", told("acme", &[], &[])),
            ("Acme / HR", told("acme", &[], &[])),
            ("Acme - Group HR", told("acme", &[], &[])),
            ("R&D, Acme", told("acme", &[], &[])),
            ("Global Technology, Acme", told("acme", &[], &[])),
            ("Acme Marketing Dept.", told("acme", &[], &[])),
            ("Marketing Dept., Acme", told("acme", &[], &[])),
            ("Acme Digital", None),
            ("Acme - Digital", None),
            ("Technology, Media & Telecom Partners", None),
            ("Marketing, Sales and Events", None),
            ("Engineering, Inc.", None),
            ("Communications, Energy and Paperworkers Union", None),
            ("Global Security, Investigations & Protection", None),
            ("Fire & Security Dept", None),
            (
                "Global Technology - India",
                told("global technology", &[], &["india"]),
            ),
            ("Texas Police Dept", None),
            ("Acme - HQ", told("acme", &[], &[])),
            ("Vape HQ", None),
            ("Post-it", None),
            ("Euro-Finance", None),
            ("Acme - Milano", told("acme", &[], &["milan"])),
            ("Acme - Germany", told("acme", &[], &["germany"])),
            ("Coca-Cola - Femsa", None),
            ("Rolls-Royce", None),
            ("Milan Sales", None),
        ] {
            assert_eq!(taken(name), wanted, "{name}");
        }
    }

    #[test]
    fn what_stands_in_brackets_is_a_remark_or_another_name() {
        for (name, wanted) in [
            ("Acme (Germany)", told("acme", &[], &["germany"])),
            ("Acme [HQ]", told("acme", &[], &[])),
            ("Acme (UK) Ltd", told("acme ltd", &[], &["united kingdom"])),
            ("Acme (CA)", told("acme", &[], &["ca"])),
            (
                "ATLASPORT (formerly Northwind Tools)",
                told("atlasport", &["northwind tools"], &[]),
            ),
            ("Apex Co. (now Acme)", told("acme", &["apex co."], &[])),
            (
                "Acme (f/k/a Apex, Inc.)",
                told("acme", &["apex, inc."], &[]),
            ),
            ("Acme (AG)", told("acme", &[], &["ag"])),
            ("abc(group) co", told("abc co", &[], &[])),
        ] {
            assert_eq!(taken(name), wanted, "{name}");
        }
        assert_eq!(Asides::of("Acme (CA)").unwrap().country, None);
        assert_eq!(Asides::of("Acme (Georgia)").unwrap().country, None);
        assert_eq!(Asides::of("Acme (France)").unwrap().country, Some("FR"));
    }

    #[test]
    fn another_name_and_an_office_are_known_without_brackets() {
        for (name, wanted) in [
            (
                "Acme Ltd, formerly known as Apex",
                told("acme ltd", &["apex"], &[]),
            ),
            ("Jane Roe d/b/a Acme", told("jane roe", &["acme"], &[])),
            (
                "Acme, formerly known as: (Apex)",
                told("acme", &["known as"], &["apex"]),
            ),
            // The first place at which a marker is one.
            (
                "Acme Trading Assets trading as Apex",
                told("acme trading assets", &["apex"], &[]),
            ),
            (
                "Harrow, dba-tools, dba Apex",
                told("harrow, dba-tools", &["apex"], &[]),
            ),
            ("Jane Roe, dba Acme", told("jane roe", &["acme"], &[])),
            ("Acme / ex Apex", told("acme", &["apex"], &[])),
            ("Acme | formerly Apex", told("acme", &["apex"], &[])),
            ("Acme, ex. Apex", told("acme", &["apex"], &[])),
            (
                "Apex Co., now known as Acme",
                told("acme", &["apex co."], &[]),
            ),
            ("Acme | Head Office", told("acme", &[], &[])),
            ("Acme - Head Office", told("acme", &[], &[])),
        ] {
            assert_eq!(taken(name), wanted, "{name}");
        }
    }

    #[test]
    fn whose_a_company_is_is_no_name_of_it() {
        for (name, whose) in [
            ("Acme, an Apex Company", "an apex company"),
            ("Acme (an Apex company)", "an apex company"),
            ("Acme - part of the Apex Group", "part of the apex group"),
            ("Acme | a division of Apex", "a division of apex"),
        ] {
            assert_eq!(taken(name), told("acme", &[], &[whose]), "{name}");
        }
        for name in [
            "Acme, an Apex Company, formerly Borealis",
            "Acme - an Apex Company, d/b/a Borealis",
        ] {
            let wanted = told("acme", &["borealis"], &["an apex company"]);
            assert_eq!(taken(name), wanted, "{name}");
        }
    }

    #[test]
    fn what_follows_a_marker_and_is_no_name_is_none() {
        for name in [
            "Harrow (now closed)",
            "Harrow (formerly n/a)",
            "Harrow (formerly of Boston)",
            "Harrow (was acquired by Apex)",
        ] {
            assert_eq!(taken(name), told("harrow", &[], &[]), "{name}");
        }
        let ex = taken("Harrow (ex-employees association)");
        assert_eq!(ex, told("harrow", &[], &["ex-employees association"]));
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
            "Oracle DBA Services",
            "Studio AKA London",
            "Harrow Previously Owned Cars",
            "Fed-Ex Office",
            "Model-Ex",
            "Harrow Ex Works",
            "Harrow, a company",
            "Buy Now, Pay Later",
            "Part of Me",
            "Oak Manor - Now Leasing",
            "Sky | NOW TV",
            "Rent - A - Car Company",
            "Oracle | DBA Consulting",
            "Playbuzz / EX.CO",
            "Retired, ex Apex",
            "Self-Employed / formerly Apex",
            "Smart(er)",
            "Pixel(s)",
            "Ya(hoo)!",
            "",
        ] {
            assert_eq!(taken(name), None, "{name}");
        }
    }
}
