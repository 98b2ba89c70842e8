//! Plain words into the query of a search, with an account of every word.
//!
//! `text → tokens ([lex]) → pieces ([annotate]: the longest phrases that the vocabulary or the active build knows, slips
//! repaired by [spelling]) → items ([read]: conditions, the words between them, [traps]) → one condition ([combine]) →
//! a query, in the language of search`. A word that is neither a condition nor known to ask nothing is reported as
//! unsupported (account.rs): nothing that was asked for is dropped in silence.
//!
//! What a language model adds, where one is configured, is checked by [model].
//!
//! Guarantees: pure and deterministic; any text gives a [`Translation`] or a [`Refused`]; what it gives parses as a query
//! of search. Which words mean what is decided by `vocabulary.json` and docs/DISCOVER.md.

mod account;
mod amount;
mod annotate;
mod combine;
mod cond;
mod context;
mod explain;
mod fields;
mod interpretation;
#[cfg(feature = "judge")]
pub mod judge;
mod lex;
mod lexicon;
mod meaning;
pub mod model;
mod other_kind;
mod read;
mod spelling;
mod stored;
mod text;
mod time;
mod told;
mod traps;
mod vocabulary;

use chrono::NaiveDate;
use dialect::Query;
use events_schema::record::RecordKind;

#[doc(hidden)]
pub use explain::{explain, unaccounted};
pub use fields::supported_fields;
pub use interpretation::{
    Ambiguous, Applied, Assumed, Interpretation, Reason, Refused, Translation, Unsupported,
};
pub use lexicon::{Lexicon, NoLexicon};

use account::Account;
use annotate::{Piece, Repair};
use cond::Cond;
use context::Voice;
use lex::Token;
use other_kind::is_other_kind;
use read::{Is, Item};
use text::Text;
use told::Part;
use vocabulary::vocabulary;

/// Translates a description of persons or of companies.
///
/// # Errors
/// When no part of it is a condition, or it describes the other kind of record.
pub fn translate(
    kind: RecordKind,
    text: &str,
    lexicon: &impl Lexicon,
    today: NaiveDate,
) -> Result<Translation, Refused> {
    let words = Words::read(kind, text, lexicon, today);
    words.local(kind, text).map(|local| local.translation)
}

/// A translation, and the condition before it became a query.
struct Local {
    cond: Cond,
    translation: Translation,
}

/// A text and what was read from it.
struct Words {
    tokens: Vec<Token>,
    pieces: Vec<Piece>,
    repairs: Vec<Repair>,
    /// For each piece what it says of the one who asks.
    context: Vec<Voice>,
    items: Vec<Item>,
}

impl Words {
    fn read(kind: RecordKind, text: &str, lexicon: &impl Lexicon, today: NaiveDate) -> Self {
        let mut tokens = lex::tokens(text);
        let (pieces, repairs) = annotate::annotate(kind, text, &tokens, lexicon);
        // What is counted is told by the words themselves: "5 yeras".
        for repair in repairs
            .iter()
            .filter(|repair| lex::is_time(&repair.read_as))
        {
            if let Some(token) = tokens.get_mut(repair.token) {
                token.stem.clone_from(&repair.read_as);
            }
        }
        let view = Text {
            pieces: &pieces,
            tokens: &tokens,
        };
        let context = context::context(view);
        let items = read::read(kind, view, today, &context);
        Self {
            tokens,
            pieces,
            repairs,
            context,
            items,
        }
    }

    fn view(&self) -> Text<'_> {
        Text {
            pieces: &self.pieces,
            tokens: &self.tokens,
        }
    }

    /// What they mean by the rules.
    fn local(&self, kind: RecordKind, text: &str) -> Result<Local, Refused> {
        let (view, items) = (self.view(), &self.items);
        let account = Account { text, view };
        let combined = combine::combine(items);
        let unsupported = account.unsupported(items, &combined);
        if is_other_kind(kind, view, items) {
            let told = combined.part.map(|part| part.told);
            let unsupported =
                account.everything(kind, items, told.unwrap_or_default(), unsupported);
            return Err(Refused {
                unsupported: self.or_slips(&account, unsupported),
                is_other_kind: true,
            });
        }
        let refused = |mut unsupported: Vec<Unsupported>| {
            // Nothing was asked beside what they tell about themselves: that may be what was meant to be asked.
            unsupported.extend(account.told(&self.context));
            unsupported.sort_by_key(|one| one.span);
            Refused {
                unsupported: self.or_slips(&account, unsupported),
                is_other_kind: false,
            }
        };
        let Some(Part { cond, told }) = combined.part else {
            return Err(refused(unsupported));
        };
        let sql = format!("SELECT * FROM {} WHERE {}", kind.name(), cond.sql());
        let Ok(parsed) = Query::parse(kind, &sql) else {
            return Err(refused(account.everything(kind, items, told, unsupported)));
        };
        let translation = Translation {
            query: parsed.query,
            interpretation: Interpretation {
                applied: account.applied(kind, items, told),
                assumed: self.assumed(text),
                ambiguous: account.ambiguous(kind, items),
                unsupported,
            },
        };
        Ok(Local { cond, translation })
    }

    /// Of a text of which nothing is told, the words that were repaired into some that ask nothing: they may be why.
    fn or_slips(&self, account: &Account<'_>, unsupported: Vec<Unsupported>) -> Vec<Unsupported> {
        if !unsupported.is_empty() {
            return unsupported;
        }
        let is_slip = |piece: &Piece| {
            let mut repaired = self.repairs.iter().map(|repair| repair.token);
            repaired.any(|token| (piece.from..piece.to).contains(&token))
        };
        let slips = self
            .pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| is_slip(piece));
        let told = slips.filter_map(|(at, _)| account.phrase(at, at + 1));
        let told = told.map(|(phrase, span)| Unsupported {
            phrase,
            span,
            reason: Reason::UnknownTerm,
        });
        told.collect()
    }

    fn assumed(&self, text: &str) -> Vec<Assumed> {
        let used = self.repairs.iter().filter(|repair| self.is_used(repair));
        let each = used.filter_map(|repair| {
            let token = self.tokens.get(repair.token)?;
            let phrase = text.get(token.start..token.end)?.to_owned();
            Some(Assumed {
                phrase,
                read_as: vocabulary().spelled(&repair.read_as),
            })
        });
        each.collect()
    }

    /// Whether a repaired word was read as another one: not where it is reported as it stands.
    fn is_used(&self, repair: &Repair) -> bool {
        let is_there = |piece: &Piece| (piece.from..piece.to).contains(&repair.token);
        let at = self.pieces.iter().position(is_there);
        let is_read = |item: &Item| !matches!(item.what, Is::Unknown | Is::Unsupported(_));
        at.is_some_and(|at| {
            let mut items = self.items.iter();
            items.any(|item| (item.from..item.to).contains(&at) && is_read(item))
        })
    }
}

/// Reads what is read once, so that the first request need not.
pub fn warm_up() {
    for kind in RecordKind::ALL {
        let words =
            "Engneers or directors in Chicago, not at Siemens, with 5+ years, seen since 2025";
        let _ = translate(kind, words, &NoLexicon, NaiveDate::default());
    }
}
