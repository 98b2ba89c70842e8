//! Any text is a query with a condition that search reads again, or a refusal; spans are places in the text.
#![no_main]

use chrono::NaiveDate;
use dialect::{ColumnId, Query};
use discover::{Lexicon, translate};
use events_schema::record::RecordKind;

/// A build in which every word of some lengths is a name.
struct Every;

impl Lexicon for Every {
    fn has(&self, _: ColumnId, value: &str) -> bool {
        value.len().is_multiple_of(3)
    }
}

libfuzzer_sys::fuzz_target!(|input: &str| {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap_or_default();
    let length = input.chars().count();
    for kind in RecordKind::ALL {
        let Ok(found) = translate(kind, input, &Every, today) else {
            continue;
        };
        assert!(found.query.filter.is_some(), "everybody");
        let text = found.query.text();
        let again = Query::parse(kind, &text).map(|parsed| parsed.query);
        assert_eq!(again.ok(), Some(found.query), "{text}");
        let said = found.interpretation;
        let applied = said.applied.iter().map(|one| one.span);
        for [from, to] in applied.chain(said.unsupported.iter().map(|one| one.span)) {
            assert!(from < to && to <= length, "{from} to {to} of {length}");
        }
    }
});
