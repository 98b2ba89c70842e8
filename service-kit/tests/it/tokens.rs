//! A guarded listener keeps the order of checks.

use axum::routing::post;
use axum::{Extension, Router};
use http::{Method, Request, header};
use http_body_util::BodyExt;
use service_kit::edge::{EdgeConfig, edge};
use service_kit::token::{Actor, guard};
use tower::ServiceExt;

async fn call(path: &str, content_type: &str, token: &str) -> (u16, String) {
    send(Method::POST, path, content_type, token).await
}

async fn send(method: Method, path: &str, content_type: &str, token: &str) -> (u16, String) {
    let routes = Router::new().route(
        "/act",
        post(|Extension(Actor(name)): Extension<Actor>| async { name }),
    );
    let app = edge(
        guard(routes, "ops:aaaaaaaaaaaaaaaa".parse().unwrap()),
        EdgeConfig::default(),
    );
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, content_type)
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .body(axum::body::Body::from("{}"))
        .unwrap();
    let response = app.oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_valid_token_names_the_actor() {
    assert_eq!(
        call("/act", "application/json", "aaaaaaaaaaaaaaaa").await,
        (200, "ops".to_owned())
    );
}

#[tokio::test]
async fn unknown_routes_methods_and_media_types_come_before_the_token() {
    assert_eq!(call("/no", "application/json", "wrong").await.0, 404);
    assert_eq!(
        send(Method::GET, "/act", "application/json", "wrong")
            .await
            .0,
        405
    );
    assert_eq!(call("/act", "text/plain", "wrong").await.0, 415);
    let (status, body) = call("/act", "application/json", "wrong").await;
    assert!(status == 401 && body.contains("invalid_token"), "{body}");
}
