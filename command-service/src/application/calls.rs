//! Admit, settle, release, check: the calls of the services that answer clients.

use events_schema::api::internal::{Admit, Answer, Call, Refusal};
use events_schema::ids::Shard;
use uuid::Uuid;

use super::Application;
use super::api_key::ApiKey;
use super::command::CommandError;
use crate::shard::{self, Ask, Reply, ShownKey};

impl Application {
    /// Answers one call. Never fails: a fault is an answer too.
    pub async fn answer(&self, call: Call) -> Answer {
        let Some((shard, ask)) = self.ask_of(call) else {
            return Answer::Refused {
                refusal: Refusal::InvalidApiKey,
                rate: None,
                standing: None,
            };
        };
        match self.shards.ask(shard, ask).await {
            Reply::Answer(answer) => *answer,
            other => match self.error_of(shard, other) {
                CommandError::Elsewhere { shard, owner } => Answer::Elsewhere { shard, owner },
                CommandError::Unavailable {
                    component,
                    retry_after_seconds,
                } => Answer::Unavailable {
                    component: component.to_owned(),
                    retry_after_seconds,
                },
                CommandError::Unknown {
                    retry_after_seconds,
                } => Answer::Unknown {
                    retry_after_seconds,
                },
                CommandError::Refused(reason) => {
                    tracing::error!(%reason, "a call was refused for a reason that no caller can cause");
                    Answer::Unavailable {
                        component: "ledger".to_owned(),
                        retry_after_seconds: 2,
                    }
                }
            },
        }
    }

    /// What a shard is asked, and which one; `None` for text that cannot be an API key.
    fn ask_of(&self, call: Call) -> Option<(Shard, Ask)> {
        Some(match call {
            Call::Admit(admit) => {
                let key = self.shown(&admit.api_key)?;
                (key.id.shard(), Ask::Admit(Box::new(admitted(admit, key))))
            }
            Call::Settle(settle) => {
                let shard = settle.hold.account_id.shard();
                (shard, Ask::Settle(Box::new(settle)))
            }
            Call::Release { hold } => (hold.account_id.shard(), Ask::Release(Box::new(hold))),
            Call::Check { api_key } => {
                let key = self.shown(&api_key)?;
                (key.id.shard(), Ask::Check(key))
            }
            Call::Look { api_key } => {
                let key = self.shown(&api_key)?;
                (key.id.shard(), Ask::Look(key))
            }
        })
    }

    /// A well-formed key with the hash of its secret part.
    pub(super) fn shown(&self, text: &str) -> Option<ShownKey> {
        let key = ApiKey::parse(text)?;
        Some(ShownKey {
            secret_hmac: key.secret_hmac(self.policy.api_key_pepper.expose()),
            id: key.id,
        })
    }
}

fn admitted(admit: Admit, key: ShownKey) -> shard::Admit {
    shard::Admit {
        key,
        endpoint: admit.endpoint,
        request_id: admit.request_id,
        hold_id: Uuid::new_v4(),
        ask: admit.ask,
        idempotency: admit.idempotency,
    }
}
