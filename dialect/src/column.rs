//! The columns that a query may name, derived from the table of record fields, so that a field is searchable because it is
//! a field.
//!
//! - Scalars of the record, dot paths through objects included (`headline.cleaned`, `service_turnover_rate.12m`).
//! - Elements of lists (`emails.type`, `experience.organization.name.cleaned`): one [`List`] with its columns.
//! - Maps whose keys come from the data (`service_seniority_distribution.director`): kept as a list of entries with a
//!   column `key`; a query names an entry by its key.
//! - The forms of a company's name (`name`): a list of its own, so that any form is found.
//!
//! Raw forms (`….raw`) are for display and are no columns: a comparison ignores case anyway.

use std::collections::HashMap;
use std::sync::LazyLock;

use events_schema::record::{Field, FieldType, RecordKind};

/// Index of a column in its [`Catalog`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub u16);

/// Index of a list in its [`Catalog`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ListId(pub u8);

/// All columns of one kind of record.
#[derive(Debug)]
pub struct Catalog {
    kind: RecordKind,
    columns: Vec<Column>,
    lists: Vec<List>,
    by_path: HashMap<String, ColumnId>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its dot path, e.g. `emails.address`. Of a map `<map>` for the values, `<map>.1m` for a period, `<map>.*` for the keys.
    pub path: String,
    /// Where it stands.
    pub place: Place,
    /// What it holds.
    pub value: ValueType,
    /// The field that it was made from.
    pub field: &'static Field,
}

/// Where a column's values stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One a record.
    Record,
    /// One an element of this list.
    Element(ListId),
    /// The key of an entry of this map.
    MapKey(ListId),
    /// A figure of an entry of this map.
    MapValue(ListId),
}

impl Place {
    /// The list that the values belong to.
    #[must_use]
    pub const fn list(self) -> Option<ListId> {
        match self {
            Self::Record => None,
            Self::Element(list) | Self::MapKey(list) | Self::MapValue(list) => Some(list),
        }
    }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// Text, folded.
    Text,
    /// UUID in its usual lower-case form.
    Id,
    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    Date,
    /// Whole number.
    Integer,
    /// Number.
    Number,
    /// true or false.
    Boolean,
}

/// A list of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// Its path: `emails`; `name` for the forms of a company's name.
    pub path: String,
    /// What its elements are.
    pub form: ListForm,
    /// Its columns.
    pub columns: Vec<ColumnId>,
}

/// What the elements of a list are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListForm {
    /// Objects of a JSON array.
    Elements,
    /// Entries of a JSON object; the first column is the key.
    Entries,
    /// All forms of a company's name, each once: cleaned, display and raw.
    NameForms,
}

impl Catalog {
    /// The columns of a kind.
    #[must_use]
    pub fn of(kind: RecordKind) -> &'static Self {
        static PERSON: LazyLock<Catalog> = LazyLock::new(|| Catalog::build(RecordKind::Person));
        static COMPANY: LazyLock<Catalog> = LazyLock::new(|| Catalog::build(RecordKind::Company));
        match kind {
            RecordKind::Person => &PERSON,
            RecordKind::Company => &COMPANY,
        }
    }

    /// Person or company.
    #[must_use]
    pub const fn kind(&self) -> RecordKind {
        self.kind
    }

    /// All columns; a [`ColumnId`] is an index here.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// All lists; a [`ListId`] is an index here.
    #[must_use]
    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// The column at a path.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<ColumnId> {
        self.by_path.get(path).copied()
    }

    /// The list at a path.
    #[must_use]
    pub fn find_list(&self, path: &str) -> Option<ListId> {
        let at = self.lists.iter().position(|list| list.path == path)?;
        u8::try_from(at).ok().map(ListId)
    }

    /// A column by its id.
    ///
    /// # Panics
    /// Never for an id of this catalogue.
    #[must_use]
    #[allow(
        clippy::indexing_slicing,
        reason = "ids are made by this catalogue alone"
    )]
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[usize::from(id.0)]
    }

    /// A list by its id.
    ///
    /// # Panics
    /// Never for an id of this catalogue.
    #[must_use]
    #[allow(
        clippy::indexing_slicing,
        reason = "ids are made by this catalogue alone"
    )]
    pub fn list(&self, id: ListId) -> &List {
        &self.lists[usize::from(id.0)]
    }

    fn build(kind: RecordKind) -> Self {
        let mut catalog = Self {
            kind,
            columns: Vec::new(),
            lists: Vec::new(),
            by_path: HashMap::new(),
        };
        for field in kind.fields() {
            catalog.add(field, field.name.to_owned(), Place::Record);
        }
        if kind == RecordKind::Company
            && let Some(name) = kind.field("name.cleaned")
        {
            let list = catalog.add_list("name".to_owned(), ListForm::NameForms);
            catalog.push(
                "name".to_owned(),
                Place::Element(list),
                ValueType::Text,
                name,
            );
        }
        catalog
    }

    fn add(&mut self, field: &'static Field, path: String, place: Place) {
        let scalar = match field.kind {
            FieldType::Text
            | FieldType::Enum(_)
            | FieldType::Vocabulary(_)
            | FieldType::Url
            | FieldType::Code => ValueType::Text,
            FieldType::Id => ValueType::Id,
            FieldType::Date => ValueType::Date,
            FieldType::Integer => ValueType::Integer,
            FieldType::Number => ValueType::Number,
            FieldType::Boolean => ValueType::Boolean,
            FieldType::Cleaned | FieldType::Object { .. } | FieldType::Periods => {
                return self.add_below(field, &path, place);
            }
            FieldType::List(_) | FieldType::CleanedList(_) => {
                let list = self.add_list(path.clone(), ListForm::Elements);
                return self.add_below(field, &path, Place::Element(list));
            }
            FieldType::Map => {
                let list = self.add_list(path.clone(), ListForm::Entries);
                self.push(
                    format!("{path}.*"),
                    Place::MapKey(list),
                    ValueType::Text,
                    field,
                );
                return self.push(path, Place::MapValue(list), ValueType::Number, field);
            }
            FieldType::PeriodsMap => {
                let list = self.add_list(path.clone(), ListForm::Entries);
                self.push(
                    format!("{path}.*"),
                    Place::MapKey(list),
                    ValueType::Text,
                    field,
                );
                for period in ["1m", "3m", "6m", "12m"] {
                    let path = format!("{path}.{period}");
                    self.push(path, Place::MapValue(list), ValueType::Number, field);
                }
                return;
            }
            // Raw forms are for display.
            FieldType::TextList => return,
        };
        self.push(path, place, scalar, field);
    }

    fn add_below(&mut self, field: &'static Field, path: &str, place: Place) {
        for below in field.children() {
            self.add(below, format!("{path}.{}", below.name), place);
        }
    }

    fn add_list(&mut self, path: String, form: ListForm) -> ListId {
        let id = ListId(u8::try_from(self.lists.len()).unwrap_or(u8::MAX));
        self.lists.push(List {
            path,
            form,
            columns: Vec::new(),
        });
        id
    }

    fn push(&mut self, path: String, place: Place, value: ValueType, field: &'static Field) {
        let id = ColumnId(u16::try_from(self.columns.len()).unwrap_or(u16::MAX));
        self.by_path.insert(path.clone(), id);
        self.columns.push(Column {
            path,
            place,
            value,
            field,
        });
        if let Some(list) = place.list()
            && let Some(list) = self.lists.get_mut(usize::from(list.0))
        {
            list.columns.push(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_one_column_of_its_place() {
        for kind in RecordKind::ALL {
            let catalog = Catalog::of(kind);
            for (at, column) in catalog.columns().iter().enumerate() {
                assert_eq!(
                    catalog.find(&column.path),
                    u16::try_from(at).ok().map(ColumnId)
                );
            }
        }
    }
}
