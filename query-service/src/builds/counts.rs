//! How often values stand in a build: counted by its search files.

use std::sync::LazyLock;

use column_files::Columns;
use dialect::{Catalog, ColumnId};
use events_schema::record::RecordKind;

use crate::enrich::rarity::{Counted, Counts};

/// The columns of persons in which something is counted; the greatest count of them is told.
static COLUMNS: LazyLock<Vec<(Counted, Vec<ColumnId>)>> = LazyLock::new(|| {
    let columns = |paths: &[&str]| {
        let catalog = Catalog::of(RecordKind::Person);
        paths.iter().filter_map(|path| catalog.find(path)).collect()
    };
    vec![
        (Counted::GivenName, columns(&["first_name"])),
        (Counted::FamilyName, columns(&["last_name"])),
        (
            Counted::Employer,
            columns(&["company_name", "experience.organization.name.cleaned"]),
        ),
        (
            Counted::School,
            columns(&["education.organization.name.cleaned"]),
        ),
        (
            Counted::Title,
            columns(&["job_title", "experience.title.cleaned"]),
        ),
        (Counted::City, columns(&["city", "locations.city"])),
        (
            Counted::State,
            columns(&["state_code", "locations.state_code"]),
        ),
        (
            Counted::Country,
            columns(&["country_code", "locations.country_code"]),
        ),
        (Counted::PostalCode, columns(&["locations.postal_code"])),
    ]
});

/// What the search files of a build of persons count.
#[derive(Debug, Clone, Copy)]
pub struct FileCounts<'a>(pub &'a Columns);

impl Counts for FileCounts<'_> {
    fn rows(&self) -> u32 {
        self.0.rows()
    }

    fn count(&self, what: Counted, value: &str) -> Option<u32> {
        let (_, columns) = COLUMNS.iter().find(|(of, _)| *of == what)?;
        let folded = dialect::fold(value);
        let counts = columns
            .iter()
            .map(|column| self.0.records_with(*column, &folded));
        counts.max()
    }
}
