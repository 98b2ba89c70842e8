//! From a body to typed clues and options (`docs/API.md`). Every fault of the body is found before one is reported.

pub mod bulk;
mod clues;
mod options;

use events_schema::record::{Confidence, RecordKind};
use serde_json::{Map, Value};
use service_kit::{Fields, Problem};
use uuid::Uuid;

use super::company::CompanyClue;
use super::person::{NameParts, PersonClue};
use super::probe::{self, Probe};
use super::rarity::Counts;
use super::required::RequiredFields;
use super::{Candidate, Scored, verdict};
use crate::instead::UnknownField;
use crate::pin::Pin;
use crate::render::View;
use crate::spending::{DRY_RUN, MaxCredits};
pub use clues::PERSON_CONTEXT;
use options::Options;

/// A request that can be answered.
#[derive(Debug, Clone)]
pub struct EnrichRequest {
    /// Whom or what it means.
    pub query: Query,
    /// Which matches it wants.
    pub wanted: Wanted,
    /// How it wants them shown.
    pub view: View,
    /// Whether each match is to be explained.
    pub explain: bool,
    /// The build that is to answer instead of the active one.
    pub pin: Option<Pin>,
    /// The most that the answer may cost.
    pub max_credits: Option<MaxCredits>,
    /// Whether only the total and the price are wanted.
    pub dry_run: bool,
    /// Contexts that say nothing: they cannot be read, or stand for none.
    pub not_read: Vec<&'static str>,
}

/// Whom or what a request means.
#[derive(Debug, Clone)]
pub enum Query {
    /// A person.
    Person {
        /// In the order of `docs/API.md`, "POST /person/enrich".
        clues: Vec<PersonClue>,
        /// Given and family name, if both are known.
        name: Option<NameParts>,
    },
    /// A company.
    Company {
        /// In the order of `docs/API.md`, "POST /company/enrich".
        clues: Vec<CompanyClue>,
    },
}

/// What a request wants of its matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Whether several may be answered.
    pub multiple_results: bool,
    /// Most matches of the answer; 1 without `multiple_results`.
    pub limit: u32,
    /// Lower ones are left out.
    pub min_confidence: Confidence,
    /// What a record must hold.
    pub required: RequiredFields,
}

/// Why a request is refused: each is one row of the table of `docs/API.md`, "Errors".
#[derive(Debug, Clone, PartialEq)]
pub enum RequestRefusal {
    /// Unknown, missing or malformed parameters, as the reader of fields found them.
    Form(Problem),
    /// `limit` stands without `multiple_results`.
    LimitWithoutMultiple,
    /// Names in a field list that no field or value has.
    UnknownFields {
        /// Those names, as they were given, and where.
        unknown: Vec<UnknownField>,
        /// Person or company.
        kind: RecordKind,
    },
    /// Neither an identifier, nor a name with a context.
    InsufficientIdentifiers {
        /// What was given towards it.
        given: Vec<&'static str>,
        /// What would have been enough.
        accepted: &'static [&'static str],
        /// Person or company.
        kind: RecordKind,
        /// What is missing to what was given, as a sentence.
        lacks: Option<&'static str>,
    },
}

impl EnrichRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// The first refusal in the order: unknown or missing parameters, identifiers, field lists, formats.
    pub fn read(kind: RecordKind, body: &Map<String, Value>) -> Result<Self, RequestRefusal> {
        let mut fields = Fields::new(body, clues::accepted(kind));
        let query = clues::read(kind, &mut fields);
        let options = options::read(kind, &mut fields);
        let dry_run = fields.boolean(DRY_RUN, false);
        let insufficient = clues::check_identifiers(kind, &fields);
        let contexts = clues::contexts_given(kind, &fields);
        fields.check_names().map_err(RequestRefusal::Form)?;
        let form = fields.finish().map_err(RequestRefusal::Form);
        insufficient?;
        let Options {
            wanted,
            view,
            explain,
            pin,
            max_credits,
        } = options?;
        let not_read = clues::not_read(&query, contexts);
        form?;
        Ok(Self {
            query,
            wanted,
            view,
            explain,
            pin,
            max_credits,
            dry_run,
            not_read,
        })
    }
}

impl Query {
    /// Person or company.
    #[must_use]
    pub const fn kind(&self) -> RecordKind {
        match self {
            Self::Person { .. } => RecordKind::Person,
            Self::Company { .. } => RecordKind::Company,
        }
    }

    /// The keys by which candidates are found.
    #[must_use]
    pub fn probes(&self) -> Vec<Probe> {
        match self {
            Self::Person { clues, name } => probe::of_person(clues, name.as_ref()),
            Self::Company { clues } => probe::of_company(clues),
        }
    }

    /// The record's own id, if the request gives one, with the index of its clue.
    #[must_use]
    pub fn service_id(&self) -> Option<(usize, Uuid)> {
        match self {
            Self::Person { clues, .. } => {
                clues.iter().enumerate().find_map(|(at, clue)| match clue {
                    PersonClue::ServiceId(id) => Some((at, *id)),
                    _ => None,
                })
            }
            Self::Company { clues } => clues.iter().enumerate().find_map(|(at, clue)| match clue {
                CompanyClue::ServiceId(id) => Some((at, *id)),
                _ => None,
            }),
        }
    }

    /// The matches among the candidates that the probes found.
    #[must_use]
    pub fn score(
        &self,
        probes: &[Probe],
        found: Vec<Candidate>,
        counts: &dyn Counts,
    ) -> Vec<Scored> {
        match self {
            Self::Person { clues, name } => {
                verdict::persons(clues, name.as_ref(), probes, found, counts)
            }
            Self::Company { clues } => verdict::companies(clues, probes, found),
        }
    }
}
