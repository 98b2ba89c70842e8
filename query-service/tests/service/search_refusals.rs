//! What a search does not answer, and what it says about it.

use std::time::Duration;

use events_schema::record::RecordKind;
use query_service::search::threads::ThreadLimits;
use serde_json::json;

use crate::fixture;
use crate::search::{ALL, crowd, found, load, refused, search};
use crate::stack::Stack;

#[tokio::test]
async fn a_search_beyond_the_time_limit_is_cancelled_and_free() {
    let limits = ThreadLimits {
        time_limit: Duration::ZERO,
        ..ThreadLimits::default()
    };
    let stack = Stack::start_with(10, limits).await;
    load(&stack, 1, 10).await;
    let answered = search(&stack, json!({"query": ALL})).await;
    assert_eq!(answered.status, 408, "{}", answered.text);
    let body = answered.body();
    assert_eq!(body["error"], "query_timeout");
    assert_eq!(body["details"]["time_limit_ms"], 0);
    assert!(body["details"]["elapsed_ms"].is_u64());
    assert_eq!(answered.header("credits-used"), Some("0"));
    assert_eq!((stack.ledger.balance(), stack.ledger.holds()), (10, 0));
    stack.stop().await;
}

#[tokio::test]
async fn beyond_the_queue_a_search_is_sent_away_and_told_when_to_come_again() {
    let limits = ThreadLimits {
        waiting: 0,
        under_way: 0,
        ..ThreadLimits::default()
    };
    let stack = Stack::start_with(10, limits).await;
    load(&stack, 1, 10).await;
    let answered = search(&stack, json!({"query": ALL})).await;
    assert_eq!(
        (answered.status.as_u16(), answered.header("retry-after")),
        (503, Some("2"))
    );
    assert_eq!(
        answered.body()["details"],
        json!({"component": "search", "retry_after_seconds": 2})
    );
    assert_eq!(
        (answered.header("credits-used"), stack.ledger.holds()),
        (Some("0"), 0)
    );
    stack.stop().await;
}

#[tokio::test]
async fn every_refusal_of_a_query_says_what_and_where() {
    let stack = crowd(3, 100).await;
    let refusals = [
        ("", "parse_error", 1, 1),
        ("  ;", "parse_error", 1, 3),
        ("SELEKT * FROM person", "parse_error", 1, 1),
        ("SELECT * FROM person WHERE\n  city =", "parse_error", 2, 9),
        ("SELECT full_name FROM person", "not_select_star", 1, 8),
        ("SELECT * FROM company", "unknown_table", 1, 15),
        (
            "SELECT * FROM person WHERE city = 'x'\nAND job_titel = 'y'",
            "unknown_column",
            2,
            5,
        ),
        (
            "SELECT * FROM person WHERE 1 = 1",
            "forbidden_construct",
            1,
            28,
        ),
        ("SELECT * FROM person LIMIT 10", "limit_in_sql", 1, 22),
        (
            "SELECT * FROM person; DROP TABLE person",
            "forbidden_construct",
            1,
            23,
        ),
    ];
    for (query, reason, line, column) in refusals {
        let details = refused(&stack, 400, json!({"query": query})).await;
        let place = (
            details["reason"].as_str(),
            details["line"].as_u64(),
            details["column"].as_u64(),
        );
        assert_eq!(
            place,
            (Some(reason), Some(line), Some(column)),
            "{query}: {details}"
        );
        assert!(
            details["near"].is_string() && details["suggestions"].is_array(),
            "{details}"
        );
    }
    let details = refused(
        &stack,
        400,
        json!({"query": "SELECT * FROM person WHERE job_titel = 'y'"}),
    )
    .await;
    assert_eq!(details["suggestions"][0], "job_title");
    stack.stop().await;
}

#[tokio::test]
async fn parameters_that_are_unknown_missing_or_out_of_range_are_refused() {
    let stack = crowd(3, 100).await;
    for (body, status) in [
        (json!({}), 400),
        (json!({"query": null}), 400),
        (json!({"query": ALL, "colour": 5}), 400),
        (json!({"query": ALL, "include_fields": "nickname"}), 400),
        (json!({"query": 7}), 422),
        (json!({"query": ALL, "limit": 0}), 422),
        (json!({"query": ALL, "limit": 101}), 422),
        (json!({"query": ALL, "limit": "5"}), 422),
        (json!({"query": ALL, "offset": -1}), 422),
        (json!({"query": ALL, "offset": 10_001}), 422),
        (json!({"query": ALL, "dry_run": "yes"}), 422),
        (json!({"query": ALL, "data_build": "a b"}), 422),
    ] {
        refused(&stack, status, body).await;
    }
    found(
        &stack,
        json!({"query": ALL, "limit": 100, "offset": 10_000}),
    )
    .await;
    stack.stop().await;
}

/// Reading a long query is work: it is done for nobody without a key.
#[tokio::test]
async fn a_long_query_is_read_for_a_valid_key_alone() {
    let stack = crowd(30, 100).await;
    let cities: Vec<String> = (0..500).map(|city| format!("'city {city}'")).collect();
    let query = format!(
        "SELECT * FROM person WHERE city IN ({}, 'chicago')",
        cities.join(",")
    );
    let body = json!({"query": query, "limit": 5});
    let refused = stack.post("/person/search", "nobody", body.clone()).await;
    assert_eq!(refused.status, 401, "{}", refused.text);
    assert_eq!(stack.ledger.calls(), ["check"]);
    let answered = found(&stack, body).await;
    assert_eq!(answered["total"], 10);
    assert_eq!(stack.ledger.calls()[1..], ["check", "admit", "settle"]);
    let unread = json!({"query": format!("{query} AND job_titel = 'x'")});
    let limited = stack
        .post("/person/search", "limited", unread.clone())
        .await;
    assert_eq!(limited.status, 429, "{}", limited.text);
    let details = crate::search::refused(&stack, 400, unread).await;
    assert_eq!(details["reason"], "unknown_column");
    stack.stop().await;
}

/// It is found out only for who has a key, and told before anything about money.
#[tokio::test]
async fn a_cursor_of_another_query_is_told_in_its_turn() {
    let stack = crowd(30, 100).await;
    let first = found(&stack, json!({"query": ALL, "limit": 2})).await;
    let other = "SELECT * FROM person WHERE city = 'chicago'";
    let body = json!({"query": other, "limit": 5, "cursor": first["next_cursor"]});
    let fields = |details: &serde_json::Value| -> Vec<String> {
        let faults = details["fields"].as_array().unwrap().iter();
        faults
            .map(|fault| fault["field"].as_str().unwrap().to_owned())
            .collect()
    };
    for (key, status) in [
        ("nobody", 401),
        ("limited", 429),
        ("not-allowed", 403),
        ("exhausted", 422),
        ("in-progress", 422),
        (crate::ledger::GOOD_KEY, 422),
    ] {
        let answered = stack.post("/person/search", key, body.clone()).await;
        assert_eq!(answered.status, status, "{key}: {}", answered.text);
        if status == 422 {
            assert_eq!(fields(&answered.body()["details"]), ["cursor"]);
            assert_eq!(answered.header("credits-used"), Some("0"));
        }
    }
    stack.ledger.set_balance(0);
    let details = refused(&stack, 422, body).await;
    assert_eq!(fields(&details), ["cursor"]);
    // With all others.
    let more = json!({"query": other, "limit": 0, "cursor": first["next_cursor"], "offset": 1});
    let details = refused(&stack, 422, more).await;
    assert_eq!(fields(&details), ["limit", "cursor", "offset"]);
    let own = json!({"query": ALL, "limit": 0, "cursor": first["next_cursor"]});
    let details = refused(&stack, 422, own).await;
    assert_eq!(fields(&details), ["limit"]);
    stack.stop().await;
}

#[tokio::test]
async fn a_word_that_no_record_has_and_a_literal_read_otherwise_are_told() {
    let stack = crowd(30, 100).await;
    let query = "SELECT * FROM person WHERE seniority_level IN ('directr', 'manager') AND emails.address = 'P1+Tag@CROWD.example'";
    let answered = search(&stack, json!({"query": query})).await;
    assert_eq!(answered.body()["total"], 1, "{}", answered.text);
    assert_eq!(
        answered.header("search-warning"),
        Some(
            "emails.address 'P1+Tag@CROWD.example' was read as 'p1@crowd.example' | seniority_level 'directr' matches no stored value; nearest: director"
        )
    );
    let compared = "SELECT * FROM person WHERE seniority_level >= 'director' AND confidence > 'low' AND seniority_level < 'vp'";
    let answered = search(&stack, json!({"query": compared})).await;
    let told = answered.header("search-warning").unwrap_or_default();
    for column in ["seniority_level", "confidence"] {
        let compared = format!("{column} is compared letter by letter");
        assert_eq!(told.matches(&compared).count(), 1, "{told}");
    }
    assert_eq!(
        search(&stack, json!({"query": ALL}))
            .await
            .header("search-warning"),
        None
    );
    // Past jobs share a dictionary with the present one, and have a level of their own.
    let mut records = fixture::crowd(30);
    for record in &mut records {
        let past = json!([{"seniority_level": "training", "current": false}]);
        record.doc.insert("experience".to_owned(), past);
    }
    stack.database.load(RecordKind::Person, 2, &records).await;
    stack.database.activate(RecordKind::Person, 2).await;
    stack.follow().await;
    for (column, total, warning) in [
        ("experience.seniority_level", 30, None),
        (
            "seniority_level",
            0,
            Some("seniority_level 'training' matches no stored value"),
        ),
    ] {
        let query = format!("SELECT * FROM person WHERE {column} = 'training'");
        let answered = search(&stack, json!({"query": query})).await;
        assert_eq!(answered.body()["total"], total, "{}", answered.text);
        let told = answered.header("search-warning");
        assert_eq!(told.is_some(), warning.is_some(), "{told:?}");
        assert!(
            told.unwrap_or_default()
                .starts_with(warning.unwrap_or_default()),
            "{told:?}"
        );
    }
    stack.stop().await;
}

/// So that a caller can correct itself.
#[tokio::test]
async fn a_word_that_is_near_none_and_a_pattern_that_misses_are_told_with_what_is_stored() {
    let stack = Stack::start_empty(100).await;
    let mut records = fixture::crowd(30);
    for record in &mut records {
        record
            .doc
            .insert("job_title".to_owned(), json!("chief financial officer"));
        record.doc.insert("state".to_owned(), json!("texas"));
        record
            .doc
            .insert("country".to_owned(), json!("united states"));
    }
    stack.database.load(RecordKind::Person, 1, &records).await;
    stack.database.activate(RecordKind::Person, 1).await;
    stack.follow().await;
    for (condition, said) in [
        (
            "seniority_level = 'boss'",
            Some("seniority_level 'boss' matches no stored value; stored values: "),
        ),
        (
            "emails.type = 'professional'",
            Some("emails.type 'professional' matches no stored value; stored values: work"),
        ),
        (
            "job_title LIKE '%CFO%'",
            Some(
                "job_title LIKE '%cfo%' compares stored text, where 'cfo' is written 'chief financial officer'",
            ),
        ),
        (
            "state LIKE 'TX'",
            Some("state LIKE 'tx' compares stored text, where 'tx' is written 'texas'"),
        ),
        (
            "country NOT LIKE 'US%'",
            Some(
                "country NOT LIKE 'us%' compares stored text, where 'us' is written 'united states'",
            ),
        ),
        (
            "state LIKE 'texaz%' AND city IS NOT NULL",
            Some("state LIKE 'texaz%' matches no stored value"),
        ),
        (
            "job_title LIKE '%officier'",
            Some("job_title LIKE '%officier' matches no stored value"),
        ),
        ("job_title LIKE 'chief%'", None),
        ("job_title LIKE '%financial%' AND state LIKE '%ex%'", None),
        ("job_title = 'CFO' AND state LIKE 'tex_s'", None),
    ] {
        let query = format!("SELECT * FROM person WHERE {condition}");
        let answered = search(&stack, json!({"query": query, "limit": 1})).await;
        let told = answered.header("search-warning");
        let is_told = |told: &str, said: &str| told.contains(said) && told.len() <= 1_000;
        match said {
            Some(said) => assert!(told.is_some_and(|told| is_told(told, said)), "{told:?}"),
            None => {
                let told = told.unwrap_or_default();
                assert!(!told.contains("LIKE"), "{told}");
            }
        }
    }
    stack.stop().await;
}

/// So few that the columns have no counts: nearly every value is a different one.
#[tokio::test]
async fn a_word_of_another_column_is_told_in_a_build_of_few_records_once() {
    let stack = Stack::start_empty(100).await;
    let mut records = fixture::crowd(2);
    let past = json!([{"seniority_level": "training", "current": false}]);
    records[0].doc.insert("experience".to_owned(), past);
    stack.database.load(RecordKind::Person, 1, &records).await;
    stack.database.activate(RecordKind::Person, 1).await;
    stack.follow().await;
    // Multiplied out, the condition says the word three times.
    let ors = "emails.type = 'work' AND (emails.current = true OR city = 'a' OR city = 'b')";
    for (condition, warning) in [
        ("experience.seniority_level = 'training'".to_owned(), None),
        (
            format!("seniority_level = 'training' AND {ors}"),
            Some("seniority_level 'training' matches no stored value"),
        ),
        (
            format!("seniority_level = 'partnr' AND {ors}"),
            Some("seniority_level 'partnr' matches no stored value"),
        ),
    ] {
        let query = format!("SELECT * FROM person WHERE {condition}");
        let answered = search(&stack, json!({"query": query})).await;
        assert_eq!(answered.status, 200, "{}", answered.text);
        let told = answered.header("search-warning");
        assert_eq!(told.is_some(), warning.is_some(), "{told:?}");
        let (told, warning) = (told.unwrap_or_default(), warning.unwrap_or_default());
        assert!(told.starts_with(warning) && !told.contains('|'), "{told}");
    }
    stack.stop().await;
}

/// Else they would be bought in vain.
#[tokio::test]
async fn who_lacks_the_credits_is_told_first_that_there_is_no_such_build() {
    let stack = crowd(10, 0).await;
    let gone = json!({"query": ALL, "limit": 1, "data_build": "2026.9.1-person"});
    assert_eq!(search(&stack, gone).await.status, 422);
    let active = json!({"query": ALL, "limit": 1, "data_build": "2026.10.1-person"});
    assert_eq!(search(&stack, active).await.status, 402);
    stack.stop().await;
}

#[tokio::test]
async fn literals_read_otherwise_are_told_without_a_build_too() {
    let stack = Stack::start_empty(100).await;
    stack.follow().await;
    let numbers: Vec<String> = (0..300).map(|at| format!("'(312) 555-{at:04}'")).collect();
    let many = format!(
        "SELECT * FROM person WHERE phones.number IN ({})",
        numbers.join(", ")
    );
    let one = "SELECT * FROM person WHERE emails.address = 'P1+Tag@CROWD.example'";
    for dry_run in [false, true] {
        let answered = search(&stack, json!({"query": one, "dry_run": dry_run})).await;
        assert_eq!(
            answered.header("search-warning"),
            Some("emails.address 'P1+Tag@CROWD.example' was read as 'p1@crowd.example'")
        );
        let answered = search(&stack, json!({"query": many, "dry_run": dry_run})).await;
        let told = answered.header("search-warning").unwrap();
        assert!(
            told.contains(" | and at least ") && told.ends_with(" more"),
            "{told}"
        );
    }
    stack.stop().await;
}
