//! Lines of JSON out of NDJSON or CSV, one at a time. A line that is too long is passed on cut off, so that the projector rejects it with
//! its number like any bad line; no more of it is ever held.

use std::io::{self, BufRead, Read};

use events_schema::api::limits::MAX_LINE_BYTES;
use events_schema::record::RecordKind;

use crate::failure::Failure;
use crate::ingest::csv_map::{ColumnMap, Columns};
use crate::ingest::csv_records::{Cells, Records};

/// Behind the beginning of a line that was cut off.
const CUT: u8 = b'~';
/// The most bytes that are skipped of one line: an input without newlines is not made of lines.
const MAX_PASSED_BYTES: u64 = 1 << 30;

/// A source of lines.
pub(crate) trait Lines {
    /// Number of the first line that [`Lines::next_line`] gives.
    fn first_line(&self) -> u64;

    /// Puts the next line, without newline, in place of what `line` held; false at the end.
    fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Failure>;
}

/// Lines as they stand in the file.
pub(crate) struct PlainLines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> PlainLines<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self { input, number: 0 }
    }
}

impl<R: BufRead> Lines for PlainLines<R> {
    fn first_line(&self) -> u64 {
        1
    }

    fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Failure> {
        self.number += 1;
        line.clear();
        let limit = MAX_LINE_BYTES as u64 + 1;
        self.input
            .by_ref()
            .take(limit)
            .read_until(b'\n', line)
            .map_err(|fault| unreadable(self.number, &fault))?;
        let ended = line.last() == Some(&b'\n');
        if ended {
            line.pop();
        } else if line.len() > MAX_LINE_BYTES {
            cut(line);
            self.pass_rest()?;
        }
        Ok(ended || !line.is_empty())
    }
}

impl<R: BufRead> PlainLines<R> {
    /// Passes over the rest of a line.
    fn pass_rest(&mut self) -> Result<(), Failure> {
        let rest = self.input.by_ref().take(MAX_PASSED_BYTES);
        let passed = passed(rest).map_err(|fault| unreadable(self.number, &fault))?;
        if passed < MAX_PASSED_BYTES {
            return Ok(());
        }
        let number = self.number;
        let message =
            format!("line {number} has more than {MAX_PASSED_BYTES} bytes: are these lines?");
        Err(Failure::input(message).about("line", serde_json::json!(number)))
    }
}

/// Bytes up to the next newline, or to the end.
fn passed(mut rest: impl BufRead) -> io::Result<u64> {
    Ok(rest.skip_until(b'\n')? as u64)
}

/// Replaces a line that is too long by its beginning, which is still too long and is never valid JSON.
fn cut(line: &mut Vec<u8>) {
    if line.len() > MAX_LINE_BYTES {
        line.truncate(MAX_LINE_BYTES);
        line.push(CUT);
    }
}

/// Records of a CSV file as JSON objects, each under the number of the line in which it begins; the lines between two records
/// are given as blank ones.
pub(crate) struct CsvLines<R> {
    records: Records<R>,
    columns: Columns,
    /// Number of the next line that is given.
    number: u64,
    /// Whether a record was read and is still to be given.
    is_waiting: bool,
}

impl<R: BufRead> CsvLines<R> {
    pub(crate) fn new(
        input: R,
        kind: RecordKind,
        map: Option<&ColumnMap>,
    ) -> Result<Self, Failure> {
        let wrong = |fault: &dyn std::fmt::Display| {
            Failure::input(format!(
                "the header of the CSV file cannot be read: {fault}"
            ))
        };
        let mut records = Records::new(input);
        let mut header = Vec::new();
        if records.read().map_err(|fault| wrong(&fault))? {
            for name in records.cells().iter() {
                header.push(
                    std::str::from_utf8(name)
                        .map_err(|_| wrong(&"it is not UTF-8; save the file in that encoding"))?,
                );
            }
        }
        let columns = Columns::new(kind, &header, map)?;
        let number = records.first_line() + records.cells().newlines() + 1;
        Ok(Self {
            records,
            columns,
            number,
            is_waiting: false,
        })
    }

    /// Names of the columns that no field is made of.
    pub(crate) fn left_out(&self) -> &[String] {
        self.columns.left_out()
    }
}

impl<R: BufRead> Lines for CsvLines<R> {
    fn first_line(&self) -> u64 {
        self.number
    }

    fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Failure> {
        line.clear();
        if !self.is_waiting {
            let read = self.records.read();
            self.is_waiting =
                read.map_err(|fault| unreadable(self.records.first_line(), &fault))?;
        }
        if !self.is_waiting {
            return Ok(false);
        }
        let is_between = self.number < self.records.first_line();
        self.number += 1;
        if is_between {
            return Ok(true);
        }
        self.is_waiting = false;
        // A record of another length is passed on as text, to be rejected with its number.
        match self.columns.object(self.records.cells()) {
            Some(object) => serde_json::to_writer(&mut *line, &object)
                .map_err(|fault| Failure::internal(fault.to_string()))?,
            None => line.extend(as_given(self.records.cells())),
        }
        // Names of fields make it longer than its record was.
        cut(line);
        Ok(true)
    }
}

/// A record that is no row of its table, as one line that is not JSON. Bytes that are no UTF-8 stay: who rejects the line says so.
fn as_given(cells: Cells<'_>) -> Vec<u8> {
    let cells: Vec<&[u8]> = cells.iter().collect();
    let mut line = cells.join(&b',');
    for byte in &mut line {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    line
}

fn unreadable(line: u64, fault: &dyn std::error::Error) -> Failure {
    Failure::input(format!("the input cannot be read at line {line}: {fault}"))
        .about("line", serde_json::json!(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut lines: impl Lines) -> Result<Vec<String>, Failure> {
        let (mut line, mut read) = (Vec::new(), Vec::new());
        while lines.next_line(&mut line)? {
            read.push(String::from_utf8(line.clone()).unwrap());
        }
        Ok(read)
    }

    fn csv(text: &str) -> Result<Vec<String>, Failure> {
        all(CsvLines::new(text.as_bytes(), RecordKind::Person, None)?)
    }

    #[test]
    fn lines_are_given_as_they_stand_with_or_without_a_last_newline() {
        for text in ["a\n\nb\r\n", "a\n\nb\r"] {
            assert_eq!(
                all(PlainLines::new(text.as_bytes())).unwrap(),
                ["a", "", "b\r"]
            );
        }
    }

    #[test]
    fn an_endless_line_is_refused_before_it_is_read_to_its_end() {
        let endless = io::BufReader::new(io::repeat(b'x'));
        let refused = all(PlainLines::new(endless)).unwrap_err();
        assert!(
            refused.to_string().contains("line 1 has more than"),
            "{refused}"
        );
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_off_and_the_others_are_given_as_they_stand() {
        let longest = "x".repeat(MAX_LINE_BYTES);
        let text = format!("a\n{longest}\n{longest}y\nb\n{longest}{longest}");
        let read = all(PlainLines::new(text.as_bytes())).unwrap();
        let cut = format!("{longest}~");
        assert!(read == ["a", &longest, &cut, "b", &cut]);
    }

    #[test]
    fn an_endless_quote_is_refused_before_it_is_read_to_its_end() {
        let endless = "full_name\nana\n\"".as_bytes().chain(io::repeat(b'x'));
        let lines = CsvLines::new(io::BufReader::new(endless), RecordKind::Person, None).unwrap();
        let refused = all(lines).unwrap_err();
        let told = refused.to_string();
        assert!(
            told.contains("at line 3") && told.contains("a quote may be open"),
            "{told}"
        );
    }

    #[test]
    fn a_record_of_another_length_is_passed_on_to_be_rejected() {
        let read = csv("full_name,city\nana,lima\nben\n\"x\ny\",b,c\n").unwrap();
        assert_eq!(
            read,
            [r#"{"full_name":"ana","city":"lima"}"#, "ben", "x y,b,c"]
        );
    }

    #[test]
    fn a_record_that_is_no_utf_8_is_passed_on_as_it_stands() {
        let text: &[u8] = b"full_name,city\nJos\xe9 Diaz,lima\n";
        let mut lines = CsvLines::new(text, RecordKind::Person, None).unwrap();
        let mut line = Vec::new();
        assert!(lines.next_line(&mut line).unwrap());
        assert_eq!(line, b"Jos\xe9 Diaz,lima");
        let header = CsvLines::new(&b"Stra\xdfe\n"[..], RecordKind::Person, None);
        assert!(header.err().unwrap().to_string().contains("not UTF-8"));
    }

    #[test]
    fn a_line_of_a_csv_file_keeps_its_number() {
        let text = "\n\"full\n_name\",city\n\nana,\"lima\n\"\r\nben\n";
        let lines = CsvLines::new(text.as_bytes(), RecordKind::Person, None).unwrap();
        assert_eq!(lines.first_line(), 4);
        let read = all(lines).unwrap();
        let ana = r#"{"full\n_name":"ana","city":"lima"}"#;
        assert_eq!(read, ["", ana, "", "ben"]);
    }
}
