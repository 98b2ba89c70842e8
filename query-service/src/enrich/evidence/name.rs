//! What the name of a record says, part by part, read in the way that says most.

use std::cell::RefCell;
use std::collections::HashMap;

use normalize::compare::{Middle, NameFinding, Part, PartFinding, PersonName};
use normalize::name::{generation, shares};

use super::{Known, Line};
use crate::enrich::compared::Compared;
use crate::enrich::finding::{Finding, How, Verdict};
use crate::enrich::memo::{Memo, remembered};
use crate::enrich::person::{NameParts, PersonClue, Reading, names};
use crate::enrich::rarity::{Counted, Counts, share};
use crate::enrich::weights;

/// What names of records say beside that of the request, if anything, by all that it follows from.
pub(super) type Names = RefCell<HashMap<String, Option<NameEvidence<'static>>>>;

/// The name of a record beside the one that is asked for, read in the way that says most.
#[derive(Debug, Clone)]
pub struct NameEvidence<'a> {
    /// The given names.
    given: f64,
    /// The family names.
    family: f64,
    /// Middle names, order, and a space too many.
    beside: f64,
    /// The finding of both names together.
    pub how: How,
    /// Of the given names.
    pub given_how: Option<Part>,
    /// Of the family names.
    pub family_how: Option<Part>,
    /// Whether all of one name stands beside all of the other.
    pub is_whole: bool,
    /// Whether a given, middle or family name is another.
    pub is_contradicted: bool,
    /// Whether it tells more than that somebody is called by another name: the middle names are others, or an initial is.
    pub is_anothers: bool,
    /// Whether both say which bearer of the name in a family they are, and say another: `jr.`, `sr.`
    pub is_of_another_generation: bool,
    /// Whether one of them says so, and the other does not.
    pub is_of_a_generation: bool,
    /// Whether one letter separates a short given name from one that nobody has, neither in the tables nor in the build.
    pub given_is_misspelt: bool,
    /// Whether the given name is an initial that is not its own, but that of a middle name.
    is_other_initial: bool,
    /// The record's name, unless it is one that is matched and not shown.
    record: Option<&'a str>,
}

impl NameEvidence<'_> {
    /// Bits of the whole name.
    #[must_use]
    pub fn bits(&self) -> f64 {
        self.given + self.family + self.beside
    }

    /// Whether the family names are the same, or nearly; `None` where one of the names has none.
    #[must_use]
    pub fn family_is_near(&self) -> Option<bool> {
        Some(self.family_how? < Part::Other && self.family > 0.0)
    }

    /// Whether the given names are the same, or nearly; `None` where one of the names has none.
    #[must_use]
    pub fn given_is_near(&self) -> Option<bool> {
        Some(self.given_how? < Part::ShortSlip && self.given > 0.0)
    }

    /// Whether the given names are a letter apart that would make another name of most.
    #[must_use]
    pub fn given_is_short_slip(&self) -> bool {
        self.given_how == Some(Part::ShortSlip)
    }

    /// Whether the given or the family name is a different one, or could be.
    #[must_use]
    pub fn has_other_part(&self) -> bool {
        let parts = [self.given_how, self.family_how];
        parts.contains(&Some(Part::Other)) || self.given_is_short_slip()
    }

    /// Whether the given name alone is a different one.
    #[must_use]
    pub fn has_other_given(&self) -> bool {
        self.given_how == Some(Part::Other) && self.family_is_near() == Some(true)
    }

    /// Whether given and family name are given in full, and agree.
    #[must_use]
    pub fn is_told_in_full(&self) -> bool {
        let is_full = |how: Option<Part>| how.is_some_and(|how| how < Part::Initial);
        self.is_whole
            && is_full(self.given_how)
            && is_full(self.family_how)
            && !self.is_contradicted
    }

    /// Whether it says less than a name does: part of it is missing, another, or stands for it by a letter that could be another's; or
    /// one is called by what is a middle name of the other.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        !self.is_whole
            || self.given_how == Some(Part::Holds)
            || self.has_other_part()
            || self.family_how == Some(Part::Initial)
            || self.is_other_initial
    }

    /// Whether it is the very name.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.is_whole && matches!(self.how, How::Same | How::But)
    }

    /// Both names say which generation they are.
    fn of_generations(mut self, is_same: bool) -> Self {
        self.beside += weights::generation(is_same);
        if !is_same {
            self.is_of_another_generation = true;
            self.is_contradicted = true;
            self.how = self.how.max(How::Unsure);
        }
        self
    }

    /// The whole name's word where the part agrees, else the part's own.
    fn of_part(&self, part: Option<Part>) -> How {
        match part {
            None => How::Unknown,
            Some(Part::Other) => How::Contradicts,
            Some(Part::Slip | Part::TwoSlips | Part::ShortSlip) => How::Slip,
            Some(Part::Initial) => How::Initial,
            Some(Part::Holds) => How::Part,
            Some(Part::Form) => How::Nickname,
            Some(Part::Same) if self.how == How::Order => How::Order,
            Some(Part::Same) if self.how == How::Same => How::Same,
            Some(Part::Same) => How::But,
        }
    }
}

/// The best of the record's names, in the best way to read them.
pub(super) fn of_name<'a>(
    asked: &NameParts,
    doc: &'a Compared,
    counts: &dyn Counts,
    known: &Known,
) -> Option<NameEvidence<'a>> {
    let mut best: Option<NameEvidence<'a>> = None;
    let mut key = String::new();
    for bears in names(doc, &known.values) {
        // Nothing is nearer than the very name, as it was written.
        if best.as_ref().is_some_and(NameEvidence::is_exact) {
            break;
        }
        let is_own = doc.texts("full_name").any(|own| own == bears);
        key.clear();
        key.push(if is_own { '=' } else { '~' });
        key.push_str(bears);
        for field in PARTS {
            key.push('\n');
            for part in doc.texts(field) {
                key.push_str(part);
                key.push('\t');
            }
        }
        let weigh = || of_known(&asked.readings, bears, is_own, doc, counts);
        let found = remembered(&known.names, &key, weigh);
        if let Some(found) = found
            && best.as_ref().is_none_or(|best| found.bits() > best.bits())
        {
            best = Some(NameEvidence {
                record: is_own.then_some(bears),
                ..found
            });
        }
    }
    let known = doc.texts("suffix").find_map(generation);
    match (best, asked.generation.zip(known)) {
        (Some(best), Some((asked, known))) => Some(best.of_generations(asked == known)),
        (Some(best), None) => Some(NameEvidence {
            is_of_a_generation: asked.generation.is_some() || known.is_some(),
            ..best
        }),
        (None, _) => None,
    }
}

/// The fields whose spelling says how common a part of a name is.
const PARTS: [&str; 2] = ["first_name", "last_name"];

/// One of the record's names in the best way to read it. Follows from the request, the name, whether it is the record's own, and [`PARTS`].
fn of_known(
    asked: &[Reading],
    known: &str,
    is_own: bool,
    doc: &Compared,
    counts: &dyn Counts,
) -> Option<NameEvidence<'static>> {
    let [first, last] = PARTS.map(|field| doc.texts(field).collect::<Vec<&str>>());
    let read = if is_own {
        PersonName::stored(known, first.first().copied(), last.first().copied())?
    } else {
        PersonName::read(known)?
    };
    let mut best: Option<NameEvidence<'static>> = None;
    for reading in asked {
        if best.as_ref().is_some_and(NameEvidence::is_exact) {
            break;
        }
        reading.name.beside(&read, |finding| {
            // An initial that stands for a name which the record has in full would agree with strangers.
            if !is_own && finding.given.is_some_and(|part| part.known.len() == 1) {
                return;
            }
            let mut one = weigh_name(finding, counts, &first, &last);
            // Nothing says that it must be read so, where a part is another all the same.
            let allowed = match (reading.is_joined, finding.turned) {
                (true, _) if reading.is_loose => Part::Holds,
                (_, true) if reading.is_loose => Part::TwoSlips,
                _ => Part::Other,
            };
            if one.given_how.max(one.family_how) > Some(allowed) {
                return;
            }
            if reading.is_joined {
                one.beside += weights::JOINED;
            }
            if best.as_ref().is_none_or(|best| one.bits() > best.bits()) {
                best = Some(one);
            }
        });
    }
    best
}

fn weigh_name(
    finding: &NameFinding<'_>,
    counts: &dyn Counts,
    first: &[&str],
    last: &[&str],
) -> NameEvidence<'static> {
    let weigh = |part: Option<PartFinding<'_>>, is_given: bool| {
        part.map_or(0.0, |part| {
            // The same letter on both sides is the first one of as many names as beside a whole one.
            let how = match part.how {
                Part::Same if is_letter(part.asked) => Part::Initial,
                how => how,
            };
            // A letter that makes a name which nobody has is a slip as in a longer one.
            let is_misspelt =
                how == Part::ShortSlip && is_given && given_is_misspelt(&part, counts);
            let how = if is_misspelt { Part::Slip } else { how };
            // These weigh the same whatever the name is.
            if matches!(how, Part::Other | Part::Initial | Part::ShortSlip) {
                return weights::part(how, is_given, 1.0, 1.0);
            }
            let (what, own) = if is_given {
                (Counted::GivenName, first)
            } else {
                (Counted::FamilyName, last)
            };
            let of = |name: &str| {
                let is_own = name == part.known || part.how == Part::Same;
                share(counts, what, name, if is_own { own } else { &[] })
            };
            let bits = weights::part(how, is_given, of(part.asked), of(part.known));
            if is_misspelt {
                // Never more than the very name would.
                let known = of(part.known);
                let same = weights::part(Part::Same, is_given, known, known);
                bits.min(weights::MAX_OF_SHORT_SLIP).min(same)
            } else {
                bits
            }
        })
    };
    let middle = weights::middle(&finding.middle, |name| {
        share(counts, Counted::GivenName, name, &[])
    });
    let order = if finding.turned {
        turned(finding, counts)
    } else {
        0.0
    };
    let (given, family) = (weigh(finding.given, true), weigh(finding.family, false));
    // A slip that would turn one name into another that people have is none.
    let told = |part: Option<PartFinding<'_>>, bits: f64| {
        part.map(|part| match part.how {
            Part::Slip | Part::TwoSlips if bits <= 0.0 => Part::Other,
            how => how,
        })
    };
    let (given_how, family_how) = (told(finding.given, given), told(finding.family, family));
    let other_middle = finding.middle == Middle::Other;
    let is_initial_of_another = finding
        .given
        .is_some_and(|part| part.how == Part::Other && part.asked.len().min(part.known.len()) == 1)
        && finding.middle == Middle::Unknown
        && !finding.may_be_called_so;
    NameEvidence {
        given,
        family,
        beside: middle + order,
        how: how(finding, given_how, family_how),
        is_whole: finding.is_whole,
        is_anothers: other_middle || is_initial_of_another,
        is_contradicted: other_middle
            || given_how == Some(Part::Other)
            || family_how == Some(Part::Other),
        given_how,
        family_how,
        is_other_initial: finding.given.is_some_and(|part| {
            part.how == Part::Initial && part.asked.chars().next() != part.known.chars().next()
        }),
        given_is_misspelt: finding
            .given
            .is_some_and(|part| part.how == Part::ShortSlip && given_is_misspelt(&part, counts)),
        is_of_another_generation: false,
        is_of_a_generation: false,
        record: None,
    }
}

/// Whether nobody has the given name that is asked for, neither in the tables nor in the build, and people have the one that is known.
fn given_is_misspelt(part: &PartFinding<'_>, counts: &dyn Counts) -> bool {
    let count = |name| counts.count(Counted::GivenName, name);
    (shares::given(part.asked).is_none() && count(part.asked) == Some(0))
        && (shares::given(part.known).is_some() || count(part.known) > Some(1))
}

/// What it weighs that both names stand in the other's place, beside somebody who is called just as it is asked: little where nobody has
/// such a given and such a family name (`hashimoto daisuke`), much where many do (`james michael`).
fn turned(finding: &NameFinding<'_>, counts: &dyn Counts) -> f64 {
    let (Some(given), Some(family)) = (finding.given, finding.family) else {
        return weights::turned(1.0);
    };
    let of = |what, name| share(counts, what, name, &[]);
    let as_asked = of(Counted::GivenName, family.asked) * of(Counted::FamilyName, given.asked);
    let as_known = of(Counted::GivenName, given.asked) * of(Counted::FamilyName, family.asked);
    weights::turned(as_asked / as_known)
}

/// A single one, of the alphabets that have initials.
fn is_letter(name: &str) -> bool {
    name.len() == 1
}

/// The finding of both names together: that of the one that agrees less.
fn how(finding: &NameFinding<'_>, given: Option<Part>, family: Option<Part>) -> How {
    let far = [given, family].into_iter().flatten().max();
    match far {
        None | Some(Part::Other) => How::Contradicts,
        Some(Part::Slip | Part::TwoSlips | Part::ShortSlip) => How::Slip,
        Some(Part::Initial) => How::Initial,
        _ if finding.turned => How::Order,
        Some(Part::Holds) => How::Part,
        Some(Part::Form) => How::Nickname,
        Some(Part::Same) => match finding.middle {
            Middle::Other => How::Unsure,
            Middle::Unknown => How::But,
            Middle::Same(_) | Middle::Initial => How::Same,
        },
    }
}

/// A name in one piece has all bits of the name; in two, each its own. What is given in both ways counts once, and a part that
/// contradicts counts against.
pub(super) fn of_clue<'a>(
    clue: &PersonClue,
    at: usize,
    name: Option<&NameParts>,
    whole: Option<&NameEvidence<'a>>,
    doc: &'a Compared,
    memo: &Memo,
) -> Line<'a> {
    let beside = |clue: &PersonClue| {
        // Beside a whole name a part that says the same says nothing more.
        let finding = clue.part_of_name(doc, memo);
        let is_given = matches!(clue, PersonClue::FirstName(_));
        let bits = match finding.verdict() {
            Verdict::Contradicts => weights::part(Part::Other, is_given, 1.0, 1.0),
            _ => 0.0,
        };
        Line { finding, bits }
    };
    let (Some(name), Some(found)) = (name, whole) else {
        return Line {
            finding: clue.part_of_name(doc, memo),
            bits: 0.0,
        };
    };
    let of = |how: How, bits: f64| Line {
        finding: Finding {
            how,
            record: found.record.map(Into::into),
        },
        bits,
    };
    match clue {
        PersonClue::FirstName(_) if !name.in_one => {
            of(found.of_part(found.given_how), found.given + found.beside)
        }
        PersonClue::LastName(_) if !name.in_one => {
            of(found.of_part(found.family_how), found.family)
        }
        _ if name.in_one && name.clue == at => of(found.how, found.bits()),
        _ => beside(clue),
    }
}
