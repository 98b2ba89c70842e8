//! Translates sentences with the search files of builds as words, and prints how long one takes and how much memory stays.
//!
//! `translate_builds PERSONS COMPANIES < cases.jsonl`: each folder holds the files and `manifest.json` of a build, as
//! `column-files/examples/write.rs` leaves them; the cases are those of `discover/tests/cases/`. One thread; each sentence
//! as it is, and followed by others up to the thousand characters that a description may have.
#![allow(clippy::print_stdout, reason = "a report to a person")]

use std::io::BufRead;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use chrono::NaiveDate;
use column_files::{Columns, Manifest};
use dialect::Catalog;
use events_schema::api::limits::MAX_DISCOVER_CHARS;
use events_schema::record::RecordKind;
use query_service::discover::lexicon::BuildLexicon;
use serde_json::Value;

/// The columns that hold words of a build.
const WORDS: [(RecordKind, &[&str]); 2] = [
    (
        RecordKind::Person,
        &["company_name", "city", "state", "first_name", "last_name"],
    ),
    (
        RecordKind::Company,
        &["name.cleaned", "locations.city", "locations.state"],
    ),
];
const RUNS: usize = 5;

fn main() -> anyhow::Result<()> {
    let mut folders = std::env::args().skip(1);
    let mut next = |what: &'static str| folders.next().context(what);
    let builds = [
        open(&next("a folder of persons")?)?,
        open(&next("a folder of companies")?)?,
    ];
    for ((kind, columns), build) in WORDS.iter().zip(&builds) {
        let find = |path: &&str| Catalog::of(*kind).find(path);
        let values = columns.iter().filter_map(find);
        let words: u64 = values
            .map(|column| u64::from(build.column(column).dictionary.len()))
            .sum();
        println!("{} {kind} records, {words} words", build.rows());
    }
    let sentences = sentences()?;
    normalize::warm_up();
    discover::warm_up();
    println!(
        "{:>10} {:>10} {:>8} {:>8} {:>8}",
        "sentences", "characters", "median", "p99", "max"
    );
    report("as they are", &builds, &sentences);
    let long: Vec<_> = (0..sentences.len())
        .map(|at| longest(&sentences, at))
        .collect();
    report("long ones", &builds, &long);
    for line in std::fs::read_to_string("/proc/self/status")?.lines() {
        if line.starts_with("Rss") {
            println!("{line}");
        }
    }
    Ok(())
}

fn open(folder: &str) -> anyhow::Result<Columns> {
    let folder = Path::new(folder);
    let manifest = std::fs::read(folder.join("manifest.json"))?;
    let manifest: Manifest = serde_json::from_slice(&manifest)?;
    Ok(Columns::open(folder, &manifest)?)
}

fn sentences() -> anyhow::Result<Vec<(RecordKind, String)>> {
    let mut sentences = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line?)?;
        let of = |name: &str| case.get(name).and_then(Value::as_str).map(str::to_owned);
        let kind = of("entity").context("a case without an entity")?;
        let query = of("query").context("a case without a query")?;
        sentences.push((kind.parse()?, query));
    }
    Ok(sentences)
}

/// A sentence and those behind it, as far as there is room.
fn longest(sentences: &[(RecordKind, String)], at: usize) -> (RecordKind, String) {
    let (kind, mut text) = sentences
        .get(at)
        .cloned()
        .unwrap_or((RecordKind::Person, String::new()));
    let others = sentences.iter().cycle().skip(at + 1).take(sentences.len());
    for (_, other) in others.filter(|(other, _)| *other == kind) {
        if text.chars().count() + other.chars().count() + 2 > MAX_DISCOVER_CHARS {
            break;
        }
        text.push_str(". ");
        text.push_str(other);
    }
    (kind, text)
}

fn report(what: &str, builds: &[Columns; 2], sentences: &[(RecordKind, String)]) {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap_or_default();
    let (mut times, mut characters) = (Vec::new(), 0);
    for (kind, text) in sentences {
        let [persons, companies] = builds;
        let columns = match kind {
            RecordKind::Person => persons,
            RecordKind::Company => companies,
        };
        characters += text.chars().count();
        for _ in 0..RUNS {
            let begin = Instant::now();
            let found = discover::translate(*kind, text, &BuildLexicon::of(Some(columns)), today);
            times.push((begin.elapsed(), text));
            std::hint::black_box(found.is_ok());
        }
    }
    times.sort_unstable();
    let at = |part: usize| {
        let place = (times.len() * part / 100).min(times.len().saturating_sub(1));
        let time = times.get(place).map(|(time, _)| time);
        format!(
            "{:.2}",
            time.copied().unwrap_or(Duration::ZERO).as_secs_f64() * 1e3
        )
    };
    println!(
        "{:>10} {:>10} {:>8} {:>8} {:>8}  ms, {what}",
        sentences.len(),
        characters / sentences.len().max(1),
        at(50),
        at(99),
        at(100)
    );
    if let Some((_, slowest)) = times.last() {
        println!("    the slowest: {slowest:.80}");
    }
}
