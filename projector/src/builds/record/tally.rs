//! What reading met: counts by field, and values of closed lists that no table knows.

use std::collections::BTreeMap;

use events_schema::data_build::v1::LoadReport;

/// Names of unknown keys and unmapped values that are kept apart in one chunk; what is above is counted together.
const MAX_NAMES: usize = 1_000;
/// Unmapped values of a field in the build's report.
const REPORTED_VALUES: usize = 20;
/// Longest name or value that is kept.
const MAX_CHARS: usize = 100;
/// Stands for names beyond [`MAX_NAMES`].
const OTHERS: &str = "(others)";

/// Counts of one chunk, or of a whole build.
#[derive(Debug, Clone, Default)]
pub struct Tally(LoadReport);

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
    }

    /// Adds the counts of another chunk.
    pub fn merge(&mut self, other: &LoadReport) {
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
        }
    }

    /// The counts as they are.
    #[must_use]
    pub fn into_report(self) -> LoadReport {
        self.0
    }

    /// The counts for people: of unmapped values the most frequent ones.
    #[must_use]
    pub fn into_summary(mut self) -> LoadReport {
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
