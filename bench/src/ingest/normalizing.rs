//! The loader's pure part: lines into rows for `COPY`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::ensure;
use chrono::NaiveDate;
use documents::Dictionary;
use events_schema::record::RecordKind;
use projector::builds::chunk::{self, Parsed};
use projector::builds::record::Reading;
use projector::builds::schema::Tables;
use projector::config::Levels;

use crate::lines::Generated;
use crate::measure::{self, Rate, whole};

/// Lines that are read again and again: more than any cache holds of them.
const LINES: usize = 20_000;
/// Lines of one act: about as many persons as a chunk of `roster ingest` has.
const BATCH: usize = 5_000;
const BUILD: &str = "bench-person";

/// Lines in memory.
pub(crate) struct Sample {
    batches: Arc<Vec<Vec<u8>>>,
    lines: usize,
    dictionary: Arc<Dictionary>,
}

impl Sample {
    pub(crate) fn read(generated: &Generated) -> anyhow::Result<Self> {
        let lines = generated.first(LINES)?;
        ensure!(!lines.is_empty(), "no persons to read");
        normalize::warm_up();
        let dictionary = chunk::train(&lines.join(&b'\n'), RecordKind::Person, &reading());
        Ok(Self {
            batches: Arc::new(
                lines
                    .chunks(BATCH)
                    .map(|batch| batch.join(&b'\n'))
                    .collect(),
            ),
            lines: lines.len(),
            dictionary: Arc::new(dictionary),
        })
    }

    /// Parsed as JSON, normalized by one thread, normalized by all.
    pub(crate) async fn measure(&self, length: Duration) -> anyhow::Result<[Rate; 3]> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok([
            self.rate(1, length, parsed_as_json).await?,
            self.rate(1, length, normalized).await?,
            self.rate(cores, length, normalized).await?,
        ])
    }

    async fn rate(
        &self,
        threads: usize,
        length: Duration,
        act: fn(&[u8], &Dictionary) -> anyhow::Result<u64>,
    ) -> anyhow::Result<Rate> {
        let (batches, next) = (Arc::clone(&self.batches), AtomicUsize::new(0));
        let dictionary = Arc::clone(&self.dictionary);
        let rate = measure::rate(threads, length, move |_| {
            let place = next.fetch_add(1, Ordering::Relaxed) % batches.len();
            let (batches, dictionary) = (Arc::clone(&batches), Arc::clone(&dictionary));
            async move {
                tokio::task::spawn_blocking(move || {
                    act(batches.get(place).map_or(&[], Vec::as_slice), &dictionary)
                })
                .await?
            }
        });
        // The latency of a batch says nothing.
        Ok(Rate {
            latency: None,
            ..rate.await?
        })
    }

    /// The rows of all lines, as the loader sends them: one pair of `COPY` streams a batch.
    pub(crate) fn rows(&self) -> anyhow::Result<Vec<Parsed>> {
        let batches = self.batches.iter();
        batches.map(|batch| rows(batch, &self.dictionary)).collect()
    }

    /// How many lines that is.
    pub(crate) fn count(&self) -> f64 {
        whole(u64::try_from(self.lines).unwrap_or(u64::MAX))
    }
}

/// The tables that the rows are for.
pub(crate) fn tables() -> Tables {
    Tables::new(BUILD, RecordKind::Person)
}

fn reading() -> Reading {
    Reading {
        build: BUILD.to_owned(),
        reference_date: NaiveDate::from_ymd_opt(2026, 10, 2).unwrap_or_default(),
        today: NaiveDate::from_ymd_opt(2026, 10, 2).unwrap_or_default(),
        levels: Levels::default(),
    }
}

fn rows(batch: &[u8], dictionary: &Dictionary) -> anyhow::Result<Parsed> {
    Ok(chunk::parse(batch, 1, &tables(), &reading(), dictionary)?)
}

fn normalized(batch: &[u8], dictionary: &Dictionary) -> anyhow::Result<u64> {
    let parsed = rows(batch, dictionary)?;
    ensure!(parsed.rejects.is_empty(), "a generated line is rejected");
    Ok(parsed.rows)
}

fn parsed_as_json(batch: &[u8], _: &Dictionary) -> anyhow::Result<u64> {
    let mut count = 0;
    for line in batch.split(|byte| *byte == b'\n') {
        let person: serde_json::Value = serde_json::from_slice(line)?;
        ensure!(person.is_object(), "a generated line is no object");
        count += 1;
    }
    Ok(count)
}
