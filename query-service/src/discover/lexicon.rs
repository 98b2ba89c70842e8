//! The words of a build are the dictionaries of its search files: mapped, switched with them, never copied.

use chrono::{Datelike, NaiveDate};
use column_files::Columns;
use column_files::view::{Dictionary, TextDictionary};
use dialect::{Catalog, ColumnId};
use discover::Lexicon;
use events_schema::record::RecordKind;

use crate::search::files::BuildFiles;

/// The values of a build's columns; of none without files.
#[derive(Debug, Clone, Copy)]
pub struct BuildLexicon<'a>(Option<&'a Columns>);

impl<'a> BuildLexicon<'a> {
    /// The values in these files.
    #[must_use]
    pub const fn of(columns: Option<&'a Columns>) -> Self {
        Self(columns)
    }

    fn texts(&self, column: ColumnId) -> Option<TextDictionary<'a>> {
        match self.0?.column(column).dictionary {
            Dictionary::Text(texts) => Some(texts),
            _ => None,
        }
    }
}

impl Lexicon for BuildLexicon<'_> {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        self.texts(column)
            .is_some_and(|texts| texts.find(value.as_bytes()).is_ok())
    }

    fn begins(&self, column: ColumnId, start: &str) -> bool {
        self.texts(column)
            .is_some_and(|texts| texts.begins(start.as_bytes()))
    }
}

/// The date from which "in the last month" counts: that of the build, or the newest one on which a record was seen.
#[must_use]
pub fn reference_date(kind: RecordKind, files: &BuildFiles) -> Option<NaiveDate> {
    if files.as_of.is_some() {
        return files.as_of;
    }
    let column = Catalog::of(kind).find("last_seen")?;
    let Dictionary::Text(texts) = files.columns.column(column).dictionary else {
        return None;
    };
    let newest = texts.text(texts.len)?;
    day_of(std::str::from_utf8(&newest).ok()?)
}

/// The day that a date names, the first one of a month or of a year.
fn day_of(text: &str) -> Option<NaiveDate> {
    let mut parts = text.splitn(3, '-');
    let year = parts.next()?.parse().ok()?;
    let mut next = || parts.next().map_or(Some(1), |part| part.parse().ok());
    let (month, day) = (next()?, next()?);
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    (date.year() > 0).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_names_its_first_day() {
        for (text, expected) in [
            ("2026-11-21", Some((2026, 11, 21))),
            ("2026-11", Some((2026, 11, 1))),
            ("2026", Some((2026, 1, 1))),
            ("2026-13", None),
            ("x", None),
            ("", None),
        ] {
            let expected = expected.and_then(|(y, m, d)| NaiveDate::from_ymd_opt(y, m, d));
            assert_eq!(day_of(text), expected, "{text}");
        }
    }
}
