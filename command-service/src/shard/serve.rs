//! Which contract serves a request (docs/ARCHITECTURE.md, "What an admission decides"), and what is said when none does.

use chrono::NaiveDate;
use events_schema::Credits;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{Hold, Refusal, Standing};
use events_schema::ids::ContractId;

use super::holds::{NewHold, SetAside};
use super::{Moment, Shard};
use crate::domain::aggregate::{Aggregate, Kind};
use crate::domain::contract::Contract;

/// Contracts that cover an endpoint, or any, and have started, split by whether they are over: expired or ended.
pub(super) struct Covering {
    /// None = whatever they cover.
    endpoint: Option<Endpoint>,
    /// In the order in which they serve.
    active: Vec<ContractId>,
    /// The one that was over last.
    expired_last: Option<ContractId>,
}

/// What one contract can still pay for.
struct Offer {
    contract_id: ContractId,
    expires_on: Option<NaiveDate>,
    balance: Credits,
    available: Credits,
    required: Credits,
}

/// Why no contract serves a request.
pub(super) enum NotServed {
    /// None has the credits.
    Refused(Refusal, Option<Standing>),
    /// One has the credits, but too many of its requests are in progress.
    TooManyHolds,
}

impl Offer {
    const fn standing(&self) -> Standing {
        Standing {
            contract_id: self.contract_id,
            credits_remaining: self.balance,
        }
    }
}

impl Covering {
    pub(super) const fn is_none(&self) -> bool {
        self.active.is_empty() && self.expired_last.is_none()
    }
}

impl Shard {
    /// A contract that is in memory.
    pub(super) fn contract(&self, id: ContractId) -> Option<&Contract> {
        match &self.cells.peek((Kind::Contract, id.uuid()))?.state {
            Aggregate::Contract(contract) => Some(contract),
            _ => None,
        }
    }

    /// Sorts contracts into the order in which they serve: nearest expiration first, open ones last, then the older.
    pub(super) fn in_serving_order(&self, contracts: &mut [ContractId]) {
        contracts.sort_by_key(|id| {
            let terms = self
                .contract(*id)
                .and_then(|contract| contract.terms.as_ref());
            terms.map(|terms| {
                let expires_on = terms.expires_on.unwrap_or(NaiveDate::MAX);
                (expires_on, terms.starts_on, terms.contract_id)
            })
        });
    }

    /// Those of an account's contracts that cover an endpoint today; without one, whatever they cover.
    pub(super) fn covering(
        &self,
        mut contracts: Vec<ContractId>,
        endpoint: Option<Endpoint>,
        now: Moment,
    ) -> Covering {
        let today = now.utc.date_naive();
        self.in_serving_order(&mut contracts);
        let terms = |id: &ContractId| self.contract(*id).and_then(|found| found.terms.as_ref());
        // One that was ended before its first day is over, too.
        let is_ended = |id: &ContractId| self.contract(*id).is_some_and(|of| of.ended.is_some());
        contracts.retain(|id| {
            terms(id).is_some_and(|terms| {
                endpoint.is_none_or(|endpoint| terms.endpoints.contains(endpoint))
                    && (terms.has_started(today) || is_ended(id))
            })
        });
        let is_over =
            |id: &ContractId| self.contract(*id).is_some_and(|found| found.is_over(today));
        #[cfg(test)]
        let is_over = |id: &ContractId| is_over(id) && !self.mutant.serves_ended();
        let (over, active): (Vec<_>, Vec<_>) = contracts.into_iter().partition(is_over);
        let expired_last = over
            .into_iter()
            .max_by_key(|id| self.contract(*id).and_then(Contract::over_since));
        Covering {
            endpoint,
            active,
            expired_last,
        }
    }

    /// Sets the worst case of a hold aside on the first contract that has so many units, and enters it in the hold.
    pub(super) fn serve(
        &mut self,
        covering: &Covering,
        hold: &mut Hold,
        needed: u32,
        now: Moment,
    ) -> Result<Standing, NotServed> {
        let mut offers: Vec<Offer> = Vec::with_capacity(covering.active.len());
        let mut has_too_many = false;
        for contract_id in &covering.active {
            let Some((price, expires_on, balance)) =
                self.contract(*contract_id).and_then(|found| {
                    let terms = found.terms.as_ref()?;
                    Some((terms.price(hold.endpoint), terms.expires_on, found.balance))
                })
            else {
                continue;
            };
            let most = Credits(i64::MAX);
            let required = price.times(needed).unwrap_or(most);
            let held = self.holds.held(*contract_id, now.monotonic);
            let available = Credits(balance.0 - held.0);
            if available < required {
                offers.push(Offer {
                    contract_id: *contract_id,
                    expires_on,
                    balance,
                    available,
                    required,
                });
            } else if self.holds.count(*contract_id) >= self.limits.max_holds {
                has_too_many = true;
            } else {
                let set_aside = SetAside {
                    credits: price.times(hold.units).unwrap_or(most),
                    until: now.monotonic + self.limits.hold_timeout,
                };
                let new = NewHold {
                    contract: *contract_id,
                    id: hold.hold_id,
                    set_aside,
                };
                self.holds.place(new, now.monotonic);
                hold.contract_id = Some(*contract_id);
                hold.price = price;
                return Ok(Standing {
                    contract_id: *contract_id,
                    credits_remaining: balance,
                });
            }
        }
        if has_too_many {
            return Err(NotServed::TooManyHolds);
        }
        Err(match covering.expired_last {
            Some(expired) if offers.is_empty() => self.expired(expired),
            _ => refusal(&offers),
        })
    }

    fn expired(&self, contract_id: ContractId) -> NotServed {
        let contract = self.contract(contract_id);
        let credits_remaining = contract.map_or(Credits::ZERO, |contract| contract.balance);
        let expiration_date = contract.and_then(Contract::last_day);
        let standing = Standing {
            contract_id,
            credits_remaining,
        };
        let refusal = Refusal::ContractExpired {
            credits_remaining,
            expiration_date: expiration_date.unwrap_or(NaiveDate::MAX),
        };
        NotServed::Refused(refusal, Some(standing))
    }

    /// The contract that would serve a request of one unit: the first that has so many credits besides those that are set aside, and
    /// room for another hold; without one the first.
    pub(super) fn standing(&mut self, covering: &Covering, now: Moment) -> Option<Standing> {
        let mut first = None;
        for contract_id in &covering.active {
            let held = self.holds.held(*contract_id, now.monotonic);
            let has_room = self.holds.count(*contract_id) < self.limits.max_holds;
            let Some(contract) = self.contract(*contract_id) else {
                continue;
            };
            let standing = Standing {
                contract_id: *contract_id,
                credits_remaining: contract.balance,
            };
            let terms = contract.terms.as_ref();
            let needed = terms.map(|terms| terms.least(covering.endpoint));
            if has_room && contract.balance.minus(held) >= needed {
                return Some(standing);
            }
            first.get_or_insert(standing);
        }
        first
    }
}

/// All active contracts have too little: exhausted where every balance is zero, insufficient otherwise.
fn refusal(offers: &[Offer]) -> NotServed {
    let is_exhausted = offers.iter().all(|offer| offer.balance == Credits::ZERO);
    let best = offers.iter().rev().max_by_key(|offer| offer.available);
    match (offers.first(), best) {
        (Some(first), _) if is_exhausted => {
            let refusal = Refusal::ContractExhausted {
                credits_remaining: first.balance,
                expiration_date: first.expires_on,
            };
            NotServed::Refused(refusal, Some(first.standing()))
        }
        (_, Some(best)) => {
            let refusal = Refusal::InsufficientCredits {
                required: best.required,
                available: best.available.max(Credits::ZERO),
            };
            NotServed::Refused(refusal, Some(best.standing()))
        }
        (_, None) => NotServed::Refused(Refusal::NoActiveContract, None),
    }
}
