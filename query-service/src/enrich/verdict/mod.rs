//! How sure a match is (`docs/MATCHING.md`, "Levels"): by an identifier a level by rule, lowered by one for every input that the record
//! contradicts; by a person's name and context a probability. Below `low` there is no match.

mod company;
mod person;

use events_schema::record::Confidence;

pub use company::companies;
pub(super) use company::findings as company_findings;
pub use person::persons;

use super::finding::Verdict;
use super::probe::Probe;
use super::{Candidate, DataPoint, MatchMetadata, MatchType};

/// Lowers the level for every contradiction and lists what agrees.
fn metadata(
    base: Confidence,
    match_type: MatchType,
    verdicts: impl Iterator<Item = (&'static str, Verdict)>,
) -> Option<MatchMetadata> {
    let mut level = Some(base);
    let mut matched_on = Vec::new();
    for (field, verdict) in verdicts {
        match verdict {
            Verdict::Agrees => matched_on.push(field.to_owned()),
            Verdict::Contradicts => level = level.and_then(Confidence::lowered),
            Verdict::Unknown => {}
        }
    }
    Some(MatchMetadata {
        matched_on,
        match_type,
        match_confidence: level?,
    })
}

/// By which clues one candidate was found.
pub(super) struct Hits<'a> {
    pub(super) probes: &'a [Probe],
    pub(super) candidate: &'a Candidate,
}

impl Hits<'_> {
    /// The best data point by which the clue led here, if it did.
    pub(super) fn best(&self, clue: usize) -> Option<DataPoint> {
        let is_of_clue = |probe: usize| self.probes.get(probe).is_some_and(|p| p.clue == clue);
        let hits = self.candidate.hits.iter();
        let points = hits
            .filter(|hit| is_of_clue(hit.probe))
            .map(|hit| hit.point);
        points.max_by_key(|point| point.is_good())
    }
}

/// How many candidates each clue leads to.
struct Shared(Vec<usize>);

impl Shared {
    /// `is_led` says whether a clue, by its index, leads to a candidate.
    fn count(
        clues: usize,
        found: &[Candidate],
        is_led: impl Fn(usize, &Candidate) -> bool,
    ) -> Self {
        let count = |clue| {
            found
                .iter()
                .filter(|candidate| is_led(clue, candidate))
                .count()
        };
        Self((0..clues).map(count).collect())
    }

    fn of(&self, clue: usize) -> usize {
        self.0.get(clue).copied().unwrap_or(0)
    }
}
