//! The local folder: one folder a manifest, named by its digest, so that files written anew never meet older ones.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::Wanted;

/// Held as long as the process lives.
const LOCK: &str = "lock";
/// Characters of a digest that name a build's folder.
const NAME_CHARS: usize = 32;

/// Why the local folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderFault {
    /// Another process fetches into it.
    #[error("another process uses the folder of search files")]
    InUse,
    /// The disk.
    #[error("the folder of search files cannot be used")]
    Io(#[from] std::io::Error),
}

/// The folder; nobody else uses it.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    _lock: File,
}

impl Folder {
    pub(super) fn open(root: &Path) -> Result<Self, FolderFault> {
        std::fs::create_dir_all(root)?;
        let lock = File::create(root.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                root: root.to_owned(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(FolderFault::InUse),
            Err(TryLockError::Error(fault)) => Err(fault.into()),
        }
    }

    /// Where the files of a manifest with this digest lie.
    pub(super) fn of(&self, sha256: &str) -> PathBuf {
        self.root.join(name(sha256))
    }

    /// Removes the folders of all other builds. Whoever has them mapped keeps what is mapped.
    pub(super) async fn sweep(&self, wanted: &[Wanted]) {
        let swept = async {
            let mut entries = tokio::fs::read_dir(&self.root).await?;
            while let Some(entry) = entries.next_entry().await? {
                let found = entry.file_name();
                // Anything else in there is not this program's.
                let Some(found) = found.to_str().filter(|found| is_name(found)) else {
                    continue;
                };
                if !wanted.iter().any(|one| name(&one.files.sha256) == found) {
                    tokio::fs::remove_dir_all(entry.path()).await?;
                    tracing::info!(
                        folder = found,
                        "search files of a build that is gone are removed"
                    );
                }
            }
            Ok::<_, std::io::Error>(())
        };
        if let Err(fault) = swept.await {
            tracing::warn!(%fault, "old search files cannot be removed; tried again with the next change");
        }
    }
}

/// Whether it is a digest as events give it.
pub(super) fn is_digest(sha256: &str) -> bool {
    sha256.len() == 64 && sha256.bytes().all(is_digit)
}

fn name(sha256: &str) -> &str {
    sha256.get(..NAME_CHARS).unwrap_or(sha256)
}

fn is_name(found: &str) -> bool {
    found.len() == NAME_CHARS && found.bytes().all(is_digit)
}

const fn is_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}
