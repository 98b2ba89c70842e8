//! The process of the publisher is killed at random moments of its work: what it had sent and not noted yet is sent again.

use tokio::time::sleep;

use crate::Part;
use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("publisher-killed", plan, Needs::default()).await?;
    let load = world.load();
    for _ in 0..plan.choose(4, 25) {
        // Only one that is charging publishes, so that each kill meets a publisher at work.
        load.until_paid(30).await?;
        sleep(world.random.millis(0, 200)).await;
        let ledger = world.stack.process(Part::CommandService);
        ledger.kill()?;
        ledger.spawn()?;
    }
    load.until_paid(100).await?;
    world.finish(load, Allowed::default()).await
}
