//! Scores the fields on a folder of case files: `cargo run -p normalize --example score -- normalize/cases [--fails N] [FIELD…]`.
//!
//! Prints, per field, the share of cases that pass: all, those that `docs/CANON.md` settles, and the open ones.

#![allow(clippy::print_stdout, reason = "a report for people")]

use std::path::PathBuf;

#[path = "../tests/cases/mod.rs"]
mod cases;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
    let mut fails = 0;
    let mut fields = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--fails" => fails = arguments.next().unwrap_or_default().parse()?,
            text if text.contains(['/', '.']) => folder = PathBuf::from(text),
            field => fields.push(field.to_owned()),
        }
    }
    println!(
        "{:<22} {:>6} {:>8} | {:>6} {:>8} | {:>6} {:>8}",
        "field", "cases", "pass", "closed", "pass", "open", "pass"
    );
    for score in cases::run(&folder)? {
        if !fields.is_empty() && !fields.contains(&score.field) {
            continue;
        }
        let (closed, open) = (score.closed, score.open);
        println!(
            "{:<22} {:>6} {:>7.2}% | {:>6} {:>7.2}% | {:>6} {:>7.2}%",
            score.field,
            closed.cases + open.cases,
            score.all(),
            closed.cases,
            closed.percent(),
            open.cases,
            open.percent()
        );
        for line in score.failures.iter().take(fails) {
            println!("  {line}");
        }
        for line in score.spellings.iter().take(fails) {
            println!("  two spellings: {line}");
        }
    }
    Ok(())
}
