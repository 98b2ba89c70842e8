//! Who may speak on /mcp.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::stack::{Stack, send, start};

const METHODS: &[&str] = &[
    "initialize",
    "ping",
    "tools/list",
    "prompts/list",
    "resources/list",
    "tools/call",
    "no/such",
];

async fn with_key(stack: &Stack, method: &str, key: Option<&str>) -> (u16, Value) {
    let params = match method {
        "initialize" => {
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        }
        "tools/call" => json!({"name": "person_enrich", "arguments": {}}),
        _ => json!({}),
    };
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let mut request = stack
        .request("POST", "/mcp")
        .header("Content-Type", "application/json");
    if let Some(key) = key {
        request = request.header("API-Key", key);
    }
    let reply = send(request.body(message.to_string())).await;
    (reply.status, reply.body)
}

#[tokio::test]
async fn every_method_needs_a_valid_key() {
    let stack = start(&[]).await;
    for method in METHODS {
        let (status, body) = with_key(&stack, method, None).await;
        assert_eq!(
            (status, &body["details"]),
            (401, &json!({"reason": "missing_api_key"})),
            "{method}"
        );
        let (status, body) = with_key(&stack, method, Some("rk_live_bad")).await;
        assert_eq!(
            (status, &body["details"]),
            (401, &json!({"reason": "invalid_api_key"})),
            "{method}"
        );
        assert_eq!(body["error"], "unauthorized");
    }
    assert!(stack.seen().is_empty());
}

#[tokio::test]
async fn the_key_comes_before_the_form_of_the_message() {
    let stack = start(&[]).await;
    let request = stack
        .request("POST", "/mcp")
        .header("Content-Type", "application/json")
        .body("{");
    assert_eq!(send(request).await.status, 401);
}

#[tokio::test]
async fn where_it_is_allowed_the_describing_methods_answer_without_a_key() {
    let stack = start(&[("MCP_ANONYMOUS_LISTING", "true")]).await;
    for method in METHODS
        .iter()
        .filter(|method| !matches!(**method, "tools/call" | "no/such"))
    {
        let (status, body) = with_key(&stack, method, None).await;
        assert_eq!(status, 200, "{method} {body}");
    }
    for method in ["tools/call", "no/such"] {
        assert_eq!(with_key(&stack, method, None).await.0, 401, "{method}");
    }
    assert_eq!(stack.checks(), 0);
}

#[tokio::test]
async fn a_key_is_checked_once_within_its_memory() {
    let stack = start(&[("MCP_SERVER_KEY_MEMORY", "1h")]).await;
    for _ in 0..3 {
        stack.legacy("ping", json!({})).await;
    }
    assert_eq!(stack.checks(), 1);
    let forgetful = start(&[("MCP_SERVER_KEY_MEMORY", "0s")]).await;
    for _ in 0..3 {
        forgetful.legacy("ping", json!({})).await;
    }
    assert_eq!(forgetful.checks(), 3);
}

#[tokio::test]
async fn a_check_that_nobody_answers_is_503_with_retry_after() {
    let stack = start(&[("COMMAND_SERVICE_URLS", "http://127.0.0.1:1")]).await;
    let reply = stack.legacy("ping", json!({})).await;
    assert_eq!(
        (reply.status, &reply.body["error"]),
        (503, &json!("service_unavailable"))
    );
    assert_eq!(reply.headers["retry-after"], "5");
    assert_eq!(
        send(stack.request("GET", "/health/ready")).await.status,
        503
    );
    assert_eq!(send(stack.request("GET", "/health/live")).await.status, 200);
}

#[tokio::test]
async fn the_next_instance_is_asked_when_one_is_gone() {
    let stack = start(&[("COMMAND_SERVICE_URLS", "http://127.0.0.1:1+")]).await;
    assert_eq!(stack.legacy("ping", json!({})).await.status, 200);
    assert_eq!(stack.checks(), 1);
}

#[tokio::test]
async fn a_correlation_id_is_echoed_and_checked_after_the_key() {
    let stack = start(&[]).await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let reply = send(stack.mcp().header("Correlation-ID", "c-1").body(ping)).await;
    assert_eq!(
        (
            reply.status,
            reply.headers["correlation-id"].to_str().unwrap()
        ),
        (200, "c-1")
    );
    let long = "x".repeat(256);
    let reply = send(stack.mcp().header("Correlation-ID", &long).body(ping)).await;
    assert_eq!(
        (reply.status, &reply.body["details"]["reason"]),
        (400, &json!("malformed_header"))
    );
    let request = stack
        .request("POST", "/mcp")
        .header("Content-Type", "application/json");
    assert_eq!(
        send(request.header("Correlation-ID", &long).body(ping))
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn who_has_no_key_is_told_so_before_the_body_has_come() {
    let keys = ["", "API-Key: rk_live_bad\r\n"];
    told_before_the_body_has_come(&start(&[]).await, &keys, "{").await;
    // Whoever may ask something without a key does so in few words.
    let open = start(&[("MCP_ANONYMOUS_LISTING", "true")]).await;
    told_before_the_body_has_come(&open, &keys, &" ".repeat(20_000)).await;
}

async fn told_before_the_body_has_come(stack: &Stack, keys: &[&str], begun: &str) {
    for key in keys {
        let mut socket = TcpStream::connect(stack.base.trim_start_matches("http://"))
            .await
            .unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{key}Content-Length: 90000\r\n\r\n{begun}"
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut first = [0; 12];
        let read = socket.read_exact(&mut first);
        tokio::time::timeout(Duration::from_secs(5), read)
            .await
            .expect("an answer before the body's time is over")
            .unwrap();
        assert_eq!(&first, b"HTTP/1.1 401");
    }
}
