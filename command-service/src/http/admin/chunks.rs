//! `PUT /admin/builds/{build}/chunks/{chunk}`: one chunk of a build's lines.
//!
//! Guarantee: when the event that names a chunk is durable, the chunk's bytes are, too, and have the digest that the
//! event names. The same chunk again changes nothing; another one under its number is refused.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use events_schema::api::limits::MAX_CHUNK_ROWS;
use events_schema::ids::{BuildName, Shard};
use http::{HeaderMap, Method, StatusCode};
use serde_json::json;
use service_kit::Problem;
use service_kit::body::RawBody;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::{AdminState, ByOperator};
use crate::application::ChunkReceived;
use crate::http::Failure;
use crate::http::failure::path_id;

const SHA256_HEADER: &str = "chunk-sha256";
const FIRST_LINE_HEADER: &str = "chunk-first-line";
const RETRY_SECONDS: u64 = 5;

/// Lets only a few chunks into memory at a time; the others wait before their bytes are read.
pub(super) async fn one_of_few(
    State(uploads): State<Arc<Semaphore>>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::PUT {
        return next.run(request).await;
    }
    match uploads.acquire().await {
        Ok(_one) => next.run(request).await,
        Err(_closed) => Problem::internal().into_response(),
    }
}

pub(super) async fn stage(
    State(state): State<AdminState>,
    Path((build, chunk)): Path<(String, String)>,
    ByOperator(cause): ByOperator,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> Result<StatusCode, Failure> {
    let build: BuildName = path_id(&build, "data_build")?;
    let chunk: u32 = path_id(&chunk, "chunk")?;
    let sha256 = verified_digest(&headers, &body)?;
    let first_line = first_line(&headers)?;
    let received = ChunkReceived {
        chunk,
        object: chunk_object(&build, chunk, &sha256),
        rows: count_lines(&body)?,
        first_line,
        bytes: u64::try_from(body.len()).unwrap_or(u64::MAX),
        sha256,
    };
    let application = &state.application;
    // Before its bytes are written, which the owner would do again.
    application.owned_here(Shard::DATA_BUILDS)?;
    let _alone = state.staging.alone(&build, chunk).await;
    if application.check_chunk(&build, &received).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let written = state.objects.write(&received.object, body).await;
    written.map_err(|fault| {
        tracing::error!(%fault, cause = ?std::error::Error::source(&fault), "a chunk could not be written");
        Problem::unavailable("object_store", RETRY_SECONDS)
    })?;
    application.stage_chunk(&build, received, &cause).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Where a chunk stands in the object store. Bytes that are refused, and those of an upload that was given up and goes on, stand beside
/// the accepted ones, whichever instance writes them, until the build is removed.
fn chunk_object(build: &BuildName, chunk: u32, sha256: &str) -> String {
    format!("builds/{build}/chunks/{chunk}-{sha256}.ndjson")
}

/// The digest that the header names, which is that of the bytes.
fn verified_digest(headers: &HeaderMap, body: &[u8]) -> Result<String, Problem> {
    let given = text(headers, SHA256_HEADER)?;
    let digest = hex::encode(Sha256::digest(body));
    if given.eq_ignore_ascii_case(&digest) {
        return Ok(digest);
    }
    let rule = "is not the SHA-256 of the body";
    Err(Problem::invalid_field(
        "Chunk-Sha256",
        &json!(given),
        rule,
        None,
    ))
}

fn first_line(headers: &HeaderMap) -> Result<u64, Problem> {
    let given = text(headers, FIRST_LINE_HEADER)?;
    let line = given.parse().ok().filter(|line| *line >= 1);
    line.ok_or_else(|| Problem::malformed_header("Chunk-First-Line", "a line number from 1"))
}

fn text<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str, Problem> {
    let mut values = headers.get_all(name).iter();
    let only = values.next().filter(|_| values.next().is_none());
    only.and_then(|value| value.to_str().ok())
        .ok_or_else(|| Problem::malformed_header(name, "given once"))
}

/// Lines end with a newline; the last one may lack it.
fn count_lines(body: &[u8]) -> Result<u32, Problem> {
    let ended = body.iter().filter(|byte| **byte == b'\n').count();
    let open = usize::from(body.last().is_some_and(|byte| *byte != b'\n'));
    let rows = u32::try_from(ended + open).unwrap_or(u32::MAX);
    if (1..=MAX_CHUNK_ROWS).contains(&rows) {
        return Ok(rows);
    }
    let rule = format!("must have 1 to {MAX_CHUNK_ROWS} lines, has {rows}");
    Err(Problem::invalid_field("chunk", &json!(rows), &rule, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts_with_and_without_its_newline() {
        assert_eq!(count_lines(b"{}\n{}\n"), Ok(2));
        assert_eq!(count_lines(b"{}\n\n{}"), Ok(3));
        assert_eq!(count_lines(b"").unwrap_err().status(), 422);
        let too_many = count_lines(&[b'\n'; 50_001]).unwrap_err();
        assert_eq!(too_many.status(), 422);
        assert_eq!(too_many.details_ref()["fields"][0]["value"], 50_001);
    }

    #[test]
    fn a_digest_of_other_bytes_is_refused() {
        let empty = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";
        let headers = HeaderMap::from_iter([(
            http::HeaderName::from_static(SHA256_HEADER),
            empty.parse().unwrap(),
        )]);
        assert_eq!(
            verified_digest(&headers, b"").unwrap(),
            empty.to_lowercase()
        );
        assert_eq!(verified_digest(&headers, b"x").unwrap_err().status(), 422);
        let missing = verified_digest(&HeaderMap::new(), b"").unwrap_err();
        assert_eq!(missing.details_ref()["reason"], "malformed_header");
    }
}
