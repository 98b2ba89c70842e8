//! One mcp-server and its upstreams on ports of their own.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use events_schema::api::internal::{Answer, Answers, Call, Caller, Calls, Refusal};
use events_schema::ids::{AccountId, ApiKeyId};
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use mcp_server::app;
use mcp_server::config::Config;
use serde_json::{Value, json};
use service_kit::config::Reader;
use service_kit::edge::{EdgeConfig, edge};
use service_kit::serve::{ServeConfig, serve};
use service_kit::shutdown::CancellationToken;
use service_kit::token::guard;
use tokio::sync::Notify;

pub const KEY: &str = "rk_live_good";
const TOKEN: &str = "aaaaaaaaaaaaaaaa";
pub const CURRENT: &str = "2026-07-28";

/// A REST request as an upstream saw it.
#[derive(Debug, Clone)]
pub struct Seen {
    pub path: String,
    pub key: Option<String>,
    pub idempotency_keys: Vec<String>,
    pub body: Value,
}

/// Status, headers and body of a prepared answer.
type Prepared = (u16, Vec<(&'static str, &'static str)>, Value);

#[derive(Clone, Default)]
pub struct Upstreams {
    pub seen: Arc<Mutex<Vec<Seen>>>,
    pub answers: Arc<Mutex<VecDeque<Prepared>>>,
    pub checks: Arc<AtomicUsize>,
    /// Calls of the path that answers when it is let go.
    pub slow: Arc<Slow>,
}

/// What happens to the requests of `/utility/report/company`, which answers only when it is let go.
#[derive(Default)]
pub struct Slow {
    pub entered: Notify,
    pub leave: Notify,
    /// Told when a request was dropped before it was answered.
    pub dropped: Notify,
    pub answered: AtomicUsize,
}

pub struct Stack {
    pub base: String,
    pub upstreams: Upstreams,
    /// Begins the end of mcp-server.
    pub shutdown: CancellationToken,
    http: reqwest::Client,
}

/// A stack with further settings over those that wire it.
pub async fn start(settings: &[(&'static str, &str)]) -> Stack {
    let (upstreams, mut pairs) = play_upstreams().await;
    for (name, value) in settings {
        // `+` puts the value before the one that is there, in a list.
        let old = pairs
            .iter()
            .position(|(other, _)| other == name)
            .map(|at| pairs.remove(at).1);
        let value = match (value.strip_suffix('+'), old) {
            (Some(first), Some(old)) => format!("{first},{old}"),
            _ => (*value).to_owned(),
        };
        pairs.push((name, value));
    }
    let config = Config::read(Reader::from_pairs("MCP_SERVER", pairs)).unwrap();
    let shutdown = CancellationToken::new();
    let router = app::router(&config).unwrap();
    let base = listen_until(router, config.serve, shutdown.clone()).await;
    Stack {
        base,
        upstreams,
        shutdown,
        http: reqwest::Client::builder().no_proxy().build().unwrap(),
    }
}

/// The upstreams, and the settings that lead to them.
pub async fn play_upstreams() -> (Upstreams, Vec<(&'static str, String)>) {
    let upstreams = Upstreams::default();
    let rest = Router::new()
        .route("/person/enrich", post(rest_answer))
        .route("/company/enrich", post(rest_answer))
        .route("/person/search", post(rest_answer))
        .route("/company/search", post(rest_answer))
        .route("/utility/report/person", post(rest_answer))
        .route("/utility/report/company", post(slow_answer))
        .with_state(upstreams.clone());
    let internal = Router::new()
        .route("/internal/checks", post(check))
        .with_state(upstreams.clone());
    let rest = listen(edge(rest, EdgeConfig::default())).await;
    let internal = listen(edge(
        guard(internal, TOKEN.parse().unwrap()),
        EdgeConfig::default(),
    ))
    .await;
    let pairs = vec![
        ("QUERY_SERVICE_URL", rest.clone()),
        ("COMMAND_SERVICE_PUBLIC_URL", rest),
        ("COMMAND_SERVICE_URLS", internal),
        ("INTERNAL_TOKEN", TOKEN.to_owned()),
        ("PUBLIC_BASE_URL", "https://data.example.com".to_owned()),
    ];
    (upstreams, pairs)
}

async fn listen(router: Router) -> String {
    listen_until(router, ServeConfig::default(), CancellationToken::new()).await
}

async fn listen_until(router: Router, config: ServeConfig, shutdown: CancellationToken) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(serve(listener, router, config, shutdown));
    address
}

/// Tells if it is dropped before its request was answered.
struct Unanswered(Option<Arc<Slow>>);

impl Drop for Unanswered {
    fn drop(&mut self) {
        if let Some(slow) = self.0.take() {
            slow.dropped.notify_one();
        }
    }
}

async fn slow_answer(State(upstreams): State<Upstreams>, _request: Request) -> Response {
    let slow = upstreams.slow;
    let mut unanswered = Unanswered(Some(slow.clone()));
    slow.entered.notify_one();
    slow.leave.notified().await;
    unanswered.0 = None;
    slow.answered.fetch_add(1, Ordering::SeqCst);
    axum::Json(json!({"report_id": "r"})).into_response()
}

async fn rest_answer(State(upstreams): State<Upstreams>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let headers = |name: &str| -> Vec<String> {
        let values = parts.headers.get_all(name).iter();
        values
            .map(|value| value.to_str().unwrap().to_owned())
            .collect()
    };
    upstreams.seen.lock().unwrap().push(Seen {
        path: parts.uri.path().to_owned(),
        key: headers("api-key").pop(),
        idempotency_keys: headers("idempotency-key"),
        body: serde_json::from_slice(&bytes).unwrap(),
    });
    let (status, headers, body) = upstreams
        .answers
        .lock()
        .unwrap()
        .pop_front()
        .expect("an answer is prepared");
    let headers: HeaderMap = headers
        .into_iter()
        .map(|(name, value)| {
            (
                http::HeaderName::from_static(name),
                http::HeaderValue::from_static(value),
            )
        })
        .collect();
    (
        StatusCode::from_u16(status).unwrap(),
        headers,
        axum::Json(body),
    )
        .into_response()
}

async fn check(
    State(upstreams): State<Upstreams>,
    axum::Json(calls): axum::Json<Calls>,
) -> axum::Json<Answers> {
    upstreams.checks.fetch_add(1, Ordering::SeqCst);
    let answer = |call: &Call| match call {
        Call::Check { api_key } if api_key == KEY => Answer::Valid(caller()),
        _ => Answer::Refused {
            refusal: Refusal::InvalidApiKey,
            rate: None,
            standing: None,
        },
    };
    axum::Json(Answers {
        answers: calls.calls.iter().map(answer).collect(),
    })
}

fn caller() -> Caller {
    let account = json!("00000000-0000-8000-8000-000000000000");
    Caller {
        account_id: serde_json::from_value::<AccountId>(account).unwrap(),
        api_key_id: serde_json::from_value::<ApiKeyId>(json!("00aaaaaaaaaa")).unwrap(),
    }
}

pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Stack {
    pub fn will_answer(&self, status: u16, headers: &[(&'static str, &'static str)], body: Value) {
        self.upstreams
            .answers
            .lock()
            .unwrap()
            .push_back((status, headers.to_vec(), body));
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.upstreams.seen.lock().unwrap().clone()
    }

    pub fn checks(&self) -> usize {
        self.upstreams.checks.load(Ordering::SeqCst)
    }

    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        self.http
            .request(method.parse().unwrap(), format!("{}{path}", self.base))
    }

    /// A POST to `/mcp` with a valid key.
    pub fn mcp(&self) -> reqwest::RequestBuilder {
        self.request("POST", "/mcp")
            .header("API-Key", KEY)
            .header("Content-Type", "application/json")
    }

    /// A legacy request (2025-11-25).
    pub async fn legacy(&self, method: &str, params: Value) -> Reply {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        send(
            self.mcp()
                .header("MCP-Protocol-Version", "2025-11-25")
                .body(message.to_string()),
        )
        .await
    }

    /// A request of the current revision, which carries its context in `_meta` and in headers.
    pub async fn current(&self, method: &str, mut params: Value) -> Reply {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": CURRENT,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = params["name"].as_str().or_else(|| params["uri"].as_str());
        let name = name.unwrap_or_default().to_owned();
        let message = json!({"jsonrpc": "2.0", "id": "x", "method": method, "params": params});
        let mut request = self
            .mcp()
            .header("MCP-Protocol-Version", CURRENT)
            .header("Mcp-Method", method);
        if !name.is_empty() {
            request = request.header("Mcp-Name", name);
        }
        send(request.body(message.to_string())).await
    }

    /// The result of a tool call that is no protocol error.
    pub async fn call(&self, name: &str, arguments: Value) -> Value {
        let reply = self
            .legacy("tools/call", json!({"name": name, "arguments": arguments}))
            .await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert!(reply.body["error"].is_null(), "{}", reply.body);
        reply.body["result"].clone()
    }
}

pub async fn send(request: reqwest::RequestBuilder) -> Reply {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await.unwrap();
    Reply {
        status,
        headers,
        body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    }
}
