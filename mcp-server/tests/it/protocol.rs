//! The revisions of the protocol and the form of what is refused.

use serde_json::{Value, json};

use crate::stack::{CURRENT, KEY, send, start};

fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

#[tokio::test]
async fn every_legacy_revision_is_agreed_to_without_a_session() {
    let stack = start(&[]).await;
    for version in ["2025-11-25", "2025-06-18", "2025-03-26"] {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize(version)});
        let reply = send(stack.mcp().body(message.to_string())).await;
        let result = &reply.body["result"];
        assert_eq!(
            (reply.status, &result["protocolVersion"]),
            (200, &json!(version)),
            "{}",
            reply.body
        );
        assert_eq!(result["serverInfo"]["name"], "roster");
        for capability in ["tools", "prompts", "resources"] {
            assert!(
                result["capabilities"][capability].is_object(),
                "{capability}"
            );
        }
        assert!(reply.headers.get("mcp-session-id").is_none());
        assert_eq!(reply.headers["content-type"], "application/json");
        assert!(reply.headers.contains_key("request-id"));
    }
}

#[tokio::test]
async fn discover_tells_all_revisions() {
    let stack = start(&[]).await;
    let reply = stack.current("server/discover", json!({})).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    let versions = &reply.body["result"]["supportedVersions"];
    assert_eq!(
        versions,
        &json!([CURRENT, "2025-11-25", "2025-06-18", "2025-03-26"]),
        "{}",
        reply.body
    );
}

#[tokio::test]
async fn the_lists_are_the_same_in_every_revision() {
    let stack = start(&[]).await;
    let legacy = stack.legacy("tools/list", json!({})).await;
    let current = stack.current("tools/list", json!({})).await;
    assert_eq!(
        legacy.body["result"]["tools"].as_array().unwrap().len(),
        9,
        "{}",
        legacy.body
    );
    assert_eq!(
        legacy.body["result"]["tools"], current.body["result"]["tools"],
        "{}",
        current.body
    );
    for (method, key) in [("prompts/list", "prompts"), ("resources/list", "resources")] {
        assert_eq!(
            stack.legacy(method, json!({})).await.body["result"][key],
            json!([])
        );
    }
    assert_eq!(
        stack.legacy("ping", json!({})).await.body["result"],
        json!({})
    );
}

#[tokio::test]
async fn any_accept_header_is_answered_with_json() {
    let stack = start(&[]).await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    for accept in [
        "*/*",
        "application/json",
        "application/json, text/event-stream",
    ] {
        let reply = send(stack.mcp().header("Accept", accept).body(message.clone())).await;
        assert_eq!(
            (reply.status, &reply.headers["content-type"]),
            (200, &"application/json".parse().unwrap()),
            "{accept}"
        );
    }
}

#[tokio::test]
async fn malformed_json_and_batches_are_refused_as_the_protocol_says() {
    let stack = start(&[]).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (body, code) in [
        ("{".to_owned(), -32700),
        (String::new(), -32700),
        (json!([call]).to_string(), -32600),
        ("[]".to_owned(), -32600),
        ("7".to_owned(), -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#.to_owned(),
            -32600,
        ),
        (json!({"id": 1, "method": "ping"}).to_string(), -32600),
        (
            json!({"jsonrpc": "2.0", "id": {}, "method": 5}).to_string(),
            -32600,
        ),
    ] {
        let reply = send(stack.mcp().body(body.clone())).await;
        assert_eq!(
            (reply.status, &reply.body["error"]["code"]),
            (400, &json!(code)),
            "{body} {}",
            reply.body
        );
        assert_eq!(
            (&reply.body["jsonrpc"], &reply.body["id"]),
            (&json!("2.0"), &Value::Null)
        );
    }
}

#[tokio::test]
async fn a_notification_is_accepted_without_a_body() {
    let stack = start(&[]).await;
    let message = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(
        send(stack.mcp().body(message.to_string())).await.status,
        202
    );
}

#[tokio::test]
async fn an_unknown_method_is_a_protocol_error() {
    let stack = start(&[]).await;
    for (reply, status) in [
        (stack.legacy("no/such", json!({})).await, 200),
        (stack.current("no/such", json!({})).await, 404),
    ] {
        assert_eq!(
            (reply.status, &reply.body["error"]["code"]),
            (status, &json!(-32601)),
            "{}",
            reply.body
        );
    }
}

#[tokio::test]
async fn what_is_missing_of_the_parameters_of_a_method_is_named() {
    let stack = start(&[]).await;
    let client =
        |client| json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    for (method, params, missing) in [
        (
            "initialize",
            json!({}),
            json!(["protocolVersion", "capabilities", "clientInfo"]),
        ),
        (
            "initialize",
            client(json!({"name": "test"})),
            json!(["clientInfo.version"]),
        ),
        ("tools/call", json!({}), json!(["name"])),
    ] {
        let reply = stack.legacy(method, params).await;
        let error = &reply.body["error"];
        assert_eq!(error["code"], -32602, "{}", reply.body);
        assert_eq!(error["data"], json!({"missing": missing}));
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(missing[0].as_str().unwrap()), "{message}");
    }
    let reply = stack
        .legacy("tools/call", json!({"name": "person_find"}))
        .await;
    let message = reply.body["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("person_find") && message.contains("person_search"),
        "{message}"
    );
}

/// Of methods that are known, in words an agent can act on.
#[tokio::test]
async fn what_this_server_never_gave_is_asked_for_in_vain() {
    let stack = start(&[]).await;
    for list in [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ] {
        let reply = stack.legacy(list, json!({"cursor": "x"})).await;
        assert_eq!(reply.body["error"]["code"], -32602, "{}", reply.body);
        let reply = stack.legacy(list, json!({"cursor": ""})).await;
        assert!(reply.body["result"].is_object(), "{}", reply.body);
    }
    let reply = stack.legacy("prompts/get", json!({"name": "x"})).await;
    assert_eq!(reply.body["error"]["code"], -32602, "{}", reply.body);
    let reply = stack.legacy("resources/read", json!({"uri": "a:b"})).await;
    assert_eq!(reply.body["error"]["code"], -32002, "{}", reply.body);
    assert_eq!(reply.body["error"]["data"], json!({"uri": "a:b"}));
    // As the newest revision has it.
    let reply = stack.current("resources/read", json!({"uri": "a:b"})).await;
    assert_eq!(reply.body["error"]["code"], -32602, "{}", reply.body);
}

#[tokio::test]
async fn a_slash_behind_the_address_changes_nothing() {
    let stack = start(&[]).await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let post = |key| {
        let request = stack.request("POST", "/mcp/").header("API-Key", key);
        request
            .header("Content-Type", "application/json")
            .body(ping)
    };
    let reply = send(post(KEY)).await;
    assert_eq!((reply.status, &reply.body["result"]), (200, &json!({})));
    assert_eq!(send(post("rk_live_bad")).await.status, 401);
    let reply = send(stack.request("GET", "/mcp/")).await;
    assert_eq!(
        (reply.status, &reply.body["error"]),
        (405, &json!("method_not_allowed"))
    );
}

#[tokio::test]
async fn framework_refusals_have_the_one_body() {
    let stack = start(&[("MAX_BODY_BYTES", "1024")]).await;
    for (request, status, error) in [
        (stack.request("GET", "/mcp"), 405, "method_not_allowed"),
        (stack.request("DELETE", "/mcp"), 405, "method_not_allowed"),
        (stack.request("GET", "/mcp/no"), 404, "route_not_found"),
        (
            stack
                .request("POST", "/mcp")
                .header("Content-Type", "text/plain")
                .body("{}"),
            415,
            "unsupported_media_type",
        ),
        (stack.mcp().body("x".repeat(1025)), 413, "payload_too_large"),
        (
            stack
                .mcp()
                .header("Host", "evil.example")
                .body(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            403,
            "forbidden",
        ),
        (
            stack
                .mcp()
                .header("Origin", "https://evil.example")
                .body(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            403,
            "forbidden",
        ),
    ] {
        let reply = send(request).await;
        assert_eq!(
            (reply.status, &reply.body["error"]),
            (status, &json!(error)),
            "{}",
            reply.body
        );
        assert_eq!(
            reply.body["request_id"].as_str(),
            reply.headers["request-id"].to_str().ok()
        );
    }
}

#[tokio::test]
async fn the_public_host_and_loopback_are_allowed() {
    let stack = start(&[]).await;
    for (host, origin) in [
        ("data.example.com", "https://data.example.com"),
        ("localhost:8080", "http://localhost:6274"),
        ("127.0.0.1", "http://127.0.0.1:3000"),
    ] {
        let request = stack.mcp().header("Host", host).header("Origin", origin);
        let reply = send(request.body(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)).await;
        assert_eq!(reply.status, 200, "{host} {}", reply.body);
    }
}

#[tokio::test]
async fn an_unknown_revision_is_refused_with_those_that_are_spoken() {
    let stack = start(&[]).await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let reply = send(
        stack
            .mcp()
            .header("MCP-Protocol-Version", "1999-01-01")
            .body(ping),
    )
    .await;
    assert_eq!(
        (reply.status, &reply.body["error"]["code"]),
        (400, &json!(-32022)),
        "{}",
        reply.body
    );
    assert_eq!(reply.body["id"], 1);
    assert_eq!(
        reply.body["error"]["data"]["supported"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[tokio::test]
async fn a_known_method_with_parameters_that_cannot_be_read_is_told_so() {
    let stack = start(&[]).await;
    for (method, params) in [
        ("initialize", json!({})),
        ("tools/call", json!({"arguments": {}})),
    ] {
        assert_eq!(
            stack.legacy(method, params).await.body["error"]["code"],
            -32602,
            "{method}"
        );
    }
}

#[tokio::test]
async fn http2_names_its_host_in_the_address_and_is_served_too() {
    let stack = start(&[]).await;
    let client = reqwest::Client::builder()
        .http2_prior_knowledge()
        .no_proxy()
        .build()
        .unwrap();
    let request = client
        .post(format!("{}/mcp", stack.base))
        .header("API-Key", crate::stack::KEY);
    let request = request.header("Content-Type", "application/json");
    let reply = send(request.body(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
}
