//! The words of a build are the dictionaries of its search files: mapped, switched with them, never copied.

use column_files::Columns;
use column_files::view::{Dictionary, TextDictionary};
use dialect::ColumnId;
use discover::Lexicon;

/// The values of a build's columns; of none without files.
#[derive(Debug, Clone, Copy)]
pub struct BuildLexicon<'a>(Option<&'a Columns>);

impl<'a> BuildLexicon<'a> {
    /// The values in these files.
    #[must_use]
    pub const fn of(columns: Option<&'a Columns>) -> Self {
        Self(columns)
    }

    fn texts(&self, column: ColumnId) -> Option<TextDictionary<'a>> {
        match self.0?.column(column).dictionary {
            Dictionary::Text(texts) => Some(texts),
            _ => None,
        }
    }
}

impl Lexicon for BuildLexicon<'_> {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        self.texts(column)
            .is_some_and(|texts| texts.find(value.as_bytes()).is_ok())
    }

    fn begins(&self, column: ColumnId, start: &str) -> bool {
        self.texts(column)
            .is_some_and(|texts| texts.begins(start.as_bytes()))
    }
}
