//! Matching: from a request to the records it means (`docs/MATCHING.md`).
//!
//! Reading order: [`request`] turns a body into typed clues and options, [`probe`] says by which keys candidates are
//! found, [`compared`] reads of a candidate what can be compared, [`person`] and [`company`] find for each clue how it
//! stands to that ([`finding`]), [`evidence`] what that weighs, by how common the value is ([`rarity`]) and a table
//! ([`weights`]), [`probability`] how likely it makes each candidate beside all others, [`verdict`] how sure a match that
//! is, [`choose`] orders, breaks ties and filters; [`explain`] says it to people.
//!
//! Guarantee: pure and synchronous. The same request, the same candidates and the same counts always give the same
//! answer. No SQL, no clock, no async here; no credits and no HTTP status either.

pub mod agree;
pub mod choose;
pub mod company;
pub mod compared;
pub mod evidence;
pub mod explain;
pub mod finding;
pub mod memo;
pub mod path;
pub mod person;
pub mod probability;
pub mod probe;
pub mod rarity;
pub mod request;
pub mod required;
pub mod verdict;
pub mod weights;

use std::sync::Arc;

use events_schema::ids::BuildName;
use events_schema::record::Confidence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use compared::Compared;

/// A record's document as a data build holds it: sparse, in lower case.
pub type Document = Map<String, Value>;

/// A record that at least one key of the request leads to.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Place in the build's default order, 1 is first.
    pub rank: u32,
    /// The record.
    pub service_id: Uuid,
    /// The build that holds it.
    pub build: Arc<BuildName>,
    /// Its document as it is stored, for showing it.
    pub json: Vec<u8>,
    /// The part of its document that is compared.
    pub doc: Compared,
    /// Which keys lead to it.
    pub hits: Vec<Hit>,
}

impl Candidate {
    /// All of its document, with its id and its build, for those that ask for a field that is not compared.
    ///
    /// # Errors
    /// When something in it that is not compared cannot be read.
    pub fn whole(&self) -> serde_json::Result<Document> {
        let mut whole: Document = serde_json::from_slice(&self.json)?;
        // What is known besides the document: a required field may name these too.
        let own = [
            ("service_id", self.service_id.to_string()),
            ("build_version", self.build.as_str().to_owned()),
        ];
        whole.extend(own.map(|(field, text)| (field.to_owned(), Value::String(text))));
        Ok(whole)
    }
}

/// What a request leads to and is not looked at: no request reads more than so many entries of a key, and so many records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cut {
    /// Probes that lead to at least as many records as are read of one.
    pub probes: Vec<usize>,
    /// Whether as many records were read as may be: then those of the commonest keys were not.
    pub is_full: bool,
}

impl Cut {
    /// Whether all was looked at.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.probes.is_empty() && !self.is_full
    }
}

/// A key that led to a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Index of the probe in the request's list.
    pub probe: usize,
    /// What the key's data point is.
    pub point: DataPoint,
}

/// The grade of the data point behind a key, as the index stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataPoint {
    /// False only where the build says so.
    pub current: bool,
    /// None for ids, which have no data point.
    pub confidence: Option<Confidence>,
}

impl DataPoint {
    /// Reads the index's flags: bit 0 = not current, bits 1 and 2 = confidence.
    #[must_use]
    pub const fn from_flags(flags: i16) -> Self {
        let confidence = match (flags >> 1) & 0b11 {
            1 => Some(Confidence::Low),
            2 => Some(Confidence::Moderate),
            3 => Some(Confidence::High),
            _ => None,
        };
        Self {
            current: flags & 1 == 0,
            confidence,
        }
    }

    /// Current and at least moderate; what has no confidence is an id and good.
    #[must_use]
    pub fn is_good(self) -> bool {
        self.current
            && self
                .confidence
                .is_none_or(|confidence| confidence >= Confidence::Moderate)
    }
}

/// `match_type` of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchType {
    /// By an identifier.
    Exact,
    /// By a hashed e-mail alone.
    Hash,
    /// By a name and its context.
    Composite,
}

/// `match_metadata` of an answer: about the match, not about the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchMetadata {
    /// Names of the inputs that agree, in the order in which they are documented.
    pub matched_on: Vec<String>,
    /// By what.
    pub match_type: MatchType,
    /// How sure.
    pub match_confidence: Confidence,
}

/// A candidate with its level.
#[derive(Debug, Clone)]
pub struct Scored {
    /// The record.
    pub candidate: Candidate,
    /// How it matches.
    pub metadata: MatchMetadata,
    /// What the level rests on.
    pub basis: Basis,
    /// The rule that gave the level.
    pub level_by: LevelBy,
    /// Bits of each input, in the order of the inputs.
    pub bits: Vec<f64>,
    /// That the record is the one who is meant; only of persons.
    pub probability: Option<f64>,
    /// Likely only together with others: an answer where several are wanted.
    pub is_one_of_several: bool,
}

/// What the level of a match rests on, before contradictions lower it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// An identifier: the index of its clue.
    Identifier(usize, Confidence),
    /// A name, with what agrees beside it.
    Name(Confidence),
}

/// The rule that gave a match its level (`docs/MATCHING.md`, "Levels").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LevelBy {
    /// An identifier led to the record; each input that contradicts took one level.
    Identifier,
    /// The name of a company, by how near it is and how many bear it; each input that contradicts took one level.
    Name,
    /// The probability alone.
    Probability,
    /// `high` needs two contexts that agree.
    OneContext,
    /// Nothing that contradicts is `high`.
    Contradicted,
    /// A part of the name or the birth date is another: never more than `low`.
    Doubtful,
    /// Exactly the name at exactly the employer, with one bearer: at least `low`, or `moderate` with another context.
    OnlyBearer,
    /// Likely only together with others.
    OneOfSeveral,
}

impl Basis {
    /// The level that it gives.
    #[must_use]
    pub const fn level(self) -> Confidence {
        match self {
            Self::Identifier(_, level) | Self::Name(level) => level,
        }
    }
}
