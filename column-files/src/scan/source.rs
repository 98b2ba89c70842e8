//! Where columns come from: the files of a build, or vectors in a test.

use dialect::{Catalog, ColumnId, ListId};
use events_schema::record::RecordKind;

use crate::read::Columns;
use crate::view::{ColumnView, ListView};

/// Columns and lists of a build.
pub(super) trait Source {
    /// Person or company.
    fn kind(&self) -> RecordKind;
    /// How many records.
    fn rows(&self) -> u32;
    /// A column.
    fn column(&self, column: ColumnId) -> ColumnView<'_>;
    /// A list.
    fn list(&self, list: ListId) -> ListView<'_>;

    /// Its columns' places and types.
    fn catalog(&self) -> &'static Catalog {
        Catalog::of(self.kind())
    }
}

impl Source for Columns {
    fn kind(&self) -> RecordKind {
        self.kind()
    }

    fn rows(&self) -> u32 {
        self.rows()
    }

    fn column(&self, column: ColumnId) -> ColumnView<'_> {
        self.column(column)
    }

    fn list(&self, list: ListId) -> ListView<'_> {
        self.list(list)
    }
}
