//! Every refusal that the framework itself gives has the one body, in the order of checks.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::server::{read_answer, read_to_close, start};

const JSON: &str = "Content-Type: application/json\r\n";

#[tokio::test]
async fn a_good_request_gets_its_answer_with_request_id_and_time() {
    let server = start().await;
    let answer = server
        .post(
            "/echo",
            "Content-Type: Application/JSON; charset=utf-8\r\n",
            r#"{"a":1}"#,
        )
        .await;
    assert_eq!(
        (answer.status, answer.body.as_slice()),
        (200, br#"{"a":1}"#.as_slice())
    );
    assert!(
        answer
            .header("process-time")
            .unwrap()
            .split_once('.')
            .is_some_and(|(_, d)| d.len() == 1)
    );
    assert!(
        answer
            .header("request-id")
            .unwrap()
            .parse::<uuid::Uuid>()
            .is_ok()
    );
}

#[tokio::test]
async fn the_request_id_is_never_the_clients() {
    let server = start().await;
    let given = "0f6f2c1e-7a55-4a0e-9a57-6f3b2f0c9d11";
    let request = format!("GET /id/x HTTP/1.1\r\nHost: a\r\nRequest-ID: {given}\r\n\r\n");
    let answer = server.raw(&request).await;
    assert_ne!(answer.header("request-id"), Some(given));
    assert_eq!(answer.header("request-id").unwrap().as_bytes(), answer.body);
}

#[tokio::test]
async fn an_unknown_path_is_404_even_with_a_huge_body_of_another_type() {
    let server = start().await;
    let answer = server
        .post(
            "/nothing?email=x",
            "Content-Type: text/plain\r\n",
            &"x".repeat(100),
        )
        .await;
    assert_eq!(
        answer.refusal(404, "route_not_found"),
        json!({"path": "/nothing"})
    );
}

#[tokio::test]
async fn another_method_is_405_before_413_and_names_the_allowed_ones() {
    let server = start().await;
    let answer = server.post("/wait", "", &"x".repeat(100)).await;
    assert_eq!(
        answer.refusal(405, "method_not_allowed"),
        json!({"allowed": ["GET", "HEAD"]})
    );
    assert_eq!(answer.header("allow").unwrap().replace(' ', ""), "GET,HEAD");
    let answer = server.get("/echo").await;
    assert_eq!(
        answer.refusal(405, "method_not_allowed"),
        json!({"allowed": ["POST"]})
    );
}

#[tokio::test]
async fn a_method_that_hardly_anybody_knows_is_405_on_a_route_and_404_elsewhere() {
    let server = start().await;
    for method in ["TRACE", "PROPFIND", "OPTIONS", "BREW"] {
        for (path, allowed) in [("/echo", &["POST"][..]), ("/id/x", &["GET", "HEAD"])] {
            let request = format!("{method} {path} HTTP/1.1\r\nHost: a\r\n\r\n");
            let answer = server.raw(&request).await;
            let details = answer.refusal(405, "method_not_allowed");
            assert_eq!(details, json!({"allowed": allowed}), "{method} {path}");
            assert_eq!(answer.header("allow"), Some(allowed.join(", ").as_str()));
        }
        let request = format!("{method} /nothing HTTP/1.1\r\nHost: a\r\n\r\n");
        let answer = server.raw(&request).await;
        answer.refusal(404, "route_not_found");
        assert_eq!(answer.header("allow"), None);
    }
}

#[tokio::test]
async fn a_declared_length_above_the_limit_is_413_before_415_and_without_reading() {
    let server = start().await;
    let request =
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 65\r\n\r\n";
    let details = server.raw(request).await.refusal(413, "payload_too_large");
    assert_eq!(details, json!({"max_bytes": 64, "received_bytes": 65}));
}

#[tokio::test]
async fn a_body_of_unknown_length_is_413_when_the_limit_is_hit() {
    let server = start().await;
    let chunk = format!("40\r\n{}\r\n", "x".repeat(64));
    let head =
        format!("POST /echo HTTP/1.1\r\nHost: a\r\n{JSON}Transfer-Encoding: chunked\r\n\r\n");
    let details = server
        .raw(&format!("{head}{chunk}1\r\ny\r\n0\r\n\r\n"))
        .await
        .refusal(413, "payload_too_large");
    assert_eq!(details, json!({"max_bytes": 64, "received_bytes": null}));
}

#[tokio::test]
async fn a_body_that_comes_too_slowly_is_408() {
    let (mut edge, serve) = crate::server::limits();
    edge.body_read_timeout = std::time::Duration::from_millis(200);
    let server = crate::server::start_with(edge, serve).await;
    let mut socket = server.connect().await;
    let head = format!("POST /echo HTTP/1.1\r\nHost: a\r\n{JSON}Content-Length: 10\r\n\r\n{{");
    socket.write_all(head.as_bytes()).await.unwrap();
    let details = read_answer(&mut socket)
        .await
        .refusal(408, "request_timeout");
    assert_eq!(details["time_limit_ms"], 200);
    assert!(details["elapsed_ms"].as_u64().unwrap() >= 200);
}

#[tokio::test]
async fn another_media_type_is_415_and_a_missing_one_too() {
    let server = start().await;
    for headers in [
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: application/jsonp\r\n",
        // It would be read as UTF-8 all the same.
        "Content-Type: application/json; charset=latin-1\r\n",
        "Content-Type: application/json;a=b; Charset=\"utf-16\"\r\n",
        "",
    ] {
        let answer = server.post("/echo", headers, "{}").await;
        assert_eq!(
            answer.refusal(415, "unsupported_media_type"),
            json!({"allowed": ["application/json"]})
        );
    }
}

#[tokio::test]
async fn utf_8_and_parameters_that_say_nothing_of_it_are_taken() {
    let server = start().await;
    for parameters in [
        "",
        "; charset=UTF-8",
        ";charset=\"utf-8\"",
        "; profile=x",
        ";",
    ] {
        let headers = format!("Content-Type: application/json{parameters}\r\n");
        let answer = server.post("/echo", &headers, "{}").await;
        assert_eq!(answer.status, 200, "{parameters}");
    }
}

#[tokio::test]
async fn a_compressed_body_is_415_and_says_so() {
    let server = start().await;
    let headers = format!("{JSON}Content-Encoding: gzip\r\n");
    let answer = server.post("/echo", &headers, "{}").await;
    assert_eq!(answer.header("accept-encoding"), Some("identity"));
    assert_eq!(
        answer.refusal(415, "unsupported_media_type"),
        json!({"allowed": ["identity"]})
    );
    let headers = format!("{JSON}Content-Encoding: identity\r\n");
    assert_eq!(server.post("/echo", &headers, "{}").await.status, 200);
}

#[tokio::test]
async fn a_body_that_is_no_object_is_400() {
    let server = start().await;
    for body in ["", "[]", "{", "{\"a\":1,\"a\":2}"] {
        let answer = server.post("/echo", JSON, body).await;
        assert_eq!(
            answer.refusal(400, "bad_request")["reason"],
            "malformed_json",
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_long_target_is_414_and_large_headers_are_431() {
    let server = start().await;
    let long = format!("/id/{}", "x".repeat(300));
    assert_eq!(
        server.get(&long).await.refusal(414, "uri_too_long"),
        json!({"max_bytes": 256})
    );
    let large = format!(
        "GET /id/x HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n",
        "x".repeat(3000)
    );
    assert_eq!(
        server.raw(&large).await.refusal(431, "headers_too_large"),
        json!({"max_bytes": 2048})
    );
}

/// hyper refuses these before the edge sees them.
#[tokio::test]
async fn what_is_no_request_is_refused_with_the_one_body_and_the_connection_ends() {
    let server = start().await;
    let request = |target: &str, headers: &str| {
        format!("GET {target} HTTP/1.1\r\nHost: a\r\n{headers}\r\n").into_bytes()
    };
    let not_utf8 = [b"GET /id/\xff HTTP/1.1\r\n".as_slice(), b"Host: a\r\n\r\n"].concat();
    for bad in [
        request("/id/<x>", ""),
        request("/id/`x`", ""),
        request("/id/x", "X: \x01\r\n"),
        request("/id/x", "no colon\r\n"),
        not_utf8,
    ] {
        let mut socket = server.connect().await;
        socket.write_all(&bad).await.unwrap();
        let answer = read_answer(&mut socket).await;
        let details = answer.refusal(400, "bad_request");
        assert_eq!(details, json!({"reason": "malformed_header"}));
        assert!(read_to_close(&mut socket).await.is_empty());
    }
    let (many, long) = (
        "a: b\r\n".repeat(257),
        format!("X: {}\r\n", "x".repeat(8500)),
    );
    for headers in [many, long] {
        let mut socket = server.connect().await;
        socket.write_all(&request("/id/x", &headers)).await.unwrap();
        let answer = read_answer(&mut socket).await;
        let details = answer.refusal(431, "headers_too_large");
        assert_eq!(details, json!({"max_bytes": 2048}));
    }
    assert_eq!(server.get("/id/x").await.status, 200);
}

/// The first request of a connection is answered before the second turns out to be none.
#[tokio::test]
async fn what_is_no_request_does_not_touch_the_answer_before_it() {
    let server = start().await;
    let mut socket = server.connect().await;
    let good = b"GET /id/x HTTP/1.1\r\nHost: a\r\n\r\n";
    socket.write_all(good).await.unwrap();
    assert_eq!(read_answer(&mut socket).await.status, 200);
    socket
        .write_all(b"GET /<x> HTTP/1.1\r\n\r\n")
        .await
        .unwrap();
    read_answer(&mut socket).await.refusal(400, "bad_request");
}

#[tokio::test]
async fn a_panic_is_500_and_shows_nothing_and_the_server_goes_on() {
    let server = start().await;
    let answer = server.get("/panic").await;
    assert_eq!(answer.refusal(500, "internal_error"), json!({}));
    assert!(!String::from_utf8_lossy(&answer.body).contains("wants"));
    assert_eq!(server.get("/id/x").await.status, 200);
}

#[tokio::test]
async fn a_refusal_written_by_other_code_gets_the_one_body_unless_it_is_json() {
    let server = start().await;
    let answer = server.get("/foreign").await;
    answer.refusal(400, "bad_request");
    assert!(!String::from_utf8_lossy(&answer.body).contains("secret"));
    let own = server.get("/own").await;
    assert_eq!(
        (own.status, own.body.as_slice()),
        (400, br#"{"own":1}"#.as_slice())
    );
    assert!(own.header("request-id").is_some());
}

#[tokio::test]
async fn unavailable_tells_when_to_come_again() {
    let server = start().await;
    let answer = server.get("/unavailable").await;
    let details = answer.refusal(503, "service_unavailable");
    assert_eq!(
        details,
        json!({"component": "database", "retry_after_seconds": 5})
    );
    assert_eq!(answer.header("retry-after"), Some("5"));
}

#[tokio::test]
async fn a_request_above_the_total_time_is_503() {
    let (mut edge, serve) = crate::server::limits();
    edge.request_timeout = std::time::Duration::from_millis(50);
    let server = crate::server::start_with(edge, serve).await;
    server
        .get("/wait")
        .await
        .refusal(503, "service_unavailable");
}

#[tokio::test]
async fn a_request_that_is_given_up_is_told_that_nothing_was_done_only_where_that_is_certain() {
    let (mut edge, serve) = crate::server::limits();
    edge.request_timeout = std::time::Duration::from_millis(50);
    let server = crate::server::start_with(edge, serve).await;
    let read = server
        .get("/wait")
        .await
        .refusal(503, "service_unavailable");
    assert_eq!(read.get("outcome"), None);
    for (path, outcome) in [
        ("/wait/change", json!("unknown")),
        ("/wait/harmless", Value::Null),
        ("/wait/begun", json!("unknown")),
    ] {
        let answer = server.post(path, JSON, "{}").await;
        let refusal = answer.refusal(503, "service_unavailable");
        assert_eq!(refusal["outcome"], outcome, "{path}");
        assert_eq!(refusal["component"], "upstream");
        assert_eq!(answer.header("retry-after"), Some("5"));
    }
}

#[tokio::test]
async fn a_correlation_id_is_echoed_and_a_malformed_one_refused() {
    let server = start().await;
    let with =
        |value: &str| format!("GET /id/x HTTP/1.1\r\nHost: a\r\nCorrelation-ID: {value}\r\n\r\n");
    let answer = server.raw(&with("order 7/b")).await;
    assert_eq!(
        (answer.status, answer.header("correlation-id")),
        (200, Some("order 7/b"))
    );
    let answer = server.raw(&with(&"x".repeat(256))).await;
    assert_eq!(
        answer.refusal(400, "bad_request")["reason"],
        "malformed_header"
    );
    assert_eq!(answer.header("correlation-id"), None);
    let refused = server
        .raw("GET /no HTTP/1.1\r\nHost: a\r\nCorrelation-ID: c\r\n\r\n")
        .await;
    refused.refusal(404, "route_not_found");
    assert_eq!(refused.header("correlation-id"), Some("c"));
}

#[tokio::test]
async fn head_answers_as_get_without_a_body() {
    let server = start().await;
    let mut socket = server.connect().await;
    socket
        .write_all(b"HEAD /id/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let text = String::from_utf8(crate::server::read_to_close(&mut socket).await).unwrap();
    assert!(
        text.starts_with("HTTP/1.1 200") && text.ends_with("\r\n\r\n"),
        "{text}"
    );
}

#[tokio::test]
async fn a_client_in_the_middle_of_a_large_upload_gets_to_read_its_refusal() {
    let server = start().await;
    let body = "x".repeat(4 * 1024 * 1024);
    for (path, headers, status, slug) in [
        ("/echo", JSON, 413, "payload_too_large"),
        (
            "/echo",
            "Content-Type: text/plain\r\n",
            413,
            "payload_too_large",
        ),
        ("/no", JSON, 404, "route_not_found"),
    ] {
        server
            .post(path, headers, &body)
            .await
            .refusal(status, slug);
    }
    let head =
        format!("POST /echo HTTP/1.1\r\nHost: a\r\n{JSON}Transfer-Encoding: chunked\r\n\r\n");
    let chunked = format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    server.raw(&chunked).await.refusal(413, "payload_too_large");
}

#[tokio::test]
async fn a_refused_client_that_sends_a_byte_now_and_then_is_answered_at_once() {
    let server = start().await;
    let socket = server.connect().await;
    let (mut answers, mut body) = socket.into_split();
    let head = format!("POST /no HTTP/1.1\r\nHost: a\r\n{JSON}Content-Length: 60\r\n\r\n{{");
    let drip = tokio::spawn(async move {
        body.write_all(head.as_bytes()).await.unwrap();
        loop {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            if body.write_all(b" ").await.is_err() {
                return;
            }
        }
    });
    let started = std::time::Instant::now();
    let mut first = [0; 12];
    answers.read_exact(&mut first).await.unwrap();
    drip.abort();
    assert_eq!(&first, b"HTTP/1.1 404");
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
}
