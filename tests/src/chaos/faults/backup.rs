//! Postgres is lost and comes back from a base backup: one that holds everything, and one that is older than what the topics have, with
//! which everything goes on in a new history.

use anyhow::ensure;

use crate::Part;
use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let needs = Needs {
        private_servers: true,
        ..Needs::default()
    };
    let mut world = World::start("backup", plan, needs).await?;
    let load = world.load();
    load.until_paid(plan.choose(100, 1_000)).await?;
    load.finish().await?;
    for customer in world.customers.clone() {
        world.stack.prove_sums(&customer.contract_id).await?;
    }
    world.servers()?.back_up()?;
    world.servers()?.restore()?;
    world.stack.roster(&["reconcile"]).await?;
    let load = world.load();
    load.until_paid(plan.choose(50, 500)).await?;
    let mut seen = world.finish(load, Allowed::default()).await?;

    // What was charged since is in the topics and nowhere else: that must not go unnoticed.
    world.stack.process(Part::CommandService).kill()?;
    world.servers()?.restore()?;
    let output = world.stack.roster_output(&["reconcile"]).await?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(1) => seen
            .notes
            .push(format!("older than the topics: {}", said.trim())),
        other => seen.violations.push(format!(
            "reconcile of a store that is older than its topics ended with {other:?}: {said}"
        )),
    }
    if let Err(fault) = go_on_in_a_new_history(&mut world, plan).await {
        seen.violations.push(format!("{fault:#}"));
    }
    Ok(seen)
}

/// As the operator who follows docs/BACKUP.md: nothing was decided since the store came back.
async fn go_on_in_a_new_history(world: &mut World, plan: Plan) -> anyhow::Result<()> {
    let command_service = world.stack.process(Part::CommandService);
    command_service.run(&["restored"])?;
    world.stack.process(Part::CommandService).start().await?;
    let load = world.load();
    load.until_paid(plan.choose(50, 500)).await?;
    load.finish().await?;
    // Also that each event of the store is in its topic under the id of its history.
    let summary = world.stack.roster(&["reconcile"]).await?;
    let given_up = summary.pointer("/topics/credits.v1/abandoned");
    let given_up = given_up.and_then(serde_json::Value::as_i64).unwrap_or(0);
    ensure!(
        given_up > 0,
        "the topics hold nothing that the store lost: {summary}"
    );
    Ok(())
}
