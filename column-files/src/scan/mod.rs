//! Running a query: count and page in one pass over the chunks, in slices, so that a caller decides when to go on.
//!
//! `filter → draft (which comparisons) → sets of codes (literals looked up, patterns run over dictionaries) → plan (the
//! cheap and narrow first) → program (steps over registers of bits) → rows → page`.
//!
//! Guarantees: what is found is what SQL's three-valued logic says, exactly; the total is exact; every call of
//! [`Search::advance`] ends after about a millisecond, whatever the query is, in builds whose texts are not longer than some
//! 10 kB: what is done in one piece goes once through the 128 texts of a block, or through one text and the pattern. Nothing is
//! kept between searches.

mod code_set;
mod codes_for;
mod compare;
mod complete;
mod cost;
mod dictionary;
mod draft;
mod engine;
mod guess;
mod hashes;
mod hosts;
mod kernel;
mod order;
mod pattern;
mod plan;
mod program;
mod registers;
mod rows;
mod seek;
mod sequence;
mod slice;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod weight;

use std::sync::Arc;

use dialect::Query;

pub use self::complete::{Completing, Completion};

use self::engine::Engine;
use crate::read::Columns;

/// Which rows of the result are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// At most so many.
    pub limit: u32,
    /// From where.
    pub start: Start,
}

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// After so many rows of the result.
    Offset(u32),
    /// After the record of this rank, in the query's order. Need not be a row of the result.
    After(u32),
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Ranks of the page's records (1 = first in the default order), in the query's order.
    pub ranks: Vec<u32>,
    /// Rows that the filter holds for, in the whole build.
    pub total: u64,
}

/// What the sets of codes of one search may need, in bytes: those of some fifty patterns on columns in which ten million
/// records have a value of their own each. Patterns of one column that stand side by side need no more than one.
const MAX_SET_BYTES: usize = 64 << 20;

/// A search would need more memory than one may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "The query has too many patterns on columns with very many values; ask fewer of them at once"
)]
pub struct TooBroad;

/// A search under way. Dropping it cancels it.
#[derive(Debug)]
pub struct Search {
    columns: Arc<Columns>,
    engine: Engine,
}

impl Search {
    /// A search that has done nothing yet. With `total` known, it ends as soon as the page is full.
    #[must_use]
    pub fn new(columns: Arc<Columns>, query: &Query, page: Page, total: Option<u64>) -> Self {
        let engine = Engine::new(&*columns, query, page, total);
        Self { columns, engine }
    }

    /// Works for about a millisecond (never much longer: the unit of fairness) and says what was found, once it is.
    ///
    /// # Errors
    /// The search needs too much memory; it has ended.
    pub fn advance(&mut self) -> Option<Result<Found, TooBroad>> {
        self.engine.advance(&*self.columns)
    }

    /// Works until the end, without a pause.
    ///
    /// # Errors
    /// As [`Search::advance`].
    pub fn run(mut self) -> Result<Found, TooBroad> {
        loop {
            if let Some(found) = self.advance() {
                return found;
            }
        }
    }
}
