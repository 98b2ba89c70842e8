//! Stages chunks, a few at a time, and skips those that the build holds already.

use events_schema::api::admin::BuildView;
use futures::stream::{self, StreamExt, TryStreamExt};
use serde_json::json;

use crate::again::{Patience, until_answered};
use crate::client::Client;
use crate::failure::Failure;
use crate::ingest::chunker::Chunk;
use crate::ingest::progress::Progress;
use crate::ingest::reader::Chunks;

/// Chunks under way at once.
const PARALLEL: usize = 4;

/// The upload of one file to one build.
pub(crate) struct Upload<'a> {
    pub(crate) client: &'a Client,
    /// As it stood at the start.
    pub(crate) build: &'a BuildView,
    pub(crate) progress: &'a Progress,
}

impl Upload<'_> {
    /// Stages every chunk; gives their number.
    pub(crate) async fn stage_all(&self, first: Chunk, rest: Chunks) -> Result<u32, Failure> {
        let rest = stream::unfold(rest, async |mut chunks| {
            chunks.recv().await.map(|next| (next, chunks))
        });
        let count = stream::once(std::future::ready(Ok(first)))
            .chain(rest)
            .map_ok(|chunk| self.stage(chunk))
            .try_buffer_unordered(PARALLEL)
            .try_fold(0_u32, |count, ()| std::future::ready(Ok(count + 1)))
            .await?;
        match self.build.staged.keys().next_back() {
            Some(last) if *last >= count => Err(self.another_file(*last)),
            _ => Ok(count),
        }
    }

    async fn stage(&self, chunk: Chunk) -> Result<(), Failure> {
        match self.build.staged.get(&chunk.number) {
            Some(digest) if *digest == chunk.sha256 => {}
            Some(_) => return Err(self.another_file(chunk.number)),
            None if self.build.sealed => return Err(self.another_file(chunk.number)),
            None => self.send(&chunk).await?,
        }
        self.progress.staged(&chunk);
        Ok(())
    }

    async fn send(&self, chunk: &Chunk) -> Result<(), Failure> {
        let path = format!("/admin/builds/{}/chunks/{}", self.build.build, chunk.number);
        let headers = [
            ("Chunk-Sha256", chunk.sha256.clone()),
            ("Chunk-First-Line", chunk.first_line.to_string()),
        ];
        // The same chunk with the same digest again changes nothing.
        until_answered(Patience::OF_A_LOAD, async || {
            self.client.put(&path, chunk.bytes.clone(), &headers).await
        })
        .await
    }

    fn another_file(&self, chunk: u32) -> Failure {
        let message = format!(
            "data build {} was begun with another file: chunk {chunk} differs",
            self.build.build
        );
        Failure::refused(
            "bad_request",
            message,
            json!({"reason": "another_file", "chunk": chunk}),
        )
    }
}
