//! A billing contract: its terms and its exact balance. Where a charge above the balance is refused.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use events_schema::Credits;
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::contract::v1::{ContractCreated, ContractEnded, CreditsCharged, CreditsGranted};
use events_schema::ids::{AccountId, ContractId};
use serde::{Deserialize, Serialize};

use super::{Decider, facts};

facts! {
    /// What can happen to a contract.
    ContractEvent { ContractCreated, CreditsGranted, CreditsCharged, ContractEnded }
}

/// What was agreed; never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The contract.
    pub contract_id: ContractId,
    /// Whose it is.
    pub account_id: AccountId,
    /// What it covers.
    pub endpoints: EndpointSet,
    /// First day (UTC).
    pub starts_on: NaiveDate,
    /// Last day (UTC); none = open.
    pub expires_on: Option<NaiveDate>,
    /// Prices that differ from the default price book.
    pub prices: BTreeMap<Endpoint, Credits>,
}

impl Terms {
    /// Credits a unit. Reports are free whatever the price book says (`docs/API.md`, "Credits").
    #[must_use]
    pub fn price(&self, endpoint: Endpoint) -> Credits {
        endpoint.price(&self.prices)
    }

    /// What a request of one unit needs at least: of a paid endpoint its price, otherwise that of the cheapest one that is covered.
    #[must_use]
    pub fn least(&self, endpoint: Option<Endpoint>) -> Credits {
        if let Some(endpoint) = endpoint
            && !endpoint.is_free()
        {
            return self.price(endpoint);
        }
        let paid = Endpoint::ALL.iter().filter(|endpoint| !endpoint.is_free());
        let covered = paid.filter(|endpoint| self.endpoints.contains(**endpoint));
        let prices = covered.map(|endpoint| self.price(*endpoint));
        prices.min().unwrap_or(Credits(1))
    }

    /// Whether the first day has come.
    #[must_use]
    pub fn has_started(&self, today: NaiveDate) -> bool {
        self.starts_on <= today
    }

    /// Whether the last day is over.
    #[must_use]
    pub fn is_expired(&self, today: NaiveDate) -> bool {
        self.expires_on.is_some_and(|last| last < today)
    }
}

/// That an operator ended a contract before its last day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// When.
    pub at: DateTime<Utc>,
    /// Why, in the operator's words.
    pub reason: String,
}

/// A contract with its balance.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Contract {
    /// None before the contract is made.
    pub terms: Option<Terms>,
    /// Granted in all.
    pub granted: Credits,
    /// Granted less charged; never below zero.
    pub balance: Credits,
    /// None as long as nobody ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<End>,
}

/// Wishes about a contract.
#[derive(Debug, Clone)]
pub enum ContractCommand {
    /// Make the contract with its first credits.
    Create {
        /// What was agreed.
        terms: Terms,
        /// At least zero.
        credits: Credits,
    },
    /// Add credits.
    Grant {
        /// Above zero.
        credits: Credits,
        /// The day of the grant (UTC): they could not be spent after the contract's last day.
        on: NaiveDate,
    },
    /// Serve no more requests.
    End {
        /// When.
        at: DateTime<Utc>,
        /// Why, in the operator's words.
        reason: String,
    },
    /// Take credits for what a request delivered.
    Charge {
        /// The endpoint.
        endpoint: Endpoint,
        /// Matches, records, or one call.
        units: u32,
        /// Credits a unit, as held.
        price: Credits,
    },
}

impl ContractCommand {
    /// The command as of the moment in which it is decided: it may have waited since it was given.
    #[must_use]
    pub fn decided_at(mut self, now: DateTime<Utc>) -> Self {
        match &mut self {
            Self::Grant { on, .. } => *on = now.date_naive(),
            Self::End { at, .. } => *at = now,
            Self::Create { .. } | Self::Charge { .. } => {}
        }
        self
    }
}

/// Why a wish about a contract is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContractRefusal {
    /// The id is taken.
    #[error("the contract exists already")]
    AlreadyExists,
    /// There is no such contract.
    #[error("there is no such contract")]
    Unknown,
    /// An amount below its least value.
    #[error("an amount of credits is below {least}")]
    TooFew {
        /// The least accepted.
        least: i64,
        /// The amount.
        given: Credits,
    },
    /// The last day lies before the first.
    #[error("the last day must not lie before the first one, {starts_on}")]
    EndsBeforeItStarts {
        /// The first day.
        starts_on: NaiveDate,
        /// The last day.
        expires_on: NaiveDate,
    },
    /// Credits for a contract that serves no more.
    #[error(
        "the last day of the contract was {last_day}: its credits cannot be spent, another contract is needed"
    )]
    IsOver {
        /// Its last day.
        last_day: NaiveDate,
    },
    /// More than can be counted.
    #[error("at most {MAX_CREDITS} credits are ever granted to one contract")]
    TooMany {
        /// The amount that is too much, or comes to too much with what there is.
        given: Credits,
    },
    /// The balance does not cover the charge.
    #[error("the charge needs {required} credits, {available} are left")]
    BalanceTooLow {
        /// Units times price.
        required: Credits,
        /// The balance.
        available: Credits,
    },
}

/// Most credits that one contract is ever granted: no sum of a fleet of contracts overflows `i64`.
pub use events_schema::api::limits::MAX_CREDITS;

impl Contract {
    /// Charged in all.
    #[must_use]
    pub fn charged(&self) -> Credits {
        Credits(self.granted.0 - self.balance.0)
    }

    /// Last day (UTC): as agreed, or the one on which it was ended, whichever is earlier; none = open.
    #[must_use]
    pub fn last_day(&self) -> Option<NaiveDate> {
        let agreed = self.terms.as_ref().and_then(|terms| terms.expires_on);
        let ended = self.ended.as_ref().map(|end| end.at.date_naive());
        agreed.into_iter().chain(ended).min()
    }

    /// Since when it serves no more, or will: the end of its last day, or the moment in which it was ended; none = open.
    #[must_use]
    pub fn over_since(&self) -> Option<NaiveDateTime> {
        let agreed = self.terms.as_ref().and_then(|terms| terms.expires_on);
        let agreed = agreed.map(|last| last.and_time(NaiveTime::MIN) + TimeDelta::days(1));
        let ended = self.ended.as_ref().map(|end| end.at.naive_utc());
        agreed.into_iter().chain(ended).min()
    }

    /// Whether it serves no more: its last day is over, or it was ended.
    #[must_use]
    pub fn is_over(&self, today: NaiveDate) -> bool {
        let is_expired = |terms: &Terms| terms.is_expired(today);
        self.ended.is_some() || self.terms.as_ref().is_some_and(is_expired)
    }

    fn create(terms: Terms, credits: Credits) -> Result<Vec<ContractEvent>, ContractRefusal> {
        if credits < Credits::ZERO {
            let (least, given) = (0, credits);
            return Err(ContractRefusal::TooFew { least, given });
        }
        if credits.0 > MAX_CREDITS {
            return Err(ContractRefusal::TooMany { given: credits });
        }
        let starts_on = terms.starts_on;
        if let Some(expires_on) = terms.expires_on.filter(|last| *last < starts_on) {
            return Err(ContractRefusal::EndsBeforeItStarts {
                starts_on,
                expires_on,
            });
        }
        let Terms {
            contract_id,
            account_id,
            endpoints,
            starts_on,
            expires_on,
            prices,
        } = terms;
        let created = ContractCreated {
            contract_id,
            account_id,
            endpoints,
            credits,
            starts_on,
            expires_on,
            prices,
        };
        Ok(vec![created.into()])
    }

    fn grant(
        &self,
        terms: &Terms,
        credits: Credits,
        on: NaiveDate,
    ) -> Result<Vec<ContractEvent>, ContractRefusal> {
        let too_many = ContractRefusal::TooMany { given: credits };
        if credits <= Credits::ZERO {
            let (least, given) = (1, credits);
            return Err(ContractRefusal::TooFew { least, given });
        }
        if let Some(last_day) = self.last_day().filter(|_| self.is_over(on)) {
            return Err(ContractRefusal::IsOver { last_day });
        }
        if self
            .granted
            .plus(credits)
            .is_none_or(|granted| granted.0 > MAX_CREDITS)
        {
            return Err(too_many);
        }
        let balance_after = self.balance.plus(credits).ok_or(too_many)?;
        let (contract_id, account_id) = (terms.contract_id, terms.account_id);
        Ok(vec![
            CreditsGranted {
                contract_id,
                account_id,
                credits,
                balance_after,
            }
            .into(),
        ])
    }

    /// Ending it again changes nothing: the first end stands.
    fn end(&self, terms: &Terms, at: DateTime<Utc>, reason: String) -> Vec<ContractEvent> {
        if self.ended.is_some() {
            return Vec::new();
        }
        let ended = ContractEnded {
            contract_id: terms.contract_id,
            account_id: terms.account_id,
            reason,
            ended_at: at,
            balance_after: self.balance,
        };
        vec![ended.into()]
    }

    /// Also of a contract that is over by now: the request was admitted before.
    fn charge(
        &self,
        terms: &Terms,
        endpoint: Endpoint,
        units: u32,
        price: Credits,
    ) -> Result<Vec<ContractEvent>, ContractRefusal> {
        if price < Credits::ZERO {
            let (least, given) = (0, price);
            return Err(ContractRefusal::TooFew { least, given });
        }
        let too_many = ContractRefusal::TooMany { given: price };
        let credits = price.times(units).ok_or(too_many)?;
        let balance_after = self
            .balance
            .minus(credits)
            .filter(|after| *after >= Credits::ZERO)
            .ok_or(ContractRefusal::BalanceTooLow {
                required: credits,
                available: self.balance,
            })?;
        let (contract_id, account_id) = (terms.contract_id, terms.account_id);
        Ok(vec![
            CreditsCharged {
                contract_id,
                account_id,
                endpoint,
                units,
                credits,
                balance_after,
            }
            .into(),
        ])
    }
}

impl Decider for Contract {
    const NAME: &'static str = "contract";
    type Command = ContractCommand;
    type Event = ContractEvent;
    type Refusal = ContractRefusal;

    fn decide(&self, command: ContractCommand) -> Result<Vec<ContractEvent>, ContractRefusal> {
        match (command, &self.terms) {
            (ContractCommand::Create { terms, credits }, None) => Self::create(terms, credits),
            (ContractCommand::Create { .. }, Some(_)) => Err(ContractRefusal::AlreadyExists),
            (_, None) => Err(ContractRefusal::Unknown),
            (ContractCommand::Grant { credits, on }, Some(terms)) => self.grant(terms, credits, on),
            (ContractCommand::End { at, reason }, Some(terms)) => Ok(self.end(terms, at, reason)),
            (
                ContractCommand::Charge {
                    endpoint,
                    units,
                    price,
                },
                Some(terms),
            ) => self.charge(terms, endpoint, units, price),
        }
    }

    fn evolve(&mut self, event: &ContractEvent) {
        match event {
            ContractEvent::ContractCreated(created) => {
                let created = created.clone();
                self.granted = created.credits;
                self.balance = created.credits;
                self.terms = Some(Terms {
                    contract_id: created.contract_id,
                    account_id: created.account_id,
                    endpoints: created.endpoints,
                    starts_on: created.starts_on,
                    expires_on: created.expires_on,
                    prices: created.prices,
                });
            }
            ContractEvent::CreditsGranted(granted) => {
                self.granted.0 += granted.credits.0;
                self.balance = granted.balance_after;
            }
            ContractEvent::CreditsCharged(charged) => self.balance = charged.balance_after,
            ContractEvent::ContractEnded(ended) => {
                self.ended = Some(End {
                    at: ended.ended_at,
                    reason: ended.reason.clone(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms() -> Terms {
        let account_id = AccountId::new([3; 16]);
        Terms {
            contract_id: ContractId::new(account_id, [4; 16]),
            account_id,
            endpoints: EndpointSet::All,
            starts_on: NaiveDate::default(),
            expires_on: None,
            prices: BTreeMap::from([(Endpoint::ReportPerson, Credits(9))]),
        }
    }

    fn with(credits: i64) -> Contract {
        let mut contract = Contract::default();
        carry_out(
            &mut contract,
            ContractCommand::Create {
                terms: terms(),
                credits: Credits(credits),
            },
        )
        .unwrap();
        contract
    }

    fn carry_out(
        contract: &mut Contract,
        command: ContractCommand,
    ) -> Result<Vec<ContractEvent>, ContractRefusal> {
        let events = contract.decide(command)?;
        events.iter().for_each(|event| contract.evolve(event));
        Ok(events)
    }

    fn grant(credits: i64) -> ContractCommand {
        ContractCommand::Grant {
            credits: Credits(credits),
            on: NaiveDate::default(),
        }
    }

    fn end(at: DateTime<Utc>) -> ContractCommand {
        ContractCommand::End {
            at,
            reason: "cancelled".to_owned(),
        }
    }

    fn charge(units: u32, price: i64) -> ContractCommand {
        ContractCommand::Charge {
            endpoint: Endpoint::PersonEnrich,
            units,
            price: Credits(price),
        }
    }

    #[test]
    fn what_a_request_needs_at_least_is_the_price_of_its_endpoint_or_of_the_cheapest_one() {
        let mut terms = Terms {
            contract_id: ContractId::new(AccountId::new([1; 16]), [2; 16]),
            account_id: AccountId::new([1; 16]),
            endpoints: EndpointSet::Only(
                [
                    Endpoint::PersonEnrich,
                    Endpoint::PersonSearch,
                    Endpoint::ReportPerson,
                ]
                .into(),
            ),
            starts_on: NaiveDate::MIN,
            expires_on: None,
            prices: [
                (Endpoint::PersonEnrich, Credits(3)),
                (Endpoint::PersonSearch, Credits(2)),
                (Endpoint::CompanyEnrich, Credits(0)),
            ]
            .into(),
        };
        assert_eq!(terms.least(Some(Endpoint::PersonEnrich)), Credits(3));
        // What is free itself says nothing of what is left to spend.
        assert_eq!(terms.least(Some(Endpoint::ReportPerson)), Credits(2));
        assert_eq!(terms.least(None), Credits(2));
        terms.endpoints = EndpointSet::Only([Endpoint::ReportPerson].into());
        assert_eq!(terms.least(None), Credits(1));
    }

    #[test]
    fn a_charge_above_the_balance_is_refused() {
        let refusal = with(4).decide(charge(5, 1)).unwrap_err();
        assert_eq!(
            refusal,
            ContractRefusal::BalanceTooLow {
                required: Credits(5),
                available: Credits(4)
            }
        );
    }

    #[test]
    fn a_charge_of_the_whole_balance_leaves_zero() {
        let mut contract = with(6);
        let events = carry_out(&mut contract, charge(3, 2)).unwrap();
        assert!(
            matches!(&events[..], [ContractEvent::CreditsCharged(c)] if c.balance_after == Credits::ZERO)
        );
        assert_eq!(contract.balance, Credits::ZERO);
    }

    #[test]
    fn no_price_book_makes_a_report_cost_anything() {
        assert_eq!(terms().price(Endpoint::ReportPerson), Credits::ZERO);
    }

    #[test]
    fn a_charge_that_overflows_is_refused_and_does_not_wrap() {
        assert!(with(4).decide(charge(u32::MAX, i64::MAX)).is_err());
    }

    #[test]
    fn both_days_of_the_term_are_included() {
        let day = |n| NaiveDate::from_ymd_opt(2026, 11, n).unwrap();
        let terms = Terms {
            starts_on: day(10),
            expires_on: Some(day(20)),
            ..terms()
        };
        assert!(!terms.has_started(day(9)) && terms.has_started(day(10)));
        assert!(!terms.is_expired(day(20)) && terms.is_expired(day(21)));
    }

    #[test]
    fn the_contracts_own_price_goes_before_the_default_one() {
        let prices = BTreeMap::from([(Endpoint::PersonEnrich, Credits(7))]);
        let terms = Terms { prices, ..terms() };
        assert_eq!(terms.price(Endpoint::PersonEnrich), Credits(7));
        let default = Endpoint::CompanyEnrich.default_price();
        assert_eq!(terms.price(Endpoint::CompanyEnrich), default);
    }

    const fn too_many(given: i64) -> ContractRefusal {
        let given = Credits(given);
        ContractRefusal::TooMany { given }
    }

    #[test]
    fn a_contract_is_made_with_nothing_or_with_the_most_and_with_no_more() {
        let create = |credits| {
            let (terms, credits) = (terms(), Credits(credits));
            Contract::default().decide(ContractCommand::Create { terms, credits })
        };
        assert_eq!(
            create(-1).unwrap_err(),
            ContractRefusal::TooFew {
                least: 0,
                given: Credits(-1)
            }
        );
        assert!(create(0).is_ok() && create(MAX_CREDITS).is_ok());
        assert_eq!(
            create(MAX_CREDITS + 1).unwrap_err(),
            too_many(MAX_CREDITS + 1)
        );
    }

    #[test]
    fn a_contract_of_one_day_is_made_and_none_that_ends_before_it_starts() {
        let create = |expires_on: NaiveDate| {
            let terms = Terms {
                expires_on: Some(expires_on),
                ..terms()
            };
            let credits = Credits(1);
            Contract::default().decide(ContractCommand::Create { terms, credits })
        };
        let starts_on = terms().starts_on;
        assert!(create(starts_on).is_ok());
        let expires_on = starts_on.pred_opt().unwrap();
        let refused = ContractRefusal::EndsBeforeItStarts {
            starts_on,
            expires_on,
        };
        assert_eq!(create(expires_on), Err(refused));
    }

    #[test]
    fn grants_are_above_zero_and_never_more_than_the_most_in_all() {
        let mut contract = with(MAX_CREDITS - 5);
        let too_few = |given| ContractRefusal::TooFew {
            least: 1,
            given: Credits(given),
        };
        assert_eq!(contract.decide(grant(0)), Err(too_few(0)));
        assert_eq!(contract.decide(grant(-1)), Err(too_few(-1)));
        // What was charged does not make room: the limit is on what was ever granted.
        carry_out(&mut contract, charge(1, 100)).unwrap();
        assert_eq!(contract.decide(grant(6)), Err(too_many(6)));
        assert_eq!(contract.decide(grant(i64::MAX)), Err(too_many(i64::MAX)));
        carry_out(&mut contract, grant(5)).unwrap();
        assert_eq!(contract.granted, Credits(MAX_CREDITS));
        assert_eq!(contract.balance, Credits(MAX_CREDITS - 100));
        assert_eq!(contract.charged(), Credits(100));
    }

    #[test]
    fn no_credits_are_added_after_the_last_day() {
        let last_day = terms().starts_on;
        let terms = Terms {
            expires_on: Some(last_day),
            ..terms()
        };
        let credits = Credits(1);
        let mut contract = Contract::default();
        carry_out(&mut contract, ContractCommand::Create { terms, credits }).unwrap();
        let grant = |on| contract.decide(ContractCommand::Grant { credits, on });
        assert!(grant(last_day).is_ok());
        let over = ContractRefusal::IsOver { last_day };
        assert_eq!(grant(last_day.succ_opt().unwrap()), Err(over));
    }

    #[test]
    fn a_contract_that_was_ended_takes_no_credits_and_pays_for_what_it_admitted() {
        let at = DateTime::UNIX_EPOCH;
        let mut contract = with(9);
        assert!(!contract.is_over(at.date_naive()));
        let events = carry_out(&mut contract, end(at)).unwrap();
        assert!(
            matches!(&events[..], [ContractEvent::ContractEnded(e)] if e.balance_after == Credits(9))
        );
        assert!(contract.is_over(at.date_naive()) && contract.last_day() == Some(at.date_naive()));
        let last_day = at.date_naive();
        assert_eq!(
            contract.decide(grant(1)),
            Err(ContractRefusal::IsOver { last_day })
        );
        carry_out(&mut contract, charge(2, 1)).unwrap();
        assert_eq!(contract.balance, Credits(7));
        let later = end(at + chrono::TimeDelta::days(1));
        assert_eq!(carry_out(&mut contract, later).unwrap(), []);
        assert_eq!(contract.ended.unwrap().at, at);
    }

    #[test]
    fn the_last_day_is_the_agreed_one_where_a_contract_is_ended_after_it() {
        let expires_on = terms().starts_on;
        let terms = Terms {
            expires_on: Some(expires_on),
            ..terms()
        };
        let credits = Credits(1);
        let mut contract = Contract::default();
        carry_out(&mut contract, ContractCommand::Create { terms, credits }).unwrap();
        let at = DateTime::UNIX_EPOCH + chrono::TimeDelta::days(9);
        carry_out(&mut contract, end(at)).unwrap();
        assert_eq!(contract.last_day(), Some(expires_on));
    }

    #[test]
    fn a_snapshot_of_before_contracts_could_end_is_one_that_was_not_ended() {
        let mut state = serde_json::to_value(with(3)).unwrap();
        assert!(state.as_object_mut().unwrap().remove("ended").is_none());
        let contract: Contract = serde_json::from_value(state).unwrap();
        assert_eq!(contract, with(3));
    }

    #[test]
    fn a_charge_may_be_free_and_never_gives_credits() {
        let contract = with(4);
        assert_eq!(
            contract.decide(charge(1, -1)),
            Err(ContractRefusal::TooFew {
                least: 0,
                given: Credits(-1)
            })
        );
        let events = contract.decide(charge(3, 0)).unwrap();
        assert!(
            matches!(&events[..], [ContractEvent::CreditsCharged(c)] if c.balance_after == Credits(4))
        );
    }

    proptest! {
        /// Balance never below zero; grants less charges is the balance; replaying the events gives the state.
        #[test]
        fn the_sum_of_the_events_is_the_balance(
            start in 0..1_000_i64,
            acts in prop::collection::vec((any::<bool>(), 0..50_u32, -2..9_i64), 0..200),
        ) {
            let mut contract = Contract::default();
            let mut log =
                carry_out(&mut contract, ContractCommand::Create { terms: terms(), credits: Credits(start) }).unwrap();
            for (is_charge, units, amount) in acts {
                let command = match units {
                    49 => end(DateTime::UNIX_EPOCH),
                    _ if is_charge => charge(units, amount),
                    _ => grant(amount),
                };
                log.extend(carry_out(&mut contract, command).unwrap_or_default());
                prop_assert!(contract.balance >= Credits::ZERO);
            }
            let sum: i64 = log.iter().map(|event| match event {
                ContractEvent::ContractCreated(e) => e.credits.0,
                ContractEvent::CreditsGranted(e) => e.credits.0,
                ContractEvent::CreditsCharged(e) => -e.credits.0,
                ContractEvent::ContractEnded(_) => 0,
            }).sum();
            prop_assert_eq!(sum, contract.balance.0);
            prop_assert_eq!(crate::domain::given::given::<Contract>(&log), contract);
        }
    }
}
