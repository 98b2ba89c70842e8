//! The executor against a definition that looks at one record after the other.

mod files;
mod filters;
mod memory;
mod oracle;
mod properties;
mod records;

/// Columns of so many random records.
pub(super) fn memory_of(
    kind: events_schema::record::RecordKind,
    rows: usize,
) -> impl super::source::Source {
    let dice = &mut records::Dice(7);
    let records = records::records(kind, rows, dice);
    memory::Memory::of(kind, &records, dice)
}
