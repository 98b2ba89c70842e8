//! Searching: pages, cursors, builds, money.

use axum::body::Body;
use column_files::{Found, Page, Start, TooBroad};
use dialect::Query;
use events_schema::record::RecordKind;
use query_service::metrics::Metrics;
use query_service::search::Searches;
use query_service::search::asked::Asked;
use query_service::search::threads::{Sliced, ThreadLimits, Threads};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::fixture;
use crate::ledger::GOOD_KEY;
use crate::stack::{Answered, Stack, build_name, post};

const PERSON: &str = "/person/search";
pub(crate) const ALL: &str = "SELECT * FROM person";
const CHICAGO: &str =
    "SELECT * FROM person WHERE city = 'chicago' ORDER BY years_of_experience DESC, full_name";

/// A stack whose active build is a crowd.
pub(crate) async fn crowd(number: u128, balance: i64) -> Stack {
    let stack = Stack::start_empty(balance).await;
    load(&stack, 1, number).await;
    stack
}

pub(crate) async fn load(stack: &Stack, build: u64, number: u128) {
    let records = fixture::crowd(number);
    stack
        .database
        .load(RecordKind::Person, build, &records)
        .await;
    stack.database.activate(RecordKind::Person, build).await;
    stack.follow().await;
}

pub(crate) async fn search(stack: &Stack, body: Value) -> Answered {
    stack.post(PERSON, GOOD_KEY, body).await
}

pub(crate) async fn found(stack: &Stack, body: Value) -> Value {
    let answered = search(stack, body).await;
    assert_eq!(answered.status, 200, "{}", answered.text);
    assert_eq!(answered.header("total-count-status"), Some("exact"));
    let body = answered.body();
    let returned = body["matches"].as_array().unwrap().len().to_string();
    assert_eq!(answered.header("credits-used"), Some(returned.as_str()));
    body
}

pub(crate) async fn refused(stack: &Stack, status: u16, body: Value) -> Value {
    let answered = search(stack, body).await;
    assert_eq!(answered.status, status, "{}", answered.text);
    assert_eq!(answered.header("credits-used"), Some("0"));
    assert_eq!(stack.ledger.holds(), 0);
    answered.body()["details"].clone()
}

fn names(body: &Value) -> Vec<String> {
    let matches = body["matches"].as_array().unwrap().iter();
    let name = |one: &Value| one["person"]["full_name"].as_str().unwrap().to_owned();
    matches.map(name).collect()
}

/// All names, page by page along the cursors.
async fn by_cursor(stack: &Stack, query: &str, limit: u32, first: Value) -> Vec<String> {
    let mut all = names(&first);
    let mut cursor = first["next_cursor"].clone();
    while !cursor.is_null() {
        let next = found(
            stack,
            json!({"query": query, "limit": limit, "cursor": cursor}),
        )
        .await;
        assert!(!next["matches"].as_array().unwrap().is_empty());
        all.extend(names(&next));
        cursor = next["next_cursor"].clone();
    }
    all
}

#[tokio::test]
async fn pages_by_offset_and_by_cursor_are_one_sequence_without_overlap_or_gap() {
    let stack = crowd(95, 1_000).await;
    for (query, total) in [(ALL, 95), (CHICAGO, 31)] {
        let whole = found(&stack, json!({"query": query, "limit": 100})).await;
        assert_eq!(whole["total"], total, "{query}");
        assert_eq!(whole["next_cursor"], Value::Null);
        let whole = names(&whole);
        assert_eq!(whole.len(), total);
        for limit in [1_u32, 7, 31] {
            let mut pages = Vec::new();
            while pages.len() < total {
                let page = json!({"query": query, "limit": limit, "offset": pages.len()});
                let page = found(&stack, page).await;
                assert_eq!(page["total"], total);
                pages.extend(names(&page));
            }
            assert_eq!(pages, whole, "{query} by {limit}");
            if limit > 1 {
                let first = found(&stack, json!({"query": query, "limit": limit})).await;
                assert_eq!(
                    by_cursor(&stack, query, limit, first).await,
                    whole,
                    "{query}"
                );
            }
            stack.ledger.set_balance(1_000);
        }
        let behind = found(&stack, json!({"query": query, "offset": total})).await;
        assert_eq!(
            (&behind["matches"], &behind["total"]),
            (&json!([]), &json!(total))
        );
    }
    stack.stop().await;
}

#[tokio::test]
async fn a_paging_session_stays_on_its_build_while_others_become_active() {
    let stack = crowd(40, 1_000).await;
    let first = found(&stack, json!({"query": ALL, "limit": 15})).await;
    load(&stack, 2, 5).await;
    let active = search(&stack, json!({"query": ALL})).await;
    assert_eq!(active.header("data-build"), Some("2026.10.2-person"));
    assert_eq!(active.body()["total"], 5);
    let all = by_cursor(&stack, ALL, 15, first.clone()).await;
    assert_eq!(all.len(), 40);
    let build = build_name(RecordKind::Person, 1);
    let pinned = json!({"query": ALL, "limit": 15, "offset": 15, "data_build": build});
    let pinned = search(&stack, pinned).await;
    assert_eq!(pinned.header("data-build"), Some(build.as_str()));
    assert_eq!(names(&pinned.body()), all[15..30]);
    let both =
        json!({"query": ALL, "limit": 15, "cursor": first["next_cursor"], "data_build": build});
    assert_eq!(names(&found(&stack, both).await), all[15..30]);
    stack.stop().await;
}

#[tokio::test]
async fn the_last_three_builds_before_the_active_one_can_be_searched_and_no_other() {
    let stack = crowd(1, 1_000).await;
    let first = found(&stack, json!({"query": ALL})).await;
    assert_eq!(first["total"], 1);
    let first = {
        load(&stack, 2, 20).await;
        found(&stack, json!({"query": ALL})).await
    };
    for (build, number) in [(3, 3), (4, 4), (5, 5)] {
        load(&stack, build, number).await;
    }
    for (build, total) in [(2, 20), (3, 3), (4, 4), (5, 5)] {
        let body = json!({"query": ALL, "data_build": build_name(RecordKind::Person, build)});
        assert_eq!(found(&stack, body).await["total"], total);
    }
    let active = build_name(RecordKind::Person, 5);
    for gone in [
        build_name(RecordKind::Person, 1),
        "no-such-build".into(),
        build_name(RecordKind::Company, 1),
    ] {
        let details = refused(&stack, 422, json!({"query": ALL, "data_build": gone})).await;
        let field = json!({"field": "data_build", "value": gone, "error": format!("the data build {gone} is none that can be asked"), "suggestion": active});
        assert_eq!(details["fields"], json!([field]));
    }
    load(&stack, 6, 6).await;
    let old = json!({"query": ALL, "cursor": first["next_cursor"]});
    let details = refused(&stack, 422, old).await;
    assert_eq!(details["fields"][0]["field"], "cursor");
    assert_eq!(details["fields"][0]["suggestion"], "2026.10.6-person");
    stack.stop().await;
}

#[tokio::test]
async fn a_cursor_is_good_for_its_own_query_alone() {
    let stack = crowd(30, 100).await;
    let first = found(&stack, json!({"query": CHICAGO, "limit": 2})).await;
    let cursor = &first["next_cursor"];
    // Another spelling is the same query, and another limit does not matter.
    let spelt = "select * from PEOPLE where (city = 'Chicago') order by years_of_experience desc nulls last, full_name asc;";
    let next = found(
        &stack,
        json!({"query": spelt, "limit": 3, "cursor": cursor}),
    )
    .await;
    assert_eq!(next["matches"].as_array().unwrap().len(), 3);
    let misused = [
        (
            json!({"query": ALL, "cursor": cursor}),
            "cursor",
            "belongs to another query",
        ),
        (
            json!({"query": CHICAGO, "cursor": cursor, "offset": 1}),
            "offset",
            "must be 0 with a cursor",
        ),
        (
            json!({"query": CHICAGO, "cursor": cursor, "data_build": "2026.10.9-person"}),
            "data_build",
            "is not the build of the cursor",
        ),
        (
            json!({"query": CHICAGO, "cursor": "AAAA"}),
            "cursor",
            "must be a next_cursor of an earlier answer",
        ),
        (
            json!({"query": CHICAGO, "cursor": 7}),
            "cursor",
            "must be a string",
        ),
    ];
    for (body, field, error) in misused {
        let details = refused(&stack, 422, body).await;
        let fault = &details["fields"][0];
        assert_eq!(
            (fault["field"].as_str(), fault["error"].as_str()),
            (Some(field), Some(error))
        );
    }
    stack.stop().await;
}

#[tokio::test]
async fn a_dry_run_says_total_and_price_and_leaves_nothing_behind() {
    let stack = crowd(30, 0).await;
    let keyed = |body: Value| {
        let request = post(PERSON, GOOD_KEY).header("idempotency-key", "a key");
        request.body(Body::from(body.to_string())).unwrap()
    };
    // Without a credit left, too.
    for offset in [0, 25, 30] {
        let body = json!({"query": ALL, "limit": 20, "offset": offset, "dry_run": true});
        let answered = stack.send(keyed(body)).await;
        assert_eq!(
            answered.text,
            r#"{"matches":[],"total":30,"credits_required":20}"#
        );
        assert_eq!(answered.header("credits-used"), Some("0"));
        assert_eq!(answered.header("total-count-status"), Some("exact"));
        assert_eq!(answered.header("data-build"), Some("2026.10.1-person"));
        assert_eq!(answered.header("idempotency-replayed"), None);
    }
    assert_eq!(stack.ledger.holds(), 0);
    assert_eq!(stack.ledger.calls(), ["admit", "release"].repeat(3));
    // The key is still free.
    stack.ledger.set_balance(10);
    let answered = stack.send(keyed(json!({"query": ALL, "limit": 2}))).await;
    assert_eq!((answered.status.as_u16(), stack.ledger.balance()), (200, 8));
    stack.stop().await;
}

#[tokio::test]
async fn a_page_and_an_empty_page_are_answered_again_from_their_build_for_nothing() {
    let stack = crowd(30, 100).await;
    for (query, charged) in [
        (CHICAGO, 4),
        ("SELECT * FROM person WHERE seniority_level = 'directr'", 0),
    ] {
        let request = || {
            let body =
                json!({"query": query, "limit": 4, "include_fields": "full_name,build_version"});
            let request = post(PERSON, GOOD_KEY).header("idempotency-key", query);
            request.body(Body::from(body.to_string())).unwrap()
        };
        let before = stack.ledger.balance();
        let first = stack.send(request()).await;
        assert_eq!(first.status, 200, "{}", first.text);
        assert_eq!(before - stack.ledger.balance(), charged);
        load(&stack, 2 + charged as u64, 3).await;
        let again = stack.send(request()).await;
        assert_eq!(again.text, first.text);
        for name in ["data-build", "search-warning", "total-count-status"] {
            assert_eq!(again.header(name), first.header(name), "{name}");
        }
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.header("credits-used"), Some("0"));
        assert_eq!(before - stack.ledger.balance(), charged);
    }
    stack.stop().await;
}

#[tokio::test]
async fn the_worst_case_is_held_and_what_is_returned_is_charged() {
    let stack = crowd(3, 9).await;
    let details = refused(&stack, 402, json!({"query": ALL})).await;
    assert_eq!(
        details,
        json!({"credits_required": 10, "credits_available": 9})
    );
    assert_eq!(
        found(&stack, json!({"query": ALL, "limit": 9})).await["total"],
        3
    );
    assert_eq!((stack.ledger.balance(), stack.ledger.holds()), (6, 0));
    stack.stop().await;
}

/// Keeps a thread until it is told.
struct Stuck(Arc<AtomicBool>);

impl Sliced for Stuck {
    type Found = Found;

    fn advance(&mut self) -> Option<Result<Found, TooBroad>> {
        self.0.load(Ordering::SeqCst).then_some(Ok(Found {
            ranks: Vec::new(),
            total: 0,
        }))
    }
}

#[tokio::test]
async fn whoever_waits_for_a_total_counts_it_when_the_one_who_counts_goes_away() {
    let stack = crowd(30, 0).await;
    let build = build_name(RecordKind::Person, 1).parse().unwrap();
    let files = stack.shelf.get(&build).unwrap();
    let limits = ThreadLimits {
        threads: 1,
        under_way: 1,
        ..ThreadLimits::default()
    };
    let threads = Threads::start(limits, Metrics::default()).unwrap();
    let searches = Searches::new(threads.clone());
    let parsed = Query::parse(RecordKind::Person, CHICAGO).unwrap();
    let query = Asked::from(parsed.query);
    let page = Page {
        limit: 3,
        start: Start::Offset(2),
    };
    let may_end = Arc::new(AtomicBool::new(false));
    let mut stuck = Box::pin(threads.run(Stuck(Arc::clone(&may_end)), Instant::now()));
    assert!(futures::poll!(stuck.as_mut()).is_pending());
    let mut first = Box::pin(searches.find(&files, &query, page));
    assert!(futures::poll!(first.as_mut()).is_pending());
    let mut second = Box::pin(searches.find(&files, &query, page));
    assert!(futures::poll!(second.as_mut()).is_pending());
    drop(first);
    may_end.store(true, Ordering::SeqCst);
    let counted = second.await.unwrap();
    let known = searches.find(&files, &query, page).await.unwrap();
    assert_eq!((counted.total, counted.ranks.len()), (10, 3));
    assert_eq!(known, counted);
    stack.stop().await;
}
