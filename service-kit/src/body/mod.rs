//! Reading a request body: first the bytes, within a size and a time; later the JSON object in them.
//!
//! Two steps, because authentication stands between them in the order of checks (`docs/API.md`, "Rules of every request"): 413 and 408 come from
//! reading, 400 `malformed_json` from [`parse_object`]. A listener that authenticates by a header looks at it even before
//! it reads ([`read_rest`]), and asks whether that is a key before it holds more than a little ([`read_rest_if`]): who may
//! not ask is told so, and takes no room from those who may.

mod json;

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use bytes::{Bytes, BytesMut};
use http::request::Parts;
use http_body_util::BodyExt;

pub use json::{parse_object, refuse_rounded};

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

/// How much may be held of a body before it is known whether its sender may ask: above most bodies, and of a thousand slow
/// ones at once a sixteenth of what a listener holds.
pub const UNASKED_BYTES: usize = 16 * 1024;

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
    let mut reading = Reading::of(head, body)?;
    reading.until_more_than(usize::MAX).await?;
    Ok(reading.collected.freeze())
}

/// The same for a sender who is not known yet: where more than `unasked` bytes come, `ask` says whether the rest is read. Its
/// time is none of the body's.
///
/// # Errors
/// As [`read_rest`], and those of `ask`.
pub async fn read_rest_if<A>(
    head: &Parts,
    body: Body,
    unasked: usize,
    ask: impl FnOnce() -> A,
) -> Result<Bytes, Problem>
where
    A: Future<Output = Result<(), Problem>>,
{
    let mut reading = Reading::of(head, body)?;
    if reading.until_more_than(unasked).await? {
        ask().await?;
        reading.until_more_than(usize::MAX).await?;
    }
    Ok(reading.collected.freeze())
}

/// A body on its way.
struct Reading<'a> {
    body: Body,
    limits: &'a BodyLimits,
    collected: BytesMut,
    /// Spent on waiting for the body.
    elapsed: Duration,
}

impl<'a> Reading<'a> {
    fn of(head: &'a Parts, body: Body) -> Result<Self, Problem> {
        let Some(limits) = head.extensions.get::<BodyLimits>() else {
            tracing::error!("a body was read outside of the edge, which sets its limits");
            return Err(Problem::internal());
        };
        Ok(Self {
            body,
            limits,
            collected: BytesMut::new(),
            elapsed: Duration::ZERO,
        })
    }

    /// Reads on until more than `bytes` have come (true), or the end.
    async fn until_more_than(&mut self, bytes: usize) -> Result<bool, Problem> {
        let (limit, started) = (self.limits.read_timeout, Instant::now());
        let left = limit.saturating_sub(self.elapsed);
        let read = tokio::time::timeout(left, self.collect(bytes)).await;
        self.elapsed += started.elapsed();
        read.unwrap_or_else(|_elapsed| Err(Problem::request_timeout(limit, self.elapsed)))
    }

    async fn collect(&mut self, bytes: usize) -> Result<bool, Problem> {
        let max = usize::try_from(self.limits.max_bytes).unwrap_or(usize::MAX);
        while let Some(frame) = self.body.frame().await {
            let frame = frame.map_err(|_| {
                Problem::bad_request("malformed_json", "The body broke off before its end.")
            })?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            if self.collected.len() + data.len() > max {
                return Err(Problem::payload_too_large(self.limits.max_bytes, None));
            }
            self.limits.held.take(data.len())?;
            self.collected.extend_from_slice(&data);
            if self.collected.len() > bytes {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
