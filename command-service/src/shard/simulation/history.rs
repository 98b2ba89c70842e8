//! What happened in a schedule, for the checks.

use std::collections::{BTreeMap, BTreeSet};

use events_schema::Credits;
use events_schema::api::limits::RATE_WINDOW_SECONDS;
use events_schema::ids::ApiKeyId;
use uuid::Uuid;

use super::world::PATIENCE;
use crate::shard::Ticket;

/// An answer that reached its client with data.
#[derive(Debug)]
pub(super) struct Delivered {
    pub(super) request_id: Uuid,
    pub(super) credits: Credits,
    pub(super) remaining: Option<Credits>,
}

/// A replay that reached its client.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) name: String,
    /// Tells the receipts apart.
    pub(super) total: Option<u64>,
}

/// Everything that somebody was told.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) delivered: Vec<Delivered>,
    pub(super) replayed: Vec<Replayed>,
    /// Requests whose settling was answered so that nothing is charged.
    pub(super) told_nothing: Vec<Uuid>,
    /// The name and the number of the receipt of each request that was sent.
    pub(super) requests: BTreeMap<Uuid, (Option<String>, u64)>,
    /// What each settle may cost at most and at least: units delivered times the price of its hold.
    pub(super) costs: BTreeMap<Uuid, Credits>,
    /// Settles that were answered that the balance does not cover them.
    pub(super) not_covered: Vec<Uuid>,
    /// A settle came when its hold was over or given back: it may have taken what was held for others.
    pub(super) is_unheld: bool,
    /// Requests whose settle came twice: what one of the two is told says nothing of the other.
    pub(super) twice: BTreeSet<Uuid>,
    /// When leases were taken by force.
    pub(super) steals: Vec<u64>,
    /// Requests that reached an owner, as those let through.
    pub(super) came: BTreeMap<(u64, ApiKeyId), Vec<(u64, Ticket)>>,
    /// When the owner answered them.
    pub(super) answered: BTreeMap<Ticket, u64>,
    /// Requests let through, by the life of an owner and the key.
    pub(super) passed: BTreeMap<(u64, ApiKeyId), Vec<u64>>,
    /// What was broken as it happened.
    pub(super) broken: Vec<String>,
    pub(super) counts: Counts,
}

impl History {
    /// Whether so many came in the last minute that one of them may have been too many.
    pub(super) fn may_be_limited(&self, of: &(u64, ApiKeyId), now: u64, limit: usize) -> bool {
        let since = now.saturating_sub(u64::from(RATE_WINDOW_SECONDS) * 1_000 + PATIENCE);
        let came = self.came.get(of).into_iter().flatten();
        came.filter(|(at, _)| *at >= since).count() > limit
    }
}

macro_rules! counts {
    ($($name:ident),* $(,)?) => {
        /// How often something happened.
        #[derive(Debug, Default, Clone)]
        pub(super) struct Counts {
            $(pub(super) $name: u64,)*
        }

        impl Counts {
            pub(super) fn add(&mut self, other: &Self) {
                $(self.$name += other.$name;)*
            }

            /// A schedule that never comes to something proves nothing about it.
            pub(super) fn assert_that_everything_happened(&self) {
                $(assert!(self.$name > 0, "{} never happened", stringify!($name));)*
            }
        }
    };
}

counts!(
    steps,
    admitted,
    delivered,
    replayed,
    settled_before,
    settled_twice,
    later_windows,
    in_progress,
    rate_limited,
    no_credits,
    not_owned,
    unavailable,
    unknown,
    lost_answers,
    crashes,
    pauses,
    cuts,
    steals,
    clock_steps,
    behind,
    refused_batches,
    lost_writes,
    late_writes,
    probes,
    granted,
    granted_again,
    granted_too_late,
    ended,
    told_as_over,
    revoked,
    read,
    slow,
    no_room,
    made,
    issued,
    filed,
    filed_before,
    checked,
    credits,
    looked,
    made_known,
);
