//! The same decision and the same durable batch as in command-service, without HTTP between.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context;
use command_service::application::{Application, Cause, Once, Policy};
use command_service::shard::Limits;
use command_service::store::{Store, StoreSettings};
use events_schema::Credits;
use events_schema::api::admin::{CreateContract, IssueApiKey, OpenAccount};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::api::internal::Answer;
use events_schema::ids::SHARDS;
use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use service_kit::SystemClock;
use service_kit::config::Secret;
use tests::servers::Servers;
use tests::wait::until;
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use crate::charges::{CREDITS, admit, prove_charged, settle};
use crate::measure::{self, Rate};

/// Requests at once: what a busy customer sends.
const WORKERS: usize = 1_000;

/// Customers that are opened at a time.
const OPENED_AT_ONCE: usize = 1_000;

/// An event store of its own, with one customer.
pub(crate) struct InProcess {
    application: Application,
    api_key: Arc<str>,
    _leases: DropGuard,
}

impl InProcess {
    pub(crate) async fn prepare(servers: &Servers) -> anyhow::Result<Self> {
        let url = servers.create_database("charges").await?;
        let settings = StoreSettings::new(
            Secret::new(url),
            Uuid::new_v4(),
            "http://127.0.0.1:1".to_owned(),
        );
        let store = Store::open(settings).await?;
        let leases = CancellationToken::new();
        tokio::spawn(store.clone().run_leases(leases.clone()));
        until(
            "the shards are owned",
            Duration::from_secs(30),
            async || (store.owned_shards().len() == usize::from(SHARDS)).then_some(()),
        )
        .await?;
        let application = Application::new(store, Arc::new(SystemClock), policy());
        let api_key = customer(&application).await?;
        Ok(Self {
            application,
            api_key,
            _leases: leases.drop_guard(),
        })
    }

    /// One hold and one durable charge an act, all that one request needs.
    pub(crate) async fn charge(&self, length: Duration) -> anyhow::Result<Rate> {
        let charge = self.one_charge();
        measure::rate(WORKERS, length, move |_| charge()).await
    }

    /// The keys of so many other customers.
    pub(crate) async fn customers(&self, count: u32) -> anyhow::Result<Arc<[Arc<str>]>> {
        let opened = futures::stream::iter(0..count)
            .map(|_| customer(&self.application))
            .buffer_unordered(OPENED_AT_ONCE);
        let api_keys: Vec<Arc<str>> = opened.try_collect().await?;
        Ok(api_keys.into())
    }

    /// As [`Self::charge`], of each customer in turn.
    pub(crate) async fn charge_many(
        &self,
        api_keys: &Arc<[Arc<str>]>,
        length: Duration,
    ) -> anyhow::Result<Rate> {
        let (application, api_keys) = (self.application.clone(), api_keys.clone());
        let next = AtomicUsize::new(0);
        measure::rate(WORKERS, length, move |_| {
            let place = next.fetch_add(1, Ordering::Relaxed) % api_keys.len().max(1);
            let api_key = api_keys.get(place).cloned();
            let application = application.clone();
            async move { hold_and_charge(&application, &api_key.context("no customers")?).await }
        })
        .await
    }

    /// One charge after the other, nothing beside it.
    pub(crate) async fn charge_alone(&self, length: Duration) -> anyhow::Result<Rate> {
        let charge = self.one_charge();
        measure::rate(1, length, move |_| charge()).await
    }

    /// Charges at a rate, whatever the answers take.
    pub(crate) async fn charge_at(
        &self,
        per_second: f64,
        length: Duration,
    ) -> anyhow::Result<Rate> {
        measure::open_loop(per_second, length, self.one_charge()).await
    }

    fn one_charge(
        &self,
    ) -> impl Fn() -> BoxFuture<'static, anyhow::Result<u64>> + Send + Sync + 'static {
        let (application, api_key) = (self.application.clone(), self.api_key.clone());
        move || {
            let (application, api_key) = (application.clone(), api_key.clone());
            async move { hold_and_charge(&application, &api_key).await }.boxed()
        }
    }
}

/// A caller who is sent away, since a rate that pauses for nobody has filled the queue of the shard, comes again when told to; the time
/// counts.
async fn hold_and_charge(application: &Application, api_key: &str) -> anyhow::Result<u64> {
    let admitted = loop {
        match application.answer(admit(api_key)).await {
            Answer::Unavailable {
                retry_after_seconds,
                ..
            } => tokio::time::sleep(Duration::from_secs(retry_after_seconds.into())).await,
            answer => break answer,
        }
    };
    prove_charged(&application.answer(settle(admitted)?).await)?;
    Ok(1)
}

fn policy() -> Policy {
    Policy {
        api_key_pepper: Secret::new("bench".to_owned()),
        limits: Limits::default(),
    }
}

/// A new customer, by its key.
async fn customer(application: &Application) -> anyhow::Result<Arc<str>> {
    let cause = Cause {
        request_id: Uuid::now_v7(),
        actor: "operator:bench".to_owned(),
        traceparent: None,
    };
    let open = OpenAccount {
        name: "bench".to_owned(),
    };
    let account = application
        .open_account(open, &Once::default(), &cause)
        .await
        .ok()
        .context("no account")?;
    let contract = CreateContract {
        account_id: account.account_id,
        credits: Credits(CREDITS),
        endpoints: EndpointSet::All,
        starts_on: None,
        expires_on: None,
        prices: [].into(),
    };
    application
        .create_contract(contract, &Once::default(), &cause)
        .await
        .ok()
        .context("no contract")?;
    let issue = IssueApiKey {
        account_id: account.account_id,
        endpoints: EndpointSet::All,
        rate_limits: [(Endpoint::PersonEnrich, u32::MAX)].into(),
    };
    let key = application
        .issue_api_key(issue, &Once::default(), &cause)
        .await
        .ok()
        .context("no key")?;
    Ok(key.api_key.into())
}
