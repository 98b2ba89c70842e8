//! Accounts and API keys: opened, issued, revoked, shown.

use events_schema::api::admin::{AccountView, ApiKeyView, IssueApiKey, IssuedApiKey, OpenAccount};
use events_schema::ids::{AccountId, ApiKeyId};

use super::command::{CommandError, Reason, execute};
use super::{Application, Cause, api_key};
use crate::domain::account::{Account, AccountCommand, AccountRefusal};
use crate::store::{Row, SideRows};

/// Most accounts in one listing.
const MAX_LISTED: i64 = 100_000;

impl Application {
    /// Opens an account.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn open_account(
        &self,
        wish: OpenAccount,
        cause: &Cause,
    ) -> Result<AccountView, CommandError> {
        let account_id = self.new_account_id()?;
        let opened_at = self.now();
        let name = wish.name;
        let row = Row::Account {
            account_id,
            name: name.clone(),
            opened_at,
        };
        let command = AccountCommand::Open {
            account_id,
            name: name.clone(),
        };
        self.change_account(account_id, command, Some(row), cause)
            .await?;
        Ok(AccountView {
            account_id,
            name,
            opened_at,
        })
    }

    /// All accounts, oldest first.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn accounts(&self) -> Result<Vec<AccountView>, CommandError> {
        let rows = self
            .store
            .accounts(MAX_LISTED)
            .await
            .map_err(|fault| self.fault(fault))?;
        let view = |(account_id, name, opened_at)| AccountView {
            account_id,
            name,
            opened_at,
        };
        Ok(rows.into_iter().map(view).collect())
    }

    /// Issues a key; it works at once. The key is in this answer and nowhere else.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn issue_api_key(
        &self,
        wish: IssueApiKey,
        cause: &Cause,
    ) -> Result<IssuedApiKey, CommandError> {
        let account_id = wish.account_id;
        let (api_key_id, text, hmac) =
            api_key::issue(account_id, self.policy.api_key_pepper.expose());
        let command = AccountCommand::IssueApiKey {
            api_key_id: api_key_id.clone(),
            endpoints: wish.endpoints,
            rate_limits: wish.rate_limits,
            at: self.now(),
        };
        let row = Row::ApiKey {
            api_key_id: api_key_id.clone(),
            account_id,
            secret_hmac: hex(&hmac),
        };
        self.change_account(account_id, command, Some(row), cause)
            .await?;
        Ok(IssuedApiKey {
            api_key_id,
            api_key: text,
        })
    }

    /// Revokes a key; it answers 401 at once. Revoking it again changes nothing.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn revoke_api_key(
        &self,
        api_key_id: ApiKeyId,
        cause: &Cause,
    ) -> Result<ApiKeyView, CommandError> {
        self.owned_here(api_key_id.shard())?;
        let unknown = || CommandError::Refused(Reason::Account(AccountRefusal::UnknownKey));
        let proof = self
            .store
            .api_key(&api_key_id)
            .await
            .map_err(|fault| self.fault(fault))?;
        let account_id = proof.ok_or_else(unknown)?.account_id;
        let command = AccountCommand::RevokeApiKey {
            api_key_id: api_key_id.clone(),
            at: self.now(),
        };
        self.change_account(account_id, command, None, cause)
            .await?;
        let keys = self.api_keys(account_id).await?;
        keys.into_iter()
            .find(|key| key.api_key_id == api_key_id)
            .ok_or_else(unknown)
    }

    /// An account's keys, also revoked ones.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn api_keys(&self, account_id: AccountId) -> Result<Vec<ApiKeyView>, CommandError> {
        let account: Account = self
            .accounts
            .read(account_id.shard(), account_id.uuid())
            .await
            .map_err(|f| self.fault(f))?;
        if account.id.is_none() {
            return Err(Reason::Account(AccountRefusal::Unknown).into());
        }
        let view = |(api_key_id, key): (ApiKeyId, crate::domain::account::Key)| ApiKeyView {
            api_key_id,
            account_id,
            endpoints: key.endpoints,
            rate_limits: key.rate_limits,
            issued_at: key.issued_at,
            revoked_at: key.revoked_at,
        };
        Ok(account.keys.into_iter().map(view).collect())
    }

    async fn change_account(
        &self,
        account_id: AccountId,
        command: AccountCommand,
        row: Option<Row>,
        cause: &Cause,
    ) -> Result<(), CommandError> {
        let now = self.now();
        let rows = |_: &Account, _: &mut ()| SideRows {
            row: row.clone(),
            ..SideRows::default()
        };
        execute(
            &self.store,
            &self.accounts,
            account_id.uuid(),
            command,
            (cause, now),
            rows,
        )
        .await?;
        self.desks.changed(account_id).await;
        Ok(())
    }

    /// A new id in a shard of this process: any shard serves for a new account.
    fn new_account_id(&self) -> Result<AccountId, CommandError> {
        const TRIES: usize = 4_096;
        let candidates = std::iter::repeat_with(|| AccountId::new(rand::random()));
        let mut last = None;
        for id in candidates.take(TRIES) {
            match self.owned_here(id.shard()) {
                Ok(()) => return Ok(id),
                Err(elsewhere) => last = Some(elsewhere),
            }
        }
        Err(last.unwrap_or(CommandError::Elsewhere {
            shard: events_schema::ids::Shard::DATA_BUILDS,
            owner: None,
        }))
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}
