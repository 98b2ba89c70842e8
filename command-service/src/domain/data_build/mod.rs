//! A data build: chunks are staged, it is sealed, loaded, and made active (`docs/OPERATING.md`, "The life of a data build").

mod chunks;
#[cfg(test)]
mod tests;

pub use chunks::{Chunk, Chunks};

use chrono::{DateTime, NaiveDate, Utc};
use events_schema::data_build::v1::{
    DataBuildAbandoned, DataBuildActivated, DataBuildChunkStaged, DataBuildDropped,
    DataBuildFailed, DataBuildLoaded, DataBuildReindexed, DataBuildSealed, DataBuildStarted,
    SearchFiles,
};
use events_schema::ids::BuildName;
use serde::{Deserialize, Serialize};

use super::{Decider, facts};

facts! {
    /// What can happen to a data build.
    DataBuildEvent {
        DataBuildStarted,
        DataBuildChunkStaged,
        DataBuildSealed,
        DataBuildLoaded,
        DataBuildFailed,
        DataBuildActivated,
        DataBuildAbandoned,
        DataBuildReindexed,
        DataBuildDropped,
    }
}

/// A build of one kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DataBuild {
    /// None before it is started.
    pub started: Option<DataBuildStarted>,
    /// Chunks by number.
    pub chunks: Chunks,
    /// How many chunks there are, once sealed.
    pub sealed: Option<u32>,
    /// How it ended, once it did.
    pub ended: Option<End>,
    /// When it was last made active.
    pub activated_at: Option<DateTime<Utc>>,
    /// When its rows and files began to go.
    #[serde(default)]
    pub dropped_at: Option<DateTime<Utc>>,
    /// Reference date of the rows that it had when it was abandoned.
    #[serde(default)]
    pub loaded_for: Option<NaiveDate>,
    /// What loading counted before it was abandoned.
    #[serde(default)]
    pub counted: Counted,
}

/// What loading counted. All zero before its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// Records.
    pub rows: u64,
    /// Rejected lines.
    pub rejected: u64,
}

/// The end of staging and loading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum End {
    /// Every row can be read.
    Loaded(Box<DataBuildLoaded>),
    /// It cannot be loaded.
    Failed(DataBuildFailed),
    /// Given up.
    Abandoned,
}

/// Wishes about a build.
#[derive(Debug, Clone)]
pub enum DataBuildCommand {
    /// Reserve the name. A build that is still loading is resumed if kind and date agree: no event.
    Start(DataBuildStarted),
    /// A chunk's bytes are in the object store. The same chunk again changes nothing.
    StageChunk(DataBuildChunkStaged),
    /// No further chunk will come.
    Seal {
        /// 0 to `chunks` - 1 are staged.
        chunks: u32,
    },
    /// The projector is done. The same outcome again changes nothing.
    RecordLoaded(Box<DataBuildLoaded>),
    /// The projector gives up. Again changes nothing.
    RecordFailed(DataBuildFailed),
    /// The projector wrote the search files of a loaded build anew. The same files again change nothing.
    RecordReindexed(SearchFiles),
    /// Answer requests from it.
    Activate {
        /// Whether it already is the active one of its kind ([`DataBuildCommand::knowing`]).
        is_active: bool,
        /// Now.
        at: DateTime<Utc>,
    },
    /// Its rows and files are to be removed: from then on it can never be active. Again changes nothing.
    Drop {
        /// Whether it is the active one of its kind ([`DataBuildCommand::knowing`]).
        is_active: bool,
        /// Now.
        at: DateTime<Utc>,
    },
    /// Give it up. Again changes nothing.
    Abandon {
        /// Whether it is the active one of its kind ([`DataBuildCommand::knowing`]).
        is_active: bool,
        /// Now.
        at: DateTime<Utc>,
    },
}

impl DataBuildCommand {
    /// Whether the decision rests on which build is active.
    #[must_use]
    pub const fn rests_on_the_active_build(&self) -> bool {
        matches!(
            self,
            Self::Activate { .. } | Self::Drop { .. } | Self::Abandon { .. }
        )
    }

    /// The same wish with what holds at the moment of its decision, whatever its sender believed.
    #[must_use]
    pub fn knowing(mut self, holds: bool) -> Self {
        if let Self::Activate { is_active, .. }
        | Self::Drop { is_active, .. }
        | Self::Abandon { is_active, .. } = &mut self
        {
            *is_active = holds;
        }
        self
    }
}

/// Why a wish about a build is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DataBuildRefusal {
    /// Only the name of a build that is still loading, of the same kind and date, can be given again.
    #[error("the name is taken by a build that is not this one or no longer loading")]
    NameTaken,
    /// There is no such build.
    #[error("there is no such data build")]
    Unknown,
    /// Staging is over.
    #[error("the build takes no more chunks: it is sealed or has ended")]
    NotStaging,
    /// The number is taken by other bytes.
    #[error(
        "chunk {0} was staged with other content: the build of this name is loaded from another file, or the file has changed since"
    )]
    ChunkDiffers(u32),
    /// Two chunks hold the same lines, or their numbers are not in the order of their lines.
    #[error(
        "the lines of chunk {chunk} do not lie apart from those of chunk {other}, in the order of the chunks' numbers"
    )]
    Overlap {
        /// The one that was to be staged.
        chunk: u32,
        /// The one before or after it.
        other: u32,
    },
    /// Too many chunks.
    #[error("a build has at most {MAX_CHUNKS} chunks")]
    TooManyChunks(u32),
    /// Sealing a build of which chunks are missing or left over.
    #[error("the chunks staged are not 0 to {expected}: first difference at {at}")]
    Incomplete {
        /// The last number expected.
        expected: u32,
        /// The first number that is missing or too many.
        at: u32,
    },
    /// Loading ended for a build that is not sealed.
    #[error("the build is not sealed")]
    NotSealed,
    /// Only loaded builds can be active.
    #[error("the build is not loaded")]
    NotLoaded,
    /// Every request of its kind would find nothing.
    #[error("the build holds no record")]
    Empty,
    /// The active build can neither be abandoned nor dropped.
    #[error("the build is active: activate another one first")]
    Active,
    /// Only what was active, failed or was abandoned is dropped.
    #[error("the build is loading or was never active: abandon it first")]
    Kept,
    /// It was made active, and is not any more.
    #[error("the build was activated, and another one of its kind after it")]
    Overtaken,
    /// Its rows and files are gone.
    #[error("the build was dropped: its rows are gone")]
    Dropped,
}

/// Most chunks of a build: 10^9 records in chunks of 16 MiB.
pub const MAX_CHUNKS: u32 = 1_000_000;

impl DataBuild {
    /// Lines staged so far.
    #[must_use]
    pub fn rows_staged(&self) -> u64 {
        self.chunks
            .iter()
            .map(|(_, chunk)| u64::from(chunk.rows))
            .sum()
    }

    /// Records and rejected lines. Before the end of loading lines are all that is known; a build that failed has no record.
    #[must_use]
    pub fn counted(&self) -> Counted {
        match &self.ended {
            None => Counted {
                rows: self.rows_staged(),
                rejected: 0,
            },
            Some(End::Loaded(loaded)) => Counted {
                rows: loaded.rows,
                rejected: loaded.rejected,
            },
            Some(End::Failed(failed)) => Counted {
                rows: 0,
                rejected: failed.rejected,
            },
            Some(End::Abandoned) => self.counted,
        }
    }

    /// That of its rows once they are loaded, before that the operator's.
    #[must_use]
    pub fn reference_date(&self) -> Option<NaiveDate> {
        let loaded = match &self.ended {
            Some(End::Loaded(loaded)) => Some(loaded.reference_date),
            _ => self.loaded_for,
        };
        loaded.or_else(|| self.started.as_ref()?.as_of)
    }

    /// Its search files, once it is loaded with some or was reindexed.
    #[must_use]
    pub fn search_files(&self) -> Option<&SearchFiles> {
        match &self.ended {
            Some(End::Loaded(loaded)) if self.dropped_at.is_none() => loaded.search_files.as_ref(),
            _ => None,
        }
    }

    const fn is_staging(&self) -> bool {
        self.sealed.is_none() && self.ended.is_none()
    }

    fn start(&self, wish: DataBuildStarted) -> Result<Vec<DataBuildEvent>, DataBuildRefusal> {
        match &self.started {
            None => Ok(vec![wish.into()]),
            Some(started) => {
                let same = started.kind == wish.kind
                    && (wish.as_of.is_none() || wish.as_of == started.as_of);
                if same && self.ended.is_none() {
                    Ok(Vec::new())
                } else {
                    Err(DataBuildRefusal::NameTaken)
                }
            }
        }
    }

    fn stage(&self, wish: DataBuildChunkStaged) -> Result<Vec<DataBuildEvent>, DataBuildRefusal> {
        match self.chunks.get(wish.chunk) {
            Some(chunk) if chunk.sha256 == wish.sha256 => Ok(Vec::new()),
            Some(_) => Err(DataBuildRefusal::ChunkDiffers(wish.chunk)),
            None if !self.is_staging() => Err(DataBuildRefusal::NotStaging),
            None if wish.chunk >= MAX_CHUNKS => Err(DataBuildRefusal::TooManyChunks(wish.chunk)),
            None => match self.overlapped(&wish) {
                Some(other) => Err(DataBuildRefusal::Overlap {
                    chunk: wish.chunk,
                    other,
                }),
                None => Ok(vec![wish.into()]),
            },
        }
    }

    /// The neighbour by number that holds lines of this chunk or beyond. Neighbours are enough: all chunks that are staged
    /// lie in the order of their numbers.
    fn overlapped(&self, wish: &DataBuildChunkStaged) -> Option<u32> {
        let own = Chunk::of(wish);
        let is_known = |(_, chunk): &(u32, &Chunk)| chunk.first_line > 0;
        let before = self.chunks.before(wish.chunk).filter(is_known);
        let after = self.chunks.from(wish.chunk).filter(is_known);
        before
            .filter(|(_, chunk)| chunk.reaches(own.first_line))
            .or_else(|| after.filter(|(_, chunk)| own.reaches(chunk.first_line)))
            .map(|(number, _)| number)
    }

    fn seal(&self, chunks: u32) -> Result<Vec<DataBuildEvent>, DataBuildRefusal> {
        if self.sealed == Some(chunks) {
            return Ok(Vec::new());
        }
        if !self.is_staging() {
            return Err(DataBuildRefusal::NotStaging);
        }
        let staged = u32::try_from(self.chunks.count()).unwrap_or(u32::MAX);
        let differs = self
            .chunks
            .iter()
            .map(|(number, _)| number)
            .zip(0_u32..)
            .find(|(number, place)| number != place);
        let at = differs
            .map(|(_, place)| place)
            .or_else(|| (staged != chunks).then(|| staged.min(chunks)));
        if let Some(at) = at {
            return Err(DataBuildRefusal::Incomplete {
                expected: chunks.saturating_sub(1),
                at,
            });
        }
        let build = self
            .started
            .as_ref()
            .map(|started| started.build.clone())
            .ok_or(DataBuildRefusal::Unknown)?;
        Ok(vec![
            DataBuildSealed {
                build,
                chunks,
                rows: self.rows_staged(),
            }
            .into(),
        ])
    }

    fn activate(
        &self,
        started: &DataBuildStarted,
        is_active: bool,
        at: DateTime<Utc>,
    ) -> Result<Vec<DataBuildEvent>, DataBuildRefusal> {
        match &self.ended {
            _ if self.dropped_at.is_some() => Err(DataBuildRefusal::Dropped),
            Some(End::Loaded(_)) if is_active => Ok(Vec::new()),
            Some(End::Loaded(loaded)) if loaded.rows == 0 => Err(DataBuildRefusal::Empty),
            Some(End::Loaded(_)) => {
                let (build, kind) = (started.build.clone(), started.kind);
                Ok(vec![
                    DataBuildActivated {
                        build,
                        kind,
                        activated_at: at,
                    }
                    .into(),
                ])
            }
            _ => Err(DataBuildRefusal::NotLoaded),
        }
    }

    /// Decided here and nowhere else, so that an activation comes either before, and the build stays, or after, and is
    /// refused.
    fn drop(
        &self,
        build: &BuildName,
        is_active: bool,
        at: DateTime<Utc>,
    ) -> Result<Vec<DataBuildEvent>, DataBuildRefusal> {
        match &self.ended {
            _ if is_active => Err(DataBuildRefusal::Active),
            _ if self.dropped_at.is_some() => Ok(Vec::new()),
            None => Err(DataBuildRefusal::Kept),
            Some(End::Loaded(_)) if self.activated_at.is_none() => Err(DataBuildRefusal::Kept),
            Some(End::Loaded(_) | End::Failed(_) | End::Abandoned) => Ok(vec![
                DataBuildDropped {
                    build: build.clone(),
                    dropped_at: at,
                }
                .into(),
            ]),
        }
    }

    fn finish(&self, event: DataBuildEvent) -> Result<Vec<DataBuildEvent>, DataBuildRefusal> {
        match (&self.ended, self.sealed) {
            (Some(_), _) => Ok(Vec::new()),
            (None, None) => Err(DataBuildRefusal::NotSealed),
            (None, Some(_)) => Ok(vec![event]),
        }
    }
}

impl DataBuild {
    fn reindex(
        &self,
        build: &BuildName,
        files: SearchFiles,
    ) -> Result<Vec<DataBuildEvent>, DataBuildRefusal> {
        match &self.ended {
            _ if self.dropped_at.is_some() => Err(DataBuildRefusal::Dropped),
            Some(End::Loaded(loaded)) if loaded.search_files.as_ref() == Some(&files) => {
                Ok(Vec::new())
            }
            Some(End::Loaded(_)) => {
                let (build, search_files) = (build.clone(), files);
                Ok(vec![
                    DataBuildReindexed {
                        build,
                        search_files,
                    }
                    .into(),
                ])
            }
            _ => Err(DataBuildRefusal::NotLoaded),
        }
    }
}

impl Decider for DataBuild {
    const NAME: &'static str = "data_build";
    type Command = DataBuildCommand;
    type Event = DataBuildEvent;
    type Refusal = DataBuildRefusal;

    fn decide(&self, command: DataBuildCommand) -> Result<Vec<DataBuildEvent>, DataBuildRefusal> {
        let started = match (command, &self.started) {
            (DataBuildCommand::Start(wish), _) => return self.start(wish),
            (_, None) => return Err(DataBuildRefusal::Unknown),
            (command, Some(started)) => (command, started),
        };
        match started {
            (DataBuildCommand::Start(wish), _) => self.start(wish),
            (DataBuildCommand::StageChunk(wish), _) => self.stage(wish),
            (DataBuildCommand::Seal { chunks }, _) => self.seal(chunks),
            (DataBuildCommand::RecordLoaded(loaded), _) => self.finish((*loaded).into()),
            (DataBuildCommand::RecordFailed(failed), _) => self.finish(failed.into()),
            (DataBuildCommand::RecordReindexed(files), started) => {
                self.reindex(&started.build, files)
            }
            (DataBuildCommand::Activate { is_active, at }, started) => {
                self.activate(started, is_active, at)
            }
            (DataBuildCommand::Drop { is_active, at }, started) => {
                self.drop(&started.build, is_active, at)
            }
            (DataBuildCommand::Abandon { is_active, at }, started) => match &self.ended {
                _ if is_active => Err(DataBuildRefusal::Active),
                _ if self.dropped_at.is_some() => Ok(Vec::new()),
                // It ended already, and the reason why it failed stays to be shown.
                Some(End::Abandoned | End::Failed(_)) => Ok(Vec::new()),
                None | Some(End::Loaded(_)) => Ok(vec![
                    DataBuildAbandoned {
                        build: started.build.clone(),
                        abandoned_at: at,
                    }
                    .into(),
                ]),
            },
        }
    }

    fn evolve(&mut self, event: &DataBuildEvent) {
        match event {
            DataBuildEvent::DataBuildStarted(started) => self.started = Some(started.clone()),
            DataBuildEvent::DataBuildChunkStaged(staged) => {
                self.chunks.insert(staged.chunk, Chunk::of(staged));
            }
            DataBuildEvent::DataBuildSealed(sealed) => self.sealed = Some(sealed.chunks),
            DataBuildEvent::DataBuildLoaded(loaded) => {
                self.ended = Some(End::Loaded(Box::new(loaded.clone())))
            }
            DataBuildEvent::DataBuildFailed(failed) => {
                self.ended = Some(End::Failed(failed.clone()))
            }
            DataBuildEvent::DataBuildActivated(activated) => {
                self.activated_at = Some(activated.activated_at)
            }
            DataBuildEvent::DataBuildAbandoned(_) => {
                if let Some(End::Loaded(loaded)) = &self.ended {
                    self.loaded_for = Some(loaded.reference_date);
                }
                if self.ended.is_some() {
                    self.counted = self.counted();
                }
                self.ended = Some(End::Abandoned);
            }
            DataBuildEvent::DataBuildReindexed(reindexed) => {
                if let Some(End::Loaded(loaded)) = &mut self.ended {
                    loaded.search_files = Some(reindexed.search_files.clone());
                }
            }
            DataBuildEvent::DataBuildDropped(dropped) => self.dropped_at = Some(dropped.dropped_at),
        }
    }
}
