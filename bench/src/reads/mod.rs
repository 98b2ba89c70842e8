//! Enrich requests in a build of many persons. The limit is what no service can beat: one row by its primary key, a
//! prepared statement from this very process on the table that enrich reads, by as many callers.

mod enrich;
mod single_row;

use crate::measure::Plan;
use crate::report::Comparison;
use crate::world::World;

/// Requests at once: a customer with a pool of connections, and one that waits for each answer.
const CALLERS: [(usize, &str); 2] = [
    (16, "Reads of one person, 16 callers"),
    (1, "Reads of one person, one caller"),
];

const NAMES: [&str; 3] = [
    "one row by primary key",
    "POST /person/enrich by e-mail, charged",
    "POST /person/enrich by name and company, charged",
];

pub(crate) async fn run(plan: &Plan, world: &World) -> anyhow::Result<()> {
    let by_email = enrich::Enrich::by_email(world).await?;
    let by_name = enrich::Enrich::by_name(world).await?;
    for (callers, title) in CALLERS {
        let limit = single_row::SingleRow::prepare(world, callers).await?;
        let mut comparison = Comparison::new(title, &NAMES);
        for _ in 0..plan.rounds {
            let round = [
                limit.measure(plan.length).await?,
                by_email.measure(callers, plan.length).await?,
                by_name.measure(callers, plan.length).await?,
            ];
            comparison.add(&round);
        }
        comparison.print();
    }
    Ok(())
}
