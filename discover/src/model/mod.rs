//! The part of a language model: it may say what words mean that nothing here knows, and nothing else.
//!
//! `text → translate → [Question] (what was read, and which words are open) → the model's [Tree] → [Question::accept]`.
//! Pure: who asks a model, how long and over which wire is the caller's.
//!
//! Guarantees, whatever a model answers (docs/DISCOVER.md, "With a language model"):
//! - What was read locally stands, as it was read: the tree has it and adds conditions that must hold besides. So nobody is
//!   found who was not found before, where something was read at all.
//! - A condition that is added says which open words ask for it, is on another column than what was read, and its values are
//!   known to the vocabulary or to the build.
//! - What was reported as unsupported stays reported, all of it.
//! - The tree becomes the text of a query by the same functions as what is read here, and is parsed like it.
//!
//! A tree of which one part is not so is not accepted at all: half of a model's reading is nobody's.

mod link;
mod open;
mod prompt;
mod schema;
mod tree;
mod turning;
mod typed;

use chrono::NaiveDate;
use dialect::Query;
use events_schema::record::RecordKind;

pub use prompt::instructions;
pub use schema::schema;
pub use tree::{Answer, Condition, Operator, Tree, Value};

use crate::account::Account;
use crate::cond::Cond;
use crate::fields;
use crate::lexicon::Lexicon;
use crate::read::{Is, Item};
use crate::{Applied, Interpretation, Local, Translation, Words};
use open::Open;

/// Why an answer is not accepted. The names tell nothing of the description or of the answer: they may be counted and logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAccepted {
    /// No JSON of the tree's form.
    #[error("it is not of the form of a tree")]
    Malformed,
    /// Too deep, too many parts, too long a text, a group without a part, a control character, no finite number.
    #[error("it is beyond the limits of a tree")]
    OutOfBounds,
    /// A column that words do not become conditions on.
    #[error("it names a column that is not asked by words")]
    UnknownColumn,
    /// An operator or a value that the column does not take.
    #[error("an operator or a value is not of the type of its column")]
    WrongType,
    /// What was read locally is not in it as it was read, or is tied to what was added.
    #[error("it changes what was read")]
    ChangesWhatWasRead,
    /// It adds nothing.
    #[error("it adds nothing")]
    AddsNothing,
    /// A phrase does not stand in the description, or not in its open words.
    #[error("a phrase is none of the open words")]
    OtherWords,
    /// A condition is negated where the words are not, or the other way, or it cannot be told.
    #[error("a negation is not that of the words")]
    OtherNegation,
    /// The words are an alternative to what was read: "or" stands between them, or they are of one list.
    #[error("it is an alternative to what was read")]
    Alternative,
    /// A value that neither the vocabulary nor the build knows, or that the words do not say.
    #[error("a value is not known")]
    UnknownValue,
    /// Search does not take it.
    #[error("it does not become a query")]
    NotAQuery,
}

/// A description with words that are open: nothing knows them, so that a model may be asked what they mean.
#[derive(Debug, Clone)]
pub struct Question {
    kind: RecordKind,
    text: String,
    /// What was read; none if no part of the description was.
    read: Option<Read>,
    interpretation: Interpretation,
    open: Vec<Open>,
}

#[derive(Debug, Clone)]
struct Read {
    cond: Cond,
    tree: Tree,
    query: Query,
}

impl Question {
    /// What a model may be asked about a description; none if it has no open words, describes the other kind of record, or
    /// says more than a tree holds.
    #[must_use]
    pub fn of(
        kind: RecordKind,
        text: &str,
        lexicon: &impl Lexicon,
        today: NaiveDate,
    ) -> Option<Self> {
        let words = Words::read(kind, text, lexicon, today);
        let (read, interpretation) = match words.local(kind, text) {
            Ok(Local { cond, translation }) => {
                let tree = Tree::of(&cond, &|part| phrase_of(&words, text, part));
                if !tree.is_bounded() {
                    return None;
                }
                let query = translation.query;
                let read = Read { cond, tree, query };
                (Some(read), translation.interpretation)
            }
            Err(refused) if refused.is_other_kind => return None,
            Err(refused) => {
                let interpretation = Interpretation {
                    unsupported: refused.unsupported,
                    ..Interpretation::default()
                };
                (None, interpretation)
            }
        };
        let account = Account {
            text,
            view: words.view(),
        };
        let open = open::open(&account, &words.items, &interpretation);
        let is_told = open::told(&interpretation, &open).next().is_some();
        is_told.then(|| Self {
            kind,
            text: text.to_owned(),
            read,
            interpretation,
            open,
        })
    }

    /// Which records.
    #[must_use]
    pub const fn kind(&self) -> RecordKind {
        self.kind
    }

    /// What was read, as a tree.
    #[must_use]
    pub fn read(&self) -> Option<&Tree> {
        self.read.as_ref().map(|read| &read.tree)
    }

    /// Reads an answer and accepts it or not.
    ///
    /// # Errors
    /// Why the local result stands.
    pub fn accept_json(
        &self,
        json: &[u8],
        lexicon: &impl Lexicon,
    ) -> Result<Translation, NotAccepted> {
        let Answer { tree } = serde_json::from_slice(json).map_err(|_| NotAccepted::Malformed)?;
        self.accept(tree, lexicon)
    }

    /// Accepts a model's tree, whole, or not at all.
    ///
    /// # Errors
    /// Why the local result stands.
    pub fn accept(&self, tree: Tree, lexicon: &impl Lexicon) -> Result<Translation, NotAccepted> {
        if !tree.is_bounded() {
            return Err(NotAccepted::OutOfBounds);
        }
        let columns = self.read_columns();
        let is_read = |condition: &Condition| columns.contains(&condition.column.as_str());
        let mut repeated = Vec::new();
        let mut added = Vec::new();
        for part in tree.into_parts() {
            let conditions = part.conditions();
            let read = conditions.iter().filter(|(one, _)| is_read(one)).count();
            match read {
                0 => added.push(part),
                read if read == conditions.len() => repeated.push(part),
                _ => return Err(NotAccepted::ChangesWhatWasRead),
            }
        }
        self.check_repeated(&repeated)?;
        if added.is_empty() {
            return Err(NotAccepted::AddsNothing);
        }
        let mut applied = self.interpretation.applied.clone();
        let mut conds: Vec<Cond> = self.read.iter().map(|read| read.cond.clone()).collect();
        for part in &added {
            conds.push(typed::cond(self.kind, part)?);
            for (condition, negated) in part.conditions() {
                applied.push(self.applied(condition, negated, lexicon)?);
            }
        }
        applied.sort_by_key(|one| one.span);
        Ok(Translation {
            query: self.query(&Cond::all(conds))?,
            interpretation: Interpretation {
                applied,
                ..self.interpretation.clone()
            },
        })
    }

    fn read_columns(&self) -> Vec<&str> {
        let tree = self.read().map(Tree::conditions).unwrap_or_default();
        let columns = tree.iter().map(|(condition, _)| condition.column.as_str());
        columns.collect()
    }

    /// The parts about columns that were read say what was read, neither more nor less.
    fn check_repeated(&self, parts: &[Tree]) -> Result<(), NotAccepted> {
        let Some(read) = &self.read else {
            return Ok(());
        };
        let conds: Result<Vec<Cond>, NotAccepted> = parts
            .iter()
            .map(|part| typed::cond(self.kind, part))
            .collect();
        let conds = conds?;
        if conds.is_empty() {
            return Err(NotAccepted::ChangesWhatWasRead);
        }
        if self.query(&Cond::all(conds))? == read.query {
            Ok(())
        } else {
            Err(NotAccepted::ChangesWhatWasRead)
        }
    }

    /// The account of a condition that was added.
    fn applied(
        &self,
        condition: &Condition,
        negated: bool,
        lexicon: &impl Lexicon,
    ) -> Result<Applied, NotAccepted> {
        let cond = typed::cond(self.kind, &Tree::Condition(condition.clone()))?;
        if !link::is_linked(self.kind, condition, lexicon) {
            return Err(NotAccepted::UnknownValue);
        }
        let is_unknown = condition.operator == Operator::IsUnknown;
        let asked = open::Asked {
            phrase: &condition.phrase,
            negated: negated != is_unknown,
            class: fields::list_class(&condition.column),
        };
        let span = open::place(&self.text, &asked, &self.interpretation, &self.open)?;
        Ok(Applied {
            phrase: condition.phrase.clone(),
            span,
            clause: if negated { cond.not() } else { cond }.sql(),
        })
    }

    fn query(&self, cond: &Cond) -> Result<Query, NotAccepted> {
        let sql = format!("SELECT * FROM {} WHERE {}", self.kind.name(), cond.sql());
        let parsed = Query::parse(self.kind, &sql).map_err(|_| NotAccepted::NotAQuery)?;
        Ok(parsed.query)
    }
}

/// The words that asked for a part of what was read.
fn phrase_of(words: &Words, text: &str, part: &Cond) -> String {
    let account = Account {
        text,
        view: words.view(),
    };
    let asks = |item: &&Item| matches!(&item.what, Is::Condition(_, cond) if has_part(cond, part));
    let item = words.items.iter().find(asks);
    let phrase = item.and_then(|item| account.phrase(item.from, item.to));
    phrase.map_or_else(String::new, |(phrase, _)| phrase)
}

/// Whether a condition, or a part of it, is the other; lists of values are put together where alternatives are.
fn has_part(cond: &Cond, part: &Cond) -> bool {
    match (cond, part) {
        (Cond::All(parts) | Cond::Any(parts), _) => parts.iter().any(|one| has_part(one, part)),
        (Cond::Not(one), _) => has_part(one, part),
        (Cond::In(column, values), Cond::In(other, asked)) => {
            column == other && values.iter().any(|value| asked.contains(value))
        }
        (one, part) => one == part,
    }
}
