//! What reading met: counts by field, names of keys that are not known, and values of closed lists that no table knows.
//!
//! Names and values are the customer's: they stay in the loader's rows and in the report beside the rejects. What goes into
//! an event is [`Found::counts`].

use std::collections::BTreeMap;

use events_schema::data_build::v1::LoadReport;
use serde::{Deserialize, Serialize};

/// Names of unknown keys and unmapped values that are kept apart in one chunk; what is above is counted together.
const MAX_NAMES: usize = 1_000;
/// Unmapped values of a field in the build's report.
const REPORTED_VALUES: usize = 20;
/// Longest name or value that is kept.
const MAX_CHARS: usize = 100;
/// Stands for names beyond [`MAX_NAMES`].
const OTHERS: &str = "(others)";

/// What was found in one chunk, or in a whole build.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Values that could not be read, by field.
    #[serde(default)]
    pub unreadable: BTreeMap<String, u64>,
    /// Keys that are not known, with how many records held them.
    #[serde(default)]
    pub unknown_keys: BTreeMap<String, u64>,
    /// Values of closed lists that no table knows: `field: {value: count}`, in the end the most frequent ones.
    #[serde(default)]
    pub unmapped: BTreeMap<String, BTreeMap<String, u64>>,
    /// Such values in all, by field.
    #[serde(default)]
    pub unlisted: BTreeMap<String, u64>,
}

impl Found {
    /// What an event may hold of it.
    #[must_use]
    pub fn counts(&self) -> LoadReport {
        let counts = LoadReport {
            unreadable: self.unreadable.clone(),
            unknown: self.unknown_keys.values().sum(),
            unlisted: self.unlisted.clone(),
            ..LoadReport::default()
        };
        counts.in_our_words()
    }

    /// Whether there is nothing to report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unreadable.is_empty() && self.unknown_keys.is_empty() && self.unmapped.is_empty()
    }
}

/// Finds.
#[derive(Debug, Clone, Default)]
pub struct Tally(Found);

impl Tally {
    /// A value of `field` could not be read.
    pub(super) fn unreadable(&mut self, field: &str) {
        add(&mut self.0.unreadable, field, 1, MAX_NAMES);
    }

    /// A key that is not known.
    pub(super) fn unknown_key(&mut self, path: &str) {
        add(&mut self.0.unknown_keys, path, 1, MAX_NAMES);
    }

    /// A value that no table maps onto the closed list of `field`.
    pub(super) fn unmapped(&mut self, field: &str, value: &str) {
        let values = match self.0.unmapped.get_mut(field) {
            Some(values) => values,
            None => self.0.unmapped.entry(field.to_owned()).or_default(),
        };
        add(values, value, 1, MAX_NAMES);
        add(&mut self.0.unlisted, field, 1, MAX_NAMES);
    }

    /// Adds the counts of another chunk.
    pub fn merge(&mut self, other: &Found) {
        for (name, count) in &other.unreadable {
            add(&mut self.0.unreadable, name, *count, MAX_NAMES);
        }
        for (name, count) in &other.unknown_keys {
            add(&mut self.0.unknown_keys, name, *count, MAX_NAMES);
        }
        for (field, values) in &other.unmapped {
            let own = self.0.unmapped.entry(field.clone()).or_default();
            for (value, count) in values {
                add(own, value, *count, usize::MAX);
            }
            // Chunks that an older version loaded have no sums.
            let sum = other.unlisted.get(field).copied();
            let sum = sum.unwrap_or_else(|| values.values().sum());
            add(&mut self.0.unlisted, field, sum, MAX_NAMES);
        }
    }

    /// The counts as they are.
    #[must_use]
    pub fn into_found(self) -> Found {
        self.0
    }

    /// The counts for people: of unmapped values the most frequent ones.
    #[must_use]
    pub fn into_summary(mut self) -> Found {
        for values in self.0.unmapped.values_mut() {
            let mut sorted: Vec<(String, u64)> = std::mem::take(values).into_iter().collect();
            sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            sorted.truncate(REPORTED_VALUES);
            values.extend(sorted);
        }
        self.0
    }
}

fn add(counts: &mut BTreeMap<String, u64>, name: &str, count: u64, limit: usize) {
    if let Some(known) = counts.get_mut(name) {
        *known += count;
        return;
    }
    let name: String = if counts.len() >= limit {
        OTHERS.to_owned()
    } else {
        name.chars()
            .filter(|c| *c != '\0')
            .take(MAX_CHARS)
            .collect()
    };
    *counts.entry(name).or_default() += count;
}
