//! What marks say: "(", "/", ";" and a dash in front of what is left out.

use crate::amount::MONEY;
use crate::annotate::Piece;

use super::{Is, Reader};

impl Reader<'_> {
    /// A mark, or the name that begins with it; none where it begins a number, with a currency or a comparison: "$5", "> 50".
    pub(super) fn mark(&mut self, at: usize, mark: char) -> Option<usize> {
        if matches!(mark, '"' | '.')
            && let Some(to) = self.named(at)
        {
            return Some(to);
        }
        if MONEY.contains(&mark) || matches!(mark, '<' | '>') {
            return None;
        }
        let of_line = (mark == '\n').then(|| self.end_of_line(at)).flatten();
        let what = of_line.unwrap_or_else(|| self.sign(at, mark));
        Some(self.push(what, at, at + 1))
    }

    /// What a mark says where it begins neither a name nor a number: "sales/marketing", "people, -Texas".
    fn sign(&self, at: usize, mark: char) -> Is {
        let is_label = self.items.last().is_some_and(|last| last.what.turns());
        match mark {
            // "Exclude: banks"
            ':' if is_label => Is::Noise,
            '≠' => Is::Not,
            '-' if !self.says_how(at + 1) => Is::Not,
            ',' | '/' | '&' => Is::Comma,
            '+' => Is::And,
            ';' | '.' | ':' | '!' | '?' | '\n' | '—' | '-' => Is::Break,
            '(' => Is::Open,
            ')' => Is::Close,
            _ => Is::Noise,
        }
    }

    /// Whether a small word begins what a dash parts: "CFOs -in Texas".
    fn says_how(&self, at: usize) -> bool {
        self.text.piece(at).is_some_and(Piece::is_small)
    }
}
