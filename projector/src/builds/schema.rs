//! The tables of a build. The only file with SQL that is put together at run time, from names that are ours: schemas
//! from a hash, columns from the record's declaration. No value ever enters a statement here.
//!
//! While a build is loading it has `<kind>_load` and `<kind>_key_load`, without an index and without a log of their own:
//! after a crash Postgres empties them. `chunk_load` is emptied with them and so says which chunks they hold. When the
//! build is ranked it has `<kind>` and `<kind>_key`, logged and indexed. `dictionary` is there from the first chunk to the
//! end, and logged: without it no document can be read.

use documents::Dictionary;
use events_schema::ids::build_id;
use events_schema::record::RecordKind;
use futures::stream::BoxStream;
use sqlx::{AssertSqlSafe, PgConnection, PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::builds::record;

/// Digits of the id in a schema's name.
const ID_DIGITS: usize = 16;
/// Load tables keep a document in its row: it is read once, and beside the row it would be written chunk by chunk.
const WHOLE_ROW: u16 = 8160;
/// Columns of the load table besides the typed ones: line, level, service_id, doc.
const FIXED_COLUMNS: usize = 4;

/// The schema of a build's tables: `b_` and 16 digits of its id.
#[must_use]
pub fn schema_name(build: &str) -> String {
    let id = build_id(build).simple().to_string();
    format!("b_{}", id.get(..ID_DIGITS).unwrap_or(&id))
}

/// The tables of one build.
#[derive(Debug, Clone)]
pub struct Tables {
    schema: String,
    kind: RecordKind,
}

impl Tables {
    /// The tables of a build of this kind.
    #[must_use]
    pub fn new(build: &str, kind: RecordKind) -> Self {
        Self {
            schema: schema_name(build),
            kind,
        }
    }

    /// Person or company.
    #[must_use]
    pub const fn kind(&self) -> RecordKind {
        self.kind
    }

    /// Fields of a row of the load table.
    #[must_use]
    pub fn load_fields(&self) -> i16 {
        i16::try_from(record::columns(self.kind).len() + FIXED_COLUMNS).unwrap_or(i16::MAX)
    }

    /// A transaction that has the build to itself: whatever is made only once in a build is made in such a transaction.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn locked(
        &self,
        pool: &PgPool,
    ) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
        let mut tx = pool.begin().await?;
        run(
            &mut tx,
            format!("select pg_advisory_xact_lock(hashtext('{}'))", self.schema),
        )
        .await?;
        Ok(tx)
    }

    /// Makes schema and load tables where they are missing, one process at a time.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn create(&self, pool: &PgPool) -> Result<(), sqlx::Error> {
        let (schema, kind) = (&self.schema, self.kind.name());
        let mut tx = self.locked(pool).await?;
        // Checked first: DDL would wait for the chunks that are being copied at this moment.
        let is_there: bool = sqlx::query_scalar("select to_regclass($1) is not null")
            .bind(format!("{schema}.{kind}_key_load"))
            .fetch_one(&mut *tx)
            .await?;
        if is_there {
            return Ok(());
        }
        let typed: String = columns(self.kind)
            .map(|(name, sql_type)| format!("{name} {sql_type},\n"))
            .collect();
        run(
            &mut tx,
            format!(
                "create schema if not exists {schema};
                 create unlogged table {schema}.{kind}_load (
                     line bigint not null, level smallint not null, service_id uuid not null,
                     {typed} doc bytea not null
                 ) with (toast_tuple_target = {WHOLE_ROW}, autovacuum_enabled = false);
                 alter table {schema}.{kind}_load alter doc set storage external;
                 create unlogged table {schema}.{kind}_key_load (
                     kind smallint not null, key uuid not null, line bigint not null, flags smallint not null
                 ) with (autovacuum_enabled = false);
                 create unlogged table {schema}.chunk_load (chunk int not null);
                 create table if not exists {schema}.dictionary (
                     is_only boolean primary key default true check (is_only), bytes bytea not null
                 );
                 alter table {schema}.dictionary alter bytes set storage external;
                 comment on table {schema}.dictionary is 'What the documents of this build are packed with (zstd). Never changes.';"
            ),
        )
        .await?;
        tx.commit().await
    }

    /// The dictionary of the documents; `None` before the first chunk, and for ever in a build without chunks.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn dictionary(
        &self,
        db: &mut PgConnection,
    ) -> Result<Option<Dictionary>, sqlx::Error> {
        let statement = format!("select bytes from {}.dictionary", self.schema);
        let bytes: Option<Vec<u8>> = sqlx::query_scalar(AssertSqlSafe(statement))
            .fetch_optional(db)
            .await?;
        Ok(bytes.map(Dictionary::of_bytes))
    }

    /// Keeps the dictionary; in a transaction of [`Self::locked`] in which there was none.
    ///
    /// # Errors
    /// When there is one already, or the database fails.
    pub async fn keep_dictionary(
        &self,
        db: &mut PgConnection,
        dictionary: &Dictionary,
    ) -> Result<(), sqlx::Error> {
        let statement = format!("insert into {}.dictionary (bytes) values ($1)", self.schema);
        sqlx::query(AssertSqlSafe(statement))
            .bind(dictionary.bytes())
            .execute(db)
            .await?;
        Ok(())
    }

    /// Sends rows in the binary form of COPY to the load table.
    ///
    /// # Errors
    /// When the database refuses a row.
    pub async fn copy_records(
        &self,
        db: &mut PgConnection,
        rows: Vec<u8>,
    ) -> Result<(), sqlx::Error> {
        copy(
            db,
            format!(
                "copy {}.{}_load from stdin (format binary)",
                self.schema, self.kind
            ),
            rows,
        )
        .await
    }

    /// Sends rows in the binary form of COPY to the keys' load table.
    ///
    /// # Errors
    /// When the database refuses a row.
    pub async fn copy_keys(&self, db: &mut PgConnection, rows: Vec<u8>) -> Result<(), sqlx::Error> {
        copy(
            db,
            format!(
                "copy {}.{}_key_load from stdin (format binary)",
                self.schema, self.kind
            ),
            rows,
        )
        .await
    }

    /// Says that the load tables hold a chunk, in the transaction that copied it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn mark_chunk(&self, db: &mut PgConnection, chunk: i32) -> Result<(), sqlx::Error> {
        let statement = format!("insert into {}.chunk_load (chunk) values ($1)", self.schema);
        sqlx::query(AssertSqlSafe(statement))
            .bind(chunk)
            .execute(db)
            .await?;
        Ok(())
    }

    /// The chunks that the load tables hold. Fewer than were marked after a crash of Postgres.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn chunks(&self, db: &mut PgConnection) -> Result<Vec<i32>, sqlx::Error> {
        let statement = format!("select chunk from {}.chunk_load", self.schema);
        sqlx::query_scalar(AssertSqlSafe(statement))
            .fetch_all(db)
            .await
    }

    /// Writes every line whose id came before into `build_reject`; the first line stays.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reject_duplicates(
        &self,
        db: &mut PgConnection,
        build: &str,
    ) -> Result<u64, sqlx::Error> {
        let statement = format!(
            "insert into build_reject (build, line, reason)
             select $1, line, 'service_id came before, in line ' || first
             from (
                 select line, first_value(line) over same as first, row_number() over same as place
                 from {}.{}_load
                 window same as (partition by service_id order by line)
             ) as repeated
             where place > 1
             on conflict (build, line) do nothing",
            self.schema, self.kind
        );
        let done = sqlx::query(AssertSqlSafe(statement))
            .bind(build)
            .execute(db)
            .await?;
        Ok(done.rows_affected())
    }

    /// Makes the final tables from the load tables: ranked by the default order (level, sources, last seen, id), then
    /// indexed. Runs in the caller's transaction; `build_reject` must hold the duplicates. Final tables that outlived the rows
    /// about the build give way.
    ///
    /// `create table as` takes no settings of columns over, so that it might try to compress what is packed. It finds
    /// nothing to gain and stores the bytes as they are; later rows, should there ever be any, are not even tried.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rank(
        &self,
        db: &mut PgConnection,
        build: &str,
        sort_memory_mib: u32,
    ) -> Result<i64, sqlx::Error> {
        let (schema, kind) = (&self.schema, self.kind.name());
        run(
            db,
            format!(
                "set local work_mem = '{sort_memory_mib}MB';
                 set local maintenance_work_mem = '{sort_memory_mib}MB';
                 create unlogged table {schema}.ranking (line bigint not null, rank int not null);
                 analyze {schema}.{kind}_load (line);"
            ),
        )
        .await?;
        let ranking = format!(
            "insert into {schema}.ranking
             select line, row_number() over (
                 order by level desc, num_sources desc nulls last, last_seen collate \"C\" desc nulls last, service_id
             )::int
             from {schema}.{kind}_load as record
             where not exists (select from build_reject as r where r.build = $1 and r.line = record.line)"
        );
        let ranked = sqlx::query(AssertSqlSafe(ranking))
            .bind(build)
            .execute(&mut *db)
            .await?;
        let typed: String = columns(self.kind)
            .map(|(name, _)| format!("p.{name}, "))
            .collect();
        run(
            db,
            format!(
                "analyze {schema}.ranking;
                 drop table if exists {schema}.{kind}, {schema}.{kind}_key;
                 create table {schema}.{kind} as
                     select r.rank, p.service_id, {typed} p.doc
                     from {schema}.{kind}_load p join {schema}.ranking r using (line)
                     order by r.rank;
                 create table {schema}.{kind}_key as
                     select k.kind, k.key, r.rank, k.flags
                     from {schema}.{kind}_key_load k join {schema}.ranking r using (line);
                 drop table {schema}.ranking, {schema}.{kind}_load, {schema}.{kind}_key_load, {schema}.chunk_load;
                 alter table {schema}.{kind} alter doc set storage external;
                 alter table {schema}.{kind} add primary key (rank);
                 create unique index {kind}_service_id on {schema}.{kind} (service_id);
                 create index {kind}_key_lookup on {schema}.{kind}_key (kind, key, rank) include (flags);
                 comment on column {schema}.{kind}.rank is 'Place in the default order, 1 = first.';
                 comment on column {schema}.{kind}.doc is 'JSON, sparse (what is absent is left out), packed by zstd with the dictionary of this schema.';
                 comment on column {schema}.{kind}_key.flags is 'Bit 0 = not current; bits 1-2 = level: 0 unknown, 1 low, 2 moderate, 3 high.';"
            ),
        )
        .await?;
        Ok(i64::try_from(ranked.rows_affected()).unwrap_or(i64::MAX))
    }

    /// Whether the build is ranked, so that its records can be read.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn are_final(&self, db: &mut PgConnection) -> Result<bool, sqlx::Error> {
        sqlx::query_scalar("select to_regclass($1) is not null")
            .bind(format!("{}.{}", self.schema, self.kind))
            .fetch_one(db)
            .await
    }

    /// Rank, id and packed document of the record with this id, else of one that a key of this kind leads to. Indexes: the
    /// unique one of ids, and that of the keys.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record(
        &self,
        db: &mut PgConnection,
        id: Uuid,
        key_kind: i16,
        key: Uuid,
    ) -> Result<Option<(i32, Uuid, Vec<u8>)>, sqlx::Error> {
        let (schema, kind) = (&self.schema, self.kind);
        let statement = format!(
            "select rank, service_id, doc from {schema}.{kind} where rank in (
                 select rank from {schema}.{kind} where service_id = $1
                 union all
                 select rank from {schema}.{kind}_key where kind = $2 and key = $3
             )
             order by service_id = $1 desc, rank
             limit 1"
        );
        sqlx::query_as(AssertSqlSafe(statement))
            .bind(id)
            .bind(key_kind)
            .bind(key)
            .fetch_optional(db)
            .await
    }

    /// Visibility maps and statistics, without which the first look-ups would be slow. Outside any transaction.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn vacuum(&self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        for table in ["", "_key"] {
            let statement = format!("vacuum (analyze) {}.{}{table}", self.schema, self.kind);
            run(db, statement).await?;
        }
        Ok(())
    }

    /// Whether the documents are packed, as they are since there are dictionaries; before they were `jsonb`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_packed(&self, db: &mut PgConnection) -> Result<bool, sqlx::Error> {
        sqlx::query_scalar("select to_regclass($1) is not null")
            .bind(format!("{}.dictionary", self.schema))
            .fetch_one(db)
            .await
    }

    /// The documents in rank order: packed, or the bytes of their JSON. They come as fast as they are taken; none is
    /// kept here.
    pub fn documents<'c>(
        &self,
        db: &'c mut PgConnection,
        is_packed: bool,
    ) -> BoxStream<'c, Result<Vec<u8>, sqlx::Error>> {
        let document = if is_packed {
            "doc"
        } else {
            "convert_to(doc::text, 'UTF8')"
        };
        let statement = format!(
            "select {document} from {}.{} order by rank",
            self.schema, self.kind
        );
        sqlx::query_scalar(AssertSqlSafe(statement)).fetch(db)
    }

    /// Lets `role` read the build.
    ///
    /// # Errors
    /// When there is no such role.
    pub async fn grant(&self, db: &mut PgConnection, role: &str) -> Result<(), sqlx::Error> {
        grant(db, &self.schema, role).await
    }
}

/// Drops the schema of a build with everything in it; waits for its readers as long as the transaction waits for locks.
///
/// # Errors
/// When the database fails or a lock is not to be had.
pub async fn drop_schema(db: &mut PgConnection, build: &str) -> Result<(), sqlx::Error> {
    let schema = schema_name(build);
    run(db, format!("drop schema if exists {schema} cascade")).await
}

/// Lets `role` read the read models.
///
/// # Errors
/// When there is no such role.
pub async fn grant_read_models(db: &mut PgConnection, role: &str) -> Result<(), sqlx::Error> {
    grant(db, "public", role).await
}

async fn grant(db: &mut PgConnection, schema: &str, role: &str) -> Result<(), sqlx::Error> {
    let role = role.replace('"', "\"\"");
    run(
        db,
        format!("grant usage on schema {schema} to \"{role}\"; grant select on all tables in schema {schema} to \"{role}\""),
    )
    .await
}

/// The typed columns with the names that SQL uses.
fn columns(kind: RecordKind) -> impl Iterator<Item = (&'static str, &'static str)> {
    record::columns(kind)
        .iter()
        .map(|(name, sql_type)| (name.strip_prefix("r#").unwrap_or(name), *sql_type))
}

async fn run(db: &mut PgConnection, statements: String) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(db).await?;
    Ok(())
}

async fn copy(db: &mut PgConnection, statement: String, rows: Vec<u8>) -> Result<(), sqlx::Error> {
    let mut sink = db.copy_in_raw(&statement).await?;
    sink.send(rows).await?;
    sink.finish().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use events_schema::record::FieldType;

    use super::*;

    #[test]
    fn every_scalar_field_is_a_column() {
        for kind in RecordKind::ALL {
            let known: Vec<&str> = columns(kind).map(|(name, _)| name).collect();
            for field in kind.fields() {
                let is_scalar = !field.is_list()
                    && !matches!(
                        field.kind,
                        FieldType::Cleaned
                            | FieldType::Object { .. }
                            | FieldType::Map
                            | FieldType::Periods
                            | FieldType::PeriodsMap
                    );
                let is_column = known.contains(&field.name) || field.name == "service_id";
                assert_eq!(is_column, is_scalar, "{kind}.{}", field.name);
            }
        }
    }

    #[test]
    fn a_schema_name_is_stable_and_safe() {
        let name = schema_name("2026.10.1-person");
        assert_eq!(name, schema_name("2026.10.1-person"));
        assert!(name.len() == 18 && name.bytes().all(|b| b.is_ascii_hexdigit() || b == b'_'));
    }
}
