//! Traces reach a collector with the parent that the request brought, and metrics do too.

use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::routing::{get, post};
use http_body_util::BodyExt;
use service_kit::edge::{EdgeConfig, edge};
use service_kit::telemetry::{TelemetryConfig, current_traceparent, init};
use tokio::sync::mpsc;
use tower::ServiceExt;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A collector that hands on the path and the bytes of what it gets.
async fn collector() -> (String, mpsc::UnboundedReceiver<(String, Vec<u8>)>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let take = move |request: Request| {
        let sender = sender.clone();
        async move {
            let path = request.uri().path().to_owned();
            let body = request.into_body().collect().await.unwrap().to_bytes();
            sender.send((path, body.to_vec())).unwrap();
        }
    };
    let app = Router::new()
        .route("/v1/traces", post(take.clone()))
        .route("/v1/metrics", post(take));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, receiver)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_traced_under_the_parent_it_brought() {
    let (address, mut received) = collector().await;
    let config = TelemetryConfig {
        otlp_endpoint: Some(address),
        ..TelemetryConfig::default()
    };
    let guard = init("kit-test", &config).unwrap();
    // Other tests of this binary want to see why they fail.
    drop(std::panic::take_hook());
    let routes = Router::new().route(
        "/here",
        get(|| async { current_traceparent().unwrap_or_default() }),
    );
    let request = http::Request::get("/here?email=hidden")
        .header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01"))
        .body(axum::body::Body::empty())
        .unwrap();
    let response = edge(routes, EdgeConfig::default())
        .oneshot(request)
        .await
        .unwrap();
    let inner = response.into_body().collect().await.unwrap().to_bytes();
    assert!(
        inner.starts_with(format!("00-{TRACE}-").as_bytes()),
        "{inner:?}"
    );
    assert!(
        !inner.ends_with(b"00f067aa0ba902b7-01"),
        "the request has a span of its own"
    );

    opentelemetry::global::meter("kit-test")
        .u64_counter("kit_test_total")
        .build()
        .add(1, &[]);
    tokio::task::spawn_blocking(move || drop(guard))
        .await
        .unwrap();
    let (mut has_span, mut has_metric) = (false, false);
    while !(has_span && has_metric) {
        let next = tokio::time::timeout(Duration::from_secs(10), received.recv()).await;
        let (path, bytes) = next.expect("traces and metrics are sent").unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("hidden"), "the query string was exported");
        has_span |= path == "/v1/traces" && text.contains("/here");
        has_metric |= path == "/v1/metrics" && text.contains("kit_test_total");
    }
}
