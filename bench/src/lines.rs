//! Generated persons, in a folder that is removed with the value.

use std::fs::File;
use std::io::{BufRead, BufReader, Split};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;
use tests::process::temporary_folder;
use tests::servers::checkout;

/// Companies that the persons work at: as many as make a world of this size look like one.
const PERSONS_PER_COMPANY: u32 = 10;

/// A file of persons, one a line.
#[derive(Debug)]
pub(crate) struct Generated {
    folder: PathBuf,
}

impl Generated {
    /// The first `persons` of the generator's first world.
    pub(crate) fn make(persons: u32) -> anyhow::Result<Self> {
        let generated = Self {
            folder: temporary_folder("lines")?,
        };
        let companies = (persons / PERSONS_PER_COMPANY).max(1);
        let output = Command::new("python3")
            .arg(checkout().join("data/generate/generate.py"))
            .args(["--persons", &persons.to_string()])
            .args(["--companies", &companies.to_string()])
            .args(["--seed", "1", "--only", "person", "--out"])
            .arg(&generated.folder)
            .stdin(Stdio::null())
            .output()
            .context("python3 cannot be run")?;
        ensure!(
            output.status.success(),
            "generate.py: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(generated)
    }

    /// Where the persons stand.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.join("persons.ndjson")
    }

    /// The first lines.
    pub(crate) fn first(&self, count: usize) -> anyhow::Result<Vec<Vec<u8>>> {
        let lines = self.all()?.take(count);
        Ok(lines.collect::<Result<_, _>>()?)
    }

    /// What is made of every `step`-th person, where something is.
    pub(crate) fn each<T>(
        &self,
        step: usize,
        of: impl Fn(&Value) -> Option<T>,
    ) -> anyhow::Result<Vec<T>> {
        let mut made = Vec::new();
        for line in self.all()?.step_by(step.max(1)) {
            made.extend(of(&serde_json::from_slice(&line?)?));
        }
        Ok(made)
    }

    fn all(&self) -> std::io::Result<Split<BufReader<File>>> {
        Ok(BufReader::new(File::open(self.file())?).split(b'\n'))
    }
}

impl Drop for Generated {
    fn drop(&mut self) {
        // A folder that stays behind is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
