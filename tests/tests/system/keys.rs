//! API keys work, and stop working, at once.

use std::time::Duration;

use tests::Stack;
use tests::records::{email, persons};
use tests::wait::until;

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_is_refused_within_a_second() {
    let stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(3)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();
    assert_eq!(customer.enrich(&email(0)).await.unwrap().status, 200);

    stack
        .roster(&["key", "revoke", &customer.api_key_id])
        .await
        .unwrap();
    let refused = until("the key is refused", Duration::from_secs(1), async || {
        customer
            .enrich(&email(0))
            .await
            .ok()
            .filter(|answer| answer.status == 401)
    })
    .await
    .unwrap();
    assert_eq!(refused.error(), "unauthorized");
    assert_eq!(refused.at("/details/reason"), "invalid_api_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_works_only_where_it_may_and_a_contract_only_where_it_covers() {
    let stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(3)).await.unwrap();
    let mut customer = stack.customer(10).await.unwrap();
    let arguments = [
        "key",
        "create",
        "--account",
        &customer.account_id,
        "--endpoints",
        "company_enrich",
    ];
    let key = stack.roster(&arguments).await.unwrap();
    customer.api_key = key["api_key"].as_str().unwrap().to_owned();
    let refused = customer.enrich(&email(0)).await.unwrap();
    assert_eq!((refused.status, refused.error()), (403, "forbidden"));
    assert_eq!(refused.at("/details/reason"), "endpoint_not_allowed");

    customer.api_key = "rk_live_junk".to_owned();
    let junk = customer.enrich(&email(0)).await.unwrap();
    assert_eq!(
        (junk.status, junk.at("/details/reason").as_str()),
        (401, Some("invalid_api_key"))
    );
}
