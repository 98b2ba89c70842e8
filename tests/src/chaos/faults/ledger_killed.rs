//! command-service is killed every 2 s, whether it has its shards again or not.

use tokio::time::sleep;

use crate::Part;
use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("ledger-killed", plan, Needs::default()).await?;
    let load = world.load();
    load.until_paid(50).await?;
    let before = world.history.paid();
    for _ in 0..plan.choose(5, 60) {
        sleep(world.random.millis(1_500, 2_500)).await;
        let ledger = world.stack.process(Part::CommandService);
        ledger.kill()?;
        ledger.spawn()?;
    }
    let meanwhile = world.history.paid() - before;
    world.notes.push(format!("{meanwhile} paid between kills"));
    let ledger = world.stack.process(Part::CommandService);
    ledger.until_ready().await?;
    load.until_paid(200).await?;
    world.finish(load, Allowed::default()).await
}
