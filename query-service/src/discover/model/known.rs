//! What a model said of a sentence, so that the pages of one sentence are of one query, and are asked for once.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::NaiveDate;
use discover::Translation;
use events_schema::record::RecordKind;
use lru::LruCache;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use crate::search::files::BuildFiles;

/// A few kilobytes each.
const MOST: NonZeroUsize = NonZeroUsize::new(1_024).unwrap();
/// How long nothing is expected of a sentence for which no answer came: a page that is turned, a retry.
const NOTHING_FOR: Duration = Duration::from_secs(10);

/// A digest: what customers write is not kept.
type Key = [u8; 32];

/// What was said of a sentence.
#[derive(Debug, Clone)]
pub(super) enum Said {
    /// A tree that was accepted.
    Accepted(Arc<Translation>),
    /// An answer that was not; the model would say it again.
    Rejected,
    /// No answer came. Forgotten then.
    Nothing {
        /// When it is.
        until: Instant,
    },
}

impl Said {
    /// No answer came now.
    pub(super) fn nothing(now: Instant) -> Self {
        Self::Nothing {
            until: now + NOTHING_FOR,
        }
    }
}

/// What is known, of the sentences that were asked for last.
#[derive(Debug)]
pub(super) struct Known(Mutex<LruCache<Key, Said>>);

impl Default for Known {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MOST)))
    }
}

impl Known {
    pub(super) fn get(&self, key: &Key, now: Instant) -> Option<Said> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let said = known.get(key)?.clone();
        match said {
            Said::Nothing { until } if until <= now => None,
            said => Some(said),
        }
    }

    pub(super) fn put(&self, key: Key, said: Said) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.put(key, said);
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
    use super::*;

    #[test]
    fn that_no_answer_came_is_forgotten_soon() {
        let now = Instant::now();
        let known = Known::default();
        known.put([1; 32], Said::nothing(now));
        known.put([2; 32], Said::Rejected);
        assert!(known.get(&[1; 32], now).is_some());
        assert!(known.get(&[1; 32], now + NOTHING_FOR).is_none());
        assert!(known.get(&[2; 32], now + NOTHING_FOR).is_some());
        assert!(known.get(&[3; 32], now).is_none());
    }

    #[test]
    fn only_so_many_are_kept() {
        let known = Known::default();
        for at in 0..=MOST.get() {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&at.to_le_bytes());
            known.put(key, Said::Rejected);
        }
        assert!(known.get(&[0; 32], Instant::now()).is_none());
        assert_eq!(
            known.0.lock().map(|known| known.len()).ok(),
            Some(MOST.get())
        );
    }
}
