//! What every data point has: whether it is current, its level, its sources (`docs/RECORDS.md`, "Confidence").

use events_schema::record::Confidence;
use serde::Serialize;
use serde_json::Value;

use super::Reading;
use super::dates::is_within;
use super::reader::Reader;

/// The part of a data point that says how good it is.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Grade {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) current: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confidence: Option<Confidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last_seen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) num_sources: Option<i64>,
    /// Whether it was made of a flat column: then what is known of the record is what is known of it.
    #[serde(skip)]
    pub(super) is_flat: bool,
}

/// What a record says of itself as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) num_sources: Option<i64>,
    pub(super) last_seen: Option<&'a str>,
}

impl Grade {
    /// Of a data point that is made of a flat column.
    pub(super) fn flat() -> Self {
        Self {
            current: Some(true),
            is_flat: true,
            ..Self::default()
        }
    }

    /// Takes a key of the data point; the value comes back if it is none of these.
    pub(super) fn take(
        &mut self,
        key: &str,
        value: Value,
        list: &str,
        reader: &mut Reader<'_>,
    ) -> Option<Value> {
        match key {
            "current" => self.current = reader.boolean(&format!("{list}.current"), &value),
            "confidence" => {
                let field = format!("{list}.confidence");
                self.confidence = confidence(&field, value, reader);
            }
            "last_seen" => self.last_seen = reader.seen(&format!("{list}.last_seen"), value),
            "num_sources" => {
                self.num_sources = reader.count(&format!("{list}.num_sources"), &value);
            }
            _ => return Some(value),
        }
        None
    }

    /// Gives the level where the build gave none.
    pub(super) fn settle(&mut self, reading: &Reading, record: Seen<'_>) {
        if self.confidence.is_none() {
            let own = Seen {
                num_sources: self.num_sources,
                last_seen: self.last_seen.as_deref(),
            };
            self.confidence = Some(level(if self.is_flat { record } else { own }, reading));
        }
    }
    /// An absent `current` means current.
    pub(super) fn is_current(&self) -> bool {
        self.current.unwrap_or(true)
    }

    /// Larger is better: level, then last seen.
    pub(super) fn rank(&self) -> (Option<Confidence>, Option<&str>) {
        (self.confidence, self.last_seen.as_deref())
    }

    /// The flags of the data point's keys: bit 0 = not current, bits 1 and 2 = level.
    pub(super) fn flags(&self) -> i16 {
        i16::from(!self.is_current()) | (level_bits(self.confidence) << 1)
    }
}

fn level(seen: Seen<'_>, reading: &Reading) -> Confidence {
    let levels = reading.levels;
    let sources = seen.num_sources.unwrap_or(0);
    let seen_within = |months| is_within(seen.last_seen, months, reading.reference_date);
    if sources >= levels.high_sources && seen_within(levels.high_months) {
        Confidence::High
    } else if sources >= levels.moderate_sources || seen_within(levels.moderate_months) {
        Confidence::Moderate
    } else {
        Confidence::Low
    }
}

/// 0 unknown, 1 low, 2 moderate, 3 high.
pub(super) fn level_bits(level: Option<Confidence>) -> i16 {
    match level {
        None => 0,
        Some(Confidence::Low) => 1,
        Some(Confidence::Moderate) => 2,
        Some(Confidence::High) => 3,
    }
}

/// A level as the build gives it.
pub(super) fn confidence(field: &str, value: Value, reader: &mut Reader<'_>) -> Option<Confidence> {
    let text = reader.text(field, value)?;
    match text.parse() {
        Ok(level) => Some(level),
        Err(_) => reader.unreadable(field),
    }
}

/// The best current element: by level, then last seen, then place in the list.
pub(super) fn best<T>(
    items: &[T],
    grade: impl Fn(&T) -> &Grade,
    is_wanted: impl Fn(&T) -> bool,
) -> Option<&T> {
    let mut best: Option<&T> = None;
    for item in items {
        let is_better = best.is_none_or(|best| grade(item).rank() > grade(best).rank());
        if grade(item).is_current() && is_wanted(item) && is_better {
            best = Some(item);
        }
    }
    best
}
