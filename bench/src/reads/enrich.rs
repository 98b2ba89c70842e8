//! `POST /person/enrich` by e-mail, as a customer with many connections sends it: authenticated, rate-limited, charged.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use tests::Customer;

use crate::measure::{self, Rate};
use crate::world::World;

/// More than any run charges.
const CREDITS: i64 = 1_000_000_000;
/// One in so many persons is asked for: more than fit into a cache of answers, spread over the whole build.
const STEP: usize = 20;

/// A customer, and e-mail addresses that are in the build.
pub(crate) struct Enrich {
    customer: Arc<Customer>,
    emails: Arc<Vec<String>>,
}

impl Enrich {
    pub(crate) async fn prepare(world: &World) -> anyhow::Result<Self> {
        let emails = world.lines.emails(STEP)?;
        ensure!(!emails.is_empty(), "no person has an e-mail address");
        Ok(Self {
            customer: Arc::new(world.stack.customer(CREDITS).await?),
            emails: Arc::new(emails),
        })
    }

    pub(crate) async fn measure(&self, callers: usize, length: Duration) -> anyhow::Result<Rate> {
        let (customer, emails) = (Arc::clone(&self.customer), Arc::clone(&self.emails));
        let next = AtomicUsize::new(0);
        measure::rate(callers, length, move |_| {
            // A prime step visits all of them without an order that caches like.
            let place = next.fetch_add(1_237, Ordering::Relaxed) % emails.len();
            let (customer, emails) = (Arc::clone(&customer), Arc::clone(&emails));
            async move {
                let email = emails.get(place).context("a place in the list")?;
                let answer = customer.enrich(email).await?;
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
