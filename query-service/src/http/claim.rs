//! What a request says about itself besides its body: the API key and the idempotency claim.

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::IdempotencyClaim;
use events_schema::api::limits::MAX_IDEMPOTENCY_KEY_CHARS;
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use serde_json::{Map, Value};
use service_kit::Problem;
use sha2::Sha256;

const API_KEY: &str = "api-key";
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Longer than any key that is issued.
const MAX_API_KEY_CHARS: usize = 256;

/// What the header `API-Key` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ApiKey<'a> {
    /// One that command-service can judge.
    Given(&'a str),
    /// None, or only blanks.
    Missing,
    /// Nothing that could be a key.
    Malformed,
}

pub(super) fn api_key(headers: &HeaderMap) -> ApiKey<'_> {
    let mut values = headers.get_all(API_KEY).iter();
    let Some(value) = values.next() else {
        return ApiKey::Missing;
    };
    match value.to_str().map(str::trim) {
        Ok("") => ApiKey::Missing,
        Ok(key) if key.len() <= MAX_API_KEY_CHARS && values.next().is_none() => ApiKey::Given(key),
        _ => ApiKey::Malformed,
    }
}

/// The `Idempotency-Key` as sent.
///
/// # Errors
/// 400 `malformed_header` unless it is 1 to 255 printable ASCII characters, given once.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let text = value
        .to_str()
        .ok()
        .filter(|text| text.bytes().all(|b| (0x20..0x7f).contains(&b)));
    match text {
        Some(key)
            if (1..=MAX_IDEMPOTENCY_KEY_CHARS).contains(&key.len()) && values.next().is_none() =>
        {
            Ok(Some(key))
        }
        _ => Err(Problem::malformed_header(
            "Idempotency-Key",
            "1 to 255 printable ASCII characters, given once",
        )),
    }
}

/// Keyed hashes of the key and of the request, so that neither is stored. The same body in another spelling (order of
/// keys, white space) is the same request.
pub(super) fn claim(
    secret: &str,
    endpoint: Endpoint,
    key: &str,
    body: &Map<String, Value>,
) -> IdempotencyClaim {
    let request = canonical(&Value::Object(body.clone())).to_string();
    IdempotencyClaim {
        key_hash: keyed_hash(secret, &["idempotency-key", endpoint.name(), key]),
        request_hash: keyed_hash(secret, &["request", endpoint.name(), &request]),
    }
}

fn keyed_hash(secret: &str, parts: &[&str]) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        unreachable!("HMAC takes a key of any length")
    };
    for part in parts {
        mac.update(part.as_bytes());
        mac.update(&[0]);
    }
    mac.finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            Value::Object(
                entries
                    .into_iter()
                    .map(|(name, value)| (name.clone(), canonical(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.iter().map(canonical).collect()),
        scalar => scalar.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use http::HeaderValue;
    use serde_json::json;

    use super::*;

    fn hashes(key: &str, body: Value) -> IdempotencyClaim {
        claim(
            "a secret",
            Endpoint::PersonEnrich,
            key,
            body.as_object().unwrap(),
        )
    }

    #[test]
    fn the_order_of_keys_does_not_make_another_request_but_a_value_does() {
        let first = hashes("k", json!({"email": "a@b.example", "limit": 2}));
        assert_eq!(
            first,
            hashes("k", json!({"limit": 2, "email": "a@b.example"}))
        );
        assert_ne!(
            first.request_hash,
            hashes("k", json!({"limit": 3, "email": "a@b.example"})).request_hash
        );
        assert_ne!(first.key_hash, hashes("l", json!({})).key_hash);
        let other = claim(
            "a secret",
            Endpoint::CompanyEnrich,
            "k",
            json!({}).as_object().unwrap(),
        );
        assert_ne!(other.key_hash, hashes("k", json!({})).key_hash);
    }

    #[test]
    fn an_idempotency_key_is_printable_and_of_bounded_length() {
        let with = |value: &[u8]| {
            HeaderMap::from_iter([(
                http::HeaderName::from_static(IDEMPOTENCY_KEY),
                HeaderValue::from_bytes(value).unwrap(),
            )])
        };
        assert_eq!(idempotency_key(&HeaderMap::new()), Ok(None));
        assert_eq!(
            idempotency_key(&with(&[b'a'; 255])).unwrap().map(str::len),
            Some(255)
        );
        for bad in [b"".as_slice(), &[b'a'; 256], b"caf\xc3\xa9"] {
            assert!(idempotency_key(&with(bad)).is_err());
        }
    }

    #[test]
    fn a_key_is_missing_when_blank_and_malformed_when_no_key_could_be_so() {
        let with = |value: &[u8]| {
            HeaderMap::from_iter([(
                http::HeaderName::from_static(API_KEY),
                HeaderValue::from_bytes(value).unwrap(),
            )])
        };
        assert_eq!(api_key(&HeaderMap::new()), ApiKey::Missing);
        assert_eq!(api_key(&with(b" ")), ApiKey::Missing);
        assert_eq!(api_key(&with(&[b'a'; 257])), ApiKey::Malformed);
        assert_eq!(api_key(&with(b"\xff")), ApiKey::Malformed);
        assert_eq!(api_key(&with(b"rk_live_x")), ApiKey::Given("rk_live_x"));
    }
}
