//! Writing the files of a build, row by row in rank order.
//!
//! `push` reads a document once and appends what it finds to one stream a column (`record`, along the tree of
//! `plan`); values become numbers in the order of their appearance (`values`), which wait on disk (`spool`).
//! `finish` takes one group of columns with a common dictionary after another (`groups`): sorts its values (`sort`),
//! writes them (`dictionary`) and turns numbers into codes (`finish`).
//!
//! Guarantees: the same documents give the same bytes, whatever the limits; memory is bounded by the options, but for
//! four bytes an occurrence of the values of one group that hardly repeat, the bits of lists, and while a dictionary of e-mail addresses
//! is written four bytes an address and two hundred megabytes; a writer that is
//! dropped, or whose `finish` failed, leaves neither files nor spool. What a killed process leaves is removed by the
//! next writer of the same folders.

mod dictionary;
mod encode;
mod file;
mod finish;
mod groups;
mod hosts;
mod list;
mod plan;
mod record;
mod scanner;
pub(crate) mod signatures;
mod sort;
mod spool;
mod values;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use events_schema::record::RecordKind;

use self::finish::Finish;
use self::groups::Group;
use self::plan::Node;
use self::record::{Sink, Stop};
use crate::layout;
use crate::manifest::{FORMAT, Manifest};

/// Limits of a writer.
#[derive(Debug, Clone)]
pub struct WriterOptions {
    /// What the writer may hold in memory, about; at least some 64 MiB are used.
    pub memory_bytes: usize,
    /// A folder of this writer alone, where values wait until all rows are there; removed in the end. It must not be the
    /// folder of the files.
    pub spool: PathBuf,
}

/// Why files were not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteFault {
    /// The disk.
    #[error("a search file cannot be written")]
    Io(#[from] std::io::Error),
    /// A document of another form than the loader writes.
    #[error("the document of row {row} is not that of a record")]
    Document {
        /// Place of the row, from 0.
        row: u32,
    },
    /// Too many rows or values for the layout.
    #[error("a build has at most {0} of these")]
    TooMany(u64),
}

/// Writes the search files of one build.
#[derive(Debug)]
pub struct Writer {
    folders: Folders,
    kind: RecordKind,
    memory_bytes: usize,
    plan: Vec<(String, Node)>,
    groups: Vec<Group>,
    sink: Sink,
    rows: u32,
    /// The row that could not be taken, after which nothing is.
    stopped: Option<u32>,
}

impl Writer {
    /// A writer of files in the folder `folder`, which is made if there is none. Files that an earlier writer left there
    /// and in the spool are removed; any other file is a refusal, so that a mistaken path costs nothing.
    ///
    /// # Errors
    /// When the folder or the spool cannot be written or hold other files.
    pub fn create(
        folder: &Path,
        kind: RecordKind,
        options: WriterOptions,
    ) -> Result<Self, WriteFault> {
        let folders = Folders {
            files: folder.to_owned(),
            spool: options.spool,
            is_done: false,
        };
        folders.clear()?;
        let groups = groups::of(kind);
        Ok(Self {
            sink: Sink::new(kind, &groups, &folders.spool, options.memory_bytes / 3),
            folders,
            kind,
            memory_bytes: options.memory_bytes,
            plan: plan::of(kind),
            groups,
            rows: 0,
            stopped: None,
        })
    }

    /// Adds the next row: its document as the loader wrote it (JSON). After an error no more rows can be added.
    ///
    /// # Errors
    /// When the document cannot be read or the spool not be written.
    pub fn push(&mut self, document: &[u8]) -> Result<(), WriteFault> {
        if let Some(row) = self.stopped {
            return Err(WriteFault::Document { row });
        }
        let row = self.rows;
        let next = row.checked_add(1).filter(|rows| *rows < u32::MAX);
        let next = next.ok_or(WriteFault::TooMany(u64::from(u32::MAX - 1)))?;
        self.sink.push(&self.plan, document, row).map_err(|stop| {
            self.stopped = Some(row);
            match stop {
                Stop::Malformed => WriteFault::Document { row },
                Stop::Fault(fault) => fault,
            }
        })?;
        self.rows = next;
        Ok(())
    }

    /// Writes dictionaries and codes, makes the files durable and names them.
    ///
    /// # Errors
    /// When a file cannot be written, or a row could not be taken before.
    pub fn finish(self) -> Result<Manifest, WriteFault> {
        if let Some(row) = self.stopped {
            return Err(WriteFault::Document { row });
        }
        let Self {
            mut folders,
            kind,
            memory_bytes,
            groups,
            sink,
            rows,
            ..
        } = self;
        let finish = Finish {
            folder: &folders.files,
            spool: &folders.spool,
            kind,
            rows,
            memory: u64::try_from(memory_bytes / 2).unwrap_or(u64::MAX),
        };
        let files = finish.write(sink, groups)?;
        File::open(&folders.files)?.sync_all()?;
        folders.is_done = true;
        Ok(Manifest {
            format: FORMAT,
            kind,
            rows,
            files,
        })
    }
}

/// Where files and spool are; without `is_done` neither outlives this value.
#[derive(Debug)]
struct Folders {
    files: PathBuf,
    spool: PathBuf,
    is_done: bool,
}

impl Folders {
    /// Makes both folders and removes what an earlier writer left.
    fn clear(&self) -> io::Result<()> {
        std::fs::create_dir_all(&self.files)?;
        std::fs::create_dir_all(&self.spool)?;
        remove(&self.files, layout::is_ours)?;
        remove(&self.spool, is_spool)
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next writer.
        let _ = remove(&self.spool, is_spool).and_then(|()| std::fs::remove_dir(&self.spool));
        if !self.is_done {
            let _ = remove(&self.files, layout::is_ours);
        }
    }
}

fn is_spool(name: &str) -> bool {
    name.ends_with(".spool")
}

/// Removes all files of a folder, unless there is one that `is_ours` does not know.
fn remove(folder: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_str().is_some_and(&is_ours) || !entry.file_type()?.is_file() {
            let message = format!("{} is no search file", entry.path().display());
            return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, message));
        }
        paths.push(entry.path());
    }
    paths.into_iter().try_for_each(std::fs::remove_file)
}
