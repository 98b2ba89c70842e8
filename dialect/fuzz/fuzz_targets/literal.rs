//! Literals of every text column: reading what was read changes nothing.
#![no_main]

use dialect::{Catalog, ValueType, stored_forms};
use events_schema::record::RecordKind;

libfuzzer_sys::fuzz_target!(|input: &str| {
    for kind in RecordKind::ALL {
        for column in Catalog::of(kind).columns() {
            if column.value != ValueType::Text {
                continue;
            }
            let forms = stored_forms(kind, column, input);
            assert!(!forms.is_empty(), "{}", column.path);
            for form in &forms {
                for again in stored_forms(kind, column, form) {
                    assert!(forms.contains(&again), "{}: {forms:?} {again:?}", column.path);
                }
            }
        }
    }
});
