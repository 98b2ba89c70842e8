//! Charges as customers send them otherwise: on many contracts, one at a time, at a rate that they choose; and when an event is there.

use std::time::Duration;

use anyhow::Context;
use events_schema::topics::Topic;

use super::bare_insert::BareInsert;
use super::in_process::InProcess;
use super::listener::Listener;
use crate::measure::{self, Latency, Plan};
use crate::report::{self, Comparison};

/// Contracts that are charged in turn.
const CONTRACTS: u32 = 10_000;
/// Charges a second while a consumer follows the topic.
const FOLLOWED: f64 = 1_000.0;
/// How long they go before it is measured.
const WARMED_UP: Duration = Duration::from_secs(25);
/// What a consumer waits for beyond the last charge.
const AFTER: Duration = Duration::from_secs(1);

const NAMES: [&str; 5] = [
    "one hot contract",
    "10,000 contracts",
    "one charge at a time",
    "open loop, half of the rate of one hot contract",
    "the rows alone, 100 at once by Postgres, at that rate",
];

pub(super) async fn run(
    plan: &Plan,
    in_process: &InProcess,
    rows: &BareInsert,
) -> anyhow::Result<()> {
    let many = in_process.customers(CONTRACTS).await?;
    let mut comparison = Comparison::new("Charges in other shapes, in process", &NAMES);
    for _ in 0..plan.rounds {
        let hot = in_process.charge(plan.length).await?;
        let half = hot.per_second / 2.0;
        let round = [
            hot,
            in_process.charge_many(&many, plan.length).await?,
            in_process.charge_alone(plan.length).await?,
            in_process.charge_at(half, plan.length).await?,
            rows.insert_at(half, plan.length).await?,
        ];
        comparison.add(&round);
    }
    comparison.print();
    Ok(())
}

/// How long an event takes to a consumer of its topic. To be measured before all else: whatever a flood of charges left to be written and
/// cleared away would be measured, too.
pub(super) async fn to_the_topic(plan: &Plan, listener: &Listener) -> anyhow::Result<()> {
    // The first events of a topic wait for all that opens with them, and a broker that has just started compiles its code meanwhile.
    followed(listener, WARMED_UP).await?;
    let mut rounds = Vec::new();
    for _ in 0..plan.rounds {
        rounds.push(followed(listener, plan.length).await?);
    }
    report::latency(
        "From a decision until a consumer of the topic has it, 1,000 charges/s",
        measure::median_latency(&rounds),
    );
    Ok(())
}

async fn followed(listener: &Listener, length: Duration) -> anyhow::Result<Latency> {
    let stack = listener.stack();
    let follower = stack.follow(Topic::Credits, length + AFTER).await?;
    listener.charge_at(FOLLOWED, length).await?;
    let mut lags = follower.await??;
    lags.sort_unstable();
    measure::latency(&lags).context("no event came to the topic")
}
