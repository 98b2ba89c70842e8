//! Many enrich requests in one.

use axum::body::Body;
use events_schema::record::RecordKind;
use http::Request;
use serde_json::{Value, json};
use sqlx::Executor;

use crate::ledger::GOOD_KEY;
use crate::stack::{Stack, post};

const SINGLE: &str = "/person/enrich";
const BULK: &str = "/person/enrich/bulk";

fn keyed(body: &Value) -> Request<Body> {
    post(BULK, GOOD_KEY)
        .header("idempotency-key", "a key")
        .body(Body::from(body.to_string()))
        .unwrap()
}

fn items() -> Vec<Value> {
    vec![
        json!({"full_name": "Maya Okafor", "company": "Northwind Tools", "city": "Chicago"}),
        json!({"phone": "+13125550100", "multiple_results": true}),
        json!({"phone": "+13125550111"}),
        json!({"email": "nobody@nowhere.example"}),
        json!({"email": "bad"}),
        json!({"city": "chicago"}),
    ]
}

#[tokio::test]
async fn each_item_is_answered_as_it_would_be_alone_and_all_are_paid_by_one_charge() {
    let stack = Stack::start(100).await;
    let options = json!({"explain": true, "include_fields": "full_name,emails"});
    let mut body = options.clone();
    body["items"] = items().into();
    let bulk = stack.post(BULK, GOOD_KEY, body).await;
    assert_eq!(bulk.status, 200, "{}", bulk.text);
    assert_eq!(bulk.header("credits-used"), Some("3"));
    assert_eq!(
        (bulk.header("credits-remaining"), stack.ledger.balance()),
        (Some("97"), 97)
    );
    let body = bulk.body();
    let results = body["results"].as_array().unwrap();
    assert_eq!(results.len(), items().len());
    for (mut item, result) in items().into_iter().zip(results) {
        item.as_object_mut()
            .unwrap()
            .extend(options.as_object().unwrap().clone());
        let alone = stack.post(SINGLE, GOOD_KEY, item).await;
        let told = alone.body();
        if alone.status == 200 {
            assert_eq!(
                (&result["matches"], &result["total"], &result["error"]),
                (&told["matches"], &told["total"], &Value::Null)
            );
        } else {
            assert_eq!(
                (&result["matches"], &result["total"]),
                (&json!([]), &json!(0))
            );
            for part in ["error", "message", "retryable", "details"] {
                assert_eq!(result["error"][part], told[part], "{result}");
            }
        }
    }
    stack.stop().await;
}

#[tokio::test]
async fn a_repeated_bulk_request_is_answered_again_and_charged_once() {
    let stack = Stack::start(100).await;
    let mut items = items();
    // The same record twice is two matches.
    items.push(items[0].clone());
    items[0]["metadata"] = json!({"row": 7});
    let body = json!({"titlecase": true, "explain": true, "items": items});
    let first = stack.send(keyed(&body)).await;
    assert_eq!(first.header("credits-used"), Some("4"), "{}", first.text);
    let again = stack.send(keyed(&body)).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.header("credits-used"), Some("0"));
    assert_eq!((&again.text, stack.ledger.balance()), (&first.text, 96));

    // From the build that answered first, whatever is active by now.
    stack.database.load(RecordKind::Person, 2, &[]).await;
    stack.database.activate(RecordKind::Person, 2).await;
    stack.follow().await;
    let again = stack.send(keyed(&body)).await;
    assert_eq!(
        again.header("data-build"),
        first.header("data-build"),
        "{}",
        again.text
    );
    let matches = |text: &str| -> Vec<Value> {
        let body: Value = serde_json::from_str(text).unwrap();
        let results = body["results"].as_array().unwrap().clone();
        results
            .iter()
            .map(|one| one["matches"][0]["person"].clone())
            .collect()
    };
    assert_eq!(matches(&again.text), matches(&first.text));
    let fresh = stack.post(BULK, GOOD_KEY, body).await;
    assert_eq!(
        (fresh.status.as_u16(), fresh.header("credits-used")),
        (200, Some("0"))
    );
    stack.stop().await;
}

#[tokio::test]
async fn a_repeated_item_is_the_same_whether_its_nulls_are_given_or_left_out() {
    let stack = Stack::start(100).await;
    let email = "m.okafor@northwind-tools.example";
    let with_nulls = json!({"items": [
        null,
        {"email": email, "phone": null, "explain": null, "metadata": {"row": 1, "note": null}},
        {"email": "bad", "phone": null},
        {"email": "nobody@nowhere.example", "limit": null, "metadata": null},
    ]});
    let first = stack.send(keyed(&with_nulls)).await;
    let told = first.body();
    assert_eq!(first.header("credits-used"), Some("1"), "{}", first.text);
    let fault = &told["results"][0]["error"]["details"]["fields"][0];
    assert_eq!(
        (&fault["field"], &fault["value"]),
        (&json!("items"), &Value::Null)
    );
    let again = stack.send(keyed(&with_nulls)).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!((&again.text, stack.ledger.balance()), (&first.text, 99));

    let without = json!({"items": [
        null,
        {"email": email, "metadata": {"row": 1}},
        {"email": "bad"},
        {"email": "nobody@nowhere.example"},
    ]});
    let again = stack.send(keyed(&without)).await;
    assert_eq!(again.status, 200, "{}", again.text);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let mut expected = told;
    expected["results"][1]["metadata"] = json!({"row": 1});
    assert_eq!((again.body(), stack.ledger.balance()), (expected, 99));
    stack.stop().await;
}

#[tokio::test]
async fn items_that_find_nothing_or_are_none_cost_nothing() {
    let stack = Stack::start(1).await;
    let body = json!({"items": [{"email": "bad"}, {"city": "chicago"}, 5]});
    let answered = stack.post(BULK, GOOD_KEY, body).await;
    assert_eq!(
        (answered.status.as_u16(), answered.header("credits-used")),
        (200, Some("0")),
        "{}",
        answered.text
    );
    assert_eq!(stack.ledger.balance(), 1);
    stack.stop().await;
}

#[tokio::test]
async fn a_database_that_does_not_answer_refuses_the_whole_and_nothing_is_charged() {
    let stack = Stack::start(10).await;
    let mut own = stack.database.connect().await;
    own.execute("drop table b_0000000000000001.person_key")
        .await
        .unwrap();
    let answered = stack.post(BULK, GOOD_KEY, json!({"items": items()})).await;
    assert_eq!(answered.status, 503, "{}", answered.text);
    assert_eq!((stack.ledger.balance(), stack.ledger.holds()), (10, 0));
    stack.stop().await;
}
