//! The rejects file of a build: one object a line, in order of the lines.
//!
//! A line that repeats an id has no text of its own here: its text is in the chunk that it came in. Lines are asked for in order, so that
//! each such chunk is read once and gone through once, on a thread where it holds up nothing else. Memory: one page of rejects and one
//! chunk, whatever their number; the rest of the file is in the object store already.

use bytes::Bytes;
use chrono::NaiveDate;
use events_schema::record::RecordKind;
use serde_json::json;
use sqlx::PgConnection;

use crate::builds::chunk;
use crate::builds::fault::LoadFault;
use crate::builds::loader::Loader;
use crate::builds::record::{Lines, Reading};
use crate::database::within;

/// Rejects that are read at a time.
const PAGE: i64 = 1_000;
/// Reasons that are told of a build that has failed.
const TOLD_REASONS: i64 = 3;
/// Why a line is rejected whose id an earlier line has; the number of that line follows (`schema.rs`).
const CAME_BEFORE: &str = "service_id came before";
/// The same in front of the number.
const CAME_BEFORE_IN: &str = "service_id came before, in line ";

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
    let kind = sqlx::query_scalar(include_str!("../../sql/loader/kind.sql")).bind(build);
    let kind: String = within(limit, kind.fetch_one(&loader.pool)).await?;
    let naming = Naming {
        kind: kind.parse().map_err(|_| LoadFault::UnknownKind)?,
        // Of which neither date nor levels have a part in the id.
        reading: Reading {
            build: build.to_owned(),
            reference_date: NaiveDate::MIN,
            today: NaiveDate::MAX,
            levels: loader.config.levels,
        },
    };
    let (mut after, mut chunk) = (-1, Held::default());
    loop {
        let lines = next_lines(loader, &naming, &mut after, &mut chunk);
        let lines = within(limit, lines).await?;
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

/// Why most lines of a build were rejected, to stand behind how many were: reasons of this program's own, never what a line says.
pub(super) async fn commonest(db: &mut PgConnection, build: &str) -> Result<String, sqlx::Error> {
    let reasons: Vec<(String, i64, i64)> =
        sqlx::query_as(include_str!("../../sql/loader/reject_reasons.sql"))
            .bind(build)
            .bind(TOLD_REASONS)
            .fetch_all(db)
            .await?;
    let told = reasons.iter().map(|(reason, count, first)| {
        let reason = match reason.as_str() {
            CAME_BEFORE => "service_id, given or made, came before",
            reason => reason,
        };
        format!("{count} \"{reason}\", first in line {first}")
    });
    let told: Vec<String> = told.collect();
    Ok(if told.is_empty() {
        String::new()
    } else {
        format!(": {}", told.join("; "))
    })
}

/// The lines of the file for the next page of rejects; none at the end.
async fn next_lines(
    loader: &Loader,
    naming: &Naming,
    after: &mut i64,
    chunk: &mut Held,
) -> Result<Vec<u8>, LoadFault> {
    let build = naming.reading.build.as_str();
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
        let naming = naming.clone();
        (*chunk, page) = tokio::task::spawn_blocking(move || {
            held.complete(&mut page, &naming);
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

/// What finds out what the id of a line was made of.
#[derive(Clone)]
struct Naming {
    kind: RecordKind,
    reading: Reading,
}

impl Naming {
    /// Why a line is rejected whose id came before. Who gave no id is told what it was made of.
    fn reason(&self, line: &[u8], reason: String) -> String {
        let Some(before) = reason.strip_prefix(CAME_BEFORE_IN) else {
            return reason;
        };
        let read = Lines::of(self.kind, &self.reading).read(line);
        match read.ok().and_then(|record| record.id_of) {
            Some(field) => format!("same {field} as line {before}"),
            None => reason,
        }
    }
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
    fn complete(&mut self, page: &mut [Rejected], naming: &Naming) {
        let lacking = page.iter_mut().filter(|one| one.text.is_none());
        for reject in lacking {
            if !self.holds(reject.line) {
                return;
            }
            let passed = reject.line - self.line;
            for _ in 0..passed {
                self.pass();
            }
            let line = self.pass();
            let reason = std::mem::take(&mut reject.reason);
            reject.reason = naming.reason(line.trim_ascii(), reason);
            reject.text = Some(chunk::kept(line.trim_ascii()));
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
    use crate::config::Levels;

    fn lacking(line: i64) -> Rejected {
        Rejected {
            line,
            reason: String::new(),
            text: None,
        }
    }

    fn naming() -> Naming {
        Naming {
            kind: RecordKind::Person,
            reading: Reading {
                build: "b1".to_owned(),
                reference_date: NaiveDate::MIN,
                today: NaiveDate::MAX,
                levels: Levels::default(),
            },
        }
    }

    #[test]
    fn who_gave_no_id_is_told_what_it_was_made_of() {
        for (line, told) in [
            (
                r#"{"full_name": "A B", "work_email": "a@x.example"}"#,
                "same work_email as line 2",
            ),
            (
                r#"{"full_name": "A B", "emails": ["a@x.example"]}"#,
                "same emails.address as line 2",
            ),
            (
                r#"{"full_name": "A B", "linkedin_id": "7"}"#,
                "same linkedin_id as line 2",
            ),
            (r#"{"full_name": "A B"}"#, "same record as line 2"),
            (
                r#"{"full_name": "A B", "service_id": "5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10"}"#,
                "service_id came before, in line 2",
            ),
        ] {
            let reason = "service_id came before, in line 2".to_owned();
            assert_eq!(naming().reason(line.as_bytes(), reason), told, "{line}");
        }
        let other = naming().reason(b"{}", "no name".to_owned());
        assert_eq!(other, "no name");
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
        let naming = naming();
        held.complete(&mut page, &naming);
        assert_eq!(texts(&page), [Some("a"), Some("c")]);
        let mut page = [lacking(14), lacking(15)];
        held.complete(&mut page, &naming);
        assert_eq!(texts(&page), [Some("d"), None]);
        assert!(!held.holds(14) && !held.holds(15));
    }
}
