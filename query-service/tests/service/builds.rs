//! Following the builds of a read model in which something is damaged.

use events_schema::record::RecordKind;
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor};

use crate::fixture;
use crate::ledger::GOOD_KEY;
use crate::stack::{Answered, Stack, build_name, schema_name};

async fn person(stack: &Stack) -> Answered {
    let body = json!({"email": "m.okafor@northwind-tools.example"});
    stack.post("/person/enrich", GOOD_KEY, body).await
}

async fn company(stack: &Stack) -> Answered {
    let body = json!({"domain": "northwind-tools.example"});
    stack.post("/company/enrich", GOOD_KEY, body).await
}

async fn load_and_activate(stack: &Stack, kind: RecordKind, number: u64) {
    stack
        .database
        .load(kind, number, &fixture::build(kind))
        .await;
    stack.database.activate(kind, number).await;
}

async fn damage(stack: &Stack, statement: &str) {
    let mut own = stack.database.connect().await;
    own.execute(AssertSqlSafe(statement.to_owned()))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_build_whose_row_cannot_be_read_keeps_no_other_from_being_followed() {
    let stack = Stack::start(100).await;
    let schema = schema_name(RecordKind::Person, 7);
    for (build, schema, files) in [
        ("no name", schema.as_str(), "null"),
        ("a-build", "public", "null"),
        ("another-build", schema.as_str(), r#"'{"odd": 1}'"#),
    ] {
        let statement = format!(
            "insert into data_build (build, kind, status, schema_name, retired_at, search_files)
             values ('{build}', 'person', 'retired', '{schema}', now(), {files})"
        );
        damage(&stack, &statement).await;
    }
    load_and_activate(&stack, RecordKind::Person, 2).await;
    stack.follow().await;
    let answered = person(&stack).await;
    let second = build_name(RecordKind::Person, 2);
    assert_eq!(
        answered.header("data-build"),
        Some(second.as_str()),
        "{}",
        answered.text
    );
    stack.stop().await;
}

#[tokio::test]
async fn an_active_build_whose_row_cannot_be_read_leaves_its_kind_alone_where_it_was() {
    let damaged = "update active_build set build = 'a/b' where kind = 'person'";
    let stack = Stack::start(100).await;
    damage(&stack, damaged).await;
    load_and_activate(&stack, RecordKind::Company, 2).await;
    stack.follow().await;
    let (first, second) = (
        build_name(RecordKind::Person, 1),
        build_name(RecordKind::Company, 2),
    );
    let answered = person(&stack).await;
    assert_eq!(answered.header("data-build"), Some(first.as_str()));
    let answered = company(&stack).await;
    assert_eq!(answered.header("data-build"), Some(second.as_str()));
    stack.stop().await;

    // A process that has never read another one knows of records that it cannot read.
    let stack = Stack::start_empty(100).await;
    load_and_activate(&stack, RecordKind::Person, 1).await;
    load_and_activate(&stack, RecordKind::Company, 1).await;
    damage(&stack, damaged).await;
    stack.follow().await;
    assert_eq!(person(&stack).await.status, 503);
    assert_eq!(company(&stack).await.status, 200);
    stack.stop().await;
}

async fn load_by_edition(stack: &Stack, number: u64, edition: i32) {
    let kind = RecordKind::Person;
    let build = build_name(kind, number);
    stack
        .database
        .load(kind, number, &fixture::build(kind))
        .await;
    let statement =
        format!("insert into build_load (build, edition) values ('{build}', {edition})");
    damage(stack, &statement).await;
    stack.database.activate(kind, number).await;
}

#[tokio::test]
async fn a_build_that_a_newer_version_loaded_is_not_answered_from_and_one_of_an_earlier_is() {
    let stack = Stack::start(100).await;
    load_by_edition(&stack, 2, normalize::EDITION + 1).await;
    stack.follow().await;
    let first = build_name(RecordKind::Person, 1);
    let answered = person(&stack).await;
    assert_eq!(
        answered.header("data-build"),
        Some(first.as_str()),
        "what answered before stays: this version's keys would miss records of the other"
    );
    load_by_edition(&stack, 3, normalize::EDITION).await;
    stack.follow().await;
    let third = build_name(RecordKind::Person, 3);
    let answered = person(&stack).await;
    assert_eq!(answered.header("data-build"), Some(third.as_str()));
    load_by_edition(&stack, 4, 0).await;
    stack.follow().await;
    let fourth = build_name(RecordKind::Person, 4);
    let answered = person(&stack).await;
    assert_eq!(answered.header("data-build"), Some(fourth.as_str()));
    stack.stop().await;
}

#[tokio::test]
async fn a_read_model_without_editions_is_followed() {
    let stack = Stack::start_empty(100).await;
    damage(&stack, "alter table build_load drop column edition").await;
    load_and_activate(&stack, RecordKind::Person, 1).await;
    damage(
        &stack,
        "insert into build_load (build) select build from data_build",
    )
    .await;
    stack.follow().await;
    assert_eq!(person(&stack).await.status, 200);
    stack.stop().await;
}
