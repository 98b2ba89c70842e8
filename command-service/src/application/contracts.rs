//! Contracts: made, granted to, ended, shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use events_schema::api::admin::{ContractView, CreateContract, EndContract, MovementView};
use events_schema::api::internal::{Answer, RateWindow, Refusal as Refused};
use events_schema::contract::movement::Movement;
use events_schema::ids::{AccountId, ContractId};
use events_schema::{Credits, Event};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::command::{CommandError, Reason};
use super::{Application, Cause, Once};
use crate::domain::account::AccountRefusal;
use crate::domain::aggregate::{Command, Refusal};
use crate::domain::contract::{Contract, ContractCommand, ContractRefusal, Terms};
use crate::shard::{Ask, Change, HeldContract, Reply};

/// What a key is told of its credits.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreditsOf {
    /// What it may read.
    Account(AccountCredits),
    /// Not valid, or too often.
    Refused(Refused, Option<RateWindow>),
}

/// An account's credits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AccountCredits {
    /// Its contracts in the order in which they serve.
    pub contracts: Vec<ContractView>,
    /// The one that would serve a unit now of the cheapest endpoint that it covers.
    pub serves_next: Option<ContractId>,
}

impl Application {
    /// Makes a contract; it serves the account's next request. Under a name that was given before it is the contract of that
    /// time.
    ///
    /// # Errors
    /// See [`CommandError`]; an account that was never opened is refused, and a name that came with another contract.
    pub async fn create_contract(
        &self,
        wish: CreateContract,
        once: &Once,
        cause: &Cause,
    ) -> Result<ContractView, CommandError> {
        let account = wish.account_id;
        let contract_id = once.contract_id(account);
        let terms = Terms {
            contract_id,
            account_id: account,
            endpoints: wish.endpoints.clone(),
            starts_on: wish.starts_on.unwrap_or_else(|| self.now().date_naive()),
            expires_on: wish.expires_on,
            prices: wish.prices.clone(),
        };
        let command = ContractCommand::Create {
            terms,
            credits: wish.credits,
        };
        let created = self.change_contract(contract_id, command, false, cause);
        match created.await {
            Err(CommandError::Refused(Reason::Aggregate(Refusal::Contract(
                ContractRefusal::AlreadyExists,
            )))) if once.is_named() => {
                self.is_same(contract_id, &wish).await?;
                self.contract(contract_id).await
            }
            created => created,
        }
    }

    /// Whether a contract was made by the same wish.
    async fn is_same(&self, id: ContractId, wish: &CreateContract) -> Result<(), CommandError> {
        let events = self.store.events_after(id.uuid(), 0).await;
        let events = events.map_err(|fault| self.fault(&fault))?;
        match events.first() {
            Some(Event::ContractCreated(made))
                if made.account_id == wish.account_id
                    && made.credits == wish.credits
                    && made.endpoints == wish.endpoints
                    && wish.starts_on.is_none_or(|day| day == made.starts_on)
                    && made.expires_on == wish.expires_on
                    && made.prices == wish.prices =>
            {
                Ok(())
            }
            _ => Err(Reason::NamedDifferently.into()),
        }
    }

    /// Adds credits; they can be spent at once. Under a name that was given before they were added at that time.
    ///
    /// # Errors
    /// See [`CommandError`]; a name that came with another grant is refused, and credits for a contract that is over.
    pub async fn grant_credits(
        &self,
        contract_id: ContractId,
        credits: Credits,
        once: &Once,
        cause: &Cause,
    ) -> Result<ContractView, CommandError> {
        let command = ContractCommand::Grant {
            credits,
            on: self.now().date_naive(),
        };
        let named = once.request_id(contract_id);
        let cause = Cause {
            request_id: named.unwrap_or(cause.request_id),
            ..cause.clone()
        };
        self.change_contract(contract_id, command, named.is_some(), &cause)
            .await
    }

    /// Ends a contract: no request that comes after the answer is served by it. What is left on it stays there; requests that it serves
    /// already are charged. Ending it again changes nothing.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn end_contract(
        &self,
        contract_id: ContractId,
        wish: EndContract,
        cause: &Cause,
    ) -> Result<ContractView, CommandError> {
        let command = ContractCommand::End {
            at: self.now(),
            reason: wish.reason,
        };
        self.change_contract(contract_id, command, false, cause)
            .await
    }

    /// A contract with its exact balance: everything in it is durable.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn contract(&self, contract_id: ContractId) -> Result<ContractView, CommandError> {
        let ask = Ask::Contract(contract_id);
        let found = self.contracts_by(contract_id.shard(), ask).await?;
        let view = found.iter().find_map(|held| self.view(held));
        view.ok_or_else(|| Reason::from(ContractRefusal::Unknown).into())
    }

    /// An account's contracts in the order in which they serve.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn contracts(&self, account: AccountId) -> Result<Vec<ContractView>, CommandError> {
        let found = self.contracts_by(account.shard(), Ask::Contracts(account));
        let found = found.await?;
        if found.is_empty() && !self.is_account(account).await? {
            return Err(Reason::from(AccountRefusal::Unknown).into());
        }
        Ok(self.views(&found))
    }

    /// The contracts of the key's account (`GET /credits`), or why there is no answer to this key now.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn credits(&self, api_key: &str) -> Result<CreditsOf, CommandError> {
        let Some(key) = self.shown(api_key) else {
            return Ok(CreditsOf::Refused(Refused::InvalidApiKey, None));
        };
        let shard = key.id.shard();
        match self.shards.ask(shard, Ask::Credits(key)).await {
            Reply::Credits(credits) => Ok(CreditsOf::Account(AccountCredits {
                contracts: self.views(&credits.contracts),
                serves_next: credits.serves_next,
            })),
            Reply::Answer(answer) => match *answer {
                Answer::Refused { refusal, rate, .. } => Ok(CreditsOf::Refused(refusal, rate)),
                _ => Err(self.strange("a shard answered another question")),
            },
            other => Err(self.error_of(shard, other)),
        }
    }

    /// What a request charged or granted; none if it did neither. The credits that a contract begins with are the contract's own.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn movement(&self, request_id: Uuid) -> Result<Option<MovementView>, CommandError> {
        let found = self.store.movement_with_cause(request_id).await;
        let Some((event, actor, occurred_at)) = found.map_err(|fault| self.fault(&fault))? else {
            return Ok(None);
        };
        let Some(movement) = Movement::of(&event) else {
            return Err(self.strange("an event that moves no credits was found as a movement"));
        };
        let charged = match &event {
            Event::CreditsCharged(charged) => Some(charged),
            _ => None,
        };
        Ok(Some(MovementView {
            request_id,
            kind: movement.kind.to_owned(),
            account_id: movement.account_id,
            contract_id: movement.contract_id,
            endpoint: charged.map(|charged| charged.endpoint),
            units: charged.map(|charged| charged.units),
            credits: match charged {
                Some(charged) => Credits(-charged.credits.0),
                None => movement.credits,
            },
            balance_after: movement.balance_after,
            occurred_at,
            actor,
        }))
    }

    async fn change_contract(
        &self,
        contract_id: ContractId,
        command: ContractCommand,
        once: bool,
        cause: &Cause,
    ) -> Result<ContractView, CommandError> {
        let change = Change {
            id: contract_id.uuid(),
            command: Command::Contract(command),
            cause: cause.clone(),
            row: None,
            named: None,
            once,
        };
        let ask = Ask::Change(Box::new(change));
        let told = self.contracts_by(contract_id.shard(), ask).await?;
        let view = told.iter().find_map(|held| self.view(held));
        view.ok_or_else(|| self.strange("a contract that was changed is none"))
    }

    fn views(&self, contracts: &[HeldContract]) -> Vec<ContractView> {
        contracts
            .iter()
            .filter_map(|held| self.view(held))
            .collect()
    }

    fn view(&self, held: &HeldContract) -> Option<ContractView> {
        let contract: &Arc<Contract> = &held.contract;
        let terms = contract.terms.as_ref()?;
        Some(ContractView {
            contract_id: terms.contract_id,
            account_id: terms.account_id,
            credits_total: contract.granted,
            credits_used: contract.charged(),
            credits_held: held.held,
            credits_remaining: contract.balance,
            starts_on: terms.starts_on,
            expiration_date: contract.last_day(),
            is_expired: contract.is_over(self.now().date_naive()),
            ended_at: contract.ended.as_ref().map(|end| end.at),
            end_reason: contract.ended.as_ref().map(|end| end.reason.clone()),
            endpoints: terms.endpoints.clone(),
            prices: BTreeMap::from_iter(terms.prices.clone()),
        })
    }
}
