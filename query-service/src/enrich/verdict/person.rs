//! Levels of persons: by identifiers by rule, by name and context by probability.

use events_schema::record::Confidence;

use super::{Hits, Shared, metadata};
use crate::enrich::evidence::{self, Evidence, Known, Led, NameEvidence};
use crate::enrich::finding::{How, Verdict};
use crate::enrich::person::{NameParts, PersonClue};
use crate::enrich::probability::probabilities;
use crate::enrich::probe::Probe;
use crate::enrich::rarity::{Counts, Remembered};
use crate::enrich::{Basis, Candidate, DataPoint, LevelBy, MatchType, Scored};

/// From this number of records on, a shared identifier tells little.
const SHARED_BY_MANY: usize = 3;
/// From these probabilities on a match by name and context is high, moderate or low.
const HIGH: f64 = 0.999;
const MODERATE: f64 = 0.99;
const LOW: f64 = 0.90;
/// So many contexts must agree for `high`.
const CONTEXTS_OF_HIGH: usize = 2;
/// Where several are likely together, the least share of the likeliest that counts among them.
const ONE_OF_SEVERAL: f64 = 0.05;

/// Scores the candidates of a person request. What does not match is left out; the order stays.
#[must_use]
pub fn persons(
    clues: &[PersonClue],
    name: Option<&NameParts>,
    probes: &[Probe],
    found: Vec<Candidate>,
    counts: &dyn Counts,
) -> Vec<Scored> {
    let shared = Shared::count(clues.len(), &found, |clue, candidate| {
        Hits { probes, candidate }.best(clue).is_some()
    });
    let judge = Judge {
        clues,
        name,
        probes,
        shared: &shared,
        counts: Remembered::new(counts),
        known: Known::default(),
    };
    let mut judged: Vec<Judged> = found
        .into_iter()
        .map(|candidate| judge.judge(candidate))
        .collect();
    leave_to_whose_name_it_is(&mut judged);
    let bits: Vec<f64> = judged.iter().map(Judged::sum).collect();
    let probabilities = probabilities(&bits, counts.rows());
    let mut levels: Vec<Option<Named>> = judged
        .iter()
        .zip(&probabilities)
        .map(|(one, probability)| one.named(*probability))
        .collect();
    raise_only_bearer(&judged, &probabilities, &mut levels);
    let several = several(&judged, &probabilities, &levels);
    for (level, is_one) in levels.iter_mut().zip(&several) {
        if *is_one {
            *level = Some(Named {
                level: Confidence::Low,
                by: LevelBy::OneOfSeveral,
            });
        }
    }
    let all = judged
        .into_iter()
        .zip(probabilities)
        .zip(levels)
        .zip(several);
    all.filter_map(|(((one, probability), named), is_one_of_several)| {
        one.scored(clues, named, probability, is_one_of_several)
    })
    .collect()
}

/// The name says who is meant, a birth date only where nobody at that address bears it: forms are filled in for each other at home. Who
/// bears it must be told in full, and who does not must be of that home by name and address, and found by no identifier.
fn leave_to_whose_name_it_is(judged: &mut [Judged]) {
    if judged.iter().any(|one| one.can_match && one.is_whose) {
        let is_housemate = |one: &&mut Judged| one.is_by_birth_date && one.identified.is_none();
        for one in judged.iter_mut().filter(is_housemate) {
            one.can_match = false;
            one.is_anothers = true;
        }
    }
}

/// A level by name and context, and the rule that gave it.
#[derive(Clone, Copy)]
struct Named {
    level: Confidence,
    by: LevelBy,
}

/// The very name at the very employer, with one bearer who is the likeliest of all.
fn raise_only_bearer(judged: &[Judged], probabilities: &[f64], levels: &mut [Option<Named>]) {
    let mut bearers = (0..)
        .zip(judged)
        .filter(|(_, one)| one.is_bearer && one.can_match);
    let (Some((at, bearer)), None) = (bearers.next(), bearers.next()) else {
        return;
    };
    let of = |at: usize| probabilities.get(at).copied().unwrap_or(0.0);
    if probabilities.iter().all(|other| *other <= of(at))
        && let Some(named) = levels.get_mut(at)
        && named.map(|named| named.level) < Some(bearer.floor())
    {
        *named = Some(Named {
            level: bearer.floor(),
            by: LevelBy::OnlyBearer,
        });
    }
}

/// Those who are likely together, where none is alone.
fn several(judged: &[Judged], probabilities: &[f64], levels: &[Option<Named>]) -> Vec<bool> {
    let is_any =
        levels.iter().any(Option::is_some) || judged.iter().any(|one| one.identified.is_some());
    let could_be = |one: &Judged| !is_any && one.can_match && one.identified.is_none();
    let could_be: Vec<bool> = judged.iter().map(could_be).collect();
    likely_together(&could_be, probabilities)
}

/// Which of those who could be meant are likely together: two at least, since one who is far likelier than each of many others is not
/// one of several.
fn likely_together(could_be: &[bool], probabilities: &[f64]) -> Vec<bool> {
    let of_those = || could_be.iter().zip(probabilities);
    let likely = || {
        of_those()
            .filter(|(could_be, _)| **could_be)
            .map(|(_, p)| *p)
    };
    let together: f64 = likely().sum();
    let most = likely().fold(0.0, f64::max);
    let is_one = |p: f64| together >= LOW && p >= most * ONE_OF_SEVERAL;
    if likely().filter(|p| is_one(*p)).count() < 2 {
        return vec![false; could_be.len()];
    }
    of_those()
        .map(|(could_be, p)| *could_be && is_one(*p))
        .collect()
}

/// A candidate with what every input says about it.
struct Judged {
    candidate: Candidate,
    hows: Vec<How>,
    bits: Vec<f64>,
    identified: Option<(usize, Confidence, MatchType)>,
    /// Name and contexts are such that it may be a match by them.
    can_match: bool,
    /// The very name with the very employer.
    is_bearer: bool,
    /// Contexts that agree, those that hang together once.
    contexts: usize,
    /// A part of the name is another, or there is none of it to compare, or the birth date is another: never more than low.
    is_doubtful: bool,
    is_contradicted: bool,
    /// The name is told in full, and agrees, as the address does.
    is_whose: bool,
    /// Family name and address agree, and the given name is another.
    is_by_birth_date: bool,
    /// Somebody else at the address bears the name, or somebody of another generation.
    is_anothers: bool,
}

/// Judges candidates of one request, one after the other.
struct Judge<'a> {
    clues: &'a [PersonClue],
    name: Option<&'a NameParts>,
    probes: &'a [Probe],
    shared: &'a Shared,
    counts: Remembered<'a>,
    known: Known,
}

impl Judge<'_> {
    fn judge(&self, candidate: Candidate) -> Judged {
        let &Self {
            clues,
            name,
            probes,
            shared,
            ref counts,
            ref known,
        } = self;
        let hits = Hits {
            probes,
            candidate: &candidate,
        };
        let led = |at: usize| match (hits.best(at), shared.of(at)) {
            (Some(_), sharing) => Led::Here(sharing),
            (None, 0) => Led::Nowhere,
            (None, _) => Led::ToOthers,
        };
        let evidence = evidence::of_person(clues, name, &candidate.doc, counts, known, led);
        let means_another = clues
            .iter()
            .zip(0..)
            .any(|(clue, at)| clue.is_identifier() && led(at) == Led::ToOthers);
        let hows: Vec<How> = evidence.lines.iter().map(|line| line.finding.how).collect();
        let any = |wanted: fn(&PersonClue, How) -> bool| {
            clues
                .iter()
                .zip(&hows)
                .any(|(clue, how)| wanted(clue, *how))
        };
        let is_placed = any(|clue, how| clue.is_context() && how.verdict() == Verdict::Agrees);
        let same_company =
            any(|clue, how| matches!(clue, PersonClue::Company(_)) && how == How::Same);
        let sums = Sums::of(clues, &hows);
        let can_match =
            is_placed && can_be(clues, &hows, &evidence) && sums.against <= sums.towards;
        let name = evidence.name.as_ref();
        let is_at_home = is_at_home(clues, &hows)
            && !any(|clue, how| clue.is_place() && how.verdict() == Verdict::Contradicts);
        let identified = identified(clues, &hits, shared);
        let is_born_otherwise = any(|clue, how| {
            matches!(clue, PersonClue::BirthDate(_)) && how.verdict() == Verdict::Contradicts
        });
        // A son is not his father, however much else they share.
        let is_of_another_generation = name.is_some_and(|name| {
            name.is_of_another_generation || name.is_of_a_generation && is_born_otherwise
        });
        let is_anothers = identified.is_none() && is_of_another_generation;
        Judged {
            identified,
            can_match: can_match && !is_of_another_generation,
            is_bearer: same_company && name.is_some_and(|name| name.is_exact()),
            contexts: sums.towards,
            is_contradicted: means_another
                || name.is_some_and(|name| name.is_contradicted)
                || hows.iter().any(|how| how.verdict() == Verdict::Contradicts),
            is_doubtful: is_born_otherwise || name.is_none_or(NameEvidence::is_doubtful),
            is_whose: is_at_home && name.is_some_and(NameEvidence::is_told_in_full),
            is_by_birth_date: is_at_home && name.is_some_and(NameEvidence::has_other_given),
            is_anothers,
            bits: evidence.lines.iter().map(|line| line.bits).collect(),
            hows,
            candidate,
        }
    }
}

impl Judged {
    /// All that is said.
    fn sum(&self) -> f64 {
        if self.is_anothers {
            f64::NEG_INFINITY
        } else {
            self.bits.iter().sum()
        }
    }

    /// The level by name and context: from its probability, and never more than what is known of the person allows.
    fn named(&self, probability: f64) -> Option<Named> {
        if !self.can_match {
            return None;
        }
        let level = match probability {
            HIGH.. => Confidence::High,
            MODERATE.. => Confidence::Moderate,
            LOW.. => Confidence::Low,
            _ => return None,
        };
        let (most, by) = self.limit();
        Some(if level > most {
            Named { level: most, by }
        } else {
            Named {
                level,
                by: LevelBy::Probability,
            }
        })
    }

    /// The most that any probability gives, and why it is not more.
    const fn limit(&self) -> (Confidence, LevelBy) {
        if self.is_doubtful {
            (Confidence::Low, LevelBy::Doubtful)
        } else if self.is_contradicted {
            (Confidence::Moderate, LevelBy::Contradicted)
        } else if self.contexts < CONTEXTS_OF_HIGH {
            (Confidence::Moderate, LevelBy::OneContext)
        } else {
            (Confidence::High, LevelBy::Probability)
        }
    }

    /// Of the only bearer of the name at the employer.
    const fn floor(&self) -> Confidence {
        if self.is_sure() {
            Confidence::Moderate
        } else {
            Confidence::Low
        }
    }

    const fn is_sure(&self) -> bool {
        self.contexts >= CONTEXTS_OF_HIGH && !self.is_contradicted
    }

    fn scored(
        self,
        clues: &[PersonClue],
        named: Option<Named>,
        probability: f64,
        is_one_of_several: bool,
    ) -> Option<Scored> {
        let of_clues = || clues.iter().zip(&self.hows).zip(&self.bits);
        let match_type = self
            .identified
            .map_or(MatchType::Composite, |(_, _, by)| by);
        let verdicts = of_clues().map(|((clue, how), bits)| {
            // A slip in the name counts where its context carries it.
            let counts = *how == How::Slip && clue.is_name() && named.is_some() && *bits > 0.0;
            let verdict = if counts {
                Verdict::Agrees
            } else {
                how.verdict()
            };
            (clue.field(), verdict)
        });
        let by_identifier = self.identified.and_then(|(clue, level, _)| {
            Some((clue, level, metadata(level, match_type, verdicts.clone())?))
        });
        let by_name = named.map(|named| {
            let matched_on = verdicts.filter(|(_, verdict)| *verdict == Verdict::Agrees);
            crate::enrich::MatchMetadata {
                matched_on: matched_on.map(|(field, _)| field.to_owned()).collect(),
                match_type,
                match_confidence: named.level,
            }
        });
        let (basis, level_by, metadata) = match (by_identifier, by_name) {
            (Some((clue, level, metadata)), named)
                if named
                    .as_ref()
                    .is_none_or(|named| metadata.match_confidence >= named.match_confidence) =>
            {
                (
                    Basis::Identifier(clue, level),
                    LevelBy::Identifier,
                    metadata,
                )
            }
            (_, Some(metadata)) => (Basis::Name(metadata.match_confidence), named?.by, metadata),
            _ => return None,
        };
        Some(Scored {
            candidate: self.candidate,
            metadata,
            basis,
            level_by,
            bits: self.bits,
            probability: Some(probability),
            is_one_of_several,
        })
    }
}

/// Whether the name is near enough: given and family name agree at least nearly. One of them may be another (names change at marriage,
/// and people are called by another name) where the very birth date and one more strong context agree. A letter in a short given name is
/// let pass beside the family name where the address or the very birth date agrees.
fn can_be(clues: &[PersonClue], hows: &[How], evidence: &Evidence<'_>) -> bool {
    let Some(name) = &evidence.name else {
        return false;
    };
    let any = |wanted: fn(&PersonClue, How) -> bool| {
        clues.iter().zip(hows).any(|(clue, how)| wanted(clue, *how))
    };
    let is_born_then =
        any(|clue, how| matches!(clue, PersonClue::BirthDate(_)) && how == How::Same);
    let is_at_work = || {
        name.given_is_misspelt
            && any(|clue, how| {
                matches!(clue, PersonClue::Company(_) | PersonClue::School(_)) && how == How::Same
            })
    };
    let is_short_slip = name.given_is_short_slip();
    match [name.family_is_near(), name.given_is_near()] {
        [Some(true), Some(false)]
            if is_short_slip && (is_born_then || is_at_home(clues, hows) || is_at_work()) =>
        {
            return true;
        }
        [Some(false) | None, Some(false)] if is_short_slip => {}
        [None, None] | [Some(false), None | Some(false)] | [None, Some(false)] => return false,
        [Some(true), None | Some(true)] | [None, Some(true)] => return true,
        [Some(true), Some(false)] | [Some(false), Some(true)] => {}
    }
    is_born_then
        && !name.is_anothers
        && any(|clue, how| {
            let is_strong = matches!(
                clue,
                PersonClue::Address(_)
                    | PersonClue::PostalCode(_)
                    | PersonClue::Company(_)
                    | PersonClue::School(_)
            );
            is_strong && how.verdict() == Verdict::Agrees
        })
}

fn is_at_home(clues: &[PersonClue], hows: &[How]) -> bool {
    clues.iter().zip(hows).any(|(clue, how)| {
        matches!(clue, PersonClue::Address(_)) && matches!(how, How::Same | How::Near)
    })
}

/// How many of work, school, birth date and place agree, and how many contradict: where these are more, it is a namesake. A country or a
/// state alone places nobody.
struct Sums {
    towards: usize,
    against: usize,
}

impl Sums {
    fn of(clues: &[PersonClue], hows: &[How]) -> Self {
        let group = |clue: &PersonClue| match clue {
            PersonClue::Company(_) | PersonClue::JobTitle(_) => Some(0),
            PersonClue::School(_) => Some(1),
            PersonClue::BirthDate(_) => Some(2),
            PersonClue::Address(_)
            | PersonClue::City(_)
            | PersonClue::State { .. }
            | PersonClue::Country(_)
            | PersonClue::PostalCode(_) => Some(3),
            PersonClue::Email(_)
            | PersonClue::EmailHash(_)
            | PersonClue::Phone(_)
            | PersonClue::SocialUrl(_)
            | PersonClue::LinkedinId(_)
            | PersonClue::ServiceId(_)
            | PersonClue::FullName(_)
            | PersonClue::FirstName(_)
            | PersonClue::LastName(_) => None,
        };
        let mut sums = Self {
            towards: 0,
            against: 0,
        };
        for wanted in 0..4 {
            let of = || {
                let pairs = clues.iter().zip(hows);
                pairs.filter(|(clue, _)| group(clue) == Some(wanted))
            };
            let agrees = |(clue, how): (&PersonClue, &How)| {
                // A short name places nobody by itself either.
                !clue.is_wide() && *how != How::Short && how.verdict() == Verdict::Agrees
            };
            // A title does not make up for another employer.
            let is_elsewhere = of().any(|(clue, how)| {
                matches!(clue, PersonClue::Company(_)) && how.verdict() == Verdict::Contradicts
            });
            if of().any(agrees) && !is_elsewhere {
                sums.towards += 1;
            } else if of().any(|(_, how)| how.verdict() == Verdict::Contradicts) {
                sums.against += 1;
            }
        }
        sums
    }
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

#[cfg(test)]
mod tests {
    use super::likely_together;

    #[test]
    fn one_who_is_far_likelier_than_each_of_many_is_not_one_of_several() {
        let mut probabilities = vec![0.86];
        probabilities.extend([0.002; 40]);
        let none = vec![false; 41];
        assert_eq!(likely_together(&[true; 41], &probabilities), none);
        let two = likely_together(&[true, true, false], &[0.5, 0.45, 0.04]);
        assert_eq!(two, [true, true, false]);
        assert_eq!(likely_together(&[true; 2], &[0.4, 0.3]), [false; 2]);
    }
}
