//! The search files of a build: written after ranking, redone after a kill or a fault, made anew, removed with it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use column_files::Manifest;
use events_schema::data_build::v1::{
    DataBuildAbandoned, DataBuildLoaded, DataBuildReindexed, LoadReport, SearchFiles,
};
use events_schema::ids::Shard;
use events_schema::record::RecordKind;
use projector::builds::schema::schema_name;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;

use crate::builds::{Build, person};
use crate::stack::Stack;

fn hexadecimal(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The files that an outcome names, checked byte by byte against the manifest.
fn checked(stack: &Stack, outcome: &Value) -> (SearchFiles, Manifest) {
    let files: SearchFiles = serde_json::from_value(outcome["search_files"].clone()).unwrap();
    let text = std::fs::read(stack.objects.join(&files.manifest)).unwrap();
    assert_eq!(hexadecimal(&text), files.sha256, "the manifest's digest");
    let folder = PathBuf::from(&files.manifest);
    let folder = folder.parent().unwrap();
    assert_eq!(
        folder.file_name().unwrap().to_str().unwrap(),
        &files.sha256[..16]
    );
    let manifest: Manifest = serde_json::from_slice(&text).unwrap();
    let mut bytes = text.len();
    for entry in &manifest.files {
        let file = std::fs::read(stack.objects.join(folder).join(&entry.name)).unwrap();
        assert_eq!(file.len() as u64, entry.bytes, "{}", entry.name);
        assert_eq!(hexadecimal(&file), entry.sha256, "{}", entry.name);
        bytes += file.len();
    }
    assert_eq!(files.files as usize, manifest.files.len());
    assert_eq!(files.bytes, bytes as u64);
    (files, manifest)
}

/// Names of the folders of search files that a build has in the object store.
fn folders(stack: &Stack, build: &str) -> BTreeSet<String> {
    let search = stack.objects.join(format!("builds/{build}/search"));
    match std::fs::read_dir(search) {
        Ok(found) => found
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect(),
        Err(_) => BTreeSet::new(),
    }
}

fn folder_of(files: &SearchFiles) -> String {
    files.sha256[..16].to_owned()
}

/// Nothing of a try stays on the local disk.
async fn until_spool_is_empty(stack: &Stack) {
    stack
        .until("the spool is empty", || async {
            let left = std::fs::read_dir(&stack.spool).map_or(0, Iterator::count);
            (left == 0).then_some(())
        })
        .await;
}

/// What command-service makes of an outcome.
async fn is_loaded(stack: &Stack, build: &str, outcome: &Value) {
    let loaded = DataBuildLoaded {
        build: build.parse().unwrap(),
        rows: outcome["rows"].as_u64().unwrap(),
        rejected: outcome["rejected"].as_u64().unwrap(),
        rejects_object: None,
        reference_date: "2026-10-02".parse().unwrap(),
        report: LoadReport::default(),
        search_files: serde_json::from_value(outcome["search_files"].clone()).unwrap(),
    };
    let last = stack.happen(Shard::DATA_BUILDS, loaded).await;
    stack.until_projected(&last).await;
}

/// Waits for the word that files were written anew, and makes the event of it.
async fn until_reindexed(stack: &Stack, build: &str) -> Value {
    let told = stack
        .until("new files are told", || async {
            let outcomes = stack.command_service.outcomes.lock().unwrap();
            let told = outcomes.get(build)?;
            (told["result"] == "reindexed").then(|| told.clone())
        })
        .await;
    let reindexed = DataBuildReindexed {
        build: build.parse().unwrap(),
        search_files: serde_json::from_value(told["search_files"].clone()).unwrap(),
    };
    let last = stack.happen(Shard::DATA_BUILDS, reindexed).await;
    stack.until_projected(&last).await;
    told
}

async fn until_state(stack: &Stack, url: &str, state: &str) -> Value {
    stack
        .until(state, || async {
            let progress = stack.get(url).await;
            (progress["state"] == state).then_some(progress)
        })
        .await
}

/// The search files that the read model names for the one build.
async fn named_files(stack: &Stack) -> Value {
    sqlx::query_scalar("select search_files from data_build")
        .fetch_one(&stack.pool)
        .await
        .unwrap()
}

async fn people(stack: &Stack, name: &'static str, count: u32) -> (Value, String) {
    let mut build = Build::start(stack, name, RecordKind::Person).await;
    let lines: Vec<String> = (1..=count)
        .map(|n| person(n, &format!("maya okafor {n}"), json!({})))
        .collect();
    build.stage(&lines).await;
    let outcome = build.seal().await;
    (outcome, name.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loaded_build_names_files_that_hold_its_rows() {
    let stack = Stack::new().await;
    stack.start().await;
    let (outcome, build) = people(&stack, "b1", 25).await;
    assert_eq!(outcome["result"], "loaded", "{outcome}");
    let (files, manifest) = checked(&stack, &outcome);
    assert_eq!((manifest.rows, manifest.kind), (25, RecordKind::Person));
    assert_eq!(folders(&stack, &build), [folder_of(&files)].into());
    until_spool_is_empty(&stack).await;
    is_loaded(&stack, &build, &outcome).await;
    let named = named_files(&stack).await;
    assert_eq!(named, outcome["search_files"]);
}

/// Read models that are made anew apply it when the rows are there already: its files hold others.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_before_names_no_files_for_rows_that_were_loaded_again() {
    let stack = Stack::new().await;
    stack.start().await;
    let (outcome, build) = people(&stack, "b1", 3).await;
    is_loaded(&stack, &build, &outcome).await;
    let are_nobodys = "update data_build set search_files = null; \
         update build_index set state = 'asked', search_files = null, due_at = now() + interval '1 hour'";
    sqlx::raw_sql(are_nobodys)
        .execute(&stack.pool)
        .await
        .unwrap();
    let name_again = async || {
        let reindexed = DataBuildReindexed {
            build: build.parse().unwrap(),
            search_files: serde_json::from_value(outcome["search_files"].clone()).unwrap(),
        };
        let last = stack.happen(Shard::DATA_BUILDS, reindexed).await;
        stack.until_projected(&last).await;
        let named = "select search_files from data_build";
        let named: Option<Value> = sqlx::query_scalar(named)
            .fetch_one(&stack.pool)
            .await
            .unwrap();
        named
    };
    assert_eq!(name_again().await, None);
    sqlx::query("update build_index set state = 'written', search_files = $1")
        .bind(&outcome["search_files"])
        .execute(&stack.pool)
        .await
        .unwrap();
    assert_eq!(name_again().await.as_ref(), Some(&outcome["search_files"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_try_that_was_killed_is_taken_over_and_leaves_nothing() {
    let stack = Stack::new().await;
    let mut build = Build::start(&stack, "b1", RecordKind::Person).await;
    build.stage(&[person(1, "Maya Okafor", json!({}))]).await;
    // What a killed process leaves: half a folder in the object store, its spool, and its lease.
    let half = stack.objects.join("builds/b1/search/0123456789abcdef");
    std::fs::create_dir_all(&half).unwrap();
    std::fs::write(half.join("rows#1"), "half").unwrap();
    let killed = uuid::Uuid::new_v4();
    std::fs::create_dir_all(stack.spool.join(killed.to_string()).join("values")).unwrap();
    std::fs::create_dir_all(stack.spool.join("not ours")).unwrap();
    sqlx::query(
        "insert into build_index (build, attempts, worker, leased_until)
         values ('b1', 1, $1, now() + interval '1 second')",
    )
    .bind(killed)
    .execute(&stack.pool)
    .await
    .unwrap();
    stack.start().await;
    let outcome = build.seal().await;
    assert_eq!(outcome["result"], "loaded", "{outcome}");
    let (files, _) = checked(&stack, &outcome);
    assert_eq!(folders(&stack, "b1"), [folder_of(&files)].into());
    let attempts = "select attempts from build_index where state = 'done'";
    let attempts: i32 = sqlx::query_scalar(attempts)
        .fetch_one(&stack.pool)
        .await
        .unwrap();
    assert_eq!(attempts, 2);
    let left: Vec<_> = std::fs::read_dir(&stack.spool)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["not ours"], "what is no try's stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spool_that_cannot_be_used_fails_the_build_after_a_bounded_number_of_tries() {
    let stack = Stack::new().await;
    std::fs::create_dir_all(stack.spool.parent().unwrap()).unwrap();
    std::fs::write(&stack.spool, "a file, no folder").unwrap();
    stack.start().await;
    let (outcome, build) = people(&stack, "b1", 2).await;
    assert_eq!(outcome["result"], "failed", "{outcome}");
    let reason = outcome["reason"].as_str().unwrap();
    assert!(
        reason
            .starts_with("the search files could not be written: the spool folder cannot be used"),
        "{reason}"
    );
    let tries: (i32, String) = sqlx::query_as("select attempts, state from build_index")
        .fetch_one(&stack.pool)
        .await
        .unwrap();
    assert_eq!(tries, (3, "failed".to_owned()));
    assert!(folders(&stack, &build).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn tries_that_end_with_their_process_are_bounded_too() {
    let stack = Stack::new().await;
    let mut build = Build::start(&stack, "b1", RecordKind::Person).await;
    build.stage(&[person(1, "Maya Okafor", json!({}))]).await;
    sqlx::query("insert into build_index (build, attempts) values ('b1', 3)")
        .execute(&stack.pool)
        .await
        .unwrap();
    stack.start().await;
    let outcome = build.seal().await;
    assert_eq!(outcome["result"], "failed", "{outcome}");
    let reason = outcome["reason"].as_str().unwrap();
    assert!(
        reason.contains("3 tries ended with their process"),
        "{reason}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_cannot_be_read_ends_a_reindex_and_the_build_keeps_its_files() {
    let stack = Stack::new().await;
    let address = stack.start().await;
    let (outcome, build) = people(&stack, "b1", 3).await;
    is_loaded(&stack, &build, &outcome).await;
    let (files, _) = checked(&stack, &outcome);
    spoil(&stack, &build, 2).await;
    let url = format!("{address}/admin/builds/{build}/reindex");
    let (status, asked) = stack.post(&url).await;
    assert_eq!(status, 202, "{asked}");
    let failed = until_state(&stack, &url, "failed").await;
    let fault = failed["fault"].as_str().unwrap();
    assert!(fault.contains("row 1"), "{fault}");
    assert_eq!(failed["attempts"], 3);
    assert_eq!(failed["search_files"], outcome["search_files"]);
    checked(&stack, &outcome);
    assert_eq!(folders(&stack, &build), [folder_of(&files)].into());
    until_spool_is_empty(&stack).await;
    // Mended by hand, it is asked for again.
    mend(&stack, &build, 2).await;
    assert_eq!(stack.post(&url).await.0, 202);
    until_reindexed(&stack, &build).await;
    until_state(&stack, &url, "done").await;
}

/// Makes the document of a rank one that is not a record's.
async fn spoil(stack: &Stack, build: &str, rank: i32) {
    let schema = schema_name(build);
    let statements = format!(
        "create table {schema}.kept as select rank, doc from {schema}.person where rank = {rank};
         update {schema}.person set doc = 'no document' where rank = {rank}"
    );
    sqlx::raw_sql(AssertSqlSafe(statements))
        .execute(&stack.pool)
        .await
        .unwrap();
}

async fn mend(stack: &Stack, build: &str, rank: i32) {
    let schema = schema_name(build);
    let statement = format!(
        "update {schema}.person p set doc = kept.doc from {schema}.kept where p.rank = {rank} and kept.rank = {rank}"
    );
    sqlx::raw_sql(AssertSqlSafe(statement))
        .execute(&stack.pool)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reindex_makes_damaged_and_missing_files_good_again() {
    let stack = Stack::new().await;
    let address = stack.start().await;
    let (outcome, build) = people(&stack, "b1", 25).await;
    is_loaded(&stack, &build, &outcome).await;
    let (files, manifest) = checked(&stack, &outcome);
    let folder = stack.objects.join(&files.manifest);
    let folder = folder.parent().unwrap();
    std::fs::write(folder.join(&manifest.files[0].name), "damaged").unwrap();
    std::fs::remove_file(folder.join("manifest.json")).unwrap();
    let url = format!("{address}/admin/builds/{build}/reindex");
    let (status, asked) = stack.post(&url).await;
    assert_eq!((status, &asked["rows"]), (202, &25.into()), "{asked}");
    let told = until_reindexed(&stack, &build).await;
    assert_eq!(
        told["search_files"], outcome["search_files"],
        "the same rows make the same files"
    );
    checked(&stack, &told);
    let done = until_state(&stack, &url, "done").await;
    assert_eq!(done["rows_written"], 25);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reindex_gives_files_to_a_build_that_has_none_and_removes_those_it_replaces() {
    let stack = Stack::new().await;
    let address = stack.start().await;
    let (mut outcome, build) = people(&stack, "b1", 4).await;
    // As it was before there were search files.
    outcome["search_files"] = Value::Null;
    is_loaded(&stack, &build, &outcome).await;
    sqlx::raw_sql("delete from build_index; update build_load set search_files = null")
        .execute(&stack.pool)
        .await
        .unwrap();
    let url = format!("{address}/admin/builds/{build}/reindex");
    let (status, asked) = stack.post(&url).await;
    assert_eq!(status, 202, "{asked}");
    let first = until_reindexed(&stack, &build).await;
    let (first_files, _) = checked(&stack, &first);
    until_state(&stack, &url, "done").await;
    // Other rows, other files: those before go once everybody can know the new ones.
    let schema = schema_name(&build);
    sqlx::raw_sql(AssertSqlSafe(format!(
        "create table {schema}.swap as select rank, doc from {schema}.person;
         update {schema}.person p set doc = s.doc from {schema}.swap s where s.rank = 5 - p.rank"
    )))
    .execute(&stack.pool)
    .await
    .unwrap();
    stack
        .command_service
        .outcomes
        .lock()
        .unwrap()
        .remove(&build);
    assert_eq!(stack.post(&url).await.0, 202);
    let second = until_reindexed(&stack, &build).await;
    let (second_files, _) = checked(&stack, &second);
    assert_ne!(first_files.manifest, second_files.manifest);
    stack
        .until("the older files are gone", || async {
            (folders(&stack, &build) == [folder_of(&second_files)].into()).then_some(())
        })
        .await;
    let named = named_files(&stack).await;
    assert_eq!(named, second["search_files"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_is_not_loaded_or_dropped_is_not_reindexed() {
    let stack = Stack::new().await;
    let address = stack.start().await;
    let url = |build: &str| format!("{address}/admin/builds/{build}/reindex");
    assert_eq!(stack.post(&url("none")).await.0, 404);
    assert_eq!(stack.post(&url("no%20name")).await.0, 404);
    let mut build = Build::start(&stack, "b1", RecordKind::Person).await;
    let staged = build.stage(&[person(1, "Maya Okafor", json!({}))]).await;
    stack.until_projected(&staged).await;
    let (status, refused) = stack.post(&url("b1")).await;
    assert_eq!(
        (status, &refused["details"]["reason"]),
        (409, &"not_loaded".into()),
        "{refused}"
    );
    build.seal().await;
    let abandoned = DataBuildAbandoned {
        build: "b1".parse().unwrap(),
        abandoned_at: chrono::Utc::now(),
    };
    stack.happen(Shard::DATA_BUILDS, abandoned).await;
    stack
        .until("it is dropped", || async {
            let dropped = "select count(*) from build_load where stage = 'dropped'";
            (stack.number(dropped).await == 1).then_some(())
        })
        .await;
    assert!(!stack.objects.join("builds/b1").exists(), "files go, too");
    assert_eq!(stack.number("select count(*) from build_index").await, 0);
    let (status, refused) = stack.post(&url("b1")).await;
    assert_eq!(
        (status, &refused["details"]["reason"]),
        (409, &"dropped".into()),
        "{refused}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_projectors_write_the_files_of_a_build_once() {
    let stack = Stack::new().await;
    stack.start().await;
    stack.start().await;
    for name in ["b1", "b2", "b3", "b4"] {
        let (outcome, _) = people(&stack, name, 40).await;
        assert_eq!(outcome["result"], "loaded", "{outcome}");
        checked(&stack, &outcome);
    }
    let more_than_one = "select count(*) from build_index where attempts <> 1 or state <> 'done'";
    assert_eq!(stack.number(more_than_one).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_is_written_by_another_is_dropped_only_when_its_lease_is_over() {
    let stack = Stack::new().await;
    let address = stack.start().await;
    let (outcome, build) = people(&stack, "b1", 2).await;
    is_loaded(&stack, &build, &outcome).await;
    sqlx::query(
        "update build_index set state = 'asked', worker = gen_random_uuid(), leased_until = now() + interval '1 hour'",
    )
    .execute(&stack.pool)
    .await
    .unwrap();
    let abandoned = DataBuildAbandoned {
        build: build.parse().unwrap(),
        abandoned_at: chrono::Utc::now(),
    };
    stack.happen(Shard::DATA_BUILDS, abandoned).await;
    stack
        .until("it is marked", || async {
            let marked = "select count(*) from build_load where stage = 'dropping'";
            (stack.number(marked).await == 1).then_some(())
        })
        .await;
    let url = format!("{address}/admin/builds/{build}/reindex");
    assert_eq!(stack.post(&url).await.0, 409);
    checked(&stack, &outcome);
    sqlx::query("update build_index set leased_until = now()")
        .execute(&stack.pool)
        .await
        .unwrap();
    stack
        .until("it is dropped", || async {
            let dropped = "select count(*) from build_load where stage = 'dropped'";
            (stack.number(dropped).await == 1).then_some(())
        })
        .await;
    assert!(!stack.objects.join("builds/b1").exists());
}

/// Nobody can read the rows of a build until this ends.
async fn locked<'a>(stack: &'a Stack, build: &str) -> sqlx::Transaction<'a, sqlx::Postgres> {
    let mut tx = stack.pool.begin().await.unwrap();
    let statement = format!(
        "lock table {}.person in access exclusive mode",
        schema_name(build)
    );
    sqlx::query(AssertSqlSafe(statement))
        .execute(&mut *tx)
        .await
        .unwrap();
    tx
}

async fn lease_end(stack: &Stack) -> chrono::DateTime<chrono::Utc> {
    sqlx::query_scalar("select leased_until from build_index")
        .fetch_one(&stack.pool)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_takes_longer_than_its_lease_is_not_taken_over() {
    let stack = Stack::new().await;
    let address = stack.start().await;
    stack.start().await;
    let (outcome, build) = people(&stack, "b1", 5).await;
    is_loaded(&stack, &build, &outcome).await;
    let lock = locked(&stack, &build).await;
    let url = format!("{address}/admin/builds/{build}/reindex");
    assert_eq!(stack.post(&url).await.0, 202);
    until_state(&stack, &url, "writing").await;
    let first = lease_end(&stack).await;
    stack
        .until("the lease is renewed for three times its time", || async {
            let renewed = lease_end(&stack).await;
            (renewed - first > chrono::TimeDelta::milliseconds(1_800)).then_some(())
        })
        .await;
    // Asked again meanwhile: it is being done.
    let (status, again) = stack.post(&url).await;
    assert_eq!(
        (status, &again["state"]),
        (202, &"writing".into()),
        "{again}"
    );
    lock.commit().await.unwrap();
    until_reindexed(&stack, &build).await;
    let done = until_state(&stack, &url, "done").await;
    assert_eq!(done["attempts"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_orderly_stop_gives_its_try_back_and_another_projector_begins_at_once() {
    let mut stack = Stack::new().await;
    // Nobody waits for this one to run out.
    stack.config.builds.search_files.lease = std::time::Duration::from_secs(3_600);
    let first = tokio_util::sync::CancellationToken::new();
    let address = stack.start_until(&first).await;
    let (outcome, build) = people(&stack, "b1", 5).await;
    is_loaded(&stack, &build, &outcome).await;
    let lock = locked(&stack, &build).await;
    let url = format!("{address}/admin/builds/{build}/reindex");
    assert_eq!(stack.post(&url).await.0, 202);
    until_state(&stack, &url, "writing").await;
    first.cancel();
    let address = stack.start().await;
    lock.commit().await.unwrap();
    until_reindexed(&stack, &build).await;
    let url = format!("{address}/admin/builds/{build}/reindex");
    let done = until_state(&stack, &url, "done").await;
    assert_eq!(done["attempts"], 1);
    until_spool_is_empty(&stack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_from_before_documents_were_packed_gets_the_same_files() {
    let stack = Stack::new().await;
    let address = stack.start().await;
    let mut build = Build::start(&stack, "old", RecordKind::Person).await;
    build
        .stage(&[
            person(1, "Maya Okafor", json!({"city": "Chicago"})),
            person(2, "Ada Verne", json!({"num_sources": 3})),
        ])
        .await;
    let outcome = build.seal().await;
    is_loaded(&stack, "old", &outcome).await;
    let documents = build.docs().await;
    let schema = schema_name("old");
    let change = format!(
        "drop table {schema}.dictionary; alter table {schema}.person drop column doc;
         alter table {schema}.person add column doc jsonb"
    );
    sqlx::raw_sql(AssertSqlSafe(change))
        .execute(&stack.pool)
        .await
        .unwrap();
    for (rank, document) in (1_i32..).zip(documents) {
        let fill = format!("update {schema}.person set doc = $2 where rank = $1");
        sqlx::query(AssertSqlSafe(fill))
            .bind(rank)
            .bind(document)
            .execute(&stack.pool)
            .await
            .unwrap();
    }
    let url = format!("{address}/admin/builds/old/reindex");
    assert_eq!(stack.post(&url).await.0, 202);
    let told = until_reindexed(&stack, "old").await;
    checked(&stack, &told);
    assert_eq!(told["search_files"], outcome["search_files"]);
}
