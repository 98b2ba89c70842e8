//! Runs queries over the files of a build and prints how long each takes: count and page of 100, nothing cached.
//!
//! `scan [--depth] FOLDER QUERIES [RUNS] [PART OF A QUERY]`: the folder holds the files and `manifest.json`, as `examples/write.rs`
//! leaves them; QUERIES is a file like `examples/hard.sql`. One thread; every query runs a few times, and the middle is
//! what counts.
//!
//! Of a line of QUERIES, `{column}` stands for the value of the record in the middle of the build or of the first one
//! behind it that has one, `{column#3}` for the third most frequent value, `{sha256(column)}` for a hash of the value. A
//! number behind `|` is the offset, `cursor` goes on behind the record in the middle. With `--depth` every query is run at
//! all three places: offset 0, offset 10,000, behind the record in the middle.
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
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_depth = arguments.first().is_some_and(|first| first == "--depth");
    let mut arguments = arguments.drain(usize::from(is_depth)..);
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
    let lines = queries.lines().filter(|line| !line.starts_with("--"));
    let lines = lines.filter(|line| !line.is_empty() && line.contains(&only));
    if is_depth {
        depth(&columns, lines, runs)
    } else {
        each(&columns, lines, runs)
    }
}

/// One row a query.
fn each<'a>(
    columns: &Arc<Columns>,
    lines: impl Iterator<Item = &'a str>,
    runs: usize,
) -> Result<(), Fault> {
    println!(
        "{:>9} {:>8} {:>8} {:>8} {:>8}  query",
        "count", "min", "median", "max", "slice"
    );
    let mut medians = Vec::new();
    for line in lines {
        let (query, page) = asked(columns, line)?;
        let times = Times::measure(columns, &query, page, runs)?;
        medians.push(times.median());
        println!(
            "{:>9} {:>8} {:>8} {:>8} {:>8}  {line:.100}",
            times.total,
            ms(times.sorted[0]),
            ms(times.median()),
            ms(times.sorted[times.sorted.len() - 1]),
            ms(times.longest_slice)
        );
    }
    println!("{} queries: {}", medians.len(), spread(&mut medians)?);
    Ok(())
}

/// One row a query, with its three places.
fn depth<'a>(
    columns: &Arc<Columns>,
    lines: impl Iterator<Item = &'a str>,
    runs: usize,
) -> Result<(), Fault> {
    let places = [
        ("offset 0", Start::Offset(0)),
        ("offset 10,000", Start::Offset(10_000)),
        ("cursor", Start::After(columns.rows() / 2)),
    ];
    let [a, b, c] = places.map(|(name, _)| name);
    println!("{:>9} {a:>13} {b:>13} {c:>13}  query", "count");
    let mut medians: [Vec<Duration>; 3] = Default::default();
    for line in lines.filter(|line| !line.contains('|')) {
        let (query, page) = asked(columns, line)?;
        let mut row = String::new();
        let mut total = 0;
        for ((_, start), medians) in places.iter().zip(&mut medians) {
            let page = Page {
                start: *start,
                ..page
            };
            let times = Times::measure(columns, &query, page, runs)?;
            total = times.total;
            medians.push(times.median());
            row.push_str(&format!(" {:>13}", ms(times.median())));
        }
        println!("{total:>9}{row}  {line:.100}");
    }
    for ((name, _), medians) in places.iter().zip(&mut medians) {
        println!("{} queries, {name}: {}", medians.len(), spread(medians)?);
    }
    Ok(())
}

/// What the runs of a query took.
struct Times {
    total: u64,
    sorted: Vec<Duration>,
    longest_slice: Duration,
}

impl Times {
    fn measure(
        columns: &Arc<Columns>,
        query: &Query,
        page: Page,
        runs: usize,
    ) -> Result<Self, Fault> {
        let mut times = Self {
            total: 0,
            sorted: Vec::new(),
            longest_slice: Duration::ZERO,
        };
        for _ in 0..runs.max(1) {
            let (found, time, slice) = run(columns, query, page)?;
            times.total = found.total;
            times.longest_slice = times.longest_slice.max(slice);
            times.sorted.push(time);
        }
        times.sorted.sort();
        Ok(times)
    }

    fn median(&self) -> Duration {
        self.sorted[self.sorted.len() / 2]
    }
}

fn spread(times: &mut [Duration]) -> Result<String, Fault> {
    if times.is_empty() {
        return Err("no query was run".into());
    }
    times.sort();
    let at = |part: usize| ms(times[(times.len() * part).div_ceil(100).max(1) - 1]);
    Ok(format!("median {}, p95 {}, p99 {}", at(50), at(95), at(99)))
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
        return Ok(hex::encode(sha2::Digest::finalize(digest)));
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
