//! One line of a build into one record: read, normalized, completed, keyed (`docs/RECORDS.md`, "What ingest takes").
//!
//! Pure: a line and a [`Reading`] give a [`Record`] or the reason of its rejection, always the same. What could not be
//! read, was not known or had no place in a closed list is counted in a [`Tally`], never an error. No SQL here, and no
//! value in anything but the record.

mod company;
mod company_figures;
mod company_name;
mod contact;
mod data_point;
mod dates;
mod education;
mod employment;
mod identity;
mod keys;
mod people_keys;
mod person;
mod person_derive;
mod person_work;
mod place;
mod reader;
mod repeated;
mod social;
mod tally;

use chrono::NaiveDate;
use events_schema::api::limits::MAX_LINE_BYTES;
use events_schema::record::{Confidence, RecordKind};
use serde_json::{Map, Value};
use uuid::Uuid;

pub use dates::{is_ahead, newest_day};
pub use keys::Key;
pub use tally::{Found, Tally};

use crate::builds::copy::Rows;
use crate::config::Levels;
use reader::Reader;
use repeated::Repeated;

/// What a record depends on besides its line.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Name of the build.
    pub build: String,
    /// What ages and tenures count from.
    pub reference_date: NaiveDate,
    /// The day on which the build was begun: nothing was seen and nobody was born after it.
    pub today: NaiveDate,
    /// When data points without a level are high or moderate.
    pub levels: Levels,
}

/// A record that can be stored.
pub struct Record {
    /// Its id, given or made.
    pub service_id: Uuid,
    /// The field that the id was made of, [`WHOLE`] where it was made of all; none where it was given.
    pub id_of: Option<&'static str>,
    /// Its level; none for companies.
    pub confidence: Option<Confidence>,
    /// The sparse document.
    pub doc: Vec<u8>,
    /// What leads to it, each key once.
    pub keys: Vec<Key>,
    columns: Columns,
}

enum Columns {
    Person(Box<person::Scalars>),
    Company(Box<company::Scalars>),
}

impl Record {
    /// Writes the typed columns in the order of [`columns`].
    pub fn write_columns(&self, row: &mut Rows) {
        match &self.columns {
            Columns::Person(scalars) => scalars.write(row),
            Columns::Company(scalars) => scalars.write(row),
        }
    }
}

/// Names and SQL types of the typed columns of a kind, without `service_id`.
#[must_use]
pub const fn columns(kind: RecordKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        RecordKind::Person => person::Scalars::COLUMNS,
        RecordKind::Company => company::Scalars::COLUMNS,
    }
}

/// Why a line is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Reject {
    /// Longer than a line may be; what `roster ingest` sends of such a line is cut off.
    #[error("too long: a line has at most {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// Bytes that are no text in UTF-8; what another encoding makes of them is not guessed.
    #[error("not UTF-8")]
    NotUtf8,
    /// Not JSON; `roster ingest` sends a row of CSV that does not fit its header as it stands.
    #[error("not JSON; of CSV: not as many values as the header has columns")]
    NotJson,
    /// JSON with a number that no `f64` holds.
    #[error("a number is too large")]
    TooLarge,
    /// JSON with too many objects and arrays inside one another.
    #[error("nested too deep")]
    TooDeep,
    /// JSON, but no object.
    #[error("not a JSON object")]
    NotAnObject,
    /// Neither `full_name` nor first and last name; neither `name` nor `domain`.
    #[error("no name")]
    NoName,
    /// `service_id` is there and is no UUID.
    #[error("service_id is not a UUID")]
    BadServiceId,
}

/// Reads the lines of a chunk, one behind the other. Counts what it meets, and makes once what many of them share; of a line it makes the
/// same record whatever was read before it.
pub struct Lines<'a> {
    kind: RecordKind,
    reading: &'a Reading,
    tally: Tally,
    repeated: Repeated,
}

impl<'a> Lines<'a> {
    /// None is read yet.
    #[must_use]
    pub fn of(kind: RecordKind, reading: &'a Reading) -> Self {
        Self {
            kind,
            reading,
            tally: Tally::default(),
            repeated: Repeated::default(),
        }
    }

    /// Reads one.
    ///
    /// # Errors
    /// Why it is rejected.
    pub fn read(&mut self, line: &[u8]) -> Result<Record, Reject> {
        if line.len() > MAX_LINE_BYTES {
            return Err(Reject::TooLong);
        }
        let value = serde_json::from_slice(line).map_err(|fault| why_not(line, &fault))?;
        let object = unwrapped(self.kind, value, &mut self.tally)?;
        let reader = Reader {
            tally: &mut self.tally,
            repeated: &mut self.repeated,
            reading: self.reading,
        };
        match self.kind {
            RecordKind::Person => person_derive::record(object, self.reading, reader),
            RecordKind::Company => company::record(object, self.reading, reader),
        }
    }

    /// What all of them came to.
    #[must_use]
    pub fn into_found(self) -> Found {
        self.tally.into_found()
    }
}

/// By the words of `serde_json`, which has no code for them.
fn why_not(line: &[u8], fault: &serde_json::Error) -> Reject {
    match fault.to_string() {
        _ if std::str::from_utf8(line).is_err() => Reject::NotUtf8,
        text if text.starts_with("number out of range") => Reject::TooLarge,
        text if text.starts_with("recursion limit") => Reject::TooDeep,
        _ => Reject::NotJson,
    }
}

/// An id that was made of the whole record.
pub const WHOLE: &str = "record";

/// The id that a customer gives a record, which may stand beside a wrapped one.
const SERVICE_ID: &str = "service_id";
/// Keys by which a line is a record itself, whatever else stands in it.
const NAMES: &[&str] = &["full_name", "first_name", "last_name", "name", "domain"];

/// The object itself, or what stands in `{"person": {…}}` or `{"company": {…}}`.
fn unwrapped(
    kind: RecordKind,
    value: Value,
    tally: &mut Tally,
) -> Result<Map<String, Value>, Reject> {
    let Value::Object(mut outer) = value else {
        return Err(Reject::NotAnObject);
    };
    let is_named = NAMES
        .iter()
        .any(|name| outer.get(*name).is_some_and(|value| !value.is_null()));
    if outer.get(kind.name()).is_some_and(Value::is_object)
        && !is_named
        && let Some(Value::Object(mut inner)) = outer.remove(kind.name())
    {
        for (key, value) in outer {
            if key == SERVICE_ID && inner.get(SERVICE_ID).is_none_or(Value::is_null) {
                inner.insert(key, value);
            } else {
                tally.unknown_key(&key);
            }
        }
        return Ok(inner);
    }
    Ok(outer)
}

/// Declares the scalar fields of a record: a struct, its columns, and how they are written.
macro_rules! scalars {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Default, serde::Serialize)]
        pub(super) struct $name {
            $(
                #[serde(skip_serializing_if = "Option::is_none")]
                pub(super) $field: Option<$type>,
            )*
        }

        impl $name {
            /// Column names (as Rust writes them) and SQL types.
            pub(super) const COLUMNS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), <$type as crate::builds::copy::Column>::SQL_TYPE)),*];

            /// Writes every column in order.
            pub(super) fn write(&self, row: &mut crate::builds::copy::Rows) {
                $( row.put(self.$field.as_ref()); )*
            }
        }
    };
}
use scalars;

#[cfg(test)]
mod tests;
