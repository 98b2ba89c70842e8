//! Field selection: the table of fields, cut to what a request wants.

use events_schema::record::{Field, RecordKind};

/// The fields to show, in order, each with those below it.
#[derive(Debug, Clone)]
pub(super) struct Plan(pub(super) Vec<Planned>);

/// One field to show.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    pub(super) field: &'static Field,
    pub(super) below: Plan,
}

impl Plan {
    pub(super) fn new(kind: RecordKind, include: &str, exclude: &str) -> Result<Self, Vec<String>> {
        let (include, exclude) = (paths(include), paths(exclude));
        let known = |path: &str| kind.field(path).is_some();
        let unknown: Vec<String> = include
            .iter()
            .chain(&exclude)
            .filter(|path| !known(path))
            .map(|path| (*path).to_owned())
            .collect();
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
        Ok(plan)
    }

    /// `service_id` is shown whatever was selected.
    fn keep_id(&mut self, kind: RecordKind) {
        let Some(id) = kind.field("service_id") else {
            return;
        };
        if !self.0.iter().any(|planned| planned.field.name == id.name) {
            self.0.insert(
                0,
                Planned {
                    field: id,
                    below: Self(Vec::new()),
                },
            );
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
            plan.push(Planned {
                field,
                below: cut(field.children(), &path, include, exclude),
            });
        }
    }
    Plan(plan)
}
