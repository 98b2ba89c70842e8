//! The inner loops: which of 64 codes are in a set, as the bits of a word.
//!
//! Written so that the compiler turns them into vector instructions of any target: comparisons make bytes of 0 and 1, and a
//! multiplication gathers eight such bytes into eight bits. `examples/scan.rs` measures them.

use std::sync::Arc;

use super::code_set::{CodeSet, Members, bit, words};
use super::cost;

/// Runs that are compared one after the other, of codes of one, two and four bytes; more are looked up.
const COMPARED_RUNS: [usize; 3] = [14, 10, 6];
/// Bits above this many bytes of look-up table are replaced by [`Form::Coarse`] where the runs are few.
const TABLE_BYTES: usize = 32 * 1024;
/// Runs that are searched behind a coarse table.
const COARSE_RUNS: usize = 4_096;
/// With so few codes wanted of 64, each is looked up alone.
const SINGLE: u32 = 24;

/// A set of codes, made ready for comparing. Clones share what is large.
#[derive(Debug, Clone)]
pub(super) struct Lookup {
    set: Arc<CodeSet>,
    form: Form,
}

#[derive(Debug, Clone)]
enum Form {
    /// First code and length less one of each run.
    Compared(Vec<(u32, u32)>),
    /// One bit a code.
    Table(Arc<[u64]>),
    /// In [`CodeSet`].
    Bits,
    /// One bit for 2^shift codes, then the runs.
    Coarse { shift: u32, table: Arc<[u64]> },
}

/// How a condition is put together with what a register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Bits stay where it holds.
    And,
    /// Bits are added where it holds.
    Or,
}

impl How {
    /// Puts a condition's bits together with a word of a register.
    #[inline]
    pub(super) const fn join(self, word: &mut u64, bits: u64) {
        match self {
            Self::And => *word &= bits,
            Self::Or => *word |= bits,
        }
    }
}

/// A code of any width.
pub(super) trait Code: Copy + Default + PartialEq + PartialOrd + Into<u32> {
    /// The code, if this width has it.
    fn narrow(code: u32) -> Option<Self>;
    /// The distance from `first`, around the end.
    fn distance_from(self, first: Self) -> Self;
}

macro_rules! code {
    ($($width:ty),*) => {$(
        impl Code for $width {
            fn narrow(code: u32) -> Option<Self> {
                Self::try_from(code).ok()
            }
            fn distance_from(self, first: Self) -> Self {
                self.wrapping_sub(first)
            }
        }
    )*};
}
code!(u8, u16, u32);

impl Lookup {
    /// Makes a set ready.
    pub(super) fn of(set: Arc<CodeSet>) -> Self {
        let [narrow, wide, widest] = COMPARED_RUNS;
        let compared = match set.known() {
            0..=0xFF => narrow,
            0x100..=0xFFFF => wide,
            _ => widest,
        };
        let form = match set.members() {
            Members::Runs(runs) if runs.len() <= compared => Form::Compared(
                runs.iter()
                    .map(|(first, last)| (*first, last - first))
                    .collect(),
            ),
            Members::Runs(runs)
                if words(set.known()) * 8 > TABLE_BYTES && runs.len() <= COARSE_RUNS =>
            {
                coarse(set.known(), runs)
            }
            Members::Runs(runs) => {
                let mut table = vec![0; words(set.known())];
                for (first, last) in runs {
                    super::code_set::set_bits(&mut table, *first, *last);
                }
                Form::Table(table.into())
            }
            Members::Bits(_) => Form::Bits,
        };
        Self { set, form }
    }

    /// The set.
    #[cfg(test)]
    pub(super) fn set(&self) -> &Arc<CodeSet> {
        &self.set
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.set.bytes()
            + match &self.form {
                Form::Compared(runs) => size_of_val(runs.as_slice()),
                Form::Table(table) | Form::Coarse { table, .. } => size_of_val(&**table),
                Form::Bits => 0,
            }
    }

    /// Nanoseconds a code, about, where codes have `width` bytes.
    pub(super) fn cost(&self, width: usize) -> f64 {
        match &self.form {
            Form::Compared(runs) => cost::COMPARED_A_BYTE * width as f64 * runs.len().max(1) as f64,
            Form::Table(_) => cost::IN_A_TABLE,
            Form::Bits | Form::Coarse { .. } => cost::IN_BITS,
        }
    }

    /// Whether a single code is in the set.
    pub(super) fn has(&self, code: u32) -> bool {
        match &self.form {
            Form::Compared(runs) => runs
                .iter()
                .any(|(first, more)| code.wrapping_sub(*first) <= *more),
            Form::Table(table) => bit(table, code) == 1,
            Form::Bits => self.set.has(code),
            Form::Coarse { shift, table } => bit(table, code >> shift) == 1 && self.set.has(code),
        }
    }

    /// Puts "the code is in the set" into `register`, one bit a code; of an [`How::Or`] only where `within` has a bit.
    pub(super) fn put<C: Code>(
        &self,
        codes: &[C],
        register: &mut [u64],
        within: Option<&[u64]>,
        how: How,
    ) {
        match &self.form {
            Form::Compared(runs) => {
                let runs: Vec<(C, C)> = runs
                    .iter()
                    .filter_map(|(first, more)| narrowed::<C>(*first, *more))
                    .collect();
                match runs.as_slice() {
                    [] => words_of(codes, register, within, how, |_, _| 0),
                    [(first, more)] if *more == C::default() => {
                        words_of(codes, register, within, how, |block, _| {
                            gathered(block, |code| code == *first)
                        });
                    }
                    [(first, more)] => words_of(codes, register, within, how, |block, _| {
                        gathered(block, |code| code.distance_from(*first) <= *more)
                    }),
                    runs => words_of(codes, register, within, how, |block, _| {
                        runs.iter().fold(0, |found, (first, more)| {
                            found | gathered(block, |code| code.distance_from(*first) <= *more)
                        })
                    }),
                }
            }
            Form::Table(table) => {
                words_of(codes, register, within, how, |block, wanted| {
                    looked_up(block, wanted, |code| bit(table, code))
                });
            }
            Form::Bits => {
                let Members::Bits(table) = self.set.members() else {
                    return;
                };
                words_of(codes, register, within, how, |block, wanted| {
                    looked_up(block, wanted, |code| bit(table, code))
                });
            }
            Form::Coarse { shift, table } => {
                words_of(codes, register, within, how, |block, wanted| {
                    let mut maybe =
                        looked_up(block, wanted, |code| bit(table, code >> shift)) & wanted;
                    let mut found = 0;
                    while maybe != 0 {
                        let at = maybe.trailing_zeros();
                        maybe &= maybe - 1;
                        let code: u32 = block.get(at as usize).copied().unwrap_or_default().into();
                        found |= u64::from(self.set.has(code)) << at;
                    }
                    found
                })
            }
        }
    }
}

fn narrowed<C: Code>(first: u32, more: u32) -> Option<(C, C)> {
    Some((C::narrow(first)?, C::narrow(more)?))
}

fn coarse(known: u32, runs: &[(u32, u32)]) -> Form {
    let mut shift = 0;
    while words(known >> shift) * 8 > TABLE_BYTES / 2 {
        shift += 1;
    }
    let mut table = vec![0; words(known >> shift)];
    for (first, last) in runs {
        super::code_set::set_bits(&mut table, first >> shift, last >> shift);
    }
    Form::Coarse {
        shift,
        table: table.into(),
    }
}

/// Runs `found` on every block of 64 codes of which any is wanted and puts its answer into the register.
fn words_of<C: Code>(
    codes: &[C],
    register: &mut [u64],
    within: Option<&[u64]>,
    how: How,
    found: impl Fn(&[C; 64], u64) -> u64,
) {
    let (blocks, rest) = codes.as_chunks::<64>();
    let mut last = [C::default(); 64];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let blocks = blocks
        .iter()
        .chain(std::iter::once(&last).filter(|_| !rest.is_empty()));
    match (how, within) {
        (How::And, _) => {
            for (word, block) in register.iter_mut().zip(blocks) {
                if *word != 0 {
                    *word &= found(block, *word);
                }
            }
        }
        (How::Or, Some(within)) => {
            for ((word, block), within) in register.iter_mut().zip(blocks).zip(within) {
                let wanted = within & !*word;
                if wanted != 0 {
                    *word |= wanted & found(block, wanted);
                }
            }
        }
        (How::Or, None) => {
            for (word, block) in register.iter_mut().zip(blocks) {
                if *word != u64::MAX {
                    *word |= found(block, !*word);
                }
            }
        }
    }
}

/// The bits of those codes that `test` holds for.
#[inline(always)]
pub(super) fn gathered<C: Copy>(block: &[C; 64], test: impl Fn(C) -> bool) -> u64 {
    let mut bytes = [0u8; 64];
    for (byte, code) in bytes.iter_mut().zip(block) {
        *byte = u8::from(test(*code));
    }
    packed(&bytes)
}

/// The lowest bits of 64 bytes that are 0 or 1.
#[inline(always)]
pub(super) fn packed(bytes: &[u8; 64]) -> u64 {
    // Each byte's bit is moved to a place of its own in the highest byte; no two sums meet.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (eights, _) = bytes.as_chunks::<8>();
    eights
        .iter()
        .zip([0, 8, 16, 24, 32, 40, 48, 56])
        .fold(0, |word, (eight, shift)| {
            word | (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56) << shift
        })
}

/// The bits of the wanted codes, or of all, that `bit` is 1 for.
#[inline(always)]
fn looked_up<C: Code>(block: &[C; 64], wanted: u64, bit: impl Fn(u32) -> u64) -> u64 {
    let mut found = 0;
    if wanted.count_ones() <= SINGLE {
        let mut rest = wanted;
        while rest != 0 {
            let at = rest.trailing_zeros();
            rest &= rest - 1;
            found |= bit(block.get(at as usize).copied().unwrap_or_default().into()) << at;
        }
        return found;
    }
    for (at, code) in (0u32..).zip(block) {
        found |= bit((*code).into()) << at;
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check<C: Code + std::fmt::Debug>(
        codes: &[C],
        set: &CodeSet,
        start: u64,
        within: Option<u64>,
        how: How,
    ) {
        let lookup = Lookup::of(Arc::new(set.clone()));
        let words = codes.len().div_ceil(64);
        let mut register = vec![start; words];
        let within = within.map(|word| vec![word; words]);
        lookup.put(codes, &mut register, within.as_deref(), how);
        for (at, code) in codes.iter().enumerate() {
            let code: u32 = (*code).into();
            assert_eq!(lookup.has(code), set.has(code));
            let before = start >> (at % 64) & 1 == 1;
            let inside = within
                .as_ref()
                .is_none_or(|within| within[at / 64] >> (at % 64) & 1 == 1);
            let expected = match how {
                How::And => before && set.has(code),
                How::Or => before || (inside && set.has(code)),
            };
            assert_eq!(
                register[at / 64] >> (at % 64) & 1 == 1,
                expected,
                "code {code} at {at} of {set:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_kernel_finds_what_the_set_has(
            known in prop_oneof![0u32..256, 0u32..65_536, Just(3_000_000u32)],
            runs in prop::collection::vec((any::<u32>(), 0u32..50), 0..300),
            few in 0usize..300,
            codes in prop::collection::vec(any::<u32>(), 1..400),
            start in prop_oneof![Just(0u64), Just(u64::MAX), any::<u64>(), Just(0x8000_0100_0000_0001)],
            within in prop::option::of(any::<u64>()),
        ) {
            let runs = runs.iter().take(few).map(|(first, more)| (first % (known + 1), first % (known + 1) + more));
            let set = CodeSet::of_runs(known, runs.collect());
            // Half of the codes are near the set's.
            let codes: Vec<u32> = codes.iter().map(|code| code % (known + 1)).collect();
            for how in [How::And, How::Or] {
                check(&codes, &set, start, within, how);
                if known < 65_536 {
                    let codes: Vec<u16> = codes.iter().map(|code| *code as u16).collect();
                    check(&codes, &set, start, within, how);
                }
                if known < 256 {
                    let codes: Vec<u8> = codes.iter().map(|code| *code as u8).collect();
                    check(&codes, &set, start, within, how);
                }
            }
        }
    }
}
