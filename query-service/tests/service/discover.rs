//! Discover: plain words, the search that they become, and what of them is refused.

use axum::body::Body;
use events_schema::record::RecordKind;
use serde_json::{Value, json};
use sqlx::Executor as _;

use crate::fixture::{self, person};
use crate::ledger::GOOD_KEY;
use crate::search::{crowd, found, load};
use crate::stack::{Answered, Stack, post};

const PATH: &str = "/person/discover";
const WORDS: &str = "directors in Chicago with more than 2 years of experience";

async fn ask(stack: &Stack, body: Value) -> Answered {
    stack.post(PATH, GOOD_KEY, body).await
}

async fn refused(stack: &Stack, path: &str, body: Value) -> Value {
    let answered = stack.post(path, GOOD_KEY, body).await;
    assert_eq!(answered.status, 422, "{}", answered.text);
    assert_eq!(answered.header("credits-used"), Some("0"));
    assert_eq!(stack.ledger.holds(), 0);
    let body = answered.body();
    assert_eq!(body["error"], "validation_error");
    body["details"].clone()
}

#[tokio::test]
async fn words_give_the_page_total_and_price_of_the_query_that_they_become() {
    let stack = crowd(60, 1_000).await;
    let before = stack.ledger.balance();
    let answered = ask(
        &stack,
        json!({"query": WORDS, "limit": 3, "include_fields": "full_name"}),
    )
    .await;
    assert_eq!(answered.status, 200, "{}", answered.text);
    assert_eq!(before - stack.ledger.balance(), 3);
    assert_eq!(answered.header("total-count-status"), Some("exact"));
    assert_eq!(answered.header("data-build"), Some("2026.10.1-person"));
    let body = answered.body();
    assert_eq!(
        body["generated_query"],
        "SELECT * FROM person WHERE city = 'chicago' AND seniority_level = 'director' AND years_of_experience > 2"
    );
    let said = &body["interpretation"];
    assert_eq!(
        (&said["source"], &said["unsupported"]),
        (&json!("local"), &json!([]))
    );
    let applied = said["applied"].as_array().unwrap();
    let clauses: Vec<&Value> = applied.iter().map(|one| &one["clause"]).collect();
    assert_eq!(
        clauses,
        [
            "seniority_level = 'director'",
            "city = 'chicago'",
            "years_of_experience > 2"
        ]
    );
    assert_eq!(applied[1]["phrase"], "Chicago");
    assert_eq!(applied[1]["span"], json!([13, 20]));
    let search =
        json!({"query": body["generated_query"], "limit": 3, "include_fields": "full_name"});
    let searched = found(&stack, search).await;
    assert_eq!(searched["matches"], body["matches"]);
    assert_eq!(searched["total"], body["total"]);
    stack.stop().await;
}

#[tokio::test]
async fn pages_of_words_neither_overlap_nor_skip() {
    let stack = crowd(60, 1_000).await;
    let mut all = Vec::new();
    loop {
        let page = json!({"query": "managers", "limit": 7, "offset": all.len(), "include_fields": "full_name"});
        let body = ask(&stack, page).await.body();
        let names = body["matches"].as_array().unwrap().iter();
        let before = all.len();
        all.extend(names.map(|one| one["person"]["full_name"].to_string()));
        if all.len() == before {
            assert_eq!(body["total"], before);
            break;
        }
    }
    let query = "SELECT * FROM person WHERE seniority_level = 'manager'";
    let whole = found(
        &stack,
        json!({"query": query, "limit": 100, "include_fields": "full_name"}),
    )
    .await;
    let names = whole["matches"].as_array().unwrap().iter();
    let names: Vec<String> = names
        .map(|one| one["person"]["full_name"].to_string())
        .collect();
    assert_eq!((all.len(), &all), (30, &names));
    stack.stop().await;
}

#[tokio::test]
async fn what_cannot_be_answered_is_named_and_free() {
    let stack = crowd(10, 100).await;
    let partly = json!({"query": "directors who speak Spanish", "limit": 1});
    let body = ask(&stack, partly.clone()).await.body();
    let unsupported = &body["interpretation"]["unsupported"];
    assert_eq!(
        unsupported,
        &json!([{"phrase": "speak Spanish", "span": [14, 27], "reason": "no_such_field"}])
    );
    let mut strict = partly;
    strict["strict"] = json!(true);
    let details = refused(&stack, PATH, strict).await;
    assert_eq!(&details["unsupported"], unsupported);
    assert_eq!(
        details["fields"][0]["error"],
        "parts of the description cannot be answered"
    );

    let details = refused(
        &stack,
        PATH,
        json!({"query": "people who love hiking", "limit": 1}),
    )
    .await;
    assert_eq!(
        details["fields"][0]["error"],
        "no searchable condition recognised"
    );
    assert_eq!(details["unsupported"][0]["phrase"], "love hiking");
    let fields = details["supported_fields"].as_array().unwrap();
    assert!(fields.contains(&json!("seniority_level")));

    let details = refused(
        &stack,
        "/company/discover",
        json!({"query": "CTOs with 5 years of experience", "limit": 1}),
    )
    .await;
    assert_eq!(
        details["fields"][0]["suggestion"],
        "describe it to /person/discover"
    );
    let details = refused(&stack, PATH, json!({"query": "hi", "limit": 1})).await;
    assert_eq!(details["fields"][0]["error"], "length 2 is outside 3..1000");
    refused(
        &stack,
        PATH,
        json!({"query": "x".repeat(1_001), "limit": 1}),
    )
    .await;
    for limit in [0, 101] {
        refused(&stack, PATH, json!({"query": WORDS, "limit": limit})).await;
    }
    for body in [
        json!({"query": WORDS}),
        json!({"query": WORDS, "limit": 1, "cursor": "x"}),
    ] {
        assert_eq!(ask(&stack, body).await.status, 400);
    }
    stack.stop().await;
}

/// Else they would be bought in vain.
#[tokio::test]
async fn who_lacks_the_credits_is_told_first_that_the_words_say_nothing() {
    let stack = crowd(10, 0).await;
    let words = json!({"query": "people who love hiking", "limit": 1});
    refused(&stack, PATH, words).await;
    let partly = json!({"query": "directors who speak Spanish", "limit": 1, "strict": true});
    refused(&stack, PATH, partly).await;
    let answered = ask(&stack, json!({"query": WORDS, "limit": 1})).await;
    assert_eq!(answered.status, 402, "{}", answered.text);
    stack.stop().await;
}

/// Not from the newest date of a record, which may lie in the future.
#[tokio::test]
async fn relative_dates_count_from_the_reference_date_of_the_build() {
    let stack = Stack::start_empty(100).await;
    let records = fixture::crowd(10);
    stack.database.load(RecordKind::Person, 1, &records).await;
    let mut own = stack.database.connect().await;
    own.execute("update data_build set reference_date = '2026-09-30'")
        .await
        .unwrap();
    stack.database.activate(RecordKind::Person, 1).await;
    stack.follow().await;
    let words = json!({"query": "directors seen in the last two weeks", "limit": 1});
    let body = ask(&stack, words).await.body();
    let applied = body["interpretation"]["applied"].to_string();
    assert!(applied.contains("last_seen >= '2026-09-16'"), "{applied}");
    stack.stop().await;
}

#[tokio::test]
async fn an_answer_to_words_is_given_again_for_nothing() {
    let stack = crowd(30, 100).await;
    let request = || {
        let body = json!({"query": WORDS, "limit": 2, "include_fields": "full_name"});
        let request = post(PATH, GOOD_KEY).header("idempotency-key", "words");
        request.body(Body::from(body.to_string())).unwrap()
    };
    let first = stack.send(request()).await;
    assert_eq!(first.status, 200, "{}", first.text);
    load(&stack, 2, 3).await;
    let balance = stack.ledger.balance();
    let again = stack.send(request()).await;
    assert_eq!(again.text, first.text);
    assert_eq!(again.header("data-build"), first.header("data-build"));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(stack.ledger.balance(), balance);
    stack.stop().await;
}

#[tokio::test]
async fn an_answer_is_given_again_when_the_build_that_knew_its_words_is_gone() {
    let stack = Stack::start_empty(100).await;
    let director = |at| {
        let doc = json!({"full_name": "jane doe", "city": "zzyzx", "seniority_level": "director"});
        person(at, doc)
    };
    let records: Vec<_> = (1..4).map(director).collect();
    stack.database.load(RecordKind::Person, 1, &records).await;
    stack.database.activate(RecordKind::Person, 1).await;
    stack.follow().await;
    let named = |words: &str| {
        let body = json!({"query": words, "limit": 2, "include_fields": "full_name"});
        let request = post(PATH, GOOD_KEY).header("idempotency-key", words);
        request.body(Body::from(body.to_string())).unwrap()
    };
    // Without the build nothing is read of the one, and something else of the other.
    let sentences = ["people in Zzyzx", "directors in Zzyzx"];
    for words in sentences {
        let first = stack.send(named(words)).await;
        assert_eq!(first.status, 200, "{}", first.text);
        assert_eq!(first.body()["interpretation"]["unsupported"], json!([]));
    }
    let balance = stack.ledger.balance();
    for build in 2..6 {
        load(&stack, build, 3).await;
    }
    for words in sentences {
        let again = stack.send(named(words)).await;
        assert_eq!(again.status, 200, "{}", again.text);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        let again = again.body();
        assert_eq!(again["total"], 3);
        assert_eq!(again["matches"].as_array().map(Vec::len), Some(2));
        assert_eq!(again["generated_query"], Value::Null);
        assert_eq!(
            again["interpretation"],
            json!({"source": "local", "applied": [], "assumed": [], "ambiguous": [], "unsupported": []})
        );
    }
    assert_eq!(stack.ledger.balance(), balance);
    stack.stop().await;
}
