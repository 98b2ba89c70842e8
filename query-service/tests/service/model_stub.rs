//! A stand-in for a language model's server: it answers what a test chooses, and keeps every call.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, post};
use axum::{Json, Router};
use bytes::Bytes;
use futures::{StreamExt, stream};
use http::{HeaderMap, StatusCode};
use query_service::discover::model::{ModelConfig, base_url};
use serde_json::{Value, json};
use service_kit::config::Secret;
use service_kit::serve::{ServeConfig, serve};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, DropGuard};

/// What the server does with a call.
#[derive(Clone)]
pub(crate) enum Reply {
    /// The model writes this.
    Text(String),
    /// The model writes this once [`ModelStub::release`] was called.
    Held(String),
    /// This body.
    Body(String),
    /// This status, with a body that would be good.
    Status(u16, String),
    /// Somewhere else, where a good answer is.
    Redirect(String),
    /// A body without end.
    Endless,
    /// A beginning, and nothing more.
    Stuck,
    /// Nothing.
    Silent,
}

pub(crate) struct ModelStub {
    shared: Arc<Shared>,
    pub(crate) config: ModelConfig,
    _stop: DropGuard,
}

struct Shared {
    reply: Mutex<Reply>,
    calls: Mutex<Vec<(HeaderMap, Value)>>,
    /// Calls where a redirect leads to.
    followed: Mutex<usize>,
    release: Notify,
}

/// What a model that answers as it should wraps its text in.
fn completion(text: &str) -> Value {
    json!({
        "id": "x", "object": "chat.completion", "created": 1, "model": "small",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
}

/// A model at an address, waited for so long that a slow machine is no matter.
pub(crate) fn config(url: &str) -> ModelConfig {
    ModelConfig {
        url: base_url(url).unwrap(),
        model: "small".to_owned(),
        key: Some(Secret::new("sesame".to_owned())),
        time_limit: Duration::from_secs(10),
        calls: 4,
    }
}

impl ModelStub {
    pub(crate) async fn start(reply: Reply) -> Self {
        let stop = CancellationToken::new();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            reply: Mutex::new(reply),
            calls: Mutex::default(),
            followed: Mutex::default(),
            release: Notify::new(),
        });
        let router = Router::new()
            .route("/v1/chat/completions", post(answer))
            .route("/elsewhere", any(elsewhere))
            .with_state(Arc::clone(&shared));
        tokio::spawn(serve(
            listener,
            router,
            ServeConfig::default(),
            stop.clone(),
        ));
        Self {
            shared,
            config: config(&url),
            _stop: stop.drop_guard(),
        }
    }

    pub(crate) fn reply(&self, reply: Reply) {
        *self.shared.reply.lock().unwrap() = reply;
    }

    pub(crate) fn calls(&self) -> Vec<(HeaderMap, Value)> {
        self.shared.calls.lock().unwrap().clone()
    }

    pub(crate) fn asked(&self) -> usize {
        self.shared.calls.lock().unwrap().len()
    }

    pub(crate) fn followed(&self) -> usize {
        *self.shared.followed.lock().unwrap()
    }

    /// Lets one call that is held go on.
    pub(crate) fn release(&self) {
        self.shared.release.notify_one();
    }
}

async fn elsewhere(State(shared): State<Arc<Shared>>) -> StatusCode {
    *shared.followed.lock().unwrap() += 1;
    StatusCode::OK
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    shared.calls.lock().unwrap().push((headers, body));
    let reply = shared.reply.lock().unwrap().clone();
    match reply {
        Reply::Text(text) => Json(completion(&text)).into_response(),
        Reply::Held(text) => {
            shared.release.notified().await;
            Json(completion(&text)).into_response()
        }
        Reply::Body(body) => body.into_response(),
        Reply::Status(status, text) => {
            let status = StatusCode::from_u16(status).unwrap();
            (status, Json(completion(&text))).into_response()
        }
        Reply::Redirect(text) => {
            let to = [("location", "/elsewhere")];
            let status = StatusCode::TEMPORARY_REDIRECT;
            (status, to, Json(completion(&text))).into_response()
        }
        Reply::Endless => {
            let chunk = Bytes::from(vec![b' '; 16 * 1024]);
            let chunks = stream::repeat_with(move || Ok::<_, Infallible>(chunk.clone()));
            Body::from_stream(chunks).into_response()
        }
        Reply::Stuck => {
            let begin = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"{\"choices\":"))]);
            Body::from_stream(begin.chain(stream::pending())).into_response()
        }
        Reply::Silent => std::future::pending().await,
    }
}
