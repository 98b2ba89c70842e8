//! A small history, written out by hand: one account with a key and a contract, one report, two data builds.

use events_schema::Event;
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) const ACCOUNT: &str = "0195b7c2-9d1e-8a05-9f3c-2b6e4d8a7c10";
pub(crate) const CONTRACT: &str = "3f6d20b8-71ce-8405-8b52-e09a1c64d7f3";
pub(crate) const REPORT: &str = "c0b6d6a2-6d0e-8a02-8c1b-1a6d7a2f4e10";
const KEY: &str = "05Kq7ZtW3mBx";
const PERSON: &str = "5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10";
pub(crate) const AT: &str = "2026-11-02T08:15:00.000412Z";
pub(crate) const REQUEST: &str = "0f6f2c1e-7a55-4a0e-9a57-6f3b2f0c9d11";

/// One event, as a message says it.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) topic: &'static str,
    pub(crate) shard: i16,
    pub(crate) pos: i64,
    pub(crate) topic_seq: i64,
    pub(crate) aggregate_id: Uuid,
    pub(crate) seq: i64,
    pub(crate) stored_type: &'static str,
    pub(crate) wire_type: String,
    pub(crate) key: String,
    pub(crate) payload: Value,
}

/// The request of an event: a request moves credits once, so that each has its own.
pub(crate) fn request_of(pos: i64) -> Uuid {
    let first: Uuid = REQUEST.parse().unwrap();
    Uuid::from_u128(first.as_u128() + u128::try_from(pos).unwrap())
}

/// Every event, in the order of its shard.
pub(crate) fn messages() -> Vec<Message> {
    [accounts_and_credits(), reports(), builds()].concat()
}

/// Numbers the events of one shard; those of one aggregate and those of one topic count by themselves.
fn numbered(shard: i16, events: Vec<(Uuid, &'static str, Value)>) -> Vec<Message> {
    let mut numbered: Vec<Message> = Vec::new();
    for (aggregate_id, stored_type, payload) in events {
        let event = Event::from_parts(stored_type, payload.clone()).unwrap();
        let topic = event.topic().name();
        let before = |same: &dyn Fn(&Message) -> bool| {
            i64::try_from(numbered.iter().filter(|message| same(message)).count()).unwrap()
        };
        let message = Message {
            topic,
            shard,
            pos: before(&|_| true) + 1,
            topic_seq: before(&|message| message.topic == topic) + 1,
            aggregate_id,
            seq: before(&|message| message.aggregate_id == aggregate_id) + 1,
            stored_type,
            wire_type: event.wire_type().to_owned(),
            key: event.message_key(),
            payload,
        };
        numbered.push(message);
    }
    numbered
}

fn accounts_and_credits() -> Vec<Message> {
    let account: Uuid = ACCOUNT.parse().unwrap();
    let contract: Uuid = CONTRACT.parse().unwrap();
    let charge = |credits: i64, balance: i64| {
        json!({
            "contract_id": CONTRACT, "account_id": ACCOUNT, "endpoint": "person_enrich", "units": credits,
            "credits": credits, "balance_after": balance,
        })
    };
    let grant = json!({"contract_id": CONTRACT, "account_id": ACCOUNT, "credits": 50, "balance_after": 147});
    numbered(
        5,
        vec![
            (
                account,
                "account.opened.v1",
                json!({"account_id": ACCOUNT, "name": "Northwind Tools"}),
            ),
            (
                account,
                "account.api_key_issued.v1",
                json!({"account_id": ACCOUNT, "api_key_id": KEY, "endpoints": "all", "rate_limits": {}, "issued_at": AT}),
            ),
            (
                contract,
                "contract.created.v1",
                json!({
                    "contract_id": CONTRACT, "account_id": ACCOUNT, "endpoints": "all", "credits": 100,
                    "starts_on": "2026-11-02", "expires_on": null, "prices": {},
                }),
            ),
            (contract, "contract.credits_charged.v1", charge(3, 97)),
            (contract, "contract.credits_granted.v1", grant),
            (contract, "contract.credits_charged.v1", charge(0, 147)),
            (
                account,
                "account.api_key_revoked.v1",
                json!({"account_id": ACCOUNT, "api_key_id": KEY, "revoked_at": AT}),
            ),
            (
                contract,
                "contract.ended.v1",
                json!({
                    "contract_id": CONTRACT, "account_id": ACCOUNT, "reason": "cancelled", "ended_at": AT,
                    "balance_after": 147,
                }),
            ),
        ],
    )
}

fn reports() -> Vec<Message> {
    let report: Uuid = REPORT.parse().unwrap();
    let received = json!({
        "report_id": REPORT, "subject_type": "person", "service_id": PERSON, "issue_type": "outdated",
        "issue_level": "field", "field": "job_title", "data_build": "b-1", "record_last_seen": null,
        "request_id": REQUEST, "reporter": "8f14e45fceea167a5a36dedd4bea2543", "received_at": AT,
    });
    let reviewed = json!({"report_id": REPORT, "service_id": PERSON, "at": AT});
    numbered(
        2,
        vec![
            (report, "report.received.v1", received),
            (report, "report.under_review.v1", reviewed),
        ],
    )
}

fn search_files(which: &str, build: &str) -> Value {
    let sha256 = format!("{which}-{build}");
    json!({"manifest": format!("builds/{build}/search/{which}/manifest.json"), "sha256": sha256, "files": 1, "bytes": 9})
}

/// The second build retires the first; both were reindexed.
fn builds() -> Vec<Message> {
    let one = |name: &'static str| {
        let id = Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes());
        vec![
            (
                id,
                "build.started.v1",
                json!({"build": name, "kind": "person", "as_of": null, "started_at": AT}),
            ),
            (
                id,
                "build.sealed.v1",
                json!({"build": name, "chunks": 1, "rows": 5}),
            ),
            (
                id,
                "build.loaded.v1",
                json!({
                    "build": name, "rows": 5, "rejected": 0, "rejects_object": null, "reference_date": "2026-10-30",
                    "report": {"unreadable": {}, "unknown_keys": {}, "unmapped": {}},
                    "search_files": search_files("first", name),
                }),
            ),
            (
                id,
                "build.reindexed.v1",
                json!({"build": name, "search_files": search_files("second", name)}),
            ),
            (
                id,
                "build.activated.v1",
                json!({"build": name, "kind": "person", "activated_at": AT}),
            ),
        ]
    };
    numbered(0, [one("b-1"), one("b-2")].concat())
}
