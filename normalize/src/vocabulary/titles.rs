//! Level and function of a job, from what a source gives or from the title.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{JOB_FUNCTIONS, Mapped, SENIORITY_LEVELS};
use crate::{table, text};

static LEVEL_NAMES: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| table::pairs(include_str!("../../tables/seniority_levels.tsv")));
static FUNCTION_NAMES: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| table::pairs(include_str!("../../tables/job_functions.tsv")));

/// A level given by a source, or the level of a job title.
#[must_use]
pub fn seniority_level(given: &str) -> Mapped {
    by_words(given, SENIORITY_LEVELS, &LEVEL_NAMES)
}

/// A function given by a source, or the function of a job title.
#[must_use]
pub fn job_function(given: &str) -> Mapped {
    by_words(given, JOB_FUNCTIONS, &FUNCTION_NAMES)
}

/// The whole text, else its longest run of words that a table knows.
fn by_words(given: &str, list: &[&str], names: &HashMap<&str, &str>) -> Mapped {
    let cleaned = text::clean(given);
    if list.contains(&cleaned.as_str()) {
        return Mapped::known(&cleaned);
    }
    let folded = text::fold(&cleaned.replace('&', " and "));
    let words: Vec<&str> = folded.split(' ').collect();
    let found = (1..=words.len().min(4)).rev().find_map(|length| {
        words
            .windows(length)
            .find_map(|run| names.get(run.join(" ").as_str()))
    });
    match found {
        Some(value) => Mapped::known(value),
        None => Mapped::kept(cleaned),
    }
}
