//! Queries from text to filter and back: what is accepted and what it means, what is refused and where, and the laws.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise, in the functions that they share, too"
)]

mod accepted;
mod hostile;
mod laws;
mod meaning;
mod places;
mod stored;

use dialect::{Parsed, Query, Reason, Refusal};
use events_schema::record::RecordKind;

/// Reads a query on persons.
fn person(text: &str) -> Result<Parsed, Refusal> {
    Query::parse(RecordKind::Person, text)
}

/// Reads a query on companies.
fn company(text: &str) -> Result<Parsed, Refusal> {
    Query::parse(RecordKind::Company, text)
}

/// The condition of a query on a kind as the printer writes it.
fn printed(kind: RecordKind, condition: &str) -> String {
    let text = format!("SELECT * FROM {kind} WHERE {condition}");
    let parsed = Query::parse(kind, &text).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    let printed = parsed.query.text();
    let again =
        Query::parse(kind, &printed).unwrap_or_else(|refusal| panic!("{printed}: {refusal:?}"));
    assert_eq!(again.query, parsed.query, "{text}\n{printed}");
    let (_, condition) = printed.split_once(" WHERE ").expect("a WHERE");
    condition.to_owned()
}

/// Why a query on persons is refused.
fn refused(text: &str) -> Refusal {
    match person(text) {
        Ok(parsed) => panic!("accepted: {text}\n{parsed:?}"),
        Err(refusal) => refusal,
    }
}

/// The reason for which a condition on persons is refused.
fn reason(condition: &str) -> Reason {
    refused(&format!("SELECT * FROM person WHERE {condition}")).reason
}
