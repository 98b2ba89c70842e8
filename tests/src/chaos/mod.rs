//! Chaos: what is done to the parts while clients ask, and whether every promise holds meanwhile and afterwards.
//!
//! A fault is one file of [`faults`]: a schedule that follows from a seed, a time limit, and the [`load`] that runs beside it. Every
//! request and its answer is recorded ([`history`]); at the end the [`checker`] compares all of it with the event store, the topics and the
//! read models, and `roster reconcile` proves these three. `make chaos` runs all of them at their full length and prints a row for each, the
//! system tests run short ones. A schedule pauses by the clock; nothing waits by it.
//!
//! A library, not a test target: the program and the tests run the same faults, and a fault that breaks something is repeated by its
//! seed as often as it takes.

pub mod checker;
pub mod faults;
pub mod history;
pub mod load;
pub mod proxy;
pub mod schedule;
pub mod world;

use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use futures::future::LocalBoxFuture;
use tokio::time::timeout;

pub use schedule::{Plan, Random};
pub use world::World;

use checker::Charged;

/// One way to hurt the parts.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// As `make chaos ONLY=` takes it.
    pub name: &'static str,
    /// What is done.
    pub does: &'static str,
    /// The limit of the whole, start and checks included.
    limit: Duration,
    run: fn(Plan) -> LocalBoxFuture<'static, anyhow::Result<Seen>>,
}

/// What was seen of a fault.
#[derive(Debug, Default)]
pub struct Seen {
    /// Requests that were sent.
    pub requests: usize,
    /// Answers by status: `503?` is a 503 that tells the outcome as unknown, `broken` no whole answer.
    pub answers: String,
    /// Credits charged.
    pub charged: Charged,
    /// Messages in the topics that are there once more: the same event under the same `ce_id`.
    pub repeats: usize,
    /// What else is worth knowing of this run.
    pub notes: Vec<String>,
    /// What did not hold; nothing is as it must be.
    pub violations: Vec<String>,
    /// Why it was not run here, where that is so.
    pub skipped: Option<&'static str>,
}

/// A fault that was run.
#[derive(Debug)]
pub struct Row {
    /// Of the fault.
    pub name: &'static str,
    /// What was seen, or why it did not come to its end.
    pub seen: anyhow::Result<Seen>,
    /// How long it took.
    pub took: Duration,
}

impl Row {
    /// Whether the fault was tried and everything held.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.seen
            .as_ref()
            .is_ok_and(|seen| seen.violations.is_empty() && seen.skipped.is_none())
    }
}

impl Fault {
    /// Runs it within its limit.
    pub async fn run(&self, plan: Plan) -> Row {
        let began = Instant::now();
        let seen = timeout(self.limit, (self.run)(plan)).await;
        let seen = seen.unwrap_or_else(|_| Err(anyhow!("not within {:?}", self.limit)));
        Row {
            name: self.name,
            seen,
            took: began.elapsed(),
        }
    }
}

/// Runs the short form of a fault, for a system test.
///
/// # Errors
/// When something did not hold, with all of it and the seed; and when the fault cannot be tried here.
pub async fn briefly(name: &str, seed: u64) -> anyhow::Result<Seen> {
    let found = faults::ALL.iter().find(|fault| fault.name == name);
    let fault = found.with_context(|| format!("no such fault: {name}"))?;
    let plan = Plan {
        seed,
        is_short: true,
    };
    let seen = fault.run(plan).await.seen;
    let seen = seen.with_context(|| format!("{name}, seed {seed}"))?;
    ensure!(seen.violations.is_empty(), "{name}, seed {seed}: {seen:#?}");
    if let Some(why) = seen.skipped {
        bail!("{name} was not tried: {why}");
    }
    Ok(seen)
}
