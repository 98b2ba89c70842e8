//! Values cleaned in a second, field by field, over the case files of `normalize/cases`. The limit is what any cleaning has
//! to do at least: the same texts in lower case.

use std::time::{Duration, Instant};

use anyhow::Context;
use normalize::check::{self, Field};
use serde_json::Value;
use tests::servers::checkout;

use crate::measure::{Plan, Rate, median, whole};
use crate::report;

/// The clock is read once in so many values.
const BATCH: usize = 64;
const DEFAULT_REGION: &str = "US";

/// What is cleaned, and where its phone numbers are read.
struct Case {
    input: String,
    region: String,
}

pub(crate) fn run(plan: &Plan) -> anyhow::Result<()> {
    normalize::warm_up();
    // Each field of the thirteen gets a share of the time of one measurement.
    let length = plan.length / u32::try_from(Field::CLEANABLE.len())?;
    let mut lines = Vec::new();
    for field in Field::CLEANABLE {
        let cases = read(field)?;
        let (mut lower, mut clean) = (Vec::new(), Vec::new());
        for _ in 0..plan.rounds {
            lower.push(rate(&cases, length, |case| case.input.to_lowercase()));
            clean.push(rate(&cases, length, |case| {
                check::clean(field, &case.input, &case.region)
            }));
        }
        let lower = median(&lower).context("no round")?;
        let clean = median(&clean).context("no round")?;
        lines.push((field.as_str(), lower, clean));
    }
    report::beside(
        "Cleaned values, one thread",
        ["lower case", "cleaned"],
        &lines,
    );
    Ok(())
}

fn read(field: Field) -> anyhow::Result<Vec<Case>> {
    let file = checkout().join(format!("normalize/cases/{}.jsonl", field.as_str()));
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut cases = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line)?;
        let text = |key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
        cases.push(Case {
            input: text("input").context("a case without input")?,
            region: text("default_region").unwrap_or_else(|| DEFAULT_REGION.to_owned()),
        });
    }
    Ok(cases)
}

/// Over all cases again and again for `length`, by this thread.
fn rate<T>(cases: &[Case], length: Duration, act: impl Fn(&Case) -> T) -> Rate {
    let (start, mut done) = (Instant::now(), 0);
    'time: loop {
        for batch in cases.chunks(BATCH) {
            for case in batch {
                std::hint::black_box(act(std::hint::black_box(case)));
            }
            done += u64::try_from(batch.len()).unwrap_or(0);
            if start.elapsed() >= length {
                break 'time;
            }
        }
    }
    Rate {
        per_second: whole(done) / start.elapsed().as_secs_f64(),
        latency: None,
    }
}
