//! The proof that a request was passed on by an instance of command-service, for the operator that it names.
//!
//! It is an HMAC-SHA-256, keyed by a secret that only these instances hold, over everything that decides what the
//! request does: to whom it goes, who asked, the request's id, when, method, path, the headers that are passed on, and
//! the body's digest. A token that travels with each request is not enough: whoever has read one could name any
//! operator.
//!
//! *When* is a place on the receiver's own line of time ([`line`](mod@super::line)), which the sender asks for right before. The answer
//! is signed, too, over the asking request's id, so that it is the answer to no other; and only who proves to be an instance is
//! answered; who has overheard an ask can ask for that id again, and learns a place of no use. Then the request is signed, once, and
//! never again.
//!
//! Guarantee: a request is taken once at most, as it was sent, by the process that it was sent to, within [`FRESH_FOR_MS`] of its
//! place. Whoever
//!
//! - sends a copy: one of the two is refused, as a replay while it is fresh, as stale afterwards, also where the body was held back
//!   until what was taken is forgotten: both are judged at one moment, when the whole request is there. Where that is the sender's own,
//!   the sender says that nobody knows;
//! - holds an answer back, or drops it: the sender says that nobody knows. It does not sign the request anew, which would be
//!   another one to the receiver, and be taken although the first was;
//! - holds the request back: it is taken within that time or not at all;
//! - holds the line back, or sends an older one: the request is stale sooner. One that lies ahead of the receiver cannot be
//!   signed;
//! - sets a clock: nothing follows, since no clock is read that can be set;
//! - starts the receiver anew: it has another line, which the next request asks for. What was on its way is refused, and not done.
//!
//! A machine that is set back to a snapshot with its memory forgets what it took since then: until its line has passed those places
//! once more it would take them again.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use service_kit::clock::Clock;
use service_kit::config::Secret;
use service_kit::problem::Problem;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::line::{Line, Place};
use super::secrets::{ForwardSecrets, Statement, Tag};

/// How long after its place a proof is taken: the body must have come by then.
const FRESH_FOR_MS: u64 = 30_000;

const AT: HeaderName = HeaderName::from_static("forwarded-at");
const PROOF: HeaderName = HeaderName::from_static("forwarded-proof");
/// Why a request is refused for its time: it comes too late, or is of another process.
pub(super) const STALE: &str = "stale_proof";
/// Why a request is refused that was taken before.
pub(super) const REPLAYED: &str = "replayed_proof";
const FORM: &str = "roster forwarded 2";
const ASKED: &str = "roster forwarded line asked 1";
const TOLD: &str = "roster forwarded line told 1";
/// Most proofs that are remembered; each is one request of an operator.
const MAX_REMEMBERED: usize = 100_000;
const RETRY_SECONDS: u64 = 5;

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
    line: Line,
    taken: Arc<Mutex<BTreeSet<Taken>>>,
}

/// Milliseconds on the own line first, so that the oldest are the first ones.
type Taken = (u64, Tag);

/// The sender's side.
impl Proofs {
    /// Proofs of the instance at `address`, whose line begins now.
    #[must_use]
    pub fn new(secrets: ForwardSecrets, address: &str, clock: Arc<dyn Clock>) -> Self {
        Self {
            secrets,
            address: address.trim_end_matches('/').into(),
            line: Line::begin(clock),
            taken: Arc::default(),
        }
    }

    /// The header by which the instance at `owner` tells its line for the request `id`. None without a secret.
    #[must_use]
    pub fn ask(&self, owner: &str, id: Uuid) -> HeaderMap {
        self.signed(&asked(owner.trim_end_matches('/'), id))
    }

    /// The place that `owner` told for the request `id`, if it is an instance's answer to this very request.
    #[must_use]
    pub fn told_place(&self, owner: &str, id: Uuid, answer: &HeaderMap) -> Option<Place> {
        let at = Place::read(one(answer, &AT)?)?;
        let given = tag(answer).ok()?;
        let told = place_statement(owner.trim_end_matches('/'), id, at);
        self.secrets.of(&told, &given).map(|_| at)
    }

    /// The headers by which the instance at `owner` takes the request, near `at` on its line. No proof without a secret.
    #[must_use]
    pub fn sign(&self, owner: &str, at: Place, passed: &Passed<'_>) -> HeaderMap {
        let mut headers = self.signed(&request(owner.trim_end_matches('/'), at, passed));
        headers.extend(text(at).map(|at| (AT, at)));
        headers
    }

    fn signed(&self, statement: &Statement) -> HeaderMap {
        let tag = self.secrets.first().and_then(|one| statement.signed(one));
        tag.map(|tag| (PROOF, tag)).into_iter().collect()
    }
}

/// The receiver's side.
impl Proofs {
    /// Where this process is on its line, for the instance that asks for the request `id`: signed by the secret that it used,
    /// which is one that it knows.
    ///
    /// # Errors
    /// 401.
    pub fn tell(&self, id: Uuid, headers: &HeaderMap) -> Result<HeaderMap, Problem> {
        let secret = self.of(&asked(&self.address, id), &tag(headers)?)?;
        let at = self.line.now();
        let proof = place_statement(&self.address, id, at).signed(secret);
        let headers = [(PROOF, proof), (AT, text(at))];
        let headers = headers.into_iter();
        Ok(headers
            .filter_map(|(name, value)| Some((name, value?)))
            .collect())
    }

    /// The place of a request, if it says one that is on this line and not too old; looked at before its body is read.
    ///
    /// # Errors
    /// 401.
    pub fn fresh(&self, headers: &HeaderMap) -> Result<Place, Problem> {
        let at = one(headers, &AT).ok_or_else(|| refused("missing_proof"))?;
        let at = Place::read(at).ok_or_else(|| refused("invalid_proof"))?;
        tag(headers)?;
        is_fresh(at, self.line.now()).map(|()| at)
    }

    /// Takes a request of the place `at`, once, if it is still fresh.
    ///
    /// # Errors
    /// 401; 503 when too many are remembered.
    pub fn take(&self, headers: &HeaderMap, at: Place, passed: &Passed<'_>) -> Result<(), Problem> {
        let given = tag(headers)?;
        self.of(&request(&self.address, at, passed), &given)?;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock, so that no other has forgotten since then what is fresh now.
        let now = self.line.now();
        is_fresh(at, now)?;
        while taken
            .first()
            .is_some_and(|(at_ms, _)| is_old(*at_ms, now.at_ms))
        {
            taken.pop_first();
        }
        if taken.len() >= MAX_REMEMBERED {
            return Err(Problem::unavailable("ledger", RETRY_SECONDS));
        }
        let is_new = taken.insert((at.at_ms, given));
        is_new.then_some(()).ok_or_else(|| refused(REPLAYED))
    }

    fn of(&self, statement: &Statement, given: &Tag) -> Result<&Secret<String>, Problem> {
        let secret = self.secrets.of(statement, given);
        secret.ok_or_else(|| refused("invalid_proof"))
    }
}

fn is_fresh(at: Place, now: Place) -> Result<(), Problem> {
    let is_here = at.line == now.line && at.at_ms <= now.at_ms;
    if !is_here || is_old(at.at_ms, now.at_ms) {
        return Err(refused(STALE));
    }
    Ok(())
}

const fn is_old(at_ms: u64, now_ms: u64) -> bool {
    now_ms.saturating_sub(at_ms) > FRESH_FOR_MS
}

fn request(owner: &str, at: Place, passed: &Passed<'_>) -> Statement {
    let head = Statement::of(FORM)
        .and(owner.as_bytes())
        .and(passed.actor.as_bytes())
        .and(passed.request_id.as_bytes())
        .and(at.to_string().as_bytes())
        .and(passed.method.as_str().as_bytes())
        .and(passed.path.as_bytes());
    let headers = passed.headers.iter();
    headers
        .fold(head, |all, value| all.and_header(*value))
        .and(&Sha256::digest(passed.body))
}

fn asked(owner: &str, id: Uuid) -> Statement {
    Statement::of(ASKED)
        .and(owner.as_bytes())
        .and(id.as_bytes())
}

fn place_statement(owner: &str, id: Uuid, at: Place) -> Statement {
    Statement::of(TOLD)
        .and(owner.as_bytes())
        .and(id.as_bytes())
        .and(at.to_string().as_bytes())
}

fn text(at: Place) -> Option<HeaderValue> {
    HeaderValue::from_str(&at.to_string()).ok()
}

fn tag(headers: &HeaderMap) -> Result<Tag, Problem> {
    let text = one(headers, &PROOF).ok_or_else(|| refused("missing_proof"))?;
    let mut given = Tag::default();
    hex::decode_to_slice(text, &mut given).map_err(|_| refused("invalid_proof"))?;
    Ok(given)
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
mod tests;
