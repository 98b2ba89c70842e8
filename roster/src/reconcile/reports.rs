//! `reports.v1`: every report of the store is in the read models, with every status that it had, in order.

use std::collections::HashMap;

use events_schema::event::ReportsEvent;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use futures::TryStreamExt;
use uuid::Uuid;

use crate::reconcile::difference::same;
use crate::reconcile::read_model::{self, ReadModel};
use crate::reconcile::store::Store;
use crate::reconcile::{Stop, Summary};

/// Rows asked for at a time.
const BATCH: usize = 1_000;

/// The statuses of each report, in order.
type Steps = HashMap<Uuid, Vec<&'static str>>;

pub(crate) async fn prove(
    shard: Shard,
    store: &mut Store,
    read_model: &mut ReadModel,
    summary: &mut Summary,
) -> Result<(), Stop> {
    let steps = fold(shard, store, read_model.cut(Topic::Reports, shard)).await?;
    summary.reports += i64::try_from(steps.len()).unwrap_or(i64::MAX);
    let ids: Vec<_> = steps.keys().copied().collect();
    for batch in ids.chunks(BATCH) {
        let rows: Vec<(Uuid, String, Vec<String>)> =
            sqlx::query_as(include_str!("../../sql/read_model/reports.sql"))
                .bind(batch)
                .fetch_all(&mut read_model.db)
                .await
                .map_err(read_model::fault)?;
        let rows: HashMap<_, _> = rows
            .into_iter()
            .map(|(id, status, steps)| (id, (status, steps)))
            .collect();
        for id in batch {
            let expected = steps.get(id).map(|steps| {
                let steps: Vec<_> = steps.iter().map(|step| (*step).to_owned()).collect();
                (steps.last().cloned().unwrap_or_default(), steps)
            });
            let place = || format!("read model report {id} (status, history)");
            same("wrong_row", place, &expected.as_ref(), &rows.get(id))?;
        }
    }
    Ok(())
}

async fn fold(shard: Shard, store: &mut Store, cut: i64) -> Result<Steps, Stop> {
    let mut steps = Steps::new();
    let mut events = store.events_between(shard, Topic::Reports, 0, cut);
    while let Some(stored) = events.try_next().await? {
        let event = stored.event()?;
        let Some(event) = ReportsEvent::of(&event) else {
            continue;
        };
        let (report, status) = match event {
            ReportsEvent::ReportReceived(e) => (e.report_id, "received"),
            ReportsEvent::ReportReviewed(e) => (e.report_id, "under_review"),
            ReportsEvent::ReportAccepted(e) => (e.report_id, "accepted"),
            ReportsEvent::ReportRejected(e) => (e.report_id, "rejected"),
            ReportsEvent::ReportCorrected(e) => (e.report_id, "corrected"),
        };
        steps.entry(report.uuid()).or_default().push(status);
    }
    Ok(steps)
}
