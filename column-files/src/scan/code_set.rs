//! Sets of codes: what a comparison with a column becomes once its literals are found in the dictionary.

use std::ops::Range;

/// A set of codes of one column, of `0..=known`; 0 stands for unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeSet {
    /// The highest code.
    known: u32,
    members: Members,
}

/// How a set is kept: always the first form that fits, so that equal sets are kept alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Members {
    /// First and last code of each run, in order, with a gap before the next.
    Runs(Vec<(u32, u32)>),
    /// One bit a code.
    Bits(Vec<u64>),
}

/// More runs than this are kept as bits, unless the bits would be far more.
const RUNS: usize = 64;
/// Bytes of bits that cost as much as one run does.
const BITS_A_RUN: usize = 64;

impl CodeSet {
    /// The codes of `runs` (first and last of each, in any order, overlapping or empty ones too).
    pub(super) fn of_runs(known: u32, mut runs: Vec<(u32, u32)>) -> Self {
        runs.retain(|(first, last)| first <= last && *first <= known);
        runs.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(runs.len());
        for (first, last) in runs {
            let last = last.min(known);
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last)
                }
                _ => merged.push((first, last)),
            }
        }
        Self::kept(known, Members::Runs(merged))
    }

    /// The codes whose bit is set.
    pub(super) fn of_bits(known: u32, mut bits: Vec<u64>) -> Self {
        bits.resize(words(known), 0);
        if let Some(last) = bits.last_mut() {
            *last &= u64::MAX >> (63 - known % 64);
        }
        Self::kept(known, Members::Bits(bits))
    }

    /// The codes whose place in the dictionary, which is one less, has its bit set; in front of `bits` are so many empty words.
    pub(super) fn of_places(known: u32, before: usize, bits: Vec<u64>) -> Self {
        let mut shifted = vec![0; before];
        shifted.reserve_exact(bits.len() + 1);
        let mut carry = 0;
        for word in bits {
            shifted.push(word << 1 | carry);
            carry = word >> 63;
        }
        shifted.push(carry);
        Self::of_bits(known, shifted)
    }

    /// No code.
    pub(super) fn none(known: u32) -> Self {
        Self::of_runs(known, Vec::new())
    }

    /// Every code but 0.
    pub(super) fn every_known(known: u32) -> Self {
        Self::of_runs(known, vec![(1, known)])
    }

    /// Only 0.
    pub(super) fn unknown(known: u32) -> Self {
        Self::of_runs(known, vec![(0, 0)])
    }

    /// The other codes but 0.
    pub(super) fn other_known(&self) -> Self {
        match &self.members {
            Members::Runs(runs) => {
                let mut others = Vec::with_capacity(runs.len() + 1);
                let mut next = 1;
                for (first, last) in runs {
                    if *first > next {
                        others.push((next, first - 1));
                    }
                    next = next.max(last.saturating_add(1));
                }
                if next <= self.known {
                    others.push((next, self.known));
                }
                Self::of_runs(self.known, others)
            }
            Members::Bits(bits) => {
                let mut others: Vec<u64> = bits.iter().map(|word| !word).collect();
                if let Some(first) = others.first_mut() {
                    *first &= !1;
                }
                Self::of_bits(self.known, others)
            }
        }
    }

    /// Codes of both.
    pub(super) fn and(&self, other: &Self) -> Self {
        if let (Members::Runs(ours), Members::Runs(theirs)) = (&self.members, &other.members) {
            let mut common = Vec::new();
            let (mut a, mut b) = (
                ours.iter().copied().peekable(),
                theirs.iter().copied().peekable(),
            );
            while let (Some(our), Some(their)) = (a.peek().copied(), b.peek().copied()) {
                common.push((our.0.max(their.0), our.1.min(their.1)));
                if our.1 <= their.1 {
                    a.next();
                } else {
                    b.next();
                }
            }
            return Self::of_runs(self.known, common);
        }
        let both = self
            .bits()
            .iter()
            .zip(other.bits())
            .map(|(a, b)| a & b)
            .collect();
        Self::of_bits(self.known, both)
    }

    /// Codes of either.
    pub(super) fn or(&self, other: &Self) -> Self {
        if let (Members::Runs(ours), Members::Runs(theirs)) = (&self.members, &other.members) {
            return Self::of_runs(self.known, ours.iter().chain(theirs).copied().collect());
        }
        let either = self
            .bits()
            .iter()
            .zip(other.bits())
            .map(|(a, b)| a | b)
            .collect();
        Self::of_bits(self.known, either)
    }

    /// Whether it has a code.
    pub(super) fn has(&self, code: u32) -> bool {
        match &self.members {
            Members::Runs(runs) => {
                let at = runs.partition_point(|(_, last)| *last < code);
                runs.get(at).is_some_and(|(first, _)| *first <= code)
            }
            Members::Bits(bits) => bit(bits, code) == 1,
        }
    }

    /// Whether it has no code.
    pub(super) fn is_none(&self) -> bool {
        matches!(&self.members, Members::Runs(runs) if runs.is_empty())
    }

    /// Whether it has every code, 0 too.
    pub(super) fn is_every(&self) -> bool {
        matches!(&self.members, Members::Runs(runs) if runs.as_slice() == [(0, self.known)])
    }

    /// The highest code of the column.
    pub(super) const fn known(&self) -> u32 {
        self.known
    }

    /// How it is kept.
    pub(super) const fn members(&self) -> &Members {
        &self.members
    }

    /// How many rows or elements have one of these codes that is in the set, and is not 0; `counts` are those of the column, of code 1
    /// first. The codes begin with a multiple of 64.
    pub(super) fn weight(&self, codes: Range<u32>, counts: &[u32]) -> u64 {
        let sum = |counts: &[u32]| counts.iter().map(|count| u64::from(*count)).sum::<u64>();
        match &self.members {
            Members::Runs(runs) => {
                let at = runs.partition_point(|(_, last)| *last < codes.start);
                let runs = runs.iter().skip(at);
                let runs = runs.take_while(|(first, _)| *first < codes.end);
                let of_run = |(first, last): &(u32, u32)| {
                    let first = (*first).max(codes.start).max(1) - 1;
                    let behind = last.saturating_add(1).min(codes.end) - 1;
                    let counts = counts.get(first as usize..behind as usize);
                    counts.map_or(0, sum)
                };
                runs.map(of_run).sum()
            }
            Members::Bits(bits) => {
                let words = codes.start as usize / 64..(codes.end as usize).div_ceil(64);
                let bits = bits.get(words.start..words.end.min(bits.len()));
                let mut weight = 0;
                for (word, at) in bits.unwrap_or_default().iter().zip(words) {
                    let mut rest = *word;
                    while rest != 0 {
                        let code = at * 64 + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let count = code.checked_sub(1).and_then(|at| counts.get(at));
                        weight += count.map_or(0, |count| u64::from(*count));
                    }
                }
                weight
            }
        }
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        match &self.members {
            Members::Runs(runs) => size_of_val(runs.as_slice()),
            Members::Bits(bits) => size_of_val(bits.as_slice()),
        }
    }

    /// How many codes it has.
    pub(super) fn len(&self) -> u64 {
        match &self.members {
            Members::Runs(runs) => runs
                .iter()
                .map(|(first, last)| u64::from(last - first) + 1)
                .sum(),
            Members::Bits(bits) => bits.iter().map(|word| u64::from(word.count_ones())).sum(),
        }
    }

    fn kept(known: u32, members: Members) -> Self {
        let few = RUNS.max(words(known) * 8 / BITS_A_RUN);
        let members = match members {
            Members::Runs(runs) if runs.len() > few => Members::Bits(bits_of(known, &runs)),
            Members::Bits(bits) if has_few_runs(&bits, few) => Members::Runs(runs_of(&bits)),
            kept => kept,
        };
        Self { known, members }
    }

    fn bits(&self) -> Vec<u64> {
        match &self.members {
            Members::Runs(runs) => bits_of(self.known, runs),
            Members::Bits(bits) => bits.clone(),
        }
    }
}

/// The bit of a code, as the lowest one.
pub(super) fn bit(bits: &[u64], code: u32) -> u64 {
    bits.get(code as usize / 64)
        .map_or(0, |word| word >> (code % 64))
        & 1
}

/// Words that hold a bit for each code.
pub(super) const fn words(known: u32) -> usize {
    known as usize / 64 + 1
}

/// Sets the bits from `first` to `last`.
pub(super) fn set_bits(bits: &mut [u64], first: u32, last: u32) {
    let (from, to) = (first as usize / 64, last as usize / 64);
    for (at, word) in bits.iter_mut().enumerate().take(to + 1).skip(from) {
        let low = if at == from {
            u64::MAX << (first % 64)
        } else {
            u64::MAX
        };
        let high = if at == to {
            u64::MAX >> (63 - last % 64)
        } else {
            u64::MAX
        };
        *word |= low & high;
    }
}

fn bits_of(known: u32, runs: &[(u32, u32)]) -> Vec<u64> {
    let mut bits = vec![0; words(known)];
    for (first, last) in runs {
        set_bits(&mut bits, *first, *last);
    }
    bits
}

fn has_few_runs(bits: &[u64], few: usize) -> bool {
    let mut before = 0;
    let mut runs = 0;
    bits.iter().all(|word| {
        runs += (word & !(word << 1 | before)).count_ones() as usize;
        before = word >> 63;
        runs <= few
    })
}

fn runs_of(bits: &[u64]) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for (base, word) in (0u32..).step_by(64).zip(bits) {
        let mut rest = *word;
        while rest != 0 {
            let first = rest.trailing_zeros();
            let length = (rest >> first).trailing_ones();
            let (from, to) = (base + first, base + first + length - 1);
            match runs.last_mut() {
                Some(before) if before.1 + 1 == from => before.1 = to,
                _ => runs.push((from, to)),
            }
            rest &= u64::MAX.checked_shl(first + length).unwrap_or(0);
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set_of(known: u32, codes: &BTreeSet<u32>) -> CodeSet {
        CodeSet::of_runs(known, codes.iter().map(|code| (*code, *code)).collect())
    }

    fn codes_of(set: &CodeSet) -> BTreeSet<u32> {
        (0..=set.known() + 70)
            .filter(|code| set.has(*code))
            .collect()
    }

    proptest! {
        #[test]
        fn sets_of_codes_behave_as_sets(
            known in 0u32..700,
            a in prop::collection::btree_set(0u32..700, 0..300),
            b in prop::collection::btree_set(0u32..700, 0..300),
        ) {
            let a: BTreeSet<u32> = a.into_iter().filter(|code| *code <= known).collect();
            let b: BTreeSet<u32> = b.into_iter().filter(|code| *code <= known).collect();
            let (ours, theirs) = (set_of(known, &a), set_of(known, &b));
            prop_assert_eq!(codes_of(&ours), a.clone());
            prop_assert_eq!(codes_of(&ours.and(&theirs)), &a & &b);
            prop_assert_eq!(codes_of(&ours.or(&theirs)), &a | &b);
            let all: BTreeSet<u32> = (1..=known).collect();
            prop_assert_eq!(codes_of(&ours.other_known()), &all - &a);
            prop_assert_eq!(ours.len(), a.len() as u64);
            prop_assert_eq!(ours.is_none(), a.is_empty());
            let counts: Vec<u32> = (1..=known).map(|code| code % 5).collect();
            let known_weight: u64 = a.iter().filter(|code| **code > 0).map(|code| u64::from(code % 5)).sum();
            prop_assert_eq!(ours.weight(0..known + 1, &counts), known_weight);
            let (low, high) = (ours.weight(0..128, &counts), ours.weight(128..known.max(127) + 1, &counts));
            prop_assert_eq!(low + high, known_weight);
            let mut bits = vec![0u64; words(known)];
            for code in &a { bits[*code as usize / 64] |= 1 << (code % 64); }
            prop_assert_eq!(CodeSet::of_bits(known, bits), ours);
        }
    }
}
