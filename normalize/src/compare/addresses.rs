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
];
/// Directions, and how they are written short.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("north", &["n"]),
    ("south", &["s"]),
    ("east", &["e"]),
    ("west", &["w"]),
    ("northeast", &["ne"]),
    ("northwest", &["nw"]),
    ("southeast", &["se"]),
    ("southwest", &["sw"]),
];
/// Words before the number or letter of a unit.
const UNITS: &[&str] = &[
    "unit",
    "flat",
    "apt",
    "apartment",
    "suite",
    "ste",
    "room",
    "rm",
    "level",
    "floor",
    "fl",
    "no",
    "lot",
    "shop",
    "building",
    "bldg",
];
/// Words before `floor`, beside `3rd`.
const FLOORS: &[&str] = &["ground", "first", "second", "third", "top"];
/// Longer words are no unit, unless number and street stand before them.
const MAX_UNIT: usize = 2;
/// Parts of a line between commas, of which the first with number and street is read.
const MAX_PARTS: usize = 8;

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
    /// Kinds of streets, in order of the alphabet.
    kinds: Vec<&'static str>,
    /// Directions before or behind the street: `n oak st`.
    directions: Vec<&'static str>,
    /// Of the house.
    number: Option<String>,
}

impl Address {
    /// Reads a line in any form, also with the city behind it: what has number and street is read, and nothing behind that.
    #[must_use]
    pub fn read(line: &str) -> Self {
        // `#4` is a unit.
        let line = line.replace('#', " unit ");
        let parts: Vec<String> = line.split(',').take(MAX_PARTS).map(text::fold).collect();
        if let Some(whole) = parts
            .iter()
            .map(|part| Self::of_words(part))
            .find(Self::is_whole)
        {
            return whole;
        }
        let mut joined = String::new();
        for part in &parts {
            joined.push(' ');
            joined.push_str(part);
            let read = Self::of_words(&joined);
            if read.is_whole() {
                return read;
            }
        }
        Self::of_words(&joined)
    }

    const fn is_whole(&self) -> bool {
        self.number.is_some() && !self.street.is_empty()
    }

    /// Reads folded words.
    fn of_words(folded: &str) -> Self {
        let mut read = Self {
            street: String::new(),
            kinds: Vec::new(),
            directions: Vec::new(),
            number: None,
        };
        let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
        let mut rest = words.as_slice();
        while let [word, behind @ ..] = rest {
            let taken = read.unit(word, behind);
            if taken > 0 {
                rest = rest.get(taken..).unwrap_or_default();
                continue;
            }
            read.take(word, behind);
            rest = behind;
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

    /// How many words from this one on are a unit: `apt b`, `2nd floor`, `no`.
    fn unit(&self, word: &str, behind: &[&str]) -> usize {
        let next = behind.first().copied();
        if matches!(next, Some("floor" | "fl" | "level"))
            && (is_ordinal(word) || FLOORS.contains(&word))
        {
            return 2;
        }
        if !UNITS.contains(&word) {
            return 0;
        }
        match next {
            // `No 12 Main St`: the number of the house.
            _ if word == "no" && self.street.is_empty() => 1,
            None => 1,
            Some(next) if self.is_whole() || is_unit_number(next) => 2,
            // `Shop Street` is a street.
            Some(_) => 0,
        }
    }

    /// A word that is no unit, with those behind it.
    fn take(&mut self, word: &str, behind: &[&str]) {
        let is_behind_street = !self.street.is_empty();
        if is_number(word) {
            // Before the street the last number is the house's, behind it the first.
            if self.number.is_none() || !is_behind_street {
                self.number = Some(word.to_owned());
            }
        } else if let Some(direction) = known(DIRECTIONS, word) {
            // `North Street` is called so.
            if is_behind_street || has_street(behind) {
                self.directions.push(direction);
            } else {
                self.street.push_str(direction);
            }
        } else if let Some(kind) = known(KINDS, word).filter(|_| is_behind_street) {
            self.kinds.push(kind);
        } else if self.street.len() <= MAX_STREET {
            let is_saint = word == "st" && !is_behind_street && !behind.is_empty();
            self.street.push_str(if is_saint { "saint" } else { word });
        }
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
        // `north street` is no slip of `south street`.
        let are_directions = [a, b].map(|street| known(DIRECTIONS, street).is_some()) == [true; 2];
        if !is_same && (!is_near || are_directions) {
            return F::Other;
        }
        // `park avenue` and `park road` are two, as are `north main` and `south main`.
        if are_others(&self.kinds, &other.kinds) || are_others(&self.directions, &other.directions)
        {
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

/// Both have some, and none in common.
fn are_others(a: &[&str], b: &[&str]) -> bool {
    !a.is_empty() && !b.is_empty() && !a.iter().any(|word| b.contains(word))
}

/// Whether a street's name stands among the words behind a direction: a word that is no kind of street, or two kinds (`court street`).
fn has_street(behind: &[&str]) -> bool {
    let is_kind = |word: &&&str| known(KINDS, word).is_some();
    let here = || behind.iter().take_while(|word| !UNITS.contains(word));
    let is_name = |word: &&str| !is_number(word) && known(DIRECTIONS, word).is_none();
    here().any(|word| is_name(word) && !is_kind(&word)) || here().filter(is_kind).count() > 1
}

/// What may stand behind `apt` or `floor` before number and street are told: `4`, `b`, `12b`, `bb`.
fn is_unit_number(word: &str) -> bool {
    let is_short = word.len() <= MAX_UNIT && known(KINDS, word).is_none();
    is_number(word) || is_short || word.bytes().any(|sign| sign.is_ascii_digit())
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && !is_ordinal(word)
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

/// The long form of a word of a table.
fn known(table: &[(&'static str, &[&str])], word: &str) -> Option<&'static str> {
    table
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
            ("100 Main St N", "100 Main St S", F::Partly),
            ("100 Main St N", "100 N Main St", F::Same),
            ("100 N Oak St", "100 North Oak Street", F::Same),
            ("1600 W Main St", "1600 West Main Street", F::Same),
            ("100 N Oak St", "100 Oak St", F::Same),
            ("100 N Oak St", "100 S Oak St", F::Partly),
            ("100 NE 5th Ave", "100 Northeast 5th Avenue", F::Same),
            ("100 N St", "100 North Street", F::Same),
            ("100 North Street", "100 South Street", F::Other),
            ("100 W Court St", "100 West Court Street", F::Same),
            ("12 St James St", "12 Saint James Street", F::Same),
            ("12 St James Street", "12 James Street", F::Other),
            ("12 Avenue B", "12 Avenue B Apt 3", F::Same),
            ("12 Oak St Apt B", "12 Oak St", F::Same),
            ("12 Oak St #B", "12 Oak St Suite Blue", F::Same),
            ("12 Main St, 2nd Floor", "12 Main St", F::Same),
            ("3rd Floor, 12 Main St", "12 Main St", F::Same),
            ("Ground Floor 12 Main St", "12 Main St", F::Same),
            ("Suite 5, Building 4, 12 Main St", "12 Main St", F::Same),
            ("12 Shop Street", "12 Shop St", F::Same),
            ("12 Flat Rock Road", "12 Rock Road", F::Other),
            ("No. 12 Main St", "12 Main St", F::Same),
            ("12 Main St, Chicago, IL 60607", "12 Main St", F::Same),
            ("12, Main Street, Chicago", "Main Street, 12", F::Same),
            ("Oak House, 12 Main St, Chicago", "12 Main St", F::Same),
            ("12 main street", "14 main street", F::Partly),
            ("12 avenue road", "12 avenue rd", F::Same),
        ] {
            assert_eq!(Address::read(a).beside(&Address::read(b)), found, "{a} {b}");
            assert_eq!(Address::read(b).beside(&Address::read(a)), found, "{b} {a}");
        }
    }
}
