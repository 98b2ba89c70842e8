//! The words of the active data build.

use dialect::ColumnId;

/// Values that the records of a build have. All texts are in the stored form: lower case, cleaned.
pub trait Lexicon {
    /// Whether some record has this value in this column.
    fn has(&self, column: ColumnId, value: &str) -> bool;
}

/// A build without values: names of companies and cities are then not known.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLexicon;

impl Lexicon for NoLexicon {
    fn has(&self, _: ColumnId, _: &str) -> bool {
        false
    }
}

impl<L: Lexicon + ?Sized> Lexicon for &L {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        (**self).has(column, value)
    }
}
