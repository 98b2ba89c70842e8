//! The school of which a name tells a part: `nyu stern school of business`, `saïd business school, university of oxford`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::words::WORDS;
use super::{FACULTIES, UNIVERSITY};
use crate::compare::OrganisationFinding;
use crate::other_names::{self, Line};
use crate::{country, keys, state, text};

/// Kinds of what is a part of a school.
const PARTS: &[&str] = &["college", "department", "faculty", "school"];
/// The letters of a state are first letters of schools as well.
const MAX_STATE_CODE: usize = 3;
/// Longer names are not looked through.
const MOST_WORDS: usize = 16;

/// The lines of the table of the schools of which those of each line are a part, since one of their names says so: `harvard university graduate
/// school of business administration`.
static WHOLES: LazyLock<Vec<Vec<Line>>> = LazyLock::new(|| {
    let of_line = |names: Vec<&str>| {
        let wholes: HashSet<Line> = names
            .into_iter()
            .filter_map(whole_of)
            .flat_map(|whole| other_names::school_lines(&whole).iter().copied())
            .collect();
        wholes.into_iter().collect()
    };
    other_names::SCHOOLS.names().map(of_line).collect()
});

/// The schools of which one is a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compare) struct Wholes {
    /// Of the one that its name tells.
    key: Option<String>,
    /// In the table of names.
    lines: Vec<Line>,
}

impl Wholes {
    /// Of a name that stands in these lines of the table.
    pub(in crate::compare) fn of(name: &str, known: &[Line]) -> Option<Self> {
        let told = whole_of(name);
        let of_told = told
            .iter()
            .flat_map(|whole| other_names::school_lines(whole));
        let of_known = known
            .iter()
            .filter_map(|line| WHOLES.get(usize::try_from(*line).ok()?))
            .flatten();
        let mut lines: Vec<Line> = of_told.chain(of_known).copied().collect();
        lines.sort_unstable();
        lines.dedup();
        let key = told.map(|whole| keys::school_name_key(&whole));
        (key.is_some() || !lines.is_empty()).then_some(Self { key, lines })
    }

    /// How a school of this key, in these lines of the table, stands to its part.
    pub(in crate::compare) fn finding(
        &self,
        key: &str,
        known: &[Line],
    ) -> Option<OrganisationFinding> {
        if self.key.as_deref() == Some(key) {
            return Some(OrganisationFinding::Beside);
        }
        let is_shared = self.lines.iter().any(|line| known.contains(line));
        is_shared.then_some(match (self.lines.as_slice(), known) {
            ([_], [_]) => OrganisationFinding::Beside,
            _ => OrganisationFinding::Letters,
        })
    }
}

/// The name of the whole school in that of a part: what stands before the part's name, or behind it.
fn whole_of(name: &str) -> Option<String> {
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
            is_faculty: says(FACULTIES),
            is_university: says(&[UNIVERSITY]),
        }
    }
}

/// The name of the whole school where the other words name a part of it, and the table knows it.
fn whole_beside(whole: &[Word<'_>], part: &[Word<'_>]) -> Option<String> {
    let any = |words: &[Word<'_>], says: fn(&Word<'_>) -> bool| words.iter().any(says);
    let is_university: fn(&Word<'_>) -> bool = |word| word.is_university;
    let is_part = any(part, |word| word.is_part)
        && (any(part, |word| word.is_faculty) || any(whole, is_university))
        && !any(part, is_university);
    if !is_part {
        return None;
    }
    let told: Vec<&str> = whole.iter().map(|word| word.told).collect();
    let name = told.join(" ");
    let is_place = || {
        country::clean(&name).is_ok()
            || name.len() > MAX_STATE_CODE && state::clean(&name, Some("US")).is_ok()
            || keys::is_listed_city(&name)
    };
    (!other_names::school_lines(&name).is_empty() && !is_place()).then_some(name)
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
            ("USC Marshall School of Business", "USC"),
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
            assert!(schools(part, whole) >= Found::Letters, "{part} {whole}");
            assert_eq!(schools(part, whole), schools(whole, part));
        }
        for (a, b) in [
            ("London Business School", "University of London"),
            ("Harvard Business School", "Stanford University"),
            ("Harvard Law School", "Harvard Medical School"),
            ("Boston College High School", "Boston College"),
            ("Georgia School of Business", "University of Georgia"),
        ] {
            assert!(schools(a, b) < Found::Letters, "{a} {b}");
        }
    }
}
