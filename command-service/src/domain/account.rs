//! An account and the API keys that it holds.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use events_schema::account::v1::{AccountOpened, ApiKeyIssued, ApiKeyRevoked};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::ids::{AccountId, ApiKeyId};
use serde::{Deserialize, Serialize};

use super::{Decider, facts};

facts! {
    /// What can happen to an account.
    AccountEvent { AccountOpened, ApiKeyIssued, ApiKeyRevoked }
}

/// A customer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// None before the account is opened.
    pub id: Option<AccountId>,
    /// Its keys, also revoked ones.
    pub keys: BTreeMap<ApiKeyId, Key>,
}

/// One API key, without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// What it may call.
    pub endpoints: EndpointSet,
    /// Requests a minute where they differ from the default.
    pub rate_limits: BTreeMap<Endpoint, u32>,
    /// When it was issued.
    pub issued_at: DateTime<Utc>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// Wishes about an account.
#[derive(Debug, Clone)]
pub enum AccountCommand {
    /// Make the account.
    Open {
        /// New id.
        account_id: AccountId,
        /// Its name.
        name: String,
    },
    /// Let a key work from now on.
    IssueApiKey {
        /// New id.
        api_key_id: ApiKeyId,
        /// What it may call.
        endpoints: EndpointSet,
        /// Requests a minute where they differ from the default.
        rate_limits: BTreeMap<Endpoint, u32>,
        /// Now.
        at: DateTime<Utc>,
    },
    /// Let a key answer 401 from now on. Revoking a revoked key changes nothing.
    RevokeApiKey {
        /// The key.
        api_key_id: ApiKeyId,
        /// Now.
        at: DateTime<Utc>,
    },
}

/// Why a wish about an account is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountRefusal {
    /// The id is taken.
    #[error("the account is open already")]
    AlreadyOpen,
    /// There is no such account.
    #[error("there is no such account")]
    Unknown,
    /// The account has too many keys.
    #[error("an account has at most {0} API keys")]
    TooManyKeys(usize),
    /// The account has too many contracts.
    #[error("an account has at most {0} contracts")]
    TooManyContracts(usize),
    /// The key's id is taken.
    #[error("the API key id is taken")]
    KeyIdTaken,
    /// The key that was issued under this name is revoked.
    #[error(
        "the API key that was issued under this Idempotency-Key is revoked; another name issues another key"
    )]
    IssuedAndRevoked,
    /// The account has no such key.
    #[error("there is no such API key")]
    UnknownKey,
}

/// Most keys of one account, revoked ones included: its state stays small.
pub const MAX_KEYS: usize = 10_000;

impl Decider for Account {
    const NAME: &'static str = "account";
    type Command = AccountCommand;
    type Event = AccountEvent;
    type Refusal = AccountRefusal;

    fn decide(&self, command: AccountCommand) -> Result<Vec<AccountEvent>, AccountRefusal> {
        match (command, self.id) {
            (AccountCommand::Open { account_id, name }, None) => {
                Ok(vec![AccountOpened { account_id, name }.into()])
            }
            (AccountCommand::Open { .. }, Some(_)) => Err(AccountRefusal::AlreadyOpen),
            (_, None) => Err(AccountRefusal::Unknown),
            (
                AccountCommand::IssueApiKey {
                    api_key_id,
                    endpoints,
                    rate_limits,
                    at,
                },
                Some(account_id),
            ) => {
                if self.keys.contains_key(&api_key_id) {
                    return Err(AccountRefusal::KeyIdTaken);
                }
                if self.keys.len() >= MAX_KEYS {
                    return Err(AccountRefusal::TooManyKeys(MAX_KEYS));
                }
                Ok(vec![
                    ApiKeyIssued {
                        account_id,
                        api_key_id,
                        endpoints,
                        rate_limits,
                        issued_at: at,
                    }
                    .into(),
                ])
            }
            (AccountCommand::RevokeApiKey { api_key_id, at }, Some(account_id)) => {
                match self.keys.get(&api_key_id) {
                    None => Err(AccountRefusal::UnknownKey),
                    Some(Key {
                        revoked_at: Some(_),
                        ..
                    }) => Ok(Vec::new()),
                    Some(_) => Ok(vec![
                        ApiKeyRevoked {
                            account_id,
                            api_key_id,
                            revoked_at: at,
                        }
                        .into(),
                    ]),
                }
            }
        }
    }

    fn evolve(&mut self, event: &AccountEvent) {
        match event {
            AccountEvent::AccountOpened(opened) => self.id = Some(opened.account_id),
            AccountEvent::ApiKeyIssued(issued) => {
                let key = Key {
                    endpoints: issued.endpoints.clone(),
                    rate_limits: issued.rate_limits.clone(),
                    issued_at: issued.issued_at,
                    revoked_at: None,
                };
                self.keys.insert(issued.api_key_id.clone(), key);
            }
            AccountEvent::ApiKeyRevoked(revoked) => {
                if let Some(key) = self.keys.get_mut(&revoked.api_key_id) {
                    key.revoked_at = Some(revoked.revoked_at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::given::given;

    fn opened() -> (AccountId, Account) {
        let account_id = AccountId::new([3; 16]);
        (
            account_id,
            given(&[AccountOpened {
                account_id,
                name: "acme".into(),
            }
            .into()]),
        )
    }

    fn issue(account_id: AccountId) -> AccountCommand {
        AccountCommand::IssueApiKey {
            api_key_id: ApiKeyId::new(account_id, [1; 10]),
            endpoints: EndpointSet::All,
            rate_limits: BTreeMap::new(),
            at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_key_of_an_account_that_is_not_open_is_refused() {
        let refusal = Account::default()
            .decide(issue(AccountId::new([3; 16])))
            .unwrap_err();
        assert_eq!(refusal, AccountRefusal::Unknown);
    }

    #[test]
    fn revoking_twice_is_one_event() {
        let (account_id, mut account) = opened();
        for event in account.decide(issue(account_id)).unwrap() {
            account.evolve(&event);
        }
        let api_key_id = ApiKeyId::new(account_id, [1; 10]);
        let revoke = AccountCommand::RevokeApiKey {
            api_key_id: api_key_id.clone(),
            at: DateTime::UNIX_EPOCH,
        };
        let events = account.decide(revoke.clone()).unwrap();
        assert_eq!(events.len(), 1);
        account.evolve(&events[0]);
        assert!(account.keys[&api_key_id].revoked_at.is_some());
        assert_eq!(account.decide(revoke).unwrap(), Vec::new());
    }

    #[test]
    fn an_account_has_a_limit_of_keys_and_no_id_twice() {
        let (account_id, mut account) = opened();
        let key = |n: usize| {
            let mut random = [0; 10];
            for (place, byte) in random.iter_mut().zip([1, 62, 62 * 62]) {
                *place = u8::try_from(n / byte % 62).unwrap();
            }
            ApiKeyId::new(account_id, random)
        };
        let issue = |api_key_id| AccountCommand::IssueApiKey {
            api_key_id,
            endpoints: EndpointSet::All,
            rate_limits: BTreeMap::new(),
            at: DateTime::UNIX_EPOCH,
        };
        for n in 0..MAX_KEYS {
            for event in account.decide(issue(key(n))).unwrap() {
                account.evolve(&event);
            }
        }
        assert_eq!(
            account.decide(issue(key(0))),
            Err(AccountRefusal::KeyIdTaken)
        );
        assert_eq!(
            account.decide(issue(key(MAX_KEYS))),
            Err(AccountRefusal::TooManyKeys(MAX_KEYS))
        );
    }

    #[test]
    fn a_key_that_was_never_issued_is_not_revoked() {
        let (account_id, account) = opened();
        let revoke = AccountCommand::RevokeApiKey {
            api_key_id: ApiKeyId::new(account_id, [1; 10]),
            at: DateTime::UNIX_EPOCH,
        };
        assert_eq!(account.decide(revoke), Err(AccountRefusal::UnknownKey));
    }

    #[test]
    fn an_account_is_opened_once() {
        let (account_id, account) = opened();
        let again = AccountCommand::Open {
            account_id,
            name: "again".into(),
        };
        assert_eq!(account.decide(again), Err(AccountRefusal::AlreadyOpen));
    }
}
