//! One mapped file: its digest checked, its sections as typed slices.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use bytemuck::AnyBitPattern;
use memmap2::Mmap;
use sha2::{Digest, Sha256};

use super::OpenFault;
use super::map::map;
use crate::layout::{FOOTER_BYTES, Footer};
use crate::manifest::{FORMAT, FileEntry, Manifest};

/// Bytes that are read at once to be hashed.
const READ_BYTES: usize = 1 << 18;

/// A file whose bytes are those of the manifest.
#[derive(Debug)]
pub(super) struct Stored {
    map: Mmap,
    pub(super) footer: Footer,
}

impl Stored {
    /// Reads the whole file once to compare its digest, not through the map, so that nothing of it counts as resident;
    /// then maps it.
    pub(super) fn open(
        folder: &Path,
        entry: &FileEntry,
        manifest: &Manifest,
    ) -> Result<Self, OpenFault> {
        let damaged = |why| OpenFault::Damaged {
            file: entry.name.clone(),
            why,
        };
        let io = |source: io::Error| OpenFault::Io {
            file: entry.name.clone(),
            source,
        };
        if !entry.has_plain_name() {
            return Err(damaged("its name is none of a search file"));
        }
        let file = match File::open(folder.join(&entry.name)) {
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => {
                return Err(damaged("it is missing"));
            }
            opened => opened.map_err(io)?,
        };
        if file.metadata().map_err(io)?.len() != entry.bytes {
            return Err(damaged("it has another length"));
        }
        if !digest(&file, entry.bytes)
            .map_err(io)?
            .eq_ignore_ascii_case(&entry.sha256)
        {
            return Err(damaged("it has other bytes"));
        }
        if entry.bytes == 0 {
            return Err(damaged("it is empty"));
        }
        let map = map(&file).map_err(io)?;
        let start = map
            .len()
            .checked_sub(FOOTER_BYTES)
            .ok_or_else(|| damaged("it is too short"))?;
        let footer = Footer::decode(map.get(start..).unwrap_or(&[]), entry.bytes, FORMAT)
            .map_err(damaged)?;
        if footer.name != entry.name {
            return Err(damaged("it is another file"));
        }
        if footer.kind != manifest.kind || footer.rows != manifest.rows {
            return Err(damaged("it belongs to other records"));
        }
        Ok(Self { map, footer })
    }

    /// A section as a slice of `T`; empty when it is none.
    pub(super) fn section<T: AnyBitPattern>(&self, section: usize) -> &[T] {
        self.bytes(section)
            .and_then(|bytes| bytemuck::try_cast_slice(bytes).ok())
            .unwrap_or(&[])
    }

    /// Whether a section is a slice of exactly `length` values of `T`.
    pub(super) fn has<T: AnyBitPattern>(&self, section: usize, length: u64) -> bool {
        let size = u64::try_from(size_of::<T>()).ok();
        let bytes = size.and_then(|size| size.checked_mul(length));
        let is_length = self
            .footer
            .sections
            .get(section)
            .map(|section| section.bytes)
            == bytes;
        is_length && u64::try_from(self.section::<T>(section).len()) == Ok(length)
    }

    fn bytes(&self, section: usize) -> Option<&[u8]> {
        let section = self.footer.sections.get(section)?;
        let start = usize::try_from(section.offset).ok()?;
        let end = start.checked_add(usize::try_from(section.bytes).ok()?)?;
        self.map.get(start..end)
    }
}

/// SHA-256 of the first `length` bytes, as hexadecimal.
fn digest(file: &File, length: u64) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut reader = file.take(length);
    let mut buffer = vec![0; READ_BYTES];
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok(hex::encode(digest.finalize()));
        }
        digest.update(buffer.get(..read).unwrap_or(&[]));
    }
}
