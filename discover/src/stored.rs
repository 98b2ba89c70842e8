//! Names of companies as a query has them. What a customer writes in a query is put in the form in which it is stored, as legal forms
//! are left out: what is told as applied must say the same.

use dialect::Query;
use events_schema::record::RecordKind;

use crate::cond::Cond;

/// Columns of names that are stored in a form of their own.
const NAMES: [&str; 2] = ["company_name", "name.cleaned"];

/// A condition with the names of companies that the query will have.
pub(crate) fn as_stored(kind: RecordKind, cond: &Cond) -> Cond {
    let all = |parts: &[Cond]| parts.iter().map(|part| as_stored(kind, part)).collect();
    match cond {
        Cond::In(column, values) if NAMES.contains(column) => {
            let values = values.iter().map(|value| name(kind, column, value));
            Cond::In(column, values.collect())
        }
        Cond::All(parts) => Cond::All(all(parts)),
        Cond::Any(parts) => Cond::Any(all(parts)),
        Cond::Not(part) => Cond::Not(Box::new(as_stored(kind, part))),
        other => other.clone(),
    }
}

fn name(kind: RecordKind, column: &'static str, value: &str) -> String {
    let cond = Cond::In(column, vec![value.to_owned()]).sql();
    let query = format!("SELECT * FROM {} WHERE {cond}", kind.name());
    let parsed = Query::parse(kind, &query).ok();
    let stored = parsed.and_then(|parsed| {
        let text = parsed.query.text().to_owned();
        let (_, literal) = text.split_once(" = '")?;
        Some(literal.strip_suffix('\'')?.replace("''", "'"))
    });
    stored.unwrap_or_else(|| value.to_owned())
}
