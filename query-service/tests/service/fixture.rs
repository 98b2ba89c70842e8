//! Hand-made records and the keys that the projector stores for them.

use column_files::{Writer, WriterOptions};
use events_schema::data_build::v1::SearchFiles;
use events_schema::record::RecordKind;
use normalize::keys::{self, CompanyForm, CompanyKey, KeyKind, PersonKey};
use query_service::enrich::path::texts_of_any as texts;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;
use uuid::Uuid;

/// A record of a build; its rank is its place in the list, from 1.
pub(crate) struct Record {
    pub(crate) id: Uuid,
    pub(crate) doc: Map<String, Value>,
    /// Kind, key, flags.
    pub(crate) keys: Vec<(i16, Uuid, i16)>,
}

pub(crate) fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x5b0d_6a0e_5d1f_4c0c_9a53_0000_0000_0000 + number)
}

fn map(doc: Value) -> Map<String, Value> {
    let Value::Object(map) = doc else {
        panic!("a document is an object")
    };
    map
}

fn key(kind: impl KeyKind, text: &str, flags: i16) -> (i16, Uuid, i16) {
    (
        kind.number(),
        Uuid::from_bytes(keys::key(kind, text)),
        flags,
    )
}

/// Flags of a data point as the projector stores them.
fn flags(point: &Value) -> i16 {
    let confidence = match point["confidence"].as_str() {
        Some("low") => 1,
        Some("moderate") => 2,
        Some("high") => 3,
        _ => 0,
    };
    i16::from(point["current"] == json!(false)) | confidence << 1
}

pub(crate) fn person(number: u128, doc: Value) -> Record {
    let mut doc = map(doc);
    doc.insert("service_id".to_owned(), json!(id(number)));
    let mut found = Vec::new();
    for point in doc
        .get("emails")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let address = point["address"].as_str().unwrap();
        // Sources hash the canonical form or the form as given, here with a tag.
        let tagged = address.replacen('@', "+tag@", 1);
        for hashes in [address, &tagged].map(normalize::email::hashes) {
            found.push(key(PersonKey::EmailSha256, &hashes.sha256, flags(point)));
            found.push(key(PersonKey::EmailSha1, &hashes.sha1, flags(point)));
            found.push(key(PersonKey::EmailMd5, &hashes.md5, flags(point)));
        }
        found.push(key(PersonKey::Email, address, flags(point)));
    }
    for point in doc
        .get("phones")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        found.push(key(
            PersonKey::Phone,
            point["number"].as_str().unwrap(),
            flags(point),
        ));
    }
    for point in doc
        .get("socials")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        found.push(key(
            PersonKey::SocialUrl,
            point["url"].as_str().unwrap(),
            flags(point),
        ));
    }
    for id in texts(&doc, "linkedin_id") {
        found.push(key(PersonKey::LinkedinId, id, 0));
    }
    for id in texts(&doc, "_merged_ids") {
        found.push(key(PersonKey::MergedId, id, 0));
    }
    let mut names = texts(&doc, "full_name");
    names.extend(texts(&doc, "_name_aliases"));
    for name in names {
        found.extend(keys::person_name_keys(name).map(|text| key(PersonKey::Name, &text, 0)));
        let mut companies = texts(&doc, "company_name");
        companies.extend(texts(&doc, "company_domain"));
        for company in companies {
            let context = keys::company_context(company);
            let context = keys::name_context(name, PersonKey::NameCompany, &context);
            found.extend(
                context
                    .into_iter()
                    .map(|key| (PersonKey::NameCompany.number(), Uuid::from_bytes(key), 0)),
            );
        }
        for date in texts(&doc, "birth_date") {
            let context = keys::name_context(name, PersonKey::BirthDate, date);
            found.extend(
                context
                    .into_iter()
                    .map(|key| (PersonKey::BirthDate.number(), Uuid::from_bytes(key), 0)),
            );
        }
    }
    Record {
        id: id(number),
        doc,
        keys: found,
    }
}

pub(crate) fn company(number: u128, doc: Value) -> Record {
    let mut doc = map(doc);
    doc.insert("service_id".to_owned(), json!(id(number)));
    let mut found = Vec::new();
    for host in texts(&doc, "domain") {
        found.push(key(CompanyKey::Domain, host, 0));
        found.extend(
            normalize::domain::registrable(host)
                .filter(|parent| *parent != host)
                .map(|parent| key(CompanyKey::Domain, parent, 0)),
        );
        found.extend(keys::domain_label(host).map(|label| key(CompanyKey::Name, &label, 0)));
    }
    for name in texts(&doc, "name.cleaned") {
        let readings = CompanyForm::readings(name);
        for form in readings.iter().flat_map(CompanyForm::spellings) {
            found.push(key(CompanyKey::Name, form.key(), 0));
            found
                .extend(keys::company_slip_keys(form).map(|gap| key(CompanyKey::NameGap, &gap, 0)));
            found.extend(
                keys::company_word_keys(form).map(|text| key(CompanyKey::NameWord, &text, 0)),
            );
            found.extend(
                keys::company_head_keys(form).map(|text| key(CompanyKey::NameHeads, &text, 0)),
            );
            found
                .extend(keys::company_letters(form).map(|text| key(CompanyKey::Letters, &text, 0)));
        }
    }
    for url in texts(&doc, "linkedin_url")
        .into_iter()
        .chain(texts(&doc, "socials.url"))
    {
        found.push(key(CompanyKey::SocialUrl, url, 0));
    }
    for id in texts(&doc, "linkedin_id") {
        found.push(key(CompanyKey::LinkedinId, id, 0));
    }
    for id in texts(&doc, "_merged_ids") {
        found.push(key(CompanyKey::MergedId, id, 0));
    }
    for symbol in texts(&doc, "tickers.symbol") {
        found.push(key(CompanyKey::Ticker, symbol, 0));
    }
    Record {
        id: id(number),
        doc,
        keys: found,
    }
}

/// Writes search files with the real writer into the object store, as the projector does.
pub(crate) fn write_search_files<'a>(
    folder: &Path,
    build: &str,
    kind: RecordKind,
    docs: impl Iterator<Item = &'a Map<String, Value>>,
) -> SearchFiles {
    let written = folder
        .join("written")
        .join(Uuid::new_v4().simple().to_string());
    let options = WriterOptions {
        memory_bytes: 64 << 20,
        spool: written.with_extension("spool"),
    };
    let mut writer = Writer::create(&written, kind, options).unwrap();
    for doc in docs {
        writer.push(&serde_json::to_vec(doc).unwrap()).unwrap();
    }
    let manifest = serde_json::to_vec(&writer.finish().unwrap()).unwrap();
    let sha256 = hex::encode(Sha256::digest(&manifest));
    let place = format!("builds/{build}/search/{}", &sha256[..16]);
    let store = folder.join("objects").join(&place);
    std::fs::create_dir_all(store.parent().unwrap()).unwrap();
    if store.exists() {
        // The same records, written again.
        std::fs::remove_dir_all(&store).unwrap();
    }
    std::fs::rename(&written, &store).unwrap();
    std::fs::write(store.join("manifest.json"), &manifest).unwrap();
    let sizes = std::fs::read_dir(&store).unwrap();
    let sizes: Vec<u64> = sizes
        .map(|file| file.unwrap().metadata().unwrap().len())
        .collect();
    SearchFiles {
        manifest: format!("{place}/manifest.json"),
        sha256,
        files: u32::try_from(sizes.len() - 1).unwrap(),
        bytes: sizes.iter().sum(),
    }
}

/// The build of the HTTP tests, in its default order.
pub(crate) fn build(kind: RecordKind) -> Vec<Record> {
    match kind {
        RecordKind::Person => persons(),
        RecordKind::Company => companies(),
    }
}

fn email(address: &str, confidence: &str) -> Value {
    json!({"address": address, "type": "work", "current": true, "confidence": confidence})
}

fn phone(number: &str) -> Value {
    json!({"number": number, "type": "mobile", "current": true, "confidence": "high"})
}

pub(crate) fn maya() -> Value {
    json!({
        "full_name": "maya ifeoma okafor", "first_name": "maya", "middle_name": "ifeoma", "last_name": "okafor",
        "birth_date": "1988-04", "birth_year": 1988, "birth_month": 4,
        "work_email": "m.okafor@northwind-tools.example", "mobile_phone": "+13125550142",
        "linkedin_url": "linkedin.com/in/maya-okafor-example", "linkedin_id": "70110042",
        "city": "chicago", "state": "illinois", "state_code": "US-IL", "country": "united states", "country_code": "US",
        "job_title": "director of operations", "seniority_level": "director",
        "company_name": "northwind tools", "company_domain": "northwind-tools.example",
        "confidence": "high", "num_sources": 6, "last_seen": "2026-10-02",
        "headline": {"cleaned": "operations leader", "raw": ["Operations Leader"]},
        "emails": [email("m.okafor@northwind-tools.example", "high")],
        "phones": [{"number": "+13125550142", "type": "mobile", "current": true, "confidence": "moderate", "num_sources": 2}, phone("+13125550100")],
        "locations": [{"city": "chicago", "state": "illinois", "state_code": "US-IL", "country": "united states", "country_code": "US", "postal_code": "60607"}],
        "socials": [{"network": "linkedin", "url": "linkedin.com/in/maya-okafor-example", "username": "maya-okafor-example"}],
        "experience": [
            {"title": {"cleaned": "director of operations", "raw": ["Director, Operations"]}, "organization": {"name": {"cleaned": "northwind tools", "raw": ["Northwind Tools, Inc."]}, "website": "northwind-tools.example"}, "start_date": "2021-06", "current": true},
            {"title": {"cleaned": "analyst"}, "organization": {"name": {"cleaned": "harbor freight lines"}}, "current": false}
        ],
        "education": [{"organization": {"name": {"cleaned": "lakeside university", "raw": ["Lakeside University"]}}}],
        "_name_aliases": ["maya okafor-lind"], "_merged_ids": [id(900)]
    })
}

fn persons() -> Vec<Record> {
    let sam = |number: u128| {
        person(
            number,
            json!({"full_name": "sam reed", "first_name": "sam", "last_name": "reed", "company_name": "harbor lines", "company_domain": "harbor.example", "city": "boston", "phones": [phone("+13125550111")]}),
        )
    };
    vec![
        person(1, maya()),
        person(
            2,
            json!({"full_name": "tomas lindqvist", "first_name": "tomas", "last_name": "lindqvist", "company_name": "northwind tools", "phones": [phone("+13125550100")], "emails": [email("tomas@old.example", "low")]}),
        ),
        sam(3),
        sam(4),
        sam(5),
    ]
}

fn companies() -> Vec<Record> {
    vec![
        company(
            101,
            json!({
                "name": {"cleaned": "northwind tools", "display": "Northwind Tools", "raw": ["Northwind Tools, Inc."]},
                "domain": "northwind-tools.example", "domains": [{"domain": "northwind-tools.example"}], "industry": "machinery",
                "type": "private", "size": "201-500", "founded": 1994, "city": "chicago", "country": "united states", "country_code": "US",
                "linkedin_url": "linkedin.com/company/northwind-tools-example", "linkedin_id": "4410021",
                "tickers": [{"symbol": "NWT", "exchange": "NYSE"}],
                "service_employee_growth_rate": {"1m": 0.004, "12m": 0.071},
                "service_seniority_distribution": {"director": 12, "manager": 40},
                "num_sources": 5, "last_seen": "2026-10", "_merged_ids": [id(901)]
            }),
        ),
        company(
            102,
            json!({"name": {"cleaned": "acme", "display": "Acme"}, "domain": "acme.example", "city": "chicago"}),
        ),
        company(
            103,
            json!({"name": {"cleaned": "acme", "display": "ACME"}, "domain": "acme-two.example", "city": "boston"}),
        ),
    ]
}

/// Persons for paging: three cities in turn, every fifth without experience, in the order of their numbers.
pub(crate) fn crowd(number: u128) -> Vec<Record> {
    (1..=number)
        .map(|at| {
            let city = ["chicago", "boston", "austin"][(at % 3) as usize];
            let level = ["director", "manager"][(at % 2) as usize];
            let experience = (at % 5 > 0).then_some(at % 7);
            let mut doc = json!({
                "full_name": format!("person {at:04}"), "city": city, "seniority_level": level,
                "years_of_experience": experience.map(|years| years as u64),
                "emails": [email(&format!("p{at}@crowd.example"), "high")],
                "skills": [{"cleaned": "sql"}],
            });
            doc.as_object_mut()
                .unwrap()
                .retain(|_, value| !value.is_null());
            person(at, doc)
        })
        .collect()
}
