//! The tool calls in progress in this process, so that each can be stopped.
//!
//! A call stops when its HTTP request ends before it (the client went away, the time is over, the process ends), and when its client sends
//! `notifications/cancelled` with its id. There are no sessions, so that the id is looked up under the API key: two clients of one key may
//! use one id at the same time, and then neither is stopped by it; a cancellation that comes after its own call has ended stops the other
//! client's. A client that must be sure closes the connection.
//!
//! Guarantee: nothing is kept of a call that is not in progress; there are as many entries as requests in flight.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

/// API key and JSON-RPC id of a call, hashed.
type Name = [u8; 32];

/// All calls in progress. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Running(Arc<Mutex<HashMap<Name, Vec<CancellationToken>>>>);

/// One call in progress; dropping it stops the call, if the call has not ended.
#[derive(Debug)]
pub struct Call {
    running: Running,
    name: Name,
    token: CancellationToken,
}

impl Running {
    /// Notes a call under the key and the id of its message.
    #[must_use]
    pub fn enter(&self, key: &[u8], id: &Value) -> Call {
        let (name, token) = (name(key, id), CancellationToken::new());
        self.calls().entry(name).or_default().push(token.clone());
        Call {
            running: self.clone(),
            name,
            token,
        }
    }

    /// Stops the call of this name, if there is exactly one.
    pub fn cancel(&self, key: &[u8], id: &Value) {
        if let Some([token]) = self.calls().get(&name(key, id)).map(Vec::as_slice) {
            token.cancel();
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<Name, Vec<CancellationToken>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Call {
    /// Cancelled when the call has to stop.
    #[must_use]
    pub fn stop(&self) -> CancellationToken {
        self.token.clone()
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.token.cancel();
        let mut calls = self.running.calls();
        if let Entry::Occupied(mut same) = calls.entry(self.name) {
            // Tokens have no identity, but what is cancelled needs no entry.
            same.get_mut().retain(|token| !token.is_cancelled());
            if same.get().is_empty() {
                same.remove();
            }
        }
    }
}

/// `1` and `"1"` are different ids.
fn name(key: &[u8], id: &Value) -> Name {
    let mut digest = Sha256::new();
    digest.update(Sha256::digest(key));
    digest.update(id.to_string());
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_stopped_by_its_own_key_and_id_alone() {
        let running = Running::default();
        let call = running.enter(b"key", &json!(1));
        for (key, id) in [("key", json!("1")), ("key", json!(2)), ("other", json!(1))] {
            running.cancel(key.as_bytes(), &id);
        }
        assert!(!call.stop().is_cancelled());
        running.cancel(b"key", &json!(1));
        assert!(call.stop().is_cancelled());
    }

    #[test]
    fn of_two_calls_of_one_name_none_is_stopped_by_it_until_one_has_ended() {
        let running = Running::default();
        let (first, second) = (
            running.enter(b"key", &json!(1)),
            running.enter(b"key", &json!(1)),
        );
        running.cancel(b"key", &json!(1));
        let (first_stop, second_stop) = (first.stop(), second.stop());
        assert!(!first_stop.is_cancelled() && !second_stop.is_cancelled());
        drop(first);
        assert!(first_stop.is_cancelled() && !second_stop.is_cancelled());
        running.cancel(b"key", &json!(1));
        assert!(second_stop.is_cancelled());
    }

    #[test]
    fn nothing_is_kept_of_a_call_that_has_ended() {
        let running = Running::default();
        drop(running.enter(b"key", &json!(1)));
        assert!(running.calls().is_empty());
    }
}
