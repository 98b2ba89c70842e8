//! Tool calls: what reaches REST, and what REST's answers become (`docs/AGENTS.md`).

use serde_json::{Value, json};

use crate::stack::{KEY, send, start};

const ID: &str = "0f6f2c1e-7a55-4a0e-9a57-6f3b2f0c9d11";

fn refusal(status: u16, error: &str, message: &str, details: Value) -> Value {
    let retryable = matches!(status, 429 | 503);
    json!({"error": error, "message": message, "request_id": ID, "retryable": retryable, "details": details})
}

#[tokio::test]
async fn a_call_is_one_rest_request_with_the_callers_key_and_arguments() {
    let stack = start(&[]).await;
    let body = json!({"matches": [{"person": {"service_id": ID}}], "total": 1});
    let headers = [
        ("request-id", ID),
        ("process-time", "12.4"),
        ("credits-used", "1"),
        ("credits-remaining", "4821"),
        ("contract-id", "9a1d4c52-31f0-4b53-8f5e-6f0b8f1f7e21"),
        ("ratelimit-remaining", "97"),
    ];
    // The edge of the upstream sets its own Request-ID and time; the rest is as prepared.
    stack.will_answer(200, &headers, body.clone());
    let result = stack
        .call("person_enrich", json!({"email": "maya@example.com"}))
        .await;
    let seen = stack.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(
        (seen[0].path.as_str(), seen[0].key.as_deref()),
        ("/person/enrich", Some(KEY))
    );
    assert_eq!(seen[0].body, json!({"email": "maya@example.com"}));
    assert_eq!(result["structuredContent"], body);
    assert_eq!(
        result["content"],
        json!([{"type": "text", "text": body.to_string()}])
    );
    assert_eq!(result["isError"], false);
    let meta = &result["_meta"];
    assert_eq!(
        (
            &meta["status"],
            &meta["credits_used"],
            &meta["credits_remaining"]
        ),
        (&json!(200), &json!(1), &json!(4821))
    );
    assert_eq!(
        (&meta["rate_limit_remaining"], &meta["total_count_status"]),
        (&json!(97), &Value::Null)
    );
    assert_eq!(meta["contract_id"], "9a1d4c52-31f0-4b53-8f5e-6f0b8f1f7e21");
    assert!(meta["request_id"].is_string() && meta["process_time_ms"].is_number());
}

#[tokio::test]
async fn the_current_revision_gets_the_same_result_marked_complete() {
    let stack = start(&[]).await;
    stack.will_answer(200, &[], json!({"matches": [], "total": 0}));
    let reply = stack
        .current(
            "tools/call",
            json!({"name": "company_enrich", "arguments": {"domain": "a.example"}}),
        )
        .await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert_eq!(reply.body["result"]["structuredContent"]["total"], 0);
    assert_eq!(reply.body["result"]["resultType"], "complete");
    assert_eq!(stack.seen()[0].path, "/company/enrich");
}

#[tokio::test]
async fn a_rate_limit_is_told_in_the_words_of_the_docs() {
    let stack = start(&[]).await;
    let details = json!({"limit": 100, "window_seconds": 60, "retry_after_seconds": 23, "reset_at": 1_795_262_460});
    let body = refusal(
        429,
        "rate_limited",
        "Rate limit of 100/min reached; retry in 23 seconds.",
        details.clone(),
    );
    stack.will_answer(429, &[], body);
    let result = stack
        .call("person_enrich", json!({"email": "a@example.com"}))
        .await;
    let text = format!(
        "429 rate_limited: 100 requests a minute are used up. Wait 23 seconds, then repeat the same call. \
         details={details} request_id={ID}"
    );
    assert_eq!(result["content"], json!([{"type": "text", "text": text}]));
    assert_eq!(result["isError"], true);
    assert!(result.get("structuredContent").is_none());
    let meta = json!({"error": "rate_limited", "status": 429, "request_id": ID, "retryable": true, "details": details});
    assert_eq!(result["_meta"], meta);
}

#[tokio::test]
async fn no_match_of_an_enrich_tool_is_an_empty_answer_and_no_error() {
    let stack = start(&[]).await;
    let details = json!({"subject_type": "person", "reason": "no_match"});
    stack.will_answer(
        404,
        &[("credits-used", "0")],
        refusal(404, "not_found", "No person matched.", details.clone()),
    );
    let result = stack
        .call("person_enrich", json!({"email": "a@example.com"}))
        .await;
    assert_eq!(result["isError"], false);
    assert_eq!(
        result["structuredContent"],
        json!({"matches": [], "total": 0})
    );
    assert_eq!(result["content"][0]["text"], r#"{"matches":[],"total":0}"#);
    let meta = &result["_meta"];
    assert_eq!(
        (&meta["status"], &meta["error"], &meta["credits_used"]),
        (&json!(404), &json!("not_found"), &json!(0))
    );
    assert_eq!(meta["details"], details);
}

/// Models seldom see `_meta`, and an empty list reads as if there were nobody.
#[tokio::test]
async fn the_text_of_an_enrich_that_found_nothing_says_why_and_what_to_do() {
    let stack = start(&[]).await;
    for (details, said) in [
        (json!({"reason": "no_match"}), ["no_match", "add a"]),
        (
            json!({"reason": "below_min_confidence"}),
            ["below_min_confidence", "Lower min_confidence"],
        ),
        (
            json!({"reason": "missing_required_fields"}),
            ["missing_required_fields", "Drop required_fields"],
        ),
        (
            json!({"reason": "ambiguous", "candidates": 7}),
            ["ambiguous: 7 records", "a city"],
        ),
    ] {
        for tool in ["person_enrich", "company_enrich"] {
            let body = refusal(404, "not_found", "Nothing matched.", details.clone());
            stack.will_answer(404, &[], body);
            let result = stack.call(tool, json!({"full_name": "maya okafor"})).await;
            let note = result["content"][1]["text"].as_str().unwrap();
            assert!(note.starts_with("Note: "), "{note}");
            assert!(said.iter().all(|said| note.contains(said)), "{note}");
        }
    }
}

#[tokio::test]
async fn an_unknown_record_in_a_report_is_an_error() {
    let stack = start(&[]).await;
    stack.will_answer(
        404,
        &[],
        refusal(
            404,
            "not_found",
            "There is no such record.",
            json!({"subject_type": "person"}),
        ),
    );
    let result = stack.call("report_person", json!({"service_id": ID})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(stack.seen()[0].path, "/utility/report/person");
}

#[tokio::test]
async fn a_search_passes_every_argument_and_tells_its_facts() {
    let stack = start(&[]).await;
    let body = json!({"matches": [], "total": 0, "next_cursor": null});
    let headers = [
        ("credits-used", "0"),
        ("total-count-status", "exact"),
        ("data-build", "2026.10.1-company"),
        (
            "search-warning",
            "industry 'machine' matches no stored value; nearest: machinery",
        ),
    ];
    stack.will_answer(200, &headers, body.clone());
    let arguments = json!({
        "query": "SELECT * FROM company WHERE industry = 'machine'", "limit": 5, "cursor": "AQ",
        "data_build": "2026.10.1-company", "dry_run": false,
    });
    let result = stack.call("company_search", arguments.clone()).await;
    let seen = stack.seen();
    assert_eq!(
        (seen[0].path.as_str(), &seen[0].body),
        ("/company/search", &arguments)
    );
    assert_eq!(result["structuredContent"], body);
    assert_eq!(
        result["content"][1]["text"],
        "Note: industry 'machine' matches no stored value; nearest: machinery"
    );
    let meta = &result["_meta"];
    assert_eq!(meta["total_count_status"], "exact");
    assert_eq!(meta["data_build"], "2026.10.1-company");
    assert_eq!(
        meta["search_warning"],
        "industry 'machine' matches no stored value; nearest: machinery"
    );
    assert_eq!(meta.get("idempotency_replayed"), None);
}

#[tokio::test]
async fn an_answer_that_was_paid_before_says_so() {
    let stack = start(&[]).await;
    let headers = [("credits-used", "0"), ("idempotency-replayed", "true")];
    stack.will_answer(200, &headers, json!({"matches": [], "total": 0}));
    let arguments = json!({"query": "SELECT * FROM company"});
    let result = stack.call("company_search", arguments).await;
    assert_eq!(result["_meta"]["idempotency_replayed"], true);
}

#[tokio::test]
async fn each_idempotency_key_reaches_rest_which_takes_one_and_refuses_two() {
    let stack = start(&[]).await;
    let message = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "person_search", "arguments": {"query": "SELECT * FROM person"}},
    });
    for keys in [&["order-17"][..], &[], &["order-17", "order-18"]] {
        stack.will_answer(200, &[], json!({"matches": [], "total": 0}));
        let mut request = stack.mcp().header("MCP-Protocol-Version", "2025-11-25");
        for key in keys {
            request = request.header("Idempotency-Key", *key);
        }
        let reply = send(request.body(message.to_string())).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
    let seen = stack.seen();
    let keys: Vec<_> = seen.iter().map(|seen| &seen.idempotency_keys).collect();
    assert_eq!(
        json!(keys),
        json!([["order-17"], [], ["order-17", "order-18"]])
    );
}

#[tokio::test]
async fn a_query_that_is_refused_comes_with_its_place_and_suggestions() {
    let stack = start(&[]).await;
    let details = json!({"reason": "unknown_column", "line": 1, "column": 28, "near": "job_titel", "suggestions": ["job_title"]});
    let message = "There is no column `job_titel` on person.";
    stack.will_answer(
        400,
        &[],
        refusal(400, "invalid_query", message, details.clone()),
    );
    let arguments = json!({"query": "SELECT * FROM person WHERE job_titel = 'x'"});
    let result = stack.call("person_search", arguments).await;
    assert_eq!(
        (&result["isError"], &result["_meta"]["details"]),
        (&json!(true), &details)
    );
    let text = result["content"][0]["text"].as_str().unwrap();
    let begin = format!(
        "400 invalid_query: {message} Correct the query as the details say and call again."
    );
    assert!(text.starts_with(&begin), "{text}");
}

#[tokio::test]
async fn bad_arguments_are_a_tool_error_and_not_a_protocol_error() {
    let stack = start(&[]).await;
    for odd in [json!([1]), json!("email"), json!(7)] {
        let result = stack.call("person_enrich", odd).await;
        assert_eq!(result["isError"], true);
        assert_eq!(result["_meta"]["error"], "bad_request");
    }
    for (tool, withheld) in [
        ("person_enrich", "pretty_print"),
        ("person_enrich", "dry_run"),
        ("company_enrich", "max_credits"),
        ("company_enrich", "data_build"),
        ("person_search", "pretty_print"),
    ] {
        let result = stack.call(tool, json!({withheld: true})).await;
        let details = &result["_meta"]["details"];
        assert_eq!(details["reason"], "unknown_parameter");
        assert_eq!(details["parameters"], json!([withheld]));
        let accepted = details["accepted"].as_array().unwrap();
        assert!(accepted.contains(&json!("include_fields")));
        assert!(!accepted.contains(&json!(withheld)));
    }
    assert!(stack.seen().is_empty());
    let accepted = json!(["email", "pretty_print", "dry_run"]);
    let details =
        json!({"reason": "unknown_parameter", "parameters": ["colour"], "accepted": accepted});
    stack.will_answer(
        400,
        &[],
        refusal(400, "bad_request", "There is no colour", details),
    );
    let result = stack.call("person_enrich", json!({"colour": 1})).await;
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("400 bad_request: There is no colour. Correct the arguments"),
        "{text}"
    );
    assert_eq!(result["_meta"]["details"]["accepted"], json!(["email"]));
    assert!(!text.contains("pretty_print"), "{text}");
}

#[tokio::test]
async fn missing_arguments_are_an_empty_object() {
    let stack = start(&[]).await;
    for params in [
        json!({"name": "person_enrich"}),
        json!({"name": "person_enrich", "arguments": null}),
    ] {
        stack.will_answer(
            400,
            &[],
            refusal(
                400,
                "bad_request",
                "Give more.",
                json!({"reason": "insufficient_identifiers"}),
            ),
        );
        let reply = stack.legacy("tools/call", params).await;
        assert_eq!(reply.body["result"]["isError"], true, "{}", reply.body);
        assert_eq!(stack.seen().last().unwrap().body, json!({}));
    }
}

#[tokio::test]
async fn a_tool_that_does_not_exist_is_a_protocol_error() {
    let stack = start(&[]).await;
    let reply = stack
        .legacy(
            "tools/call",
            json!({"name": "person_discover", "arguments": {}}),
        )
        .await;
    assert_eq!(reply.body["error"]["code"], -32602);
}

#[tokio::test]
async fn a_rest_service_that_is_gone_is_a_tool_error_that_may_be_repeated() {
    let stack = start(&[("QUERY_SERVICE_URL", "http://127.0.0.1:1")]).await;
    let result = stack
        .call("person_enrich", json!({"email": "a@example.com"}))
        .await;
    let meta = &result["_meta"];
    assert_eq!(
        (&meta["status"], &meta["error"], &meta["retryable"]),
        (&json!(503), &json!("service_unavailable"), &json!(true))
    );
    assert_eq!(
        meta["details"],
        json!({"component": "upstream", "retry_after_seconds": 5})
    );
    assert!(
        result["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("Wait 5 seconds, then repeat the same call.")
    );
    assert_eq!(meta["request_id"].as_str().unwrap().len(), 36);
}

#[tokio::test]
async fn while_one_of_several_instances_is_gone_another_answers_each_call() {
    let stack = start(&[("QUERY_SERVICE_URL", "http://127.0.0.1:1+")]).await;
    for _ in 0..4 {
        stack.will_answer(200, &[], json!({"matches": [], "total": 0}));
        let arguments = json!({"email": "a@example.com"});
        let result = stack.call("person_enrich", arguments).await;
        assert_eq!(result["isError"], false, "{result}");
    }
    assert_eq!(stack.seen().len(), 4);
}

#[tokio::test]
async fn an_answer_that_is_no_json_never_reaches_the_agent() {
    let stack = start(&[]).await;
    stack.will_answer(200, &[], json!("a string"));
    let result = stack
        .call("person_enrich", json!({"email": "a@example.com"}))
        .await;
    assert_eq!(
        (&result["isError"], &result["_meta"]["error"]),
        (&json!(true), &json!("service_unavailable"))
    );
    // The endpoint may have charged for it.
    assert_eq!(result["_meta"]["details"]["outcome"], "unknown");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("It may have been done and charged"), "{text}");
    assert!(!text.contains("repeat the same call"), "{text}");
}
