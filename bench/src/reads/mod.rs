//! Enrich requests per second. The limit is what no service can beat: one row by its primary key, asked by `pgbench` from
//! the very table that enrich reads.

mod enrich;
mod single_row;

use crate::measure::Plan;
use crate::report::Comparison;

/// Records in the build: small enough to be loaded quickly, large enough that pages differ.
const PERSONS: u32 = 5_000;

const NAMES: [&str; 2] = [
    "one row by primary key (pgbench)",
    "POST /person/enrich by e-mail, charged",
];

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<()> {
    let servers = tests::servers::Servers::of_test_run()?;
    let enrich = enrich::Enrich::prepare(&servers).await?;
    let mut comparison = Comparison::new("Reads of one person", &NAMES);
    for _ in 0..plan.rounds {
        let limit = single_row::measure(enrich.stack(), plan.length).await?;
        comparison.add(&[limit, enrich.measure(plan.length).await?]);
    }
    comparison.print();
    Ok(())
}
