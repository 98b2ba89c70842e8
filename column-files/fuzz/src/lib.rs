//! Small search files of both kinds, and manifests that name whatever stands in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use column_files::{Manifest, Writer, WriterOptions};
use events_schema::record::RecordKind;
use sha2::{Digest, Sha256};

#[path = "../../tests/files/everything.rs"]
pub mod everything;

/// Documents that fill columns of every type and lists of every form.
const PERSON: &str = r#"{"service_id":"0191d6a4-0000-7000-8000-000000000001","full_name":"Zoë A","age":40,
"avg_tenure_months":3.5,"is_decision_maker":true,"work_email":"a@b.c","last_seen":"2026-01-02",
"emails":[{"address":"a@b.c","hash_md5":"5d60d4e28066df254d5452f92c910092"},{"address":"d@e.f","hash_md5":"00"}],
"skills":[{"cleaned":"rust"},{"cleaned":"sql"},{}]}"#;
const COMPANY: &str = r#"{"name":{"cleaned":"acme","display":"Acme Inc","raw":["ACME","Acme, Inc."]},"domain":"acme.com",
"service_seniority_distribution":{"director":3,"vp":1},"service_seniority_growth_rate":{"vp":{"1m":0.5,"12m":-1}}}"#;

/// A folder of files and its manifest.
pub struct Files {
    pub folder: PathBuf,
    pub manifest: Manifest,
}

/// Files of each kind, written once a process.
pub static FILES: LazyLock<[Files; 2]> = LazyLock::new(|| {
    [(RecordKind::Person, PERSON), (RecordKind::Company, COMPANY)].map(|(kind, document)| {
        let folder = folder(kind.name());
        let mut writer = writer(&folder, kind);
        for row in 0..140 {
            // Enough names for two blocks of a dictionary.
            let text = format!(r#"{{"linkedin_id":"{row}"}}"#);
            let document = if row % 3 == 0 {
                document.as_bytes()
            } else {
                text.as_bytes()
            };
            writer.push(document).expect("a document of this crate");
        }
        Files {
            manifest: writer.finish().expect("a temporary folder"),
            folder,
        }
    })
});

/// A folder of this process.
pub fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("column-files-fuzz-{}-{name}", std::process::id()))
}

/// A writer with little memory, so that runs are merged.
pub fn writer(folder: &Path, kind: RecordKind) -> Writer {
    let options = WriterOptions {
        memory_bytes: 300,
        spool: folder.with_extension("spool"),
    };
    Writer::create(folder, kind, options).expect("a temporary folder")
}

/// Puts `bytes` in place of a file while `act` runs, under a manifest that names them if `is_named`.
pub fn with_bytes(
    files: &Files,
    place: usize,
    bytes: &[u8],
    is_named: bool,
    act: impl FnOnce(&Manifest),
) {
    let mut manifest = files.manifest.clone();
    let path = files.folder.join(&manifest.files[place].name);
    let whole = fs::read(&path).expect("a file of this process");
    fs::write(&path, bytes).expect("a file of this process");
    if is_named {
        manifest.files[place].bytes = bytes.len() as u64;
        manifest.files[place].sha256 = Sha256::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
    }
    act(&manifest);
    fs::write(&path, whole).expect("a file of this process");
}

/// The files of a kind and a place among them, by two bytes of the input, and the rest of the input.
pub fn choose(input: &[u8]) -> Option<(&'static Files, usize, &[u8])> {
    let (&[kind, place], rest) = input.split_first_chunk()?;
    let files = &FILES[usize::from(kind % 2)];
    Some((files, usize::from(place) % files.manifest.files.len(), rest))
}
