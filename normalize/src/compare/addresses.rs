//! Street lines part by part: number, unit and street.

use super::typo;
use crate::text;

/// Words for a kind of street, and how they are written short.
const KINDS: &[(&str, &[&str])] = &[
    ("street", &["st", "str", "strasse"]),
    ("avenue", &["av", "ave", "aven"]),
    ("road", &["rd"]),
    ("drive", &["dr", "drv"]),
    ("lane", &["ln"]),
    ("court", &["ct", "crt"]),
    ("place", &["pl"]),
    ("crescent", &["cres", "cr", "crs"]),
    ("circuit", &["cct", "cir", "circle"]),
    ("close", &["cl"]),
    ("boulevard", &["blvd", "bvd", "boul"]),
    ("terrace", &["ter", "tce", "terr"]),
    ("parade", &["pde"]),
    ("highway", &["hwy"]),
    ("parkway", &["pkwy", "pky"]),
    ("square", &["sq"]),
    ("grove", &["gr", "gve"]),
    ("way", &["wy"]),
    ("trail", &["trl"]),
    ("north", &["n"]),
    ("south", &["s"]),
    ("east", &["e"]),
    ("west", &["w"]),
];
/// Words before the number of a unit.
const UNITS: &[&str] = &[
    "unit",
    "flat",
    "apt",
    "apartment",
    "suite",
    "ste",
    "room",
    "level",
    "floor",
    "no",
    "lot",
    "shop",
];

/// Longer streets are none.
const MAX_STREET: usize = 64;
/// Shorter endings of a word are no kind of a street, and shorter beginnings no street.
const MIN_ENDING: usize = 3;

/// How two street lines stand to each other; the nearer the earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressFinding {
    /// The same street and number.
    Same,
    /// The same but for a slip in the street or the number, or a number in other company.
    Near,
    /// The same street; a number stands in one of them at most.
    Street,
    /// The same street and another number, or a slip in the street and no number to compare.
    Partly,
    /// One of them has no street.
    Unknown,
    /// Another street.
    Other,
}

/// A street line read once, to be compared with many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Written-out words without kinds of streets, joined.
    street: String,
    /// Kinds of streets and directions, in order of the alphabet.
    kinds: Vec<&'static str>,
    /// Of the house.
    number: Option<String>,
}

impl Address {
    /// Reads a line in any form.
    #[must_use]
    pub fn read(line: &str) -> Self {
        let folded = text::fold(line);
        let mut read = Self {
            street: String::new(),
            kinds: Vec::new(),
            number: None,
        };
        let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
        let mut is_unit = false;
        for (at, word) in words.iter().enumerate() {
            if word.starts_with(|c: char| c.is_ascii_digit()) && !is_ordinal(word) {
                // Before the street the last number is the house's, behind it the first.
                if !is_unit && (read.number.is_none() || read.street.is_empty()) {
                    read.number = Some((*word).to_owned());
                }
                is_unit = false;
                continue;
            }
            is_unit = UNITS.contains(word);
            if let Some(kind) = kind(word).filter(|_| at > 0 && !read.street.is_empty()) {
                read.kinds.push(kind);
            } else if !is_unit && read.street.len() <= MAX_STREET {
                read.street.push_str(word);
            }
        }
        // A space that was lost or found: `coplanddrive`, `moon p lace`.
        let ending = KINDS.iter().find_map(|(kind, _)| {
            let rest = read.street.strip_suffix(kind)?;
            (kind.len() > MIN_ENDING && rest.len() >= MIN_ENDING).then_some((rest.len(), *kind))
        });
        if let Some((length, kind)) = ending.filter(|_| read.kinds.is_empty()) {
            read.street.truncate(length);
            read.kinds.push(kind);
        }
        read.kinds.sort_unstable();
        read
    }

    /// The street without number and kind, as one word; empty when there is none.
    #[must_use]
    pub fn street(&self) -> &str {
        &self.street
    }

    /// What a street line is found by: the number of the house and the street; empty when there is no street.
    #[must_use]
    pub fn key(&self) -> String {
        if self.street.is_empty() {
            return String::new();
        }
        let number = self.number.as_deref().unwrap_or("");
        format!("{number} {}", self.street)
    }

    /// How it stands to another one. Symmetric.
    #[must_use]
    pub fn beside(&self, other: &Self) -> AddressFinding {
        use AddressFinding as F;
        let (a, b) = (self.street.as_str(), other.street.as_str());
        if a.is_empty() || b.is_empty() {
            return F::Unknown;
        }
        let is_same = a == b;
        let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
        let is_near = longer <= MAX_STREET
            && (typo::is_slip(a, b)
                || shorter >= 5 && longer - shorter <= 2 && strsim::osa_distance(a, b) <= 2
                || shorter >= 6 && (a.starts_with(b) || b.starts_with(a))
                || shorter >= 8 && strsim::jaro_winkler(a, b) >= 0.92);
        if !is_same && !is_near {
            return F::Other;
        }
        // `park avenue` and `park road` are two, as are `north main` and `south main`.
        let are_kinds = !self.kinds.is_empty() && !other.kinds.is_empty();
        if are_kinds && !self.kinds.iter().any(|kind| other.kinds.contains(kind)) {
            return F::Partly;
        }
        let numbers = self.number.as_deref().zip(other.number.as_deref());
        match (numbers.map(|(a, b)| house_numbers(a, b)), is_same) {
            (Some(0), true) => F::Same,
            (Some(0), false) | (Some(1), true) => F::Near,
            (None, true) => F::Street,
            (Some(1) | None, false) | (Some(_), true) => F::Partly,
            (Some(_), false) => F::Other,
        }
    }
}

/// 0 for the same number, 1 for one with two digits turned, 2 for others.
fn house_numbers(a: &str, b: &str) -> u8 {
    let is_turned = a.len() == b.len() && {
        let differing: Vec<(u8, u8)> = a.bytes().zip(b.bytes()).filter(|(a, b)| a != b).collect();
        matches!(differing.as_slice(), [(a1, b1), (a2, b2)] if a1 == b2 && a2 == b1)
    };
    match (a == b, is_turned) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

/// `3rd`, `42nd`: the name of a street.
fn is_ordinal(word: &str) -> bool {
    ["st", "nd", "rd", "th"]
        .iter()
        .any(|ending| word.ends_with(ending))
}

fn kind(word: &str) -> Option<&'static str> {
    KINDS
        .iter()
        .find(|(long, short)| *long == word || short.contains(&word))
        .map(|(long, _)| *long)
}

#[cfg(test)]
mod tests {
    use super::{Address, AddressFinding as F};

    #[test]
    fn parts_of_addresses_stand_to_each_other() {
        for (a, b, found) in [
            ("12 Main St", "12 main street", F::Same),
            ("Main Street 12", "12 main st.", F::Same),
            ("unit 3/12 main st", "12 main street", F::Same),
            ("12 main street", "21 main street", F::Near),
            ("12 mian street", "12 main street", F::Near),
            ("main street", "12 main street", F::Street),
            ("12 main street", "340 main street", F::Partly),
            ("12 oak avenue", "12 main street", F::Other),
            ("16", "16 main street", F::Unknown),
            ("5 3rd avenue", "5 3rd ave", F::Same),
            ("11 coplanddrive", "11 copland drive", F::Same),
            ("26 moon p lace", "26 moon place", F::Same),
            ("12 Main St Apt 4", "850 Main St Apt 4", F::Partly),
            ("12 Main St Apt 4", "12 Main St", F::Same),
            ("4/12 Main St", "12 Main St", F::Same),
            ("12 Park Avenue", "12 Park Road", F::Partly),
            ("100 Main St N", "100 Main St S", F::Same),
            ("12 main street", "14 main street", F::Partly),
            ("12 avenue road", "12 avenue rd", F::Same),
        ] {
            assert_eq!(Address::read(a).beside(&Address::read(b)), found, "{a} {b}");
            assert_eq!(Address::read(b).beside(&Address::read(a)), found, "{b} {a}");
        }
    }
}
