//! Why a text is no query: what, where, and what would be accepted instead.

use std::fmt;

use sqlparser::tokenizer::Location;

/// Characters of the text that a refusal repeats.
const NEAR_CHARS: usize = 32;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Not SQL.
    ParseError,
    /// Something else than `SELECT *`.
    NotSelectStar,
    /// A table that is not the one of this kind of record.
    UnknownTable,
    /// A column that records of this kind do not have.
    UnknownColumn,
    /// SQL that this language leaves out, or a comparison that says nothing about a record.
    ForbiddenConstruct,
    /// `LIMIT`, `OFFSET` or `FETCH`.
    LimitInSql,
    /// More than the limits allow: length, nesting, conditions, items.
    TooComplex,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::ParseError,
        Self::NotSelectStar,
        Self::UnknownTable,
        Self::UnknownColumn,
        Self::ForbiddenConstruct,
        Self::LimitInSql,
        Self::TooComplex,
    ];

    /// The word for it in an error body.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::ParseError => "parse_error",
            Self::NotSelectStar => "not_select_star",
            Self::UnknownTable => "unknown_table",
            Self::UnknownColumn => "unknown_column",
            Self::ForbiddenConstruct => "forbidden_construct",
            Self::LimitInSql => "limit_in_sql",
            Self::TooComplex => "too_complex",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

/// A text that is no query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind.
    pub reason: Reason,
    /// A sentence for the one who wrote the query.
    pub message: String,
    /// Line, from 1.
    pub line: u64,
    /// Character in the line, from 1.
    pub column: u64,
    /// The text from there on, or what stands before its end; at most 32 characters.
    pub near: String,
    /// What would be accepted instead, best first.
    pub suggestions: Vec<String>,
    /// The columns there are, where a column is unknown and none comes near it.
    pub accepted: Vec<&'static str>,
}

/// A refusal on its way out: the text that it is about is added last.
#[derive(Debug)]
pub(crate) struct Fault {
    reason: Reason,
    at: Location,
    message: String,
    suggestions: Vec<String>,
    accepted: Vec<&'static str>,
}

impl Fault {
    pub(crate) fn new(reason: Reason, at: Location, message: impl Into<String>) -> Self {
        Self {
            reason,
            at,
            message: message.into(),
            suggestions: Vec::new(),
            accepted: Vec::new(),
        }
    }

    pub(crate) fn parse(at: Location, message: impl Into<String>) -> Self {
        Self::new(Reason::ParseError, at, message)
    }

    pub(crate) fn forbidden(at: Location, message: impl Into<String>) -> Self {
        Self::new(Reason::ForbiddenConstruct, at, message)
    }

    pub(crate) fn too_complex(at: Location, message: impl Into<String>) -> Self {
        Self::new(Reason::TooComplex, at, message)
    }

    /// With one more suggestion.
    pub(crate) fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestions.push(suggestion.into());
        self
    }

    /// With these suggestions.
    pub(crate) fn suggest_all(mut self, suggestions: Vec<String>) -> Self {
        self.suggestions.extend(suggestions);
        self
    }

    /// With the names that would be accepted.
    pub(crate) fn accept(mut self, accepted: Vec<&'static str>) -> Self {
        self.accepted = accepted;
        self
    }

    /// With this place, if none is known.
    pub(crate) fn or_at(mut self, at: Location) -> Self {
        if self.at.line == 0 {
            self.at = at;
        }
        self
    }

    pub(crate) fn about(self, text: &str) -> Refusal {
        let end = end_of(text);
        let at = if self.at.line == 0 || self.at > end {
            end
        } else {
            self.at
        };
        Refusal {
            reason: self.reason,
            message: self.message,
            line: at.line,
            column: at.column,
            near: near(text, at),
            suggestions: self.suggestions,
            accepted: self.accepted,
        }
    }
}

/// The place behind the last character.
pub(crate) fn end_of(text: &str) -> Location {
    advance(text.chars())
}

/// The place behind the characters, from the beginning of a text.
pub(crate) fn advance(chars: impl Iterator<Item = char>) -> Location {
    let mut at = Location::new(1, 1);
    for c in chars {
        if c == '\n' {
            at.line += 1;
            at.column = 1;
        } else {
            at.column += 1;
        }
    }
    at
}

/// The last characters of a text, from the beginning of a word if they hold one.
fn last_words(text: &str) -> String {
    let Some((from, _)) = text.char_indices().rev().nth(NEAR_CHARS - 1) else {
        return text.to_owned();
    };
    let (before, last) = text.split_at_checked(from).unwrap_or(("", text));
    let is_cut = !before.is_empty() && !before.ends_with(char::is_whitespace);
    match last.split_once(char::is_whitespace) {
        Some((_, whole)) if is_cut => whole.to_owned(),
        _ => last.to_owned(),
    }
}

fn near(text: &str, at: Location) -> String {
    let mut here = Location::new(1, 1);
    let mut start = text.len();
    for (byte, c) in text.char_indices() {
        if here >= at {
            start = byte;
            break;
        }
        if c == '\n' {
            here = Location::new(here.line + 1, 1);
        } else {
            here.column += 1;
        }
    }
    let (before, after) = text.split_at_checked(start).unwrap_or((text, ""));
    let excerpt: String = if after.trim().is_empty() {
        last_words(before.trim_end())
    } else {
        after.chars().take(NEAR_CHARS).collect()
    };
    let spaced = |c: char| if c.is_control() { ' ' } else { c };
    excerpt
        .chars()
        .map(spaced)
        .collect::<String>()
        .trim()
        .to_owned()
}
