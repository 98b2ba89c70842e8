//! Reports and credits over the public listener (`docs/REPORTS.md`, `docs/API.md`).

use std::time::Duration;

use chrono::Utc;
use events_schema::ids::{AccountId, ReportId};
use http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::service::{Running, Setup, text};
use crate::support::until;

fn report(service_id: Uuid) -> Value {
    json!({"service_id": service_id, "issue_type": "outdated", "issue_level": "field",
        "field": "job_title", "correct_value": "chief operating officer"})
}

const PERSON: &str = "/utility/report/person";

#[tokio::test]
async fn a_report_is_answered_with_what_was_filed_and_costs_nothing() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let id = Uuid::new_v4();
    service.records.add("person", id, json!("director"));
    let answer = service
        .post(PERSON, &[("API-Key", &key)], &report(id))
        .await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    for (field, value) in [
        ("status", json!("received")),
        ("subject_type", json!("person")),
        ("service_id", json!(id)),
        ("issue_type", json!("outdated")),
        ("issue_level", json!("field")),
        ("field", json!("job_title")),
    ] {
        assert_eq!(answer.body[field], value, "{field}");
    }
    let created = answer.body["created_at"].as_str().unwrap();
    assert_eq!((created.len(), created.ends_with('Z')), (20, true));
    assert_eq!(answer.header("credits-used"), Some("0"));
    assert_eq!(answer.header("ratelimit-policy"), Some("50/min"));
    assert_eq!(answer.header("ratelimit-remaining"), Some("49"));
    assert_eq!(answer.header("contract-id"), None);
    assert_eq!(answer.header("credits-remaining"), None);

    let path = format!(
        "/admin/reports/{}",
        answer.body["report_id"].as_str().unwrap()
    );
    let view = service.ok(Method::GET, &path, Value::Null).await;
    assert_eq!(view["history"][0]["status"], "received");
    service.stop().await;
}

#[tokio::test]
async fn query_parameters_are_refused_and_not_ignored() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let headers = [("API-Key", key.as_str())];
    let path = format!("{PERSON}?dry_run=true");
    let asked = [
        service.post(&path, &headers, &report(Uuid::new_v4())).await,
        service.get("/credits?contract=1", &headers).await,
    ];
    for refused in asked {
        assert_eq!(refused.status, 400, "{:?}", refused.body);
        assert_eq!(refused.body["details"]["reason"], "unknown_parameter");
    }
    service.stop().await;
}

#[tokio::test]
async fn who_filed_a_report_is_told_what_became_of_it_and_nobody_else() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let (_, _, other) = service.customer().await;
    let id = Uuid::new_v4();
    service.records.add("person", id, json!("director"));
    let show = async |key: &str, path: &str| service.get(path, &[("API-Key", key)]).await;
    let mut filed = service
        .post(PERSON, &[("API-Key", &key)], &report(id))
        .await
        .body;
    let path = format!("/utility/report/{}", text(&filed["report_id"]));

    let shown = show(&key, &path).await;
    assert_eq!(shown.status, 200, "{:?}", shown.body);
    filed["history"] = json!([{"status": "received", "at": filed["created_at"], "reason": null, "data_build": null}]);
    assert_eq!(shown.body, filed);
    let names = [
        "credits-used",
        "ratelimit-limit",
        "contract-id",
        "cache-control",
    ];
    let headers = names.map(|name| shown.header(name));
    assert_eq!(headers, [Some("0"), Some("600"), None, Some("no-store")]);

    let admin = format!("/admin/reports/{}", text(&filed["report_id"]));
    service
        .ok(Method::POST, &format!("{admin}/review"), json!({}))
        .await;
    let reject = json!({"reason": "cannot be reproduced"});
    service
        .ok(Method::POST, &format!("{admin}/reject"), reject)
        .await;
    let shown = show(&key, &path).await.body;
    assert_eq!(shown["status"], "rejected");
    assert_eq!(shown["history"][1]["status"], "under_review");
    assert_eq!(shown["history"][2]["reason"], "cannot be reproduced");

    let nobodys = [
        ReportId::new(id, [7; 16]).to_string(),
        text(&filed["service_id"]),
        "x".to_owned(),
    ];
    for (key, path) in [(&other, path.clone())]
        .into_iter()
        .chain(nobodys.map(|report| (&key, format!("/utility/report/{report}"))))
    {
        let none = show(key, &path).await;
        assert_eq!(
            (none.status, none.refusal()),
            (404, ("not_found", "no_match")),
            "{path}"
        );
        assert_eq!(none.body["details"]["subject_type"], "report");
    }
    assert_eq!(
        show("rk_live_none", &path).await.refusal(),
        ("unauthorized", "invalid_api_key")
    );
    let nobody = service.get(&path, &[]).await;
    assert_eq!(nobody.refusal(), ("unauthorized", "missing_api_key"));
    let posted = service.post(&path, &[("API-Key", &key)], &json!({})).await;
    assert_eq!(
        (posted.status, posted.header("allow")),
        (405, Some("GET, HEAD"))
    );
    service.stop().await;
}

#[tokio::test]
async fn refusals_come_in_the_order_of_the_docs() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, key_id, key) = service.customer().await;
    let unknown = Uuid::new_v4();
    let bad = json!({"service_id": "x"});
    let by = |key: &'static str| [("API-Key", key)];

    let answer = service.post(PERSON, &[], &bad).await;
    assert_eq!(
        (answer.status, answer.refusal()),
        (401, ("unauthorized", "missing_api_key"))
    );
    let answer = service.post(PERSON, &by("rk_live_none"), &bad).await;
    assert_eq!(
        (answer.status, answer.refusal()),
        (401, ("unauthorized", "invalid_api_key"))
    );

    let answer = service.post(PERSON, &[("API-Key", &key)], &bad).await;
    assert_eq!(
        (answer.status, answer.refusal()),
        (400, ("bad_request", "missing_parameter"))
    );
    assert_eq!(answer.header("ratelimit-remaining"), Some("49"));
    assert_eq!(answer.header("credits-used"), Some("0"));

    let headers = [("API-Key", key.as_str()), ("Idempotency-Key", "")];
    let answer = service.post(PERSON, &headers, &report(unknown)).await;
    assert_eq!(
        (answer.status, answer.refusal()),
        (400, ("bad_request", "malformed_header"))
    );
    let headers = [("API-Key", key.as_str()), ("Correlation-ID", "")];
    let answer = service.post(PERSON, &headers, &report(unknown)).await;
    assert_eq!(
        (answer.status, answer.refusal()),
        (400, ("bad_request", "malformed_header"))
    );

    let answer = service
        .post(PERSON, &[("API-Key", &key)], &report(unknown))
        .await;
    assert_eq!(
        (answer.status, answer.refusal()),
        (404, ("not_found", "no_match"))
    );
    assert_eq!(answer.body["details"]["subject_type"], "person");

    let revoke = format!("/admin/keys/{key_id}/revoke");
    service.ok(Method::POST, &revoke, json!({})).await;
    let answer = service
        .post(PERSON, &[("API-Key", &key)], &report(unknown))
        .await;
    assert_eq!(answer.status, 401);
    service.stop().await;
}

#[tokio::test]
async fn what_no_route_takes_is_refused_before_the_key_is_looked_at() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let answer = service
        .post("/utility/report/animal", &[], &json!({}))
        .await;
    assert_eq!(
        (answer.status, answer.refusal().0),
        (404, "route_not_found")
    );
    let url = format!("{}{PERSON}", service.public);
    let get = service.http.get(&url).send().await.unwrap();
    assert_eq!(get.status(), 405);
    let text = service.http.post(&url).header("content-type", "text/plain");
    assert_eq!(text.body("{}").send().await.unwrap().status(), 415);
    let large = service
        .http
        .post(&url)
        .header("content-type", "application/json");
    let large = large.body(vec![b' '; 1_048_577]).send().await.unwrap();
    assert_eq!(large.status(), 413);
    service.stop().await;
}

#[tokio::test]
async fn the_fifty_first_report_in_a_minute_is_refused_with_its_time() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let headers = [("API-Key", key.as_str())];
    for _ in 0..50 {
        assert_eq!(service.post(PERSON, &headers, &json!({})).await.status, 400);
    }
    let answer = service.post(PERSON, &headers, &json!({})).await;
    assert_eq!((answer.status, answer.refusal().0), (429, "rate_limited"));
    let wait = &answer.body["details"]["retry_after_seconds"];
    assert_eq!(
        answer.header("retry-after"),
        Some(wait.to_string().as_str())
    );
    assert_eq!(answer.body["details"]["limit"], 50);
    assert_eq!(answer.header("ratelimit-remaining"), Some("0"));
    service.stop().await;
}

#[tokio::test]
async fn the_same_idempotency_key_files_one_report() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let id = Uuid::new_v4();
    service.records.add("person", id, Value::Null);
    let headers = [("API-Key", key.as_str()), ("Idempotency-Key", "once")];
    let first = service.post(PERSON, &headers, &report(id)).await;
    let again = service.post(PERSON, &headers, &report(id)).await;
    assert_eq!((first.status, again.status), (200, 200));
    assert_eq!(first.header("idempotency-replayed"), None);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    // To the order of its keys.
    assert_eq!(first.body.to_string(), again.body.to_string());

    // What is null was not sent.
    let mut padded = report(id);
    padded["observed_value"] = Value::Null;
    let again = service.post(PERSON, &headers, &padded).await;
    assert_eq!(first.body.to_string(), again.body.to_string());

    let mut other = report(id);
    other["correct_value"] = json!("another");
    let conflict = service.post(PERSON, &headers, &other).await;
    assert_eq!(
        (conflict.status, conflict.refusal()),
        (409, ("idempotency_conflict", "different_request"))
    );
    assert_eq!(conflict.body["details"]["idempotency_key"], "once");

    let reports = service.ok(Method::GET, "/admin/reports", Value::Null).await;
    assert_eq!(reports["reports"].as_array().unwrap().len(), 1);
    service.stop().await;
}

#[tokio::test]
async fn thirty_equal_reports_at_once_are_filed_once() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let id = Uuid::new_v4();
    service.records.add("person", id, Value::Null);
    let headers = [("API-Key", key.as_str()), ("Idempotency-Key", "at once")];
    let body = report(id);
    let requests = (0..30).map(|_| service.post(PERSON, &headers, &body));
    let answers = futures::future::join_all(requests).await;
    for answer in &answers {
        assert!([200, 409].contains(&answer.status), "{:?}", answer.body);
    }
    let ids: std::collections::BTreeSet<String> = answers
        .iter()
        .filter(|answer| answer.status == 200)
        .map(|answer| answer.body["report_id"].to_string())
        .collect();
    assert_eq!(ids.len(), 1);
    let reports = service.ok(Method::GET, "/admin/reports", Value::Null).await;
    assert_eq!(reports["reports"].as_array().unwrap().len(), 1);
    service.stop().await;
}

#[tokio::test]
async fn credits_show_the_contract_that_would_serve_next() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (account, _, key) = service.customer().await;
    let none = service.credits(&key).await;
    assert_eq!(
        (none.status, &none.body["contract_id"]),
        (200, &Value::Null)
    );
    assert_eq!(none.body["contracts"], json!([]));

    let open = json!({"account_id": account, "credits": 7, "endpoints": "all"});
    service.ok(Method::POST, "/admin/contracts", open).await;
    let near = json!({"account_id": account, "credits": 5, "endpoints": "all",
        "expires_on": "2999-12-31"});
    let near = service.ok(Method::POST, "/admin/contracts", near).await;
    let answer = service.credits(&key).await;
    assert_eq!(answer.body["contract_id"], near["contract_id"]);
    assert_eq!(answer.body["credits_remaining"], 5);
    assert_eq!(answer.body["expiration_date"], "2999-12-31");
    assert_eq!(answer.body["contracts"].as_array().unwrap().len(), 2);
    assert_eq!(answer.header("credits-used"), Some("0"));
    assert_eq!(service.credits("rk_live_x").await.status, 401);
    service.stop().await;
}

#[tokio::test]
async fn after_a_miss_the_idempotency_key_is_free_again() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let id = Uuid::new_v4();
    let headers = [("API-Key", key.as_str()), ("Idempotency-Key", "later")];
    let missed = service.post(PERSON, &headers, &report(id)).await;
    assert_eq!(missed.status, 404);
    service.records.add("person", id, Value::Null);
    let found = service.post(PERSON, &headers, &report(id)).await;
    assert_eq!(
        (found.status, found.header("idempotency-replayed")),
        (200, None)
    );
    service.stop().await;
}

#[tokio::test]
async fn a_report_of_unknown_outcome_keeps_its_name_until_it_is_known_and_is_filed_once() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let account = service.ok(Method::POST, "/admin/accounts", json!({"name": "acme"}));
    let account = text(&account.await["account_id"]);
    let wish = json!({"account_id": account, "endpoints": "all", "rate_limits": {"report_person": 100_000}});
    let key = service.ok(Method::POST, "/admin/keys", wish).await;
    let key = text(&key["api_key"]);
    let headers = [("API-Key", key.as_str()), ("Idempotency-Key", "k")];
    // A record of another shard than the account's, whose head alone is locked.
    let account: AccountId = account.parse().unwrap();
    let record = std::iter::repeat_with(Uuid::new_v4)
        .find(|id| ReportId::new(*id, [0; 16]).shard() != account.shard())
        .unwrap();
    service.records.add("person", record, json!("director"));
    // The head is known before it is locked: only a batch waits for it.
    let body = report(record);
    let unnamed = service.post(PERSON, &headers[..1], &body).await;
    assert_eq!(unnamed.status, 200, "{:?}", unnamed.body);
    let pool = sqlx::PgPool::connect(&service.database).await.unwrap();
    let mut head = pool.begin().await.unwrap();
    let lock = sqlx::query("SELECT pos FROM shard_head WHERE shard = $1 FOR UPDATE");
    let shard = ReportId::new(record, [0; 16]).shard();
    lock.bind(i16::from(shard.number()))
        .execute(&mut *head)
        .await
        .unwrap();

    let first = service.post(PERSON, &headers, &body).await;
    assert_eq!(first.status, 503, "{:?}", first.body);
    assert_eq!(first.body["details"]["outcome"], "unknown");
    let meanwhile = service.post(PERSON, &headers, &body).await;
    assert_eq!(
        (meanwhile.status, meanwhile.refusal()),
        (409, ("idempotency_conflict", "in_progress"))
    );
    head.rollback().await.unwrap();
    until(|| async { service.post(PERSON, &headers, &body).await.status == 200 }).await;
    let again = service.post(PERSON, &headers, &body).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let filed: i64 = sqlx::query_scalar("SELECT count(*) FROM report")
        .fetch_one(&pool)
        .await
        .unwrap();
    // With the one before it.
    assert_eq!(filed, 2);
    service.stop().await;
}

/// Kafka closes the segment with the values only when something comes after its time.
#[tokio::test]
async fn a_tombstone_that_kafka_has_is_owed_once_more_and_then_no_more() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let id = Uuid::new_v4();
    service.records.add("person", id, json!("director"));
    let filed = service
        .post(PERSON, &[("API-Key", &key)], &report(id))
        .await;
    let id: ReportId = text(&filed.body["report_id"]).parse().unwrap();
    let store = &service.store;
    let erased_at = Utc::now();
    assert!(
        store
            .erase_report_details(id, erased_at, "operator:test")
            .await
            .unwrap()
    );
    let shards = [id.shard()];
    let owed = async || store.owed_tombstones(&shards, 10).await.unwrap();
    let due = async |after| {
        let due = store.repeated_tombstones(&shards, 10, after).await;
        due.unwrap()
    };
    let (lag, none) = (Duration::from_secs(3_600), Duration::ZERO);
    let first = owed().await;
    assert_eq!(first.len(), 1);
    assert!(store.owes_tombstone(id).await.unwrap());
    assert_eq!(due(none).await, []);
    // However often Kafka has the first one.
    for _ in 0..2 {
        store.tombstones_sent(&[id]).await.unwrap();
        assert!(!store.owes_tombstone(id).await.unwrap());
        assert_eq!((owed().await, due(lag).await), (vec![], vec![]));
    }
    let second = due(none).await;
    assert_eq!(second.len(), 1);
    assert!(second[0].at > first[0].at);
    store.forget_tombstones(&[id]).await.unwrap();
    assert_eq!((owed().await, due(none).await), (vec![], vec![]));
    service.stop().await;
}
