//! What a contract holds, event by event. `balance_after` in the schema says the same in SQL.

use events_schema::Event;

/// Credits of a contract around one of its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Balance {
    /// None before the first one.
    pub(super) before: Option<i64>,
    pub(super) after: i64,
}

impl Balance {
    /// None for an event of something else.
    pub(super) fn around(event: &Event) -> Option<Self> {
        let (before, after) = match event {
            Event::ContractCreated(e) => (None, e.credits),
            Event::CreditsGranted(e) => (
                Some(e.balance_after.0.saturating_sub(e.credits.0)),
                e.balance_after,
            ),
            Event::CreditsCharged(e) => (
                Some(e.balance_after.0.saturating_add(e.credits.0)),
                e.balance_after,
            ),
            Event::ContractEnded(e) => (Some(e.balance_after.0), e.balance_after),
            _ => return None,
        };
        Some(Self {
            before,
            after: after.0,
        })
    }
}
