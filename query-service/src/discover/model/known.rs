//! What a model said of a sentence, so that the pages of one sentence are of one query, and are asked for once.
//!
//! Guarantees:
//! - Of a sentence at most one call is under way; who asks meanwhile waits for it.
//! - What was accepted stays: nothing that comes later takes its place.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::NaiveDate;
use discover::Translation;
use events_schema::record::RecordKind;
use lru::LruCache;
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::search::files::BuildFiles;

/// A few kilobytes each.
const MOST: NonZeroUsize = NonZeroUsize::new(1_024).unwrap();
/// How long nothing is expected of a sentence that was not answered: a page that is turned, a retry.
const UNANSWERED_FOR: Duration = Duration::from_secs(10);
/// How long nothing is expected of a sentence whose answer was not accepted: the model would say it again, unless it was
/// replaced or set right.
const REJECTED_FOR: Duration = Duration::from_secs(5 * 60);

/// A digest: what customers write is not kept.
type Key = [u8; 32];

/// What was said of a sentence.
#[derive(Debug, Clone)]
pub(super) enum Said {
    /// A tree that was accepted.
    Accepted(Arc<Translation>),
    /// Nothing that helps. Forgotten then.
    Nothing {
        /// When it is.
        until: Instant,
    },
}

impl Said {
    /// No answer came now, or nobody was asked.
    pub(super) fn unanswered(now: Instant) -> Self {
        Self::Nothing {
            until: now + UNANSWERED_FOR,
        }
    }

    /// An answer came now that was not accepted.
    pub(super) fn rejected(now: Instant) -> Self {
        Self::Nothing {
            until: now + REJECTED_FOR,
        }
    }

    pub(super) fn translation(self) -> Option<Arc<Translation>> {
        match self {
            Self::Accepted(translation) => Some(translation),
            Self::Nothing { .. } => None,
        }
    }

    fn is_over(&self, now: Instant) -> bool {
        matches!(self, Self::Nothing { until } if *until <= now)
    }
}

/// What there is to do about a sentence.
#[derive(Debug)]
pub(super) enum Turn {
    /// Nothing: this is known.
    Known(Said),
    /// To wait for the call that is under way.
    Wait(Awaited),
    /// To ask.
    Ask(UnderWay),
}

/// What is known, of the sentences that were asked for last. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Known(Arc<Mutex<Sentences>>);

#[derive(Debug)]
struct Sentences {
    said: LruCache<Key, Said>,
    /// No more than there are calls.
    under_way: HashMap<Key, watch::Receiver<Option<Said>>>,
}

impl Default for Sentences {
    fn default() -> Self {
        Self {
            said: LruCache::new(MOST),
            under_way: HashMap::new(),
        }
    }
}

impl Sentences {
    fn get(&mut self, key: &Key, now: Instant) -> Option<Said> {
        self.said
            .get(key)
            .filter(|said| !said.is_over(now))
            .cloned()
    }

    /// Keeps what was said, unless something better is known; what is known then.
    fn keep(&mut self, key: Key, said: Said, now: Instant) -> Said {
        match self.get(&key, now) {
            Some(known @ Said::Accepted(_)) => known,
            Some(_) | None => {
                self.said.put(key, said.clone());
                said
            }
        }
    }
}

impl Known {
    /// What there is to do about a sentence. Who is to ask does it, and everybody else waits, until the [`UnderWay`] is gone.
    pub(super) fn turn(&self, key: Key, now: Instant) -> Turn {
        let mut sentences = self.lock();
        if let Some(said) = sentences.get(&key, now) {
            return Turn::Known(said);
        }
        if let Some(call) = sentences.under_way.get(&key) {
            return Turn::Wait(Awaited(call.clone()));
        }
        let (tell, told) = watch::channel(None);
        sentences.under_way.insert(key, told);
        Turn::Ask(UnderWay {
            known: self.clone(),
            key,
            tell,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Sentences> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that is under way: whoever holds this makes it. Dropped, it is over, whether it has ended or not.
#[derive(Debug)]
pub(super) struct UnderWay {
    known: Known,
    key: Key,
    tell: watch::Sender<Option<Said>>,
}

impl UnderWay {
    /// For whoever waits for it.
    pub(super) fn awaited(&self) -> Awaited {
        Awaited(self.tell.subscribe())
    }

    /// Keeps what became of it and tells those who wait; what is known then.
    pub(super) fn end(self, said: Said, now: Instant) -> Said {
        let said = self.known.lock().keep(self.key, said, now);
        self.tell.send_replace(Some(said.clone()));
        said
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.known.lock().under_way.remove(&self.key);
    }
}

/// What a call that is under way will say.
#[derive(Debug)]
pub(super) struct Awaited(watch::Receiver<Option<Said>>);

impl Awaited {
    /// Waits for it; none if it ended without a word.
    pub(super) async fn said(mut self) -> Option<Said> {
        let said = self.0.wait_for(Option::is_some).await.ok()?;
        said.clone()
    }
}

/// Of the build's files, by which values are linked, and the sentence with what its dates count from.
pub(super) fn key(files: &BuildFiles, kind: RecordKind, text: &str, today: NaiveDate) -> Key {
    let mut digest = Sha256::new();
    for part in [
        files.build.as_str(),
        &files.sha256,
        kind.name(),
        &today.to_string(),
        text,
    ] {
        digest.update(part);
        digest.update([0]);
    }
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use dialect::Query;

    use super::*;

    const KEY: Key = [1; 32];

    fn accepted() -> Said {
        let sql = "SELECT * FROM person WHERE city = 'chicago'";
        let query = Query::parse(RecordKind::Person, sql).unwrap().query;
        Said::Accepted(Arc::new(Translation {
            query,
            interpretation: discover::Interpretation::default(),
        }))
    }

    fn ask(known: &Known, key: Key, now: Instant) -> UnderWay {
        match known.turn(key, now) {
            Turn::Ask(call) => call,
            turn => panic!("{turn:?}"),
        }
    }

    fn is_known(known: &Known, key: Key, now: Instant) -> bool {
        matches!(known.turn(key, now), Turn::Known(_))
    }

    #[test]
    fn that_no_answer_came_is_forgotten_soon_and_that_one_was_not_accepted_later() {
        let now = Instant::now();
        let known = Known::default();
        for (said, lasts) in [
            (Said::unanswered(now), UNANSWERED_FOR),
            (Said::rejected(now), REJECTED_FOR),
        ] {
            let until = now + lasts;
            ask(&known, KEY, now).end(said, now);
            assert!(is_known(&known, KEY, until - Duration::from_millis(1)));
            // The next one begins with nothing known.
            ask(&known, KEY, until);
            known.lock().said.clear();
        }
        ask(&known, KEY, now).end(accepted(), now);
        assert!(is_known(&known, KEY, now + 1_000 * REJECTED_FOR));
    }

    #[test]
    fn what_was_accepted_stays_whatever_comes_later() {
        let now = Instant::now();
        let known = Known::default();
        let late = ask(&known, KEY, now);
        known.lock().under_way.clear();
        ask(&known, KEY, now).end(accepted(), now);
        let said = late.end(Said::unanswered(now), now);
        assert!(said.translation().is_some());
        let Turn::Known(said) = known.turn(KEY, now) else {
            panic!("it is known")
        };
        assert!(said.translation().is_some());
    }

    #[test]
    fn what_was_not_answered_is_replaced_by_what_is_accepted() {
        let now = Instant::now();
        let mut sentences = Sentences::default();
        sentences.keep(KEY, Said::unanswered(now), now);
        sentences.keep(KEY, accepted(), now);
        let said = sentences.get(&KEY, now).unwrap();
        assert!(said.translation().is_some());
    }

    #[tokio::test]
    async fn of_a_sentence_one_call_is_under_way_and_the_others_wait_for_it() {
        let now = Instant::now();
        let known = Known::default();
        let call = ask(&known, KEY, now);
        let Turn::Wait(awaited) = known.turn(KEY, now) else {
            panic!("a call is under way")
        };
        // Another sentence has its own.
        drop(ask(&known, [2; 32], now));
        call.end(accepted(), now);
        assert!(awaited.said().await.unwrap().translation().is_some());
        assert!(known.lock().under_way.is_empty());
        assert!(is_known(&known, KEY, now));
    }

    #[tokio::test]
    async fn a_call_that_ends_without_a_word_is_waited_for_by_nobody_and_another_may_begin() {
        let now = Instant::now();
        let known = Known::default();
        let call = ask(&known, KEY, now);
        let awaited = call.awaited();
        drop(call);
        assert!(awaited.said().await.is_none());
        ask(&known, KEY, now);
    }

    #[test]
    fn only_so_many_are_kept() {
        let now = Instant::now();
        let mut sentences = Sentences::default();
        for at in 0..=MOST.get() {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&at.to_le_bytes());
            sentences.keep(key, Said::rejected(now), now);
        }
        assert!(sentences.get(&[0; 32], now).is_none());
        assert_eq!(sentences.said.len(), MOST.get());
    }
}
