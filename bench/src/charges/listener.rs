//! Charges through command-service's internal listener, many in one request as query-service sends them when they queue.

use std::time::Duration;

use anyhow::{Context, ensure};
use events_schema::api::internal::{Answer, Answered, Calls};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use tests::servers::Servers;
use tests::{Customer, Stack};

use crate::charges::{CREDITS, Charged, prove_charged};
use crate::measure::{self, Rate};

/// Connections at once.
const WORKERS: usize = 16;
/// Charges in one request.
const CALLS: u64 = 128;

/// A running stack with one contract.
pub(crate) struct Listener {
    stack: Stack,
    charged: Charged,
}

impl Listener {
    pub(crate) async fn prepare(servers: &Servers) -> anyhow::Result<Self> {
        let stack = Stack::start_on(servers).await?;
        let customer = stack.customer(CREDITS).await?;
        Ok(Self {
            charged: charged(&customer)?,
            stack,
        })
    }

    pub(crate) const fn stack(&self) -> &Stack {
        &self.stack
    }

    pub(crate) async fn charge(&self, length: Duration) -> anyhow::Result<Rate> {
        let post = self.post(CALLS)?;
        measure::rate(WORKERS, length, move |_| post()).await
    }

    /// Charges one by one at a rate, whatever the answers take.
    pub(crate) async fn charge_at(
        &self,
        per_second: f64,
        length: Duration,
    ) -> anyhow::Result<Rate> {
        let post = self.post(1)?;
        measure::open_loop(per_second, length, post).await
    }

    /// So many charges in one request.
    fn post(
        &self,
        count: u64,
    ) -> anyhow::Result<impl Fn() -> BoxFuture<'static, anyhow::Result<u64>> + Send + Sync + 'static>
    {
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(30))
            .build()?;
        let url = format!(
            "http://127.0.0.1:{}/internal/calls",
            self.stack.ports.internal
        );
        let (token, charged) = (self.stack.query_service_token.clone(), self.charged.clone());
        Ok(move || {
            let calls = Calls {
                calls: (0..count).map(|_| charged.settle()).collect(),
            };
            let request = client.post(&url).bearer_auth(&token).json(&calls);
            async move {
                let text = request.send().await?.error_for_status()?.bytes().await?;
                let mut answers: Vec<Answer> = Vec::with_capacity(calls.calls.len());
                for line in serde_json::Deserializer::from_slice(&text).into_iter::<Answered>() {
                    answers.extend(line?.answers.into_iter().map(|(_, answer)| answer));
                }
                ensure!(answers.len() == calls.calls.len(), "an answer is missing");
                answers.iter().try_for_each(prove_charged)?;
                Ok(count)
            }
            .boxed()
        })
    }
}

fn charged(customer: &Customer) -> anyhow::Result<Charged> {
    Ok(Charged {
        account_id: customer.account_id.parse().context("account id")?,
        api_key_id: customer.api_key_id.parse().context("key id")?,
        contract_id: customer.contract_id.parse().context("contract id")?,
    })
}
