//! The records that are loaded: files of NDJSON.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use events_schema::record::RecordKind;
use serde_json::Value;

use crate::Arguments;
use crate::query::Query;

/// Persons and companies as files; what is temporary goes with it.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) persons: PathBuf,
    pub(crate) companies: PathBuf,
    queries: Option<PathBuf>,
    scratch: PathBuf,
    is_temporary: bool,
}

impl World {
    /// Made by `data/generate/generate.py`, with its queries.
    pub(crate) fn synthetic(arguments: &Arguments) -> anyhow::Result<Self> {
        let name = format!(
            "{}-{}-{}",
            arguments.persons, arguments.companies, arguments.seed
        );
        let (scratch, is_temporary) = scratch(arguments, &name)?;
        let world = Self {
            persons: scratch.join("persons.ndjson"),
            companies: scratch.join("companies.ndjson"),
            queries: Some(scratch.join("queries.ndjson")),
            scratch,
            is_temporary,
        };
        let is_made = world.queries.as_deref().is_some_and(Path::exists);
        if !is_made {
            world.generate(arguments)?;
        }
        Ok(world)
    }

    fn generate(&self, arguments: &Arguments) -> anyhow::Result<()> {
        let made = Command::new("python3")
            .arg(arguments.data.join("generate/generate.py"))
            .args(["--persons", &arguments.persons.to_string()])
            .args(["--companies", &arguments.companies.to_string()])
            .args(["--seed", &arguments.seed.to_string()])
            .args(["--query-count", &arguments.queries.to_string()])
            .arg("--queries")
            .args(&self.queries)
            .arg("--out")
            .arg(&self.scratch)
            .status();
        let made = made.context("python3 cannot be run")?;
        ensure!(made.success(), "generate.py: {made}");
        Ok(())
    }

    /// The real sample.
    pub(crate) fn sample(arguments: &Arguments) -> anyhow::Result<Self> {
        let (scratch, is_temporary) = scratch(arguments, "sample")?;
        let unpacked = |name: &str| -> anyhow::Result<PathBuf> {
            let from = arguments.data.join("sample").join(format!("{name}.gz"));
            let to = scratch.join(name);
            let output = Command::new("gzip").arg("-dc").arg(&from).output()?;
            ensure!(output.status.success(), "gzip -dc {}", from.display());
            File::create(&to)?.write_all(&output.stdout)?;
            Ok(to)
        };
        Ok(Self {
            persons: unpacked("persons.ndjson")?,
            companies: unpacked("companies.ndjson")?,
            queries: None,
            scratch: scratch.clone(),
            is_temporary,
        })
    }

    pub(crate) fn file(&self, kind: RecordKind) -> &Path {
        match kind {
            RecordKind::Person => &self.persons,
            RecordKind::Company => &self.companies,
        }
    }

    /// The requests that the generator made.
    pub(crate) fn generated_queries(&self) -> anyhow::Result<Vec<Query>> {
        let path = self.queries.as_deref().context("no queries were made")?;
        let lines = BufReader::new(File::open(path)?).lines();
        lines
            .map(|line| {
                let line = line?;
                Query::of_generator(&line).with_context(|| format!("no query: {line}"))
            })
            .collect()
    }

    /// `count` records of a kind, taken at equal distances through the file.
    pub(crate) fn some(&self, kind: RecordKind, count: usize) -> anyhow::Result<Vec<Value>> {
        let mut bytes = 0;
        let mut file = BufReader::with_capacity(1 << 20, File::open(self.file(kind))?);
        let mut buffer = vec![0; 1 << 20];
        let mut lines = 0_usize;
        while let read @ 1.. = file.read(&mut buffer)? {
            lines += buffer
                .iter()
                .take(read)
                .filter(|byte| **byte == b'\n')
                .count();
            bytes += read;
        }
        ensure!(bytes > 0, "no records in {}", self.file(kind).display());
        let step = (lines / count.max(1)).max(1);
        let records = BufReader::new(File::open(self.file(kind))?)
            .lines()
            .step_by(step)
            .take(count)
            .map(|line| Ok(serde_json::from_str(&line?)?));
        records.collect()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if self.is_temporary {
            // What cannot be removed now is removed with the system's temporary files.
            let _ = std::fs::remove_dir_all(&self.scratch);
        }
    }
}

fn scratch(arguments: &Arguments, name: &str) -> anyhow::Result<(PathBuf, bool)> {
    let (folder, is_temporary) = match &arguments.scratch {
        Some(folder) => (folder.join(name), false),
        None => {
            let own = format!("roster-score-{}-{name}", std::process::id());
            (std::env::temp_dir().join(own), true)
        }
    };
    std::fs::create_dir_all(&folder)?;
    Ok((folder, is_temporary))
}
