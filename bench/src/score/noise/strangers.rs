//! People who do not exist where they are asked for: the given name of one record and the family name of another, at the employer of
//! the first one. Where somebody is called so there, by chance, nobody is asked for.

use events_schema::record::RecordKind;
use serde_json::{Map, Value};

use super::text;
use crate::query::Query;
use crate::world::World;

/// One such request for so many records.
const EVERY: usize = 4;

pub(super) fn queries(world: &World, records: &[Value]) -> Vec<Query> {
    let name = |record: &Value| {
        let part = |field| text(record, field).map(str::to_lowercase);
        Some((part("/first_name")?, part("/last_name")?))
    };
    let pairs = records.iter().zip(records.iter().skip(1)).step_by(EVERY);
    let query = |(one, other): (&Value, &Value)| {
        let (given, family) = (name(one)?.0, name(other)?.1);
        let company = text(one, "/company_name")?;
        // Who is called by two names, or by a short one, is no stranger.
        let is_other = name(one)?.0.chars().next() != name(other)?.0.chars().next();
        if world.is_at([&given, &family], company) || !is_other {
            return None;
        }
        let mut body = Map::new();
        body.insert("full_name".to_owned(), format!("{given} {family}").into());
        body.insert("company".to_owned(), company.into());
        Some(Query {
            subject: RecordKind::Person,
            kind: "none_crossed".to_owned(),
            noise: Vec::new(),
            body,
            truth: None,
            names: None,
        })
    };
    pairs.filter_map(query).collect()
}
