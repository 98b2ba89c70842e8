//! `--pairs FOLDER`: what was loaded and what was asked by name, as files that another engine of record linkage can read, with
//! what Roster answered (`bench/splink/README.md`, "The files").
//!
//! Guarantee: the other engine sees what the request gave and what the record holds, cleaned by the same canon, and nothing
//! of how they were spoilt. Requests by an identifier are left out: they are looked up, not linked.

mod columns;

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use events_schema::record::RecordKind;
use serde::Serialize;
use serde_json::{Value, json};

use crate::door::Answer;
use crate::query::Query;
use columns::Columns;

/// The folder of one world.
#[derive(Debug)]
pub(crate) struct Pairs {
    folder: PathBuf,
}

/// One list of requests of a world.
pub(crate) struct Requests {
    out: BufWriter<File>,
    /// Requests so far.
    count: usize,
}

#[derive(Serialize)]
struct Record<'a> {
    id: &'a str,
    #[serde(flatten)]
    columns: Columns,
}

#[derive(Serialize)]
struct Request<'a> {
    id: usize,
    kind: &'a str,
    /// The id of the record that is meant; none where nobody should be found.
    truth: Option<&'a str>,
    /// The id that Roster answered.
    found: Option<&'a str>,
    level: Option<String>,
    /// How long Roster took.
    seconds: f64,
    #[serde(flatten)]
    columns: Columns,
}

impl Pairs {
    /// Writes the records that are loaded, and what it took to load them.
    pub(crate) fn write(
        folder: &Path,
        world: &str,
        records: &Path,
        loading: Duration,
    ) -> anyhow::Result<Self> {
        let folder = folder.join(name_of_file(world));
        std::fs::create_dir_all(folder.join("requests"))
            .with_context(|| folder.display().to_string())?;
        let about = json!({ "world": world, "loading_seconds": loading.as_secs_f64() });
        std::fs::write(folder.join("about.json"), about.to_string())?;
        let mut out = BufWriter::new(File::create(folder.join("records.ndjson"))?);
        for line in BufReader::new(File::open(records)?).lines() {
            let record: Value = serde_json::from_str(&line?)?;
            let id = record.get("service_id").and_then(Value::as_str);
            let id = id.context("a person has no service_id")?;
            let columns = Columns::of_record(&record);
            write_line(&mut out, &Record { id, columns })?;
        }
        out.flush()?;
        Ok(Self { folder })
    }

    pub(crate) fn requests(&self, list: &str) -> anyhow::Result<Requests> {
        let file = format!("requests/{}.ndjson", name_of_file(list));
        let out = BufWriter::new(File::create(self.folder.join(file))?);
        Ok(Requests { out, count: 0 })
    }
}

impl Requests {
    /// Adds a request, if it is one for a person by name and context.
    pub(crate) fn add(
        &mut self,
        query: &Query,
        answer: &Answer,
        time: Duration,
    ) -> anyhow::Result<()> {
        if query.subject != RecordKind::Person || !columns::has_no_identifier(&query.body) {
            return Ok(());
        }
        let found = match answer {
            Answer::Found(id, level) => Some((id.as_str(), format!("{level:?}").to_lowercase())),
            Answer::Nothing(_) | Answer::Refused(_) => None,
        };
        self.count += 1;
        let request = Request {
            id: self.count,
            kind: &query.kind,
            truth: query.truth.as_deref(),
            found: found.as_ref().map(|(id, _)| *id),
            level: found.as_ref().map(|(_, level)| level.clone()),
            seconds: time.as_secs_f64(),
            columns: Columns::of_request(query),
        };
        write_line(&mut self.out, &request)
    }

    pub(crate) fn close(mut self) -> anyhow::Result<()> {
        Ok(self.out.flush()?)
    }
}

fn write_line(out: &mut impl std::io::Write, line: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    Ok(writeln!(out)?)
}

/// `100000 persons, 10000 companies` → `100000-persons-10000-companies`.
fn name_of_file(title: &str) -> String {
    normalize::text::fold(title).replace(' ', "-")
}
