//! Completions, beside a slow reading of what they promise.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use column_files::{Columns, Completing, Completion, Page, Search, Start};
use dialect::{Catalog, Query};
use events_schema::record::RecordKind;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::folder::Folder;

/// A build of these documents, in the order of their ranks.
fn build(kind: RecordKind, documents: impl Iterator<Item = Value>) -> Arc<Columns> {
    let documents: Vec<Vec<u8>> = documents
        .map(|document| serde_json::to_vec(&document).unwrap())
        .collect();
    let folder = Folder::new();
    let manifest = folder.write(kind, &documents, 1 << 20).unwrap();
    Arc::new(folder.open(&manifest))
}

/// Persons with a city and some skills each; rank is their order.
fn persons(records: &[(Option<String>, Vec<String>)]) -> Arc<Columns> {
    let documents = records.iter().map(|(city, skills)| {
        let skills: Vec<_> = skills
            .iter()
            .map(|skill| json!({"cleaned": skill}))
            .collect();
        match city {
            Some(city) => json!({"city": city, "skills": skills}),
            None => json!({"skills": skills}),
        }
    });
    build(RecordKind::Person, documents)
}

fn complete(columns: &Arc<Columns>, path: &str, text: &str, limit: usize) -> Vec<Completion> {
    let column = Catalog::of(columns.kind()).find(path).unwrap();
    Completing::new(Arc::clone(columns), column, text, limit).run()
}

fn values(found: &[Completion]) -> Vec<&str> {
    found.iter().map(|found| found.value.as_str()).collect()
}

fn found_by_search(columns: &Arc<Columns>, path: &str, value: &str) -> u64 {
    let text = format!(
        "SELECT * FROM person WHERE {path} = '{}'",
        value.replace('\'', "''")
    );
    let query = Query::parse(RecordKind::Person, &text).unwrap().query;
    let page = Page {
        limit: 1,
        start: Start::Offset(0),
    };
    let search = Search::new(Arc::clone(columns), &query, page, None);
    search.run().unwrap().total
}

/// Edits between what was typed and the nearest beginning of a value, by the whole table.
fn slips(typed: &str, value: &str) -> usize {
    let (typed, value): (Vec<char>, Vec<char>) = (typed.chars().collect(), value.chars().collect());
    let mut rows = vec![(0..=typed.len()).collect::<Vec<usize>>()];
    for (at, c) in value.iter().enumerate() {
        let mut row = vec![at + 1];
        for (j, t) in typed.iter().enumerate() {
            let mut least = (rows[at][j] + usize::from(t != c))
                .min(rows[at][j + 1] + 1)
                .min(row[j] + 1);
            if at > 0 && j > 0 && typed[j - 1] == *c && *t == value[at - 1] {
                least = least.min(rows[at - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows.iter().map(|row| row[typed.len()]).min().unwrap()
}

/// What a hand makes of a text: one character lost, doubled, changed, or swapped with the next.
fn slipped(text: &str, kind: usize, at: usize) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    // Neither the first nor the last: there other rules hold.
    let at = 1 + at % (chars.len() - 2);
    match kind % 4 {
        0 => drop(chars.remove(at)),
        1 => chars.insert(at, chars[at]),
        2 => chars[at] = 'q',
        _ => chars.swap(at - 1, at),
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn completions_are_the_most_frequent_values_that_begin_with_the_text(
        names in prop::collection::btree_set("[a-c]{1,3}( [a-d]{1,7})?|zürich|são paulo", 1..40),
        picks in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(any::<prop::sample::Index>(), 0..4)), 1..400),
        chosen: prop::sample::Index,
        length in 0usize..6,
        limit in 1usize..12,
    ) {
        let names: Vec<String> = names.into_iter().collect();
        let pick = |index: &prop::sample::Index| names[index.index(names.len())].clone();
        let records: Vec<_> = picks.iter().map(|(city, skills)| (Some(pick(city)), skills.iter().map(pick).collect())).collect();
        let columns = persons(&records);
        let typed: String = pick(&chosen).chars().take(length).collect();
        for path in ["city", "skills.cleaned"] {
            let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
            for (city, skills) in &records {
                let mut all: Vec<&str> = if path == "city" {
                    city.iter().map(String::as_str).collect()
                } else {
                    skills.iter().map(String::as_str).collect()
                };
                all.sort_unstable();
                all.dedup();
                for value in all {
                    *counts.entry(value).or_default() += 1;
                }
            }
            let mut expected: Vec<(&str, u64)> = counts.iter().filter(|(value, _)| value.starts_with(&typed)).map(|(value, count)| (*value, *count)).collect();
            expected.sort_by_key(|(value, count)| (Reverse(*count), *value));
            expected.truncate(limit);
            let found = complete(&columns, path, &typed, limit);
            let ours: Vec<(&str, u64)> = found.iter().map(|found| (found.value.as_str(), found.count)).collect();
            prop_assert!(ours.starts_with(&expected), "{:?} of {:?}, not {:?}", typed, ours, expected);
            let most = match typed.chars().count() { 0..4 => 0, 4..8 => 1, _ => 2 };
            for completion in &found {
                prop_assert!(slips(&typed, &completion.value) <= most || !completion.value.is_ascii(), "{typed} -> {}", completion.value);
                prop_assert_eq!(counts.get(completion.value.as_str()), Some(&completion.count));
                let by_search = if path == "city" { found_by_search(&columns, path, &completion.value) } else { found_by_search(&columns, "skills", &completion.value) };
                prop_assert_eq!(by_search, completion.count);
            }
            prop_assert!(found.len() <= limit);
        }
    }

    #[test]
    fn a_value_is_found_in_spite_of_a_slip(
        names in prop::collection::btree_set("[a-z]{6,12}", 1..60),
        chosen: prop::sample::Index,
        kind: usize,
        at: usize,
    ) {
        let names: Vec<String> = names.into_iter().collect();
        let records: Vec<_> = names.iter().map(|name| (Some(name.clone()), Vec::new())).collect();
        let columns = persons(&records);
        let name = &names[chosen.index(names.len())];
        let typed = slipped(name, kind, at);
        let found = complete(&columns, "city", &typed, 100);
        prop_assert!(values(&found).contains(&name.as_str()), "{typed} -> {:?}, not {name}", values(&found));
    }
}

#[test]
fn what_was_typed_may_lack_accents_and_have_slips() {
    let cities = [
        ("münchen", 9),
        ("munich", 3),
        ("são paulo", 5),
        ("germantown", 2),
        ("germersheim", 1),
        ("łódź", 1),
        ("san francisco", 8),
        ("san diego", 4),
    ];
    let records: Vec<_> = cities
        .iter()
        .flat_map(|(city, count)| {
            std::iter::repeat_n((Some((*city).to_owned()), Vec::new()), *count)
        })
        .collect();
    let columns = persons(&records);
    for (typed, expected) in [
        (
            "",
            vec![
                "münchen",
                "san francisco",
                "são paulo",
                "san diego",
                "munich",
                "germantown",
                "germersheim",
                "łódź",
            ],
        ),
        ("lodz", vec!["łódź"]),
        ("mun", vec!["munich", "münchen"]),
        ("MÜN", vec!["münchen", "munich"]),
        ("sao p", vec!["são paulo"]),
        ("germnatown", vec!["germantown"]),
        ("egrmantown", vec!["germantown"]),
        ("san farncsico", vec!["san francisco"]),
        ("san d", vec!["san diego"]),
        ("munchn", vec!["münchen"]),
        ("xyz", vec![]),
        ("g\u{fffd}", vec![]),
    ] {
        let found = complete(&columns, "city", typed, 10);
        assert_eq!(values(&found), expected, "{typed}");
    }
    assert_eq!(
        complete(&columns, "city", "san", 1),
        [Completion {
            value: "san francisco".to_owned(),
            count: 8
        }]
    );
    assert!(
        complete(&columns, "state", "san", 10).is_empty(),
        "a column without values"
    );
    assert!(
        complete(&columns, "is_decision_maker", "t", 10).is_empty(),
        "no text"
    );
}

#[test]
fn the_most_frequent_come_first_where_nearly_every_value_is_another_one() {
    let rare = (0..6_000).map(|number| json!({"domain": format!("a{number:05}.com")}));
    let frequent = (0..3_000).map(|_| json!({"domain": "azure.com"}));
    let columns = build(RecordKind::Company, rare.chain(frequent));
    let domain = Catalog::of(RecordKind::Company).find("domain").unwrap();
    assert!(columns.column(domain).counts.is_none());
    for typed in ["", "a", "az"] {
        let found = complete(&columns, "domain", typed, 2);
        let first = found.first().map(|one| (one.value.as_str(), one.count));
        assert_eq!(first, Some(("azure.com", 3_000)), "{typed}");
    }
    let found = complete(&columns, "domain", "a", 3);
    assert_eq!(values(&found), ["azure.com", "a00000.com", "a00001.com"]);
}

#[test]
fn values_of_another_column_take_no_place() {
    let exxon = (0..30).map(|number| {
        let raw = format!("exon {number:02} ltd");
        json!({"name": {"raw": [raw.clone()], "display": raw, "cleaned": "exxon"}})
    });
    let others = (0..70_000).map(|number| {
        let display = format!("b{number:05} Ltd");
        json!({"name": {"raw": [display.clone()], "display": display, "cleaned": format!("b{number:05}")}})
    });
    let columns = build(RecordKind::Company, exxon.chain(others));
    let cleaned = Catalog::of(RecordKind::Company)
        .find("name.cleaned")
        .unwrap();
    assert!(columns.column(cleaned).counts.is_none());
    let found = complete(&columns, "name.cleaned", "exon", 3);
    let exxon = Completion {
        value: "exxon".to_owned(),
        count: 30,
    };
    assert_eq!(found, [exxon]);
    assert_eq!(
        values(&complete(&columns, "name.cleaned", "b0", 3)),
        ["b00000", "b00001", "b00002"]
    );
    // Behind the first 65,536 codes of the dictionary.
    let last = complete(&columns, "name.cleaned", "b6999", 10);
    assert!(last.iter().all(|one| one.value.starts_with("b6999")));
    assert_eq!(last.len(), 10);
    assert_eq!(complete(&columns, "name.cleaned", "", 100).len(), 100);
}

#[test]
fn letters_that_are_put_together_of_others_have_no_accents() {
    let cities = ["부산", "보성", "서울", "사천", "수원", "속초"];
    let records: Vec<_> = cities
        .iter()
        .map(|city| (Some((*city).to_owned()), Vec::new()))
        .collect();
    let columns = persons(&records);
    for typed in ["부산", "부", "서", "수원"] {
        let found = complete(&columns, "city", typed, 9);
        assert!(
            found.iter().all(|one| one.value.starts_with(typed)),
            "{typed}: {found:?}"
        );
        assert_eq!(found.len(), 1, "{typed}");
    }
}
