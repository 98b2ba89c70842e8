//! From the scored candidates to the answer: order, filters, ties (`docs/API.md`, "How sure a match is").

use events_schema::record::Confidence;
use serde::{Deserialize, Serialize};

use super::Scored;
use super::explain::{RunnerUp, rounded};
use super::request::Wanted;

/// At least one match.
#[derive(Debug)]
pub struct Chosen {
    /// Best first, at most the limit.
    pub matches: Vec<Scored>,
    /// Candidates before the filters.
    pub total: u64,
    /// The best candidate that is no match of the answer.
    pub runner_up: Option<RunnerUp>,
}

/// Why there is no answer; each is a reason of the 404.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Miss {
    /// No candidate agrees.
    NoMatch,
    /// This many candidates are equally good, and one was asked for.
    Ambiguous(usize),
    /// All are below `min_confidence`.
    BelowMinConfidence,
    /// No candidate holds the required fields.
    MissingRequiredFields,
}

/// From this number on, candidates that tie make an answer a guess.
const AMBIGUOUS_FROM: usize = 3;

/// Orders by level, number of agreeing inputs, and the build's default order; then filters.
///
/// `min_confidence` is applied before ties are counted, since it keeps or drops all tied candidates alike; `required_fields` is applied
/// after, since holding a field does not make a candidate the right one.
///
/// # Errors
/// The reason why nothing is left.
pub fn choose(mut scored: Vec<Scored>, wanted: &Wanted) -> Result<Chosen, Miss> {
    let probability = |one: &Scored| one.probability.unwrap_or(0.0);
    // Of several who are likely together the likelier comes first.
    let likely = |one: &Scored| {
        one.probability
            .filter(|_| one.is_one_of_several)
            .unwrap_or(0.0)
    };
    scored.sort_by(|a, b| {
        let by_level = b
            .metadata
            .match_confidence
            .cmp(&a.metadata.match_confidence);
        by_level
            .then(likely(b).total_cmp(&likely(a)))
            .then(standing(b).cmp(&standing(a)))
            .then(probability(b).total_cmp(&probability(a)))
            .then(a.candidate.rank.cmp(&b.candidate.rank))
    });
    let total = scored.len() as u64;
    let places: Vec<RunnerUp> = scored.iter().map(place).collect();
    if scored.is_empty() {
        return Err(Miss::NoMatch);
    }
    scored.retain(|one| one.metadata.match_confidence >= wanted.min_confidence);
    let Some(best) = scored.first().map(standing) else {
        return Err(Miss::BelowMinConfidence);
    };
    let several = scored.iter().filter(|one| one.is_one_of_several).count();
    if !wanted.multiple_results && several > 0 {
        return Err(Miss::Ambiguous(several));
    }
    let tied = scored.iter().filter(|one| standing(one) == best).count();
    if !wanted.multiple_results && tied >= AMBIGUOUS_FROM {
        return Err(Miss::Ambiguous(tied));
    }
    let holds = |one: &Scored| wanted.required.is_empty() || wanted.required.are_in(&one.candidate);
    let limit = usize::try_from(wanted.limit).unwrap_or(1);
    // No more documents are read than are wanted.
    let scored: Vec<Scored> = scored.into_iter().filter(holds).take(limit).collect();
    if scored.is_empty() {
        return Err(Miss::MissingRequiredFields);
    }
    let is_returned = |place: &RunnerUp| {
        let mut ids = scored.iter().map(|one| one.candidate.service_id);
        ids.any(|id| id == place.service_id)
    };
    let runner_up = places.into_iter().find(|place| !is_returned(place));
    Ok(Chosen {
        matches: scored,
        total,
        runner_up,
    })
}

fn place(one: &Scored) -> RunnerUp {
    RunnerUp {
        service_id: one.candidate.service_id,
        match_confidence: one.metadata.match_confidence,
        probability: one.probability.map(rounded),
    }
}

fn standing(one: &Scored) -> (Confidence, usize) {
    (one.metadata.match_confidence, one.metadata.matched_on.len())
}
