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
use events_schema::api::internal::{Admit, Answer, Ask, Call};
use events_schema::ids::SHARDS;
use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use service_kit::SystemClock;
use service_kit::config::Secret;
use tests::servers::Servers;
use tests::wait::until;
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use crate::charges::{CREDITS, Charged, prove_charged, settle};
use crate::measure::{self, Rate};

/// Requests at once: what a busy customer sends.
const WORKERS: usize = 1_000;

/// Customers that are opened at a time.
const OPENED_AT_ONCE: usize = 1_000;

/// An event store of its own, with one contract.
pub(crate) struct InProcess {
    application: Application,
    charged: Charged,
    api_key: String,
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
        let (charged, api_key) = customer(&application).await?;
        Ok(Self {
            application,
            charged,
            api_key,
            _leases: leases.drop_guard(),
        })
    }

    /// One durable charge an act.
    pub(crate) async fn charge(&self, length: Duration) -> anyhow::Result<Rate> {
        let charge = self.one_charge();
        measure::rate(WORKERS, length, move |_| charge()).await
    }

    /// So many other customers.
    pub(crate) async fn customers(&self, count: u32) -> anyhow::Result<Arc<[Charged]>> {
        let opened = futures::stream::iter(0..count)
            .map(|_| async { anyhow::Ok(customer(&self.application).await?.0) })
            .buffer_unordered(OPENED_AT_ONCE);
        let customers: Vec<Charged> = opened.try_collect().await?;
        Ok(customers.into())
    }

    /// One durable charge an act, of each customer in turn.
    pub(crate) async fn charge_many(
        &self,
        customers: &Arc<[Charged]>,
        length: Duration,
    ) -> anyhow::Result<Rate> {
        let (application, customers) = (self.application.clone(), customers.clone());
        let next = AtomicUsize::new(0);
        measure::rate(WORKERS, length, move |_| {
            let place = next.fetch_add(1, Ordering::Relaxed) % customers.len().max(1);
            let call = customers.get(place).map(Charged::settle);
            let application = application.clone();
            async move {
                let call = call.context("no customers")?;
                prove_charged(&application.answer(call).await)?;
                Ok(1)
            }
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
        let (application, charged) = (self.application.clone(), self.charged.clone());
        move || {
            let (application, call) = (application.clone(), charged.settle());
            async move {
                prove_charged(&application.answer(call).await)?;
                Ok(1)
            }
            .boxed()
        }
    }

    /// Key, rate window and hold, then the durable charge: all that one request needs.
    pub(crate) async fn hold_and_charge(&self, length: Duration) -> anyhow::Result<Rate> {
        let (application, api_key) = (self.application.clone(), self.api_key.clone());
        measure::rate(WORKERS, length, move |_| {
            let (application, api_key) = (application.clone(), api_key.clone());
            async move {
                let admit = Admit {
                    api_key,
                    endpoint: Endpoint::PersonEnrich,
                    request_id: Uuid::now_v7(),
                    ask: Ask::Units(1),
                    idempotency: None,
                };
                let answer = application.answer(Call::Admit(admit)).await;
                let Answer::Admitted { hold, .. } = answer else {
                    anyhow::bail!("not admitted: {answer:?}");
                };
                prove_charged(&application.answer(settle(hold)).await)?;
                Ok(1)
            }
        })
        .await
    }
}

fn policy() -> Policy {
    Policy {
        api_key_pepper: Secret::new("bench".to_owned()),
        limits: Limits::default(),
    }
}

async fn customer(application: &Application) -> anyhow::Result<(Charged, String)> {
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
    let contract = application
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
    let charged = Charged {
        account_id: account.account_id,
        api_key_id: key.api_key_id,
        contract_id: contract.contract_id,
    };
    Ok((charged, key.api_key))
}
