//! The object store that holds the chunks of data builds: a local folder by default.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use events_schema::ids::BuildName;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};

/// Why the object store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ObjectsFault {
    /// It failed.
    #[error("the object store failed")]
    Store(#[from] object_store::Error),
    /// The folder cannot be made.
    #[error("the folder of the object store cannot be made")]
    Folder(#[from] std::io::Error),
    /// An address of another kind than a folder.
    #[error("the object store must be a folder or a file:// URL")]
    Address,
}

/// Where chunks are written. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Objects(Arc<dyn ObjectStore>);

impl Objects {
    /// Opens a folder, given as a path or as a `file://` URL; makes it if it is missing.
    ///
    /// # Errors
    /// When the folder cannot be made or the address is not one.
    pub fn open(address: &str) -> Result<Self, ObjectsFault> {
        let folder = match address.split_once("://") {
            Some(("file", path)) => PathBuf::from(path),
            Some(_) => return Err(ObjectsFault::Address),
            None => PathBuf::from(address),
        };
        std::fs::create_dir_all(&folder)?;
        // The event that names a chunk is durable; so must the chunk be.
        let store = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self(Arc::new(store)))
    }

    /// The path of a chunk.
    #[must_use]
    pub fn chunk_path(build: &BuildName, chunk: u32) -> String {
        format!("builds/{build}/chunks/{chunk}.ndjson")
    }

    /// Writes an object as a whole: a reader sees the old one, the new one or none.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put(&self, path: &str, bytes: Bytes) -> Result<(), ObjectsFault> {
        self.0
            .put(
                &Path::parse(path).map_err(object_store::Error::from)?,
                bytes.into(),
            )
            .await?;
        Ok(())
    }
}
