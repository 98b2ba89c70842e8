//! The words of the active data build.

use dialect::ColumnId;

/// Values that the records of a build have. All texts are in the stored form: lower case, cleaned.
pub trait Lexicon {
    /// Whether some record has this value in this column.
    fn has(&self, column: ColumnId, value: &str) -> bool;

    /// Whether some record may have a value that begins so in this column. Never no where there is one: longer phrases are
    /// not looked up then.
    fn begins(&self, _column: ColumnId, _start: &str) -> bool {
        true
    }
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

    fn begins(&self, column: ColumnId, start: &str) -> bool {
        (**self).begins(column, start)
    }
}
