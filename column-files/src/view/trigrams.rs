//! Which blocks of a [`TextDictionary`] may hold a text, without a look at them: a signature of each block (a Bloom filter of its
//! trigrams with one hash), kept in slices of one bit, so that a search reads the slices of its own trigrams alone.

use super::TextDictionary;

/// Slices, and so bits of a block's signature.
pub(crate) const SLICES: usize = 4_096;
/// Trigrams of a search that are asked for: more of them rule out hardly a block that these do not.
const MAX_ASKED: usize = 64;

/// The slices of all trigrams of a text.
pub(crate) fn slices_of(text: &[u8]) -> impl Iterator<Item = usize> {
    // By Knuth's multiplicative hashing: the upper twelve bits.
    let slice = |[a, b, c]: [u8; 3]| {
        let trigram = u32::from_le_bytes([a, b, c, 0]);
        (trigram.wrapping_mul(0x9E37_79B1) >> 20) as usize
    };
    text.array_windows().map(move |trigram| slice(*trigram))
}

impl TextDictionary<'_> {
    /// A bit a block: whether it may have a text with all of these in it ([`super::TAIL_END`] behind what stands at the end). None where that
    /// is not known: a small dictionary, or nothing of three bytes.
    #[must_use]
    pub(crate) fn blocks_with<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t [u8]>,
    ) -> Option<Vec<u64>> {
        let words = (self.block_count() as usize).div_ceil(64);
        let mut slices = texts.into_iter().flat_map(slices_of);
        let slice = |at: usize| self.trigrams.get(at * words..(at + 1) * words);
        let mut blocks = slice(slices.next()?)?.to_vec();
        for at in slices.take(MAX_ASKED - 1) {
            for (word, of_slice) in blocks.iter_mut().zip(slice(at)?) {
                *word &= of_slice;
            }
        }
        (!blocks.is_empty()).then_some(blocks)
    }
}
