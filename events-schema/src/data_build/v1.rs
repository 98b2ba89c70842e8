//! Events of a data build, version 1.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::BuildName;
use crate::record::RecordKind;

/// `build.started.v1`: the name is reserved; chunks may be staged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildStarted {
    /// The build.
    pub build: BuildName,
    /// A build holds one kind.
    pub kind: RecordKind,
    /// Reference date given by the operator (`--as-of`).
    pub as_of: Option<NaiveDate>,
    /// When.
    pub started_at: DateTime<Utc>,
}

/// `build.chunk_staged.v1`: a chunk's bytes are in the object store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildChunkStaged {
    /// The build.
    pub build: BuildName,
    /// Number of the chunk, from 0.
    pub chunk: u32,
    /// Path in the object store.
    pub object: String,
    /// SHA-256 of the bytes as stored, lowercase hexadecimal.
    pub sha256: String,
    /// Lines in the chunk.
    pub rows: u32,
    /// Number of the chunk's first line in the whole file, from 1.
    pub first_line: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// `build.sealed.v1`: all chunks are there, 0 to `chunks` - 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildSealed {
    /// The build.
    pub build: BuildName,
    /// How many chunks.
    pub chunks: u32,
    /// How many lines in all.
    pub rows: u64,
}

/// What loading found, for operators: counts, by fields of the schema. Nothing that somebody wrote into a file is in it, not
/// even the name of a key: those stand in an object beside the rejects, which goes with the build.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LoadReport {
    /// Values that could not be read, by field.
    #[serde(default)]
    pub unreadable: BTreeMap<String, u64>,
    /// Always empty in new events; older ones hold names of keys here.
    #[serde(default)]
    pub unknown_keys: BTreeMap<String, u64>,
    /// Always empty in new events; older ones hold values here.
    #[serde(default)]
    pub unmapped: BTreeMap<String, BTreeMap<String, u64>>,
    /// How often a key came that is not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown: u64,
    /// Values of closed lists that no table knows, by field.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unlisted: BTreeMap<String, u64>,
    /// Path in the object store of the report with the names and values themselves; none where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
}

/// Stands for what is no field of the schema.
const OTHERS: &str = "(others)";

impl LoadReport {
    /// The report without anything that is not ours: names of keys and values are counted and left out, and what is counted
    /// is a field of the schema.
    #[must_use]
    pub fn in_our_words(self) -> Self {
        let mut unlisted = in_our_fields(self.unlisted);
        for (field, values) in self.unmapped {
            *unlisted.entry(our_field(field)).or_default() += values.values().sum::<u64>();
        }
        Self {
            unreadable: in_our_fields(self.unreadable),
            unknown_keys: BTreeMap::new(),
            unmapped: BTreeMap::new(),
            unknown: self.unknown + self.unknown_keys.values().sum::<u64>(),
            unlisted,
            object: self.object,
        }
    }
}

fn in_our_fields(counts: BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let mut ours = BTreeMap::new();
    for (field, count) in counts {
        *ours.entry(our_field(field)).or_default() += count;
    }
    ours
}

fn our_field(path: String) -> String {
    let is_ours = RecordKind::ALL
        .iter()
        .any(|kind| kind.field(&path).is_some());
    if is_ours { path } else { OTHERS.to_owned() }
}

/// By reference, as serde asks for it.
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The search files of a build, as they lie in the object store (`docs/SEARCH.md`, "Search files").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchFiles {
    /// Path of the manifest in the object store; the files that it names lie in the same folder.
    pub manifest: String,
    /// SHA-256 of the manifest's bytes, lowercase hexadecimal.
    pub sha256: String,
    /// How many files the manifest names.
    pub files: u32,
    /// Size in bytes of the manifest and of all files that it names.
    pub bytes: u64,
}

/// `build.loaded.v1`: every row is in the read model, ranked and indexed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildLoaded {
    /// The build.
    pub build: BuildName,
    /// Records that can be read.
    pub rows: u64,
    /// Lines that were rejected.
    pub rejected: u64,
    /// Path of the rejects file in the object store.
    pub rejects_object: Option<String>,
    /// What relative dates count from.
    pub reference_date: NaiveDate,
    /// What loading found.
    pub report: LoadReport,
    /// Its search files; none in events of builds that were loaded before there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_files: Option<SearchFiles>,
}

/// `build.reindexed.v1`: the search files of a loaded build were written anew and replace those that it had.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildReindexed {
    /// The build.
    pub build: BuildName,
    /// Its search files from now on.
    pub search_files: SearchFiles,
}

/// `build.failed.v1`: it will never be loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildFailed {
    /// The build.
    pub build: BuildName,
    /// Why.
    pub reason: String,
    /// Lines that were rejected.
    pub rejected: u64,
    /// Path of the rejects file in the object store.
    pub rejects_object: Option<String>,
}

/// `build.activated.v1`: requests are answered from it; the one before it of its kind is
/// retired by this very event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildActivated {
    /// The build.
    pub build: BuildName,
    /// Person or company.
    pub kind: RecordKind,
    /// When.
    pub activated_at: DateTime<Utc>,
}

/// `build.dropped.v1`: from here on its rows and files go, and it can never be activated. Told before anything is removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildDropped {
    /// The build.
    pub build: BuildName,
    /// When.
    pub dropped_at: DateTime<Utc>,
}

/// `build.abandoned.v1`: its rows and files go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataBuildAbandoned {
    /// The build.
    pub build: BuildName,
    /// When.
    pub abandoned_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
        let pairs = pairs.iter();
        pairs
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    }

    #[test]
    fn a_report_in_our_words_holds_fields_and_counts_alone() {
        let report = LoadReport {
            unreadable: counts(&[("phones.number", 2), ("maya@x.example", 3)]),
            unknown_keys: counts(&[("maya@x.example", 1), ("shoe_size", 4)]),
            unmapped: BTreeMap::from([("industry".to_owned(), counts(&[("maya's bakery", 5)]))]),
            unknown: 10,
            unlisted: counts(&[("industry", 1)]),
            object: None,
        };
        let ours = report.in_our_words();
        let expected = LoadReport {
            unreadable: counts(&[("phones.number", 2), ("(others)", 3)]),
            unknown: 15,
            unlisted: counts(&[("industry", 6)]),
            ..LoadReport::default()
        };
        assert_eq!(ours, expected);
        assert!(
            !serde_json::to_string(&ours)
                .unwrap_or_default()
                .contains("maya")
        );
        assert_eq!(ours.clone().in_our_words(), ours);
    }
}
