//! What one request has found out about values: its candidates share a name, and with it most of what they are compared by.
//!
//! Changes no answer: what is remembered follows from the request and the value alone.

use std::cell::RefCell;
use std::collections::HashMap;

use super::finding::How;

/// The memory of one request, used by one thread.
#[derive(Debug, Default)]
pub struct Memo {
    /// By the index of the clue, then by value.
    hows: RefCell<Vec<HashMap<String, Hows>>>,
    aliases: RefCell<HashMap<String, bool>>,
}

/// How a value compares with a clue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hows {
    /// As it stands.
    pub how: How,
    /// Of an employer, if its last words were a place of the record, whichever these are.
    pub without_place: How,
}

/// What is known of values beside one clue.
#[derive(Debug, Clone, Copy)]
pub struct ClueMemo<'m> {
    memo: &'m Memo,
    clue: usize,
}

impl Memo {
    /// What is known of values beside the clue of this index.
    #[must_use]
    pub const fn of(&self, clue: usize) -> ClueMemo<'_> {
        ClueMemo { memo: self, clue }
    }

    /// Whether an alias of a record is a whole name. `key` must be everything that the answer follows from.
    pub(super) fn is_name(&self, key: &str, find: impl FnOnce() -> bool) -> bool {
        remembered(&self.aliases, key, find)
    }
}

impl<'m> ClueMemo<'m> {
    /// What is known beside all clues.
    pub(super) const fn all(self) -> &'m Memo {
        self.memo
    }

    /// How a value compares with the clue.
    pub fn how(&self, value: &str, compare: impl FnOnce() -> How) -> How {
        let hows = || Hows {
            how: compare(),
            without_place: How::Contradicts,
        };
        self.hows(value, hows).how
    }

    /// The same of an employer.
    pub fn hows(&self, value: &str, compare: impl FnOnce() -> Hows) -> Hows {
        let known = |hows: &Vec<HashMap<String, Hows>>| hows.get(self.clue)?.get(value).copied();
        if let Some(known) = known(&self.memo.hows.borrow()) {
            return known;
        }
        let found = compare();
        let mut hows = self.memo.hows.borrow_mut();
        if hows.len() <= self.clue {
            hows.resize_with(self.clue + 1, HashMap::new);
        }
        if let Some(of_clue) = hows.get_mut(self.clue) {
            of_clue.insert(value.to_owned(), found);
        }
        found
    }
}

/// The value of a key, found once.
pub(super) fn remembered<T: Clone>(
    known: &RefCell<HashMap<String, T>>,
    key: &str,
    find: impl FnOnce() -> T,
) -> T {
    if let Some(value) = known.borrow().get(key) {
        return value.clone();
    }
    let value = find();
    known.borrow_mut().insert(key.to_owned(), value.clone());
    value
}
