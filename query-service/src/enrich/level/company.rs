//! Levels of companies.

use events_schema::record::Confidence;

use super::{Hits, Shared, metadata};
use crate::enrich::company::CompanyClue;
use crate::enrich::probe::Probe;
use crate::enrich::{Candidate, MatchType, Scored, Verdict};

/// Scores the candidates of a company request. What does not match is left out; the order stays.
#[must_use]
pub fn companies(clues: &[CompanyClue], probes: &[Probe], found: Vec<Candidate>) -> Vec<Scored> {
    let shared = Shared::count(clues.len(), &found, |at, candidate| {
        let is_led = Hits { probes, candidate }.best(at).is_some();
        is_led
            && clues
                .get(at)
                .is_some_and(|clue| clue.is_own(&candidate.doc))
    });
    let judge = |candidate: &Candidate| -> Vec<Verdict> {
        let hits = Hits { probes, candidate };
        let verdict = |(at, clue): (usize, &CompanyClue)| {
            clue.verdict(&candidate.doc, hits.best(at).is_some())
        };
        clues.iter().enumerate().map(verdict).collect()
    };
    let judged: Vec<(Vec<Verdict>, Candidate)> = found
        .into_iter()
        .map(|found| (judge(&found), found))
        .collect();
    let namesakes = Namesakes::count(clues, probes, &judged);
    let score = |(verdicts, candidate): (Vec<Verdict>, Candidate)| {
        let hits = Hits {
            probes,
            candidate: &candidate,
        };
        let identified = identified_company(clues, &hits, &shared);
        let named = named_company(clues, &verdicts, &hits, &namesakes);
        let base = identified.max(named)?;
        let in_context = || {
            clues
                .iter()
                .zip(&verdicts)
                .any(|(clue, v)| clue.is_context() && *v == Verdict::Agrees)
        };
        let match_type = if identified.is_none() && in_context() {
            MatchType::Composite
        } else {
            MatchType::Exact
        };
        let fields = clues.iter().map(CompanyClue::field);
        let metadata = metadata(base, match_type, fields.zip(verdicts))?;
        Some(Scored {
            candidate,
            metadata,
        })
    };
    judged.into_iter().filter_map(score).collect()
}

fn identified_company(
    clues: &[CompanyClue],
    hits: &Hits<'_>,
    shared: &Shared,
) -> Option<Confidence> {
    let hit = clues
        .iter()
        .enumerate()
        .filter(|(_, clue)| clue.is_identifier());
    let levels = hit.filter_map(|(at, clue)| {
        hits.best(at)?;
        match (clue.is_own(&hits.candidate.doc), shared.of(at)) {
            (true, 1) => Some(Confidence::High),
            // The host itself is nobody's: another part of the same owner.
            (true, _) | (false, 0) => Some(Confidence::Moderate),
            (false, _) => None,
        }
    });
    levels.max()
}

fn named_company(
    clues: &[CompanyClue],
    verdicts: &[Verdict],
    hits: &Hits<'_>,
    namesakes: &Namesakes,
) -> Option<Confidence> {
    let (at, _) = clues
        .iter()
        .enumerate()
        .find(|(_, clue)| matches!(clue, CompanyClue::Name(_)))?;
    hits.best(at)?;
    match namesakes.of(is_contradicted(verdicts)) {
        0 | 1 => Some(Confidence::Moderate),
        _ => Some(Confidence::Low),
    }
}

fn is_contradicted(verdicts: &[Verdict]) -> bool {
    verdicts.contains(&Verdict::Contradicts)
}

/// How many companies have the name. One that its other inputs do not contradict shares it with its like only: a place
/// or an industry that leaves one company makes the name unique.
struct Namesakes {
    all: usize,
    uncontradicted: usize,
}

impl Namesakes {
    fn count(
        clues: &[CompanyClue],
        probes: &[Probe],
        judged: &[(Vec<Verdict>, Candidate)],
    ) -> Self {
        let name = clues
            .iter()
            .position(|clue| matches!(clue, CompanyClue::Name(_)));
        let has_name = |candidate: &Candidate| {
            name.is_some_and(|at| Hits { probes, candidate }.best(at).is_some())
        };
        let named = || judged.iter().filter(|(_, candidate)| has_name(candidate));
        Self {
            all: named().count(),
            uncontradicted: named().filter(|(v, _)| !is_contradicted(v)).count(),
        }
    }

    const fn of(&self, is_contradicted: bool) -> usize {
        if is_contradicted {
            self.all
        } else {
            self.uncontradicted
        }
    }
}
