//! Databases and topics of one test, with the rows that the services would have written.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use events_schema::envelope::header;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::mocking::MockCluster;
use rdkafka::producer::{DefaultProducerContext, FutureProducer, FutureRecord};
use rdkafka::types::{RDKafkaApiKey, RDKafkaRespErr};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, PgConnection};
use uuid::Uuid;

use crate::reconcile::history::{self, AT, Message, REQUEST, request_of};
use crate::run::{Ran, Roster};

const PARTITIONS: i32 = 2;

/// An event store, read models and topics.
pub(crate) struct World {
    name: String,
    topic_prefix: String,
}

/// A server that the test run must name.
fn server(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| {
        panic!("{variable} is not set: these tests need real servers; run `make test`")
    })
}

async fn connect(database: Option<&str>) -> PgConnection {
    let options: PgConnectOptions = server("TEST_POSTGRES_URL").parse().unwrap();
    let options = database.map_or(options.clone(), |name| options.database(name));
    options.connect().await.unwrap()
}

async fn run(db: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(db)
        .await
        .unwrap_or_else(|fault| panic!("{sql}: {fault}"));
}

/// The migrations of a service, in order.
fn migrations(service: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(service)
        .join("migrations");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect()
}

impl World {
    /// The history in both databases, and these messages in the topics.
    pub(crate) async fn new(messages: Vec<Message>) -> Self {
        let name = format!("reconcile_{}", Uuid::new_v4().simple());
        let world = Self {
            topic_prefix: format!("{name}."),
            name,
        };
        let mut admin = connect(None).await;
        for database in [world.event_store(), world.read_models()] {
            run(&mut admin, &format!("CREATE DATABASE {database}")).await;
        }
        world
            .change_event_store(&migrations("command-service"))
            .await;
        world.change_read_models(&migrations("projector")).await;
        world.fill_event_store().await;
        world.fill_read_models().await;
        world.make_topics().await;
        world.send(messages).await;
        world
    }

    /// The rows as they were before a test spoiled them.
    pub(crate) async fn restore(&self) {
        let spoilt = "TRUNCATE event, account_contract; UPDATE shard_head SET pos = 0, topic_seqs = '{0,0,0,0}'";
        self.change_event_store(spoilt).await;
        let spoilt = "TRUNCATE account, api_key, contract, ledger, report, report_history, data_build, active_build, \
                      build_load, build_index, shard_checkpoint";
        self.change_read_models(spoilt).await;
        self.fill_event_store().await;
        self.fill_read_models().await;
    }

    fn event_store(&self) -> String {
        format!("{}_events", self.name)
    }

    fn read_models(&self) -> String {
        format!("{}_read", self.name)
    }

    pub(crate) async fn reconcile(&self) -> Ran {
        self.roster()
            .run(&["reconcile", "--wait", "1", "--json"])
            .await
    }

    /// With one setting changed.
    pub(crate) async fn reconcile_with(&self, name: &str, value: &str) -> Ran {
        self.roster()
            .with(name, value)
            .run(&["reconcile", "--wait", "1", "--json"])
            .await
    }

    fn roster(&self) -> Roster {
        let url = |database: String| {
            let options: PgConnectOptions = server("TEST_POSTGRES_URL").parse().unwrap();
            options.database(&database).to_url_lossy().to_string()
        };
        Roster::new()
            .with("EVENT_STORE_URL", &url(self.event_store()))
            .with("READ_MODEL_URL", &url(self.read_models()))
            .with("KAFKA_BROKERS", &server("TEST_KAFKA_BROKERS"))
            .with("TOPIC_PREFIX", &self.topic_prefix)
    }

    pub(crate) async fn change_event_store(&self, sql: &str) {
        run(&mut connect(Some(&self.event_store())).await, sql).await;
    }

    pub(crate) async fn change_read_models(&self, sql: &str) {
        run(&mut connect(Some(&self.read_models())).await, sql).await;
    }

    async fn fill_event_store(&self) {
        let mut db = connect(Some(&self.event_store())).await;
        let mut heads = BTreeMap::<i16, (i64, [i64; 4])>::new();
        for message in history::messages() {
            let topic = Topic::by_name(message.topic).unwrap();
            let head = heads.entry(message.shard).or_default();
            head.0 = message.pos;
            head.1[topic.index()] = message.topic_seq;
            sqlx::query("INSERT INTO event VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'operator:test', NULL, $10)")
                .bind(message.shard)
                .bind(message.pos)
                .bind(i16::try_from(topic.index()).unwrap())
                .bind(message.topic_seq)
                .bind(message.aggregate_id)
                .bind(message.seq)
                .bind(message.stored_type)
                .bind(&message.payload)
                .bind(request_of(message.pos))
                .bind(AT.parse::<DateTime<Utc>>().unwrap())
                .execute(&mut db)
                .await
                .unwrap();
        }
        for (shard, (pos, topic_seqs)) in heads {
            sqlx::query("UPDATE shard_head SET pos = $2, topic_seqs = $3 WHERE shard = $1")
                .bind(shard)
                .bind(pos)
                .bind(topic_seqs.to_vec())
                .execute(&mut db)
                .await
                .unwrap();
        }
        run(
            &mut db,
            &format!(
                "INSERT INTO account_contract VALUES ('{account}', '{contract}')",
                contract = history::CONTRACT,
                account = history::ACCOUNT
            ),
        )
        .await;
    }

    async fn fill_read_models(&self) {
        let mut db = connect(Some(&self.read_models())).await;
        let (account, contract, report) = (history::ACCOUNT, history::CONTRACT, history::REPORT);
        let [r3, r4, r5, r6] = [3, 4, 5, 6].map(request_of);
        let rows = format!(
            "INSERT INTO account VALUES ('{account}', 'Northwind Tools', '{AT}');
             INSERT INTO api_key VALUES ('05Kq7ZtW3mBx', '{account}', '\"all\"', '{{}}', '{AT}', '{AT}');
             INSERT INTO contract VALUES ('{contract}', '{account}', '\"all\"', 150, 3, 147, '2026-11-02', NULL, '{{}}', '{AT}', '{AT}', 'cancelled');
             INSERT INTO ledger VALUES
                (5, 3, '{contract}', '{account}', 'grant', 100, 100, NULL, NULL, '{r3}', '{AT}'),
                (5, 4, '{contract}', '{account}', 'charge', 3, 97, 'person_enrich', 3, '{r4}', '{AT}'),
                (5, 5, '{contract}', '{account}', 'grant', 50, 147, NULL, NULL, '{r5}', '{AT}'),
                (5, 6, '{contract}', '{account}', 'charge', 0, 147, 'person_enrich', 0, '{r6}', '{AT}');
             INSERT INTO report VALUES ('{report}', 'person', gen_random_uuid(), 'outdated', 'field', 'job_title', 'b-1', NULL,
                '{REQUEST}', 'x', 'under_review', '{AT}', '{AT}');
             INSERT INTO report_history VALUES
                ('{report}', 1, 'received', '{AT}', 'operator:test', NULL, NULL),
                ('{report}', 2, 'under_review', '{AT}', 'operator:test', NULL, NULL);
             INSERT INTO data_build (build, kind, status, schema_name, rows, created_at, search_files) VALUES
                ('b-1', 'person', 'retired', 'b_1', 5, '{AT}', '{{\"sha256\": \"second-b-1\"}}'),
                ('b-2', 'person', 'active', 'b_2', 5, '{AT}', '{{\"sha256\": \"second-b-2\"}}');
             INSERT INTO build_load (build, stage, rows) VALUES ('b-1', 'indexed', 5), ('b-2', 'indexed', 5);
             INSERT INTO build_index (build, state) VALUES ('b-1', 'done'), ('b-2', 'told');
             INSERT INTO active_build VALUES ('person', 'b-2', 'b_2', '{AT}');
             INSERT INTO shard_checkpoint VALUES
                ('accounts.v1', 5, 3, 7), ('credits.v1', 5, 5, 8), ('reports.v1', 2, 2, 2), ('builds.v1', 0, 10, 10);"
        );
        run(&mut db, &rows).await;
    }

    async fn make_topics(&self) {
        let names: Vec<_> = Topic::ALL.map(|topic| self.topic(topic.name())).into();
        let topics = names
            .iter()
            .map(|name| NewTopic::new(name, PARTITIONS, TopicReplication::Fixed(1)));
        let topics: Vec<_> = topics.collect();
        for made in kafka_admin()
            .create_topics(&topics, &AdminOptions::new())
            .await
            .unwrap()
        {
            made.unwrap();
        }
    }

    fn topic(&self, name: &str) -> String {
        format!("{}{name}", self.topic_prefix)
    }

    pub(crate) async fn send(&self, messages: Vec<Message>) {
        let producer: FutureProducer = client().set("enable.idempotence", "true").create().unwrap();
        for message in messages {
            let shard = Shard::new(u8::try_from(message.shard).unwrap()).unwrap();
            let topic = self.topic(message.topic);
            let payload = message.payload.to_string();
            let record = FutureRecord::to(&topic)
                .key(&message.key)
                .payload(&payload)
                .partition(shard.partition(PARTITIONS))
                .headers(headers(&message));
            producer
                .send(record, Duration::from_secs(10))
                .await
                .unwrap();
        }
    }

    /// Brokers that say where the topics end and then give none of their one message.
    pub(crate) async fn kafka_that_gives_nothing(
        &self,
    ) -> MockCluster<'static, DefaultProducerContext> {
        let kafka = MockCluster::new(1).unwrap();
        for topic in Topic::ALL {
            let name = self.topic(topic.name());
            kafka.create_topic(&name, 1, 1).unwrap();
        }
        let mut client = ClientConfig::new();
        client.set("bootstrap.servers", kafka.bootstrap_servers());
        let producer: FutureProducer = client.create().unwrap();
        let topic = self.topic("credits.v1");
        let record = FutureRecord::to(&topic).key("k").payload("{}").partition(0);
        producer
            .send(record, Duration::from_secs(10))
            .await
            .unwrap();
        let without_leader = RDKafkaRespErr::RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION;
        kafka.request_errors(RDKafkaApiKey::Fetch, &[without_leader; 10_000]);
        kafka
    }

    /// Leaves nothing behind.
    pub(crate) async fn remove(&self) {
        let mut admin = connect(None).await;
        for database in [self.event_store(), self.read_models()] {
            run(
                &mut admin,
                &format!("DROP DATABASE {database} WITH (FORCE)"),
            )
            .await;
        }
        let names = Topic::ALL.map(|topic| self.topic(topic.name()));
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        kafka_admin()
            .delete_topics(&names, &AdminOptions::new())
            .await
            .unwrap();
    }
}

fn client() -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", server("TEST_KAFKA_BROKERS"));
    config
}

fn kafka_admin() -> AdminClient<DefaultClientContext> {
    client().create().unwrap()
}

fn headers(message: &Message) -> OwnedHeaders {
    let pairs = [
        (header::ID, format!("{}-{}", message.shard, message.pos)),
        (header::TYPE, message.wire_type.clone()),
        (header::TIME, AT.to_owned()),
        (header::SEQUENCE, message.topic_seq.to_string()),
        (header::SHARD, message.shard.to_string()),
        (header::POS, message.pos.to_string()),
        (header::SEQ, message.seq.to_string()),
        (header::AGGREGATE_ID, message.aggregate_id.to_string()),
        (header::REQUEST_ID, request_of(message.pos).to_string()),
        (header::ACTOR, "operator:test".to_owned()),
    ];
    pairs
        .iter()
        .fold(OwnedHeaders::new(), |headers, (key, value)| {
            headers.insert(Header {
                key,
                value: Some(value.as_str()),
            })
        })
}
