//! How fast records become a build: normalized in this process, and loaded end to end by a stack.
//!
//! The records are those of `data/generate`: what a line costs depends on how much stands in it, so that invented lines of
//! three fields would flatter. Limits of the same run: parsing the same lines as JSON, and `COPY` of the very rows that
//! the loader writes into tables without an index.

mod copy;
mod normalizing;

use tests::servers::Servers;

use crate::measure::Plan;
use crate::report::{self, Comparison};
use crate::world::World;

const IN_PROCESS: [&str; 3] = [
    "parse the lines as JSON, one thread",
    "normalize persons, one thread",
    "normalize persons, all threads",
];
const INTO_POSTGRES: [&str; 2] = [
    "COPY of the same rows, no index, all threads",
    "roster ingest: stage, normalize, rank, index, activate",
];

pub(crate) async fn run(plan: &Plan, servers: &Servers, world: &World) -> anyhow::Result<()> {
    let sample = normalizing::Sample::read(&world.lines)?;
    let mut comparison = Comparison::new("Persons of a build, normalized", &IN_PROCESS);
    for _ in 0..plan.rounds {
        comparison.add(&sample.measure(plan.length).await?);
    }
    comparison.print();

    let mut comparison = Comparison::new("Persons into Postgres", &INTO_POSTGRES);
    comparison.add(&[copy::measure(servers, &sample).await?, world.rate()]);
    comparison.print();
    for (name, time) in world.phases {
        report::phase(name, time);
    }
    Ok(())
}
