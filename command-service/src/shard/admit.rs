//! Admit and check: who asks, whether the request is allowed, and credits set aside. Decided in the order 401, 429, 403, 409, 402
//! (docs/ARCHITECTURE.md, "What an admission decides").

use events_schema::Credits;
use events_schema::api::internal::{
    Answer, Ask as Wish, Caller, Hold, IdempotencyClaim, RateWindow, Refusal,
};
use events_schema::api::limits::OWN_ACCOUNT_RATE_LIMIT;
use events_schema::ids::{AccountId, ContractId};
use events_schema::topics::Topic;
use subtle::ConstantTimeEq;

use super::ask::{Admit, Failing, Halt, HeldContract, OwnCredits, Reply, ShownKey, Step, Work};
use super::cells::Cell;
use super::claims::{Asking, Claimed, Name};
use super::keys::Known;
use super::pipeline::Decision;
use super::serve::{Covering, NotServed};
use super::windows::{Counted, Stopped};
use super::{Moment, Shard, Wanted};
use crate::domain::account::{Account, Key};
use crate::domain::aggregate::{Aggregate, Kind};

/// `Retry-After` where too many requests of one contract are in progress: most end within a second.
const OVERLOAD_RETRY_SECONDS: u32 = 1;

/// A request that has passed 401, 429 and 403.
struct Entitled {
    caller: Caller,
    rate: RateWindow,
    covering: Covering,
}

impl Shard {
    pub(super) fn admit(
        &mut self,
        work: &mut Work,
        admit: &Admit,
        now: Moment,
    ) -> Result<Step, Halt> {
        let entitled = match self.entitle(work, admit, now)? {
            Ok(entitled) => entitled,
            Err(reply) => return Ok(Step::Answer(reply)),
        };
        if admit.ask == Wish::Nothing {
            return Ok(answer(Answer::Noted {
                rate: entitled.rate,
                standing: self.standing(&entitled.covering, now),
            }));
        }
        if let Some(claim) = &admit.idempotency
            && let Some(step) = self.claim(work, admit, claim, &entitled, now)?
        {
            return Ok(step);
        }
        Ok(self.hold(admit, entitled, now))
    }

    pub(super) fn check(&mut self, key: &ShownKey, now: Moment) -> Result<Step, Halt> {
        let found = self.authenticate(key, now)?;
        Ok(answer(match found {
            None => refused(Refusal::InvalidApiKey, None),
            Some((account_id, _)) => Answer::Valid(Caller {
                account_id,
                api_key_id: key.id.clone(),
            }),
        }))
    }

    /// The contracts of the key's account (`GET /credits`).
    pub(super) fn credits(
        &mut self,
        work: &mut Work,
        key: &ShownKey,
        now: Moment,
    ) -> Result<Step, Halt> {
        match self.counted(work, key, now)? {
            Ok((account, _)) => {
                let contracts = self.contracts_of(account)?;
                let covering = self.covering(contracts.clone(), None, now);
                let next = self.standing(&covering, now);
                let credits = OwnCredits {
                    contracts: self.held_contracts(contracts, now),
                    serves_next: next.map(|standing| standing.contract_id),
                };
                Ok(durably(Reply::Credits(credits)))
            }
            Err(reply) => Ok(Step::Answer(reply)),
        }
    }

    /// Whose account the key may read, and how far the ledger is.
    pub(super) fn look(
        &mut self,
        work: &mut Work,
        key: &ShownKey,
        now: Moment,
    ) -> Result<Step, Halt> {
        let (account_id, rate) = match self.counted(work, key, now)? {
            Ok(counted) => counted,
            Err(reply) => return Ok(Step::Answer(reply)),
        };
        let Some(head) = &self.head else {
            return Err(Halt::Wants(Wanted::Head));
        };
        let credits_seq = head.topic_seq(Topic::Credits);
        #[cfg(test)]
        let credits_seq = self.mutant.looked(credits_seq);
        Ok(answer(Answer::Seen {
            caller: Caller {
                account_id,
                api_key_id: key.id.clone(),
            },
            rate,
            credits_seq,
        }))
    }

    /// Whose key it is, once the request is counted; 401, 429.
    fn counted(
        &mut self,
        work: &mut Work,
        key: &ShownKey,
        now: Moment,
    ) -> Result<Result<(AccountId, RateWindow), Reply>, Halt> {
        let Some((account_id, _)) = self.authenticate(key, now)? else {
            return Ok(Err(refused(Refusal::InvalidApiKey, None).into()));
        };
        let counted = match work.rate {
            Some(rate) => Ok(rate),
            None => self
                .windows
                .count(&key.id, Counted::OwnAccount, OWN_ACCOUNT_RATE_LIMIT, now),
        };
        Ok(match counted {
            Ok(rate) => {
                work.rate = Some(rate);
                Ok((account_id, rate))
            }
            Err(stopped) => Err(not_counted(stopped)),
        })
    }

    /// The contracts of an account in the order in which they serve, once all of it is durable.
    pub(super) fn contracts(&mut self, account: AccountId, now: Moment) -> Result<Step, Halt> {
        let contracts = self.contracts_of(account)?;
        Ok(durably(Reply::Contracts(
            self.held_contracts(contracts, now),
        )))
    }

    /// One contract, once all of it is durable.
    pub(super) fn one_contract(&mut self, id: ContractId, now: Moment) -> Result<Step, Halt> {
        self.cell(Kind::Contract, id.uuid())?;
        Ok(durably(Reply::Contracts(
            self.held_contracts(vec![id], now),
        )))
    }

    /// In the order in which they serve.
    fn held_contracts(&mut self, mut ids: Vec<ContractId>, now: Moment) -> Vec<HeldContract> {
        self.in_serving_order(&mut ids);
        let held = ids.into_iter().filter_map(|id| {
            let held = self.holds.held(id, now.monotonic);
            match &self.cells.peek((Kind::Contract, id.uuid()))?.state {
                Aggregate::Contract(contract) => Some(HeldContract {
                    contract: contract.clone(),
                    held,
                }),
                _ => None,
            }
        });
        held.collect()
    }

    /// Who holds this key, and what the key may; none when it is not valid.
    fn authenticate(
        &mut self,
        shown: &ShownKey,
        now: Moment,
    ) -> Result<Option<(AccountId, Key)>, Halt> {
        let account_id = match self.keys.get(&shown.id, now) {
            Known::Nothing => return Err(Halt::Wants(Wanted::Key(shown.id.clone()))),
            Known::Absent => return Ok(None),
            Known::Proof(proof) if bool::from(shown.secret_hmac.ct_eq(&proof.secret_hmac)) => {
                proof.account_id
            }
            Known::Proof(_) => return Ok(None),
        };
        let key = self.account(account_id)?.keys.get(&shown.id);
        let key = key.filter(|key| key.revoked_at.is_none()).cloned();
        #[cfg(test)]
        let key = self.as_seen(account_id, &shown.id, key);
        Ok(key.map(|key| (account_id, key)))
    }

    /// 401, 429, 403.
    fn entitle(
        &mut self,
        work: &mut Work,
        admit: &Admit,
        now: Moment,
    ) -> Result<Result<Entitled, Reply>, Halt> {
        let endpoint = admit.endpoint;
        let no = |refusal, rate| Ok(Err(refused(refusal, rate).into()));
        let Some((account_id, key)) = self.authenticate(&admit.key, now)? else {
            return no(Refusal::InvalidApiKey, None);
        };
        // Everything is in memory before anything is counted: a request counts once however often it is run.
        let contracts = self.contracts_of(account_id)?;
        let rate = match work.rate {
            Some(rate) => rate,
            None => {
                let own = key.rate_limits.get(&endpoint).copied();
                let limit = own.unwrap_or_else(|| endpoint.default_rate_limit());
                let counted = Counted::Endpoint(endpoint);
                match self.windows.count(&admit.key.id, counted, limit, now) {
                    Ok(rate) => rate,
                    Err(stopped) => return Ok(Err(not_counted(stopped))),
                }
            }
        };
        work.rate = Some(rate);
        if !endpoint.is_free() && !key.endpoints.contains(endpoint) {
            return no(Refusal::EndpointNotAllowed, Some(rate));
        }
        let covering = self.covering(contracts, Some(endpoint), now);
        if covering.is_none() && !endpoint.is_free() {
            return no(Refusal::NoActiveContract, Some(rate));
        }
        let caller = Caller {
            account_id,
            api_key_id: admit.key.id.clone(),
        };
        Ok(Ok(Entitled {
            caller,
            rate,
            covering,
        }))
    }

    /// 409 or a replay; `None` = the claim is this request's, go on.
    fn claim(
        &mut self,
        work: &mut Work,
        admit: &Admit,
        claim: &IdempotencyClaim,
        entitled: &Entitled,
        now: Moment,
    ) -> Result<Option<Step>, Halt> {
        let rate = entitled.rate;
        let conflict = |shard: &mut Self, refusal| {
            Some(answer(Answer::Refused {
                refusal,
                rate: Some(rate),
                standing: shard.standing(&entitled.covering, now),
            }))
        };
        let name = Name::new(entitled.caller.account_id, admit.endpoint, claim);
        let until = now.monotonic + self.limits.hold_timeout;
        // A request that waited for the store longer than a claim lasts may have lost its claim to another request, and the store's answer
        // is out of date then. A claim that it still has is renewed, to last as long as the hold that is set aside now.
        if !work.claimed || !self.claims.renew(&name, admit.request_id, until) {
            work.kept = None;
            let asking = Asking {
                request_id: admit.request_id,
                request_hash: &claim.request_hash,
                until,
            };
            match self.claims.enter(&name, asking, now.monotonic) {
                Claimed::SameAtWork => return Ok(conflict(self, Refusal::InProgress)),
                Claimed::OtherAtWork => return Ok(conflict(self, Refusal::DifferentRequest)),
                Claimed::Full => return Ok(Some(unavailable())),
                Claimed::Free => {}
            }
            work.claimed = true;
            work.name = Some(name.clone());
        }
        // Entered before the store is asked: of two equal requests one sees the other at work or its charge.
        match work.kept.take() {
            None => Err(Halt::Wants(self.kept(work, name))),
            Some(None) => {
                self.claims.is_free(&name, admit.request_id, self.epoch);
                Ok(None)
            }
            Some(Some(kept)) if kept.request_hash == claim.request_hash => {
                Ok(Some(answer(Answer::Replay {
                    caller: entitled.caller.clone(),
                    receipt: kept.receipt,
                    rate,
                    standing: self.standing(&entitled.covering, now),
                })))
            }
            Some(Some(_)) => Ok(conflict(self, Refusal::DifferentRequest)),
        }
    }

    /// 402, or credits set aside.
    fn hold(&mut self, admit: &Admit, entitled: Entitled, now: Moment) -> Step {
        let Entitled {
            caller,
            rate,
            covering,
        } = entitled;
        let (units, quoted) = match admit.ask {
            Wish::Units(units) => (units, None),
            Wish::Quote(units) => (0, Some(units)),
            Wish::Nothing => (0, None),
        };
        let mut hold = Hold {
            hold_id: admit.hold_id,
            account_id: caller.account_id,
            api_key_id: caller.api_key_id.clone(),
            contract_id: None,
            endpoint: admit.endpoint,
            request_id: admit.request_id,
            units,
            price: Credits::ZERO,
            expires_at: now.utc + self.limits.hold_timeout,
            idempotency: admit.idempotency.clone(),
        };
        if admit.endpoint.is_free() {
            return answer(Answer::Admitted {
                caller,
                hold,
                rate,
                standing: None,
            });
        }
        let served = match quoted {
            Some(needed) => self
                .serve(&covering, &mut hold, needed, now)
                .or_else(|_| self.serve(&covering, &mut hold, 0, now)),
            None => self.serve(&covering, &mut hold, units, now),
        };
        match served {
            Ok(standing) => answer(Answer::Admitted {
                caller,
                hold,
                rate,
                standing: Some(standing),
            }),
            Err(NotServed::TooManyHolds) => unavailable(),
            Err(NotServed::Refused(refusal, standing)) => answer(Answer::Refused {
                refusal,
                rate: Some(rate),
                standing,
            }),
        }
    }

    /// An account, once it is in memory.
    pub(super) fn account(&mut self, account: AccountId) -> Result<&Account, Halt> {
        match &self.cell(Kind::Account, account.uuid())?.state {
            Aggregate::Account(account) => Ok(account),
            _ => Err(Halt::Wants(Wanted::Aggregate(
                Kind::Account,
                account.uuid(),
            ))),
        }
    }

    /// An account's contracts, once all of them are in memory.
    fn contracts_of(&mut self, account: AccountId) -> Result<Vec<ContractId>, Halt> {
        let ids = self.cell(Kind::Account, account.uuid())?.contracts.clone();
        let missing: Vec<_> = ids
            .iter()
            .filter(|id| self.cells.get((Kind::Contract, id.uuid())).is_none())
            .map(|id| Wanted::Aggregate(Kind::Contract, id.uuid()))
            .collect();
        let Some(last) = missing.last().cloned() else {
            return Ok(ids);
        };
        // All at once; the work waits for one of them.
        for wanted in missing {
            if wanted != last && !self.waiting.contains_key(&wanted) {
                self.fetch(wanted.clone());
                self.waiting.insert(wanted, Vec::new());
            }
        }
        Err(Halt::Wants(last))
    }

    /// An aggregate, once it is in memory.
    pub(super) fn cell(&mut self, kind: Kind, id: uuid::Uuid) -> Result<&mut Cell, Halt> {
        self.cells
            .get((kind, id))
            .ok_or(Halt::Wants(Wanted::Aggregate(kind, id)))
    }
}

/// A reply that leaves once all that it says is durable.
fn durably(reply: Reply) -> Step {
    Step::Decided(Box::new(Decision::barrier(reply)))
}

fn answer(answer: Answer) -> Step {
    Step::Answer(answer.into())
}

pub(super) const fn refused(refusal: Refusal, rate: Option<RateWindow>) -> Answer {
    Answer::Refused {
        refusal,
        rate,
        standing: None,
    }
}

fn not_counted(stopped: Stopped) -> Reply {
    match stopped {
        Stopped::Limited(rate) => refused(Refusal::RateLimited, Some(rate)).into(),
        Stopped::Full => Reply::Unavailable(Failing::Overloaded),
    }
}

fn unavailable() -> Step {
    answer(Answer::Unavailable {
        component: "ledger".to_owned(),
        retry_after_seconds: OVERLOAD_RETRY_SECONDS,
    })
}
