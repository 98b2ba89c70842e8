//! How many values of the active builds are of the closed lists (`docs/RECORDS.md`), and what the tables made of what was
//! given.
//!
//! [`shares`] asks the read model, so that it sees what enrich shows. [`Pairs`] reads the given lines again with the
//! canon's own functions: a build keeps no given industry or level.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use normalize::vocabulary::{
    self, COMPANY_SIZES, COMPANY_TYPES, INDUSTRIES, JOB_FUNCTIONS, Mapped, SENIORITY_LEVELS,
};
use serde_json::Value;
use sqlx::{AssertSqlSafe, PgPool};

/// Leftovers of a column that are told, the commonest first.
const LEFTOVERS: i64 = 20;
/// Pairs that are told, of all lists together.
const PAIRS: usize = 200;

/// The least share of a column's rows that hold a value of its list (the bar of `make score`).
const LEAST: f64 = 0.97;

/// A column that holds values of a closed list.
struct Column {
    table: &'static str,
    name: &'static str,
    list: &'static [&'static str],
    /// The column that it is told by where nothing was given for itself.
    told_by: &'static str,
}

const fn column(
    table: &'static str,
    name: &'static str,
    list: &'static [&'static str],
    told_by: &'static str,
) -> Column {
    Column {
        table,
        name,
        list,
        told_by,
    }
}

const COLUMNS: [Column; 7] = [
    column("person", "seniority_level", SENIORITY_LEVELS, "job_title"),
    column("person", "job_function", JOB_FUNCTIONS, "job_title"),
    column("person", "company_industry", INDUSTRIES, "company_industry"),
    column("person", "company_size", COMPANY_SIZES, "company_size"),
    column("company", "industry", INDUSTRIES, "industry"),
    column("company", "size", COMPANY_SIZES, "size"),
    column("company", "type", COMPANY_TYPES, "type"),
];

/// One column of an active build.
#[derive(Debug, Clone)]
pub(crate) struct Share {
    pub(crate) table: &'static str,
    pub(crate) column: &'static str,
    /// Records of the build.
    pub(crate) rows: i64,
    /// Those that have a value, or what it is told by.
    pub(crate) filled: i64,
    /// Those whose value is of the list.
    pub(crate) listed: i64,
    /// Values that are not, with how many records have them.
    pub(crate) left: Vec<(String, i64)>,
}

impl Share {
    /// Listed values among those that could be; `None` where the build has none.
    pub(crate) fn of_filled(&self) -> Option<f64> {
        let count = |rows: i64| f64::from(u32::try_from(rows).unwrap_or(u32::MAX));
        (self.filled > 0).then(|| count(self.listed) / count(self.filled))
    }

    /// Whether enough values are listed.
    pub(crate) fn reaches(&self) -> bool {
        self.of_filled().is_none_or(|share| share >= LEAST)
    }
}

/// Every column with a closed list, of the active build of each kind; a kind without one is left out.
pub(crate) async fn shares(read_model: &PgPool) -> anyhow::Result<Vec<Share>> {
    let active: Vec<(String, String)> =
        sqlx::query_as("select kind, schema_name from active_build")
            .fetch_all(read_model)
            .await?;
    let mut shares = Vec::new();
    for column in &COLUMNS {
        let Some((_, schema)) = active.iter().find(|(kind, _)| kind == column.table) else {
            continue;
        };
        shares.push(share(read_model, schema, column).await?);
    }
    Ok(shares)
}

async fn share(read_model: &PgPool, schema: &str, column: &Column) -> anyhow::Result<Share> {
    let list: Vec<&str> = column.list.to_vec();
    let (table, name, told_by) = (column.table, column.name, column.told_by);
    let counts = format!(
        "select count(*), count(coalesce(\"{name}\", \"{told_by}\")), count(*) filter (where \"{name}\" = any ($1))
         from {schema}.{table}"
    );
    let (rows, filled, listed) = sqlx::query_as(AssertSqlSafe(counts))
        .bind(&list)
        .fetch_one(read_model)
        .await?;
    let left = format!(
        "select coalesce(\"{name}\", 'nothing, of ' || \"{told_by}\"), count(*) from {schema}.{table}
         where coalesce(\"{name}\", \"{told_by}\") is not null and coalesce(\"{name}\", '') <> all ($1)
         group by 1 order by 2 desc, 1 limit $2"
    );
    let left = sqlx::query_as(AssertSqlSafe(left))
        .bind(&list)
        .bind(LEFTOVERS)
        .fetch_all(read_model)
        .await?;
    Ok(Share {
        table,
        column: name,
        rows,
        filled,
        listed,
        left,
    })
}

/// What was given, what the tables made of it, and in how many records, to be read over by people.
#[derive(Debug, Default)]
pub(crate) struct Pairs(BTreeMap<&'static str, BTreeMap<(String, String), u64>>);

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair<'a> {
    pub(crate) list: &'static str,
    pub(crate) given: &'a str,
    pub(crate) mapped: &'a str,
    pub(crate) records: u64,
}

impl Pairs {
    /// Counts every line of a file of persons or companies.
    pub(crate) fn read(&mut self, file: &Path) -> anyhow::Result<()> {
        for line in BufReader::new(File::open(file)?).lines() {
            self.add(&serde_json::from_str(&line?)?);
        }
        Ok(())
    }

    /// Counts a given line of persons or companies.
    fn add(&mut self, line: &Value) {
        let text = |field: &str| line.get(field).and_then(Value::as_str);
        for field in ["industry", "company_industry"] {
            self.count("industry", text(field), vocabulary::industry);
        }
        for field in ["size", "company_size"] {
            self.count("size", text(field), vocabulary::company_size);
        }
        self.count("type", text("type"), vocabulary::company_type);
        let title = text("job_title");
        self.count("seniority_level", title, vocabulary::seniority_level);
        self.count("job_function", title, vocabulary::job_function);
    }

    /// The commonest of every list in which the tables changed something: as many of each, but where one has fewer.
    pub(crate) fn commonest(&self) -> Vec<Pair<'_>> {
        let mut lists: Vec<_> = self.0.iter().collect();
        lists.sort_by_key(|(_, counts)| counts.len());
        let mut out: Vec<Pair<'_>> = Vec::new();
        for (at, (list, counts)) in lists.iter().enumerate() {
            let mut pairs: Vec<Pair<'_>> = counts
                .iter()
                .map(|((given, mapped), records)| Pair {
                    list,
                    given,
                    mapped,
                    records: *records,
                })
                .collect();
            pairs.sort_by(|a, b| b.records.cmp(&a.records).then(a.given.cmp(b.given)));
            pairs.truncate((PAIRS - out.len()).div_ceil(lists.len() - at));
            out.extend(pairs);
        }
        out
    }

    fn count(&mut self, list: &'static str, given: Option<&str>, map: fn(&str) -> Mapped) {
        let Some(given) = given else { return };
        let mapped = map(given);
        if mapped.known && mapped.value != given {
            let pairs = self.0.entry(list).or_default();
            *pairs.entry((given.to_owned(), mapped.value)).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_tables_changed_is_counted_and_the_commonest_comes_first() {
        let mut pairs = Pairs::default();
        for industry in ["Banks", "Software", "Banks", "banking"] {
            pairs.add(&json!({ "industry": industry }));
        }
        let told: Vec<_> = pairs
            .commonest()
            .iter()
            .map(|pair| (pair.given.to_owned(), pair.mapped.to_owned(), pair.records))
            .collect();
        let wanted = [
            ("Banks", "banking", 2),
            ("Software", "computer software", 1),
        ];
        assert_eq!(
            told,
            wanted.map(|(given, mapped, records)| (given.to_owned(), mapped.to_owned(), records))
        );
    }
}
