//! One server a test, on a port of its own, and raw HTTP/1.1 to talk to it.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::routing::{get, post};
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};
use service_kit::body::{RawBody, parse_object};
use service_kit::edge::{EdgeConfig, Effects, RequestId, edge};
use service_kit::problem::Problem;
use service_kit::serve::{ServeConfig, serve};
use service_kit::shutdown::CancellationToken;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

pub const DEADLINE: Duration = Duration::from_secs(10);

pub struct Server {
    pub addr: SocketAddr,
    /// Told when the handler of `/wait` runs, and what it waits for.
    pub entered: Arc<Notify>,
    pub leave: Arc<Notify>,
    pub shutdown: CancellationToken,
    pub task: JoinHandle<()>,
}

/// Small sizes and long times: a test of a time shortens the one it is about.
pub fn limits() -> (EdgeConfig, ServeConfig) {
    let edge = EdgeConfig {
        max_body_bytes: 64,
        body_read_timeout: Duration::from_secs(5),
        request_timeout: Duration::from_secs(5),
        max_uri_bytes: 256,
        max_header_bytes: 2048,
        ..EdgeConfig::default()
    };
    let serve = ServeConfig {
        header_read_timeout: Duration::from_secs(5),
        max_header_bytes: 2048,
        drain_timeout: Duration::from_secs(5),
        ..ServeConfig::default()
    };
    (edge, serve)
}

pub async fn start() -> Server {
    let (edge, serve) = limits();
    start_with(edge, serve).await
}

pub async fn start_with(edge_config: EdgeConfig, serve_config: ServeConfig) -> Server {
    let (entered, leave) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let router = edge(routes(entered.clone(), leave.clone()), edge_config);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let task = tokio::spawn(serve(listener, router, serve_config, shutdown.clone()));
    Server {
        addr,
        entered,
        leave,
        shutdown,
        task,
    }
}

fn routes(entered: Arc<Notify>, leave: Arc<Notify>) -> Router {
    Router::new()
        .route("/echo", post(echo))
        .route(
            "/id/{name}",
            get(|RequestId(id): RequestId| async move { id.to_string() }),
        )
        .route("/panic", get(panics))
        .route(
            "/foreign",
            get(|| async { (http::StatusCode::IM_A_TEAPOT, "secret cause") }),
        )
        .route(
            "/own",
            get(|| async { (http::StatusCode::BAD_REQUEST, axum::Json(json!({"own": 1}))) }),
        )
        .route(
            "/unavailable",
            get(|| async { Problem::unavailable("database", 5) }),
        )
        .route("/wait", get(wait))
        .route("/stream", get(stream))
        .route("/lines", post(lines))
        .route("/wait/change", post(wait))
        .route("/wait/harmless", post(wait_without_effect))
        .route("/wait/begun", post(wait_after_beginning))
        .route("/health/live", get(|| async { "live" }))
        .with_state((entered, leave))
}

async fn panics() -> &'static str {
    panic!("the test wants it")
}

async fn echo(RawBody(body): RawBody) -> Result<axum::Json<Value>, Problem> {
    parse_object(&body).map(|map| axum::Json(Value::Object(map)))
}

type Waited = State<(Arc<Notify>, Arc<Notify>)>;

async fn wait(State((entered, leave)): Waited) -> &'static str {
    entered.notify_one();
    leave.notified().await;
    "done"
}

/// One line at once, and one when the test says so.
async fn stream(State((_, leave)): Waited) -> Body {
    let first = stream::once(async { Ok::<_, Infallible>("one\n") });
    let second = stream::once(async move {
        leave.notified().await;
        Ok("two\n")
    });
    Body::from_stream(first.chain(second))
}

/// Lines that do not end where the pieces do; the second piece when the test says so.
async fn lines(State((_, leave)): Waited) -> Body {
    let first = stream::once(async { Ok::<_, Infallible>("{\"a\": 1}\n[2") });
    let second = stream::once(async move {
        leave.notified().await;
        Ok("]\n3\n")
    });
    Body::from_stream(first.chain(second))
}

async fn wait_without_effect(effects: Effects, state: Waited) -> &'static str {
    effects.none_yet();
    wait(state).await
}

async fn wait_after_beginning(effects: Effects, state: Waited) -> &'static str {
    effects.none_yet();
    effects.begin();
    wait(state).await
}

impl Server {
    pub async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.addr).await.unwrap()
    }

    /// Sends `text` as it is and reads until the server closes or the answer is complete.
    pub async fn raw(&self, text: &str) -> Answer {
        let mut socket = self.connect().await;
        socket.write_all(text.as_bytes()).await.unwrap();
        read_answer(&mut socket).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"))
            .await
    }

    pub async fn post(&self, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        self.raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        ))
        .await
    }
}

pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The error body, after checking all that every refusal has in common.
    pub fn refusal(&self, status: u16, slug: &str) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        assert_eq!(
            self.header("content-type"),
            Some("application/json"),
            "{text}"
        );
        let body: Value = serde_json::from_slice(&self.body).expect(&text);
        let keys: Vec<&str> = body
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(
            keys,
            ["error", "message", "request_id", "retryable", "details"]
        );
        assert_eq!(body["error"], slug);
        assert_eq!(body["request_id"].as_str(), self.header("request-id"));
        assert!(self.header("process-time").unwrap().parse::<f64>().unwrap() >= 0.0);
        body["details"].clone()
    }
}

pub async fn read_answer(socket: &mut TcpStream) -> Answer {
    let read = async {
        let mut bytes = Vec::new();
        loop {
            if let Some(answer) = parse(&bytes) {
                return answer;
            }
            let mut buffer = [0; 4096];
            let count = socket.read(&mut buffer).await.unwrap_or(0);
            assert!(
                count > 0,
                "closed without an answer: {}",
                String::from_utf8_lossy(&bytes)
            );
            bytes.extend_from_slice(&buffer[..count]);
        }
    };
    tokio::time::timeout(DEADLINE, read)
        .await
        .expect("an answer in time")
}

fn parse(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().unwrap();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(0, |(_, value)| value.parse().unwrap());
    let body = bytes[end + 4..].to_vec();
    (body.len() >= length).then_some(Answer {
        status,
        headers,
        body,
    })
}

/// Reads until the server closes; panics if it has not done so in time.
pub async fn read_to_close(socket: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = socket.read_to_end(&mut bytes);
    // A reset is a close as well.
    let _ = tokio::time::timeout(DEADLINE, read)
        .await
        .expect("the server closes in time");
    bytes
}
