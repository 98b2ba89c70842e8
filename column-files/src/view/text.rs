//! Finding and reading texts of a [`TextDictionary`].
//!
//! Everything is bounds-checked: a dictionary that is not what it should be gives fewer or senseless texts.

use std::cmp::Ordering;
use std::ops::Range;

use super::{BLOCK_ENTRIES, TAIL_END, TextDictionary};

/// A text: what its block shares, and how it goes on.
type Parts<'a> = (&'a [u8], &'a [u8]);

/// Texts that share a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a> {
    /// Code of the first text.
    pub first_code: u32,
    /// How many texts there are.
    pub len: u32,
    /// What all begin with.
    pub prefix: &'a [u8],
    /// What each goes on with, ended by [`TAIL_END`], in the order of codes.
    pub tails: &'a [u8],
}

impl<'a> Block<'a> {
    /// What each text goes on with, with its code; ends at the number of texts even if there are more bytes.
    pub fn texts(&self) -> impl Iterator<Item = (u32, &'a [u8])> + use<'a> {
        let codes = self.first_code..self.first_code.saturating_add(self.len);
        codes.zip(Tails(self.tails))
    }
}

/// Tails up to each [`TAIL_END`].
struct Tails<'a>(&'a [u8]);

impl<'a> Iterator for Tails<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let end = memchr::memchr(TAIL_END, self.0)?;
        let tail = self.0.get(..end)?;
        self.0 = self.0.get(end + 1..)?;
        Some(tail)
    }
}

impl<'a> TextDictionary<'a> {
    /// How many blocks there are.
    #[must_use]
    pub const fn block_count(&self) -> u32 {
        self.len.div_ceil(BLOCK_ENTRIES)
    }

    /// The block at a place, from 0: texts with the codes `place * 128 + 1` to `place * 128 + 128`.
    #[must_use]
    pub fn block(&self, place: u32) -> Option<Block<'a>> {
        let before = place
            .checked_mul(BLOCK_ENTRIES)
            .filter(|before| *before < self.len)?;
        let at = usize::try_from(place).ok()?;
        let bound = |at: usize| usize::try_from(*self.blocks.get(at)?).ok();
        let bytes = self.bytes.get(bound(at)?..bound(at + 1)?)?;
        let (length, rest) = bytes.split_first_chunk()?;
        let (prefix, tails) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
        Some(Block {
            first_code: before + 1,
            len: (self.len - before).min(BLOCK_ENTRIES),
            prefix,
            tails,
        })
    }

    /// All blocks in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'a>> + use<'a> {
        let dictionary = *self;
        (0..self.block_count()).map_while(move |place| dictionary.block(place))
    }

    /// The two parts of a text, none for a code without one.
    #[must_use]
    pub fn get(&self, code: u32) -> Option<Parts<'a>> {
        let place = code.checked_sub(1)?;
        let block = self.block(place / BLOCK_ENTRIES)?;
        let within = usize::try_from(place % BLOCK_ENTRIES).ok()?;
        let (_, tail) = block.texts().nth(within)?;
        Some((block.prefix, tail))
    }

    /// A whole text, none for a code without one.
    #[must_use]
    pub fn text(&self, code: u32) -> Option<Vec<u8>> {
        let (prefix, tail) = self.get(code)?;
        Some([prefix, tail].concat())
    }

    /// The code of a text, or else the one that it would have.
    ///
    /// # Errors
    /// The code of the first text that is greater, one more than the last if none is.
    pub fn find(&self, text: &[u8]) -> Result<u32, u32> {
        let (first, found) = self.not_below(text);
        match found {
            Some((prefix, tail)) if compare(prefix, tail, text).is_eq() => Ok(first),
            _ => Err(first),
        }
    }

    /// Whether some text begins so.
    #[must_use]
    pub fn begins(&self, start: &[u8]) -> bool {
        let (_, found) = self.not_below(start);
        found.is_some_and(|(prefix, tail)| compare_heads(prefix, tail, start).is_eq())
    }

    /// All codes.
    const fn codes(&self) -> Range<u32> {
        1..self.len.saturating_add(1)
    }

    /// The codes of all texts that begin with `start`.
    #[must_use]
    pub fn prefix_range(&self, start: &[u8]) -> Range<u32> {
        let begins_at_most =
            |prefix: &[u8], tail: &[u8]| compare_heads(prefix, tail, start).is_le();
        let from = self.first_code(|prefix, tail| compare(prefix, tail, start).is_lt());
        from..self.first_code(begins_at_most).max(from)
    }

    /// The first code whose text does not hold `holds`, which holds for a beginning of the texts and for no other.
    #[must_use]
    pub fn first_code(&self, holds: impl Fn(&[u8], &[u8]) -> bool) -> u32 {
        self.first_code_in(self.codes(), holds)
    }

    /// The first of `codes` whose text does not hold `holds`, which holds for a beginning of these texts and for no
    /// other; their end if it holds for all.
    #[must_use]
    pub fn first_code_in(&self, codes: Range<u32>, holds: impl Fn(&[u8], &[u8]) -> bool) -> u32 {
        let last = self.last_block(&codes, &holds);
        let Some(block) = self.block(last).filter(|_| codes.start < codes.end) else {
            return codes.start.max(1);
        };
        let after = block.first_code.saturating_add(block.len);
        block
            .texts()
            .skip_while(|(code, _)| *code < codes.start)
            .find(|(_, tail)| !holds(block.prefix, tail))
            .map_or(after, |(code, _)| code)
            .min(codes.end)
    }

    /// The last block of these codes whose first text holds `holds`, or else that of the first code.
    fn last_block(&self, codes: &Range<u32>, holds: impl Fn(&[u8], &[u8]) -> bool) -> u32 {
        let place = |code: u32| code.saturating_sub(1) / BLOCK_ENTRIES;
        let mut last = place(codes.start);
        let mut high = place(codes.end.saturating_sub(1)).saturating_add(1);
        let mut low = last.saturating_add(1);
        while low < high {
            let middle = low + (high - low) / 2;
            let first = self
                .block(middle)
                .and_then(|block| Some((block.prefix, block.texts().next()?.1)));
            if first.is_some_and(|(prefix, tail)| holds(prefix, tail)) {
                last = middle;
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        last
    }

    /// The first text that is not less than another one, with its code; none behind the last.
    fn not_below(&self, text: &[u8]) -> (u32, Option<Parts<'a>>) {
        let last = self.last_block(&self.codes(), |prefix, tail| {
            compare(prefix, tail, text).is_lt()
        });
        let Some(block) = self.block(last) else {
            return (1, None);
        };
        // Where all texts begin as this one, only what follows is compared, and mostly its first byte alone.
        let rest = text.strip_prefix(block.prefix);
        let first = rest.and_then(|rest| rest.first());
        let is_below = |tail: &[u8]| match rest {
            Some(_) if tail.first() < first => true,
            Some(rest) => tail < rest,
            None => compare(block.prefix, tail, text).is_lt(),
        };
        match block.texts().find(|(_, tail)| !is_below(tail)) {
            Some((code, tail)) => (code, Some((block.prefix, tail))),
            None => {
                let after = block.first_code.saturating_add(block.len);
                (after, self.get(after))
            }
        }
    }
}

/// Compares as much of a text of two parts as another one is long with that.
pub(crate) fn compare_heads(prefix: &[u8], tail: &[u8], start: &[u8]) -> Ordering {
    let head = prefix
        .get(..start.len().min(prefix.len()))
        .unwrap_or(prefix);
    let left = start.len() - head.len();
    let tail = tail.get(..left.min(tail.len())).unwrap_or(tail);
    compare(head, tail, start)
}

/// Compares a text of two parts with another.
fn compare(prefix: &[u8], tail: &[u8], text: &[u8]) -> Ordering {
    match text.split_at_checked(prefix.len()) {
        Some((head, rest)) => prefix.cmp(head).then_with(|| tail.cmp(rest)),
        // The text is shorter than the prefix: equal as far as it goes means that it is less.
        None => prefix.cmp(text),
    }
}
