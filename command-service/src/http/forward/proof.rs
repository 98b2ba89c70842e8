//! The proof that a request was passed on by an instance of command-service, for the operator that it names.
//!
//! It is an HMAC-SHA-256, keyed by a secret that only these instances hold, over everything that decides what the
//! request does: to whom it goes, who asked, the request's id, when, method, path, the headers that are passed on, and
//! the body's digest. A token that travels with each request is not enough: whoever has read one could name any
//! operator.
//!
//! Guarantee: a request is taken once, as it was sent, by the instance that it was sent to, within [`FRESH_FOR`]. What
//! was taken is remembered so long, and nothing from before the start of the process is taken.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use service_kit::clock::Clock;
use service_kit::config::Secret;
use service_kit::problem::Problem;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// How long before and after its time a proof is taken: longer than the clocks of two instances differ.
const FRESH_FOR: TimeDelta = TimeDelta::seconds(30);

const AT: HeaderName = HeaderName::from_static("forwarded-at");
const PROOF: HeaderName = HeaderName::from_static("forwarded-proof");
/// Another form of what is signed gets another name, so that none is taken for the other.
const FORM: &str = "roster forwarded 1";
const MAX_SECRETS: usize = 2;
const MIN_SECRET_CHARS: usize = 16;
/// Most proofs that are remembered; each is one request of an operator.
const MAX_REMEMBERED: usize = 100_000;
const RETRY_SECONDS: u64 = 5;

/// The keys of the proofs, one or two: the first one signs, each is taken, so that one can be replaced without a pause.
#[derive(Debug, Clone, Default)]
pub struct ForwardSecrets(Vec<Secret<String>>);

/// A setting of secrets that cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("must be one or two secrets of at least 16 characters, separated by a comma")]
pub struct SecretsFault;

impl FromStr for ForwardSecrets {
    type Err = SecretsFault;

    fn from_str(text: &str) -> Result<Self, SecretsFault> {
        let secrets: Vec<&str> = text.split(',').map(str::trim).collect();
        let is_strong = |secret: &&str| secret.len() >= MIN_SECRET_CHARS;
        if secrets.len() > MAX_SECRETS || !secrets.iter().all(is_strong) {
            return Err(SecretsFault);
        }
        let secrets = secrets.into_iter().map(|one| Secret::new(one.to_owned()));
        Ok(Self(secrets.collect()))
    }
}

/// What is proved, besides the instance that it is sent to and the time.
#[derive(Debug, Clone, Copy)]
pub struct Passed<'a> {
    /// The operator's or the part's name, of the token that the first instance took.
    pub actor: &'a str,
    /// The request's id at the first instance.
    pub request_id: Uuid,
    /// Of the request.
    pub method: &'a Method,
    /// Path and query at the instance that it is sent to.
    pub path: &'a str,
    /// The headers that a handler may read, in a fixed order.
    pub headers: &'a [Option<&'a HeaderValue>],
    /// Of the request.
    pub body: &'a [u8],
}

/// Makes and checks proofs. Clones remember together.
#[derive(Debug, Clone)]
pub struct Proofs {
    secrets: ForwardSecrets,
    /// By what the other instances reach this one.
    address: Arc<str>,
    clock: Arc<dyn Clock>,
    started: DateTime<Utc>,
    taken: Arc<Mutex<BTreeSet<Taken>>>,
}

/// Time in milliseconds first, so that the oldest are the first ones.
type Taken = (i64, [u8; 32]);

impl Proofs {
    /// Proofs of the instance at `address`.
    #[must_use]
    pub fn new(secrets: ForwardSecrets, address: &str, clock: Arc<dyn Clock>) -> Self {
        Self {
            secrets,
            address: address.trim_end_matches('/').into(),
            started: clock.now(),
            clock,
            taken: Arc::default(),
        }
    }

    /// The headers by which the instance at `owner` takes the request. None without a secret.
    #[must_use]
    pub fn sign(&self, owner: &str, passed: &Passed<'_>) -> HeaderMap {
        let at = self.clock.now().timestamp_millis();
        let owner = owner.trim_end_matches('/');
        let mut headers = HeaderMap::from_iter([(AT, HeaderValue::from(at))]);
        let secret = self.secrets.0.first();
        let tag = secret.map(|secret| tag(secret, owner, at, passed).finalize().into_bytes());
        if let Some(Ok(tag)) = tag.map(|tag| HeaderValue::from_str(&hex::encode(tag))) {
            headers.insert(PROOF, tag);
        }
        headers
    }

    /// The time of a request, if it says one that is not too old or too new; looked at before its body is read.
    ///
    /// # Errors
    /// 401.
    pub fn fresh(&self, headers: &HeaderMap) -> Result<i64, Problem> {
        let at = one(headers, &AT).and_then(|text| text.parse().ok());
        let Some(at) = at else {
            return Err(refused("missing_proof"));
        };
        let time = DateTime::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH);
        let age = self.clock.now().signed_duration_since(time);
        if age > FRESH_FOR || age < -FRESH_FOR || time < self.started {
            return Err(refused("stale_proof"));
        }
        Ok(at)
    }

    /// Takes a request of the time `at`, once.
    ///
    /// # Errors
    /// 401; 503 when too many are remembered.
    pub fn take(&self, headers: &HeaderMap, at: i64, passed: &Passed<'_>) -> Result<(), Problem> {
        let text = one(headers, &PROOF).ok_or_else(|| refused("missing_proof"))?;
        let mut given = [0; 32];
        hex::decode_to_slice(text, &mut given).map_err(|_| refused("invalid_proof"))?;
        // Each secret is tried, whatever matched before: the time must not tell which one it was.
        let is_valid = self.secrets.0.iter().fold(false, |found, secret| {
            let tag = tag(secret, &self.address, at, passed);
            tag.verify_slice(&given).is_ok() || found
        });
        if !is_valid {
            return Err(refused("invalid_proof"));
        }
        self.remember((at, given))
    }

    fn remember(&self, proof: Taken) -> Result<(), Problem> {
        let oldest = (self.clock.now() - FRESH_FOR).timestamp_millis();
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while taken.first().is_some_and(|(at, _)| *at < oldest) {
            taken.pop_first();
        }
        if taken.len() >= MAX_REMEMBERED {
            return Err(Problem::unavailable("ledger", RETRY_SECONDS));
        }
        let is_new = taken.insert(proof);
        is_new
            .then_some(())
            .ok_or_else(|| refused("replayed_proof"))
    }
}

/// Each part is preceded by its length, so that no two requests give the same bytes.
fn tag(secret: &Secret<String>, owner: &str, at: i64, passed: &Passed<'_>) -> Hmac<Sha256> {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()) else {
        unreachable!("HMAC takes a key of any length")
    };
    let mut add = |part: &[u8]| {
        mac.update(&part.len().to_be_bytes());
        mac.update(part);
    };
    for text in [FORM, owner, passed.actor] {
        add(text.as_bytes());
    }
    add(passed.request_id.as_bytes());
    add(&at.to_be_bytes());
    add(passed.method.as_str().as_bytes());
    add(passed.path.as_bytes());
    for header in passed.headers {
        // One that is absent differs from an empty one.
        add(&[u8::from(header.is_some())]);
        add(header.map_or(&b""[..], HeaderValue::as_bytes));
    }
    add(&Sha256::digest(passed.body));
    mac
}

fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let only = values.next().filter(|_| values.next().is_none());
    only?.to_str().ok()
}

fn refused(reason: &'static str) -> Problem {
    Problem::unauthorized(reason, "The request lacks a valid proof of who asked.")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::time::Duration;

    use service_kit::ManualClock;

    use super::*;

    const HERE: &str = "http://10.0.0.1:8083";
    const SECRET: &str = "a secret of sixteen";

    fn clock() -> ManualClock {
        ManualClock::at(DateTime::from_timestamp_millis(1_795_262_460_000).unwrap())
    }

    fn proofs(secrets: &str, clock: &ManualClock) -> Proofs {
        Proofs::new(secrets.parse().unwrap(), HERE, Arc::new(clock.clone()))
    }

    const POST: Method = Method::POST;
    const GRANT: Passed<'static> = Passed {
        actor: "alice",
        request_id: Uuid::from_u128(7),
        method: &POST,
        path: "/internal/forwarded/admin/contracts/1/grants",
        headers: &[None, None],
        body: b"{\"credits\":5}",
    };

    fn take(proofs: &Proofs, headers: &HeaderMap, passed: &Passed<'_>) -> Result<(), String> {
        let taken = proofs
            .fresh(headers)
            .and_then(|at| proofs.take(headers, at, passed));
        taken.map_err(|problem| {
            assert_eq!(problem.status(), 401);
            problem.details_ref()["reason"].as_str().unwrap().to_owned()
        })
    }

    #[test]
    fn a_request_is_taken_once_as_it_was_sent() {
        let proofs = proofs(SECRET, &clock());
        let headers = proofs.sign(&format!("{HERE}/"), &GRANT);
        assert_eq!(take(&proofs, &headers, &GRANT), Ok(()));
        let again = take(&proofs, &headers, &GRANT);
        assert_eq!(again.unwrap_err(), "replayed_proof");
    }

    #[test]
    fn whatever_is_changed_of_it_is_refused() {
        let proofs = proofs(SECRET, &clock());
        let headers = proofs.sign(HERE, &GRANT);
        let value = HeaderValue::from_static("application/json");
        for changed in [
            Passed {
                actor: "bob",
                ..GRANT
            },
            Passed { actor: "", ..GRANT },
            Passed {
                request_id: Uuid::from_u128(8),
                ..GRANT
            },
            Passed {
                method: &Method::DELETE,
                ..GRANT
            },
            Passed {
                path: "/internal/forwarded/admin/contracts/2/grants",
                ..GRANT
            },
            Passed {
                headers: &[None, Some(&value)],
                ..GRANT
            },
            Passed {
                body: b"{\"credits\":6}",
                ..GRANT
            },
            Passed { body: b"", ..GRANT },
        ] {
            let refused = take(&proofs, &headers, &changed);
            assert_eq!(refused.unwrap_err(), "invalid_proof", "{changed:?}");
        }
        let elsewhere = proofs.sign("http://10.0.0.2:8083", &GRANT);
        assert_eq!(
            take(&proofs, &elsewhere, &GRANT).unwrap_err(),
            "invalid_proof"
        );
        let mut later = headers.clone();
        later.insert(AT, HeaderValue::from(1_795_262_460_001_i64));
        assert_eq!(take(&proofs, &later, &GRANT).unwrap_err(), "invalid_proof");
        assert_eq!(take(&proofs, &headers, &GRANT), Ok(()));
    }

    #[test]
    fn without_a_whole_proof_it_is_refused() {
        let proofs = proofs(SECRET, &clock());
        let whole = proofs.sign(HERE, &GRANT);
        for (name, bad, reason) in [
            (&AT, None, "missing_proof"),
            (&AT, Some("now"), "missing_proof"),
            (&PROOF, None, "missing_proof"),
            (&PROOF, Some(""), "invalid_proof"),
            (&PROOF, Some(&*"é".repeat(32)), "missing_proof"),
            (&PROOF, Some(&*"0".repeat(64)), "invalid_proof"),
            (&PROOF, Some(&*"+1".repeat(32)), "invalid_proof"),
        ] {
            let mut headers = whole.clone();
            headers.remove(name);
            if let Some(bad) = bad {
                headers.insert(name, HeaderValue::from_bytes(bad.as_bytes()).unwrap());
            }
            assert_eq!(
                take(&proofs, &headers, &GRANT).unwrap_err(),
                reason,
                "{bad:?}"
            );
        }
        let mut twice = whole.clone();
        twice.append(PROOF, whole[&PROOF].clone());
        assert_eq!(take(&proofs, &twice, &GRANT).unwrap_err(), "missing_proof");
    }

    #[test]
    fn an_old_one_one_of_the_future_and_one_from_before_the_start_are_stale() {
        let clock = clock();
        let proofs = proofs(SECRET, &clock);
        let headers = proofs.sign(HERE, &GRANT);
        clock.advance(Duration::from_millis(30_001));
        assert_eq!(take(&proofs, &headers, &GRANT).unwrap_err(), "stale_proof");
        let ahead = clock.clone();
        let headers = proofs.sign(HERE, &GRANT);
        let restarted = self::proofs(SECRET, &{
            clock.advance(Duration::from_millis(1));
            clock.clone()
        });
        assert_eq!(
            take(&restarted, &headers, &GRANT).unwrap_err(),
            "stale_proof"
        );
        let slow = ManualClock::at(ahead.now() - TimeDelta::seconds(31));
        let slow = self::proofs(SECRET, &slow);
        let headers = proofs.sign(HERE, &GRANT);
        assert_eq!(take(&slow, &headers, &GRANT).unwrap_err(), "stale_proof");
    }

    #[test]
    fn a_replay_is_refused_until_it_is_stale_and_is_then_forgotten() {
        let clock = clock();
        let proofs = proofs(SECRET, &clock);
        let headers = proofs.sign(HERE, &GRANT);
        take(&proofs, &headers, &GRANT).unwrap();
        clock.advance(Duration::from_secs(30));
        assert_eq!(
            take(&proofs, &headers, &GRANT).unwrap_err(),
            "replayed_proof"
        );
        clock.advance(Duration::from_secs(1));
        let other = Passed {
            request_id: Uuid::from_u128(9),
            ..GRANT
        };
        take(&proofs, &proofs.sign(HERE, &other), &other).unwrap();
        assert_eq!(proofs.taken.lock().unwrap().len(), 1);
    }

    #[test]
    fn while_a_secret_is_replaced_both_are_taken_and_no_other() {
        let clock = clock();
        let old = proofs(SECRET, &clock);
        let both = proofs(&format!("another secret of it, {SECRET}"), &clock);
        let new = proofs("another secret of it", &clock);
        assert_eq!(take(&both, &old.sign(HERE, &GRANT), &GRANT), Ok(()));
        assert_eq!(take(&new, &both.sign(HERE, &GRANT), &GRANT), Ok(()));
        let refused = take(&new, &old.sign(HERE, &GRANT), &GRANT);
        assert_eq!(refused.unwrap_err(), "invalid_proof");
        for bad in [
            "",
            "short",
            "a secret of sixteen,",
            "a secret of sixteen,a secret of sixteen,a secret of sixteen",
        ] {
            assert_eq!(bad.parse::<ForwardSecrets>().unwrap_err(), SecretsFault);
        }
    }
}
