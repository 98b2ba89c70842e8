//! Looking runs of words up in a table: the longest that a text holds decides.

use std::collections::HashMap;

use crate::{table, text};

/// Folded phrases and the values of a closed list that they stand for.
pub(super) struct Phrases {
    values: HashMap<String, &'static str>,
    longest: usize,
}

impl Phrases {
    /// The list's own values and the lines of a table.
    pub(super) fn of(list: &[&'static str], file: &'static str) -> Self {
        let own = list.iter().map(|value| (*value, *value));
        let lines = table::lines(file).filter_map(|line| line.split_once('\t'));
        let values: HashMap<String, &'static str> = lines
            .chain(own)
            .map(|(phrase, value)| (fold(phrase), value))
            .collect();
        let longest = values.keys().map(|phrase| phrase.split(' ').count()).max();
        Self {
            values,
            longest: longest.unwrap_or(0),
        }
    }

    /// The value of the whole text.
    pub(super) fn whole(&self, given: &str) -> Option<&'static str> {
        self.values.get(&fold(given)).copied()
    }

    /// The value of the longest run of words; of equally long ones the first.
    pub(super) fn longest(&self, given: &str) -> Option<&'static str> {
        self.best(given, |_, _| false)
    }

    /// As [`Self::longest`], but of equally long runs the one that `better(new, old)` prefers.
    pub(super) fn best(
        &self,
        given: &str,
        better: impl Fn(&'static str, &'static str) -> bool,
    ) -> Option<&'static str> {
        let folded = fold(given);
        let words: Vec<&str> = folded.split(' ').collect();
        (1..=self.longest.min(words.len()))
            .rev()
            .find_map(|length| {
                words
                    .windows(length)
                    .filter_map(|run| self.values.get(&run.join(" ")).copied())
                    .reduce(|old, new| if better(new, old) { new } else { old })
            })
    }
}

fn fold(phrase: &str) -> String {
    text::fold(&phrase.replace('&', " and "))
}
