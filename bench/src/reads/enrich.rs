//! `POST /person/enrich` as a customer with many connections sends it: authenticated, rate-limited, charged.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tests::Customer;

use crate::measure::{self, Rate};
use crate::world::World;

/// More than any run charges.
const CREDITS: i64 = 1_000_000_000;
/// One in so many persons is asked for: more than fit into a cache of answers, spread over the whole build.
const STEP: usize = 20;

/// A customer, and requests for persons that are in the build.
pub(crate) struct Enrich {
    customer: Arc<Customer>,
    bodies: Arc<Vec<Value>>,
    /// Beside 200. A name and a company may be those of two.
    may_be_refused: bool,
}

impl Enrich {
    pub(crate) async fn by_email(world: &World) -> anyhow::Result<Self> {
        let body = |person: &Value| {
            let email = person.pointer("/emails/0/address")?.as_str()?;
            Some(json!({ "email": email, "include_fields": "full_name" }))
        };
        Self::prepare(world, body, false).await
    }

    pub(crate) async fn by_name(world: &World) -> anyhow::Result<Self> {
        let body = |person: &Value| {
            let (name, company) = (person.get("full_name")?, person.get("company_name")?);
            let is_text = name.is_string() && company.is_string();
            is_text.then(
                || json!({ "full_name": name, "company": company, "include_fields": "full_name" }),
            )
        };
        Self::prepare(world, body, true).await
    }

    async fn prepare(
        world: &World,
        body: impl Fn(&Value) -> Option<Value>,
        may_be_refused: bool,
    ) -> anyhow::Result<Self> {
        let bodies = world.lines.each(STEP, body)?;
        ensure!(!bodies.is_empty(), "no person can be asked for");
        Ok(Self {
            customer: Arc::new(world.stack.customer(CREDITS).await?),
            bodies: Arc::new(bodies),
            may_be_refused,
        })
    }

    pub(crate) async fn measure(&self, callers: usize, length: Duration) -> anyhow::Result<Rate> {
        let (customer, bodies) = (Arc::clone(&self.customer), Arc::clone(&self.bodies));
        let may_be_refused = self.may_be_refused;
        let next = AtomicUsize::new(0);
        measure::rate(callers, length, move |_| {
            // A prime step visits all of them without an order that caches like.
            let place = next.fetch_add(1_237, Ordering::Relaxed) % bodies.len();
            let (customer, bodies) = (Arc::clone(&customer), Arc::clone(&bodies));
            async move {
                let body = bodies.get(place).context("a place in the list")?;
                let answer = customer.post("/person/enrich", body).await?;
                ensure!(
                    answer.status == 200 || (answer.status == 404 && may_be_refused),
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
