//! An unanswerable phrase where it stands: what makes it none, and the piece that it reaches to.

use events_schema::record::RecordKind;

use crate::Reason;
use crate::meaning::{Cue, Meaning, Place};
use crate::text::Text;
use crate::vocabulary::vocabulary;

use super::clause::{Said, clause_from};
use super::{Reach, TRAPS, learned, origin, past, phrase_counts};

/// Words in front of "recently hired CTOs": it describes them.
const BEFORE_ATTRIBUTE: &[&str] = &[
    "the", "all", "any", "some", "me", "us", "find", "show", "list", "get", "want", "need", "for",
    "and", "or", "not", "no",
];

/// A phrase of the list in a text.
pub(super) struct Phrase<'a> {
    kind: RecordKind,
    text: Text<'a>,
    /// Its first piece.
    at: usize,
    /// The first token behind it.
    end_token: usize,
    /// The piece behind it.
    pub(super) end: usize,
    /// Its words in the singular.
    stems: Vec<&'a str>,
    pub(super) reason: Reason,
    reach: Reach,
}

impl<'a> Phrase<'a> {
    /// The longest phrase of the list that begins with piece `at`.
    pub(super) fn of(kind: RecordKind, text: Text<'a>, at: usize) -> Option<Self> {
        const LONGEST: usize = 4;
        let from = text.piece(at)?.from;
        let tokens = text.tokens.get(from..)?.iter().take(LONGEST);
        let texts: Vec<&str> = tokens.clone().map(|token| token.text.as_str()).collect();
        let words = tokens.take_while(|token| token.is_word());
        let mut stems: Vec<&str> = words.map(|token| token.stem.as_str()).collect();
        let (length, reason, reach) = (1..=stems.len()).rev().find_map(|length| {
            let (phrase, raw) = (
                stems.get(..length)?.join(" "),
                texts.get(..length)?.join(" "),
            );
            let found = TRAPS
                .phrases
                .get(&phrase)
                .or_else(|| TRAPS.phrases.get(&raw));
            found.map(|(reason, reach)| (length, *reason, *reach))
        })?;
        stems.truncate(length);
        let end_token = from + length;
        let mut end = at + 1;
        while text.piece(end).is_some_and(|piece| piece.from < end_token) {
            end += 1;
        }
        let mut found = Self {
            kind,
            text,
            at,
            end_token,
            end,
            stems,
            reason,
            reach,
        };
        if found.says_age() {
            found.reason = Reason::NoSuchField;
        }
        Some(found)
    }

    /// "Young companies" are of no age that a bound says; whoever leads them is another matter.
    fn says_age(&self) -> bool {
        self.kind == RecordKind::Company
            && matches!(self.stems.as_slice(), ["young" | "younger"])
            && self.text.says_companies(self.at + 1)
    }

    /// Whether its words say something else here.
    pub(super) fn is_no_trap(&self) -> bool {
        match self.stems.as_slice() {
            // "Looking to hire nurses" is what the one who asks wants.
            ["looking", "to"] if is_asked(self.text, self.at) => true,
            // "Teachers at an old school" work at one.
            ["old", "school"] if !self.is_joined_inside() => true,
            // "First, managers in Spain; second, …" counts the requests.
            _ if phrase_counts(self.text, self.at) => true,
            // "Companies born in 2010", and those that grew up or were raised in a place.
            _ if self.says_origin() => self.kind == RecordKind::Company,
            ["average"] => {
                self.kind == RecordKind::Company && is_stay_on_average(self.text, self.at)
            }
            ["ex"] => leaves_out_of_region(self.text, self.at),
            ["been", "at" | "with"] => is_stay_at_employer(self.text, self.at, self.end),
            ["volunteer", "at"] => !is_verb(self.text, self.at),
            _ => false,
        }
    }

    /// "Born in", "who hail from", "native of"
    fn says_origin(&self) -> bool {
        let says_it = matches!(
            self.stems.as_slice(),
            [
                "born"
                    | "grew"
                    | "were"
                    | "originally"
                    | "originate"
                    | "hail"
                    | "hailing"
                    | "native"
                    | "who",
                ..,
                "in" | "of" | "from",
            ] | ["hometown" | "birthplace"]
                | ["home", "town"]
                | ["birth", "place"]
                | [.., "of", "birth" | "origin"]
        );
        says_it && self.reason == Reason::ProtectedTrait
    }

    /// "Old-school"
    fn is_joined_inside(&self) -> bool {
        let from = self.text.piece(self.at).map(|piece| piece.from);
        let second = from.and_then(|from| self.text.tokens.get(from + 1));
        second.is_some_and(|token| token.is_joined)
    }

    /// Whether a longer phrase of the vocabulary is what it says: "senior vice president", "master data manager".
    pub(super) fn is_of_longer(&self) -> bool {
        self.text.piece(self.at).is_some_and(|piece| {
            piece.to > self.end_token
                || piece.to == self.end_token && !piece.meanings().is_empty() && !piece.is_small()
        })
    }

    /// "Backed by at least 10 sources" is a column.
    pub(super) fn counts_sources(&self) -> bool {
        const MAX_BETWEEN: usize = 5;
        let mut near = self.end..self.end + MAX_BETWEEN;
        let first = self.text.first_token(self.at);
        near.any(|at| self.text.may_be(at, Cue::Sources))
            && first.is_some_and(|token| token.text == "backed")
    }

    /// Whether a column says it: "average tenure", "who were last seen in 2025".
    pub(super) fn is_column(&self) -> bool {
        let says = |cue| self.text.may_be(self.end, cue);
        match self.reason {
            Reason::Ranking => self.kind == RecordKind::Company && says(Cue::Tenure),
            Reason::PastEmployer => says(Cue::Seen),
            _ => false,
        }
    }

    /// The piece behind all that it asks.
    pub(super) fn reaches_to(&self) -> usize {
        let (text, end) = (self.text, self.end);
        let reach = if self.is_attribute() || self.is_joined_first() || self.is_order() {
            Reach::Words
        } else {
            self.reach
        };
        let is_past = self.reason == Reason::PastEmployer;
        if is_past && reach == Reach::Clause {
            return past::clause(text, end);
        }
        if learned::is_of_school(text, self.at, self.last_word(), end) {
            return clause_from(text, end + 1, Said::Nothing);
        }
        match reach {
            Reach::Words => numbers_around(text, end, self.reason),
            Reach::Next if is_past => past_role(text, next(text, end)),
            Reach::Next => next(text, end),
            Reach::Clause if self.says_origin() => origin::clause(text, end),
            Reach::Clause => {
                let to = clause_from(text, end, self.says());
                let to = origin::over_containers(text, end, to);
                over_direction(text, to, self.reason)
            }
            Reach::Rest => text.pieces.len(),
        }
    }

    fn last_word(&self) -> &'a str {
        self.stems.last().copied().unwrap_or_default()
    }

    /// What is named is content; what is done needs something that it is done to.
    fn says(&self) -> Said {
        let is_whole =
            TRAPS.named.contains(self.last_word()) || TRAPS.named.contains(&self.stems.join(" "));
        if is_whole {
            Said::Something
        } else {
            Said::Nothing
        }
    }

    /// In front of a role it describes those who have it: "recently promoted managers", "Spanish-speaking nurses".
    fn is_attribute(&self) -> bool {
        let is_described =
            |meaning: &Meaning| meaning.is_role() || matches!(meaning, Meaning::Word(Cue::People));
        let behind = self.text.piece(self.end);
        self.kind == RecordKind::Person
            && !self.is_done_to_people()
            && (self.is_adjective() || self.is_recently_done())
            && behind.is_some_and(|next| next.meanings().iter().any(is_described))
    }

    /// "People managing engineers" are no engineers.
    fn is_done_to_people(&self) -> bool {
        let who = self.at.checked_sub(1);
        self.stems.first() == Some(&"managing")
            && who.is_some_and(|who| self.text.may_be(who, Cue::People))
    }

    /// "Promoted", "speaking", "bilingual", "open to work"
    fn is_adjective(&self) -> bool {
        self.stems.first().is_some_and(|word| {
            word.ends_with("ed")
                || word.ends_with("ing")
                || matches!(*word, "fluent" | "bilingual" | "native" | "remote")
                || self.stems.len() == 3 && *word == "open"
        })
    }

    /// "Recently hired CTOs", but "who recently joined sales" says where they went.
    fn is_recently_done(&self) -> bool {
        self.stems.first() == Some(&"recently")
            && self.last_word().ends_with("ed")
            && self.is_attributive()
            && !self.is_in_relative_clause()
    }

    /// Whether what stands in front lets it describe what follows: "(find) recently hired CTOs".
    fn is_attributive(&self) -> bool {
        let Some(who) = self.at.checked_sub(1) else {
            return true;
        };
        let first = self.text.first_token(who);
        let said = self.text.said(who);
        let last = said.rsplit(' ').next().unwrap_or_default();
        first.is_some_and(|token| !token.is_word()) || BEFORE_ATTRIBUTE.contains(&last)
    }

    /// Whether "who" or the like stands anywhere in front.
    fn is_in_relative_clause(&self) -> bool {
        let from = self.text.piece(self.at).map_or(0, |piece| piece.from);
        let mut before = self.text.tokens.iter().take(from);
        before.any(|token| matches!(token.text.as_str(), "who" | "that" | "which" | "whose"))
    }

    /// "Mobile-first companies" are in no order.
    fn is_joined_first(&self) -> bool {
        let first = self.text.first_token(self.at);
        matches!(self.stems.as_slice(), ["first"]) && first.is_some_and(|token| token.is_joined)
    }

    /// "Rank VPs in Spain by experience": whom, and how is said behind it.
    fn is_order(&self) -> bool {
        matches!(self.stems.first(), Some(&("rank" | "sort" | "order")))
            && (0..self.at).all(|at| self.text.may_be(at, Cue::Filler))
    }
}

/// Whether "looking to" opens a text, and a verb follows with which somebody asks.
fn is_asked(text: Text<'_>, at: usize) -> bool {
    let opens = (0..at).all(|before| text.may_be(before, Cue::Filler));
    let verb = text.skip(at + 1, &["to"]);
    opens
        && (vocabulary().is_request(&text.stem(verb)) || vocabulary().is_purpose(&text.said(verb)))
}

/// "(People stay on) average seven years": how long, in no order.
fn is_stay_on_average(text: Text<'_>, at: usize) -> bool {
    let [stay, on] = [2, 1].map(|back| at.checked_sub(back));
    on.is_some_and(|on| text.said(on) == "on")
        && stay.is_some_and(|stay| matches!(text.stem(stay).as_str(), "stay" | "remain"))
}

/// "APAC ex-China", "Europe ex UK": a region without a part of it, and no past employer.
pub(crate) fn leaves_out_of_region(text: Text<'_>, at: usize) -> bool {
    let places = |at: usize, is_it: fn(&Place) -> bool| {
        let mut meanings = text
            .piece(at)
            .map_or(&[][..], |piece| piece.meanings())
            .iter();
        meanings.any(|meaning| matches!(meaning, Meaning::Place(place) if is_it(place)))
    };
    let is_region = |place: &Place| {
        matches!(
            place,
            Place::Countries(_) | Place::States(_) | Place::Metro { .. }
        )
    };
    let before = at.checked_sub(1);
    text.said(at) == "ex"
        && before.is_some_and(|before| places(before, is_region))
        && places(at + 1, |_| true)
}

/// "(Have) been at SAP for more than five years": they are still there, and how long is said behind it; not "had been at SAP for years".
fn is_stay_at_employer(text: Text<'_>, at: usize, employer: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text.said(before));
    let before = before.unwrap_or_default();
    let is_present = matches!(before.rsplit(' ').next(), Some("have" | "has" | "who've"));
    let employer = text.skip(employer, &["the"]);
    let meanings = text
        .piece(employer)
        .map_or(&[][..], |piece| piece.meanings());
    let is_employer = meanings
        .iter()
        .any(|meaning| matches!(meaning, Meaning::Company(_)));
    let is_long = text.said(employer + 1) == "for" && text.amount(employer + 2).is_some();
    is_present && is_employer && is_long
}

/// Whether a word that is a noun, too, says what somebody does: "who volunteer at", not "volunteers at".
fn is_verb(text: Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text.said(before));
    let said = before.unwrap_or_default();
    let is_plural = text.said(at) != text.stem(at);
    match said.rsplit(' ').next().unwrap_or_default() {
        "who" | "that" | "which" | "also" | "often" | "regularly" => true,
        "" | "a" | "an" | "the" | "as" | "unpaid" | "or" | "," => false,
        _ => !is_plural,
    }
}

/// "(Ordered by experience), descending": the direction belongs to the order.
fn over_direction(text: Text<'_>, end: usize, reason: Reason) -> usize {
    let direction = end + usize::from(text.is_mark(end, ','));
    let is_one = matches!(
        text.said(direction).as_str(),
        "descending" | "ascending" | "desc" | "asc"
    );
    match reason == Reason::Ranking && is_one {
        true => direction + 1,
        false => end,
    }
}

/// The number behind "top".
fn numbers_around(text: Text<'_>, end: usize, reason: Reason) -> usize {
    if reason == Reason::Ranking && text.number(end).is_some() {
        end + 1
    } else {
        end
    }
}

/// "Former McKinsey (consultants now working as founders)": the role in front of "now" is of the past, too, where another one follows.
fn past_role(text: Text<'_>, at: usize) -> usize {
    const MAX_BETWEEN: usize = 6;
    let says_role = |at: usize| {
        let mut meanings = text
            .piece(at)
            .map_or(&[][..], |piece| piece.meanings())
            .iter();
        meanings.any(Meaning::is_role)
    };
    let to = at + (at..).take_while(|at| says_role(*at)).count();
    let now = text.skip(to, &["who", "are", "who are", "is", "who is", ","]);
    let is_now = matches!(text.said(now).as_str(), "now" | "currently" | "presently");
    let goes_on = (now + 1..now + MAX_BETWEEN).any(says_role);
    if is_now && goes_on { to } else { at }
}

/// Over the next phrase that says something.
fn next(text: Text<'_>, mut at: usize) -> usize {
    while text.may_be(at, Cue::Filler) && !text.may_be(at, Cue::In) && !text.may_be(at, Cue::At) {
        at += 1;
    }
    let is_content = text
        .piece(at)
        .is_some_and(|piece| !matches!(piece.what, crate::annotate::What::Mark(_)));
    if is_content { at + 1 } else { at }
}
