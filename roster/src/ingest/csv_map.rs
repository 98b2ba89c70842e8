//! Which column of a CSV file holds which field of a record.

use std::path::Path;

use events_schema::record::{Field, FieldType, RecordKind};
use serde_json::{Map as Object, Value, json};

use crate::failure::Failure;
use crate::ingest::csv_records::Cells;
use crate::ingest::known_fields;
use crate::output::named;

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

    /// Refuses what would be no part of any record.
    ///
    /// # Errors
    /// Where it names a field that no record of this kind has: its column would be counted as unknown, and lost.
    pub(crate) fn refuse_unknown(&self, kind: RecordKind) -> Result<(), Failure> {
        let Self(entries) = self;
        let paths = entries.iter().map(|(path, _)| path);
        let unknown: Vec<&String> = paths
            .filter(|path| !known_fields::is_known(kind, path))
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let told = unknown.iter().map(|path| {
            let near = known_fields::nearest(kind, path);
            if near.is_empty() {
                (*path).clone()
            } else {
                format!("{path} (near: {})", near.join(", "))
            }
        });
        let told: Vec<String> = told.collect();
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        let failure = Failure::usage(format!(
            "the map names what is no field of a {kind}: {}; docs/RECORDS.md lists the fields",
            named(&told)
        ));
        Err(failure.about("unknown_fields", json!(unknown)))
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
    /// Names of the columns that go nowhere.
    left_out: Vec<String>,
}

/// What stands between columns where it is not the comma.
const OTHER_DELIMITERS: [(char, &str); 3] = [(';', "semicolon"), ('\t', "tab"), ('|', "bar")];

/// Says so before the whole file is rejected line by line.
///
/// # Errors
/// Where the first line is one column that other delimiters would make several of.
fn refuse_other_delimiter(header: &[&str]) -> Result<(), Failure> {
    let [line] = header else { return Ok(()) };
    let counts = OTHER_DELIMITERS.map(|(delimiter, name)| (line.matches(delimiter).count(), name));
    match counts.into_iter().max() {
        Some((count, name)) if count > 0 => Err(Failure::input(format!(
            "the first line of the CSV file has one column and {count} of the sign {name}: {line:?}; columns are separated by commas"
        ))),
        _ => Ok(()),
    }
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
        refuse_other_delimiter(header)?;
        let names = header.iter().map(|name| name.trim()).enumerate();
        let wanted: Vec<(usize, &str)> = match map {
            None => names
                .clone()
                .filter(|(_, name)| !name.is_empty())
                .collect(),
            Some(ColumnMap(entries)) => entries
                .iter()
                .map(|(path, column)| {
                    let mut found = names.clone().filter(|(_, name)| name == column);
                    match (found.next(), found.next()) {
                        (Some((index, _)), None) => Ok((index, path.as_str())),
                        (None, _) => {
                            let found: Vec<&str> = header.iter().map(|name| name.trim()).collect();
                            Err(Failure::usage(format!(
                                "the map names column {column:?}; the file has none of that name, but these: {}",
                                named(&found)
                            )))
                        }
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
            left_out: Vec::new(),
        };
        let is_wanted = |index: usize| wanted.iter().any(|(other, _)| *other == index);
        let left_out = names.clone().filter(|(index, _)| !is_wanted(*index));
        columns
            .left_out
            .extend(left_out.map(|(_, name)| name.to_owned()));
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

    /// Names of the columns of the file that no field is made of.
    pub(crate) fn left_out(&self) -> &[String] {
        &self.left_out
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
            if field.is_some_and(is_list) || known_fields::further_lists(kind).contains(&name) {
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
        let told = refused.to_string();
        assert!(
            told.contains("\"Nom\"") && told.contains("these: Name"),
            "{told}"
        );
    }

    #[test]
    fn a_map_that_names_no_field_is_wrong_usage_and_the_nearest_fields_are_named() {
        let map = |text: &str| {
            let mut entries = Vec::new();
            flatten("", &text.parse().unwrap(), &mut entries).unwrap();
            ColumnMap(entries).refuse_unknown(RecordKind::Person)
        };
        let refused = map("emails.adress = \"E\"\nful_name = \"N\"\ncity = \"C\"").unwrap_err();
        assert_eq!(refused.exit_code(), 2);
        let told = refused.to_string();
        for part in [
            "emails.adress (near: emails.address",
            "ful_name (near: full_name",
        ] {
            assert!(told.contains(part), "{told}");
        }
        assert!(map("emails.1.address = \"E\"\nfull_name = \"N\"").is_ok());
    }

    #[test]
    fn a_file_with_another_delimiter_is_told_from_its_first_line() {
        for (line, name) in [
            ("full_name;city;job_title", "semicolon"),
            ("full_name\tcity", "tab"),
            ("a|b", "bar"),
        ] {
            let refused = Columns::new(RecordKind::Person, &[line], None)
                .err()
                .unwrap();
            let told = refused.to_string();
            assert!(
                told.contains(name) && told.contains("full_name") == line.contains("full_name"),
                "{told}"
            );
        }
        assert!(Columns::new(RecordKind::Person, &["full_name"], None).is_ok());
    }

    #[test]
    fn columns_that_no_field_is_made_of_are_known_by_name() {
        let mut entries = Vec::new();
        let map = "full_name = \"Name\"".parse().unwrap();
        flatten("", &map, &mut entries).unwrap();
        let header = ["Name", "Shoe size", ""];
        let columns = Columns::new(RecordKind::Person, &header, Some(&ColumnMap(entries))).unwrap();
        assert_eq!(columns.left_out(), ["Shoe size", ""]);
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
