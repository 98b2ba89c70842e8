//! The real router over a database of its own and the stand-in for command-service.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use chrono::{DateTime, Utc};
use events_schema::api::limits::REQUEST_TIMEOUT;
use events_schema::record::RecordKind;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use query_service::builds::{Builds, Heartbeats};
use query_service::credit_gate::{CreditGate, GateConfig};
use query_service::discover::model::{Model, ModelConfig};
use query_service::http::{App, LongReads, router};
use query_service::metrics::Metrics;
use query_service::read_model::{Ledgers, Pointers, ReadLimits, Source};
use query_service::search::Searches;
use query_service::search::files::Shelf;
use query_service::search::threads::{ThreadLimits, Threads};
use serde_json::Value;
use service_kit::EdgeConfig;
use service_kit::client::{Client, ClientConfig};
use service_kit::clock::ManualClock;
use service_kit::config::Secret;
use service_kit::objects::Objects;
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio_util::sync::{CancellationToken, DropGuard};
use tower::ServiceExt;
use uuid::Uuid;

use crate::fixture;
use crate::ledger::Ledger;

/// 2026-11-21, 05:00 UTC.
const NOW: DateTime<Utc> = DateTime::from_timestamp(1_795_237_200, 0).unwrap();
/// How long a ledger is waited for.
pub(crate) const LEDGER_WAIT: Duration = Duration::from_millis(300);
const DEADLINE: Duration = Duration::from_secs(20);

pub(crate) struct Stack {
    pub(crate) router: Router,
    pub(crate) ledger: Ledger,
    pub(crate) builds: Builds,
    pub(crate) shelf: Shelf,
    pub(crate) database: Database,
    pub(crate) client: Client,
    pub(crate) ledger_url: String,
    /// The local folder of search files.
    pub(crate) search_folder: PathBuf,
    _stop: DropGuard,
}

pub(crate) struct Answered {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answered {
    pub(crate) fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

/// A database of its own with the tables that the projector would have made.
pub(crate) struct Database {
    admin_url: String,
    name: String,
    pub(crate) url: String,
    /// The object store and, beside it, the local folder of search files.
    folder: PathBuf,
}

impl Database {
    async fn create() -> Self {
        let admin_url = std::env::var("TEST_POSTGRES_URL")
            .expect("TEST_POSTGRES_URL must name a Postgres on which tests may create databases");
        let name = format!("query_service_test_{}", Uuid::new_v4().simple());
        let mut admin = PgConnection::connect(&admin_url)
            .await
            .expect("TEST_POSTGRES_URL can be connected to");
        admin
            .execute(AssertSqlSafe(format!("create database {name}")))
            .await
            .unwrap();
        let (server, _) = admin_url
            .rsplit_once('/')
            .expect("TEST_POSTGRES_URL names a database");
        let url = format!("{server}/{name}");
        let folder = std::env::temp_dir().join(&name);
        let database = Self {
            admin_url,
            name,
            url,
            folder,
        };
        let mut own = database.connect().await;
        own.execute(include_str!("tables.sql")).await.unwrap();
        database
    }

    /// A shelf of a process of its own.
    pub(crate) fn shelf(&self, folder: &Path) -> Shelf {
        let objects = Objects::open(self.object_store().to_str().unwrap()).unwrap();
        Shelf::open(folder, objects, Metrics::default()).unwrap()
    }

    pub(crate) async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.unwrap()
    }

    pub(crate) fn object_store(&self) -> PathBuf {
        self.folder.join("objects")
    }

    /// Writes a build's search files into the object store, and names them in the read model.
    pub(crate) async fn index(&self, kind: RecordKind, number: u64, records: &[fixture::Record]) {
        let build = build_name(kind, number);
        let docs = records.iter().map(|record| &record.doc);
        let files = fixture::write_search_files(&self.folder, &build, kind, docs);
        let statement = sqlx::query("update data_build set search_files = $2 where build = $1");
        let query = statement.bind(build).bind(Json(files));
        query.execute(&mut self.connect().await).await.unwrap();
    }

    /// Fills a build's schema with the fixture, writes its search files and makes it known; `number` tells builds apart.
    pub(crate) async fn load(&self, kind: RecordKind, number: u64, records: &[fixture::Record]) {
        self.load_rows(kind, number, records).await;
        self.index(kind, number, records).await;
    }

    /// The same without search files.
    pub(crate) async fn load_rows(
        &self,
        kind: RecordKind,
        number: u64,
        records: &[fixture::Record],
    ) {
        let mut own = self.connect().await;
        let schema = schema_name(kind, number);
        let table = kind.name();
        own.execute(AssertSqlSafe(format!(
            "create schema {schema};
             create table {schema}.{table} (rank int primary key, service_id uuid unique, doc bytea not null);
             create table {schema}.dictionary (is_only boolean primary key default true check (is_only), bytes bytea not null);
             create table {schema}.{table}_key (kind smallint not null, key uuid not null, rank int not null, flags smallint not null);
             create index on {schema}.{table}_key (kind, key, rank) include (flags);"
        )))
        .await
        .unwrap();
        let document = |record: &fixture::Record| serde_json::to_vec(&record.doc).unwrap();
        // A few records give no dictionary of their own; a hundred times the same do.
        let dictionary = documents::train((0..100).flat_map(|_| records.iter().map(document)));
        sqlx::query(AssertSqlSafe(format!(
            "insert into {schema}.dictionary (bytes) values ($1)"
        )))
        .bind(dictionary.bytes())
        .execute(&mut own)
        .await
        .unwrap();
        let mut packer = documents::Packer::new(&dictionary).unwrap();
        for (record, rank) in records.iter().zip(1..) {
            let insert = format!("insert into {schema}.{table} values ($1, $2, $3)");
            let query = sqlx::query(AssertSqlSafe(insert))
                .bind(rank)
                .bind(record.id);
            query
                .bind(packer.pack(&document(record)).unwrap())
                .execute(&mut own)
                .await
                .unwrap();
            for (kind, key, flags) in &record.keys {
                let insert = format!("insert into {schema}.{table}_key values ($1, $2, $3, $4)");
                let query = sqlx::query(AssertSqlSafe(insert))
                    .bind(kind)
                    .bind(key)
                    .bind(rank)
                    .bind(flags);
                query.execute(&mut own).await.unwrap();
            }
        }
        let statement = sqlx::query(
            "insert into data_build (build, kind, status, schema_name) values ($1, $2, 'loaded', $3)",
        );
        statement
            .bind(build_name(kind, number))
            .bind(table)
            .bind(schema)
            .execute(&mut own)
            .await
            .unwrap();
    }

    pub(crate) async fn activate(&self, kind: RecordKind, number: u64) {
        let mut own = self.connect().await;
        let retire = sqlx::query(
            "update data_build set status = 'retired', retired_at = clock_timestamp() where kind = $1 and status = 'active'",
        );
        retire.bind(kind.name()).execute(&mut own).await.unwrap();
        let activate = sqlx::query("update data_build set status = 'active' where build = $1");
        activate
            .bind(build_name(kind, number))
            .execute(&mut own)
            .await
            .unwrap();
        let statement = "insert into active_build (kind, build, schema_name) values ($1, $2, $3)
            on conflict (kind) do update set build = excluded.build, schema_name = excluded.schema_name";
        let query = sqlx::query(statement)
            .bind(kind.name())
            .bind(build_name(kind, number));
        query
            .bind(schema_name(kind, number))
            .execute(&mut own)
            .await
            .unwrap();
    }

    pub(crate) async fn drop(self) {
        let mut admin = PgConnection::connect(&self.admin_url).await.unwrap();
        admin
            .execute(AssertSqlSafe(format!(
                "drop database {} with (force)",
                self.name
            )))
            .await
            .unwrap();
        let _ = std::fs::remove_dir_all(self.folder);
    }
}

/// Both kinds may have a build of the same number.
pub(crate) fn schema_name(kind: RecordKind, number: u64) -> String {
    let first = match kind {
        RecordKind::Person => 0,
        RecordKind::Company => 0xc0,
    };
    format!("b_{first:02x}{number:014x}")
}

pub(crate) fn build_name(kind: RecordKind, number: u64) -> String {
    format!("2026.10.{number}-{kind}")
}

impl Stack {
    /// With both fixtures loaded and active.
    pub(crate) async fn start(balance: i64) -> Self {
        Self::start_empty(balance).await.with_fixtures().await
    }

    async fn with_fixtures(self) -> Self {
        for kind in RecordKind::ALL {
            self.database.load(kind, 1, &fixture::build(kind)).await;
            self.database.activate(kind, 1).await;
        }
        self.follow().await;
        self
    }

    /// Reads the pointers, fetches what is missing, and switches to what is there.
    pub(crate) async fn follow(&self) {
        self.builds.poll().await.unwrap();
        self.shelf.fill().await;
        self.builds.poll().await.unwrap();
    }

    /// Without any build, and before the pointers were read.
    pub(crate) async fn start_empty(balance: i64) -> Self {
        Self::start_with(balance, ThreadLimits::default()).await
    }

    /// With both fixtures, and so much time for a request.
    pub(crate) async fn start_within(balance: i64, request_timeout: Duration) -> Self {
        let limits = ThreadLimits::default();
        let stack = Self::start_as(balance, limits, None, request_timeout).await;
        stack.with_fixtures().await
    }

    /// The same with a language model.
    pub(crate) async fn start_asking(balance: i64, model: ModelConfig) -> Self {
        let limits = ThreadLimits::default();
        Self::start_as(balance, limits, Some(model), REQUEST_TIMEOUT).await
    }

    /// The same with other limits of searches.
    pub(crate) async fn start_with(balance: i64, threads: ThreadLimits) -> Self {
        Self::start_as(balance, threads, None, REQUEST_TIMEOUT).await
    }

    async fn start_as(
        balance: i64,
        threads: ThreadLimits,
        model: Option<ModelConfig>,
        request_timeout: Duration,
    ) -> Self {
        let database = Database::create().await;
        let stop = CancellationToken::new();
        let ledger = Ledger::with_balance(balance);
        let ledger_url = ledger.start(&stop).await;
        let client = Client::new(ClientConfig {
            total_timeout: Duration::from_secs(5),
            ..ClientConfig::default()
        })
        .unwrap();
        let limits = ReadLimits {
            connections: 4,
            statement_timeout: Duration::from_millis(1500),
            ledger_wait: LEDGER_WAIT,
            ..ReadLimits::default()
        };
        let search_folder = database.folder.join("search");
        let shelf = database.shelf(&search_folder);
        let source = Source::new(&database.url, limits).unwrap();
        let builds = Builds::new(Pointers::new(source.clone()), shelf.clone());
        let gate = GateConfig {
            urls: vec![ledger_url.clone()],
            retry_pause: Duration::from_millis(5),
            ..GateConfig::default()
        };
        let app = App {
            gate: CreditGate::new(gate, client.clone(), Metrics::default()),
            builds: builds.clone(),
            ledgers: Ledgers::new(source),
            searches: Searches::new(Threads::start(threads, Metrics::default()).unwrap()),
            model: model.map(|model| Model::new(model, Metrics::default()).unwrap()),
            hash_secret: Secret::new("a secret of the tests".to_owned()),
            clock: Arc::new(ManualClock::at(NOW)),
            retry_after_seconds: 2,
            long_reads: LongReads::default(),
            metrics: Metrics::default(),
        };
        let tokens = format!("tests:{}", token()).parse().unwrap();
        let edge = EdgeConfig {
            max_body_bytes: 10_000,
            body_read_timeout: Duration::from_millis(500),
            request_timeout,
            ..EdgeConfig::default()
        };
        let router = router(app, tokens, edge);
        Self {
            router,
            ledger,
            builds,
            shelf,
            database,
            client,
            ledger_url,
            search_folder,
            _stop: stop.drop_guard(),
        }
    }

    pub(crate) fn heartbeats(&self) -> Heartbeats {
        Heartbeats {
            urls: vec![self.ledger_url.clone()],
            client: self.client.clone(),
            instance: Uuid::nil(),
            name: "tests".into(),
        }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answered {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Answered {
            status: parts.status,
            headers: parts.headers,
            text,
        }
    }

    pub(crate) async fn post(&self, path: &str, key: &str, body: Value) -> Answered {
        self.send(post(path, key).body(Body::from(body.to_string())).unwrap())
            .await
    }

    /// Waits until the condition holds, or fails.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let end = tokio::time::Instant::now() + DEADLINE;
        while !holds(self) {
            assert!(
                tokio::time::Instant::now() < end,
                "{what} did not happen in time"
            );
            tokio::task::yield_now().await;
        }
    }

    pub(crate) async fn stop(self) {
        let Self { database, .. } = self;
        database.drop().await;
    }
}

pub(crate) fn token() -> String {
    "t".repeat(32)
}

pub(crate) fn post(path: &str, key: &str) -> http::request::Builder {
    Request::post(path)
        .header("content-type", "application/json")
        .header("api-key", key)
}
