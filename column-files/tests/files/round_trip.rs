//! What is read is what was written.

use std::collections::BTreeSet;

use column_files::Columns;
use column_files::view::{CHUNK_ROWS, Codes, Dictionary, ListView};
use dialect::{Catalog, ColumnId};
use events_schema::record::RecordKind;
use serde_json::Value;

use crate::documents::documents;
use crate::folder::Folder;
use crate::values::{expected, stored};

const MEMORY: usize = 64 << 20;

fn ids(kind: RecordKind) -> impl Iterator<Item = ColumnId> {
    (0..).take(Catalog::of(kind).columns().len()).map(ColumnId)
}

/// Every column of every row, dictionaries in order, counts and padding included.
fn assert_same(columns: &Columns, documents: &[Vec<u8>]) {
    let kind = columns.kind();
    let parsed: Vec<Value> = documents
        .iter()
        .map(|one| serde_json::from_slice(one).unwrap())
        .collect();
    for id in ids(kind) {
        let column = Catalog::of(kind).column(id);
        assert_eq!(
            stored(columns, id, documents.len()),
            expected(kind, column, &parsed),
            "{}",
            column.path
        );
        assert_is_sorted(columns, id);
        assert_is_counted(columns, id);
    }
}

fn assert_is_sorted(columns: &Columns, id: ColumnId) {
    match columns.column(id).dictionary {
        Dictionary::Text(texts) => {
            let all: Vec<_> = (1..=texts.len)
                .map(|code| texts.text(code).unwrap())
                .collect();
            assert!(all.is_sorted_by(|a, b| a < b));
            // Every seventh, since each is compared with all.
            for (code, text) in (1..).zip(&all).step_by(7) {
                assert_eq!(texts.find(text), Ok(code));
                let longer = [text, b"\0".as_slice()].concat();
                if !all.contains(&longer) {
                    assert_eq!(texts.find(&longer), Err(code + 1));
                }
                for length in [1, 3, text.len()] {
                    let start = text.get(..length).unwrap_or(text);
                    let with: Vec<u32> = (1..)
                        .zip(&all)
                        .filter(|(_, one)| one.starts_with(start))
                        .map(|(code, _)| code)
                        .collect();
                    let range = texts.prefix_range(start);
                    assert_eq!(
                        range.clone().collect::<Vec<_>>(),
                        with,
                        "{:?} {range:?}",
                        String::from_utf8_lossy(start)
                    );
                }
            }
            assert_eq!(texts.prefix_range(&[0xFE]), texts.len + 1..texts.len + 1);
            assert_eq!(texts.prefix_range(b""), 1..texts.len + 1);
            assert!(texts.get(0).is_none() && texts.get(texts.len + 1).is_none());
        }
        Dictionary::Id(ids) => assert!(ids.is_sorted_by(|a, b| a < b)),
        Dictionary::Integer(numbers) => assert!(numbers.is_sorted_by(|a, b| a < b)),
        Dictionary::Number(numbers) => assert!(numbers.is_sorted_by(|a, b| a < b)),
        Dictionary::Boolean => {}
    }
}

fn assert_is_counted(columns: &Columns, id: ColumnId) {
    let view = columns.column(id);
    let list = Catalog::of(columns.kind()).column(id).place.list();
    let list = list.map(|list| columns.list(list));
    let is_last = |place: usize| {
        let last = |list: ListView<'_>| list.last[place / 64] >> (place % 64) & 1 == 1;
        list.is_none_or(last)
    };
    let mut row = BTreeSet::new();
    let mut counts = vec![0; usize::try_from(view.dictionary.len()).unwrap() + 1];
    for place in 0..view.codes.len() {
        row.insert(view.codes.get(place));
        if is_last(place) {
            for code in std::mem::take(&mut row) {
                counts[usize::try_from(code).unwrap()] += 1;
            }
        }
    }
    let repeated: Vec<[u32; 2]> = (1..)
        .zip(&counts[1..])
        .map(|(code, count)| [code, *count])
        .filter(|[_, count]| *count > 1)
        .collect();
    match view.counts {
        Some(given) => assert_eq!(given, &counts[1..]),
        None => assert_eq!(view.repeated, repeated),
    }
    if let Some(list) = list {
        for (length, bounds) in list.lengths.iter().zip(list.starts.windows(2)) {
            for place in bounds[0] + u64::from(*length)..bounds[1] {
                let place = usize::try_from(place).unwrap();
                assert_eq!(view.codes.get(place), 0);
                assert_eq!(list.last[place / 64] >> (place % 64) & 1, 0);
            }
        }
    }
}

#[test]
fn records_of_both_kinds_are_read_as_they_were_written() {
    for kind in RecordKind::ALL {
        for (count, seed) in [(1, 1), (63, 2), (64, 3), (65, 4), (700, 5)] {
            let (folder, documents) = (Folder::new(), documents(kind, count, seed));
            let manifest = folder.write(kind, &documents, MEMORY).unwrap();
            assert_same(&folder.open(&manifest), &documents);
        }
    }
}

#[test]
fn a_memory_that_holds_nothing_gives_the_same_bytes() {
    for kind in RecordKind::ALL {
        let documents = documents(kind, 400, 9);
        let (large, small) = (Folder::new(), Folder::new());
        let manifest = large.write(kind, &documents, MEMORY).unwrap();
        assert_eq!(manifest, small.write(kind, &documents, 0).unwrap());
        assert_same(&small.open(&manifest), &documents);
    }
}

#[test]
fn no_records_are_no_values() {
    for kind in RecordKind::ALL {
        let folder = Folder::new();
        let manifest = folder.write(kind, &[], MEMORY).unwrap();
        let columns = folder.open(&manifest);
        assert_eq!(columns.rows(), 0);
        assert_same(&columns, &[]);
        assert!(ids(kind).all(|id| matches!(columns.column(id).codes, Codes::Absent)));
    }
}

#[test]
fn records_without_elements_have_empty_lists() {
    let folder = Folder::new();
    let documents = vec![
        br#"{"full_name":"A","emails":[],"skills":null}"#.to_vec(),
        b" { } ".to_vec(),
    ];
    let manifest = folder
        .write(RecordKind::Person, &documents, MEMORY)
        .unwrap();
    let columns = folder.open(&manifest);
    assert_same(&columns, &documents);
    for list in (0..)
        .take(Catalog::of(RecordKind::Person).lists().len())
        .map(dialect::ListId)
    {
        let view = columns.list(list);
        assert_eq!(
            (view.starts, view.lengths, view.last, view.filled),
            (&[0_u64, 0][..], &[0_u32][..], &[][..], &[0_u64][..])
        );
    }
}

#[test]
fn chunks_end_where_rows_say() {
    for rows in [CHUNK_ROWS - 1, CHUNK_ROWS, CHUNK_ROWS + 1] {
        let documents: Vec<_> = (0..rows)
            .map(|row| match row % 5 {
                0 => br#"{"sex":"female"}"#.to_vec(),
                1 => format!(
                    r#"{{"age":{},"skills":[{{"cleaned":"s{}"}},{{}}]}}"#,
                    row % 90,
                    row % 300
                )
                .into_bytes(),
                _ => format!(r#"{{"linkedin_id":"{row}","skills":[{{"cleaned":"rust"}}]}}"#)
                    .into_bytes(),
            })
            .collect();
        let folder = Folder::new();
        let manifest = folder
            .write(RecordKind::Person, &documents, MEMORY)
            .unwrap();
        let columns = folder.open(&manifest);
        let parsed: Vec<Value> = documents
            .iter()
            .map(|one| serde_json::from_slice(one).unwrap())
            .collect();
        for path in ["sex", "age", "linkedin_id", "skills.cleaned"] {
            let id = Catalog::of(RecordKind::Person).find(path).unwrap();
            let column = Catalog::of(RecordKind::Person).column(id);
            assert!(
                stored(&columns, id, documents.len())
                    == expected(RecordKind::Person, column, &parsed),
                "{rows} {path}"
            );
            assert_is_counted(&columns, id);
        }
    }
}

#[test]
fn ids_that_are_no_uuids_are_texts() {
    let folder = Folder::new();
    let documents: Vec<_> = [
        "0191D6A4-0000-7000-8000-000000000002",
        "Customer 7",
        "0191d6a4-0000-7000-8000-000000000001",
        "z",
    ]
    .into_iter()
    .map(|id| format!(r#"{{"service_id":"{id}"}}"#).into_bytes())
    .collect();
    let manifest = folder
        .write(RecordKind::Company, &documents, MEMORY)
        .unwrap();
    let columns = folder.open(&manifest);
    assert_same(&columns, &documents);
    let id = Catalog::of(RecordKind::Company).find("service_id").unwrap();
    assert!(matches!(columns.column(id).dictionary, Dictionary::Text(_)));
}

#[test]
fn texts_of_any_length_and_script_are_folded() {
    let folder = Folder::new();
    let long = "Ärger ".repeat(40_000);
    let texts = [
        long.as_str(),
        "ÅNGSTRÖM",
        "A\u{30a}ngstro\u{308}m",
        "",
        "a",
        "\u{0}",
        "ΟΔΥΣΣΕΎΣ",
    ];
    let documents: Vec<_> = texts
        .into_iter()
        .map(|text| {
            serde_json::to_vec(
                &serde_json::json!({"summary": {"cleaned": text}, "full_name": text}),
            )
            .unwrap()
        })
        .collect();
    let manifest = folder
        .write(RecordKind::Person, &documents, MEMORY)
        .unwrap();
    let columns = folder.open(&manifest);
    assert_same(&columns, &documents);
    let name = columns.column(Catalog::of(RecordKind::Person).find("full_name").unwrap());
    assert_eq!(
        name.codes.get(1),
        name.codes.get(2),
        "two forms of one name"
    );
}
