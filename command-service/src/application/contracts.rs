//! Contracts: made, granted to, shown.

use std::collections::BTreeMap;

use events_schema::Credits;
use events_schema::api::admin::{ContractView, CreateContract};
use events_schema::ids::{AccountId, ContractId};

use super::command::{CommandError, Reason, execute};
use super::{Application, Cause};
use crate::domain::account::AccountRefusal;
use crate::domain::contract::{Contract, ContractCommand, ContractRefusal, Terms};
use crate::store::SideRows;

impl Application {
    /// Makes a contract; it serves the account's next request.
    ///
    /// # Errors
    /// See [`CommandError`]; an account that was never opened is refused.
    pub async fn create_contract(
        &self,
        wish: CreateContract,
        cause: &Cause,
    ) -> Result<ContractView, CommandError> {
        let account = wish.account_id;
        self.owned_here(account.shard())?;
        if !self
            .store
            .has_account(account)
            .await
            .map_err(|fault| self.fault(fault))?
        {
            return Err(Reason::Account(AccountRefusal::Unknown).into());
        }
        let now = self.now();
        let contract_id = ContractId::new(account, rand::random());
        let terms = Terms {
            contract_id,
            account_id: account,
            endpoints: wish.endpoints,
            starts_on: wish.starts_on.unwrap_or_else(|| now.date_naive()),
            expires_on: wish.expires_on,
            prices: wish.prices,
        };
        let command = ContractCommand::Create {
            terms,
            credits: wish.credits,
        };
        self.change_contract(contract_id, account, command, cause)
            .await?;
        self.desks.changed(account).await;
        self.contract(contract_id).await
    }

    /// Adds credits; they can be spent at once.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn grant_credits(
        &self,
        contract_id: ContractId,
        credits: Credits,
        cause: &Cause,
    ) -> Result<ContractView, CommandError> {
        let account = self.contract(contract_id).await?.account_id;
        self.change_contract(
            contract_id,
            account,
            ContractCommand::Grant { credits },
            cause,
        )
        .await?;
        self.contract(contract_id).await
    }

    /// A contract with its exact balance: everything in it is durable.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn contract(&self, contract_id: ContractId) -> Result<ContractView, CommandError> {
        let contract = self
            .contracts
            .read(contract_id.shard(), contract_id.uuid())
            .await
            .map_err(|f| self.fault(f))?;
        let mut locked = self
            .contracts
            .lock(contract_id.shard(), contract_id.uuid())
            .await
            .map_err(|f| self.fault(f))?;
        let now = self.now();
        let held = locked.with_state(|_, holds| holds.held(now));
        self.view(contract, held)
            .ok_or_else(|| Reason::Contract(ContractRefusal::Unknown).into())
    }

    /// An account's contracts in the order in which they serve.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn contracts(&self, account: AccountId) -> Result<Vec<ContractView>, CommandError> {
        self.owned_here(account.shard())?;
        let terms = self.desk(account).await?.contracts.clone();
        let mut views = Vec::with_capacity(terms.len());
        for terms in terms.iter() {
            views.push(self.contract(terms.contract_id).await?);
        }
        Ok(views)
    }

    /// The contracts of the key's account (contract C12, `GET /credits`).
    ///
    /// # Errors
    /// See [`CommandError`]; a key that is not valid is refused.
    pub async fn credits(&self, api_key: &str) -> Result<Vec<ContractView>, CommandError> {
        let account = self.authenticate(api_key).await?.0.account_id;
        self.contracts(account).await
    }

    async fn change_contract(
        &self,
        contract_id: ContractId,
        account: AccountId,
        command: ContractCommand,
        cause: &Cause,
    ) -> Result<(), CommandError> {
        let (now, id) = (self.now(), contract_id.uuid());
        execute(
            &self.store,
            &self.contracts,
            id,
            command,
            (cause, now),
            |contract: &Contract, _| SideRows {
                balance: Some((contract_id, account, contract.balance)),
                ..SideRows::default()
            },
        )
        .await?;
        Ok(())
    }

    fn view(&self, contract: Contract, held: Credits) -> Option<ContractView> {
        let (credits_total, credits_used) = (contract.granted, contract.charged());
        let terms = contract.terms?;
        Some(ContractView {
            contract_id: terms.contract_id,
            account_id: terms.account_id,
            credits_total,
            credits_used,
            credits_held: held,
            credits_remaining: contract.balance,
            starts_on: terms.starts_on,
            expiration_date: terms.expires_on,
            is_expired: terms.is_expired(self.now().date_naive()),
            endpoints: terms.endpoints,
            prices: BTreeMap::from_iter(terms.prices),
        })
    }
}
