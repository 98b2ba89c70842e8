//! A whole command-service in this process, with a query-service that knows what the test tells it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use command_service::config::Config;
use command_service::service::{Ended, Listeners, Service};
use command_service::store::Store;
use events_schema::api::internal;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use service_kit::clock::{Clock, SystemClock};
use service_kit::config::Reader;
use service_kit::serve::{ServeConfig, serve};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::support::{database, until};

pub(crate) const ADMIN_TOKEN: &str = "admin-token-0123456789";
/// The tokens of the internal listener, by part.
pub(crate) const QUERY_SERVICE_TOKEN: &str = "query-service-token-0123456789";
pub(crate) const PROJECTOR_TOKEN: &str = "projector-token-0123456789";
pub(crate) const MCP_SERVER_TOKEN: &str = "mcp-server-token-0123456789";
pub(crate) const PEER_TOKEN: &str = "peer-token-0123456789";
pub(crate) const FORWARD_SECRET: &str = "forward-secret-0123456789";
/// A port that nobody listens on: Kafka that is away.
const NO_KAFKA: &str = "127.0.0.1:1";

/// What a test may choose.
pub(crate) struct Setup {
    pub(crate) database: String,
    pub(crate) brokers: String,
    pub(crate) topic_prefix: String,
}

impl Setup {
    /// A database of its own, and no Kafka.
    pub(crate) async fn without_kafka() -> Self {
        Self {
            database: database().await,
            brokers: NO_KAFKA.to_owned(),
            topic_prefix: String::new(),
        }
    }

    /// A database and topics of its own.
    pub(crate) async fn with_kafka() -> Self {
        Self {
            database: database().await,
            brokers: crate::kafka::brokers(),
            topic_prefix: format!("t{}.", Uuid::new_v4().simple()),
        }
    }
}

/// A running service.
pub(crate) struct Running {
    pub(crate) database: String,
    pub(crate) public: String,
    pub(crate) internal: String,
    pub(crate) admin: String,
    pub(crate) objects: std::path::PathBuf,
    pub(crate) records: Records,
    pub(crate) store: Store,
    pub(crate) http: reqwest::Client,
    stop: CancellationToken,
    task: JoinHandle<Result<(), Ended>>,
}

/// Records of the query-service that the tests play: by kind and id, with what stands in the asked field.
#[derive(Clone, Default)]
pub(crate) struct Records(Arc<Mutex<HashMap<(String, Uuid), Value>>>);

impl Records {
    pub(crate) fn add(&self, kind: &str, service_id: Uuid, stored_value: Value) {
        let record = json!({"kind": kind, "service_id": service_id, "build": format!("b1-{kind}"),
            "last_seen": "2026-10-02", "stored_value": stored_value});
        let key = (kind.to_owned(), service_id);
        self.0.lock().unwrap().insert(key, record);
    }

    async fn serve(self, stop: CancellationToken) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/internal/records/{kind}/{id}", get(record))
            .with_state(self);
        tokio::spawn(serve(listener, router, ServeConfig::default(), stop));
        url
    }
}

async fn record(State(records): State<Records>, Path(key): Path<(String, Uuid)>) -> Response {
    match records.0.lock().unwrap().get(&key) {
        Some(record) => Json(record.clone()).into_response(),
        None => (StatusCode::NOT_FOUND, Json(json!({"error": "not_found"}))).into_response(),
    }
}

impl Running {
    pub(crate) async fn start(setup: &Setup) -> Self {
        Self::start_at(setup, "http://127.0.0.1:0").await
    }

    /// As [`Running::start`], with the internal listener at an address, which an earlier one may have had.
    pub(crate) async fn start_at(setup: &Setup, internal: &str) -> Self {
        let running = Self::begin(setup, internal, Arc::new(SystemClock)).await;
        until(|| async { running.store.owned_shards().len() == 64 }).await;
        running
    }

    /// Does not wait for the shards: another instance may have them.
    pub(crate) async fn start_rival(setup: &Setup) -> Self {
        Self::begin(setup, "http://127.0.0.1:0", Arc::new(SystemClock)).await
    }

    /// With a clock of the test's own.
    pub(crate) async fn start_by(setup: &Setup, clock: Arc<dyn Clock>) -> Self {
        let running = Self::begin(setup, "http://127.0.0.1:0", clock).await;
        until(|| async { running.store.owned_shards().len() == 64 }).await;
        running
    }

    async fn begin(setup: &Setup, internal: &str, clock: Arc<dyn Clock>) -> Self {
        let (stop, records) = (CancellationToken::new(), Records::default());
        let query_service = records.clone().serve(stop.clone()).await;
        let objects = std::env::temp_dir().join(format!("roster-{}", Uuid::new_v4().simple()));
        let mut config = config(setup, &objects.to_string_lossy(), &query_service);
        config.internal_listen = internal.trim_start_matches("http://").parse().unwrap();
        let listeners = Listeners::bind(&config).await.unwrap();
        let url = |listener: &TcpListener| format!("http://{}", listener.local_addr().unwrap());
        let public = url(&listeners.public);
        let (internal, admin) = (url(&listeners.internal), url(&listeners.admin));
        config.store.address.clone_from(&internal);
        let store = Store::open(config.store.clone()).await.unwrap();
        let service = Service::new(config, store.clone(), clock).unwrap();
        let task = tokio::spawn(service.run(listeners, stop.clone()));
        Self {
            database: setup.database.clone(),
            public,
            internal,
            admin,
            objects,
            records,
            store,
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            stop,
            task,
        }
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap().unwrap();
        let _ = std::fs::remove_dir_all(&self.objects);
    }

    /// How it ends by itself.
    pub(crate) async fn ended(self) -> Result<(), Ended> {
        let ended = self.task.await.unwrap();
        let _ = std::fs::remove_dir_all(&self.objects);
        ended
    }

    pub(crate) async fn admin(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let url = format!("{}{path}", self.admin);
        self.json(method, &url, ADMIN_TOKEN, body).await
    }

    /// An admin request that must succeed.
    pub(crate) async fn ok(&self, method: Method, path: &str, body: Value) -> Value {
        let (status, answer) = self.admin(method, path, body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub(crate) async fn internal(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        self.internal_as(token_of(path), method, path, body).await
    }

    pub(crate) async fn internal_as(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Value,
    ) -> (u16, Value) {
        let url = format!("{}{path}", self.internal);
        self.json(method, &url, token, body).await
    }

    /// The answers of calls by their places, however many lines they come in.
    pub(crate) async fn calls(&self, calls: &Value) -> BTreeMap<usize, internal::Answer> {
        let url = format!("{}/internal/calls", self.internal);
        let request = self.http.post(url).bearer_auth(QUERY_SERVICE_TOKEN);
        let response = request.json(calls).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let text = response.text().await.unwrap();
        let lines = text.lines().map(serde_json::from_str::<internal::Answered>);
        lines.flat_map(|line| line.unwrap().answers).collect()
    }

    async fn json(&self, method: Method, url: &str, token: &str, body: Value) -> (u16, Value) {
        let mut request = self.http.request(method.clone(), url).bearer_auth(token);
        if method != Method::GET {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.bytes().await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    pub(crate) async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut request = self.http.post(format!("{}{path}", self.public)).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::of(request.send().await.unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.http.get(format!("{}{path}", self.public));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::of(request.send().await.unwrap()).await
    }

    pub(crate) async fn credits(&self, api_key: &str) -> Answer {
        self.get("/credits", &[("API-Key", api_key)]).await
    }

    /// Files a report on a person whose title the read model holds as `stored`; its id.
    pub(crate) async fn file_report(&self, stored: Value) -> String {
        let (_, _, key) = self.customer().await;
        let id = Uuid::new_v4();
        self.records.add("person", id, stored);
        let body = json!({"service_id": id, "issue_type": "outdated", "issue_level": "field",
            "field": "job_title", "correct_value": "chief operating officer"});
        let headers = [("API-Key", key.as_str())];
        let filed = self.post("/utility/report/person", &headers, &body).await;
        text(&filed.body["report_id"]).to_owned()
    }

    /// An account with a key for every endpoint: `(account id, key id, key)`.
    pub(crate) async fn customer(&self) -> (String, String, String) {
        let account = self.ok(Method::POST, "/admin/accounts", json!({"name": "acme"}));
        let account = text(&account.await["account_id"]);
        let key = json!({"account_id": account, "endpoints": ["person_enrich"]});
        let key = self.ok(Method::POST, "/admin/keys", key).await;
        (account, text(&key["api_key_id"]), text(&key["api_key"]))
    }

    /// A build of one line that is told to be loaded.
    pub(crate) async fn load_build(&self, kind: &str, build: &str) {
        self.seal_build(kind, build).await;
        let loaded = json!({"result": "loaded", "rows": 1, "rejected": 0, "rejects_object": null,
            "reference_date": "2026-11-01", "report": {}});
        self.tell_outcome(build, loaded).await;
    }

    /// A build of one line that is loading.
    pub(crate) async fn seal_build(&self, kind: &str, build: &str) {
        let start = json!({"kind": kind, "build": build});
        self.ok(Method::POST, "/admin/builds", start).await;
        let line = format!("{{\"name\":\"{build}\"}}\n");
        assert_eq!(self.put_chunk(build, 0, &line).await.0, 204);
        let seal = format!("/admin/builds/{build}/seal");
        self.ok(Method::POST, &seal, json!({"chunks": 1})).await;
    }

    pub(crate) async fn tell_outcome(&self, build: &str, outcome: Value) {
        let path = format!("/internal/builds/{build}/outcome");
        assert_eq!(self.internal(Method::POST, &path, outcome).await.0, 204);
    }

    pub(crate) async fn put_chunk(&self, build: &str, chunk: u32, lines: &str) -> (u16, Value) {
        self.put_chunk_as(build, chunk, lines, &sha256(lines)).await
    }

    pub(crate) async fn put_chunk_as(
        &self,
        build: &str,
        chunk: u32,
        lines: &str,
        sha256: &str,
    ) -> (u16, Value) {
        let url = format!("{}/admin/builds/{build}/chunks/{chunk}", self.admin);
        let request = self.http.put(url).bearer_auth(ADMIN_TOKEN);
        let request = request
            .header("Content-Type", "application/x-ndjson")
            .header("Chunk-Sha256", sha256)
            .header("Chunk-First-Line", chunk * 1_000 + 1)
            .body(lines.to_owned());
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.bytes().await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }
}

/// The token of the part that asks `path`.
fn token_of(path: &str) -> &'static str {
    match path {
        "/internal/calls" | "/internal/heartbeat" => QUERY_SERVICE_TOKEN,
        "/internal/checks" => MCP_SERVER_TOKEN,
        path if path.starts_with("/internal/events") => PROJECTOR_TOKEN,
        path if path.starts_with("/internal/builds") => PROJECTOR_TOKEN,
        _ => PEER_TOKEN,
    }
}

fn config(setup: &Setup, objects: &str, query_service: &str) -> Config {
    let named = |name: &str, token: &str| format!("{name}:{token}");
    let pairs = [
        ("COMMAND_SERVICE_PUBLIC_LISTEN", "127.0.0.1:0"),
        ("COMMAND_SERVICE_INTERNAL_LISTEN", "127.0.0.1:0"),
        ("COMMAND_SERVICE_ADMIN_LISTEN", "127.0.0.1:0"),
        ("MAX_DATABASE_CONNECTIONS", "8"),
        ("EVENT_STORE_URL", &setup.database),
        ("KAFKA_BROKERS", &setup.brokers),
        ("TOPIC_PREFIX", &setup.topic_prefix),
        ("TOPIC_PARTITIONS", "2"),
        ("OBJECT_STORE", objects),
        ("QUERY_SERVICE_URL", query_service),
        (
            "INTERNAL_TOKENS_QUERY_SERVICE",
            &named("query-service", QUERY_SERVICE_TOKEN),
        ),
        (
            "INTERNAL_TOKENS_PROJECTOR",
            &named("projector", PROJECTOR_TOKEN),
        ),
        (
            "INTERNAL_TOKENS_MCP_SERVER",
            &named("mcp-server", MCP_SERVER_TOKEN),
        ),
        ("INTERNAL_TOKENS_PEERS", &named("peer", PEER_TOKEN)),
        ("PEER_TOKEN", PEER_TOKEN),
        ("FORWARD_SECRETS", FORWARD_SECRET),
        ("ADMIN_TOKENS", &named("ops", ADMIN_TOKEN)),
        ("API_KEY_PEPPER", "pepper"),
        ("REQUEST_HASH_SECRET", "secret"),
    ];
    let mut config = Config::read(Reader::from_pairs("COMMAND_SERVICE", pairs)).unwrap();
    config.serve.drain_timeout = Duration::from_secs(5);
    config
}

/// An answer of the public listener.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    async fn of(response: reqwest::Response) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.json().await.unwrap(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Slug and `details.reason` of a refusal, whose body must be the one error body.
    pub(crate) fn refusal(&self) -> (&str, &str) {
        let keys: Vec<&str> = self
            .body
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(
            keys,
            ["error", "message", "request_id", "retryable", "details"]
        );
        assert_eq!(self.body["request_id"], self.header("request-id").unwrap());
        let reason = self.body["details"]["reason"].as_str();
        (
            self.body["error"].as_str().unwrap(),
            reason.unwrap_or_default(),
        )
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

pub(crate) fn sha256(text: &str) -> String {
    use sha2::Digest;
    hex::encode(sha2::Sha256::digest(text))
}
