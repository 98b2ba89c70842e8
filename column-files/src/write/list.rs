//! How elements belong to rows, while rows come in.

use crate::view::CHUNK_ROWS;

/// One list. Bits are few enough to stay in memory: 16 million rows with ten lists of three elements have 80 MB.
#[derive(Debug, Default)]
pub(super) struct Elements {
    /// Elements so far, with those that fill up chunks.
    pub(super) count: u64,
    pub(super) starts: Vec<u64>,
    pub(super) lengths: Vec<u32>,
    pub(super) last: Bits,
    pub(super) filled: Bits,
    row_start: u64,
}

impl Elements {
    pub(super) fn new() -> Self {
        Self {
            starts: vec![0],
            ..Self::default()
        }
    }

    /// The place of a new element.
    pub(super) fn add(&mut self) -> u64 {
        self.count += 1;
        self.count - 1
    }

    /// Ends row `row`.
    pub(super) fn end_row(&mut self, row: u32) {
        if self.count > self.row_start {
            self.last.set(self.count - 1);
            self.filled.set(u64::from(row));
        }
        if row % CHUNK_ROWS == CHUNK_ROWS - 1 {
            self.end_chunk();
        }
        self.row_start = self.count;
    }

    /// Ends the last chunk of `rows` rows.
    pub(super) fn end(&mut self, rows: u32) {
        if !rows.is_multiple_of(CHUNK_ROWS) {
            self.end_chunk();
        }
        self.last.fill(self.count);
        self.filled.fill(u64::from(rows));
    }

    fn end_chunk(&mut self) {
        let start = self.starts.last().copied().unwrap_or(0);
        self.lengths
            .push(u32::try_from(self.count - start).unwrap_or(u32::MAX));
        self.count = self.count.next_multiple_of(64);
        self.starts.push(self.count);
    }
}

/// A growing set of places, set in ascending order.
#[derive(Debug, Default)]
pub(super) struct Bits {
    pub(super) words: Vec<u64>,
}

impl Bits {
    pub(super) fn set(&mut self, place: u64) {
        self.fill(place + 1);
        if let Some(word) = self.words.last_mut() {
            *word |= 1 << (place % 64);
        }
    }

    pub(super) fn has(&self, place: u64) -> bool {
        let word = usize::try_from(place / 64)
            .ok()
            .and_then(|word| self.words.get(word));
        word.is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Makes room for `length` places.
    pub(super) fn fill(&mut self, length: u64) {
        let words = usize::try_from(length.div_ceil(64)).unwrap_or(usize::MAX);
        if words > self.words.len() {
            self.words.resize(words, 0);
        }
    }
}
