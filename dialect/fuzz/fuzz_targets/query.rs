//! Any text is a query whose text means the same, or a refusal with a place in it.
#![no_main]

use dialect::{Query, Reason};
use events_schema::record::RecordKind;

libfuzzer_sys::fuzz_target!(|input: &str| {
    for kind in RecordKind::ALL {
        match Query::parse(kind, input) {
            Ok(parsed) => {
                let query = parsed.query;
                let text = query.text();
                match Query::parse(kind, &text) {
                    Ok(again) => assert_eq!(again.query, query, "{text}"),
                    // What is written out may be longer or deeper than what was written.
                    Err(refusal) => assert_eq!(refusal.reason, Reason::TooComplex, "{text}"),
                }
                if let Some(filter) = query.filter {
                    assert_eq!(filter.clone().normal(kind), filter, "{text}");
                }
            }
            Err(refusal) => {
                let at = usize::try_from(refusal.line).unwrap_or(usize::MAX);
                let line = input.split('\n').nth(at.wrapping_sub(1));
                let chars = line.map(|line| line.chars().count() as u64);
                assert!(
                    chars.is_some_and(|chars| (1..=chars + 1).contains(&refusal.column)),
                    "{refusal:?}"
                );
                assert!(!refusal.message.is_empty());
            }
        }
    }
});
