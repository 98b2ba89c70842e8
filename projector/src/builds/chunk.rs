//! One chunk: bytes into rows for COPY, rejects and counts. Pure, for a blocking thread.

use chrono::NaiveDate;
use documents::{Dictionary, MAX_DOCUMENT_BYTES, PackFault, Packer};
use events_schema::record::RecordKind;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::builds::copy::Rows;
use crate::builds::record::{Found, Lines, Reading, is_ahead, newest_day};
use crate::builds::schema::Tables;

/// Fields of a row of the keys' load table.
const KEY_FIELDS: i16 = 4;
/// Longest text of a rejected line that is kept.
const MAX_REJECT_BYTES: usize = 64 * 1024;
/// Why a line is rejected whose document would be longer than [`MAX_DOCUMENT_BYTES`].
fn too_long() -> String {
    format!("its document has more than {MAX_DOCUMENT_BYTES} bytes")
}

/// Level of a record without one in the order of ranks.
const NO_LEVEL: i16 = 0;

/// A line that is not a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedLine {
    /// Number in the whole file, from 1.
    pub line: i64,
    /// Why.
    pub reason: String,
    /// The line.
    pub text: String,
}

/// A chunk, ready to be copied.
pub struct Parsed {
    /// Rows of the load table.
    pub records: Vec<u8>,
    /// Rows of the keys' load table.
    pub keys: Vec<u8>,
    /// How many records.
    pub rows: u64,
    /// Lines that are none.
    pub rejects: Vec<RejectedLine>,
    /// What was found in reading.
    pub found: Found,
}

/// Whether the bytes are those that were staged.
#[must_use]
pub fn has_digest(bytes: &[u8], sha256: &str) -> bool {
    hex::encode(Sha256::digest(bytes)).eq_ignore_ascii_case(sha256)
}

/// The dictionary of a build, made from the chunk that is loaded first. Reads its lines until there are enough; they are counted later,
/// when they are read to be loaded.
#[must_use]
pub fn train(bytes: &[u8], kind: RecordKind, reading: &Reading) -> Dictionary {
    let mut reader = Lines::of(kind, reading);
    let read = lines(bytes, 1).filter_map(|(_, text)| Some(reader.read(text).ok()?.doc));
    documents::train(read)
}

/// Reads every line of a chunk. Blank lines keep their number and are no lines of data.
///
/// # Errors
/// When nothing can be packed with this dictionary.
pub fn parse(
    bytes: &[u8],
    first_line: i64,
    tables: &Tables,
    reading: &Reading,
    dictionary: &Dictionary,
) -> Result<Parsed, PackFault> {
    let mut packer = Packer::new(dictionary)?;
    let (mut records, mut keys) = (Rows::new(tables.load_fields()), Rows::new(KEY_FIELDS));
    let (mut rows, mut rejects) = (0, Vec::new());
    let mut reader = Lines::of(tables.kind(), reading);
    for (line, text) in lines(bytes, first_line) {
        let read = match reader.read(text).map_err(|reason| reason.to_string()) {
            Ok(read) if read.doc.len() <= MAX_DOCUMENT_BYTES => read,
            refused => {
                rejects.push(RejectedLine {
                    line,
                    reason: refused.err().unwrap_or_else(too_long),
                    text: kept(text),
                });
                continue;
            }
        };
        rows += 1;
        records.begin();
        records.put_i64(line);
        records.put_i16(read.confidence.map_or(NO_LEVEL, |level| level as i16 + 1));
        records.put_uuid(read.service_id);
        read.write_columns(&mut records);
        records.put_bytes(&packer.pack(&read.doc)?);
        for key in &read.keys {
            keys.begin();
            keys.put_i16(key.kind);
            keys.put_uuid(uuid::Uuid::from_bytes(key.key));
            keys.put_i64(line);
            keys.put_i16(key.flags);
        }
    }
    Ok(Parsed {
        records: records.finish(),
        keys: keys.finish(),
        rows,
        rejects,
        found: reader.into_found(),
    })
}

/// The newest `last_seen` of a chunk; lines that cannot be read say nothing, and neither do dates after the day of loading.
#[must_use]
pub fn newest_last_seen(bytes: &[u8], today: NaiveDate) -> Option<NaiveDate> {
    #[derive(Deserialize)]
    struct Seen {
        last_seen: Option<serde_json::Value>,
        person: Option<Inner>,
        company: Option<Inner>,
    }
    #[derive(Deserialize)]
    struct Inner {
        last_seen: Option<serde_json::Value>,
    }
    lines(bytes, 1)
        .filter_map(|(_, text)| {
            let line: Seen = serde_json::from_slice(text).ok()?;
            let inner = line
                .person
                .or(line.company)
                .and_then(|inner| inner.last_seen);
            let seen = line.last_seen.or(inner)?;
            let seen = seen.as_str().filter(|seen| !is_ahead(seen, today))?;
            newest_day(seen)
        })
        .max()
}

/// Lines with their numbers, without blank ones.
pub fn lines(bytes: &[u8], first_line: i64) -> impl Iterator<Item = (i64, &[u8])> {
    bytes
        .split(|byte| *byte == b'\n')
        .zip(first_line..)
        .map(|(text, line)| (line, text.trim_ascii()))
        .filter(|(_, text)| !text.is_empty())
}

/// A rejected line as text that Postgres and JSON can hold.
#[must_use]
pub fn kept(text: &[u8]) -> String {
    let head = text.get(..MAX_REJECT_BYTES).unwrap_or(text);
    String::from_utf8_lossy(head).replace('\0', "\u{fffd}")
}
