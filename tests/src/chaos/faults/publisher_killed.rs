//! The process of the publisher is killed between send and mark: what it had sent and not noted yet is sent again.
//!
//! The mark waits for a lock of ours, and is undone behind the kill: so each kill meets events that Kafka has and the store never knows of,
//! and has its own repeats.

use std::time::Duration;

use events_schema::topics::Topic;
use tokio::time::sleep;

use crate::Part;
use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};
use crate::wait::until;

const HOLD_MARKS: &str = "lock table published in share mode";
const MARKING: &str = "select count(*) from pg_stat_activity
    where datname = current_database() and query ilike '%update published%' and wait_event = 'relation'";
const UNDO: &str =
    "select count(*) filter (where pg_terminate_backend(pid, 10000)) from pg_stat_activity
    where datname = current_database() and query ilike '%update published%' and wait_event = 'relation'";
const MARKS: &str = "select shard, pos from published order by shard";
const WITHIN: Duration = Duration::from_secs(60);

/// What one kill came to.
#[derive(Debug, Clone, Copy, Default)]
struct Kill {
    /// Messages that were sent again after it.
    repeats: usize,
    /// A mark was set after the process was dead.
    is_marked: bool,
}

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("publisher-killed", plan, Needs::default()).await?;
    let load = world.load();
    let mut kills = Vec::new();
    for _ in 0..plan.choose(4, 25) {
        // Only one that is charging publishes, so that each kill meets a publisher at work.
        load.until_paid(30).await?;
        let store = world.stack.event_store().clone();
        let mut holder = store.begin().await?;
        sqlx::query(HOLD_MARKS).execute(&mut *holder).await?;
        until("a mark waits", WITHIN, async || {
            (marking(&store).await? > 0).then_some(())
        })
        .await?;
        // What was sent before the mark waited may be in it; nothing of these is.
        load.until_paid(20).await?;
        sleep(world.random.millis(0, 200)).await;
        let before = marks(&store).await?;
        world.stack.process(Part::CommandService).kill()?;
        // The backend does not know that nobody listens any more, and would set the mark when the lock is free.
        sqlx::query_scalar::<_, i64>(UNDO).fetch_one(&store).await?;
        until("no mark waits", WITHIN, async || {
            (marking(&store).await? == 0).then_some(())
        })
        .await?;
        holder.rollback().await?;
        let is_marked = marks(&store).await? != before;
        let sent = world.stack.repeats(Topic::Credits).await?;
        world.stack.process(Part::CommandService).spawn()?;
        // A kill that repeats nothing is told at the end, beside everything else.
        let repeats = until("events are sent again", WITHIN, async || {
            let now = world.stack.repeats(Topic::Credits).await.ok()?;
            now.checked_sub(sent).filter(|more| *more > 0)
        });
        let repeats = repeats.await.unwrap_or_default();
        kills.push(Kill { repeats, is_marked });
    }
    load.until_paid(100).await?;
    let each: Vec<_> = kills.iter().map(|kill| kill.repeats).collect();
    world
        .notes
        .push(format!("at least {each:?} sent again, kill by kill"));
    let mut seen = world.finish(load, Allowed::default()).await?;
    // Those that read the topics met each repeat, and the ledger has each charge once: `finish` has compared it.
    seen.violations.extend(untried(&kills));
    Ok(seen)
}

async fn marking(store: &sqlx::PgPool) -> Option<i64> {
    sqlx::query_scalar(MARKING).fetch_one(store).await.ok()
}

async fn marks(store: &sqlx::PgPool) -> sqlx::Result<Vec<(i16, i64)>> {
    sqlx::query_as(MARKS).fetch_all(store).await
}

/// The kills that did not do what they are for: the repeats of one are no other's.
fn untried(kills: &[Kill]) -> Vec<String> {
    let each = kills.iter().zip(1..);
    let untried = each.filter(|(kill, _)| kill.repeats == 0 || kill.is_marked);
    untried
        .map(|(kill, number)| format!("kill {number} of {} was not tried: {kill:?}", kills.len()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_repeats_of_one_kill_are_none_of_another() {
        let kill = |repeats, is_marked| Kill { repeats, is_marked };
        assert!(untried(&[kill(1, false), kill(7, false)]).is_empty());
        assert_eq!(untried(&[kill(40, false), kill(0, false)]).len(), 1);
        assert_eq!(untried(&[kill(40, false), kill(1, true)]).len(), 1);
    }
}
