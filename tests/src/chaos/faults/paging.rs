//! Builds become active in turn under sessions that page: each stays on its build, and meets every record of it once.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::Customer;
use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};
use crate::records::persons;

/// A session ends within this, whatever it has to repeat.
const WITHIN: Duration = Duration::from_secs(180);

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("paging", plan, Needs::default()).await?;
    let mut builds = Vec::new();
    for rows in [plan.choose(300, 1_000), plan.choose(400, 1_200)] {
        let build = world.stack.ingest("person", &persons(rows)).await?;
        let name = build.get("build").and_then(Value::as_str);
        builds.push(name.context("a build without a name")?.to_owned());
    }
    let pager = world.stack.customer(1_000_000).await?;
    let load = world.load();
    let count = plan.choose(30, 200);
    let mut sessions = JoinSet::new();
    let broken = Arc::new(AtomicU32::new(0));
    for number in 0..count {
        let start = world.random.millis(0, plan.choose(1_000, 20_000));
        sessions.spawn(session(pager.clone(), number, start, broken.clone()));
    }
    let mut activations = 0;
    let paid = tokio::select! {
        paid = all(&mut sessions) => paid?,
        fault = activate(&world, &builds, &mut activations) => return Err(fault),
    };
    let sums = world.stack.prove_sums(&pager.contract_id).await?;
    ensure!(
        sums.charged == paid,
        "{sums:?} for {paid} records in all pages"
    );
    world.notes.push(format!(
        "{count} sessions, {paid} records in pages, {activations} activations beside them, {} pages asked for again after a connection that ended",
        broken.load(Ordering::Relaxed)
    ));
    load.until_paid(50).await?;
    world.finish(load, Allowed::default()).await
}

/// Records that all sessions were given.
async fn all(sessions: &mut JoinSet<anyhow::Result<i64>>) -> anyhow::Result<i64> {
    let mut records = 0;
    while let Some(session) = sessions.join_next().await {
        records += session??;
    }
    Ok(records)
}

/// One build after the other becomes active, until the caller has enough.
async fn activate(world: &World, builds: &[String], activations: &mut u32) -> anyhow::Error {
    loop {
        for build in builds {
            let activated = world.stack.roster(&["builds", "activate", build]).await;
            if let Err(fault) = activated {
                return fault;
            }
            *activations += 1;
            sleep(Duration::from_millis(300)).await;
        }
    }
}

/// Pages to the end; the number of records.
async fn session(
    pager: Customer,
    number: u32,
    start: Duration,
    broken: Arc<AtomicU32>,
) -> anyhow::Result<i64> {
    sleep(start).await;
    let mut body = json!({ "query": "SELECT * FROM person ORDER BY full_name", "limit": 100 });
    let (mut seen, mut builds) = (BTreeSet::new(), BTreeSet::new());
    for turn in 0.. {
        let page = page(&pager, &body, &format!("{number}-{turn}"), &broken).await?;
        let matches = page.at("/matches").as_array().context("no matches")?;
        for one in matches {
            let id = one
                .pointer("/person/service_id")
                .or(one.pointer("/service_id"));
            let id = id.and_then(Value::as_str).context("no id")?;
            ensure!(
                seen.insert(id.to_owned()),
                "session {number} met {id} twice"
            );
        }
        builds.insert(page.header("Data-Build").map(str::to_owned));
        let next = page.at("/next_cursor");
        if next.is_null() {
            let total = page.at("/total");
            ensure!(
                *total == seen.len() && builds.len() == 1,
                "session {number}: {} of {total} from {builds:?}",
                seen.len()
            );
            break;
        }
        body = json!({ "query": "SELECT * FROM person ORDER BY full_name", "limit": 100, "cursor": next });
    }
    Ok(i64::try_from(seen.len())?)
}

/// One page, asked for by its name until it is there. A listener ends a connection that was idle for ten seconds; where the machine has
/// stood still for so long, that meets a request on its way, and its name is what makes asking again harmless.
async fn page(
    pager: &Customer,
    body: &Value,
    name: &str,
    broken: &AtomicU32,
) -> anyhow::Result<crate::Answer> {
    let end = Instant::now() + WITHIN;
    loop {
        match pager.post_once("/person/search", body, name).await {
            Err(_) => {
                broken.fetch_add(1, Ordering::Relaxed);
            }
            Ok(answer) => match answer.status {
                200 => return Ok(answer),
                503 if answer.header("Retry-After").is_some() => {}
                409 => {}
                other => anyhow::bail!("{other} {}", answer.body),
            },
        }
        ensure!(Instant::now() < end, "page {name} did not come");
        sleep(Duration::from_millis(50)).await;
    }
}
