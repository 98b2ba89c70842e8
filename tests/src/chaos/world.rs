//! A stack with customers who ask, and the questions at the end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use super::checker::{Allowed, Charged, Charges, answers, check};
use super::history::History;
use super::load::{Load, PERSONS};
use super::schedule::Plan;
use super::{Random, Seen};
use crate::process::temporary_folder;
use crate::records::persons;
use crate::servers::{PrivateServers, Servers};
use crate::wait::until;
use crate::wiring::Wiring;
use crate::{Customer, Stack};

/// Enough for every load.
const RICH: i64 = 10_000_000;

/// Names the folder in which histories are kept.
const KEPT: &str = "CHAOS_FOLDER";

const OWNERS: &str = "select count(distinct address) from shard_lease where expires_at > now()";
const OWNED_WITHIN: Duration = Duration::from_secs(60);

/// What a fault needs.
#[derive(Debug, Default)]
pub struct Needs {
    /// A Postgres and a Kafka that it may stop.
    pub private_servers: bool,
    /// How the parts are wired.
    pub wiring: Wiring,
    /// Further settings of the services.
    pub settings: Vec<(&'static str, String)>,
}

/// A stack, its customers and the history of what they asked.
#[derive(Debug)]
pub struct World {
    /// The parts.
    pub stack: Stack,
    /// The servers that the fault may stop.
    pub servers: Option<PrivateServers>,
    /// Two who have enough, and one whose credits come to an end.
    pub customers: Vec<Customer>,
    /// The numbers of the schedule.
    pub random: Random,
    /// What the row says besides.
    pub notes: Vec<String>,
    /// Everything that was asked.
    pub history: Arc<History>,
    plan: Plan,
    folder: PathBuf,
    is_kept: bool,
}

impl World {
    /// Starts everything that `needs` names and loads persons.
    ///
    /// # Errors
    /// When something does not start.
    pub async fn start(name: &str, plan: Plan, needs: Needs) -> anyhow::Result<Self> {
        let folder = folder(name, plan.seed)?;
        let private = needs.private_servers.then(PrivateServers::start);
        let private = private.transpose()?;
        let servers = match &private {
            Some(private) => private.servers()?,
            None => Servers::of_test_run()?,
        };
        let settings = needs.settings.iter();
        let settings: Vec<_> = settings
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let stack = Stack::start_wired(&servers, &settings, needs.wiring).await?;
        stack.ingest("person", &persons(PERSONS)).await?;
        let mut customers = Vec::new();
        for credits in [RICH, RICH, plan.choose(50, 500)] {
            customers.push(stack.customer(credits).await?);
        }
        Ok(Self {
            stack,
            servers: private,
            customers,
            random: Random::of(plan.seed, 0),
            notes: Vec::new(),
            history: Arc::new(History::begin(&folder.join("history.jsonl"))?),
            plan,
            folder,
            is_kept: false,
        })
    }

    /// Clients who ask from now on.
    #[must_use]
    pub fn load(&self) -> Load {
        let gateway = self.stack.gateway_url();
        let gateway = gateway.as_deref();
        Load::start(&self.customers, gateway, &self.history, self.plan.seed)
    }

    /// Waits until so many instances of command-service own shards.
    ///
    /// # Errors
    /// When they do not within a minute.
    pub async fn until_owners(&self, wanted: i64) -> anyhow::Result<()> {
        until("all own shards", OWNED_WITHIN, async || {
            let owners = sqlx::query_scalar(OWNERS).fetch_one(self.stack.event_store());
            (owners.await.ok() == Some(wanted)).then_some(())
        })
        .await
    }

    /// Stop and start of the servers.
    ///
    /// # Errors
    /// When the fault has not asked for servers of its own.
    pub fn servers(&self) -> anyhow::Result<&PrivateServers> {
        self.servers
            .as_ref()
            .context("the fault has no servers of its own")
    }

    /// As [`World::servers`], to change what they lie on.
    ///
    /// # Errors
    /// As for [`World::servers`].
    pub fn servers_mut(&mut self) -> anyhow::Result<&mut PrivateServers> {
        self.servers
            .as_mut()
            .context("the fault has no servers of its own")
    }

    /// Says that the fault cannot be tried here.
    #[must_use]
    pub fn skip(mut self, why: &'static str) -> Seen {
        self.is_kept = true;
        Seen {
            skipped: Some(why),
            ..Seen::default()
        }
    }

    /// Ends the load and compares everything with everything.
    ///
    /// # Errors
    /// When it cannot be compared. What does not hold is no error, but stands in what was seen.
    pub async fn finish(&mut self, load: Load, allowed: Allowed) -> anyhow::Result<Seen> {
        let finished = load.finish().await;
        let history = self.history.take();
        let mut seen = Seen {
            requests: history.len(),
            answers: answers(&history),
            notes: std::mem::take(&mut self.notes),
            ..Seen::default()
        };
        if let Err(fault) = finished {
            seen.violations.push(format!("{fault:#}"));
        }
        if let Err(fault) = self.prove_places(&mut seen).await {
            seen.violations.push(format!("{fault:#}"));
        }
        let charges = Charges::read(&self.stack, &self.customers).await?;
        let findings = check(&history, &charges, allowed);
        seen.charged.headers = findings.headers;
        seen.charged.untold = findings.untold;
        seen.violations.extend(findings.violations);
        if seen.charged.store != findings.headers + findings.untold {
            let what = format!("the sums of store and headers differ: {:?}", seen.charged);
            seen.violations.push(what);
        }
        self.is_kept = seen.violations.is_empty();
        if !self.is_kept {
            let what = format!("history and logs: {}", self.folder.display());
            seen.violations.push(what);
        }
        Ok(seen)
    }

    /// Store, topic and ledger agree; positions and numbers have no gap.
    async fn prove_places(&mut self, seen: &mut Seen) -> anyhow::Result<()> {
        for customer in &self.customers {
            let contract = &customer.contract_id;
            let sums = self.stack.prove_sums(contract).await?;
            // `prove_sums` has compared them: each place says the same.
            let Charged {
                store,
                topic,
                ledger,
                ..
            } = &mut seen.charged;
            for place in [store, topic, ledger] {
                *place += sums.charged;
            }
        }
        let topics = self.stack.prove_topics().await?;
        seen.repeats = topics.repeats;
        seen.notes.push(format!(
            "{} events, sent {} times more and each folded once",
            topics.events, topics.repeats
        ));
        self.stack.roster(&["reconcile"]).await.map(drop)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // Neither can change the verdict any more.
        if !self.is_kept {
            let _ = self.stack.keep_logs(&self.folder);
        } else if std::env::var_os(KEPT).is_none() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// Where history and logs of a fault are kept: beside those of the other faults of `make chaos`.
fn folder(name: &str, seed: u64) -> anyhow::Result<PathBuf> {
    let Some(kept) = std::env::var_os(KEPT) else {
        return temporary_folder("chaos");
    };
    let folder = PathBuf::from(kept).join(format!("{name}-{seed}"));
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
