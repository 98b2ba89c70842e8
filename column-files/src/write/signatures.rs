//! The signatures of a dictionary's blocks, collected block by block and turned into slices at the end.

use crate::view::TAIL_END;
use crate::view::trigrams::{SLICES, slices_of};

/// 512 bytes a block.
#[derive(Debug)]
pub(crate) struct Signatures {
    /// Of the block that is being collected.
    block: Box<[u64; SLICES / 64]>,
    text: Vec<u8>,
    /// Of 64 blocks each: a word a slice.
    groups: Vec<u64>,
    blocks: usize,
}

impl Signatures {
    pub(crate) fn new() -> Self {
        Self {
            block: Box::new([0; SLICES / 64]),
            text: Vec::new(),
            groups: Vec::new(),
            blocks: 0,
        }
    }

    /// Adds a text of the block.
    pub(crate) fn add(&mut self, text: &[u8]) {
        self.text.clear();
        self.text.extend_from_slice(text);
        self.text.push(TAIL_END);
        for slice in slices_of(&self.text) {
            if let Some(word) = self.block.get_mut(slice / 64) {
                *word |= 1 << (slice % 64);
            }
        }
    }

    /// The next text is of another block.
    pub(crate) fn end_block(&mut self) {
        let place = self.blocks % 64;
        if place == 0 {
            self.groups.resize(self.groups.len() + SLICES, 0);
        }
        let group = self.groups.len() - SLICES;
        let group = self.groups.get_mut(group..).unwrap_or_default();
        for (word, slices) in self.block.iter_mut().zip(group.chunks_mut(64)) {
            let mut bits = std::mem::take(word);
            while bits != 0 {
                if let Some(slice) = slices.get_mut(bits.trailing_zeros() as usize) {
                    *slice |= 1 << place;
                }
                bits &= bits - 1;
            }
        }
        self.blocks += 1;
    }

    /// The words of each slice, in order.
    pub(crate) fn slices(&self) -> impl Iterator<Item = impl Iterator<Item = u64>> {
        (0..SLICES).map(|slice| self.groups.iter().skip(slice).step_by(SLICES).copied())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::view::{BLOCK_ENTRIES, TextDictionary};

    /// The slices of texts in blocks of so many.
    pub(crate) fn signed(texts: &[String], block: usize) -> Vec<u64> {
        let mut signatures = Signatures::new();
        for block in texts.chunks(block) {
            for text in block {
                signatures.add(text.as_bytes());
            }
            signatures.end_block();
        }
        signatures.slices().flatten().collect()
    }

    proptest! {
        #[test]
        fn a_block_that_has_all_texts_is_promising(
            texts in prop::collection::vec("[a-cé]{0,12}", 1..300),
            needles in prop::collection::vec("[a-cé]{0,5}", 1..4),
            at_end: bool,
        ) {
            let blocks: Vec<&[String]> = texts.chunks(2).collect();
            let trigrams = signed(&texts, 2);
            let starts = vec![0; blocks.len() + 1];
            let dictionary = TextDictionary {
                len: blocks.len() as u32 * BLOCK_ENTRIES,
                blocks: &starts,
                trigrams: &trigrams,
                ..TextDictionary::default()
            };
            let mut sought: Vec<Vec<u8>> = needles.iter().map(|needle| needle.clone().into_bytes()).collect();
            if at_end && let Some(last) = sought.last_mut() {
                last.push(TAIL_END);
            }
            let has = |text: &String| {
                needles.iter().all(|needle| text.contains(needle))
                    && (!at_end || text.ends_with(needles.last().unwrap()))
            };
            let promising = dictionary.blocks_with(sought.iter().map(Vec::as_slice));
            prop_assert_eq!(promising.is_none(), sought.iter().all(|text| text.len() < 3));
            let promising = promising.unwrap_or_else(|| vec![u64::MAX; 5]);
            for (at, block) in blocks.iter().enumerate() {
                prop_assert!(promising[at / 64] >> (at % 64) & 1 == 1 || !block.iter().any(has));
            }
        }

        /// Of random texts, hardly any block is looked at in vain.
        #[test]
        fn a_block_that_has_no_such_text_is_seldom_promising(texts in prop::collection::vec("[a-z]{8}", 8_192)) {
            let trigrams = signed(&texts, BLOCK_ENTRIES as usize);
            let dictionary = TextDictionary { len: 8_192, blocks: &[0; 65], trigrams: &trigrams, ..TextDictionary::default() };
            let promising = dictionary.blocks_with([&b"0123456"[..]]).unwrap();
            prop_assert!(promising[0].count_ones() <= 4, "{promising:?}");
        }
    }
}
