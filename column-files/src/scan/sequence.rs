//! Several literals in the texts of a block at once, each behind the one before: `%a%b` where most texts have `a` and `b`.
//!
//! The places where a literal begins are bits, one a byte. For each literal a carry starts in every text where the literal
//! before ended and runs to the first place where the next one begins, or to the text's end: one addition for 64 bytes.

use super::rows::row_ends;
use super::text::{Places, Rarity, entries_of, padded, places_of};
use crate::view::{Block, TAIL_END};

/// Bytes of texts, once for each literal, that are gone through without a look at the clock.
const AT_ONCE: usize = 4 << 20;

/// Literals in their order.
#[derive(Debug)]
pub(super) struct Sequence {
    /// Bytes in front of the first literal that are known to match.
    lead: usize,
    /// The last one with [`TAIL_END`] where it must stand at the end.
    literals: Vec<Vec<u8>>,
    /// Bytes of the longest one.
    longest: usize,
    rarity: Rarity,
    /// Bytes of texts that the last search went through, once for each literal that it looked for.
    passed: usize,
    padded: Vec<u8>,
    ends: Vec<u64>,
    /// In each text, where the next literal may begin.
    starts: Vec<u64>,
    /// In each text that still matches, where the last literal begins.
    found: Vec<u64>,
}

impl Sequence {
    /// Literals behind the first `lead` bytes of a text.
    pub(super) fn new(lead: usize, literals: Vec<Vec<u8>>, rarity: Rarity) -> Self {
        Self {
            lead,
            longest: literals.iter().map(Vec::len).max().unwrap_or(0),
            literals,
            rarity,
            passed: 0,
            padded: Vec::new(),
            ends: Vec::new(),
            starts: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Bytes of texts that the last [`Sequence::find`] went through.
    pub(super) const fn passed(&self) -> usize {
        self.passed
    }

    /// Whether a block's texts are so short, and the literals so few, that nobody has to wait for a search in them.
    pub(super) fn is_for(&self, block: &Block<'_>) -> bool {
        block.tails.len().saturating_mul(self.literals.len()) <= AT_ONCE
    }

    /// The texts of a block that have all, one bit each; none where a literal may stand partly in what all texts of the
    /// block begin with, or `lead` ends behind that: each text is then to be looked at by itself.
    pub(super) fn find(&mut self, block: &Block<'_>) -> Option<u128> {
        self.passed = 0;
        let mut open = block.prefix.get(self.lead..)?;
        let mut literals = self.literals.as_slice();
        while let [next, others @ ..] = literals
            && let Some(at) = memchr::memmem::find(open, next)
        {
            open = open.get(at + next.len()..)?;
            literals = others;
        }
        let Some(next) = literals.first() else {
            return Some(u128::MAX);
        };
        let is_astride = |head| next.get(..head).is_some_and(|head| open.ends_with(head));
        if (1..next.len().min(open.len() + 1)).any(is_astride) {
            return None;
        }
        padded(block.tails, self.longest, &mut self.padded);
        let words = block.tails.len().div_ceil(64);
        let (blocks, _) = self.padded.as_chunks();
        self.ends.clear();
        let ends = blocks
            .iter()
            .take(words)
            .map(|block| places_of(block, TAIL_END));
        self.ends.extend(ends);
        self.starts.clear();
        self.starts.resize(words, 0);
        if let Some(first) = self.starts.first_mut() {
            *first = 1;
        }
        move_up(&self.ends, 1, &mut self.starts);
        for literal in literals {
            // No text has the literals before: none has all.
            if self.starts.iter().all(|word| *word == 0) {
                return Some(0);
            }
            self.passed += block.tails.len();
            let places = Places::new(&self.padded, literal, &self.rarity);
            self.found.clear();
            let mut carry = 0;
            for (at, (ends, starts)) in self.ends.iter().zip(&self.starts).enumerate() {
                let matches = places.at(at);
                let passed = !matches & !ends;
                let (sum, over) = passed.overflowing_add(*starts);
                let (sum, over_again) = sum.overflowing_add(carry);
                carry = u64::from(over | over_again);
                self.found.push(sum & matches);
            }
            self.starts.fill(0);
            move_up(&self.found, literal.len(), &mut self.starts);
        }
        let (mut entries, mut entry, mut carry) = (0, 0, 0);
        for (matches, ends) in self.found.iter().zip(&self.ends) {
            let (last, over) = row_ends(*matches, *ends, carry);
            carry = over;
            entries |= entries_of(last, *ends, entry);
            entry += ends.count_ones();
        }
        Some(entries)
    }
}

/// Adds the bits of `from` to `to`, so many places higher.
fn move_up(from: &[u64], places: usize, to: &mut [u64]) {
    let (words, bits) = (places / 64, places as u32 % 64);
    let lower = std::iter::once(0).chain(from.iter().copied());
    let moved = lower.zip(from).map(|(lower, word)| {
        let carried = lower.checked_shr(64 - bits).unwrap_or(0);
        word << bits | carried
    });
    for (word, moved) in to.iter_mut().skip(words).zip(moved) {
        *word |= moved;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pattern::Pattern;
    use super::super::text::tests::laid_out;
    use super::*;
    use crate::view::TextDictionary;

    #[test]
    fn literals_behind_one_that_no_text_has_are_not_looked_for() {
        let texts: Vec<String> = (0..100).map(|text| format!("{text:02}a0a")).collect();
        let (starts, bytes) = laid_out(&texts);
        let dictionary = TextDictionary {
            len: 100,
            blocks: &starts,
            bytes: &bytes,
            ..TextDictionary::default()
        };
        let block = dictionary.block(0).unwrap();
        let literals = [b"0".to_vec(), b"a".to_vec(), b"e".to_vec()];
        let literals = literals.into_iter().cycle().take(30_000).collect();
        let mut sequence = Sequence::new(0, literals, Rarity::of(&dictionary));
        assert_eq!(sequence.find(&block), Some(0));
        assert_eq!(sequence.passed(), 3 * block.tails.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn many_literals_are_found_as_one_by_one(
            texts in prop::collection::btree_set("(ab|abc|[ab]{0,3})[abc]{0,9}|[abc]{60,70}|ä[ab]{0,5}", 1..400),
            pattern in "(ab?)?(%(a|bc|ab|c|aa|[abc]{60}|ä)){1,4}%?",
        ) {
            let texts: Vec<String> = texts.into_iter().collect();
            let (starts, bytes) = laid_out(&texts);
            let dictionary = TextDictionary { len: texts.len() as u32, blocks: &starts, bytes: &bytes, ..TextDictionary::default() };
            let pattern = Pattern::of(&pattern);
            let Some((lead, literals)) = pattern.literals() else { return Ok(()) };
            let mut sequence = Sequence::new(lead.len(), literals, Rarity::of(&dictionary));
            for block in dictionary.blocks() {
                let whole = |tail: &[u8]| [block.prefix, tail].concat();
                if !block.texts().all(|(_, tail)| whole(tail).starts_with(lead)) {
                    continue;
                }
                let Some(found) = sequence.find(&block) else { continue };
                for (at, (_, tail)) in block.texts().enumerate() {
                    let text = whole(tail);
                    prop_assert_eq!(found >> at & 1 == 1, pattern.matches(&text), "{:?} {:?}", pattern, String::from_utf8_lossy(&text));
                }
            }
        }
    }

    #[test]
    fn bits_move_across_words() {
        for places in [0, 1, 63, 64, 65, 130] {
            let mut moved = vec![0; 4];
            move_up(&[1 | 1 << 63, 1 << 5, 0, 0], places, &mut moved);
            let bits: Vec<usize> = (0..256)
                .filter(|at| moved[at / 64] >> (at % 64) & 1 == 1)
                .collect();
            assert_eq!(bits, [places, places + 63, places + 69]);
        }
    }
}
