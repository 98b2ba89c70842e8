//! What is told of a request that is given up: that nothing was done, or that nobody knows.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::FromRequestParts;
use http::Method;
use http::request::Parts;

/// Whether a request may have changed something that giving it up does not undo. An extension and an extractor.
///
/// Of a method that changes nothing (GET, HEAD, OPTIONS) it may not. Of any other it may from its beginning, unless its
/// handler knows better and says so.
#[derive(Debug, Clone)]
pub struct Effects(Arc<AtomicBool>);

impl Effects {
    pub(super) fn of(method: &Method) -> Self {
        Self(Arc::new(AtomicBool::new(!method.is_safe())))
    }

    /// Nothing has been changed, and nothing will be before [`Effects::begin`].
    pub fn none_yet(&self) {
        self.0.store(false, Ordering::Release);
    }

    /// From now on something may be changed, whatever becomes of the request.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(super) fn may_be(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Effects {
    type Rejection = Infallible;

    /// Without an edge nobody asks.
    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        let edge = parts.extensions.get::<Self>().cloned();
        Ok(edge.unwrap_or_else(|| Self::of(&parts.method)))
    }
}
