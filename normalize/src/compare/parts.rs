//! Names of persons part by part: given, middle and family name, for whoever weighs each of them.

use super::names::{Parts, PersonName};
use super::typo;
use crate::keys::sound;
use crate::name::{counterparts, families, nicknames, shares};

/// Words with fewer letters are never two slips apart.
const MIN_TWO_SLIPS: usize = 5;
/// Words with fewer letters are never a slip apart.
const MIN_SLIP: usize = 3;
/// Shorter given names have no variants, no slips, and are never two slips apart.
const MIN_VARIANT: usize = 5;
const MIN_GIVEN: usize = 5;
const MIN_TWO_SLIPS_OF_GIVEN: usize = 7;
/// Longer words are no names, and words so much longer than others no slips of theirs.
const MAX_WORD: usize = 64;
const MAX_LONGER: usize = 4;
/// From so alike on (Jaro and Winkler), long words are no farther than two slips apart.
const ALIKE: f64 = 0.9;

/// How a part of a name stands to the same part of another; the nearer the earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The same but for spelling.
    Same,
    /// A short form of a given name, another of the same name, or the same name as another ear writes it: `micheal`, `park` of `pak`.
    Form,
    /// One of several given or family names.
    Holds,
    /// A given name is an initial.
    Initial,
    /// One slip of keyboard, ear or scanner.
    Slip,
    /// Two slips.
    TwoSlips,
    /// One letter in a given name that is so short that most such are two names: `jon`, `jan`; one of them is nobody's.
    ShortSlip,
    /// Another name.
    Other,
}

/// A part of two names, folded, the words of a family name joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartFinding<'a> {
    /// How they stand to each other.
    pub how: Part,
    /// Of the one name.
    pub asked: &'a str,
    /// Of the other.
    pub known: &'a str,
}

/// How the middle names of two names stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Middle<'a> {
    /// At least one has none that counts.
    Unknown,
    /// One is the same in both.
    Same(&'a str),
    /// One stands for another by its first letter.
    Initial,
    /// Each has another.
    Other,
}

/// One way to read two names beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameFinding<'a> {
    /// None where one of the names has no given name.
    pub given: Option<PartFinding<'a>>,
    /// None where one of the names has no family name.
    pub family: Option<PartFinding<'a>>,
    /// Their middle names.
    pub middle: Middle<'a>,
    /// Whether one of them is read with the family name first.
    pub turned: bool,
    /// Whether all that one has stands beside all that the other has: both have two names, or both one, and none is left out.
    pub is_whole: bool,
    /// Whether an initial may be that of another form of the given name, or of a middle name: `b` of `robert`, `m` of `ifeoma maya`.
    pub may_be_called_so: bool,
}

impl PersonName {
    /// Every way to read this name beside a known one: in each spelling, and with the family name first.
    pub fn beside(&self, known: &Self, mut each: impl FnMut(&NameFinding<'_>)) {
        for a in self.spellings() {
            for b in known.spellings() {
                each(&beside(a, b, false));
                // A name of one word may be either.
                for turned in [a.turned(), Some(a.turned_whole())].into_iter().flatten() {
                    each(&beside(&turned, b, !a.last.is_empty()));
                }
            }
        }
    }
}

fn beside<'a>(a: &'a Parts, b: &'a Parts, turned: bool) -> NameFinding<'a> {
    let (given, family) = (given(a, b), family(a, b));
    let is_both = |part: fn(&Parts) -> bool| part(a) == part(b);
    NameFinding {
        given,
        family,
        middle: middle(a, b),
        turned,
        may_be_called_so: may_be_called(a, b) || may_be_called(b, a),
        is_whole: is_both(|name| name.first.is_empty())
            && is_both(|name| name.last.is_empty())
            && (family.is_some() || a.last.is_empty())
            && !a.left_out.iter().any(|word| !b.middle.contains(word)),
    }
}

fn may_be_called(initial: &Parts, full: &Parts) -> bool {
    let first = initial.first.as_str();
    first.len() == 1
        && (full.middle.iter().any(|middle| middle.starts_with(first))
            || nicknames::frequent_forms(&full.first)
                .iter()
                .any(|form| form.starts_with(first)))
}

fn given<'a>(a: &'a Parts, b: &'a Parts) -> Option<PartFinding<'a>> {
    let (asked, known) = (a.first.as_str(), b.first.as_str());
    if asked.is_empty() || known.is_empty() {
        return None;
    }
    let is_called = || is_called_by_middle(a, b) || is_called_by_middle(b, a);
    let how = if a.given_joined() == b.given_joined() {
        Part::Same
    } else if a.is_given_of_two(b) {
        Part::Other
    } else if asked == known {
        Part::Same
    } else if counterparts::are(asked, known) {
        if is_called() {
            Part::Holds
        } else {
            Part::Other
        }
    } else if nicknames::are_forms(asked, known) || is_variant(asked, known) {
        Part::Form
    } else if asked.len() == 1 || known.len() == 1 {
        // Also that of the name that somebody is called by.
        let is_first = asked.starts_with(known) || known.starts_with(asked);
        if is_first || is_called() {
            Part::Initial
        } else {
            Part::Other
        }
    } else if is_called() {
        Part::Holds
    } else {
        given_slips(asked, known)
    };
    Some(PartFinding { how, asked, known })
}

/// Whether the given name of the one is a middle name of the other, who has all other names of the one, too: `kyu sang yi` is no `min kyu
/// yi`.
fn is_called_by_middle(one: &Parts, other: &Parts) -> bool {
    let is_middle = |word: &String| other.middle.contains(word);
    let has = |word: &String| {
        word.len() == 1 || is_middle(word) || other.last.contains(word) || other.first == *word
    };
    is_middle(&one.first) && one.middle.iter().all(has)
}

/// One letter of a sound away, and of the same sound: `mathew` of `matthew`, not `daniela` of `daniel`.
fn is_variant(a: &str, b: &str) -> bool {
    a.len().min(b.len()) >= MIN_VARIANT
        && !is_other_ending(a, b)
        && sound(a) == sound(b)
        && strsim::osa_distance(a, b) == 1
}

/// Two names that people have, which differ by the endings of men's and women's names.
fn is_other_ending(a: &str, b: &str) -> bool {
    if shares::given(a).is_none() || shares::given(b).is_none() {
        return false;
    }
    let stem = |name: &str| name.trim_end_matches(['a', 'e', 'i', 'o', 'y']).len();
    stem(a) == stem(b) && a.get(..stem(a)) == b.get(..stem(b))
}

/// Short given names one letter apart are two names, but for two letters that are turned; most names of which no table knows are
/// somebody's, and no slip of another.
fn given_slips(a: &str, b: &str) -> Part {
    let shorter = a.len().min(b.len());
    let is_turned =
        a.len() == b.len() && strsim::osa_distance(a, b) == 1 && strsim::levenshtein(a, b) == 2;
    match slips(a, b) {
        _ if is_other_ending(a, b) => Part::Other,
        Part::Slip if shorter < MIN_GIVEN && !is_turned => {
            if shares::given(a).is_some() && shares::given(b).is_some() {
                Part::Other
            } else {
                Part::ShortSlip
            }
        }
        Part::TwoSlips if shorter < MIN_TWO_SLIPS_OF_GIVEN => Part::Other,
        how => how,
    }
}

fn family<'a>(a: &'a Parts, b: &'a Parts) -> Option<PartFinding<'a>> {
    let (asked, known) = (a.joined_last.as_str(), b.joined_last.as_str());
    if asked.is_empty() || known.is_empty() {
        return None;
    }
    // Beside an initial alone that names nobody.
    let is_middle = |word: &str, name: &Parts, of: &Parts| {
        name.first.len() > 1 && of.middle.iter().any(|middle| middle.starts_with(word))
    };
    let how = if asked == known || a.has_glued(b) {
        Part::Same
    } else if asked.len().min(known.len()) > 1 && families::are_forms(asked, known) {
        Part::Form
    } else if a.holds(b) || b.holds(a) {
        Part::Holds
    } else if asked.len().min(known.len()) == 1 {
        if asked.starts_with(known) || known.starts_with(asked) {
            Part::Initial
        } else if is_middle(asked, a, b) || is_middle(known, b, a) {
            // That of a middle name: `maya i.` names no family.
            return None;
        } else {
            Part::Other
        }
    } else {
        slips(asked, known)
    };
    Some(PartFinding { how, asked, known })
}

/// How far two different words are from each other.
fn slips(a: &str, b: &str) -> Part {
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if longer > MAX_WORD || longer - shorter > MAX_LONGER {
        return Part::Other;
    }
    let distance = strsim::osa_distance(a, b);
    if typo::is_slip(a, b) || (shorter >= MIN_SLIP && distance == 1) {
        Part::Slip
    } else if shorter >= MIN_TWO_SLIPS && (distance == 2 || strsim::jaro_winkler(a, b) >= ALIKE) {
        Part::TwoSlips
    } else {
        Part::Other
    }
}

/// Middle names that are a given name of the other side say nothing more, nor those that are its family name or stand for it: `mary o.
/// lind` was `mary okafor`.
fn middle<'a>(a: &'a Parts, b: &'a Parts) -> Middle<'a> {
    let is_family = |word: &str, of: &Parts| {
        of.last
            .iter()
            .any(|last| last == word || (word.len() == 1 && last.starts_with(word)))
    };
    let counting = |name: &'a Parts, other: &Parts| -> Vec<&'a String> {
        let is_own = name.joined_last == other.joined_last;
        let counts = |word: &&String| {
            ![&name.first, &other.first].contains(word) && (is_own || !is_family(word, other))
        };
        name.middle.iter().filter(counts).collect()
    };
    let (a, b) = (counting(a, b), counting(b, a));
    if a.is_empty() || b.is_empty() {
        return Middle::Unknown;
    }
    let pairs = || a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y)));
    let is_initial =
        |x: &str, y: &str| (x.len() == 1 || y.len() == 1) && x.chars().next() == y.chars().next();
    if let Some((same, _)) = pairs().find(|(x, y)| x == y && x.len() > 1) {
        Middle::Same(same)
    } else if pairs().any(|(x, y)| is_initial(x, y) || slips(x, y) < Part::Other) {
        Middle::Initial
    } else {
        Middle::Other
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn best(a: &str, b: &str) -> (Option<Part>, Option<Part>, bool) {
        let (a, b) = (PersonName::read(a).unwrap(), PersonName::read(b).unwrap());
        let mut found = Vec::new();
        a.beside(&b, |one| {
            let parts = [one.given, one.family].map(|part| part.map(|part| part.how));
            let far = parts
                .iter()
                .map(|how| how.map_or(3, |how| how as u32))
                .sum::<u32>();
            found.push((far + u32::from(one.turned), parts, one.turned));
        });
        let (_, [given, family], turned) = found.into_iter().min_by_key(|one| one.0).unwrap();
        (given, family, turned)
    }

    #[test]
    fn each_part_stands_to_its_like() {
        for (a, b, given, family) in [
            ("maya okafor", "Maya I. Okafor", Part::Same, Part::Same),
            ("bob okafor", "robert okafor", Part::Form, Part::Same),
            ("m okafor", "maya okafor", Part::Initial, Part::Same),
            ("m okafor", "ifeoma m okafor", Part::Initial, Part::Same),
            ("maya o", "maya okafor", Part::Same, Part::Initial),
            ("maya x", "maya i okafor", Part::Same, Part::Other),
            (
                "mathilde okafro",
                "mathilda okafor",
                Part::Other,
                Part::Slip,
            ),
            ("mathilba okafro", "mathilda okafor", Part::Slip, Part::Slip),
            ("micheal okafor", "michael okafor", Part::Form, Part::Same),
            ("soren okafor", "karen okafor", Part::Other, Part::Same),
            ("mary okafor", "mark okafor", Part::Other, Part::Same),
            ("marw okafor", "mary okafor", Part::ShortSlip, Part::Same),
            (
                "françois okafor",
                "françoise okafor",
                Part::Other,
                Part::Same,
            ),
            ("norma okafor", "norman okafor", Part::Other, Part::Same),
            ("daniell okafor", "daniel okafor", Part::Form, Part::Same),
            ("polly okafor", "paul okafor", Part::Other, Part::Same),
            ("maya garcia", "maya garcia-lopez", Part::Same, Part::Holds),
            (
                "ifeoma okafor",
                "maya ifeoma okafor",
                Part::Holds,
                Part::Same,
            ),
            ("maya okifer", "maya okafor", Part::Same, Part::TwoSlips),
            ("maya lindqvist", "maya okafor", Part::Same, Part::Other),
            ("tomas okafor", "maya okafor", Part::Other, Part::Same),
            ("jan van dijk", "jan vandijk", Part::Same, Part::Same),
            ("jin-dong lee", "jin-dong yi", Part::Same, Part::Form),
            ("natasha okafor", "natalia okafor", Part::Form, Part::Same),
            (
                "seo-hyun okafor",
                "seo jung okafor",
                Part::Other,
                Part::Same,
            ),
            ("kyu-sang okafor", "min kyu okafor", Part::Other, Part::Same),
            (
                "ana vitoria cunha",
                "lara ana cunha",
                Part::Other,
                Part::Same,
            ),
        ] {
            assert_eq!(best(a, b), (Some(given), Some(family), false), "{a} {b}");
        }
    }

    #[test]
    fn a_turned_name_is_told_and_one_word_may_be_either_part() {
        assert_eq!(
            best("okafor maya", "maya okafor"),
            (Some(Part::Same), Some(Part::Same), true)
        );
        assert_eq!(
            best("quirk-silva sharon", "sharon quirk-silva"),
            (Some(Part::Same), Some(Part::Same), true)
        );
        assert_eq!(
            best("okafor", "maya okafor"),
            (None, Some(Part::Same), false)
        );
        // No family is named.
        assert_eq!(
            best("maya i", "maya i okafor"),
            (Some(Part::Same), None, false)
        );
    }
}
