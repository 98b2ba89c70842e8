//! Folders that are removed with the value.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use column_files::{Columns, Manifest, WriteFault, Writer, WriterOptions};
use events_schema::record::RecordKind;

pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "column-files-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn files(&self) -> PathBuf {
        self.0.join("files")
    }

    pub(crate) fn writer(&self, kind: RecordKind, memory_bytes: usize) -> Writer {
        let options = WriterOptions {
            memory_bytes,
            spool: self.0.join("spool"),
        };
        Writer::create(&self.files(), kind, options).unwrap()
    }

    pub(crate) fn write(
        &self,
        kind: RecordKind,
        documents: &[Vec<u8>],
        memory_bytes: usize,
    ) -> Result<Manifest, WriteFault> {
        let mut writer = self.writer(kind, memory_bytes);
        for document in documents {
            writer.push(document)?;
        }
        writer.finish()
    }

    pub(crate) fn open(&self, manifest: &Manifest) -> Columns {
        Columns::open(&self.files(), manifest).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
