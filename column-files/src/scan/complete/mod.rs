//! What a text that somebody is typing may become: the values of a column that begin with it, most frequent first, behind
//! them those that would but for accents, and those that would but for a slip.
//!
//! Guarantees: a count is that of the records which a search for the value finds; every call of [`Completing::advance`]
//! ends after two or three milliseconds at most. Values that begin with the text are never left out for others that do not.

mod choice;
mod singles;
mod walk;

use std::sync::Arc;

use dialect::{ColumnId, fold};

use crate::read::Columns;
use crate::view::{ColumnView, Dictionary, TextDictionary};

use choice::{Choice, Chosen, Counts};
use singles::Singles;

/// Shorter texts have too many neighbours to look for slips, in characters.
const SHORTEST_WITH_SLIP: usize = 4;
/// From so many characters on two slips are looked for.
const SHORTEST_WITH_TWO: usize = 8;
/// Longer texts, in characters, are taken as they are: the work of walking grows with the length.
const LONGEST_WALKED: usize = 64;
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
    /// Folded.
    text: String,
    typed: Vec<char>,
    limit: usize,
    choice: Choice,
    /// What was typed is the beginning of a value.
    is_beginning: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Ranges at this distance are chosen from: 0 as typed, then but for accents, for one slip, for two.
    Choosing(u8),
    /// Values of one record are looked for in the ranges of this distance.
    Singles(u8, Singles),
    Done,
}

impl Completing {
    /// At most `limit` values of a column of text. The text is compared without regard to case and accents.
    #[must_use]
    pub fn new(columns: Arc<Columns>, column: ColumnId, text: &str, limit: usize) -> Self {
        let text = fold(text);
        Self {
            columns,
            column,
            typed: text.chars().take(LONGEST_WALKED + 1).collect(),
            text,
            limit,
            choice: Choice::new(limit),
            is_beginning: false,
            state: State::Choosing(AS_TYPED),
        }
    }

    /// Works for two or three milliseconds at most; the answer, once there is one, is given once.
    pub fn advance(&mut self) -> Option<Vec<Completion>> {
        let columns = Arc::clone(&self.columns);
        let view = columns.column(self.column);
        let Dictionary::Text(texts) = view.dictionary else {
            self.state = State::Done;
            return Some(Vec::new());
        };
        match &mut self.state {
            State::Choosing(distance) => {
                let distance = *distance;
                self.choose(texts, &view, distance);
                let added = self.choice.take_added();
                if view.counts.is_none() && !self.choice.is_full() && !added.is_empty() {
                    let singles = Singles::new(texts.len, added, self.limit);
                    self.state = State::Singles(distance, singles);
                    return None;
                }
                self.go_on(texts, distance)
            }
            State::Singles(distance, singles) => {
                let distance = *distance;
                let found = singles.advance(&view.codes, view.repeated)?;
                for code in found {
                    self.choice.offer(distance, 1, code);
                }
                self.go_on(texts, distance)
            }
            State::Done => None,
        }
    }

    /// Works until the end, without a pause.
    #[must_use]
    pub fn run(mut self) -> Vec<Completion> {
        while !matches!(self.state, State::Done) {
            if let Some(found) = self.advance() {
                return found;
            }
        }
        Vec::new()
    }

    /// Chooses among the values at a distance.
    fn choose(&mut self, texts: TextDictionary<'_>, view: &ColumnView<'_>, distance: u8) {
        let counts = view
            .counts
            .map_or(Counts::Repeated(view.repeated), Counts::Each);
        let Some(slips) = distance.checked_sub(AS_TYPED + 1) else {
            let codes = texts.prefix_range(self.text.as_bytes());
            return self.choice.add(counts, distance, codes);
        };
        let mut reached = walk::reached(texts, &self.typed, slips, self.is_beginning);
        reached.sort_by_key(|codes| codes.start);
        for codes in reached {
            self.choice.add(counts, distance, codes);
        }
    }

    /// Goes on to the next distance, or ends.
    fn go_on(&mut self, texts: TextDictionary<'_>, distance: u8) -> Option<Vec<Completion>> {
        if distance == AS_TYPED {
            self.is_beginning = !self.choice.is_empty();
        }
        if !self.choice.is_full() && distance < self.farthest() {
            self.state = State::Choosing(distance + 1);
            return None;
        }
        self.state = State::Done;
        Some(completions(texts, self.choice.finish()))
    }

    /// How far values may be from the text.
    fn farthest(&self) -> u8 {
        match self.typed.len() {
            0 => AS_TYPED,
            1..SHORTEST_WITH_SLIP => AS_TYPED + 1,
            SHORTEST_WITH_SLIP..SHORTEST_WITH_TWO => AS_TYPED + 2,
            SHORTEST_WITH_TWO..=LONGEST_WALKED => AS_TYPED + 3,
            _ => AS_TYPED,
        }
    }
}

fn completions(texts: TextDictionary<'_>, chosen: Vec<Chosen>) -> Vec<Completion> {
    let each = chosen.into_iter().filter_map(|chosen| {
        let value = String::from_utf8(texts.text(chosen.code)?).ok()?;
        Some(Completion {
            value,
            count: chosen.count.into(),
        })
    });
    each.collect()
}
