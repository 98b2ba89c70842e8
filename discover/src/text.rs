//! Pieces with the tokens that they are made of, as the rules look at them.

use crate::annotate::Piece;
use crate::lex::{Token, number_word};
use crate::meaning::{Cue, Meaning};

/// Pieces with their tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) pieces: &'a [Piece],
    pub(crate) tokens: &'a [Token],
}

impl<'a> Text<'a> {
    pub(crate) fn piece(&self, at: usize) -> Option<&'a Piece> {
        self.pieces.get(at)
    }

    /// The first word of a piece.
    pub(crate) fn first_token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(self.piece(at)?.from)
    }

    /// Whether a piece begins with a capital.
    pub(crate) fn is_capital(&self, at: usize) -> bool {
        self.first_token(at).is_some_and(|token| token.is_capital)
    }

    /// Whether a word says whose something is: "people's homes".
    pub(crate) fn owns(&self, at: usize) -> bool {
        self.first_token(at)
            .is_some_and(|token| token.is_word() && token.end - token.start > token.text.len())
    }

    /// The words of a piece in the singular.
    pub(crate) fn stem(&self, at: usize) -> String {
        self.words(at, |token| token.stem.as_str())
    }

    /// The words of a piece.
    pub(crate) fn said(&self, at: usize) -> String {
        self.words(at, |token| token.text.as_str())
    }

    fn words(&self, at: usize, of: impl Fn(&Token) -> &str) -> String {
        let tokens = self
            .piece(at)
            .and_then(|piece| self.tokens.get(piece.from..piece.to));
        tokens
            .unwrap_or_default()
            .iter()
            .map(of)
            .collect::<Vec<_>>()
            .join(" ")
    }

    pub(crate) fn may_be(&self, at: usize, cue: Cue) -> bool {
        self.piece(at).is_some_and(|piece| piece.may_be(cue))
    }

    /// Whether a piece says what companies are meant: a noun for them, an industry or a size.
    pub(crate) fn says_companies(&self, at: usize) -> bool {
        let is_theirs =
            |meaning: &Meaning| matches!(meaning, Meaning::Industry(_) | Meaning::Size(_));
        self.piece(at).is_some_and(|piece| {
            piece.may_be(Cue::Companies) || piece.meanings().iter().any(is_theirs)
        })
    }

    pub(crate) fn is_mark(&self, at: usize, mark: char) -> bool {
        self.piece(at).is_some_and(|piece| piece.is_mark(mark))
    }

    /// The piece behind one of `words`, which are up to four pieces.
    pub(crate) fn said_as(&self, at: usize, words: &[&str]) -> Option<usize> {
        const MAX_PIECES: usize = 4;
        let mut said = self.said(at);
        for to in at + 1..=at + MAX_PIECES {
            if words.contains(&said.as_str()) {
                return Some(to);
            }
            said = format!("{said} {}", self.said(to));
        }
        None
    }

    /// A number in digits or as a word.
    pub(crate) fn number(&self, at: usize) -> Option<f64> {
        let piece = self.piece(at)?;
        piece.number().or_else(|| number_word(&self.said(at)))
    }

    /// Passes words that say nothing between a subject and its number.
    pub(crate) fn skip(&self, mut at: usize, words: &[&str]) -> usize {
        while words.contains(&self.said(at).as_str()) {
            at += 1;
        }
        at
    }
}
