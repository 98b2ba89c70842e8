//! The utilities: cleaning, hashing and validating values by the canon (`docs/CANON.md`).
//!
//! Guarantee: pure; no record and no build is asked, and what comes out is what ingestion stores and enrich compares,
//! since all of them call `normalize`. A value that cannot be read is data here and answered with 200; only a body that
//! says something else than the contract is refused. Credits and HTTP are elsewhere.

mod clean;
mod hash;
mod validate;

use chrono::NaiveDate;
use normalize::check::Cleaned;
use serde_json::{Map, Value, json};
use service_kit::Problem;

pub use clean::CleanRequest;
pub use hash::HashRequest;
pub use validate::ValidateRequest;

/// One of the three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Utility {
    /// `POST /utility/clean`
    Clean,
    /// `POST /utility/hash/email`
    HashEmail,
    /// `POST /utility/validate`
    Validate,
}

/// A request that can be answered.
#[derive(Debug, Clone, PartialEq)]
pub enum UtilityRequest {
    /// Values to clean.
    Clean(CleanRequest),
    /// An address to hash.
    HashEmail(HashRequest),
    /// Values to validate.
    Validate(ValidateRequest),
}

impl Utility {
    /// Reads a body.
    ///
    /// # Errors
    /// 400 or 422 (`docs/API.md`, "Rules of every request").
    pub fn read(self, body: &Map<String, Value>) -> Result<UtilityRequest, Problem> {
        match self {
            Self::Clean => CleanRequest::read(body).map(UtilityRequest::Clean),
            Self::HashEmail => HashRequest::read(body).map(UtilityRequest::HashEmail),
            Self::Validate => ValidateRequest::read(body).map(UtilityRequest::Validate),
        }
    }
}

impl UtilityRequest {
    /// The body of the answer. A date of birth is judged by `today`.
    #[must_use]
    pub fn answer(&self, today: NaiveDate) -> Value {
        match self {
            Self::Clean(request) => request.answer(),
            Self::HashEmail(request) => request.answer(),
            Self::Validate(request) => request.answer(today),
        }
    }
}

/// A cleaned value as answers show it (`docs/API.md`, "POST /utility/clean").
fn shown(cleaned: &Cleaned) -> Value {
    match cleaned {
        Cleaned::Text(text) => json!(text),
        Cleaned::Place { full_name, code } => json!({"full_name": full_name, "code": code}),
        Cleaned::Company { name, kind } => json!({"name": name, "type": kind.as_str()}),
    }
}
