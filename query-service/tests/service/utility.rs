//! What the utilities promise beyond one answer; single answers are golden files.

use axum::body::Body;
use serde_json::json;

use crate::ledger::GOOD_KEY;
use crate::stack::{Stack, post};

#[tokio::test]
async fn every_digest_of_an_address_finds_its_person() {
    let stack = Stack::start(10).await;
    // The address as a customer has it: other letter case and another tag.
    let body = json!({"email": "M.Okafor+crm@Northwind-Tools.Example"});
    let hashed = stack.post("/utility/hash/email", GOOD_KEY, body).await;
    assert_eq!(hashed.status, 200, "{}", hashed.text);
    for algorithm in ["sha256", "sha1", "md5"] {
        let hash = &hashed.body()["hashes"][algorithm];
        let body = json!({"email_hash": hash, "include_fields": "full_name"});
        let found = stack.post("/person/enrich", GOOD_KEY, body).await;
        assert_eq!(found.status, 200, "{algorithm}: {}", found.text);
        assert_eq!(
            found.body()["matches"][0]["person"]["full_name"],
            "maya ifeoma okafor"
        );
    }
    assert_eq!(stack.ledger.balance(), 6);
    stack.stop().await;
}

#[tokio::test]
async fn a_repeated_key_is_computed_again_and_charged_once() {
    let stack = Stack::start(10).await;
    let send = || {
        let body = json!({"fields": {"email": "Maya@Example.com"}});
        let request = post("/utility/clean", GOOD_KEY).header("idempotency-key", "one");
        stack.send(request.body(Body::from(body.to_string())).unwrap())
    };
    let (first, again) = (send().await, send().await);
    assert_eq!(first.header("credits-used"), Some("1"));
    assert_eq!(
        (
            again.header("credits-used"),
            again.header("idempotency-replayed")
        ),
        (Some("0"), Some("true"))
    );
    assert_eq!((again.text, stack.ledger.balance()), (first.text, 9));
    stack.stop().await;
}

#[tokio::test]
async fn the_utilities_need_no_data_build() {
    let stack = Stack::start_empty(10).await;
    let body = json!({"country": "Untied States"});
    let answered = stack.post("/utility/validate", GOOD_KEY, body).await;
    assert_eq!(answered.status, 200, "{}", answered.text);
    assert_eq!(answered.body()["valid"], false);
    assert_eq!(answered.header("data-build"), None);
    stack.stop().await;
}
