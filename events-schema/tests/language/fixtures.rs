//! Golden fixtures: what was once written is read for ever, and means the same.

use std::fmt::Debug;

use events_schema::ids::Shard;
use events_schema::report::v1::{ReportDetailsMessage, ReportStatusMessage};
use events_schema::topics::{REPORT_DETAILS, REPORT_STATUS};
use events_schema::{Envelope, Event};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{fixtures_of, schemas};

/// Every envelope on disk.
fn envelopes() -> Vec<(String, Value, Envelope)> {
    let all = Event::STORED_TYPES
        .iter()
        .flat_map(|name| fixtures_of(name));
    all.map(|(path, json)| {
        let envelope = serde_json::from_value(json.clone())
            .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        (path.display().to_string(), json, envelope)
    })
    .collect()
}

#[test]
fn every_event_type_has_a_fixture_of_its_own_type() {
    for name in Event::STORED_TYPES {
        let fixtures = fixtures_of(name);
        assert!(!fixtures.is_empty(), "{name} has no fixture");
        for (path, json) in fixtures {
            assert_eq!(json["type"], *name, "{}", path.display());
        }
    }
}

#[test]
fn every_fixture_is_written_back_as_it_was_read() {
    for (path, json, envelope) in envelopes() {
        assert_eq!(serde_json::to_value(&envelope).unwrap(), json, "{path}");
    }
    same_after_reading::<ReportDetailsMessage>(REPORT_DETAILS.name);
    same_after_reading::<ReportStatusMessage>(REPORT_STATUS.name);
}

fn same_after_reading<T: Serialize + DeserializeOwned + Debug>(name: &str) {
    let fixtures = fixtures_of(name);
    assert!(!fixtures.is_empty(), "{name} has no fixture");
    for (path, json) in fixtures {
        let read: T = serde_json::from_value(json.clone())
            .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        assert_eq!(
            serde_json::to_value(&read).unwrap(),
            json,
            "{}",
            path.display()
        );
    }
}

#[test]
fn an_event_is_put_together_again_from_its_stored_columns() {
    for (path, json, envelope) in envelopes() {
        let event = envelope.event;
        let payload: Value = serde_json::from_str(&event.payload().unwrap()).unwrap();
        assert_eq!(payload, json["data"], "{path}");
        assert_eq!(
            Event::from_parts(event.stored_type(), payload).unwrap(),
            event,
            "{path}"
        );
        assert_eq!(
            Event::stored_type_of_wire(event.wire_type()),
            event.stored_type()
        );
    }
}

#[test]
fn every_fixture_fits_its_schema() {
    for (name, schema) in schemas() {
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (path, json) in fixtures_of(Event::stored_type_of_wire(name)) {
            let value = json.get("data").unwrap_or(&json);
            let faults: Vec<_> = validator
                .iter_errors(value)
                .map(|fault| fault.to_string())
                .collect();
            assert!(faults.is_empty(), "{}: {faults:?}", path.display());
        }
    }
}

#[test]
fn a_payload_without_a_required_key_fits_no_schema() {
    for (name, schema) in schemas() {
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(!validator.is_valid(&serde_json::json!({})), "{name}");
    }
}

#[test]
fn every_fixture_lies_in_the_shard_of_its_aggregate() {
    for (path, _, envelope) in envelopes() {
        let shard = match &envelope.event {
            Event::AccountOpened(e) => e.account_id.shard(),
            Event::ApiKeyIssued(e) => e.api_key_id.shard(),
            Event::ApiKeyRevoked(e) => e.api_key_id.shard(),
            Event::ContractCreated(e) => e.contract_id.shard(),
            Event::CreditsGranted(e) => e.contract_id.shard(),
            Event::CreditsCharged(e) => e.contract_id.shard(),
            Event::ContractEnded(e) => e.contract_id.shard(),
            Event::ReportReceived(e) => Shard::of_record(e.service_id),
            Event::ReportReviewed(e) => e.report_id.shard(),
            Event::ReportAccepted(e) => e.report_id.shard(),
            Event::ReportRejected(e) => e.report_id.shard(),
            Event::ReportCorrected(e) => e.report_id.shard(),
            _ => Shard::DATA_BUILDS,
        };
        assert_eq!(envelope.shard, shard, "{path}");
    }
}

#[test]
fn an_event_of_an_unknown_type_is_refused_by_name() {
    let refused = Event::from_parts("contract.closed.v9", Value::Null).unwrap_err();
    assert_eq!(refused.to_string(), "unknown event type contract.closed.v9");
}

#[test]
fn the_id_of_an_event_names_its_history_once_there_was_a_restore() {
    let ids: std::collections::BTreeSet<String> = fixtures_of("contract.credits_charged.v1")
        .into_iter()
        .map(|(_, json)| serde_json::from_value::<Envelope>(json).unwrap().ce_id())
        .collect();
    assert!(
        ids.contains("5-7") && ids.contains("1795262460-5-7"),
        "{ids:?}"
    );
}
