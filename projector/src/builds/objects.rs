//! The object store: chunks are read from it, rejects files written to it.

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use std::sync::Arc;

/// A setting that names no usable store.
#[derive(Debug, thiserror::Error)]
pub enum ObjectsFault {
    /// Only local folders are built in.
    #[error("OBJECT_STORE must be a folder or a file:// URL")]
    Scheme,
    /// The folder cannot be made.
    #[error("the folder of the object store cannot be made")]
    Folder(#[from] std::io::Error),
    /// The store.
    #[error("the object store failed")]
    Store(#[from] object_store::Error),
}

/// One store. Clones share it.
#[derive(Debug, Clone)]
pub struct Objects(Arc<LocalFileSystem>);

impl Objects {
    /// The store at a folder or a `file://` URL.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn open(place: &str) -> Result<Self, ObjectsFault> {
        let folder = place.strip_prefix("file://").unwrap_or(place);
        if folder.contains("://") {
            return Err(ObjectsFault::Scheme);
        }
        std::fs::create_dir_all(folder)?;
        let store = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self(Arc::new(store)))
    }

    /// All bytes of an object; `None` when there is none of that name.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn read(&self, object: &str) -> Result<Option<Bytes>, ObjectsFault> {
        let path = Path::parse(object).map_err(object_store::Error::from)?;
        match self.0.get(&path).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Writes an object as a whole, over what was there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn write(&self, object: &str, bytes: Vec<u8>) -> Result<(), ObjectsFault> {
        self.0
            .put(
                &Path::parse(object).map_err(object_store::Error::from)?,
                bytes.into(),
            )
            .await?;
        Ok(())
    }

    /// Removes everything of a build. What is gone already is no fault.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub async fn remove_build(&self, build: &str) -> Result<(), ObjectsFault> {
        let prefix = Path::from_iter(["builds", build]);
        let found: Vec<_> = self.0.list(Some(&prefix)).try_collect().await?;
        for object in found {
            match self.0.delete(&object.location).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        Ok(())
    }
}

/// Where a build's rejects file stands.
#[must_use]
pub fn rejects_object(build: &str) -> String {
    format!("builds/{build}/rejects.ndjson")
}
