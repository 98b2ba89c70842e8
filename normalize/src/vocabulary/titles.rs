//! Level and function of a job, from what a source gives or from the title.

use std::sync::LazyLock;

use super::phrases::Phrases;
use super::{JOB_FUNCTIONS, Mapped, SENIORITY_LEVELS};
use crate::title;

static LEVEL_WORDS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::of(
        SENIORITY_LEVELS,
        include_str!("../../tables/seniority_levels.tsv"),
    )
});
static FUNCTION_WORDS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::of(
        JOB_FUNCTIONS,
        include_str!("../../tables/job_functions.tsv"),
    )
});

/// Functions that say nothing where the title says more.
const GENERAL: [&str; 4] = ["executive", "management", "other", "general management"];

/// A level given by a source, or the level of a job title; of several words of a title the highest level counts.
#[must_use]
pub fn seniority_level(given: &str) -> Mapped {
    if let Some(level) = LEVEL_WORDS.whole(given) {
        return Mapped::known(level);
    }
    let higher = |new, old| rank(new) > rank(old);
    // Each role of `executive vice president and cfo` has its own level.
    written_out(given)
        .replace(" and ", ",")
        .split([',', '/', '&', ';', '|'])
        .filter_map(|role| LEVEL_WORDS.best(role, higher))
        .max_by_key(|level| rank(level))
        .map_or_else(|| Mapped::kept(given), Mapped::known)
}

/// A function given by a source, or the function of a job title.
#[must_use]
pub fn job_function(given: &str) -> Mapped {
    FUNCTION_WORDS
        .whole(given)
        .or_else(|| FUNCTION_WORDS.longest(&written_out(given)))
        .map_or_else(|| Mapped::kept(given), Mapped::known)
}

/// The function by what a source gives, and by the title where that is only general (`executive`).
#[must_use]
pub fn job_function_of(given: Option<&str>, title: Option<&str>) -> Option<Mapped> {
    let general = given.is_none_or(|given| GENERAL.contains(&given.trim().to_lowercase().as_str()));
    let by_title = title.map(job_function).filter(|mapped| mapped.known);
    match given {
        Some(given) if !general => Some(job_function(given)),
        Some(given) => by_title.or_else(|| Some(job_function(given))),
        None => by_title,
    }
}

fn rank(level: &str) -> Option<usize> {
    SENIORITY_LEVELS.iter().position(|value| *value == level)
}

fn written_out(text: &str) -> String {
    title::clean(text).unwrap_or_default()
}
