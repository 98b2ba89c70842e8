//! How often values stand in a build: counted by its search files.

use std::collections::HashMap;
use std::sync::LazyLock;

use column_files::Columns;
use dialect::{Catalog, ColumnId};
use events_schema::record::RecordKind;

use crate::enrich::rarity::{Counted, Counts};

/// The columns of persons in which something is counted.
static COLUMNS: LazyLock<HashMap<Counted, Vec<ColumnId>>> = LazyLock::new(|| {
    let catalog = Catalog::of(RecordKind::Person);
    let columns = |what: Counted| what.paths().iter().filter_map(|path| catalog.find(path));
    Counted::ALL
        .into_iter()
        .map(|what| (what, columns(what).collect()))
        .collect()
});

/// What the search files of a build of persons count.
#[derive(Debug, Clone, Copy)]
pub struct FileCounts<'a>(pub &'a Columns);

impl Counts for FileCounts<'_> {
    fn rows(&self) -> u32 {
        self.0.rows()
    }

    fn count(&self, what: Counted, value: &str) -> Option<u32> {
        let columns = COLUMNS.get(&what)?;
        let folded = dialect::fold(value);
        let counts = columns
            .iter()
            .map(|column| self.0.records_with(*column, &folded));
        counts.max()
    }
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Counted};

    #[test]
    fn everything_that_is_counted_has_its_columns() {
        for what in Counted::ALL {
            let columns = COLUMNS.get(&what).map(Vec::len);
            assert_eq!(columns, Some(what.paths().len()), "{what:?}");
        }
    }
}
