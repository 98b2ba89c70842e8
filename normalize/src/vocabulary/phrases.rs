//! Looking runs of words up in a table: the longest that a text holds decides.

use std::collections::HashMap;

use crate::{table, text};

/// Folded phrases and the values of a closed list that they stand for.
pub(super) struct Phrases {
    values: HashMap<String, &'static str>,
    /// Phrases that mean their value only as the whole text: `=executive`.
    wholes: HashMap<String, &'static str>,
    longest: usize,
}

impl Phrases {
    /// The list's own values and the lines of a table.
    pub(super) fn of(list: &[&'static str], file: &'static str) -> Self {
        let own = list.iter().map(|value| (*value, *value));
        let lines = table::lines(file).filter_map(|line| line.split_once('\t'));
        let (mut values, mut wholes) = (HashMap::new(), HashMap::new());
        for (phrase, value) in lines.chain(own) {
            match phrase.strip_prefix('=') {
                Some(whole) => wholes.insert(fold(whole), value),
                None => values.insert(fold(phrase), value),
            };
        }
        let longest = values
            .keys()
            .map(|phrase: &String| phrase.split(' ').count())
            .max();
        Self {
            values,
            wholes,
            longest: longest.unwrap_or(0),
        }
    }

    /// The value of the whole text.
    pub(super) fn whole(&self, given: &str) -> Option<&'static str> {
        let folded = fold(given);
        let found = self.wholes.get(&folded);
        found.or_else(|| self.values.get(&folded)).copied()
    }

    /// The longest run of words that is known: how many words it has, and its value. Of equally long ones the last.
    pub(super) fn longest(&self, given: &str) -> Option<(usize, &'static str)> {
        self.decided(given, |_, _| true)
    }

    /// The value of the longest run of words; of equally long ones the first.
    pub(super) fn first(&self, given: &str) -> Option<&'static str> {
        Some(self.decided(given, |_, _| false)?.1)
    }

    /// The value of the longest run of words; of equally long ones the one that `better(new, old)` prefers.
    pub(super) fn best(
        &self,
        given: &str,
        better: impl Fn(&'static str, &'static str) -> bool,
    ) -> Option<&'static str> {
        Some(self.decided(given, better)?.1)
    }

    /// The value of every single word that is known.
    pub(super) fn every(&self, given: &str) -> impl Iterator<Item = &'static str> {
        let words: Vec<&'static str> = fold(given)
            .split(' ')
            .filter_map(|word| self.values.get(word).copied())
            .collect();
        words.into_iter()
    }

    fn decided(
        &self,
        given: &str,
        better: impl Fn(&'static str, &'static str) -> bool,
    ) -> Option<(usize, &'static str)> {
        let folded = fold(given);
        let words: Vec<&str> = folded.split(' ').collect();
        (1..=self.longest.min(words.len()))
            .rev()
            .find_map(|length| {
                words
                    .windows(length)
                    .filter_map(|run| self.values.get(&run.join(" ")).copied())
                    .reduce(|old, new| if better(new, old) { new } else { old })
                    .map(|value| (length, value))
            })
    }
}

/// Words of which the singular is another word.
const PLURAL_ONLY: [&str; 4] = ["news", "sales", "goods", "arts"];

/// Folded, and every word in the singular, so that `Legislative Offices` is a `legislative office`.
fn fold(phrase: &str) -> String {
    let folded = text::fold(&phrase.replace('&', " and "));
    let mut out = String::with_capacity(folded.len());
    for word in folded.split(' ') {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if word.len() > 3 && !PLURAL_ONLY.contains(&word) {
            singular(&mut out);
        }
    }
    out
}

/// Takes the plural's ending off the last word. What comes out need be no word: both sides of a comparison are cut alike.
fn singular(text: &mut String) {
    if text.ends_with("ies") {
        text.truncate(text.len() - "ies".len());
        text.push('y');
    } else if text.ends_with('s') && !text.ends_with("ss") {
        text.pop();
    }
}
