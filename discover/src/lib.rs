//! Plain words into the query of a search, with an account of every word.
//!
//! `text → tokens ([lex]) → pieces ([annotate]: the longest phrases that the vocabulary or the active build knows, slips
//! repaired by [spelling]) → items ([read]: conditions, the words between them, [traps]) → one condition ([combine]) →
//! a query, in the language of search`. A word that is neither a condition nor known to ask nothing is reported as
//! unsupported: nothing that was asked for is dropped in silence.
//!
//! What a language model adds, where one is configured, is checked by [model].
//!
//! Guarantees: pure and deterministic; any text gives a [`Translation`] or a [`Refused`]; what it gives parses as a query
//! of search. Which words mean what is decided by `vocabulary.json` and docs/DISCOVER.md.

mod amount;
mod annotate;
mod combine;
mod cond;
mod context;
mod fields;
#[cfg(feature = "judge")]
pub mod judge;
mod lex;
mod lexicon;
mod meaning;
pub mod model;
mod read;
mod spelling;
mod stored;
mod text;
mod time;
mod told;
mod traps;
mod vocabulary;

use std::cmp::Reverse;

use chrono::NaiveDate;
use dialect::Query;
use events_schema::record::RecordKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use fields::supported_fields;
pub use lexicon::{Lexicon, NoLexicon};

use annotate::{Piece, Repair, What};
use combine::Combined;
use cond::Cond;
use context::Voice;
use lex::Token;
use meaning::{Cue, Meaning};
use read::{Class, Is, Item};
use text::Text;
use told::{Part, Told};

/// What a text means.
#[derive(Debug, Clone, PartialEq)]
pub struct Translation {
    /// The query.
    pub query: Query,
    /// How each phrase was read.
    pub interpretation: Interpretation,
}

/// An account of the words. Spans count characters of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Interpretation {
    /// Phrases that became conditions.
    pub applied: Vec<Applied>,
    /// Words that were read as others.
    pub assumed: Vec<Assumed>,
    /// Names that stand for more than one thing.
    pub ambiguous: Vec<Ambiguous>,
    /// What was asked for and cannot be answered.
    pub unsupported: Vec<Unsupported>,
}

/// A phrase and its condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Applied {
    /// As written.
    pub phrase: String,
    /// First character, and the one behind the last.
    pub span: [usize; 2],
    /// In the language of search.
    pub clause: String,
}

/// A slip that was repaired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Assumed {
    /// As written.
    pub phrase: String,
    /// As it was read.
    pub read_as: String,
}

/// A name of several things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ambiguous {
    /// As written.
    pub phrase: String,
    /// How it was read.
    pub chosen: String,
    /// What else it may mean.
    pub alternatives: Vec<String>,
}

/// Words that no column answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unsupported {
    /// As written.
    pub phrase: String,
    /// First character, and the one behind the last.
    pub span: [usize; 2],
    /// Why.
    pub reason: Reason,
}

/// Why words are not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Records do not say this.
    NoSuchField,
    /// Only the current employer is known.
    PastEmployer,
    /// Of a person's employer the place is not known.
    CompanyLocation,
    /// Nobody is sought by this.
    ProtectedTrait,
    /// Records are not ranked, sorted or counted by words.
    Ranking,
    /// No word that is known.
    UnknownTerm,
}

/// Nothing of a text can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What was asked for all the same.
    pub unsupported: Vec<Unsupported>,
    /// The text describes the other kind of record.
    pub is_other_kind: bool,
}

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
        let tokens = lex::tokens(text);
        let (pieces, repairs) = annotate::annotate(kind, text, &tokens, lexicon);
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
        if other_kind(kind, view, items) {
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
                ambiguous: account.ambiguous(items),
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
        let each = self.repairs.iter().filter_map(|repair| {
            let token = self.tokens.get(repair.token)?;
            let phrase = text.get(token.start..token.end)?.to_owned();
            Some(Assumed {
                phrase,
                read_as: repair.read_as.clone(),
            })
        });
        each.collect()
    }
}

/// Nouns for people by what they have learned, which no column answers: "Yale alumni in banking".
const LEARNED: &[&str] = &[
    "alum", "alumni", "alumnus", "alumnu", "graduate", "grad", "speaker", "phd", "mba",
];

/// Whether the text describes companies where persons are sought, or persons where companies are.
fn other_kind(kind: RecordKind, view: Text<'_>, items: &[Item]) -> bool {
    let has = |is_it: &dyn Fn(Class) -> bool| {
        items
            .iter()
            .any(|item| matches!(&item.what, Is::Condition(class, _) if is_it(*class)))
    };
    let may_be = |cue| (0..view.pieces.len()).any(|at| view.may_be(at, cue));
    match kind {
        RecordKind::Company => {
            let describes_people = items.iter().any(|item| match item.what {
                Is::Unsupported(Reason::NoSuchField) => (item.from..item.to).any(|at| {
                    view.piece(at).is_some_and(|piece| {
                        piece.meanings().iter().any(|meaning| {
                            matches!(
                                meaning,
                                Meaning::Title(_) | Meaning::Level(_) | Meaning::Function(_)
                            )
                        })
                    })
                }),
                _ => false,
            });
            let of_companies = has(&|class| {
                matches!(
                    class,
                    Class::Industry
                        | Class::Size
                        | Class::Type
                        | Class::Name
                        | Class::Company
                        | Class::Founded
                        | Class::Growth
                        | Class::Tenure
                        | Class::Employees
                )
            });
            describes_people && !of_companies
        }
        RecordKind::Person => {
            let of_people = has(&|class| {
                matches!(
                    class,
                    Class::Role
                        | Class::Years
                        | Class::Flag
                        | Class::Name
                        | Class::Contact
                        | Class::Company
                )
            });
            let says_company = items.iter().take(6).any(|item| match item.what {
                Is::Noise | Is::Small => view.piece(item.from).is_some_and(|piece| {
                    piece.may_be(Cue::Companies)
                        && !piece.may_be(Cue::People)
                        && !piece.may_be(Cue::Filler)
                }),
                Is::Condition(Class::Industry | Class::Size, _) => true,
                _ => false,
            });
            // Women, believers and the like are people, unless they own a company or are what it is.
            let is_of_company = |at: usize| view.said(at) == "owned" || view.says_companies(at);
            let says_trait = items.iter().any(|item| {
                item.what == Is::Unsupported(Reason::ProtectedTrait) && !is_of_company(item.to)
            });
            let says_former = |piece: &Piece| {
                let mut meanings = piece.meanings().iter();
                meanings.any(|meaning| {
                    matches!(
                        meaning,
                        Meaning::Title(_) | Meaning::Level(_) | Meaning::Function(_)
                    )
                })
            };
            let says_learned = items.iter().any(|item| {
                let mut pieces = item.from..item.to;
                match item.what {
                    Is::Unsupported(Reason::NoSuchField) => {
                        pieces.any(|at| LEARNED.contains(&view.stem(at).as_str()))
                    }
                    Is::Unsupported(Reason::PastEmployer) => {
                        pieces.any(|at| view.piece(at).is_some_and(says_former))
                    }
                    _ => false,
                }
            });
            let says_people = says_trait || says_learned || may_be(Cue::People) || may_be(Cue::At);
            says_company && !of_people && !says_people
        }
    }
}

/// Words and what became of them.
struct Account<'a> {
    text: &'a str,
    view: Text<'a>,
}

impl Account<'_> {
    /// Bytes of the text from the first token of a piece to the last of another.
    fn bytes(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let first = self.view.piece(from)?.from;
        let last = self.view.piece(to.checked_sub(1)?)?.to.checked_sub(1)?;
        Some((
            self.view.tokens.get(first)?.start,
            self.view.tokens.get(last)?.end,
        ))
    }

    fn phrase(&self, from: usize, to: usize) -> Option<(String, [usize; 2])> {
        let (start, end) = self.bytes(from, to)?;
        let characters = |bytes: usize| {
            self.text
                .get(..bytes)
                .map_or(0, |text| text.chars().count())
        };
        Some((
            self.text.get(start..end)?.to_owned(),
            [characters(start), characters(end)],
        ))
    }

    fn applied(&self, kind: RecordKind, items: &[Item], mut told: Vec<Told>) -> Vec<Applied> {
        told.sort_by_key(|one| one.from);
        let each = told.into_iter().filter_map(|one| {
            let (first, last) = (items.get(one.from)?, items.get(one.to)?);
            let (phrase, span) = self.phrase(first.from, last.to)?;
            Some(Applied {
                phrase,
                span,
                clause: stored::as_stored(kind, &one.cond).sql(),
            })
        });
        each.collect()
    }

    /// Conditions as unsupported, too: the text cannot be asked of this kind of record.
    fn everything(
        &self,
        kind: RecordKind,
        items: &[Item],
        told: Vec<Told>,
        mut unsupported: Vec<Unsupported>,
    ) -> Vec<Unsupported> {
        let conditions = self.applied(kind, items, told).into_iter();
        unsupported.extend(conditions.map(|one| Unsupported {
            phrase: one.phrase,
            span: one.span,
            reason: Reason::NoSuchField,
        }));
        unsupported.sort_by_key(|one| one.span);
        unsupported
    }

    fn ambiguous(&self, items: &[Item]) -> Vec<Ambiguous> {
        let each = items.iter().filter_map(|item| {
            let Is::Condition(Class::Place, cond) = &item.what else {
                return None;
            };
            let (phrase, _) = self.phrase(item.from, item.to)?;
            let name = lex::plain(&phrase);
            vocabulary::vocabulary()
                .is_both_places(&name)
                .then(|| Ambiguous {
                    phrase,
                    chosen: cond.sql(),
                    alternatives: vec![format!("{name} with its state or country")],
                })
        });
        each.collect()
    }

    /// Runs of words that were not understood, with what turns them round and small words between them, and what turns round nothing.
    fn unsupported(&self, items: &[Item], combined: &Combined) -> Vec<Unsupported> {
        let mut found: Vec<(usize, usize, Reason)> = Vec::new();
        let mut open: Option<(usize, usize, Reason)> = None;
        for item in items {
            let what = match &item.what {
                // No column has both values.
                Is::Yields => &Is::Unsupported(Reason::NoSuchField),
                what => what,
            };
            match *what {
                Is::Unsupported(reason) => match &mut open {
                    // An unknown word right in front, or in front of its article, belongs to it.
                    Some((_, to, known))
                        if *known == Reason::UnknownTerm && self.are_articles(*to, item.from) =>
                    {
                        *to = item.to;
                        *known = reason;
                    }
                    _ => {
                        found.extend(open.take());
                        open = Some((item.from, item.to, reason));
                    }
                },
                Is::Unknown | Is::Small => match &mut open {
                    Some((_, to, _)) => *to = item.to,
                    None => open = Some((item.from, item.to, Reason::UnknownTerm)),
                },
                Is::Noise => {}
                _ => found.extend(open.take()),
            }
        }
        found.extend(open);
        // The last first: of two in a row the first takes the second with it.
        let mut turning = combined.turning.clone();
        turning.sort_unstable_by_key(|at| Reverse(*at));
        for item in turning.into_iter().filter_map(|at| items.get(at)) {
            if let Some(turned) = found.iter_mut().find(|one| one.0 >= item.to) {
                turned.0 = item.from;
            }
        }
        let idle = combined.idle.iter().filter_map(|at| items.get(*at));
        found.extend(idle.map(|item| (item.from, item.to, Reason::UnknownTerm)));
        found.sort_by_key(|one| one.0);
        let each = found.into_iter().filter_map(|(from, to, reason)| {
            let (phrase, span) = self.phrase(from, to)?;
            let has_word = phrase.chars().any(char::is_alphanumeric);
            has_word.then_some(Unsupported {
                phrase,
                span,
                reason,
            })
        });
        each.collect()
    }

    /// Whether pieces are articles, all of them.
    fn are_articles(&self, from: usize, to: usize) -> bool {
        (from..to).all(|at| matches!(self.view.said(at).as_str(), "a" | "an" | "the"))
    }

    /// What was told about the one who asks, where it says something.
    fn told(&self, context: &[Voice]) -> Vec<Unsupported> {
        let is_told = |at: &usize| context.get(*at) == Some(&Voice::Tells);
        let is_mark = |at: usize| {
            let piece = self.view.piece(at);
            piece.is_some_and(|piece| matches!(piece.what, What::Mark(_)))
        };
        let says_something = |at: usize| {
            let piece = self.view.piece(at);
            !is_mark(at) && piece.is_some_and(|piece| !piece.is_small())
        };
        let mut told = Vec::new();
        let mut from = 0;
        while from < self.view.pieces.len() {
            let mut to = from + (from..).take_while(is_told).count();
            let next = to + 1;
            while to > from && is_mark(to - 1) {
                to -= 1;
            }
            if (from..to).any(says_something)
                && let Some((phrase, span)) = self.phrase(from, to)
            {
                told.push(Unsupported {
                    phrase,
                    span,
                    reason: Reason::NoSuchField,
                });
            }
            from = next;
        }
        told
    }
}

/// Words of a text of which its account says nothing, other than those that say nothing where they stand and those with which the
/// one who asks tells about themselves: there are none. For the tests.
#[doc(hidden)]
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
#[doc(hidden)]
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

/// Reads what is read once, so that the first request need not.
pub fn warm_up() {
    for kind in RecordKind::ALL {
        let words =
            "Engneers or directors in Chicago, not at Siemens, with 5+ years, seen since 2025";
        let _ = translate(kind, words, &NoLexicon, NaiveDate::default());
    }
}
