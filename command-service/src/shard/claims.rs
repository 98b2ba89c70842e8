//! Named requests in progress: of two with one name the first proceeds, the second is told so.
//!
//! Only the fast path: the statement of a charge refuses a second row under a live name whatever is written here.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::IdempotencyClaim;
use events_schema::ids::AccountId;
use uuid::Uuid;

/// What only one live charge may have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Scope, with the endpoint.
    pub account_id: AccountId,
    /// Scope, with the account.
    pub endpoint: Endpoint,
    /// Keyed hash of the `Idempotency-Key`.
    pub key_hash: String,
}

impl Name {
    pub(super) fn new(account_id: AccountId, endpoint: Endpoint, claim: &IdempotencyClaim) -> Self {
        Self {
            account_id,
            endpoint,
            key_hash: claim.key_hash.clone(),
        }
    }
}

/// A named request that has been admitted, or is about to be, and is not settled yet.
#[derive(Debug)]
struct AtWork {
    request_id: Uuid,
    request_hash: String,
    until: Instant,
    /// Its charge was decided: it stays until the outcome is known.
    is_settling: bool,
    /// The epoch in which the store had no charge under the name.
    free_in: u64,
}

/// A request that wants a claim.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asking<'a> {
    pub(super) request_id: Uuid,
    pub(super) request_hash: &'a str,
    /// When the claim expires.
    pub(super) until: Instant,
}

/// What was found when a claim was entered.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Claimed {
    /// No live claim: this one is entered.
    Free,
    /// The same request is at work.
    SameAtWork,
    /// Another request with this key is at work.
    OtherAtWork,
    /// Too many requests are in progress.
    Full,
}

#[derive(Debug)]
pub(super) struct Claims {
    most: usize,
    prune_at: usize,
    /// Not before.
    prune_from: Option<Instant>,
    claims: BTreeMap<Name, AtWork>,
}

/// Expired claims are dropped when this many are kept, and again when there are twice as many as were left or all places are taken; but
/// seldom, since each is looked at: a caller that takes all places must not make every request do so.
const PRUNE_AT: usize = 4_096;
const PRUNE_EVERY: Duration = Duration::from_secs(1);

impl Claims {
    pub(super) const fn new(most: usize) -> Self {
        Self {
            most,
            prune_at: PRUNE_AT,
            prune_from: None,
            claims: BTreeMap::new(),
        }
    }

    /// Enters a claim, or says what it conflicts with.
    pub(super) fn enter(&mut self, name: &Name, asking: Asking<'_>, now: Instant) -> Claimed {
        if self.claims.len() >= self.prune_at.min(self.most)
            && self.prune_from.is_none_or(|from| from <= now)
        {
            self.prune_from = Some(now + PRUNE_EVERY);
            self.claims.retain(|_, at_work| at_work.is_live(now));
            self.prune_at = PRUNE_AT.max(self.claims.len() * 2);
        }
        match self.claims.get(name) {
            Some(at_work)
                if at_work.is_live(now) && at_work.request_hash == asking.request_hash =>
            {
                Claimed::SameAtWork
            }
            Some(at_work) if at_work.is_live(now) => Claimed::OtherAtWork,
            None if self.claims.len() >= self.most => Claimed::Full,
            _ => {
                let at_work = AtWork {
                    request_id: asking.request_id,
                    request_hash: asking.request_hash.to_owned(),
                    until: asking.until,
                    is_settling: false,
                    free_in: 0,
                };
                self.claims.insert(name.clone(), at_work);
                Claimed::Free
            }
        }
    }

    /// Lets a claim last until `until`, if this request still has it.
    pub(super) fn renew(&mut self, name: &Name, request_id: Uuid, until: Instant) -> bool {
        let at_work = self.of(name, request_id);
        at_work.is_some_and(|at_work| {
            at_work.until = until;
            true
        })
    }

    /// The store had nothing under the name in this epoch.
    pub(super) fn is_free(&mut self, name: &Name, request_id: Uuid, epoch: u64) {
        if let Some(at_work) = self.of(name, request_id) {
            at_work.free_in = epoch;
        }
    }

    /// Whether the request still has its claim and no charge can have been made under it since the store was asked.
    pub(super) fn is_certain(
        &mut self,
        name: &Name,
        request_id: Uuid,
        epoch: u64,
        now: Instant,
    ) -> bool {
        self.of(name, request_id)
            .is_some_and(|at_work| at_work.free_in == epoch && at_work.is_live(now))
    }

    /// Its charge was decided.
    pub(super) fn settling(&mut self, name: &Name, request_id: Uuid) {
        if let Some(at_work) = self.of(name, request_id) {
            at_work.is_settling = true;
        }
    }

    /// What was decided of its charge is not written and never will be.
    pub(super) fn undecided(&mut self, name: &Name, request_id: Uuid) {
        if let Some(at_work) = self.of(name, request_id) {
            at_work.is_settling = false;
        }
    }

    /// Ends a claim, if this request has it.
    pub(super) fn end(&mut self, name: &Name, request_id: Uuid) {
        if self.of(name, request_id).is_some() {
            self.claims.remove(name);
        }
    }

    #[cfg(test)]
    pub(super) fn settling_now(&self) -> usize {
        let settling = self.claims.values().filter(|claim| claim.is_settling);
        settling.count()
    }

    #[cfg(test)]
    pub(super) fn has(&self, name: &Name, request_id: Uuid) -> bool {
        let at_work = self.claims.get(name);
        at_work.is_some_and(|at_work| at_work.request_id == request_id)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.claims.len()
    }

    fn of(&mut self, name: &Name, request_id: Uuid) -> Option<&mut AtWork> {
        let at_work = self.claims.get_mut(name)?;
        (at_work.request_id == request_id).then_some(at_work)
    }
}

impl AtWork {
    fn is_live(&self, now: Instant) -> bool {
        self.is_settling || self.until > now
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn asking(request_id: Uuid, request_hash: &str, until: Instant) -> Asking<'_> {
        Asking {
            request_id,
            request_hash,
            until,
        }
    }

    fn name(key: &str) -> Name {
        Name {
            account_id: AccountId::new([1; 16]),
            endpoint: Endpoint::PersonEnrich,
            key_hash: key.to_owned(),
        }
    }

    #[test]
    fn a_claim_is_free_again_when_its_request_ends_and_only_then() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut claims = Claims::new(10);
        let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let enter = |claims: &mut Claims, hash, id, now| {
            claims.enter(&name("k"), asking(id, hash, at(40)), at(now))
        };
        assert_eq!(enter(&mut claims, "a", first, 0), Claimed::Free);
        assert_eq!(enter(&mut claims, "a", second, 1), Claimed::SameAtWork);
        assert_eq!(enter(&mut claims, "b", second, 1), Claimed::OtherAtWork);
        claims.end(&name("k"), second);
        assert_eq!(enter(&mut claims, "a", second, 2), Claimed::SameAtWork);
        claims.end(&name("k"), first);
        assert_eq!(enter(&mut claims, "b", second, 3), Claimed::Free);
        assert_eq!(enter(&mut claims, "b", first, 40), Claimed::Free);
    }

    #[test]
    fn a_claim_whose_charge_was_decided_has_no_time_limit() {
        let start = Instant::now();
        let later = start + Duration::from_secs(1_000);
        let mut claims = Claims::new(10);
        let first = Uuid::from_u128(1);
        claims.enter(&name("k"), asking(first, "a", start), start);
        claims.settling(&name("k"), first);
        let again = claims.enter(&name("k"), asking(Uuid::from_u128(2), "a", later), later);
        assert_eq!(again, Claimed::SameAtWork);
        claims.end(&name("k"), first);
        let again = claims.enter(&name("k"), asking(Uuid::from_u128(2), "a", later), later);
        assert_eq!(again, Claimed::Free);
    }

    #[test]
    fn a_claim_whose_charge_is_decided_anew_has_its_time_limit_again() {
        let start = Instant::now();
        let later = start + Duration::from_secs(1_000);
        let mut claims = Claims::new(10);
        let first = Uuid::from_u128(1);
        claims.enter(&name("k"), asking(first, "a", start), start);
        claims.settling(&name("k"), first);
        claims.undecided(&name("k"), first);
        let again = claims.enter(&name("k"), asking(Uuid::from_u128(2), "a", later), later);
        assert_eq!(again, Claimed::Free);
    }

    #[test]
    fn claims_in_use_are_looked_through_again_when_there_are_twice_as_many() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut claims = Claims::new(usize::MAX);
        let enter = |claims: &mut Claims, n: usize, now, until| {
            let id = Uuid::from_u128(1);
            claims.enter(&name(&n.to_string()), asking(id, "a", at(until)), at(now));
            claims.len()
        };
        for n in 0..PRUNE_AT {
            enter(&mut claims, n, 0, 1_000);
        }
        // All of them stay; this one is over soon.
        enter(&mut claims, PRUNE_AT, 1, 2);
        for n in PRUNE_AT + 1..2 * PRUNE_AT {
            assert_eq!(enter(&mut claims, n, 10, 1_000), n + 1);
        }
        assert_eq!(enter(&mut claims, 2 * PRUNE_AT, 10, 1_000), 2 * PRUNE_AT);
    }

    #[test]
    fn a_claim_in_use_is_never_dropped_for_another() {
        let start = Instant::now();
        let until = start + Duration::from_secs(40);
        let mut claims = Claims::new(2);
        let mut enter = |key, now| {
            let id = Uuid::from_u128(1);
            claims.enter(&name(key), asking(id, "a", until), now)
        };
        assert_eq!(enter("1", start), Claimed::Free);
        assert_eq!(enter("2", start), Claimed::Free);
        assert_eq!(enter("3", start), Claimed::Full);
        assert_eq!(enter("2", start), Claimed::SameAtWork);
        assert_eq!(enter("3", until), Claimed::Free);
    }

    #[test]
    fn claims_that_are_over_are_looked_for_once_a_second_however_many_come() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut claims = Claims::new(1);
        let mut enter = |key, now, until| {
            let id = Uuid::from_u128(1);
            claims.enter(&name(key), asking(id, "a", at(until)), at(now))
        };
        assert_eq!(enter("1", 0, 500), Claimed::Free);
        assert_eq!(enter("2", 400, 900), Claimed::Full);
        assert_eq!(enter("2", 600, 900), Claimed::Full, "looked through again");
        assert_eq!(enter("2", 1_400, 9_000), Claimed::Free);
    }

    #[test]
    fn a_name_is_certain_only_in_the_epoch_in_which_the_store_was_asked() {
        let start = Instant::now();
        let until = start + Duration::from_secs(40);
        let mut claims = Claims::new(2);
        let (mine, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        claims.enter(&name("k"), asking(mine, "a", until), start);
        assert!(!claims.is_certain(&name("k"), mine, 7, start));
        claims.is_free(&name("k"), mine, 7);
        assert!(claims.is_certain(&name("k"), mine, 7, start));
        assert!(!claims.is_certain(&name("k"), other, 7, start));
        assert!(!claims.is_certain(&name("k"), mine, 8, start));
        assert!(!claims.is_certain(&name("k"), mine, 7, until));
    }
}
