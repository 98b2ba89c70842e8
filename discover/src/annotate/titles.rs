//! Job titles of the build that the vocabulary does not have: "state representatives", "city managers".
//!
//! A title of several words is read as a whole, only where one of them would be reported otherwise and the vocabulary reads no two of
//! them together: "sales directors" are a level and a function, "real estate directors" directors in an industry, whoever has that
//! title. It is part of the job title, as the occupations of the vocabulary are (docs/DISCOVER.md, R4).

use crate::lex::{Token, stem};
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, Place, is_adjective};
use crate::vocabulary::vocabulary;

use super::{Annotator, Piece, What, is_place};

/// Words of the longest title that is looked up.
const LONGEST: usize = 5;

impl<L: Lexicon> Annotator<'_, L> {
    /// The title that begins with token `at`, where nothing else is known of as many words: its number of tokens, and as it is
    /// stored. `length` tokens mean `meanings`.
    pub(super) fn stored_title(
        &self,
        at: usize,
        length: usize,
        meanings: &[Meaning],
    ) -> Option<(usize, String)> {
        let is_small = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Word(_) | Meaning::Industry(_) | Meaning::Function(_)
            )
        };
        if let Some(found) = self.title_from_place(at, length, meanings) {
            return Some(found);
        }
        // "Senior or principal engineers" are engineers of either level.
        let is_level = |meaning: &Meaning| matches!(meaning, Meaning::Level(_));
        if length == 1 && !self.follows_name_word() && self.is_practitioner(at) {
            return Some((2, self.title_of(at, 2)?));
        }
        if length > 1
            || !meanings.iter().all(is_small)
            || self.follows_name_word()
            || self.goes_on(is_level)
        {
            return None;
        }
        // "Heads of product" are read by what they are heads of.
        let is_head = self.stems.get(at).is_some_and(|stem| stem == "head");
        if is_head
            && self
                .tokens
                .get(at + 1)
                .is_some_and(|token| token.text == "of")
        {
            return None;
        }
        if let Some(title) = self.title_as_listed(at) {
            return Some((1, title));
        }
        let most = self.goes_on_to(at);
        (2..=most)
            .rev()
            .filter(|length| !self.joins(at) && self.is_open(at, at + length))
            .find_map(|length| Some((length, self.title_of(at, length)?)))
    }

    /// "Nurse practitioners", "product owners": behind a title a noun that would be reported, behind a function a level that is no
    /// level there.
    fn is_practitioner(&self, at: usize) -> bool {
        let meanings = |at: usize| {
            let stem = self.stems.get(at).map_or("", String::as_str);
            vocabulary().get(stem).iter()
        };
        let last = self.stems.get(at + 1).map_or("", String::as_str);
        let has_title = meanings(at).any(|meaning| matches!(meaning, Meaning::Title(_)));
        let has_function = meanings(at).any(|meaning| matches!(meaning, Meaning::Function(_)));
        let is_noun = meanings(at + 1).any(|meaning| *meaning == Meaning::Word(Cue::People))
            && !vocabulary().is_noun(last)
            && !vocabulary().is_silent(last);
        let is_owner = meanings(at + 1).any(|meaning| {
            matches!(meaning, Meaning::Level(levels) if matches!(levels.as_slice(), [only] if only == "owner"))
        });
        has_title && !has_function && is_noun || has_function && is_owner
    }

    /// Tokens of titles of two words that the build knows: they are no slips.
    pub(super) fn titled_tokens(&self) -> Vec<usize> {
        let is_title = |at: &usize| self.title_of(*at, 2).is_some();
        let titles = (0..self.tokens.len()).filter(is_title);
        titles.flat_map(|at| [at, at + 1]).collect()
    }

    /// "United States senators": a title that begins with a place, where its last word would be reported.
    fn title_from_place(
        &self,
        at: usize,
        length: usize,
        meanings: &[Meaning],
    ) -> Option<(usize, String)> {
        let is_us = self.tokens.get(at).is_some_and(|token| token.is_upper);
        let is_part = |meaning: &Meaning| {
            is_place(meaning)
                || matches!(meaning, Meaning::Demonym(_))
                || is_us && matches!(meaning, Meaning::Word(_))
        };
        let is_word = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
        let is_one = !meanings.iter().all(is_word) && meanings.iter().all(is_part);
        if !is_one || self.follows_name_word() || self.last_cue(Cue::In) {
            return None;
        }
        let most = length + self.goes_on_to(at + length);
        let ends_open = |end: usize| {
            let stem = self.stems.get(end - 1).map_or("", String::as_str);
            vocabulary().get(stem).is_empty()
        };
        (length + 1..=most)
            .rev()
            .filter(|length| ends_open(at + length))
            .find_map(|title| {
                let country = meanings.iter().find_map(|meaning| match meaning {
                    Meaning::Place(Place::Country(name))
                    | Meaning::Demonym(Place::Country(name)) => Some(name.as_str()),
                    _ => None,
                });
                // "US senators", "American senators"
                let spelled_out = || {
                    let column = self.columns.job_title?;
                    let rest = self.stems.get(at + length..at + title)?.join(" ");
                    let spelled = format!("{} {rest}", country?);
                    self.lexicon.has(column, &spelled).then_some(spelled)
                };
                let found = self.title_of(at, title).or_else(spelled_out)?;
                Some((title, found))
            })
    }

    /// "State senators or representatives": what stands in front of the first noun of a list is said of the next, too.
    fn title_as_listed(&self, at: usize) -> Option<String> {
        let (token, column) = (self.tokens.get(at)?, self.columns.job_title?);
        let is_unknown = vocabulary().get(&token.stem).is_empty() && !self.names_value(at);
        if !is_unknown || !token.is_word() {
            return None;
        }
        let mut listed = self.listed_before()?.meanings().iter();
        let (first, _) = listed.find_map(|meaning| match meaning {
            Meaning::Title(title) => title.rsplit_once(' '),
            _ => None,
        })?;
        let title = format!("{first} {}", token.stem);
        self.lexicon.has(column, &title).then_some(title)
    }

    /// What stands in front of a comma or a conjunction; of "state senators in Ohio" the title.
    fn listed_before(&self) -> Option<&Piece> {
        let joined = self.joined_before()?;
        if !joined.meanings().iter().any(is_place) {
            return Some(joined);
        }
        let mut before = self.pieces.iter().rev();
        let of_place = |piece: &&Piece| {
            piece.meanings().iter().any(is_place)
                || matches!(piece.what, What::Mark(','))
                || piece.is_small()
        };
        before.find(|piece| !of_place(piece))
    }

    /// How many tokens from `at` on may be one title.
    fn goes_on_to(&self, at: usize) -> usize {
        let tokens = self.tokens.get(at..).unwrap_or_default();
        let is_one = |(ahead, token): &(usize, &Token)| {
            let is_inside = *ahead > 0 && token.text == "of";
            let is_part = is_inside || !self.names_value(at + ahead);
            token.is_word() && !token.text.contains('.') && is_part
        };
        tokens
            .iter()
            .enumerate()
            .take(LONGEST)
            .take_while(is_one)
            .count()
    }

    /// Whether a token is a slip, or says by itself what is no part of a title: a place, a level, what begins something that no
    /// column answers.
    fn names_value(&self, at: usize) -> bool {
        let (Some(token), Some(stem)) = (self.tokens.get(at), self.stems.get(at)) else {
            return true;
        };
        let is_title_word = |meaning: &Meaning| match meaning {
            Meaning::Level(levels) => !is_adjective(levels),
            Meaning::Word(_) | Meaning::Industry(_) | Meaning::Function(_) | Meaning::Title(_) => {
                true
            }
            _ => false,
        };
        *stem != token.stem && !vocabulary().get(stem).is_empty()
            || self.begins_trap(at)
            || vocabulary().is_silent(stem)
            || !vocabulary().get(stem).iter().all(is_title_word)
    }

    /// Whether what no column answers begins with a token: "security clearance", not "security guards".
    fn begins_trap(&self, at: usize) -> bool {
        let tokens = self.tokens.get(at..).unwrap_or_default();
        let words = |of: fn(&Token) -> &str| tokens.iter().take(4).map(of).collect::<Vec<_>>();
        crate::traps::begins_with(&words(|token| &token.stem))
            || crate::traps::begins_with(&words(|token| &token.text))
    }

    /// Whether a token turns round what follows, or joins it to what stands in front. "Non-commissioned" is one word.
    pub(super) fn joins(&self, at: usize) -> bool {
        let stem = self.stems.get(at).map_or("", String::as_str);
        let is_join = |meaning: &Meaning| match meaning {
            Meaning::Word(cue) => matches!(
                cue,
                Cue::Or
                    | Cue::And
                    | Cue::Nor
                    | Cue::Either
                    | Cue::But
                    | Cue::Not
                    | Cue::Neither
                    | Cue::Except
                    | Cue::Outside
                    | Cue::Without
            ),
            _ => false,
        };
        stem != "non" && vocabulary().get(stem).iter().any(is_join)
    }

    /// Whether the tokens are no phrase of the vocabulary, nor is a part of them ("real estate"), and one would be reported if no
    /// title had it: not so "specialists" behind what they do.
    fn is_open(&self, at: usize, end: usize) -> bool {
        let would_be_reported = |one: usize| {
            let stem = self.stems.get(one).map_or("", String::as_str);
            let meanings = vocabulary().get(stem);
            let is_small = |meaning: &Meaning| match meaning {
                Meaning::Word(cue) => !matches!(cue, Cue::Or | Cue::And),
                _ => false,
            };
            let joins = matches!(stem, "of");
            meanings.is_empty() || one + 1 < end && !joins && meanings.iter().all(is_small)
        };
        (at..end).all(|one| self.phrase(one).length < 2) && (at..end).any(would_be_reported)
    }

    /// The title of so many tokens, its last word in the singular.
    fn title_of(&self, at: usize, length: usize) -> Option<String> {
        let column = self.columns.job_title?;
        let (last, before) = self.tokens.get(at..at + length)?.split_last()?;
        let mut before: Vec<&str> = before.iter().map(|token| token.text.as_str()).collect();
        // "Secretaries of state"
        if before.get(1) == Some(&"of")
            && let (Some(first), Some(token)) = (before.first_mut(), self.tokens.get(at))
        {
            *first = &token.stem;
        }
        let mut forms = vec![stem(&last.text), last.text.clone()];
        // A slip that was repaired.
        let repaired = self.stems.get(at + length - 1);
        forms.extend(repaired.filter(|stem| **stem != last.stem).cloned());
        forms.dedup();
        let titles = forms.into_iter().map(|last| {
            let words = before.iter().copied().chain([last.as_str()]);
            words.collect::<Vec<_>>().join(" ")
        });
        titles
            .into_iter()
            .find(|title| self.lexicon.has(column, title))
    }

    fn follows_name_word(&self) -> bool {
        let words = [
            Cue::Named,
            Cue::Surname,
            Cue::FirstName,
            Cue::Title,
            Cue::Domain,
            // "At City Hospitals" names an employer.
            Cue::At,
        ];
        words.into_iter().any(|cue| self.last_cue(cue)) && !self.follows_contact_for()
    }

    /// "Emails for city managers" names no employer.
    fn follows_contact_for(&self) -> bool {
        const NOUNS: &[&str] = &[
            "address",
            "contact",
            "data",
            "detail",
            "info",
            "information",
            "list",
            "number",
            "phone",
            "profile",
            "record",
        ];
        let mut before = self.pieces.iter().rev();
        let mut said = || {
            let piece = before.next()?;
            Some((piece, self.tokens.get(piece.from..piece.to)?))
        };
        let is_for =
            said().is_some_and(|(_, tokens)| matches!(tokens, [token] if token.text == "for"));
        is_for
            && said().is_some_and(|(piece, tokens)| {
                let is_contact = |meaning: &Meaning| matches!(meaning, Meaning::Contact(_));
                let is_noun = tokens
                    .last()
                    .is_some_and(|token| NOUNS.contains(&token.stem.as_str()));
                is_noun || piece.meanings().iter().any(is_contact)
            })
    }
}
