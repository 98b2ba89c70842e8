//! Cleans what stands on standard input, `field<TAB>text` a line: `cargo run -p normalize --example canon < lines`.
//!
//! Prints the line with its canonical form behind it, or the reason why there is none, for reading over held-out data.

#![allow(clippy::print_stdout, reason = "a report for people")]

use std::io::BufRead as _;

use normalize::check::{self, Cleaned, Field};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Some((field, text)) = line.split_once('\t') else {
            continue;
        };
        let (text, region) = text.split_once('\t').unwrap_or((text, "US"));
        let answer = match check::clean(field.parse::<Field>()?, text, region) {
            Ok(Cleaned::Text(text)) => text,
            Ok(Cleaned::Place { full_name, code }) => format!("{code} {full_name}"),
            Ok(Cleaned::Company { name, kind }) => format!("{name} ({})", kind.as_str()),
            Err(refusal) => format!("- {:?}", refusal.suggestion),
        };
        println!("{field}\t{text}\t{answer}");
    }
    Ok(())
}
