//! Documents as a build stores them: read by rank and by id, unpacked by the build's own dictionary.

use events_schema::record::RecordKind;
use query_service::builds::ActiveBuild;
use query_service::read_model::{BuildReader, ReadFault};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, Executor};

use crate::fixture::{self, id};
use crate::ledger::GOOD_KEY;
use crate::stack::{Stack, schema_name};

const MAIL: &str = "m.okafor@northwind-tools.example";

fn persons(stack: &Stack) -> BuildReader {
    match stack.builds.active(RecordKind::Person) {
        ActiveBuild::Open(reader) => reader,
        other => panic!("{other:?}"),
    }
}

async fn change(stack: &Stack, statement: &str) {
    let schema = schema_name(RecordKind::Person, 1);
    let statement = statement.replace("SCHEMA", &schema);
    let mut own = stack.database.connect().await;
    own.execute(AssertSqlSafe(statement)).await.unwrap();
}

#[tokio::test]
async fn records_are_read_by_rank_in_the_order_asked() {
    let stack = Stack::start(10).await;
    let reader = persons(&stack);
    let found = reader.by_ranks(&[4, 1, 5]).await.unwrap();
    let order: Vec<_> = found.iter().map(|one| (one.rank, one.service_id)).collect();
    assert_eq!(order, [(4, id(4)), (1, id(1)), (5, id(5))]);
    let records = fixture::build(RecordKind::Person);
    for (one, place) in found.iter().zip([3, 0, 4]) {
        let document: Map<String, Value> = serde_json::from_slice(&one.json).unwrap();
        assert_eq!(document, records[place].doc);
    }
    assert!(reader.by_ranks(&[]).await.unwrap().is_empty());
    for missing in [0, 6, u32::MAX] {
        let fault = reader.by_ranks(&[1, missing]).await.unwrap_err();
        assert!(
            matches!(fault, ReadFault::NoSuchRank(rank) if rank == missing),
            "{fault}"
        );
    }
    stack.stop().await;
}

#[tokio::test]
async fn records_are_read_by_id_in_the_order_asked_and_what_is_not_there_is_left_out() {
    let stack = Stack::start(10).await;
    let found = persons(&stack)
        .by_ids(&[id(5), id(77), id(2)])
        .await
        .unwrap();
    let ids: Vec<_> = found.iter().map(|one| one.service_id).collect();
    assert_eq!(ids, [id(5), id(2)]);
    stack.stop().await;
}

#[tokio::test]
async fn the_dictionary_is_read_once_when_the_build_is_opened() {
    let stack = Stack::start(10).await;
    change(&stack, "drop table SCHEMA.dictionary").await;
    assert_eq!(
        persons(&stack)
            .by_ranks(&[1, 2, 3, 4, 5])
            .await
            .unwrap()
            .len(),
        5
    );
    stack.stop().await;
}

#[tokio::test]
async fn a_damaged_document_is_a_503_that_costs_nothing() {
    let stack = Stack::start(10).await;
    for damage in [
        "set doc = overlay(doc placing '\\x00' from octet_length(doc) / 2)",
        "set doc = substr(doc, 1, 30)",
        "set doc = ''",
    ] {
        change(
            &stack,
            &format!("update SCHEMA.person {damage} where rank = 1"),
        )
        .await;
        let answered = stack
            .post("/person/enrich", GOOD_KEY, json!({"email": MAIL}))
            .await;
        assert_eq!(answered.status, 503, "{}", answered.text);
        assert_eq!(
            (answered.header("credits-used"), stack.ledger.balance()),
            (Some("0"), 10)
        );
    }
    let fault = persons(&stack).by_ranks(&[1]).await.unwrap_err();
    assert!(matches!(fault, ReadFault::Document(_)), "{fault}");
    stack.stop().await;
}
