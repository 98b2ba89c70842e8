//! Opens the input, whatever it is packed in, and cuts it on a thread of its own.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::mpsc;

use super::Format;
use crate::failure::Failure;
use crate::ingest::Source;
use crate::ingest::chunker::{Chunk, Chunker, Limits};
use crate::ingest::csv_map::ColumnMap;
use crate::ingest::lines::{CsvLines, Lines, PlainLines};

/// Chunks as they are cut; an error ends them.
pub(crate) type Chunks = mpsc::Receiver<Result<Chunk, Failure>>;

/// Chunks that are cut ahead of the upload.
const AHEAD: usize = 2;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const UTF8_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// How far the input was read, in bytes as stored.
#[derive(Clone)]
pub(crate) struct Position {
    read: Arc<AtomicU64>,
    /// Unknown for stdin.
    pub(crate) total: Option<u64>,
}

impl Position {
    pub(crate) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

/// Names of the columns of the file that no field is made of; known once the first chunk is.
pub(crate) type LeftOut = Arc<OnceLock<Vec<String>>>;

/// Opens the input and begins to cut it.
pub(crate) fn start(source: Source) -> Result<(Chunks, Position, LeftOut), Failure> {
    let map = source.map.as_deref().map(ColumnMap::read).transpose()?;
    if let Some(map) = &map {
        map.refuse_unknown(source.kind)?;
    }
    let left_out = LeftOut::default();
    let told = Arc::clone(&left_out);
    let (input, position) = open(&source.path)
        .map_err(|fault| Failure::input(format!("{}: {fault}", source.path.display())))?;
    let (sender, receiver) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || {
        let cut = match source.format {
            Format::Ndjson => cut_all(PlainLines::new(input), &sender),
            Format::Csv => CsvLines::new(input, source.kind, map.as_ref()).and_then(|lines| {
                let _ = told.set(lines.left_out().to_vec());
                cut_all(lines, &sender)
            }),
        };
        if let Err(failure) = cut {
            // The receiver is gone only if the upload has failed already.
            let _ = sender.blocking_send(Err(failure));
        }
    });
    Ok((receiver, position, left_out))
}

fn cut_all(
    mut lines: impl Lines,
    sender: &mpsc::Sender<Result<Chunk, Failure>>,
) -> Result<(), Failure> {
    let mut chunker = Chunker::new(Limits::OF_THE_SERVICE, lines.first_line());
    let mut line = Vec::new();
    while lines.next_line(&mut line)? {
        if let Some(chunk) = chunker.push(&line)?
            && sender.blocking_send(Ok(chunk)).is_err()
        {
            return Ok(());
        }
    }
    if let Some(chunk) = chunker.finish() {
        let _ = sender.blocking_send(Ok(chunk));
    }
    Ok(())
}

/// The input unpacked, without a byte-order mark. What it is packed in is seen from its first bytes.
fn open(path: &Path) -> io::Result<(Box<dyn BufRead + Send>, Position)> {
    let (raw, total): (Box<dyn Read + Send>, _) = if path == Path::new("-") {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let total = metadata.is_file().then_some(metadata.len());
        (Box::new(file), total)
    };
    let read = Arc::new(AtomicU64::new(0));
    let counted = Counted {
        inner: raw,
        read: Arc::clone(&read),
    };
    let unpacked = unpack(BufReader::with_capacity(1 << 16, counted))?;
    Ok((unpacked, Position { read, total }))
}

fn unpack(mut packed: impl BufRead + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let start = packed.fill_buf()?;
    let mut plain: Box<dyn BufRead + Send> = if start.starts_with(&GZIP) {
        Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(packed)))
    } else if start.starts_with(&ZSTD) {
        Box::new(BufReader::new(zstd::stream::read::Decoder::with_buffer(
            packed,
        )?))
    } else {
        Box::new(packed)
    };
    if plain.fill_buf()?.starts_with(&UTF8_MARK) {
        plain.consume(UTF8_MARK.len());
    }
    Ok(plain)
}

/// Counts what was read, for the progress bar.
struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn unpacked(bytes: Vec<u8>) -> String {
        let mut text = String::new();
        unpack(io::Cursor::new(bytes))
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn packed_input_is_seen_from_its_first_bytes() {
        assert_eq!(unpacked(b"plain".to_vec()), "plain");
        assert_eq!(unpacked(zstd::encode_all(&b"one"[..], 1).unwrap()), "one");
        assert_eq!(unpacked(Vec::new()), "");
    }

    #[test]
    fn several_packed_parts_one_after_the_other_are_one_input() {
        assert_eq!(unpacked([gzip("one,"), gzip("two")].concat()), "one,two");
        let frames = ["one,", "two"].map(|part| zstd::encode_all(part.as_bytes(), 1).unwrap());
        assert_eq!(unpacked(frames.concat()), "one,two");
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_first_line() {
        assert_eq!(unpacked("\u{feff}{}".as_bytes().to_vec()), "{}");
        assert_eq!(unpacked(gzip("\u{feff}{}")), "{}");
    }
}
