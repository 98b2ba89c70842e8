//! Limits that hold before anything is parsed, so that no text makes the parser's work or stack grow beyond them.
//!
//! One walk over characters, one over tokens, no recursion.

use sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use crate::lexer::keyword_at;
use crate::refusal::{Fault, advance};

/// The longest text, in characters.
pub const MAX_CHARS: usize = 65_536;
/// The deepest nesting of brackets and NOTs.
pub const MAX_NESTING: usize = 32;
/// The most conditions; an IN list is one.
pub const MAX_CONDITIONS: usize = 512;
/// The most items of an IN list.
pub const MAX_ITEMS: usize = 1_000;
/// Most columns of an `ORDER BY`.
pub const MAX_ORDER_KEYS: usize = 16;

/// Refuses a text that is too long.
pub(crate) fn length(text: &str) -> Result<(), Fault> {
    // A text has at least as many bytes as characters.
    if text.len() <= MAX_CHARS || text.chars().count() <= MAX_CHARS {
        return Ok(());
    }
    let at = advance(text.chars().take(MAX_CHARS));
    let message = format!("The query is longer than {MAX_CHARS} characters.");
    Err(Fault::too_complex(at, message))
}

/// Refuses what is too deep, has too many conditions or too long an IN list.
pub(crate) fn caps(tokens: &[TokenWithSpan]) -> Result<(), Fault> {
    let mut walk = Walk::default();
    for (at, token) in tokens.iter().enumerate() {
        walk.step(tokens, at, token)?;
    }
    Ok(())
}

#[derive(Default)]
struct Walk {
    /// For every open bracket: NOTs before it, and items if it is an IN list.
    open: Vec<Open>,
    /// NOTs and brackets that are open.
    depth: usize,
    /// NOTs right before this token.
    nots: usize,
    comparisons: usize,
    connectives: usize,
    /// BETWEENs whose AND is still to come.
    betweens: usize,
    was_in: bool,
}

struct Open {
    nots: usize,
    items: Option<usize>,
}

impl Walk {
    fn step(
        &mut self,
        tokens: &[TokenWithSpan],
        at: usize,
        token: &TokenWithSpan,
    ) -> Result<(), Fault> {
        let here = token.span.start;
        let keyword = keyword_at(tokens, at).map(str::to_ascii_uppercase);
        let keyword = keyword.as_deref();
        let was_in = std::mem::replace(&mut self.was_in, keyword == Some("IN"));
        if keyword == Some("NOT") {
            self.nots += 1;
            return self.deep(here);
        }
        match &token.token {
            Token::LParen => {
                self.open.push(Open {
                    nots: self.nots,
                    items: was_in.then_some(1),
                });
                self.depth += self.nots + 1;
                self.nots = 0;
                self.deep(here)?;
            }
            Token::RParen => {
                if let Some(closed) = self.open.pop() {
                    self.depth = self.depth.saturating_sub(closed.nots + 1);
                }
            }
            Token::Comma => {
                if let Some(items) = self.open.last_mut().and_then(|open| open.items.as_mut()) {
                    *items += 1;
                    if *items > MAX_ITEMS {
                        let message = format!("An IN list may have {MAX_ITEMS} items.");
                        return Err(Fault::too_complex(here, message));
                    }
                }
            }
            Token::Eq | Token::Neq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq => {
                self.comparisons += 1;
            }
            _ => self.word(keyword),
        }
        self.nots = 0;
        if self.comparisons.max(self.connectives + 1) > MAX_CONDITIONS {
            let message = format!("A query may have {MAX_CONDITIONS} conditions.");
            return Err(Fault::too_complex(here, message));
        }
        Ok(())
    }

    fn word(&mut self, keyword: Option<&str>) {
        match keyword {
            Some("BETWEEN") => {
                self.comparisons += 1;
                self.betweens += 1;
            }
            Some("IN" | "LIKE" | "ILIKE" | "IS") => self.comparisons += 1,
            Some("AND") if self.betweens > 0 => self.betweens -= 1,
            Some("AND" | "OR") => self.connectives += 1,
            _ => {}
        }
    }

    fn deep(&self, at: Location) -> Result<(), Fault> {
        if self.depth + self.nots > MAX_NESTING {
            let message = format!("A query may be nested {MAX_NESTING} deep.");
            return Err(Fault::too_complex(at, message));
        }
        Ok(())
    }
}
