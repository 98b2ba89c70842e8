//! Whether an API key is valid: asked of command-service, remembered for a second.
//!
//! The question is not counted against any rate limit. The answer decides alone only for MCP methods that have no REST request behind them;
//! a tool call is authenticated again by its endpoint. Keys are remembered by their SHA-256 and are never logged.

mod memory;

use std::time::Duration;

use bytes::Bytes;
use events_schema::api::caller::{NoCaller, api_key};
use events_schema::api::internal::{Answer, Answers, Call, Calls, Refusal};
use http::{HeaderMap, HeaderValue, Method};
use service_kit::client::{CallFault, Client, ClientConfig};
use service_kit::problem::Problem;
use sha2::{Digest, Sha256};

use crate::RETRY_AFTER_SECONDS;
use crate::config::Config;
use memory::Memory;

/// Each instance of command-service is asked at most this many times: a connection may have died unnoticed.
const ROUNDS: usize = 2;
const CHECK_TIMEOUT: Duration = Duration::from_secs(3);

/// The check of keys.
#[derive(Debug)]
pub struct Keys {
    client: Client,
    urls: Vec<String>,
    memory: Memory,
}

impl Keys {
    /// A check with an empty memory.
    ///
    /// # Errors
    /// When the client cannot be built.
    pub fn new(config: &Config) -> Result<Self, CallFault> {
        let client = Client::new(ClientConfig {
            total_timeout: CHECK_TIMEOUT,
            token: config.internal_token.clone(),
            ..ClientConfig::default()
        })?;
        let memory = Memory::new(config.key_memory, config.key_memory_entries);
        Ok(Self {
            client,
            urls: config.internal_urls.clone(),
            memory,
        })
    }

    /// The valid key of a request.
    ///
    /// # Errors
    /// 401 without a valid key, 503 when no instance can tell.
    pub async fn authenticate(&self, headers: &HeaderMap) -> Result<HeaderValue, Problem> {
        let text = api_key(headers).map_err(no_caller)?;
        let digest = Sha256::digest(text).into();
        let is_valid = match self.memory.recall(&digest) {
            Some(is_valid) => is_valid,
            None => {
                let is_valid = self.ask(text).await?;
                self.memory.keep(digest, is_valid);
                is_valid
            }
        };
        if is_valid {
            HeaderValue::from_str(text).map_err(|_| no_caller(NoCaller::INVALID_KEY))
        } else {
            Err(no_caller(NoCaller::INVALID_KEY))
        }
    }

    /// Whether an instance of command-service answers.
    ///
    /// # Errors
    /// 503 when no instance answers.
    pub async fn is_reachable(&self) -> Result<(), Problem> {
        for url in &self.urls {
            let url = format!("{url}/health/live");
            let answer = self
                .client
                .send(Method::GET, &url, HeaderMap::new(), Bytes::new())
                .await;
            if answer.is_ok_and(|answer| answer.status.is_success()) {
                return Ok(());
            }
        }
        Err(nobody_answers())
    }

    async fn ask(&self, api_key: &str) -> Result<bool, Problem> {
        let questions = self.urls.len() * ROUNDS;
        let mut next = self.urls.iter().cycle().cloned();
        let mut url = next.next();
        for _question in 0..questions {
            let Some(asked) = url else { break };
            url = match self.ask_at(&asked, api_key).await {
                Ok(Answer::Valid(_)) => return Ok(true),
                Ok(Answer::Refused {
                    refusal: Refusal::InvalidApiKey,
                    ..
                }) => return Ok(false),
                Ok(Answer::Elsewhere {
                    owner: Some(owner), ..
                }) => Some(owner),
                Ok(Answer::Unavailable {
                    component,
                    retry_after_seconds,
                }) => {
                    return Err(Problem::unavailable(&component, retry_after_seconds.into()));
                }
                Ok(_) | Err(_) => next.next(),
            };
        }
        Err(nobody_answers())
    }

    async fn ask_at(&self, url: &str, api_key: &str) -> Result<Answer, CallFault> {
        let calls = Calls {
            calls: vec![Call::Check {
                api_key: api_key.to_owned(),
            }],
        };
        let asked = self
            .client
            .post_json::<_, Answers>(&format!("{url}/internal/checks"), &calls)
            .await;
        let answers =
            asked.inspect_err(|fault| tracing::warn!(%fault, "a key could not be checked"))?;
        let first = answers.answers.into_iter().next();
        first.ok_or_else(|| CallFault::Malformed("it has no answer in it".to_owned()))
    }
}

/// 401 of a request without a valid key.
pub fn no_caller(why: NoCaller) -> Problem {
    Problem::unauthorized(why.reason, why.message)
}

fn nobody_answers() -> Problem {
    Problem::unavailable("ledger", RETRY_AFTER_SECONDS)
}
