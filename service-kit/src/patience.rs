//! How long a part waits for what it has begun elsewhere, where only looks from aside tell work from waiting.
//!
//! Guarantee: work may take as long as it takes; waiting may not, be it for others or for a word that never comes. A look that finds
//! nothing out ends nothing.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Of looks in a wait, at the least.
const LOOKS: u32 = 4;
/// Far above what a look takes.
const LOOK_LIMIT: Duration = Duration::from_secs(5);

/// What one look has found, in words for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// Work goes on: here, or that of another whose turn is first.
    Works(String),
    /// Nothing goes on.
    Waits(String),
    /// Nobody knows: the look was answered with a refusal.
    Unknown(String),
}

impl Look {
    /// Whether work goes on, and who holds the lock that is waited for, if one is.
    #[must_use]
    pub fn of(is_at_work: bool, holders: Option<String>) -> Self {
        match (is_at_work, holders) {
            (true, None) => Self::Works("it is at work".to_owned()),
            (true, Some(holders)) => Self::Works(format!("it is the turn of {holders}")),
            (false, Some(holders)) => Self::Waits(format!("a lock is held by {holders}")),
            (false, None) => Self::Waits("its connection is dead".to_owned()),
        }
    }

    /// The look itself had no answer.
    #[must_use]
    pub fn silent() -> Self {
        Self::Waits("Postgres does not answer".to_owned())
    }
}

/// Ends when `what` has waited for `limit`, in one piece but for looks that found nothing out: what for.
pub async fn outwait<L: Future<Output = Look>>(
    limit: Duration,
    what: &str,
    mut look: impl FnMut() -> L,
) -> String {
    let mut waited = Waited::default();
    loop {
        sleep(LOOK_EVERY.min(limit / LOOKS)).await;
        let began = Instant::now();
        let look = timeout(LOOK_LIMIT.min(limit), look()).await;
        let look = look.unwrap_or_else(|_| Look::silent());
        waited.count(&look, began, Instant::now());
        match look {
            Look::Works(how) => tracing::info!(%how, "{what} is under way"),
            Look::Unknown(why) => tracing::warn!(%why, "nobody knows whether {what} is under way"),
            Look::Waits(why) if waited.sum >= limit => return why,
            Look::Waits(why) => tracing::warn!(%why, "{what} waits"),
        }
    }
}

#[derive(Debug, Default)]
struct Waited {
    sum: Duration,
    /// End of the look before, if it found a wait.
    since: Option<Instant>,
}

impl Waited {
    fn count(&mut self, look: &Look, began: Instant, ended: Instant) {
        match look {
            Look::Works(_) => *self = Self::default(),
            Look::Unknown(_) => self.since = None,
            Look::Waits(_) => {
                self.sum += ended.duration_since(self.since.unwrap_or(began));
                self.since = Some(ended);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds waited after looks every two seconds that take one each.
    fn waited(looks: &[Look]) -> u64 {
        let mut waited = Waited::default();
        let mut began = Instant::now();
        for look in looks {
            waited.count(look, began, began + Duration::from_secs(1));
            began += Duration::from_secs(3);
        }
        waited.sum.as_secs()
    }

    fn unknown() -> Look {
        Look::Unknown("SQLSTATE 53300".to_owned())
    }

    #[test]
    fn a_wait_is_counted_from_the_look_that_finds_it_until_work_is_found() {
        let held = Look::of(false, Some("somebody".to_owned()));
        assert_eq!(waited(std::slice::from_ref(&held)), 1);
        assert_eq!(waited(&[held.clone(), Look::silent(), held.clone()]), 7);
        assert_eq!(waited(&[held.clone(), held, Look::of(true, None)]), 0);
    }

    #[test]
    fn a_connection_that_died_is_a_wait_and_one_that_is_between_two_statements_is_not() {
        let dead = Look::of(false, None);
        assert_eq!(waited(&[dead.clone(), dead.clone(), dead.clone()]), 7);
        assert_eq!(waited(&[dead.clone(), Look::of(true, None), dead]), 1);
    }

    #[test]
    fn the_turn_of_another_is_no_wait() {
        let turn = Look::of(true, Some("another start".to_owned()));
        assert_eq!(waited(&[Look::silent(), turn.clone(), turn]), 0);
    }

    #[test]
    fn a_look_that_finds_nothing_out_neither_counts_nor_makes_good() {
        assert_eq!(waited(&[unknown(), unknown(), unknown()]), 0);
        let looks = [Look::silent(), unknown(), unknown(), Look::silent()];
        assert_eq!(waited(&looks), 2);
    }
}
