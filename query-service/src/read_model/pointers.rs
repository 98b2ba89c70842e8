//! Which builds answer, and which can still be read.

use chrono::NaiveDate;
use events_schema::data_build::v1::SearchFiles;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use normalize::EDITION;
use serde::Deserialize as _;
use serde_json::Value;
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
    /// By which edition of canon and keys its records were read (`normalize::EDITION`); 0 if nobody knows.
    pub edition: i32,
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

/// A row of the read model about a build that has another form than was agreed, or a newer edition than this version has: it hides no other build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadablePointer {
    /// Person or company, if that can be read.
    pub kind: Option<RecordKind>,
    /// What stands there as the build's name.
    pub build: String,
    /// Whether it says which build answers.
    pub is_active: bool,
    /// What is of another form, or newer.
    pub what: &'static str,
}

/// Reads the pointers of the projector.
#[derive(Debug, Clone)]
pub struct Pointers {
    source: Source,
    pool: PgPool,
}

/// The role of the pointer itself, in `sql/builds.sql`.
const ACTIVE: &str = "active";

#[derive(FromRow)]
struct Row {
    kind: String,
    build: String,
    schema_name: String,
    search_files: Option<Json<Value>>,
    reference_date: Option<NaiveDate>,
    role: String,
    edition: i32,
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

    /// The active builds (at most one a kind), the last `retired` of each kind that were active before, newest first,
    /// and the newest of each kind that may be activated next; in the order of [`Role`]. Beside them those of which the row cannot be read.
    ///
    /// # Errors
    /// When the tables cannot be read.
    pub async fn all(
        &self,
        retired: u32,
    ) -> Result<(Vec<Pointer>, Vec<UnreadablePointer>), ReadFault> {
        let statement = sqlx::query_as(include_str!("../../sql/builds.sql"));
        let rows: Vec<Row> = self.rows(statement.bind(i64::from(retired))).await?;
        let (mut pointers, mut unreadable) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            match row.read() {
                Ok(pointer) => pointers.push(pointer),
                Err(pointer) => unreadable.push(pointer),
            }
        }
        pointers.sort_by_key(|pointer| pointer.role);
        Ok((pointers, unreadable))
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

impl Row {
    fn read(self) -> Result<Pointer, UnreadablePointer> {
        let kind = self.kind.parse().ok();
        let unreadable = |what| UnreadablePointer {
            kind,
            build: self.build.clone(),
            is_active: self.role == ACTIVE,
            what,
        };
        if !is_build_schema(&self.schema_name) {
            return Err(unreadable("schema name"));
        }
        // This version's keys would miss its records without a word.
        if self.edition > EDITION {
            return Err(unreadable("edition: a newer version loaded it"));
        }
        let search_files: Option<SearchFiles> = match &self.search_files {
            Some(Json(files)) => {
                let files = SearchFiles::deserialize(files);
                Some(files.map_err(|_| unreadable("search files"))?)
            }
            None => None,
        };
        Ok(Pointer {
            kind: kind.ok_or_else(|| unreadable("kind"))?,
            build: self.build.parse().map_err(|_| unreadable("name"))?,
            search_files,
            reference_date: self.reference_date,
            edition: self.edition,
            role: match self.role.as_str() {
                ACTIVE => Role::Active,
                "retired" => Role::Retired,
                "loaded" => Role::Loaded,
                _ => return Err(unreadable("status")),
            },
            schema: self.schema_name,
        })
    }
}
