//! The object store: named bytes that are written as a whole and shared by all services. A folder, local or mounted.
//!
//! Guarantee: a reader sees an object as it was, as it is, or not at all, never half of it; when a write returns, the
//! object and its name are on the disk. Memory stays at [`PART_BYTES`] whatever an object's size, but for
//! [`Objects::read`] and [`Objects::write`]. What a write leaves that was killed has no name that anybody lists; it goes
//! with [`Objects::remove_prefix`].

use std::path::Path as FilePath;
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// What is held of an object at a time while it travels between the store and a file.
pub const PART_BYTES: usize = 8 * 1024 * 1024;

/// Why the object store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ObjectsFault {
    /// An address of another kind than a folder.
    #[error("the object store must be a folder or a file:// URL")]
    Address,
    /// The folder cannot be made.
    #[error("the folder of the object store cannot be made")]
    Folder(#[source] std::io::Error),
    /// The store failed, or a name is none that it can keep.
    #[error("the object store failed")]
    Store(#[from] object_store::Error),
    /// The object has more bytes than its reader takes.
    #[error("the object has more than {0} bytes")]
    TooLong(u64),
    /// The file that an object comes from or goes to.
    #[error("the file of an object cannot be read or written")]
    File(#[source] std::io::Error),
}

/// One object as the store lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its whole name.
    pub object: String,
    /// Size.
    pub bytes: u64,
}

/// One store. Clones share it.
#[derive(Debug, Clone)]
pub struct Objects(Arc<LocalFileSystem>);

impl Objects {
    /// Opens a folder, given as a path or as a `file://` URL; makes it if it is missing.
    ///
    /// # Errors
    /// When the folder cannot be made or the address is not one.
    pub fn open(address: &str) -> Result<Self, ObjectsFault> {
        let folder = address.strip_prefix("file://").unwrap_or(address);
        if folder.is_empty() || folder.contains("://") {
            return Err(ObjectsFault::Address);
        }
        std::fs::create_dir_all(folder).map_err(ObjectsFault::Folder)?;
        let store = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self(Arc::new(store)))
    }

    /// All bytes of an object; `None` when there is none of that name.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn read(&self, object: &str) -> Result<Option<Bytes>, ObjectsFault> {
        match self.0.get(&path(object)?).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Writes an object as a whole, over what was there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn write(&self, object: &str, bytes: impl Into<Bytes>) -> Result<(), ObjectsFault> {
        self.0.put(&path(object)?, bytes.into().into()).await?;
        Ok(())
    }

    /// Whether there is an object of that name, which then is there as a whole.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn has(&self, object: &str) -> Result<bool, ObjectsFault> {
        match self.0.head(&path(object)?).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Begins to write an object that comes piece by piece, over what was there.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub async fn begin(&self, object: &str) -> Result<Begun, ObjectsFault> {
        Ok(Begun {
            upload: self.0.put_multipart(&path(object)?).await?,
            part: Vec::new(),
        })
    }

    /// Writes an object from a file, part by part, over what was there; the size in bytes.
    ///
    /// # Errors
    /// When the file cannot be read or the object not be written.
    pub async fn write_file(&self, object: &str, file: &FilePath) -> Result<u64, ObjectsFault> {
        let mut from = tokio::fs::File::open(file)
            .await
            .map_err(ObjectsFault::File)?;
        let mut upload = self.0.put_multipart(&path(object)?).await?;
        match send(&mut from, upload.as_mut()).await {
            Ok(bytes) => Ok(bytes),
            Err(fault) => {
                // The first fault is the one to tell; what stays has no name.
                let _ = upload.abort().await;
                Err(fault)
            }
        }
    }

    /// Writes an object's bytes into a file, over what was there, at most `most`; the size in bytes, `None` when there is
    /// no such object. The file is not made durable: who keeps it checks it when it is opened.
    ///
    /// # Errors
    /// When the object cannot be read or the file not be written; [`ObjectsFault::TooLong`] when there are more bytes.
    pub async fn read_to_file(
        &self,
        object: &str,
        file: &FilePath,
        most: u64,
    ) -> Result<Option<u64>, ObjectsFault> {
        let found = match self.0.get(&path(object)?).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(fault) => return Err(fault.into()),
        };
        if found.meta.size > most {
            return Err(ObjectsFault::TooLong(most));
        }
        let mut into = tokio::fs::File::create(file)
            .await
            .map_err(ObjectsFault::File)?;
        let (mut parts, mut bytes) = (found.into_stream(), 0_u64);
        while let Some(part) = parts.try_next().await? {
            bytes = bytes.saturating_add(u64::try_from(part.len()).unwrap_or(u64::MAX));
            // It may have grown since it was opened.
            if bytes > most {
                return Err(ObjectsFault::TooLong(most));
            }
            into.write_all(&part).await.map_err(ObjectsFault::File)?;
        }
        into.flush().await.map_err(ObjectsFault::File)?;
        Ok(Some(bytes))
    }

    /// The objects under a prefix of whole segments (`a/b`, never `a/b-`), in the order of their names.
    ///
    /// # Errors
    /// When the store cannot be listed.
    pub async fn list(&self, prefix: &str) -> Result<Vec<Listed>, ObjectsFault> {
        let found = self.0.list(Some(&path(prefix)?));
        let mut listed: Vec<Listed> = found
            .map_ok(|meta| Listed {
                object: meta.location.to_string(),
                bytes: meta.size,
            })
            .try_collect()
            .await?;
        listed.sort_by(|a, b| a.object.cmp(&b.object));
        Ok(listed)
    }

    /// The names right under a prefix that others lie under, whole (`a/b` of `a/b/c`), in order; also those under which
    /// there is only what a killed write left.
    ///
    /// # Errors
    /// When the store cannot be listed.
    pub async fn prefixes(&self, prefix: &str) -> Result<Vec<String>, ObjectsFault> {
        let found = self.0.list_with_delimiter(Some(&path(prefix)?)).await?;
        let mut names: Vec<String> = found
            .common_prefixes
            .iter()
            .map(ToString::to_string)
            .collect();
        names.sort();
        Ok(names)
    }

    /// Removes everything under a prefix of whole segments, and what killed writes left there. What is gone already is
    /// no fault.
    ///
    /// # Errors
    /// When something cannot be removed, or the prefix is empty.
    pub async fn remove_prefix(&self, prefix: &str) -> Result<(), ObjectsFault> {
        let prefix = path(prefix)?;
        let folder = self.0.path_to_filesystem(&prefix)?;
        match tokio::fs::remove_dir_all(&folder).await {
            Ok(()) => Ok(()),
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(fault) => Err(ObjectsFault::File(fault)),
        }
    }
}

/// An object on its way into the store. It has no name before [`Begun::end`]; dropped before, it is gone.
#[derive(Debug)]
pub struct Begun {
    upload: Box<dyn MultipartUpload>,
    /// What waits until it makes a part.
    part: Vec<u8>,
}

impl Begun {
    /// Adds a piece; at most [`PART_BYTES`] and this piece are held.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn write(&mut self, piece: &[u8]) -> Result<(), ObjectsFault> {
        self.part.extend_from_slice(piece);
        if self.part.len() >= PART_BYTES {
            let part = std::mem::take(&mut self.part);
            self.upload.put_part(part.into()).await?;
        }
        Ok(())
    }

    /// The object has all its bytes: from here on it is there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn end(mut self) -> Result<(), ObjectsFault> {
        if !self.part.is_empty() {
            self.upload.put_part(self.part.into()).await?;
        }
        self.upload.complete().await?;
        Ok(())
    }
}

/// A name of at least one segment.
fn path(object: &str) -> Result<Path, ObjectsFault> {
    let path = Path::parse(object).map_err(object_store::Error::from)?;
    if path.as_ref().is_empty() {
        return Err(ObjectsFault::Address);
    }
    Ok(path)
}

async fn send(
    from: &mut tokio::fs::File,
    upload: &mut dyn MultipartUpload,
) -> Result<u64, ObjectsFault> {
    let mut sent = 0_u64;
    loop {
        let mut part = Vec::with_capacity(PART_BYTES);
        let most = u64::try_from(PART_BYTES).unwrap_or(u64::MAX);
        (&mut *from)
            .take(most)
            .read_to_end(&mut part)
            .await
            .map_err(ObjectsFault::File)?;
        let (length, is_last) = (part.len(), part.len() < PART_BYTES);
        if length > 0 {
            upload.put_part(part.into()).await?;
        }
        sent = sent.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        if is_last {
            upload.complete().await?;
            return Ok(sent);
        }
    }
}
