//! Which builds answer, and which can still be read.

use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use sqlx::postgres::PgPool;

use super::connect::is_build_schema;
use super::{BuildReader, ReadFault, Source};

/// A row of `active_build`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// Person or company.
    pub kind: RecordKind,
    /// The build's name.
    pub build: BuildName,
    /// The schema of its tables.
    pub schema: String,
}

/// Reads the pointers of the projector.
#[derive(Debug, Clone)]
pub struct Pointers {
    source: Source,
    pool: PgPool,
}

impl Pointers {
    /// Over `source`; must be called inside a runtime.
    #[must_use]
    pub fn new(source: Source) -> Self {
        Self {
            pool: source.public(),
            source,
        }
    }

    /// The active builds, at most one a kind.
    ///
    /// # Errors
    /// When the table cannot be read or holds something else.
    pub async fn active(&self) -> Result<Vec<Pointer>, ReadFault> {
        let statement = sqlx::query_as(include_str!("../../sql/active_builds.sql"));
        let rows: Vec<(String, String, String)> = statement.fetch_all(&self.pool).await?;
        rows.into_iter().map(pointer).collect()
    }

    /// A pool on an active build.
    #[must_use]
    pub fn open(&self, pointer: &Pointer) -> BuildReader {
        self.reader(pointer, self.source.limits().connections)
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
        let statement = sqlx::query_scalar(include_str!("../../sql/readable_build.sql"));
        let schema: Option<String> = statement
            .bind(build.as_str())
            .bind(kind.name())
            .fetch_optional(&self.pool)
            .await?;
        let row = schema
            .map(|schema| pointer((kind.name().to_owned(), build.as_str().to_owned(), schema)));
        let connections = self.source.limits().retained_connections;
        Ok(row
            .transpose()?
            .map(|pointer| self.reader(&pointer, connections)))
    }

    fn reader(&self, pointer: &Pointer, connections: u32) -> BuildReader {
        let pool = self.source.build(&pointer.schema, connections);
        BuildReader::new(
            pointer.kind,
            pointer.build.clone(),
            pool,
            self.source.limits().clone(),
        )
    }
}

fn pointer((kind, build, schema): (String, String, String)) -> Result<Pointer, ReadFault> {
    let kind = kind.parse().map_err(|_| ReadFault::Form("kind"))?;
    let build = build.parse().map_err(|_| ReadFault::Form("build name"))?;
    if is_build_schema(&schema) {
        Ok(Pointer {
            kind,
            build,
            schema,
        })
    } else {
        Err(ReadFault::Form("schema name"))
    }
}
