//! One search file: its sections one after another, its digest on the way.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::layout::{Footer, SECTIONS, Section, aligned};
use crate::manifest::{FORMAT, FileEntry};

/// Bytes that are hashed and written at once.
const BUFFER_BYTES: usize = 1 << 20;

/// A file that is being written.
#[derive(Debug)]
pub(super) struct FileWriter {
    name: String,
    file: File,
    buffer: Vec<u8>,
    written: u64,
    digest: Sha256,
    sections: [Section; SECTIONS],
}

impl FileWriter {
    /// A new file; there must be none of this name.
    pub(super) fn create(folder: &Path, name: String) -> io::Result<Self> {
        let file = File::create_new(folder.join(&name))?;
        Ok(Self {
            name,
            file,
            buffer: Vec::with_capacity(BUFFER_BYTES),
            written: 0,
            digest: Sha256::new(),
            sections: [Section::default(); SECTIONS],
        })
    }

    /// Begins section `section` where views are aligned.
    pub(super) fn begin(&mut self, section: usize) {
        self.pad();
        let offset = self.place();
        if let Some(section) = self.sections.get_mut(section) {
            section.offset = offset;
        }
    }

    /// Ends it.
    pub(super) fn end(&mut self, section: usize) {
        let place = self.place();
        if let Some(section) = self.sections.get_mut(section) {
            section.bytes = place - section.offset;
        }
    }

    /// Writes a whole section.
    pub(super) fn section(&mut self, section: usize, bytes: &[u8]) -> io::Result<()> {
        self.begin(section);
        for part in bytes.chunks(BUFFER_BYTES) {
            self.write(part)?;
        }
        self.end(section);
        Ok(())
    }

    /// Writes a part of the section that was begun.
    #[inline]
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the footer, makes the file durable and says what it is.
    pub(super) fn finish(mut self, mut footer: Footer) -> io::Result<FileEntry> {
        self.pad();
        footer.sections = self.sections;
        footer.name.clone_from(&self.name);
        self.write(&footer.encode(FORMAT))?;
        self.flush()?;
        self.file.sync_all()?;
        Ok(FileEntry {
            name: self.name,
            bytes: self.written,
            sha256: hex::encode(self.digest.finalize()),
        })
    }

    fn place(&self) -> u64 {
        self.written + u64::try_from(self.buffer.len()).unwrap_or(0)
    }

    fn pad(&mut self) {
        let missing = usize::try_from(aligned(self.place()) - self.place()).unwrap_or(0);
        self.buffer.resize(self.buffer.len() + missing, 0);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.digest.update(&self.buffer);
        self.file.write_all(&self.buffer)?;
        self.written += u64::try_from(self.buffer.len()).unwrap_or(0);
        self.buffer.clear();
        Ok(())
    }
}
