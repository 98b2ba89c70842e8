//! What is sent for one event: the event itself, and for a report its status and its values.
//!
//! The value is the payload alone; everything else travels in CloudEvents 1.0 headers (binary mode; `docs/REPORTS.md`, "Topics").

use chrono::{DateTime, SecondsFormat, Utc};
use events_schema::envelope::{Envelope, header};
use events_schema::event::{Event, ReportsEvent};
use events_schema::ids::{ReportId, Shard};
use events_schema::record::RecordKind;
use events_schema::report::v1::{
    ReportDetails, ReportDetailsMessage, ReportStatus, ReportStatusMessage,
};
use events_schema::topics::{REPORT_DETAILS, REPORT_STATUS, Topic};
use uuid::Uuid;

/// `datacontenttype` in the binary mode of CloudEvents over Kafka.
const CONTENT_TYPE: &str = "content-type";
/// Wire type of a message of `report-details.v1`.
const DETAILS_TYPE: &str = "report.details.v1";
/// Wire type of a message of `report-status.v1`.
const STATUS_TYPE: &str = "report.status.v1";

/// One Kafka message, before the topic prefix and the partition are put to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Message {
    /// Topic name without prefix.
    pub(super) topic: &'static str,
    pub(super) key: String,
    /// None is a tombstone.
    pub(super) value: Option<Vec<u8>>,
    pub(super) headers: Vec<(&'static str, String)>,
    /// Milliseconds since 1970: the time of the decision, not of the sending.
    pub(super) timestamp: i64,
}

/// An event that cannot be written as JSON: its payload types cannot cause this.
#[derive(Debug, thiserror::Error)]
#[error("an event cannot be written as JSON")]
pub struct Unwritable(#[from] serde_json::Error);

/// The message of the event's own topic.
pub(super) fn of_event(envelope: &Envelope) -> Result<Message, Unwritable> {
    Ok(Message {
        topic: envelope.event.topic().name(),
        key: envelope.event.message_key(),
        value: Some(envelope.event.payload()?.into_bytes()),
        headers: event_headers(envelope),
        timestamp: envelope.occurred_at.timestamp_millis(),
    })
}

fn event_headers(envelope: &Envelope) -> Vec<(&'static str, String)> {
    let mut headers = vec![
        (header::SPECVERSION, "1.0".to_owned()),
        (header::ID, envelope.ce_id()),
        (header::SOURCE, header::SOURCE_VALUE.to_owned()),
        (header::TYPE, envelope.event.wire_type().to_owned()),
        (header::TIME, rfc3339(envelope.occurred_at)),
        (header::SUBJECT, subject(envelope)),
        (header::SEQUENCE, envelope.topic_seq.to_string()),
        (
            header::DATASCHEMA,
            format!("{}.json", envelope.event.stored_type()),
        ),
        (CONTENT_TYPE, "application/json".to_owned()),
        (header::SHARD, envelope.shard.to_string()),
        (header::POS, envelope.pos.to_string()),
        (header::HISTORY, envelope.history.to_string()),
        (header::SEQ, envelope.seq.to_string()),
        (header::AGGREGATE_ID, envelope.aggregate_id.to_string()),
        (header::REQUEST_ID, envelope.request_id.to_string()),
        (header::ACTOR, envelope.actor.clone()),
    ];
    if let Some(traceparent) = &envelope.traceparent {
        headers.push((header::TRACEPARENT, traceparent.clone()));
    }
    headers
}

/// The aggregate's id; for data builds the name, since their id is a hash of it.
fn subject(envelope: &Envelope) -> String {
    match envelope.event.topic() {
        Topic::Builds => envelope.event.message_key(),
        Topic::Accounts | Topic::Credits | Topic::Reports => envelope.aggregate_id.to_string(),
    }
}

fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// The report that an event is about, with the status it has from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReportFact {
    pub(super) report_id: ReportId,
    pub(super) service_id: Uuid,
    pub(super) status: ReportStatus,
    at: DateTime<Utc>,
    /// Set by the first event: only then the values are sent.
    pub(super) received: Option<RecordKind>,
}

/// What `event` says about a report, if it is about one.
pub(super) fn report_fact(event: &Event) -> Option<ReportFact> {
    use ReportStatus::{Accepted, Corrected, Received, Rejected, UnderReview};
    use ReportsEvent as Of;
    let (report_id, service_id, status, at, received) = match ReportsEvent::of(event)? {
        Of::ReportReceived(e) => {
            let kind = Some(e.subject_type);
            (e.report_id, e.service_id, Received, e.received_at, kind)
        }
        Of::ReportReviewed(e) => (e.report_id, e.service_id, UnderReview, e.at, None),
        Of::ReportAccepted(e) => (e.report_id, e.service_id, Accepted, e.at, None),
        Of::ReportRejected(e) => (e.report_id, e.service_id, Rejected, e.at, None),
        Of::ReportCorrected(e) => (e.report_id, e.service_id, Corrected, e.at, None),
    };
    Some(ReportFact {
        report_id,
        service_id,
        status,
        at,
        received,
    })
}

/// The message of `report-status.v1`.
pub(super) fn of_status(envelope: &Envelope, fact: &ReportFact) -> Result<Message, Unwritable> {
    let value = ReportStatusMessage {
        report_id: fact.report_id,
        status: fact.status,
        service_id: fact.service_id,
        at: fact.at,
    };
    Ok(Message {
        topic: REPORT_STATUS.name,
        key: fact.report_id.to_string(),
        value: Some(serde_json::to_vec(&value)?),
        headers: side_headers(
            STATUS_TYPE,
            envelope.shard,
            &envelope.ce_id(),
            fact.report_id,
        ),
        timestamp: envelope.occurred_at.timestamp_millis(),
    })
}

/// The message of `report-details.v1`: the values, or a tombstone where they were erased.
pub(super) fn of_details(
    envelope: &Envelope,
    fact: &ReportFact,
    kind: RecordKind,
    details: Option<ReportDetails>,
) -> Result<Message, Unwritable> {
    let Some(details) = details else {
        return Ok(tombstone(fact.report_id, envelope.occurred_at));
    };
    let value = ReportDetailsMessage {
        report_id: fact.report_id,
        subject_type: kind,
        service_id: fact.service_id,
        details,
    };
    Ok(Message {
        topic: REPORT_DETAILS.name,
        key: fact.report_id.to_string(),
        value: Some(serde_json::to_vec(&value)?),
        headers: side_headers(
            DETAILS_TYPE,
            envelope.shard,
            &envelope.ce_id(),
            fact.report_id,
        ),
        timestamp: envelope.occurred_at.timestamp_millis(),
    })
}

/// What erases a report's values from `report-details.v1`.
pub(super) fn tombstone(report_id: ReportId, at: DateTime<Utc>) -> Message {
    let shard = report_id.shard();
    Message {
        topic: REPORT_DETAILS.name,
        key: report_id.to_string(),
        value: None,
        headers: side_headers(
            DETAILS_TYPE,
            shard,
            &format!("erased-{report_id}"),
            report_id,
        ),
        timestamp: at.timestamp_millis(),
    }
}

fn side_headers(
    wire_type: &'static str,
    shard: Shard,
    ce_id: &str,
    report_id: ReportId,
) -> Vec<(&'static str, String)> {
    vec![
        (header::SPECVERSION, "1.0".to_owned()),
        (header::ID, ce_id.to_owned()),
        (header::SOURCE, header::SOURCE_VALUE.to_owned()),
        (header::TYPE, wire_type.to_owned()),
        (header::SUBJECT, report_id.to_string()),
        (header::SHARD, shard.to_string()),
        (CONTENT_TYPE, "application/json".to_owned()),
    ]
}
