//! What stands beside a school's name: a part of the school, a degree, who graduated.

use super::words::WORDS;
use super::{FACULTIES, KINDS};
use crate::text;

/// What opens the name of a part of a school.
const PARTS: &[&str] = &[
    "faculty of",
    "school of",
    "department of",
    "dept of",
    "college of",
];
/// Degrees and words for graduates, which are written beside a school.
const BESIDE: &[&str] = &[
    "alumni", "alumna", "alumnus", "ba", "bachelor", "bs", "bsc", "degree", "llb", "llm", "ma",
    "master", "mba", "msc", "phd",
];
/// What parts a school from these; a dash with its spaces.
const SEPARATORS: [&str; 6] = [",", " - ", " – ", " / ", " @ ", "("];

/// A school without its faculty, a degree or `alumni` beside it: `Tokyo University, Faculty of Economics`, `BSc, Tokyo University`.
pub(in crate::compare) fn without_faculty(name: &str) -> &str {
    let cut = SEPARATORS.iter().find_map(|separator| {
        let (before, behind) = name.rsplit_once(separator)?;
        match (Beside::of(before), Beside::of(behind)) {
            (None, Some(part)) => Some(before).filter(|name| part.leaves(name)),
            (Some(part), None) => Some(behind).filter(|name| part.leaves(name)),
            _ => None,
        }
    });
    let last = || {
        let (before, last) = name.trim_end().rsplit_once(' ')?;
        last.eq_ignore_ascii_case("alumni").then_some(before)
    };
    cut.or_else(last)
        .or_else(|| behind_degree(name))
        .map_or(name, str::trim)
}

/// `M.Sc. Simon Fraser University`.
fn behind_degree(name: &str) -> Option<&str> {
    let (degree, school) = name.trim_start().split_once(' ')?;
    let letters: String = degree.chars().filter(|c| *c != '.').collect();
    let is_degree = BESIDE.contains(&text::fold(&letters).as_str());
    (is_degree && Beside::Part.leaves(school)).then_some(school)
}

/// What stands beside a school.
enum Beside {
    /// A degree, or who graduated.
    Graduate,
    /// A part of it, unless it is the school itself: `College of Engineering, Pune`.
    Part,
}

impl Beside {
    fn of(text: &str) -> Option<Self> {
        let folded = text::fold(text);
        if BESIDE.contains(&folded.as_str()) {
            return Some(Self::Graduate);
        }
        let is_part = FACULTIES.contains(&folded.as_str())
            || PARTS.iter().any(|part| folded.starts_with(part));
        is_part.then_some(Self::Part)
    }

    /// Whether a school is left without it.
    fn leaves(&self, name: &str) -> bool {
        let is_kind = |word: &str| {
            let english = WORDS.get(word).copied().unwrap_or(word);
            KINDS.contains(&english)
        };
        match self {
            Self::Graduate => true,
            Self::Part => text::fold(name).split(' ').any(is_kind),
        }
    }
}
