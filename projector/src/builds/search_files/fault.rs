//! Why search files were not written, and what that means for the next try.

use column_files::WriteFault;
use documents::UnpackFault;
use service_kit::objects::ObjectsFault;

/// Why one try ended without files.
#[derive(Debug, thiserror::Error)]
pub(super) enum IndexFault {
    /// The read model's database.
    #[error("the read model cannot be read or written")]
    Database(#[from] sqlx::Error),
    /// The object store.
    #[error(transparent)]
    Objects(#[from] ObjectsFault),
    /// The folder on the local disk.
    #[error("the spool folder cannot be used")]
    Spool(#[source] std::io::Error),
    /// The writer of the files.
    #[error(transparent)]
    Write(#[from] WriteFault),
    /// The dictionary of the build's documents.
    #[error("the dictionary of the documents cannot be used")]
    Dictionary(#[source] UnpackFault),
    /// A document that is not what was packed.
    #[error("the document of row {row} cannot be unpacked")]
    Unpack {
        /// Place of the row, from 0.
        row: u64,
        /// Why.
        source: UnpackFault,
    },
    /// Rows came or went between the read model and the files.
    #[error("{found} rows were written of {expected}")]
    Rows {
        /// What ranking counted.
        expected: i64,
        /// What the files hold.
        found: u64,
    },
    /// An uploaded file is not as long as the manifest says.
    #[error("{0} is not as long as its manifest says")]
    Length(String),
    /// The manifest.
    #[error("the manifest cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// The thread that writes ended without a result.
    #[error("the thread that writes search files ended badly")]
    Thread,
    /// A row that this version does not understand.
    #[error("the read model holds a build of an unknown kind")]
    UnknownKind,
    /// Another worker took over, or the build is to go.
    #[error("the lease is another worker's or the build is to go")]
    LeaseLost,
    /// The process is being stopped.
    #[error("the process is being stopped")]
    Stopped,
}

/// What follows from a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Another try will meet it again, or may: tries are counted.
    Lasting,
    /// Another part failed, and the fault passes with that: the try is not counted.
    Passing,
    /// An orderly stop: the try is not counted, and another process may begin at once.
    Stopped,
    /// The build is no longer this worker's: nothing is noted.
    Gone,
}

impl IndexFault {
    pub(super) fn class(&self) -> Class {
        match self {
            Self::Database(fault) if passes(fault) => Class::Passing,
            Self::Database(_)
            | Self::Objects(_)
            | Self::Spool(_)
            | Self::Write(_)
            | Self::Dictionary(_)
            | Self::Unpack { .. }
            | Self::Rows { .. }
            | Self::Length(_)
            | Self::Json(_)
            | Self::Thread
            | Self::UnknownKind => Class::Lasting,
            Self::LeaseLost => Class::Gone,
            Self::Stopped => Class::Stopped,
        }
    }

    /// The fault and what is behind it, for operators. Values of records are never in it.
    pub(super) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(fault) = cause {
            let said = fault.to_string();
            if !text.contains(&said) {
                text = format!("{text}: {said}");
            }
            cause = fault.source();
        }
        text
    }
}

/// Whether the database itself is away, rather than refusing what it is asked.
fn passes(fault: &sqlx::Error) -> bool {
    match fault {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // Connection, rollback by rivals, an operator's intervention. Not resources of the server: a full disk stays full.
        sqlx::Error::Database(said) => said
            .code()
            .and_then(|code| code.get(..2).map(str::to_owned))
            .is_some_and(|class| ["08", "40", "57"].contains(&class.as_str())),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_is_away_passes_and_a_full_disk_lasts() {
        let io = |kind| std::io::Error::from(kind);
        let away = sqlx::Error::Io(io(std::io::ErrorKind::ConnectionReset));
        assert_eq!(IndexFault::Database(away).class(), Class::Passing);
        let full = IndexFault::Spool(io(std::io::ErrorKind::StorageFull));
        assert_eq!(full.class(), Class::Lasting);
        assert_eq!(
            full.with_causes(),
            "the spool folder cannot be used: no storage space"
        );
        let unreadable = sqlx::Error::ColumnNotFound("doc".to_owned());
        assert_eq!(IndexFault::Database(unreadable).class(), Class::Lasting);
    }
}
