//! Codes that wait on disk until their dictionary is sorted: one stream of numbers a column.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;

/// Numbers of one block: what a column holds in memory, at four bytes each.
const BLOCK: usize = 65_536;

/// A file that is made when the first byte is written and removed with the value.
#[derive(Debug)]
pub(super) struct SpoolFile {
    path: PathBuf,
    file: Option<File>,
    bytes: u64,
}

impl SpoolFile {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            bytes: 0,
        }
    }

    /// How much was written.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(File::create(&self.path)?),
        };
        self.bytes += u64::try_from(bytes.len()).unwrap_or(0);
        file.write_all(bytes)
    }

    /// Everything that was written, from the front.
    pub(super) fn reader(&self) -> io::Result<Box<dyn Read>> {
        if self.file.is_none() {
            return Ok(Box::new(io::empty()));
        }
        Ok(Box::new(BufReader::with_capacity(
            1 << 18,
            File::open(&self.path)?,
        )))
    }
}

impl Drop for SpoolFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // What cannot be removed is found and removed by the next writer.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The numbers of one column: 0 where there is no value, else one that its [`super::values::Values`] gave.
#[derive(Debug)]
pub(super) struct Codes {
    file: SpoolFile,
    block: Vec<u32>,
    written: u64,
    packed: Vec<u8>,
}

impl Codes {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self {
            file: SpoolFile::new(path),
            block: Vec::new(),
            written: 0,
            packed: Vec::new(),
        }
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> u64 {
        self.written + u64::try_from(self.block.len()).unwrap_or(0)
    }

    /// Whether no number was ever put.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts `code` at `place`, and 0 at all places between; `false` when the place is taken.
    #[inline]
    pub(super) fn put(&mut self, place: u64, code: u32) -> io::Result<bool> {
        let len = self.len();
        if place != len {
            if place < len {
                return Ok(false);
            }
            self.fill(place)?;
        }
        self.block.push(code);
        if self.block.len() == BLOCK {
            self.flush()?;
        }
        Ok(true)
    }

    /// Fills up with 0 to `len` numbers.
    pub(super) fn fill(&mut self, len: u64) -> io::Result<()> {
        while self.len() < len {
            let missing = usize::try_from(len - self.len()).unwrap_or(usize::MAX);
            let room = BLOCK - self.block.len();
            self.block.resize(self.block.len() + missing.min(room), 0);
            if self.block.len() == BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Gives all numbers in order, a block at a time.
    pub(super) fn read(mut self, mut take: impl FnMut(&[u32]) -> io::Result<()>) -> io::Result<()> {
        if self.written == 0 {
            return take(&self.block);
        }
        self.flush()?;
        let mut reader = self.file.reader()?;
        let mut left = self.written;
        while left > 0 {
            let mut width = [0];
            reader.read_exact(&mut width)?;
            let numbers = usize::try_from(left).unwrap_or(BLOCK).min(BLOCK);
            self.packed.resize(numbers * usize::from(width[0]), 0);
            reader.read_exact(&mut self.packed)?;
            unpack(&self.packed, width[0], numbers, &mut self.block);
            take(&self.block)?;
            left -= u64::try_from(numbers).unwrap_or(left);
        }
        Ok(())
    }

    /// Every block but the last is full; each has the width of its greatest number.
    fn flush(&mut self) -> io::Result<()> {
        let greatest = self.block.iter().fold(0, |all, code| all | code);
        let width = match greatest {
            0 => 0,
            1..=0xFF => 1,
            0x100..=0xFFFF => 2,
            0x1_0000..=0xFF_FFFF => 3,
            _ => 4,
        };
        self.packed.clear();
        self.packed.push(width);
        pack(&self.block, width, &mut self.packed);
        self.file.write(&self.packed)?;
        self.written += u64::try_from(self.block.len()).unwrap_or(0);
        self.block.clear();
        Ok(())
    }
}

fn pack(codes: &[u32], width: u8, packed: &mut Vec<u8>) {
    match width {
        0 => {}
        1 => packed.extend(codes.iter().map(|code| code.to_le_bytes()[0])),
        2 => packed.extend(codes.iter().flat_map(|code| {
            let [a, b, ..] = code.to_le_bytes();
            [a, b]
        })),
        3 => packed.extend(codes.iter().flat_map(|code| {
            let [a, b, c, _] = code.to_le_bytes();
            [a, b, c]
        })),
        _ => packed.extend(codes.iter().flat_map(|code| code.to_le_bytes())),
    }
}

fn unpack(packed: &[u8], width: u8, numbers: usize, codes: &mut Vec<u32>) {
    codes.clear();
    match width {
        0 => codes.resize(numbers, 0),
        1 => codes.extend(packed.iter().map(|byte| u32::from(*byte))),
        2 => codes.extend(
            packed
                .as_chunks()
                .0
                .iter()
                .map(|[a, b]| u32::from_le_bytes([*a, *b, 0, 0])),
        ),
        3 => codes.extend(
            packed
                .as_chunks()
                .0
                .iter()
                .map(|[a, b, c]| u32::from_le_bytes([*a, *b, *c, 0])),
        ),
        _ => codes.extend(
            packed
                .as_chunks()
                .0
                .iter()
                .map(|four| u32::from_le_bytes(*four)),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were_put() {
        let folder =
            std::env::temp_dir().join(format!("column-files-spool-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("codes.spool");
        let mut codes = Codes::new(path.clone());
        let mut expected = vec![0; 200_000];
        for (place, code) in [
            (3, 1),
            (70_000, 300),
            (140_000, 70_000),
            (199_000, u32::MAX),
        ] {
            assert!(codes.put(place, code).unwrap());
            expected[usize::try_from(place).unwrap()] = code;
        }
        assert!(!codes.put(5, 1).unwrap(), "a place is taken once");
        codes.fill(200_000).unwrap();
        let mut read = Vec::new();
        codes
            .read(|block| {
                read.extend_from_slice(block);
                Ok(())
            })
            .unwrap();
        assert_eq!(read, expected);
        assert!(!path.exists(), "the spool is removed");
        std::fs::remove_dir(&folder).unwrap();
    }
}
