//! The disk of Postgres runs full under load and has room again.

use std::time::Duration;

use tokio::time::sleep;

use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};

/// Room for the cluster, its log and some minutes of load.
const DISK_MIB: u32 = 512;

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let needs = Needs {
        private_servers: true,
        ..Needs::default()
    };
    let mut world = World::start("disk-full", plan, needs).await?;
    if !world.servers_mut()?.move_to_small_disk(DISK_MIB)? {
        return Ok(world.skip("a small disk can be mounted by root alone"));
    }
    let load = world.load();
    for _ in 0..plan.choose(1, 3) {
        load.until_paid(100).await?;
        world.servers()?.fill_disk()?;
        sleep(plan.choose(Duration::from_secs(8), Duration::from_secs(40))).await;
        world.servers()?.free_disk()?;
        // It ends when it cannot write its log; an operator starts it when there is room.
        world.servers()?.command(&["start", "postgres"])?;
    }
    load.until_paid(200).await?;
    world.finish(load, Allowed::default()).await
}
