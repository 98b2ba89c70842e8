//! Calls that end otherwise than by their answer: a restart, a client that goes away or gives up.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::stack::{CURRENT, Reply, Slow, Stack, send, start};

const DEADLINE: Duration = Duration::from_secs(10);

/// A call of the tool whose endpoint answers when it is let go; it has reached the endpoint.
async fn call(stack: &Stack, id: Value) -> JoinHandle<Reply> {
    let params = json!({"name": "report_company", "arguments": {"service_id": "x"}});
    let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    let request = stack.mcp().header("MCP-Protocol-Version", "2025-11-25");
    let call = tokio::spawn(send(request.body(message.to_string())));
    within(stack.upstreams.slow.entered.notified()).await;
    call
}

async fn give_up(stack: &Stack, id: Value) {
    let params = json!({"requestId": id, "reason": "the user closed it"});
    let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    let request = stack.mcp().header("MCP-Protocol-Version", "2025-11-25");
    assert_eq!(send(request.body(message.to_string())).await.status, 202);
}

async fn within<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(DEADLINE, what)
        .await
        .expect("it happens in time")
}

fn answered(slow: &Slow) -> usize {
    slow.answered.load(Ordering::SeqCst)
}

#[tokio::test]
async fn a_call_that_runs_when_the_process_ends_is_answered() {
    let stack = start(&[]).await;
    let call = call(&stack, json!(1)).await;
    stack.shutdown.cancel();
    // Whoever answers at once has answered by now.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!call.is_finished());
    stack.upstreams.slow.leave.notify_one();
    let reply = within(call).await.unwrap();
    assert_eq!(
        (reply.status, &reply.body["result"]["structuredContent"]),
        (200, &json!({"report_id": "r"})),
        "{}",
        reply.body
    );
}

#[tokio::test]
async fn a_call_that_outlives_the_drain_time_is_503_and_stopped_at_its_endpoint() {
    let stack = start(&[("DRAIN_TIMEOUT", "1s")]).await;
    let call = call(&stack, json!(1)).await;
    stack.shutdown.cancel();
    let reply = within(call).await.unwrap();
    assert_eq!(
        (reply.status, &reply.body["error"], &reply.body["retryable"]),
        (503, &json!("service_unavailable"), &json!(true))
    );
    assert_eq!(reply.headers["retry-after"], "5");
    within(stack.upstreams.slow.dropped.notified()).await;
    assert_eq!(answered(&stack.upstreams.slow), 0);
}

#[tokio::test]
async fn a_client_that_goes_away_stops_its_call_at_the_endpoint() {
    let stack = start(&[]).await;
    let call = call(&stack, json!(1)).await;
    call.abort();
    within(stack.upstreams.slow.dropped.notified()).await;
    assert_eq!(answered(&stack.upstreams.slow), 0);
}

#[tokio::test]
async fn a_cancelled_call_is_stopped_at_the_endpoint_and_another_one_is_not() {
    let stack = start(&[]).await;
    let (first, second) = (call(&stack, json!(1)).await, call(&stack, json!("1")).await);
    give_up(&stack, json!(2)).await;
    give_up(&stack, json!(1)).await;
    within(stack.upstreams.slow.dropped.notified()).await;
    let reply = within(first).await.unwrap();
    assert_eq!(
        (
            reply.status,
            &reply.body["error"]["code"],
            &reply.body["id"]
        ),
        (200, &json!(-32800), &json!(1))
    );
    stack.upstreams.slow.leave.notify_one();
    let reply = within(second).await.unwrap();
    assert!(reply.body["result"].is_object(), "{}", reply.body);
    assert_eq!(answered(&stack.upstreams.slow), 1);
}

#[tokio::test]
async fn the_key_of_a_cancellation_must_be_that_of_the_call() {
    let stack = start(&[]).await;
    let call = call(&stack, json!(1)).await;
    let message =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let request = stack
        .request("POST", "/mcp")
        .header("API-Key", "rk_live_bad");
    let request = request.header("Content-Type", "application/json");
    assert_eq!(send(request.body(message.to_string())).await.status, 401);
    stack.upstreams.slow.leave.notify_one();
    assert!(within(call).await.unwrap().body["result"].is_object());
}

#[tokio::test]
async fn a_client_of_the_current_revision_stops_its_call_by_going_away() {
    let stack = start(&[]).await;
    let params = json!({"name": "report_company", "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": CURRENT,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = stack.mcp().header("MCP-Protocol-Version", CURRENT);
    let request = request
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "report_company");
    let call = tokio::spawn(send(request.body(message.to_string())));
    within(stack.upstreams.slow.entered.notified()).await;
    call.abort();
    within(stack.upstreams.slow.dropped.notified()).await;
}
