//! The records that are loaded: files of NDJSON.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use events_schema::record::RecordKind;
use serde_json::Value;

use crate::Arguments;
use crate::febrl;
use crate::namesakes::Namesakes;
use crate::query::Query;

/// Persons and companies as files; what is temporary goes with it.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) persons: PathBuf,
    pub(crate) companies: PathBuf,
    queries: Option<PathBuf>,
    /// What of both is loaded; the others are asked for, too, as those who are in no record.
    loaded: [PathBuf; 2],
    /// Ids of those who are not.
    left_out: HashSet<String>,
    namesakes: Namesakes,
    scratch: PathBuf,
    is_temporary: bool,
    /// Whether it has persons to link; else one stands for all, since no build is empty.
    pub(crate) has_persons: bool,
}

/// One record of so many is not loaded.
const LEFT_OUT: usize = 25;

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
            loaded: loaded(&scratch),
            left_out: HashSet::new(),
            namesakes: Namesakes::default(),
            scratch,
            is_temporary,
            has_persons: true,
        };
        let is_made = world.queries.as_deref().is_some_and(Path::exists);
        if !is_made {
            world.generate(arguments)?;
        }
        world.leave_out()
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
        let world = Self {
            persons: unpacked("persons.ndjson")?,
            companies: unpacked("companies.ndjson")?,
            queries: None,
            loaded: loaded(&scratch),
            left_out: HashSet::new(),
            namesakes: Namesakes::default(),
            scratch: scratch.clone(),
            is_temporary,
            has_persons: true,
        };
        world.leave_out()
    }

    /// Writes what is loaded, and notes the others, and who shares a name.
    fn leave_out(mut self) -> anyhow::Result<Self> {
        for (all, loaded) in [&self.persons, &self.companies]
            .into_iter()
            .zip(&self.loaded)
        {
            let mut to = BufWriter::new(File::create(loaded)?);
            for (number, line) in BufReader::new(File::open(all)?).lines().enumerate() {
                let line = line?;
                let is_left_out = number % LEFT_OUT == LEFT_OUT - 1;
                let id = if all == &self.persons {
                    self.namesakes.person(&line, !is_left_out)?
                } else {
                    self.namesakes.company(&line)?
                };
                if is_left_out {
                    self.left_out.extend(id);
                } else {
                    writeln!(to, "{line}")?;
                }
            }
            to.flush()?;
        }
        Ok(self)
    }

    /// A request for somebody who is not loaded is one for nobody; one by what fits several records as well cannot mean one of them.
    pub(crate) fn judged(&self, mut query: Query) -> Query {
        let is_shared = |truth: &String| match query.subject {
            RecordKind::Company => self.namesakes.is_shared_company(truth),
            RecordKind::Person => self.namesakes.is_shared_person(truth, &query.body),
        };
        if query.kind.starts_with("name") && query.truth.as_ref().is_some_and(is_shared) {
            query.kind = format!("shared_{}", query.kind);
        }
        let is_left_out = |truth: &String| self.left_out.contains(truth);
        if query.truth.as_ref().is_some_and(is_left_out) {
            query.truth = None;
            query.kind = format!("none_{}", query.kind);
        }
        query
    }

    /// Whether a loaded person of this name works or worked there.
    pub(crate) fn is_at(&self, name: [&str; 2], company: &str) -> bool {
        self.namesakes.is_at(name, company)
    }

    /// A data set of Febrl, with the requests for its duplicates.
    pub(crate) fn febrl(
        arguments: &Arguments,
        folder: &Path,
        set: u8,
    ) -> anyhow::Result<(Self, Vec<Query>)> {
        let (scratch, is_temporary) = scratch(arguments, &format!("febrl-{set}"))?;
        let world = Self {
            persons: scratch.join("persons.ndjson"),
            companies: scratch.join("companies.ndjson"),
            queries: None,
            loaded: [
                scratch.join("persons.ndjson"),
                scratch.join("companies.ndjson"),
            ],
            left_out: HashSet::new(),
            namesakes: Namesakes::default(),
            scratch,
            is_temporary,
            has_persons: true,
        };
        let queries = febrl::write(folder, set, &world.persons)?;
        std::fs::write(&world.companies, "{\"name\": \"acme\"}\n")?;
        Ok((world, queries))
    }

    /// `queries.ndjson` of a folder beside `persons.ndjson`, `companies.ndjson` or both, as another program made them.
    pub(crate) fn population(
        arguments: &Arguments,
        folder: &Path,
    ) -> anyhow::Result<(Self, Vec<Query>)> {
        let (scratch, is_temporary) = scratch(arguments, "population")?;
        let given = |file: &str, nobody: &str| -> anyhow::Result<PathBuf> {
            let path = folder.join(file);
            if path.exists() {
                return Ok(path);
            }
            // A build has at least one record of each kind.
            let path = scratch.join(file);
            std::fs::write(&path, nobody)?;
            Ok(path)
        };
        let persons = given("persons.ndjson", "{\"full_name\": \"nobody at all\"}\n")?;
        let companies = given("companies.ndjson", "{\"name\": \"acme\"}\n")?;
        let world = Self {
            loaded: [persons.clone(), companies.clone()],
            persons,
            companies,
            queries: Some(folder.join("queries.ndjson")),
            left_out: HashSet::new(),
            namesakes: Namesakes::default(),
            scratch,
            is_temporary,
            has_persons: folder.join("persons.ndjson").exists(),
        };
        let queries = world.generated_queries()?;
        Ok((world, queries))
    }

    pub(crate) fn file(&self, kind: RecordKind) -> &Path {
        let [persons, companies] = &self.loaded;
        match kind {
            RecordKind::Person => persons,
            RecordKind::Company => companies,
        }
    }

    /// All records of a kind, those that are not loaded, too.
    fn all(&self, kind: RecordKind) -> &Path {
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
                let query = Query::of_generator(&line);
                let query = query.with_context(|| format!("no query: {line}"))?;
                Ok(self.judged(query))
            })
            .collect()
    }

    /// `count` records of a kind, taken at equal distances through the file.
    pub(crate) fn some(&self, kind: RecordKind, count: usize) -> anyhow::Result<Vec<Value>> {
        let mut bytes = 0;
        let mut file = BufReader::with_capacity(1 << 20, File::open(self.all(kind))?);
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
        ensure!(bytes > 0, "no records in {}", self.all(kind).display());
        let step = (lines / count.max(1)).max(1);
        let records = BufReader::new(File::open(self.all(kind))?)
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

fn loaded(scratch: &Path) -> [PathBuf; 2] {
    ["persons", "companies"].map(|kind| scratch.join(format!("{kind}_loaded.ndjson")))
}
