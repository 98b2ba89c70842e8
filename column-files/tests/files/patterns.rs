//! Patterns over a dictionary that is large enough for signatures of its blocks, beside a plain look at each text.

use std::sync::Arc;

use column_files::{Page, Search, Start};
use dialect::Query;
use events_schema::record::RecordKind;
use serde_json::json;

use crate::folder::Folder;

/// Some 160 blocks of names.
const ROWS: usize = 20_000;

/// Names of two words, all different, of which a few have a rare part.
fn name(row: usize) -> String {
    const GIVEN: [&str; 8] = [
        "anna", "bjorn", "chloé", "dmitri", "élodie", "fatima", "george", "haruki",
    ];
    let family = match row % 1_000 {
        7 => "garcía lópez",
        8 => "o'neil",
        9 => "sandersson",
        _ => "müller",
    };
    format!("{} {family} {:05}", GIVEN[row * 7 % 8], row * 7_919 % ROWS)
}

/// Whether a text has the literals of a pattern, in their order: `lead%…%…%end`.
fn matches(pattern: &str, text: &str) -> bool {
    let parts: Vec<&str> = pattern.split('%').collect();
    let (lead, end) = (parts[0], parts[parts.len() - 1]);
    let Some(rest) = text
        .strip_prefix(lead)
        .and_then(|rest| rest.strip_suffix(end))
    else {
        return false;
    };
    let middle = &parts[1..parts.len() - 1];
    middle
        .iter()
        .try_fold(rest, |rest, part| Some(rest.split_once(part)?.1))
        .is_some()
}

#[test]
fn patterns_find_what_a_look_at_each_text_finds() {
    let folder = Folder::new();
    let names: Vec<String> = (0..ROWS).map(name).collect();
    let documents: Vec<Vec<u8>> = names
        .iter()
        .map(|name| serde_json::to_vec(&json!({ "full_name": name })).unwrap())
        .collect();
    let manifest = folder
        .write(RecordKind::Person, &documents, 16 << 20)
        .unwrap();
    let columns = Arc::new(folder.open(&manifest));
    let patterns = [
        "%garcía%",
        "%ópez%",
        "%o'neil%",
        "%sson%",
        "%müller%",
        "%é%",
        "%00007",
        "%7",
        "%a 1234%",
        "anna%garcía%",
        "george%",
        "george%l%0%",
        "%er 1%7",
        "%nobody%",
        "%",
        "%xyz",
        "élodie%9",
        "%ga%12%",
        "chloé müller 00%",
        "haruki o'neil%8%",
    ];
    for pattern in patterns {
        for negated in ["", "NOT "] {
            let quoted = pattern.replace('\'', "''");
            let text = format!("SELECT * FROM person WHERE full_name {negated}LIKE '{quoted}'");
            let query = Query::parse(RecordKind::Person, &text).unwrap().query;
            let page = Page {
                limit: 100,
                start: Start::Offset(0),
            };
            let found = Search::new(Arc::clone(&columns), &query, page, None)
                .run()
                .unwrap();
            let expected: Vec<u32> = (1..)
                .zip(&names)
                .filter(|(_, name)| matches(pattern, name) == negated.is_empty())
                .map(|(rank, _)| rank)
                .collect();
            assert_eq!(found.total, expected.len() as u64, "{text}");
            assert_eq!(found.ranks, expected[..expected.len().min(100)], "{text}");
        }
    }
}
