//! The owner of a half of the shards is stopped, longer than its lease, and goes on as if nothing had been.

use std::time::Duration;

use anyhow::ensure;
use tokio::time::sleep;

use crate::Part;
use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut needs = Needs::default();
    needs.wiring.is_pair = true;
    let mut world = World::start("owner-stopped", plan, needs).await?;
    for _ in 0..plan.choose(1, 2) {
        world.until_owners(2).await?;
        let load = world.load();
        load.until_paid(100).await?;
        let stopped = world.history.now();
        world.stack.process(Part::CommandService).signal("STOP")?;
        // Longer than a lease: the other one has everything by then, and pays.
        sleep(plan.choose(Duration::from_secs(9), Duration::from_secs(30))).await;
        let before = world.history.paid();
        load.until_paid(20).await?;
        let paid = world.history.paid();
        world.stack.process(Part::CommandService).signal("CONT")?;
        world.notes.push(format!(
            "stopped for {:?}, {} of them without a word from the stopped one",
            world.history.now() - stopped,
            paid - before
        ));
        load.until_paid(200).await?;
        load.finish().await?;
    }
    ensure!(world.stack.process(Part::CommandService).is_running());
    let load = world.load();
    load.until_paid(50).await?;
    world.finish(load, Allowed::default()).await
}
