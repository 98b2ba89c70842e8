//! Inputs of a person request beside what a record holds, one function for each kind of input.

use std::borrow::Cow;

use normalize::birth_date::BirthDate;
use normalize::compare::{self, Agreement, Organisation, OrganisationFinding, PersonName};
use normalize::keys::postal_code_key;
use normalize::{company, country, linkedin_company, text};

use super::Given;
use crate::enrich::agree::{countries, organisation};
use crate::enrich::company::linkedin_number;
use crate::enrich::compared::Compared;
use crate::enrich::finding::{Finding, How, Verdict};
use crate::enrich::memo::{ClueMemo, Hows, Memo};

/// More other spellings of a name than this are not compared.
const MAX_ALIASES: usize = 8;

/// The names under which a record is known: its own and those that are matched but not shown. A form with initials
/// only (`j.m. nemes`) says less than the full name and would agree with strangers, so it is left out.
pub(in crate::enrich) fn names<'a>(
    doc: &'a Compared,
    memo: &Memo,
) -> impl Iterator<Item = &'a str> {
    let mut key = String::new();
    let is_name = move |alias: &&str| {
        key.clear();
        key.push_str(alias);
        for family in doc.texts("last_name") {
            key.push('\n');
            key.push_str(family);
        }
        memo.is_name(&key, || {
            let family: Vec<String> = doc.texts("last_name").flat_map(words_of).collect();
            is_written_out(alias, &family)
        })
    };
    let aliases = doc.texts("_name_aliases").filter(is_name);
    doc.texts("full_name").chain(aliases.take(MAX_ALIASES))
}

/// Two words at least, one of them not of the family name: `rahman, 5th` and `dias (laura)` would agree with every relative.
fn is_written_out(name: &str, family: &[String]) -> bool {
    let outside = name.split('(').next().unwrap_or_default();
    if !name.is_ascii() && !name.contains(' ') {
        // Scripts without spaces write a whole name in one word.
        return true;
    }
    let is_initial = |word: &&str| word.contains('.') || word.chars().count() < 2;
    let told: Vec<String> = outside
        .split_whitespace()
        .filter(|word| !is_initial(word))
        .flat_map(words_of)
        .filter(|word| word.chars().all(char::is_alphabetic))
        .collect();
    told.len() > 1 && (family.is_empty() || told.iter().any(|word| !family.contains(word)))
}

fn words_of(text: &str) -> Vec<String> {
    let folded = text::fold(text);
    let words = folded.split(' ').filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// How the nearest of the record's names compares with a name. An alias is matched, not shown.
pub(super) fn compare_name<'a>(name: &PersonName, doc: &'a Compared, memo: &Memo) -> Finding<'a> {
    let is_own = |known: &str| doc.texts("full_name").any(|own| own == known);
    let [first, last] = ["first_name", "last_name"].map(|part| doc.texts(part).next());
    let found = Finding::nearest(names(doc, memo), |known| {
        let read = if is_own(known) {
            PersonName::stored(known, first, last)
        } else {
            PersonName::read(known)
        };
        read.map_or(How::Unknown, |known| How::of_name(name.difference(&known)))
    });
    if found.record.as_deref().is_some_and(is_own) {
        found
    } else {
        Finding::bare(found.how)
    }
}

/// An employer or a school: who bears the name of the person beside it tells which of few is meant.
fn of_organisation(asked: &Organisation, known: &Organisation) -> How {
    match asked.finding(known) {
        OrganisationFinding::Letters if asked.is_one_of_few(known) => How::OtherName,
        found => How::of_organisation(found),
    }
}

/// An employer, past or present.
pub(super) fn employer<'a>(given: &Given, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
    let hosts = doc
        .texts("company_domain")
        .chain(doc.texts("experience.organization.website"));
    let names = doc
        .texts("company_name")
        .chain(doc.texts("experience.organization.name.cleaned"))
        .chain(doc.texts("experience.organization.name.raw"));
    let company = &given.read;
    let hows = |name: &str| {
        memo.hows(name, || {
            let known = Organisation::company(name);
            Hows {
                how: of_organisation(company, &known),
                without_place: without_place(given, &known, |_| true),
            }
        })
    };
    let found = organisation(company.is_domain(), hosts, names.clone(), |name| {
        hows(name).how
    });
    let found = if found.how > How::Same && !given.without_places.is_empty() {
        let without_place = Finding::nearest(names.clone(), |name| {
            if hows(name).without_place >= found.how {
                return How::Contradicts;
            }
            let known = Organisation::company(name);
            without_place(given, &known, |text| is_place_of(doc, text))
        });
        if without_place.how < found.how {
            without_place
        } else {
            found
        }
    } else {
        found
    };
    match found.how {
        How::Kind => Finding {
            how: How::Short,
            ..found
        },
        // A place, a department or what it was called before, behind the name or left out: `hubspot newark`, `tesla motors`. Before it, it
        // is another one: `taco bell`, `bell`.
        How::Word
            if found.record.as_deref().is_some_and(|known| {
                let known = Organisation::company(known);
                company.begins(&known) || known.begins(company)
            }) =>
        {
            Finding {
                how: How::Short,
                ..found
            }
        }
        how if how.verdict() != Verdict::Agrees => {
            let mut local = names.filter(|name| is_local(given, name, doc));
            local
                .next()
                .map_or(found, |name| Finding::of(How::Short, name))
        }
        _ => found,
    }
}

/// Whether the record's employer is the one that is given, of a place of the record: `iowa house of representatives` in Iowa, `house of
/// representatives`.
fn is_local(given: &Given, known: &str, doc: &Compared) -> bool {
    let place = known.strip_suffix(given.text.as_str());
    let place = place.and_then(|place| place.strip_suffix(' '));
    place.is_some_and(|place| is_place_of(doc, place))
}

/// Of an employer that is told with a place of the record or a department behind it: `siemens seoul`, `gtbank procurement`.
fn without_place(given: &Given, known: &Organisation, is_place: impl Fn(&str) -> bool) -> How {
    let names = given.without_places.iter();
    let found = names
        .filter_map(|name| name.finding(known, &is_place))
        .max();
    found.map_or(How::Contradicts, How::of_organisation)
}

/// Whether a text is the name of a place of the record.
fn is_place_of(doc: &Compared, text: &str) -> bool {
    let any = |paths: [&'static str; 2], is: &dyn Fn(&str) -> bool| {
        paths.into_iter().flat_map(|path| doc.texts(path)).any(is)
    };
    let country = country::clean(text).ok();
    any(["city", "locations.city"], &|city| {
        compare::cities(text, city) == Agreement::Same
    }) || any(["state", "locations.state"], &|state| {
        compare::places(text, state) == Agreement::Same
    }) || country
        .is_some_and(|country| countries(doc).any(|code| code.eq_ignore_ascii_case(country.code)))
}

/// An employer by its LinkedIn page: by the record's pages, else by the words of the page. A page is not made of the name, so that
/// these can only agree.
pub(super) fn employer_of_page<'a>(
    page: &str,
    words: &Given,
    doc: &'a Compared,
    memo: ClueMemo<'_>,
) -> Finding<'a> {
    let number = linkedin_number(page);
    let is_comparable = |known: &&str| linkedin_number(known).is_some() == number.is_some();
    let pages = doc
        .texts("company_linkedin_url")
        .chain(doc.texts("experience.organization.linkedin_url"))
        .filter(is_comparable);
    let numbers = doc
        .texts("company_linkedin_id")
        .chain(doc.texts("experience.organization.linkedin_id"));
    let by_page = Finding::nearest(pages, |known| {
        How::of_equal(linkedin_company::are_one(page, known))
    });
    let by_number = || match number {
        Some(number) => Finding::nearest(numbers, |known| How::of_equal(known == number)),
        None => Finding::UNKNOWN,
    };
    by_page.or_agreeing(by_number).or_agreeing(|| {
        let found = employer(words, doc, memo);
        match found.how {
            // Words more in the name of another page are another company's.
            How::Contradicts | How::Short => Finding::UNKNOWN,
            how => Finding {
                how: how.max(How::Near),
                ..found
            },
        }
    })
}

pub(super) fn alma_mater<'a>(school: &Given, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
    let hosts = doc.texts("education.organization.website");
    let names = doc.texts("education.organization.name.cleaned");
    let found = organisation(school.read.is_domain(), hosts, names, |name| {
        memo.how(name, || {
            of_organisation(&school.read, &Organisation::school(name))
        })
    });
    let record = found.record.as_deref();
    match found.how {
        How::Kind => Finding {
            how: How::Short,
            ..found
        },
        How::Unsure if record.is_some_and(|known| is_leading(&school.text, known)) => Finding {
            how: How::Short,
            ..found
        },
        _ => found,
    }
}

/// Whether one name is the leading words of the other, and says which school it is: `harvard` of `harvard university`.
fn is_leading(a: &str, b: &str) -> bool {
    let (a, b) = (text::fold(a), text::fold(b));
    let (short, long) = if a.len() <= b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    let is_own = |word: &str| word.len() >= MIN_OWN_WORD && !company::is_common_word(word);
    long.strip_prefix(short.as_str())
        .is_some_and(|rest| rest.starts_with(' '))
        && short.split(' ').any(is_own)
}

/// Shorter words do not say which school it is.
const MIN_OWN_WORD: usize = 4;

/// A title of any job. Of two words at least, a part is enough: `vp sales` is in `vp of sales, emea`.
pub(super) fn job_title<'a>(title: &str, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
    let titles = doc
        .texts("job_title")
        .chain(doc.texts("experience.title.cleaned"));
    let how = |known: &str| match compare::titles(title, known) {
        Agreement::Partial if word_count(title).min(word_count(known)) > 1 => How::Part,
        other => How::of_near(other),
    };
    Finding::nearest(titles, |known| memo.how(known, || how(known)))
}

fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Compared by their keys: a US code agrees with its ZIP+4, and any code with itself in another spelling. One sign off is near.
pub(super) fn postal_code(a: &str, b: &str) -> How {
    let (a, b) = (postal_code_key(a), postal_code_key(b));
    if a == b {
        How::Same
    } else if a.len().min(b.len()) >= 4 && compare::is_one_sign_off(&a, &b) {
        How::Near
    } else {
        How::Contradicts
    }
}

/// How two birth dates compare, as far as both sides know them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::enrich) struct BirthDateParts {
    /// How many parts both sides know: the year, then the month, then the day.
    pub(in crate::enrich) known: usize,
    /// How many of them differ.
    pub(in crate::enrich) different: usize,
    /// Whether day and month are swapped.
    pub(in crate::enrich) is_swapped: bool,
    /// Whether the years differ by more than a slip of typing or of counting.
    pub(in crate::enrich) is_another_year: bool,
}

/// Whether two years differ by a typing slip or by at most 2. A gap of 15 to 45 years is a generation.
fn is_year_slip(a: i64, b: i64) -> bool {
    const CLOSE: u64 = 2;
    const GENERATION: std::ops::RangeInclusive<u64> = 15..=45;
    let (a_digits, b_digits) = (a.to_string(), b.to_string());
    let is_digit = || {
        !GENERATION.contains(&a.abs_diff(b))
            && a_digits.len() == b_digits.len()
            && compare::is_one_sign_off(&a_digits, &b_digits)
    };
    a.abs_diff(b) <= CLOSE || is_digit()
}

/// Compares the record's birth date with a given one, part by part.
pub(in crate::enrich) fn birth_date_parts(given: BirthDate, doc: &Compared) -> BirthDateParts {
    let number = |field: &str| doc.number(field);
    let parts = [
        (Some(i64::from(given.year)), number("birth_year")),
        (given.month.map(i64::from), number("birth_month")),
        (given.day.map(i64::from), number("birth_day")),
    ];
    let known: Vec<(i64, i64)> = parts
        .iter()
        .map_while(|(given, known)| given.zip(*known))
        .collect();
    let different = known.iter().filter(|(given, known)| given != known).count();
    let swapped = matches!(known.as_slice(), [(a, b), (month, known_month), (day, known_day)]
        if a == b && month == known_day && day == known_month);
    let years = known.first();
    BirthDateParts {
        known: known.len(),
        different,
        is_swapped: swapped,
        is_another_year: years.is_some_and(|(given, known)| !is_year_slip(*given, *known)),
    }
}

/// Compared as far as both sides know it. One differing part of three is near: a slip. So are a day and a month that are swapped. Father
/// and son may share a birthday, not a birth year.
pub(super) fn birth_date(given: BirthDate, doc: &Compared) -> Finding<'_> {
    let parts = birth_date_parts(given, doc);
    let how = match (parts.known, parts.different) {
        (0, _) => return Finding::UNKNOWN,
        (_, 0) => How::Same,
        _ if parts.is_another_year => How::Contradicts,
        (3, 1) => How::Near,
        (3, _) if parts.is_swapped => How::Near,
        _ => How::Contradicts,
    };
    let record = doc.texts("birth_date").next();
    let year = doc.number("birth_year");
    Finding {
        how,
        record: record
            .map(Cow::Borrowed)
            .or_else(|| year.map(|year| Cow::Owned(year.to_string()))),
    }
}
