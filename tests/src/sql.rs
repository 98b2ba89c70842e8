//! A filter as SQL with bound parameters: what search is compared with, in tests and benches. Never what answers.
//!
//! Written from the meaning of a filter (docs/SEARCH.md), not from how search runs it. Lists stand in no typed column: only
//! DuckDB, which holds the documents themselves, answers conditions on them.

use std::fmt::Write as _;

use dialect::{
    Catalog, Column, Condition, Filter, OrderKey, Place, Query, Target, Test, Value, ValueType,
};

/// Whose SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavor {
    /// The typed columns of a build's table.
    Postgres,
    /// A table of the same columns whose texts are folded already.
    Sqlite,
    /// A table made of the documents, lists and objects included.
    DuckDb,
}

/// A condition or an order with the values that its placeholders stand for, from `$1` (`?1` in SQLite).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sql {
    /// The text.
    pub text: String,
    /// The values.
    pub values: Vec<Value>,
}

/// The filter as a condition; `None` when the flavor has no column for it.
#[must_use]
pub fn condition(flavor: Flavor, query: &Query) -> Option<Sql> {
    let mut writer = Writer {
        flavor,
        catalog: Catalog::of(query.kind),
        sql: Sql::default(),
    };
    match &query.filter {
        Some(filter) => writer.filter(filter, None)?,
        None => writer.sql.text.push_str("true"),
    }
    Some(writer.sql)
}

/// The keys of `order by`, rank the last; `None` when the flavor has no column for one.
#[must_use]
pub fn order(flavor: Flavor, query: &Query) -> Option<String> {
    let catalog = Catalog::of(query.kind);
    let writer = Writer {
        flavor,
        catalog,
        sql: Sql::default(),
    };
    let mut text = String::new();
    for OrderKey {
        column,
        descending,
        nulls_first,
    } in &query.order
    {
        let column = catalog.column(*column);
        let key = writer.compared(column, &writer.plain(column)?);
        let direction = if *descending { "desc" } else { "asc" };
        let nulls = if *nulls_first { "first" } else { "last" };
        let _ = write!(text, "{key} {direction} nulls {nulls}, ");
    }
    text.push_str("rank");
    Some(text)
}

/// Name of a scalar in a table of typed columns: dots become underscores.
#[must_use]
pub fn column_name(path: &str) -> String {
    path.replace('.', "_")
}

struct Writer {
    flavor: Flavor,
    catalog: &'static Catalog,
    sql: Sql,
}

impl Writer {
    /// `element` is the lambda's parameter inside a list condition.
    fn filter(&mut self, filter: &Filter, element: Option<&str>) -> Option<()> {
        match filter {
            Filter::And(all) => self.joined(all, " and ", element),
            Filter::Or(any) => self.joined(any, " or ", element),
            Filter::Test(condition) => self.test(condition, element),
            Filter::Element {
                list,
                filter,
                negated,
            } => {
                if self.flavor != Flavor::DuckDb {
                    return None;
                }
                let path = self.catalog.list(*list).path.clone();
                let _ = write!(self.sql.text, "coalesce(len(list_filter({path}, lambda e: ");
                self.filter(filter, Some("e"))?;
                let more = if *negated { "=" } else { ">" };
                let _ = write!(self.sql.text, ")), 0) {more} 0");
                Some(())
            }
            Filter::Empty { list, negated } => {
                if self.flavor != Flavor::DuckDb {
                    return None;
                }
                let path = &self.catalog.list(*list).path;
                let more = if *negated { ">" } else { "=" };
                let _ = write!(self.sql.text, "coalesce(len({path}), 0) {more} 0");
                Some(())
            }
        }
    }

    fn joined(&mut self, parts: &[Filter], word: &str, element: Option<&str>) -> Option<()> {
        self.sql.text.push('(');
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.sql.text.push_str(word);
            }
            self.filter(part, element)?;
        }
        self.sql.text.push(')');
        Some(())
    }

    fn test(&mut self, condition: &Condition, element: Option<&str>) -> Option<()> {
        let Target { column, key: None } = &condition.target else {
            return None;
        };
        let column = self.catalog.column(*column);
        let plain = match element {
            Some(element) => self.of_element(column, element)?,
            None => self.plain(column)?,
        };
        let compared = self.compared(column, &plain);
        match &condition.test {
            Test::Null { negated } => {
                let not = if *negated { " not" } else { "" };
                let _ = write!(self.sql.text, "{plain} is{not} null");
            }
            Test::Like { pattern, negated } => {
                let not = if *negated { "not " } else { "" };
                let _ = write!(self.sql.text, "{compared} {not}like ");
                self.bind(Value::Text(pattern.clone()));
                self.sql.text.push_str(" escape '\\'");
            }
            Test::In { values, negated } if column.value == ValueType::Date => {
                self.periods(&compared, values, *negated);
            }
            Test::In { values, negated } => {
                let not = if *negated { "not " } else { "" };
                let _ = write!(self.sql.text, "{compared} {not}in (");
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        self.sql.text.push_str(", ");
                    }
                    self.bind(value.clone());
                }
                self.sql.text.push(')');
            }
            Test::Range { low, high } => {
                self.sql.text.push('(');
                let bounds = [(low, [">", ">="]), (high, ["<", "<="])];
                let mut word = "";
                for (bound, [open, closed]) in bounds {
                    let Some((value, is_closed)) = bound else {
                        continue;
                    };
                    let sign = if *is_closed { closed } else { open };
                    let side = self.cut(column, &compared, value);
                    let _ = write!(self.sql.text, "{word}{side} {sign} ");
                    self.bind(value.clone());
                    word = " and ";
                }
                self.sql.text.push(')');
            }
        }
        Some(())
    }

    /// A date column holds days, months or years; a value stands for all that it is the beginning of.
    fn periods(&mut self, compared: &str, values: &[Value], negated: bool) {
        let (sign, word) = if negated {
            ("<>", " and ")
        } else {
            ("=", " or ")
        };
        self.sql.text.push('(');
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.sql.text.push_str(word);
            }
            let _ = write!(self.sql.text, "{} {sign} ", self.beginning(compared, value));
            self.bind(value.clone());
        }
        self.sql.text.push(')');
    }

    fn cut(&self, column: &Column, compared: &str, value: &Value) -> String {
        if column.value == ValueType::Date {
            self.beginning(compared, value)
        } else {
            compared.to_owned()
        }
    }

    fn beginning(&self, compared: &str, value: &Value) -> String {
        let Value::Text(text) = value else {
            return compared.to_owned();
        };
        format!("substr({compared}, 1, {})", text.chars().count())
    }

    fn bind(&mut self, value: Value) {
        self.sql.values.push(value);
        let sign = if self.flavor == Flavor::Sqlite {
            '?'
        } else {
            '$'
        };
        let _ = write!(self.sql.text, "{sign}{}", self.sql.values.len());
    }

    fn plain(&self, column: &Column) -> Option<String> {
        if column.place != Place::Record {
            return None;
        }
        Some(match self.flavor {
            Flavor::DuckDb => column.path.clone(),
            Flavor::Postgres if column.path == "service_id" => "service_id::text".to_owned(),
            Flavor::Postgres | Flavor::Sqlite => format!("\"{}\"", column_name(&column.path)),
        })
    }

    fn of_element(&self, column: &Column, element: &str) -> Option<String> {
        let list = column.place.list()?;
        let below = column
            .path
            .strip_prefix(self.catalog.list(list).path.as_str())?;
        Some(format!("{element}{below}"))
    }

    /// Case plays no part, and text is ordered by its bytes.
    fn compared(&self, column: &Column, plain: &str) -> String {
        let is_text = matches!(
            column.value,
            ValueType::Text | ValueType::Id | ValueType::Date
        );
        match self.flavor {
            Flavor::Postgres if is_text => format!("lower({plain}) collate \"C\""),
            _ => plain.to_owned(),
        }
    }
}
