//! Names of places that are words, too: codes of states ("OR", "in LA"), "us", "the States", "The Hague".

use dialect::ColumnId;

use crate::lex::{Kind, Token, plain};
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::{LONGEST, vocabulary};

use super::{Annotator, Piece, What, is_place};

/// Cities of the country of Georgia.
pub(crate) const GEORGIAN: &[&str] = &["tbilisi", "batumi", "kutaisi", "rustavi", "gori", "poti"];

/// Cities whose short name is the code of a state that they are not in, with their own state.
const SHORT_CITIES: &[(&str, &str)] = &[("los angeles", "california")];

/// Cities whose short name is the code of a state.
const SHORT_NAMES: &[&str] = &["los angeles", "washington"];

/// Large cities that lie in none of the states whose codes are short names of cities.
const FAR_CITIES: &[&str] = &[
    "atlanta",
    "austin",
    "boston",
    "chicago",
    "dallas",
    "denver",
    "detroit",
    "houston",
    "las vegas",
    "london",
    "miami",
    "nashville",
    "new york",
    "paris",
    "philadelphia",
    "phoenix",
    "portland",
    "san diego",
    "san francisco",
    "san jose",
    "seattle",
    "toronto",
];

/// What is a country of its own in one build and a state in another one.
const TERRITORIES: &[&str] = &["puerto rico"];

/// Codes that behind a person are more often what they have learned.
const DEGREES: &[&str] = &["md", "pa", "ms", "pe"];

/// Codes of countries that are more often what somebody does or a subject: "in Dallas, AM", "in Berlin, ML".
pub(super) const ABBREVIATIONS: &[&str] = &[
    "ai", "am", "ba", "bi", "cd", "ci", "cm", "gm", "hr", "ir", "it", "ml", "np", "pe", "pr", "pt",
    "se", "vc",
];

/// First words of places in their short and their long form.
const SHORT_WORDS: &[(&str, &str)] = &[("st", "saint"), ("ft", "fort"), ("mt", "mount")];

/// How a name that begins with such a word may be stored instead: "st. louis" for "St Louis" and "Saint Louis".
pub(super) fn spelled_out(tokens: &[Token]) -> Vec<String> {
    let Some((first, rest)) = tokens.split_first() else {
        return Vec::new();
    };
    let words = SHORT_WORDS
        .iter()
        .find(|(short, long)| first.text == *short || first.text == *long);
    let Some((short, long)) = words else {
        return Vec::new();
    };
    let rest = rest.iter().filter(|token| token.is_word());
    let rest: Vec<&str> = rest.map(|token| token.text.as_str()).collect();
    let forms = [(*short).to_owned(), format!("{short}."), (*long).to_owned()];
    let joined = |first: String| [&[first.as_str()], rest.as_slice()].concat().join(" ");
    forms.into_iter().map(joined).collect()
}

impl<L: Lexicon> Annotator<'_, L> {
    /// Whether a code behind "in" is the city that it is, too: "in LA". Not in a list of states: "in LA and TX".
    pub(super) fn means_city(&self, at: usize, meanings: &[Meaning]) -> bool {
        let known = meanings.iter().find_map(|meaning| match meaning {
            Meaning::Place(Place::City(name)) => SHORT_CITIES.iter().find(|(city, _)| city == name),
            _ => None,
        });
        let Some((_, own)) = known else {
            return self.is_among_cities(at, meanings);
        };
        if self.is_among_cities(at, meanings) {
            return true;
        }
        let joining = self.joining(at + 1);
        let next = at + 1 + joining;
        let code = self.tokens.get(next).filter(|token| token.is_upper);
        let of_code = code.and_then(|token| vocabulary().state_of_code(&token.text));
        let length = self.phrase(next).length;
        let spoken = self.spoken(next, length);
        let state = of_code.or_else(|| vocabulary().is_state(&spoken).then_some(spoken.as_str()));
        // "LA, California", but "LA and TX".
        joining == 0 || state.is_none_or(|state| state == *own)
    }

    /// The country whose code stands behind one of its cities: "Amsterdam, NL", "Toronto, CA", but "Fresno, CA".
    pub(super) fn country_of_code(&self, at: usize, meanings: &[Meaning]) -> Option<Meaning> {
        let token = self.tokens.get(at)?;
        let is_code = token.is_upper && token.text.len() == 2;
        let ends = meanings.is_empty() || self.ends_place(at) || self.goes_on_behind(at);
        let is_place = self.follows_city() && ends;
        if !is_code || !is_place {
            return None;
        }
        let says_nothing_else = meanings.is_empty();
        let mut before = self.pieces.iter().rev();
        let is_mark = |piece: &&Piece| matches!(piece.what, What::Mark(_));
        let mut meanings = before.find(|piece| !is_mark(piece))?.meanings().iter();
        let city = meanings.find_map(|meaning| match meaning {
            Meaning::Place(Place::City(city)) => Some(city),
            _ => None,
        })?;
        let country = vocabulary().country_of_code(&token.text, city)?;
        // "Milan, IT", but "Rome, HR" is no city of Croatia.
        let is_there = match vocabulary().country_of_city(city) {
            Some(known) => known == country,
            None => says_nothing_else && !ABBREVIATIONS.contains(&token.text.as_str()),
        };
        let place = if self.is_stored_state(country) {
            Place::State
        } else {
            Place::Country
        };
        is_there.then(|| Meaning::Place(place(country.to_owned())))
    }

    /// Whether the build has what may be a country of its own only as a state.
    fn is_stored_state(&self, country: &str) -> bool {
        TERRITORIES.contains(&country)
            && self.has(self.columns.state, country)
            && !self.has(self.columns.country, country)
    }

    /// Whether a code that is the short name of a city ends a list of such: "NYC, SF, LA". Behind a single name that is spelled out
    /// it is its state: "Monroe, LA".
    pub(super) fn lists_short_city(&self, at: usize, meanings: &[Meaning]) -> bool {
        let is_short = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::City(city)) if SHORT_NAMES.contains(&city.as_str()));
        let Some(before) = at.checked_sub(2).filter(|_| self.joining(at - 1) > 0) else {
            return false;
        };
        let is_spelled_short = |at: usize| {
            let stem = self.stems.get(at).map_or("", String::as_str);
            let mut known = vocabulary().get(stem).iter();
            known.any(|meaning| {
                matches!(meaning, Meaning::Place(Place::City(city)) if city != stem && stem.len() <= 3)
            })
        };
        meanings.iter().any(is_short) && (is_spelled_short(before) || self.lists_far_cities(before))
    }

    /// "Houston, Dallas, LA": the last token of a city that another one stands in front of, both of which are known to lie elsewhere.
    fn lists_far_cities(&self, last: usize) -> bool {
        let names_far = |end: usize| {
            (1..=2).find_map(|length| {
                let begin = (end + 1).checked_sub(length)?;
                FAR_CITIES
                    .contains(&self.spoken(begin, length).as_str())
                    .then_some(begin)
            })
        };
        names_far(last).is_some_and(|begin| {
            let before = begin.checked_sub(2).filter(|_| self.joining(begin - 1) > 0);
            before.is_some_and(|before| names_far(before).is_some())
        })
    }

    /// Whether what is a city, too, begins a list that goes on with a city: "LA, SF or NYC".
    fn is_among_cities(&self, at: usize, meanings: &[Meaning]) -> bool {
        let is_city = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::City(_)));
        let is_first_meant = |meaning: &Meaning| match meaning {
            Meaning::Place(Place::City(name)) => vocabulary().city_default(name).is_some(),
            _ => false,
        };
        let joining = self.joining(at + 1);
        let next = at + 1 + joining;
        let said = self.phrase(next);
        let of_next = said.meanings;
        let is_other = |meaning: &Meaning| is_place(meaning) && !is_city(meaning);
        let is_known =
            (1..=LONGEST).any(|length| matches!(self.city(next, length), Some(Place::City(_))));
        // "LA, New York or Boston" may be states.
        let names_state = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::State(_)));
        let is_state_next = of_next.iter().any(names_state)
            || vocabulary().is_state(&self.spoken(next, said.length));
        let is_city_next = !is_state_next
            && (of_next.iter().any(is_first_meant)
                || !of_next.iter().any(is_other) && (of_next.iter().any(is_city) || is_known));
        joining > 0 && meanings.iter().any(is_city) && is_city_next
    }

    /// How many tokens from `at` on join what stands around them, two at most.
    fn joining(&self, at: usize) -> usize {
        let joins = |at: &usize| {
            self.tokens.get(*at).is_some_and(|token| {
                matches!(token.kind, Kind::Mark(',' | '/' | '&'))
                    || matches!(token.text.as_str(), "or" | "and")
            })
        };
        (at..at + 2).take_while(joins).count()
    }

    /// Whether token `at` stands behind a comma and in front of another one, or of the end.
    pub(super) fn ends_place(&self, at: usize) -> bool {
        let is_comma = self
            .pieces
            .last()
            .is_some_and(|piece| matches!(piece.what, What::Mark(',')));
        is_comma
            && self
                .tokens
                .get(at + 1)
                .is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
    }

    /// Whether a code behind a comma is followed by another place in a list: "Denver, CO or Bogota, CO".
    pub(super) fn goes_on_behind(&self, at: usize) -> bool {
        let is_comma = self.pieces.last().is_some_and(|piece| piece.is_mark(','));
        let joins = self.joining(at + 1);
        let next = at + 1 + joins;
        let is_city =
            (1..=LONGEST).any(|length| matches!(self.city(next, length), Some(Place::City(_))));
        is_comma && joins > 0 && is_city
    }

    /// Whether "us" in small letters stands where a country does.
    pub(super) fn names_country(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let after = self.tokens.get(at + 1);
        before.is_none_or(|before| {
            matches!(
                before.text.as_str(),
                "the"
                    | "in"
                    | "from"
                    | "across"
                    | "outside"
                    | "of"
                    | "or"
                    | "and"
                    | ","
                    | "/"
                    | "within"
                    | "&"
            ) || before.text == "to" && self.goes_there(at)
        }) || self.ends_terse(at)
            || self.is_dotted(at)
            || after.is_some_and(|after| matches!(after.text.as_str(), "based" | "citizens"))
    }

    /// "(Relocated) to us", "(sell) to us banks", but not "(important) to us", "(come) to us", "(no difference) to us in Ohio".
    fn goes_there(&self, at: usize) -> bool {
        const MOVES: &[&str] = &[
            "move",
            "relocate",
            "expand",
            "emigrate",
            "immigrate",
            "travel",
            "limit",
            "restrict",
            "confine",
            "narrow",
            "export",
        ];
        let verb = at.checked_sub(2).and_then(|verb| self.tokens.get(verb));
        let is_move = |verb: &Token| {
            let stem = verb.stem.trim_end_matches("ing").trim_end_matches("ed");
            MOVES
                .iter()
                .any(|moves| moves.trim_end_matches('e') == stem.trim_end_matches('e'))
        };
        let is_noun = |meaning: &Meaning| match meaning {
            Meaning::Word(cue) => matches!(cue, Cue::People | Cue::Companies),
            _ => true,
        };
        verb.is_some_and(is_move) || self.phrase(at + 1).meanings.iter().any(is_noun)
    }

    pub(super) fn follows_city(&self) -> bool {
        let mut before = self.pieces.iter().rev();
        let mut last = before.next();
        if last.is_some_and(|piece| matches!(piece.what, What::Mark(','))) {
            last = before.next();
        }
        last.is_some_and(|piece| {
            piece
                .meanings()
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Place(Place::City(_))))
                || piece.meanings().iter().any(is_place)
        })
    }

    /// Whether a code of a state that means nothing else but a small word ends a text behind a comma: "nurses, OR". In a text in
    /// capitals it may be that word.
    pub(super) fn ends_as_state(&self, at: usize, meanings: &[Meaning]) -> bool {
        let is_small = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
        let is_end = match self.tokens.get(at + 1).map(|token| token.kind) {
            None | Some(Kind::Mark('.' | ';' | '\n' | ')' | '!' | '?')) => true,
            Some(Kind::Mark(',')) => !self.joins(at),
            _ => false,
        };
        let is_shouted = !self
            .tokens
            .iter()
            .any(|token| token.is_word() && !token.is_upper);
        let is_degree = self
            .tokens
            .get(at)
            .is_some_and(|token| DEGREES.contains(&token.text.as_str()));
        !is_degree && meanings.iter().all(is_small) && is_end && self.ends_place(at) && !is_shouted
    }

    /// Whether a token ends a list of words, right behind one that is a value: "vp sales us", not "who market us".
    fn ends_terse(&self, at: usize) -> bool {
        let is_value = |meaning: &Meaning| !matches!(meaning, Meaning::Word(_));
        let is_end = self
            .tokens
            .get(at + 1)
            .is_none_or(|next| matches!(next.kind, Kind::Mark(_)));
        let follows_value = self
            .pieces
            .last()
            .is_some_and(|piece| piece.meanings().iter().any(is_value));
        let begin = at.saturating_sub(LONGEST);
        let before = self.tokens.get(begin..at).unwrap_or_default();
        let is_told = before.iter().any(|token| {
            matches!(
                token.text.as_str(),
                "who" | "that" | "which" | "to" | "can" | "will"
            )
        });
        is_end && follows_value && !is_told
    }

    /// "u.s."
    fn is_dotted(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        let raw = token.and_then(|token| self.text.get(token.start..token.end));
        raw.is_some_and(|raw| raw.contains('.'))
    }

    /// The stems of so many tokens.
    pub(super) fn stems_of(&self, at: usize, length: usize) -> String {
        let stems = self.stems.get(at..at + length).unwrap_or_default();
        stems.join(" ")
    }

    /// Whether an article begins a name of a place: "The Hague", "the Netherlands" does without.
    pub(super) fn names_place_with_article(&self, at: usize) -> bool {
        let is_article = self.tokens.get(at).is_some_and(|token| token.text == "the");
        let is_name = || {
            let stored = (2..=LONGEST).find_map(|length| Some((length, self.city(at, length)?)));
            let is_capital = self
                .tokens
                .get(at + 1)
                .is_some_and(|token| token.is_capital);
            stored.is_some_and(|_| is_capital) || self.country_abroad(at).is_some()
        };
        is_article && is_name()
    }

    /// "The States", where no state follows: the United States.
    pub(super) fn country_abroad(&self, at: usize) -> Option<Meaning> {
        let (article, noun) = (self.tokens.get(at)?, self.tokens.get(at + 1)?);
        let is_name = article.text == "the" && noun.text == "states";
        let next = self.phrase(at + 2).meanings;
        let is_alone = match self.tokens.get(at + 2) {
            None => true,
            Some(next) => match next.kind {
                Kind::Mark(mark) => matches!(mark, ',' | '.' | ';' | '!' | '?' | '\n' | ')'),
                _ => noun.is_capital && next.text != "of",
            },
        };
        let place = Place::Country("united states".to_owned());
        (is_name && is_alone && !next.iter().any(is_place)).then_some(Meaning::Place(place))
    }

    /// Whether `length` tokens are "the state", one of them: "the States" are a country.
    pub(super) fn names_one_state(&self, at: usize, length: usize) -> bool {
        length == 2 && self.spoken(at, length) == "the state"
    }

    /// Of the places that a phrase may be, those that the build has where it has the name that was said.
    pub(super) fn prefer_stored_places(
        &self,
        at: usize,
        length: usize,
        meanings: &mut Vec<Meaning>,
    ) {
        for meaning in meanings.iter_mut() {
            // "Puerto Rican"
            if let Meaning::Demonym(Place::Country(country)) = meaning
                && self.is_stored_state(country)
            {
                *meaning = Meaning::Demonym(Place::State(country.clone()));
            }
        }
        if length == 0 || !meanings.iter().any(is_place) {
            return;
        }
        let spoken = self.spoken(at, length);
        match self.city(at, length) {
            // "New Delhi": the build's own name, beside the other one where it has both.
            Some(Place::City(city)) if plain(&city) == spoken => {
                let is_stored = |name: &str| self.has(self.columns.city, name);
                let is_other = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::City(other)) if *other != city);
                let is_missing = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::City(other)) if !is_stored(other));
                if meanings.iter().any(is_other) {
                    meanings.retain(|meaning| !is_missing(meaning));
                    let place = Meaning::Place(Place::City(city));
                    if !meanings.contains(&place) {
                        meanings.push(place);
                    }
                }
            }
            // No city of the build is New York.
            Some(Place::State(state)) => {
                let is_city = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::City(city)) if *city == state);
                if meanings.iter().any(is_city) {
                    meanings.retain(|meaning| !is_city(meaning));
                    let place = Meaning::Place(Place::State(state));
                    if !meanings.contains(&place) {
                        meanings.push(place);
                    }
                }
            }
            _ => {}
        }
        let has = |column: Option<ColumnId>| self.has(column, &spoken);
        if TERRITORIES.contains(&spoken.as_str()) && has(self.columns.state) {
            let place = Meaning::Place(Place::State(spoken.clone()));
            if !has(self.columns.country) {
                meanings.retain(|meaning| !is_place(meaning));
            }
            if !meanings.contains(&place) {
                meanings.push(place);
            }
        }
        if self.is_only_state(&spoken, meanings) {
            let is_country = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::Country(country)) if *country == spoken);
            meanings.retain(|meaning| !is_country(meaning));
        }
        // "Victoria, Australia" is not the city of that name.
        let is_comma = self
            .tokens
            .get(at + length)
            .is_some_and(|token| token.is_mark(','));
        let next = at + length + usize::from(is_comma);
        let is_country = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::Country(country)) if vocabulary().is_part_of(&spoken, country));
        if self.phrase(next).meanings.iter().any(is_country) && has(self.columns.state) {
            *meanings = vec![Meaning::Place(Place::State(spoken))];
        }
    }

    /// "Georgia", where the build has the state, and the country in which that lies, but not the country of that name. "Tbilisi, Georgia"
    /// and "Georgia (the country)" say themselves which is meant.
    fn is_only_state(&self, spoken: &str, meanings: &[Meaning]) -> bool {
        let is_country = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::Country(country)) if country == spoken);
        let is_state = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::State(state)) if state == spoken);
        let has = |column, value: &str| self.has(column, value);
        let says_country =
            |token: &Token| token.text == "country" || GEORGIAN.contains(&token.text.as_str());
        let whole = vocabulary().country_of_state(spoken);
        meanings.iter().any(is_country)
            && meanings.iter().any(is_state)
            && has(self.columns.state, spoken)
            && !has(self.columns.country, spoken)
            && whole.is_some_and(|whole| has(self.columns.country, whole))
            && !self.tokens.iter().any(says_country)
    }

    /// The state of a name that is a city, too, behind the best known city in it: "Melbourne, Victoria".
    pub(super) fn state_behind_city(&self, place: &Place) -> Option<Meaning> {
        let Place::City(name) = place else {
            return None;
        };
        let mut before = self.pieces.iter().rev();
        let is_comma = before
            .next()
            .is_some_and(|piece| matches!(piece.what, What::Mark(',')));
        let mut meanings = before.next()?.meanings().iter();
        let is_in_it = meanings.any(|meaning| {
            matches!(meaning, Meaning::Place(Place::City(city)) if vocabulary().is_in_state(city, name))
        });
        (is_comma && is_in_it).then(|| Meaning::Place(Place::State(name.clone())))
    }
}
