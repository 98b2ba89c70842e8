//! What a text was read as, for the tests and for whoever works at the rules.

use chrono::NaiveDate;
use events_schema::record::RecordKind;

use crate::account::Account;
use crate::context::Voice;
use crate::read::{Is, Item};
use crate::{Lexicon, Words};

/// Words of a text of which its account says nothing, other than those that say nothing where they stand and those with which the
/// one who asks tells about themselves: there are none. For the tests.
pub fn unaccounted(
    kind: RecordKind,
    text: &str,
    lexicon: &impl Lexicon,
    today: NaiveDate,
) -> Vec<String> {
    let words = Words::read(kind, text, lexicon, today);
    let (spans, assumed) = match words.local(kind, text) {
        Ok(local) => {
            let said = local.translation.interpretation;
            let applied = said.applied.iter().map(|one| one.span);
            let unsupported = said.unsupported.iter().map(|one| one.span);
            (applied.chain(unsupported).collect(), said.assumed)
        }
        Err(refused) => {
            let spans: Vec<[usize; 2]> = refused.unsupported.iter().map(|one| one.span).collect();
            (spans, words.assumed(text))
        }
    };
    let account = Account {
        text,
        view: words.view(),
    };
    let is_told = |at: usize| {
        let span = account.phrase(at, at + 1);
        span.is_none_or(|(phrase, [from, to])| {
            let has_word = phrase.chars().any(char::is_alphanumeric);
            let is_assumed = assumed.iter().any(|one| one.phrase == phrase);
            let is_inside = spans
                .iter()
                .any(|[first, last]| *first <= from && to <= *last);
            !has_word || is_assumed || is_inside
        })
    };
    let passes = |item: &Item| {
        matches!(
            item.what,
            Is::Noise | Is::Or | Is::And | Is::But | Is::Either | Is::Another
        )
    };
    let open = words.items.iter().filter(|item| !passes(item));
    let open = open.flat_map(|item| item.from..item.to);
    open.filter(|at| !is_told(*at))
        .map(|at| account.view.said(at))
        .collect()
}

/// The pieces of a text and what was read from them, for whoever works at the rules.
pub fn explain(kind: RecordKind, text: &str, lexicon: &impl Lexicon, today: NaiveDate) -> String {
    let words = Words::read(kind, text, lexicon, today);
    let view = words.view();
    let repairs: Vec<&str> = words
        .repairs
        .iter()
        .map(|repair| repair.read_as.as_str())
        .collect();
    let dropped = |at| words.context.get(at) == Some(&Voice::Tells);
    let pieces: Vec<String> = (0..words.pieces.len())
        .map(|at| format!("{}{}", if dropped(at) { "~" } else { "" }, view.said(at)))
        .collect();
    let said = |item: &Item| {
        let said: Vec<String> = (item.from..item.to).map(|at| view.said(at)).collect();
        said.join(" ")
    };
    let items: Vec<String> = words
        .items
        .iter()
        .map(|item| match &item.what {
            Is::Condition(class, cond) => format!("{class:?} {}", cond.sql()),
            what => format!("{what:?} {}", said(item)),
        })
        .collect();
    format!(
        "[{}] {repairs:?}\n  {}",
        pieces.join("|"),
        items.join("\n  ")
    )
}
