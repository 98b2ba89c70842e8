//! From a file to an active data build: read, cut into chunks, stage, seal, wait, activate.
//!
//! Guarantee: the same file is always cut into the same chunks, so a load that was interrupted goes on where it stopped, and a chunk that
//! was sent twice changes nothing; a request that a restarting service did not answer is sent again. Memory is bounded by a few chunks,
//! whatever the file's size. Not here: what makes a record good or bad; the projector decides that, and lists the bad lines.

mod chunker;
mod csv_map;
mod csv_records;
mod findings;
mod known_fields;
mod lines;
mod loading;
mod progress;
mod reader;
mod upload;

use std::path::PathBuf;
use std::time::Duration;

use chrono::NaiveDate;
use clap::ValueEnum;
use events_schema::api::admin::{Activation, BuildStatus, BuildView, SealBuild, StartBuild};
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use serde::Serialize;
use serde_json::json;

use crate::again::{Patience, until_answered};
use crate::client::Client;
use crate::failure::Failure;
use crate::ingest::progress::Progress;
use crate::ingest::upload::Upload;
use crate::output::Output;

/// Advice where it is unknown whether a build without a given name was begun.
const MAY_HAVE_STARTED: &str = "`roster builds list` says whether a build was begun: give its name with --build, or abandon it";

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Ndjson,
    Csv,
}

/// What is read.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) kind: RecordKind,
    /// `-` is stdin.
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    pub(crate) map: Option<PathBuf>,
}

/// What is done with it.
pub(crate) struct Job {
    pub(crate) client: Client,
    pub(crate) build: Option<BuildName>,
    pub(crate) as_of: Option<NaiveDate>,
    pub(crate) activate: bool,
    /// Longest wait for the loading.
    pub(crate) wait: Duration,
    pub(crate) object_folder: Option<PathBuf>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(crate) struct Loaded {
    build: BuildName,
    kind: RecordKind,
    rows: u64,
    rejected: u64,
    rejects_file: Option<String>,
    active: bool,
    /// Live query-services that do not answer from it yet.
    waiting_for: Vec<String>,
}

impl Job {
    pub(crate) async fn run(&self, source: Source, output: Output) -> Result<Loaded, Failure> {
        let kind = source.kind;
        // The first chunk is cut before the name is reserved: a file that cannot be read leaves no build behind.
        let (mut chunks, position, left_out) = reader::start(source)?;
        let first = chunks
            .recv()
            .await
            .ok_or_else(|| Failure::input("the input holds no line"))??;
        findings::note_left_out(left_out.get().map_or(&[][..], Vec::as_slice), output);
        let start = StartBuild {
            kind,
            build: self.build.clone(),
            as_of: self.as_of,
        };
        let build = self.started(&start).await?;
        let progress = Progress::new(output, &build.build, position);
        let upload = Upload {
            client: &self.client,
            build: &build,
            progress: &progress,
        };
        let ended = self.finish(&upload, first, chunks, output).await;
        progress.end();
        ended.map_err(|failure| failure.about("build", json!(build.build)))
    }

    /// Reserves the name. Under a given name the request is sent again where no answer came, since it then resumes what it began;
    /// without one it would begin another build.
    async fn started(&self, start: &StartBuild) -> Result<BuildView, Failure> {
        let send = async || self.client.post("/admin/builds", start).await;
        if start.build.is_some() {
            return until_answered(Patience::OF_A_LOAD, send).await;
        }
        send().await.map_err(|failure: Failure| {
            if failure.is_retryable() {
                failure.about("go_on", json!(MAY_HAVE_STARTED))
            } else {
                failure
            }
        })
    }

    async fn finish(
        &self,
        upload: &Upload<'_>,
        first: chunker::Chunk,
        chunks: reader::Chunks,
        output: Output,
    ) -> Result<Loaded, Failure> {
        let name = &upload.build.build;
        let count = upload.stage_all(first, chunks).await?;
        if !upload.build.sealed {
            let (path, seal) = (
                format!("/admin/builds/{name}/seal"),
                SealBuild { chunks: count },
            );
            let sealed = async || self.client.post::<BuildView>(&path, &seal).await;
            until_answered(Patience::OF_A_LOAD, sealed).await?;
        }
        upload.progress.loading();
        let build = loading::until_loaded(&self.client, name, self.wait).await?;
        let rejects_file = self.rejects_file(&build);
        if matches!(
            build.status,
            BuildStatus::Failed | BuildStatus::Abandoned | BuildStatus::Dropped
        ) {
            return Err(not_loaded(&build, rejects_file));
        }
        findings::note_found(&build, output);
        let waiting_for = match self.activated(name, output).await {
            Ok(waiting_for) => waiting_for,
            // The build is loaded all the same: the summary of the file is shown, as it is without a refusal.
            Err(failure) => {
                let loaded = json!({"rows": build.rows, "rejected": build.rejected, "rejects_file": rejects_file});
                return Err(failure.about("loaded", loaded));
            }
        };
        Ok(Loaded {
            build: build.build,
            kind: build.kind,
            rows: build.rows,
            rejected: build.rejected,
            rejects_file,
            active: self.activate || build.status == BuildStatus::Active,
            waiting_for,
        })
    }

    /// Makes it the active one, which it may be already, if that is wished, and gives those that do not answer from it yet.
    async fn activated(&self, name: &BuildName, output: Output) -> Result<Vec<String>, Failure> {
        if !self.activate {
            return Ok(Vec::new());
        }
        let path = format!("/admin/builds/{name}/activate");
        let activate = async || self.client.post(&path, &json!({})).await;
        let activation: Activation = until_answered(Patience::OF_A_LOAD, activate).await?;
        if !activation.waiting_for.is_empty() {
            output.note(&format!(
                "not answering from it yet: {}",
                activation.waiting_for.join(", ")
            ));
        }
        Ok(activation.waiting_for)
    }

    /// Where the user finds the rejected lines: a file if the object store is a local folder, else the object's path.
    fn rejects_file(&self, build: &BuildView) -> Option<String> {
        let object = build.rejects_object.as_ref()?;
        let file = self
            .object_folder
            .as_ref()
            .map(|folder| folder.join(object));
        let file = file.and_then(|file| file.canonicalize().ok());
        Some(file.map_or_else(|| object.clone(), |file| file.display().to_string()))
    }
}

fn not_loaded(build: &BuildView, rejects_file: Option<String>) -> Failure {
    let reason = build.reason.as_deref().unwrap_or("it was given up");
    Failure::refused(
        "build_failed",
        format!("data build {} was not loaded: {reason}", build.build),
        json!({"rejected": build.rejected, "rejects_file": rejects_file}),
    )
}
