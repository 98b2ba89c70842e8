//! Credits: whole numbers, never negative as a balance, exact everywhere.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A whole number of credits. Signed so that a difference is representable; arithmetic is checked by the caller.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Credits(pub i64);

impl Credits {
    /// None at all.
    pub const ZERO: Self = Self(0);

    /// The sum, `None` on overflow.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, `None` on overflow. May be negative.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// This price for so many units, `None` on overflow.
    #[must_use]
    pub fn times(self, units: u32) -> Option<Self> {
        self.0.checked_mul(i64::from(units)).map(Self)
    }
}

impl fmt::Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
