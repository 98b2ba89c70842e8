//! What goes with a tool call from the front through rmcp to the handler.

use http::HeaderValue;
use tokio_util::sync::CancellationToken;
use tracing::Span;

/// What a tool call must know of its HTTP request; travels through rmcp in the extensions.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The valid key; none only for methods that answer without one.
    pub key: Option<HeaderValue>,
    /// Each `Idempotency-Key`, as it was sent: a call that is repeated with one is paid once, and several are refused, both by the REST
    /// endpoint.
    pub idempotency_keys: Vec<HeaderValue>,
    /// Of this HTTP request.
    pub request_id: String,
    /// `arguments` was there and no object.
    pub arguments_are_no_object: bool,
    /// The span of the HTTP request: rmcp answers on a task of its own.
    pub span: Span,
    /// Cancelled when the client has given the call up or can no longer be answered.
    pub stop: CancellationToken,
}
