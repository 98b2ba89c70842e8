//! A company's, school's or place's name as others write it.

use super::dice::Dice;
use super::names;

const FORMS: &[&str] = &[
    " Inc.",
    ", Inc",
    " LLC",
    " Ltd.",
    " GmbH",
    " S.A.",
    " Corp.",
    " PLC",
    " Co., Ltd.",
    " AG",
];
/// Closing words that many leave out.
const TAILS: &[&str] = &[
    " group",
    " holdings",
    " holding",
    " international",
    " corporation",
    " company",
];
/// Places under another language's name.
const PLACES: &[(&str, &str)] = &[
    ("munich", "München"),
    ("cologne", "Köln"),
    ("vienna", "Wien"),
    ("rome", "Roma"),
    ("milan", "Milano"),
    ("turin", "Torino"),
    ("florence", "Firenze"),
    ("naples", "Napoli"),
    ("lisbon", "Lisboa"),
    ("seville", "Sevilla"),
    ("warsaw", "Warszawa"),
    ("prague", "Praha"),
    ("brussels", "Bruxelles"),
    ("geneva", "Genève"),
    ("zurich", "Zürich"),
    ("the hague", "Den Haag"),
    ("copenhagen", "København"),
    ("gothenburg", "Göteborg"),
    ("mexico city", "Ciudad de México"),
    ("athens", "Athina"),
    ("bucharest", "București"),
    ("moscow", "Moskva"),
    ("nuremberg", "Nürnberg"),
    ("antwerp", "Antwerpen"),
    ("genoa", "Genova"),
    ("venice", "Venezia"),
    ("krakow", "Kraków"),
    ("bengaluru", "Bangalore"),
    ("mumbai", "Bombay"),
    ("kyiv", "Kiev"),
    ("new york", "New York City"),
    ("saint petersburg", "St. Petersburg"),
    ("saint paul", "St Paul"),
    ("saint louis", "St. Louis"),
];

/// A company's name or domain, and what was done to it.
pub(crate) fn company(name: &str, domain: Option<&str>, dice: &mut Dice) -> (String, &'static str) {
    let words: Vec<&str> = name.split_whitespace().collect();
    let (spoilt, how) = match dice.below(17) {
        0 | 1 => (Some(name.to_owned()), "as it is"),
        2 => (domain.map(str::to_owned), "domain"),
        3 => (
            domain.map(|domain| format!("https://www.{domain}/about")),
            "website",
        ),
        4 => (Some(name.to_uppercase()), "capitals"),
        5 | 6 => (
            dice.of(FORMS).map(|form| format!("{name}{form}")),
            "another legal form",
        ),
        7 => (
            Some(format!("The {name}")).filter(|_| words.first() != Some(&"the")),
            "the",
        ),
        8 => (and(name), "and"),
        9 => (tail(name, dice), "closing word"),
        10 => (acronym(&words), "acronym"),
        11 => (
            domain
                .and_then(|domain| domain.split('.').next())
                .filter(|label| is_of(label, name))
                .map(str::to_owned),
            "label of the domain",
        ),
        12 => (names::slipped(name, dice), "a wrong letter"),
        13 => (names::transposed(name, dice), "two letters turned"),
        14 => (
            Some(name.replace(['-', '.', ','], " ")).filter(|spoilt| spoilt != name),
            "punctuation lost",
        ),
        15 => (
            matches!(words.len(), 2 | 3)
                .then(|| words.concat())
                .filter(|_| !words.contains(&"of")),
            "spaces lost",
        ),
        _ => (
            Some(name.replace("united states", "US")).filter(|spoilt| spoilt != name),
            "US",
        ),
    };
    match spoilt {
        Some(spoilt) => (spoilt, how),
        None => (name.to_owned(), "as it is"),
    }
}

/// A label begins as the name does; `house` of `house.mo.gov` is nobody's name.
fn is_of(label: &str, name: &str) -> bool {
    let start = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .take(4)
            .collect()
    };
    label.len() > 3 && start(label) == start(name)
}

fn and(name: &str) -> Option<String> {
    if name.contains(" & ") {
        Some(name.replace(" & ", " and "))
    } else {
        name.contains(" and ").then(|| name.replace(" and ", " & "))
    }
}

fn tail(name: &str, dice: &mut Dice) -> Option<String> {
    let bare = TAILS.iter().find_map(|tail| name.strip_suffix(tail));
    match bare {
        Some(bare) => Some(bare.to_owned()),
        None => dice
            .of(&[" Group", " Holdings", " International"])
            .map(|tail| format!("{name}{tail}")),
    }
}

/// The first letters of three words or more.
fn acronym(words: &[&str]) -> Option<String> {
    let counted = words
        .iter()
        .filter(|word| !matches!(**word, "of" | "the" | "and" | "&" | "for" | "de"));
    let letters: String = counted.filter_map(|word| word.chars().next()).collect();
    (letters.chars().count() > 2).then(|| letters.to_uppercase())
}

/// A school's name or domain.
pub(crate) fn school(name: &str, domain: Option<&str>, dice: &mut Dice) -> (String, &'static str) {
    let words: Vec<&str> = name.split_whitespace().collect();
    let (spoilt, how) = match dice.below(9) {
        0 => (
            domain.map(|domain| format!("http://www.{domain}")),
            "website",
        ),
        1 => (Some(name.to_uppercase()), "capitals"),
        2 => (acronym(&words), "acronym"),
        3 => (
            Some(name.replace("university", "univ.")).filter(|spoilt| spoilt != name),
            "abbreviated",
        ),
        4 => (Some(format!("The {name}")), "the"),
        5 => (names::slipped(name, dice), "a wrong letter"),
        6 => (
            name.strip_prefix("university of ")
                .map(|place| format!("{place} university")),
            "turned",
        ),
        7 => (
            Some(name.replace("saint ", "st. ")).filter(|spoilt| spoilt != name),
            "saint",
        ),
        _ => (Some(name.to_owned()), "as it is"),
    };
    match spoilt {
        Some(spoilt) => (spoilt, how),
        None => (name.to_owned(), "as it is"),
    }
}

/// A city.
pub(crate) fn city(name: &str, dice: &mut Dice) -> (String, &'static str) {
    let abroad = PLACES.iter().find(|(english, _)| *english == name);
    match (abroad, dice.below(3)) {
        (Some((_, local)), 0 | 1) => ((*local).to_owned(), "in another language"),
        (_, 2) => (name.to_uppercase(), "capitals"),
        _ => (name.to_owned(), "as it is"),
    }
}
