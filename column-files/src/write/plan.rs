//! What is done with each key of a document: the catalogue as a tree of keys.

use dialect::{Catalog, ValueType};
use events_schema::record::{Field, FieldType, RecordKind};

/// Whose hash of an address a column holds, in the order of the columns.
pub(super) const HASHES: [&str; 3] = ["emails.hash_sha256", "emails.hash_sha1", "emails.hash_md5"];
/// The column of the addresses.
pub(super) const ADDRESS: &str = "emails.address";

/// What stands at a key.
#[derive(Debug)]
pub(super) enum Node {
    /// A value of a column.
    Value(Leaf),
    /// An object.
    Object(Vec<(String, Node)>),
    /// A list of objects.
    Elements {
        list: usize,
        fields: Vec<(String, Node)>,
    },
    /// An object whose keys come from the data.
    Entries {
        list: usize,
        key: Leaf,
        value: Box<Node>,
    },
    /// A form of a company's name, also of column `leaf` if there is one; text or a list of text.
    NameForm {
        list: usize,
        form: Leaf,
        leaf: Option<Leaf>,
    },
}

/// A column that takes a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    /// Its place in the catalogue.
    pub(super) column: usize,
    /// What it holds.
    pub(super) value: ValueType,
    /// What it is to the e-mail hashes.
    pub(super) hash: HashPart,
}

/// What a column is to the e-mail hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HashPart {
    None,
    Address,
    Hash(usize),
}

/// The tree of a kind.
pub(super) fn of(kind: RecordKind) -> Vec<(String, Node)> {
    let catalog = Catalog::of(kind);
    below(catalog, kind.fields(), "")
}

fn below(catalog: &Catalog, fields: &[Field], path: &str) -> Vec<(String, Node)> {
    fields
        .iter()
        .filter_map(|field| {
            let path = if path.is_empty() {
                field.name.to_owned()
            } else {
                format!("{path}.{}", field.name)
            };
            Some((field.name.to_owned(), node(catalog, field, &path)?))
        })
        .collect()
}

fn node(catalog: &Catalog, field: &Field, path: &str) -> Option<Node> {
    let list = || catalog.find_list(path).map(|list| usize::from(list.0));
    if catalog.kind() == RecordKind::Company
        && matches!(path, "name.cleaned" | "name.display" | "name.raw")
    {
        return Some(Node::NameForm {
            list: usize::from(catalog.find_list("name")?.0),
            form: leaf(catalog, "name")?,
            leaf: leaf(catalog, path),
        });
    }
    match field.kind {
        FieldType::Cleaned | FieldType::Object { .. } | FieldType::Periods => {
            Some(Node::Object(below(catalog, field.children(), path)))
        }
        FieldType::List(_) | FieldType::CleanedList(_) => Some(Node::Elements {
            list: list()?,
            fields: below(catalog, field.children(), path),
        }),
        FieldType::Map => Some(Node::Entries {
            list: list()?,
            key: leaf(catalog, &format!("{path}.*"))?,
            value: Box::new(Node::Value(leaf(catalog, path)?)),
        }),
        FieldType::PeriodsMap => {
            let periods = ["1m", "3m", "6m", "12m"].into_iter();
            let value = |period: &str| leaf(catalog, &format!("{path}.{period}"));
            let periods =
                periods.map(|period| Some((period.to_owned(), Node::Value(value(period)?))));
            Some(Node::Entries {
                list: list()?,
                key: leaf(catalog, &format!("{path}.*"))?,
                value: Box::new(Node::Object(periods.collect::<Option<_>>()?)),
            })
        }
        // Raw forms are for display and have no column.
        _ => leaf(catalog, path).map(Node::Value),
    }
}

fn leaf(catalog: &Catalog, path: &str) -> Option<Leaf> {
    let column = usize::from(catalog.find(path)?.0);
    let value = catalog.columns().get(column)?.value;
    let hash = match HASHES.iter().position(|hash| *hash == path) {
        Some(hash) => HashPart::Hash(hash),
        None if path == ADDRESS => HashPart::Address,
        None => HashPart::None,
    };
    Some(Leaf {
        column,
        value,
        hash,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(nodes: &[(String, Node)], columns: &mut Vec<usize>) {
        for (_, node) in nodes {
            match node {
                Node::Value(leaf) => columns.push(leaf.column),
                Node::Object(fields) | Node::Elements { fields, .. } => count(fields, columns),
                Node::Entries { key, value, .. } => {
                    columns.push(key.column);
                    match &**value {
                        Node::Value(leaf) => columns.push(leaf.column),
                        Node::Object(fields) => count(fields, columns),
                        other => panic!("{other:?}"),
                    }
                }
                Node::NameForm { form, leaf, .. } => {
                    columns.push(form.column);
                    columns.extend(leaf.map(|leaf| leaf.column));
                }
            }
        }
    }

    #[test]
    fn every_column_has_its_place_in_a_document() {
        for kind in RecordKind::ALL {
            let mut columns = Vec::new();
            count(&of(kind), &mut columns);
            columns.sort_unstable();
            columns.dedup();
            assert_eq!(
                columns,
                (0..Catalog::of(kind).columns().len()).collect::<Vec<_>>(),
                "{kind}"
            );
        }
    }
}
