//! Data builds: named, staged, sealed, loaded, made active, given up. All of them live in shard 0.

use std::sync::Arc;

use chrono::{DateTime, Datelike, Utc};
use events_schema::api::admin::{BuildStatus, BuildView, StartBuild};
use events_schema::api::internal::LoadResult;
use events_schema::data_build::v1::{
    DataBuildChunkStaged, DataBuildFailed, DataBuildLoaded, DataBuildStarted,
};
use events_schema::ids::{BuildName, Shard, build_id};
use events_schema::record::RecordKind;

use super::command::{CommandError, Reason};
use super::{Application, Cause, Listed};
use crate::domain::Decider;
use crate::domain::aggregate::{Aggregate, Command, Kind};
use crate::domain::data_build::{DataBuild, DataBuildCommand, DataBuildRefusal, End};
use crate::shard::{Change, Row};

/// Placeholder for "is this build active?", which only the shard knows when it decides ([`DataBuildCommand::knowing`]). `true` is the guess
/// under which nothing happens.
const BELIEVED: bool = true;

/// A chunk whose bytes are in the object store.
#[derive(Debug, Clone)]
pub struct ChunkReceived {
    /// From 0.
    pub chunk: u32,
    /// Path in the object store.
    pub object: String,
    /// Of the bytes, lowercase hexadecimal.
    pub sha256: String,
    /// Lines.
    pub rows: u32,
    /// Number of the first line in the whole file, from 1.
    pub first_line: u64,
    /// Size.
    pub bytes: u64,
}

impl ChunkReceived {
    fn staged(&self, build: &BuildName) -> DataBuildChunkStaged {
        DataBuildChunkStaged {
            build: build.clone(),
            chunk: self.chunk,
            object: self.object.clone(),
            sha256: self.sha256.clone(),
            rows: self.rows,
            first_line: self.first_line,
            bytes: self.bytes,
        }
    }
}

impl Application {
    /// Reserves a name, or resumes the build that has it and is still loading.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn start_build(
        &self,
        wish: StartBuild,
        cause: &Cause,
    ) -> Result<BuildView, CommandError> {
        self.owned_here(Shard::DATA_BUILDS)?;
        let _one_at_a_time = self.builds_turn.lock().await;
        let started_at = self.now();
        let build = match wish.build {
            Some(name) => name,
            None => self.next_name(wish.kind, started_at).await?,
        };
        let started = DataBuildStarted {
            build: build.clone(),
            kind: wish.kind,
            as_of: wish.as_of,
            started_at,
        };
        let row = Row::Build {
            build: build.clone(),
            created_at: started_at,
        };
        let command = DataBuildCommand::Start(started);
        let state = self.change_build(&build, command, Some(row), cause);
        shown(&*state.await?, false)
    }

    /// Whether exactly this chunk is staged already; refused where it could not be staged.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn check_chunk(
        &self,
        build: &BuildName,
        chunk: &ChunkReceived,
    ) -> Result<bool, CommandError> {
        let state = self.build_state(build).await?;
        let wish = DataBuildCommand::StageChunk(chunk.staged(build));
        let events = state.decide(wish).map_err(Reason::from)?;
        Ok(events.is_empty())
    }

    /// Records that a chunk's bytes are in the object store. The same chunk again changes nothing.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn stage_chunk(
        &self,
        build: &BuildName,
        chunk: ChunkReceived,
        cause: &Cause,
    ) -> Result<(), CommandError> {
        let staged = chunk.staged(build);
        let command = DataBuildCommand::StageChunk(staged);
        let staged = self.change_build(build, command, None, cause);
        staged.await.map(|_| ())
    }

    /// No further chunk will come.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn seal_build(
        &self,
        build: &BuildName,
        chunks: u32,
        cause: &Cause,
    ) -> Result<BuildView, CommandError> {
        let command = DataBuildCommand::Seal { chunks };
        let state = self.change_build(build, command, None, cause).await?;
        if state.ended.is_some() {
            // It was sealed before, and may be active by now.
            return self.build(build).await;
        }
        shown(&state, false)
    }

    /// What the projector reports. The same outcome again changes nothing.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn record_load_outcome(
        &self,
        build: &BuildName,
        outcome: LoadResult,
        cause: &Cause,
    ) -> Result<(), CommandError> {
        let build_name = build.clone();
        let command = match outcome {
            LoadResult::Loaded {
                rows,
                rejected,
                rejects_object,
                reference_date,
                report,
                search_files,
            } => {
                let loaded = DataBuildLoaded {
                    build: build_name,
                    rows,
                    rejected,
                    rejects_object,
                    reference_date,
                    // Whatever the projector sends: an event is never changed, and never holds what a customer wrote.
                    report: report.in_our_words(),
                    search_files,
                };
                DataBuildCommand::RecordLoaded(Box::new(loaded))
            }
            LoadResult::Failed {
                reason,
                rejected,
                rejects_object,
            } => DataBuildCommand::RecordFailed(DataBuildFailed {
                build: build_name,
                reason,
                rejected,
                rejects_object,
            }),
            LoadResult::Reindexed { search_files } => {
                DataBuildCommand::RecordReindexed(search_files)
            }
            LoadResult::Dropping => return self.drop_build(build, cause).await,
        };
        let recorded = self.change_build(build, command, None, cause);
        recorded.await.map(|_| ())
    }

    /// Makes a loaded build the active one of its kind. Activating it again changes nothing.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn activate_build(
        &self,
        build: &BuildName,
        cause: &Cause,
    ) -> Result<BuildView, CommandError> {
        self.owned_here(Shard::DATA_BUILDS)?;
        let kind = self.build(build).await?.kind;
        let build_name = build.clone();
        let row = Row::ActiveBuild {
            kind,
            build: build_name,
        };
        let command = DataBuildCommand::Activate {
            is_active: BELIEVED,
            at: self.now(),
        };
        let state = self.change_build(build, command, Some(row), cause);
        shown(&*state.await?, true)
    }

    /// Whether a build that was made active still is.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn is_active(&self, build: &BuildName) -> Result<bool, CommandError> {
        Ok(self.build(build).await?.status == BuildStatus::Active)
    }

    /// Rows and files of a build are about to be removed. In turn with activations: never those of the active build.
    async fn drop_build(&self, build: &BuildName, cause: &Cause) -> Result<(), CommandError> {
        let command = DataBuildCommand::Drop {
            is_active: BELIEVED,
            at: self.now(),
        };
        let dropped = self.change_build(build, command, None, cause);
        dropped.await.map(|_| ())
    }

    /// Gives a build up. The active build cannot be.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn abandon_build(
        &self,
        build: &BuildName,
        cause: &Cause,
    ) -> Result<BuildView, CommandError> {
        let command = DataBuildCommand::Abandon {
            is_active: BELIEVED,
            at: self.now(),
        };
        let state = self.change_build(build, command, None, cause);
        shown(&*state.await?, false)
    }

    /// One build.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn build(&self, build: &BuildName) -> Result<BuildView, CommandError> {
        let state = self.build_state(build).await?;
        let active = self.store.active_build_names().await;
        let active = active.map_err(|fault| self.fault(&fault))?;
        let is_active = active.iter().any(|name| name == build.as_str());
        shown(&state, is_active)
    }

    /// All builds, oldest first. Those that cannot be read are named as the store names them, which may be by no [`BuildName`].
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn builds(&self) -> Result<Listed<BuildView, String>, CommandError> {
        let names = self.store.build_names().await;
        let names = names.map_err(|fault| self.fault(&fault))?;
        let ids = names.iter().map(|name| build_id(name)).collect();
        let states = self.read_listed(Kind::DataBuild, ids).await?;
        // After the states: one that was made active in between would look retired.
        let active = self.store.active_build_names().await;
        let active = active.map_err(|fault| self.fault(&fault))?;
        let unknown = active.iter().filter(|name| !names.contains(name));
        let unknown: Vec<String> = unknown.cloned().collect();
        let mut listed = Listed::of(names, states, false, |state| {
            let state = started(state.clone())?;
            let name = state.started.as_ref().map(|started| started.build.as_str());
            let is_active = active.iter().any(|active| Some(active.as_str()) == name);
            shown(&state, is_active)
        })?;
        // Left out, an active build of a name that no build has would look like none.
        listed.unreadable.extend(unknown);
        Ok(listed)
    }

    async fn build_state(&self, build: &BuildName) -> Result<Arc<DataBuild>, CommandError> {
        started(self.read_anywhere(Kind::DataBuild, build.id()).await?)
    }

    /// The state right after the change. Whoever asked is told of it without another look at the store: one that failed would say of
    /// what was done that it was not.
    async fn change_build(
        &self,
        build: &BuildName,
        command: DataBuildCommand,
        row: Option<Row>,
        cause: &Cause,
    ) -> Result<Arc<DataBuild>, CommandError> {
        let change = Change {
            id: build.id(),
            command: Command::DataBuild(command),
            cause: cause.clone(),
            row,
            named: None,
            once: false,
        };
        started(self.change(change).await?)
    }

    /// `YYYY.MM.N-<kind>` with the first free N.
    async fn next_name(
        &self,
        kind: RecordKind,
        now: DateTime<Utc>,
    ) -> Result<BuildName, CommandError> {
        let names = self
            .store
            .build_names()
            .await
            .map_err(|fault| self.fault(&fault))?;
        let name = |n: u32| format!("{:04}.{:02}.{n}-{kind}", now.year(), now.month());
        let free = (1..=u32::MAX)
            .map(name)
            .find(|text| !names.contains(text))
            .and_then(|text| text.parse().ok());
        free.ok_or_else(|| Reason::from(DataBuildRefusal::NameTaken).into())
    }
}

fn started(found: Aggregate) -> Result<Arc<DataBuild>, CommandError> {
    match found {
        Aggregate::DataBuild(state) if state.started.is_some() => Ok(state),
        _ => Err(Reason::from(DataBuildRefusal::Unknown).into()),
    }
}

fn shown(state: &DataBuild, is_active: bool) -> Result<BuildView, CommandError> {
    view(state, is_active).ok_or_else(|| Reason::from(DataBuildRefusal::Unknown).into())
}

fn view(state: &DataBuild, is_active: bool) -> Option<BuildView> {
    let counted = state.counted();
    let is_dropped = state.dropped_at.is_some();
    let reference_date = state.reference_date();
    let started = state.started.clone()?;
    let mut view = BuildView {
        build: started.build,
        kind: started.kind,
        status: BuildStatus::Loading,
        rows: counted.rows,
        rejected: counted.rejected,
        rejects_object: None,
        reference_date,
        created_at: started.started_at,
        staged: state
            .chunks
            .iter()
            .map(|(number, chunk)| (number, chunk.sha256.clone()))
            .collect(),
        sealed: state.sealed.is_some(),
        reason: None,
        report: None,
        search_files: None,
    };
    match state.ended.clone() {
        None => {}
        Some(End::Abandoned) => view.status = BuildStatus::Abandoned,
        Some(End::Failed(failed)) => {
            view.status = BuildStatus::Failed;
            view.rejects_object = failed.rejects_object;
            view.reason = Some(failed.reason);
        }
        Some(End::Loaded(loaded)) => {
            view.status = match (is_active, state.activated_at) {
                (true, _) => BuildStatus::Active,
                (false, Some(_)) => BuildStatus::Retired,
                (false, None) => BuildStatus::Loaded,
            };
            view.rejects_object = loaded.rejects_object;
            view.report = Some(loaded.report);
            view.search_files = loaded.search_files;
        }
    }
    if is_dropped {
        view.status = BuildStatus::Dropped;
        (view.rejects_object, view.search_files) = (None, None);
    }
    Some(view)
}
