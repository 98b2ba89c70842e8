//! Which query-services live, which builds they answer from and which they hold the search files of: their heartbeats,
//! in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use events_schema::api::internal::Heartbeat;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use service_kit::Clock;
use tokio::sync::Notify;
use uuid::Uuid;

/// A query-service that was not heard of for so long does not count as live. A process that runs for so long has heard of all that do.
const LIVE: Duration = Duration::from_secs(5);
/// How often a wait looks again although no heartbeat came: silence, too, ends a wait.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// Most instances remembered; more than any deployment has.
const MAX_INSTANCES: usize = 1_024;

/// A build that an activation waits for.
#[derive(Debug, Clone, Copy)]
pub struct Awaited<'a> {
    /// Its name.
    pub build: &'a BuildName,
    /// Person or company.
    pub kind: RecordKind,
    /// Whether it has search files: then a query-service must hold them, too.
    pub has_search_files: bool,
}

impl Awaited<'_> {
    fn is_served_by(&self, heartbeat: &Heartbeat) -> bool {
        let answers_from = match self.kind {
            RecordKind::Person => heartbeat.person_build.as_ref(),
            RecordKind::Company => heartbeat.company_build.as_ref(),
        };
        answers_from == Some(self.build)
            && (!self.has_search_files || heartbeat.searchable.contains(self.build))
    }
}

/// The heartbeats. Cheap to clone.
#[derive(Clone)]
pub struct Presence(Arc<Inner>);

struct Inner {
    clock: Arc<dyn Clock>,
    started: Instant,
    heard: Mutex<HashMap<Uuid, (Heartbeat, Instant)>>,
    changed: Notify,
}

impl Presence {
    /// Nobody was heard of yet.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Inner {
            started: clock.monotonic(),
            clock,
            heard: Mutex::default(),
            changed: Notify::new(),
        }))
    }

    /// Notes a heartbeat.
    pub fn note(&self, heartbeat: Heartbeat) {
        let now = self.0.clock.monotonic();
        {
            let mut heard = self.lock();
            heard.retain(|_, (_, at)| now.duration_since(*at) < LIVE);
            if heard.len() < MAX_INSTANCES || heard.contains_key(&heartbeat.instance) {
                heard.insert(heartbeat.instance, (heartbeat, now));
            }
        }
        self.0.changed.notify_waiters();
    }

    /// The last heartbeat of every live query-service, by name.
    #[must_use]
    pub fn live(&self) -> Vec<Heartbeat> {
        let now = self.0.clock.monotonic();
        let heard = self.lock();
        let live = heard
            .values()
            .filter(|(_, at)| now.duration_since(*at) < LIVE);
        let mut live: Vec<Heartbeat> = live.map(|(heartbeat, _)| heartbeat.clone()).collect();
        live.sort_by(|a, b| a.name.cmp(&b.name));
        live
    }

    /// Waits until every live query-service answers from a build, at most `limit`; gives the names of those that do not. A process that
    /// has just started has not heard of them yet.
    pub async fn wait_for(&self, build: Awaited<'_>, limit: Duration) -> Vec<String> {
        let deadline = tokio::time::Instant::now() + limit;
        loop {
            let changed = self.0.changed.notified();
            let behind = behind(self.live(), build);
            if self.age() >= LIVE && behind.is_empty() || tokio::time::Instant::now() >= deadline {
                return behind;
            }
            tokio::select! {
                () = changed => {}
                () = tokio::time::sleep(LOOK_AGAIN) => {}
                () = tokio::time::sleep_until(deadline) => {}
            }
        }
    }

    fn age(&self) -> Duration {
        self.0.clock.monotonic().duration_since(self.0.started)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Uuid, (Heartbeat, Instant)>> {
        self.0.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn behind(live: Vec<Heartbeat>, build: Awaited<'_>) -> Vec<String> {
    live.into_iter()
        .filter(|heartbeat| !build.is_served_by(heartbeat))
        .map(|heartbeat| heartbeat.name)
        .collect()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use service_kit::ManualClock;

    use super::*;

    fn heartbeat(n: u128, person_build: Option<&str>) -> Heartbeat {
        Heartbeat {
            instance: Uuid::from_u128(n),
            name: format!("query-{n}"),
            person_build: person_build.map(|name| name.parse().unwrap()),
            company_build: None,
            searchable: Vec::new(),
        }
    }

    fn person(build: &BuildName, has_search_files: bool) -> Awaited<'_> {
        Awaited {
            build,
            kind: RecordKind::Person,
            has_search_files,
        }
    }

    /// Of a process that has heard of whoever lives.
    fn settled() -> Presence {
        let clock = ManualClock::at(DateTime::UNIX_EPOCH);
        let presence = Presence::new(Arc::new(clock.clone()));
        clock.advance(LIVE);
        presence
    }

    #[tokio::test]
    async fn who_has_just_started_waits_for_heartbeats() {
        let clock = ManualClock::at(DateTime::UNIX_EPOCH);
        let presence = Presence::new(Arc::new(clock.clone()));
        let build = "b1".parse().unwrap();
        let (waiting, ()) = tokio::join!(
            presence.wait_for(person(&build, false), Duration::from_secs(60)),
            async {
                presence.note(heartbeat(1, Some("b1")));
                tokio::task::yield_now().await;
                clock.advance(LIVE - Duration::from_secs(1));
                presence.note(heartbeat(2, None));
                clock.advance(Duration::from_secs(1));
                tokio::task::yield_now().await;
                presence.note(heartbeat(2, Some("b1")));
            },
        );
        assert!(waiting.is_empty());
        // Where nobody lives nobody is waited for.
        clock.advance(LIVE);
        let waiting = presence.wait_for(person(&build, false), Duration::from_secs(60));
        assert!(waiting.await.is_empty());
    }

    #[tokio::test]
    async fn who_answers_from_another_build_is_named_until_the_limit() {
        let presence = settled();
        presence.note(heartbeat(1, Some("b1")));
        presence.note(heartbeat(2, None));
        let build = "b1".parse().unwrap();
        let limit = Duration::from_millis(20);
        let waiting = presence.wait_for(person(&build, false), limit).await;
        assert_eq!(waiting, ["query-2"]);
    }

    #[tokio::test]
    async fn a_heartbeat_from_the_build_ends_the_wait() {
        let presence = settled();
        presence.note(heartbeat(1, None));
        let build = "b1".parse().unwrap();
        let (waiting, ()) = tokio::join!(
            presence.wait_for(person(&build, false), Duration::from_secs(60)),
            async { presence.note(heartbeat(1, Some("b1"))) },
        );
        assert!(waiting.is_empty());
    }

    #[tokio::test]
    async fn who_answers_from_the_build_without_holding_its_search_files_is_waited_for() {
        let presence = settled();
        let (build, other) = ("b1".parse().unwrap(), "b0".parse().unwrap());
        let mut heard = heartbeat(1, Some("b1"));
        heard.searchable = vec![other];
        presence.note(heard.clone());
        let limit = Duration::from_millis(20);
        let waiting = presence.wait_for(person(&build, true), limit).await;
        assert_eq!(waiting, ["query-1"]);
        let waiting = presence.wait_for(person(&build, false), limit).await;
        assert!(waiting.is_empty(), "a build without files asks for none");
        let (waiting, ()) = tokio::join!(
            presence.wait_for(person(&build, true), Duration::from_secs(60)),
            async {
                heard.searchable.push(build.clone());
                presence.note(heard);
            },
        );
        assert!(waiting.is_empty());
    }

    #[test]
    fn silence_for_five_seconds_ends_a_life() {
        let clock = ManualClock::at(DateTime::UNIX_EPOCH);
        let presence = Presence::new(Arc::new(clock.clone()));
        presence.note(heartbeat(1, None));
        clock.advance(Duration::from_secs(4));
        presence.note(heartbeat(2, None));
        assert_eq!(presence.live().len(), 2);
        clock.advance(Duration::from_secs(2));
        let names: Vec<String> = presence.live().into_iter().map(|h| h.name).collect();
        assert_eq!(names, ["query-2"]);
    }
}
