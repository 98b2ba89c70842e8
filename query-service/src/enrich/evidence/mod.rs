//! What the inputs of a request say about one person, in bits.
//!
//! One line for each input: how the record compares with it ([`super::finding`]) and what that weighs ([`super::weights`]). The sum becomes
//! a probability beside all other candidates ([`super::probability`]). Inputs that hang together (city, state, country, postal code) count
//! as the strongest of them.

mod name;

use super::agree::countries;
use super::compared::Compared;
use super::finding::{Finding, How, Verdict};
use super::memo::{ClueMemo, Memo};
use super::person::{NameParts, PersonClue, birth_date_parts};
use super::rarity::{Counted, Counts, share};
use super::weights::{self, Context};

pub use name::NameEvidence;

/// What each further agreeing input adds beside the strongest of inputs that hang together.
const BESIDE_STRONGER: f64 = 0.5;

/// An identifier that belongs to somebody weighs as a value that one in this many times the build's records has; a build counts as one of
/// `LEAST_RECORDS` at least.
const IDENTIFIES: f64 = 1_024.0;
const LEAST_RECORDS: f64 = 1_048_576.0;

/// Where the keys of an identifier led.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Led {
    /// To this record, and to this many in all.
    Here(usize),
    /// Only to other records.
    ToOthers,
    /// To none.
    Nowhere,
}

/// What one request has found out about values, and about names. Changes no answer.
#[derive(Debug, Default)]
pub struct Known {
    values: Memo,
    names: name::Names,
}

/// A record's evidence.
#[derive(Debug, Clone)]
pub struct Evidence<'a> {
    /// One for each input, in the order of the inputs.
    pub lines: Vec<Line<'a>>,
    /// The name, if both sides have one.
    pub name: Option<NameEvidence<'a>>,
}

/// One input.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// How the record compares with it.
    pub finding: Finding<'a>,
    /// What that weighs.
    pub bits: f64,
}

/// Weighs every input. `led` says where the keys of an identifier, by its index, led.
#[must_use]
pub fn of_person<'a>(
    clues: &[PersonClue],
    name: Option<&NameParts>,
    doc: &'a Compared,
    counts: &dyn Counts,
    known: &Known,
    led: impl Fn(usize) -> Led,
) -> Evidence<'a> {
    let memo = &known.values;
    let whole = name.and_then(|name| name::of_name(name, doc, counts, known));
    let line = |(at, clue): (usize, &PersonClue)| {
        if clue.is_identifier() {
            return of_identifier(clue, doc, counts, memo.of(at), led(at));
        }
        if clue.is_name() {
            return name::of_clue(clue, at, name, whole.as_ref(), doc, memo);
        }
        let finding = clue.compare(doc, memo.of(at));
        let bits = of_context(clue, &finding, doc, counts);
        Line { finding, bits }
    };
    let mut lines: Vec<Line<'a>> = clues.iter().enumerate().map(line).collect();
    count_places_once(clues, &mut lines);
    count_country_once(clues, &mut lines, doc, counts);
    Evidence { lines, name: whole }
}

/// An identifier that leads to other records, and not to this one, speaks against this record, whatever the record holds.
fn of_identifier<'a>(
    clue: &PersonClue,
    doc: &'a Compared,
    counts: &dyn Counts,
    memo: ClueMemo<'_>,
    led: Led,
) -> Line<'a> {
    let sharing = match led {
        Led::Here(sharing) => sharing,
        Led::ToOthers | Led::Nowhere => {
            let finding = clue.compare(doc, memo);
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
        (f64::from(counts.rows()).max(LEAST_RECORDS) * IDENTIFIES / f64::from(sharing)).log2();
    Line {
        finding: Finding::bare(How::Exact),
        bits,
    }
}

fn of_context(
    clue: &PersonClue,
    finding: &Finding<'_>,
    doc: &Compared,
    counts: &dyn Counts,
) -> f64 {
    let record = finding.record.as_deref();
    let stored: Vec<&str> = record.into_iter().collect();
    let of = |context: Context, what: Counted, asked: &str| {
        let share = share(counts, what, asked, &stored);
        by_share(context, finding.how, share)
    };
    let of_organisation = |context: Context, asked: &str, share: f64| {
        let bits = by_share(context, finding.how, share);
        if finding.how != How::OtherName && is_acronym(asked, record) {
            bits.min(weights::ACRONYM)
        } else {
            bits
        }
    };
    match clue {
        PersonClue::Company(given) => {
            let share = share_of_employer(counts, &given.text, record);
            of_organisation(weights::EMPLOYER, &given.text, share)
        }
        PersonClue::School(given) => {
            let share = share_of_school(counts, &given.text, record, doc);
            of_organisation(weights::SCHOOL, &given.text, share)
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
        PersonClue::Address(_) => weights::address(finding.how),
        PersonClue::BirthDate(date) => weights::birth_date(birth_date_parts(*date, doc)),
        // By identifiers there are levels, by rule; a name weighs on its own (`name.rs`).
        PersonClue::Email(_)
        | PersonClue::EmailHash(_)
        | PersonClue::Phone(_)
        | PersonClue::SocialUrl(_)
        | PersonClue::LinkedinId(_)
        | PersonClue::ServiceId(_)
        | PersonClue::FullName(_)
        | PersonClue::FirstName(_)
        | PersonClue::LastName(_) => 0.0,
    }
}

/// As many as are told by either of its names: how it was asked for, and as the record has it; domains are counted apart from names.
fn share_of_employer(counts: &dyn Counts, asked: &str, record: Option<&str>) -> f64 {
    let of = |value: &str| {
        let what = if is_host(value) {
            Counted::EmployerDomain
        } else {
            Counted::Employer
        };
        share(counts, what, value, record.as_slice())
    };
    of(asked).max(record.map_or(0.0, of))
}

/// Schools are counted by name: beside a host the names of the record's schools are.
fn share_of_school(counts: &dyn Counts, asked: &str, record: Option<&str>, doc: &Compared) -> f64 {
    let names = doc.texts("education.organization.name.cleaned");
    let is_by_host = is_host(asked) || record.is_some_and(is_host);
    let names = names.filter(|_| is_by_host && record.is_some());
    let stored: Vec<&str> = record.into_iter().chain(names).collect();
    share(counts, Counted::School, asked, &stored)
}

/// `northwind.com`, as it is stored and compared.
fn is_host(value: &str) -> bool {
    value.contains('.') && !value.contains(' ')
}

fn by_share(context: Context, how: How, share: f64) -> f64 {
    let whole = (context.same / share).log2().min(context.most).max(0.0);
    match how {
        How::Exact | How::Same | How::But => whole,
        How::Nickname
        | How::Part
        | How::Order
        | How::Near
        | How::OtherName
        | How::Initial
        | How::Slip => (whole + context.near).max(0.0),
        // A name that was cut short, or has words more.
        How::Short | How::Kind | How::Word => whole.min(weights::SHORT),
        How::Unsure | How::Unknown => 0.0,
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
    let of_places = || {
        clues
            .iter()
            .zip(0..)
            .filter(|(clue, _)| clue.is_place())
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
    doc: &Compared,
    counts: &dyn Counts,
) {
    let speaks_of_country = |clue: &PersonClue| {
        clue.is_name()
            || clue.is_place()
            || matches!(clue, PersonClue::Company(_) | PersonClue::School(_))
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
        .filter(|(clue, line)| {
            let is_unsure = line.finding.verdict() == Verdict::Unknown && !clue.is_name();
            line.bits > 1.0 && !is_unsure
        })
        .map(|(clue, _)| {
            if matches!(clue, PersonClue::FullName(_)) {
                2.0
            } else {
                1.0
            }
        })
        .sum();
    let country = countries(doc)
        .next()
        .map_or(weights::UNKNOWN_COUNTRY, |code| {
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
