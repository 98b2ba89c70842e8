//! The projector is killed where it writes: in `COPY` of a data build that is being loaded, and in the commit of a batch of events.

use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::chaos::checker::Allowed;
use crate::chaos::proxy::{Proxy, Weather};
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};
use crate::records::persons;
use crate::wait::until;
use crate::wiring::Wire;
use crate::{Customer, Part};

/// A build of so many persons is loaded while it is killed.
const ROWS: u32 = 3_000;
/// With the wire as slow as this a moment is long enough to be met.
const SLOW: Weather = Weather::Delayed(Duration::from_millis(40));
/// A moment may be missed: then it is killed wherever it is.
const SOON: Duration = Duration::from_secs(20);
const COPYING: &str = "select count(*) from pg_stat_activity
    where datname = current_database() and state = 'active' and query ilike 'copy %'";
const COMMITTING: &str = "select count(*) from pg_stat_activity
    where datname = current_database() and query ilike 'commit%'
    and (state = 'active' or clock_timestamp() - state_change < interval '30 milliseconds')";

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut needs = Needs::default();
    let wire = needs.wiring.lay(Wire::Folds).await?;
    let mut world = World::start("projector-killed", plan, needs).await?;
    let reader = world.stack.customer(1_000).await?;
    let load = world.load();
    let (mut in_copy, mut in_commit) = (0, 0);
    for round in 0..plan.choose(1, 4) {
        let file = world.stack.file("more.ndjson");
        std::fs::write(&file, persons(ROWS + round))?;
        let path = file.to_str().context("a path that is no text")?;
        let ingest = ["ingest", "--kind", "person", path];
        let ingest = world.stack.command(&ingest)?.spawn()?;
        for _ in 0..plan.choose(1, 2) {
            in_copy += usize::from(kill_at(&mut world, &wire, COPYING).await?);
        }
        let output = ingest.wait_with_output().await?;
        let said = String::from_utf8_lossy(&output.stdout);
        ensure!(
            output.status.success(),
            "ingest: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let build: Value = serde_json::from_str(&said)?;
        ensure!(build.get("rows") == Some(&json!(ROWS + round)), "{build}");
        until_found(&reader, ROWS + round).await?;
        for _ in 0..plan.choose(2, 4) {
            load.until_paid(10).await?;
            in_commit += usize::from(kill_at(&mut world, &wire, COMMITTING).await?);
        }
    }
    world.notes.push(format!(
        "{in_copy} kills seen in COPY, {in_commit} in a commit"
    ));
    load.until_paid(100).await?;
    let mut seen = world.finish(load, Allowed::default()).await?;
    // In short there is one moment of the first, which a busy machine may miss.
    if !plan.is_short && (in_copy == 0 || in_commit == 0) {
        let missed = "one of the moments was never met, so that nothing was tried there";
        seen.violations.push(missed.to_owned());
    }
    Ok(seen)
}

/// Kills the projector when `moment` is there; says whether it was.
async fn kill_at(world: &mut World, wire: &Proxy, moment: &'static str) -> anyhow::Result<bool> {
    wire.set(SLOW);
    let read_model = world.stack.read_model().clone();
    let seen = until("the moment", SOON, async || {
        let at_work = sqlx::query_scalar::<_, i64>(moment).fetch_one(&read_model);
        at_work
            .await
            .is_ok_and(|sessions| sessions > 0)
            .then_some(())
    })
    .await;
    let projector = world.stack.process(Part::Projector);
    projector.kill()?;
    wire.set(Weather::Clear);
    projector.start().await?;
    Ok(seen.is_ok())
}

/// Exactly so many persons are found: none was lost with a killed COPY, and none came twice.
async fn until_found(reader: &Customer, rows: u32) -> anyhow::Result<()> {
    let query = json!({ "query": "SELECT * FROM person", "limit": 1 });
    let mut total = Value::Null;
    let found = until(
        "the build is searched",
        Duration::from_secs(60),
        async || {
            total = reader
                .post("/person/search", &query)
                .await
                .ok()?
                .at("/total")
                .clone();
            (total == rows).then_some(())
        },
    );
    let found = found.await;
    found.with_context(|| format!("{total} of {rows} persons"))
}
