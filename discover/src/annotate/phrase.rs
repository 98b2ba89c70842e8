//! What the words at one place mean: the longest phrase of the vocabulary, and what the build and the words around it make of it.

use crate::lex::Token;
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::{LONGEST, vocabulary};

use super::{Annotator, is_place};

/// What some tokens mean.
pub(super) struct Phrase {
    /// How many they are; none if nothing knows them.
    pub(super) length: usize,
    pub(super) meanings: Vec<Meaning>,
}

impl Phrase {
    pub(super) fn of(length: usize, meaning: Meaning) -> Self {
        let meanings = vec![meaning];
        Self { length, meanings }
    }

    /// Takes in more tokens: what fewer of them meant is not said.
    fn grow(&mut self, length: usize) {
        if length > self.length {
            self.meanings.clear();
            self.length = length;
        }
    }
}

/// The greatest number of tokens of which something is true.
fn longest(is_it: impl Fn(usize) -> bool) -> Option<usize> {
    (1..=LONGEST).rev().find(|length| is_it(*length))
}

impl<L: Lexicon> Annotator<'_, L> {
    /// The longest phrase of the vocabulary: "software engineers", not "software".
    pub(super) fn phrase(&self, at: usize) -> Phrase {
        let mut found = Phrase {
            length: 0,
            meanings: Vec::new(),
        };
        let mut phrase = String::new();
        for length in 1..=LONGEST {
            let Some(stem) = self.stems.get(at + length - 1) else {
                break;
            };
            if length > 1 {
                phrase.push(' ');
            }
            phrase.push_str(stem);
            if !vocabulary().begins(&phrase) {
                break;
            }
            let meanings = vocabulary().get(&phrase);
            if !meanings.is_empty() {
                found = Phrase {
                    length,
                    meanings: meanings.to_vec(),
                };
            }
        }
        found
    }

    /// Whether the last of some small words begins a longer phrase that says something.
    fn is_cut_by_value(&self, at: usize, length: usize, meanings: &[Meaning]) -> bool {
        let is_word = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
        let last = at + length - 1;
        let value = self.phrase(last);
        let says_role =
            |meaning: &Meaning| matches!(meaning, Meaning::Function(_) | Meaning::Title(_));
        meanings.iter().all(is_word)
            && value.length > 1
            && value.meanings.iter().any(says_role)
            && !vocabulary().get(&self.stems_of(at, length - 1)).is_empty()
    }

    /// The longest phrase of the vocabulary, or as much of it as is said here.
    pub(super) fn phrase_in_place(&self, at: usize) -> Phrase {
        let mut phrase = self.phrase(at);
        // "In The Hague", "in the States": the article is part of the name.
        if phrase.length > 1 && self.names_place_with_article(at + phrase.length - 1) {
            phrase = self.beginning(at, phrase.length - 1);
        }
        // "In business development": the function, not "in business".
        if phrase.length > 1 && self.is_cut_by_value(at, phrase.length, &phrase.meanings) {
            phrase = self.beginning(at, phrase.length - 1);
        }
        // "The state banks" are banks of a state, not of the States.
        if self.names_one_state(at, phrase.length) {
            phrase = self.beginning(at, 1);
        }
        // "Active in Spain", but "active in March" is of when.
        if phrase.length == 2
            && self.spoken(at, phrase.length) == "active in"
            && !self.begins_place(at + phrase.length)
        {
            phrase = self.beginning(at, 1);
        }
        // "Quick Question", "Retrieve Technologies" are names.
        if self.names_small_words(at, phrase.length) {
            phrase.length = 1;
            phrase.meanings.clear();
        }
        phrase
    }

    /// The phrase of so many tokens, whether it means something or not.
    fn beginning(&self, at: usize, length: usize) -> Phrase {
        let meanings = vocabulary().get(&self.stems_of(at, length)).to_vec();
        Phrase { length, meanings }
    }

    /// "Olive oil companies" are no oil companies; "the States", where no state follows, are a country.
    pub(super) fn read_oil_or_states(&self, at: usize, phrase: &mut Phrase) {
        if self.names_other_oil(at, phrase.length) {
            *phrase = self.beginning(at, 1);
        }
        if let Some(country) = self.country_abroad(at) {
            *phrase = Phrase::of(2, country);
        }
    }

    /// Adds the company of the build that the words name: "(at) Siemens", "Apple".
    pub(super) fn add_company(&self, at: usize, phrase: &mut Phrase) {
        let after_at = self.last_cue(Cue::At)
            || self.goes_on(|meaning| matches!(meaning, Meaning::Company(_)));
        if let Some(of_name) = longest(|length| self.company(at, length).is_some())
            && (after_at || self.is_number_named(at) || self.is_named(at, of_name, phrase.length))
            && of_name >= phrase.length.max(1)
            && let Some(name) = self.company(at, of_name)
        {
            phrase.grow(of_name);
            phrase.meanings.push(Meaning::Company(name));
        }
    }

    /// Adds the city of the build that the words name, and the state behind it: "(in) Reading", "Portland, Maine".
    pub(super) fn add_city(&self, at: usize, phrase: &mut Phrase) {
        let length = phrase.length;
        if let Some(of_place) = longest(|length| self.city(at, length).is_some())
            && (of_place > length
                || of_place == length && (self.last_cue(Cue::In) || self.goes_on(is_place))
                || length == 0)
            && let Some(place) = self.city(at, of_place)
        {
            phrase.grow(of_place);
            if let Some(state) = self.state_behind_city(&place) {
                phrase.meanings.push(state);
            }
            let is_known = |meaning: &Meaning| matches!(meaning, Meaning::Place(known) if same_name(known, &place));
            if !phrase.meanings.iter().any(is_known) {
                phrase.meanings.push(Meaning::Place(place));
            }
        }
    }

    /// Adds the state of the build that has the name of a city, where the words say that it is meant: "the state of São Paulo", "Victoria
    /// state".
    pub(super) fn add_called_state(&self, at: usize, phrase: &mut Phrase) {
        let says = |at: Option<usize>, word: &str| {
            let token = at.and_then(|at| self.tokens.get(at));
            token.is_some_and(|token| token.text == word)
        };
        let is_behind = says(at.checked_sub(2), "state") && says(at.checked_sub(1), "of");
        let is_called = |length: &usize| is_behind || says(Some(at + length), "state");
        let state_of = |length| {
            let forms = self.forms(at, length);
            let is_stored = |form: &&String| self.has(self.columns.state, form);
            forms.all.iter().find(is_stored).cloned()
        };
        let is_place = |length: &usize| *length > 0 && phrase.meanings.iter().any(is_place);
        let Some(state) = Some(phrase.length)
            .filter(is_place)
            .filter(is_called)
            .and_then(state_of)
        else {
            return;
        };
        let state = Meaning::Place(Place::State(state));
        if !phrase.meanings.contains(&state) {
            phrase.meanings.push(state);
        }
    }

    /// Adds the first and last name of persons of the build: "Maria Garcia".
    pub(super) fn add_full_name(&self, at: usize, token: &Token, phrase: &mut Phrase) {
        if phrase.meanings.is_empty()
            && phrase.length == 0
            && token.is_capital
            && let Some(next) = self.tokens.get(at + 1)
            && next.is_capital
            && next.is_word()
            && self.has(self.columns.first_name, &token.text)
            && self.has(self.columns.last_name, &next.text)
            && self.phrase(at + 1).length <= 1
        {
            let name = format!("{} {}", token.text, next.text);
            *phrase = Phrase::of(2, Meaning::FullName(name));
        }
    }

    /// Two capital letters behind a city are a country or a state; those that are words, too, only behind a comma: "Berlin DE",
    /// "Portland, OR".
    pub(super) fn read_code(&self, at: usize, token: &Token, phrase: &mut Phrase) {
        let meanings = &phrase.meanings;
        let place = self
            .country_of_code(at, meanings)
            .or_else(|| self.plain_code(at, meanings))
            .or_else(|| self.state_of_code(at, token, meanings));
        if let Some(place) = place {
            *phrase = Phrase::of(1, place);
        }
    }

    /// "Austin, TX", "in TX"
    fn state_of_code(&self, at: usize, token: &Token, meanings: &[Meaning]) -> Option<Meaning> {
        if !token.is_upper || token.text.len() != 2 || self.lists_short_city(at, meanings) {
            return None;
        }
        let state = vocabulary().state_of_code(&token.text)?;
        let is_state = self.follows_city()
            && (meanings.is_empty() || self.ends_place(at) || self.goes_on_behind(at))
            || self.last_cue(Cue::In) && !self.means_city(at, meanings)
            || meanings.is_empty() && self.goes_on(is_place)
            || self.ends_as_state(at, meanings);
        is_state.then(|| Meaning::Place(Place::State(state.to_owned())))
    }

    /// Whether a place stands at a token, or behind an article there.
    fn begins_place(&self, at: usize) -> bool {
        let is_article = self.tokens.get(at).is_some_and(|token| token.text == "the");
        let at = if is_article { at + 1 } else { at };
        self.phrase(at).meanings.iter().any(is_place)
            || (1..=LONGEST).any(|length| self.city(at, length).is_some())
    }

    /// The words of some tokens.
    pub(super) fn spoken(&self, at: usize, length: usize) -> String {
        let tokens = self.tokens.get(at..at + length).unwrap_or_default();
        let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        words.join(" ")
    }
}

fn same_name(a: &Place, b: &Place) -> bool {
    match (a, b) {
        (Place::City(a), Place::City(b)) | (Place::State(a), Place::State(b)) => a == b,
        _ => false,
    }
}
