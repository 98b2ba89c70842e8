//! A stored event is changed, one is made unreadable, a search file is damaged where it is held and where it is stored.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};
use crate::records::email;
use crate::wait::until;
use crate::{Customer, Part};

const WITHIN: Duration = Duration::from_secs(60);
const LAST_CHARGE: &str = "select shard, pos, payload from event where aggregate_id = $1::uuid
    and event_type = 'contract.credits_charged.v1' order by seq desc limit 1";
const FIRST_EVENT: &str =
    "select shard, pos, payload from event where aggregate_id = $1::uuid order by seq limit 1";
const PUT: &str = "update event set payload = $3 where shard = $1 and pos = $2";
const FORGET: &str = "delete from snapshot where aggregate_id = $1::uuid";

/// Where an event stands, and what it says.
type Stored = (i16, i64, Value);

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("corrupted", plan, Needs::default()).await?;
    let load = world.load();
    load.until_paid(plan.choose(50, 500)).await?;
    load.finish().await?;
    // Who is asked by the fault itself stands beside the customers of the history.
    let hurt = world.stack.customer(1_000).await?;
    let other = world.stack.customer(1_000).await?;
    ensure!(hurt.enrich(&email(0)).await?.status == 200);
    changed_event(&mut world, &hurt).await?;
    unreadable_event(&mut world, &hurt, &other).await?;
    damaged_files(&mut world, &other).await?;
    let load = world.load();
    load.until_paid(50).await?;
    // query-service was killed: a connection of before ends with the first request on it.
    world.finish(load, Allowed { broken: true }).await
}

async fn stored(world: &World, statement: &'static str, contract: &str) -> anyhow::Result<Stored> {
    let stored = sqlx::query_as(statement).bind(contract);
    Ok(stored.fetch_one(world.stack.event_store()).await?)
}

async fn put(world: &World, (shard, pos, payload): &Stored) -> anyhow::Result<()> {
    let put = sqlx::query(PUT).bind(shard).bind(pos).bind(payload);
    put.execute(world.stack.event_store()).await?;
    Ok(())
}

/// A charge that says another sum is seen by `reconcile`.
async fn changed_event(world: &mut World, hurt: &Customer) -> anyhow::Result<()> {
    world.stack.prove_sums(&hurt.contract_id).await?;
    let true_one = stored(world, LAST_CHARGE, &hurt.contract_id).await?;
    let mut changed = true_one.clone();
    let credits = changed.2.pointer_mut("/credits").context("no credits")?;
    *credits = json!(credits.as_i64().unwrap_or_default() + 1);
    put(world, &changed).await?;
    let output = world.stack.roster_output(&["reconcile"]).await?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    put(world, &true_one).await?;
    ensure!(
        output.status.code() == Some(1),
        "reconcile took a changed event for true: {:?} {said}",
        output.status
    );
    let said: Value = serde_json::from_str(&said)?;
    let difference = said.get("first_difference").cloned().unwrap_or_default();
    ensure!(!difference.is_null(), "{said}");
    world.notes.push(format!("reconcile saw: {difference}"));
    Ok(())
}

/// Whoever's history cannot be read is answered 503, nobody else; and is well again with it.
async fn unreadable_event(
    world: &mut World,
    hurt: &Customer,
    other: &Customer,
) -> anyhow::Result<()> {
    let true_one = stored(world, FIRST_EVENT, &hurt.contract_id).await?;
    // The credits alone stay: an event of a contract without a balance is not let in.
    let nonsense = json!({ "credits": true_one.2.get("credits"), "nonsense": true });
    put(world, &(true_one.0, true_one.1, nonsense)).await?;
    let forget = sqlx::query(FORGET).bind(&hurt.contract_id);
    forget.execute(world.stack.event_store()).await?;
    world.stack.crash(Part::CommandService).await?;
    let answered = until("the other one is answered", WITHIN, async || {
        let answer = other.enrich(&email(1)).await.ok()?;
        (answer.status == 200).then_some(())
    });
    answered.await?;
    let answer = hurt.enrich(&email(1)).await?;
    put(world, &true_one).await?;
    ensure!(
        answer.status == 503 && answer.header("Retry-After").is_some(),
        "a history that cannot be read was answered {} {}",
        answer.status,
        answer.body
    );
    until("the hurt one is answered again", WITHIN, async || {
        let answer = hurt.enrich(&email(1)).await.ok()?;
        (answer.status == 200).then_some(())
    })
    .await
}

/// Nothing is answered from a damaged file: it is fetched again, and where the stored one is damaged, too, search waits for it.
async fn damaged_files(world: &mut World, other: &Customer) -> anyhow::Result<()> {
    let before = page(other).await.context("no page before")?;
    let held = largest(&world.stack.file("search"))?;
    let whole = damage(&held)?;
    world.stack.crash(Part::QueryService).await?;
    let again = until("search is answered again", WITHIN, async || {
        page(other).await
    });
    ensure!(again.await? == before, "another page after the damage");
    ensure!(std::fs::read(&held)? == whole, "the file was not mended");

    let name = held.file_name().context("a file without a name")?;
    let kept = find(&world.stack.objects(), name).context("the file is not in the store")?;
    damage(&held)?;
    let whole = damage(&kept)?;
    world.stack.crash(Part::QueryService).await?;
    ensure!(other.enrich(&email(1)).await?.status == 200);
    ensure!(page(other).await.is_none(), "a page from a damaged file");
    std::fs::write(&kept, whole)?;
    let again = until("search is answered again", WITHIN, async || {
        page(other).await
    });
    ensure!(again.await? == before, "another page after the damage");
    Ok(())
}

/// A page of all persons; none while search is 503.
async fn page(customer: &Customer) -> Option<Value> {
    let body = json!({ "query": "SELECT * FROM person ORDER BY full_name", "limit": 20 });
    let answer = customer.post("/person/search", &body).await.ok()?;
    (answer.status == 200).then(|| answer.at("/matches").clone())
}

/// Turns a byte in the middle of a file; its bytes before.
fn damage(file: &Path) -> anyhow::Result<Vec<u8>> {
    let whole = std::fs::read(file)?;
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    *damaged.get_mut(middle).context("an empty file")? ^= 1;
    std::fs::write(file, damaged)?;
    Ok(whole)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

fn largest(folder: &Path) -> anyhow::Result<PathBuf> {
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |meta| meta.len());
    let largest = files(folder).into_iter().max_by_key(size);
    largest.context("no file is held")
}

fn find(folder: &Path, name: &std::ffi::OsStr) -> Option<PathBuf> {
    let mut found = files(folder).into_iter();
    found.find(|path| path.file_name() == Some(name))
}
