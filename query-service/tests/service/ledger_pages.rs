//! `GET /credits/ledger`: pages of an account's grants and charges.

use axum::body::Body;
use events_schema::ids::{AccountId, ContractId};
use http::Request;
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::ledger::{GOOD_KEY, account, contract};
use crate::stack::{Answered, Stack};

async fn ledger(stack: &Stack, key: &str, query: &str) -> Answered {
    let request = Request::get(format!("/credits/ledger{query}")).header("api-key", key);
    stack.send(request.body(Body::empty()).unwrap()).await
}

/// Writes what the projector would have written of an event at `pos`.
async fn write(
    db: &mut PgConnection,
    of: AccountId,
    pos: i64,
    (kind, credits, balance): (&str, i64, i64),
) {
    let statement = "insert into ledger values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '2026-11-21T05:00:00.123456Z')";
    let is_charge = kind == "charge";
    let query = sqlx::query(statement)
        .bind(i16::from(of.shard().number()))
        .bind(pos)
        .bind(contract().uuid())
        .bind(of.uuid())
        .bind(kind)
        .bind(credits)
        .bind(balance)
        .bind(is_charge.then_some("person_search"))
        .bind(is_charge.then_some(3))
        .bind(Uuid::from_u128(u128::try_from(pos).unwrap()));
    query.execute(&mut *db).await.unwrap();
}

async fn reach(db: &mut PgConnection, topic_seq: i64) {
    let statement = "insert into shard_checkpoint values ('credits.v1', $1, $2, 31)
        on conflict (topic, shard) do update set topic_seq = excluded.topic_seq";
    let query = sqlx::query(statement).bind(i16::from(account().shard().number()));
    query.bind(topic_seq).execute(db).await.unwrap();
}

/// A grant of 100 and charges of 3, the last one leaving the balance at 88.
async fn filled() -> (Stack, PgConnection) {
    let stack = Stack::start_empty(0).await;
    let mut db = stack.database.connect().await;
    write(&mut db, account(), 10, ("grant", 100, 100)).await;
    for (place, balance) in [(20, 97), (21, 94), (30, 91), (31, 88)] {
        write(&mut db, account(), place, ("charge", 3, balance)).await;
    }
    // Another account's, in the same shard and between them.
    let mut other = account().uuid().into_bytes();
    other[15] ^= 1;
    let other = AccountId::from(Uuid::from_bytes(other));
    assert_eq!(other.shard(), account().shard());
    write(&mut db, other, 25, ("grant", 7, 7)).await;
    reach(&mut db, 6).await;
    stack.ledger.set_credits_seq(6);
    (stack, db)
}

fn credits(page: &Value) -> Vec<i64> {
    let entries = page["entries"].as_array().unwrap().iter();
    entries
        .map(|entry| entry["credits"].as_i64().unwrap())
        .collect()
}

#[tokio::test]
async fn pages_of_the_ledger_are_newest_first_and_add_up_to_the_balance() {
    let (stack, _db) = filled().await;
    let whole = ledger(&stack, GOOD_KEY, "").await;
    assert_eq!(whole.status, 200, "{}", whole.text);
    let headers = ["credits-used", "ratelimit-limit", "contract-id"].map(|name| whole.header(name));
    assert_eq!(headers, [Some("0"), Some("100"), None]);
    let body = whole.body();
    assert_eq!(
        (&body["next_cursor"], &body["is_current"]),
        (&Value::Null, &json!(true))
    );
    let newest = json!({
        "request_id": Uuid::from_u128(31), "contract_id": contract(), "kind": "charge", "endpoint": "person_search",
        "units": 3, "credits": -3, "balance_after": 88, "occurred_at": "2026-11-21T05:00:00.123Z"
    });
    assert_eq!(body["entries"][0], newest);
    let grant = &body["entries"][4];
    assert_eq!(
        (&grant["kind"], &grant["endpoint"], &grant["units"]),
        (&json!("grant"), &Value::Null, &Value::Null)
    );
    assert_eq!(credits(&body), [-3, -3, -3, -3, 100]);
    assert_eq!(credits(&body).iter().sum::<i64>(), 88);

    assert_eq!(whole.header("cache-control"), Some("no-store"));

    let mut paged = Vec::new();
    let mut query = "?limit=2".to_owned();
    for _page in 0..3 {
        let page = ledger(&stack, GOOD_KEY, &query).await.body();
        paged.extend(page["entries"].as_array().unwrap().clone());
        query = format!(
            "?limit=2&cursor={}",
            page["next_cursor"].as_str().unwrap_or("end")
        );
    }
    assert_eq!(query, "?limit=2&cursor=end");
    assert_eq!(Value::Array(paged), body["entries"]);
    stack.stop().await;
}

#[tokio::test]
async fn a_ledger_waits_for_what_the_account_was_told_and_says_when_it_is_behind() {
    let (stack, mut db) = filled().await;
    stack.ledger.set_credits_seq(7);
    let behind = ledger(&stack, GOOD_KEY, "").await.body();
    assert_eq!(
        (&behind["is_current"], credits(&behind).len()),
        (&json!(false), 5)
    );
    let page = ledger(&stack, GOOD_KEY, "?limit=2").await.body();
    assert_eq!(page["is_current"], false);
    let older = format!("?cursor={}", page["next_cursor"].as_str().unwrap());
    let older = ledger(&stack, GOOD_KEY, &older).await.body();
    assert_eq!(
        (&older["is_current"], credits(&older).len()),
        (&json!(true), 3)
    );
    let write_late = async {
        tokio::time::sleep(crate::stack::LEDGER_WAIT / 4).await;
        write(&mut db, account(), 40, ("charge", 3, 85)).await;
        reach(&mut db, 7).await;
    };
    let (waited, ()) = tokio::join!(ledger(&stack, GOOD_KEY, "?limit=1"), write_late);
    let waited = waited.body();
    assert_eq!(
        (
            &waited["is_current"],
            &waited["entries"][0]["balance_after"]
        ),
        (&json!(true), &json!(85))
    );
    stack.stop().await;
}

#[tokio::test]
async fn a_ledger_with_rows_behind_an_event_that_cannot_be_applied_is_not_current() {
    let (stack, mut db) = filled().await;
    let park = async |db: &mut PgConnection, topic: &str, key: String| {
        sqlx::query("insert into parked_key values ($1, $2)")
            .bind(topic)
            .bind(key)
            .execute(db)
            .await
            .unwrap();
    };
    let other = (0..).map(|seed| ContractId::new(AccountId::new([seed; 16]), [9; 16]));
    let other = other
        .into_iter()
        .find(|contract| contract.shard() != account().shard())
        .unwrap();
    park(&mut db, "credits.v1", other.to_string()).await;
    park(&mut db, "reports.v1", contract().to_string()).await;
    assert_eq!(
        ledger(&stack, GOOD_KEY, "").await.body()["is_current"],
        true
    );
    let of_the_account = ContractId::new(account(), [9; 16]);
    park(&mut db, "credits.v1", of_the_account.to_string()).await;
    assert_eq!(
        ledger(&stack, GOOD_KEY, "").await.body()["is_current"],
        false
    );
    stack.stop().await;
}

#[tokio::test]
async fn a_ledger_is_refused_as_every_request_is() {
    let (stack, mut db) = filled().await;
    for (key, query, status, error) in [
        ("unknown", "?limit=0", 401, "unauthorized"),
        ("limited", "?limit=0", 429, "rate_limited"),
        ("broken", "", 503, "service_unavailable"),
        (GOOD_KEY, "?limit=0", 422, "validation_error"),
        (GOOD_KEY, "?limit=1001", 422, "validation_error"),
        (GOOD_KEY, "?cursor=x", 422, "validation_error"),
        (GOOD_KEY, "?cursor=30", 422, "validation_error"),
        (GOOD_KEY, "?from=2026", 400, "bad_request"),
        (GOOD_KEY, "?limit=1&limit=2", 400, "bad_request"),
        (GOOD_KEY, "?limit=%ff", 422, "validation_error"),
    ] {
        let refused = ledger(&stack, key, query).await;
        let told = (refused.status.as_u16(), refused.body()["error"].clone());
        assert_eq!(
            told,
            (status, json!(error)),
            "{key} {query}: {}",
            refused.text
        );
    }
    let missing = stack
        .send(Request::get("/credits/ledger").body(Body::empty()).unwrap())
        .await;
    assert_eq!(missing.status, 401);
    let posted = Request::post("/credits/ledger")
        .header("api-key", GOOD_KEY)
        .header("content-type", "application/json");
    let posted = stack.send(posted.body(Body::from("{}")).unwrap()).await;
    assert_eq!(
        (posted.status.as_u16(), posted.header("allow")),
        (405, Some("GET, HEAD"))
    );
    sqlx::query("drop table ledger")
        .execute(&mut db)
        .await
        .unwrap();
    assert_eq!(ledger(&stack, GOOD_KEY, "").await.status, 503);
    stack.stop().await;
}
