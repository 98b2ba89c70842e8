//! How sure a match is (contract C1): the best level that an identifier or the name with its context gives, lowered by
//! one for every input that the record contradicts. Below `low` there is no match.

use events_schema::record::Confidence;

use super::company::CompanyClue;
use super::person::{self, NameParts, PersonClue};
use super::probe::Probe;
use super::{Candidate, DataPoint, MatchMetadata, MatchType, Scored, Verdict};

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
    let shared = Shared::count(clues.len(), probes, &found);
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
    let hit = clues
        .iter()
        .enumerate()
        .filter(|(_, clue)| clue.is_identifier());
    let levels = hit.filter_map(|(at, clue)| {
        let point = hits.best(at)?;
        let by_hash = matches!(clue, PersonClue::EmailHash(_));
        Some((person_level(shared.of(at), point), by_hash))
    });
    levels.fold(None, |best, (level, by_hash)| {
        let before = best.map_or((level, by_hash), |(l, t): (Confidence, MatchType)| {
            (l.max(level), t == MatchType::Hash && by_hash)
        });
        Some((
            before.0,
            if before.1 {
                MatchType::Hash
            } else {
                MatchType::Exact
            },
        ))
    })
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

/// Scores the candidates of a company request. What does not match is left out; the order stays.
#[must_use]
pub fn companies(clues: &[CompanyClue], probes: &[Probe], found: Vec<Candidate>) -> Vec<Scored> {
    let shared = Shared::count(clues.len(), probes, &found);
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
    let levels = hit.filter_map(|(at, _)| match (hits.is_exact(at), hits.best(at)) {
        (true, _) if shared.of(at) == 1 => Some(Confidence::High),
        (true, _) => Some(Confidence::Moderate),
        // Found only by the domain above: another part of the same owner, and nothing if the host itself is known.
        (false, Some(_)) if shared.of(at) == 0 => Some(Confidence::Moderate),
        (false, _) => None,
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
struct Hits<'a> {
    probes: &'a [Probe],
    candidate: &'a Candidate,
}

impl Hits<'_> {
    fn of(&self, clue: usize) -> impl Iterator<Item = (&Probe, DataPoint)> {
        let hits = self.candidate.hits.iter();
        hits.filter_map(move |hit| {
            let probe = self
                .probes
                .get(hit.probe)
                .filter(|probe| probe.clue == clue)?;
            Some((probe, hit.point))
        })
    }

    /// The best data point by which the clue led here, if it did.
    fn best(&self, clue: usize) -> Option<DataPoint> {
        self.of(clue)
            .map(|(_, point)| point)
            .max_by_key(|point| point.is_good())
    }

    fn is_exact(&self, clue: usize) -> bool {
        self.of(clue).any(|(probe, _)| probe.exact)
    }
}

/// How many candidates each clue's own value leads to.
struct Shared(Vec<usize>);

impl Shared {
    fn count(clues: usize, probes: &[Probe], found: &[Candidate]) -> Self {
        let count = |clue| {
            found
                .iter()
                .filter(|candidate| Hits { probes, candidate }.is_exact(clue))
                .count()
        };
        Self((0..clues).map(count).collect())
    }

    fn of(&self, clue: usize) -> usize {
        self.0.get(clue).copied().unwrap_or(0)
    }
}
