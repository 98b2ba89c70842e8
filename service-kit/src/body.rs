//! Reading a request body: first the bytes, within a size and a time; later the JSON object in them.
//!
//! Two steps, because authentication stands between them in the order of checks (`docs/API.md`, "Rules of every request"): 413 and 408 come from
//! reading, 400 `malformed_json` from [`parse_object`]. A listener that authenticates by a header looks at it even before
//! it reads ([`read_rest`]): who may not ask is told so at once, and takes no memory.

mod json;

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use bytes::{Bytes, BytesMut};
use http::request::Parts;
use http_body_util::BodyExt;

pub use json::parse_object;

use crate::edge::HeldBytes;
use crate::problem::Problem;

/// How large a body may be and how long it may take to arrive. The edge puts it into every request.
#[derive(Debug, Clone)]
pub struct BodyLimits {
    /// Bytes, both ends included.
    pub max_bytes: u64,
    /// From the first poll to the last byte.
    pub read_timeout: Duration,
    /// Counts what has arrived against what the listener may hold.
    pub(crate) held: HeldBytes,
}

/// Extractor of the raw body. Needs no `Content-Type`: the edge has checked it.
#[derive(Debug, Clone)]
pub struct RawBody(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Problem> {
        let (head, body) = request.into_parts();
        read_rest(&head, body).await.map(Self)
    }
}

/// Reads the body of a request whose head has been looked at, within the limits that the edge put into it.
///
/// # Errors
/// 413 above the size, 408 above the time, 400 when the client broke off, 503 when the listener holds too much.
pub async fn read_rest(head: &Parts, body: Body) -> Result<Bytes, Problem> {
    let Some(limits) = head.extensions.get::<BodyLimits>() else {
        tracing::error!("a body was read outside of the edge, which sets its limits");
        return Err(Problem::internal());
    };
    read(body, limits).await
}

async fn read(body: Body, limits: &BodyLimits) -> Result<Bytes, Problem> {
    let started = Instant::now();
    match tokio::time::timeout(limits.read_timeout, collect(body, limits)).await {
        Ok(result) => result,
        Err(_elapsed) => Err(Problem::request_timeout(
            limits.read_timeout,
            started.elapsed(),
        )),
    }
}

async fn collect(mut body: Body, limits: &BodyLimits) -> Result<Bytes, Problem> {
    let max = usize::try_from(limits.max_bytes).unwrap_or(usize::MAX);
    let mut collected = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| {
            Problem::bad_request("malformed_json", "The body broke off before its end.")
        })?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if collected.len() + data.len() > max {
            return Err(Problem::payload_too_large(limits.max_bytes, None));
        }
        limits.held.take(data.len())?;
        collected.extend_from_slice(&data);
    }
    Ok(collected.freeze())
}
