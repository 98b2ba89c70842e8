//! Completions over HTTP: what they find, what they cost, what is refused.

use axum::body::Body;
use events_schema::record::RecordKind;
use serde_json::{Value, json};

use crate::ledger::GOOD_KEY;
use crate::search::{crowd, found};
use crate::stack::{Answered, Stack, post};

const PATH: &str = "/autocomplete";

async fn complete(stack: &Stack, body: Value) -> Answered {
    stack.post(PATH, GOOD_KEY, body).await
}

async fn results(stack: &Stack, body: Value) -> Vec<(String, u64)> {
    let answered = complete(stack, body).await;
    assert_eq!(answered.status, 200, "{}", answered.text);
    let body = answered.body();
    let results = body["results"].as_array().unwrap().iter();
    let pair = |one: &Value| {
        let value = one["value"].as_str().unwrap().to_owned();
        (value, one["count"].as_u64().unwrap())
    };
    results.map(pair).collect()
}

#[tokio::test]
async fn a_count_is_the_total_of_a_search_for_the_value_and_costs_nothing() {
    let stack = crowd(95, 1_000).await;
    for field in ["city", "seniority_level", "full_name", "skills"] {
        let completed = results(&stack, json!({"field": field, "text": ""})).await;
        assert!(!completed.is_empty(), "{field}");
        for (value, count) in completed {
            let query = format!(
                "SELECT * FROM person WHERE {field} = '{}'",
                value.replace('\'', "''")
            );
            let total = found(&stack, json!({"query": query, "limit": 1})).await["total"].clone();
            assert_eq!(total, count, "{field} = {value}");
        }
    }
    let before = stack.ledger.balance();
    let answered = complete(&stack, json!({"field": "city", "text": "chi"})).await;
    assert_eq!(
        answered.body()["results"],
        json!([{"value": "chicago", "count": 31}])
    );
    assert_eq!(answered.header("credits-used"), Some("0"));
    assert_eq!(answered.header("data-build"), Some("2026.10.1-person"));
    assert_eq!(answered.header("ratelimit-remaining"), Some("97"));
    assert_eq!(stack.ledger.balance(), before);
    assert_eq!(stack.ledger.holds(), 0);
    assert_eq!(stack.ledger.calls().last(), Some(&"noted"));
    stack.stop().await;
}

#[tokio::test]
async fn an_empty_balance_completes_and_an_idempotency_key_changes_nothing() {
    let stack = crowd(95, 0).await;
    for _ in 0..2 {
        let request = post(PATH, GOOD_KEY)
            .header("Idempotency-Key", "one")
            .body(Body::from(
                json!({"field": "city", "text": "chcag"}).to_string(),
            ))
            .unwrap();
        let answered = stack.send(request).await;
        assert_eq!(answered.status, 200, "{}", answered.text);
        assert_eq!(answered.body()["results"][0]["value"], "chicago");
        assert_eq!(answered.header("idempotency-replayed"), None);
    }
    assert_eq!(stack.ledger.calls(), ["noted", "noted"]);
    stack.stop().await;
}

#[tokio::test]
async fn persons_and_companies_complete_from_their_own_builds_and_no_build_has_no_values() {
    let stack = Stack::start(10).await;
    let of = |field: &str, entity: Option<&str>, text: &str| json!({"field": field, "entity": entity, "text": text, "limit": 3});
    let companies = results(&stack, of("name", None, "north")).await;
    assert_eq!(
        companies.first().map(|(name, _)| name.as_str()),
        Some("northwind tools")
    );
    let answered = complete(&stack, of("country", Some("company"), "")).await;
    assert_eq!(answered.header("data-build"), Some("2026.10.1-company"));
    let answered = complete(&stack, of("country", None, "")).await;
    assert_eq!(answered.header("data-build"), Some("2026.10.1-person"));
    stack.stop().await;

    let empty = Stack::start_empty(10).await;
    empty.builds.poll().await.unwrap();
    let answered = complete(&empty, of("city", None, "chi")).await;
    assert_eq!(
        (answered.status.as_u16(), answered.text.as_str()),
        (200, r#"{"results":[]}"#)
    );
    assert_eq!(answered.header("data-build"), None);
    empty.database.load_rows(RecordKind::Person, 1, &[]).await;
    empty.database.activate(RecordKind::Person, 1).await;
    empty.follow().await;
    let answered = complete(&empty, of("city", None, "chi")).await;
    assert_eq!(
        answered.status, 503,
        "a build without search files: {}",
        answered.text
    );
    empty.stop().await;
}

#[tokio::test]
async fn what_is_wrong_is_told_and_counted() {
    let stack = crowd(10, 10).await;
    let long = "x".repeat(201);
    for (body, status, said) in [
        (json!({"text": "a"}), 400, "missing_parameter"),
        (json!({"field": "city"}), 400, "missing_parameter"),
        (
            json!({"field": "city", "text": "a", "prefix": 1}),
            400,
            "unknown_parameter",
        ),
        (
            json!({"field": "citty", "text": "a"}),
            400,
            "\"suggestions\":[\"city\"",
        ),
        (
            json!({"field": "industry", "entity": "person", "text": "a"}),
            400,
            "company_industry",
        ),
        (
            json!({"field": "emails", "text": "a"}),
            400,
            "unknown_field",
        ),
        (
            json!({"field": "work_email", "text": "a"}),
            422,
            "reaches or tells of one person",
        ),
        (
            json!({"field": "emails.address", "text": "a"}),
            422,
            "reaches or tells of one person",
        ),
        (
            json!({"field": "years_of_experience", "text": "1"}),
            422,
            "is no text",
        ),
        (json!({"field": "city", "text": 7}), 422, "must be a string"),
        (json!({"field": "city", "text": long}), 422, "at most 200"),
        (
            json!({"field": "city", "text": "a", "limit": 0}),
            422,
            "from 1 to 100",
        ),
        (
            json!({"field": "city", "text": "a", "limit": 101}),
            422,
            "from 1 to 100",
        ),
        (
            json!({"field": "city", "text": "a", "entity": "firm"}),
            422,
            "person, company",
        ),
        (json!({"field": "", "text": "a"}), 422, "must not be empty"),
        (json!({"field": 3, "text": "a"}), 422, "must be a string"),
    ] {
        let answered = complete(&stack, body.clone()).await;
        assert_eq!(answered.status, status, "{body}: {}", answered.text);
        assert!(answered.text.contains(said), "{body}: {}", answered.text);
        assert_eq!(answered.header("credits-used"), Some("0"));
        assert_eq!(answered.header("ratelimit-remaining"), Some("97"));
    }
    assert_eq!(
        stack
            .post(
                PATH,
                "rk_live_unknown",
                json!({"field": "city", "text": ""})
            )
            .await
            .status,
        401
    );
    assert_eq!(stack.ledger.holds(), 0);
    stack.stop().await;
}
