//! What reconciliation ends with when it is not a proof.

use std::fmt;

use serde::Serialize;

use crate::failure::Failure;

/// The first thing that is not the same everywhere. Names places and numbers, never values of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Difference {
    /// What kind, e.g. `missing_in_topic`.
    pub(crate) difference: &'static str,
    /// Where, e.g. `credits.v1 shard 5 topic_seq 17`.
    pub(crate) place: String,
    /// What should be there.
    pub(crate) expected: String,
    /// What is there.
    pub(crate) found: String,
}

impl Difference {
    pub(crate) fn new(
        difference: &'static str,
        place: impl Into<String>,
        expected: impl ToString,
        found: impl ToString,
    ) -> Self {
        Self {
            difference,
            place: place.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            difference,
            place,
            expected,
            found,
        } = self;
        write!(
            f,
            "{difference} at {place}: expected {expected}, found {found}"
        )
    }
}

/// Why there is no proof.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something differs.
    Different(Difference),
    /// A part cannot be read.
    Fault(Failure),
}

impl From<Difference> for Stop {
    fn from(difference: Difference) -> Self {
        Self::Different(difference)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Fault(failure)
    }
}

/// Refuses with `difference` unless both are equal.
pub(crate) fn same<T: PartialEq + fmt::Debug>(
    difference: &'static str,
    place: impl FnOnce() -> String,
    expected: &T,
    found: &T,
) -> Result<(), Difference> {
    if expected == found {
        return Ok(());
    }
    Err(Difference::new(
        difference,
        place(),
        format!("{expected:?}"),
        format!("{found:?}"),
    ))
}
