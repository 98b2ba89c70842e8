//! The one place that prints.

#![allow(clippy::print_stdout)]

use std::time::Duration;

use crate::measure::{Latency, Rate, median};

/// Everything that is compared in one bench: the limit, and what stands beside it.
pub(crate) struct Comparison {
    title: &'static str,
    /// The first is the limit.
    lines: Vec<(&'static str, Vec<Rate>)>,
}

impl Comparison {
    pub(crate) fn new(title: &'static str, names: &[&'static str]) -> Self {
        Self {
            title,
            lines: names.iter().map(|name| (*name, Vec::new())).collect(),
        }
    }

    /// Adds one round: a rate a name, in their order.
    pub(crate) fn add(&mut self, round: &[Rate]) {
        for ((_, rates), rate) in self.lines.iter_mut().zip(round) {
            rates.push(*rate);
        }
    }

    /// Prints the medians of each line and the ratio of its rate to the limit's.
    pub(crate) fn print(self) {
        println!(
            "\n{:<58} {:>12} {:>9} {:>9} {:>8}",
            self.title, "per second", "p50 ms", "p99 ms", "ratio"
        );
        let medians: Vec<_> = self
            .lines
            .into_iter()
            .filter_map(|(name, rates)| Some((name, median(&rates)?)))
            .collect();
        let limit = medians
            .first()
            .map_or(f64::NAN, |(_, rate)| rate.per_second);
        for (place, (name, rate)) in medians.into_iter().enumerate() {
            let ratio = if place == 0 {
                "limit".to_owned()
            } else {
                format!("{:.3}x", rate.per_second / limit)
            };
            let (p50, p99) = rate.latency.map_or_else(
                || ("-".to_owned(), "-".to_owned()),
                |latency| (format!("{:.2}", latency.p50), format!("{:.2}", latency.p99)),
            );
            println!(
                "  {name:<56} {:>12.0} {p50:>9} {p99:>9} {ratio:>8}",
                rate.per_second
            );
        }
    }
}

/// Prints a limit and what stands beside it, a line a name.
pub(crate) fn beside(title: &str, names: [&str; 2], lines: &[(&str, Rate, Rate)]) {
    let [limit, rate] = names;
    println!("\n{title:<44} {limit:>12}/s {rate:>12}/s {:>8}", "ratio");
    for (name, limit, rate) in lines {
        println!(
            "  {name:<42} {:>14.0} {:>14.0} {:>7.3}x",
            limit.per_second,
            rate.per_second,
            rate.per_second / limit.per_second
        );
    }
}

/// A size that does not change from round to round.
pub(crate) fn amount(what: &str, name: &str, bytes: usize) {
    println!("  {:<56} {bytes:>12}", format!("{what}: {name}"));
}

/// Times of one thing.
pub(crate) fn latency(name: &str, latency: Option<Latency>) {
    let Some(Latency { p50, p99 }) = latency else {
        return;
    };
    println!("\n{name:<71} {p50:>9.2} {p99:>9.2}");
}

/// A part of the time of what was measured last.
pub(crate) fn phase(name: &str, time: Duration) {
    println!("    {name:<54} {:>10.1} s", time.as_secs_f64());
}

/// What the figures are worth.
pub(crate) fn preface(is_debug_build: bool) {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    println!(
        "{cores} cores; client, services, Postgres and Kafka share them. Medians of the rounds."
    );
    if is_debug_build {
        println!(
            "This is a debug build: the figures say nothing about the service. Use `make bench`."
        );
    }
}

/// One query on three engines.
#[derive(Debug)]
pub(crate) struct SearchLine {
    pub(crate) query: String,
    pub(crate) total: u64,
    pub(crate) milliseconds: f64,
    /// None where it has no column for the query.
    pub(crate) postgres: Option<f64>,
    /// None where it was not run.
    pub(crate) duckdb: Option<f64>,
}

/// Prints what each query took and the percentiles of all.
pub(crate) fn searches(rows: u32, lines: &[SearchLine]) {
    println!(
        "\n{:<84} {:>9} {:>9} {:>9} {:>9}",
        format!("Count and page of 100 at {rows} persons, one thread, ms"),
        "total",
        "columns",
        "Postgres",
        "DuckDB"
    );
    let shown =
        |time: Option<f64>| time.map_or_else(|| "-".to_owned(), |time| format!("{time:.2}"));
    for line in lines {
        let query: String = line.query.chars().take(82).collect();
        println!(
            "  {query:<82} {:>9} {:>9.2} {:>9} {:>9}",
            line.total,
            line.milliseconds,
            shown(line.postgres),
            shown(line.duckdb)
        );
    }
    let columns = [
        lines.iter().map(|line| line.milliseconds).collect(),
        lines.iter().filter_map(|line| line.postgres).collect(),
        lines
            .iter()
            .filter_map(|line| line.duckdb)
            .collect::<Vec<f64>>(),
    ];
    for (name, percent) in [("median", 50), ("p95", 95), ("p99", 99)] {
        let [ours, postgres, duckdb] = columns.each_ref().map(|times| percentile(times, percent));
        println!(
            "  {name:<82} {:>9} {:>9} {:>9} {:>9}",
            "",
            shown(ours),
            shown(postgres),
            shown(duckdb)
        );
    }
}

/// The nearest rank.
fn percentile(times: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() * percent).div_ceil(100).checked_sub(1)?;
    sorted.get(place).copied()
}
