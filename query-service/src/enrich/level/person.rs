//! Levels of persons.

use events_schema::record::Confidence;
use normalize::compare::NameAgreement;

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
    let judged: Vec<Judged> = found
        .into_iter()
        .map(|candidate| Judged::new(clues, name, probes, candidate))
        .collect();
    // Where somebody bears the very name, the namesakes of a nickname or an initial are others.
    let nearest = judged
        .iter()
        .filter_map(|one| one.in_context)
        .map(|(agreement, _)| agreement)
        .max();
    let score = |one: Judged| {
        let hits = Hits {
            probes,
            candidate: &one.candidate,
        };
        let identified = identified(clues, &hits, &shared);
        let composed = one
            .in_context
            .filter(|(agreement, _)| Some(*agreement) == nearest);
        let base = identified
            .map(|(level, _)| level)
            .max(composed.map(|(_, level)| level))?;
        let match_type = identified.map_or(MatchType::Composite, |(_, match_type)| match_type);
        let fields = clues.iter().map(PersonClue::field);
        let metadata = metadata(base, match_type, fields.zip(one.verdicts))?;
        Some(Scored {
            candidate: one.candidate,
            metadata,
        })
    };
    judged.into_iter().filter_map(score).collect()
}

/// A candidate with what each input says about it.
struct Judged {
    candidate: Candidate,
    verdicts: Vec<Verdict>,
    /// How the name agrees, and the level that it gives with its context.
    in_context: Option<(NameAgreement, Confidence)>,
}

impl Judged {
    fn new(
        clues: &[PersonClue],
        name: Option<&NameParts>,
        probes: &[Probe],
        candidate: Candidate,
    ) -> Self {
        let hits = Hits {
            probes,
            candidate: &candidate,
        };
        let verdict = |(at, clue): (usize, &PersonClue)| {
            let is_hit = clue.is_identifier() && hits.best(at).is_some();
            clue.verdict(&candidate.doc, is_hit)
        };
        let verdicts: Vec<Verdict> = clues.iter().enumerate().map(verdict).collect();
        let agreement = name.and_then(|name| person::name_agreement(&name.full, &candidate.doc));
        let in_context = agreement
            .filter(|agreement| *agreement >= NameAgreement::Strong)
            .zip(composed(clues, &verdicts));
        Self {
            candidate,
            verdicts,
            in_context,
        }
    }
}

/// The best level among the identifiers that led to the record, and by what it was matched.
fn identified(
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

/// A name with its company and one more context: moderate. A name with any context: low.
fn composed(clues: &[PersonClue], verdicts: &[Verdict]) -> Option<Confidence> {
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
