//! The checks that look at the request line and the headers alone.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use http_body::Body as _;

use super::EdgeConfig;
use super::correlation::correlation_id;
use super::methods;
use crate::problem::{IDENTITY, Problem};

/// What one header costs besides its bytes: `": "` and the line end.
const HEADER_OVERHEAD_BYTES: usize = 4;

/// 414 and 431, before any routing.
pub(super) fn by_size(request: &Request, config: &EdgeConfig) -> Result<(), Problem> {
    let target = request
        .uri()
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    if target > config.max_uri_bytes {
        return Err(Problem::uri_too_long(config.max_uri_bytes));
    }
    let cost = |(name, value): (&http::HeaderName, &HeaderValue)| {
        name.as_str().len() + value.len() + HEADER_OVERHEAD_BYTES
    };
    if request.headers().iter().map(cost).sum::<usize>() > config.max_header_bytes {
        return Err(Problem::headers_too_large(config.max_header_bytes));
    }
    Ok(())
}

/// 413, 415 and, where the listener wants it here, a malformed `Correlation-ID`. Runs where a route exists;
/// whether it has the method is asked afterwards ([`methods`]).
pub(super) async fn by_headers(
    State(config): State<Arc<EdgeConfig>>,
    request: Request,
    next: Next,
) -> Response {
    if methods::is_probe(&request) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    match check(&config, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn check(config: &EdgeConfig, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    if let Some(length) = content_length(headers).filter(|length| *length > config.max_body_bytes) {
        return Err(Problem::payload_too_large(
            config.max_body_bytes,
            Some(length),
        ));
    }
    if brings_a_body(request) && !is_accepted(headers, config.content_types) {
        return Err(Problem::unsupported_media_type(config.content_types));
    }
    if brings_a_body(request) && is_encoded(headers) {
        return Err(Problem::unsupported_encoding());
    }
    if config.checks_correlation_id {
        correlation_id(headers)?;
    }
    Ok(())
}

/// A POST without any body needs no media type: routes that take one refuse the empty body themselves.
fn brings_a_body(request: &Request) -> bool {
    let method_has_body = matches!(
        *request.method(),
        Method::POST | Method::PUT | Method::PATCH
    );
    let is_declared = request.headers().contains_key(header::CONTENT_TYPE);
    method_has_body && (is_declared || !request.body().is_end_stream())
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// Whether the body is compressed: nothing here unpacks one, and what it would unpack to has no limit.
fn is_encoded(headers: &HeaderMap) -> bool {
    let given = headers.get_all(header::CONTENT_ENCODING);
    given
        .iter()
        .any(|coding| !coding.as_bytes().eq_ignore_ascii_case(IDENTITY.as_bytes()))
}

/// Compares the media type in any case. Of its parameters only `charset` says how the bytes are read, and that is as UTF-8.
fn is_accepted(headers: &HeaderMap, accepted: &[&str]) -> bool {
    let given = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut parts = given.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    // What ASCII has is written so in UTF-8, too.
    let is_utf8 = |charset: &str| {
        let charset = charset.trim_matches(['"', '\'']);
        ["", "utf-8", "utf8", "us-ascii"]
            .iter()
            .any(|known| charset.eq_ignore_ascii_case(known))
    };
    let mut charsets = parts.filter_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim())
    });
    charsets.all(is_utf8)
        && accepted
            .iter()
            .any(|media_type| essence.eq_ignore_ascii_case(media_type))
}
