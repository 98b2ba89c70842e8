//! The rejects file of a build: one object a line, in order of the lines.
//!
//! A line that repeats an id has no text of its own here: its text is in the chunk that it came in. Lines are asked for in order, so that
//! each such chunk is read once and gone through once, on a thread where it holds up nothing else. Memory: one page of rejects and one
//! chunk, whatever their number; the rest of the file is in the object store already.

use bytes::Bytes;
use serde_json::json;

use crate::builds::chunk;
use crate::builds::fault::LoadFault;
use crate::builds::loader::Loader;
use crate::database::within;

/// Rejects that are read at a time.
const PAGE: i64 = 1_000;

/// Writes the file of a build that has ended, unless it is there: it is written as a whole, and what was rejected stays.
/// Its path. No part of it waits longer than a chunk may, whatever the number of rejects.
pub(super) async fn write(loader: &Loader, build: &str) -> Result<String, LoadFault> {
    let object = format!("builds/{build}/rejects.ndjson");
    let limit = loader.config.limits.load;
    let is_there = async { Ok::<_, LoadFault>(loader.objects.has(&object).await?) };
    if within(limit, is_there).await? {
        return Ok(object);
    }
    let mut file = loader.objects.begin(&object).await?;
    let (mut after, mut chunk) = (-1, Held::default());
    loop {
        let lines = within(limit, next_lines(loader, build, &mut after, &mut chunk)).await?;
        if lines.is_empty() {
            break;
        }
        let written = async { Ok::<_, LoadFault>(file.write(&lines).await?) };
        within(limit, written).await?;
    }
    let ended = async { Ok::<_, LoadFault>(file.end().await?) };
    within(limit, ended).await?;
    Ok(object)
}

/// The lines of the file for the next page of rejects; none at the end.
async fn next_lines(
    loader: &Loader,
    build: &str,
    after: &mut i64,
    chunk: &mut Held,
) -> Result<Vec<u8>, LoadFault> {
    let mut page: Vec<Rejected> = sqlx::query_as(include_str!("../../sql/loader/rejects_page.sql"))
        .bind(build)
        .bind(*after)
        .bind(PAGE)
        .fetch_all(&loader.pool)
        .await?;
    *after = page.last().map_or(*after, |last| last.line);
    while let Some(line) = page
        .iter()
        .find(|one| one.text.is_none())
        .map(|one| one.line)
    {
        let mut held = std::mem::take(chunk);
        if !held.holds(line) {
            held = Held::of(loader, build, line).await?;
        }
        (*chunk, page) = tokio::task::spawn_blocking(move || {
            held.complete(&mut page);
            (held, page)
        })
        .await?;
    }
    tokio::task::spawn_blocking(move || as_lines(&page)).await?
}

fn as_lines(page: &[Rejected]) -> Result<Vec<u8>, LoadFault> {
    let mut lines = Vec::new();
    for Rejected { line, reason, text } in page {
        let reject = json!({"line": line, "reason": reason, "text": text});
        serde_json::to_writer(&mut lines, &reject)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// A row of `build_reject`.
#[derive(Debug, sqlx::FromRow)]
struct Rejected {
    line: i64,
    reason: String,
    /// None where it is to be read from the chunk.
    text: Option<String>,
}

/// A chunk on the way from its first line to its last.
#[derive(Debug, Default)]
struct Held {
    bytes: Bytes,
    /// Where the next line begins.
    at: usize,
    /// Its number.
    line: i64,
    /// Number of the first line behind the chunk.
    end: i64,
}

impl Held {
    /// The chunk that holds a line. The file names line and reason even where the text is gone.
    async fn of(loader: &Loader, build: &str, line: i64) -> Result<Self, LoadFault> {
        let found: Option<(String, i64, i64)> =
            sqlx::query_as(include_str!("../../sql/loader/chunk_of_line.sql"))
                .bind(build)
                .bind(line)
                .fetch_optional(&loader.pool)
                .await?;
        match found.filter(|(_, first, rows)| line < first + rows) {
            Some((object, first, rows)) => Ok(Self {
                bytes: loader.objects.read(&object).await?.unwrap_or_default(),
                at: 0,
                line: first,
                end: first + rows,
            }),
            None => Ok(Self {
                line,
                end: line + 1,
                ..Self::default()
            }),
        }
    }

    /// Whether the chunk holds the line, at or after the place that was reached.
    const fn holds(&self, line: i64) -> bool {
        self.line <= line && line < self.end
    }

    /// Gives the rejects of this chunk the text that they lack; they are in order.
    fn complete(&mut self, page: &mut [Rejected]) {
        let lacking = page.iter_mut().filter(|one| one.text.is_none());
        for reject in lacking {
            if !self.holds(reject.line) {
                return;
            }
            let passed = reject.line - self.line;
            for _ in 0..passed {
                self.pass();
            }
            reject.text = Some(chunk::kept(self.pass().trim_ascii()));
        }
    }

    /// The next line; an empty one at the end.
    fn pass(&mut self) -> Bytes {
        let rest = self.bytes.slice(self.at.min(self.bytes.len())..);
        let length = rest.iter().position(|byte| *byte == b'\n');
        let length = length.unwrap_or(rest.len());
        self.at += length + 1;
        self.line += 1;
        rest.slice(..length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacking(line: i64) -> Rejected {
        Rejected {
            line,
            reason: String::new(),
            text: None,
        }
    }

    fn texts(page: &[Rejected]) -> Vec<Option<&str>> {
        page.iter().map(|one| one.text.as_deref()).collect()
    }

    #[test]
    fn a_chunk_is_gone_through_once_and_gives_its_own_lines() {
        let mut held = Held {
            bytes: Bytes::from_static(b"a\n\n c \nd"),
            at: 0,
            line: 11,
            end: 15,
        };
        let mut page = [lacking(11), lacking(13)];
        held.complete(&mut page);
        assert_eq!(texts(&page), [Some("a"), Some("c")]);
        let mut page = [lacking(14), lacking(15)];
        held.complete(&mut page);
        assert_eq!(texts(&page), [Some("d"), None]);
        assert!(!held.holds(14) && !held.holds(15));
    }
}
