//! How many records have a value.

use dialect::ColumnId;

use super::Columns;
use crate::view::{ColumnView, Dictionary};

impl Columns {
    /// How many records have this text in a column, of a list in some element; 0 in a column without texts. In a column of which nearly
    /// every value is a different one, a text that only columns of the same dictionary have counts as one.
    #[must_use]
    pub fn records_with(&self, column: ColumnId, folded: &str) -> u32 {
        let view = self.column(column);
        let Dictionary::Text(texts) = view.dictionary else {
            return 0;
        };
        let code = texts.find(folded.as_bytes());
        code.map_or(0, |code| of_code(&view, code))
    }
}

fn of_code(view: &ColumnView<'_>, code: u32) -> u32 {
    if let Some(count) = view.count(code) {
        return count;
    }
    let found = view.repeated.binary_search_by_key(&code, |[code, _]| *code);
    found
        .ok()
        .and_then(|at| view.repeated.get(at))
        .map_or(1, |[_, count]| *count)
}
