//! Charges through command-service's internal listener, many in one request as query-service sends them when they queue: a request
//! of holds, then a request of their charges.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::ensure;
use events_schema::api::internal::{Answer, Answered, Call, Calls};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use tests::Stack;
use tests::servers::Servers;

use crate::charges::{CREDITS, admit, prove_charged, settle};
use crate::measure::{self, Rate};

/// Longest wait for the read models.
const CATCH_UP: Duration = Duration::from_secs(600);
/// Connections at once.
const WORKERS: usize = 16;
/// Charges in one request.
const CALLS: u64 = 128;

/// A running stack with one customer.
pub(crate) struct Listener {
    stack: Stack,
    api_key: Arc<str>,
}

impl Listener {
    pub(crate) async fn prepare(servers: &Servers) -> anyhow::Result<Self> {
        let stack = Stack::start_on(servers).await?;
        let customer = stack.customer(CREDITS).await?;
        Ok(Self {
            api_key: customer.api_key.into(),
            stack,
        })
    }

    pub(crate) const fn stack(&self) -> &Stack {
        &self.stack
    }

    /// Returns when the charges are in the topic and in the read models, too: what is measured next has the machine to itself.
    pub(crate) async fn charge(&mut self, length: Duration) -> anyhow::Result<Rate> {
        let charge = self.charges(CALLS)?;
        let rate = measure::rate(WORKERS, length, move |_| charge()).await?;
        let begun = Instant::now();
        while let Err(behind) = self.stack.until_projected().await {
            ensure!(begun.elapsed() < CATCH_UP, behind);
        }
        Ok(rate)
    }

    /// Charges one by one at a rate, whatever the answers take.
    pub(crate) async fn charge_at(
        &self,
        per_second: f64,
        length: Duration,
    ) -> anyhow::Result<Rate> {
        let charge = self.charges(1)?;
        measure::open_loop(per_second, length, charge).await
    }

    /// So many holds in one request, then their charges in the next.
    fn charges(
        &self,
        count: u64,
    ) -> anyhow::Result<impl Fn() -> BoxFuture<'static, anyhow::Result<u64>> + Send + Sync + 'static>
    {
        let poster = Poster {
            client: reqwest::Client::builder()
                .no_proxy()
                .timeout(Duration::from_secs(30))
                .build()?,
            url: format!(
                "http://127.0.0.1:{}/internal/calls",
                self.stack.ports.internal
            ),
            token: self.stack.query_service_token.clone(),
        };
        let (poster, api_key) = (Arc::new(poster), self.api_key.clone());
        Ok(move || {
            let (poster, api_key) = (poster.clone(), api_key.clone());
            async move {
                let admits = (0..count).map(|_| admit(&api_key)).collect();
                let admitted = poster.post(admits).await?.into_iter();
                let settles: anyhow::Result<_> = admitted.map(settle).collect();
                let settled = poster.post(settles?).await?;
                settled.iter().try_for_each(prove_charged)?;
                Ok(count)
            }
            .boxed()
        })
    }
}

/// Sends calls as query-service does.
struct Poster {
    client: reqwest::Client,
    url: String,
    token: String,
}

impl Poster {
    /// The answer of each call, in the order in which they came.
    async fn post(&self, calls: Vec<Call>) -> anyhow::Result<Vec<Answer>> {
        let calls = Calls { calls };
        let request = self.client.post(&self.url).bearer_auth(&self.token);
        let response = request.json(&calls).send().await?.error_for_status()?;
        let text = response.bytes().await?;
        let mut answers: Vec<Answer> = Vec::with_capacity(calls.calls.len());
        for line in serde_json::Deserializer::from_slice(&text).into_iter::<Answered>() {
            answers.extend(line?.answers.into_iter().map(|(_, answer)| answer));
        }
        ensure!(answers.len() == calls.calls.len(), "an answer is missing");
        Ok(answers)
    }
}
