//! Patterns over a dictionary that is large enough for signatures of its blocks, beside a plain look at each text.

use std::collections::HashSet;
use std::sync::Arc;

use column_files::view::{BLOCK_ENTRIES, Dictionary};
use column_files::{Columns, Page, Search, Start};
use dialect::{Catalog, Query};
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
    format!(
        "{} {family} {:05}",
        GIVEN[(row * 7 + row / 1_000) % 8],
        row * 7_919 % ROWS
    )
}

/// Whether a text has the literals of a pattern, in their order: `lead%…%…%end`.
fn matches(pattern: &str, text: &str) -> bool {
    if let Some((before, behind)) = pattern.split_once('_') {
        // Any one character: whichever makes the rest match. Ours have these.
        let any = "0123456789abcdefghijklmnopqrstuvwxyz@.";
        return any
            .chars()
            .any(|one| matches(&format!("{before}{one}{behind}"), text));
    }
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
    let names: Vec<String> = (0..ROWS).map(name).collect();
    let patterns = [
        "%garcía%",
        "%ópez%",
        "%o'neil%",
        "%sson%",
        "%müller%",
        "%é%",
        "%00007",
        "%7",
        "%r 1234%",
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
    let columns = compare("full_name", &names, &patterns);
    let Dictionary::Text(texts) = dictionary(&columns, "full_name") else {
        panic!("names are texts")
    };
    assert!(texts.hosts.is_none() && !texts.trigrams.is_empty());
}

fn dictionary<'c>(columns: &'c Columns, column: &str) -> Dictionary<'c> {
    let id = Catalog::of(RecordKind::Person).find(column).unwrap();
    columns.column(id).dictionary
}

/// An address of one of some 500 hosts; few have two `@` or none.
pub(crate) fn address(row: usize) -> String {
    match row % 500 {
        3 => format!("{row:05}"),
        4 => format!("{row:05}@x@host{}.example", row % 7),
        5 => format!("{row:05}@"),
        6 => format!("@{row:05}.example"),
        _ => format!(
            "{row:05}.a@host{}.{}",
            row * 31 % 151,
            ["example", "test"][row % 2]
        ),
    }
}

#[test]
fn patterns_of_hosts_find_what_a_look_at_each_text_finds() {
    let addresses: Vec<String> = (0..ROWS).map(address).collect();
    let patterns = [
        "%@host7.example",
        "%@host149.test",
        "%@host1%",
        "%@%.test",
        "%@x@%",
        "%@x@host3%",
        "%@%@host3.example",
        "%@",
        "%@%",
        "%@00006.example",
        "%@nobody.example",
        "%@%7%.example",
        "%.a@host7.example",
        "000%@host7%",
        "%host7.example",
        "%@host_.test",
        "%@_ost7.example",
    ];
    let columns = compare("work_email", &addresses, &patterns);
    let hosts: HashSet<&str> = addresses
        .iter()
        .filter_map(|one| one.get(one.find('@')?..))
        .collect();
    let Dictionary::Text(texts) = dictionary(&columns, "work_email") else {
        panic!("addresses are texts")
    };
    // The last block may be shorter.
    let found = texts.hosts.unwrap();
    assert_eq!(found.codes.len(), ROWS);
    let found: Vec<Vec<u8>> = (1..=found.dictionary().len)
        .filter_map(|code| found.dictionary().text(code))
        .collect();
    assert!(
        found.is_sorted() && found.len() == hosts.len(),
        "{} {}",
        found.len(),
        hosts.len()
    );
    assert!(found.len() > BLOCK_ENTRIES as usize);
}

/// Searches a build of these values, one a row, for each pattern.
fn compare(column: &str, values: &[String], patterns: &[&str]) -> Arc<Columns> {
    let folder = Folder::new();
    let documents: Vec<Vec<u8>> = values
        .iter()
        .map(|value| serde_json::to_vec(&json!({ column: value })).unwrap())
        .collect();
    let manifest = folder
        .write(RecordKind::Person, &documents, 16 << 20)
        .unwrap();
    let columns = Arc::new(folder.open(&manifest));
    for pattern in patterns {
        for negated in ["", "NOT "] {
            let quoted = pattern.replace('\'', "''");
            let text = format!("SELECT * FROM person WHERE {column} {negated}LIKE '{quoted}'");
            let query = Query::parse(RecordKind::Person, &text).unwrap().query;
            let page = Page {
                limit: 100,
                start: Start::Offset(0),
            };
            let found = Search::new(Arc::clone(&columns), &query, page, None)
                .run()
                .unwrap();
            let expected: Vec<u32> = (1..)
                .zip(values)
                .filter(|(_, value)| matches(pattern, value) == negated.is_empty())
                .map(|(rank, _)| rank)
                .collect();
            assert_eq!(found.total, expected.len() as u64, "{text}");
            assert_eq!(found.ranks, expected[..expected.len().min(100)], "{text}");
            // Else nothing is compared.
            let is_nobody = ["nobody", "xyz"].iter().any(|name| pattern.contains(name));
            assert!(
                is_nobody || !negated.is_empty() || found.total > 0,
                "{text}"
            );
        }
    }
    columns
}
