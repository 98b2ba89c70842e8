//! Events that the read model refuses: those of one contract wait as dead letters, all others go on, and after a retry nothing is missing.

use anyhow::{Context, ensure};
use serde_json::Value;
use sqlx::AssertSqlSafe;

use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};

const LETTERS: &str = "select count(*) from dead_letter";

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("poison", plan, Needs::default()).await?;
    let load = world.load();
    let (one, other) = match world.customers.as_slice() {
        [one, other, ..] => (one.contract_id.clone(), other.contract_id.clone()),
        _ => anyhow::bail!("there are three customers"),
    };
    for _ in 0..plan.choose(1, 5) {
        load.until_paid(50).await?;
        refuse(&world, &one).await?;
        load.until_paid(plan.choose(50, 500)).await?;
        // Everything that can be applied is: the other contract lags by nothing.
        world.stack.until_projected().await?;
        let stored = world.stack.sums_in_store(&other).await?;
        world.stack.until_projected().await?;
        let folded = world.stack.sums_in_ledger(&other).await?;
        ensure!(
            folded.charged >= stored.charged,
            "{folded:?} behind {stored:?}"
        );
        let letters: i64 = sqlx::query_scalar(LETTERS)
            .fetch_one(world.stack.read_model())
            .await?;
        ensure!(letters > 0, "nothing was parked");
        world.notes.push(format!("{letters} events parked"));
        allow(&world).await?;
        retry_all(&world).await?;
    }
    load.until_paid(50).await?;
    world.finish(load, Allowed::default()).await
}

async fn refuse(world: &World, contract: &str) -> anyhow::Result<()> {
    let refusal = format!(
        "alter table ledger add constraint poison check (contract_id <> '{contract}'::uuid) not valid"
    );
    let refusal = sqlx::query(AssertSqlSafe(refusal));
    refusal.execute(world.stack.read_model()).await?;
    Ok(())
}

async fn allow(world: &World) -> anyhow::Result<()> {
    let allowed = sqlx::query("alter table ledger drop constraint poison");
    allowed.execute(world.stack.read_model()).await?;
    Ok(())
}

/// A retry applies the letters of a key in their order; what came meanwhile waits behind them.
async fn retry_all(world: &World) -> anyhow::Result<()> {
    for _ in 0..20 {
        let list = world.stack.roster(&["dlq", "list"]).await?;
        let letters = list.get("dead_letters").and_then(Value::as_array);
        let Some(first) = letters.context("no list")?.first() else {
            return Ok(());
        };
        let id = first.get("id").context("no id")?.to_string();
        world.stack.roster(&["dlq", "retry", &id]).await?;
    }
    anyhow::bail!("letters are left after twenty retries")
}
