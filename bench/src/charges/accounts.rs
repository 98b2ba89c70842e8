//! Very many customers: how fast they are opened and charged in turn, and what memory that takes.

use std::time::Instant;

use anyhow::Context;

use super::in_process::InProcess;
use crate::measure::{Plan, Rate, whole};
use crate::report::{self, Comparison};

const NAMES: [&str; 2] = ["one hot contract", "each customer in turn"];
/// Of a page of memory, as `/proc/self/statm` counts.
const PAGE_BYTES: usize = 4_096;

/// As many customers as the plan has persons.
pub(crate) async fn run(plan: &Plan) -> anyhow::Result<()> {
    let servers = tests::servers::Servers::of_test_run()?;
    let in_process = InProcess::prepare(&servers).await?;
    let mut comparison = Comparison::new("Charges, in process", &NAMES);
    let hot = in_process.charge(plan.length).await?;
    let before = resident()?;
    let begun = Instant::now();
    let customers = in_process.customers(plan.persons).await?;
    let took = begun.elapsed();
    let opened = resident()?;
    let each: Rate = in_process.charge_many(&customers, plan.length).await?;
    comparison.add(&[hot, each]);
    comparison.print();
    let per_second = whole(plan.persons.into()) / took.as_secs_f64();
    report::phase(
        &format!(
            "{} accounts, contracts and keys opened, {per_second:.0}/s",
            plan.persons
        ),
        took,
    );
    report::amount("bytes of memory", "before", before);
    report::amount("bytes of memory", "when they are opened", opened);
    report::amount("bytes of memory", "when they are charged", resident()?);
    Ok(())
}

/// Resident memory of this process, in bytes: the ledger's, and 64 bytes a customer that the bench itself keeps.
fn resident() -> anyhow::Result<usize> {
    let statm = std::fs::read_to_string("/proc/self/statm")?;
    let pages = statm
        .split_whitespace()
        .nth(1)
        .context("no resident pages")?;
    Ok(pages.parse::<usize>()? * PAGE_BYTES)
}
