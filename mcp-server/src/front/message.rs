//! The shape of one JSON-RPC message, as far as it must be known before rmcp reads it.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use service_kit::body::parse_object;

use crate::handler::PROTOCOL_VERSIONS;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;

const PROTOCOL_VERSION: &str = "mcp-protocol-version";

/// Methods that only describe the server: open to callers without a key where the settings say so.
const DESCRIBING: &[&str] = &[
    "initialize",
    "notifications/initialized",
    "server/discover",
    "ping",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
];

/// What a body is.
pub(super) enum Shape {
    /// One JSON-RPC message.
    Message(Message),
    /// Something else; answered 400.
    Refused(RpcRefusal),
}

/// One JSON-RPC message with a method or a result in it.
pub(super) struct Message {
    value: Value,
    pub(super) arguments_are_no_object: bool,
}

/// A refusal in the form of JSON-RPC.
pub(super) struct RpcRefusal {
    code: i32,
    message: &'static str,
    id: Value,
    data: Option<Value>,
}

impl Shape {
    pub(super) fn of(body: &[u8]) -> Self {
        let refused = |code, message| {
            Self::Refused(RpcRefusal {
                code,
                message,
                id: Value::Null,
                data: None,
            })
        };
        let Ok(loose) = serde_json::from_slice::<Value>(body) else {
            return refused(PARSE_ERROR, "Parse error: the body is not valid JSON");
        };
        if loose.is_array() {
            return refused(
                INVALID_REQUEST,
                "Invalid request: batches are not supported",
            );
        }
        // Parsed again, strictly: REST refuses a key given twice, and must not be sent only one of the two.
        let Ok(mut value) = parse_object(body).map(Value::Object) else {
            return refused(
                INVALID_REQUEST,
                "Invalid request: no object, a key twice, or nested too deep",
            );
        };
        if value.get("jsonrpc") != Some(&json!("2.0")) {
            return refused(
                INVALID_REQUEST,
                "Invalid request: not a JSON-RPC 2.0 message",
            );
        }
        let arguments_are_no_object = take_odd_arguments(&mut value);
        Self::Message(Message {
            value,
            arguments_are_no_object,
        })
    }
}

impl Shape {
    pub(super) fn only_describes_the_server(&self) -> bool {
        matches!(self, Self::Message(message) if message.only_describes_the_server())
    }
}

/// Bad arguments are a tool error, so that a model can correct itself; rmcp would refuse the whole message.
fn take_odd_arguments(message: &mut Value) -> bool {
    if message.get("method") != Some(&json!("tools/call")) {
        return false;
    }
    let Some(params) = message.get_mut("params").and_then(Value::as_object_mut) else {
        return false;
    };
    match params.get("arguments") {
        None | Some(Value::Object(_)) => false,
        Some(odd) => {
            let is_odd = !odd.is_null();
            params.shift_remove("arguments");
            is_odd
        }
    }
}

impl Message {
    fn only_describes_the_server(&self) -> bool {
        let method = self.value.get("method").and_then(Value::as_str);
        method.is_some_and(|method| DESCRIBING.contains(&method))
    }

    /// Null where there is none.
    pub(super) fn id(&self) -> &Value {
        self.value.get("id").unwrap_or(&Value::Null)
    }

    /// The id of the call that the client cancels by this message.
    pub(super) fn cancels(&self) -> Option<&Value> {
        let is_cancellation = self.value.get("method") == Some(&json!("notifications/cancelled"))
            && self.value.get("id").is_none();
        is_cancellation
            .then(|| self.value.pointer("/params/requestId"))
            .flatten()
    }

    pub(super) fn bytes(&self) -> Bytes {
        Bytes::from(self.value.to_string())
    }

    /// A message that is none of the protocol's.
    pub(super) fn not_understood(&self) -> RpcRefusal {
        self.refused(
            INVALID_REQUEST,
            "Invalid request: not a message of this protocol",
            None,
        )
    }

    /// The `MCP-Protocol-Version` header names a revision that is not spoken here. `initialize` comes before any is
    /// agreed on and names its own.
    pub(super) fn unspoken_version(&self, headers: &HeaderMap) -> Option<RpcRefusal> {
        let requested = headers.get(PROTOCOL_VERSION)?;
        let is_spoken = PROTOCOL_VERSIONS
            .iter()
            .any(|version| requested == version.as_str());
        if is_spoken || self.value.get("method") == Some(&json!("initialize")) {
            return None;
        }
        let supported: Vec<&str> = PROTOCOL_VERSIONS
            .iter()
            .map(ProtocolVersion::as_str)
            .collect();
        let data =
            json!({"requested": requested.to_str().unwrap_or_default(), "supported": supported});
        Some(self.refused(
            UNSUPPORTED_PROTOCOL_VERSION,
            "Unsupported protocol version",
            Some(data),
        ))
    }

    fn refused(&self, code: i32, message: &'static str, data: Option<Value>) -> RpcRefusal {
        let id = self
            .value
            .get("id")
            .filter(|id| id.is_string() || id.is_number());
        RpcRefusal {
            code,
            message,
            id: id.cloned().unwrap_or_default(),
            data,
        }
    }
}

impl IntoResponse for RpcRefusal {
    fn into_response(self) -> Response {
        let mut error = json!({"code": self.code, "message": self.message});
        if let (Some(data), Some(error)) = (self.data, error.as_object_mut()) {
            error.insert("data".to_owned(), data);
        }
        let body = json!({"jsonrpc": "2.0", "id": self.id, "error": error});
        (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
    }
}
