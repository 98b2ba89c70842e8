//! An admin server for tests: keeps what it was sent, and knows as much of data builds as `ingest` needs.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};

/// A chunk as it was sent.
#[derive(Debug, Clone)]
pub(crate) struct SentChunk {
    pub(crate) body: Vec<u8>,
    pub(crate) sha256: String,
    pub(crate) first_line: u64,
}

/// One request, without chunks' bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sent {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: Value,
}

#[derive(Default)]
struct Kept {
    sent: Vec<Sent>,
    tokens: Vec<String>,
    chunks: BTreeMap<u32, SentChunk>,
    /// What is answered, by `METHOD path`.
    answers: HashMap<String, (u16, Value)>,
    /// What is answered before that, once each.
    first: HashMap<String, VecDeque<Value>>,
    build: Value,
    /// What the build becomes once it is sealed.
    outcome: Value,
    /// How many of the next requests fail with 503, by `METHOD path`.
    failing: HashMap<String, u32>,
}

/// A running server.
#[derive(Clone)]
pub(crate) struct Fake {
    pub(crate) url: String,
    kept: Arc<Mutex<Kept>>,
}

impl Fake {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let kept = Arc::new(Mutex::new(Kept {
            outcome: json!({"status": "loaded", "rows": 2, "rejected": 0}),
            ..Kept::default()
        }));
        let router = Router::new()
            .fallback(answer)
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(Arc::clone(&kept));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, kept }
    }

    /// What is answered to `METHOD path`.
    pub(crate) fn answers(&self, request: &str, status: u16, body: Value) {
        self.kept
            .lock()
            .unwrap()
            .answers
            .insert(request.to_owned(), (status, body));
    }

    /// What is answered to `METHOD path` at first, one after the other.
    pub(crate) fn answers_first(&self, request: &str, bodies: &[Value]) {
        let bodies = bodies.iter().cloned().collect();
        let mut kept = self.kept.lock().unwrap();
        kept.first.insert(request.to_owned(), bodies);
    }

    /// What the build becomes once it is sealed.
    pub(crate) fn will_become(&self, outcome: Value) {
        self.kept.lock().unwrap().outcome = outcome;
    }

    /// A build that was begun before, with these chunks' digests.
    pub(crate) fn has_begun(&self, name: &str, staged: &[(u32, &str)], sealed: bool) {
        let staged: BTreeMap<_, _> = staged.iter().copied().collect();
        let mut build = view(name, "person");
        build["staged"] = json!(staged);
        build["sealed"] = json!(sealed);
        let mut kept = self.kept.lock().unwrap();
        if sealed {
            let outcome = kept.outcome.clone();
            merge(&mut build, &outcome);
            build["status"] = json!("loading");
        }
        kept.build = build;
    }

    /// The next `count` of these requests, `METHOD path`, find a service that is not ready.
    pub(crate) fn fails(&self, request: &str, count: u32) {
        let mut kept = self.kept.lock().unwrap();
        kept.failing.insert(request.to_owned(), count);
    }

    pub(crate) fn sent(&self) -> Vec<Sent> {
        self.kept.lock().unwrap().sent.clone()
    }

    pub(crate) fn chunks(&self) -> BTreeMap<u32, SentChunk> {
        self.kept.lock().unwrap().chunks.clone()
    }

    /// The lines of all chunks in order.
    pub(crate) fn lines(&self) -> Vec<String> {
        let bytes: Vec<u8> = self
            .chunks()
            .into_values()
            .flat_map(|chunk| chunk.body)
            .collect();
        String::from_utf8(bytes)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Every token that was sent.
    pub(crate) fn tokens(&self) -> Vec<String> {
        self.kept.lock().unwrap().tokens.clone()
    }
}

/// A data build, in answers.
pub(crate) fn view(name: &str, kind: &str) -> Value {
    json!({
        "build": name, "kind": kind, "status": "loading", "rows": 0, "rejected": 0, "rejects_object": null,
        "reference_date": null, "created_at": "2026-11-02T07:00:00Z", "staged": {}, "sealed": false, "reason": null, "report": null,
    })
}

/// An error body (`docs/API.md`, "Errors").
pub(crate) fn refusal(error: &str, message: &str) -> Value {
    json!({
        "error": error, "message": message, "request_id": "0f6f2c1e-7a55-4a0e-9a57-6f3b2f0c9d11",
        "retryable": false, "details": {"subject_type": "contract"},
    })
}

fn merge(into: &mut Value, from: &Value) {
    for (key, value) in from.as_object().unwrap() {
        into[key] = value.clone();
    }
}

async fn answer(
    State(kept): State<Arc<Mutex<Kept>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut kept = kept.lock().unwrap();
    let path = uri.path_and_query().unwrap().to_string();
    // Of mcp-server anybody may ask it.
    if path == "/health/ready" {
        assert_eq!(headers.get("authorization"), None);
    } else {
        kept.tokens
            .push(headers["authorization"].to_str().unwrap().to_owned());
    }
    kept.sent.push(Sent {
        method: method.to_string(),
        path: path.clone(),
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    });
    let failing = kept.failing.get_mut(&format!("{method} {path}"));
    if let Some(left) = failing.filter(|left| **left > 0) {
        *left -= 1;
        let mut body = refusal("service_unavailable", "The ledger is not reachable.");
        body["retryable"] = json!(true);
        return (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response();
    }
    let first = kept.first.get_mut(&format!("{method} {path}"));
    if let Some(body) = first.and_then(VecDeque::pop_front) {
        return Json(body).into_response();
    }
    if let Some((status, body)) = kept.answers.get(&format!("{method} {path}")).cloned() {
        let status = StatusCode::from_u16(status).unwrap();
        return if body.is_null() {
            status.into_response()
        } else {
            (status, Json(body)).into_response()
        };
    }
    builds(&mut kept, &method, &path, &headers, &body)
}

fn builds(
    kept: &mut Kept,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    body: &Bytes,
) -> Response {
    let parts: Vec<_> = path.split('/').skip(1).collect();
    match (method.as_str(), parts.as_slice()) {
        ("GET", ["health", "ready"]) => Json(json!({"status": "ready"})).into_response(),
        ("POST", ["admin", "builds"]) => {
            let asked: Value = serde_json::from_slice(body).unwrap();
            let name = asked["build"].as_str().unwrap_or("2026.11.1-person");
            if kept.build.is_null() {
                kept.build = view(name, asked["kind"].as_str().unwrap());
            }
            Json(kept.build.clone()).into_response()
        }
        ("PUT", ["admin", "builds", _, "chunks", number]) => {
            let header = |name: &str| headers[name].to_str().unwrap().to_owned();
            let chunk = SentChunk {
                body: body.to_vec(),
                sha256: header("chunk-sha256"),
                first_line: header("chunk-first-line").parse().unwrap(),
            };
            kept.chunks.insert(number.parse().unwrap(), chunk);
            StatusCode::NO_CONTENT.into_response()
        }
        ("POST", ["admin", "builds", _, "seal"]) => {
            kept.build["sealed"] = json!(true);
            Json(kept.build.clone()).into_response()
        }
        // Loading takes one look: the first says loading, the next what it became.
        ("GET", ["admin", "builds", _]) => {
            let before = kept.build.clone();
            let outcome = kept.outcome.clone();
            merge(&mut kept.build, &outcome);
            Json(before).into_response()
        }
        ("POST", ["admin", "builds", name, "activate"]) => {
            Json(json!({"build": name, "waiting_for": []})).into_response()
        }
        _ => (
            StatusCode::NOT_FOUND,
            Json(refusal("not_found", "There is no such thing.")),
        )
            .into_response(),
    }
}
