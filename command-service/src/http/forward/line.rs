//! The line of time of one process, from its start on: what a proof's time is a place on.
//!
//! A line never goes back and is nobody else's: it is measured by the monotonic clock, and each start of a process begins one with
//! a random number of its own. So no step of a clock moves a place on it, and what was signed for an earlier process is of
//! another line.

use std::fmt::{Display, Formatter};
use std::sync::Arc;
use std::time::Instant;

use service_kit::clock::Clock;
use uuid::Uuid;

/// A place on a line; as text `<number of the line>:<milliseconds>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub(super) line: Uuid,
    /// Since the process began.
    pub(super) at_ms: u64,
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line.simple(), self.at_ms)
    }
}

impl Place {
    /// Takes what [`Display`] writes and nothing else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (line, at_ms) = text.split_once(':')?;
        let place = Self {
            line: Uuid::try_parse(line).ok()?,
            at_ms: at_ms.parse().ok()?,
        };
        (place.to_string() == text).then_some(place)
    }
}

/// The line of this process.
#[derive(Debug, Clone)]
pub(super) struct Line {
    number: Uuid,
    began: Instant,
    clock: Arc<dyn Clock>,
}

impl Line {
    pub(super) fn begin(clock: Arc<dyn Clock>) -> Self {
        Self {
            number: Uuid::new_v4(),
            began: clock.monotonic(),
            clock,
        }
    }

    pub(super) fn now(&self) -> Place {
        let since = self.clock.monotonic().duration_since(self.began);
        Place {
            line: self.number,
            at_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chrono::{DateTime, TimeDelta};
    use service_kit::ManualClock;

    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written_and_in_no_other_way() {
        let place = Place {
            line: Uuid::from_u128(0xab),
            at_ms: 1_500,
        };
        let text = place.to_string();
        assert_eq!(text, "000000000000000000000000000000ab:1500");
        assert_eq!(Place::read(&text), Some(place));
        let line = "000000000000000000000000000000ab";
        for bad in [
            "1795262460000".to_owned(),
            line.to_owned(),
            format!("{line}:"),
            format!("{line}:+1"),
            format!("{line}:01"),
            format!("{line}:-1"),
            format!("{}:1", line.to_uppercase()),
            format!("{}:1", place.line.hyphenated()),
            format!("{line}:99999999999999999999"),
        ] {
            assert_eq!(Place::read(&bad), None, "{bad}");
        }
    }

    #[test]
    fn a_line_follows_no_clock_that_is_set_and_each_start_begins_another() {
        let clock = ManualClock::at(DateTime::UNIX_EPOCH);
        let line = Line::begin(Arc::new(clock.clone()));
        for hours in [1, -2] {
            clock.step(TimeDelta::hours(hours));
            assert_eq!(line.now().at_ms, 0);
        }
        clock.advance(Duration::from_millis(1_500));
        assert_eq!(line.now().at_ms, 1_500);
        let next = Line::begin(Arc::new(clock));
        assert_eq!(next.now().at_ms, 0);
        assert_ne!(next.now().line, line.now().line);
    }
}
