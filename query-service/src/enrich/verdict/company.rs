//! Levels of companies.

use events_schema::record::Confidence;

use super::{Hits, Shared, metadata};
use crate::enrich::company::CompanyClue;
use crate::enrich::compared::Compared;
use crate::enrich::finding::{Finding, How, Verdict};
use crate::enrich::memo::Memo;
use crate::enrich::probe::{MAX_RELATIVES, Probe};
use crate::enrich::{Basis, Candidate, LevelBy, MatchType, Scored};

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
    let owners = Shared::count(clues.len(), &found, |at, candidate| {
        clues
            .get(at)
            .is_some_and(|clue| clue.is_owners(&candidate.doc))
    });
    let memo = Memo::default();
    let mut judged: Vec<Judged> = found
        .into_iter()
        .map(|candidate| Judged::new(clues, probes, candidate, &memo))
        .collect();
    let crowd = begin_alike(probes, &judged);
    let relatives = judged
        .iter()
        .filter(|one| one.is_relative)
        .count()
        .max(crowd);
    let longer = judged.iter().filter(|one| one.is_longer).count().max(crowd);
    for one in &mut judged {
        // Of so many that begin alike others may be as near.
        if crowd > 0 && one.name == Some(How::Near) && one.is_by_parts(probes) {
            one.name = None;
        }
        one.carry(clues, if one.is_longer { longer } else { relatives });
    }
    let namesakes = Namesakes::count(&judged);
    let score = |judged: Judged| {
        let hits = Hits {
            probes,
            candidate: &judged.candidate,
        };
        let identified = identified(clues, &hits, &shared, &owners);
        let named = namesakes.level(&judged);
        let basis = match identified {
            Some((clue, level)) if Some(level) >= named => Basis::Identifier(clue, level),
            _ => Basis::Name(named?),
        };
        let in_context = || {
            let pairs = clues.iter().zip(&judged.hows);
            pairs
                .filter(|(clue, _)| clue.is_context())
                .any(|(_, how)| how.verdict() == Verdict::Agrees)
        };
        let match_type = if identified.is_none() && in_context() {
            MatchType::Composite
        } else {
            MatchType::Exact
        };
        let verdicts = clues.iter().zip(&judged.hows).map(|(clue, how)| {
            let is_carried = judged.is_carried && matches!(clue, CompanyClue::Name(_));
            let verdict = if is_carried {
                Verdict::Agrees
            } else {
                how.verdict()
            };
            (clue.field(), verdict)
        });
        let metadata = metadata(basis.level(), match_type, verdicts)?;
        Some(Scored {
            candidate: judged.candidate,
            metadata,
            basis,
            level_by: match basis {
                Basis::Identifier(..) => LevelBy::Identifier,
                Basis::Name(_) => LevelBy::Name,
            },
            bits: Vec::new(),
            probability: None,
            is_one_of_several: false,
        })
    };
    judged.into_iter().filter_map(score).collect()
}

/// How a record stands to every clue. `is_hit` says whether a key of a clue, by its index, led to the record.
pub(in crate::enrich) fn findings<'a>(
    clues: &[CompanyClue],
    doc: &'a Compared,
    is_hit: impl Fn(usize) -> bool,
    memo: &Memo,
) -> Vec<Finding<'a>> {
    let clues = clues.iter().enumerate();
    clues
        .map(|(at, clue)| clue.compare(doc, is_hit(at), memo.of(at)))
        .collect()
}

/// How many names begin alike, where that is so many that not all were read; one of the others may be meant.
fn begin_alike(probes: &[Probe], judged: &[Judged]) -> usize {
    let counts = probes
        .iter()
        .enumerate()
        .filter(|(_, probe)| probe.is_of_heads());
    let counts = counts.map(|(at, _)| {
        let led = |one: &&Judged| one.candidate.hits.iter().any(|hit| hit.probe == at);
        judged.iter().filter(led).count()
    });
    counts
        .filter(|count| *count >= MAX_RELATIVES as usize)
        .max()
        .unwrap_or(0)
}

/// A candidate with what each input says about it.
struct Judged {
    candidate: Candidate,
    hows: Vec<How>,
    /// How its name agrees, if it does.
    name: Option<How>,
    /// Whether that is so by something else than the name.
    is_carried: bool,
    /// Whether that is the place alone.
    is_placed: bool,
    /// Called by a part of the name that is asked for, or by more.
    is_relative: bool,
    /// Called by all of the name that is asked for, and more.
    is_longer: bool,
    /// The same, or by several words of the name that say which company it is: both mean it where no other company is called so.
    is_sure: bool,
}

impl Judged {
    fn new(clues: &[CompanyClue], probes: &[Probe], candidate: Candidate, memo: &Memo) -> Self {
        let hits = Hits {
            probes,
            candidate: &candidate,
        };
        let found = findings(clues, &candidate.doc, |at| hits.best(at).is_some(), memo);
        let hows: Vec<How> = found.iter().map(|finding| finding.how).collect();
        let mut led = candidate.hits.iter().map(|hit| probes.get(hit.probe));
        let is_relative =
            led.any(|probe| probe.is_some_and(|probe| probe.is_of_word() && !probe.is_of_heads()));
        let name = name_of(clues, &hows);
        let is_of_words = matches!(name, Some(How::Kind | How::Word));
        let any = |holds: fn(&CompanyClue, &Compared) -> bool| {
            is_of_words && clues.iter().any(|clue| holds(clue, &candidate.doc))
        };
        let is_longer = any(CompanyClue::begins);
        Self {
            is_longer,
            is_sure: is_longer || any(CompanyClue::goes_beyond),
            is_relative: is_relative || is_of_words,
            is_carried: false,
            is_placed: false,
            name: name.filter(|how| how.verdict() == Verdict::Agrees && *how != How::Initial),
            hows,
            candidate,
        }
    }

    /// A name that is asked for by its first words agrees where this is the only company whose name goes on after them. So does
    /// one with words more than the record's several. With words more than its only one, or with a slip in it, the place has to carry
    /// it: a sister or a stranger is likelier (docs/QUALITY.md, "Listed companies"). So it is with first letters, which are those of
    /// many names. Where so many are called so that not all were looked at, nothing carries it.
    fn carry(&mut self, clues: &[CompanyClue], relatives: usize) {
        let agrees = |wanted: fn(&CompanyClue) -> bool| {
            let mut pairs = clues.iter().zip(&self.hows);
            pairs.any(|(clue, how)| wanted(clue) && how.verdict() == Verdict::Agrees)
        };
        let is_placed = agrees(|clue| matches!(clue, CompanyClue::City(_)))
            || (agrees(|clue| matches!(clue, CompanyClue::State { .. }))
                && agrees(|clue| matches!(clue, CompanyClue::Industry(_))));
        let how = name_of(clues, &self.hows);
        let is_sure = self.is_sure && relatives <= 1;
        let is_carried = match how {
            Some(How::Kind | How::Word) => is_sure || is_placed,
            Some(How::Slip | How::Initial) => is_placed,
            _ => false,
        };
        if is_carried && relatives < MAX_RELATIVES as usize {
            self.name = how;
            self.is_carried = true;
            self.is_placed = !is_sure;
        }
    }

    fn is_contradicted(&self) -> bool {
        self.hows.contains(&How::Contradicts)
    }

    /// Without this one's name no other is nearer. One that a place carries is behind all that are found by their names.
    fn distance(&self) -> Option<u32> {
        let behind = if self.is_placed {
            How::Slip.distance()
        } else {
            0
        };
        self.name.map(|how| how.distance() + behind)
    }

    /// Led to by parts of its name alone.
    fn is_by_parts(&self, probes: &[Probe]) -> bool {
        let mut led = self.candidate.hits.iter().map(|hit| probes.get(hit.probe));
        led.all(|probe| probe.is_some_and(Probe::is_of_word))
    }
}

/// The best among the identifiers that led to the record, with its level.
fn identified(
    clues: &[CompanyClue],
    hits: &Hits<'_>,
    shared: &Shared,
    owners: &Shared,
) -> Option<(usize, Confidence)> {
    let mut best: Option<(usize, Confidence)> = None;
    for (at, clue) in clues.iter().enumerate() {
        if !clue.is_identifier() || hits.best(at).is_none() {
            continue;
        }
        let level = match (clue.is_own(&hits.candidate.doc), shared.of(at)) {
            (true, 1) => Confidence::High,
            (true, _) => Confidence::Moderate,
            // The host itself is nobody's: the owner of what was registered is meant, and another part of it where there is none.
            (false, 0) if owners.of(at) == 0 || clue.is_owners(&hits.candidate.doc) => {
                Confidence::Moderate
            }
            (false, _) => continue,
        };
        if best.is_none_or(|(_, so_far)| level > so_far) {
            best = Some((at, level));
        }
    }
    best
}

/// How many companies have the name, as near as any has it. One that its other inputs do not contradict shares it with
/// its like only: a place or an industry that leaves one company makes the name unique.
struct Namesakes {
    all: usize,
    uncontradicted: usize,
    /// Distance of the nearest that is not contradicted, else of the nearest.
    nearest: Option<u32>,
}

impl Namesakes {
    fn count(judged: &[Judged]) -> Self {
        let uncontradicted = || judged.iter().filter(|one| !one.is_contradicted());
        let nearest = uncontradicted().filter_map(Judged::distance).min();
        let nearest = nearest.or_else(|| judged.iter().filter_map(Judged::distance).min());
        let is_near = |one: &&Judged| one.distance().is_some() && one.distance() <= nearest;
        Self {
            all: judged.iter().filter(is_near).count(),
            uncontradicted: uncontradicted().filter(is_near).count(),
            nearest,
        }
    }

    /// Moderate for a name that one company has, low for one that several have. A name that is only near (a slip, first
    /// letters) is low where it points to one company, and nothing where it could be several.
    fn level(&self, one: &Judged) -> Option<Confidence> {
        let name = one.name?;
        if one.distance() > self.nearest {
            return None;
        }
        let sharing = if one.is_contradicted() {
            self.all
        } else {
            self.uncontradicted
        };
        let is_near = matches!(
            name,
            How::Near | How::OtherName | How::Initial | How::Kind | How::Word | How::Slip
        );
        match (sharing, is_near) {
            (0 | 1, true) => Some(Confidence::Low),
            (_, true) => None,
            (0 | 1, false) => Some(Confidence::Moderate),
            (_, false) => Some(Confidence::Low),
        }
    }
}

fn name_of(clues: &[CompanyClue], hows: &[How]) -> Option<How> {
    let mut pairs = clues.iter().zip(hows);
    let named = pairs.find(|(clue, _)| matches!(clue, CompanyClue::Name(_)));
    named.map(|(_, how)| *how)
}
