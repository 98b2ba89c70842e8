//! Literals in the form in which a data build stores their field, so that what was stored is found however it is written.
//!
//! Each column is read by the function that a data build reads its field with. Only for `=`, `<>`, `IN` and `NOT IN`:
//! a range or a pattern is about the stored text as it is.

use events_schema::record::{FieldType, RecordKind};
use normalize::{
    Unreadable, address, city, company, country, domain, email, linkedin_company, name, phone,
    postal_code, school, social, state, text, ticker, title, vocabulary,
};

use crate::column::{Column, ValueType};
use crate::fold;

/// Phones without a country code are read in this region.
const REGION: &str = "US";
/// A literal that is longer, in bytes, is no name, host or word of a list: it is only put in lower case, so that the work
/// of the canon does not grow with it.
const MAX_BYTES: usize = 1_024;
/// A form that is not settled after so many readings is none.
const MAX_ROUNDS: usize = 4;

#[cfg(test)]
thread_local! {
    static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How many literals this thread has read: that is what the canon costs.
#[cfg(test)]
pub(crate) fn read_count() -> usize {
    READ.with(std::cell::Cell::get)
}

/// What stored values a literal stands for, folded: one, or two where records hold the given form beside the canonical
/// one (a company's name, a state by a name of which no table knows), or the ranges of which a range of employees is made
/// up. The literal's own folded form where it cannot be read. Reading the answer again gives the answer.
#[must_use]
pub fn stored_forms(kind: RecordKind, column: &Column, given: &str) -> Vec<String> {
    #[cfg(test)]
    READ.with(|read| read.set(read.get() + 1));
    let folded = fold(given);
    if column.value != ValueType::Text {
        return vec![folded];
    }
    if column.field.kind == FieldType::Vocabulary("size") && given.len() <= MAX_BYTES {
        return match vocabulary::company_sizes(given) {
            // As a build keeps what it does not know.
            [] => vec![
                Some(fold(&text::clean(given)))
                    .filter(|form| !form.is_empty())
                    .unwrap_or(folded),
            ],
            ranges => ranges.iter().map(|&range| range.to_owned()).collect(),
        };
    }
    let read = |form: &str| canonical(kind, column, form);
    let keeps_given = keeps_given(kind, &column.path);
    // Capitals may tell a name's parts. Where the folded form is an answer, too, it is what must be read.
    let canonical = if keeps_given {
        None
    } else {
        settled(given, read)
    };
    match canonical.or_else(|| settled(&folded, read)) {
        None => vec![folded],
        Some(form) if form == folded => vec![folded],
        Some(form) if keeps_given => {
            let mut forms = vec![folded, form];
            forms.sort_unstable();
            forms
        }
        Some(form) => vec![form],
    }
}

/// Whether records hold such a value in its given form, too.
pub(crate) fn keeps_given(kind: RecordKind, path: &str) -> bool {
    path == "state" || path == "locations.state" || (kind == RecordKind::Company && path == "name")
}

/// Reads until nothing changes.
fn settled(given: &str, read: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut form = fold(&read(given)?);
    for _ in 0..MAX_ROUNDS {
        match read(&form).map(|next| fold(&next)) {
            Some(next) if next != form => form = next,
            Some(_) => return Some(form),
            None => return None,
        }
    }
    None
}

fn canonical(kind: RecordKind, column: &Column, given: &str) -> Option<String> {
    let path = column.path.as_str();
    if given.len() > MAX_BYTES {
        return plain(column, given);
    }
    if let FieldType::Vocabulary(list) = column.field.kind {
        return vocabulary_of(list, given);
    }
    if let FieldType::Enum(accepted) = column.field.kind {
        return one_of(path, accepted, given);
    }
    let last = path.rsplit('.').next().unwrap_or(path);
    let read = match (kind, path, last) {
        (_, "full_name", _) => name::full(given).map(|read| read.cleaned),
        (_, "first_name", _) => name::first(given),
        (_, "last_name", _) => name::last(given),
        (_, "work_email" | "emails.address", _) => email::clean(given).map(|read| read.address),
        (_, "mobile_phone" | "phones.number", _) => phone::clean(given, REGION),
        (_, "socials.url", _) => return account(kind, given),
        (RecordKind::Person, "linkedin_url", _) => social::clean(given).map(|read| read.url),
        (_, _, "linkedin_url" | "company_linkedin_url") => linkedin_company::clean(given),
        (_, "company_domain" | "domain" | "domains.domain", _) | (_, _, "website") => {
            domain::clean(given)
        }
        (_, "city" | "locations.city", _) => city::clean(given),
        // Without its country it could be either.
        (_, "state" | "locations.state", _) if state::is_shared(given) => {
            return plain(column, given);
        }
        (_, "state" | "locations.state", _) => {
            state::clean(given, None).map(|read| read.full_name.to_owned())
        }
        (_, _, "state_code") => state::clean(given, None).map(|read| read.code.to_owned()),
        (_, "country" | "locations.country", _) => {
            country::clean(given).map(|read| read.full_name.to_owned())
        }
        (_, _, "country_code") => country::clean(given).map(|read| read.code.to_owned()),
        (_, _, "postal_code") => postal_code::clean(given),
        (_, _, "street_address" | "address_line_2") => address::clean(given),
        (_, "job_title" | "experience.title.cleaned", _) => title::clean(given),
        (_, "company_name" | "experience.organization.name.cleaned", _)
        | (RecordKind::Company, "name" | "name.cleaned", _) => {
            company::clean(given).map(|read| read.name)
        }
        (_, "education.organization.name.cleaned", _) => school::clean(given),
        (_, "education.degree.cleaned", _) => vocabulary::degree(given),
        (_, "tickers.symbol", _) => ticker::clean(given),
        // Kept as it is shown.
        (RecordKind::Company, "name.display", _) => return None,
        _ => return plain(column, given),
    };
    read.or_else(|fault: Unreadable| plain(column, given).ok_or(fault))
        .ok()
}

/// Text that is only put in lower case; codes, ids and URLs are kept as they are.
fn plain(column: &Column, given: &str) -> Option<String> {
    (column.field.kind == FieldType::Text)
        .then(|| text::clean(given))
        .filter(|text| !text.is_empty())
}

fn account(kind: RecordKind, given: &str) -> Option<String> {
    let page = (kind == RecordKind::Company).then(|| linkedin_company::clean(given).ok());
    page.flatten().or_else(|| social::stored(given))
}

fn one_of(path: &str, accepted: &[&str], given: &str) -> Option<String> {
    let text = text::clean(given);
    if path == "socials.network" && text == "x" {
        return Some("twitter".to_owned());
    }
    let joined = text.replace([' ', '-'], "_");
    if accepted.contains(&text.as_str()) {
        Some(text)
    } else if accepted.contains(&joined.as_str()) {
        Some(joined)
    } else {
        path.ends_with("degree_level")
            .then(|| vocabulary::degree_level(given))
            .flatten()
            .map(str::to_owned)
    }
}

fn vocabulary_of(list: &str, given: &str) -> Option<String> {
    let mapped = match list {
        "seniority_level" => vocabulary::seniority_level(given),
        "job_function" => vocabulary::job_function(given),
        "industry" => vocabulary::industry(given),
        "type" => vocabulary::company_type(given),
        _ => return None,
    };
    Some(mapped.value).filter(|value| !value.is_empty())
}
