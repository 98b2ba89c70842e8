//! Which contract serves a request (contract C0), and what is said when none does.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use events_schema::Credits;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{Hold, Refusal, Standing};

use super::Application;
use crate::domain::contract::Terms;
use crate::store::StoreFault;

/// Contracts that cover an endpoint and have started, split by whether they have expired.
pub(super) struct Covering {
    /// In the order in which they serve.
    active: Vec<Arc<Terms>>,
    /// The one that expired last.
    expired_last: Option<Arc<Terms>>,
}

impl Covering {
    pub(super) fn of(contracts: &[Arc<Terms>], endpoint: Endpoint, today: NaiveDate) -> Self {
        let covering = || {
            contracts
                .iter()
                .filter(|terms| terms.endpoints.contains(endpoint) && terms.has_started(today))
        };
        Self {
            active: covering()
                .filter(|terms| !terms.is_expired(today))
                .cloned()
                .collect(),
            expired_last: covering()
                .filter(|terms| terms.is_expired(today))
                .max_by_key(|terms| terms.expires_on)
                .cloned(),
        }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.active.is_empty() && self.expired_last.is_none()
    }
}

/// What one contract has to offer.
struct Offer {
    balance: Credits,
    available: Credits,
    required: Credits,
}

/// Why no contract serves a request.
pub(super) enum NotServed {
    /// None has the credits.
    Refused(Refusal, Option<Standing>),
    /// One has the credits, but too many requests of it are at work.
    TooManyHolds,
}

type Served = Result<Standing, NotServed>;

impl Application {
    /// Sets the worst case aside on the first contract that has it, and enters it in the hold.
    pub(super) async fn serve(
        &self,
        covering: &Covering,
        hold: &mut Hold,
        now: DateTime<Utc>,
    ) -> Result<Served, StoreFault> {
        let mut offers: Vec<(&Terms, Offer)> = Vec::with_capacity(covering.active.len());
        let mut has_too_many = false;
        for terms in &covering.active {
            let price = terms.price(hold.endpoint);
            let required = price.times(hold.units).unwrap_or(Credits(i64::MAX));
            let mut locked = self
                .contracts
                .lock(terms.contract_id.shard(), terms.contract_id.uuid())
                .await?;
            let most_holds = self.policy.max_holds;
            let offer = locked.with_state(|contract, holds| {
                let available = Credits(contract.balance.0 - holds.held(now).0);
                if available >= required {
                    if holds.len() >= most_holds {
                        return Err(None);
                    }
                    holds.place(hold.hold_id, required, hold.expires_at);
                    return Ok(contract.balance);
                }
                Err(Some(Offer {
                    balance: contract.balance,
                    available,
                    required,
                }))
            });
            match offer {
                Ok(credits_remaining) => {
                    hold.contract_id = Some(terms.contract_id);
                    hold.price = price;
                    return Ok(Ok(Standing {
                        contract_id: terms.contract_id,
                        credits_remaining,
                    }));
                }
                Err(Some(offer)) => offers.push((terms, offer)),
                Err(None) => has_too_many = true,
            }
        }
        if has_too_many {
            return Ok(Err(NotServed::TooManyHolds));
        }
        let not_served = match &covering.expired_last {
            Some(expired) if offers.is_empty() => self.expired(expired).await?,
            _ => refusal(&offers),
        };
        Ok(Err(not_served))
    }

    async fn expired(&self, terms: &Terms) -> Result<NotServed, StoreFault> {
        let credits_remaining = self.balance(terms).await?;
        let expiration_date = terms.expires_on.unwrap_or(NaiveDate::MAX);
        let standing = Standing {
            contract_id: terms.contract_id,
            credits_remaining,
        };
        let refusal = Refusal::ContractExpired {
            credits_remaining,
            expiration_date,
        };
        Ok(NotServed::Refused(refusal, Some(standing)))
    }

    /// The contract that would serve a request of one unit, for the headers of a refusal.
    pub(super) async fn standing(&self, covering: &Covering) -> Option<Standing> {
        let mut first = None;
        for terms in &covering.active {
            let credits_remaining = self.balance(terms).await.ok()?;
            let standing = Standing {
                contract_id: terms.contract_id,
                credits_remaining,
            };
            if credits_remaining > Credits::ZERO {
                return Some(standing);
            }
            first = first.or(Some(standing));
        }
        first
    }

    async fn balance(&self, terms: &Terms) -> Result<Credits, StoreFault> {
        let mut locked = self
            .contracts
            .lock(terms.contract_id.shard(), terms.contract_id.uuid())
            .await?;
        Ok(locked.with_state(|contract, _| contract.balance))
    }
}

/// All active contracts have too little: exhausted where every balance is zero, insufficient otherwise.
fn refusal(offers: &[(&Terms, Offer)]) -> NotServed {
    let standing = |(terms, offer): &(&Terms, Offer)| Standing {
        contract_id: terms.contract_id,
        credits_remaining: offer.balance,
    };
    let exhausted = offers
        .iter()
        .all(|(_, offer)| offer.balance == Credits::ZERO);
    let best = offers.iter().rev().max_by_key(|(_, offer)| offer.available);
    match (offers.first(), best) {
        (Some(first), _) if exhausted => {
            let (terms, offer) = first;
            let refusal = Refusal::ContractExhausted {
                credits_remaining: offer.balance,
                expiration_date: terms.expires_on,
            };
            NotServed::Refused(refusal, Some(standing(first)))
        }
        (_, Some(best)) => {
            let (_, offer) = best;
            let available = offer.available.max(Credits::ZERO);
            let refusal = Refusal::InsufficientCredits {
                required: offer.required,
                available,
            };
            NotServed::Refused(refusal, Some(standing(best)))
        }
        (_, None) => NotServed::Refused(Refusal::NoActiveContract, None),
    }
}
