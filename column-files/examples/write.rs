//! Writes the search files of documents that come as lines, opens them again, and says how long and how large.
//!
//! `documents … | write person FOLDER [MEMORY_MIB]`: the files stay in FOLDER, with their manifest. Times are those that
//! this thread ran, as Linux counts them, so that other work on the machine and a slow input do not matter; waiting for
//! the disk is not in them and is shown beside.
#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a report to a person"
)]

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use column_files::{Columns, Writer, WriterOptions};
use events_schema::record::RecordKind;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let kind: RecordKind = arguments.next().ok_or("person or company?")?.parse()?;
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let memory_mib: usize = arguments.next().map_or(Ok(2_048), |mib| mib.parse())?;
    let options = WriterOptions {
        memory_bytes: memory_mib << 20,
        spool: folder.with_extension("spool"),
    };
    let mut writer = Writer::create(&folder, kind, options)?;

    // What waits for documents is not the writer's time.
    let (mut input, mut line) = (std::io::stdin().lock(), Vec::new());
    let (mut pushing, mut bytes, mut rows) = (Clock::default(), 0, 0_u32);
    let mut batch: Vec<Vec<u8>> = Vec::new();
    loop {
        line.clear();
        let is_last = input.read_until(b'\n', &mut line)? == 0;
        if !is_last {
            bytes += line.len();
            batch.push(line.clone());
        }
        if batch.len() == 1_000 || is_last {
            let start = Clock::now()?;
            for document in &batch {
                writer.push(document)?;
            }
            pushing = pushing.and(start.elapsed()?);
            rows += u32::try_from(batch.len())?;
            batch.clear();
        }
        if is_last {
            break;
        }
    }
    println!("pushed    {}", rate(rows, pushing));
    let after_push = memory()?;
    let start = Clock::now()?;
    let manifest = writer.finish()?;
    let finishing = start.elapsed()?;
    println!("finished  {}", rate(rows, finishing));
    println!(
        "together  {}, one thread",
        rate(rows, pushing.and(finishing))
    );
    println!("memory    {after_push} after push, {} at most", memory()?);
    std::fs::write(folder.join("manifest.json"), serde_json::to_vec(&manifest)?)?;

    let per_row = |bytes: u64| bytes as f64 / f64::from(rows.max(1));
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let mut files: Vec<_> = manifest.files.iter().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.bytes));
    for file in &files {
        *kinds
            .entry(file.name.rsplit('.').next().unwrap_or(""))
            .or_default() += file.bytes;
        if per_row(file.bytes) >= 0.05 {
            println!("{:>9.2} bytes a row  {}", per_row(file.bytes), file.name);
        }
    }
    for (kind, bytes) in kinds {
        println!("{:>9.2} bytes a row  all .{kind}", per_row(bytes));
    }
    let total: u64 = files.iter().map(|file| file.bytes).sum();
    println!(
        "{:>9.2} bytes a row in {} files, {total} bytes; documents {:.0}",
        per_row(total),
        files.len(),
        per_row(u64::try_from(bytes)?)
    );

    let start = Clock::now()?;
    let columns = Columns::open(&folder, &manifest)?;
    println!(
        "opened    {} rows in {:?}",
        columns.rows(),
        start.elapsed()?.wall
    );
    Ok(())
}

/// Time that passed, and time that this thread ran.
#[derive(Default, Clone, Copy)]
struct Clock {
    wall: Duration,
    ran: Duration,
}

impl Clock {
    fn now() -> Result<Self, Box<dyn std::error::Error>> {
        let ran = std::fs::read_to_string("/proc/thread-self/schedstat")?;
        let ran = ran.split(' ').next().ok_or("no time")?.parse()?;
        let wall = SystemTime::now().duration_since(UNIX_EPOCH)?;
        Ok(Self {
            wall,
            ran: Duration::from_nanos(ran),
        })
    }

    fn elapsed(self) -> Result<Self, Box<dyn std::error::Error>> {
        let now = Self::now()?;
        Ok(Self {
            wall: now.wall.saturating_sub(self.wall),
            ran: now.ran.saturating_sub(self.ran),
        })
    }

    fn and(self, other: Self) -> Self {
        Self {
            wall: self.wall + other.wall,
            ran: self.ran + other.ran,
        }
    }
}

fn rate(rows: u32, time: Clock) -> String {
    let per_second = f64::from(rows) / time.ran.as_secs_f64();
    format!(
        "{per_second:.0} rows/s: {:.2} s, {:.2} s with waiting",
        time.ran.as_secs_f64(),
        time.wall.as_secs_f64()
    )
}

/// The most memory that was ever resident.
fn memory() -> std::io::Result<String> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    Ok(line
        .unwrap_or("VmHWM: unknown")
        .trim_start_matches("VmHWM:")
        .trim()
        .to_owned())
}
