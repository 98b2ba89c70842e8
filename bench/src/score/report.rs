//! The one place that prints.

#![allow(clippy::print_stdout)]

use std::time::Duration;

use events_schema::record::RecordKind;

use crate::door::Answer;
use crate::matching::{Tallies, Tally};
use crate::query::{Bar, Query};
use crate::vocabulary::{Pair, Share};

/// Fewer requests than this say nothing about a bar.
const MIN_QUERIES: u32 = 50;

/// Who refuses more requests for nobody than this does not match them, but does not read them either.
const MOST_REFUSED: f64 = 0.05;

/// What came of one list of requests.
pub(crate) struct Table {
    title: String,
    tallies: Tallies,
}

impl Table {
    pub(crate) const fn new(title: String, tallies: Tallies) -> Self {
        Self { title, tallies }
    }

    /// How many kinds miss their bar.
    pub(crate) fn missed(&self) -> usize {
        let kinds = self.tallies.by_kind.iter();
        kinds
            .filter(|((subject, kind), tally)| !reaches(subject, kind, tally))
            .count()
    }

    pub(crate) fn print(&self) {
        println!("\n{}", self.title);
        println!(
            "  {:<34} {:>7} {:>8} {:>9} {:>9} {:>9} {:>8} {:>8}",
            "kind", "queries", "answered", "ambiguous", "precision", "recall", "p50 ms", "p99 ms"
        );
        for ((subject, kind), tally) in &self.tallies.by_kind {
            let bar = if reaches(subject, kind, tally) {
                ""
            } else {
                "  misses its bar"
            };
            line(&format!("{subject} {kind}"), kind, tally, bar);
        }
        for ((subject, level), (answered, right)) in self.tallies.by_level() {
            let share = 100.0 * f64::from(right) / f64::from(answered.max(1));
            let level = format!("{subject} by name, {level:?}").to_lowercase();
            println!("  {level:<34} {answered:>16} answered {share:>9.2} % right");
        }
        println!("  by noise, where less than 97 % were right:");
        for ((kind, noise), tally) in &self.tallies.by_noise {
            if tally.recall() < 0.97 || tally.precision() < 0.98 {
                line(&format!("  {kind} / {noise}"), kind, tally, "");
            }
        }
    }
}

fn line(name: &str, kind: &str, tally: &Tally, bar: &str) {
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let (precision, recall) = if kind.starts_with("none_") {
        (String::new(), format!("{} none", percent(tally.recall())))
    } else {
        (percent(tally.precision()), percent(tally.recall()))
    };
    let (p50, p99) = percentiles(&tally.times);
    println!(
        "  {name:<34} {:>7} {:>8} {:>9} {precision:>9} {recall:>9} {p50:>8} {p99:>8}{bar}",
        tally.queries, tally.answered, tally.ambiguous,
    );
}

fn reaches(subject: &str, kind: &str, tally: &Tally) -> bool {
    let bar = Bar::of(subject, kind);
    let (least_precision, least_recall) = bar.least();
    if tally.queries < MIN_QUERIES {
        return true;
    }
    match bar {
        Bar::None => tally.recall() >= least_precision && tally.refused() <= MOST_REFUSED,
        _ => tally.precision() >= least_precision && tally.recall() >= least_recall,
    }
}

fn percentiles(times: &[Duration]) -> (String, String) {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = |percent: usize| {
        let index = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(index).map_or_else(String::new, |time| {
            format!("{:.2}", time.as_secs_f64() * 1e3)
        })
    };
    (at(50), at(99))
}

/// What the figures are worth.
pub(crate) fn preface(is_debug_build: bool, in_process: bool) {
    if in_process {
        println!(
            "Matched in this process: no HTTP, no ledger, no SQL; the times are those of the matcher alone."
        );
    }
    if is_debug_build {
        println!("A debug build: the times say nothing.");
    }
}

/// How many keys a build has.
pub(crate) fn loaded(kind: RecordKind, records: usize, keys: usize) {
    let per_record = keys as f64 / records as f64;
    println!("{records} {kind} records, {per_record:.1} keys each");
}

/// How many values are of the closed lists, and what is left.
pub(crate) fn shares(shares: &[Share]) {
    println!("\nthe sample, values of the closed lists");
    println!(
        "  {:<26} {:>8} {:>8} {:>8} {:>9}",
        "column", "rows", "filled", "listed", "share"
    );
    for share in shares {
        let of_filled = share.of_filled();
        let percent = of_filled.map_or("-".to_owned(), |part| format!("{:.2} %", 100.0 * part));
        let bar = if share.reaches() {
            ""
        } else {
            "  misses its bar"
        };
        let name = format!("{}.{}", share.table, share.column);
        println!(
            "  {name:<26} {:>8} {:>8} {:>8} {percent:>9}{bar}",
            share.rows, share.filled, share.listed
        );
        for (value, rows) in &share.left {
            println!("    left: {rows} {value:?}");
        }
    }
}

/// What the tables made of what was given, to be read over.
pub(crate) fn pairs(pairs: &[Pair<'_>]) {
    println!("\nthe sample, {} mapped pairs", pairs.len());
    for pair in pairs {
        println!(
            "  {:<16} {:>6} {:?} -> {:?}",
            pair.list, pair.records, pair.given, pair.mapped
        );
    }
}

/// A request that was not answered as it should have been.
pub(crate) fn wrong(query: &Query, answer: &Answer) {
    let body = serde_json::to_string(&query.body).unwrap_or_default();
    println!(
        "{} {:?} {body} meant {:?}, {answer:?}",
        query.kind, query.noise, query.truth
    );
}

pub(crate) fn conclusion(missed: usize) {
    match missed {
        0 => println!("\nEvery kind reaches its bar."),
        _ => println!("\n{missed} kinds miss their bar."),
    }
}
