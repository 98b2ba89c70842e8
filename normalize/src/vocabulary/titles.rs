//! Level and function of a job, from what a source gives or from the title.
//!
//! A title names one role or several (`founder and chief executive officer`). A role is read in two steps: which field
//! is it in, which rank has it. The longest run of words that a table knows decides; of equally long ones the last, for
//! English puts the noun at the end (`product designer` designs). What says only a rank (`director`, `assistant`)
//! counts for the function where nothing else is known.

use std::sync::LazyLock;

use super::phrases::Phrases;
use super::{JOB_FUNCTIONS, Mapped, SENIORITY_LEVELS};
use crate::title;

macro_rules! phrases {
    ($name:ident, $list:expr, $file:literal) => {
        static $name: LazyLock<Phrases> =
            LazyLock::new(|| Phrases::of($list, include_str!(concat!("../../tables/", $file))));
    };
}

phrases!(LEVELS, SENIORITY_LEVELS, "seniority_levels.tsv");
phrases!(MODIFIERS, &[], "seniority_levels_modifiers.tsv");
phrases!(FIELDS, JOB_FUNCTIONS, "job_functions.tsv");
phrases!(RANKS, &[], "job_functions_of_ranks.tsv");

/// Functions that say nothing where the title says more.
const GENERAL: [&str; 4] = ["executive", "management", "other", "general management"];
/// A phrase of so many words is looked for across the roles of a title: `research and development`.
const ACROSS_ROLES: usize = 3;

/// A level given by a source, or the level of a job title; of several roles the highest level counts.
#[must_use]
pub fn seniority_level(given: &str) -> Mapped {
    if let Some(level) = LEVELS.whole(given).or_else(|| MODIFIERS.whole(given)) {
        return Mapped::known(level);
    }
    let title = written_out(given);
    roles(&title)
        .filter_map(level_of_role)
        .max_by_key(|level| rank(level))
        .map_or_else(|| Mapped::kept(given), Mapped::known)
}

/// A function given by a source, or the function of a job title.
#[must_use]
pub fn job_function(given: &str) -> Mapped {
    FIELDS
        .whole(given)
        .or_else(|| RANKS.whole(given))
        .or_else(|| function_of_title(&written_out(given)))
        .map_or_else(|| Mapped::kept(given), Mapped::known)
}

/// The function by what a source gives, and by the title where that is only general (`executive`).
#[must_use]
pub fn job_function_of(given: Option<&str>, title: Option<&str>) -> Option<Mapped> {
    let general = given.is_none_or(|given| GENERAL.contains(&given.trim().to_lowercase().as_str()));
    let by_title = || title.map(job_function).filter(|mapped| mapped.known);
    match given {
        Some(given) if !general => {
            let mapped = job_function(given);
            // A wording that no table knows is worth less than a title that one does.
            Some(if mapped.known {
                mapped
            } else {
                by_title().unwrap_or(mapped)
            })
        }
        Some(given) => by_title().or_else(|| Some(job_function(given))),
        None => by_title(),
    }
}

fn function_of_title(title: &str) -> Option<&'static str> {
    let (words, across) = FIELDS.longest(title).unzip();
    if words.is_some_and(|words| words >= ACROSS_ROLES) {
        return across;
    }
    field(title).or_else(|| roles(title).find_map(|role| Some(RANKS.longest(role)?.1)))
}

/// The field of the first role that has one; of `head of product design` what stands after the first `of` only where
/// nothing before it is a field.
fn field(title: &str) -> Option<&'static str> {
    roles(title)
        .flat_map(|role| role.split(" of "))
        .find_map(|piece| Some(FIELDS.longest(piece)?.1))
}

/// The rank that a role's noun has, lowered or raised by what stands beside it.
fn level_of_role(role: &str) -> Option<&'static str> {
    // `assistant to the president` is no president.
    let role = role.split(" to ").next().unwrap_or(role);
    let higher = |new, old| rank(new) > rank(old);
    let modifiers = || MODIFIERS.every(role);
    let base = match LEVELS.best(role, higher) {
        Some(level) => level,
        // Who is in a field and has no rank works in it.
        None if FIELDS.longest(role).is_some() => "mid",
        None => return modifiers().min_by_key(|level| rank(level)),
    };
    if rank(base) >= rank("manager") {
        return Some(base);
    }
    let lowest = modifiers().min_by_key(|level| rank(level));
    Some(lowest.unwrap_or(base))
}

/// The roles of a title that is written out.
fn roles(title: &str) -> impl Iterator<Item = &str> {
    title
        .split([',', '/', '&', ';', '|', '(', ')', '\u{2022}', '\u{b7}'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" - "))
}

fn rank(level: &str) -> Option<usize> {
    SENIORITY_LEVELS.iter().position(|value| *value == level)
}

fn written_out(text: &str) -> String {
    title::clean(text).unwrap_or_default()
}
