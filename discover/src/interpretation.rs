//! What a text means, with an account of its words, or why it gives no query.

use dialect::Query;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a text means.
#[derive(Debug, Clone, PartialEq)]
pub struct Translation {
    /// The query.
    pub query: Query,
    /// How each phrase was read.
    pub interpretation: Interpretation,
}

/// An account of the words. Spans count characters of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Interpretation {
    /// Phrases that became conditions.
    pub applied: Vec<Applied>,
    /// Words that were read as others.
    pub assumed: Vec<Assumed>,
    /// Names that stand for more than one thing.
    pub ambiguous: Vec<Ambiguous>,
    /// What was asked for and cannot be answered.
    pub unsupported: Vec<Unsupported>,
}

/// A phrase and its condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Applied {
    /// As written.
    pub phrase: String,
    /// First character, and the one behind the last.
    pub span: [usize; 2],
    /// In the language of search.
    pub clause: String,
}

/// A slip that was repaired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Assumed {
    /// As written.
    pub phrase: String,
    /// As it was read.
    pub read_as: String,
}

/// A name of several things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ambiguous {
    /// As written.
    pub phrase: String,
    /// How it was read.
    pub chosen: String,
    /// What else it may mean.
    pub alternatives: Vec<String>,
}

/// Words that no column answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unsupported {
    /// As written.
    pub phrase: String,
    /// First character, and the one behind the last.
    pub span: [usize; 2],
    /// Why.
    pub reason: Reason,
}

/// Why words are not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Records do not say this.
    NoSuchField,
    /// Only the current employer is known.
    PastEmployer,
    /// Of a person's employer the place is not known.
    CompanyLocation,
    /// Nobody is sought by this.
    ProtectedTrait,
    /// Records are not ranked, sorted or counted by words.
    Ranking,
    /// No word that is known.
    UnknownTerm,
}

/// Why a text gives no query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What was asked for all the same.
    pub unsupported: Vec<Unsupported>,
    /// The text describes the other kind of record.
    pub is_other_kind: bool,
}
