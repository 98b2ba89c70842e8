//! Rows in the binary form of `COPY`: no quoting, no parsing of numbers on the way.

use events_schema::record::Confidence;
use uuid::Uuid;

const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
const TRAILER: [u8; 2] = (-1_i16).to_be_bytes();
const NULL: [u8; 4] = (-1_i32).to_be_bytes();

/// A buffer of rows of one table.
pub struct Rows {
    buffer: Vec<u8>,
    fields: i16,
}

impl Rows {
    /// An empty buffer for rows of so many fields.
    #[must_use]
    pub fn new(fields: i16) -> Self {
        Self {
            buffer: HEADER.to_vec(),
            fields,
        }
    }

    /// Begins a row; as many fields must follow as `new` was told.
    pub fn begin(&mut self) {
        self.buffer.extend_from_slice(&self.fields.to_be_bytes());
    }

    /// One field, null without a value.
    pub fn put<T: Column>(&mut self, value: Option<&T>) {
        match value {
            Some(value) => value.write(self),
            None => self.buffer.extend_from_slice(&NULL),
        }
    }

    /// A bytea field.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.bytes(bytes);
    }

    /// A uuid field.
    pub fn put_uuid(&mut self, id: Uuid) {
        self.bytes(id.as_bytes());
    }

    /// A smallint field.
    pub fn put_i16(&mut self, number: i16) {
        self.bytes(&number.to_be_bytes());
    }

    /// A bigint field.
    pub fn put_i64(&mut self, number: i64) {
        self.bytes(&number.to_be_bytes());
    }

    /// Everything, ready to be sent.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.buffer.extend_from_slice(&TRAILER);
        self.buffer
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.buffer.extend_from_slice(bytes);
    }

    fn length(&mut self, length: usize) {
        // A field is part of a line of a chunk, and a chunk has a few MiB.
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        self.buffer.extend_from_slice(&length.to_be_bytes());
    }
}

/// A type that a column can have.
pub trait Column {
    /// The column's type.
    const SQL_TYPE: &'static str;
    /// Writes the field.
    fn write(&self, rows: &mut Rows);
}

impl Column for String {
    const SQL_TYPE: &'static str = "text";
    fn write(&self, rows: &mut Rows) {
        rows.bytes(self.as_bytes());
    }
}

impl Column for i64 {
    const SQL_TYPE: &'static str = "bigint";
    fn write(&self, rows: &mut Rows) {
        rows.bytes(&self.to_be_bytes());
    }
}

impl Column for f64 {
    const SQL_TYPE: &'static str = "double precision";
    fn write(&self, rows: &mut Rows) {
        rows.bytes(&self.to_be_bytes());
    }
}

impl Column for bool {
    const SQL_TYPE: &'static str = "boolean";
    fn write(&self, rows: &mut Rows) {
        rows.bytes(&[u8::from(*self)]);
    }
}

impl Column for Confidence {
    const SQL_TYPE: &'static str = "text";
    fn write(&self, rows: &mut Rows) {
        rows.bytes(self.name().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_form_that_postgres_reads() {
        let mut rows = Rows::new(2);
        rows.begin();
        rows.put(Some(&"ab".to_owned()));
        rows.put::<i64>(None);
        let bytes = rows.finish();
        let row: &[u8] = &[0, 2, 0, 0, 0, 2, b'a', b'b', 255, 255, 255, 255, 255, 255];
        assert!(
            bytes.ends_with(row)
                && bytes.starts_with(HEADER)
                && bytes.len() == HEADER.len() + row.len()
        );
    }
}
