//! Invented people and companies, as lines for `roster ingest`. Every identifier is a function of the number.

use serde_json::{Value, json};

/// Person `number`: e-mail `person7@people.example`, phone, LinkedIn profile.
#[must_use]
pub fn person(number: u32) -> Value {
    json!({
        "full_name": format!("{} tester", name(number)),
        "first_name": name(number),
        "last_name": "tester",
        "job_title": "head of testing",
        "company_name": "northwind tools",
        "company_domain": "northwind-tools.example",
        "last_seen": "2026-10-02",
        "num_sources": 4,
        "emails": [{ "address": email(number), "type": "work", "current": true, "confidence": "high" }],
        "phones": [{ "number": phone(number), "type": "work", "current": true, "confidence": "high" }],
        "socials": [{ "network": "linkedin", "url": format!("linkedin.com/in/person-{number}-example"), "current": true, "confidence": "high" }],
    })
}

/// The e-mail of person `number`.
#[must_use]
pub fn email(number: u32) -> String {
    format!("person{number}@people.example")
}

/// The phone of person `number`: a valid number of the exchange 555 of Chicago's second area code.
#[must_use]
pub fn phone(number: u32) -> String {
    format!("+1872555{:04}", number % 10_000)
}

/// A first name that no other number below 17,576 has.
#[must_use]
pub fn name(number: u32) -> String {
    [number / 676 % 26, number / 26 % 26, number % 26]
        .iter()
        .filter_map(|digit| char::from_u32(u32::from(b'a') + digit))
        .flat_map(|letter| [letter, 'o'])
        .collect()
}

/// Persons 0 to `count` - 1, one a line.
#[must_use]
pub fn persons(count: u32) -> String {
    (0..count)
        .map(|number| format!("{}\n", person(number)))
        .collect()
}

/// Company `number`: domain `company7.example`.
#[must_use]
pub fn company(number: u32) -> Value {
    json!({
        "name": format!("{} works", name(number)),
        "domain": format!("company{number}.example"),
        "industry": "machinery",
        "size": "201-500",
        "last_seen": "2026-09",
        "num_sources": 3,
    })
}

/// Companies 0 to `count` - 1, one a line.
#[must_use]
pub fn companies(count: u32) -> String {
    (0..count)
        .map(|number| format!("{}\n", company(number)))
        .collect()
}
