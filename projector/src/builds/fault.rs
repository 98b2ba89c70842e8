//! Why a step of loading was not done: what operators read of it, and whether it would come again.

use std::error::Error;

use service_kit::objects::ObjectsFault;

use crate::builds::refusal::Refusal;

/// SQLSTATE classes that speak of the values or of an invariant: data exception, integrity constraint.
const OF_THE_VALUES: [&str; 2] = ["22", "23"];
/// SQLSTATE classes whose messages speak of the server and never quote a value: resources, limits, objects in use, an
/// operator's intervention, the system below.
const OF_THE_SERVER: [&str; 5] = ["53", "54", "55", "57", "58"];

/// Why a step was not done. What it leads to is decided in `failing`; a fault that belongs to no single build is simply met again.
#[derive(Debug, thiserror::Error)]
pub enum LoadFault {
    /// The read model's database.
    #[error("the read model cannot be read or written")]
    Database(#[from] sqlx::Error),
    /// The object store.
    #[error("the object store cannot be read or written")]
    Objects(#[from] ObjectsFault),
    /// A thread of the parser ended badly.
    #[error("the parser ended badly")]
    Parser(#[from] tokio::task::JoinError),
    /// A document could not be packed.
    #[error("a document could not be packed")]
    Documents(#[from] documents::PackFault),
    /// command-service did not take an outcome.
    #[error("command-service did not take the outcome of a build")]
    Outcome(#[from] service_kit::client::CallFault),
    /// command-service refused an outcome.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A document of the loader's own that cannot be written.
    #[error("a document cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// A row that this version does not understand.
    #[error("the read model holds a build of an unknown kind")]
    UnknownKind,
    /// The object store shows no bytes of a chunk: they are gone, or it is not mounted yet.
    #[error("its bytes are not in the object store")]
    Missing,
    /// The bytes of a chunk are not those that were staged.
    #[error("its bytes are not those that were staged")]
    Altered,
    /// Two chunks hold the same lines.
    #[error("chunk {chunk} begins at line {line}, which another chunk holds")]
    Overlap {
        /// The one that begins later.
        chunk: i32,
        /// Its first line.
        line: i64,
    },
}

impl LoadFault {
    /// Whether another try would meet the fault again for certain.
    pub(super) fn is_lasting(&self) -> bool {
        match self {
            Self::Database(sqlx::Error::Database(said)) => {
                said.code().is_some_and(|code| is_of(&code, &OF_THE_VALUES))
            }
            Self::Parser(ended) => ended.is_panic(),
            Self::Documents(_) | Self::UnknownKind | Self::Altered | Self::Overlap { .. } => true,
            Self::Database(_)
            | Self::Objects(_)
            | Self::Missing
            | Self::Outcome(_)
            | Self::Refused(_)
            | Self::Json(_) => false,
        }
    }

    /// The fault and what is behind it, for operators and for the event that ends the build: never a value of a record.
    pub(super) fn words(&self) -> String {
        if let Self::Database(sqlx::Error::Database(said)) = self {
            return format!("the database refused: {}", refused(said.as_ref()));
        }
        let mut text = self.to_string();
        // What a panic says may quote what it was about.
        let mut cause = match self {
            Self::Parser(_) => None,
            other => other.source(),
        };
        while let Some(one) = cause {
            let said = one.to_string();
            if !text.contains(&said) {
                text = format!("{text}: {said}");
            }
            cause = one.source();
        }
        text
    }
}

fn refused(said: &dyn sqlx::error::DatabaseError) -> String {
    let code = said.code().unwrap_or_default();
    if is_of(&code, &OF_THE_SERVER) {
        return format!("SQLSTATE {code}, {}", said.message());
    }
    match said.constraint() {
        Some(constraint) => format!("SQLSTATE {code}, constraint {constraint}"),
        None => format!("SQLSTATE {code}"),
    }
}

fn is_of(code: &str, classes: &[&str]) -> bool {
    code.get(..2).is_some_and(|class| classes.contains(&class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_bytes_than_were_staged_last_and_a_database_or_store_that_is_away_does_not() {
        assert!(LoadFault::Altered.is_lasting());
        assert!(!LoadFault::Missing.is_lasting());
        let reset = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        let away = LoadFault::Database(sqlx::Error::Io(reset));
        assert!(!away.is_lasting());
        assert!(!LoadFault::Database(sqlx::Error::PoolTimedOut).is_lasting());
    }

    #[test]
    fn the_words_of_a_fault_name_its_causes_once() {
        let reset = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        let away = LoadFault::Database(sqlx::Error::Io(reset));
        let said = away.words();
        assert!(
            said.starts_with("the read model cannot be read or written: "),
            "{said}"
        );
        assert!(said.contains("connection reset"), "{said}");
    }
}
