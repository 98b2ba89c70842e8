//! `roster builds`: data builds after they were ingested.

use clap::Subcommand;
use events_schema::ids::BuildName;
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// What can be done with data builds.
#[derive(Debug, Subcommand)]
pub(crate) enum Builds {
    /// Every data build, oldest first.
    #[command(after_help = "Example:\n  roster builds list --json")]
    List,
    /// One data build, with what loading it found.
    #[command(after_help = "Example:\n  roster builds show 2026.11.1-person")]
    Show {
        /// Name of the data build.
        build: BuildName,
    },
    /// Answer requests from a loaded or retired data build. Returns when every live query-service does, or after 30 s.
    #[command(after_help = "Example:\n  roster builds activate 2026.11.1-person")]
    Activate {
        /// Name of the data build.
        build: BuildName,
    },
    /// Give up a data build that is not active: its rows and files go.
    #[command(after_help = "Example:\n  roster builds abandon 2026.11.1-person")]
    Abandon {
        /// Name of the data build.
        build: BuildName,
    },
}

/// What the list shows of each build (contract C13).
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
                output.list(&json!({ "builds": summaries(&builds) }), "builds", &COLUMNS)
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
            Self::Abandon { build } => {
                let build = client
                    .act(&format!("/admin/builds/{build}/abandon"))
                    .await?;
                output.record(&build)
            }
        }
    }
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
