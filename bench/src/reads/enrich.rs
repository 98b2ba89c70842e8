//! `POST /person/enrich` by e-mail, as a customer with many connections sends it: authenticated, rate-limited, charged.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::ensure;
use tests::servers::Servers;
use tests::{Customer, Stack, records};

use crate::measure::{self, Rate};
use crate::reads::PERSONS;

/// Requests at once.
const WORKERS: usize = 64;
/// More than any run charges.
const CREDITS: i64 = 1_000_000_000;

/// A stack with an active build of invented persons.
pub(crate) struct Enrich {
    stack: Stack,
    customer: Arc<Customer>,
}

impl Enrich {
    pub(crate) async fn prepare(servers: &Servers) -> anyhow::Result<Self> {
        let stack = Stack::start_on(servers).await?;
        let lines: Vec<_> = (0..PERSONS)
            .map(|number| records::person(number).to_string())
            .collect();
        stack.ingest("person", &lines.join("\n")).await?;
        let customer = Arc::new(stack.customer(CREDITS).await?);
        Ok(Self { stack, customer })
    }

    pub(crate) const fn stack(&self) -> &Stack {
        &self.stack
    }

    pub(crate) async fn measure(&self, length: Duration) -> anyhow::Result<Rate> {
        let customer = Arc::clone(&self.customer);
        let next = AtomicU32::new(0);
        measure::rate(WORKERS, length, move |_| {
            // A prime step visits all of them without an order that caches like.
            let number = next.fetch_add(1_237, Ordering::Relaxed) % PERSONS;
            let customer = Arc::clone(&customer);
            async move {
                let answer = customer.enrich(&records::email(number)).await?;
                ensure!(
                    answer.status == 200,
                    "{}: {}",
                    answer.status,
                    answer.error()
                );
                Ok(1)
            }
        })
        .await
    }
}
