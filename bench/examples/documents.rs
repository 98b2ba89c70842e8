//! Turns lines of the generator into documents as the loader keeps them, without a stack: `read` of the canon on every
//! core, one document a line, in the order of the lines.
//!
//! ```text
//! data/generate/generate.py --persons 1000000 --companies 100000 --seed 1 --only person --bare \
//!   | documents person | write person FOLDER
//! ```

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use anyhow::Context;
use chrono::NaiveDate;
use events_schema::record::RecordKind;
use projector::builds::record::{Lines, Reading};
use projector::config::Levels;

/// Lines that a thread takes at once.
const BATCH: usize = 250;
/// Batches that wait before and after a thread.
const WAITING: usize = 4;

fn main() -> anyhow::Result<()> {
    let kind: RecordKind = std::env::args()
        .nth(1)
        .context("person or company?")?
        .parse()?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    normalize::warm_up();
    // Batches go round the threads in turn and come back in the same turn, so that lines keep their order.
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for _ in 0..threads {
        let (input, lines) = sync_channel(WAITING);
        let (documents, output) = sync_channel(WAITING);
        std::thread::spawn(move || canon(kind, &lines, &documents));
        inputs.push(input);
        outputs.push(output);
    }
    let reader = std::thread::spawn(move || feed(&inputs));
    let mut out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    for output in outputs.iter().cycle() {
        let Ok(documents) = output.recv() else {
            break;
        };
        out.write_all(&documents?)?;
    }
    out.flush()?;
    reader
        .join()
        .map_err(|_| anyhow::anyhow!("the reader stopped"))?
}

/// Gives the lines of the standard input to the threads in turn.
fn feed(inputs: &[SyncSender<Vec<u8>>]) -> anyhow::Result<()> {
    let mut lines = BufReader::with_capacity(1 << 20, std::io::stdin());
    for input in inputs.iter().cycle() {
        let mut batch = Vec::new();
        for _ in 0..BATCH {
            lines.read_until(b'\n', &mut batch)?;
        }
        // Nobody takes lines any more once a document could not be written.
        if batch.is_empty() || input.send(batch).is_err() {
            break;
        }
    }
    Ok(())
}

fn canon(
    kind: RecordKind,
    lines: &Receiver<Vec<u8>>,
    documents: &SyncSender<anyhow::Result<Vec<u8>>>,
) {
    let reading = Reading {
        build: "bench".to_owned(),
        reference_date: NaiveDate::from_ymd_opt(2026, 10, 2).unwrap_or_default(),
        today: NaiveDate::from_ymd_opt(2026, 10, 2).unwrap_or_default(),
        levels: Levels::default(),
    };
    let mut reader = Lines::of(kind, &reading);
    for batch in lines {
        let mut all = Vec::with_capacity(2 * batch.len());
        let mut fault = None;
        for line in batch
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            match reader.read(line) {
                Ok(record) => {
                    all.extend_from_slice(&record.doc);
                    all.push(b'\n');
                }
                Err(reject) => fault = Some(reject),
            }
        }
        if documents
            .send(fault.map_or(Ok(all), |reject| Err(reject.into())))
            .is_err()
        {
            return;
        }
    }
}
