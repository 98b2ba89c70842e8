//! What search finds, beside three others that answer the same questions in their own ways: the meaning of a filter said
//! plainly on each document, SQL on Postgres' typed columns, and SQL on SQLite. Over real records that went the whole way:
//! lines, loader, ranks, search files.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

use column_files::{Columns, Manifest, Page, Search, Start};
use dialect::arbitrary::{Vocabulary, queries};
use dialect::{Catalog, ColumnId, Place, Query, Value, interpret, order_value};
use documents::{Dictionary, Unpacker};
use events_schema::record::RecordKind;
use flate2::read::GzDecoder;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rusqlite::types::Value as Cell;
use serde_json::{Map, Value as Json};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _};
use tests::Stack;
use tests::servers::checkout;
use tests::sql::{self, Flavor};

/// Records of each kind.
const RECORDS: usize = 600;
/// Queries of each kind that three engines answer: none of them looks into a list.
const QUERIES: usize = 1_000;
/// One query in so many is also held against its meaning, which is slow to work out for every record.
const MEANT: usize = 10;
const LIMIT: u32 = 100;

type Document = Map<String, Json>;

#[tokio::test(flavor = "multi_thread")]
async fn search_finds_what_its_meaning_postgres_and_sqlite_find() {
    let stack = Stack::start().await.unwrap();
    for kind in RecordKind::ALL {
        stack.ingest(kind.name(), &sample(kind)).await.unwrap();
        let mut build = Build::open(&stack, kind).await;
        let sqlite = sqlite(kind, &build.documents);
        let vocabulary = Vocabulary::of(kind, &build.documents, 60);
        let strategy = queries(kind, &vocabulary);
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let (mut compared, mut with_lists, mut found_some) = (0, 0, 0);
        while compared < QUERIES {
            let query = strategy.new_tree(&mut runner).unwrap().current();
            let found = build.search(&query);
            if (compared + with_lists) % MEANT == 0 {
                assert_eq!(found, build.meaning(&query), "{}", query.text());
            }
            if build.has_columns_for(&query).await {
                assert_eq!(found, build.postgres(&query).await, "{}", query.text());
                assert_eq!(found, in_sqlite(&sqlite, &query), "{}", query.text());
                compared += 1;
                found_some += usize::from(found.0 > 0);
            } else {
                with_lists += 1;
            }
        }
        assert!(
            with_lists > QUERIES / 10,
            "{with_lists} queries look into lists"
        );
        assert!(
            found_some > QUERIES / 4,
            "{found_some} queries find anything"
        );
    }
}

/// The first records of the sample.
fn sample(kind: RecordKind) -> String {
    let name = match kind {
        RecordKind::Person => "persons",
        RecordKind::Company => "companies",
    };
    let file = checkout().join(format!("data/sample/{name}.ndjson.gz"));
    let lines = BufReader::new(GzDecoder::new(std::fs::File::open(file).unwrap())).lines();
    let lines: Vec<String> = lines.step_by(5).take(RECORDS).map(Result::unwrap).collect();
    lines.join("\n")
}

/// The active build as each engine sees it.
struct Build {
    kind: RecordKind,
    columns: Arc<Columns>,
    /// In rank order.
    documents: Vec<Document>,
    db: PgConnection,
    typed: Vec<String>,
}

impl Build {
    async fn open(stack: &Stack, kind: RecordKind) -> Self {
        let mut db = PgConnection::connect(&stack.read_model_url).await.unwrap();
        let row = sqlx::query(
            "select a.schema_name, b.search_files from active_build a join data_build b using (build) where a.kind = $1",
        )
        .bind(kind.name())
        .fetch_one(&mut db)
        .await
        .unwrap();
        let (schema, files): (String, Json) = (row.get(0), row.get(1));
        let manifest: PathBuf = stack.objects().join(files["manifest"].as_str().unwrap());
        let named: Manifest = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
        let columns = Columns::open(manifest.parent().unwrap(), &named).unwrap();
        db.execute(AssertSqlSafe(format!("set search_path = {schema}, public")))
            .await
            .unwrap();
        let dictionary: Vec<u8> = sqlx::query_scalar("select bytes from dictionary")
            .fetch_one(&mut db)
            .await
            .unwrap();
        let unpacker = Unpacker::new(Dictionary::of_bytes(dictionary)).unwrap();
        let stored: Vec<Vec<u8>> = sqlx::query_scalar(AssertSqlSafe(format!(
            "select doc from {kind} order by rank"
        )))
        .fetch_all(&mut db)
        .await
        .unwrap();
        let documents = stored.iter().map(|packed| {
            let document = unpacker.unpack(packed).unwrap();
            serde_json::from_slice(&document).unwrap()
        });
        let typed: Vec<String> = sqlx::query_scalar(
            "select column_name::text from information_schema.columns where table_schema = $1 and table_name = $2",
        )
        .bind(&schema)
        .bind(kind.name())
        .fetch_all(&mut db)
        .await
        .unwrap();
        Self {
            kind,
            columns: Arc::new(columns),
            documents: documents.collect(),
            db,
            typed,
        }
    }

    fn search(&self, query: &Query) -> (u64, Vec<u32>) {
        let page = Page {
            limit: LIMIT,
            start: Start::Offset(0),
        };
        let search = Search::new(Arc::clone(&self.columns), query, page, None);
        let found = search.run().unwrap();
        (found.total, found.ranks)
    }

    /// By the meaning of the filter on each document, sorted as the order says.
    fn meaning(&self, query: &Query) -> (u64, Vec<u32>) {
        let holds = |document: &Document| {
            let filter = query.filter.as_ref();
            filter.is_none_or(|filter| interpret(filter, self.kind, document))
        };
        let mut rows: Vec<(u32, &Document)> = (1..)
            .zip(&self.documents)
            .filter(|(_, document)| holds(document))
            .collect();
        // Stable: what is alike stays in rank order.
        for key in query.order.iter().rev() {
            let value = |document: &Document| order_value(self.kind, document, key.column);
            rows.sort_by(|(_, a), (_, b)| match (value(a), value(b)) {
                (Some(a), Some(b)) if key.descending => b.cmp(&a),
                (Some(a), Some(b)) => a.cmp(&b),
                (a, b) if key.nulls_first => a.is_some().cmp(&b.is_some()),
                (a, b) => a.is_none().cmp(&b.is_none()),
            });
        }
        let ranks = rows.iter().take(LIMIT as usize).map(|(rank, _)| *rank);
        (rows.len() as u64, ranks.collect())
    }

    /// Whether the query stays within the typed columns of the table.
    async fn has_columns_for(&self, query: &Query) -> bool {
        let texts = [
            sql::condition(Flavor::Postgres, query).map(|sql| sql.text),
            sql::order(Flavor::Postgres, query),
        ];
        texts.iter().all(|text| {
            let Some(text) = text else { return false };
            // Names stand in double quotes, values are bound.
            let mut names = text.split('"').skip(1).step_by(2);
            names.all(|name| name == "C" || self.typed.iter().any(|typed| typed == name))
        })
    }

    async fn postgres(&mut self, query: &Query) -> (u64, Vec<u32>) {
        let condition = sql::condition(Flavor::Postgres, query).unwrap();
        let order = sql::order(Flavor::Postgres, query).unwrap();
        let text = format!(
            "select rank from {} where {} order by {order}",
            self.kind, condition.text
        );
        let mut statement = sqlx::query_scalar::<_, i32>(AssertSqlSafe(text));
        for value in condition.values {
            statement = match value {
                Value::Text(text) => statement.bind(text),
                Value::Integer(number) => statement.bind(number),
                Value::Number(number) => statement.bind(number),
                Value::Boolean(boolean) => statement.bind(boolean),
            };
        }
        let ranks = statement.fetch_all(&mut self.db).await.unwrap();
        page_of(ranks.into_iter().map(i64::from))
    }
}

fn page_of(ranks: impl Iterator<Item = i64>) -> (u64, Vec<u32>) {
    let ranks: Vec<u32> = ranks.map(|rank| u32::try_from(rank).unwrap()).collect();
    let total = ranks.len() as u64;
    (total, ranks.into_iter().take(LIMIT as usize).collect())
}

/// The scalars of a record.
fn scalars(kind: RecordKind) -> Vec<(ColumnId, String)> {
    let columns = (0..).map(ColumnId).zip(Catalog::of(kind).columns());
    let scalars = columns.filter(|(_, column)| column.place == Place::Record);
    scalars
        .map(|(id, column)| (id, sql::column_name(&column.path)))
        .collect()
}

fn sqlite(kind: RecordKind, documents: &[Document]) -> rusqlite::Connection {
    let db = rusqlite::Connection::open_in_memory().unwrap();
    let scalars = scalars(kind);
    let names: Vec<String> = scalars
        .iter()
        .map(|(_, name)| format!("\"{name}\""))
        .collect();
    db.execute_batch(&format!(
        "create table record (rank integer primary key, {})",
        names.join(", ")
    ))
    .unwrap();
    let places = vec!["?"; names.len() + 1].join(", ");
    let insert = format!("insert into record values ({places})");
    for (rank, document) in (1_i64..).zip(documents) {
        let cells = scalars
            .iter()
            .map(|(column, _)| order_value(kind, document, *column).map_or(Cell::Null, cell));
        let cells = std::iter::once(Cell::Integer(rank)).chain(cells);
        let mut statement = db.prepare_cached(&insert).unwrap();
        statement
            .execute(rusqlite::params_from_iter(cells))
            .unwrap();
    }
    db
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Text(text) => Cell::Text(text),
        Value::Integer(number) => Cell::Integer(number),
        Value::Number(number) => Cell::Real(number),
        Value::Boolean(boolean) => Cell::Integer(boolean.into()),
    }
}

fn in_sqlite(db: &rusqlite::Connection, query: &Query) -> (u64, Vec<u32>) {
    let condition = sql::condition(Flavor::Sqlite, query).unwrap();
    let order = sql::order(Flavor::Sqlite, query).unwrap();
    let text = format!(
        "select rank from record where {} order by {order}",
        condition.text
    );
    let mut statement = db.prepare(&text).unwrap();
    let cells = condition.values.into_iter().map(cell);
    let rows = statement
        .query_map(rusqlite::params_from_iter(cells), |row| {
            row.get::<_, i64>(0)
        })
        .unwrap();
    page_of(rows.map(Result::unwrap))
}
