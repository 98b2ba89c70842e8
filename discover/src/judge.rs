//! Judges translations by sentences whose meaning is known.
//!
//! An answer is right when it is true of the same records as the expected condition, and everything that no column answers
//! is reported. For each case a few hundred records are made of the values that either condition names, others, and none, so
//! that every part of a condition decides about some of them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "reads files of the repository; built for tests and the score alone"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::{Lexicon, translate};
use chrono::NaiveDate;
use dialect::{
    Catalog, Column, ColumnId, Condition, Filter, Place, Query, Test, Value, ValueType, interpret,
};
use events_schema::record::RecordKind;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    entity: String,
    query: String,
    #[serde(rename = "where")]
    condition: String,
    unsupported: Vec<String>,
    expect: String,
    #[serde(default)]
    or_error: bool,
    tags: Vec<String>,
    difficulty: String,
    #[serde(default)]
    alt: Vec<Alternative>,
}

#[derive(Debug, Deserialize)]
struct Alternative {
    #[serde(rename = "where")]
    condition: String,
    unsupported: Vec<String>,
}

/// Names of the build.
struct Names(HashMap<ColumnId, HashSet<String>>);

impl Lexicon for Names {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        self.0
            .get(&column)
            .is_some_and(|values| values.contains(value))
    }
}

fn names(kind: RecordKind, names: &BTreeMap<String, Vec<String>>) -> Names {
    let columns: &[(&str, &str)] = match kind {
        RecordKind::Person => &[
            ("company_name", "companies"),
            ("city", "cities"),
            ("state", "states"),
            ("first_name", "first_names"),
            ("last_name", "last_names"),
            ("job_title", "job_titles"),
        ],
        RecordKind::Company => &[
            ("name.cleaned", "companies"),
            ("locations.city", "cities"),
            ("locations.state", "states"),
        ],
    };
    let each = columns.iter().map(|(column, key)| {
        let values = names[*key].iter().cloned().collect();
        (Catalog::of(kind).find(column).unwrap(), values)
    });
    Names(each.collect())
}

/// The expected condition; a place of a company is one of its list.
fn expected(kind: RecordKind, condition: &str) -> Query {
    let condition = if kind == RecordKind::Company {
        let places = ["city", "state", "country"];
        condition
            .split(' ')
            .map(|word| {
                let bare = word.trim_start_matches('(');
                let brackets = &word[..word.len() - bare.len()];
                if places.contains(&bare) {
                    format!("{brackets}locations.{bare}")
                } else {
                    word.to_owned()
                }
            })
            .collect::<Vec<_>>()
            .join(" ")
    } else {
        condition.to_owned()
    };
    let text = format!("SELECT * FROM {} WHERE {condition}", kind.name());
    Query::parse(kind, &text)
        .unwrap_or_else(|refusal| panic!("{text}: {}", refusal.message))
        .query
}

/// Values that a filter compares a column with, and their neighbours.
fn values(filter: &Filter, found: &mut BTreeMap<String, BTreeSet<String>>, kind: RecordKind) {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => {
            parts.iter().for_each(|part| values(part, found, kind))
        }
        Filter::Element { filter, .. } => values(filter, found, kind),
        Filter::Empty { .. } => {}
        Filter::Test(Condition { target, test }) => {
            let path = Catalog::of(kind).column(target.column).path.clone();
            let key = target
                .key
                .as_ref()
                .map_or_else(|| path.clone(), |key| format!("{path}#{key}"));
            let set = found.entry(key).or_default();
            let mut add = |value: &Value| {
                set.insert(match value {
                    Value::Text(text) => json!(text).to_string(),
                    Value::Integer(number) => json!(number).to_string(),
                    Value::Number(number) => json!(number).to_string(),
                    Value::Boolean(value) => json!(value).to_string(),
                });
                match value {
                    Value::Integer(number) => {
                        set.insert(json!(number - 1).to_string());
                        set.insert(json!(number + 1).to_string());
                    }
                    Value::Number(number) => {
                        set.insert(json!(number - 0.01).to_string());
                        set.insert(json!(number + 0.01).to_string());
                    }
                    Value::Text(text) if text.starts_with("20") => {
                        set.insert(json!(format!("{text}x")).to_string());
                    }
                    _ => {}
                }
            };
            match test {
                Test::In { values, .. } => values.iter().for_each(&mut add),
                Test::Range { low, high } => [low, high]
                    .into_iter()
                    .flatten()
                    .for_each(|(value, _)| add(value)),
                Test::Like { pattern, .. } => {
                    let text = pattern.replace('%', "");
                    set.insert(json!(text).to_string());
                    set.insert(json!(format!("a {text} b")).to_string());
                }
                Test::Null { .. } => {}
            }
        }
    }
}

/// A record with one of the values of each column, another one, or none.
fn record(
    kind: RecordKind,
    known: &BTreeMap<String, BTreeSet<String>>,
    seed: &mut u64,
) -> Map<String, Json> {
    let mut roll = |sides: usize| {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        usize::try_from(*seed % sides as u64).unwrap()
    };
    let mut record = Map::new();
    let mut place = Map::new();
    for (key, values) in known {
        let (path, entry) = key
            .split_once('#')
            .map_or((key.as_str(), None), |(path, entry)| (path, Some(entry)));
        let column: &Column = Catalog::of(kind).column(Catalog::of(kind).find(path).unwrap());
        let value = match roll(5) {
            0 => Json::Null,
            1 if column.value == ValueType::Text => json!("something else"),
            _ if values.is_empty() && column.value == ValueType::Boolean => json!(roll(2) == 0),
            _ if values.is_empty() => json!("x"),
            _ if column.value == ValueType::Boolean => json!(roll(2) == 0),
            _ => serde_json::from_str(values.iter().nth(roll(values.len())).unwrap()).unwrap(),
        };
        if value.is_null() {
            continue;
        }
        match (column.place, path.split_once('.'), entry) {
            (_, Some(("locations", name)), _) => {
                place.insert(name.to_owned(), value);
            }
            (Place::Record, Some((outer, inner)), _) => {
                let inside = record.entry(outer.to_owned()).or_insert_with(|| json!({}));
                inside[inner] = value;
            }
            (_, _, Some(entry)) => {
                let inside = record.entry(path.to_owned()).or_insert_with(|| json!({}));
                inside[entry] = value;
            }
            _ => {
                record.insert(path.to_owned(), value);
            }
        }
    }
    // A company without a place is one whose place is not known.
    if kind == RecordKind::Company {
        record.insert("locations".to_owned(), json!([place]));
    }
    record
}

fn says_the_same(kind: RecordKind, a: &Query, b: &Query) -> bool {
    let (Some(a), Some(b)) = (&a.filter, &b.filter) else {
        return false;
    };
    if a == b {
        return true;
    }
    let mut known = BTreeMap::new();
    values(a, &mut known, kind);
    values(b, &mut known, kind);
    let mut seed = 0x9E37_79B9_7F4A_7C15;
    (0..600).all(|_| {
        let record = record(kind, &known, &mut seed);
        interpret(a, kind, &record) == interpret(b, kind, &record)
    })
}

fn words(text: &str) -> HashSet<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// What became of one case.
#[derive(Debug)]
pub struct Judged {
    /// Its name.
    pub id: String,
    /// What it is about: kind of record, difficulty, and its tags.
    pub tags: Vec<String>,
    /// What is wrong; none if nothing is.
    pub problem: Option<String>,
    /// A sentence without an answer was answered.
    pub is_false_answer: bool,
    /// Phrases that had to be reported, and how many of them were.
    pub unsupported: (usize, usize),
    /// Phrases that were reported, and how many of them had to be.
    pub reported: (usize, usize),
}

/// Judges every line of `cases`; `names` are the names of the build, by kind of name.
///
/// # Panics
/// Where a line is no case.
#[must_use]
pub fn judge(cases: &str, names_of_build: &str) -> Vec<Judged> {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    let all: BTreeMap<String, Vec<String>> = serde_json::from_str(names_of_build).unwrap();
    let (people, companies) = (
        names(RecordKind::Person, &all),
        names(RecordKind::Company, &all),
    );
    let lines = cases.lines().map(|line| {
        let case: Case = serde_json::from_str(line).unwrap();
        let kind: RecordKind = case.entity.parse().unwrap();
        let names = if kind == RecordKind::Person {
            &people
        } else {
            &companies
        };
        judge_one(&case, kind, names, today)
    });
    lines.collect()
}

/// What is wrong with the accounts of the cases: words that nothing is said of, and clauses of which AND and OR alone do not make
/// the query, as where the opposite of what was applied is told.
///
/// # Panics
/// Where a line is no case.
#[must_use]
pub fn accounts(cases: &str, names_of_build: &str) -> Vec<String> {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    let all: BTreeMap<String, Vec<String>> = serde_json::from_str(names_of_build).unwrap();
    let mut wrong = Vec::new();
    for line in cases.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let kind: RecordKind = case.entity.parse().unwrap();
        let names = names(kind, &all);
        let untold = crate::unaccounted(kind, &case.query, &names, today);
        if !untold.is_empty() {
            wrong.push(format!("{}: nothing is told of {untold:?}", case.query));
        }
        if let Ok(found) = translate(kind, &case.query, &names, today)
            && !is_made_of_its_clauses(kind, &found)
        {
            let clauses = found.interpretation.applied;
            wrong.push(format!(
                "{}: {}\n{clauses:#?}",
                case.query,
                found.query.text()
            ));
        }
    }
    wrong
}

/// Whether a query is true of a record where it is true of another one of which no clause more is: it is made of the clauses by AND
/// and OR, and of all of them.
#[must_use]
pub fn is_made_of_its_clauses(kind: RecordKind, found: &crate::Translation) -> bool {
    let clauses = found.interpretation.applied.iter().map(|one| {
        let sql = format!("SELECT * FROM {} WHERE {}", kind.name(), one.clause);
        Query::parse(kind, &sql).unwrap().query.filter.unwrap()
    });
    let (clauses, query): (Vec<Filter>, _) = (clauses.collect(), found.query.filter.as_ref());
    let Some(query) = query else {
        return false;
    };
    let mut known = BTreeMap::new();
    values(query, &mut known, kind);
    clauses
        .iter()
        .for_each(|clause| values(clause, &mut known, kind));
    let mut seed = 0x9E37_79B9_7F4A_7C15;
    let (mut true_of, mut false_of) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..600 {
        let record = record(kind, &known, &mut seed);
        let holds = clauses
            .iter()
            .enumerate()
            .fold(0_u128, |holds, (at, clause)| {
                holds | u128::from(interpret(clause, kind, &record)) << (at % 128)
            });
        if interpret(query, kind, &record) {
            true_of.insert(holds);
        } else {
            false_of.insert(holds);
        }
    }
    let all = (0..clauses.len()).fold(0_u128, |all, at| all | 1 << (at % 128));
    let is_below = |a: u128, b: u128| a & !b == 0;
    !false_of.contains(&all)
        && !true_of.contains(&0)
        && true_of
            .iter()
            .all(|a| false_of.iter().all(|b| !is_below(*a, *b)))
}

fn judge_one(case: &Case, kind: RecordKind, names: &Names, today: NaiveDate) -> Judged {
    let found = translate(kind, &case.query, names, today);
    // Companies have places here.
    let (condition, unsupported) = case
        .alt
        .first()
        .map_or((&case.condition, &case.unsupported), |alt| {
            (&alt.condition, &alt.unsupported)
        });
    let mut judged = Judged {
        id: case.id.clone(),
        tags: [
            format!("entity={}", case.entity),
            format!("level={}", case.difficulty),
        ]
        .into_iter()
        .chain(case.tags.iter().cloned())
        .collect(),
        problem: None,
        is_false_answer: false,
        unsupported: (0, 0),
        reported: (0, 0),
    };
    let problem = match (found, case.expect.as_str()) {
        (Err(_), "error") => None,
        (Err(_), _) if case.or_error => None,
        (Ok(found), "error") => {
            judged.is_false_answer = true;
            Some(format!("answered: {}", found.query.text()))
        }
        (Err(_), _) => Some("refused".to_owned()),
        (Ok(found), _) => {
            let expected = expected(kind, condition);
            let said: Vec<HashSet<String>> = found
                .interpretation
                .unsupported
                .iter()
                .map(|one| words(&one.phrase))
                .collect();
            let wanted: Vec<HashSet<String>> =
                unsupported.iter().map(|phrase| words(phrase)).collect();
            let meets = |phrase: &HashSet<String>, others: &[HashSet<String>]| {
                others.iter().any(|other| !other.is_disjoint(phrase))
            };
            let hit = wanted.iter().filter(|phrase| meets(phrase, &said)).count();
            judged.unsupported = (wanted.len(), hit);
            judged.reported = (
                said.len(),
                said.iter().filter(|phrase| meets(phrase, &wanted)).count(),
            );
            if !says_the_same(kind, &found.query, &expected) {
                Some(format!(
                    "{}\n      expected {}",
                    found.query.text(),
                    expected.text()
                ))
            } else if hit < wanted.len() {
                Some(format!("not reported: {unsupported:?}"))
            } else {
                None
            }
        }
    };
    judged.problem = problem.map(|problem| format!("{} {}\n      {problem}", case.id, case.query));
    judged
}
