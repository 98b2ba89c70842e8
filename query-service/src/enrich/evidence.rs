//! What the inputs of a request say about one person, in bits.
//!
//! One line an input: how the record stands to it ([`super::finding`]) and what that weighs ([`super::weights`]). The sum becomes a
//! probability beside all other candidates ([`super::probability`]). Inputs that hang together (city, state, country, postal code)
//! count as the strongest of them.

use normalize::compare::{Middle, NameFinding, Part, PartFinding, PersonName};

use super::Document;
use super::agree::texts;
use super::finding::{Finding, How, Verdict};
use super::person::{NameParts, PersonClue, Reading, birth_date_parts, names};
use super::rarity::{Counted, Counts, share};
use super::weights::{self, Context};

/// Beside the strongest of inputs that hang together, each other that agrees.
const BESIDE_STRONGER: f64 = 0.5;

/// An identifier that is somebody's says as much as this part of the records, of so many at least.
const IDENTIFIES: f64 = 1_024.0;
const MOST_RECORDS: f64 = 1_048_576.0;

/// Where the keys of an identifier led.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Led {
    /// To this record, and so many in all.
    Here(usize),
    /// To other records alone.
    ToOthers,
    /// To none.
    Nowhere,
}

/// A record's evidence.
#[derive(Debug, Clone)]
pub struct Evidence<'a> {
    /// One an input, in the order of the inputs.
    pub lines: Vec<Line<'a>>,
    /// The name, if both sides have one.
    pub name: Option<NameEvidence<'a>>,
}

/// One input.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// How the record stands to it.
    pub finding: Finding<'a>,
    /// What that weighs.
    pub bits: f64,
}

/// The name of a record beside the one that is asked for, read in the way that says most.
#[derive(Debug, Clone)]
pub struct NameEvidence<'a> {
    /// The given names.
    given: f64,
    /// The family names.
    family: f64,
    /// Middle names, order, and a space too many.
    beside: f64,
    /// In one word.
    pub how: How,
    /// Of the given names.
    pub given_how: Option<Part>,
    /// Of the family names.
    pub family_how: Option<Part>,
    /// Whether all of one name stands beside all of the other.
    pub is_whole: bool,
    /// Whether a given, middle or family name is another.
    pub is_contradicted: bool,
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
        Some(self.given_how? < Part::Other && self.given > 0.0)
    }

    /// Whether its given or its family name is another.
    #[must_use]
    pub fn has_other_part(&self) -> bool {
        [self.given_how, self.family_how].contains(&Some(Part::Other))
    }

    /// Whether it is the very name.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.is_whole && matches!(self.how, How::Same | How::But)
    }
}

impl Evidence<'_> {
    /// All bits.
    #[must_use]
    pub fn bits(&self) -> f64 {
        self.lines.iter().map(|line| line.bits).sum()
    }
}

/// Weighs every input. `led` says where the keys of an identifier, by its index, led.
#[must_use]
pub fn of_person<'a>(
    clues: &[PersonClue],
    name: Option<&NameParts>,
    doc: &'a Document,
    counts: &dyn Counts,
    led: impl Fn(usize) -> Led,
) -> Evidence<'a> {
    let whole = name.and_then(|name| of_name(&name.readings, doc, counts));
    let line = |(at, clue): (usize, &PersonClue)| {
        if clue.is_identifier() {
            return of_identifier(clue, doc, counts, led(at));
        }
        if clue.is_name() {
            return of_name_clue(clue, at, name, whole.as_ref(), doc);
        }
        let finding = clue.compare(doc);
        let bits = of_context(clue, &finding, doc, counts);
        Line { finding, bits }
    };
    let mut lines: Vec<Line<'a>> = clues.iter().enumerate().map(line).collect();
    count_places_once(clues, &mut lines);
    count_country_once(clues, &mut lines, doc, counts);
    Evidence { lines, name: whole }
}

/// An identifier that leads to others, and not here, speaks against the record whatever it has.
fn of_identifier<'a>(
    clue: &PersonClue,
    doc: &'a Document,
    counts: &dyn Counts,
    led: Led,
) -> Line<'a> {
    let sharing = match led {
        Led::Here(sharing) => sharing,
        Led::ToOthers | Led::Nowhere => {
            let finding = clue.compare(doc);
            let bits = match (led, finding.verdict()) {
                (Led::ToOthers, _) => weights::OTHERS_IDENTIFIER,
                (_, Verdict::Contradicts) => weights::other_identifier(clue.field()),
                _ => 0.0,
            };
            return Line { finding, bits };
        }
    };
    let sharing = u32::try_from(sharing.max(1)).unwrap_or(u32::MAX);
    let bits =
        (f64::from(counts.rows()).max(MOST_RECORDS) * IDENTIFIES / f64::from(sharing)).log2();
    Line {
        finding: Finding::bare(How::Exact),
        bits,
    }
}

/// The best of the record's names, in the best way to read them.
fn of_name<'a>(
    asked: &[Reading],
    doc: &'a Document,
    counts: &dyn Counts,
) -> Option<NameEvidence<'a>> {
    let mut best: Option<NameEvidence<'a>> = None;
    let own = texts(doc, "full_name");
    let (first, last) = (texts(doc, "first_name"), texts(doc, "last_name"));
    for known in names(doc) {
        let Some(read) = PersonName::read(known) else {
            continue;
        };
        for reading in asked {
            // Nothing is nearer than the very name, as it was written.
            if best.as_ref().is_some_and(NameEvidence::is_exact) {
                break;
            }
            reading.name.beside(&read, |finding| {
                // An initial that stands for a name which the record has in full would agree with strangers.
                if !own.contains(&known) && finding.given.is_some_and(|part| part.known.len() == 1)
                {
                    return;
                }
                let mut one = weigh_name(finding, counts, &first, &last);
                if reading.is_joined {
                    one.beside += weights::joined();
                }
                if best.as_ref().is_none_or(|best| one.bits() > best.bits()) {
                    one.record = own.contains(&known).then_some(known);
                    best = Some(one);
                }
            });
        }
    }
    best
}

fn weigh_name<'a>(
    finding: &NameFinding<'_>,
    counts: &dyn Counts,
    first: &[&str],
    last: &[&str],
) -> NameEvidence<'a> {
    let given_share = |name: &str, stored: &[&str]| share(counts, Counted::GivenName, name, stored);
    let family_share =
        |name: &str, stored: &[&str]| share(counts, Counted::FamilyName, name, stored);
    let weigh = |part: Option<PartFinding<'_>>, is_given: bool| {
        part.map_or(0.0, |part| {
            // These weigh the same whatever the name is.
            if matches!(part.how, Part::Other | Part::Initial) {
                return weights::part(part.how, is_given, 1.0, 1.0);
            }
            let of = |name: &str| {
                let stored = if name == part.known || part.how == Part::Same {
                    if is_given { first } else { last }
                } else {
                    &[]
                };
                if is_given {
                    given_share(name, stored)
                } else {
                    family_share(name, stored)
                }
            };
            weights::part(part.how, is_given, of(part.asked), of(part.known))
        })
    };
    let middle = weights::middle(&finding.middle, |name| given_share(name, &[]));
    let order = if finding.turned {
        weights::turned()
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
    NameEvidence {
        given,
        family,
        beside: middle + order,
        how: how(finding, given_how, family_how),
        is_whole: finding.is_whole,
        is_contradicted: other_middle
            || given_how == Some(Part::Other)
            || family_how == Some(Part::Other),
        given_how,
        family_how,
        record: None,
    }
}

/// In one word.
fn how(finding: &NameFinding<'_>, given: Option<Part>, family: Option<Part>) -> How {
    let far = [given, family].into_iter().flatten().max();
    match far {
        None | Some(Part::Other) => How::Contradicts,
        Some(Part::Slip | Part::TwoSlips) => How::Slip,
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
fn of_name_clue<'a>(
    clue: &PersonClue,
    at: usize,
    name: Option<&NameParts>,
    whole: Option<&NameEvidence<'a>>,
    doc: &'a Document,
) -> Line<'a> {
    let beside = |clue: &PersonClue| {
        // Beside a whole name a part that says the same says nothing more.
        let finding = clue.part_of_name(doc);
        let is_given = matches!(clue, PersonClue::FirstName(_));
        let bits = match finding.verdict() {
            Verdict::Contradicts => weights::part(Part::Other, is_given, 1.0, 1.0),
            _ => 0.0,
        };
        Line { finding, bits }
    };
    let (Some(name), Some(found)) = (name, whole) else {
        return Line {
            finding: clue.part_of_name(doc),
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

impl NameEvidence<'_> {
    /// The whole name's word where the part agrees, else the part's own.
    fn of_part(&self, part: Option<Part>) -> How {
        match part {
            None => How::Unknown,
            Some(Part::Other) => How::Contradicts,
            Some(Part::Slip | Part::TwoSlips) => How::Slip,
            Some(Part::Initial) => How::Initial,
            Some(Part::Holds) => How::Part,
            Some(Part::Form) => How::Nickname,
            Some(Part::Same) if self.how == How::Order => How::Order,
            Some(Part::Same) if self.how == How::Same => How::Same,
            Some(Part::Same) => How::But,
        }
    }
}

fn of_context(
    clue: &PersonClue,
    finding: &Finding<'_>,
    doc: &Document,
    counts: &dyn Counts,
) -> f64 {
    let record = finding.record.as_deref();
    let stored: Vec<&str> = record.into_iter().collect();
    let of = |context: Context, what: Counted, asked: &str| {
        let share = share(counts, what, asked, &stored);
        by_share(context, finding.how, share)
    };
    match clue {
        PersonClue::Company(given) => {
            let bits = of(weights::EMPLOYER, Counted::Employer, &given.text);
            if is_acronym(&given.text, record) {
                bits.min(weights::ACRONYM)
            } else {
                bits
            }
        }
        PersonClue::School(given) => {
            let bits = of(weights::SCHOOL, Counted::School, &given.text);
            if is_acronym(&given.text, record) {
                bits.min(weights::ACRONYM)
            } else {
                bits
            }
        }
        PersonClue::JobTitle(title) => of(weights::TITLE, Counted::Title, title),
        PersonClue::City(city) => of(weights::CITY, Counted::City, city),
        PersonClue::State { name, code } => of(
            weights::STATE,
            Counted::State,
            code.as_deref().unwrap_or(name),
        ),
        PersonClue::Country(code) => of(weights::COUNTRY, Counted::Country, code),
        PersonClue::PostalCode(code) => of(weights::POSTAL_CODE, Counted::PostalCode, code),
        PersonClue::Address(address) => address
            .beside_all(doc)
            .map_or(0.0, |(found, _)| weights::address(found)),
        PersonClue::BirthDate(date) => {
            let (known, different, swapped) = birth_date_parts(*date, doc);
            weights::birth_date(known, different, swapped)
        }
        _ => 0.0,
    }
}

fn by_share(context: Context, how: How, share: f64) -> f64 {
    let whole = (context.same / share).log2().min(context.most).max(0.0);
    match how {
        How::Exact | How::Same | How::But => whole,
        How::Nickname | How::Part | How::Order | How::Near | How::Initial | How::Slip => {
            (whole + context.near).max(0.0)
        }
        How::Unsure => 0.0,
        How::Unknown => 0.0,
        How::Contradicts => context.other,
    }
}

/// Short for a long name, and no slip in it.
fn is_acronym(asked: &str, record: Option<&str>) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    record.is_some_and(|record| {
        let (short, long) = (
            letters(asked).min(letters(record)),
            letters(asked).max(letters(record)),
        );
        short <= 6 && long > short + 3 && !record.contains('.') && !asked.contains('.')
    })
}

/// City, state, country and postal code say one thing: where. The strongest counts, and the worst.
fn count_places_once(clues: &[PersonClue], lines: &mut [Line<'_>]) {
    let is_place = |clue: &PersonClue| {
        matches!(
            clue,
            PersonClue::City(_)
                | PersonClue::State { .. }
                | PersonClue::Country(_)
                | PersonClue::PostalCode(_)
        )
    };
    let of_places = || {
        clues
            .iter()
            .zip(0..)
            .filter(|(clue, _)| is_place(clue))
            .map(|(_, at)| at)
    };
    let bits = |at: usize| lines.get(at).map_or(0.0, |line| line.bits);
    let strongest = of_places()
        .filter(|at| bits(*at) > 0.0)
        .max_by(|a, b| bits(*a).total_cmp(&bits(*b)));
    let worst = of_places()
        .filter(|at| bits(*at) < 0.0)
        .min_by(|a, b| bits(*a).total_cmp(&bits(*b)));
    for at in of_places() {
        if let Some(line) = lines.get_mut(at) {
            if line.bits > 0.0 && Some(at) != strongest {
                line.bits = line.bits.min(BESIDE_STRONGER);
            } else if line.bits < 0.0 && Some(at) != worst {
                line.bits = 0.0;
            }
        }
    }
}

/// Names, places, employers and schools of one country hang together by it: each of them says once more that it is that country. So
/// often, but for the first time, what the country says is taken away again, from all of them alike.
fn count_country_once(
    clues: &[PersonClue],
    lines: &mut [Line<'_>],
    doc: &Document,
    counts: &dyn Counts,
) {
    let speaks_of_country = |clue: &PersonClue| {
        clue.is_name()
            || matches!(
                clue,
                PersonClue::Company(_)
                    | PersonClue::School(_)
                    | PersonClue::City(_)
                    | PersonClue::State { .. }
                    | PersonClue::Country(_)
                    | PersonClue::PostalCode(_)
            )
    };
    let told = || {
        clues
            .iter()
            .zip(lines.iter())
            .filter(|(clue, _)| speaks_of_country(clue))
    };
    let all: f64 = told().map(|(_, line)| line.bits.max(0.0)).sum();
    // A whole name in one line is a given and a family name.
    let times: f64 = told()
        .filter(|(_, line)| line.bits > 1.0)
        .map(|(clue, _)| {
            if matches!(clue, PersonClue::FullName(_)) {
                2.0
            } else {
                1.0
            }
        })
        .sum();
    let code = texts(doc, "country_code")
        .into_iter()
        .chain(texts(doc, "locations.country_code"))
        .next();
    let country = code.map_or(weights::UNKNOWN_COUNTRY, |code| {
        share(counts, Counted::Country, code, &[])
    });
    let again = weights::OF_COUNTRY * (times - 1.0).max(0.0) * (1.0 / country).log2();
    if all <= 0.0 || again <= 0.0 {
        return;
    }
    let left = ((all - again) / all).max(weights::LEAST_LEFT);
    for (clue, line) in clues.iter().zip(lines) {
        if speaks_of_country(clue) && line.bits > 0.0 {
            line.bits *= left;
        }
    }
}
