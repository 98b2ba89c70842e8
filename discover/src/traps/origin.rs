//! Where people come from: "born in Lima, Peru (and living in Texas)", "born in India and raised in Kenya, (now in London)".
//!
//! A comma ends other clauses; here the country of the city, and further places of a list, stand behind one.

use crate::meaning::{Cue, Meaning, Place};
use crate::text::Text;
use crate::vocabulary::vocabulary;

use super::clause::{Said, clause_from};

/// What says the same of another place.
const AGAIN: &[&str] = &[
    "born in",
    "raised in",
    "brought up in",
    "grew up in",
    "grown up in",
    "were raised in",
    "was raised in",
    "were born in",
];

/// Words in front of those: "and then raised in".
const BETWEEN: &[&str] = &[
    "and", "but", "then", "later", "or", "who", "and who", "also",
];

/// The end of a clause about origin that goes on with piece `at`.
pub(super) fn clause(text: Text<'_>, at: usize) -> usize {
    let (mut from, mut end) = (at, one_clause(text, at));
    while let Some(place) = again(text, end) {
        from = place;
        end = one_clause(text, from);
    }
    end.max(from)
}

/// Up to where another place is said in the same way.
fn one_clause(text: Text<'_>, from: usize) -> usize {
    let end = clause_from(text, from, Said::Nothing);
    let end = (from + 1..end)
        .find(|at| again(text, *at).is_some())
        .unwrap_or(end);
    over_list(text, over_containers(text, from, end), from)
}

/// Over the state and the country that the place at the end of a clause is said to lie in: "(studied in Austin), Texas, USA".
pub(super) fn over_containers(text: Text<'_>, from: usize, mut end: usize) -> usize {
    const MAX_WORDS: usize = 3;
    let is_after_in = |at: usize| text.may_be(at, Cue::In) || text.said(at).ends_with(" in");
    let leads = || {
        (from.saturating_sub(1)..end)
            .rev()
            .take(MAX_WORDS + 1)
            .any(is_after_in)
    };
    let is_named = |at: usize| places(text, at).next().is_some();
    if !end.checked_sub(1).is_some_and(is_named) && !leads() {
        return end;
    }
    while text.is_mark(end, ',') {
        let inner = end.checked_sub(1);
        if !inner.is_some_and(|inner| lies_in(text, inner, end + 1)) {
            break;
        }
        end += 2;
    }
    end
}

/// Over further places, where the last one is joined: "(born in India), Kenya or Peru".
fn over_list(text: Text<'_>, end: usize, from: usize) -> usize {
    let is_first = (from..end).any(|at| places(text, at).next().is_some());
    let mut at = end;
    while is_first && is_place_alone(text, at + 1) {
        if text.is_mark(at, ',') {
            at += 2;
        } else if text.may_be(at, Cue::Or) || text.may_be(at, Cue::And) {
            return over_containers(text, from, at + 2);
        } else {
            break;
        }
    }
    end
}

/// Another place that is said to be theirs in the same way: its first piece.
fn again(text: Text<'_>, end: usize) -> Option<usize> {
    let said = text.skip(end + usize::from(text.is_mark(end, ',')), BETWEEN);
    text.said_as(said, AGAIN).filter(|_| said > end)
}

fn places<'a>(text: Text<'a>, at: usize) -> impl Iterator<Item = &'a Place> {
    let meanings = text.piece(at).map_or(&[][..], |piece| piece.meanings());
    meanings.iter().filter_map(|meaning| match meaning {
        Meaning::Place(place) => Some(place),
        _ => None,
    })
}

/// A place that describes nobody behind it: not "Kenya based nurses".
fn is_place_alone(text: Text<'_>, at: usize) -> bool {
    let behind = text.piece(at + 1);
    let says_who =
        |meaning: &Meaning| meaning.is_role() || matches!(meaning, Meaning::Word(Cue::People));
    places(text, at).next().is_some()
        && behind.is_none_or(|behind| {
            behind.may_be(Cue::Or)
                || behind.may_be(Cue::And)
                || !(text.said(at + 1).starts_with("base")
                    || behind.meanings().iter().any(says_who))
        })
}

/// Whether a place can lie in the one at `outer`: what is not known can, in a state or a country.
fn lies_in(text: Text<'_>, inner: usize, outer: usize) -> bool {
    if !is_place_alone(text, outer) {
        return false;
    }
    let mut outers = places(text, outer);
    let is_unknown = places(text, inner).next().is_none();
    outers.any(|outer| match outer {
        Place::State(state) => {
            is_unknown
                || places(text, inner).any(|inner| match inner {
                    Place::City(city) => {
                        vocabulary().city_default(city).is_none()
                            || vocabulary().is_in_state(city, state)
                    }
                    _ => false,
                })
        }
        Place::Country(country) => {
            is_unknown
                || places(text, inner).any(|inner| {
                    let of = match inner {
                        Place::City(city) => Some(vocabulary().country_of_city(city)),
                        Place::State(state) => Some(vocabulary().country_of_state(state)),
                        _ => None,
                    };
                    of.is_some_and(|of| of.is_none_or(|of| of == country))
                })
        }
        _ => false,
    })
}
