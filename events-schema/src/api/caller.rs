//! What a request says of its caller in headers: the API key and the `Idempotency-Key` (`docs/API.md`). Read here by
//! every listener, so that the same header is the same thing at each of them.

use http::{HeaderMap, HeaderName};
use serde_json::{Map, Value};

use super::endpoint::Endpoint;
use super::internal::IdempotencyClaim;
use super::keyed_hash::keyed_hash;
use super::limits::MAX_IDEMPOTENCY_KEY_CHARS;

/// The header with the API key.
pub const API_KEY: HeaderName = HeaderName::from_static("api-key");
/// The header that names a request.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Longer than any key that is issued.
const MAX_API_KEY_CHARS: usize = 256;

/// Why a request has no caller: 401, in the same words wherever it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoCaller {
    /// `details.reason` of the refusal.
    pub reason: &'static str,
    /// Its sentence.
    pub message: &'static str,
}

impl NoCaller {
    /// No `API-Key`, or only blanks.
    pub const MISSING_KEY: Self = Self {
        reason: "missing_api_key",
        message: "The API-Key header is missing.",
    };
    /// Nothing that could be a key, several, or one that is not valid.
    pub const INVALID_KEY: Self = Self {
        reason: "invalid_api_key",
        message: "The API key is not valid.",
    };
}

/// The API key as sent, without blanks around it: one that command-service can judge.
///
/// # Errors
/// Unless there is one that could be a key. The body need not have come: whoever has no key is told so at once.
pub fn api_key(headers: &HeaderMap) -> Result<&str, NoCaller> {
    let mut values = headers.get_all(API_KEY).iter();
    let value = values.next().ok_or(NoCaller::MISSING_KEY)?;
    match value.to_str().map(str::trim) {
        _ if values.next().is_some() => Err(NoCaller::INVALID_KEY),
        Ok("") => Err(NoCaller::MISSING_KEY),
        Ok(key) if key.len() <= MAX_API_KEY_CHARS => Ok(key),
        _ => Err(NoCaller::INVALID_KEY),
    }
}

/// A header that is not as it must be: 400 `malformed_header`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MalformedHeader {
    /// As documented.
    pub name: &'static str,
    /// What it must be.
    pub rule: &'static str,
}

const MALFORMED_IDEMPOTENCY_KEY: MalformedHeader = MalformedHeader {
    name: "Idempotency-Key",
    rule: "1 to 255 printable ASCII characters, given once",
};

/// The `Idempotency-Key` as sent, if one was.
///
/// # Errors
/// Unless it is 1 to 255 printable ASCII characters, given once.
pub fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, MalformedHeader> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let is_well_formed = |text: &&str| {
        let is_printable = text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
        is_printable && (1..=MAX_IDEMPOTENCY_KEY_CHARS).contains(&text.len())
    };
    let text = value.to_str().ok().filter(is_well_formed);
    match text {
        Some(text) if values.next().is_none() => Ok(Some(text)),
        _ => Err(MALFORMED_IDEMPOTENCY_KEY),
    }
}

impl IdempotencyClaim {
    /// The claim of a request: hashes keyed by `secret`, so that neither key nor body is stored. The same body in another
    /// spelling (order of keys, white space, a key that is null instead of absent, in an item of many, too) is the same request.
    #[must_use]
    pub fn of(secret: &str, endpoint: Endpoint, key: &str, body: &Map<String, Value>) -> Self {
        let request = Value::Object(canonical(body)).to_string();
        Self {
            key_hash: hash(secret, ["idempotency-key", endpoint.name(), key]),
            request_hash: hash(secret, ["request", endpoint.name(), &request]),
        }
    }
}

/// Each part is ended by a zero.
fn hash(secret: &str, [what, endpoint, text]: [&str; 3]) -> String {
    let end: &[u8] = &[0];
    let parts = [
        what.as_bytes(),
        end,
        endpoint.as_bytes(),
        end,
        text.as_bytes(),
        end,
    ];
    hex::encode(keyed_hash(secret, parts))
}

/// With its keys in order, and without those that are null.
fn canonical(map: &Map<String, Value>) -> Map<String, Value> {
    fn of(value: &Value) -> Value {
        match value {
            Value::Object(map) => Value::Object(canonical(map)),
            Value::Array(items) => Value::Array(items.iter().map(of).collect()),
            scalar => scalar.clone(),
        }
    }
    let given = map.iter().filter(|(_, value)| !value.is_null());
    let mut given: Vec<(&String, &Value)> = given.collect();
    given.sort_by_key(|(name, _)| *name);
    given
        .into_iter()
        .map(|(name, value)| (name.clone(), of(value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use serde_json::json;

    use super::*;

    fn claim(endpoint: Endpoint, key: &str, body: Value) -> IdempotencyClaim {
        IdempotencyClaim::of("a secret", endpoint, key, body.as_object().unwrap())
    }

    fn with(name: &HeaderName, values: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_bytes(value).unwrap());
        }
        headers
    }

    #[test]
    fn one_request_in_other_spellings_is_one_and_a_value_a_key_or_an_endpoint_makes_another() {
        let of = |body| claim(Endpoint::PersonEnrich, "k", body);
        let first = of(json!({"email": "a@b.example", "limit": 2, "fields": {"a": 1, "b": null}}));
        assert_eq!(
            first,
            of(
                json!({"region": null, "fields": {"b": null, "a": 1}, "limit": 2, "email": "a@b.example"})
            )
        );
        let many = of(json!({"items": [{"email": "a@b.example", "phone": null}, null]}));
        let same = of(json!({"items": [{"email": "a@b.example"}, null]}));
        let fewer = of(json!({"items": [{"email": "a@b.example"}]}));
        assert_eq!(many, same);
        assert_ne!(many.request_hash, fewer.request_hash);
        let another = of(json!({"email": "a@b.example", "limit": 3}));
        assert_ne!(first.request_hash, another.request_hash);
        assert_eq!(first.key_hash, another.key_hash);
        assert_eq!(first.key_hash.len(), 64);
        let empty = json!({});
        let other_key = claim(Endpoint::PersonEnrich, "l", empty.clone());
        let other_endpoint = claim(Endpoint::CompanyEnrich, "k", empty);
        assert_ne!(other_key.key_hash, first.key_hash);
        assert_ne!(other_endpoint.key_hash, first.key_hash);
        assert_ne!(other_endpoint.request_hash, other_key.request_hash);
    }

    #[test]
    fn an_idempotency_key_is_1_to_255_printable_characters_given_once() {
        let with = |values: &[&[u8]]| with(&IDEMPOTENCY_KEY, values);
        assert_eq!(idempotency_key(&HeaderMap::new()), Ok(None));
        assert_eq!(idempotency_key(&with(&[b"abc"])), Ok(Some("abc")));
        let longest = [b'a'; 255];
        assert!(idempotency_key(&with(&[&longest])).is_ok());
        let faults: [&[&[u8]]; 5] = [
            &[b""],
            &[&[b'a'; 256]],
            &[b"caf\xc3\xa9"],
            &[b"a\tb"],
            &[b"a", b"b"],
        ];
        for values in faults {
            assert!(idempotency_key(&with(values)).is_err(), "{values:?}");
        }
    }

    #[test]
    fn an_api_key_is_missing_when_blank_and_invalid_when_no_key_could_be_so() {
        type Case<'a> = (&'a [&'a [u8]], Result<&'a str, NoCaller>);
        let cases: [Case<'_>; 6] = [
            (&[], Err(NoCaller::MISSING_KEY)),
            (&[b" "], Err(NoCaller::MISSING_KEY)),
            (&[&[b'a'; 257]], Err(NoCaller::INVALID_KEY)),
            (&[b"\xff"], Err(NoCaller::INVALID_KEY)),
            (&[b"rk_live_x", b"rk_live_y"], Err(NoCaller::INVALID_KEY)),
            (&[b" rk_live_x "], Ok("rk_live_x")),
        ];
        for (values, expected) in cases {
            assert_eq!(api_key(&with(&API_KEY, values)), expected, "{values:?}");
        }
    }
}
