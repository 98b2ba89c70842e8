//! Lines of JSON out of NDJSON or CSV, one at a time. One that is too long is passed on cut off, so that the projector rejects it
//! with its number like any bad line; no more of it is ever held.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use csv::ByteRecord;
use events_schema::api::limits::{MAX_CHUNK_BYTES, MAX_LINE_BYTES};
use events_schema::record::RecordKind;

use crate::failure::Failure;
use crate::ingest::csv_map::{Columns, Map};

/// Behind the beginning of a line that was cut off.
const CUT: u8 = b'~';
/// What is passed over of one line: an input without newlines is none of lines.
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

/// A line that is too long gives way to its beginning, which is too long, too, and no JSON whatever it holds.
fn cut(line: &mut Vec<u8>) {
    if line.len() > MAX_LINE_BYTES {
        line.truncate(MAX_LINE_BYTES);
        line.push(CUT);
    }
}

/// Records of a CSV file as JSON objects. The header is line 1.
pub(crate) struct CsvLines<R> {
    records: csv::Reader<Budgeted<R>>,
    budget: Arc<AtomicUsize>,
    columns: Columns,
    record: ByteRecord,
    number: u64,
}

impl<R: BufRead> CsvLines<R> {
    pub(crate) fn new(input: R, kind: RecordKind, map: Option<&Map>) -> Result<Self, Failure> {
        let budget = Arc::new(AtomicUsize::new(MAX_CHUNK_BYTES));
        let input = Budgeted {
            inner: input,
            budget: Arc::clone(&budget),
        };
        // Records of another length are passed on as text, to be rejected with their number.
        let mut records = csv::ReaderBuilder::new().flexible(true).from_reader(input);
        let header = records.headers().map_err(|fault| {
            Failure::input(format!(
                "the header of the CSV file cannot be read: {fault}"
            ))
        })?;
        let columns = Columns::new(kind, header, map)?;
        Ok(Self {
            records,
            budget,
            columns,
            record: ByteRecord::new(),
            number: 1,
        })
    }
}

impl<R: BufRead> Lines for CsvLines<R> {
    fn first_line(&self) -> u64 {
        2
    }

    fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Failure> {
        self.number += 1;
        self.budget.store(MAX_CHUNK_BYTES, Ordering::Relaxed);
        let found = self
            .records
            .read_byte_record(&mut self.record)
            .map_err(|fault| unreadable(self.number, &fault))?;
        line.clear();
        if found {
            match self.columns.object(&self.record) {
                Some(object) => serde_json::to_writer(&mut *line, &object)
                    .map_err(|fault| Failure::internal(fault.to_string()))?,
                None => line.extend(as_given(&self.record)),
            }
            // Names of fields make it longer than its record was.
            cut(line);
        }
        Ok(found)
    }
}

/// A record that is no row of its table, as one line that is not JSON.
fn as_given(record: &ByteRecord) -> Vec<u8> {
    let cells: Vec<_> = record.iter().map(String::from_utf8_lossy).collect();
    cells.join(",").replace(['\n', '\r'], " ").into_bytes()
}

fn unreadable(line: u64, fault: &dyn std::error::Error) -> Failure {
    Failure::input(format!("the input cannot be read at line {line}: {fault}"))
        .about("line", serde_json::json!(line))
}

/// Gives at most so many bytes for one record: a quote that is never closed must not pull the whole file into memory.
struct Budgeted<R> {
    inner: R,
    budget: Arc<AtomicUsize>,
}

impl<R: Read> Read for Budgeted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.budget.load(Ordering::Relaxed);
        if left == 0 {
            return Err(io::Error::other(format!(
                "a record has less than {MAX_CHUNK_BYTES} bytes; a quote may be open"
            )));
        }
        let length = buffer.len().min(left);
        let (part, _) = buffer.split_at_mut(length);
        let read = self.inner.read(part)?;
        self.budget.store(left - read, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

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
        assert!(refused.to_string().contains("at line 3"), "{refused}");
    }

    #[test]
    fn a_record_of_another_length_is_passed_on_to_be_rejected() {
        let read = csv("full_name,city\nana,lima\nben\n\"x\ny\",b,c\n").unwrap();
        assert_eq!(
            read,
            [r#"{"full_name":"ana","city":"lima"}"#, "ben", "x y,b,c"]
        );
    }
}
