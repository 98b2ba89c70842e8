//! The server card (`docs/AGENTS.md`, "The card"): what the server is, for registries and agents, without a key.
//!
//! Built from the tool table and the protocol list that `tools/list` and `server/discover` use, so that it cannot drift.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use service_kit::tagged::{Tagged, values};

use crate::handler::{NAME, PROTOCOL_VERSIONS, TITLE, capabilities};
use crate::tools;

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const DESCRIPTION: &str = "Enrich, search, clean and report on person and company records.";
const CARD_TYPE: &str = "application/mcp-server-card+json";
const CACHE: &str = "public, max-age=3600";

/// The document, made once.
#[derive(Debug)]
pub struct Card(Tagged);

impl Card {
    /// The card of the server behind `base`.
    pub fn new(base: &str) -> Self {
        Self(Tagged::new(document(base).to_string()))
    }
}

/// `GET` of the card.
pub async fn serve(State(card): State<Arc<Card>>, headers: HeaderMap) -> Response {
    let asks_for_card_type =
        values(&headers, &header::ACCEPT).any(|value| value.starts_with(CARD_TYPE));
    let content_type = if asks_for_card_type {
        CARD_TYPE
    } else {
        "application/json"
    };
    let mut response = card.0.answer(&headers, content_type, CACHE);
    let headers = response.headers_mut();
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_ORIGIN,
        HeaderValue::from_static("*"),
    );
    headers.insert(header::VARY, HeaderValue::from_static("Accept"));
    response
}

/// `OPTIONS` of the card: a browser may ask before it sends `If-None-Match`.
pub async fn preflight() -> impl IntoResponse {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, headers)
}

fn document(base: &str) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let versions: Vec<&str> = PROTOCOL_VERSIONS
        .iter()
        .map(ProtocolVersion::as_str)
        .collect();
    let tools: Vec<Value> = tools::TOOLS
        .iter()
        .map(|tool| json!({"name": tool.endpoint.name(), "description": tool.summary}))
        .collect();
    json!({
        "$schema": SCHEMA,
        "name": format!("{}/mcp", reversed_host(base)),
        "title": TITLE,
        "version": version,
        "description": DESCRIPTION,
        "remotes": [{
            "type": "streamable-http",
            "url": format!("{base}/mcp"),
            "supportedProtocolVersions": versions,
            "headers": [{"name": "API-Key", "description": "API key of the service", "isRequired": true, "isSecret": true}],
        }],
        "protocolVersion": versions.first(),
        "serverInfo": {"name": NAME, "title": TITLE, "version": version},
        "transport": {"type": "streamable-http", "endpoint": "/mcp"},
        "authentication": {"required": true, "schemes": ["apiKey"]},
        "capabilities": json!(capabilities()),
        "tools": tools,
    })
}

/// `data.example.com` becomes `com.example.data`; an address or a bare name has no reverse and stands below `local`.
fn reversed_host(base: &str) -> String {
    let host = reqwest::Url::parse(base)
        .ok()
        .and_then(|url| url.domain().map(str::to_owned));
    match host.filter(|host| host.contains('.')) {
        Some(host) => host.split('.').rev().collect::<Vec<_>>().join("."),
        None => format!("local.{NAME}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_reversed_host_with_exactly_one_slash() {
        for (base, name) in [
            ("https://data.example.com", "com.example.data/mcp"),
            ("http://127.0.0.1:8080", "local.roster/mcp"),
            ("http://localhost:8080", "local.roster/mcp"),
        ] {
            assert_eq!(document(base).get("name"), Some(&json!(name)));
        }
        assert!(DESCRIPTION.len() <= 100);
    }
}
