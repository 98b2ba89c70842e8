//! The one place that maps a file: the only `unsafe` of the workspace.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a file for reading.
#[allow(
    unsafe_code,
    reason = "a map is only sound while nobody changes the file: search files are written once under names that are never \
              used again, into a folder of this service alone, and are removed but never written to or cut while mapped"
)]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: see the reason above; what is read from the map is checked on every access and never trusted.
    unsafe { Mmap::map(file) }
}
