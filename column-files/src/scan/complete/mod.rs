//! What a text that somebody is typing may become: the values of a column that begin with it, most frequent first, behind
//! them those that would but for accents, and those that would but for a slip.
//!
//! Guarantees: a count is that of the records which a search for the value finds; every call of [`Completing::advance`]
//! ends after a few milliseconds at most. Values that begin with the text are never left out for others that do not.

mod choice;
mod counting;
mod walk;

use std::sync::Arc;

use dialect::{Catalog, ColumnId, fold};

use crate::read::Columns;
use crate::view::{ColumnView, Dictionary, TextDictionary};

use choice::{Choice, Chosen};
use counting::Counting;

/// Shorter texts have too many neighbours to look for slips, in characters.
const SHORTEST_WITH_SLIP: usize = 4;
/// From so many characters on two slips are looked for.
const SHORTEST_WITH_TWO: usize = 8;
/// Longer texts, in characters, are taken as they are: the work of finding slips grows with the length.
const LONGEST_WITH_SLIP: usize = 64;
/// Of a column without counts, so many values are counted, the first in their order.
const MOST_COUNTED: usize = 4_096;
/// How far a value that begins with the text is from it.
const AS_TYPED: u8 = 0;

/// A value that a text may become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// As it is stored.
    pub value: String,
    /// Records that have it.
    pub count: u64,
}

/// A completion under way. Dropping it cancels it.
#[derive(Debug)]
pub struct Completing {
    columns: Arc<Columns>,
    column: ColumnId,
    text: String,
    limit: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    Choosing,
    Counting(Counting),
    Done,
}

impl Completing {
    /// At most `limit` values of a column of text. The text is compared without regard to case and accents.
    #[must_use]
    pub fn new(columns: Arc<Columns>, column: ColumnId, text: &str, limit: usize) -> Self {
        Self {
            columns,
            column,
            text: fold(text),
            limit,
            state: State::Choosing,
        }
    }

    /// Works for a few milliseconds at most; the answer, once there is one, is given once.
    pub fn advance(&mut self) -> Option<Vec<Completion>> {
        let columns = Arc::clone(&self.columns);
        let view = columns.column(self.column);
        let Dictionary::Text(texts) = view.dictionary else {
            self.state = State::Done;
            return Some(Vec::new());
        };
        match &mut self.state {
            State::Choosing => {
                let chosen = self.chosen(texts, &view);
                if view.counts.is_some() {
                    self.state = State::Done;
                    return Some(completions(texts, chosen));
                }
                self.state = State::Counting(Counting::new(texts.len, chosen));
                None
            }
            State::Counting(counting) => {
                let place = Catalog::of(columns.kind()).column(self.column).place;
                let list = place.list().map(|list| columns.list(list));
                if !counting.advance(&view.codes, list.as_ref()) {
                    return None;
                }
                let counted = counting.take();
                self.state = State::Done;
                Some(completions(texts, choice::best(counted, self.limit)))
            }
            State::Done => None,
        }
    }

    /// Works until the end, without a pause.
    #[must_use]
    pub fn run(mut self) -> Vec<Completion> {
        loop {
            if let Some(found) = self.advance() {
                return found;
            }
        }
    }

    fn chosen(&self, texts: TextDictionary<'_>, view: &ColumnView<'_>) -> Vec<Chosen> {
        let room = if view.counts.is_some() {
            self.limit
        } else {
            MOST_COUNTED.max(self.limit)
        };
        let mut choice = Choice::new(view.counts, room);
        choice.add(AS_TYPED, texts.prefix_range(self.text.as_bytes()));
        let has_exact = !choice.is_empty();
        let typed: Vec<char> = self.text.chars().take(LONGEST_WITH_SLIP + 1).collect();
        let most = match typed.len() {
            0 => return choice.finish(),
            SHORTEST_WITH_TWO..=LONGEST_WITH_SLIP => 2,
            SHORTEST_WITH_SLIP.. if typed.len() <= LONGEST_WITH_SLIP => 1,
            _ => 0,
        };
        if choice.len() >= self.limit || typed.len() > LONGEST_WITH_SLIP {
            return choice.finish();
        }
        let mut reached = walk::reached(texts, &typed, most, has_exact);
        reached.sort_by_key(|reached| (reached.slips, reached.codes.start));
        for reached in reached {
            // Without a slip only accents differ.
            choice.add(AS_TYPED + 1 + reached.slips, reached.codes);
        }
        choice.finish()
    }
}

fn completions(texts: TextDictionary<'_>, chosen: Vec<Chosen>) -> Vec<Completion> {
    let each = chosen.into_iter().filter_map(|chosen| {
        let value = String::from_utf8(texts.text(chosen.code)?).ok()?;
        Some(Completion {
            value,
            count: chosen.count,
        })
    });
    each.collect()
}
