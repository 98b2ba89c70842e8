//! The process of the publisher is killed between send and mark: what it had sent and not noted yet is sent again.
//!
//! The mark waits for a lock of ours, so that each kill meets events that Kafka has and the store does not know of.

use std::time::Duration;

use tokio::time::sleep;

use crate::Part;
use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};
use crate::wait::until;

const HOLD_MARKS: &str = "lock table published in share mode";
const MARKING: &str = "select count(*) from pg_stat_activity
    where datname = current_database() and query ilike '%update published%' and wait_event = 'relation'";
const WITHIN: Duration = Duration::from_secs(60);

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("publisher-killed", plan, Needs::default()).await?;
    let load = world.load();
    let kills = plan.choose(4, 25);
    for _ in 0..kills {
        // Only one that is charging publishes, so that each kill meets a publisher at work.
        load.until_paid(30).await?;
        let store = world.stack.event_store().clone();
        let mut holder = store.begin().await?;
        sqlx::query(HOLD_MARKS).execute(&mut *holder).await?;
        until("a mark waits", WITHIN, async || {
            let waiting = sqlx::query_scalar::<_, i64>(MARKING).fetch_one(&store);
            (waiting.await.ok()? > 0).then_some(())
        })
        .await?;
        // The mark that waits may still be set after the kill; nothing of these is in it.
        load.until_paid(20).await?;
        sleep(world.random.millis(0, 200)).await;
        let ledger = world.stack.process(Part::CommandService);
        ledger.kill()?;
        holder.rollback().await?;
        ledger.spawn()?;
    }
    load.until_paid(100).await?;
    let mut seen = world.finish(load, Allowed::default()).await?;
    // Those that read the topics met each repeat, and the ledger has each charge once: `finish` has compared it.
    if seen.repeats < kills {
        let missed = format!(
            "{kills} kills and {} repeats: not every kill was tried",
            seen.repeats
        );
        seen.violations.push(missed);
    }
    Ok(seen)
}
