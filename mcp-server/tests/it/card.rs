//! The server card (`docs/AGENTS.md`, "The card").

use serde_json::json;

use crate::stack::{send, start};

const PATHS: [&str; 2] = ["/.well-known/mcp/server-card.json", "/mcp/server-card"];

#[tokio::test]
async fn both_addresses_serve_the_same_card_without_a_key() {
    let stack = start(&[]).await;
    let first = send(stack.request("GET", PATHS[0])).await;
    let second = send(stack.request("GET", PATHS[1])).await;
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(first.body, second.body);
    assert_eq!(first.headers["content-type"], "application/json");
    assert_eq!(first.headers["access-control-allow-origin"], "*");
    assert!(first.headers.contains_key("cache-control"));
    assert_eq!(stack.checks(), 0);
    assert_eq!(first.body["name"], "com.example.data/mcp");
    assert_eq!(
        first.body["remotes"][0]["url"],
        "https://data.example.com/mcp"
    );
}

#[tokio::test]
async fn the_card_names_the_tools_that_tools_list_gives() {
    let stack = start(&[]).await;
    let card = send(stack.request("GET", PATHS[0])).await.body;
    let listed = stack.legacy("tools/list", json!({})).await.body;
    let names = |tools: &serde_json::Value| -> Vec<String> {
        tools
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&card["tools"]), names(&listed["result"]["tools"]));
}

#[tokio::test]
async fn the_card_has_the_capabilities_that_initialize_gives() {
    let stack = start(&[]).await;
    let card = send(stack.request("GET", PATHS[0])).await.body;
    let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let told = stack.legacy("initialize", client).await.body;
    assert_eq!(card["capabilities"], told["result"]["capabilities"]);
    assert!(card["capabilities"]["tools"].is_object());
}

#[tokio::test]
async fn a_card_that_is_known_is_not_sent_again() {
    let stack = start(&[]).await;
    let tag = send(stack.request("GET", PATHS[0])).await.headers["etag"].clone();
    let reply = send(stack.request("GET", PATHS[0]).header("If-None-Match", &tag)).await;
    assert_eq!((reply.status, &reply.headers["etag"]), (304, &tag));
    let other = send(
        stack
            .request("GET", PATHS[0])
            .header("If-None-Match", "\"other\""),
    )
    .await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn the_media_type_of_cards_is_given_when_asked_for() {
    let stack = start(&[]).await;
    let request = stack
        .request("GET", PATHS[0])
        .header("Accept", "application/mcp-server-card+json, */*;q=0.1");
    assert_eq!(
        send(request).await.headers["content-type"],
        "application/mcp-server-card+json"
    );
    assert_eq!(send(stack.request("OPTIONS", PATHS[0])).await.status, 204);
}
