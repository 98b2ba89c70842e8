//! The sixty queries, with values of the build that is searched.

use anyhow::{Context, anyhow};
use dialect::Query;
use events_schema::record::RecordKind;
use serde_json::{Map, Value};

/// One search.
#[derive(Debug)]
pub(crate) struct Asked {
    /// As it is printed.
    pub(crate) text: String,
    pub(crate) query: Query,
    pub(crate) offset: u32,
}

/// The queries of `queries.sql`, with the values of `record` in place of `{column}`.
pub(crate) fn read(record: &Map<String, Value>) -> anyhow::Result<Vec<Asked>> {
    let lines = include_str!("queries.sql").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("--"));
    lines.map(|line| asked(line, record)).collect()
}

fn asked(line: &str, record: &Map<String, Value>) -> anyhow::Result<Asked> {
    let (text, offset) = match line.split_once(" | ") {
        Some((text, offset)) => (text, offset.trim().parse()?),
        None => (line, 0),
    };
    let text = filled(text, record)?;
    let word = if text.starts_with("ORDER BY") {
        ""
    } else {
        "WHERE "
    };
    let sql = format!("SELECT * FROM person {word}{text}");
    let parsed = Query::parse(RecordKind::Person, &sql);
    let parsed = parsed.map_err(|refusal| anyhow!("{sql}: {}", refusal.message))?;
    Ok(Asked {
        text: line.to_owned(),
        query: parsed.query,
        offset,
    })
}

/// `{column}` becomes the record's value as a literal.
fn filled(text: &str, record: &Map<String, Value>) -> anyhow::Result<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (column, after) = after.split_once('}').context("a brace without its other")?;
        let value = record.get(column).and_then(Value::as_str);
        let value = value.with_context(|| format!("the record has no {column}"))?;
        filled.push_str(before);
        filled.push_str(&format!("'{}'", value.replace('\'', "''")));
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}
