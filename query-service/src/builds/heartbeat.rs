//! Telling every command-service which builds answer here, so that `activate` knows when all have followed.

use std::time::Duration;

use events_schema::api::internal::Heartbeat;
use events_schema::record::RecordKind;
use http::{HeaderMap, Method};
use service_kit::client::{CallFault, Client};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Builds;

/// How long one is waited for: less than command-service waits for the next one, so that one that is lost ends no life.
const HEARD_WITHIN: Duration = Duration::from_secs(2);

/// Sends heartbeats.
#[derive(Debug)]
pub struct Heartbeats {
    /// Base URLs of all internal listeners of command-service.
    pub urls: Vec<String>,
    /// With the token of those listeners.
    pub client: Client,
    /// This process.
    pub instance: Uuid,
    /// Its name for operators.
    pub name: String,
}

impl Heartbeats {
    /// Tells each command-service by itself until shutdown: one that does not answer must not keep the others from hearing
    /// that this process lives.
    pub async fn run(self, builds: Builds, every: Duration, shutdown: CancellationToken) {
        let beats = self.urls.iter().map(|url| self.beat(url, &builds, every));
        tokio::select! {
            () = shutdown.cancelled() => {}
            _ = futures::future::join_all(beats) => shutdown.cancelled().await,
        }
    }

    /// Sends one at each tick and one more as soon as a build or its search files change.
    async fn beat(&self, url: &str, builds: &Builds, every: Duration) {
        let mut changes = builds.0.active.subscribe();
        let mut held = builds.0.shelf.changes();
        let mut ticks = tokio::time::interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                Ok(()) = changes.changed() => {}
                Ok(()) = held.changed() => {}
            }
            let mut searchable: Vec<_> = held.borrow_and_update().keys().cloned().collect();
            searchable.sort();
            let heartbeat = {
                let active = changes.borrow_and_update();
                Heartbeat {
                    instance: self.instance,
                    name: self.name.clone(),
                    person_build: active.build(RecordKind::Person),
                    company_build: active.build(RecordKind::Company),
                    searchable,
                }
            };
            let sent = tokio::time::timeout(HEARD_WITHIN, self.send(url, &heartbeat));
            if sent.await.is_err() {
                tracing::debug!("a heartbeat was not answered");
            }
        }
    }

    async fn send(&self, url: &str, heartbeat: &Heartbeat) {
        let url = format!("{}/internal/heartbeat", url.trim_end_matches('/'));
        let Ok(body) = serde_json::to_vec(heartbeat) else {
            return;
        };
        let answer = self
            .client
            .send(Method::POST, &url, HeaderMap::new(), body.into())
            .await;
        match answer {
            Ok(answer) if answer.status.is_success() => {}
            Ok(answer) => {
                tracing::debug!(status = answer.status.as_u16(), "a heartbeat was refused")
            }
            Err(CallFault::Unreachable(_)) => tracing::debug!("a heartbeat found nobody"),
            Err(fault) => tracing::debug!(%fault, "a heartbeat failed"),
        }
    }
}
