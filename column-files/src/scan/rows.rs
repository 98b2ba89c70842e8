//! From elements to rows: a row has a bit where one of its elements has one.
//!
//! A carry runs from every match through the rest of its row to the row's last element; the bits of last elements, close
//! together, are the rows that have elements, and are then spread to their places among all rows.

use std::sync::LazyLock;

/// For a byte of a mask and a byte of bits: those bits close together, and spread out.
struct Tables {
    together: Box<[u8; 65_536]>,
    spread: Box<[u8; 65_536]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        together: Box::new([0; 65_536]),
        spread: Box::new([0; 65_536]),
    };
    let entries = tables.together.iter_mut().zip(tables.spread.iter_mut());
    for (at, (together, spread)) in (0u32..).zip(entries) {
        let (mask, bits) = (at >> 8, at & 0xFF);
        let mut next = 0;
        for place in 0..8 {
            if mask >> place & 1 == 1 {
                *together |= ((bits >> place & 1) << next) as u8;
                *spread |= ((bits >> next & 1) << place) as u8;
                next += 1;
            }
        }
    }
    tables
});

/// Turns bits of elements into bits of rows.
///
/// `matches` and `last` have a word for 64 elements, `filled` a word for 64 rows; `put` gets each row word's index and
/// bits, in order.
pub(super) fn fold(matches: &[u64], last: &[u64], filled: &[u64], mut put: impl FnMut(usize, u64)) {
    let tables = &*TABLES;
    let mut words = matches.iter().zip(last);
    let mut carry = 0;
    // Bits of rows with elements that are not handed out yet, the next one lowest.
    let mut ready: u128 = 0;
    let mut count = 0;
    for (at, filled) in filled.iter().enumerate() {
        let needed = filled.count_ones();
        while count < needed {
            let Some((matches, last)) = words.next() else {
                break;
            };
            let (found, over) = row_ends(*matches, *last, carry);
            carry = over;
            let ends = last.count_ones();
            if found != 0 {
                ready |= u128::from(gather(tables, found, *last)) << count;
            }
            count += ends;
        }
        let bits = ready as u64;
        ready = ready.checked_shr(needed).unwrap_or(0);
        count = count.saturating_sub(needed);
        put(
            at,
            if needed == 64 {
                bits
            } else {
                spread(tables, bits, *filled)
            },
        );
    }
}

/// The last elements of those rows that have a match, and the carry into the next word.
#[inline(always)]
pub(super) fn row_ends(matches: u64, last: u64, carry: u64) -> (u64, u64) {
    let inner = !last;
    let (sum, over) = (matches & inner).overflowing_add(inner);
    let (sum, over_again) = sum.overflowing_add(carry);
    ((sum | matches) & last, u64::from(over | over_again))
}

/// The bits of `bits` (all of them in `mask`) at the places of `mask`, close together.
pub(super) fn together(bits: u64, mask: u64) -> u64 {
    gather(&TABLES, bits, mask)
}

#[inline(always)]
fn gather(tables: &Tables, bits: u64, mask: u64) -> u64 {
    if bits.count_ones() <= 2 {
        let mut rest = bits;
        let mut found = 0;
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            found |= 1 << (mask & (lowest - 1)).count_ones();
            rest ^= lowest;
        }
        return found;
    }
    let before = ones_before(mask);
    let bytes = bits
        .to_le_bytes()
        .into_iter()
        .zip(mask.to_le_bytes())
        .zip(before.to_le_bytes());
    bytes.fold(0, |found, ((bits, mask), before)| {
        found | u64::from(entry(&tables.together, mask, bits)) << (before & 63)
    })
}

/// The lowest bits of `bits`, at the places of `mask`.
#[inline(always)]
fn spread(tables: &Tables, bits: u64, mask: u64) -> u64 {
    if bits == 0 {
        return 0;
    }
    let before = ones_before(mask);
    let mut bytes = [0; 8];
    for ((byte, mask), before) in bytes
        .iter_mut()
        .zip(mask.to_le_bytes())
        .zip(before.to_le_bytes())
    {
        *byte = entry(
            &tables.spread,
            mask,
            bits.checked_shr(u32::from(before)).unwrap_or(0) as u8,
        );
    }
    u64::from_le_bytes(bytes)
}

#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "two bytes are below 65,536")]
fn entry(table: &[u8; 65_536], mask: u8, bits: u8) -> u8 {
    table[usize::from(u16::from_be_bytes([mask, bits]))]
}

/// In each byte, how many ones the lower bytes have.
#[inline(always)]
fn ones_before(mask: u64) -> u64 {
    let pairs = mask - (mask >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    bytes.wrapping_mul(0x0101_0101_0101_0101) << 8
}

/// Walks from rows to their elements, in order of rows.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    last: &'a [u64],
    /// Word of `last` that is looked at, and rows with elements that end before it.
    word: usize,
    ended: u32,
}

impl<'a> Walk<'a> {
    /// At the first row of a chunk.
    pub(super) const fn new(last: &'a [u64]) -> Self {
        Self {
            last,
            word: 0,
            ended: 0,
        }
    }

    /// Elements of the row that is number `ordinal` (from 0) of those with elements; not below the last one asked for
    /// less one.
    pub(super) fn elements(&mut self, ordinal: u32) -> Option<std::ops::Range<usize>> {
        let from = match ordinal.checked_sub(1) {
            None => 0,
            Some(before) => self.end(before)? + 1,
        };
        Some(from..self.next_end(from)? + 1)
    }

    fn end(&mut self, ordinal: u32) -> Option<usize> {
        loop {
            let word = *self.last.get(self.word)?;
            let ends = word.count_ones();
            if let Some(inside) = ordinal.checked_sub(self.ended)
                && inside < ends
            {
                let rest = (0..inside).fold(word, |rest, _| rest & rest.wrapping_sub(1));
                return Some(self.word * 64 + rest.trailing_zeros() as usize);
            }
            self.ended += ends;
            self.word += 1;
        }
    }

    fn next_end(&self, from: usize) -> Option<usize> {
        let first = self.last.get(from / 64)? & (u64::MAX << (from % 64));
        if first != 0 {
            return Some(from / 64 * 64 + first.trailing_zeros() as usize);
        }
        let mut later = self.last.iter().enumerate().skip(from / 64 + 1);
        later
            .find(|(_, word)| **word != 0)
            .map(|(at, word)| at * 64 + word.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_row_matches_where_one_of_its_elements_does(
            lengths in prop::collection::vec(prop_oneof![Just(0usize), 1usize..4, Just(1usize), 60usize..200], 1..400),
            seed in any::<u64>(),
            density in 1u64..80,
        ) {
            let elements: usize = lengths.iter().sum();
            let words = elements.div_ceil(64);
            let (mut last, mut matches) = (vec![0u64; words], vec![0u64; words]);
            let mut filled = vec![0u64; lengths.len().div_ceil(64)];
            let mut random = seed | 1;
            let mut next = 0;
            let mut expected = vec![false; lengths.len()];
            let mut ranges = Vec::new();
            for (row, length) in lengths.iter().enumerate() {
                if *length == 0 { continue; }
                filled[row / 64] |= 1 << (row % 64);
                ranges.push(next..next + length);
                for element in next..next + length {
                    random ^= random << 13; random ^= random >> 7; random ^= random << 17;
                    if random % density == 0 {
                        matches[element / 64] |= 1 << (element % 64);
                        expected[row] = true;
                    }
                }
                next += length;
                last[(next - 1) / 64] |= 1 << ((next - 1) % 64);
            }
            // What stands behind the last element does not count.
            if !elements.is_multiple_of(64) { matches[elements / 64] |= u64::MAX << (elements % 64); }
            let mut rows = vec![0u64; filled.len()];
            fold(&matches, &last, &filled, |at, bits| rows[at] = bits);
            for (row, expected) in expected.iter().enumerate() {
                prop_assert_eq!(rows[row / 64] >> (row % 64) & 1 == 1, *expected, "row {}", row);
            }
            for step in 1..4 {
                let mut walk = Walk::new(&last);
                for (ordinal, range) in ranges.iter().enumerate().step_by(step) {
                    prop_assert_eq!(walk.elements(ordinal as u32), Some(range.clone()));
                }
            }
        }
    }
}
