//! Values are linked again: what a model says is a value only if the vocabulary or the active build says so, too.

use dialect::{Catalog, closed_values};
use events_schema::record::RecordKind;

use super::tree::{Condition, Operator};
use super::typed::{numbers, texts};
use crate::fields::{self, Holds};
use crate::lex::number_word;
use crate::lex::{Kind, Token, plain, tokens};
use crate::lexicon::Lexicon;
use crate::vocabulary::vocabulary;

/// Whether every value of a condition that the rules did not read is one of its column, and one that the words may mean.
pub(super) fn is_linked(kind: RecordKind, condition: &Condition, lexicon: &impl Lexicon) -> bool {
    let Some((path, holds)) = fields::column(kind, &condition.column) else {
        return false;
    };
    if matches!(condition.operator, Operator::IsKnown | Operator::IsUnknown) {
        return holds == Holds::Contact;
    }
    let catalog = Catalog::of(kind);
    let Some(column) = catalog.find(path) else {
        return false;
    };
    let has_all = |is_one: &dyn Fn(&str) -> bool| {
        texts(condition).is_some_and(|values| values.iter().all(|value| is_one(value)))
    };
    let says_all = |divisor: f64| {
        numbers(condition).is_some_and(|values| {
            values
                .iter()
                .all(|value| says_number(&condition.phrase, *value, divisor))
        })
    };
    match holds {
        Holds::Closed => {
            let closed = closed_values(catalog.column(column)).unwrap_or_default();
            is_whole(condition) && has_all(&|value| closed.contains(&value))
        }
        Holds::Country => is_whole(condition) && has_all(&|value| vocabulary().is_country(value)),
        Holds::Place => is_whole(condition) && has_all(&|value| lexicon.has(column, value)),
        Holds::Name => {
            has_all(&|value| lexicon.has(column, value) && says_name(&condition.phrase, value))
        }
        Holds::Title => {
            has_all(&|value| vocabulary().is_title(value) || lexicon.has(column, value))
        }
        Holds::Number => says_all(1.0),
        Holds::Share => says_all(100.0),
        Holds::Flag => true,
        Holds::Date | Holds::Contact => false,
    }
}

/// Whether a value is compared as a whole: a part of a word of a closed list is none.
const fn is_whole(condition: &Condition) -> bool {
    matches!(condition.operator, Operator::Equals | Operator::OneOf)
}

/// Whether the words of a name stand in the phrase, one behind the other.
fn says_name(phrase: &str, name: &str) -> bool {
    let said = tokens(phrase);
    let asked = tokens(name);
    if asked.is_empty() {
        return false;
    }
    let is_same = |a: &Token, b: &Token| a.text == b.text;
    let stands = said
        .windows(asked.len())
        .any(|window| window.iter().zip(&asked).all(|(a, b)| is_same(a, b)));
    stands || vocabulary().company_alias(&plain(phrase)) == Some(name)
}

/// Whether a number stands in the phrase, in digits or as a word; of a share, in percent.
fn says_number(phrase: &str, asked: f64, divisor: f64) -> bool {
    let is_it = |said: f64| (said / divisor - asked).abs() < 1e-9;
    tokens(phrase).iter().any(|token| match token.kind {
        Kind::Number(number) => is_it(number),
        _ => number_word(&token.text).is_some_and(is_it),
    })
}
