//! Cuts lines into chunks of at most 50,000 lines and 16 MiB, always the same way.

use bytes::Bytes;
use events_schema::api::limits::{MAX_CHUNK_BYTES, MAX_CHUNK_ROWS};
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The unit of loading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// From 0.
    pub(crate) number: u32,
    /// Number of its first line in the whole file.
    pub(crate) first_line: u64,
    pub(crate) rows: u32,
    /// Every line with its newline.
    pub(crate) bytes: Bytes,
    /// Of the bytes, lowercase hexadecimal.
    pub(crate) sha256: String,
}

/// The chunk that is being filled.
pub(crate) struct Chunker {
    limits: Limits,
    number: u32,
    first_line: u64,
    rows: u32,
    bytes: Vec<u8>,
}

/// What a chunk may hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) rows: u32,
    pub(crate) bytes: usize,
}

impl Limits {
    /// Those of the admin listener.
    pub(crate) const OF_THE_SERVICE: Self = Self {
        rows: MAX_CHUNK_ROWS,
        bytes: MAX_CHUNK_BYTES,
    };
}

impl Chunker {
    /// `first_line` is the number that the first pushed line has in its file.
    pub(crate) const fn new(limits: Limits, first_line: u64) -> Self {
        Self {
            limits,
            number: 0,
            first_line,
            rows: 0,
            bytes: Vec::new(),
        }
    }

    /// Adds a line (without newline); gives the chunk before it if that is full.
    ///
    /// # Errors
    /// A line that fits into no chunk, which those of a file do since they are cut off.
    pub(crate) fn push(&mut self, line: &[u8]) -> Result<Option<Chunk>, Failure> {
        if line.len() >= self.limits.bytes {
            return Err(too_long(
                self.first_line + u64::from(self.rows),
                self.limits.bytes,
            ));
        }
        let full =
            self.rows == self.limits.rows || self.bytes.len() + line.len() + 1 > self.limits.bytes;
        let chunk = if full { self.cut() } else { None };
        self.bytes.extend_from_slice(line);
        self.bytes.push(b'\n');
        self.rows += 1;
        Ok(chunk)
    }

    /// The last chunk, if it holds anything.
    pub(crate) fn finish(mut self) -> Option<Chunk> {
        self.cut()
    }

    fn cut(&mut self) -> Option<Chunk> {
        if self.rows == 0 {
            return None;
        }
        let bytes = Bytes::from(std::mem::take(&mut self.bytes));
        let chunk = Chunk {
            number: self.number,
            first_line: self.first_line,
            rows: self.rows,
            sha256: hex::encode(Sha256::digest(&bytes)),
            bytes,
        };
        self.number += 1;
        self.first_line += u64::from(self.rows);
        self.rows = 0;
        Some(chunk)
    }
}

/// The refusal of a line that no chunk can hold.
fn too_long(line: u64, max_bytes: usize) -> Failure {
    Failure::input(format!(
        "line {line} is too long: a line has less than {max_bytes} bytes"
    ))
    .about("line", serde_json::json!(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Limits = Limits { rows: 3, bytes: 10 };

    fn chunks(lines: &[&str]) -> Vec<Chunk> {
        let mut chunker = Chunker::new(SMALL, 1);
        let mut cut: Vec<_> = lines
            .iter()
            .filter_map(|line| chunker.push(line.as_bytes()).unwrap())
            .collect();
        cut.extend(chunker.finish());
        cut
    }

    #[test]
    fn chunks_are_cut_at_the_number_of_lines_and_at_the_size() {
        let cut = chunks(&["a", "b", "c", "d", "eeeeeee", "f"]);
        let texts: Vec<_> = cut
            .iter()
            .map(|c| std::str::from_utf8(&c.bytes).unwrap())
            .collect();
        assert_eq!(texts, ["a\nb\nc\n", "d\neeeeeee\n", "f\n"]);
        let places: Vec<_> = cut
            .iter()
            .map(|c| (c.number, c.first_line, c.rows))
            .collect();
        assert_eq!(places, [(0, 1, 3), (1, 4, 2), (2, 6, 1)]);
    }

    #[test]
    fn empty_lines_count_so_that_numbers_stay_those_of_the_file() {
        let cut = chunks(&["", "a", ""]);
        assert_eq!((cut[0].rows, &cut[0].bytes[..]), (3, &b"\na\n\n"[..]));
    }

    #[test]
    fn nothing_makes_no_chunk() {
        assert_eq!(chunks(&[]), []);
    }

    #[test]
    fn a_line_that_fits_into_no_chunk_is_refused_with_its_number() {
        let mut chunker = Chunker::new(SMALL, 1);
        chunker.push(b"a").unwrap();
        assert!(chunker.push(b"123456789").is_ok());
        let refused = chunker.push(b"1234567890").unwrap_err();
        assert!(
            refused.to_string().contains("line 3 is too long"),
            "{refused}"
        );
    }

    #[test]
    fn the_digest_is_that_of_the_bytes() {
        // SHA-256 of "a\n", from coreutils' sha256sum.
        let digest = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7";
        assert_eq!(chunks(&["a"])[0].sha256, digest);
    }
}
