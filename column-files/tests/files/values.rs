//! What a column should hold according to the documents, and what it holds according to its view.

use column_files::Columns;
use column_files::view::{ColumnView, Dictionary, HashAlgorithm};
use dialect::column::ListForm;
use dialect::{Catalog, Column, ColumnId, ListId, Place, ValueType, fold};
use events_schema::record::RecordKind;
use serde_json::Value;
use sha2::Digest;

/// One value; numbers as their text, so that they can be compared.
pub(crate) type One = Option<String>;

/// The values of a column, one a row or one an element of each row.
pub(crate) fn expected(kind: RecordKind, column: &Column, documents: &[Value]) -> Vec<Vec<One>> {
    let catalog = Catalog::of(kind);
    documents
        .iter()
        .map(|document| match column.place {
            Place::Record => vec![one(column, at(document, &column.path))],
            Place::Element(list) => {
                let list = catalog.list(list);
                if list.form == ListForm::NameForms {
                    return name_forms(document).into_iter().map(Some).collect();
                }
                let rest = column
                    .path
                    .strip_prefix(&list.path)
                    .unwrap()
                    .trim_start_matches('.');
                let elements = at(document, &list.path).as_array();
                elements
                    .into_iter()
                    .flatten()
                    .map(|element| one(column, at(element, rest)))
                    .collect()
            }
            Place::MapKey(list) | Place::MapValue(list) => {
                let list = catalog.list(list);
                let entries = at(document, &list.path).as_object();
                let rest = column
                    .path
                    .strip_prefix(&list.path)
                    .unwrap()
                    .trim_start_matches('.');
                entries
                    .into_iter()
                    .flatten()
                    .map(|(key, value)| match rest {
                        "*" => Some(fold(key)),
                        _ => one(column, at(value, rest)),
                    })
                    .collect()
            }
        })
        .collect()
}

fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    let parts = path.split('.').filter(|part| !part.is_empty());
    parts.fold(value, |value, part| value.get(part).unwrap_or(&Value::Null))
}

fn one(column: &Column, value: &Value) -> One {
    match column.value {
        ValueType::Integer => value.as_i64().map(|number| number.to_string()),
        ValueType::Number => value.as_f64().map(|number| (number + 0.0).to_string()),
        ValueType::Boolean => value.as_bool().map(|value| value.to_string()),
        ValueType::Text | ValueType::Id | ValueType::Date => value.as_str().map(fold),
    }
}

fn name_forms(document: &Value) -> Vec<String> {
    let name = at(document, "name").as_object();
    let mut forms = Vec::new();
    // In the order of the document.
    for (key, value) in name.into_iter().flatten() {
        if !matches!(key.as_str(), "cleaned" | "display" | "raw") {
            continue;
        }
        let texts = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        for text in texts.iter().filter_map(Value::as_str).map(fold) {
            if !forms.contains(&text) {
                forms.push(text);
            }
        }
    }
    forms
}

/// The same from the files, of the first `rows` rows.
pub(crate) fn stored(columns: &Columns, id: ColumnId, rows: usize) -> Vec<Vec<One>> {
    let catalog = Catalog::of(columns.kind());
    let column = catalog.column(id);
    let view = columns.column(id);
    let address = catalog
        .find("emails.address")
        .map(|address| columns.column(address));
    let value = |place: usize| value(&view, place).or_else(|| derived(&view, address?, place));
    let Some(list) = column.place.list() else {
        return (0..rows).map(|row| vec![value(row)]).collect();
    };
    elements(columns, list, rows)
        .into_iter()
        .map(|row| row.into_iter().map(value).collect())
        .collect()
}

/// The places of the elements of each of the first rows.
fn elements(columns: &Columns, list: ListId, rows: usize) -> Vec<Vec<usize>> {
    let list = columns.list(list);
    let bit = |words: &[u64], place: usize| words[place / 64] >> (place % 64) & 1 == 1;
    let mut next = 0;
    (0..rows)
        .map(|row| {
            if row % 65_536 == 0 {
                next = usize::try_from(list.starts[row / 65_536]).unwrap();
            }
            let mut places = Vec::new();
            while bit(list.filled, row) {
                places.push(next);
                next += 1;
                if bit(list.last, next - 1) {
                    break;
                }
            }
            places
        })
        .collect()
}

fn value(view: &ColumnView<'_>, place: usize) -> One {
    let code = view.codes.get(place);
    let at = usize::try_from(code).unwrap().checked_sub(1)?;
    assert!(code <= view.dictionary.len());
    Some(match view.dictionary {
        Dictionary::Text(texts) => String::from_utf8(texts.text(code).unwrap()).unwrap(),
        Dictionary::Id(ids) => {
            let hex = hex::encode(ids[at]);
            [
                &hex[..8],
                &hex[8..12],
                &hex[12..16],
                &hex[16..20],
                &hex[20..],
            ]
            .join("-")
        }
        Dictionary::Integer(numbers) => numbers[at].to_string(),
        Dictionary::Number(numbers) => numbers[at].to_string(),
        Dictionary::Boolean => (at == 1).to_string(),
    })
}

fn derived(view: &ColumnView<'_>, addresses: ColumnView<'_>, place: usize) -> One {
    let hashes = view.derived?;
    if hashes.is_derived[place / 64] >> (place % 64) & 1 == 0 {
        return None;
    }
    let address = value(&addresses, place).unwrap();
    let digest = match hashes.algorithm {
        HashAlgorithm::Sha256 => sha2::Sha256::digest(&address).to_vec(),
        HashAlgorithm::Sha1 => sha1::Sha1::digest(&address).to_vec(),
        HashAlgorithm::Md5 => md5::Md5::digest(&address).to_vec(),
    };
    let code = usize::try_from(addresses.codes.get(place)).unwrap();
    assert_eq!(
        hashes.fingerprints[code - 1],
        u16::from_be_bytes([digest[0], digest[1]])
    );
    Some(hex::encode(digest))
}
