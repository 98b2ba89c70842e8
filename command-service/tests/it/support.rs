//! A database of its own for each test, and an application over it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use command_service::application::{Application, Cause, Once, Policy};
use command_service::shard::Limits;
use command_service::store::{Store, StoreSettings};
use events_schema::Credits;
use events_schema::api::admin::{CreateContract, IssueApiKey, OpenAccount};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::api::internal::{
    Admit, Answer, Ask, Call, Hold, IdempotencyClaim, Receipt, Settle,
};
use events_schema::ids::{AccountId, ContractId, Shard};
use service_kit::clock::SystemClock;
use service_kit::config::Secret;
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, Postgres, Transaction};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// A database that no other test uses; its URL.
pub(crate) async fn database() -> String {
    let server = std::env::var("TEST_POSTGRES_URL")
        .expect("TEST_POSTGRES_URL names a Postgres server on which tests may create databases");
    let name = format!("command_service_{}", Uuid::new_v4().simple());
    let mut connection = PgConnection::connect(&server)
        .await
        .expect("TEST_POSTGRES_URL answers");
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&mut connection)
        .await
        .unwrap();
    let (base, _) = server
        .rsplit_once('/')
        .expect("the URL ends with a database");
    format!("{base}/{name}")
}

/// One process of command-service, without its listeners.
pub(crate) struct Process {
    pub(crate) application: Application,
    pub(crate) pool: PgPool,
    pub(crate) shutdown: CancellationToken,
    pub(crate) leases: JoinHandle<()>,
}

impl Process {
    /// On a database of its own, owning every shard.
    pub(crate) async fn alone() -> Self {
        let process = Self::on(&database().await, "http://one", Duration::from_secs(5)).await;
        process.until_owner_of_all().await;
        process
    }

    /// The same, with so many holds a contract.
    pub(crate) async fn with_holds(max_holds: usize) -> Self {
        let url = database().await;
        let limits = Limits {
            max_holds,
            ..Limits::default()
        };
        let process = Self::with(&url, "http://one", Duration::from_secs(5), limits).await;
        process.until_owner_of_all().await;
        process
    }

    pub(crate) async fn on(url: &str, address: &str, lease: Duration) -> Self {
        Self::with(url, address, lease, Limits::default()).await
    }

    /// Another process on the same database; it owns nothing while the first lives.
    pub(crate) async fn beside(first: &Self, address: &str) -> Self {
        Self::on(&first.url().await, address, Duration::from_secs(5)).await
    }

    /// The same with other limits.
    pub(crate) async fn beside_with(first: &Self, limits: Limits) -> Self {
        let lease = Duration::from_secs(5);
        Self::with(&first.url().await, "http://two", lease, limits).await
    }

    async fn url(&self) -> String {
        let name: String = sqlx::query_scalar("SELECT current_database()")
            .fetch_one(&self.pool)
            .await
            .unwrap();
        let server = std::env::var("TEST_POSTGRES_URL").unwrap();
        format!("{}/{name}", server.rsplit_once('/').unwrap().0)
    }

    /// Alone, with little patience for the store.
    pub(crate) async fn impatient() -> Self {
        Self::impatient_on(&database().await).await
    }

    /// The same, on a database that is there.
    pub(crate) async fn impatient_on(url: &str) -> Self {
        let limits = Limits {
            commit_deadline: Duration::from_millis(600),
            ..Limits::default()
        };
        let process = Self::with(url, "http://one", Duration::from_secs(5), limits).await;
        process.until_owner_of_all().await;
        process
    }

    async fn with(url: &str, address: &str, lease: Duration, limits: Limits) -> Self {
        let patience = StoreSettings::GROUP_PATIENCE;
        Self::with_patience(url, address, (lease, patience), limits).await
    }

    /// Alone, and batches wait for their group however long that takes.
    pub(crate) async fn patient() -> Self {
        let (url, lease) = (database().await, Duration::from_secs(5));
        let times = (lease, Duration::from_secs(60));
        let process = Self::with_patience(&url, "http://one", times, Limits::default()).await;
        process.until_owner_of_all().await;
        process
    }

    async fn with_patience(
        url: &str,
        address: &str,
        (lease, patience): (Duration, Duration),
        limits: Limits,
    ) -> Self {
        let answer_timeout = limits.commit_deadline / 2;
        let mut settings = StoreSettings::new(
            Secret::new(url.to_owned()),
            Uuid::new_v4(),
            address.to_owned(),
        );
        settings.max_connections = 8;
        settings.lease = lease;
        settings.group_patience = patience;
        settings.answer_timeout = answer_timeout;
        let store = Store::open(settings).await.unwrap();
        let shutdown = CancellationToken::new();
        let leases = tokio::spawn(store.clone().run_leases(shutdown.clone()));
        let policy = Policy {
            api_key_pepper: Secret::new("pepper".into()),
            limits,
        };
        let application = Application::new(store, Arc::new(SystemClock), policy);
        Self {
            application,
            pool: PgPool::connect(url).await.unwrap(),
            shutdown,
            leases,
        }
    }

    pub(crate) async fn until_owner_of_all(&self) {
        until(|| async { Shard::all().all(|shard| self.application.store().owns(shard)) }).await;
    }

    /// An account with a contract of so many credits and a key without a rate limit to speak of.
    pub(crate) async fn customer(&self, credits: i64) -> Customer {
        let cause = cause();
        let app = &self.application;
        let account = app
            .open_account(
                OpenAccount {
                    name: "acme".into(),
                },
                &Once::default(),
                &cause,
            )
            .await
            .unwrap()
            .account_id;
        let contract = app
            .create_contract(contract_of(account, credits), &Once::default(), &cause)
            .await
            .unwrap()
            .contract_id;
        let rate_limits = BTreeMap::from([(Endpoint::PersonEnrich, 1_000_000)]);
        let wish = IssueApiKey {
            account_id: account,
            endpoints: EndpointSet::All,
            rate_limits,
        };
        let key = app
            .issue_api_key(wish, &Once::default(), &cause)
            .await
            .unwrap();
        Customer {
            account,
            contract,
            api_key: key.api_key,
            api_key_id: key.api_key_id,
        }
    }

    pub(crate) async fn admit(
        &self,
        api_key: &str,
        units: u32,
        claim: Option<IdempotencyClaim>,
    ) -> Answer {
        self.application
            .answer(Call::Admit(admit(api_key, Ask::Units(units), claim)))
            .await
    }

    pub(crate) async fn settle(&self, hold: Hold, units: u32) -> Answer {
        self.application
            .answer(Call::Settle(Settle {
                hold,
                units,
                receipt: Receipt::default(),
                traceparent: None,
            }))
            .await
    }

    /// The same in a task, whatever becomes of who asked.
    pub(crate) fn settle_in_a_task(&self, hold: Hold) -> JoinHandle<Answer> {
        let application = self.application.clone();
        let settle = Settle {
            hold,
            units: 1,
            receipt: Receipt::default(),
            traceparent: None,
        };
        tokio::spawn(async move { application.answer(Call::Settle(settle)).await })
    }

    /// Locks every head, so that no batch comes through until the transaction ends.
    pub(crate) async fn lock_heads(&self) -> Transaction<'static, Postgres> {
        let mut heads = self.pool.begin().await.unwrap();
        sqlx::query("SELECT pos FROM shard_head FOR UPDATE")
            .fetch_all(&mut *heads)
            .await
            .unwrap();
        heads
    }

    /// Locks the head of one account's shard.
    pub(crate) async fn lock_head(&self, account: AccountId) -> Transaction<'static, Postgres> {
        let mut head = self.pool.begin().await.unwrap();
        sqlx::query("SELECT pos FROM shard_head WHERE shard = $1 FOR UPDATE")
            .bind(i16::from(account.shard().number()))
            .fetch_all(&mut *head)
            .await
            .unwrap();
        head
    }

    /// Waits until a statement waits for a lock.
    pub(crate) async fn until_a_statement_waits(&self) {
        self.until_statements_wait(1).await;
    }

    /// Waits until so many statements wait for a lock.
    pub(crate) async fn until_statements_wait(&self, count: i64) {
        until(|| async {
            let waiting = "SELECT count(*) FROM pg_stat_activity \
                           WHERE datname = current_database() AND wait_event_type = 'Lock'";
            let waiting: i64 = sqlx::query_scalar(waiting)
                .fetch_one(&self.pool)
                .await
                .unwrap();
            waiting >= count
        })
        .await;
    }

    /// Positions without gap in every shard, topic_seq without gap in every (shard, topic), seq in every aggregate.
    pub(crate) async fn assert_no_gap(&self) {
        let broken: Vec<(i16, i64)> = sqlx::query_as(
            "SELECT shard, pos FROM (SELECT shard, pos, row_number() OVER (PARTITION BY shard ORDER BY pos) AS place, \
             topic_seq, row_number() OVER (PARTITION BY shard, topic ORDER BY pos) AS topic_place, \
             seq, row_number() OVER (PARTITION BY aggregate_id ORDER BY pos) AS seq_place FROM event) AS e \
             WHERE pos <> place OR topic_seq <> topic_place OR seq <> seq_place",
        )
        .fetch_all(&self.pool)
        .await
        .unwrap();
        assert_eq!(broken, []);
        let wrong_heads: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM shard_head h WHERE pos <> (SELECT coalesce(max(pos), 0) FROM event e WHERE e.shard = h.shard)",
        )
        .fetch_one(&self.pool)
        .await
        .unwrap();
        assert_eq!(wrong_heads, 0);
    }

    /// Sum of the charges in the event store.
    pub(crate) async fn charged(&self) -> i64 {
        sqlx::query_scalar(
            "SELECT coalesce(sum((payload->>'credits')::bigint), 0)::bigint FROM event \
             WHERE event_type = 'contract.credits_charged.v1'",
        )
        .fetch_one(&self.pool)
        .await
        .unwrap()
    }
}

pub(crate) struct Customer {
    pub(crate) account: AccountId,
    pub(crate) contract: ContractId,
    pub(crate) api_key: String,
    pub(crate) api_key_id: events_schema::ids::ApiKeyId,
}

pub(crate) fn contract_of(account_id: AccountId, credits: i64) -> CreateContract {
    CreateContract {
        account_id,
        credits: Credits(credits),
        endpoints: EndpointSet::All,
        starts_on: None,
        expires_on: None,
        prices: BTreeMap::new(),
    }
}

pub(crate) fn admit(api_key: &str, ask: Ask, idempotency: Option<IdempotencyClaim>) -> Admit {
    Admit {
        api_key: api_key.to_owned(),
        endpoint: Endpoint::PersonEnrich,
        request_id: Uuid::new_v4(),
        ask,
        idempotency,
    }
}

pub(crate) fn cause() -> Cause {
    Cause {
        request_id: Uuid::new_v4(),
        actor: "operator:test".into(),
        traceparent: None,
    }
}

/// The hold of an admitted request.
pub(crate) fn held(answer: Answer) -> Hold {
    match answer {
        Answer::Admitted { hold, .. } => hold,
        other => panic!("not admitted: {other:?}"),
    }
}

/// Waits for a state, with a deadline.
pub(crate) async fn until<F: Future<Output = bool>>(mut state: impl FnMut() -> F) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !state().await {
        assert!(
            Instant::now() < deadline,
            "the state was not reached in 30 s"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
