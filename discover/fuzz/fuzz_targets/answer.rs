//! Any answer of a language model is accepted as a query that search reads again, with what was unsupported still told, or it is
//! not accepted.
#![no_main]

use chrono::NaiveDate;
use dialect::{ColumnId, Query};
use discover::model::{Answer, Question, Tree};
use discover::{Lexicon, Translation, translate};
use events_schema::record::RecordKind;

/// A small build.
struct Build;

impl Lexicon for Build {
    fn has(&self, _: ColumnId, value: &str) -> bool {
        ["london", "acme", "maria"].contains(&value)
    }
}

fn hold(kind: RecordKind, text: &str, today: NaiveDate, found: &Translation) {
    let printed = found.query.text();
    let again = Query::parse(kind, &printed).map(|parsed| parsed.query);
    assert_eq!(again.as_ref(), Ok(&found.query), "{printed}");
    let unsupported = match translate(kind, text, &Build, today) {
        Ok(local) => local.interpretation.unsupported,
        Err(refused) => refused.unsupported,
    };
    assert_eq!(found.interpretation.unsupported, unsupported);
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap_or_default();
    for (kind, text) in [
        (
            RecordKind::Person,
            "directors in Germany, snarkles with 12 flurbs",
        ),
        (RecordKind::Company, "snarkles"),
    ] {
        let question = Question::of(kind, text, &Build, today);
        let question = question.expect("its words are open");
        if let Ok(found) = question.accept_json(input, &Build) {
            hold(kind, text, today, &found);
        }
        let (Ok(Answer { tree }), Some(read)) = (serde_json::from_slice(input), question.read())
        else {
            continue;
        };
        if let Ok(found) = question.accept(Tree::All(vec![read.clone(), tree]), &Build) {
            hold(kind, text, today, &found);
        }
    }
});
