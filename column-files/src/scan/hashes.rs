//! Hashes that are not kept: those of addresses, computed.

use super::compare::TextTest;
use super::kernel::{How, Lookup};
use crate::email_hash;
use crate::view::{BLOCK_ENTRIES, ColumnView, Dictionary, HashAlgorithm};

/// Hashes to compute between two looks at the clock.
const ENTRIES: u32 = 256;

/// A test of the hashes of addresses.
pub(super) struct Hashes<'a> {
    pub(super) column: &'a ColumnView<'a>,
    pub(super) algorithm: HashAlgorithm,
    pub(super) fingerprints: &'a [u16],
    pub(super) test: &'a TextTest,
    /// Fingerprints that the test can be true of, if those are few.
    pub(super) likely: Option<&'a Lookup>,
}

impl Hashes<'_> {
    /// Tests the next addresses; says whether those were the last ones.
    pub(super) fn advance(&self, bits: &mut [u64], next: &mut u32, known: u32) -> bool {
        let Dictionary::Text(dictionary) = &self.column.dictionary else {
            return true;
        };
        let (mut address, mut hex) = (Vec::new(), Vec::new());
        let mut test = |code: u32, address: &[u8]| {
            email_hash::write_hex(self.algorithm, address, &mut hex);
            if self.test.holds(&hex)
                && let Some(word) = bits.get_mut(code as usize / 64)
            {
                *word |= 1 << (code % 64);
            }
        };
        let Some(likely) = self.likely else {
            // Two blocks, one after the other.
            for _ in 0..ENTRIES / BLOCK_ENTRIES {
                let Some(block) = dictionary.block(*next / BLOCK_ENTRIES) else {
                    return true;
                };
                for (code, tail) in block.texts() {
                    address.clear();
                    address.extend_from_slice(block.prefix);
                    address.extend_from_slice(tail);
                    test(code, &address);
                }
                *next = next.saturating_add(BLOCK_ENTRIES);
            }
            return *next >= known;
        };
        let end = next.saturating_add(ENTRIES * 64).min(known);
        let fingerprints = self
            .fingerprints
            .get(*next as usize..end as usize)
            .unwrap_or_default();
        let mut found = vec![u64::MAX; fingerprints.len().div_ceil(64)];
        likely.put(fingerprints, &mut found, None, How::And);
        for (at, word) in (*next..).step_by(64).zip(found) {
            let mut rest = word;
            while rest != 0 {
                let code = at + rest.trailing_zeros() + 1;
                rest &= rest - 1;
                if code <= end
                    && let Some(text) = dictionary.text(code)
                {
                    test(code, &text);
                }
            }
        }
        *next = end;
        end >= known
    }
}
