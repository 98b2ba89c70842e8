//! Completes texts over the files of a build and prints how long it takes: beginnings of stored values, of one to ten
//! characters, each second one of four or more with a slip.
//!
//! `complete FOLDER COLUMN…`: the folder holds the files and `manifest.json`, as `examples/write.rs` leaves them. One
//! thread, ten values, a thousand texts a column.
#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a report to a person; samples are never empty"
)]

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use column_files::view::{Dictionary, TextDictionary};
use column_files::{Columns, Completing, Manifest};
use dialect::Catalog;

const TEXTS: u32 = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let manifest: Manifest = serde_json::from_slice(&std::fs::read(folder.join("manifest.json"))?)?;
    let columns = Arc::new(Columns::open(&folder, &manifest)?);
    println!(
        "{} records; ms a text, one thread, {TEXTS} texts a column",
        columns.rows()
    );
    println!(
        "{:>9} {:>8} {:>8} {:>8} {:>8} {:>8}  column",
        "values", "median", "p99", "max", "slice", "found"
    );
    for path in arguments {
        let column = Catalog::of(columns.kind()).find(&path);
        let column = column.ok_or_else(|| format!("there is no column {path}"))?;
        let Dictionary::Text(texts) = columns.column(column).dictionary else {
            return Err(format!("{path} is no text").into());
        };
        let (mut times, mut longest, mut found) = (Vec::new(), Duration::ZERO, 0);
        for number in 0..TEXTS {
            let (text, value) = typed(texts, number).ok_or("a column without values")?;
            let begin = Instant::now();
            let mut completing = Completing::new(Arc::clone(&columns), column, &text, 10);
            let mut before = begin;
            let values = loop {
                let values = completing.advance();
                let now = Instant::now();
                longest = longest.max(now - before);
                before = now;
                if let Some(values) = values {
                    break values;
                }
            };
            times.push(begin.elapsed());
            found += u32::from(values.iter().any(|found| found.value == value));
        }
        times.sort();
        let ms = |time: Duration| format!("{:.2}", time.as_secs_f64() * 1e3);
        println!(
            "{:>9} {:>8} {:>8} {:>8} {:>8} {:>8}  {path}",
            texts.len,
            ms(times[times.len() / 2]),
            ms(times[times.len() * 99 / 100]),
            ms(times[times.len() - 1]),
            ms(longest),
            format!("{}%", found * 100 / TEXTS),
        );
    }
    Ok(())
}

/// A text that somebody may type for a stored value, and the value; the same at every run.
fn typed(texts: TextDictionary<'_>, number: u32) -> Option<(String, String)> {
    let code = 1 + (u64::from(number) * 2_654_435_761 % u64::from(texts.len.max(1))) as u32;
    let value = String::from_utf8(texts.text(code)?).ok()?;
    let length = 1 + number as usize / 7 % 10;
    let mut letters: Vec<char> = value.chars().take(length).collect();
    let at = number as usize / 3 % letters.len().max(1);
    if letters.len() >= 4 && number.is_multiple_of(2) {
        match number / 2 % 4 {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, 'x'),
            2 => letters[at] = 'x',
            _ => {
                let at = at.min(letters.len() - 2);
                letters.swap(at, at + 1);
            }
        }
    }
    Some((letters.into_iter().collect(), value))
}
