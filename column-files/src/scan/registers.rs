//! What each step of a program does to the registers.

use dialect::ListId;

use super::cost;
use super::kernel::How;
use super::plan::{Leaf, Node};
use super::program::{Cost, Goal, ROW_WORDS, Step};
use super::rows::{Walk, fold};
use super::source::Source;
use crate::view::{CHUNK_ROWS, Codes};

/// The registers while a step of a chunk is done.
pub(super) struct Registers<'a, S> {
    pub(super) all: &'a mut Vec<Vec<u64>>,
    pub(super) source: &'a S,
    pub(super) chunk: usize,
}

impl<S: Source> Registers<'_, S> {
    /// Does a step; the answer is where to go on if that is not the next one.
    pub(super) fn run(&mut self, step: &Step) -> Option<usize> {
        match step {
            Step::Codes { leaf, into } => self.codes(leaf, *into),
            Step::Derived {
                column,
                negated,
                into,
            } => {
                let source = self.source;
                let bits = source
                    .column(*column)
                    .derived
                    .map(|derived| derived.is_derived)
                    .unwrap_or_default();
                let bits = part(bits, self.words(into.elements));
                let flip = if *negated { u64::MAX } else { 0 };
                self.put(*into, bits.iter().map(|word| word ^ flip));
            }
            Step::Filled {
                list,
                negated,
                into,
            } => {
                let source = self.source;
                let bits = part(source.list(*list).filled, self.words(None));
                let flip = if *negated { u64::MAX } else { 0 };
                self.put(*into, bits.iter().map(|word| word ^ flip));
            }
            Step::Constant { holds, into } => {
                let word = if *holds { u64::MAX } else { 0 };
                self.put(*into, std::iter::repeat(word));
            }
            Step::Begin {
                register,
                undecided,
                elements,
            } => {
                let words = self.words(*elements).len();
                let mut bits = self.take(*register);
                bits.clear();
                if let Some(into) = undecided {
                    bits.extend(self.undecided(*into));
                }
                bits.resize(words, 0);
                self.give(*register, bits);
            }
            Step::Elements { register, list } => {
                let words = self.words(Some(*list)).len();
                let mut bits = self.take(*register);
                bits.clear();
                bits.resize(words, u64::MAX);
                self.give(*register, bits);
            }
            Step::Merge { from, into } => {
                let bits = self.take(*from);
                self.put(*into, bits.iter().copied());
                self.give(*from, bits);
            }
            Step::Fold {
                from,
                list,
                negated,
                into,
            } => self.fold(*from, *list, *negated, *into),
            Step::Decided { into, to } => {
                return (!self.undecided(*into).any(|word| word != 0)).then_some(*to);
            }
            Step::Few {
                list,
                node,
                negated,
                into,
                cost,
                to,
            } => {
                let rows: u32 = self.undecided(*into).map(u64::count_ones).sum();
                let alone = f64::from(rows) * cost.row + Cost::walk(self.words(Some(*list)).len());
                if alone < cost.chunk.min(cost::MAX_ALONE) {
                    self.few(*list, node, *negated, *into);
                    return Some(*to);
                }
            }
        }
        None
    }

    /// Words of the chunk in a column's bits.
    fn words(&self, elements: Option<ListId>) -> std::ops::Range<usize> {
        match elements {
            None => self.chunk * ROW_WORDS..(self.chunk + 1) * ROW_WORDS,
            Some(list) => {
                let places = self.places(list);
                places.start / 64..places.end.div_ceil(64)
            }
        }
    }

    /// Elements of the chunk, with those that fill up the last word.
    fn places(&self, list: ListId) -> std::ops::Range<usize> {
        let starts = self.source.list(list).starts;
        let at = |at: usize| {
            starts
                .get(at)
                .and_then(|start| usize::try_from(*start).ok())
                .unwrap_or(0)
        };
        at(self.chunk)..at(self.chunk + 1).max(at(self.chunk))
    }

    fn undecided(&self, into: Goal) -> impl Iterator<Item = u64> {
        let register = self
            .all
            .get(into.register)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let within = into
            .within
            .and_then(|within| self.all.get(within))
            .map(Vec::as_slice)
            .unwrap_or_default();
        let mut within = within.iter().copied();
        register.iter().map(move |word| match into.how {
            How::And => *word,
            How::Or => !word & within.next().unwrap_or(u64::MAX),
        })
    }

    fn put(&mut self, into: Goal, bits: impl Iterator<Item = u64>) {
        for (word, bits) in self
            .all
            .get_mut(into.register)
            .into_iter()
            .flatten()
            .zip(bits)
        {
            into.how.join(word, bits);
        }
    }

    fn take(&mut self, register: usize) -> Vec<u64> {
        self.all
            .get_mut(register)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    fn give(&mut self, register: usize, bits: Vec<u64>) {
        if let Some(place) = self.all.get_mut(register) {
            *place = bits;
        }
    }

    fn codes(&mut self, leaf: &Leaf, into: Goal) {
        let source = self.source;
        let places = match into.elements {
            None => self.chunk * CHUNK_ROWS as usize..(self.chunk + 1) * CHUNK_ROWS as usize,
            Some(list) => self.places(list),
        };
        let mut bits = self.take(into.register);
        let within = into
            .within
            .and_then(|within| self.all.get(within))
            .map(Vec::as_slice);
        put_codes(
            &source.column(leaf.column).codes,
            places,
            leaf,
            &mut bits,
            within,
            into.how,
        );
        self.give(into.register, bits);
    }

    fn fold(&mut self, from: usize, list: ListId, negated: bool, into: Goal) {
        let source = self.source;
        let view = source.list(list);
        let last = part(view.last, self.words(Some(list)));
        let filled = part(view.filled, self.words(None));
        let elements = self.take(from);
        let mut bits = self.take(into.register);
        let flip = if negated { u64::MAX } else { 0 };
        let mut words = bits.iter_mut();
        fold(&elements, last, filled, |_, found| {
            if let Some(word) = words.next() {
                into.how.join(word, found ^ flip);
            }
        });
        // Rows behind the last one have no word in `filled` and no element.
        for word in words {
            into.how.join(word, flip);
        }
        self.give(into.register, bits);
        self.give(from, elements);
    }

    /// Looks at the elements of every undecided row.
    fn few(&mut self, list: ListId, node: &Node, negated: bool, into: Goal) {
        let source = self.source;
        let view = source.list(list);
        let filled = part(view.filled, self.words(None));
        let first = self.places(list).start;
        let mut walk = Walk::new(part(view.last, self.words(Some(list))));
        let undecided: Vec<u64> = self.undecided(into).collect();
        let test = ElementTest::of(source, node);
        let mut bits = self.take(into.register);
        let mut ordinal = 0;
        let mut filled = filled.iter().copied();
        for (word, undecided) in bits.iter_mut().zip(undecided) {
            let filled = filled.next().unwrap_or(0);
            let mut found = 0;
            let mut rest = undecided & filled;
            while rest != 0 {
                let lowest = rest & rest.wrapping_neg();
                rest ^= lowest;
                let row = ordinal + (filled & (lowest - 1)).count_ones();
                let mut elements = walk.elements(row).into_iter().flatten();
                if elements.any(|element| test.holds(first + element)) {
                    found |= lowest;
                }
            }
            ordinal += filled.count_ones();
            // Within what was undecided: beside `And` that is the word itself.
            let true_of = if negated { undecided & !found } else { found };
            into.how.join(word, true_of);
        }
        self.give(into.register, bits);
    }
}

/// Puts a leaf's answer for `places` of its column into a register.
pub(super) fn put_codes(
    codes: &Codes<'_>,
    places: std::ops::Range<usize>,
    leaf: &Leaf,
    bits: &mut [u64],
    within: Option<&[u64]>,
    how: How,
) {
    match codes {
        Codes::Absent => {
            // Leaves of such columns are constants; nothing is known of any place.
            let word = if leaf.lookup.has(0) { u64::MAX } else { 0 };
            for bits in bits {
                how.join(bits, word);
            }
        }
        Codes::U8(codes) => leaf.lookup.put(part(codes, places), bits, within, how),
        Codes::U16(codes) => leaf.lookup.put(part(codes, places), bits, within, how),
        Codes::U32(codes) => leaf.lookup.put(part(codes, places), bits, within, how),
    }
}

/// A condition on an element with the columns that it looks at.
enum ElementTest<'a> {
    Constant(bool),
    Codes(Codes<'a>, &'a Leaf),
    /// Of hashes that are not kept: bits, and whether they are meant to be missing.
    Derived(&'a [u64], bool),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl<'a> ElementTest<'a> {
    fn of(source: &'a impl Source, node: &'a Node) -> Self {
        let each = |nodes: &'a [Node]| nodes.iter().map(|node| Self::of(source, node)).collect();
        match node {
            Node::Constant(holds) => Self::Constant(*holds),
            Node::Codes(leaf) => Self::Codes(source.column(leaf.column).codes, leaf),
            Node::Derived { column, negated } => {
                let derived = source.column(*column).derived;
                Self::Derived(
                    derived
                        .map(|derived| derived.is_derived)
                        .unwrap_or_default(),
                    *negated,
                )
            }
            Node::All(nodes) => Self::All(each(nodes)),
            Node::Any(nodes) => Self::Any(each(nodes)),
            // Conditions on elements have no lists in them.
            Node::Some { .. } | Node::Filled { .. } => Self::Constant(false),
        }
    }

    fn holds(&self, element: usize) -> bool {
        match self {
            Self::Constant(holds) => *holds,
            Self::Codes(codes, leaf) => leaf.lookup.has(codes.get(element)),
            Self::Derived(bits, negated) => {
                (bits
                    .get(element / 64)
                    .is_some_and(|word| word >> (element % 64) & 1 == 1))
                    != *negated
            }
            Self::All(tests) => tests.iter().all(|test| test.holds(element)),
            Self::Any(tests) => tests.iter().any(|test| test.holds(element)),
        }
    }
}

/// The part of a slice that is in a range, shorter at the end.
fn part<T>(all: &[T], range: std::ops::Range<usize>) -> &[T] {
    let end = range.end.min(all.len());
    all.get(range.start.min(end)..end).unwrap_or_default()
}
