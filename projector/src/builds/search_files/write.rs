//! The rows of a build in rank order through the writer of column files, on a thread of its own.
//!
//! Memory: the writer's own limit and a few batches of documents. Rows are read only as fast as they are written.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use column_files::{Manifest, Writer, WriterOptions};
use documents::Unpacker;
use events_schema::record::RecordKind;
use futures::TryStreamExt;
use futures::stream::BoxStream;
use tokio::sync::{mpsc, oneshot};

use super::fault::IndexFault;
use super::lease::Claimed;
use super::spool::Spool;
use crate::builds::loader::Loader;
use crate::builds::schema::Tables;

/// Documents travel together up to so many bytes.
const BATCH_BYTES: usize = 1 << 20;
/// Batches that wait for the writer.
const BATCHES: usize = 4;

/// Messages to the thread. If they stop before `End`, the thread stops and leaves no files.
enum Message {
    Documents(Vec<Vec<u8>>),
    End,
}

type Answer = oneshot::Receiver<Result<Manifest, IndexFault>>;

/// Writes the files of a build into the spool; what names them.
pub(super) async fn write(
    loader: &Loader,
    claimed: &Claimed,
    tables: &Tables,
    spool: &Spool,
    progress: &Arc<AtomicU64>,
) -> Result<Manifest, IndexFault> {
    let options = WriterOptions {
        memory_bytes: loader.config.search_files.memory_bytes,
        spool: spool.values().to_owned(),
    };
    let mut db = loader.pool.acquire().await?;
    // A pool would read the rest of an abandoned stream, which may be the whole build, before it uses the connection
    // again.
    db.close_on_drop();
    let is_packed = tables.is_packed(&mut db).await?;
    let unpacker = if is_packed {
        let dictionary = tables.dictionary(&mut db).await?;
        Some(Unpacker::new(dictionary.unwrap_or_default()).map_err(IndexFault::Dictionary)?)
    } else {
        None
    };
    let work = Work {
        kind: tables.kind(),
        options,
        unpacker,
        spool: spool.clone(),
        progress: Arc::clone(progress),
    };
    let (sender, answer) = start(work)?;
    let sent = send(tables.documents(&mut db, is_packed), sender).await;
    let manifest = match (sent, answer.await) {
        (Ok(true), Ok(written)) => written?,
        // The thread ended before all rows were there: its fault says why.
        (_, Ok(Err(fault))) => return Err(fault),
        (Err(fault), _) => return Err(fault),
        (Ok(_), _) => return Err(IndexFault::Thread),
    };
    if i64::from(manifest.rows) != claimed.rows {
        return Err(IndexFault::Rows {
            expected: claimed.rows,
            found: u64::from(manifest.rows),
        });
    }
    Ok(manifest)
}

/// Sends every document in rank order; whether the thread took them all.
async fn send(
    mut rows: BoxStream<'_, Result<Vec<u8>, sqlx::Error>>,
    sender: mpsc::Sender<Message>,
) -> Result<bool, IndexFault> {
    let (mut batch, mut bytes) = (Vec::new(), 0_usize);
    while let Some(document) = rows.try_next().await? {
        bytes = bytes.saturating_add(document.len());
        batch.push(document);
        if bytes >= BATCH_BYTES {
            bytes = 0;
            let full = Message::Documents(std::mem::take(&mut batch));
            if sender.send(full).await.is_err() {
                return Ok(false);
            }
        }
    }
    let ended = sender.send(Message::Documents(batch)).await.is_ok()
        && sender.send(Message::End).await.is_ok();
    Ok(ended)
}

/// What the thread works with.
struct Work {
    kind: RecordKind,
    options: WriterOptions,
    /// None where documents are not packed.
    unpacker: Option<Unpacker>,
    spool: Spool,
    progress: Arc<AtomicU64>,
}

/// A thread rather than a task: it works for minutes without a pause, and a stop of the process does not wait for it.
fn start(work: Work) -> Result<(mpsc::Sender<Message>, Answer), IndexFault> {
    let (sender, messages) = mpsc::channel(BATCHES);
    let (answer, answered) = oneshot::channel();
    std::thread::Builder::new()
        .name("search-files".to_owned())
        .spawn(move || {
            if let Some(written) = work.run(messages).transpose() {
                // The caller waits no longer: the folder is removed with this thread.
                let _ = answer.send(written);
            }
        })
        .map_err(IndexFault::Spool)?;
    Ok((sender, answered))
}

impl Work {
    /// The thread's work. `None` when it was told to stop.
    fn run(self, mut messages: mpsc::Receiver<Message>) -> Result<Option<Manifest>, IndexFault> {
        let mut writer = Writer::create(self.spool.files(), self.kind, self.options.clone())?;
        while let Some(message) = messages.blocking_recv() {
            let Message::Documents(documents) = message else {
                return Ok(Some(writer.finish()?));
            };
            for stored in documents {
                match &self.unpacker {
                    Some(unpacker) => writer.push(&self.unpacked(unpacker, &stored)?)?,
                    None => writer.push(&stored)?,
                }
                self.progress.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(None)
    }

    fn unpacked(&self, unpacker: &Unpacker, stored: &[u8]) -> Result<Vec<u8>, IndexFault> {
        unpacker
            .unpack(stored)
            .map_err(|source| IndexFault::Unpack {
                row: self.progress.load(Ordering::Relaxed),
                source,
            })
    }
}
