//! Pauses between tries that go on for ever: doubled each time, up to a bound, and spread by chance.

use std::time::Duration;

use rand::RngExt;

/// Bounds of the pause between two tries.
#[derive(Debug, Clone, Copy)]
pub struct BackoffSettings {
    /// After the first failure.
    pub first: Duration,
    /// Never longer than this.
    pub longest: Duration,
}

#[derive(Debug)]
pub(super) struct Backoff {
    settings: BackoffSettings,
    next: Duration,
}

impl Backoff {
    pub(super) const fn new(settings: BackoffSettings) -> Self {
        Self {
            settings,
            next: settings.first,
        }
    }

    pub(super) const fn reset(&mut self) {
        self.next = self.settings.first;
    }

    /// Waits; half of the pause is chance, so that shards that failed together do not try together.
    pub(super) async fn pause(&mut self) {
        let pause = self.next.mul_f64(0.5 + rand::rng().random::<f64>() / 2.0);
        self.next = (self.next * 2).min(self.settings.longest);
        tokio::time::sleep(pause).await;
    }
}
