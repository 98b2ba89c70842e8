//! Search files in the object store: `builds/<build>/search/<16 digits of the manifest's digest>/`, the manifest last.
//!
//! The same content lies in the same folder, so that a repeated write changes no file that somebody fetches, and makes a
//! damaged one good again.

use std::path::Path;

use column_files::Manifest;
use events_schema::data_build::v1::SearchFiles;
use service_kit::objects::{Objects, ObjectsFault};
use sha2::{Digest, Sha256};

use super::fault::IndexFault;
use crate::builds::loader::Loader;

/// Digits of the manifest's digest in the name of the folder.
const FOLDER_DIGITS: usize = 16;
const MANIFEST: &str = "manifest.json";

fn prefix(build: &str) -> String {
    format!("builds/{build}/search")
}

/// Puts every file and then the manifest into the object store; what names them.
pub(super) async fn upload(
    loader: &Loader,
    build: &str,
    files: &Path,
    manifest: &Manifest,
) -> Result<SearchFiles, IndexFault> {
    let text = serde_json::to_vec(manifest)?;
    let sha256 = hex::encode(Sha256::digest(&text));
    let digits = sha256.get(..FOLDER_DIGITS).unwrap_or(&sha256);
    let folder = format!("{}/{digits}", prefix(build));
    let mut bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    for file in &manifest.files {
        let object = format!("{folder}/{}", file.name);
        let source = files.join(&file.name);
        if loader.objects.write_file(&object, &source).await? != file.bytes {
            return Err(IndexFault::Length(file.name.clone()));
        }
        bytes = bytes.saturating_add(file.bytes);
    }
    let object = format!("{folder}/{MANIFEST}");
    loader.objects.write(&object, text).await?;
    Ok(SearchFiles {
        manifest: object,
        sha256,
        files: u32::try_from(manifest.files.len()).unwrap_or(u32::MAX),
        bytes,
    })
}

/// Removes every folder of search files that none of these manifests lies in.
pub(super) async fn remove_unnamed(
    objects: &Objects,
    build: &str,
    manifests: &[String],
) -> Result<(), ObjectsFault> {
    let named = |folder: &str| {
        manifests.iter().any(|manifest| {
            manifest
                .rsplit_once('/')
                .is_some_and(|(in_it, _)| in_it == folder)
        })
    };
    for folder in objects.prefixes(&prefix(build)).await? {
        if !named(&folder) {
            objects.remove_prefix(&folder).await?;
        }
    }
    Ok(())
}
