//! Look-ups of API keys that somebody shows and nobody here has seen: many in one statement, since after a start every customer's comes
//! at once. There is no timer: while the few connections for it are busy, those that come meanwhile wait, and the next statement takes
//! them. Whoever makes keys up has these connections alone.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use events_schema::ids::ApiKeyId;
use tokio::sync::{Semaphore, oneshot};
use uuid::Uuid;

use super::{Store, StoreFault, answer};
use crate::shard::Proof;

/// Keys in one statement.
const TOGETHER: usize = 256;

type Found = Result<Option<Proof>, StoreFault>;

/// Those that wait, and the turns of those that ask. Bounded by the look-ups that each shard may have on its way.
pub(super) struct ShownKeys {
    waiting: Mutex<VecDeque<(ApiKeyId, oneshot::Sender<Found>)>>,
    turns: Semaphore,
}

impl ShownKeys {
    /// So many statements at a time.
    pub(super) fn new(connections: u32) -> Self {
        Self {
            waiting: Mutex::default(),
            turns: Semaphore::new(usize::try_from(connections).unwrap_or(1).max(1)),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<(ApiKeyId, oneshot::Sender<Found>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The longest waiting.
    fn take(&self) -> Vec<(ApiKeyId, oneshot::Sender<Found>)> {
        let mut waiting = self.waiting();
        let most = waiting.len().min(TOGETHER);
        waiting.drain(..most).collect()
    }
}

impl Store {
    /// What proves a key, none where there is no such key. Whoever has a turn asks for all that wait.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn shown_key(&self, id: &ApiKeyId) -> Found {
        let keys = &self.0.shown_keys;
        let (sender, mut found) = oneshot::channel();
        keys.waiting().push_back((id.clone(), sender));
        loop {
            let _turn = tokio::select! {
                biased;
                found = &mut found => return found.unwrap_or(Err(StoreFault::NoAnswer)),
                turn = keys.turns.acquire() => turn,
            };
            let asked = keys.take();
            if asked.is_empty() {
                // Somebody else has taken it, and answers.
                return found.await.unwrap_or(Err(StoreFault::NoAnswer));
            }
            let ids: Vec<&str> = asked.iter().map(|(id, _)| id.as_str()).collect();
            let statement = sqlx::query_as(include_str!("../../sql/api_keys.sql")).bind(ids);
            let rows: Result<Vec<(String, Uuid, Vec<u8>)>, StoreFault> =
                answer!(self.key_look_ups(), statement => fetch_all);
            let rows = rows.map(by_id);
            for (id, asker) in asked {
                let found = rows.as_ref().map(|rows| rows.get(id.as_str()).cloned());
                let _ = asker.send(found.map_err(Clone::clone));
            }
        }
    }
}

fn by_id(rows: Vec<(String, Uuid, Vec<u8>)>) -> HashMap<String, Proof> {
    let proof = |account: Uuid, secret_hmac| Proof {
        account_id: account.into(),
        secret_hmac,
    };
    rows.into_iter()
        .map(|(id, account, hmac)| (id, proof(account, hmac)))
        .collect()
}
