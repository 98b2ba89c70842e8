//! Levels of persons.

use events_schema::record::Confidence;

use super::{Hits, Shared, metadata};
use crate::enrich::person::{self, NameParts, PersonClue};
use crate::enrich::probe::Probe;
use crate::enrich::{Candidate, DataPoint, MatchType, Scored, Verdict};

/// From this number of records on, a shared identifier tells little.
const SHARED_BY_MANY: usize = 3;

/// Scores the candidates of a person request. What does not match is left out; the order stays.
#[must_use]
pub fn persons(
    clues: &[PersonClue],
    name: Option<&NameParts>,
    probes: &[Probe],
    found: Vec<Candidate>,
) -> Vec<Scored> {
    let shared = Shared::count(clues.len(), &found, |clue, candidate| {
        Hits { probes, candidate }.best(clue).is_some()
    });
    let score = |candidate: Candidate| {
        let hits = Hits {
            probes,
            candidate: &candidate,
        };
        let verdicts: Vec<Verdict> = clues
            .iter()
            .enumerate()
            .map(|(at, clue)| {
                clue.verdict(
                    &candidate.doc,
                    clue.is_identifier() && hits.best(at).is_some(),
                )
            })
            .collect();
        let identified = identified_person(clues, &hits, &shared);
        let composed = name.and_then(|name| composed_person(clues, &verdicts, name, &candidate));
        let base = identified.map(|(level, _)| level).max(composed)?;
        let match_type = identified.map_or(MatchType::Composite, |(_, match_type)| match_type);
        let fields = clues.iter().map(PersonClue::field);
        let metadata = metadata(base, match_type, fields.zip(verdicts))?;
        Some(Scored {
            candidate,
            metadata,
        })
    };
    found.into_iter().filter_map(score).collect()
}

/// The best level among the identifiers that led to the record, and by what it was matched.
fn identified_person(
    clues: &[PersonClue],
    hits: &Hits<'_>,
    shared: &Shared,
) -> Option<(Confidence, MatchType)> {
    let mut best = None;
    let mut match_type = MatchType::Hash;
    for (at, clue) in clues
        .iter()
        .enumerate()
        .filter(|(_, clue)| clue.is_identifier())
    {
        if let Some(point) = hits.best(at) {
            best = best.max(Some(person_level(shared.of(at), point)));
            if !matches!(clue, PersonClue::EmailHash(_)) {
                match_type = MatchType::Exact;
            }
        }
    }
    best.map(|level| (level, match_type))
}

fn person_level(sharing: usize, point: DataPoint) -> Confidence {
    match sharing {
        SHARED_BY_MANY.. => Confidence::Low,
        2 => Confidence::Moderate,
        _ if point.is_good() => Confidence::High,
        _ => Confidence::Moderate,
    }
}

/// Name and company and one more context: moderate. Name and any context: low.
fn composed_person(
    clues: &[PersonClue],
    verdicts: &[Verdict],
    name: &NameParts,
    candidate: &Candidate,
) -> Option<Confidence> {
    if person::name_verdict(&name.full, &candidate.doc) != Verdict::Agrees {
        return None;
    }
    let agreeing = || {
        clues
            .iter()
            .zip(verdicts)
            .filter(|(clue, verdict)| clue.is_context() && **verdict == Verdict::Agrees)
    };
    let by_company = agreeing().any(|(clue, _)| matches!(clue, PersonClue::Company(_)));
    match agreeing().count() {
        0 => None,
        2.. if by_company => Some(Confidence::Moderate),
        _ => Some(Confidence::Low),
    }
}
