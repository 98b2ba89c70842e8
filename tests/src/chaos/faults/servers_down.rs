//! Postgres and Kafka end and come back under load.

use std::time::Duration;

use tokio::time::sleep;

use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};

fn needs() -> Needs {
    Needs {
        private_servers: true,
        ..Needs::default()
    }
}

/// An immediate stop writes nothing down: Postgres reads its log again when it starts.
pub(super) async fn postgres_restarted(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("postgres-restarted", plan, needs()).await?;
    let load = world.load();
    for _ in 0..plan.choose(2, 10) {
        load.until_paid(100).await?;
        sleep(world.random.millis(0, 500)).await;
        let servers = world.servers()?;
        servers.signal("postgres", "QUIT")?;
        servers.command(&["stop", "postgres"])?;
        let down = world.random.millis(0, 4_000);
        sleep(down).await;
        world.servers()?.command(&["start", "postgres"])?;
    }
    load.until_paid(200).await?;
    world.finish(load, Allowed::default()).await
}

/// Everything goes on but the topics and what is read from them.
pub(super) async fn kafka_down(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("kafka-down", plan, needs()).await?;
    let load = world.load();
    load.until_paid(100).await?;
    world.servers()?.command(&["kill", "kafka"])?;
    let before = world.history.paid();
    sleep(plan.choose(Duration::from_secs(6), Duration::from_secs(120))).await;
    load.until_paid(20).await?;
    let meanwhile = world.history.paid() - before;
    world
        .notes
        .push(format!("{meanwhile} paid while Kafka was down"));
    world.servers()?.command(&["start", "kafka"])?;
    load.until_paid(100).await?;
    world.finish(load, Allowed::default()).await
}
