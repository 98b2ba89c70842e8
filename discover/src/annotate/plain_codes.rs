//! Codes of states and countries that need no word in front: "trucking companies TX", "austin tx", "NL/BE".

use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::vocabulary;

use super::codes::ABBREVIATIONS;
use super::{Annotator, Piece, What, is_place};

/// Codes of states that are no word and nothing else that is often written, in small letters either.
const PLAIN_CODES: &[&str] = &[
    "az", "fl", "ks", "ky", "mn", "nc", "nh", "nj", "nm", "nv", "ny", "tn", "tx", "ut", "vt", "wi",
    "wv", "wy",
];

/// Codes behind a city in small letters that say nothing else: "arlington va".
const CODES_BEHIND_CITY: &[&str] = &["ga", "il", "mi", "mo", "va", "wa"];

impl<L: Lexicon> Annotator<'_, L> {
    /// The place of a code that needs no word in front: "trucking companies TX", "austin tx", "designers, NL". Newfoundland is "NL" only
    /// behind a city.
    pub(super) fn plain_code(&self, at: usize, meanings: &[Meaning]) -> Option<Meaning> {
        let token = self.tokens.get(at)?;
        let code = token.text.as_str();
        if let Some(country) = self.listed_country(at, meanings) {
            return Some(country);
        }
        // "Ky Nguyen" is somebody.
        let is_name = token.is_capital && !token.is_upper || self.is_named_so();
        // "Wi-Fi", but "TX-based"
        let is_part = self.tokens.get(at + 1).is_some_and(|next| {
            next.text == "fi" || next.is_joined && !matches!(next.text.as_str(), "based" | "wide")
        });
        let is_free = meanings.is_empty() && !token.is_joined && !is_name && !is_part;
        if !is_free {
            return None;
        }
        if code == "nl" && token.is_upper && !self.follows_city() && !self.follows_name() {
            return Some(Meaning::Place(Place::Country("netherlands".to_owned())));
        }
        let is_plain = PLAIN_CODES.contains(&code)
            || self.follows_city()
                && !self.pieces.last().is_some_and(|piece| piece.is_mark(','))
                && CODES_BEHIND_CITY.contains(&code);
        let state = vocabulary().state_of_code(code).filter(|_| is_plain)?;
        Some(Meaning::Place(Place::State(state.to_owned())))
    }

    /// "NL/BE", "UK, FR": the code of a country in a list of places, where no state has it. One that is a word, too, only behind a stroke.
    fn listed_country(&self, at: usize, meanings: &[Meaning]) -> Option<Meaning> {
        let token = self.tokens.get(at)?;
        let code = token.text.as_str();
        let is_stroke = self.pieces.last().is_some_and(|piece| piece.is_mark('/'));
        let is_word = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
        let begins = self.begins_countries(at);
        let is_free = meanings.is_empty() || (is_stroke || begins) && meanings.iter().all(is_word);
        let is_code = token.is_upper && token.text.len() == 2 && !ABBREVIATIONS.contains(&code);
        let is_state = vocabulary().state_of_code(code).is_some();
        let follows =
            self.goes_on(is_place) && !is_state || is_stroke && self.follows_country_code();
        let country = vocabulary().country_with_code(code)?;
        (is_free && is_code && (follows || begins))
            .then(|| Meaning::Place(Place::Country(country.to_owned())))
    }

    /// Whether in front of a stroke the code of a country was read: "AT/DE".
    fn follows_country_code(&self) -> bool {
        let is_country = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::Country(_)));
        self.joined_before().is_some_and(|piece| {
            let token = self.tokens.get(piece.from);
            let is_code = token.is_some_and(|token| token.is_upper && token.text.len() == 2);
            is_code && piece.meanings().iter().any(is_country)
        })
    }

    /// Whether a stroke and the code of a country stand behind a token, and one of both codes is that of no state: "DE/FR", "AT/DE".
    fn begins_countries(&self, at: usize) -> bool {
        let is_stroke = self
            .tokens
            .get(at + 1)
            .is_some_and(|token| token.is_mark('/'));
        let codes = [at, at + 2].map(|at| self.tokens.get(at).filter(|token| token.is_upper));
        let [Some(one), Some(other)] = codes else {
            return false;
        };
        let is_state = |code: &str| vocabulary().state_of_code(code).is_some();
        let is_small = |meaning: &Meaning| matches!(meaning, Meaning::Word(_) | Meaning::Place(_));
        let is_country = vocabulary().country_with_code(&other.text).is_some()
            && !ABBREVIATIONS.contains(&other.text.as_str())
            && vocabulary().get(&other.stem).iter().all(is_small);
        is_stroke && is_country && !(is_state(&one.text) && is_state(&other.text))
    }

    /// Whether a name that nothing knows and a comma were read last: "St. John's, NL".
    fn follows_name(&self) -> bool {
        let mut before = self.pieces.iter().rev();
        let is_comma = before.next().is_some_and(|piece| piece.is_mark(','));
        let name = before.next();
        let is_open =
            |piece: &Piece| matches!(&piece.what, What::Phrase(meanings) if meanings.is_empty());
        is_comma
            && name.is_some_and(|piece| {
                let token = self.tokens.get(piece.from);
                is_open(piece) && token.is_some_and(|token| token.is_capital)
            })
    }

    /// Whether what follows is a name: "named Ky".
    fn is_named_so(&self) -> bool {
        let cues = [
            Cue::Named,
            Cue::Surname,
            Cue::FirstName,
            Cue::Title,
            Cue::At,
        ];
        cues.into_iter().any(|cue| self.last_cue(cue))
    }
}
