//! A pattern's way through a dictionary of texts, in slices.

use super::code_set::CodeSet;
use super::pattern::{Begun, Pattern, Progress};
use super::sequence::Sequence;
use super::slice::Slice;
use super::text::{Rarity, Seeker};
use crate::view::{BLOCK_ENTRIES, Block, TAIL_END, TextDictionary};

/// Bytes of text that are gone through between two looks at the clock.
const BYTES: usize = 32 * 1024;
/// After a block with more matches than this all literals are sought at once, where the pattern allows it.
const MANY: u32 = 16;

/// What a block costs that is passed over, in bytes of text.
const SKIPPED: usize = 8;

/// What a text costs that is looked at by itself, beside its bytes.
const TEXT: usize = 16;

/// How much longer a block's texts are than four bytes for each, and more.
const NARROW: usize = 8;

/// A search through the blocks of a dictionary.
#[derive(Debug)]
pub(super) struct Seek {
    seeker: Seeker,
    /// What decides where the needle does not.
    pattern: Option<Pattern>,
    /// The same for many texts at once.
    sequence: Option<Sequence>,
    /// The block before had many texts with the needle.
    is_dense: bool,
    negated: bool,
    /// Codes that may match at all, and the block that comes next.
    span: (u32, u32),
    next: u32,
    /// One bit a block: whether it may have a match; none if that is not known.
    promising: Option<Vec<u64>>,
    /// Of the block before, texts that have the needle and are still to be looked at, and those that match.
    open: (u128, u128),
    /// How far the first one that is still to be looked at is matched.
    progress: Option<Progress>,
    /// One bit an entry, from the first block of `span`.
    bits: Vec<u64>,
}

impl Seek {
    /// A search among the codes from `span.0` to `span.1`, which all begin with the pattern's lead.
    pub(super) fn new(
        dictionary: &TextDictionary<'_>,
        pattern: Pattern,
        negated: bool,
        span: (u32, u32),
    ) -> Self {
        let (needle, literals) = (pattern.needle(), pattern.literals());
        let (text, at_end) = needle.as_ref().map_or((&[][..], false), |needle| {
            (needle.text.as_slice(), needle.at_end)
        });
        let decides = needle.as_ref().is_some_and(|needle| needle.decides);
        let rarity = Rarity::of(dictionary);
        let promising = match &literals {
            Some((lead, literals)) => {
                dictionary.blocks_with(literals.iter().map(Vec::as_slice).chain([*lead]))
            }
            None => {
                let end: &[u8] = if at_end { &[TAIL_END] } else { &[] };
                dictionary.blocks_with([&*[text, end].concat()])
            }
        };
        let sequence = literals.map(|(lead, literals)| Sequence::new(lead.len(), literals, rarity));
        Self {
            seeker: Seeker::new(text, at_end, rarity),
            sequence: sequence.filter(|_| !decides),
            is_dense: false,
            pattern: (!decides).then_some(pattern),
            negated,
            span,
            next: span.0.saturating_sub(1) / BLOCK_ENTRIES,
            promising,
            open: (0, 0),
            progress: None,
            bits: Vec::new(),
        }
    }

    /// Whether signatures leave so few blocks that to go through the texts of those is less than a number of each text.
    pub(super) fn is_narrow(&self) -> bool {
        let Some(promising) = &self.promising else {
            return false;
        };
        let left: u32 = promising.iter().map(|word| word.count_ones()).sum();
        left as usize * NARROW < promising.len() * 64
    }

    /// Works until the slice is over; says whether the search is done.
    pub(super) fn advance(&mut self, dictionary: &TextDictionary<'_>, slice: &Slice) -> bool {
        let end = self
            .span
            .1
            .div_ceil(BLOCK_ENTRIES)
            .min(dictionary.block_count());
        let mut steps = 0;
        loop {
            // Texts that are still to be looked at belong to the block before the next one.
            if self.open.0 != 0 {
                let Some(block) = dictionary.block(self.next - 1) else {
                    return true;
                };
                self.test_each(&block, &mut steps, slice);
            } else if self.next < end && !self.may_match(self.next) {
                self.next += 1;
                steps += SKIPPED;
            } else if self.next < end
                && let Some(block) = dictionary.block(self.next)
            {
                steps += self.find(&block).max(SKIPPED);
                self.next += 1;
            } else {
                return true;
            }
            if self.open.0 == 0 {
                let found = std::mem::take(&mut self.open.1);
                self.bits.extend([found as u64, (found >> 64) as u64]);
            }
            if steps > BYTES {
                steps = 0;
                if slice.is_over() {
                    return self.next == end && self.open.0 == 0;
                }
            }
        }
    }

    fn may_match(&self, block: u32) -> bool {
        let Some(blocks) = &self.promising else {
            return true;
        };
        let word = blocks.get(block as usize / 64);
        word.is_none_or(|word| word >> (block % 64) & 1 == 1)
    }

    /// Looks for the needle in a block, or for all literals at once where the block before had many matches. Says how many bytes it
    /// went through.
    fn find(&mut self, block: &Block<'_>) -> usize {
        let is_inside = self.span.0 <= block.first_code
            && block.first_code.saturating_add(block.len - 1) <= self.span.1;
        let is_for = |sequence: &&mut Sequence| is_inside && sequence.is_for(block);
        let sequence = self.sequence.as_mut().filter(is_for);
        let mut passed = block.tails.len();
        let matches = match sequence {
            Some(sequence) if self.is_dense => {
                let found = sequence.find(block);
                passed += sequence.passed();
                found
            }
            _ => None,
        };
        self.open = match (&self.pattern, matches) {
            (_, Some(matches)) => (0, matches),
            (None, None) => (0, self.seeker.find(block)),
            (Some(_), None) => (self.seeker.find(block), 0),
        };
        self.is_dense = (self.open.0 | self.open.1).count_ones() > MANY;
        passed
    }

    /// Tests the texts of a block that are still to be looked at, until the slice is over.
    fn test_each(&mut self, block: &Block<'_>, steps: &mut usize, slice: &Slice) {
        let Some(pattern) = &self.pattern else {
            self.open.0 = 0;
            return;
        };
        let mut text = Vec::new();
        for (entry, (_, tail)) in block.texts().enumerate() {
            let bit = 1 << entry;
            if self.open.0 & bit == 0 {
                continue;
            }
            text.clear();
            text.extend_from_slice(block.prefix);
            text.extend_from_slice(tail);
            *steps += TEXT + text.len();
            let begun = match self.progress.take() {
                Some(progress) => Begun::Open(progress),
                None => pattern.begin(&text),
            };
            let matches = match begun {
                Begun::Decided(matches) => matches,
                Begun::Open(mut progress) => loop {
                    match pattern.go_on(&text, &mut progress, steps, BYTES) {
                        Some(matches) => break matches,
                        None if slice.is_over() => {
                            self.progress = Some(progress);
                            return;
                        }
                        None => *steps = 0,
                    }
                },
            };
            self.open.0 ^= bit;
            if matches {
                self.open.1 |= bit;
            }
            if *steps > BYTES {
                if slice.is_over() {
                    return;
                }
                *steps = 0;
            }
        }
        // What has no text matches nothing.
        self.open.0 = 0;
    }

    /// The codes that match, or those that do not, once the search is done; it has them no more.
    pub(super) fn found(&mut self, known: u32) -> CodeSet {
        let before = (self.span.0 - 1) / BLOCK_ENTRIES * (BLOCK_ENTRIES / 64);
        let bits = std::mem::take(&mut self.bits);
        let mut found = CodeSet::of_places(known, before as usize, bits);
        if self.span != (1, known) {
            found = found.and(&CodeSet::of_runs(known, vec![self.span]));
        }
        if self.negated {
            found.other_known()
        } else {
            found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::tests::laid_out;
    use super::*;

    /// A search in one block of texts, after one that had many matches.
    fn find(texts: &[String], pattern: &str) -> (Seek, usize, usize) {
        let (starts, bytes) = laid_out(texts);
        let len = texts.len() as u32;
        let dictionary = TextDictionary {
            len,
            blocks: &starts,
            bytes: &bytes,
            ..TextDictionary::default()
        };
        let block = dictionary.block(0).unwrap();
        let mut seek = Seek::new(&dictionary, Pattern::of(pattern), false, (1, len));
        seek.is_dense = true;
        let passed = seek.find(&block);
        (seek, passed, block.tails.len())
    }

    #[test]
    fn each_literal_that_is_looked_for_counts() {
        let texts: Vec<String> = (0..128)
            .map(|text| format!("{text:03}{}", "ae".repeat(50)))
            .collect();
        let (seek, passed, bytes) = find(&texts, &("%a%e".repeat(50) + "%"));
        assert_eq!((seek.open, passed), ((0, u128::MAX), 101 * bytes));
    }

    #[test]
    fn many_literals_in_long_texts_are_looked_for_text_by_text() {
        let texts: Vec<String> = (0..128)
            .map(|text| format!("{text:03}{}", "ae".repeat(400)))
            .collect();
        let (seek, passed, bytes) = find(&texts, &("%a%e".repeat(400) + "%"));
        assert_eq!((seek.open, passed), ((u128::MAX, 0), bytes));
    }
}
