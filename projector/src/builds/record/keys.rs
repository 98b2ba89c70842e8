//! What leads to a record: kind, 16 bytes, flags. Each kind and key once, with the best flags.

use normalize::keys::{self, KeyKind};

/// One row of `person_key` or `company_key`, but for the rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Number of the kind.
    pub kind: i16,
    /// The key.
    pub key: [u8; 16],
    /// Bit 0 = the data point is not current, bits 1 and 2 = its level.
    pub flags: i16,
}

/// Collects the keys of one record.
#[derive(Default)]
pub(super) struct Keys(Vec<Key>);

impl Keys {
    /// A normalized text.
    pub(super) fn text(&mut self, kind: impl KeyKind, text: &str, flags: i16) {
        if !text.is_empty() {
            self.bytes(kind, keys::key(kind, text), flags);
        }
    }

    /// A key that is made already.
    pub(super) fn bytes(&mut self, kind: impl KeyKind, key: [u8; 16], flags: i16) {
        self.0.push(Key {
            kind: kind.number(),
            key,
            flags,
        });
    }

    /// Each key once; of several data points with one key the best counts.
    pub(super) fn finish(mut self) -> Vec<Key> {
        self.0
            .sort_unstable_by_key(|key| (key.kind, key.key, goodness(key.flags)));
        self.0.dedup_by_key(|key| (key.kind, key.key));
        self.0
    }
}

/// Smaller is better: current before not current, then the higher level (unknown counts as moderate).
fn goodness(flags: i16) -> (bool, i16) {
    let level = match flags >> 1 {
        0 => 2,
        level => level,
    };
    (flags & 1 == 1, -level)
}

#[cfg(test)]
mod tests {
    use normalize::keys::PersonKey;

    use super::*;

    #[test]
    fn of_two_data_points_with_one_key_the_better_counts() {
        let mut keys = Keys::default();
        for flags in [1 | (3 << 1), 1 << 1, 2 << 1] {
            keys.text(PersonKey::Phone, "+13125550142", flags);
        }
        let keys = keys.finish();
        assert_eq!((keys.len(), keys[0].flags), (1, 2 << 1));
    }
}
