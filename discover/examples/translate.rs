//! Translates cases and prints the query of each, one a line: `translate FIXTURE < cases.jsonl`.
//!
//! A case is a line with `id`, `entity` and `query`. FIXTURE is a folder with person.jsonl and company.jsonl, one record a
//! line: the build whose names are known. With `explain` behind it the pieces and items of each sentence are printed, too.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a report to a person"
)]

use std::collections::{HashMap, HashSet};
use std::io::BufRead;
use std::path::PathBuf;
use std::time::Instant;

use chrono::NaiveDate;
use dialect::{Catalog, ColumnId};
use discover::{Lexicon, translate};
use events_schema::record::RecordKind;
use serde_json::{Value, json};

#[derive(Default)]
struct Values(HashMap<(u8, ColumnId), HashSet<String>>, u8);

impl Lexicon for Values {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        self.0
            .get(&(self.1, column))
            .is_some_and(|values| values.contains(value))
    }
}

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap());
    let explains = std::env::args().nth(2).as_deref() == Some("explain");
    let mut values = HashMap::new();
    for (number, kind, columns) in [
        (
            0u8,
            RecordKind::Person,
            vec![
                "company_name",
                "city",
                "state",
                "country",
                "first_name",
                "last_name",
                "job_title",
            ],
        ),
        (
            1,
            RecordKind::Company,
            vec![
                "name.cleaned",
                "locations.city",
                "locations.state",
                "locations.country",
            ],
        ),
    ] {
        let file = std::fs::read_to_string(folder.join(format!("{}.jsonl", kind.name()))).unwrap();
        for line in file.lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            for column in &columns {
                let found: Vec<&Value> = match column.split_once('.') {
                    Some(("locations", key)) => record["locations"]
                        .as_array()
                        .map(|all| all.iter().map(|place| &place[key]).collect())
                        .unwrap_or_default(),
                    Some((outer, key)) => vec![&record[outer][key]],
                    None => vec![&record[*column]],
                };
                let id = Catalog::of(kind).find(column).unwrap();
                let set: &mut HashSet<String> = values.entry((number, id)).or_default();
                set.extend(
                    found
                        .into_iter()
                        .filter_map(Value::as_str)
                        .map(str::to_owned),
                );
            }
        }
    }
    let mut lexicon = Values(values, 0);
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    for line in std::io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let kind: RecordKind = case["entity"].as_str().unwrap().parse().unwrap();
        lexicon.1 = u8::from(kind == RecordKind::Company);
        let text = case["query"].as_str().unwrap();
        let begin = Instant::now();
        let found = translate(kind, text, &lexicon, today);
        let ms = begin.elapsed().as_secs_f64() * 1e3;
        let phrases = |all: &[discover::Unsupported]| -> Vec<String> {
            all.iter().map(|one| one.phrase.clone()).collect()
        };
        if explains {
            eprintln!("{}", discover::explain(kind, text, &lexicon, today));
        }
        let answer = match found {
            Ok(found) => {
                let said = &found.interpretation.applied;
                let applied: Vec<[&String; 2]> =
                    said.iter().map(|one| [&one.phrase, &one.clause]).collect();
                json!({"id": case["id"], "status": 200, "generated_query": found.query.text(), "applied": applied, "unsupported": phrases(&found.interpretation.unsupported), "ms": ms})
            }
            Err(refused) => {
                json!({"id": case["id"], "status": 422, "unsupported": phrases(&refused.unsupported), "ms": ms})
            }
        };
        println!("{answer}");
    }
}
