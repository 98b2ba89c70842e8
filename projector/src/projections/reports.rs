//! `reports.v1` into `report` and `report_history`. No value of a report is in the event, so none is here.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use events_schema::event::ReportsEvent;
use events_schema::report::v1::ReportStatus;
use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::projection::Projection;
use crate::projections::text;

/// Reports by id, with every step.
pub(super) struct Reports;

impl Projection for Reports {
    const NAME: &'static str = "reports";
    const TOPIC: Topic = Topic::Reports;

    async fn apply(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
        receive(db, events).await?;
        let steps: Vec<Step<'_>> = events.iter().filter_map(|e| step(e)).collect();
        move_status(db, &steps).await?;
        record_history(db, &steps).await
    }
}

async fn receive(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
    let (mut ids, mut kinds, mut records, mut types) = (vec![], vec![], vec![], vec![]);
    let (mut levels, mut fields, mut builds, mut seen) = (vec![], vec![], vec![], vec![]);
    let (mut requests, mut reporters, mut times) = (vec![], vec![], vec![]);
    for envelope in events {
        if let Event::ReportReceived(e) = &envelope.event {
            ids.push(e.report_id.uuid());
            kinds.push(e.subject_type.name());
            records.push(e.service_id);
            types.push(text(&e.issue_type)?);
            levels.push(text(&e.issue_level)?);
            fields.push(e.field.as_deref());
            builds.push(e.data_build.as_str());
            seen.push(e.record_last_seen.as_deref());
            requests.push(e.request_id);
            reporters.push(e.reporter.as_str());
            times.push(e.received_at);
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query(include_str!("../../sql/reports/insert_reports.sql"))
        .bind(ids)
        .bind(kinds)
        .bind(records)
        .bind(types)
        .bind(levels)
        .bind(fields)
        .bind(builds)
        .bind(seen)
        .bind(requests)
        .bind(reporters)
        .bind(times)
        .execute(db)
        .await?;
    Ok(())
}

/// One step of one report.
struct Step<'a> {
    report: Uuid,
    seq: i64,
    status: ReportStatus,
    at: DateTime<Utc>,
    actor: &'a str,
    reason: Option<&'a str>,
    build: Option<&'a str>,
}

/// The report that an event is about, with the number of its step and the status that it has since.
pub(crate) fn status_since(
    envelope: &Envelope,
) -> Result<Option<(Uuid, i64, String)>, sqlx::Error> {
    let Some(step) = step(envelope) else {
        return Ok(None);
    };
    Ok(Some((step.report, step.seq, text(&step.status)?)))
}

fn step(envelope: &Envelope) -> Option<Step<'_>> {
    let (report, status, at, reason, build) = match ReportsEvent::of(&envelope.event)? {
        ReportsEvent::ReportReceived(e) => (
            e.report_id,
            ReportStatus::Received,
            e.received_at,
            None,
            None,
        ),
        ReportsEvent::ReportReviewed(e) => {
            (e.report_id, ReportStatus::UnderReview, e.at, None, None)
        }
        ReportsEvent::ReportAccepted(e) => (e.report_id, ReportStatus::Accepted, e.at, None, None),
        ReportsEvent::ReportRejected(e) => {
            let reason = Some(e.reason.as_str());
            (e.report_id, ReportStatus::Rejected, e.at, reason, None)
        }
        ReportsEvent::ReportCorrected(e) => {
            let build = Some(e.data_build.as_str());
            (e.report_id, ReportStatus::Corrected, e.at, None, build)
        }
    };
    Some(Step {
        report: report.uuid(),
        seq: envelope.seq,
        status,
        at,
        actor: &envelope.actor,
        reason,
        build,
    })
}

async fn move_status(db: &mut PgConnection, steps: &[Step<'_>]) -> Result<(), sqlx::Error> {
    let mut last: BTreeMap<Uuid, &Step<'_>> = BTreeMap::new();
    last.extend(steps.iter().map(|step| (step.report, step)));
    let (mut ids, mut statuses, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for (id, step) in last {
        ids.push(id);
        statuses.push(text(&step.status)?);
        times.push(step.at);
    }
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query(include_str!("../../sql/reports/move_status.sql"))
        .bind(ids)
        .bind(statuses)
        .bind(times)
        .execute(db)
        .await?;
    Ok(())
}

async fn record_history(db: &mut PgConnection, steps: &[Step<'_>]) -> Result<(), sqlx::Error> {
    if steps.is_empty() {
        return Ok(());
    }
    let statuses: Result<Vec<String>, sqlx::Error> =
        steps.iter().map(|step| text(&step.status)).collect();
    sqlx::query(include_str!("../../sql/reports/insert_history.sql"))
        .bind(steps.iter().map(|s| s.report).collect::<Vec<_>>())
        .bind(steps.iter().map(|s| s.seq).collect::<Vec<_>>())
        .bind(statuses?)
        .bind(steps.iter().map(|s| s.at).collect::<Vec<_>>())
        .bind(steps.iter().map(|s| s.actor).collect::<Vec<_>>())
        .bind(steps.iter().map(|s| s.reason).collect::<Vec<_>>())
        .bind(steps.iter().map(|s| s.build).collect::<Vec<_>>())
        .execute(db)
        .await?;
    Ok(())
}
