//! A pattern's way through a dictionary of texts, in slices.

use super::code_set::CodeSet;
use super::pattern::Pattern;
use super::slice::Slice;
use super::text::Seeker;
use crate::view::{BLOCK_ENTRIES, TextDictionary};

/// Bytes of text that are gone through between two looks at the clock.
const BYTES: usize = 32 * 1024;

/// A search through the blocks of a dictionary.
#[derive(Debug)]
pub(super) struct Seek {
    pub(super) seeker: Seeker,
    /// What decides where the needle does not.
    pub(super) pattern: Option<Pattern>,
    pub(super) negated: bool,
    /// Codes that may match at all, and the block that comes next.
    pub(super) span: (u32, u32),
    pub(super) next: u32,
    /// One bit an entry, from the first block of `span`.
    pub(super) bits: Vec<u64>,
}

impl Seek {
    /// Works until the slice is over; says whether the search is done.
    pub(super) fn advance(&mut self, dictionary: &TextDictionary<'_>, slice: &Slice) -> bool {
        let end = self
            .span
            .1
            .div_ceil(BLOCK_ENTRIES)
            .min(dictionary.block_count());
        let mut bytes = 0;
        let mut text = Vec::new();
        while self.next < end
            && let Some(block) = dictionary.block(self.next)
        {
            let mut found = self.seeker.find(&block);
            bytes += block.tails.len();
            if let Some(pattern) = &self.pattern
                && found != 0
            {
                for (entry, (_, tail)) in block.texts().enumerate() {
                    if found >> entry & 1 == 1 {
                        text.clear();
                        text.extend_from_slice(block.prefix);
                        text.extend_from_slice(tail);
                        bytes += 64 + 8 * text.len();
                        if !pattern.matches(&text) {
                            found ^= 1 << entry;
                        }
                    }
                }
            }
            self.bits.extend([found as u64, (found >> 64) as u64]);
            self.next += 1;
            if bytes > BYTES {
                bytes = 0;
                if slice.is_over() {
                    return self.next == end;
                }
            }
        }
        true
    }

    /// The codes that match, or those that do not.
    pub(super) fn finish(self, known: u32) -> CodeSet {
        let Self {
            negated,
            span,
            bits,
            ..
        } = self;
        // The first bit is that of an entry, and entries are one less than codes.
        let before = (span.0 - 1) / BLOCK_ENTRIES * (BLOCK_ENTRIES / 64);
        let mut shifted = vec![0; before as usize];
        let mut carry = 0;
        for word in bits {
            shifted.push(word << 1 | carry);
            carry = word >> 63;
        }
        shifted.push(carry);
        shifted.resize(super::code_set::words(known), 0);
        let mut found = CodeSet::of_bits(known, shifted);
        if span != (1, known) {
            found = found.and(&CodeSet::of_runs(known, vec![span]));
        }
        if negated { found.other_known() } else { found }
    }
}
