//! What the vocabulary makes of a data file: `gzip -dc persons.ndjson.gz | cargo run -p normalize --example vocabulary`.
//!
//! Reads bare persons or companies from standard input and prints, per closed list, the share of rows that hold one of
//! its values, what is left over, and the mapped pairs to be read over.

#![allow(clippy::print_stdout, reason = "a report for people")]

use std::collections::BTreeMap;
use std::io::BufRead;

use normalize::vocabulary::{self, Mapped};
use serde_json::Value;

/// How many pairs of a list are printed, the commonest first.
const SHOWN: usize = 200;

#[derive(Default)]
struct List {
    rows: u64,
    known: u64,
    pairs: BTreeMap<(String, Mapped), u64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut lists: BTreeMap<&str, List> = BTreeMap::new();
    for line in std::io::stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let text = |field: &str| row.get(field).and_then(Value::as_str);
        let mut count = |list: &'static str, given: Option<&str>, mapped: Option<Mapped>| {
            if let Some(mapped) = mapped {
                let list = lists.entry(list).or_default();
                list.rows += 1;
                list.known += u64::from(mapped.known);
                *list
                    .pairs
                    .entry((given.unwrap_or("").to_owned(), mapped))
                    .or_default() += 1;
            }
        };
        for field in ["industry", "company_industry"] {
            count(
                "industry",
                text(field),
                text(field).map(vocabulary::industry),
            );
        }
        for field in ["size", "company_size"] {
            count(
                "size",
                text(field),
                text(field).map(vocabulary::company_size),
            );
        }
        count(
            "type",
            text("type"),
            text("type").map(vocabulary::company_type),
        );
        count(
            "seniority_level",
            text("seniority_level"),
            text("seniority_level").map(vocabulary::seniority_level),
        );
        count(
            "level by title",
            text("job_title"),
            text("job_title").map(vocabulary::seniority_level),
        );
        count(
            "function by title",
            text("job_title"),
            text("job_title").map(vocabulary::job_function),
        );
        let function = vocabulary::job_function_of(text("job_function"), text("job_title"));
        count("job_function", text("job_function"), function);
    }
    for (name, list) in &lists {
        println!("{name}: {} of {} rows known", list.known, list.rows);
        let mut pairs: Vec<_> = list
            .pairs
            .iter()
            .filter(|((given, mapped), _)| *given != mapped.value || !mapped.known)
            .collect();
        pairs.sort_by_key(|((_, mapped), rows)| (mapped.known, std::cmp::Reverse(**rows)));
        for ((given, mapped), rows) in pairs.iter().take(SHOWN) {
            println!(
                "  {rows:>6} {given:?} -> {:?}{}",
                mapped.value,
                if mapped.known { "" } else { " (left over)" }
            );
        }
    }
    Ok(())
}
