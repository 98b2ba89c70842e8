//! The projector is killed where it writes: in `COPY` of a data build that is being loaded, and in the commit of a batch of events.
//!
//! Both moments are made to last until it is dead. The wire stands still where a `COPY` has begun; a commit waits in Postgres for a lock,
//! behind a deferred trigger, and is then carried out without anybody to hear of it, or undone.

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
const ROWS: u32 = 1_000;
/// A moment that does not come is a failure: nothing would be tried.
const WITHIN: Duration = Duration::from_secs(60);

/// A session of the read model that stays where it is: its statement, and what it waits for.
type Moment = (&'static str, &'static str);

/// The first rows are on the way, and Postgres waits for more.
const IN_RECORDS: Moment = ("copy %.person_load %", "ClientRead");
/// The records of the chunk are written, and Postgres waits for the first of their keys.
const IN_KEYS: Moment = ("copy %.person_key_load %", "ClientRead");
/// What is to be committed is complete, and Postgres waits for our lock.
const IN_COMMIT: Moment = ("commit%", "advisory");

const SESSIONS: &str = "select count(*) from pg_stat_activity
    where datname = current_database() and state = 'active' and query ilike $1 and wait_event = $2";
const UNDO: &str =
    "select count(*) filter (where pg_terminate_backend(pid, 10000)) from pg_stat_activity
    where datname = current_database() and state = 'active' and query ilike $1 and wait_event = $2";
const HOLD_COMMITS: &str = "create function held() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
    create constraint trigger held after insert or update on shard_checkpoint
        deferrable initially deferred for each row execute function held()";

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut needs = Needs::default();
    let wire = needs.wiring.lay(Wire::Folds).await?;
    let mut world = World::start("projector-killed", plan, needs).await?;
    let reader = world.stack.customer(1_000).await?;
    sqlx::raw_sql(HOLD_COMMITS)
        .execute(world.stack.read_model())
        .await?;
    let load = world.load();
    let (mut in_copy, mut in_commit) = (0, 0);
    for round in 0..plan.choose(1, 4) {
        kill_in_copies(&mut world, &wire, ROWS + round).await?;
        in_copy += 2;
        until_found(&reader, ROWS + round).await?;
        for turn in 0..plan.choose(2, 4) {
            load.until_paid(10).await?;
            kill_in_commit(&mut world, turn % 2 == 1).await?;
            in_commit += 1;
        }
    }
    world.notes.push(format!(
        "{in_copy} kills in COPY, {in_commit} in a commit, every second of which was undone"
    ));
    load.until_paid(100).await?;
    world.finish(load, Allowed::default()).await
}

/// Loads a build of so many persons and kills the projector in both kinds of `COPY`.
async fn kill_in_copies(world: &mut World, wire: &Proxy, rows: u32) -> anyhow::Result<()> {
    let file = world.stack.file("more.ndjson");
    std::fs::write(&file, persons(rows))?;
    let path = file.to_str().context("a path that is no text")?;
    let ingest = world.stack.command(&["ingest", "--kind", "person", path]);
    wire.set(Weather::HeldBehind(b"PGCOPY\n"));
    let ingest = ingest?.spawn()?;
    let in_keys = Weather::HeldBehind(b"_key_load from stdin");
    for (moment, next) in [(IN_RECORDS, in_keys), (IN_KEYS, Weather::Clear)] {
        until_some(world, moment).await?;
        world.stack.process(Part::Projector).kill()?;
        // What it had sent and nobody had read is lost with it.
        wire.set(Weather::Cut);
        until_none(world, moment).await?;
        wire.set(next);
        world.stack.process(Part::Projector).start().await?;
    }
    let output = ingest.wait_with_output().await?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success(),
        "ingest: {said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let build: Value = serde_json::from_str(&said)?;
    ensure!(build.get("rows") == Some(&json!(rows)), "{build}");
    Ok(())
}

/// Kills the projector while Postgres commits a batch of events, which is undone or carried out afterwards.
async fn kill_in_commit(world: &mut World, is_undone: bool) -> anyhow::Result<()> {
    let read_model = world.stack.read_model().clone();
    let mut holder = read_model.begin().await?;
    sqlx::query("select pg_advisory_xact_lock(1)")
        .execute(&mut *holder)
        .await?;
    until_some(world, IN_COMMIT).await?;
    world.stack.process(Part::Projector).kill()?;
    if is_undone {
        let undone = sqlx::query_scalar(UNDO).bind(IN_COMMIT.0).bind(IN_COMMIT.1);
        let undone: i64 = undone.fetch_one(&read_model).await?;
        ensure!(undone > 0, "there is no commit to undo");
    }
    holder.rollback().await?;
    until_none(world, IN_COMMIT).await?;
    world.stack.process(Part::Projector).start().await
}

async fn until_some(world: &World, moment: Moment) -> anyhow::Result<()> {
    until(&format!("{moment:?}"), WITHIN, async || {
        (sessions(world, moment).await.ok()? > 0).then_some(())
    })
    .await
}

async fn until_none(world: &World, moment: Moment) -> anyhow::Result<()> {
    until(&format!("{moment:?} is over"), WITHIN, async || {
        (sessions(world, moment).await.ok()? == 0).then_some(())
    })
    .await
}

async fn sessions(world: &World, (statement, event): Moment) -> sqlx::Result<i64> {
    let sessions = sqlx::query_scalar(SESSIONS).bind(statement).bind(event);
    sessions.fetch_one(world.stack.read_model()).await
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
