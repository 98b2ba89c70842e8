//! What a test stands on: a database, topics, an object store and a command-service that only answers the projector.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{Path, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use chrono::{TimeZone, Utc};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::contract::v1::{ContractCreated, ContractEnded, CreditsCharged};
use events_schema::credits::Credits;
use events_schema::envelope::header;
use events_schema::history::{Beginning, FIRST};
use events_schema::ids::{AccountId, ContractId, Shard};
use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
use projector::builds::loader::Loader;
use projector::config::Config;
use projector::consumer::gap::EventStore;
use projector::consumer::session::Consumer;
use projector::http::{self, Admin};
use projector::metrics::Metrics;
use projector::status::Status;
use rdkafka::ClientConfig;
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{FutureProducer, FutureRecord};
use serde_json::{Value, json};
use service_kit::client::{Client, ClientConfig as HttpConfig};
use service_kit::config::Reader;
use service_kit::serve::{ServeConfig, serve};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub(crate) const TOKEN: &str = "test-token-of-the-admin";
const PARTITIONS: i32 = 2;
const DEADLINE: Duration = Duration::from_secs(60);

fn required(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} must be set: these tests run on real servers"))
}

/// A database with the read models' tables, and nothing in them.
async fn make_database(name: &str) -> PgPool {
    let admin = required("TEST_POSTGRES_URL");
    let server = PgPoolOptions::new()
        .max_connections(1)
        .connect(&admin)
        .await
        .expect("TEST_POSTGRES_URL answers");
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("create database {name}")))
        .execute(&server)
        .await
        .unwrap();
    let options: PgConnectOptions = admin.parse().unwrap();
    let pool = PgPoolOptions::new()
        .max_connections(8)
        .connect_with(options.database(name))
        .await
        .unwrap();
    projector::MIGRATIONS.run(&pool).await.unwrap();
    pool
}

/// What the fake command-service knows and was told.
#[derive(Default)]
pub(crate) struct CommandService {
    pub(crate) events: Mutex<Vec<Envelope>>,
    /// Number of the history that the next events are of, and where the later ones begin.
    pub(crate) history: AtomicI64,
    pub(crate) histories: Mutex<Vec<Beginning>>,
    pub(crate) outcomes: Mutex<BTreeMap<String, Value>>,
    /// Builds that it was told to let go of, once for each time.
    pub(crate) drops: Mutex<Vec<String>>,
    /// What it answers instead of taking an outcome, by the outcome's name.
    pub(crate) refusals: Mutex<BTreeMap<&'static str, (u16, Value)>>,
}

impl CommandService {
    /// From now on outcomes of this name are answered by `status` and `body`.
    pub(crate) fn refuse(&self, result: &'static str, status: u16, body: Value) {
        self.refusals.lock().unwrap().insert(result, (status, body));
    }

    /// A refusal as command-service itself gives it.
    pub(crate) fn refuse_because(&self, result: &'static str, reason: &str) {
        let body = json!({
            "error": "bad_request", "message": "No.", "request_id": Uuid::nil(), "retryable": false,
            "details": {"reason": reason},
        });
        self.refuse(result, 409, body);
    }

    /// Outcomes of this name are taken again.
    pub(crate) fn take(&self, result: &'static str) {
        self.refusals.lock().unwrap().remove(result);
    }

    /// How often it was told that this build goes.
    pub(crate) fn drops_of(&self, build: &str) -> usize {
        let drops = self.drops.lock().unwrap();
        drops.iter().filter(|one| *one == build).count()
    }
}

pub(crate) struct Stack {
    pub(crate) pool: PgPool,
    pub(crate) config: Config,
    pub(crate) command_service: Arc<CommandService>,
    pub(crate) status: Arc<Status>,
    pub(crate) objects: PathBuf,
    pub(crate) spool: PathBuf,
    client: Client,
    producer: FutureProducer,
    stop: CancellationToken,
    next: Mutex<BTreeMap<(Topic, Shard), (i64, i64)>>,
}

impl Stack {
    /// As [`Stack::new`], for a projector that applies what Kafka brings, however late: it never fetches from the event store what has not come yet,
    /// such as the true event behind a message that a test has spoilt.
    pub(crate) async fn of_kafka_alone() -> Self {
        let mut stack = Self::new().await;
        stack.config.consumer.tail_look = Duration::from_secs(3_600);
        stack
    }

    /// Everything but a running projector.
    pub(crate) async fn new() -> Self {
        let name = format!("projector_test_{}", Uuid::new_v4().simple());
        let pool = make_database(&name).await;
        let objects = std::env::temp_dir().join(&name);
        let stop = CancellationToken::new();
        let command_service = Arc::new(CommandService::default());
        command_service.history.store(FIRST, Ordering::Relaxed);
        let url = serve_commands(command_service.clone(), stop.clone()).await;
        let brokers = required("TEST_KAFKA_BROKERS");
        let config = Config::read(Reader::from_pairs(
            "PROJECTOR",
            [
                ("READ_MODEL_URL", required("TEST_POSTGRES_URL")),
                ("KAFKA_BROKERS", brokers.clone()),
                ("TOPIC_PREFIX", format!("{name}.")),
                ("TOPIC_PARTITIONS", PARTITIONS.to_string()),
                ("COMMAND_SERVICE_URLS", url),
                (
                    "OBJECT_STORE",
                    objects.join("objects").display().to_string(),
                ),
                ("LOAD_POLL", "20ms".to_owned()),
                ("LOAD_ATTEMPTS", "3".to_owned()),
                ("LOAD_PAUSE", "20ms".to_owned()),
                ("TAIL_LOOK", "100ms".to_owned()),
                ("LEASE", "600ms".to_owned()),
                ("DROP_GRACE", "0s".to_owned()),
                ("SEARCH_SPOOL", objects.join("spool").display().to_string()),
                ("SEARCH_LEASE", "600ms".to_owned()),
                ("SEARCH_ATTEMPTS", "3".to_owned()),
                ("SEARCH_PAUSE", "20ms".to_owned()),
                ("ADMIN_TOKENS", TOKEN.to_owned()),
            ],
        ))
        .unwrap();
        projector::consumer::topics::create_missing(&config.consumer.kafka)
            .await
            .expect("TEST_KAFKA_BROKERS answers");
        Self {
            pool,
            config,
            command_service,
            status: Arc::new(Status::default()),
            spool: objects.join("spool"),
            objects: objects.join("objects"),
            client: Client::new(HttpConfig {
                token: Some(service_kit::config::Secret::new(TOKEN.to_owned())),
                ..HttpConfig::default()
            })
            .unwrap(),
            producer: ClientConfig::new()
                .set("bootstrap.servers", &brokers)
                .set("linger.ms", "0")
                .create()
                .unwrap(),
            stop,
            next: Mutex::default(),
        }
    }

    /// Starts consumer, loader and listener; the listener's address.
    pub(crate) async fn start(&self) -> String {
        self.start_until(&self.stop).await
    }

    /// Like [`Stack::start`], with an end of its own.
    pub(crate) async fn start_until(&self, stop: &CancellationToken) -> String {
        self.start_over(self.pool.clone(), stop).await
    }

    /// A projector with connections of its own to the database.
    pub(crate) async fn start_over(&self, pool: PgPool, stop: &CancellationToken) -> String {
        let store = EventStore::new(
            self.client.clone(),
            self.config.command_service_urls.clone(),
        );
        let status = self.status.clone();
        let consumer = Consumer::new(
            pool.clone(),
            self.config.consumer.clone(),
            store.clone(),
            status.clone(),
            Metrics::default(),
        )
        .unwrap();
        tokio::spawn(consumer.clone().run(stop.clone()));
        tokio::spawn(self.loader_over(pool.clone()).run(stop.clone()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let router = http::router(
            Admin {
                pool,
                consumer,
                store,
                status,
            },
            self.config.tokens.clone(),
        );
        tokio::spawn(serve(
            listener,
            router,
            ServeConfig::default(),
            stop.clone(),
        ));
        address
    }

    /// As an operator makes read models anew: an empty database. The folder of objects stays as it is.
    pub(crate) async fn make_database_anew(&mut self) {
        let name = format!("projector_test_{}", Uuid::new_v4().simple());
        self.pool = make_database(&name).await;
    }

    /// What asks command-service and the listener.
    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    /// The loader of another process.
    pub(crate) fn load_beside(&self) {
        tokio::spawn(self.loader().run(self.stop.clone()));
    }

    pub(crate) fn loader(&self) -> Loader {
        self.loader_over(self.pool.clone())
    }

    fn loader_over(&self, pool: PgPool) -> Loader {
        let urls = self.config.command_service_urls.clone();
        Loader::new(
            pool,
            self.config.builds.clone(),
            self.client.clone(),
            urls,
            Metrics::default(),
        )
        .unwrap()
    }

    pub(crate) async fn get(&self, url: &str) -> Value {
        self.client.get_json(url).await.unwrap()
    }

    pub(crate) async fn post(&self, url: &str) -> (u16, Value) {
        self.send_to(::http::Method::POST, url).await
    }

    /// What a GET answers, whatever its status.
    pub(crate) async fn answer(&self, url: &str) -> (u16, Value) {
        self.send_to(::http::Method::GET, url).await
    }

    async fn send_to(&self, method: ::http::Method, url: &str) -> (u16, Value) {
        let headers = ::http::HeaderMap::new();
        let sent = self.client.send(method, url, headers, "{}".into());
        let answer = sent.await.unwrap();
        (
            answer.status.as_u16(),
            serde_json::from_slice(&answer.body).unwrap_or(Value::Null),
        )
    }

    /// The next event of a shard, as command-service would store it.
    pub(crate) fn stored(&self, shard: Shard, event: impl Into<Event>) -> Envelope {
        let event = event.into();
        let mut next = self.next.lock().unwrap();
        let (pos, topic_seq) = next.entry((event.topic(), shard)).or_insert((0, 0));
        *pos += 1;
        *topic_seq += 1;
        let envelope = Envelope {
            shard,
            pos: *pos * 10 + i64::try_from(event.topic().index()).unwrap(),
            history: self.command_service.history.load(Ordering::Relaxed),
            topic_seq: *topic_seq,
            aggregate_id: Uuid::from_u128(7),
            seq: *topic_seq,
            occurred_at: Utc.with_ymd_and_hms(2026, 10, 2, 8, 0, 0).unwrap(),
            request_id: Uuid::new_v4(),
            actor: "operator:test".to_owned(),
            traceparent: None,
            event,
        };
        self.command_service
            .events
            .lock()
            .unwrap()
            .push(envelope.clone());
        envelope
    }

    /// The store goes back: in the shard and topic of this event everything after it has never been.
    pub(crate) fn go_back(&self, to: &Envelope) {
        let stream = (to.event.topic(), to.shard);
        let mut events = self.command_service.events.lock().unwrap();
        events.retain(|e| (e.event.topic(), e.shard) != stream || e.topic_seq <= to.topic_seq);
        let place = (to.topic_seq, to.topic_seq);
        self.next.lock().unwrap().insert(stream, place);
    }

    /// What comes after this event is of another history.
    pub(crate) fn begin_history(&self, history: i64, after: &Envelope) {
        let beginning = Beginning {
            shard: after.shard,
            history,
            first_pos: after.pos + 1,
        };
        let mut histories = self.command_service.histories.lock().unwrap();
        histories.push(beginning);
        self.command_service
            .history
            .store(history, Ordering::Relaxed);
    }

    /// Stores and sends an event.
    pub(crate) async fn happen(&self, shard: Shard, event: impl Into<Event>) -> Envelope {
        let envelope = self.stored(shard, event);
        self.send(&envelope).await;
        envelope
    }

    pub(crate) async fn send(&self, envelope: &Envelope) {
        let value = envelope.event.payload().unwrap();
        self.send_raw(envelope, &value).await;
    }

    /// Sends a message with the headers of an event and any value.
    pub(crate) async fn send_raw(&self, envelope: &Envelope, value: &str) {
        let fields = [
            (header::TYPE, envelope.event.wire_type().to_owned()),
            (header::ID, envelope.ce_id()),
            (header::SHARD, envelope.shard.to_string()),
            (header::POS, envelope.pos.to_string()),
            (header::SEQUENCE, envelope.topic_seq.to_string()),
            (header::HISTORY, envelope.history.to_string()),
            (header::SEQ, envelope.seq.to_string()),
            (header::AGGREGATE_ID, envelope.aggregate_id.to_string()),
            (header::REQUEST_ID, envelope.request_id.to_string()),
            (header::TIME, envelope.occurred_at.to_rfc3339()),
            (header::ACTOR, envelope.actor.clone()),
        ];
        let headers = fields
            .iter()
            .fold(OwnedHeaders::new(), |headers, (key, value)| {
                headers.insert(Header {
                    key,
                    value: Some(value),
                })
            });
        let topic = self
            .config
            .consumer
            .kafka
            .topic(envelope.event.topic().name());
        let key = envelope.event.message_key();
        let record = FutureRecord::to(&topic)
            .key(&key)
            .payload(value)
            .partition(envelope.shard.partition(PARTITIONS))
            .headers(headers);
        self.producer.send(record, DEADLINE).await.unwrap();
    }

    /// Sends a message with this key and no headers.
    pub(crate) async fn send_keyed(&self, topic: Topic, shard: Shard, key: &str, value: &str) {
        let topic = self.config.consumer.kafka.topic(topic.name());
        let record = FutureRecord::to(&topic)
            .key(key)
            .payload(value)
            .partition(shard.partition(PARTITIONS));
        self.producer.send(record, DEADLINE).await.unwrap();
    }

    /// Waits until the read models hold everything that was stored in a topic's shard.
    pub(crate) async fn until_projected(&self, last: &Envelope) {
        let (topic, shard) = (last.event.topic().name(), i16::from(last.shard.number()));
        self.until("the event is projected", || async {
            let seq: Option<i64> = sqlx::query_scalar(
                "select topic_seq from shard_checkpoint where topic = $1 and shard = $2",
            )
            .bind(topic)
            .bind(shard)
            .fetch_optional(&self.pool)
            .await
            .unwrap();
            (seq.unwrap_or(0) >= last.topic_seq).then_some(())
        })
        .await;
    }

    /// Polls until there is a value.
    pub(crate) async fn until<T, F: Future<Output = Option<T>>>(
        &self,
        what: &str,
        mut look: impl FnMut() -> F,
    ) -> T {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(found) = look().await {
                return found;
            }
            assert!(Instant::now() < deadline, "never: {what}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub(crate) async fn until_dropped(&self, build: &str) {
        self.until("the build is dropped", || async {
            let stage: Option<String> =
                sqlx::query_scalar("select stage from build_load where build = $1")
                    .bind(build)
                    .fetch_optional(&self.pool)
                    .await
                    .unwrap();
            (stage.as_deref() == Some("dropped")).then_some(())
        })
        .await;
    }

    pub(crate) async fn number(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
    }

    /// Runs statements that no test's input is part of.
    pub(crate) async fn change(&self, sql: &str) {
        let changed = sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()));
        changed.execute(&self.pool).await.unwrap();
    }

    /// Stops the projector that `start` began and everything else.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        self.stop();
        let _ = self.objects.parent().map(std::fs::remove_dir_all);
    }
}

async fn serve_commands(state: Arc<CommandService>, stop: CancellationToken) -> String {
    let router = Router::new()
        .route("/internal/events", get(events))
        .route("/internal/heads", get(heads))
        .route("/internal/builds/{build}/outcome", post(outcome))
        .with_state(state);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, router, ServeConfig::default(), stop));
    format!("http://{address}")
}

async fn events(
    State(state): State<Arc<CommandService>>,
    Query(asked): Query<BTreeMap<String, String>>,
) -> Json<Value> {
    let number = |name: &str| asked[name].parse::<i64>().unwrap();
    let found: Vec<Envelope> = state
        .events
        .lock()
        .unwrap()
        .iter()
        .filter(|e| e.event.topic().name() == asked["topic"])
        .filter(|e| {
            i64::from(e.shard.number()) == number("shard")
                && e.topic_seq > number("after_topic_seq")
        })
        .take(usize::try_from(number("limit")).unwrap())
        .cloned()
        .collect();
    Json(json!({"events": found}))
}

async fn heads(State(state): State<Arc<CommandService>>) -> Json<Value> {
    let mut topic_seqs: BTreeMap<&str, Vec<i64>> = Topic::ALL
        .into_iter()
        .map(|topic| (topic.name(), vec![0; 64]))
        .collect();
    for envelope in state.events.lock().unwrap().iter() {
        let of_topic = topic_seqs.get_mut(envelope.event.topic().name()).unwrap();
        let head = &mut of_topic[usize::from(envelope.shard.number())];
        *head = (*head).max(envelope.topic_seq);
    }
    let histories = state.histories.lock().unwrap().clone();
    Json(json!({"topic_seqs": topic_seqs, "histories": histories}))
}

async fn outcome(
    State(state): State<Arc<CommandService>>,
    Path(build): Path<String>,
    Json(told): Json<Value>,
) -> (::http::StatusCode, Json<Value>) {
    let result = told["result"].as_str().unwrap().to_owned();
    if result == "dropping" {
        state.drops.lock().unwrap().push(build.clone());
    }
    if let Some((status, body)) = state.refusals.lock().unwrap().get(result.as_str()) {
        let status = ::http::StatusCode::from_u16(*status).unwrap();
        return (status, Json(body.clone()));
    }
    if result != "dropping" {
        state.outcomes.lock().unwrap().insert(build, told);
    }
    (::http::StatusCode::NO_CONTENT, Json(Value::Null))
}

/// An account, its contract, and events about it.
pub(crate) struct Customer {
    pub(crate) account: AccountId,
    pub(crate) contract: ContractId,
}

impl Customer {
    pub(crate) fn new(seed: u8) -> Self {
        let account = AccountId::new(std::array::from_fn(|n| seed.wrapping_mul(37) ^ (n as u8)));
        Self {
            account,
            contract: ContractId::new(account, [seed; 16]),
        }
    }

    pub(crate) fn shard(&self) -> Shard {
        self.account.shard()
    }

    pub(crate) fn created(&self, credits: i64) -> ContractCreated {
        ContractCreated {
            contract_id: self.contract,
            account_id: self.account,
            endpoints: EndpointSet::All,
            credits: Credits(credits),
            starts_on: "2026-01-01".parse().unwrap(),
            expires_on: None,
            prices: BTreeMap::new(),
        }
    }

    pub(crate) fn charged(&self, credits: i64, balance_after: i64) -> CreditsCharged {
        CreditsCharged {
            contract_id: self.contract,
            account_id: self.account,
            endpoint: Endpoint::PersonEnrich,
            units: 1,
            credits: Credits(credits),
            balance_after: Credits(balance_after),
        }
    }

    pub(crate) fn ended(&self, balance_after: i64) -> ContractEnded {
        ContractEnded {
            contract_id: self.contract,
            account_id: self.account,
            reason: "cancelled".to_owned(),
            ended_at: Utc.timestamp_opt(1_795_000_000, 0).unwrap(),
            balance_after: Credits(balance_after),
        }
    }
}
