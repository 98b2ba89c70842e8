//! `Idempotency-Key`: the client's claim that requests with this key are one (contract C12).
//!
//! Only keyed hashes of the key and of the request leave this file.

use std::collections::BTreeMap;
use std::fmt::Write;

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::IdempotencyClaim;
use events_schema::api::limits::MAX_IDEMPOTENCY_KEY_CHARS;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderName};
use serde_json::{Map, Value};
use service_kit::Problem;
use service_kit::config::Secret;
use sha2::Sha256;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The key of the request, if it sent one.
pub(super) fn key(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let is_well_formed = |text: &&str| {
        let printable = text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
        printable && (1..=MAX_IDEMPOTENCY_KEY_CHARS).contains(&text.len())
    };
    let text = value.to_str().ok().filter(is_well_formed);
    match text {
        Some(text) if values.next().is_none() => Ok(Some(text)),
        _ => Err(Problem::malformed_header(
            "Idempotency-Key",
            "1 to 255 printable ASCII characters, given once",
        )),
    }
}

/// The claim of a request; the order of its keys and its white space do not matter.
pub(super) fn of(
    secret: &Secret<String>,
    endpoint: Endpoint,
    key: &str,
    body: &Map<String, Value>,
) -> Option<IdempotencyClaim> {
    let sorted: BTreeMap<&String, &Value> =
        body.iter().filter(|(_, value)| !value.is_null()).collect();
    let body = serde_json::to_string(&sorted).ok()?;
    Some(IdempotencyClaim {
        key_hash: keyed_hash(secret, &["key", key])?,
        request_hash: keyed_hash(secret, &["request", endpoint.name(), &body])?,
    })
}

fn keyed_hash(secret: &Secret<String>, parts: &[&str]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).ok()?;
    for part in parts {
        mac.update(part.as_bytes());
        mac.update(&[0]);
    }
    let mut text = String::with_capacity(64);
    for byte in mac.finalize().into_bytes() {
        write!(text, "{byte:02x}").ok()?;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn claim(endpoint: Endpoint, key: &str, body: &Value) -> IdempotencyClaim {
        let secret = Secret::new("secret".to_owned());
        of(&secret, endpoint, key, body.as_object().unwrap()).unwrap()
    }

    #[test]
    fn the_same_request_in_another_order_is_the_same_request() {
        let one = claim(
            Endpoint::ReportPerson,
            "k",
            &json!({"a": "1", "b": "2", "c": null}),
        );
        let two = claim(Endpoint::ReportPerson, "k", &json!({"b": "2", "a": "1"}));
        assert_eq!(one, two);
        assert_eq!(one.key_hash.len(), 64);
    }

    #[test]
    fn another_body_endpoint_or_key_is_another_claim() {
        let body = json!({"a": "1"});
        let one = claim(Endpoint::ReportPerson, "k", &body);
        let other_body = claim(Endpoint::ReportPerson, "k", &json!({"a": "2"}));
        let other_endpoint = claim(Endpoint::ReportCompany, "k", &body);
        let other_key = claim(Endpoint::ReportPerson, "l", &body);
        assert_ne!(one.request_hash, other_body.request_hash);
        assert_ne!(one.request_hash, other_endpoint.request_hash);
        assert_ne!(one.key_hash, other_key.key_hash);
    }

    #[test]
    fn a_key_is_1_to_255_printable_characters_given_once() {
        let with = |text: &str| HeaderMap::from_iter([(IDEMPOTENCY_KEY, text.parse().unwrap())]);
        assert_eq!(key(&HeaderMap::new()), Ok(None));
        assert_eq!(key(&with("abc")), Ok(Some("abc")));
        assert!(key(&with(&"a".repeat(255))).is_ok());
        for bad in ["", &"a".repeat(256), "a\tb"] {
            let problem = key(&with(bad)).unwrap_err();
            assert_eq!(problem.details_ref()["reason"], "malformed_header");
        }
        let mut twice = with("a");
        twice.append(IDEMPOTENCY_KEY, "b".parse().unwrap());
        assert!(key(&twice).is_err());
    }
}
