//! Accounts and API keys: opened, issued, revoked, shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use events_schema::api::admin::{AccountView, ApiKeyView, IssueApiKey, IssuedApiKey, OpenAccount};
use events_schema::ids::{AccountId, ApiKeyId};

use super::command::{CommandError, Reason};
use super::{Application, Cause, Once, api_key};
use crate::domain::account::{Account, AccountCommand, AccountRefusal, Key};
use crate::domain::aggregate::{Aggregate, Command, Kind, Refusal};
use crate::shard::{Change, Failing, Proof, Row};

impl Application {
    /// Opens an account. Under a name that was given before it is the account of that time.
    ///
    /// # Errors
    /// See [`CommandError`]; a name that came with another account is refused.
    pub async fn open_account(
        &self,
        wish: OpenAccount,
        once: &Once,
        cause: &Cause,
    ) -> Result<AccountView, CommandError> {
        let account_id = match once.account_id() {
            Some(id) => id,
            None => self.new_account_id()?,
        };
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
        let opened = self.change_account(account_id, command, Some(row), cause);
        match opened.await {
            Ok(_) => Ok(AccountView {
                account_id,
                name,
                opened_at,
            }),
            Err(error) if once.is_named() && is(&error, &AccountRefusal::AlreadyOpen) => {
                let opened = self.store.account(account_id).await;
                let opened = opened.map_err(|fault| self.fault(&fault))?;
                match opened {
                    Some((opened, opened_at)) if opened == name => Ok(AccountView {
                        account_id,
                        name,
                        opened_at,
                    }),
                    _ => Err(Reason::NamedDifferently.into()),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Whether there is such an account.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn is_account(&self, id: AccountId) -> Result<bool, CommandError> {
        let found = self.store.account(id).await;
        Ok(found.map_err(|fault| self.fault(&fault))?.is_some())
    }

    /// At most `limit` accounts, oldest first, after one of them; whether there are more.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn accounts(
        &self,
        after: Option<AccountId>,
        limit: i64,
    ) -> Result<(Vec<AccountView>, bool), CommandError> {
        let rows = self.store.accounts(after, limit + 1).await;
        let mut rows = rows.map_err(|fault| self.fault(&fault))?;
        let goes_on = super::cut(&mut rows, limit);
        let view = |(account_id, name, opened_at)| AccountView {
            account_id,
            name,
            opened_at,
        };
        Ok((rows.into_iter().map(view).collect(), goes_on))
    }

    /// Issues a key; it works at once. The key is in this answer and nowhere else; under a name that was given before it is
    /// the key of that time.
    ///
    /// # Errors
    /// See [`CommandError`]; a name that came with another key is refused.
    pub async fn issue_api_key(
        &self,
        wish: IssueApiKey,
        once: &Once,
        cause: &Cause,
    ) -> Result<IssuedApiKey, CommandError> {
        let account_id = wish.account_id;
        let api_key_id = once.api_key_id(account_id);
        let pepper = self.policy.api_key_pepper.expose();
        let (text, hmac) = api_key::issue(&api_key_id, once.name(), pepper);
        let command = AccountCommand::IssueApiKey {
            api_key_id: api_key_id.clone(),
            endpoints: wish.endpoints.clone(),
            rate_limits: wish.rate_limits.clone(),
            at: self.now(),
        };
        let row = Row::ApiKey {
            api_key_id: api_key_id.clone(),
            proof: Proof {
                account_id,
                secret_hmac: hmac.to_vec(),
            },
        };
        let issued = IssuedApiKey {
            api_key_id: api_key_id.clone(),
            api_key: text,
        };
        let issuing = self.change_account(account_id, command, Some(row), cause);
        match issuing.await {
            Ok(_) => Ok(issued),
            Err(error) if once.is_named() && is(&error, &AccountRefusal::KeyIdTaken) => {
                let account = self.account(account_id).await?;
                let is_same = |key: &Key| {
                    key.endpoints == wish.endpoints && key.rate_limits == wish.rate_limits
                };
                match account.keys.get(&api_key_id).filter(|key| is_same(key)) {
                    None => Err(Reason::NamedDifferently.into()),
                    Some(key) if key.revoked_at.is_some() => {
                        Err(Reason::from(AccountRefusal::IssuedAndRevoked).into())
                    }
                    Some(_) => Ok(issued),
                }
            }
            Err(error) => Err(error),
        }
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
        let unknown = || CommandError::Refused(AccountRefusal::UnknownKey.into());
        let account_id = self.store.account_of_key(&api_key_id).await;
        let account_id = account_id.map_err(|fault| self.fault(&fault))?;
        let account_id = account_id.ok_or_else(unknown)?;
        let command = AccountCommand::RevokeApiKey {
            api_key_id: api_key_id.clone(),
            at: self.now(),
        };
        let account = self
            .change_account(account_id, command, None, cause)
            .await?;
        let key = account.keys.get(&api_key_id).ok_or_else(unknown)?;
        Ok(view(account_id, &api_key_id, key))
    }

    /// An account's keys, also revoked ones.
    ///
    /// # Errors
    /// See [`CommandError`].
    pub async fn api_keys(&self, account_id: AccountId) -> Result<Vec<ApiKeyView>, CommandError> {
        let account = self.account(account_id).await?;
        if account.id.is_none() {
            return Err(Reason::from(AccountRefusal::Unknown).into());
        }
        let keys: &BTreeMap<ApiKeyId, Key> = &account.keys;
        Ok(keys
            .iter()
            .map(|(id, key)| view(account_id, id, key))
            .collect())
    }

    async fn account(&self, account_id: AccountId) -> Result<Arc<Account>, CommandError> {
        let id = account_id.uuid();
        account(self.read(Kind::Account, id).await?)
    }

    async fn change_account(
        &self,
        account_id: AccountId,
        command: AccountCommand,
        row: Option<Row>,
        cause: &Cause,
    ) -> Result<Arc<Account>, CommandError> {
        let change = Change {
            id: account_id.uuid(),
            command: Command::Account(command),
            cause: cause.clone(),
            row,
            named: None,
            once: false,
        };
        account(self.change(change).await?)
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

fn account(state: Aggregate) -> Result<Arc<Account>, CommandError> {
    match state {
        Aggregate::Account(account) => Ok(account),
        _ => Err(CommandError::of(Failing::Ledger)),
    }
}

fn view(account_id: AccountId, api_key_id: &ApiKeyId, key: &Key) -> ApiKeyView {
    ApiKeyView {
        api_key_id: api_key_id.clone(),
        account_id,
        endpoints: key.endpoints.clone(),
        rate_limits: key.rate_limits.clone(),
        issued_at: key.issued_at,
        revoked_at: key.revoked_at,
    }
}

fn is(error: &CommandError, refusal: &AccountRefusal) -> bool {
    matches!(error, CommandError::Refused(Reason::Aggregate(Refusal::Account(given))) if given == refusal)
}
