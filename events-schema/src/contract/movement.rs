//! What one event does to the credits of a contract, for everything that adds them up: ledger, reconciliation.

use crate::credits::Credits;
use crate::event::{CreditsEvent, Event};
use crate::ids::{AccountId, ContractId};

/// Credits are added.
pub const GRANT: &str = "grant";
/// Credits are taken.
pub const CHARGE: &str = "charge";

/// A grant or a charge; the credits that a contract begins with are a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// Whose balance moves.
    pub contract_id: ContractId,
    /// Whose contract it is.
    pub account_id: AccountId,
    /// [`GRANT`] or [`CHARGE`].
    pub kind: &'static str,
    /// How many; never below zero.
    pub credits: Credits,
    /// What is left then.
    pub balance_after: Credits,
}

impl Movement {
    /// None of an event that moves no credits: of another topic, or the end of a contract.
    #[must_use]
    pub const fn of(event: &Event) -> Option<Self> {
        let Some(event) = CreditsEvent::of(event) else {
            return None;
        };
        Some(match event {
            CreditsEvent::ContractCreated(e) => Self {
                contract_id: e.contract_id,
                account_id: e.account_id,
                kind: GRANT,
                credits: e.credits,
                balance_after: e.credits,
            },
            CreditsEvent::CreditsGranted(e) => Self {
                contract_id: e.contract_id,
                account_id: e.account_id,
                kind: GRANT,
                credits: e.credits,
                balance_after: e.balance_after,
            },
            CreditsEvent::CreditsCharged(e) => Self {
                contract_id: e.contract_id,
                account_id: e.account_id,
                kind: CHARGE,
                credits: e.credits,
                balance_after: e.balance_after,
            },
            CreditsEvent::ContractEnded(_) => return None,
        })
    }
}
