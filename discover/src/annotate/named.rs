//! Whether a name of the build is meant as the name of a company where it stands: "not infosys", "CEO of 3M".

use crate::lex::Kind;
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning};

use super::{Annotator, Piece, What};

impl<L: Lexicon> Annotator<'_, L> {
    /// Whether a name of the build is meant although nothing says that a company follows: it is written as a name, and it
    /// is not also a word.
    pub(super) fn is_named(&self, at: usize, length: usize, of_phrase: usize) -> bool {
        let tokens = self.tokens.get(at..at + length).unwrap_or_default();
        let capitals = tokens.iter().any(|token| token.is_capital);
        let is_domain = tokens.iter().any(|token| token.text.contains('.'));
        let employees = self.tokens.get(at + length).is_some_and(|next| {
            matches!(
                next.stem.as_str(),
                "employee" | "staff" | "alumni" | "people"
            )
        });
        if of_phrase == 0 {
            capitals || is_domain || employees || self.is_left_out()
        } else {
            length > of_phrase && capitals
        }
    }

    /// Whether the word read last leaves out what follows: "not infosys", "-google".
    pub(super) fn is_left_out(&self) -> bool {
        let cues = [Cue::Not, Cue::Except, Cue::Outside];
        self.pieces.last().is_some_and(|piece| {
            matches!(piece.what, What::Mark('-' | '≠'))
                || cues.into_iter().any(|cue| piece.may_be(cue))
        })
    }

    /// Whether what is written as a number is the name of a company: "at 3M", "CEO of 3M", "3M executives", not "3M employees" of a
    /// company, nor "3M+".
    pub(super) fn is_number_named(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at).filter(|token| token.number().is_some()) else {
            return false;
        };
        let raw = self.text.get(token.start..token.end).unwrap_or_default();
        let is_person = self.columns.job_title.is_some();
        let next = self.tokens.get(at + 1);
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let is_led_to = self.last_cue(Cue::At)
            || self.goes_on(|meaning| matches!(meaning, Meaning::Company(_)))
            || match before.map(|before| before.text.as_str()) {
                None => is_person || next.is_none(),
                Some("of") => is_person && self.is_of_role() && self.ends_employer(at + 1),
                Some(before) => matches!(before, "named" | "called"),
            };
        let counts = next.is_some_and(|next| {
            matches!(next.kind, Kind::Mark('+' | '-' | '–' | '%'))
                || matches!(next.text.as_str(), "to" | "plus")
                || before.is_none() && matches!(next.text.as_str(), "or" | "and")
                || !is_person
                    && matches!(
                        next.stem.as_str(),
                        "employee" | "staff" | "people" | "worker"
                    )
        });
        let has_capital = raw.chars().any(char::is_uppercase);
        is_led_to && has_capital && !counts && self.company(at, 1).is_some()
    }

    /// Whether "of" was said of somebody's role: "CEO of", not "a team of".
    pub(super) fn is_of_role(&self) -> bool {
        let mut before = self.pieces.iter().rev();
        let is_of = |piece: &&Piece| {
            let token = self.tokens.get(piece.from);
            piece.to == piece.from + 1 && token.is_some_and(|token| token.text == "of")
        };
        let is_team = |piece: &Piece| {
            let mut tokens = self.tokens.get(piece.from..piece.to).into_iter().flatten();
            tokens.any(|token| matches!(token.stem.as_str(), "team" | "group"))
        };
        let of = before.find(|piece| !is_of(piece));
        of.is_some_and(|piece| {
            !is_team(piece)
                && piece.meanings().iter().any(|meaning| {
                    meaning.is_role()
                        || matches!(
                            meaning,
                            Meaning::DecisionMaker | Meaning::Word(Cue::People | Cue::Employees)
                        )
                })
        })
    }

    /// Whether nothing that is counted stands there: "of 3M in Texas", not "of 3M budgets".
    pub(super) fn ends_employer(&self, at: usize) -> bool {
        let leads_on = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Word(
                    Cue::In
                        | Cue::At
                        | Cue::With
                        | Cue::Without
                        | Cue::Or
                        | Cue::And
                        | Cue::But
                        | Cue::Not
                        | Cue::Except
                        | Cue::Outside
                )
            )
        };
        self.tokens.get(at).is_none_or(|next| {
            !next.is_word() && next.number().is_none()
                || matches!(next.text.as_str(), "who" | "that" | "since")
                || self.phrase(at).meanings.iter().any(leads_on)
        })
    }
}
