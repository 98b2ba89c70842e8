//! The keys by which candidates are found. A key proves nothing: agreement is decided on the record.

use std::collections::HashSet;

use events_schema::record::RecordKind;
use normalize::email::{self, Email};
use normalize::keys::{self, CompanyForm, CompanyKey, KeyKind, NameKeys, PersonKey};
use normalize::{domain, email_hash, linkedin_company};
use uuid::Uuid;

use super::company::{CompanyClue, CompanyGiven, linkedin_number};
use super::person::{NameParts, PersonClue, Reading};

/// One look-up in the index of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// Number of the key's kind.
    pub kind: i16,
    /// The key.
    pub key: Uuid,
    /// Index of the clue that the key comes from; keys of a name stand for the clue of the name.
    pub clue: usize,
    /// Whether the key alone means a record.
    pub identifies: bool,
}

impl Probe {
    /// Whether it leads to companies that are called by a part of a name, or by more: there can be many, and a few are enough to know
    /// that the part says little.
    #[must_use]
    pub fn is_of_word(&self) -> bool {
        !self.identifies && (self.kind == CompanyKey::NameWord.number() || self.is_of_heads())
    }

    /// Whether it leads to companies whose names begin alike, which need not be called by the words of the one that is asked for.
    #[must_use]
    pub fn is_of_heads(&self) -> bool {
        !self.identifies && self.kind == CompanyKey::NameHeads.number()
    }
}

/// Entries read for a part of a company's name, or for more than it: where there are so many, it says nothing.
pub const MAX_RELATIVES: u32 = 16;

/// More keys than this no request needs; what is above is left out.
pub const MAX_PROBES: usize = 512;

/// Longer words are no first letters of a name.
const MAX_LETTERS: usize = 8;

fn probe(kind: impl KeyKind, text: &str, clue: usize) -> Probe {
    Probe {
        kind: kind.number(),
        key: Uuid::from_bytes(keys::key(kind, text)),
        clue,
        identifies: kind.identifies(),
    }
}

/// The key by which a record is found that replaced the one with this id.
#[must_use]
pub fn of_id(kind: RecordKind, id: Uuid) -> Probe {
    match kind {
        RecordKind::Person => probe(PersonKey::MergedId, &id.to_string(), 0),
        RecordKind::Company => probe(CompanyKey::MergedId, &id.to_string(), 0),
    }
}

/// The keys of a person request.
#[must_use]
pub fn of_person(clues: &[PersonClue], name: Option<&NameParts>) -> Vec<Probe> {
    let mut probes = Vec::new();
    for (at, clue) in clues.iter().enumerate() {
        match clue {
            PersonClue::Email(email) => email_probes(email, at, &mut probes),
            PersonClue::EmailHash(hash) => {
                probes.push(probe(hash_kind(hash.algorithm), &hash.hex, at))
            }
            PersonClue::Phone(number) => probes.push(probe(PersonKey::Phone, number, at)),
            PersonClue::SocialUrl(social) => {
                probes.push(probe(PersonKey::SocialUrl, &social.url, at))
            }
            PersonClue::LinkedinId(id) => probes.push(probe(PersonKey::LinkedinId, id, at)),
            PersonClue::ServiceId(id) => {
                probes.push(probe(PersonKey::MergedId, &id.to_string(), at))
            }
            _ => {}
        }
    }
    if let Some(name) = name {
        name_probes(clues, name, &mut probes);
    }
    each_once(probes)
}

/// The address, and its digests in both forms: a record may hold nothing but a hash of it.
fn email_probes(email: &Email, clue: usize, probes: &mut Vec<Probe>) {
    probes.push(probe(PersonKey::Email, &email.address, clue));
    let other = (email.lowercase != email.address).then_some(&email.lowercase);
    for form in std::iter::once(&email.address).chain(other) {
        let hashes = email::hashes(form);
        probes.extend([
            probe(PersonKey::EmailSha256, &hashes.sha256, clue),
            probe(PersonKey::EmailSha1, &hashes.sha1, clue),
            probe(PersonKey::EmailMd5, &hashes.md5, clue),
        ]);
    }
}

/// Keys of the name with each context that has a kind of its own, and of the bare name; the narrowest first, and the name as it was
/// written before its other readings, since what is too many is left out.
fn name_probes(clues: &[PersonClue], name: &NameParts, probes: &mut Vec<Probe>) {
    let is_first = |reading: &&Reading| !reading.is_joined;
    for readings in [true, false] {
        for reading in name.readings.iter().filter(|one| is_first(one) == readings) {
            let Some(keys) = &reading.keys else { continue };
            for rank in 0..RANKS {
                for clue in clues {
                    context_probes(clue, rank, keys, name.clue, probes);
                }
                if rank == RANK_OF_NAME && clues.iter().any(PersonClue::is_context) {
                    let lookups = keys.lookups().into_iter();
                    probes.extend(lookups.map(|text| probe(PersonKey::Name, &text, name.clue)));
                }
            }
        }
    }
}

/// Narrow keys have a low rank; keys of other names than those that were given, the highest.
const RANKS: usize = 5;
/// Behind the narrow ones, before those of work and place.
const RANK_OF_NAME: usize = 1;

fn context_probes(
    clue: &PersonClue,
    rank: usize,
    name: &NameKeys,
    clue_of_name: usize,
    probes: &mut Vec<Probe>,
) {
    let mut push = |kind: PersonKey, value: &str| {
        let found = name.context_lookups(kind, value);
        probes.extend(found.into_iter().map(|key| Probe {
            kind: kind.number(),
            key: Uuid::from_bytes(key),
            clue: clue_of_name,
            identifies: kind.identifies(),
        }));
    };
    match (rank, clue) {
        (0, PersonClue::Address(street)) => push(PersonKey::Address, &street.read.key()),
        (0, PersonClue::BirthDate(date)) if date.day.is_some() => {
            push(PersonKey::BirthDate, &date.to_string());
        }
        (0, PersonClue::PostalCode(code)) => {
            let key = keys::postal_code_key(code);
            push(PersonKey::NamePostalCode, &key);
            // As builds of versions before have it.
            if key != *code {
                push(PersonKey::NamePostalCode, code);
            }
        }
        (2, PersonClue::Company(company)) => keys::company_name_lookups(&company.text)
            .for_each(|context| push(PersonKey::NameCompany, &context)),
        (2, PersonClue::School(school)) => {
            push(PersonKey::NameSchool, &keys::school_name_key(&school.text));
        }
        (4, PersonClue::Company(company)) => {
            let names = keys::company_other_names(&company.text);
            names
                .iter()
                .for_each(|other| push(PersonKey::NameCompany, other));
            let shorter = keys::company_without_place(&company.text);
            shorter
                .iter()
                .for_each(|name| push(PersonKey::NameCompany, name));
        }
        (4, PersonClue::School(school)) => keys::school_other_names(&school.text)
            .into_iter()
            .for_each(|other| push(PersonKey::NameSchool, other)),
        (3, PersonClue::City(city)) => keys::city_lookups(city)
            .iter()
            .for_each(|city| push(PersonKey::NameCity, city)),
        (3, PersonClue::BirthDate(date)) => push(PersonKey::NameBirthYear, &date.year.to_string()),
        (3, PersonClue::JobTitle(title)) => push(PersonKey::NameTitle, title),
        (
            3,
            PersonClue::State {
                code: Some(code), ..
            },
        ) => push(PersonKey::NameState, code),
        // At other ranks, and what has no key beside a name; each by its name, so that a new input is not forgotten here.
        (
            _,
            PersonClue::Address(_)
            | PersonClue::BirthDate(_)
            | PersonClue::PostalCode(_)
            | PersonClue::Company(_)
            | PersonClue::School(_)
            | PersonClue::City(_)
            | PersonClue::JobTitle(_)
            | PersonClue::State { .. }
            | PersonClue::Country(_)
            | PersonClue::Email(_)
            | PersonClue::EmailHash(_)
            | PersonClue::Phone(_)
            | PersonClue::SocialUrl(_)
            | PersonClue::LinkedinId(_)
            | PersonClue::ServiceId(_)
            | PersonClue::FullName(_)
            | PersonClue::FirstName(_)
            | PersonClue::LastName(_),
        ) => {}
    }
}

const fn hash_kind(algorithm: email_hash::Algorithm) -> PersonKey {
    match algorithm {
        email_hash::Algorithm::Sha256 => PersonKey::EmailSha256,
        email_hash::Algorithm::Sha1 => PersonKey::EmailSha1,
        email_hash::Algorithm::Md5 => PersonKey::EmailMd5,
    }
}

/// The keys of a company request.
#[must_use]
pub fn of_company(clues: &[CompanyClue]) -> Vec<Probe> {
    let mut probes = Vec::new();
    for (at, clue) in clues.iter().enumerate() {
        match clue {
            CompanyClue::ServiceId(id) => {
                probes.push(probe(CompanyKey::MergedId, &id.to_string(), at))
            }
            CompanyClue::Domain(host) => domain_probes(host, at, &mut probes),
            CompanyClue::Name(given) => company_name_probes(given, at, &mut probes),
            CompanyClue::Profile { url, .. } => {
                probes.push(probe(CompanyKey::SocialUrl, url, at));
                let others = linkedin_company::addresses(url);
                probes.extend(others.map(|url| probe(CompanyKey::SocialUrl, &url, at)));
                let number = linkedin_number(url).map(|id| probe(CompanyKey::LinkedinId, id, at));
                probes.extend(number);
            }
            CompanyClue::LinkedinId(id) => probes.push(probe(CompanyKey::LinkedinId, id, at)),
            CompanyClue::Ticker(symbol) => probes.push(probe(CompanyKey::Ticker, symbol, at)),
            _ => {}
        }
    }
    each_once(probes)
}

/// Each key of an input once: two inputs may have the same, and each is judged by its own. What is too many is left out from the end.
fn each_once(mut probes: Vec<Probe>) -> Vec<Probe> {
    let mut seen = HashSet::new();
    probes.retain(|probe| seen.insert((probe.kind, probe.key, probe.clue)));
    probes.truncate(MAX_PROBES);
    probes
}

/// The name and what stands beside it; the domain where the name is one, or the name that it is made of; the name with a slip, a word
/// more or a word less; a long name's first letters, and the long names that first letters stand for.
fn company_name_probes(given: &CompanyGiven, clue: usize, probes: &mut Vec<Probe>) {
    let name = given.name.as_str();
    let mut push = |kind: CompanyKey, text: &str| probes.push(probe(kind, text, clue));
    keys::company_name_lookups(name).for_each(|key| push(CompanyKey::Name, &key));
    for other in keys::company_other_names(name) {
        push(CompanyKey::Name, other);
    }
    for form in given.read.forms().flat_map(CompanyForm::spellings) {
        keys::company_letters(form).for_each(|letters| push(CompanyKey::Name, &letters));
        keys::company_slip_lookups(form).for_each(|gap| push(CompanyKey::NameGap, &gap));
        for shorter in keys::company_word_keys(form) {
            push(CompanyKey::Name, &shorter);
            // Who else is called so says how much the shorter name is worth.
            push(CompanyKey::NameWord, &shorter);
        }
        push(CompanyKey::NameWord, form.key());
        if let Some(heads) = keys::company_head_lookup(form) {
            push(CompanyKey::NameHeads, &heads);
        }
    }
    if MAX_LETTERS >= name.len() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        push(CompanyKey::Letters, name);
    }
    if given.read.is_domain() {
        domain_probes(name, clue, probes);
    }
}

/// The host itself, and what was registered above it: a company is also found by `shop.` before its domain.
fn domain_probes(host: &str, clue: usize, probes: &mut Vec<Probe>) {
    probes.push(probe(CompanyKey::Domain, host, clue));
    if let Some(parent) = domain::registrable(host).filter(|parent| *parent != host) {
        probes.push(probe(CompanyKey::Domain, parent, clue));
    }
}
