//! The client between the parts.

use std::time::Duration;

use serde_json::{Value, json};
use service_kit::client::{CallFault, Client, ClientConfig};
use service_kit::config::Secret;

use crate::server::start;

fn client(total: Duration) -> Client {
    let config = ClientConfig {
        total_timeout: total,
        max_answer_bytes: 400,
        token: Some(Secret::new("aaaaaaaaaaaaaaaa".to_owned())),
        ..ClientConfig::default()
    };
    Client::new(config).unwrap()
}

#[tokio::test]
async fn an_answer_is_read_as_the_wanted_type() {
    let server = start().await;
    let url = format!("http://{}/echo", server.addr);
    let answer: Value = client(Duration::from_secs(5))
        .post_json(&url, &json!({"a": [1]}))
        .await
        .unwrap();
    assert_eq!(answer, json!({"a": [1]}));
}

#[tokio::test]
async fn every_way_to_fail_has_its_own_fault() {
    let server = start().await;
    let base = format!("http://{}", server.addr);
    let client = client(Duration::from_millis(500));
    let refused = client
        .post_json::<_, Value>(&format!("{base}/no"), &json!({}))
        .await;
    let Err(CallFault::Status(status, body)) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(status, 404);
    assert_eq!(
        serde_json::from_slice::<Value>(&body).unwrap()["error"],
        "route_not_found"
    );
    let text = client.get_json::<Value>(&format!("{base}/wait")).await;
    assert!(matches!(text, Err(CallFault::TimedOut)), "{text:?}");
    let other = client.get_json::<u8>(&format!("{base}/id/x")).await;
    assert!(matches!(other, Err(CallFault::Malformed(_))), "{other:?}");
    let closed = client.get_json::<Value>("http://127.0.0.1:1/").await;
    assert!(
        matches!(closed, Err(CallFault::Unreachable(_))),
        "{closed:?}"
    );
}

#[tokio::test]
async fn the_token_does_not_show_in_debug() {
    assert!(!format!("{:?}", client(Duration::from_secs(1))).contains("aaaa"));
}

#[tokio::test]
async fn the_lines_of_an_answer_are_handed_out_as_they_come() {
    let server = start().await;
    let url = format!("http://{}/lines", server.addr);
    let (mut lines, asked): (Vec<Value>, _) = (Vec::new(), json!({}));
    let client = client(Duration::from_secs(5));
    let read = client.post_json_lines(&url, &asked, |line: Value| {
        // The rest is made when this one is here.
        server.leave.notify_one();
        lines.push(line);
    });
    read.await.unwrap();
    assert_eq!(lines, [json!({"a": 1}), json!([2]), json!(3)]);
    let refused = client
        .post_json_lines(
            &format!("http://{}/no", server.addr),
            &json!({}),
            |_: Value| {},
        )
        .await;
    assert!(matches!(refused, Err(CallFault::Status(..))), "{refused:?}");
    // A body without the end of its line is not whole.
    let cut = client
        .post_json_lines(
            &format!("http://{}/echo", server.addr),
            &json!({}),
            |_: Value| {},
        )
        .await;
    assert!(matches!(cut, Err(CallFault::Malformed(_))), "{cut:?}");
}
