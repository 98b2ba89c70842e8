//! Every key that leads to a person.

use normalize::compare::Address;
use normalize::keys::{NameKeys, PersonKey as K, postal_code_key};
use normalize::text;

use super::keys::{Key, Keys};
use super::person::Person;
use super::repeated::Repeated;

/// More contexts of a name than this no enrich request needs.
const MAX_CONTEXTS: usize = 64;
/// More other spellings of a name than this are kept but not matched on.
const MAX_ALIASES: usize = 8;

/// The keys of a complete person.
pub(super) fn of(person: &Person, repeated: &mut Repeated) -> Vec<Key> {
    let mut keys = Keys::default();
    identifiers(person, &mut keys);
    let contexts = contexts(person, repeated);
    let aliases = person
        .name_aliases
        .iter()
        .take(MAX_ALIASES)
        .map(String::as_str);
    let flat = &person.flat;
    let own = flat.full_name.as_deref();
    let mut names: Vec<&str> = own.into_iter().chain(aliases).collect();
    names.sort_unstable();
    names.dedup();
    let read = |name: &str| {
        if Some(name) == own {
            NameKeys::stored(name, flat.first_name.as_deref(), flat.last_name.as_deref())
        } else {
            NameKeys::of(name)
        }
    };
    for name in names.into_iter().filter_map(read) {
        for text in name.keys() {
            keys.text(K::Name, &text, 0);
        }
        for (kind, value, flags) in &contexts {
            for key in name.context(*kind, value) {
                keys.bytes(*kind, key, *flags);
            }
        }
    }
    keys.finish()
}

fn identifiers(person: &Person, keys: &mut Keys) {
    for id in &person.merged_ids {
        keys.text(K::MergedId, &id.to_string(), 0);
    }
    for mail in &person.emails {
        let flags = mail.grade.flags();
        keys.text(K::Email, mail.address.as_deref().unwrap_or(""), flags);
        keys.text(
            K::EmailSha256,
            mail.hash_sha256.as_deref().unwrap_or(""),
            flags,
        );
        keys.text(K::EmailSha1, mail.hash_sha1.as_deref().unwrap_or(""), flags);
        keys.text(K::EmailMd5, mail.hash_md5.as_deref().unwrap_or(""), flags);
        if let Some(given) = &mail.as_given {
            keys.text(K::EmailSha256, &given.sha256, flags);
            keys.text(K::EmailSha1, &given.sha1, flags);
            keys.text(K::EmailMd5, &given.md5, flags);
        }
    }
    for phone in &person.phones {
        keys.text(
            K::Phone,
            phone.number.as_deref().unwrap_or(""),
            phone.grade.flags(),
        );
    }
    for account in &person.socials {
        let flags = account.grade.flags();
        if account.is_matched {
            keys.text(K::SocialUrl, account.url.as_deref().unwrap_or(""), flags);
        }
        if account.is_linkedin() {
            // Ids have no data point and are always good.
            keys.text(K::LinkedinId, account.id.as_deref().unwrap_or(""), 0);
        }
    }
    keys.text(
        K::LinkedinId,
        person.flat.linkedin_id.as_deref().unwrap_or(""),
        0,
    );
}

/// What a name is known together with, with flags.
fn contexts(person: &Person, repeated: &mut Repeated) -> Vec<(K, String, i16)> {
    let mut out: Vec<(K, String, i16)> = Vec::new();
    let mut push = |kind: K, value: String, is_current: bool| {
        let is_new = !out.iter().any(|(k, v, _)| *k == kind && *v == value);
        if !value.is_empty() && is_new && out.len() < MAX_CONTEXTS {
            out.push((kind, value, i16::from(!is_current)));
        }
    };
    for job in &person.experience {
        let company = &job.organization;
        for text in [company.cleaned_name(), company.website.as_deref()]
            .into_iter()
            .flatten()
        {
            push(K::NameCompany, repeated.company_key(text), job.is_current());
        }
        let title = job.title.as_ref().and_then(|title| title.cleaned.clone());
        push(K::NameTitle, title.unwrap_or_default(), job.is_current());
    }
    for study in &person.education {
        let school = &study.organization;
        let name = school
            .name
            .as_ref()
            .and_then(|name| name.cleaned.as_deref());
        for text in [name, school.website.as_deref()].into_iter().flatten() {
            push(K::NameSchool, repeated.school_key(text), true);
        }
    }
    for place in &person.locations {
        let is_current = place.grade.is_current();
        push(
            K::NameCity,
            text::fold(place.city.as_deref().unwrap_or("")),
            is_current,
        );
        push(
            K::NameState,
            place.state_code.clone().unwrap_or_default(),
            is_current,
        );
        push(
            K::NamePostalCode,
            postal_code_key(place.postal_code.as_deref().unwrap_or("")),
            is_current,
        );
        let line = place.street_address.as_deref().unwrap_or("");
        push(K::Address, Address::read(line).key(), is_current);
    }
    let flat = &person.flat;
    push(
        K::NameCity,
        text::fold(flat.city.as_deref().unwrap_or("")),
        true,
    );
    push(
        K::NameState,
        flat.state_code.clone().unwrap_or_default(),
        true,
    );
    let year = flat.birth_year.map(|year| year.to_string());
    push(K::NameBirthYear, year.unwrap_or_default(), true);
    let whole = flat.birth_date.clone().filter(|_| flat.birth_day.is_some());
    push(K::BirthDate, whole.unwrap_or_default(), true);
    out
}
