//! Completes a person: names, flat columns from lists and the other way round, ages, tenures, levels.

use events_schema::record::{Confidence, RecordKind};
use normalize::name;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::contact::{Mailbox, Phone};
use super::data_point::{Grade, Seen, best};
use super::dates::{age, is_ahead};
use super::education::{Study, highest};
use super::person::{Given, Person, read};
use super::person_work::work;
use super::place::{Named, Place};
use super::reader::Reader;
use super::social::Account;
use super::{Columns, Reading, Record, Reject, WHOLE, identity, people_keys};

/// Countries whose forms ask for `hombre` or `mujer`.
const SPANISH: [&str; 21] = [
    "AR", "BO", "CL", "CO", "CR", "CU", "DO", "EC", "ES", "GQ", "GT", "HN", "MX", "NI", "PA", "PE",
    "PR", "PY", "SV", "UY", "VE",
];

/// Reads a person.
pub(super) fn record(
    object: Map<String, Value>,
    reading: &Reading,
    mut reader: Reader<'_>,
) -> Result<Record, Reject> {
    let (mut person, given) = read(object, &mut reader)?;
    let service_id = given.service_id.as_deref().map(Uuid::parse_str).transpose();
    let service_id = service_id.map_err(|_| Reject::BadServiceId)?;
    names(&mut person, given.full_name.as_deref(), &mut reader)?;
    mail_and_phone(&mut person, &given);
    linkedin(&mut person);
    places(&mut person, given.place);
    let (service_id, id_of) = match service_id {
        Some(id) => (id, None),
        None => {
            let (id, of) = made_id(&person)?;
            (id, Some(of))
        }
    };
    person.service_id = Some(service_id);
    work(&mut person, reading, reader.repeated);
    mail_types(&mut person);
    learning(&mut person, reading);
    birth(&mut person, reading, &mut reader);
    grades(&mut person, reading);
    sex(&mut person, &mut reader);
    person.flat.build_version = Some(reading.build.clone());
    let doc = serde_json::to_vec(&person).map_err(|_| Reject::NotJson)?;
    Ok(Record {
        service_id,
        id_of,
        confidence: person.flat.confidence,
        doc,
        keys: people_keys::of(&person, reader.repeated),
        columns: Columns::Person(Box::new(person.flat)),
    })
}

fn names(
    person: &mut Person,
    full_name: Option<&str>,
    reader: &mut Reader<'_>,
) -> Result<(), Reject> {
    let suffix_of_last = person.suffix_of_last.take();
    let has_title_alone = std::mem::take(&mut person.has_title_for_first);
    let flat = &mut person.flat;
    // A title alone is no given name, and says nothing against the one behind it. A whole name says it itself.
    if has_title_alone && full_name.is_none() {
        flat.first_name = flat.middle_name.take();
    }
    let (first, last) = (flat.first_name.as_deref(), flat.last_name.as_deref());
    let of_parts = || {
        let middle = flat.middle_name.as_deref();
        let (first, middle) = match has_title_alone && first.is_none() {
            true => (middle, None),
            false => (first, middle),
        };
        let (first, last) = first.zip(last)?;
        Some(name::of_parts(first, middle, last))
    };
    let read = match full_name {
        Some(given) => name::stored(given, first, last).or_else(|fault| {
            reader.tally.unreadable("full_name");
            of_parts().unwrap_or(Err(fault))
        }),
        None => of_parts().ok_or(Reject::NoName)?,
    };
    let Ok(full) = read else {
        return Err(Reject::NoName);
    };
    let middle = full
        .middle
        .and_then(|middle| outside(&middle, [&flat.first_name, &flat.last_name]));
    let given = flat.first_name.take();
    flat.first_name = given
        .and_then(|given| without_title(given, full.prefix.as_deref()))
        .or(full.first);
    flat.middle_name = flat.middle_name.take().or(middle);
    // It stood behind the title, and was the given name.
    if has_title_alone && flat.middle_name == flat.first_name {
        flat.middle_name = None;
    }
    flat.last_name = flat.last_name.take().or(full.last);
    flat.prefix = flat.prefix.take().or(full.prefix);
    flat.suffix = flat.suffix.take().or(full.suffix).or(suffix_of_last);
    flat.full_name = Some(full.cleaned);
    let initial = |name: &Option<String>| name.as_ref()?.chars().next().map(String::from);
    flat.middle_initial = flat
        .middle_initial
        .take()
        .or_else(|| initial(&flat.middle_name));
    flat.last_initial = flat
        .last_initial
        .take()
        .or_else(|| initial(&flat.last_name));
    Ok(())
}

/// The words between given and family name that no part of several words has: `carroll` of `jennifer carroll foy` is none where the
/// family name is given as `carroll foy`.
fn outside(middle: &str, parts: [&Option<String>; 2]) -> Option<String> {
    let folded: Vec<String> = parts
        .into_iter()
        .flatten()
        .map(|part| normalize::text::fold(part))
        .filter(|part| part.contains(' '))
        .collect();
    let is_taken = |word: &str| {
        let word = normalize::text::fold(word);
        folded
            .iter()
            .any(|part| part.split(' ').any(|taken| taken == word))
    };
    let left: Vec<&str> = middle.split(' ').filter(|word| !is_taken(word)).collect();
    (!left.is_empty()).then(|| left.join(" "))
}

/// A given name without what stands beside it in brackets; none where a feed gives the title of the whole name for it (`dr.`).
fn without_title(given: String, title: Option<&str>) -> Option<String> {
    let bare = match given.split_once('(') {
        Some((outside, _)) => outside.trim().to_owned(),
        None => given,
    };
    let folded = normalize::text::fold(&bare);
    let is_title = title.is_some_and(|title| normalize::text::fold(title) == folded);
    (!folded.is_empty() && !is_title).then_some(bare)
}

fn mail_and_phone(person: &mut Person, given: &Given) {
    if let Some(work) = &given.work_email {
        let is_known = person
            .emails
            .iter()
            .any(|mail| mail.address.as_ref() == Some(&work.address));
        if !is_known {
            person.emails.push(Mailbox::work(work.clone()));
        }
        person.flat.work_email = Some(work.address.clone());
    }
    if let Some(mobile) = &person.flat.mobile_phone
        && !person
            .phones
            .iter()
            .any(|phone| phone.number.as_ref() == Some(mobile))
    {
        let mut phone = Phone {
            number: Some(mobile.clone()),
            kind: Some("mobile".to_owned()),
            ..Phone::default()
        };
        phone.grade = Grade::flat();
        person.phones.push(phone);
    }
}

/// The flat columns of the profile and its element of `socials`.
fn linkedin(person: &mut Person) {
    let flat = &mut person.flat;
    let (url, id) = (flat.linkedin_url.clone(), flat.linkedin_id.clone());
    let same = person.socials.iter_mut().find(|account| {
        account.is_linkedin() && (url.is_none() || account.url.is_none() || account.url == url)
    });
    match same {
        Some(account) if url.is_some() || id.is_some() => {
            account.is_matched |= account.url.is_none() && url.is_some();
            account.url = account.url.take().or(url);
            account.id = account.id.take().or(id);
        }
        None if url.is_some() || id.is_some() => person.socials.push(Account::linkedin(url, id)),
        _ => {}
    }
}

fn places(person: &mut Person, given: Named) {
    if given.is_empty() {
        return;
    }
    let agrees = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
    let is_known = person.locations.iter().any(|place| {
        agrees(&place.city, &given.city)
            && agrees(&place.state, &given.state)
            && agrees(&place.country, &given.country)
    });
    if !is_known {
        let mut place = Place::of(given.clone());
        place.grade = Grade::flat();
        person.locations.push(place);
    }
    let flat = &mut person.flat;
    flat.city = given.city;
    flat.state = given.state;
    flat.state_code = given.state_code;
    flat.country = given.country;
    flat.country_code = given.country_code;
}

/// The id of the strongest identifier, else of the whole record as read, and the field that it was made of.
fn made_id(person: &Person) -> Result<(Uuid, &'static str), Reject> {
    let flat = &person.flat;
    let first_mail = || {
        person
            .emails
            .iter()
            .find_map(|mail| mail.address.as_deref())
    };
    let first_phone = || {
        person
            .phones
            .iter()
            .find_map(|phone| phone.number.as_deref())
    };
    let first_social = || {
        person
            .socials
            .iter()
            .find_map(|account| account.url.as_deref())
    };
    let strongest = flat
        .linkedin_id
        .as_deref()
        .map(|id| ("linkedin_id", id))
        .or_else(|| Some(("linkedin_url", flat.linkedin_url.as_deref()?)))
        .or_else(|| Some(("email", flat.work_email.as_deref().or_else(first_mail)?)))
        .or_else(|| Some(("social_url", first_social()?)))
        .or_else(|| Some(("phone", flat.mobile_phone.as_deref().or_else(first_phone)?)));
    let whole = match strongest {
        Some(_) => Vec::new(),
        None => serde_json::to_vec(person).map_err(|_| Reject::NotJson)?,
    };
    let of = match strongest {
        Some(("email", _)) if flat.work_email.is_some() => "work_email",
        Some(("email", _)) => "emails.address",
        Some(("social_url", _)) => "socials.url",
        Some(("phone", _)) if flat.mobile_phone.is_some() => "mobile_phone",
        Some(("phone", _)) => "phones.number",
        Some((field, _)) => field,
        None => WHOLE,
    };
    Ok((identity::made(RecordKind::Person, strongest, &whole), of))
}

/// The type of an address that came without one: the flat column's, a free provider's, the employer's.
fn mail_types(person: &mut Person) {
    let (work, company) = (&person.flat.work_email, &person.flat.company_domain);
    for mail in person.emails.iter_mut().filter(|mail| mail.kind.is_none()) {
        let Some(address) = &mail.address else {
            continue;
        };
        let host = address.rsplit('@').next().unwrap_or("");
        let kind = if work.as_ref() == Some(address) || company.as_deref() == Some(host) {
            "work"
        } else if normalize::email::is_free_provider(host) {
            "personal"
        } else {
            continue;
        };
        mail.kind = Some(kind.to_owned());
    }
}

fn learning(person: &mut Person, reading: &Reading) {
    person
        .education
        .iter_mut()
        .for_each(|study: &mut Study| study.derive(reading));
    let flat = &mut person.flat;
    flat.highest_degree_level = flat
        .highest_degree_level
        .take()
        .or_else(|| highest(&person.education));
}

/// `m` is `mujer` where `h` is `hombre`, and a line does not say what letters the others have.
fn sex(person: &mut Person, reader: &mut Reader<'_>) {
    let country = person.flat.country_code.as_deref();
    if person.has_sex_m && country.is_some_and(|code| SPANISH.contains(&code)) {
        person.flat.sex = reader.unreadable("sex");
    }
}

fn birth(person: &mut Person, reading: &Reading, reader: &mut Reader<'_>) {
    let flat = &mut person.flat;
    if flat.birth_date.is_none()
        && let Some(year) = flat.birth_year
    {
        let month = flat.birth_month.map(|month| format!("-{month:02}"));
        let day = month
            .is_some()
            .then_some(flat.birth_day)
            .flatten()
            .map(|day| format!("-{day:02}"));
        let text = format!(
            "{year:04}{}{}",
            month.unwrap_or_default(),
            day.unwrap_or_default()
        );
        let born = normalize::birth_date::clean(&text).map(|date| date.to_string());
        // No part of it can be meant.
        if born
            .as_deref()
            .is_ok_and(|born| is_ahead(born, reading.today))
        {
            (flat.birth_year, flat.birth_month, flat.birth_day) = (None, None, None);
            reader.tally.unreadable("birth_date");
            return;
        }
        flat.birth_date = born.ok();
    }
    let Some(date) = flat
        .birth_date
        .as_deref()
        .and_then(|text| normalize::birth_date::clean(text).ok())
    else {
        return;
    };
    flat.birth_year = Some(i64::from(date.year));
    flat.birth_month = date.month.map(i64::from);
    flat.birth_day = date.day.map(i64::from);
    flat.age = flat.age.or_else(|| age(date, reading.reference_date));
}

/// Levels of data points and of the record, then the flat columns that take the best of a list.
fn grades(person: &mut Person, reading: &Reading) {
    let record = Seen {
        num_sources: person.flat.num_sources,
        last_seen: person.flat.last_seen.as_deref(),
    };
    let mails = person.emails.iter_mut().map(|mail| &mut mail.grade);
    let phones = person.phones.iter_mut().map(|phone| &mut phone.grade);
    let accounts = person.socials.iter_mut().map(|account| &mut account.grade);
    let places = person.locations.iter_mut().map(|place| &mut place.grade);
    for grade in mails.chain(phones).chain(accounts).chain(places) {
        grade.settle(reading, record);
    }
    let is_kind = |kind: &Option<String>, wanted: &str| kind.as_deref() == Some(wanted);
    let work = best(
        &person.emails,
        |m| &m.grade,
        |m| is_kind(&m.kind, "work") && m.address.is_some(),
    );
    let mobile = best(&person.phones, |p| &p.grade, |p| is_kind(&p.kind, "mobile"));
    let profile = best(&person.socials, |a| &a.grade, Account::is_linkedin);
    let place = best(
        &person.locations,
        |p| &p.grade,
        |p| p.city.is_some() || p.country.is_some(),
    );
    let flat = &mut person.flat;
    if flat.work_email.is_none() {
        flat.work_email = work.and_then(|mail| mail.address.clone());
    }
    if flat.mobile_phone.is_none() {
        flat.mobile_phone = mobile.and_then(|phone| phone.number.clone());
    }
    if let Some(profile) = profile {
        flat.linkedin_url = flat.linkedin_url.take().or_else(|| profile.url.clone());
        flat.linkedin_id = flat.linkedin_id.take().or_else(|| profile.id.clone());
    }
    if let (Some(place), None, None, None) = (place, &flat.city, &flat.state, &flat.country) {
        flat.city.clone_from(&place.city);
        flat.state.clone_from(&place.state);
        flat.state_code.clone_from(&place.state_code);
        flat.country.clone_from(&place.country);
        flat.country_code.clone_from(&place.country_code);
    }
    if person.flat.confidence.is_none() {
        person.flat.confidence = Some(level(person));
    }
}

/// The best level among current e-mails, phones and accounts, else low (`docs/RECORDS.md`, "Confidence").
fn level(person: &Person) -> Confidence {
    let mails = person.emails.iter().map(|mail| &mail.grade);
    let phones = person.phones.iter().map(|phone| &phone.grade);
    let accounts = person.socials.iter().map(|account| &account.grade);
    mails
        .chain(phones)
        .chain(accounts)
        .filter(|grade| grade.is_current())
        .filter_map(|grade| grade.confidence)
        .max()
        .unwrap_or(Confidence::Low)
}
