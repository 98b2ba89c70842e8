//! Levels of persons.

use events_schema::record::Confidence;

use super::{Hits, Shared, metadata};
use crate::enrich::finding::{Finding, How, Verdict};
use crate::enrich::person::{NameParts, PersonClue, compare_name};
use crate::enrich::probe::Probe;
use crate::enrich::{Basis, Candidate, DataPoint, Document, MatchType, Scored};

/// From this number of records on, a shared identifier tells little.
const SHARED_BY_MANY: usize = 3;
/// So many contexts beside a doubtful name make it sure enough.
const STRONG_CONTEXTS: usize = 2;

/// Scores the candidates of a person request. What does not match is left out, and unless they are asked for, those whose
/// namesake is meant; the order stays.
#[must_use]
pub fn persons(
    clues: &[PersonClue],
    name: Option<&NameParts>,
    probes: &[Probe],
    found: Vec<Candidate>,
    with_namesakes: bool,
) -> Vec<Scored> {
    let shared = Shared::count(clues.len(), &found, |clue, candidate| {
        Hits { probes, candidate }.best(clue).is_some()
    });
    let score = |candidate: Candidate| {
        let hits = Hits {
            probes,
            candidate: &candidate,
        };
        let hows: Vec<How> = findings(clues, name, &candidate.doc, |clue| {
            hits.best(clue).is_some()
        })
        .iter()
        .map(|finding| finding.how)
        .collect();
        let identified = identified(clues, &hits, &shared);
        let named = name.and_then(|_| named(clues, &hows));
        let by_name = named.map(Basis::Name);
        let basis = match identified {
            Some((clue, level, _)) if Some(level) >= named => Some(Basis::Identifier(clue, level)),
            _ => by_name,
        }?;
        let match_type = identified.map_or(MatchType::Composite, |(_, _, by)| by);
        let verdicts = clues.iter().zip(&hows).map(|(clue, how)| {
            // A slip in the name counts where its context carries it.
            let counts = *how == How::Slip && clue.is_name() && named.is_some();
            let verdict = if counts {
                Verdict::Agrees
            } else {
                how.verdict()
            };
            (clue.field(), verdict)
        });
        let metadata = metadata(basis.level(), match_type, verdicts)?;
        let rival = Rival {
            standing: (metadata.match_confidence, metadata.matched_on.len()),
            distance: hows.iter().map(|how| how.distance()).sum(),
            is_slip: hows.contains(&How::Slip),
            is_identified: identified.is_some(),
        };
        let scored = Scored {
            candidate,
            metadata,
            basis,
        };
        Some((rival, scored))
    };
    let scored: Vec<(Rival, Scored)> = found.into_iter().filter_map(score).collect();
    if with_namesakes {
        return scored.into_iter().map(|(_, scored)| scored).collect();
    }
    unrivalled(scored)
}

/// How a record stands to every clue. `is_hit` says whether a key of a clue, by its index, led to the record.
pub(in crate::enrich) fn findings<'a>(
    clues: &[PersonClue],
    name: Option<&NameParts>,
    doc: &'a Document,
    is_hit: impl Fn(usize) -> bool,
) -> Vec<Finding<'a>> {
    let whole = name
        .and_then(|name| name.read.as_ref())
        .map(|name| compare_name(name, doc));
    let find = |(at, clue): (usize, &PersonClue)| {
        clue.compare(doc, clue.is_identifier() && is_hit(at), whole.as_ref())
    };
    clues.iter().enumerate().map(find).collect()
}

/// The best among the identifiers that led to the record with its level, and by what it was matched.
fn identified(
    clues: &[PersonClue],
    hits: &Hits<'_>,
    shared: &Shared,
) -> Option<(usize, Confidence, MatchType)> {
    let mut best: Option<(usize, Confidence)> = None;
    let mut match_type = MatchType::Hash;
    for (at, clue) in clues.iter().enumerate() {
        if let Some(point) = hits.best(at).filter(|_| clue.is_identifier()) {
            let level = person_level(shared.of(at), point);
            if best.is_none_or(|(_, so_far)| level > so_far) {
                best = Some((at, level));
            }
            if !matches!(clue, PersonClue::EmailHash(_)) {
                match_type = MatchType::Exact;
            }
        }
    }
    best.map(|(clue, level)| (clue, level, match_type))
}

fn person_level(sharing: usize, point: DataPoint) -> Confidence {
    match sharing {
        SHARED_BY_MANY.. => Confidence::Low,
        2 => Confidence::Moderate,
        _ if point.is_good() => Confidence::High,
        _ => Confidence::Moderate,
    }
}

/// A name with its company and one more context: moderate. A name with any context: low. A doubtful name, an initial or
/// one with a slip, needs its company or school without doubt, or two contexts; one with a slip is low.
fn named(clues: &[PersonClue], hows: &[How]) -> Option<Confidence> {
    let of = |wanted: fn(&PersonClue) -> bool| {
        let pairs = clues.iter().zip(hows).filter(move |(clue, _)| wanted(clue));
        pairs.map(|(_, how)| *how)
    };
    let name = of(PersonClue::is_name).max()?;
    if name != How::Slip && name.verdict() != Verdict::Agrees {
        return None;
    }
    let agreeing = || of(PersonClue::is_context).filter(|how| how.verdict() == Verdict::Agrees);
    let by_company = of(|clue| matches!(clue, PersonClue::Company(_)))
        .any(|how| how.verdict() == Verdict::Agrees);
    let is_same = of(|clue| matches!(clue, PersonClue::Company(_) | PersonClue::School(_)))
        .any(|how| how == How::Same);
    let is_strong = is_same || agreeing().count() >= STRONG_CONTEXTS;
    match agreeing().count() {
        0 => None,
        _ if name.is_doubtful() && !is_strong => None,
        STRONG_CONTEXTS.. if by_company && name != How::Slip => Some(Confidence::Moderate),
        _ => Some(Confidence::Low),
    }
}

/// What tells a candidate from its namesakes.
#[derive(Clone, Copy)]
struct Rival {
    standing: (Confidence, usize),
    /// From the very values: [`How::distance`].
    distance: u32,
    is_slip: bool,
    is_identified: bool,
}

impl Rival {
    /// By their names and contexts alone, this one is meant rather than the other.
    fn beats(&self, other: &Self) -> bool {
        !other.is_identified && self.standing >= other.standing && self.distance < other.distance
    }
}

/// Where somebody bears the very name, the namesakes of a nickname or an initial are others. A slip that could be in
/// several names points to none of them.
fn unrivalled(scored: Vec<(Rival, Scored)>) -> Vec<Scored> {
    let rivals: Vec<Rival> = scored.iter().map(|(rival, _)| *rival).collect();
    let is_beaten = |one: &Rival| rivals.iter().any(|rival| rival.beats(one));
    let left: Vec<(Rival, Scored)> = scored
        .into_iter()
        .filter(|(rival, _)| !is_beaten(rival))
        .collect();
    let by_slip = |rival: &Rival| rival.is_slip && !rival.is_identified;
    let slips = left.iter().filter(|(rival, _)| by_slip(rival)).count();
    left.into_iter()
        .filter(|(rival, _)| slips < 2 || !by_slip(rival))
        .map(|(_, scored)| scored)
        .collect()
}
