//! Why a command did not do what it was asked: the error body (`docs/API.md`, "Errors"), whichever part refused or failed.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Exit code of a refusal or a fault.
const REFUSED: u8 = 1;
/// Exit code of wrong usage.
const USAGE: u8 = 2;
const INTERNAL_ERROR: &str = "internal_error";

/// The error body. A service's own is passed on as it came.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Failure(Box<Body>);

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Body {
    error: String,
    message: String,
    request_id: String,
    retryable: bool,
    details: Map<String, Value>,
    #[serde(skip)]
    wrong_usage: bool,
}

impl Failure {
    /// A refusal of the CLI's own.
    pub(crate) fn refused(error: &str, message: impl Into<String>, details: Value) -> Self {
        Self(Box::new(Body {
            error: error.to_owned(),
            message: message.into(),
            request_id: Uuid::new_v4().to_string(),
            retryable: false,
            details: match details {
                Value::Object(map) => map,
                _ => Map::new(),
            },
            wrong_usage: false,
        }))
    }

    /// The command line or the settings make no sense.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        let mut failure = Self::refused("bad_request", message, json!({"reason": "usage"}));
        failure.0.wrong_usage = true;
        failure
    }

    /// A file cannot be read or does not hold what it should.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::refused("bad_request", message, json!({"reason": "input"}))
    }

    /// A part does not answer.
    pub(crate) fn unavailable(component: &str, cause: &(dyn Error + 'static)) -> Self {
        Self::unavailable_because(component, &with_causes(cause))
    }

    /// A part does not answer, or something in front of it does, for the reason given.
    pub(crate) fn unavailable_because(component: &str, reason: &str) -> Self {
        let message = format!("{component} is not available: {reason}");
        let mut failure = Self::refused(
            "service_unavailable",
            message,
            json!({"component": component}),
        );
        failure.0.retryable = true;
        failure
    }

    /// Something that only a bug in a program explains.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::refused(INTERNAL_ERROR, message, json!({}))
    }

    /// The same with one more detail.
    pub(crate) fn about(mut self, key: &str, value: Value) -> Self {
        self.0.details.entry(key).or_insert(value);
        self
    }

    /// Whether the same request may succeed later.
    pub(crate) const fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// The user interrupted the command; `left` says what that leaves open.
    pub(crate) fn interrupted(left: &str) -> Self {
        Self::refused("interrupted", format!("Interrupted: {left}"), json!({}))
    }

    /// Whether what was asked may have been done although this is the answer.
    pub(crate) fn leaves_open(&self) -> bool {
        self.0.retryable || self.0.error == INTERNAL_ERROR
    }

    /// Seconds that a service asked to wait before the next try.
    pub(crate) fn retry_after_seconds(&self) -> Option<u64> {
        self.0.details.get("retry_after_seconds")?.as_u64()
    }

    pub(crate) const fn exit_code(&self) -> u8 {
        if self.0.wrong_usage { USAGE } else { REFUSED }
    }
}

/// One sentence; what a service put into `details` follows, since the message alone may not name the field.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Body {
            error,
            message,
            details,
            ..
        } = &*self.0;
        write!(f, "{error}: {message}")?;
        if self.0.wrong_usage || details.is_empty() {
            return Ok(());
        }
        write!(f, " {}", Value::Object(details.clone()))
    }
}

/// An error with the errors behind it, each once.
fn with_causes(fault: &(dyn Error + 'static)) -> String {
    let mut text = fault.to_string();
    let mut cause = fault.source();
    while let Some(next) = cause {
        let said = next.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = next.source();
    }
    text
}
