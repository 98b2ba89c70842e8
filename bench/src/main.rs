//! `make bench`: what the service does in a second, beside a limit measured on the same servers in the same run. A ratio
//! means the same on every machine; a bare figure does not.
//!
//! Needs `TEST_POSTGRES_URL`, `TEST_KAFKA_BROKERS` and `ROSTER_BIN_DIR`, as `make bench` sets them, and `pgbench` (its path
//! in `PGBENCH`). Every bench makes its own databases and topics. Nothing here passes or fails by a figure: time is no
//! assertion. A further bench is a further file with a line in [`run`].

mod charges;
mod ingest;
mod measure;
mod reads;
mod report;

use std::time::Duration;

use clap::{Parser, ValueEnum};

use crate::measure::Plan;

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
    /// Charges on one hot contract, beside a row-lock transaction.
    Charges,
    /// Records into an active build, beside parsing JSON and `COPY`.
    Ingest,
    /// Enrich requests, beside a read of one row by its primary key.
    Reads,
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
    for bench in chosen {
        run(*bench, &plan).await?;
    }
    Ok(())
}

async fn run(bench: Bench, plan: &Plan) -> anyhow::Result<()> {
    match bench {
        Bench::Charges => charges::run(plan).await,
        Bench::Ingest => ingest::run(plan).await,
        Bench::Reads => reads::run(plan).await,
    }
}
