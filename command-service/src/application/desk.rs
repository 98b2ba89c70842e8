//! What the owner of an account keeps at hand to admit requests: its keys, its contracts' terms, the rate
//! windows, and which named requests are at work.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, NaiveDate, Utc};
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::IdempotencyClaim;
use events_schema::ids::{AccountId, ApiKeyId};
use uuid::Uuid;

use super::rate_window::Windows;
use crate::domain::account::Key;
use crate::domain::contract::Terms;

/// Desks of the accounts that are in use.
pub(super) struct Desks {
    most: usize,
    desks: Mutex<HashMap<AccountId, Arc<tokio::sync::Mutex<Desk>>>>,
    proofs: Mutex<HashMap<ApiKeyId, Arc<Proof>>>,
}

/// What proves a key; never changes.
pub(super) struct Proof {
    pub(super) account_id: AccountId,
    pub(super) secret_hmac: Vec<u8>,
}

/// One account's desk.
#[derive(Default)]
pub(super) struct Desk {
    /// Generation of the shard in which keys and contracts were read; 0 = to be read.
    pub(super) generation: u64,
    pub(super) keys: HashMap<ApiKeyId, Key>,
    /// In the order in which they serve.
    pub(super) contracts: Arc<Vec<Arc<Terms>>>,
    pub(super) windows: Windows,
    claims: HashMap<(Endpoint, String), AtWork>,
}

/// A named request that has been admitted and not yet settled.
struct AtWork {
    request_id: Uuid,
    request_hash: String,
    until: DateTime<Utc>,
}

/// What stands behind a claim.
pub(super) enum Claimed {
    /// Nobody: the claim is entered.
    Free,
    /// The same request is at work.
    SameAtWork,
    /// Another request with this key is at work.
    OtherAtWork,
}

/// Claims whose time is over are dropped when so many are kept.
const PRUNE_AT: usize = 4_096;

impl Desks {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            desks: Mutex::default(),
            proofs: Mutex::default(),
        }
    }

    /// The desk of an account; made empty on first use. When there are too many, those nobody uses go,
    /// and with them their rate windows.
    pub(super) fn of(&self, account: AccountId) -> Arc<tokio::sync::Mutex<Desk>> {
        let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
        if desks.len() >= self.most && !desks.contains_key(&account) {
            desks.retain(|_, desk| Arc::strong_count(desk) > 1);
        }
        Arc::clone(desks.entry(account).or_default())
    }

    pub(super) fn proof(&self, key: &ApiKeyId) -> Option<Arc<Proof>> {
        self.proofs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)
            .cloned()
    }

    pub(super) fn keep_proof(&self, key: ApiKeyId, proof: Proof) -> Arc<Proof> {
        let mut proofs = self.proofs.lock().unwrap_or_else(PoisonError::into_inner);
        if proofs.len() >= self.most {
            proofs.clear();
        }
        Arc::clone(proofs.entry(key).or_insert_with(|| Arc::new(proof)))
    }

    /// Keys or contracts of the account changed: the next request reads them again.
    pub(super) async fn changed(&self, account: AccountId) {
        self.of(account).lock().await.generation = 0;
    }
}

impl Desk {
    /// Enters a claim, or says who has it.
    pub(super) fn claim(
        &mut self,
        endpoint: Endpoint,
        claim: &IdempotencyClaim,
        request_id: Uuid,
        (now, until): (DateTime<Utc>, DateTime<Utc>),
    ) -> Claimed {
        if self.claims.len() >= PRUNE_AT {
            self.claims.retain(|_, at_work| at_work.until > now);
        }
        let key = (endpoint, claim.key_hash.clone());
        match self.claims.get(&key) {
            Some(at_work) if at_work.until > now => {
                if at_work.request_hash == claim.request_hash {
                    Claimed::SameAtWork
                } else {
                    Claimed::OtherAtWork
                }
            }
            _ => {
                let request_hash = claim.request_hash.clone();
                self.claims.insert(
                    key,
                    AtWork {
                        request_id,
                        request_hash,
                        until,
                    },
                );
                Claimed::Free
            }
        }
    }

    /// Ends a claim, if this request has it.
    pub(super) fn unclaim(
        &mut self,
        endpoint: Endpoint,
        claim: &IdempotencyClaim,
        request_id: Uuid,
    ) {
        let key = (endpoint, claim.key_hash.clone());
        if self
            .claims
            .get(&key)
            .is_some_and(|at_work| at_work.request_id == request_id)
        {
            self.claims.remove(&key);
        }
    }
}

/// Sorts contracts into the order in which they serve (contract C0): nearest expiration first, open ones last,
/// then the older.
pub(super) fn in_serving_order(mut contracts: Vec<Arc<Terms>>) -> Vec<Arc<Terms>> {
    contracts.sort_by_key(|terms| {
        (
            terms.expires_on.unwrap_or(NaiveDate::MAX),
            terms.starts_on,
            terms.contract_id,
        )
    });
    contracts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_free_again_when_its_request_ends_and_only_then() {
        let at = |n| DateTime::from_timestamp(n, 0).unwrap();
        let mut desk = Desk::default();
        let claim = |request_hash: &str| IdempotencyClaim {
            key_hash: "k".into(),
            request_hash: request_hash.into(),
        };
        let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let endpoint = Endpoint::PersonEnrich;
        let enter = |desk: &mut Desk, hash: &str, id, now| {
            desk.claim(endpoint, &claim(hash), id, (at(now), at(40)))
        };
        assert!(matches!(enter(&mut desk, "a", first, 0), Claimed::Free));
        assert!(matches!(
            enter(&mut desk, "a", second, 1),
            Claimed::SameAtWork
        ));
        assert!(matches!(
            enter(&mut desk, "b", second, 1),
            Claimed::OtherAtWork
        ));
        desk.unclaim(endpoint, &claim("a"), second);
        assert!(matches!(
            enter(&mut desk, "a", second, 2),
            Claimed::SameAtWork
        ));
        desk.unclaim(endpoint, &claim("a"), first);
        assert!(matches!(enter(&mut desk, "b", second, 3), Claimed::Free));
        assert!(matches!(enter(&mut desk, "b", first, 41), Claimed::Free));
    }
}
