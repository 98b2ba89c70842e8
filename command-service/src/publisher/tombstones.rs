//! Sends the tombstones of erased reports that Kafka does not have yet.
//!
//! Guarantee: at least once, after the last values of their report, whatever became of the request that erased them: the store
//! owes them from the statement of the erasure on, and whoever owns the shard looks for them, also after a restart. One is
//! removed only by who owned its shard while Kafka took it: values that an earlier owner sent late are followed by it.
//!
//! Each is sent twice. Kafka compacts only segments that are closed, and closes one only when a message comes that is later than its
//! first one by `segment.ms`: in a partition that gets no further report the values, and the tombstone behind them, would stay where they
//! are. The second message, after the topic's lag, closes that segment, and from then on Kafka has to compact it. Without the topic's
//! settings it would close nothing, so that it stays owed until the topic has them (`topic_bounds`).

use std::sync::atomic::Ordering;
use std::time::Duration;

use events_schema::ids::{ReportId, Shard};
use tokio::sync::{Notify, watch};

use super::backoff::Backoff;
use super::log::EventLog;
use super::producer::{Session, delivered};
use super::shard::PassFault;
use super::topic_bounds::TopicBounds;
use crate::store::OwedTombstone;

use super::{Publisher, Shared, is_in, message};

/// Tombstones that are read and sent at a time.
const AT_A_TIME: usize = 100;

/// Between who erases and who sends.
pub(super) struct Tombstones {
    owed: Notify,
    /// How often everything that was owed was sent.
    rounds: watch::Sender<u64>,
}

impl Tombstones {
    pub(super) fn new() -> Self {
        Self {
            owed: Notify::new(),
            rounds: watch::Sender::new(0),
        }
    }
}

impl<L: EventLog> Publisher<L> {
    /// Returns once Kafka has the tombstone of a report that was erased, or `limit` is over; whether Kafka has it. It is sent
    /// all the same.
    pub async fn until_erased(&self, report_id: ReportId, limit: Duration) -> bool {
        let tombstones = &self.shared.tombstones;
        let mut rounds = tombstones.rounds.subscribe();
        tombstones.owed.notify_one();
        let sent = async {
            loop {
                match self.shared.log.owes_tombstone(report_id).await {
                    Ok(false) => return true,
                    Ok(true) => {}
                    Err(fault) => {
                        tracing::warn!(%fault, "whether a tombstone is owed could not be read");
                    }
                }
                if rounds.changed().await.is_err() {
                    return false;
                }
            }
        };
        tokio::time::timeout(limit, sent).await.unwrap_or(false)
    }
}

impl<L: EventLog> Shared<L> {
    /// Goes on until it is dropped.
    pub(super) async fn keep_tombstones(&self) {
        let mut backoff = Backoff::new(self.settings.backoff);
        let mut is_whole = false;
        let mut bounds = TopicBounds::default();
        loop {
            let session = self.link.session();
            let fault = match self.send_all(&session, &mut bounds, &mut is_whole).await {
                Ok(are_more) => {
                    backoff.reset();
                    if !are_more {
                        self.wait_for_owed().await;
                    }
                    continue;
                }
                Err(fault) => fault,
            };
            tracing::warn!(
                %fault, cause = ?std::error::Error::source(&fault),
                "tombstones of erased reports are sent again"
            );
            match fault {
                // A topic that was lost is made anew.
                PassFault::Send(_) => {
                    self.renew(&session).await;
                    bounds = TopicBounds::default();
                }
                PassFault::WentBack => is_whole = false,
                _ => {}
            }
            backoff.pause().await;
        }
    }

    /// What an earlier owner left behind, or an erasure whose process did not get to say so, is found by looking.
    async fn wait_for_owed(&self) {
        tokio::select! {
            () = self.tombstones.owed.notified() => {}
            () = tokio::time::sleep(self.settings.poll_interval) => {}
        }
    }

    /// Sends what the shards of this instance owe, then what they are to repeat; whether there may be more.
    async fn send_all(
        &self,
        session: &Session,
        bounds: &mut TopicBounds,
        is_whole: &mut bool,
    ) -> Result<bool, PassFault> {
        let owned = self.owned.load(Ordering::Relaxed);
        let owned: Vec<Shard> = Shard::all().filter(|shard| is_in(owned, *shard)).collect();
        let owed = self.log.owed_tombstones(&owned, AT_A_TIME).await;
        let owed = owed.map_err(PassFault::Log)?;
        let sent = self.send_tombstones(session, owed, is_whole).await?;
        if !sent.is_empty() {
            let recorded = self.log.tombstones_sent(&sent).await;
            recorded.map_err(PassFault::Log)?;
        }
        self.tombstones.rounds.send_modify(|rounds| *rounds += 1);

        let lag = self.settings.topics.compaction_lag;
        let due = self.log.repeated_tombstones(&owned, AT_A_TIME, lag).await;
        let due = due.map_err(PassFault::Log)?;
        let (kafka, topics) = (self.link.config(), &self.settings.topics);
        let are_set = bounds.are_set(kafka, topics, !due.is_empty()).await;
        // Without its settings the topic would close nothing: they stay due.
        let due = if are_set { due } else { Vec::new() };
        let repeated = self.send_tombstones(session, due, is_whole).await?;
        if !repeated.is_empty() {
            let recorded = self.log.forget_tombstones(&repeated).await;
            recorded.map_err(PassFault::Log)?;
        }
        Ok(sent.len() == AT_A_TIME || repeated.len() == AT_A_TIME)
    }

    /// Sends tombstones in the order of their shards' reports; those that Kafka has taken while their shard was owned here.
    async fn send_tombstones(
        &self,
        session: &Session,
        tombstones: Vec<OwedTombstone>,
        is_whole: &mut bool,
    ) -> Result<Vec<ReportId>, PassFault> {
        if !tombstones.is_empty() && !*is_whole {
            self.until_store_is_whole().await;
            *is_whole = true;
        }
        let mut deliveries = Vec::new();
        for OwedTombstone { report_id, at } in tombstones {
            let shard = report_id.shard();
            let tombstone = message::tombstone(report_id, at);
            let _order = self.slot(shard).report_order.lock().await;
            if self.log.has_gone_back() {
                return Err(PassFault::WentBack);
            }
            if self.log.owns(shard) {
                let delivery = self.send(session, shard, &tombstone).await?;
                deliveries.push((report_id, delivery));
            }
        }
        let mut sent = Vec::new();
        for (report_id, delivery) in deliveries {
            delivered(delivery).await?;
            if self.log.owns(report_id.shard()) {
                sent.push(report_id);
            }
        }
        Ok(sent)
    }
}
