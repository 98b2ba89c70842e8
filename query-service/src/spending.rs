//! What a request lets itself cost (`docs/API.md`, "Credits").

use events_schema::api::limits;
use events_schema::credits::Credits;
use serde_json::json;
use service_kit::{Fields, Problem};

/// The field that says so.
pub const MAX_CREDITS: &str = "max_credits";
/// The field by which a request only asks what it would find and cost.
pub const DRY_RUN: &str = "dry_run";

/// The most that a request lets itself cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxCredits(i64);

impl MaxCredits {
    /// Reads `max_credits`; none where it is not given.
    pub fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let most = fields.optional_integer(MAX_CREDITS, 0..=limits::MAX_CREDITS);
        most.map(Self)
    }

    /// Whether so many units may be bought at that price.
    ///
    /// # Errors
    /// 422: they may cost more.
    pub fn allow(self, units: u32, price: Credits) -> Result<(), Problem> {
        let worst = price.times(units);
        if worst.is_some_and(|worst| worst.0 <= self.0) {
            return Ok(());
        }
        let worst = worst.map(|worst| worst.to_string());
        let error = match &worst {
            Some(worst) if units > 1 => {
                format!(
                    "the request may cost up to {worst} credits; a smaller limit or fewer items cost less"
                )
            }
            Some(worst) => format!("the request may cost up to {worst} credits"),
            None => "the request may cost more than can be counted".to_owned(),
        };
        let given = json!(self.0);
        Err(Problem::invalid_field(
            MAX_CREDITS,
            &given,
            &error,
            worst.as_deref(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_costs_as_much_as_it_may_is_bought_and_nothing_more() {
        let allowed = |most, units, price| MaxCredits(most).allow(units, Credits(price)).is_ok();
        assert!(allowed(6, 3, 2));
        assert!(!allowed(5, 3, 2));
        assert!(allowed(0, 3, 0));
        assert!(allowed(0, 0, 2));
        assert!(!allowed(i64::MAX, u32::MAX, i64::MAX));
    }
}
