//! Which column, list or map entry a dot path names.

use std::sync::LazyLock;

use events_schema::record::RecordKind;

use crate::column::{Catalog, ColumnId, ListForm, ListId, Place};
use crate::filter::Target;
use crate::fold;
use crate::near::nearest;
use crate::usual::meant_by;

/// Suggestions for a column that does not exist.
const MAX_SUGGESTIONS: usize = 3;

/// A short name of a column of a list. It stands for some element by itself: two of them need not hold for the same one.
pub(crate) struct Shortcut {
    pub(crate) name: &'static str,
    column: &'static str,
    /// Whether the name is also that of the list, so that `IS NULL` asks whether the list is empty.
    pub(crate) is_list: bool,
}

const PERSON_SHORTCUTS: [Shortcut; 4] = [
    Shortcut {
        name: "title",
        column: "experience.title.cleaned",
        is_list: false,
    },
    Shortcut {
        name: "organization_name",
        column: "experience.organization.name.cleaned",
        is_list: false,
    },
    Shortcut {
        name: "skills",
        column: "skills.cleaned",
        is_list: true,
    },
    Shortcut {
        name: "languages",
        column: "languages.cleaned",
        is_list: true,
    },
];

const COMPANY_SHORTCUTS: [Shortcut; 1] = [Shortcut {
    name: "name",
    column: "name",
    is_list: true,
}];

const fn shortcuts(kind: RecordKind) -> &'static [Shortcut] {
    match kind {
        RecordKind::Person => &PERSON_SHORTCUTS,
        RecordKind::Company => &COMPANY_SHORTCUTS,
    }
}

/// The shortcut of a column.
pub(crate) fn shortcut_of(catalog: &Catalog, column: ColumnId) -> Option<&'static Shortcut> {
    let path = &catalog.column(column).path;
    shortcuts(catalog.kind())
        .iter()
        .find(|shortcut| shortcut.column == path)
}

/// What a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    /// A value of the record.
    Record(Target),
    /// A value of an element; what is said of one element belongs together.
    Element(ListId, Target),
    /// A value of some element, by a short name.
    Shortcut {
        list: ListId,
        target: Target,
        is_list: bool,
    },
    /// A list as a whole.
    List(ListId),
}

/// A path that names nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unknown {
    pub(crate) message: String,
    pub(crate) suggestions: Vec<String>,
    /// Where none is suggested: the columns that a record has one value of, the shortcuts and the lists.
    pub(crate) accepted: Vec<&'static str>,
}

/// Finds what a path names. The first part may be one of `prefixes`: the table or its alias.
pub(crate) fn resolve(
    catalog: &Catalog,
    prefixes: &[String],
    parts: &[String],
) -> Result<Named, Unknown> {
    let parts: Vec<String> = parts.iter().map(|part| fold(part)).collect();
    if let Some(found) = direct(catalog, &parts) {
        return Ok(found);
    }
    let rest = match parts.split_first() {
        Some((first, rest)) if !rest.is_empty() && prefixes.contains(first) => {
            match direct(catalog, rest) {
                Some(found) => return Ok(found),
                None => rest,
            }
        }
        _ => &parts,
    };
    Err(unknown(catalog, &rest.join(".")))
}

/// The column whose values a path names: of a list those of its elements, of a shortcut the cleaned ones.
///
/// # Errors
/// The nearest paths where it names no column.
pub fn column_of(kind: RecordKind, path: &str) -> Result<ColumnId, Vec<String>> {
    let catalog = Catalog::of(kind);
    let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
    match resolve(catalog, &[], &parts) {
        Ok(
            Named::Record(Target { column, key: None }) | Named::Element(_, Target { column, .. }),
        ) => Ok(column),
        Ok(Named::Shortcut { target, .. }) => {
            Ok(cleaned(catalog, target.column).unwrap_or(target.column))
        }
        Ok(Named::Record(_) | Named::List(_)) => Err(unknown(catalog, path).suggestions),
        Err(unknown) => Err(unknown.suggestions),
    }
}

/// The cleaned form of what has several.
fn cleaned(catalog: &Catalog, column: ColumnId) -> Option<ColumnId> {
    catalog.find(&format!("{}.cleaned", catalog.column(column).path))
}

/// The column that `ORDER BY` may name by this path: one value a record.
pub(crate) fn orderable(catalog: &Catalog, named: &Named) -> Option<ColumnId> {
    match named {
        Named::Record(Target { column, key: None }) => Some(*column),
        Named::Shortcut { target, .. } => {
            let cleaned = cleaned(catalog, target.column)?;
            (catalog.column(cleaned).place == Place::Record).then_some(cleaned)
        }
        _ => None,
    }
}

fn direct(catalog: &Catalog, parts: &[String]) -> Option<Named> {
    let path = parts.join(".");
    if let Some(shortcut) = shortcuts(catalog.kind()).iter().find(|s| s.name == path) {
        let column = catalog.find(shortcut.column)?;
        return Some(Named::Shortcut {
            list: catalog.column(column).place.list()?,
            target: Target { column, key: None },
            is_list: shortcut.is_list,
        });
    }
    let found = catalog
        .find(&path)
        .or_else(|| catalog.find(&format!("{path}.cleaned")));
    if let Some(column) = found {
        let target = Target { column, key: None };
        match catalog.column(column).place {
            Place::Record => return Some(Named::Record(target)),
            Place::Element(list) => return Some(Named::Element(list, target)),
            // A map by itself is the list of its entries.
            Place::MapKey(_) | Place::MapValue(_) => {}
        }
    }
    if let Some(list) = catalog.find_list(&path) {
        return Some(Named::List(list));
    }
    entry(catalog, parts)
}

/// `<map>.<key>`, or `<map>.<key>.<period>`; a key with dots in it may be written in parts.
fn entry(catalog: &Catalog, parts: &[String]) -> Option<Named> {
    let (map, rest) = parts.split_first()?;
    let list = catalog.find_list(map)?;
    if catalog.list(list).form != ListForm::Entries {
        return None;
    }
    // What the entries are called is a column, too, and none of theirs.
    let is_figure = |column: &ColumnId| matches!(catalog.column(*column).place, Place::MapValue(_));
    let figure = |path: &str| catalog.find(path).filter(is_figure);
    let whole = figure(map).filter(|_| !rest.is_empty());
    let (column, key) = match whole {
        Some(column) => (column, rest.join(".")),
        None => {
            let (period, key) = rest.split_last().filter(|(_, key)| !key.is_empty())?;
            (figure(&format!("{map}.{period}"))?, key.join("."))
        }
    };
    Some(Named::Record(Target {
        column,
        key: Some(key),
    }))
}

/// All paths that a query can name.
fn paths(catalog: &'static Catalog) -> Vec<&'static str> {
    let columns = catalog.columns().iter();
    let columns =
        columns.filter(|column| !matches!(column.place, Place::MapKey(_) | Place::MapValue(_)));
    let short = shortcuts(catalog.kind())
        .iter()
        .map(|shortcut| shortcut.name);
    columns
        .map(|column| column.path.as_str())
        .chain(short)
        .collect()
}

static PERSON_PATHS: LazyLock<Vec<&str>> = LazyLock::new(|| paths(Catalog::of(RecordKind::Person)));
static COMPANY_PATHS: LazyLock<Vec<&str>> =
    LazyLock::new(|| paths(Catalog::of(RecordKind::Company)));

/// The columns and lists of a record, without what is inside lists and maps.
fn at_the_top(kind: RecordKind) -> Vec<&'static str> {
    let catalog = Catalog::of(kind);
    let columns = catalog.columns().iter();
    let columns = columns.filter(|column| column.place == Place::Record);
    let columns = columns.map(|column| column.path.trim_end_matches(".cleaned"));
    let short = shortcuts(kind).iter().map(|shortcut| shortcut.name);
    let lists = catalog.lists().iter().map(|list| list.path.as_str());
    let mut top: Vec<&str> = Vec::new();
    for name in columns.chain(short).chain(lists) {
        if !top.contains(&name) {
            top.push(name);
        }
    }
    top
}

fn unknown(catalog: &Catalog, path: &str) -> Unknown {
    let kind = catalog.kind();
    let shown: String = path.chars().take(96).collect();
    let meant = meant_by(kind, path);
    if meant == Some(&[]) {
        return Unknown {
            message: format!("There is no column `{shown}` on {kind}, nor one that says it."),
            suggestions: Vec::new(),
            accepted: at_the_top(kind),
        };
    }
    let paths: &[&str] = match kind {
        RecordKind::Person => &PERSON_PATHS,
        RecordKind::Company => &COMPANY_PATHS,
    };
    let last = path.rsplit('.').next().unwrap_or(path);
    let mut suggestions: Vec<&str> = meant.unwrap_or_default().to_vec();
    // Raw forms are for display; what is compared is the cleaned form.
    if let Some(parent) = path.strip_suffix(".raw") {
        let cleaned = format!("{parent}.cleaned");
        suggestions.extend(paths.iter().find(|known| **known == parent));
        suggestions.extend(paths.iter().find(|known| **known == cleaned));
    }
    suggestions.extend(nearest(path, paths.iter().copied(), MAX_SUGGESTIONS));
    let same_last = paths
        .iter()
        .filter(|known| known.rsplit('.').next() == Some(last));
    suggestions.extend(same_last.take(MAX_SUGGESTIONS));
    if let Some((list, _)) = path.split_once('.') {
        let below: Vec<&str> = paths
            .iter()
            .copied()
            .filter(|known| known.split('.').next() == Some(list))
            .collect();
        suggestions.extend(nearest(path, below.iter().copied(), MAX_SUGGESTIONS));
        suggestions.extend(below);
    }
    let mut unique: Vec<String> = Vec::new();
    for suggestion in suggestions {
        if unique.len() < MAX_SUGGESTIONS && !unique.iter().any(|known| known == suggestion) {
            unique.push(suggestion.to_owned());
        }
    }
    let is_map = catalog
        .find_list(path.split('.').next().unwrap_or(path))
        .is_some_and(|list| catalog.list(list).form == ListForm::Entries);
    if is_map {
        let map = path.split('.').next().unwrap_or(path);
        unique.insert(0, format!("{map}.<entry>.12m"));
        unique.truncate(MAX_SUGGESTIONS);
    }
    Unknown {
        message: format!("There is no column `{shown}` on {kind}."),
        accepted: if unique.is_empty() {
            at_the_top(kind)
        } else {
            Vec::new()
        },
        suggestions: unique,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(kind: RecordKind, path: &str) -> Result<Named, Unknown> {
        let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
        resolve(Catalog::of(kind), &["p".to_owned()], &parts)
    }

    #[test]
    fn every_column_is_named_by_its_path() {
        for kind in RecordKind::ALL {
            let catalog = Catalog::of(kind);
            for path in paths(catalog) {
                let found = named(kind, path).unwrap();
                let target = match found {
                    Named::Record(target)
                    | Named::Element(_, target)
                    | Named::Shortcut { target, .. } => target,
                    Named::List(_) => panic!("{path} is a list"),
                };
                let column = catalog.column(target.column);
                assert!(column.path == path || shortcut_of(catalog, target.column).is_some());
            }
        }
    }

    #[test]
    fn a_slip_the_last_part_and_a_raw_form_are_suggested() {
        let first = |path| {
            let unknown = named(RecordKind::Person, path).unwrap_err();
            unknown.suggestions.into_iter().next().unwrap_or_default()
        };
        assert_eq!(first("job_titel"), "job_title");
        assert_eq!(first("p.full_nam"), "full_name");
        assert_eq!(first("address"), "emails.address");
        assert_eq!(first("emails.adress"), "emails.address");
        assert_eq!(first("experience.title.raw"), "experience.title.cleaned");
    }

    #[test]
    fn usual_other_names_are_suggested_and_what_no_record_has_is_said() {
        for (kind, path, suggested) in [
            (RecordKind::Company, "employees", "service_employee_count"),
            (RecordKind::Company, "headcount", "service_employee_count"),
            (RecordKind::Company, "website", "domain"),
            (RecordKind::Person, "company", "company_name"),
            (RecordKind::Person, "p.seniority", "seniority_level"),
        ] {
            let unknown = named(kind, path).unwrap_err();
            assert_eq!(unknown.suggestions[0], suggested, "{path}");
        }
        for kind in RecordKind::ALL {
            let place = named(kind, "location").unwrap_err();
            assert_eq!(place.suggestions, ["city", "state", "country"]);
            for (path, said) in [("revenue", "nor one that says it"), ("zzzzzz", "on")] {
                let unknown = named(kind, path).unwrap_err();
                assert!(unknown.message.contains(said), "{}", unknown.message);
                assert_eq!(unknown.suggestions, Vec::<String>::new());
                assert!(unknown.accepted.contains(&"city"), "{:?}", unknown.accepted);
                assert!(unknown.accepted.len() < 80, "{}", unknown.accepted.len());
            }
        }
    }

    #[test]
    fn entries_of_maps_are_named_by_their_key() {
        let catalog = Catalog::of(RecordKind::Company);
        let target = |path: &str| match named(RecordKind::Company, path) {
            Ok(Named::Record(target)) => (
                catalog.column(target.column).path.clone(),
                target.key.unwrap_or_default(),
            ),
            other => panic!("{path}: {other:?}"),
        };
        let map = "service_seniority_distribution";
        assert_eq!(
            target(&format!("{map}.Director")),
            (map.to_owned(), "director".to_owned())
        );
        assert_eq!(
            target("service_seniority_growth_rate.vp.12m"),
            (
                "service_seniority_growth_rate.12m".to_owned(),
                "vp".to_owned()
            )
        );
        for unknown in ["vp", "*", "vp.*", "vp.1y"] {
            let path = format!("service_seniority_growth_rate.{unknown}");
            assert!(named(RecordKind::Company, &path).is_err(), "{path}");
        }
        assert!(matches!(
            named(RecordKind::Company, map),
            Ok(Named::List(_))
        ));
    }
}
