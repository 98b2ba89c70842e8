//! Who holds a key, and the desk of the account.

use std::sync::Arc;

use events_schema::api::internal::Caller;
use events_schema::ids::AccountId;
use tokio::sync::OwnedMutexGuard;

use crate::application::Application;
use crate::application::api_key::ApiKey;
use crate::application::command::{CommandError, Reason};
use crate::application::desk::{Desk, Proof, in_serving_order};
use crate::domain::contract::Terms;

impl Application {
    /// Who holds this key, with the account's desk, locked and up to date.
    pub(in crate::application) async fn authenticate(
        &self,
        text: &str,
    ) -> Result<(Caller, OwnedMutexGuard<Desk>), CommandError> {
        let invalid = || CommandError::Refused(Reason::InvalidApiKey);
        let key = ApiKey::parse(text).ok_or_else(invalid)?;
        self.owned_here(key.id.shard())?;
        let proof = match self.desks.proof(&key.id) {
            Some(proof) => proof,
            None => {
                let found = self
                    .store
                    .api_key(&key.id)
                    .await
                    .map_err(|fault| self.fault(fault))?;
                let found = found.ok_or_else(invalid)?;
                let proof = Proof {
                    account_id: found.account_id,
                    secret_hmac: found.secret_hmac,
                };
                self.desks.keep_proof(key.id.clone(), proof)
            }
        };
        if !key.proves(self.policy.api_key_pepper.expose(), &proof.secret_hmac) {
            return Err(invalid());
        }
        let desk = self.desk(proof.account_id).await?;
        if desk
            .keys
            .get(&key.id)
            .is_none_or(|state| state.revoked_at.is_some())
        {
            return Err(invalid());
        }
        Ok((
            Caller {
                account_id: proof.account_id,
                api_key_id: key.id,
            },
            desk,
        ))
    }

    /// The account's desk, locked, with keys and contracts as they are now.
    pub(in crate::application) async fn desk(
        &self,
        account: AccountId,
    ) -> Result<OwnedMutexGuard<Desk>, CommandError> {
        let mut desk = self.desks.of(account).lock_owned().await;
        let generation = self.store.generation(account.shard());
        if desk.generation != generation {
            let state = self
                .accounts
                .read(account.shard(), account.uuid())
                .await
                .map_err(|f| self.fault(f))?;
            let ids = self
                .store
                .account_contracts(account)
                .await
                .map_err(|f| self.fault(f))?;
            let mut contracts: Vec<Arc<Terms>> = Vec::with_capacity(ids.len());
            for id in ids {
                let contract = self
                    .contracts
                    .read(id.shard(), id.uuid())
                    .await
                    .map_err(|f| self.fault(f))?;
                contracts.extend(contract.terms.map(Arc::new));
            }
            desk.keys = state.keys.into_iter().collect();
            desk.contracts = Arc::new(in_serving_order(contracts));
            desk.generation = generation;
        }
        Ok(desk)
    }
}
