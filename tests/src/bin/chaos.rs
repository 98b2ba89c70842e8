//! `make chaos`: a row for each fault, with the seed that repeats it. The exit code is 1 when a promise was broken,
//! or could not be tried.
//!
//! Needs `TEST_POSTGRES_URL`, `TEST_KAFKA_BROKERS` and `ROSTER_BIN_DIR`, as `make chaos` sets them; faults that stop servers start their
//! own. Histories lie in `CHAOS_FOLDER`, one folder a fault and seed, and the logs of the services beside those that broke something.
#![allow(clippy::print_stdout, reason = "rows for a person")]

use std::process::ExitCode;

use anyhow::ensure;
use clap::Parser;
use tests::chaos::checker::Charged;
use tests::chaos::{Fault, Plan, Row, faults};

/// Hurts the parts while clients ask, and checks every answer.
#[derive(Debug, Parser)]
struct Arguments {
    /// The faults to try; all of them by default.
    faults: Vec<String>,
    /// What schedule and requests follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Some seconds each, as in the system tests.
    #[arg(long)]
    short: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let plan = Plan {
        seed: arguments.seed,
        is_short: arguments.short,
    };
    let mut kept = true;
    println!(
        "{:<20} {:>8}  {:>7} {:>7} {:>7} {:>7} {:>6}  {:<7} answers",
        "fault", "requests", "store", "ledger", "topic", "headers", "untold", "verdict"
    );
    for fault in chosen(&arguments.faults)? {
        let row = fault.run(plan).await;
        kept &= row.is_kept();
        print(&row, fault, plan);
    }
    Ok(if kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Fault>> {
    let known: Vec<_> = faults::ALL.iter().map(|fault| fault.name).collect();
    for name in names {
        ensure!(
            known.contains(&name.as_str()),
            "no such fault: {name}; one of {}",
            known.join(", ")
        );
    }
    let is_chosen = |fault: &&Fault| names.is_empty() || names.iter().any(|one| one == fault.name);
    Ok(faults::ALL.iter().filter(is_chosen).collect())
}

/// `untold` is what is charged to requests that were told "unknown" or nothing: store = headers + untold.
fn print(row: &Row, fault: &Fault, plan: Plan) {
    let seen = match &row.seen {
        Ok(seen) => seen,
        Err(why) => {
            println!("{:<20} BROKEN  {why:#} (seed {})", row.name, plan.seed);
            return;
        }
    };
    if let Some(why) = seen.skipped {
        println!("{:<20} NOT TRIED: {why}", row.name);
        return;
    }
    let Charged {
        store,
        topic,
        ledger,
        headers,
        untold,
    } = seen.charged;
    let verdict = if row.is_kept() { "kept" } else { "BROKEN" };
    println!(
        "{:<20} {:>8}  {store:>7} {ledger:>7} {topic:>7} {headers:>7} {untold:>6}  {verdict:<7} {}",
        row.name, seen.requests, seen.answers
    );
    println!(
        "    {}{}; {}; {} s, seed {}",
        fault.does,
        plan.choose(", in short", ""),
        seen.notes.join("; "),
        row.took.as_secs(),
        plan.seed
    );
    for violation in &seen.violations {
        println!("    ! {violation}");
    }
}
