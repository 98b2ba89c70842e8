//! Reading what a refused client is still sending, so that it gets to read the refusal.
//!
//! A socket that is closed while bytes are waiting in it is reset, and a client in the middle of its upload would see
//! a broken connection in place of its 413 or 401. What is left of the body is therefore read and thrown away, within
//! limits: no longer than bytes keep coming as in an upload, and not more than a bound. One who sends a byte now and then
//! gets the answer at once, as one does who sends nothing.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use http::{Version, header};
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::BodyExt;

/// Longest pause within an upload; a client that waits for its answer first is not made to wait longer.
const MAX_PAUSE: Duration = Duration::from_millis(250);
/// Slower than this within a pause's time is no upload: 16 KiB a second.
const MIN_BYTES_A_PAUSE: usize = 4 * 1024;
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// The body of a request, of which the edge keeps a second handle.
#[derive(Clone)]
pub(super) struct Shared(Arc<Mutex<Body>>);

/// Puts a shared body into the request; `None` where nothing can be left to read: no body, or HTTP/2, which can end one
/// request without the connection, or a client that asked before sending.
pub(super) fn share(request: &mut Request) -> Option<Shared> {
    let waits = request.headers().contains_key(header::EXPECT);
    if waits || request.version() > Version::HTTP_11 || request.body().is_end_stream() {
        return None;
    }
    let shared = Shared(Arc::new(Mutex::new(std::mem::take(request.body_mut()))));
    *request.body_mut() = Body::new(shared.clone());
    Some(shared)
}

impl Shared {
    /// Reads the rest, for at most `limit`.
    pub(super) async fn discard(mut self, limit: Duration) {
        let read = async {
            let mut bytes = 0;
            while bytes < MAX_BYTES {
                let enough = bytes + MIN_BYTES_A_PAUSE;
                let go_on = async {
                    while bytes < enough {
                        let Some(Ok(frame)) = self.frame().await else {
                            return false;
                        };
                        bytes += frame.data_ref().map_or(0, Bytes::len);
                    }
                    true
                };
                if !matches!(tokio::time::timeout(MAX_PAUSE, go_on).await, Ok(true)) {
                    return;
                }
            }
        };
        // Whether it came to an end or not, the answer goes out now.
        let _ = tokio::time::timeout(limit, read).await;
    }

    fn body(&self) -> MutexGuard<'_, Body> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.body()).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body().size_hint()
    }
}
