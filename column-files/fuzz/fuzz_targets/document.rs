//! Any bytes as a document: taken or refused by its row; what was taken is read again.
#![no_main]

use std::sync::Arc;

use column_files::{Columns, WriteFault};
use column_files_fuzz::everything::read_everything;
use column_files_fuzz::{folder, writer};
use events_schema::record::RecordKind;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let kind = if input.len().is_multiple_of(2) {
        RecordKind::Person
    } else {
        RecordKind::Company
    };
    let folder = folder("document");
    let mut writer = writer(&folder, kind);
    match writer.push(input) {
        Err(WriteFault::Document { row: 0 }) => {}
        Err(other) => panic!("{other}"),
        Ok(()) => {
            let manifest = writer.finish().expect("what was taken is written");
            let columns = Columns::open(&folder, &manifest).expect("what was written is opened");
            read_everything(&Arc::new(columns));
        }
    }
});
