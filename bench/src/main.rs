//! `make bench`: what the service does in a second, beside a limit measured on the same servers in the same run. A ratio
//! means the same on every machine; a bare figure does not.
//!
//! Needs `TEST_POSTGRES_URL`, `TEST_KAFKA_BROKERS` and `ROSTER_BIN_DIR`, as `make bench` sets them, and `python3`. Every
//! bench makes its own databases and topics; `ingest`, `reads` and `search` share one large build. Nothing here passes or fails by a
//! figure: time is no assertion. A further bench is a further folder with a line in `main`.

mod canon;
mod charges;
mod documents;
mod ingest;
mod lines;
mod measure;
mod reads;
mod report;
mod search;
mod world;

use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::{Parser, ValueEnum};
use tests::servers::Servers;

use crate::measure::Plan;
use crate::world::World;

/// Measures the service beside a limit on the same servers.
#[derive(Debug, Parser)]
#[command(
    after_help = "Examples:\n  make bench\n  bench charges --rounds 5 --seconds 10\n  bench ingest --persons 100000"
)]
struct Arguments {
    /// What to measure (default: everything).
    benches: Vec<Bench>,
    /// Rounds; the median counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Length of one measurement.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Persons that are loaded, and then asked for.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(100..))]
    persons: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Bench {
    /// Charges on as many contracts as `--persons` says, beside one hot contract.
    Accounts,
    /// Cleaned values of every field, beside putting the same text in lower case.
    Canon,
    /// Charges on one hot contract, beside a row-lock transaction.
    Charges,
    /// Documents read in three forms of storage, beside each other.
    Documents,
    /// Records into an active build, beside parsing JSON and `COPY`.
    Ingest,
    /// Enrich requests, beside a read of one row by its primary key.
    Reads,
    /// Sixty searches, beside Postgres and DuckDB over the same records; pages over HTTP.
    Search,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let plan = Plan {
        rounds: arguments.rounds,
        length: Duration::from_secs(arguments.seconds),
        persons: arguments.persons,
    };
    let chosen = match arguments.benches.as_slice() {
        [] => Bench::value_variants(),
        some => some,
    };
    report::preface(cfg!(debug_assertions));
    let servers = Servers::of_test_run();
    // Asked for only by the benches that need them.
    let servers = || servers.as_ref().map_err(|fault| anyhow!("{fault:#}"));
    let mut world = None;
    for bench in chosen {
        match bench {
            Bench::Accounts => charges::accounts::run(&plan).await?,
            Bench::Canon => canon::run(&plan)?,
            Bench::Charges => charges::run(&plan).await?,
            Bench::Documents => {
                documents::run(&plan, servers()?).await?;
            }
            Bench::Ingest => {
                let servers = servers()?;
                ingest::run(&plan, servers, loaded(&mut world, servers, &plan).await?).await?;
            }
            Bench::Reads => {
                reads::run(&plan, loaded(&mut world, servers()?, &plan).await?).await?;
            }
            Bench::Search => {
                search::run(&plan, loaded(&mut world, servers()?, &plan).await?).await?;
            }
        }
    }
    Ok(())
}

/// The large build, loaded by the first bench that needs it.
async fn loaded<'a>(
    world: &'a mut Option<World>,
    servers: &Servers,
    plan: &Plan,
) -> anyhow::Result<&'a World> {
    if world.is_none() {
        *world = Some(World::load(servers, plan.persons).await?);
    }
    world.as_ref().context("it was loaded above")
}
