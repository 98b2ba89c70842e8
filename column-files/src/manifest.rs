//! Which files make up the search files of a build, and what their bytes are.

use events_schema::record::RecordKind;
use serde::{Deserialize, Serialize};

/// Version of the layout that this crate writes, and the only one that it reads.
pub const FORMAT: u32 = 2;

/// The files of one build. Its own digest is in the event `build.loaded`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the layout.
    pub format: u32,
    /// Person or company.
    pub kind: RecordKind,
    /// Records, in rank order.
    pub rows: u32,
    /// Files, by name.
    pub files: Vec<FileEntry>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Name inside the build's folder: lower-case letters, digits, `_`, `-` and dots; never a path.
    pub name: String,
    /// Size.
    pub bytes: u64,
    /// SHA-256 of all its bytes, lower-case hexadecimal.
    pub sha256: String,
}

impl FileEntry {
    /// Whether the name is one that [`FileEntry::name`] allows, so that it cannot lead out of a folder.
    #[must_use]
    pub fn has_plain_name(&self) -> bool {
        let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.');
        !self.name.is_empty() && !self.name.starts_with('.') && self.name.bytes().all(is_plain)
    }
}
