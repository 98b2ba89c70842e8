//! How much one listener takes on at a time: requests, and bytes of bodies that have arrived.
//!
//! Connections have a cap ([`crate::serve`]), but HTTP/2 puts many requests on one, and a request holds its body from the
//! first byte on. What is above the bounds is refused at once with 503, to come again; nothing waits here. Whether the
//! process lives is answered all the same, or an orchestrator would end it for having much to do.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::EdgeConfig;
use crate::problem::Problem;

const ALWAYS_ANSWERED: &str = "/health/";
/// Most requests end within it.
const RETRY_AFTER_SECONDS: u64 = 1;

/// What a listener has taken on. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Load {
    requests: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
}

/// A request that was taken on; dropping it makes room.
#[derive(Debug)]
pub(super) struct Slot(
    #[expect(dead_code, reason = "held for its drop")] Option<OwnedSemaphorePermit>,
);

/// The bytes that one request's body holds; given back with the last clone.
#[derive(Debug, Clone)]
pub(crate) struct HeldBytes {
    budget: Arc<Semaphore>,
    taken: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

impl Load {
    pub(super) fn new(config: &EdgeConfig) -> Self {
        let bytes = usize::try_from(config.max_held_bytes).unwrap_or(usize::MAX);
        let semaphore =
            |permits: usize| Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)));
        Self {
            requests: semaphore(config.max_requests),
            bytes: semaphore(bytes),
        }
    }

    /// Takes a request on.
    ///
    /// # Errors
    /// 503 above the bound.
    pub(super) fn take_on(&self, request: &Request) -> Result<Slot, Problem> {
        match self.requests.clone().try_acquire_owned() {
            Ok(slot) => Ok(Slot(Some(slot))),
            Err(_full) if request.uri().path().starts_with(ALWAYS_ANSWERED) => Ok(Slot(None)),
            Err(_full) => Err(Problem::overloaded(RETRY_AFTER_SECONDS)),
        }
    }

    /// For the body of one request.
    pub(super) fn held_bytes(&self) -> HeldBytes {
        HeldBytes {
            budget: self.bytes.clone(),
            taken: Arc::default(),
        }
    }
}

impl Slot {
    /// Keeps the room taken until an answer of unknown length, which is still being made, is sent.
    pub(super) fn until_sent(self, response: Response) -> Response {
        if response.body().size_hint().exact().is_some() {
            return response;
        }
        response.map(|body| {
            Body::new(body.map_frame(move |frame| {
                let _taken = &self;
                frame
            }))
        })
    }
}

impl HeldBytes {
    /// Notes bytes that have arrived.
    ///
    /// # Errors
    /// 503 above the bound.
    pub(crate) fn take(&self, bytes: usize) -> Result<(), Problem> {
        let full = |_| Problem::overloaded(RETRY_AFTER_SECONDS);
        let count = u32::try_from(bytes).unwrap_or(u32::MAX);
        let more = self.budget.clone().try_acquire_many_owned(count);
        let more = more.map_err(full)?;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.as_mut() {
            Some(taken) => taken.merge(more),
            None => *taken = Some(more),
        }
        Ok(())
    }
}
