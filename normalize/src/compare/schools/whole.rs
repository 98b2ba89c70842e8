//! The school of which a name tells a part: `nyu stern school of business`, `saïd business school, university of oxford`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::words::WORDS;
use super::{FACULTIES, MAX_LETTERS, MIN_LETTERS, SchoolWords, UNIVERSITY};
use crate::compare::OrganisationFinding;
use crate::other_names::{self, Bearer, Line};
use crate::{country, keys, state, text};

/// Kinds of what is a part of a school.
const PARTS: &[&str] = &["college", "department", "faculty", "school"];
/// Schools of these are no part of a university.
const OF_CHILDREN: &[&str] = &["elementary", "grammar", "high", "primary", "secondary"];
/// Longer names are not looked through.
const MOST_WORDS: usize = 16;

/// The lines of the table of the schools of which those of each line are a part, since one of their names says so: `harvard university graduate
/// school of business administration`.
static WHOLES: LazyLock<Vec<Vec<Line>>> = LazyLock::new(|| {
    let of_line = |names: Vec<&str>| {
        let wholes = names.into_iter().filter_map(whole_of);
        let wholes: HashSet<Line> = wholes
            .filter(|whole| !whole.is_letters)
            .flat_map(|whole| lines_of(&whole.name))
            .collect();
        wholes.into_iter().collect()
    };
    other_names::SCHOOLS.names().map(of_line).collect()
});

/// First letters by which the table knows schools, folded: `nyu`.
static LETTERS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let names = other_names::SCHOOLS.names().flatten();
    let is_letters = |name: &&str| {
        (MIN_LETTERS..=MAX_LETTERS).contains(&name.len())
            && name.chars().all(|letter| letter.is_ascii_uppercase())
    };
    names.filter(is_letters).map(text::fold).collect()
});

fn lines_of(school: &str) -> impl Iterator<Item = Line> + use<> {
    let key = keys::school_name_key(school);
    let bearers = other_names::bearers_of_school(&key, SchoolWords::of(school).as_ref());
    bearers.iter().map(|bearer| bearer.line)
}

/// The schools of which one is a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compare) struct Wholes {
    /// Of the one that its name tells.
    key: Option<String>,
    /// In the table of names.
    lines: Vec<Line>,
    /// Whether these are known by first letters alone, which are others' as well.
    is_by_letters: bool,
}

/// A school that a name tells.
struct Told {
    name: String,
    is_letters: bool,
}

impl Wholes {
    /// Of a name that these schools of the table bear.
    pub(in crate::compare) fn of(name: &str, known: &[Bearer]) -> Option<Self> {
        let told = whole_of(name);
        let of_known = known
            .iter()
            .filter_map(|bearer| WHOLES.get(usize::try_from(bearer.line).ok()?))
            .flatten();
        let mut lines: Vec<Line> = of_known.copied().collect();
        // Its own names say more than letters in one of them: `usc marshall`.
        let is_by_letters = lines.is_empty() && told.as_ref().is_some_and(|told| told.is_letters);
        if lines.is_empty() {
            lines.extend(told.iter().flat_map(|told| lines_of(&told.name)));
        }
        // `nyu stern` is the same part by another name.
        lines.retain(|line| known.iter().all(|bearer| bearer.line != *line));
        lines.sort_unstable();
        lines.dedup();
        let key = told.map(|told| keys::school_name_key(&told.name));
        (key.is_some() || !lines.is_empty()).then_some(Self {
            key,
            lines,
            is_by_letters,
        })
    }

    /// How a school of this key, which these of the table bear, stands to its part.
    pub(in crate::compare) fn finding(
        &self,
        key: &str,
        known: &[Bearer],
    ) -> Option<OrganisationFinding> {
        let is_told = self.key.as_deref() == Some(key);
        let is_shared = known.iter().any(|bearer| self.lines.contains(&bearer.line));
        let is_of_one = self.lines.len() == 1 && known.len() == 1 && !self.is_by_letters;
        (is_told || is_shared).then_some(match is_shared && is_of_one {
            true => OrganisationFinding::Beside,
            false => OrganisationFinding::Letters,
        })
    }
}

/// The name of the whole school in that of a part: what stands before the part's name, or behind it.
fn whole_of(name: &str) -> Option<Told> {
    let folded = text::fold(&name.replace('&', " and "));
    let words: Vec<Word<'_>> = folded
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(Word::of)
        .collect();
    if words.len() > MOST_WORDS || !words.iter().any(|word| word.is_part) {
        return None;
    }
    let before = |at: usize| {
        let (whole, part) = words.split_at_checked(at)?;
        whole_beside(whole, part)
    };
    let behind = |at: usize| {
        let (part, whole) = words.split_at_checked(at)?;
        let is_small = |word: &&Word<'_>| matches!(word.told, "of" | "at" | "the");
        let small = whole.iter().take(2).take_while(is_small).count();
        let whole = whole.get(small..).filter(|whole| whole.len() > 1)?;
        whole_beside(whole, part)
    };
    (1..words.len())
        .rev()
        .find_map(before)
        .or_else(|| (1..words.len()).find_map(behind))
}

/// A word, and what it says in any language.
struct Word<'a> {
    told: &'a str,
    is_part: bool,
    /// `university college` is a kind of its own.
    is_college: bool,
    is_faculty: bool,
    is_university: bool,
}

impl<'a> Word<'a> {
    fn of(told: &'a str) -> Self {
        let english = WORDS.get(told).copied();
        let says = |wanted: &[&str]| {
            wanted.contains(&told) || english.is_some_and(|english| wanted.contains(&english))
        };
        Self {
            told,
            is_part: says(PARTS),
            is_college: says(&["college"]),
            is_faculty: says(FACULTIES),
            is_university: says(&[UNIVERSITY]),
        }
    }
}

/// The name of the whole school where the other words name a part of it, and the table knows it. One word alone is a place more often: of
/// `leeds law school` and `leeds business school` neither is the University of Leeds'.
fn whole_beside(whole: &[Word<'_>], part: &[Word<'_>]) -> Option<Told> {
    let any = |words: &[Word<'_>], says: fn(&Word<'_>) -> bool| words.iter().any(says);
    let is_university: fn(&Word<'_>) -> bool = |word| word.is_university;
    let is_part = any(part, |word| word.is_part)
        && (any(part, |word| word.is_faculty)
            || any(whole, is_university) && any(part, |word| word.is_part && !word.is_college))
        && !any(part, is_university)
        && !any(part, |word| OF_CHILDREN.contains(&word.told));
    if !is_part {
        return None;
    }
    let told: Vec<&str> = whole.iter().map(|word| word.told).collect();
    let name = told.join(" ");
    let is_whole = match whole {
        [one] => LETTERS.contains(one.told),
        _ => country::clean(&name).is_err() && state::clean(&name, Some("US")).is_err(),
    };
    let is_letters = whole.len() == 1;
    (is_whole && lines_of(&name).next().is_some()).then_some(Told { name, is_letters })
}

#[cfg(test)]
mod tests {
    use crate::compare::{OrganisationFinding as Found, schools};

    #[test]
    fn who_was_at_a_part_of_a_school_was_at_the_school() {
        for (part, whole) in [
            ("Harvard Business School", "Harvard University"),
            ("NYU Stern School of Business", "New York University"),
            (
                "Saïd Business School, University of Oxford",
                "Oxford University",
            ),
            (
                "USC Marshall School of Business",
                "University of Southern California",
            ),
            (
                "The University of Texas at Austin - McCombs School of Business",
                "UT Austin",
            ),
            ("The Wharton School", "University of Pennsylvania"),
            (
                "WiSo-Fakultät, Universität zu Köln",
                "University of Cologne",
            ),
        ] {
            assert!(schools(part, whole) >= Found::Beside, "{part} {whole}");
            assert_eq!(schools(part, whole), schools(whole, part));
        }
        // First letters are others' as well.
        for (part, other) in [
            (
                "UCT Graduate School of Business",
                "Universidad Católica de Temuco",
            ),
            ("OsloMet", "University of Oslo"),
            (
                "University of Newcastle (Australia)",
                "Newcastle University",
            ),
        ] {
            assert!(schools(part, other) <= Found::Letters, "{part} {other}");
        }
        for (a, b) in [
            ("London Business School", "University of London"),
            ("Harvard Business School", "Stanford University"),
            ("Harvard Law School", "Harvard Medical School"),
            ("Boston College High School", "Boston College"),
            ("Leeds Law School", "University of Leeds"),
            ("Oxford Business School", "University of Oxford"),
            ("Georgia School of Business", "University of Georgia"),
        ] {
            assert!(schools(a, b) < Found::Letters, "{a} {b}");
        }
    }
}
