//! `roster ingest`: a file of records becomes a data build.

use std::path::PathBuf;

use chrono::NaiveDate;
use clap::{Args, ValueEnum};
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;

use crate::client::Client;
use crate::failure::Failure;
use crate::ingest::{self, Format, Source};
use crate::output::{Output, record};
use crate::settings::Settings;

/// Load a file of records as a data build and activate it.
///
/// The file holds one JSON object a line, or CSV with a header; plain, .gz or .zst. Bad lines are left out, counted and listed in a file of
/// rejects. An interrupted load resumes when the command is repeated with the same file and --build.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roster ingest --kind person persons.ndjson.gz
  roster ingest --kind company companies.csv --map companies.toml --as-of 2026-10-31
  zcat part-*.gz | roster ingest --kind person - --build 2026.12.1-person --no-activate

A map for CSV is TOML, field = \"column\":
  full_name = \"Name\"
  emails.address = \"E-mail\"
  emails.1.address = \"Second e-mail\"
  experience.company_name = \"Employer\"")]
pub(crate) struct Ingest {
    /// The kind of the records.
    #[arg(long, value_enum)]
    kind: Kind,
    /// The file to load; - reads from stdin.
    file: PathBuf,
    /// Format (default: csv for *.csv, *.csv.gz, *.csv.zst, else ndjson).
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// TOML file that says which column holds which field; for CSV.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Name of the data build (default: YYYY.MM.N-KIND). The name of a build that is still loading resumes it.
    #[arg(long, value_name = "NAME")]
    build: Option<BuildName>,
    /// The reference date, which ages and tenures count from (default: the newest last_seen in the file).
    #[arg(long, value_name = "DATE")]
    as_of: Option<NaiveDate>,
    /// Load the build without activating it.
    #[arg(long)]
    no_activate: bool,
    /// The longest time to wait for the build to load after the upload.
    #[arg(long, value_name = "SECONDS", default_value_t = 86_400)]
    wait: u64,
}

/// Person or company.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Kind {
    Person,
    Company,
}

impl Ingest {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let source = self.source()?;
        let job = ingest::Job {
            client: Client::of_command_service(settings)?,
            build: self.build,
            as_of: self.as_of,
            activate: !self.no_activate,
            wait: std::time::Duration::from_secs(self.wait),
            object_folder: settings.object_folder(),
        };
        let loaded = job.run(source, output).await?;
        output.answer(&loaded, |loaded| {
            serde_json::to_value(loaded)
                .map_or_else(|fault| fault.to_string(), |value| record(&value))
        })
    }

    fn source(&self) -> Result<Source, Failure> {
        let kind = match self.kind {
            Kind::Person => RecordKind::Person,
            Kind::Company => RecordKind::Company,
        };
        let format = self.format.unwrap_or_else(|| format_of(&self.file));
        if self.map.is_some() && format != Format::Csv {
            return Err(Failure::usage(
                "--map is for CSV: give --format csv, or leave it out",
            ));
        }
        Ok(Source {
            kind,
            path: self.file.clone(),
            format,
            map: self.map.clone(),
        })
    }
}

/// The format that a file's name says.
fn format_of(path: &std::path::Path) -> Format {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    let plain = [".gz", ".zst"]
        .into_iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    if plain.ends_with(".csv") {
        Format::Csv
    } else {
        Format::Ndjson
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_says_its_format() {
        for csv in ["a.csv", "A.CSV.GZ", "a.b.csv.zst"] {
            assert_eq!(format_of(csv.as_ref()), Format::Csv, "{csv}");
        }
        for ndjson in ["-", "a.ndjson.gz", "a.json", "csv", "a.csv.bz2"] {
            assert_eq!(format_of(ndjson.as_ref()), Format::Ndjson, "{ndjson}");
        }
    }
}
