//! Which builds answer, and which can still be read.

use chrono::NaiveDate;
use events_schema::data_build::v1::SearchFiles;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::query::QueryAs;
use sqlx::types::Json;
use sqlx::{FromRow, Postgres};

use super::answer::rows;
use super::connect::is_build_schema;
use super::{BuildReader, ReadFault, Source};

/// A build that answers, answered before, or may answer next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// Person or company.
    pub kind: RecordKind,
    /// The build's name.
    pub build: BuildName,
    /// The schema of its tables.
    pub schema: String,
    /// Its search files; none when it was loaded before there were any.
    pub search_files: Option<SearchFiles>,
    /// What relative dates count from.
    pub reference_date: Option<NaiveDate>,
    /// What it is there for.
    pub role: Role,
}

/// What a build is there for, in the order in which its search files are fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Answers.
    Active,
    /// Answered before, and still answers whoever asks for it by name.
    Retired,
    /// Complete, and not activated yet: held so that its activation need not wait.
    Loaded,
}

/// Reads the pointers of the projector.
#[derive(Debug, Clone)]
pub struct Pointers {
    source: Source,
    pool: PgPool,
}

type Row = (
    String,
    String,
    String,
    Option<Json<SearchFiles>>,
    Option<NaiveDate>,
    String,
);

impl Pointers {
    /// Over `source`; must be called inside a runtime.
    #[must_use]
    pub fn new(source: Source) -> Self {
        Self {
            pool: source.public(),
            source,
        }
    }

    /// The active builds (at most one a kind), the last `retired` of each kind that were active before, newest first,
    /// and the newest of each kind that may be activated next; in the order of [`Role`].
    ///
    /// # Errors
    /// When the tables cannot be read or hold something else.
    pub async fn all(&self, retired: u32) -> Result<Vec<Pointer>, ReadFault> {
        let statement = sqlx::query_as(include_str!("../../sql/builds.sql"));
        let rows: Vec<Row> = self.rows(statement.bind(i64::from(retired))).await?;
        let pointers: Result<Vec<Pointer>, ReadFault> = rows.into_iter().map(pointer).collect();
        let mut pointers = pointers?;
        pointers.sort_by_key(|pointer| pointer.role);
        Ok(pointers)
    }

    /// A pool on an active build.
    #[must_use]
    pub fn open(&self, pointer: &Pointer) -> BuildReader {
        let connections = self.source.limits().connections;
        self.reader(pointer.kind, &pointer.build, &pointer.schema, connections)
    }

    /// A small pool on a build that was active, `None` when it can no longer be read.
    ///
    /// # Errors
    /// When the table cannot be read or holds something else.
    pub async fn open_retained(
        &self,
        kind: RecordKind,
        build: &BuildName,
    ) -> Result<Option<BuildReader>, ReadFault> {
        let statement = sqlx::query_as(include_str!("../../sql/readable_build.sql"))
            .bind(build.as_str())
            .bind(kind.name());
        let schemas: Vec<(String,)> = self.rows(statement).await?;
        let connections = self.source.limits().retained_connections;
        match schemas.into_iter().next() {
            Some((schema,)) if is_build_schema(&schema) => {
                Ok(Some(self.reader(kind, build, &schema, connections)))
            }
            Some(_) => Err(ReadFault::Form("schema name")),
            None => Ok(None),
        }
    }

    async fn rows<T>(
        &self,
        query: QueryAs<'_, Postgres, T, PgArguments>,
    ) -> Result<Vec<T>, ReadFault>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let longest = self.source.limits().statement_timeout;
        rows(&self.pool, longest, query).await
    }

    fn reader(
        &self,
        kind: RecordKind,
        build: &BuildName,
        schema: &str,
        connections: u32,
    ) -> BuildReader {
        let pool = self.source.build(schema, connections);
        BuildReader::new(kind, build.clone(), pool, self.source.limits().clone())
    }
}

fn pointer(
    (kind, build, schema, search_files, reference_date, role): Row,
) -> Result<Pointer, ReadFault> {
    if !is_build_schema(&schema) {
        return Err(ReadFault::Form("schema name"));
    }
    Ok(Pointer {
        kind: kind.parse().map_err(|_| ReadFault::Form("kind"))?,
        build: build.parse().map_err(|_| ReadFault::Form("build name"))?,
        schema,
        search_files: search_files.map(|Json(files)| files),
        reference_date,
        role: match role.as_str() {
            "active" => Role::Active,
            "retired" => Role::Retired,
            "loaded" => Role::Loaded,
            _ => return Err(ReadFault::Form("status")),
        },
    })
}
