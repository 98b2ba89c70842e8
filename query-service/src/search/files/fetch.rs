//! Bringing the files of one build into the local folder, and opening them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use column_files::manifest::FORMAT;
use column_files::{Columns, FileEntry, Manifest, OpenFault};
use service_kit::objects::{Objects, ObjectsFault};
use sha2::{Digest, Sha256};

use super::Wanted;
use super::folder::{Folder, is_digest};

const MANIFEST: &str = "manifest.json";
/// Begins the name of a file whose bytes are still coming; no name in a manifest begins with a dot.
const PART: &str = ".part-";
/// More files than any build has.
const MAX_FILES: usize = 10_000;
/// More bytes than a manifest of so many files has.
const MAX_MANIFEST_BYTES: u64 = 8 << 20;
/// How many missing files a line of the log names.
const NAMED_FILES: usize = 5;

/// Why the files of a build cannot be held.
#[derive(Debug, thiserror::Error)]
pub(super) enum HoldFault {
    /// The object store, or the local disk while an object travels to it.
    #[error("{object} cannot be fetched")]
    Fetch {
        /// Its name in the object store.
        object: String,
        #[source]
        source: ObjectsFault,
    },
    /// Gone, or not yet there.
    #[error("{0} is not in the object store")]
    Missing(String),
    /// Bytes that have another digest than the event or the manifest names, just after they were fetched.
    #[error("{object} is damaged in the object store: {why}")]
    Damaged { object: String, why: &'static str },
    /// The manifest has the right digest and says something that this version does not know.
    #[error("the manifest {object} cannot be used: {why}")]
    Manifest { object: String, why: &'static str },
    /// What was fetched cannot be opened.
    #[error("the search files cannot be opened")]
    Open(#[source] OpenFault),
    /// The local disk.
    #[error("the local folder of search files cannot be used")]
    Disk(#[from] std::io::Error),
}

/// One build's files on their way.
struct Fetch<'a> {
    objects: &'a Objects,
    wanted: &'a Wanted,
    folder: PathBuf,
}

impl Folder {
    /// Opens the files of a build, after fetching those that are not there or not whole.
    ///
    /// # Errors
    /// When they cannot be had; whole files stay for the next try.
    pub(super) async fn hold(
        &self,
        objects: &Objects,
        wanted: &Wanted,
    ) -> Result<Columns, HoldFault> {
        let fetch = Fetch {
            objects,
            wanted,
            folder: self.of(&wanted.files.sha256),
        };
        if !is_digest(&wanted.files.sha256) {
            return Err(fetch.unusable("the event names no SHA-256"));
        }
        tokio::fs::create_dir_all(&fetch.folder).await?;
        let (manifest, was_here) = fetch.manifest().await?;
        remove_leftovers(&fetch.folder, &manifest).await?;
        let missing = fetch.missing(&manifest).await;
        if was_here && !missing.is_empty() {
            let names = missing.iter().map(|entry| entry.name.as_str());
            let names = names.take(NAMED_FILES).collect::<Vec<_>>().join(", ");
            tracing::warn!(build = %wanted.build, number = missing.len(), names, "search files are missing or cut short and are fetched again");
        }
        let mut fetched = HashSet::new();
        for entry in missing {
            fetch.file(entry).await?;
            fetched.insert(entry.name.clone());
        }
        fetch.open(&manifest, fetched).await
    }
}

impl Fetch<'_> {
    /// The manifest, and whether it was in the local folder, undamaged.
    async fn manifest(&self) -> Result<(Manifest, bool), HoldFault> {
        let local = self.folder.join(MANIFEST);
        let (bytes, was_here) = match tokio::fs::read(&local).await {
            Ok(bytes) if self.is_manifest(&bytes) => (bytes, true),
            found => {
                if found.is_ok() {
                    tracing::warn!(build = %self.wanted.build, file = MANIFEST, "a search file is damaged and is fetched again");
                }
                let part = self.part(MANIFEST);
                let bytes = self.fetch_manifest(&part).await?;
                tokio::fs::rename(&part, &local).await?;
                (bytes, false)
            }
        };
        let manifest: Manifest = serde_json::from_slice(&bytes)
            .map_err(|_| self.unusable("it is of another form than this version reads"))?;
        if manifest.format != FORMAT {
            return Err(self.unusable(
                "it has another format than this version reads: `roster builds reindex` writes it anew",
            ));
        }
        if manifest.kind != self.wanted.kind {
            return Err(self.unusable("it is of another kind of record"));
        }
        let are_names = manifest.files.iter().all(|entry| is_file_name(&entry.name));
        if manifest.files.len() > MAX_FILES || !are_names {
            return Err(self.unusable("it names no files that could be fetched"));
        }
        Ok((manifest, was_here))
    }

    /// The files that are not there, or of another size than they should be.
    async fn missing<'m>(&self, manifest: &'m Manifest) -> Vec<&'m FileEntry> {
        let mut missing = Vec::new();
        for entry in &manifest.files {
            let found = tokio::fs::metadata(self.folder.join(&entry.name)).await;
            if !found.is_ok_and(|found| found.len() == entry.bytes) {
                missing.push(entry);
            }
        }
        missing
    }

    /// Fetches the manifest into a file; its bytes.
    async fn fetch_manifest(&self, part: &Path) -> Result<Vec<u8>, HoldFault> {
        let object = &self.wanted.files.manifest;
        let most = MAX_MANIFEST_BYTES;
        let fetched = self.objects.read_to_file(object, part, most).await;
        match fetched {
            Ok(Some(_)) => {}
            Ok(None) => return Err(HoldFault::Missing(object.clone())),
            Err(ObjectsFault::TooLong(_)) => {
                return Err(HoldFault::Damaged {
                    object: object.clone(),
                    why: "it is longer than any manifest",
                });
            }
            Err(source) => {
                return Err(HoldFault::Fetch {
                    object: object.clone(),
                    source,
                });
            }
        }
        let bytes = tokio::fs::read(part).await?;
        if self.is_manifest(&bytes) {
            Ok(bytes)
        } else {
            Err(HoldFault::Damaged {
                object: object.clone(),
                why: "its digest is not that of the event",
            })
        }
    }

    /// Fetches one file, over what was there.
    async fn file(&self, entry: &FileEntry) -> Result<(), HoldFault> {
        let object = self.object(&entry.name);
        let part = self.part(&entry.name);
        let fetched = self.objects.read_to_file(&object, &part, entry.bytes).await;
        match fetched {
            Ok(Some(bytes)) if bytes == entry.bytes => {
                tokio::fs::rename(&part, self.folder.join(&entry.name)).await?;
                Ok(())
            }
            Ok(Some(_)) | Err(ObjectsFault::TooLong(_)) => Err(HoldFault::Damaged {
                object,
                why: "its size is not that of the manifest",
            }),
            Ok(None) => Err(HoldFault::Missing(object)),
            Err(source) => Err(HoldFault::Fetch { object, source }),
        }
    }

    /// Opens the files. One that was there before and is damaged is fetched again, once.
    async fn open(
        &self,
        manifest: &Manifest,
        mut fetched: HashSet<String>,
    ) -> Result<Columns, HoldFault> {
        loop {
            let (folder, names) = (self.folder.clone(), manifest.clone());
            let opened = tokio::task::spawn_blocking(move || Columns::open(&folder, &names)).await;
            let fault = match opened.map_err(std::io::Error::other)? {
                Ok(columns) => return Ok(columns),
                Err(fault) => fault,
            };
            let (OpenFault::Damaged { file, .. } | OpenFault::Io { file, .. }) = &fault else {
                return Err(HoldFault::Open(fault));
            };
            let Some(entry) = manifest.files.iter().find(|entry| entry.name == *file) else {
                return Err(HoldFault::Open(fault));
            };
            if !fetched.insert(file.clone()) {
                // So that the next try fetches it; if it stays, opening it fails again, and never succeeds.
                let _ = tokio::fs::remove_file(self.folder.join(file)).await;
                return Err(match fault {
                    OpenFault::Damaged { file, why } => HoldFault::Damaged {
                        object: self.object(&file),
                        why,
                    },
                    other => HoldFault::Open(other),
                });
            }
            tracing::warn!(build = %self.wanted.build, file, %fault, "a search file is fetched again");
            self.file(entry).await?;
        }
    }

    fn is_manifest(&self, bytes: &[u8]) -> bool {
        hex::encode(Sha256::digest(bytes)) == self.wanted.files.sha256
    }

    /// The files lie beside their manifest.
    fn object(&self, name: &str) -> String {
        let manifest = &self.wanted.files.manifest;
        match manifest.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        }
    }

    fn part(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{PART}{name}"))
    }

    fn unusable(&self, why: &'static str) -> HoldFault {
        HoldFault::Manifest {
            object: self.wanted.files.manifest.clone(),
            why,
        }
    }
}

/// Removes what a killed process left, and anything else that the manifest does not name.
async fn remove_leftovers(folder: &Path, manifest: &Manifest) -> Result<(), std::io::Error> {
    let mut entries = tokio::fs::read_dir(folder).await?;
    while let Some(entry) = entries.next_entry().await? {
        let found = entry.file_name();
        let is_named = found.to_str().is_some_and(|found| {
            found == MANIFEST || manifest.files.iter().any(|entry| entry.name == found)
        });
        if !is_named {
            tokio::fs::remove_file(entry.path()).await?;
        }
    }
    Ok(())
}

fn is_file_name(name: &str) -> bool {
    let is_sign = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.');
    !name.is_empty()
        && name.len() <= 200
        && !name.starts_with('.')
        && name != MANIFEST
        && name.bytes().all(is_sign)
}
