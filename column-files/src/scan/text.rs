//! Finding texts in a dictionary: by order, and by what they contain.

use memchr::memmem::Finder;

use super::kernel::gathered;
use super::rows::{row_ends, together};
use crate::view::{Block, TAIL_END, TextDictionary};

/// How many texts, from the first one, `before` holds for; it holds for no text behind one that it does not hold for.
pub(super) fn partition(dictionary: &TextDictionary<'_>, before: impl Fn(&[u8]) -> bool) -> u32 {
    dictionary
        .first_code(|prefix, tail| before(&[prefix, tail].concat()))
        .saturating_sub(1)
}

/// Looks for a text in block after block.
#[derive(Debug)]
pub(super) struct Seeker {
    /// With [`TAIL_END`] where it must stand at the end.
    needle: Finder<'static>,
    /// The last block had so many matches that comparing every byte is faster than searching.
    dense: bool,
    padded: Vec<u8>,
}

/// What a match costs beside the search, in blocks of 64 bytes that are compared in the same time.
const MATCH_COST: usize = 3;

impl Seeker {
    /// Looks for `text` anywhere or at the end.
    pub(super) fn new(text: &[u8], at_end: bool) -> Self {
        let mut needle = text.to_vec();
        if at_end {
            needle.push(TAIL_END);
        }
        Self {
            needle: Finder::new(&needle).into_owned(),
            dense: false,
            padded: Vec::new(),
        }
    }

    /// The texts of a block that have it, one bit each, the first one lowest.
    pub(super) fn find(&mut self, block: &Block<'_>) -> u128 {
        let needle = self.needle.needle();
        if block.prefix.len() >= needle.len()
            && memchr::memmem::find(block.prefix, needle).is_some()
        {
            return u128::MAX;
        }
        let inside = if self.dense {
            self.compare(block.tails)
        } else {
            self.search(block.tails)
        };
        self.dense = inside.count_ones() as usize * MATCH_COST > block.tails.len() / 64;
        inside | self.astride(block)
    }

    fn search(&self, tails: &[u8]) -> u128 {
        let needle = &self.needle;
        let mut found = 0;
        let (mut from, mut entry) = (0, 0);
        while let Some(rest) = tails.get(from..)
            && let Some(at) = needle.find(rest)
        {
            let (before, behind) = rest.split_at(at);
            entry += memchr::memchr_iter(TAIL_END, before).count();
            found |= one(entry);
            let Some(end) = memchr::memchr(TAIL_END, behind) else {
                break;
            };
            from += at + end + 1;
            entry += 1;
        }
        found
    }

    /// The same as [`Seeker::search`], in a time that does not depend on how many there are.
    fn compare(&mut self, tails: &[u8]) -> u128 {
        let needle = self.needle.needle();
        let middle = needle.len() / 2;
        let (Some(first), Some(inner), Some(last)) =
            (needle.first(), needle.get(middle), needle.last())
        else {
            return 0;
        };
        self.padded.clear();
        self.padded.extend_from_slice(tails);
        self.padded
            .resize(tails.len().next_multiple_of(64) + needle.len() + 8, 0);
        let head = head(needle);
        let mut found = 0;
        let (mut entry, mut carry) = (0u32, 0);
        let (blocks, _) = self.padded.as_chunks::<64>();
        let shifted = |by: usize| {
            self.padded
                .get(by..)
                .unwrap_or_default()
                .as_chunks::<64>()
                .0
        };
        let ahead = shifted(middle).iter().zip(shifted(needle.len() - 1));
        for ((at, block), (within, ahead)) in (0..).step_by(64).zip(blocks).zip(ahead) {
            if at >= tails.len() {
                break;
            }
            let ends = gathered(block, |byte| byte == TAIL_END);
            let mut matches = all((block, *first), (within, *inner), (ahead, *last));
            if needle.len() > 3 {
                let mut rest = matches;
                while rest != 0 {
                    let place = rest.trailing_zeros() as usize;
                    let text = self.padded.get(at + place..).unwrap_or_default();
                    if !(begins(text, &head) && (needle.len() <= 8 || text.starts_with(needle))) {
                        matches ^= 1 << place;
                    }
                    rest &= rest - 1;
                }
            }
            let (entries, over) = row_ends(matches, ends, carry);
            carry = over;
            if entries != 0 {
                found |= u128::from(together(entries, ends))
                    .checked_shl(entry)
                    .unwrap_or(0);
            }
            entry += ends.count_ones();
        }
        found
    }

    /// The texts that have it partly in the prefix and partly in the tail.
    fn astride(&self, block: &Block<'_>) -> u128 {
        let needle = self.needle.needle();
        let mut found = 0;
        for split in 1..needle.len().min(block.prefix.len() + 1) {
            let Some((head, rest)) = needle.split_at_checked(split) else {
                break;
            };
            if !block.prefix.ends_with(head) {
                continue;
            }
            let mut from = 0;
            for (entry, end) in memchr::memchr_iter(TAIL_END, block.tails).enumerate() {
                if block
                    .tails
                    .get(from..)
                    .is_some_and(|tail| tail.starts_with(rest))
                {
                    found |= one(entry);
                }
                from = end + 1;
            }
        }
        found
    }
}

fn one(entry: usize) -> u128 {
    u32::try_from(entry)
        .ok()
        .and_then(|entry| 1u128.checked_shl(entry))
        .unwrap_or(0)
}

/// The first eight bytes of a needle as a number, and which bits of it are compared.
fn head(needle: &[u8]) -> (u64, u64) {
    let mut bytes = [0; 8];
    for (byte, from) in bytes.iter_mut().zip(needle) {
        *byte = *from;
    }
    let compared = needle.len().clamp(1, 8) as u32;
    (u64::from_le_bytes(bytes), u64::MAX >> (64 - 8 * compared))
}

/// Whether a text begins with the bytes of a [`head`]; shorter texts do not.
#[inline(always)]
fn begins(text: &[u8], (bytes, compared): &(u64, u64)) -> bool {
    text.first_chunk::<8>()
        .is_some_and(|text| u64::from_le_bytes(*text) & compared == *bytes)
}

/// The places at which each of three blocks has its byte.
#[inline(always)]
fn all(first: (&[u8; 64], u8), inner: (&[u8; 64], u8), last: (&[u8; 64], u8)) -> u64 {
    let mut bytes = [0u8; 64];
    for (((byte, a), b), c) in bytes.iter_mut().zip(first.0).zip(inner.0).zip(last.0) {
        *byte = u8::from(*a == first.1) & u8::from(*b == inner.1) & u8::from(*c == last.1);
    }
    super::kernel::packed(&bytes)
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::view::BLOCK_ENTRIES;

    /// A dictionary of sorted texts, laid out as the files have it.
    pub(in crate::scan) fn laid_out(texts: &[String]) -> (Vec<u64>, Vec<u8>) {
        let (mut starts, mut bytes) = (vec![0], Vec::new());
        for block in texts.chunks(BLOCK_ENTRIES as usize) {
            let (first, last) = (block[0].as_bytes(), block[block.len() - 1].as_bytes());
            let shared = first.iter().zip(last).take_while(|(a, b)| a == b).count();
            bytes.extend_from_slice(&u16::try_from(shared).unwrap().to_le_bytes());
            bytes.extend_from_slice(&first[..shared]);
            for text in block {
                bytes.extend_from_slice(&text.as_bytes()[shared..]);
                bytes.push(TAIL_END);
            }
            starts.push(bytes.len() as u64);
        }
        (starts, bytes)
    }

    proptest! {
        #[test]
        fn a_needle_is_found_wherever_it_stands(
            texts in prop::collection::btree_set("[ab]{0,3}(xyzzy|ä|b{0,90})[abc]{0,12}", 1..500),
            needle in "[abc]{1,3}|a?xy|zzya?|[b]{5}|yb{0,9}|ä",
            at_end: bool,
            dense: bool,
        ) {
            let texts: Vec<String> = texts.into_iter().collect();
            let (starts, bytes) = laid_out(&texts);
            let dictionary = TextDictionary { len: texts.len() as u32, blocks: &starts, bytes: &bytes };
            let mut seeker = Seeker::new(needle.as_bytes(), at_end);
            for at in 0..dictionary.block_count() {
                seeker.dense = dense;
                let found = seeker.find(&dictionary.block(at).unwrap());
                for (entry, expected) in texts.iter().skip(at as usize * 128).take(128).enumerate() {
                    let has = if at_end { expected.ends_with(&needle) } else { expected.contains(&needle) };
                    prop_assert_eq!(found >> entry & 1 == 1, has, "{} in {}", needle, expected);
                }
            }
            let below = partition(&dictionary, |text| text < needle.as_bytes());
            prop_assert_eq!(below as usize, texts.partition_point(|text| *text < needle));
        }
    }
}
