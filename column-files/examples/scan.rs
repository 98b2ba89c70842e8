//! Runs queries over the files of a build and prints how long each takes: count and page of 100, nothing cached.
//!
//! `scan FOLDER QUERIES [RUNS] [PART OF A QUERY]`: the folder holds the files and `manifest.json`, as `examples/write.rs`
//! leaves them; QUERIES is a file like `examples/hard.sql`. One thread; every query runs a few times, and the middle is
//! what counts.
//!
//! Of a line of QUERIES, `{column}` stands for the value of the record in the middle of the build or of the first one
//! behind it that has one, `{column#3}` for the third most frequent value, `{sha256(column)}` for a hash of the value. A
//! number behind `|` is the offset, `cursor` goes on behind the record in the middle.
#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a report to a person; samples are never empty"
)]

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use column_files::view::{ColumnView, Dictionary};
use column_files::{Columns, Found, Manifest, Page, Search, Start};
use dialect::{Catalog, Query};
use events_schema::record::RecordKind;

type Fault = Box<dyn Error>;

fn main() -> Result<(), Fault> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let queries = std::fs::read_to_string(arguments.next().ok_or("which queries?")?)?;
    let runs: usize = arguments.next().map_or(Ok(7), |runs| runs.parse())?;
    let only = arguments.next().unwrap_or_default();
    let manifest: Manifest = serde_json::from_slice(&std::fs::read(folder.join("manifest.json"))?)?;
    let columns = Arc::new(Columns::open(&folder, &manifest)?);
    println!(
        "{} rows; ms a query, one thread, {runs} runs each",
        columns.rows()
    );
    println!(
        "{:>9} {:>8} {:>8} {:>8} {:>8}  query",
        "count", "min", "median", "max", "slice"
    );
    let mut medians = Vec::new();
    let lines = queries.lines().filter(|line| !line.starts_with("--"));
    for line in lines.filter(|line| !line.is_empty() && line.contains(&only)) {
        let (query, page) = asked(&columns, line)?;
        let mut times = Vec::new();
        let (mut total, mut longest) = (0, Duration::ZERO);
        for _ in 0..runs.max(1) {
            let (found, time, slice) = run(&columns, &query, page)?;
            (total, longest) = (found.total, longest.max(slice));
            times.push(time);
        }
        times.sort();
        let median = times[times.len() / 2];
        medians.push(median);
        println!(
            "{total:>9} {:>8} {:>8} {:>8} {:>8}  {line:.100}",
            ms(times[0]),
            ms(median),
            ms(times[times.len() - 1]),
            ms(longest)
        );
    }
    medians.sort();
    let at = |part: usize| ms(medians[(medians.len() * part).div_ceil(100).max(1) - 1]);
    println!(
        "{} queries: median {}, p95 {}, p99 {}",
        medians.len(),
        at(50),
        at(95),
        at(99)
    );
    Ok(())
}

/// The query of a line, and where its page starts.
fn asked(columns: &Columns, line: &str) -> Result<(Query, Page), Fault> {
    let (condition, start) = match line.rsplit_once('|') {
        Some((condition, start)) => (condition.trim(), start.trim()),
        None => (line, "0"),
    };
    let start = match start {
        "cursor" => Start::After(columns.rows() / 2),
        offset => Start::Offset(offset.parse()?),
    };
    let mut text = String::from("SELECT * FROM person ");
    if !condition.is_empty() && !condition.starts_with("ORDER BY") {
        text.push_str("WHERE ");
    }
    let mut rest = condition;
    while let Some((before, after)) = rest.split_once('{') {
        let (meant, after) = after.split_once('}').ok_or("a brace without its other")?;
        let value = stored(columns, meant)?.replace('\'', "''");
        text.push_str(&format!("{before}'{value}'"));
        rest = after;
    }
    text.push_str(rest);
    let parsed = Query::parse(RecordKind::Person, &text);
    let parsed = parsed.map_err(|refusal| format!("{text}: {}", refusal.message))?;
    Ok((parsed.query, Page { limit: 100, start }))
}

/// Runs a search to its end: what it found, how long it took, and its longest slice.
fn run(
    columns: &Arc<Columns>,
    query: &Query,
    page: Page,
) -> Result<(Found, Duration, Duration), Fault> {
    let begin = Instant::now();
    let mut search = Search::new(Arc::clone(columns), query, page, None);
    let (mut before, mut longest) = (begin, Duration::ZERO);
    loop {
        let found = search.advance();
        let now = Instant::now();
        longest = longest.max(now - before);
        before = now;
        if let Some(found) = found {
            return Ok((found?, now - begin, longest));
        }
    }
}

fn ms(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

/// What stands in braces, as the file's docs say.
fn stored(columns: &Columns, meant: &str) -> Result<String, Fault> {
    if let Some(path) = meant
        .strip_prefix("sha256(")
        .and_then(|path| path.strip_suffix(')'))
    {
        let mut digest = <sha2::Sha256 as sha2::Digest>::new();
        sha2::Digest::update(&mut digest, stored(columns, path)?);
        let digest = sha2::Digest::finalize(digest);
        return Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    let (path, place) = match meant.split_once('#') {
        Some((path, place)) => (path, Some(place.parse::<usize>()?)),
        None => (meant, None),
    };
    let column = Catalog::of(RecordKind::Person)
        .find(path)
        .ok_or_else(|| format!("there is no column {path}"))?;
    let view = columns.column(column);
    let code = match place {
        Some(place) => {
            let counts = view.counts.unwrap_or_default();
            let mut counts: Vec<(u32, u32)> = counts.iter().copied().zip(1..).collect();
            counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            counts.get(place.max(1) - 1).map(|(_, code)| *code)
        }
        None => (columns.rows() / 2..columns.rows())
            .map(|row| view.codes.get(row as usize))
            .find(|code| *code > 0),
    };
    Ok(text(
        &view,
        code.ok_or_else(|| format!("{path} has no value"))?,
    ))
}

fn text(view: &ColumnView<'_>, code: u32) -> String {
    match view.dictionary {
        Dictionary::Text(texts) => {
            String::from_utf8_lossy(&texts.text(code).unwrap_or_default()).into_owned()
        }
        Dictionary::Id(ids) => ids
            .get(code as usize - 1)
            .map(|id| uuid::Uuid::from_bytes(*id).to_string())
            .unwrap_or_default(),
        _ => String::new(),
    }
}
