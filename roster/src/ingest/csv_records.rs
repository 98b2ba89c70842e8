//! Records of a CSV file, each with the number of the line in which it begins: a quoted cell may hold newlines, and blank lines
//! are no records.
//!
//! Memory: one record, which has an end: a quote that is never closed must not pull the whole file into memory.

use std::io::{self, BufRead};

use csv_core::ReadRecordResult as Read;
use events_schema::api::limits::MAX_CHUNK_BYTES;

/// Most cells of a record.
const MAX_CELLS: usize = 1 << 16;
/// Room for the first record; doubled as needed.
const FIRST_BYTES: usize = 1 << 12;
const FIRST_CELLS: usize = 1 << 6;

/// The file, and the record that was read last.
pub(crate) struct Records<R> {
    input: R,
    parser: csv_core::Reader,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Cells of the record.
    count: usize,
    first_line: u64,
    /// Number of the line in which the next byte stands.
    line: u64,
}

impl<R: BufRead> Records<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            parser: csv_core::Reader::new(),
            bytes: vec![0; FIRST_BYTES],
            ends: vec![0; FIRST_CELLS],
            count: 0,
            first_line: 1,
            line: 1,
        }
    }

    /// Reads the next record; false at the end.
    ///
    /// # Errors
    /// When the input cannot be read, or the record has too many bytes or cells.
    pub(crate) fn read(&mut self) -> io::Result<bool> {
        self.pass_blank_lines()?;
        self.first_line = self.line;
        let (mut bytes, mut cells) = (0, 0);
        loop {
            let input = self.input.fill_buf()?;
            let room = self.bytes.get_mut(bytes..).unwrap_or_default();
            let room_of_ends = self.ends.get_mut(cells..).unwrap_or_default();
            let (result, read, written, ended) = self.parser.read_record(input, room, room_of_ends);
            let passed = input.get(..read).unwrap_or_default();
            self.line += newlines(passed);
            self.input.consume(read);
            (bytes, cells) = (bytes + written, cells + ended);
            match result {
                Read::InputEmpty => {}
                Read::OutputFull => {
                    let rule = format!("less than {MAX_CHUNK_BYTES} bytes; a quote may be open");
                    grow(&mut self.bytes, MAX_CHUNK_BYTES, &rule)?;
                }
                Read::OutputEndsFull => {
                    grow(
                        &mut self.ends,
                        MAX_CELLS,
                        &format!("at most {MAX_CELLS} cells"),
                    )?;
                }
                Read::Record => {
                    self.count = cells;
                    return Ok(true);
                }
                Read::End => return Ok(false),
            }
        }
    }

    /// Number of the line in which the record begins, or would have begun.
    pub(crate) const fn first_line(&self) -> u64 {
        self.first_line
    }

    /// The cells of the record.
    pub(crate) fn cells(&self) -> Cells<'_> {
        Cells {
            bytes: &self.bytes,
            ends: self.ends.get(..self.count).unwrap_or_default(),
        }
    }

    fn pass_blank_lines(&mut self) -> io::Result<()> {
        loop {
            let input = self.input.fill_buf()?;
            let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
            let blank = input.iter().take_while(|byte| is_end(byte)).count();
            if blank == 0 {
                return Ok(());
            }
            let passed = input.get(..blank).unwrap_or_default();
            self.line += newlines(passed);
            self.input.consume(blank);
        }
    }
}

/// Twice the room.
fn grow<T: Clone + Default>(room: &mut Vec<T>, most: usize, rule: &str) -> io::Result<()> {
    if room.len() >= most {
        return Err(io::Error::other(format!("a record has {rule}")));
    }
    room.resize((room.len() * 2).min(most), T::default());
    Ok(())
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// The cells of one record.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'r> {
    bytes: &'r [u8],
    /// Where each ends.
    ends: &'r [usize],
}

impl<'r> Cells<'r> {
    pub(crate) const fn len(self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(self, index: usize) -> Option<&'r [u8]> {
        let end = *self.ends.get(index)?;
        let before = index.checked_sub(1).and_then(|index| self.ends.get(index));
        self.bytes.get(before.copied().unwrap_or(0)..end)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'r [u8]> {
        (0..self.len()).filter_map(move |index| self.get(index))
    }

    /// Newlines within the cells.
    pub(crate) fn newlines(self) -> u64 {
        self.iter().map(newlines).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(u64, Vec<String>)> {
        // As if it came byte by byte.
        let mut records = Records::new(io::BufReader::with_capacity(1, text.as_bytes()));
        let mut all = Vec::new();
        while records.read().unwrap() {
            let cells = records.cells().iter();
            let cells = cells.map(|cell| String::from_utf8_lossy(cell).into_owned());
            all.push((records.first_line(), cells.collect()));
        }
        all
    }

    #[test]
    fn a_record_has_the_number_of_the_line_in_which_it_begins() {
        let wanted = [
            (1, vec!["a", "b"]),
            (3, vec!["1\n2", "\"3\""]),
            (5, vec!["4"]),
            (8, vec!["", "5"]),
        ];
        let wanted = wanted.map(|(line, cells)| {
            (
                line,
                cells.into_iter().map(str::to_owned).collect::<Vec<_>>(),
            )
        });
        let text = "a,b\n\n\"1\n2\",\"\"\"3\"\"\"\n4\n\n\n,5";
        assert_eq!(read(text), wanted);
        let crlf = text
            .replace("1\n2", "1~2")
            .replace('\n', "\r\n")
            .replace('~', "\n");
        assert_eq!(read(&crlf), wanted);
        assert_eq!(read(&format!("{crlf}\r\n\r\n")), wanted);
        assert_eq!(read("\n\n"), []);
    }

    #[test]
    fn a_record_of_many_long_cells_is_read_whole() {
        let cells = vec!["x".repeat(300); 300];
        assert_eq!(read(&cells.join(",")), [(1, cells)]);
    }

    #[test]
    fn a_record_of_too_many_cells_is_refused() {
        let commas = ",".repeat(MAX_CELLS);
        let refused = Records::new(commas.as_bytes()).read().unwrap_err();
        assert!(refused.to_string().contains("65536 cells"), "{refused}");
    }
}
