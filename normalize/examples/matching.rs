//! What the keys find and the comparisons keep, on synthetic persons: `cargo run --release -p normalize --example
//! matching -- FOLDER` with `persons.ndjson` and `q.ndjson` of the generator in it.
//!
//! Prints per kind of query how often the true record is among the candidates, how many candidates there are, and the
//! precision and recall of taking the best of them. The real matcher weighs more; this shows what the canon gives it.

#![allow(clippy::print_stdout, reason = "a report for people")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use normalize::compare::{self, Agreement, NameAgreement};
use normalize::keys::{self, PersonKey};
use normalize::{email, email_hash, phone, social, text};
use serde_json::Value;

struct Person {
    id: String,
    name: String,
    companies: Vec<String>,
    schools: Vec<String>,
    city: String,
}

type Index = HashMap<(PersonKey, [u8; 16]), Vec<usize>>;

#[derive(Default)]
struct Tally {
    queries: u32,
    found: u32,
    candidates: usize,
    answered: u32,
    right: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder?")?;
    let (persons, index) = read(&Path::new(&folder).join("persons.ndjson"))?;
    println!(
        "{} persons, {} keys",
        persons.len(),
        index.values().map(Vec::len).sum::<usize>()
    );
    let show = std::env::args().nth(2);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for line in BufReader::new(File::open(Path::new(&folder).join("q.ndjson"))?).lines() {
        let query: Value = serde_json::from_str(&line?)?;
        if query.get("entity").and_then(Value::as_str) != Some("person") {
            continue;
        }
        let kind = string(&query, "kind").unwrap_or_default();
        let truth = string(&query, "truth");
        let tally = tallies.entry(kind.clone()).or_default();
        let request = query.get("request").cloned().unwrap_or_default();
        let region = string(&query, "default_region").unwrap_or_else(|| "US".to_owned());
        let candidates = candidates(&index, &request, &region);
        let is_true = |at: &usize| {
            persons
                .get(*at)
                .is_some_and(|person| Some(&person.id) == truth.as_ref())
        };
        tally.queries += 1;
        tally.candidates += candidates.len();
        tally.found += u32::from(candidates.iter().any(is_true));
        let best = best(&persons, &candidates, &request);
        tally.answered += u32::from(best.is_some());
        let right = best.as_ref().is_some_and(is_true);
        tally.right += u32::from(right);
        if show.as_deref() == Some(kind.as_str()) && !right && (truth.is_some() || best.is_some()) {
            println!(
                "missed {request} {} {:?}",
                query.get("noise").unwrap_or(&Value::Null),
                best.and_then(|at| persons.get(at)).map(|p| &p.name)
            );
        }
    }
    println!(
        "{:<20} {:>7} {:>9} {:>9} {:>10} {:>9} {:>7}",
        "kind", "queries", "answered", "in keys", "candidates", "precision", "recall"
    );
    for (kind, tally) in tallies {
        let share = |part: u32, whole: u32| {
            if whole == 0 {
                100.0
            } else {
                100.0 * f64::from(part) / f64::from(whole)
            }
        };
        println!(
            "{kind:<20} {:>7} {:>9} {:>8.2}% {:>10.1} {:>8.2}% {:>6.2}%",
            tally.queries,
            tally.answered,
            share(tally.found, tally.queries),
            tally.candidates as f64 / f64::from(tally.queries),
            share(tally.right, tally.answered),
            share(tally.right, tally.queries)
        );
    }
    Ok(())
}

fn string(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn read(path: &Path) -> Result<(Vec<Person>, Index), Box<dyn Error>> {
    let mut persons = Vec::new();
    let mut index = Index::new();
    for line in BufReader::new(File::open(path)?).lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let at = persons.len();
        let list = |field: &str| {
            row.get(field)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        let name = string(&row, "full_name").unwrap_or_default();
        let mut companies: Vec<String> = ["company_name", "company_domain"]
            .iter()
            .filter_map(|key| string(&row, key))
            .collect();
        for job in list("experience") {
            companies.extend(
                ["company_name", "company_domain"]
                    .iter()
                    .filter_map(|key| string(&job, key)),
            );
        }
        let schools: Vec<String> = list("education")
            .iter()
            .flat_map(|school| [string(school, "school"), string(school, "school_domain")])
            .flatten()
            .collect();
        let city = string(&row, "city").unwrap_or_default();
        let mut put: HashSet<(PersonKey, [u8; 16])> = HashSet::new();
        for company in &companies {
            put.extend(
                keys::name_context(
                    &name,
                    PersonKey::NameCompany,
                    &keys::company_context(company),
                )
                .into_iter()
                .map(|key| (PersonKey::NameCompany, key)),
            );
        }
        for school in &schools {
            put.extend(
                keys::name_context(&name, PersonKey::NameSchool, &keys::school_name_key(school))
                    .into_iter()
                    .map(|key| (PersonKey::NameSchool, key)),
            );
        }
        put.extend(
            keys::name_context(&name, PersonKey::NameCity, &text::fold(&city))
                .into_iter()
                .map(|key| (PersonKey::NameCity, key)),
        );
        put.extend(
            keys::person_name_keys(&name)
                .map(|text| (PersonKey::Name, keys::key(PersonKey::Name, &text))),
        );
        for address in list("emails")
            .iter()
            .filter_map(|mail| string(mail, "address"))
        {
            if let Ok(email) = email::clean(&address) {
                put.insert((
                    PersonKey::Email,
                    keys::key(PersonKey::Email, &email.address),
                ));
                for form in [&email.address, &email.lowercase] {
                    let hashes = email::hashes(form);
                    for (kind, hex) in [
                        (PersonKey::EmailSha256, hashes.sha256),
                        (PersonKey::EmailSha1, hashes.sha1),
                        (PersonKey::EmailMd5, hashes.md5),
                    ] {
                        put.insert((kind, keys::key(kind, &hex)));
                    }
                }
            }
        }
        for number in list("phones")
            .iter()
            .filter_map(|phone| string(phone, "number"))
        {
            if let Ok(number) = phone::clean(&number, "US") {
                put.insert((PersonKey::Phone, keys::key(PersonKey::Phone, &number)));
            }
        }
        for url in list("socials")
            .iter()
            .filter_map(|social| string(social, "url"))
        {
            if let Ok(profile) = social::clean(&url) {
                put.insert((
                    PersonKey::SocialUrl,
                    keys::key(PersonKey::SocialUrl, &profile.url),
                ));
            }
        }
        for key in put {
            index.entry(key).or_default().push(at);
        }
        persons.push(Person {
            id: string(&row, "service_id").unwrap_or_default(),
            name,
            companies,
            schools,
            city,
        });
    }
    Ok((persons, index))
}

fn asked_name(request: &Value) -> Option<String> {
    string(request, "full_name").or_else(|| {
        Some(format!(
            "{} {}",
            string(request, "first_name")?,
            string(request, "last_name")?
        ))
    })
}

fn candidates(index: &Index, request: &Value, region: &str) -> HashSet<usize> {
    let mut asked: Vec<(PersonKey, [u8; 16])> = Vec::new();
    if let Some(email) = string(request, "email").and_then(|text| email::clean(&text).ok()) {
        asked.push((
            PersonKey::Email,
            keys::key(PersonKey::Email, &email.address),
        ));
    }
    if let Some(hash) = string(request, "email_hash").and_then(|text| email_hash::parse(&text).ok())
    {
        for kind in [
            PersonKey::EmailSha256,
            PersonKey::EmailSha1,
            PersonKey::EmailMd5,
        ] {
            asked.push((kind, keys::key(kind, &hash.hex)));
        }
    }
    if let Some(number) = string(request, "phone").and_then(|text| phone::clean(&text, region).ok())
    {
        asked.push((PersonKey::Phone, keys::key(PersonKey::Phone, &number)));
    }
    if let Some(profile) = string(request, "social_url").and_then(|text| social::clean(&text).ok())
    {
        asked.push((
            PersonKey::SocialUrl,
            keys::key(PersonKey::SocialUrl, &profile.url),
        ));
    }
    if let Some(name) = asked_name(request) {
        let contexts = [
            (
                PersonKey::NameCompany,
                string(request, "company").map(|text| keys::company_context(&text)),
            ),
            (
                PersonKey::NameSchool,
                string(request, "school").map(|text| keys::school_name_key(&text)),
            ),
            (
                PersonKey::NameCity,
                string(request, "city").map(|text| text::fold(&text)),
            ),
        ];
        for (kind, value) in contexts {
            if let Some(value) = value {
                asked.extend(
                    keys::name_context_lookups(&name, kind, &value)
                        .into_iter()
                        .map(|key| (kind, key)),
                );
            }
        }
        asked.extend(
            keys::person_name_lookups(&name)
                .map(|text| (PersonKey::Name, keys::key(PersonKey::Name, &text))),
        );
    }
    asked
        .iter()
        .filter_map(|key| index.get(key))
        .flatten()
        .copied()
        .collect()
}

/// The best candidate whose name agrees and none of whose contexts contradicts.
fn best(persons: &[Person], candidates: &HashSet<usize>, request: &Value) -> Option<usize> {
    let Some(name) = asked_name(request) else {
        return if candidates.len() == 1 {
            candidates.iter().next().copied()
        } else {
            None
        };
    };
    let mut scored: Vec<(u32, usize)> = candidates
        .iter()
        .filter_map(|&at| Some((score(persons.get(at)?, &name, request)?, at)))
        .collect();
    scored.sort_unstable_by(|a, b| b.cmp(a));
    match scored.as_slice() {
        [(best, _), (second, _), ..] if best == second => None,
        [(_, at), ..] => Some(*at),
        [] => None,
    }
}

fn score(person: &Person, name: &str, request: &Value) -> Option<u32> {
    let names = match compare::names(&person.name, name) {
        NameAgreement::Exact => 30,
        NameAgreement::Strong => 20,
        NameAgreement::Weak => 10,
        NameAgreement::Different => return None,
    };
    let any = |field: &str, known: &[String], compare: fn(&str, &str) -> Agreement| {
        let asked = string(request, field)?;
        Some(
            known
                .iter()
                .map(|value| compare(value, &asked))
                .max()
                .unwrap_or(Agreement::Different),
        )
    };
    let contexts = [
        any("company", &person.companies, compare::companies),
        any("school", &person.schools, compare::schools),
        any("city", std::slice::from_ref(&person.city), compare::places),
    ];
    let mut sum: u32 = names;
    let mut agreed = 0;
    for context in contexts.into_iter().flatten() {
        match context {
            Agreement::Same => (sum, agreed) = (sum + 8, agreed + 1),
            Agreement::Partial => (sum, agreed) = (sum + 4, agreed + 1),
            Agreement::Different => sum = sum.checked_sub(5)?,
        }
    }
    (agreed > 0 && (names > 10 || sum >= 18)).then_some(sum)
}
