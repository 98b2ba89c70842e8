//! `GET /openapi.json` and `GET /docs`, without a key: the interface described for machines and for people (`docs/API.md`, "The interface for
//! machines").

use std::sync::LazyLock;

use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};
use service_kit::tagged::Tagged;

use crate::openapi;

pub(super) const DOCUMENT_PATH: &str = "/openapi.json";
pub(super) const PAGE_PATH: &str = "/docs";

/// Kept for five minutes, then asked for again by its tag: it changes with the version alone.
const CACHE: &str = "public, max-age=300";

static DOCUMENT: LazyLock<Tagged> = LazyLock::new(|| Tagged::new(openapi::document().to_string()));
static PAGE: LazyLock<Tagged> = LazyLock::new(|| Tagged::new(openapi::html()));

pub(super) async fn document(asked: HeaderMap) -> Response {
    let mut response = DOCUMENT.answer(&asked, "application/json", CACHE);
    // Tools that run in a browser read it from elsewhere; it says nothing of anybody.
    let headers = response.headers_mut();
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_ORIGIN,
        HeaderValue::from_static("*"),
    );
    response
}

pub(super) async fn page(asked: HeaderMap) -> Response {
    let mut response = PAGE.answer(&asked, "text/html; charset=utf-8", CACHE);
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&openapi::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    response
}
