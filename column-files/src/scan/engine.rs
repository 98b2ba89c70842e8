//! A search from its query to its page, one slice after the other.

use dialect::Query;

use super::draft::{Draft, Planner};
use super::guess::Guess;
use super::order::Best;
use super::plan::Node;
use super::program::{Program, ROW_WORDS};
use super::slice::Slice;
use super::source::Source;
use super::{Found, MAX_SET_BYTES, Page, Start, TooBroad};
use crate::view::CHUNK_ROWS;

/// The state of a search. It is given the same columns at every call.
#[derive(Debug)]
pub(super) struct Engine {
    state: State,
    total: Total,
    page: Collected,
}

#[derive(Debug)]
enum State {
    /// Sets of codes are worked out.
    Planning(Planner, Draft),
    /// It is guessed how far the page reaches, for this plan.
    Guessing(Guess, Node),
    /// Chunks are gone through.
    Scanning(Scan),
    /// All is found.
    Done,
}

#[derive(Debug)]
struct Scan {
    program: Program,
    chunk: usize,
    /// The first register holds the wanted rows of the chunk.
    begun: bool,
    /// The rows of the chunk that are found, as far as the page has not taken them yet.
    found: Option<Vec<u64>>,
}

#[derive(Debug, Clone, Copy)]
enum Total {
    /// Counted so far.
    Counted(u64),
    /// Known, so that rows which cannot be on the page need not be looked at.
    Known(u64),
}

/// The page so far.
#[derive(Debug)]
enum Collected {
    /// By rank: rows that are still passed over, rows so far, and how many are wanted. Rows before `from` are not.
    Ranked {
        from: u32,
        pass: u64,
        seen: u64,
        rows: Vec<u32>,
        limit: usize,
    },
    /// By keys; rows before `offset` are not wanted.
    Ordered { best: Best, offset: usize },
}

impl Engine {
    /// A search that has done nothing yet.
    pub(super) fn new(source: &impl Source, query: &Query, page: Page, total: Option<u64>) -> Self {
        let mut planner = Planner::new(MAX_SET_BYTES);
        let draft = match &query.filter {
            Some(filter) => planner.draft(source, filter),
            None => Draft::All(Vec::new()),
        };
        Self {
            state: State::Planning(planner, draft),
            total: total.map_or(Total::Counted(0), Total::Known),
            page: Collected::new(source, query, page),
        }
    }

    /// Works for about a millisecond; the answer, once there is one, is given once.
    pub(super) fn advance(&mut self, source: &impl Source) -> Option<Result<Found, TooBroad>> {
        let slice = Slice::begin();
        loop {
            match &mut self.state {
                State::Planning(planner, draft) => match planner.advance(source, &slice) {
                    Ok(false) => {}
                    Ok(true) => {
                        let node = planner.finish(source, draft);
                        self.begin(source, node);
                    }
                    Err(too_broad) => {
                        self.state = State::Done;
                        return Some(Err(too_broad));
                    }
                },
                State::Guessing(guess, node) => {
                    if let Some(guess) = guess.advance(source, &slice) {
                        if let Collected::Ordered { best, .. } = &mut self.page {
                            best.guess(guess);
                        }
                        let scan = Scan::of(source, node, &self.total, &self.page);
                        self.state = State::Scanning(scan);
                    }
                }
                State::Scanning(scan) => {
                    if scan.advance(source, &mut self.total, &mut self.page) {
                        let (Total::Counted(total) | Total::Known(total)) = self.total;
                        if !self.page.retry(total) {
                            return Some(Ok(self.finish(source)));
                        }
                        self.total = Total::Known(total);
                        scan.chunk = 0;
                    }
                }
                State::Done => return None,
            }
            if slice.is_over() {
                return None;
            }
        }
    }

    fn begin(&mut self, source: &impl Source, node: Node) {
        if let (Total::Counted(_), Some(total)) = (self.total, counted(source, &node)) {
            self.total = Total::Known(total);
        }
        let guess = match &self.page {
            Collected::Ordered { best, .. } => best.guess_of(node.estimate(source).1),
            Collected::Ranked { .. } => None,
        };
        self.state = match guess {
            Some(guess) => State::Guessing(guess, node),
            None => State::Scanning(Scan::of(source, &node, &self.total, &self.page)),
        };
    }

    fn finish(&mut self, source: &impl Source) -> Found {
        self.state = State::Done;
        let rows = match &mut self.page {
            Collected::Ranked { rows, .. } => std::mem::take(rows),
            Collected::Ordered { best, offset } => best.finish(source, *offset),
        };
        let (Total::Counted(total) | Total::Known(total)) = self.total;
        Found {
            ranks: rows.into_iter().map(|row| row.saturating_add(1)).collect(),
            total,
        }
    }
}

/// The number of rows that a plan is true of, where it needs no look at the rows.
fn counted(source: &impl Source, node: &Node) -> Option<u64> {
    let rows = u64::from(source.rows());
    match node {
        Node::Constant(holds) => Some(if *holds { rows } else { 0 }),
        Node::Codes(leaf) => leaf.weight,
        _ => None,
    }
}

impl Scan {
    /// A way through the chunks that has done nothing yet.
    fn of(source: &impl Source, node: &Node, total: &Total, page: &Collected) -> Self {
        Self {
            program: Program::of(source, node),
            chunk: match (total, page) {
                (Total::Known(_), Collected::Ranked { from, .. }) => (*from / CHUNK_ROWS) as usize,
                _ => 0,
            },
            begun: false,
            found: None,
        }
    }

    /// Does one step; says whether all is found.
    fn advance(&mut self, source: &impl Source, total: &mut Total, page: &mut Collected) -> bool {
        if let Some(found) = self.found.take() {
            self.give(source, page, found);
            return false;
        }
        let first = self.chunk.saturating_mul(CHUNK_ROWS as usize);
        let rows = source.rows() as usize;
        if first >= rows || matches!(total, Total::Known(total) if page.is_full(*total)) {
            return true;
        }
        if !self.begun {
            let mut wanted = self.program.take_rows();
            wanted.clear();
            wanted.resize((rows - first).div_ceil(64).min(ROW_WORDS), u64::MAX);
            if rows - first < CHUNK_ROWS as usize
                && !rows.is_multiple_of(64)
                && let Some(last) = wanted.last_mut()
            {
                *last = u64::MAX >> (64 - rows % 64);
            }
            if matches!(total, Total::Known(_)) {
                page.keep_promising(source, self.chunk, &mut wanted);
            }
            self.program.give_rows(wanted);
            self.begun = true;
        }
        if self.program.advance(source, self.chunk) {
            let mut found = self.program.take_rows();
            if let Total::Counted(total) = total {
                *total += found
                    .iter()
                    .map(|word| u64::from(word.count_ones()))
                    .sum::<u64>();
                page.keep_promising(source, self.chunk, &mut found);
            }
            self.give(source, page, found);
        }
        false
    }

    /// Gives rows of the chunk to the page, which may take some of them only.
    fn give(&mut self, source: &impl Source, page: &mut Collected, mut found: Vec<u64>) {
        if page.take(source, self.chunk, &mut found) {
            self.program.give_rows(found);
            self.begun = false;
            self.chunk += 1;
        } else {
            self.found = Some(found);
        }
    }
}

impl Collected {
    fn new(source: &impl Source, query: &Query, page: Page) -> Self {
        let rows = source.rows();
        // Behind the last record there is nothing.
        let is_behind_all = matches!(page.start, Start::After(rank) if rank > rows);
        let limit = if is_behind_all {
            0
        } else {
            page.limit as usize
        };
        let (offset, after) = match page.start {
            Start::Offset(offset) => (offset, None),
            Start::After(rank) => (0, rank.checked_sub(1)),
        };
        if query.order.is_empty() {
            let from = after.map_or(0, |row| row.saturating_add(1));
            return Self::Ranked {
                from,
                pass: offset.into(),
                seen: 0,
                rows: Vec::new(),
                limit,
            };
        }
        let wanted = if limit == 0 {
            0
        } else {
            limit.saturating_add(offset as usize)
        };
        let after = after.filter(|_| !is_behind_all);
        Self::Ordered {
            best: Best::new(source, query, wanted, after),
            offset: offset as usize,
        }
    }

    /// Whether no other row can change the page, of a result of so many rows.
    fn is_full(&self, total: u64) -> bool {
        match self {
            Self::Ranked {
                from,
                pass,
                seen,
                rows,
                limit,
            } => rows.len() >= *limit || *pass >= total || (*from == 0 && *seen >= total),
            Self::Ordered { best, .. } => total == 0 || best.is_settled(),
        }
    }

    /// Whether the page must be collected once more, in a result of so many rows; it is empty then.
    fn retry(&mut self, total: u64) -> bool {
        let Self::Ordered { best, .. } = self else {
            return false;
        };
        let is_short = best.is_short(total);
        if is_short {
            best.retry();
        }
        is_short
    }

    /// Takes away the rows of a chunk that cannot be on the page.
    fn keep_promising(&mut self, source: &impl Source, chunk: usize, rows: &mut [u64]) {
        match self {
            Self::Ranked { from, .. } => {
                let first = chunk * CHUNK_ROWS as usize;
                let before = (*from as usize).saturating_sub(first);
                for word in rows.iter_mut().take(before / 64) {
                    *word = 0;
                }
                if let Some(word) = rows.get_mut(before / 64) {
                    *word &= u64::MAX << (before % 64);
                }
            }
            Self::Ordered { best, .. } => best.keep_promising(source, chunk, rows),
        }
    }

    /// Takes the rows of a chunk in, as many as can be at a time; says whether there are no more.
    fn take(&mut self, source: &impl Source, chunk: usize, found: &mut [u64]) -> bool {
        match self {
            Self::Ranked {
                pass,
                seen,
                rows,
                limit,
                ..
            } => {
                let base = u32::try_from(chunk)
                    .unwrap_or(u32::MAX)
                    .saturating_mul(CHUNK_ROWS);
                for (at, word) in (base..).step_by(64).zip(found) {
                    let ones = u64::from(word.count_ones());
                    *seen += ones;
                    if rows.len() >= *limit {
                        break;
                    }
                    if *pass >= ones {
                        *pass -= ones;
                        continue;
                    }
                    let mut rest = *word;
                    while rest != 0 && rows.len() < *limit {
                        if *pass > 0 {
                            *pass -= 1;
                        } else {
                            rows.push(at + rest.trailing_zeros());
                        }
                        rest &= rest - 1;
                    }
                }
                true
            }
            Self::Ordered { best, .. } => best.take(source, chunk, found),
        }
    }
}
