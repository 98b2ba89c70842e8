//! What reconciliation saw.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::reconcile::Difference;

/// Counts of what was compared; after a difference, of what was compared until then.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Summary {
    /// Whether all is the same.
    pub(crate) ok: bool,
    /// In the event store.
    pub(crate) events: i64,
    /// By topic.
    pub(crate) topics: BTreeMap<&'static str, Messages>,
    pub(crate) accounts: i64,
    pub(crate) api_keys: i64,
    pub(crate) contracts: i64,
    pub(crate) ledger_rows: i64,
    pub(crate) credits_granted: i64,
    pub(crate) credits_charged: i64,
    pub(crate) credits_remaining: i64,
    pub(crate) reports: i64,
    pub(crate) builds: i64,
    /// Events that no projection could apply: what they should have changed differs.
    pub(crate) dead_letters: i64,
    pub(crate) first_difference: Option<Difference>,
}

/// Messages of one topic.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub(crate) struct Messages {
    /// In all.
    pub(crate) messages: i64,
    /// Of these, events that were there before: at least once means that there may be some.
    pub(crate) repeats: i64,
    /// Of these, events that stand before others of their shard that should come first; each came again in its turn.
    pub(crate) early: i64,
    /// Of these, events younger than the snapshot of the store.
    pub(crate) younger: i64,
    /// Of these, events that the store lost: it was restored to a state before them.
    pub(crate) abandoned: i64,
}
