//! The inputs that say whom or what is meant, normalized by the canon; what it cannot read is a 422 on the field.

use events_schema::api::limits::MAX_STRING_CHARS;
use events_schema::record::RecordKind;
use normalize::name::Generation;
use normalize::{Unreadable, company, email, linkedin_company, name, social, title};
use service_kit::Fields;
use uuid::Uuid;

use super::options::with_options;
use super::{Query, RequestRefusal};
use crate::enrich::company::{CompanyClue, CompanyGiven};
use crate::enrich::person::{Given, NameParts, PersonClue, Street};
use crate::region;
use crate::spending::DRY_RUN;

/// Longer than any id of LinkedIn's.
const MAX_LINKEDIN_ID_CHARS: usize = 64;

const PERSON: &[&str] = with_options![
    "email",
    "email_hash",
    "phone",
    "social_url",
    "linkedin_id",
    "service_id",
    "full_name",
    "first_name",
    "last_name",
    "company",
    "school",
    "job_title",
    "address",
    "city",
    "state",
    "country",
    "postal_code",
    "birth_date",
    "default_region",
    DRY_RUN,
];
const PERSON_PRIMARY: &[&str] = &[
    "email",
    "email_hash",
    "phone",
    "social_url",
    "linkedin_id",
    "service_id",
];
const PERSON_NAMES: &[&str] = &["full_name", "first_name", "last_name"];
/// What goes with a person's name.
pub const PERSON_CONTEXT: &[&str] = &[
    "company",
    "school",
    "job_title",
    "address",
    "city",
    "state",
    "country",
    "postal_code",
    "birth_date",
];
const COMPANY: &[&str] = with_options![
    "service_id",
    "domain",
    "name",
    "linkedin_url",
    "social_url",
    "linkedin_id",
    "ticker_symbol",
    "industry",
    "city",
    "state",
    "country",
    DRY_RUN,
];
const COMPANY_PRIMARY: &[&str] = &[
    "service_id",
    "domain",
    "name",
    "linkedin_url",
    "social_url",
    "linkedin_id",
    "ticker_symbol",
];
const COMPANY_CONTEXT: &[&str] = &["industry", "city", "state", "country"];

/// The keys of a body.
pub(super) const fn accepted(kind: RecordKind) -> &'static [&'static str] {
    match kind {
        RecordKind::Person => PERSON,
        RecordKind::Company => COMPANY,
    }
}

/// Whether what is given can identify a record at all; whether it can be read is another matter.
pub(super) fn check_identifiers(
    kind: RecordKind,
    fields: &Fields<'_>,
) -> Result<(), RequestRefusal> {
    let given = |names: &[&'static str]| -> Vec<&'static str> {
        names
            .iter()
            .copied()
            .filter(|name| fields.is_given(name))
            .collect()
    };
    let (accepted, mut towards, enough) = match kind {
        RecordKind::Person => {
            let enough = !given(PERSON_PRIMARY).is_empty()
                || (has_name(fields) && !given(PERSON_CONTEXT).is_empty());
            let mut towards = given(PERSON_NAMES);
            towards.extend(given(PERSON_CONTEXT));
            (PERSON_PRIMARY, towards, enough)
        }
        RecordKind::Company => {
            let primary = given(COMPANY_PRIMARY);
            let only_placeholder =
                primary == ["name"] && is_placeholder(fields, "name", company::is_placeholder);
            (
                COMPANY_PRIMARY,
                given(COMPANY_CONTEXT),
                !primary.is_empty() && !only_placeholder,
            )
        }
    };
    if enough {
        return Ok(());
    }
    if kind == RecordKind::Company {
        towards.splice(0..0, given(&["name"]));
    }
    Err(RequestRefusal::InsufficientIdentifiers {
        given: towards,
        accepted,
        kind,
        lacks: lacks(kind, fields),
    })
}

/// What is missing to names and contexts that are not enough, as a sentence; none where nothing was given towards either.
fn lacks(kind: RecordKind, fields: &Fields<'_>) -> Option<&'static str> {
    let is_given = |name| fields.is_given(name);
    match kind {
        RecordKind::Person if has_name(fields) => Some("A name alone is not enough."),
        RecordKind::Person if is_given("full_name") || both_parts(fields).is_some() => {
            Some("The name is a placeholder, or is empty.")
        }
        RecordKind::Person if is_given("first_name") => Some("The first_name lacks a last_name."),
        RecordKind::Person if is_given("last_name") => Some("The last_name lacks a first_name."),
        RecordKind::Company if is_given("name") => Some("The name is a placeholder."),
        RecordKind::Person | RecordKind::Company => None,
    }
}

/// A whole name that is not a placeholder.
fn has_name(fields: &Fields<'_>) -> bool {
    let in_one =
        fields.is_given("full_name") && !is_placeholder(fields, "full_name", name::is_placeholder);
    in_one || both_parts(fields).is_some_and(|joined| !name::is_placeholder(&joined))
}

/// Given and family name, where both are given.
fn both_parts(fields: &Fields<'_>) -> Option<String> {
    let text = |field| {
        let value = fields.value(field).filter(|_| fields.is_given(field))?;
        Some(value.as_str().unwrap_or_default())
    };
    Some(format!("{} {}", text("first_name")?, text("last_name")?))
}

fn is_placeholder(fields: &Fields<'_>, field: &str, is_one: fn(&str) -> bool) -> bool {
    fields
        .value(field)
        .and_then(|value| value.as_str())
        .is_some_and(is_one)
}

/// The contexts that a body gives, readable or not.
pub(super) fn contexts_given(kind: RecordKind, fields: &Fields<'_>) -> Vec<&'static str> {
    let contexts = match kind {
        RecordKind::Person => PERSON_CONTEXT,
        RecordKind::Company => COMPANY_CONTEXT,
    };
    let given = contexts.iter().copied();
    given.filter(|name| fields.is_given(name)).collect()
}

/// Those of the contexts of which nothing is asked.
pub(super) fn not_read(query: &Query, mut contexts: Vec<&'static str>) -> Vec<&'static str> {
    contexts.retain(|context| match query {
        Query::Person { clues, .. } => clues.iter().all(|clue| clue.field() != *context),
        Query::Company { clues } => clues.iter().all(|clue| clue.field() != *context),
    });
    contexts
}

/// Reads the inputs, noting what cannot be read.
pub(super) fn read(kind: RecordKind, fields: &mut Fields<'_>) -> Query {
    match kind {
        RecordKind::Person => person(fields),
        RecordKind::Company => Query::Company {
            clues: company_clues(fields),
        },
    }
}

fn person(fields: &mut Fields<'_>) -> Query {
    use PersonClue as C;
    let region = region::read(fields);
    let country = fields_country(fields);
    let is_nobody = both_parts(fields).is_some_and(|joined| name::is_placeholder(&joined));
    let mut clues: Vec<Option<PersonClue>> = vec![
        read_as(fields, "email", normalize::email::clean).map(C::Email),
        read_as(fields, "email_hash", normalize::email_hash::parse).map(C::EmailHash),
        read_as(fields, "phone", |text| {
            normalize::phone::clean(text, &region)
        })
        .map(C::Phone),
        read_as(fields, "social_url", normalize::social::clean).map(C::SocialUrl),
        read_as(fields, "linkedin_id", linkedin_id).map(C::LinkedinId),
        read_as(fields, "service_id", service_id).map(C::ServiceId),
        read_name(fields, "full_name", name::is_placeholder, |text| {
            name::full(text).map(|name| name.cleaned)
        })
        .map(C::FullName),
        read_part(fields, "first_name", is_nobody, name::first).map(C::FirstName),
        read_part(fields, "last_name", is_nobody, name::last).map(C::LastName),
    ];
    let company = read_context(fields, "company", employer);
    let school = read_context(fields, "school", |text| normalize::school::clean(text).ok());
    let of_title = of_title(fields);
    clues.extend([
        company.or(of_title).map(C::Company),
        school.map(|name| C::School(Given::school(name))),
        read_context(fields, "job_title", |text| title::clean(text).ok()).map(C::JobTitle),
        read_context(fields, "address", |line| {
            normalize::address::clean(line).ok().and_then(Street::new)
        })
        .map(C::Address),
        read_context(fields, "city", |text| normalize::city::clean(text).ok()).map(C::City),
        read_state(fields, country).map(|(name, code)| C::State { name, code }),
        country.map(|code| C::Country(code.to_owned())),
        read_context(fields, "postal_code", |text| {
            normalize::postal_code::clean(text).ok()
        })
        .map(C::PostalCode),
        read_as(fields, "birth_date", normalize::birth_date::clean).map(C::BirthDate),
    ]);
    let clues: Vec<PersonClue> = clues.into_iter().flatten().collect();
    let name = name_parts(&clues).map(|name| NameParts {
        generation: generation(fields),
        ..name.also_called(&in_brackets(fields))
    });
    Query::Person { clues, name }
}

/// The name in one piece if it is given so, else put together from its two; one word where that is all the name there
/// is: `madonna`, `山田太郎`.
fn name_parts(clues: &[PersonClue]) -> Option<NameParts> {
    let mut first = None;
    let mut last = None;
    let mut word = None;
    for (at, clue) in clues.iter().enumerate() {
        match clue {
            PersonClue::FullName(name) if name.contains(' ') => {
                return Some(NameParts::new(name, at, true));
            }
            PersonClue::FullName(name) => word = Some((name, at)),
            PersonClue::FirstName(name) => first = Some((name, at)),
            PersonClue::LastName(name) => last = Some(name),
            _ => {}
        }
    }
    match (first.zip(last), word) {
        (Some(((first, clue), last)), _) => Some(NameParts::of_parts(first, last, clue)),
        (None, Some((word, clue))) => Some(NameParts::new(word, clue, true)),
        (None, None) => None,
    }
}

/// What the name says in brackets, which is left off where it is cleaned.
fn in_brackets(fields: &Fields<'_>) -> Vec<String> {
    let full = fields.value("full_name").and_then(|value| value.as_str());
    full.map_or_else(Vec::new, name::beside_brackets)
}

/// The generation that stands behind the name: `John Smith Jr.`
fn generation(fields: &Fields<'_>) -> Option<Generation> {
    let text = |field| fields.value(field)?.as_str();
    let of_full = || name::full(text("full_name")?).ok()?.suffix;
    let of_last = || name::last_and_suffix(text("last_name")?).ok()?.1;
    let suffixes = [of_full(), of_last()].into_iter().flatten();
    suffixes
        .into_iter()
        .find_map(|suffix| name::generation(&suffix))
}

fn company_clues(fields: &mut Fields<'_>) -> Vec<CompanyClue> {
    use CompanyClue as C;
    let country = fields_country(fields);
    let clues: Vec<Option<CompanyClue>> = vec![
        read_as(fields, "service_id", service_id).map(C::ServiceId),
        read_as(fields, "domain", |text| {
            page("domain", text).unwrap_or_else(|| normalize::domain::clean(text).map(C::Domain))
        }),
        read_name(fields, "name", company::is_placeholder, |text| {
            let name = || normalize::company::clean(text).map(|name| name.name);
            page("name", text).unwrap_or_else(|| {
                name().map(|name| C::Name(Box::new(CompanyGiven::new(text, name))))
            })
        }),
        read_as(fields, "linkedin_url", own_page).map(|url| C::Profile {
            field: "linkedin_url",
            url,
        }),
        read_profile(fields, "social_url"),
        read_as(fields, "linkedin_id", linkedin_id).map(C::LinkedinId),
        read_as(fields, "ticker_symbol", normalize::ticker::clean).map(C::Ticker),
        read_context(fields, "industry", industry).map(C::Industry),
        read_context(fields, "city", |text| normalize::city::clean(text).ok()).map(C::City),
        read_state(fields, country).map(|(name, code)| C::State { name, code }),
        country.map(|code| C::Country(code.to_owned())),
    ];
    clues.into_iter().flatten().collect()
}

fn read_as<T>(
    fields: &mut Fields<'_>,
    field: &'static str,
    clean: impl FnOnce(&str) -> Result<T, Unreadable>,
) -> Option<T> {
    let text = fields.string(field, MAX_STRING_CHARS)?;
    match clean(text) {
        Ok(value) => Some(value),
        Err(unreadable) => {
            fields.fail(field, unreadable.reason, unreadable.suggestion.as_deref());
            None
        }
    }
}

/// A context that cannot be read, and one that stands for none (`n/a`, `self-employed`), say nothing.
fn read_context<T>(
    fields: &mut Fields<'_>,
    field: &'static str,
    clean: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let text = fields.string(field, MAX_STRING_CHARS)?;
    if company::is_placeholder(text) {
        return None;
    }
    clean(text)
}

/// A placeholder beside an identifier says nothing, neither for nor against a record.
fn read_name<T>(
    fields: &mut Fields<'_>,
    field: &'static str,
    is_one: fn(&str) -> bool,
    clean: impl FnOnce(&str) -> Result<T, Unreadable>,
) -> Option<T> {
    if is_placeholder(fields, field, is_one) {
        return fields.string(field, MAX_STRING_CHARS).and(None);
    }
    read_as(fields, field, clean)
}

/// A part of a name: a word that people are also called (`First`) is a placeholder only where the whole name is one (`First Last`).
fn read_part(
    fields: &mut Fields<'_>,
    field: &'static str,
    is_nobody: bool,
    clean: impl FnOnce(&str) -> Result<String, Unreadable>,
) -> Option<String> {
    if is_nobody {
        return fields.string(field, MAX_STRING_CHARS).and(None);
    }
    read_name(fields, field, name::is_placeholder_part, clean)
}

/// `NO` and `NA` are countries, `n/a` is none.
fn fields_country(fields: &mut Fields<'_>) -> Option<&'static str> {
    let text = fields.string("country", MAX_STRING_CHARS)?;
    if company::is_placeholder(text) && !is_code(text) {
        return None;
    }
    let country = normalize::country::clean(text).ok();
    country.map(|country| country.code)
}

/// Two letters and nothing else.
fn is_code(text: &str) -> bool {
    let text = normalize::text::trim(text);
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// A state that no table knows is compared as text: it may be a region that the records spell the same way.
fn read_state(fields: &mut Fields<'_>, country: Option<&str>) -> Option<(String, Option<String>)> {
    let known = |text: &str| {
        let state = normalize::state::clean(text, country).ok()?;
        Some((state.full_name.to_owned(), Some(state.code.to_owned())))
    };
    // `NO` of Italy is Novara.
    let text = fields.string("state", MAX_STRING_CHARS)?;
    if country.is_some()
        && is_code(text)
        && let Some(state) = known(text)
    {
        return Some(state);
    }
    read_context(fields, "state", |text| {
        if let Some(state) = known(text) {
            return Some(state);
        }
        let name = normalize::text::clean(text);
        (!normalize::text::is_blank(&name)).then_some((name, None))
    })
}

fn service_id(text: &str) -> Result<Uuid, Unreadable> {
    Uuid::parse_str(text.trim()).map_err(|_| Unreadable::new("expected a UUID"))
}

/// Letter case is part of an id: LinkedIn has numbers and case-sensitive codes.
fn linkedin_id(text: &str) -> Result<String, Unreadable> {
    let id = normalize::text::trim(text);
    let is_code = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=MAX_LINKEDIN_ID_CHARS).contains(&id.len()) && id.bytes().all(is_code) {
        Ok(id.to_owned())
    } else {
        Err(Unreadable::new(
            "expected the id of a LinkedIn profile or page",
        ))
    }
}

/// A profile where the company itself should be named: the page is meant, not the network that it is on.
fn page(field: &'static str, text: &str) -> Option<Result<CompanyClue, Unreadable>> {
    social::is_page(text).then(|| profile(text).map(|url| CompanyClue::Profile { field, url }))
}

fn read_profile(fields: &mut Fields<'_>, field: &'static str) -> Option<CompanyClue> {
    read_as(fields, field, profile).map(|url| CompanyClue::Profile { field, url })
}

/// An employer: a LinkedIn page is that of the employer. Other pages of networks, and hosts that give mailboxes to anybody, name none.
fn employer(text: &str) -> Option<Given> {
    if let Ok(page) = linkedin_company::clean(text) {
        return Some(Given::page(page));
    }
    let company = company::clean(text)
        .ok()
        .filter(|_| !social::is_page(text))?;
    let is_open_mail =
        company.kind != company::Kind::Name && email::is_free_provider(&company.name);
    (!is_open_mail).then(|| Given::company(company.name))
}

/// The employer that a job title names, where no other is given: `Underwriter at Swiss Re`. It speaks against a record only where it is
/// known as one.
fn of_title(fields: &Fields<'_>) -> Option<Given> {
    if fields.is_given("company") {
        return None;
    }
    let named = title::employer(fields.value("job_title")?.as_str()?)?;
    let named = employer(named).filter(|_| !company::is_placeholder(named))?;
    Some(Given {
        may_be_none: !named.read.is_known(),
        ..named
    })
}

/// The page of a company: that of a person is nobody's employer.
fn own_page(text: &str) -> Result<String, Unreadable> {
    profile(text).and_then(|url| {
        if url.starts_with("linkedin.com/in/") {
            let reason = "is the page of a person; that of a company is linkedin.com/company/…";
            return Err(Unreadable::new(reason));
        }
        Ok(url)
    })
}

/// A LinkedIn page, or a profile of another network.
fn profile(text: &str) -> Result<String, Unreadable> {
    linkedin_company::clean(text)
        .or_else(|_| social::clean(text).map(|social| social.url))
        .or_else(|_| social::account_elsewhere(text))
        .map_err(|_| Unreadable::new("not a LinkedIn company page or another profile URL"))
}

fn industry(text: &str) -> Option<String> {
    let cleaned = normalize::text::clean(text);
    (!normalize::text::is_blank(&cleaned)).then_some(cleaned)
}
