//! `roster builds`: data builds after they were ingested.

use std::time::Duration;

use clap::Subcommand;
use events_schema::api::admin::BuildView;
use events_schema::ids::BuildName;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::client::Client;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::reindex;
use crate::settings::Settings;

/// What can be done with data builds.
#[derive(Debug, Subcommand)]
pub(crate) enum Builds {
    /// List every data build, oldest first.
    #[command(after_help = "Example:\n  roster builds list --json")]
    List,
    /// Show a data build, with what was found when it was loaded.
    #[command(after_help = "Example:\n  roster builds show 2026.11.1-person")]
    Show {
        /// Name of the data build.
        build: BuildName,
    },
    /// Answer requests from a loaded or retired data build. Returns once every live query-service answers from it, or after 30 s. Refused
    /// for a dropped build: its rows are gone.
    #[command(after_help = "Example:\n  roster builds activate 2026.11.1-person")]
    Activate {
        /// Name of the data build.
        build: BuildName,
    },
    /// Write the search files of a loaded data build anew, from the read model. Returns once the read models name the new files; if the
    /// command is interrupted, they are still written.
    #[command(
        after_help = "Examples:\n  roster builds reindex 2026.11.1-person\n  roster builds reindex 2026.11.1-person --no-wait --json"
    )]
    Reindex {
        /// Name of the data build.
        build: BuildName,
        /// Return at once, without waiting for the files.
        #[arg(long)]
        no_wait: bool,
        /// How long to wait, in seconds.
        #[arg(long, default_value_t = 3600, value_name = "SECONDS")]
        wait: u64,
    },
    /// Show what was unknown, unmapped or left out when a data build was loaded, by field. Names and values are the input's own: they are
    /// kept in a file beside the rejects and removed with the build.
    #[command(after_help = "Example:\n  roster builds report 2026.11.1-person")]
    Report {
        /// Name of a data build that was loaded.
        build: BuildName,
    },
    /// Give up a data build that is not active: its rows and files are removed. Those of one that has failed are removed by themselves.
    #[command(after_help = "Example:\n  roster builds abandon 2026.11.1-person")]
    Abandon {
        /// Name of the data build.
        build: BuildName,
    },
    /// Show the document of one record as a data build stores it.
    #[command(
        after_help = "Examples:\n  roster builds record 2026.11.1-person 5b0d6a0e-5d1f-4c0c-9a53-000000000001\n  roster builds record 2026.11.1-person 5b0d6a0e-5d1f-4c0c-9a53-000000000001 --json"
    )]
    Record {
        /// Name of a data build that was loaded.
        build: BuildName,
        /// The record's `service_id`, or one that was merged into it.
        id: Uuid,
    },
}

/// What the list shows of each build.
const COLUMNS: [&str; 7] = [
    "build",
    "kind",
    "status",
    "rows",
    "rejected",
    "reference_date",
    "created_at",
];

impl Builds {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_command_service(settings)?;
        match self {
            Self::List => {
                let builds: Value = client.get("/admin/builds").await?;
                output.note_unreadable(&builds, "data builds");
                let listed = json!({
                    "builds": summaries(&builds),
                    "unreadable": output::unreadable(&builds),
                });
                output.list(&listed, "builds", &COLUMNS)
            }
            Self::Show { build } => {
                let build: Value = client.get(&format!("/admin/builds/{build}")).await?;
                output.record(&build)
            }
            Self::Activate { build } => {
                let activation = client
                    .act(&format!("/admin/builds/{build}/activate"))
                    .await?;
                output.record(&activation)
            }
            Self::Reindex {
                build,
                no_wait,
                wait,
            } => {
                let client = Client::of_projector(settings)?;
                let wait = (!no_wait).then_some(Duration::from_secs(wait));
                let done = reindex::run(&client, &build, wait, output).await?;
                output.record(&done)
            }
            Self::Report { build } => {
                let view: BuildView = client.get(&format!("/admin/builds/{build}")).await?;
                output.answer(&found(&view, settings, output)?, |found| {
                    format!("{found:#}")
                })
            }
            Self::Record { build, id } => {
                let path = format!("/admin/builds/{build}/records/{id}");
                let record: Value = Client::of_projector(settings)?.get(&path).await?;
                output.answer(&record, shown)
            }
            Self::Abandon { build } => {
                let build = client
                    .act(&format!("/admin/builds/{build}/abandon"))
                    .await?;
                refuse_failed(&build)?;
                output.record(&build)
            }
        }
    }
}

/// Giving up a build that has failed does nothing: its reason stays to be shown.
fn refuse_failed(build: &Value) -> Result<(), Failure> {
    if build.get("status").and_then(Value::as_str) != Some("failed") {
        return Ok(());
    }
    let message = "the data build has failed, so that there is nothing to give up; its rows and files are removed by themselves";
    let reason = build.get("reason").cloned().unwrap_or_default();
    let details = json!({"build": build.get("build"), "status": "failed", "reason": reason});
    Err(Failure::refused("build_failed", message, details))
}

/// The report of a build: the file, where the object store is a folder of this machine, else the counts.
fn found(view: &BuildView, settings: &Settings, output: Output) -> Result<Value, Failure> {
    let Some(report) = &view.report else {
        let message = format!("data build {} was not loaded: it has no report", view.build);
        return Err(Failure::refused("no_report", message, json!({})));
    };
    let counts = || serde_json::to_value(report).unwrap_or_default();
    let Some(object) = &report.object else {
        return Ok(counts());
    };
    let file = settings.object_folder().map(|folder| folder.join(object));
    match file.map(std::fs::read) {
        Some(Ok(bytes)) => serde_json::from_slice(&bytes)
            .map_err(|fault| Failure::internal(format!("{object} cannot be read: {fault}"))),
        _ => {
            output.note(&format!(
                "counts alone: {object} cannot be read from here (OBJECT_STORE)"
            ));
            Ok(counts())
        }
    }
}

/// What is known of a record, one fact a line, then its document.
fn shown(record: &Value) -> String {
    let mut about = record.as_object().cloned().unwrap_or_default();
    let document = about.remove("document").unwrap_or_default();
    format!("{}\n\n{document:#}", output::record(&Value::Object(about)))
}

/// The builds of an answer, each cut down to the list's columns.
pub(crate) fn summaries(builds: &Value) -> Vec<Value> {
    let builds = builds.get("builds").and_then(Value::as_array);
    let shorten = |build: &Value| {
        let cell = |column: &&str| {
            let value = build.get(*column).cloned().unwrap_or(Value::Null);
            ((*column).to_owned(), value)
        };
        Value::Object(COLUMNS.iter().map(cell).collect::<Map<_, _>>())
    };
    builds.into_iter().flatten().map(shorten).collect()
}
