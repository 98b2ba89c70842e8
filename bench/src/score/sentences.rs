//! Discover: sentences whose meaning is known, translated in this process (docs/DISCOVER.md, How right it is).

#![allow(clippy::print_stdout, reason = "a report to a person")]

use std::collections::BTreeMap;

use anyhow::Context;
use discover::judge::{Judged, judge};
use tests::servers::checkout;

/// The sentences, and the share of each file that must be right.
const FILES: [(&str, f64); 5] = [
    ("mixed.jsonl", 0.95),
    ("people.jsonl", 0.95),
    ("companies.jsonl", 0.95),
    ("later.jsonl", 0.95),
    ("people-hard.jsonl", 0.9),
];
/// Tags of fewer sentences are not printed.
const FEWEST: usize = 5;

/// Prints a line a file and a line a tag; true when every file reaches its bar.
pub(crate) fn score() -> anyhow::Result<bool> {
    let folder = checkout().join("discover/tests/cases");
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).with_context(|| format!("{name} of {folder:?}"))
    };
    let names = read("names.json")?;
    println!(
        "\nDiscover                       sentences    right  reported  rightly  false answers"
    );
    let mut all_reach = true;
    let mut tags: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (file, bar) in FILES {
        let judged = judge(&read(file)?, &names);
        let right = share(
            judged
                .iter()
                .map(|one| (1, usize::from(one.problem.is_none()))),
        );
        let recall = share(judged.iter().map(|one| one.unsupported));
        let precision = share(judged.iter().map(|one| one.reported));
        let false_answers = judged.iter().filter(|one| one.is_false_answer).count();
        println!(
            "  {file:<28} {:>9} {right:>8.3} {recall:>9.3} {precision:>8.3} {false_answers:>14}",
            judged.len()
        );
        for problem in judged.iter().filter_map(|one| one.problem.as_deref()) {
            println!("    {problem}");
        }
        all_reach &= right >= bar;
        count(&judged, &mut tags);
    }
    for (tag, (all, right)) in tags.iter().filter(|(_, (all, _))| *all >= FEWEST) {
        println!("  {tag:<28} {all:>9} {:>8.3}", ratio(*right, *all));
    }
    Ok(all_reach)
}

fn count(judged: &[Judged], tags: &mut BTreeMap<String, (usize, usize)>) {
    for one in judged {
        for tag in &one.tags {
            let (all, right) = tags.entry(tag.clone()).or_default();
            *all += 1;
            *right += usize::from(one.problem.is_none());
        }
    }
}

fn share(parts: impl Iterator<Item = (usize, usize)>) -> f64 {
    let (all, some) = parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    ratio(some, all)
}

#[allow(clippy::cast_precision_loss, reason = "some hundred sentences")]
fn ratio(some: usize, all: usize) -> f64 {
    some as f64 / all.max(1) as f64
}
