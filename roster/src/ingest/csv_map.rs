//! Which column of a CSV file holds which field of a record.

use std::path::Path;

use events_schema::record::{Field, FieldType, RecordKind};
use serde_json::{Map as Object, Value};

use crate::failure::Failure;
use crate::ingest::csv_records::Cells;

/// Lists that a line may hold beside the record's own fields (`docs/RECORDS.md`, "What ingest takes").
const FURTHER_LISTS: [&str; 2] = ["name_aliases", "merged_ids"];
/// Most elements of one list.
const MAX_LIST: usize = 100;

/// `field.path = "column"`, in the order of the file.
pub(crate) struct ColumnMap(Vec<(String, String)>);

impl ColumnMap {
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let wrong =
            |fault: &dyn std::fmt::Display| Failure::usage(format!("{}: {fault}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|fault| wrong(&fault))?;
        let table: toml::Table = text.parse().map_err(|fault| wrong(&fault))?;
        let mut entries = Vec::new();
        flatten("", &table, &mut entries).map_err(|fault| wrong(&fault))?;
        Ok(Self(entries))
    }
}

/// Dotted keys are tables in TOML; here they are paths again.
fn flatten(
    prefix: &str,
    table: &toml::Table,
    entries: &mut Vec<(String, String)>,
) -> Result<(), String> {
    for (key, value) in table {
        let path = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        match value {
            toml::Value::String(column) => entries.push((path, column.clone())),
            toml::Value::Table(inner) => flatten(&path, inner, entries)?,
            _ => return Err(format!("{path}: expected the name of a column in quotes")),
        }
    }
    Ok(())
}

/// The columns of one file, each with the place of its value.
pub(crate) struct Columns {
    width: usize,
    places: Vec<(usize, Place)>,
}

impl Columns {
    /// Without a map, the names of the columns are the paths.
    ///
    /// # Errors
    /// When a path cannot be, or two columns would go into one place: of two values one would be lost.
    pub(crate) fn new(
        kind: RecordKind,
        header: &[&str],
        map: Option<&ColumnMap>,
    ) -> Result<Self, Failure> {
        let names = header.iter().map(|name| name.trim()).enumerate();
        let wanted: Vec<(usize, &str)> = match map {
            None => names.filter(|(_, name)| !name.is_empty()).collect(),
            Some(ColumnMap(entries)) => entries
                .iter()
                .map(|(path, column)| {
                    let mut found = names.clone().filter(|(_, name)| name == column);
                    match (found.next(), found.next()) {
                        (Some((index, _)), None) => Ok((index, path.as_str())),
                        (None, _) => Err(Failure::usage(format!(
                            "the map names column {column:?}; the file has none of that name"
                        ))),
                        (Some(_), Some(_)) => Err(Failure::usage(format!(
                            "the map names column {column:?}; the file has several of that name"
                        ))),
                    }
                })
                .collect::<Result<_, _>>()?,
        };
        let mut columns = Self {
            width: header.len(),
            places: Vec::new(),
        };
        for (index, path) in wanted {
            let place = Place::new(kind, path)?;
            if columns.places.iter().any(|(_, other)| place.meets(other)) {
                let message = format!("{path}: another column goes into the same place");
                return Err(Failure::usage(message));
            }
            columns.places.push((index, place));
        }
        Ok(columns)
    }

    /// The record as a JSON object; none if it is not as wide as the header or no UTF-8. Empty cells are left out.
    pub(crate) fn object(&self, record: Cells<'_>) -> Option<Value> {
        if record.len() != self.width {
            return None;
        }
        let mut object = Value::Object(Object::new());
        for (index, place) in &self.places {
            let cell = std::str::from_utf8(record.get(*index)?).ok()?.trim();
            if !cell.is_empty() {
                place.put(&mut object, cell);
            }
        }
        close_gaps(&mut object);
        Some(object)
    }
}

/// Where a value goes.
struct Place {
    steps: Vec<Step>,
    reading: Reading,
}

#[derive(PartialEq)]
enum Step {
    Key(String),
    Element(usize),
}

/// What the text of a cell is read as; text that cannot be read so stays text, for the service to count.
#[derive(Clone, Copy)]
enum Reading {
    Text,
    Integer,
    Number,
    Boolean,
}

impl Place {
    /// Lists take the element whose number follows, or their first.
    fn new(kind: RecordKind, path: &str) -> Result<Self, Failure> {
        let mut steps = Vec::new();
        let mut fields = kind.fields();
        let mut reading = Reading::Text;
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            let field = fields.iter().find(|field| field.name == name);
            steps.push(Step::Key(name.to_owned()));
            if field.is_some_and(is_list) || FURTHER_LISTS.contains(&name) {
                let number = names.next_if(|next| next.bytes().all(|byte| byte.is_ascii_digit()));
                steps.push(Step::Element(
                    number.map_or(Ok(0), |text| element(path, text))?,
                ));
            }
            fields = field.map_or(&[], Field::children);
            reading = field.map_or(reading, |field| reading_of(field.kind));
        }
        Ok(Self { steps, reading })
    }

    /// Whether one of the two lies in the other, or they are the same.
    fn meets(&self, other: &Self) -> bool {
        self.steps.iter().zip(&other.steps).all(|(a, b)| a == b)
    }

    fn put(&self, object: &mut Value, cell: &str) {
        let target = self.steps.iter().fold(object, |parent, step| match step {
            Step::Key(key) => child(parent, key),
            Step::Element(index) => nth(parent, *index),
        });
        *target = self.reading.value(cell);
    }
}

impl Reading {
    fn value(self, cell: &str) -> Value {
        let read = match self {
            Self::Text => None,
            Self::Integer => cell.parse::<i64>().ok().map(Value::from),
            Self::Number => cell
                .parse::<f64>()
                .ok()
                .map(Value::from)
                .filter(Value::is_number),
            Self::Boolean => match cell.to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" => Some(Value::Bool(true)),
                "false" | "no" | "0" => Some(Value::Bool(false)),
                _ => None,
            },
        };
        read.unwrap_or_else(|| Value::from(cell))
    }
}

const fn reading_of(kind: FieldType) -> Reading {
    match kind {
        FieldType::Integer => Reading::Integer,
        FieldType::Number | FieldType::Map | FieldType::Periods | FieldType::PeriodsMap => {
            Reading::Number
        }
        FieldType::Boolean => Reading::Boolean,
        FieldType::Text
        | FieldType::Enum(_)
        | FieldType::Vocabulary(_)
        | FieldType::Id
        | FieldType::Url
        | FieldType::Code
        | FieldType::Date
        | FieldType::Cleaned
        | FieldType::Object { .. }
        | FieldType::List(_)
        | FieldType::TextList
        | FieldType::CleanedList(_) => Reading::Text,
    }
}

const fn is_list(field: &Field) -> bool {
    matches!(
        field.kind,
        FieldType::List(_) | FieldType::TextList | FieldType::CleanedList(_)
    )
}

fn element(path: &str, text: &str) -> Result<usize, Failure> {
    text.parse()
        .ok()
        .filter(|index| *index < MAX_LIST)
        .ok_or_else(|| Failure::usage(format!("{path}: a list has elements 0 to {}", MAX_LIST - 1)))
}

/// The value under a key; what stood there instead of an object gives way.
fn child<'a>(parent: &'a mut Value, key: &str) -> &'a mut Value {
    if !parent.is_object() {
        *parent = Value::Object(Object::new());
    }
    match parent {
        Value::Object(map) => map.entry(key).or_insert(Value::Null),
        other => other,
    }
}

/// The element of a list, made longer as needed.
fn nth(parent: &mut Value, index: usize) -> &mut Value {
    if !parent.is_array() {
        *parent = Value::Array(Vec::new());
    }
    let Value::Array(list) = parent else {
        return parent;
    };
    if list.len() <= index {
        list.resize(index + 1, Value::Null);
    }
    // Invariant: the list was made long enough just now.
    #[allow(clippy::indexing_slicing)]
    &mut list[index]
}

/// Elements whose cells were all empty go.
fn close_gaps(value: &mut Value) {
    match value {
        Value::Array(list) => {
            list.retain(|element| !element.is_null());
            list.iter_mut().for_each(close_gaps);
        }
        Value::Object(map) => map.values_mut().for_each(close_gaps),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use serde_json::json;

    use super::*;
    use crate::ingest::csv_records::Records;

    fn row(
        kind: RecordKind,
        map: Option<&str>,
        header: &[&str],
        cells: &[&str],
    ) -> Result<Value, Failure> {
        let map = map.map(|text| {
            let mut entries = Vec::new();
            flatten("", &text.parse().unwrap(), &mut entries).unwrap();
            ColumnMap(entries)
        });
        let columns = Columns::new(kind, header, map.as_ref())?;
        let mut records = Records::new(io::Cursor::new(cells.join(",")));
        assert!(records.read().unwrap());
        Ok(columns.object(records.cells()).unwrap())
    }

    #[test]
    fn two_columns_for_one_place_are_wrong_usage() {
        let map = "full_name = \"Name\"";
        for (map, header) in [
            (None, ["city", "city"]),
            (None, ["emails.address", "emails.0.address"]),
            (None, ["experience.title", "experience.title.cleaned"]),
            (None, ["skills", "skills.0.cleaned"]),
            (Some(map), ["Name", "Name"]),
        ] {
            let refused = row(RecordKind::Person, map, &header, &["a", "b"]).unwrap_err();
            assert_eq!(refused.exit_code(), 2, "{header:?}");
        }
        row(
            RecordKind::Person,
            None,
            &["skills", "skills.1"],
            &["a", "b"],
        )
        .unwrap();
    }

    #[test]
    fn a_map_puts_columns_into_lists_and_objects() {
        let map = r#"
            full_name = "Name"
            emails.address = "E-mail"
            emails.2.address = "Third"
            emails.2.type = "Third type"
            experience.company_name = "Employer"
            skills = "Skill"
            name_aliases = "Also"
        "#;
        let header = [
            "Employer",
            "Name",
            "E-mail",
            "Third",
            "Third type",
            "Skill",
            "Also",
            "Left out",
        ];
        let cells = [
            "Acme",
            "Ana",
            "a@x.example",
            "b@x.example",
            "work",
            "law",
            "Anna",
            "?",
        ];
        let expected = json!({
            "full_name": "Ana",
            "emails": [{"address": "a@x.example"}, {"address": "b@x.example", "type": "work"}],
            "experience": [{"company_name": "Acme"}],
            "skills": ["law"],
            "name_aliases": ["Anna"],
        });
        assert_eq!(
            row(RecordKind::Person, Some(map), &header, &cells).unwrap(),
            expected
        );
    }

    #[test]
    fn cells_are_read_by_the_type_of_their_field() {
        let header = [
            "name",
            "founded",
            "service_average_tenure",
            "service_new_hire_count.12m",
            "locations.current",
            "linkedin_id",
        ];
        let read = row(
            RecordKind::Company,
            None,
            &header,
            &["Acme", "1994", "3.5", "52", "yes", "0042"],
        )
        .unwrap();
        let expected = json!({
            "name": "Acme", "founded": 1994, "service_average_tenure": 3.5,
            "service_new_hire_count": {"12m": 52.0}, "locations": [{"current": true}], "linkedin_id": "0042",
        });
        assert_eq!(read, expected);
    }

    #[test]
    fn what_cannot_be_read_stays_text_and_empty_cells_are_left_out() {
        let read = row(
            RecordKind::Company,
            None,
            &["name", "founded", "domain"],
            &["Acme", "c. 1990", " "],
        );
        assert_eq!(read.unwrap(), json!({"name": "Acme", "founded": "c. 1990"}));
    }

    #[test]
    fn a_map_that_names_no_column_of_the_file_is_wrong_usage() {
        let refused = row(
            RecordKind::Person,
            Some("full_name = \"Nom\""),
            &["Name"],
            &["Ana"],
        )
        .unwrap_err();
        assert_eq!(refused.exit_code(), 2);
        assert!(refused.to_string().contains("\"Nom\""), "{refused}");
    }

    #[test]
    fn an_element_beyond_any_list_is_wrong_usage() {
        let refused = row(
            RecordKind::Person,
            None,
            &["emails.100.address"],
            &["a@x.example"],
        )
        .unwrap_err();
        assert_eq!(refused.exit_code(), 2);
    }
}
