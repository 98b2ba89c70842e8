//! Field selection: the table of fields, cut to what a request wants.

use std::sync::{Arc, LazyLock};

use events_schema::record::{Field, FieldType, RecordKind};
use serde_json::{Map, Value};

use crate::instead::UnknownField;

/// The fields to show, in order, each with those below it.
#[derive(Debug)]
pub(super) struct Plan(pub(super) Vec<Planned>);

/// One field to show.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) field: &'static Field,
    pub(super) below: Plan,
    /// Its name in quotes.
    pub(super) key: String,
    /// What it is in a record whose document does not have it.
    pub(super) absent: Value,
    /// The same as a member of its object, compact: much of what a sparse document is filled with.
    pub(super) absent_member: String,
}

/// All fields, which most requests want.
static WHOLE: LazyLock<[Arc<Plan>; 2]> =
    LazyLock::new(|| RecordKind::ALL.map(|kind| Arc::new(cut(kind.fields(), "", None, &[]))));

impl Planned {
    fn new(field: &'static Field, below: Plan) -> Self {
        let key = Value::from(field.name).to_string();
        let absent = absent(field.kind, &below);
        Self {
            field,
            absent_member: format!("{key}:{absent}"),
            below,
            key,
            absent,
        }
    }
}

/// Scalars and what may be null as a whole are null, lists and maps are empty, other objects have all their keys.
fn absent(kind: FieldType, below: &Plan) -> Value {
    match kind {
        FieldType::List(_) | FieldType::CleanedList(_) | FieldType::TextList => {
            Value::Array(Vec::new())
        }
        FieldType::Map | FieldType::PeriodsMap => Value::Object(Map::new()),
        FieldType::Object {
            nullable: false, ..
        } => {
            let member = |below: &Planned| (below.field.name.to_owned(), below.absent.clone());
            Value::Object(below.0.iter().map(member).collect())
        }
        FieldType::Object { nullable: true, .. }
        | FieldType::Cleaned
        | FieldType::Periods
        | FieldType::Text
        | FieldType::Enum(_)
        | FieldType::Vocabulary(_)
        | FieldType::Id
        | FieldType::Url
        | FieldType::Code
        | FieldType::Date
        | FieldType::Integer
        | FieldType::Number
        | FieldType::Boolean => Value::Null,
    }
}

impl Plan {
    pub(super) fn new(
        kind: RecordKind,
        include: &str,
        exclude: &str,
    ) -> Result<Arc<Self>, Vec<UnknownField>> {
        let (include, exclude) = (paths(include), paths(exclude));
        if include.is_empty() && exclude.is_empty() {
            let [person, company] = &*WHOLE;
            return Ok(Arc::clone(match kind {
                RecordKind::Person => person,
                RecordKind::Company => company,
            }));
        }
        let unknown = |parameter, paths: &[&str]| {
            let unknown = paths.iter().filter(|path| kind.field(path).is_none());
            UnknownField::all(parameter, unknown.map(|path| (*path).to_owned()).collect())
        };
        let mut unknown_paths = unknown("include_fields", &include);
        unknown_paths.extend(unknown("exclude_fields", &exclude));
        let unknown = unknown_paths;
        if !unknown.is_empty() {
            return Err(unknown);
        }
        let include = if include.is_empty() {
            None
        } else {
            Some(include)
        };
        let mut plan = cut(kind.fields(), "", include.as_deref(), &exclude);
        plan.keep_id(kind);
        Ok(Arc::new(plan))
    }

    /// `service_id` is shown whatever was selected.
    fn keep_id(&mut self, kind: RecordKind) {
        let Some(id) = kind.field("service_id") else {
            return;
        };
        if !self.0.iter().any(|planned| planned.field.name == id.name) {
            self.0.insert(0, Planned::new(id, Self(Vec::new())));
        }
    }
}

fn paths(list: &str) -> Vec<&str> {
    list.split(',')
        .map(str::trim)
        .filter(|path| !path.is_empty())
        .collect()
}

/// `include` is `None` where everything is wanted.
fn cut(fields: &'static [Field], above: &str, include: Option<&[&str]>, exclude: &[&str]) -> Plan {
    let mut plan = Vec::new();
    for field in fields {
        let path = if above.is_empty() {
            field.name.to_owned()
        } else {
            format!("{above}.{}", field.name)
        };
        if exclude.contains(&path.as_str()) {
            continue;
        }
        let whole = include.is_none_or(|include| include.contains(&path.as_str()));
        let below = |wanted: &&str| {
            wanted
                .strip_prefix(path.as_str())
                .is_some_and(|rest| rest.starts_with('.'))
        };
        if whole || include.is_some_and(|include| include.iter().any(below)) {
            let include = if whole { None } else { include };
            let below = cut(field.children(), &path, include, exclude);
            plan.push(Planned::new(field, below));
        }
    }
    Plan(plan)
}
