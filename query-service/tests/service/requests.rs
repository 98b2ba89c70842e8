//! What takes more than one request, or a part that fails.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::body::Body;
use events_schema::api::internal::Refusal;
use events_schema::credits::Credits;
use events_schema::record::RecordKind;
use futures::{FutureExt, StreamExt, future};
use http::Request;
use normalize::keys::{self, KeyKind, PersonKey};
use query_service::builds::{ActiveBuild, Builds};
use query_service::read_model::{Pointers, ReadFault, ReadLimits, Source};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};
use tests::silent_wire::Wire;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::fixture;
use crate::gate::until;
use crate::ledger::{GOOD_KEY, Ledger};
use crate::stack::{Answered, Stack, build_name, post, schema_name, token};

const PERSON: &str = "/person/enrich";
const MAIL: &str = "m.okafor@northwind-tools.example";

fn keyed(body: &Value, key: &str) -> Request<Body> {
    post(PERSON, GOOD_KEY)
        .header("idempotency-key", key)
        .body(Body::from(body.to_string()))
        .unwrap()
}

fn assert_unavailable(answered: &Answered, component: &str) {
    assert_eq!(answered.status, 503, "{}", answered.text);
    assert_eq!(answered.body()["details"]["component"], component);
    assert!(answered.header("retry-after").is_some());
}

#[tokio::test]
async fn a_repeated_idempotency_key_is_answered_again_and_charged_once() {
    let stack = Stack::start(10).await;
    let body = json!({"phone": "+13125550100", "multiple_results": true, "titlecase": true, "explain": true});
    let first = stack.send(keyed(&body, "a key")).await;
    assert_eq!(
        (
            first.status.as_u16(),
            first.header("credits-used"),
            first.header("idempotency-replayed")
        ),
        (200, Some("2"), None)
    );
    let again = stack.send(keyed(&body, "a key")).await;
    assert_eq!(
        (again.status.as_u16(), again.header("credits-used")),
        (200, Some("0"))
    );
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!((&again.text, stack.ledger.balance()), (&first.text, 8));
    // What is null was not sent.
    let mut padded = body.clone();
    (padded["limit"], padded["company"]) = (Value::Null, Value::Null);
    let again = stack.send(keyed(&padded, "a key")).await;
    assert_eq!((again.text, stack.ledger.balance()), (first.text, 8));
    let other = stack.send(keyed(&json!({"email": MAIL}), "a key")).await;
    assert_eq!(other.status, 409);
    assert_eq!(
        other.body()["details"],
        json!({"idempotency_key": "a key", "reason": "different_request"})
    );
    assert_eq!(other.header("credits-remaining"), Some("8"));
    stack.stop().await;
}

#[tokio::test]
async fn a_replay_is_rendered_from_the_build_that_answered_first() {
    let stack = Stack::start(10).await;
    let body = json!({"email": MAIL, "include_fields": "full_name,build_version"});
    let first = stack.send(keyed(&body, "a key")).await;
    stack.database.load(RecordKind::Person, 2, &[]).await;
    stack.database.activate(RecordKind::Person, 2).await;
    stack.follow().await;
    let fresh = stack.post(PERSON, GOOD_KEY, body.clone()).await;
    assert_eq!(fresh.status, 404);
    let again = stack.send(keyed(&body, "a key")).await;
    assert_eq!(again.text, first.text);
    assert_eq!(again.header("data-build"), Some("2026.10.1-person"));
    stack.stop().await;
}

#[tokio::test]
async fn a_replay_whose_build_is_gone_leaves_out_what_the_active_build_lacks() {
    let stack = Stack::start(10).await;
    let body = json!({"email": MAIL});
    stack.send(keyed(&body, "a key")).await;
    stack.database.load(RecordKind::Person, 2, &[]).await;
    stack.database.activate(RecordKind::Person, 2).await;
    let mut own = stack.database.connect().await;
    own.execute("update data_build set status = 'abandoned' where build = '2026.10.1-person'")
        .await
        .unwrap();
    // As a process that started after the build was dropped.
    let source = Source::new(&stack.database.url, ReadLimits::default()).unwrap();
    let shelf = stack.database.shelf(&stack.search_folder.join("another"));
    let builds = Builds::new(Pointers::new(source), shelf);
    builds.poll().await.unwrap();
    let name = build_name(RecordKind::Person, 1).parse().unwrap();
    assert!(
        builds
            .by_name(RecordKind::Person, &name)
            .await
            .unwrap()
            .is_none()
    );
    stack.stop().await;
}

#[tokio::test]
async fn a_client_that_goes_away_during_the_look_up_gets_its_credits_back() {
    let stack = Stack::start(10).await;
    let mut lock = stack.database.connect().await;
    lock.execute("begin; lock table b_0000000000000001.person in access exclusive mode")
        .await
        .unwrap();
    let request = post(PERSON, GOOD_KEY)
        .body(Body::from(json!({"email": MAIL}).to_string()))
        .unwrap();
    let mut asked = Box::pin(stack.send(request));
    while stack.ledger.holds() == 0 {
        assert!(asked.as_mut().now_or_never().is_none());
        tokio::task::yield_now().await;
    }
    drop(asked);
    stack
        .until("the release", |stack| stack.ledger.holds() == 0)
        .await;
    assert_eq!(stack.ledger.balance(), 10);
    stack.stop().await;
}

#[tokio::test]
async fn a_look_up_that_takes_too_long_is_a_408_and_costs_nothing() {
    let stack = Stack::start(10).await;
    let mut lock = stack.database.connect().await;
    lock.execute("begin; lock table b_0000000000000001.person in access exclusive mode")
        .await
        .unwrap();
    let answered = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    assert_eq!(
        (answered.status.as_u16(), answered.header("credits-used")),
        (408, Some("0"))
    );
    assert_eq!(answered.body()["error"], "query_timeout");
    assert_eq!(answered.body()["details"]["time_limit_ms"], 1500);
    assert_eq!((stack.ledger.holds(), stack.ledger.balance()), (0, 10));
    stack.stop().await;
}

#[tokio::test]
async fn a_database_that_fails_is_a_503_that_costs_nothing() {
    let stack = Stack::start(10).await;
    let mut own = stack.database.connect().await;
    own.execute("drop schema b_0000000000000001 cascade")
        .await
        .unwrap();
    let answered = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    assert_unavailable(&answered, "database");
    assert_eq!(
        (
            answered.header("credits-used"),
            answered.header("credits-remaining")
        ),
        (Some("0"), Some("10"))
    );
    assert_eq!((stack.ledger.holds(), stack.ledger.balance()), (0, 10));
    stack.stop().await;
}

#[tokio::test]
async fn before_the_builds_are_known_nothing_is_answered_and_without_a_build_nothing_is_found() {
    let stack = Stack::start_empty(10).await;
    let ready = || Request::get("/health/ready").body(Body::empty()).unwrap();
    assert_unavailable(&stack.send(ready()).await, "database");
    assert_unavailable(
        &stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await,
        "database",
    );
    stack.builds.poll().await.unwrap();
    assert_eq!(stack.send(ready()).await.status, 200);
    let answered = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    assert_eq!(
        (
            answered.status.as_u16(),
            answered.body()["details"]["reason"].as_str()
        ),
        (404, Some("no_match"))
    );
    stack.stop().await;
}

#[tokio::test]
async fn a_ledger_that_cannot_be_reached_is_a_503_also_for_bad_requests() {
    let stack = Stack::start(10).await;
    stack.ledger.send_elsewhere("http://127.0.0.1:1");
    for body in [json!({"email": MAIL}), json!({"x": 1})] {
        assert_unavailable(&stack.post(PERSON, GOOD_KEY, body).await, "ledger");
    }
    stack.stop().await;
}

#[tokio::test]
async fn calls_follow_the_owner_of_the_shard() {
    let stack = Stack::start(0).await;
    let stop = CancellationToken::new();
    let owner = Ledger::with_balance(10);
    stack.ledger.send_elsewhere(&owner.start(&stop).await);
    let answered = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    assert_eq!((answered.status.as_u16(), owner.balance()), (200, 9));
    assert_eq!(owner.calls(), ["admit", "settle"]);
    stop.cancel();
    stack.stop().await;
}

#[tokio::test]
async fn what_the_time_limit_ends_is_told_as_unknown_where_it_was_being_settled_and_only_there() {
    let stack = Stack::start_within(10, Duration::from_secs(2)).await;
    for (silent_on, outcome) in [("admit", Value::Null), ("settle", json!("unknown"))] {
        stack.ledger.is_silent_on(silent_on);
        let answered = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
        assert_unavailable(&answered, "upstream");
        let details = &answered.body()["details"];
        assert_eq!(details["outcome"], outcome, "{silent_on}");
    }
    stack.stop().await;
}

#[tokio::test]
async fn a_settle_that_is_refused_delivers_no_data() {
    let stack = Stack::start(10).await;
    stack.ledger.refuse_settling(Refusal::InsufficientCredits {
        required: Credits(1),
        available: Credits(0),
    });
    let answered = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    assert_eq!(
        (answered.status.as_u16(), answered.header("credits-used")),
        (402, Some("0"))
    );
    assert!(!answered.text.contains("maya"));
    stack.stop().await;
}

#[tokio::test]
async fn a_settle_that_did_nothing_says_that_nothing_was_charged_and_delivers_no_data() {
    let stack = Stack::start(1).await;
    stack.ledger.cannot_settle();
    let answered = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    assert_unavailable(&answered, "database");
    let told = ["credits-used", "credits-remaining"].map(|name| answered.header(name));
    assert_eq!(told, [Some("0"), None]);
    assert!(!answered.text.contains("maya"));
    until(|| stack.ledger.holds() == 0).await;
    let again = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    assert_eq!(
        (again.status.as_u16(), again.header("credits-remaining")),
        (200, Some("0"))
    );
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_at_once_share_calls_and_never_spend_more_than_there_is() {
    const REQUESTS: usize = 200;
    let stack = Stack::start(50).await;
    let asked = (0..REQUESTS).map(|_| stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})));
    let answers = future::join_all(asked).await;
    let paid: Vec<&Answered> = answers
        .iter()
        .filter(|answered| answered.status == 200)
        .collect();
    let left: BTreeSet<i64> = paid
        .iter()
        .map(|one| one.header("credits-remaining").unwrap().parse().unwrap())
        .collect();
    assert_eq!((paid.len(), left), (50, (0..50).collect()));
    assert!(
        answers
            .iter()
            .all(|answered| matches!(answered.status.as_u16(), 200 | 402))
    );
    assert_eq!((stack.ledger.balance(), stack.ledger.holds()), (0, 0));
    let batches = stack.ledger.batches();
    assert!(batches.iter().any(|calls| *calls > 1), "{batches:?}");
    assert!(batches.iter().all(|calls| *calls <= 256));
    stack.stop().await;
}

#[tokio::test]
async fn a_body_that_comes_too_slowly_or_grows_too_large_is_refused_before_the_key_is_looked_at() {
    let stack = Stack::start(10).await;
    let slow = Body::from_stream(futures::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    let answered = stack.send(post(PERSON, "nobody").body(slow).unwrap()).await;
    assert_eq!(
        (answered.status.as_u16(), answered.body()["error"].as_str()),
        (408, Some("request_timeout"))
    );
    let chunks = futures::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 4096])).take(4);
    let answered = stack
        .send(
            post(PERSON, "nobody")
                .body(Body::from_stream(chunks))
                .unwrap(),
        )
        .await;
    assert_eq!(answered.status, 413);
    assert_eq!(
        answered.body()["details"],
        json!({"max_bytes": 10_000, "received_bytes": null})
    );
    assert!(stack.ledger.calls().is_empty());
    stack.stop().await;
}

#[tokio::test]
async fn refused_requests_are_counted_and_misses_release() {
    let stack = Stack::start(10).await;
    stack.post(PERSON, GOOD_KEY, json!({"email": "x"})).await;
    stack
        .post(PERSON, GOOD_KEY, json!({"email": "nobody@nowhere.example"}))
        .await;
    assert_eq!(stack.ledger.calls(), ["noted", "admit", "release"]);
    stack.stop().await;
}

#[tokio::test]
async fn what_stands_behind_a_question_mark_is_refused_and_not_ignored() {
    let stack = Stack::start(10).await;
    for path in [
        "/person/enrich?max_credits=0",
        "/person/search?dry_run=true",
        "/person/enrich/bulk?limit=1&limit=2",
        "/utility/hash/email?x",
    ] {
        let refused = stack.post(path, GOOD_KEY, json!({"email": MAIL})).await;
        let told = &refused.body()["details"];
        assert_eq!(refused.status, 400, "{path}: {}", refused.text);
        assert_eq!(told["reason"], "unknown_parameter", "{path}");
        assert_eq!(told["accepted"], json!([]), "{path}");
    }
    let bare = stack
        .post("/person/enrich?", GOOD_KEY, json!({"email": MAIL}))
        .await;
    assert_eq!(bare.status, 200, "{}", bare.text);
    stack.stop().await;
}

/// Two bodies that differ in such a number would be one.
#[tokio::test]
async fn a_number_that_would_be_rounded_is_refused() {
    let stack = Stack::start(10).await;
    let path = "/person/enrich/bulk";
    let body = |id: &str| {
        let item = format!(r#"{{"email": "{MAIL}", "metadata": {{"id": {id}}}}}"#);
        let request = post(path, GOOD_KEY).header("idempotency-key", "k");
        request
            .body(Body::from(format!(r#"{{"items": [{item}]}}"#)))
            .unwrap()
    };
    let refused = stack.send(body("18446744073709551617")).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    assert_eq!(refused.body()["details"]["reason"], "malformed_json");
    let exact = stack.send(body("18446744073709551615")).await;
    assert_eq!(exact.status, 200, "{}", exact.text);
    let metadata = &exact.body()["results"][0]["metadata"];
    assert_eq!(metadata["id"], 18_446_744_073_709_551_615_u64);
    // Of a parameter that is a number its range is told.
    let limit =
        r#"{"email": "a@b.example", "multiple_results": true, "limit": 100000000000000000000}"#;
    let request = post(PERSON, GOOD_KEY).body(Body::from(limit)).unwrap();
    let refused = stack.send(request).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    stack.stop().await;
}

#[tokio::test]
async fn pretty_print_indents_the_same_answer() {
    let stack = Stack::start(10).await;
    let plain = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    let pretty = stack
        .post(
            PERSON,
            GOOD_KEY,
            json!({"email": MAIL, "pretty_print": true}),
        )
        .await;
    assert_eq!(plain.body(), pretty.body());
    assert!(!plain.text.contains('\n') && pretty.text.starts_with("{\n  \"matches\""));
    stack.stop().await;
}

#[tokio::test]
async fn records_are_looked_up_for_reports_by_their_own_and_merged_ids() {
    let stack = Stack::start(10).await;
    let get = |path: String, token: &str| {
        Request::get(path)
            .header("authorization", format!("Bearer {token}"))
            .body(Body::empty())
            .unwrap()
    };
    for number in [1, 900] {
        let path = format!(
            "/internal/records/person/{}?field=emails.address",
            fixture::id(number)
        );
        let answered = stack.send(get(path, &token())).await;
        let expected = json!({"kind": "person", "service_id": fixture::id(1), "build": "2026.10.1-person", "last_seen": "2026-10-02", "stored_value": [MAIL]});
        assert_eq!(answered.body(), expected);
    }
    for (path, status) in [
        (format!("/internal/records/person/{}", fixture::id(77)), 404),
        (format!("/internal/records/robot/{}", fixture::id(1)), 404),
        (
            format!(
                "/internal/records/company/{}?field=nickname",
                fixture::id(101)
            ),
            400,
        ),
    ] {
        assert_eq!(stack.send(get(path, &token())).await.status, status);
    }
    let path = format!("/internal/records/person/{}", fixture::id(1));
    assert_eq!(stack.send(get(path, &"x".repeat(32))).await.status, 401);
    stack.stop().await;
}

#[tokio::test]
async fn a_switch_of_builds_is_told_to_command_service_and_requests_follow() {
    let stack = Stack::start(10).await;
    let stop = CancellationToken::new();
    tokio::spawn(stack.shelf.clone().run(stop.clone()));
    tokio::spawn(
        stack
            .builds
            .clone()
            .follow(Duration::from_millis(20), stop.clone()),
    );
    tokio::spawn(stack.heartbeats().run(
        stack.builds.clone(),
        Duration::from_secs(3600),
        stop.clone(),
    ));
    stack
        .database
        .load(RecordKind::Person, 2, &fixture::build(RecordKind::Person))
        .await;
    stack.database.activate(RecordKind::Person, 2).await;
    let told = |stack: &Stack, build: &str| {
        stack.ledger.heartbeats().iter().any(|beat| {
            beat.person_build
                .as_ref()
                .is_some_and(|name| name.as_str() == build && beat.searchable.contains(name))
        })
    };
    stack
        .until("the heartbeat of the new build", |stack| {
            told(stack, "2026.10.2-person")
        })
        .await;
    let answered = stack.post(PERSON, GOOD_KEY, json!({"email": MAIL})).await;
    assert_eq!(answered.header("data-build"), Some("2026.10.2-person"));
    let mut own = stack.database.connect().await;
    own.execute(AssertSqlSafe("drop table active_build".to_owned()))
        .await
        .unwrap();
    stack
        .until("the pointers' loss", |stack| !stack.builds.is_readable())
        .await;
    assert_eq!(
        stack
            .post(PERSON, GOOD_KEY, json!({"email": MAIL}))
            .await
            .status,
        200
    );
    stop.cancel();
    stack.stop().await;
}

#[tokio::test]
async fn a_command_service_that_is_frozen_keeps_no_other_from_hearing_heartbeats() {
    let stack = Stack::start(10).await;
    let stop = CancellationToken::new();
    // The system takes connections for it, and nobody ever answers.
    let frozen = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut heartbeats = stack.heartbeats();
    let url = format!("http://{}", frozen.local_addr().unwrap());
    heartbeats.urls.insert(0, url);
    let every = Duration::from_millis(20);
    tokio::spawn(heartbeats.run(stack.builds.clone(), every, stop.clone()));
    stack
        .until("the tenth heartbeat", |stack| {
            stack.ledger.heartbeats().len() >= 10
        })
        .await;
    stop.cancel();
    stack.stop().await;
}

#[tokio::test]
async fn builds_are_followed_and_read_again_once_a_wire_that_died_in_silence_is_mended() {
    const LIMIT: Duration = Duration::from_millis(200);
    let stack = Stack::start(10).await;
    let (who, place) = stack.database.url.rsplit_once('@').unwrap();
    let (server, name) = place.split_once('/').unwrap();
    let wire = Wire::to(server.to_owned()).await.unwrap();
    let url = format!("{who}@127.0.0.1:{}/{name}", wire.port);
    let limits = ReadLimits {
        statement_timeout: LIMIT,
        connections: 2,
        ..ReadLimits::default()
    };
    let source = Source::new(&url, limits).unwrap();
    let builds = Builds::new(Pointers::new(source), stack.shelf.clone());
    builds.poll().await.unwrap();
    let ActiveBuild::Open(reader) = builds.active(RecordKind::Person) else {
        panic!("no build is active");
    };
    let two = future::join(reader.by_ids(&[fixture::id(1)]), reader.by_ids(&[])).await;
    assert!(two.0.unwrap().len() == 1 && two.1.is_ok());

    wire.silence();
    let asked = future::join(builds.poll(), reader.by_ids(&[]));
    let asked = tokio::time::timeout(Duration::from_secs(20), Box::pin(asked)).await;
    let (polled, read) = asked.expect("both end by themselves");
    // The last connection may be on its way back, and then another one is waited for.
    for fault in [polled.unwrap_err(), read.unwrap_err()] {
        assert!(
            matches!(
                fault,
                ReadFault::Silent(_) | ReadFault::Database(sqlx::Error::PoolTimedOut)
            ),
            "{fault:?}"
        );
    }
    assert!(!builds.is_readable());
    assert!(wire.unheard() >= 2);

    wire.mend();
    builds.poll().await.unwrap();
    let mut read = reader.by_ids(&[fixture::id(1)]).await;
    if read.is_err() {
        // The other connection died as well, and costs one request.
        read = reader.by_ids(&[fixture::id(1)]).await;
    }
    assert_eq!(read.unwrap().len(), 1);
    stack.stop().await;
}

#[tokio::test]
async fn connections_are_used_again_within_their_limit_and_those_that_died_are_replaced() {
    const OTHERS: &str =
        "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    let stack = Stack::start(10).await;
    let limits = ReadLimits {
        connections: 2,
        ..ReadLimits::default()
    };
    let source = Source::new(&stack.database.url, limits).unwrap();
    let builds = Builds::new(Pointers::new(source), stack.shelf.clone());
    builds.poll().await.unwrap();
    let ActiveBuild::Open(reader) = builds.active(RecordKind::Person) else {
        panic!("no build is active");
    };
    let mut own = stack.database.connect().await;
    let count = format!("select count(*) {OTHERS}");
    let before: i64 = sqlx::query_scalar(AssertSqlSafe(count.clone()))
        .fetch_one(&mut own)
        .await
        .unwrap();
    for _ in 0..3 {
        let reads = (0..40).map(|_| reader.by_ids(&[]));
        let failed = future::join_all(reads)
            .await
            .into_iter()
            .filter(Result::is_err);
        assert_eq!(failed.count(), 0);
    }
    let after: i64 = sqlx::query_scalar(AssertSqlSafe(count))
        .fetch_one(&mut own)
        .await
        .unwrap();
    assert!(after <= before + 2, "{before} connections, then {after}");

    let end = format!("select pg_terminate_backend(pid) {OTHERS}");
    own.execute(AssertSqlSafe(end)).await.unwrap();
    let mut failed = 0;
    while reader.by_ids(&[fixture::id(1)]).await.is_err() {
        failed += 1;
        assert!(failed <= 2, "more faults than connections");
    }
    stack.stop().await;
}

#[tokio::test]
async fn who_has_no_key_is_told_so_before_the_body_has_come() {
    let stack = Stack::start(10).await;
    for (path, key, reason) in [
        (PERSON, None, "missing_api_key"),
        (PERSON, Some("  "), "missing_api_key"),
        ("/autocomplete", None, "missing_api_key"),
        ("/person/search", Some("caf\u{e9}"), "invalid_api_key"),
    ] {
        let request = Request::post(path).header("content-type", "application/json");
        let request = key.into_iter().fold(request, |request, key| {
            request.header("api-key", key.as_bytes())
        });
        let never = Body::from_stream(futures::stream::pending::<Result<String, std::io::Error>>());
        let answered = stack.send(request.body(never).unwrap()).await;
        assert_eq!(answered.status, 401, "{}", answered.text);
        assert_eq!(answered.body()["details"]["reason"], reason);
    }
    stack.stop().await;
}

/// Who makes keys up takes no room from the others: of what never ends little is held.
#[tokio::test]
async fn who_shows_a_key_that_is_not_valid_is_told_so_before_a_large_body_has_come() {
    let stack = Stack::start(10).await;
    let request = Request::post("/person/search")
        .header("content-type", "application/json")
        .header("api-key", "rk_live_bad");
    let begun = futures::stream::once(async { Ok::<_, std::io::Error>(" ".repeat(9_000)) });
    let never = Body::from_stream(begun.chain(futures::stream::pending()));
    let answered = stack.send(request.body(never).unwrap()).await;
    assert_eq!(answered.status, 401, "{}", answered.text);
    assert_eq!(answered.body()["details"]["reason"], "invalid_api_key");
    stack.stop().await;
}

/// A thousand others sound like her, live where she does and do what she does, and come before her, which is as many as are looked at:
/// the key of her employer leads to her all the same, and the answer says that there may be more.
#[tokio::test]
async fn a_crowd_of_namesakes_hides_nobody_and_what_was_not_looked_at_is_told() {
    let stack = Stack::start(10).await;
    let schema = schema_name(RecordKind::Person, 1);
    let mut own = stack.database.connect().await;
    let crowd = format!(
        "update {schema}.person set rank = 5000 where rank = 1;
         update {schema}.person_key set rank = 5000 where rank = 1;
         insert into {schema}.person
         select rank, gen_random_uuid(), doc
         from generate_series(1000, 1999) as rank, (select doc from {schema}.person where rank = 2) as other;"
    );
    own.execute(AssertSqlSafe(crowd)).await.unwrap();
    let theirs: Vec<(i16, Uuid)> = keys::person_name_lookups("maya okafor")
        .map(|text| (PersonKey::Name, keys::key(PersonKey::Name, &text)))
        .chain(
            [
                (PersonKey::NameCity, "chicago"),
                (PersonKey::NameTitle, "director of operations"),
                (PersonKey::NameState, "US-IL"),
            ]
            .into_iter()
            .flat_map(|(kind, value)| {
                let found = keys::name_context_lookups("maya okafor", kind, value);
                found.into_iter().map(move |key| (kind, key))
            }),
        )
        .map(|(kind, key)| (kind.number(), Uuid::from_bytes(key)))
        .collect();
    let (kinds, keys): (Vec<i16>, Vec<Uuid>) = theirs.into_iter().unzip();
    let insert = format!(
        "insert into {schema}.person_key
         select kind, key, rank, 0 from unnest($1::smallint[], $2::uuid[]) as theirs (kind, key), generate_series(1000, 1999) as rank"
    );
    let insert = sqlx::query(AssertSqlSafe(insert)).bind(kinds).bind(keys);
    insert.execute(&mut own).await.unwrap();
    let body = json!({
        "full_name": "Maya Okafor", "company": "Northwind Tools", "city": "Chicago", "state": "IL", "country": "US",
        "job_title": "Director of Operations", "explain": true
    });
    let first = stack.send(keyed(&body, "a key")).await;
    assert_eq!(first.status, 200, "{}", first.text);
    let found = first.body();
    let person = &found["matches"][0];
    assert_eq!(person["person"]["full_name"], "maya ifeoma okafor");
    assert_eq!(
        person["explanation"]["cut"],
        json!({"inputs": ["full_name"], "is_full": true})
    );
    assert_eq!(first.header("total-count-status"), Some("at_least"));
    let again = stack.send(keyed(&body, "a key")).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.header("total-count-status"), Some("at_least"));
    assert_eq!(again.text, first.text);
    // Where all is looked at, nothing is said.
    let body = json!({"email": MAIL, "explain": true});
    let sure = stack.send(keyed(&body, "another key")).await;
    assert_eq!(
        (sure.status.as_u16(), sure.header("total-count-status")),
        (200, None)
    );
    assert_eq!(sure.body()["matches"][0]["explanation"]["cut"], Value::Null);
}

#[tokio::test]
async fn a_name_that_is_not_known_is_told_with_the_one_that_is_meant() {
    let stack = Stack::start(100).await;
    let sql = |of: &str| format!("SELECT * FROM {of}");
    for (path, body, suggestions) in [
        (
            PERSON,
            json!({"linkedin_url": "linkedin.com/in/x"}),
            json!(["social_url"]),
        ),
        (
            PERSON,
            json!({"name": "maya okafor", "company_name": "x"}),
            json!(["full_name", "company"]),
        ),
        (
            "/company/enrich",
            json!({"website": "x.example"}),
            json!(["domain"]),
        ),
        ("/company/enrich", json!({"company": "x"}), json!(["name"])),
        (
            "/person/search",
            json!({"query": sql("person"), "fields": "city"}),
            json!(["include_fields"]),
        ),
        (
            "/person/search",
            json!({"query": sql("person"), "zzzzzz": 1}),
            json!([]),
        ),
        (
            PERSON,
            json!({"email": MAIL, "include_fields": "emails.adress"}),
            json!(["emails.address"]),
        ),
    ] {
        let refused = stack.post(path, GOOD_KEY, body.clone()).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        let refused = refused.body();
        assert_eq!(refused["details"]["suggestions"], suggestions, "{body}");
        let named = refused["details"]["parameters"][0].as_str().unwrap();
        assert!(
            refused["message"].as_str().unwrap().contains(named),
            "{refused}"
        );
    }
    let body = json!({"email": MAIL, "required_fields": "phones.type:cell"});
    let refused = stack.post(PERSON, GOOD_KEY, body).await.body();
    let details = &refused["details"];
    assert_eq!(details["parameters"], json!(["required_fields"]));
    assert_eq!(details["accepted"][0], "phones.type:mobile");
    // As an array, the list that is meant.
    let body = json!({"email": MAIL, "include_fields": ["full_name", "city"]});
    let refused = stack.post(PERSON, GOOD_KEY, body).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert_eq!(
        refused.body()["details"]["fields"][0]["suggestion"],
        "full_name,city"
    );
    stack.stop().await;
}

#[tokio::test]
async fn a_refusal_says_in_its_sentence_what_is_wrong() {
    let stack = Stack::start(100).await;
    let page = "https://www.linkedin.com/in/maya";
    for (path, body, status, said) in [
        (
            PERSON,
            json!({"full_name": "maya okafor"}),
            400,
            "job_title",
        ),
        (
            PERSON,
            json!({"full_name": "maya okafor", "birth_date": "1990-02-30"}),
            422,
            "no such day",
        ),
        (
            PERSON,
            json!({"full_name": "maya okafor", "birth_date": "2150"}),
            422,
            "future",
        ),
        (
            "/company/enrich",
            json!({"linkedin_url": page}),
            422,
            "a person",
        ),
        (
            "/person/search",
            json!({"query": "SELECT * FROM person", "limit": 5, "max_credits": 1}),
            422,
            "limit",
        ),
        (
            "/person/search",
            json!({"query": "SELECT * FROM person", "limit": 500}),
            422,
            "from 1 to 100",
        ),
        (
            "/person/search",
            json!({"query": "SELECT count(*) FROM person"}),
            400,
            "`total`",
        ),
        (
            "/person/search",
            json!({"query": "SELECT * FROM person GROUP BY city"}),
            400,
            "dry_run",
        ),
        (
            "/company/search",
            json!({"query": "SELECT * FROM company WHERE revenue > 5"}),
            400,
            "nor one",
        ),
    ] {
        let refused = stack.post(path, GOOD_KEY, body.clone()).await;
        assert_eq!(refused.status, status, "{}", refused.text);
        let refused = refused.body();
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains(said), "{body}: {message}");
    }
    stack.stop().await;
}
