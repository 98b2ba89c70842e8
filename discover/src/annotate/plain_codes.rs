//! Codes of states and countries that need no word in front: "trucking companies TX", "austin tx", "NL/BE".

use crate::lex::{Kind, Token};
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::{LONGEST, vocabulary};

use super::codes::ABBREVIATIONS;
use super::{Annotator, Piece, What, is_place};

/// Codes of states that are no word and nothing else that is often written, in small letters either.
const PLAIN_CODES: &[&str] = &[
    "az", "fl", "ks", "ky", "mn", "nc", "nh", "nj", "nm", "nv", "ny", "tn", "tx", "ut", "vt", "wi",
    "wv", "wy",
];

/// Codes of countries that in a list are more often what somebody has learned or does: "ME/EE engineers", "MD/DO physicians".
const LEARNED: &[&str] = &[
    "ae", "bd", "be", "bs", "ce", "do", "ee", "md", "me", "ms", "pg", "pm", "sa", "sm", "tg", "ug",
];

/// Behind the code of a state these are part of a name or of another word: "NC State", "nv energy", "tn visa".
const GO_ON_NAMES: &[&str] = &[
    "airline",
    "capital",
    "college",
    "energy",
    "group",
    "holding",
    "hotel",
    "life",
    "power",
    "state",
    "system",
    "time",
    "transit",
    "university",
    "venture",
    "visa",
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
        if code == "nl" && token.is_upper && !self.is_in_canada() {
            return Some(Meaning::Place(Place::Country("netherlands".to_owned())));
        }
        let is_plain = PLAIN_CODES.contains(&code) && self.stands_as_place(at)
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
        let is_country = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::Country(_)));
        let is_learned = LEARNED.contains(&code);
        let follows = self.goes_on(is_country) && !is_state && !is_learned
            || is_stroke && self.follows_country_code();
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
        // "MD/DO", "BE/ME" are degrees.
        let is_learned =
            [one, other].map(|code| LEARNED.contains(&code.text.as_str())) == [true; 2];
        is_stroke
            && is_country
            && !is_learned
            && !(is_state(&one.text) && is_state(&other.text))
            && (self.last_cue(Cue::In) || !self.is_role_at(at + 3))
    }

    /// Whether the code of a state stands where the state does: at the end of what is said, or in front of who is there in small
    /// letters. "UT Austin", "nv energy", "NY Times" are names, "5 nm" is a length, "AZ employees" may be those of a company.
    fn stands_as_place(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else {
            return false;
        };
        let code = token.text.as_str();
        let before = self.pieces.last();
        let said = before.map_or_else(String::new, |piece| {
            self.spoken(piece.from, piece.to.saturating_sub(piece.from))
        });
        let is_company = |meaning: &Meaning| matches!(meaning, Meaning::Company(_));
        let is_led_to = matches!(
            said.as_str(),
            "at" | "of" | "with" | "on" | "by" | "for" | "use" | "know"
        ) || before.is_some_and(|piece| piece.number().is_some());
        // "Philips NV"
        let is_form = code == "nv"
            && before.is_some_and(|piece| {
                self.is_open_name(piece) || piece.meanings().iter().any(is_company)
            });
        let is_there = || {
            self.follows_city()
                || self.is_role_at(at + 1)
                || before.is_some_and(|piece| piece.meanings().iter().any(Meaning::is_role))
        };
        let is_somebody = code == "ky" && !token.is_upper && !is_there();
        !is_led_to && !is_form && !is_somebody && self.ends_code(at, &said)
    }

    /// Whether nothing stands behind a code that makes it part of something else.
    fn ends_code(&self, at: usize, said_before: &str) -> bool {
        let (Some(code), Some(next)) = (self.tokens.get(at), self.tokens.get(at + 1)) else {
            return true;
        };
        if next.number().is_some() {
            // "NJ 1k+ employees", but "KS 3 engineers"
            return self.tokens.get(at + 2).is_some_and(|unit| {
                matches!(unit.kind, Kind::Mark(_))
                    || matches!(unit.stem.as_str(), "employee" | "people" | "staff" | "year")
            });
        }
        if !next.is_word() || next.is_joined {
            return true;
        }
        let meanings = self.phrase(at + 1).meanings;
        let is_small = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
        let is_staff = matches!(
            next.stem.as_str(),
            "employee" | "staff" | "alumni" | "people"
        );
        let is_name = GO_ON_NAMES.contains(&next.stem.as_str())
            || code.is_upper && is_staff
            || code.is_upper && self.is_role_at(at + 1) && self.may_be_employer(at)
            || code.is_upper && next.is_capital && !next.is_upper && !meanings.iter().all(is_small);
        let is_part = meanings.is_empty() && !vocabulary().is_silent(&next.stem)
            || meanings.iter().any(is_place)
            || (1..=LONGEST).any(|length| self.city(at + 1, length).is_some())
            || said_before == "from" && !meanings.iter().all(is_small);
        !is_name && !is_part
    }

    /// Whether a code in capitals in front of a role may be an employer, or it is not clear whose place it is: AstraZeneca is "AZ", a
    /// university "UT", the build may have a company of that name; "nurses, TX engineers" are not all there, "IL or WI nurses" are a list.
    fn may_be_employer(&self, at: usize) -> bool {
        const NAMES: &[&str] = &["az", "ut"];
        let code = self.tokens.get(at).map_or("", |token| token.text.as_str());
        let is_role = |piece: &Piece| piece.meanings().iter().any(Meaning::is_role);
        // Of those in front and behind one place cannot be said of both.
        let is_behind_role = self.pieces.iter().any(is_role);
        let is_code = |at: usize| {
            self.tokens.get(at).is_some_and(|token| {
                token.is_upper && vocabulary().state_of_code(&token.text).is_some()
            })
        };
        let is_listed = self.pieces.iter().rev().take(3).any(|piece| {
            let is_open = matches!(&piece.what, What::Phrase(meanings) if meanings.is_empty());
            is_open && piece.to == piece.from + 1 && is_code(piece.from)
        });
        let is_first_of_two = (at + 1..self.tokens.len()).any(|next| {
            is_code(next) && self.phrase(next).meanings.is_empty() && self.is_role_at(next + 1)
        });
        NAMES.contains(&code)
            || is_behind_role
            || is_listed
            || is_first_of_two
            || self.company(at, 1).is_some()
    }

    /// Whether a role stands at a token.
    fn is_role_at(&self, at: usize) -> bool {
        self.phrase(at).meanings.iter().any(Meaning::is_role)
    }

    /// Whether "NL" is Newfoundland: behind a city, behind a name that nothing knows ("Corner Brook NL", "St. John's, NL"), or where the
    /// text names Canada.
    fn is_in_canada(&self) -> bool {
        let mut before = self.pieces.iter().rev();
        let name = before.find(|piece| !piece.is_mark(','));
        let is_canada = |token: &Token| matches!(token.stem.as_str(), "canada" | "canadian");
        self.follows_city()
            || name.is_some_and(|piece| self.is_open_name(piece))
            || self.tokens.iter().any(is_canada)
    }

    /// Whether a piece is a word in capitals that nothing knows.
    fn is_open_name(&self, piece: &Piece) -> bool {
        let token = self.tokens.get(piece.from);
        matches!(&piece.what, What::Phrase(meanings) if meanings.is_empty())
            && token.is_some_and(|token| token.is_capital)
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
