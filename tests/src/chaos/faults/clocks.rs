//! The clocks of all services step by an hour, forward and back, as often as the seed says. Those of Postgres and Kafka go on. A customer
//! with a small rate limit asks after each step: a window neither ends with a step nor stands still after one. And operators ask each of
//! the two instances of command-service for what one of them owns: what is passed on is carried out at any time of day.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use tokio::time::sleep;

use crate::Customer;
use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};
use crate::process::temporary_folder;
use crate::records::email;
use crate::wait::until;
use crate::wiring::Wiring;

/// Of Debian's package `libfaketime`, which `faketime` brings, in the folder of the machine's architecture.
fn library() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.flatten();
    let mut files = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    files.find(|file| file.is_file())
}

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let Some(library) = library() else {
        return Ok(Seen {
            skipped: Some("libfaketime is missing: apt-get install faketime"),
            ..Seen::default()
        });
    };
    let folder = temporary_folder("clocks")?;
    let clock = folder.join("clock");
    std::fs::write(&clock, "+0s")?;
    let needs = Needs {
        wiring: Wiring {
            is_pair: true,
            ..Wiring::default()
        },
        settings: vec![
            ("LD_PRELOAD", library.display().to_string()),
            ("FAKETIME_TIMESTAMP_FILE", clock.display().to_string()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            // A step changes what time of day it is, not how long anything takes.
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ],
        ..Needs::default()
    };
    let mut world = World::start("clocks", plan, needs).await?;
    // No shard moves any more, with which windows would start anew.
    world.stack.until_halves().await?;
    let limited = Limited::open(&world).await?;
    let load = world.load();
    for _ in 0..plan.choose(4, 20) {
        load.until_paid(50).await?;
        let step = ["+0s", "+3600s", "-3600s"];
        let step = step.get(world.random.below(3) as usize).copied();
        std::fs::write(&clock, step.unwrap_or("+0s"))?;
        limited.ask().await?;
        limited.grant(&world).await?;
        sleep(world.random.millis(500, 4_000)).await;
    }
    if !plan.is_short {
        limited.until_next_window().await?;
    }
    load.until_paid(100).await?;
    let seen = world.finish(load, Allowed::default()).await;
    std::fs::remove_dir_all(&folder)?;
    seen
}

/// So many requests a minute pass, fewer than are asked.
const LIMIT: u32 = 3;
const WINDOW: Duration = Duration::from_secs(60);

/// A customer at its rate limit, with the time by this process' clock at which the window began.
struct Limited {
    customer: Customer,
    began: Instant,
}

impl Limited {
    /// Opens a window and uses it up.
    async fn open(world: &World) -> anyhow::Result<Self> {
        let customer = world.stack.customer_of(1_000, LIMIT).await?;
        let began = Instant::now();
        for _ in 0..LIMIT {
            let answer = customer.enrich(&email(1)).await?;
            ensure!(answer.status == 200, "{}: {}", answer.status, answer.body);
        }
        Ok(Self { customer, began })
    }

    /// One more request, which the window refuses as long as it lasts.
    async fn ask(&self) -> anyhow::Result<()> {
        let answer = self.customer.enrich(&email(1)).await?;
        let age = self.began.elapsed();
        ensure!(
            answer.status == 429 || age >= WINDOW,
            "{} after {age:?}, with {LIMIT} a minute used up: {}",
            answer.status,
            answer.body
        );
        Ok(())
    }

    /// A credit from each instance, which one of them does not own and passes on.
    async fn grant(&self, world: &World) -> anyhow::Result<()> {
        let second = world.stack.second.context("a stack of a pair")?;
        for admin in [world.stack.ports.admin, second.admin] {
            let contract = &self.customer.contract_id;
            let grant = ["contract", "grant", contract, "--credits", "1"];
            let mut command = world.stack.command(&grant)?;
            command.env("ROSTER_ADMIN_URL", format!("http://127.0.0.1:{admin}"));
            let output = command.output().await?;
            let said = String::from_utf8_lossy(&output.stderr);
            ensure!(output.status.success(), "a grant on {admin}: {said}");
        }
        Ok(())
    }

    /// The next window opens in time.
    async fn until_next_window(&self) -> anyhow::Result<()> {
        let within = WINDOW.saturating_sub(self.began.elapsed()) + Duration::from_secs(10);
        let passed = until("the next window", within, async || {
            let answer = self.customer.enrich(&email(1)).await.ok()?;
            (answer.status == 200).then_some(())
        });
        passed.await.context("a window outlived its minute")
    }
}
