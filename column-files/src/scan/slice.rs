//! How long a step may take.

use std::time::{Duration, Instant};

/// The time that one call of [`super::Search::advance`] has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    end: Instant,
}

impl Slice {
    /// About a millisecond from now.
    pub(super) fn begin() -> Self {
        Self {
            end: Instant::now() + Duration::from_millis(1),
        }
    }

    /// Over as soon as it is looked at.
    #[cfg(test)]
    pub(super) fn nothing() -> Self {
        Self {
            end: Instant::now(),
        }
    }

    /// Whether it is over.
    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }
}
