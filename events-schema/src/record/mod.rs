//! The fields of a person and of a company record (`docs/RECORDS.md`): names, types, closed values, and which
//! of them `titlecase` touches. Field selection, ingestion, reports and search read the same tables.

mod company;
mod field;
mod person;

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use field::{Field, FieldType};

use crate::ids::InvalidId;

/// Person or company.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// A person profile.
    Person,
    /// A company record.
    Company,
}

impl RecordKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Person, Self::Company];

    /// `person` or `company`: key of a match, name of the SQL table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Company => "company",
        }
    }

    /// The record's fields in the order in which they are shown.
    #[must_use]
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Person => person::FIELDS,
            Self::Company => company::FIELDS,
        }
    }

    /// The field at a dot path such as `emails.address` or `experience.organization.name`.
    #[must_use]
    pub fn field(self, path: &str) -> Option<&'static Field> {
        let mut fields = self.fields();
        let mut found = None;
        for name in path.split('.') {
            let field = fields.iter().find(|field| field.name == name)?;
            fields = field.children();
            found = Some(field);
        }
        found
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RecordKind {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or(InvalidId("record kind"))
    }
}

/// Confidence of a match, a record or a data point (`docs/RECORDS.md`, "Confidence"). The order is that of trust.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Limited signals.
    Low,
    /// Good signals with some uncertainty.
    Moderate,
    /// Strong signals of accuracy.
    High,
}

impl Confidence {
    /// Accepted values, best first.
    pub const NAMES: &'static [&'static str] = &["high", "moderate", "low"];

    /// The level one below, none below `low`.
    #[must_use]
    pub const fn lowered(self) -> Option<Self> {
        match self {
            Self::High => Some(Self::Moderate),
            Self::Moderate => Some(Self::Low),
            Self::Low => None,
        }
    }

    /// `high`, `moderate` or `low`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Moderate => "moderate",
            Self::Low => "low",
        }
    }
}

impl FromStr for Confidence {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        match text {
            "high" => Ok(Self::High),
            "moderate" => Ok(Self::Moderate),
            "low" => Ok(Self::Low),
            _ => Err(InvalidId("confidence")),
        }
    }
}
