//! Credits in hand: dropping them without settling gives them back.

use events_schema::api::internal::Hold;
use events_schema::credits::Credits;

use super::CreditGate;

/// A hold that is released when it is dropped.
#[derive(Debug)]
#[must_use = "dropping the hold gives the credits back"]
pub struct HeldCredits {
    hold: Option<Hold>,
    gate: CreditGate,
}

impl HeldCredits {
    pub(super) const fn new(hold: Hold, gate: CreditGate) -> Self {
        Self {
            hold: Some(hold),
            gate,
        }
    }

    /// What a unit costs by the contract that serves; 0 on free endpoints.
    #[must_use]
    pub fn price(&self) -> Credits {
        self.hold.as_ref().map_or(Credits::ZERO, |hold| hold.price)
    }

    /// A copy of the hold, for a call that may never be sent.
    pub(super) fn hold(&self) -> Hold {
        let Some(hold) = &self.hold else {
            unreachable!("the hold is there until this value ends")
        };
        hold.clone()
    }

    /// Takes the hold out, so that dropping does nothing any more.
    pub(super) fn into_hold(mut self) -> Hold {
        let Some(hold) = self.hold.take() else {
            unreachable!("the hold is taken only here and in drop, and both end this value")
        };
        hold
    }
}

impl Drop for HeldCredits {
    fn drop(&mut self) {
        let Some(hold) = self.hold.take() else { return };
        // Outside of a runtime (the process ends) the hold ends by its own time limit.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let gate = self.gate.clone();
            runtime.spawn(async move {
                if let Err(fault) = gate.give_back(hold).await {
                    tracing::debug!(%fault, "a dropped hold was not released and ends by its time limit");
                }
            });
        }
    }
}
