//! Finding texts in a dictionary: by order, and by what they contain.

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};

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
    at_end: bool,
    rarity: Rarity,
    /// The last block had so many matches that comparing every byte is faster than searching.
    dense: bool,
    padded: Vec<u8>,
}

/// What a match costs beside the search, in blocks of 64 bytes that are compared in the same time.
const MATCH_COST: usize = 3;

/// How often each byte is in a dictionary, as places in the order from the rarest: a search looks for the rarest bytes of its
/// needle first, and which those are differs (`@` is rare in most texts, and in every e-mail address).
#[derive(Debug, Clone, Copy)]
pub(super) struct Rarity([u8; 256]);

/// Blocks that tell enough of a dictionary.
const SAMPLE: u32 = 32;

impl Rarity {
    /// Of some blocks, spread over the dictionary.
    pub(super) fn of(dictionary: &TextDictionary<'_>) -> Self {
        let blocks = dictionary.block_count();
        let step = (blocks / SAMPLE).max(1) as usize;
        let mut counts = [0u32; 256];
        for block in (0..blocks)
            .step_by(step)
            .filter_map(|at| dictionary.block(at))
        {
            for byte in block.tails {
                if let Some(count) = counts.get_mut(usize::from(*byte)) {
                    *count += 1;
                }
            }
        }
        let mut bytes: Vec<u8> = (0..=u8::MAX).collect();
        bytes.sort_by_key(|byte| counts.get(usize::from(*byte)));
        let mut ranks = [0; 256];
        for (rank, byte) in (0..=u8::MAX).zip(bytes) {
            if let Some(of_byte) = ranks.get_mut(usize::from(byte)) {
                *of_byte = rank;
            }
        }
        Self(ranks)
    }

    /// Places of the two rarest bytes of a needle; of a single byte twice the same.
    fn rarest(&self, needle: &[u8]) -> [usize; 2] {
        let rarest = |but: Option<usize>| {
            let places = needle.iter().enumerate();
            places
                .filter(|(place, _)| Some(*place) != but)
                .min_by_key(|(_, byte)| self.rank(**byte))
                .map(|(place, _)| place)
        };
        let first = rarest(None).unwrap_or(0);
        [first, rarest(Some(first)).unwrap_or(first)]
    }
}

impl HeuristicFrequencyRank for Rarity {
    fn rank(&self, byte: u8) -> u8 {
        self.0.get(usize::from(byte)).copied().unwrap_or(u8::MAX)
    }
}

impl Seeker {
    /// Looks for `text` anywhere or at the end.
    pub(super) fn new(text: &[u8], at_end: bool, rarity: Rarity) -> Self {
        let mut needle = text.to_vec();
        if at_end {
            needle.push(TAIL_END);
        }
        Self {
            needle: FinderBuilder::new().build_forward_with_ranker_owned(rarity, needle),
            at_end,
            rarity,
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
        let inside = if self.dense && self.at_end {
            self.compare_ends(block.tails)
        } else if self.dense {
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
        padded(tails, needle.len(), &mut self.padded);
        let places = Places::new(&self.padded, needle, &self.rarity);
        let (mut found, mut entry, mut carry) = (0, 0, 0);
        let words = tails.len().div_ceil(64);
        let (blocks, _) = self.padded.as_chunks();
        for (at, block) in blocks.iter().enumerate().take(words) {
            let ends = places_of(block, TAIL_END);
            let (entries, over) = row_ends(places.at(at), ends, carry);
            carry = over;
            found |= entries_of(entries, ends, entry);
            entry += ends.count_ones();
        }
        found
    }

    /// The same as [`Seeker::compare`] where the needle stands at the end: only the ends are looked at.
    fn compare_ends(&self, tails: &[u8]) -> u128 {
        let needle = self.needle.needle();
        let (last, bits) = last_bytes(needle);
        let more = needle.len().saturating_sub(8);
        let (before, more_bits) = last_bytes(needle.get(..more).unwrap_or_default());
        let (mut found, mut entry) = (0, 0);
        let (blocks, rest) = tails.as_chunks();
        let mut end_block = [0; 64];
        for (to, from) in end_block.iter_mut().zip(rest) {
            *to = *from;
        }
        let blocks = blocks.iter().chain(std::iter::once(&end_block));
        for (base, block) in (0..).step_by(64).zip(blocks) {
            let mut ends = places_of(block, TAIL_END);
            while ends != 0 {
                let behind = base + ends.trailing_zeros() as usize + 1;
                ends &= ends - 1;
                let text = tails.get(..behind).unwrap_or_default();
                let is_one = match text.last_chunk::<16>() {
                    Some(chunk) => {
                        let (first, second) = chunk.split_at(8);
                        let of = |half: &[u8]| {
                            half.first_chunk()
                                .map_or(0, |half| u64::from_le_bytes(*half))
                        };
                        (of(second) & bits == last) & (of(first) & more_bits == before)
                            && (more <= 8 || text.ends_with(needle))
                    }
                    None => text.ends_with(needle),
                };
                found |= u128::from(is_one).checked_shl(entry).unwrap_or(0);
                entry += 1;
            }
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

/// Where a text begins among bytes, 64 places at a time.
pub(super) struct Places<'a> {
    needle: &'a [u8],
    bytes: &'a [u8],
    head: (u64, u64),
    /// From the two rarest bytes of the needle on, and which bytes they are.
    compared: [(&'a [[u8; 64]], u8); 2],
}

impl<'a> Places<'a> {
    /// Of `needle`, which has a byte, in `bytes`, which are [`padded`].
    pub(super) fn new(bytes: &'a [u8], needle: &'a [u8], rarity: &Rarity) -> Self {
        let compared = rarity.rarest(needle).map(|place| {
            let (blocks, _) = bytes.get(place..).unwrap_or_default().as_chunks();
            (blocks, needle.get(place).copied().unwrap_or(TAIL_END))
        });
        Self {
            needle,
            bytes,
            head: head(needle),
            compared,
        }
    }

    /// A bit for each of the places from 64 times `word` on.
    #[inline(always)]
    pub(super) fn at(&self, word: usize) -> u64 {
        let [Some(first), Some(second)] = self
            .compared
            .map(|(blocks, byte)| Some((blocks.get(word)?, byte)))
        else {
            return 0;
        };
        if self.needle.len() == 1 {
            return places_of(first.0, first.1);
        }
        let mut matches = both(first, second);
        if self.needle.len() > 2 {
            let mut rest = matches;
            while rest != 0 {
                let place = rest.trailing_zeros();
                let text = self.bytes.get(word * 64 + place as usize..);
                let is_one = text.is_some_and(|text| {
                    begins(text, &self.head)
                        && (self.needle.len() <= 8 || text.starts_with(self.needle))
                });
                matches &= !(u64::from(!is_one) << place);
                rest &= rest - 1;
            }
        }
        matches
    }
}

/// Where in 64 bytes a byte is.
#[inline(always)]
pub(super) fn places_of(block: &[u8; 64], byte: u8) -> u64 {
    super::kernel::gathered(block, |found| found == byte)
}

/// Copies `tails` with so many bytes behind them that [`Places`] of a needle of `longest` bytes reach every place.
pub(super) fn padded(tails: &[u8], longest: usize, into: &mut Vec<u8>) {
    into.clear();
    into.extend_from_slice(tails);
    into.resize(tails.len().next_multiple_of(64) + longest + 8, 0);
}

/// The numbers of texts, as bits, whose ends are `entries`; `ends` are all ends, the first that of text number `first`.
#[inline(always)]
pub(super) fn entries_of(entries: u64, ends: u64, first: u32) -> u128 {
    if entries == 0 {
        return 0;
    }
    u128::from(together(entries, ends))
        .checked_shl(first)
        .unwrap_or(0)
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

/// The last eight bytes of a needle as a number, and which bits of it are compared.
fn last_bytes(needle: &[u8]) -> (u64, u64) {
    let mut bytes = [0; 8];
    for (byte, from) in bytes.iter_mut().rev().zip(needle.iter().rev()) {
        *byte = *from;
    }
    let compared = needle.len().min(8) as u32;
    let bits = u64::MAX.checked_shl(64 - 8 * compared).unwrap_or(0);
    (u64::from_le_bytes(bytes), bits)
}

/// Whether a text begins with the bytes of a [`head`]; shorter texts do not.
#[inline(always)]
fn begins(text: &[u8], (bytes, compared): &(u64, u64)) -> bool {
    text.first_chunk::<8>()
        .is_some_and(|text| u64::from_le_bytes(*text) & compared == *bytes)
}

/// The places at which each of two blocks has its byte.
#[inline(always)]
fn both(first: (&[u8; 64], u8), second: (&[u8; 64], u8)) -> u64 {
    let mut bytes = [0u8; 64];
    for ((byte, a), b) in bytes.iter_mut().zip(first.0).zip(second.0) {
        *byte = u8::from(*a == first.1) & u8::from(*b == second.1);
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
            needle in "[abc]{1,3}|a?xy|zzya?|[b]{5}|yb{0,9}|b{14,30}|ä",
            at_end: bool,
            dense: bool,
        ) {
            let texts: Vec<String> = texts.into_iter().collect();
            let (starts, bytes) = laid_out(&texts);
            let dictionary = TextDictionary { len: texts.len() as u32, blocks: &starts, bytes: &bytes, ..TextDictionary::default() };
            let mut seeker = Seeker::new(needle.as_bytes(), at_end, Rarity::of(&dictionary));
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
