//! What each command sends, and what it prints of the answer.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::fake::{Fake, Sent, refusal, view};
use crate::run::{Roster, ended};

const ACCOUNT: &str = "0195b7c2-9d1e-8a05-9f3c-2b6e4d8a7c10";
const CONTRACT: &str = "3f6d20b8-71ce-8405-8b52-e09a1c64d7f3";
const REPORT: &str = "c0b6d6a2-6d0e-8a02-8c1b-1a6d7a2f4e10";
const KEY: &str = "05Kq7ZtW3mBx";

/// Runs one command against a server that answers it so; gives the request and the document.
async fn ask(arguments: &[&str], request: &str, answer: Value) -> (Sent, Value) {
    let fake = Fake::start().await;
    fake.answers(request, 200, answer);
    let ran = Roster::at(&fake.url)
        .run(&[arguments, &["--json"][..]].concat())
        .await;
    let document = ran.json();
    assert_eq!(ran.stderr, "");
    assert_eq!(fake.tokens(), ["Bearer secret"]);
    (fake.sent().remove(0), document)
}

#[tokio::test]
async fn an_account_is_opened_by_its_name() {
    let answer = json!({"account_id": ACCOUNT, "name": "Northwind Tools", "opened_at": "2026-11-02T08:15:00Z"});
    let (sent, shown) = ask(
        &["account", "create", "--name", "Northwind Tools"],
        "POST /admin/accounts",
        answer.clone(),
    )
    .await;
    assert_eq!(sent.body, json!({"name": "Northwind Tools"}));
    assert_eq!(shown, answer);
}

#[tokio::test]
async fn a_movement_is_asked_for_by_the_request_that_made_it() {
    let request = "01a21735-c66c-70f1-9c4c-f5ddd06d9979";
    let answer = json!({"request_id": request, "kind": "charge", "credits": -2});
    let asked = format!("GET /admin/movements/{request}");
    let (_, shown) = ask(&["movement", "show", request], &asked, answer.clone()).await;
    assert_eq!(shown, answer);
}

#[tokio::test]
async fn a_contract_is_made_with_endpoints_dates_and_prices() {
    let arguments = [
        "contract",
        "create",
        "--account",
        ACCOUNT,
        "--credits",
        "500",
        "--endpoints",
        "person_enrich,person_search",
        "--starts",
        "2025-01-01",
        "--expires",
        "2025-12-31",
        "--price",
        "person_enrich=2",
        "--price",
        "person_search=0",
    ];
    let (sent, shown) = ask(
        &arguments,
        "POST /admin/contracts",
        json!({"contract_id": CONTRACT}),
    )
    .await;
    let body = json!({
        "account_id": ACCOUNT, "credits": 500, "endpoints": {"only": ["person_enrich", "person_search"]},
        "starts_on": "2025-01-01", "expires_on": "2025-12-31", "prices": {"person_enrich": 2, "person_search": 0},
    });
    assert_eq!(sent.body, body);
    assert_eq!(shown["contract_id"], CONTRACT);
}

#[tokio::test]
async fn a_contract_covers_everything_from_today_on_unless_said_otherwise() {
    let arguments = ["contract", "create", "--account", ACCOUNT, "--credits", "0"];
    let (sent, _) = ask(
        &arguments,
        "POST /admin/contracts",
        json!({"contract_id": CONTRACT}),
    )
    .await;
    let body = json!({
        "account_id": ACCOUNT, "credits": 0, "endpoints": "all", "starts_on": null, "expires_on": null, "prices": {},
    });
    assert_eq!(sent.body, body);
}

#[tokio::test]
async fn credits_are_granted_and_the_balance_is_shown() {
    let request = format!("POST /admin/contracts/{CONTRACT}/grants");
    let answer = json!({"contract_id": CONTRACT, "credits_remaining": 700});
    let (sent, shown) = ask(
        &["contract", "grant", CONTRACT, "--credits", "200"],
        &request,
        answer,
    )
    .await;
    assert_eq!(sent.body, json!({"credits": 200}));
    assert_eq!(shown["credits_remaining"], 700);
}

#[tokio::test]
async fn a_contract_is_ended_for_a_reason() {
    let request = format!("POST /admin/contracts/{CONTRACT}/end");
    let answer = json!({"contract_id": CONTRACT, "is_expired": true});
    let arguments = ["contract", "end", CONTRACT, "--reason", "ticket 4711"];
    let (sent, shown) = ask(&arguments, &request, answer).await;
    assert_eq!(sent.body, json!({"reason": "ticket 4711"}));
    assert_eq!(shown["is_expired"], true);
}

#[tokio::test]
async fn a_key_is_issued_with_its_own_rate_limits() {
    let arguments = [
        "key",
        "create",
        "--account",
        ACCOUNT,
        "--endpoints",
        "person_enrich",
        "--rate-limit",
        "person_enrich=600",
    ];
    let answer = json!({"api_key_id": KEY, "api_key": "rk_live_invented"});
    let (sent, shown) = ask(&arguments, "POST /admin/keys", answer.clone()).await;
    let body = json!({
        "account_id": ACCOUNT, "endpoints": {"only": ["person_enrich"]}, "rate_limits": {"person_enrich": 600},
    });
    assert_eq!(sent.body, body);
    assert_eq!(shown, answer);
}

#[tokio::test]
async fn each_other_command_is_one_request() {
    let table: [(&[&str], String, Value); 15] = [
        (
            &["account", "list"],
            "GET /admin/accounts".into(),
            json!({"accounts": []}),
        ),
        (
            &["contract", "show", CONTRACT],
            format!("GET /admin/contracts/{CONTRACT}"),
            json!({"credits_remaining": 3}),
        ),
        (
            &["contract", "list", "--account", ACCOUNT],
            format!("GET /admin/contracts?account={ACCOUNT}"),
            json!({"contracts": []}),
        ),
        (
            &["key", "revoke", KEY],
            format!("POST /admin/keys/{KEY}/revoke"),
            json!({"api_key_id": KEY}),
        ),
        (
            &["key", "list", "--account", ACCOUNT],
            format!("GET /admin/keys?account={ACCOUNT}"),
            json!({"keys": []}),
        ),
        (
            &["builds", "show", "b-1"],
            "GET /admin/builds/b-1".into(),
            view("b-1", "person"),
        ),
        (
            &["builds", "activate", "b-1"],
            "POST /admin/builds/b-1/activate".into(),
            json!({"build": "b-1", "waiting_for": []}),
        ),
        (
            &["builds", "abandon", "b-1"],
            "POST /admin/builds/b-1/abandon".into(),
            view("b-1", "person"),
        ),
        (
            &["reports", "show", REPORT],
            format!("GET /admin/reports/{REPORT}"),
            json!({"report_id": REPORT}),
        ),
        (
            &["reports", "review", REPORT],
            format!("POST /admin/reports/{REPORT}/review"),
            json!({"report_id": REPORT}),
        ),
        (
            &["reports", "accept", REPORT],
            format!("POST /admin/reports/{REPORT}/accept"),
            json!({"report_id": REPORT}),
        ),
        (
            &["dlq", "list"],
            "GET /admin/dead-letters".into(),
            json!({"dead_letters": []}),
        ),
        (
            &["dlq", "retry", "17"],
            "POST /admin/dead-letters/17/retry".into(),
            json!({"applied": 3, "left": 0, "next": null, "error": null}),
        ),
        (
            &["dlq", "retry", "17", "--from-store"],
            "POST /admin/dead-letters/17/retry-from-store".into(),
            json!({"applied": 0, "left": 2, "next": 17, "error": "SQLSTATE 23514"}),
        ),
        (
            &["republish", "--shard", "5", "--from", "17"],
            "POST /admin/republish".into(),
            json!({"sent": 4}),
        ),
    ];
    for (arguments, request, answer) in table {
        let (sent, shown) = ask(arguments, &request, answer.clone()).await;
        assert_eq!(format!("{} {}", sent.method, sent.path), request);
        assert_eq!(shown, answer, "{arguments:?}");
    }
}

#[tokio::test]
async fn a_report_is_rejected_with_a_reason_and_corrected_by_a_build() {
    let rejected = format!("POST /admin/reports/{REPORT}/reject");
    let (sent, _) = ask(
        &["reports", "reject", REPORT, "--reason", "twins"],
        &rejected,
        json!({}),
    )
    .await;
    assert_eq!(sent.body, json!({"reason": "twins"}));
    let corrected = format!("POST /admin/reports/{REPORT}/correct");
    let (sent, _) = ask(
        &["reports", "correct", REPORT, "--build", "b-2"],
        &corrected,
        json!({}),
    )
    .await;
    assert_eq!(sent.body, json!({"build": "b-2"}));
}

#[tokio::test]
async fn giving_up_a_build_that_has_failed_is_refused() {
    let fake = Fake::start().await;
    let mut failed = view("b-1", "person");
    failed["status"] = json!("failed");
    failed["reason"] = json!("3 of 3 lines were rejected");
    fake.answers("POST /admin/builds/b-1/abandon", 200, failed);
    let roster = Roster::at(&fake.url);
    let ran = roster.run(&["--json", "builds", "abandon", "b-1"]).await;
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(ran.error()["error"], "build_failed");
    assert_eq!(
        ran.error()["details"]["reason"],
        "3 of 3 lines were rejected"
    );
}

#[tokio::test]
async fn who_erases_a_report_is_told_whether_kafka_knows() {
    let erased = format!("DELETE /admin/reports/{REPORT}/details");
    let owed = json!({"report_id": REPORT, "tombstone": "owed"});
    let arguments = ["reports", "erase", REPORT];
    let (_, shown) = ask(&arguments, &erased, owed.clone()).await;
    assert_eq!(shown, owed);
    let fake = Fake::start().await;
    fake.answers(&erased, 204, Value::Null);
    let roster = Roster::at(&fake.url);
    let ran = roster.run(&["--json", "reports", "erase", REPORT]).await;
    let shown: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(shown, json!({"report_id": REPORT, "tombstone": "sent"}));
}

#[tokio::test]
async fn a_record_of_a_build_is_shown_with_its_document() {
    let request = format!("GET /admin/builds/b-1/records/{REPORT}");
    let answer = json!({"build": "b-1", "kind": "person", "rank": 7, "service_id": ACCOUNT, "document_bytes": 23, "packed_bytes": 20, "document": {"full_name": "maya okafor"}});
    let arguments = ["builds", "record", "b-1", REPORT];
    let (_, shown) = ask(&arguments, &request, answer.clone()).await;
    assert_eq!(shown, answer);
    let fake = Fake::start().await;
    fake.answers(&request, 200, answer);
    let ran = Roster::at(&fake.url).run(&arguments).await;
    assert!(
        ran.stdout.contains(&format!("service_id      {ACCOUNT}\n")),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .ends_with("\n\n{\n  \"full_name\": \"maya okafor\"\n}\n"),
        "{}",
        ran.stdout
    );
    fake.answers(
        &request,
        404,
        refusal("not_found", "The data build has no record with this id."),
    );
    let ran = Roster::at(&fake.url).run(&arguments).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr.contains("no record with this id"),
        "{}",
        ran.stderr
    );
    let ran = Roster::at(&fake.url)
        .run(&["builds", "record", "b-1", "maya"])
        .await;
    assert_eq!(ran.code, 2);
}

const REPUBLISH: &str = "POST /admin/republish";

/// The positions from which a shard was asked to be sent.
fn asked_from(fake: &Fake) -> Vec<Value> {
    let sent = fake.sent();
    assert!(sent.iter().all(|one| one.body["shard"] == 5), "{sent:?}");
    sent.iter().map(|one| one.body["from"].clone()).collect()
}

#[tokio::test]
async fn a_republish_goes_on_portion_by_portion_until_all_is_sent() {
    let fake = Fake::start().await;
    let portions = [
        json!({"sent": 100, "next": 117}),
        json!({"sent": 50, "next": 167}),
        json!({"sent": 3, "next": null}),
    ];
    fake.answers_first(REPUBLISH, &portions);
    let ran = Roster::at(&fake.url)
        .run(&["republish", "--shard", "5", "--from", "17"])
        .await;
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "sent  153\n"));
    assert_eq!(asked_from(&fake), [17, 117, 167]);
    let told: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(told.len(), 2, "{ran:?}");
    assert!(told[1].contains("150 events") && told[1].ends_with("--from 167"));
}

#[tokio::test]
async fn a_republish_that_fails_names_where_to_go_on() {
    let fake = Fake::start().await;
    fake.answers_first(REPUBLISH, &[json!({"sent": 100, "next": 117})]);
    let said = refusal("service_unavailable", "Kafka is not reachable.");
    fake.answers(REPUBLISH, 503, said);
    let ran = Roster::at(&fake.url)
        .run(&["republish", "--shard", "5", "--from", "17", "--json"])
        .await;
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.error()["details"]["resume_from"], 117);
    assert_eq!(asked_from(&fake), [17, 117]);
}

#[tokio::test]
async fn a_republish_that_comes_no_further_ends() {
    let fake = Fake::start().await;
    fake.answers(REPUBLISH, 200, json!({"sent": 0, "next": 17}));
    let ran = Roster::at(&fake.url)
        .run(&["republish", "--shard", "5", "--from", "17", "--json"])
        .await;
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.error()["details"]["resume_from"], 17);
    assert_eq!(asked_from(&fake), [17]);
}

#[tokio::test]
async fn a_retry_goes_on_portion_by_portion_until_a_letter_of_the_key_fails() {
    let fake = Fake::start().await;
    let portion = |applied: u64, left: u64, next: u64, error: Value| json!({"applied": applied, "left": left, "next": next, "error": error});
    for (id, answer) in [
        (17, portion(1000, 900, 1400, Value::Null)),
        (1400, portion(600, 300, 2100, json!("SQLSTATE 23514"))),
    ] {
        let request = format!("POST /admin/dead-letters/{id}/retry");
        fake.answers(&request, 200, answer);
    }
    let ran = Roster::at(&fake.url)
        .run(&["dlq", "retry", "17", "--json"])
        .await;
    assert_eq!(
        ran.json(),
        portion(1600, 300, 2100, json!("SQLSTATE 23514"))
    );
    assert_eq!(fake.sent().len(), 2);
}

#[tokio::test]
async fn a_retry_that_fails_names_what_was_applied_and_where_to_go_on() {
    let fake = Fake::start().await;
    fake.answers(
        "POST /admin/dead-letters/17/retry",
        200,
        json!({"applied": 1000, "left": 900, "next": 1400, "error": null}),
    );
    let said = refusal("service_unavailable", "The database is not reachable.");
    fake.answers("POST /admin/dead-letters/1400/retry", 503, said);
    let ran = Roster::at(&fake.url)
        .run(&["dlq", "retry", "17", "--json"])
        .await;
    assert_eq!(ran.code, 1, "{ran:?}");
    let details = &ran.error()["details"];
    assert_eq!(
        (&details["applied"], &details["resume_from"]),
        (&json!(1000), &json!(1400))
    );
}

#[tokio::test]
async fn every_parked_key_is_listed_however_many_pages_there_are() {
    let fake = Fake::start().await;
    for (request, id, next) in [
        ("GET /admin/dead-letters", 1, json!("1")),
        ("GET /admin/dead-letters?cursor=1", 7, Value::Null),
    ] {
        let page = json!({"dead_letters": [{"id": id, "letters": 3}], "next_cursor": next});
        fake.answers(request, 200, page);
    }
    let ran = Roster::at(&fake.url).run(&["dlq", "list"]).await;
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((ran.code, lines.len()), (0, 3), "{ran:?}");
    assert!(lines[0].starts_with("ID  LETTERS  TOPIC") && lines[2].starts_with("7   3"));
}

#[tokio::test]
async fn a_discarded_dead_letter_answers_nothing_and_is_shown_as_done() {
    let (_, shown) = ask(
        &["dlq", "discard", "17"],
        "POST /admin/dead-letters/17/discard",
        Value::Null,
    )
    .await;
    assert_eq!(shown, json!({"id": 17, "done": "discard"}));
}

#[tokio::test]
async fn the_list_of_builds_has_the_seven_keys_of_the_docs() {
    let answer = json!({"builds": [view("b-1", "company")], "unreadable": ["b-0"]});
    let (_, shown) = ask(&["builds", "list"], "GET /admin/builds", answer).await;
    let expected = json!({
        "build": "b-1", "kind": "company", "status": "loading", "rows": 0, "rejected": 0, "reference_date": null,
        "created_at": "2026-11-02T07:00:00Z",
    });
    assert_eq!(shown, json!({"builds": [expected], "unreadable": ["b-0"]}));
}

#[tokio::test]
async fn all_accounts_are_listed_however_many_pages_there_are() {
    let fake = Fake::start().await;
    for (request, id, next) in [
        ("GET /admin/accounts", 1, json!("a1")),
        ("GET /admin/accounts?cursor=a1", 2, json!("a2")),
        ("GET /admin/accounts?cursor=a2", 3, Value::Null),
    ] {
        let page = json!({"accounts": [{"account_id": id}], "next_cursor": next});
        fake.answers(request, 200, page);
    }
    let arguments = ["account", "list", "--json"];
    let shown = Roster::at(&fake.url).run(&arguments).await.json();
    assert_eq!(
        shown["accounts"],
        json!([{"account_id": 1}, {"account_id": 2}, {"account_id": 3}])
    );
}

#[tokio::test]
async fn reports_are_listed_page_after_page() {
    let fake = Fake::start().await;
    let page = |ids: &[u32], next: Value| {
        let reports: Vec<_> = ids.iter().map(|id| json!({"report_id": id})).collect();
        json!({"reports": reports, "unreadable": [ids[0] + 10], "next_cursor": next})
    };
    fake.answers(
        "GET /admin/reports?limit=4&status=under_review",
        200,
        page(&[1, 2], json!("n2")),
    );
    fake.answers(
        "GET /admin/reports?limit=1&status=under_review&cursor=n2",
        200,
        page(&[3], json!("n3")),
    );
    let arguments = [
        "reports",
        "list",
        "--status",
        "under_review",
        "--limit",
        "4",
        "--json",
    ];
    let shown = Roster::at(&fake.url).run(&arguments).await.json();
    assert_eq!(
        shown["reports"],
        json!([{"report_id": 1}, {"report_id": 2}, {"report_id": 3}])
    );
    assert_eq!(shown["unreadable"], json!([11, 13]));
    assert_eq!(shown["next_cursor"], "n3");

    // From there on, to the end.
    let cursor = "0195b7c2-9d1e-8a05-9f3c-2b6e4d8a7c10";
    let request = format!("GET /admin/reports?limit=200&cursor={cursor}");
    fake.answers(&request, 200, page(&[4], Value::Null));
    let arguments = ["reports", "list", "--cursor", cursor, "--json"];
    let shown = Roster::at(&fake.url).run(&arguments).await.json();
    assert_eq!(shown["reports"], json!([{"report_id": 4}]));
    assert_eq!(shown["next_cursor"], Value::Null);
}

/// A list that is not whole says so to who reads it.
#[tokio::test]
async fn what_a_list_cannot_show_is_named_beside_it() {
    let reports = &["reports", "list", "--limit", "7"][..];
    for (arguments, request, what) in [
        (reports, "GET /admin/reports?limit=7", "reports"),
        (&["builds", "list"], "GET /admin/builds", "data builds"),
    ] {
        let fake = Fake::start().await;
        let page = json!({"reports": [], "builds": [], "unreadable": ["x-1", "x-2"]});
        fake.answers(request, 200, page);
        let ran = Roster::at(&fake.url).run(arguments).await;
        assert_eq!(ran.code, 0, "{ran:?}");
        let told = format!("cannot be read ({what}): x-1, x-2");
        assert!(ran.stderr.contains(&told), "{ran:?}");
        assert_eq!(ran.stdout, "none that can be read\n");
    }
}

#[tokio::test]
async fn a_refusal_is_passed_on_as_the_service_said_it() {
    let fake = Fake::start().await;
    let said = refusal("not_found", "There is no such contract.");
    fake.answers(
        &format!("GET /admin/contracts/{CONTRACT}"),
        404,
        said.clone(),
    );
    let roster = Roster::at(&fake.url);
    let ran = roster.run(&["contract", "show", CONTRACT, "--json"]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(ran.error(), said);
    let ran = roster.run(&["contract", "show", CONTRACT]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(
        ran.stderr,
        "not_found: There is no such contract. {\"subject_type\":\"contract\"}\n"
    );
}

#[tokio::test]
async fn settings_are_found_in_the_data_folder_above_and_the_environment_goes_first() {
    let fake = Fake::start().await;
    fake.answers(
        "GET /admin/accounts",
        200,
        json!({"accounts": [{"account_id": ACCOUNT, "name": "Acme", "opened_at": "x"}]}),
    );
    let roster = Roster::new();
    roster.folder.write(
        ".data/env",
        format!(
            "ROSTER_ADMIN_URL='{}'\nROSTER_ADMIN_TOKEN='from file'\n",
            fake.url
        ),
    );
    let ran = roster.run(&["account", "list"]).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.starts_with("ACCOUNT_ID"), "{ran:?}");
    assert!(ran.stdout.contains("Acme"), "{ran:?}");
    roster
        .with("ROSTER_ADMIN_TOKEN", "from environment")
        .run(&["account", "list"])
        .await;
    assert_eq!(
        fake.tokens(),
        ["Bearer from file", "Bearer from environment"]
    );
}

#[tokio::test]
async fn status_is_shown_also_while_the_projector_is_down() {
    let fake = Fake::start().await;
    let shards = json!({"0": {"owner": "a", "pos": 9, "published": 7}, "1": {"owner": "a", "pos": 1, "published": 1}});
    let status = json!({"instances": ["a"], "shards": shards, "query_services": [{"name": "q-1", "person_build": "b-1"}]});
    fake.answers("GET /admin/status", 200, status.clone());
    let mut active = view("b-1", "person");
    active["status"] = json!("active");
    fake.answers(
        "GET /admin/builds",
        200,
        json!({"builds": [active, view("b-2", "person")]}),
    );
    let roster = Roster::at(&fake.url).with("ROSTER_PROJECTOR_URL", "http://127.0.0.1:1");
    let shown = roster.run(&["status", "--json"]).await.document();
    assert_eq!(shown["command_service"], status);
    assert_eq!(shown["active_builds"][0]["build"], "b-1");
    assert_eq!(shown["active_builds"].as_array().unwrap().len(), 1);
    assert!(
        shown["projector"]["error"]
            .as_str()
            .unwrap()
            .contains("projector")
    );
    let human = roster.run(&["status"]).await;
    assert!(
        human.stdout.contains("a      2       2"),
        "{}",
        human.stdout
    );
    assert_eq!(human.code, 1);
    assert!(
        human.stderr.contains("projector is not available"),
        "{human:?}"
    );
}

#[tokio::test]
async fn status_is_shown_also_while_command_service_is_down() {
    let fake = Fake::start().await;
    fake.answers("GET /admin/lag", 200, json!({"topics": {}}));
    let roster = Roster::at("http://127.0.0.1:1")
        .with("ROSTER_PROJECTOR_URL", &fake.url)
        .with("ROSTER_MCP_URLS", &fake.url);
    let shown = roster.run(&["status", "--json"]).await;
    let document = shown.document();
    assert_eq!(document["projector"], json!({"topics": {}}));
    assert_eq!(document["mcp_servers"][0]["is_ready"], true);
    assert_eq!(document["active_builds"], json!(null));
    assert_eq!(shown.code, 1);
    assert_eq!(shown.error()["details"]["component"], "command-service");
    let human = roster.run(&["status"]).await.stdout;
    assert!(human.contains("active builds\n  unknown"), "{human}");
    assert!(human.contains("query-services\n  unknown"), "{human}");
}

/// Who looks by a program sees the exit code alone.
#[tokio::test]
async fn status_fails_while_a_part_is_down() {
    let fake = Fake::start().await;
    fake.answers("GET /admin/builds", 200, json!({"builds": []}));
    fake.answers("GET /admin/lag", 200, json!({"topics": {}}));
    let owned = json!({"owner": "a", "pos": 1, "published": 1});
    let nobodys = json!({"owner": null, "pos": 1, "published": 1});
    let status = |shard: &Value, query_services: Value, not_published: Value| json!({"instances": ["a"], "shards": {"0": owned, "1": shard}, "query_services": query_services, "not_published": not_published});
    let (one, none) = (json!([{"name": "q-1"}]), json!([]));
    for (status, down) in [
        (status(&owned, one.clone(), Value::Null), None),
        (
            status(&nobodys, one.clone(), Value::Null),
            Some("shards without an owner: 1"),
        ),
        (status(&owned, none, Value::Null), Some("query-service")),
        (
            status(&owned, one, json!("Kafka has an event")),
            Some("Kafka has an event"),
        ),
    ] {
        fake.answers("GET /admin/status", 200, status);
        let ran = Roster::at(&fake.url).run(&["status", "--json"]).await;
        assert_eq!(ran.code, i32::from(down.is_some()), "{ran:?}");
        assert_eq!(ran.document()["projector"], json!({"topics": {}}));
        if let Some(down) = down {
            let error = ran.error();
            assert_eq!(error["error"], "service_unavailable");
            assert!(error["message"].as_str().unwrap().contains(down), "{error}");
        }
    }
}

#[tokio::test]
async fn status_tells_of_each_mcp_server_and_fails_where_none_is_ready() {
    let fake = Fake::start().await;
    fake.answers("GET /admin/status", 200, json!({}));
    fake.answers("GET /admin/builds", 200, json!({"builds": []}));
    fake.answers("GET /admin/lag", 200, json!({"topics": {}}));
    let two = format!("{}, http://127.0.0.1:1", fake.url);
    let roster = Roster::at(&fake.url).with("ROSTER_MCP_URLS", &two);
    let shown = roster.run(&["status", "--json"]).await.json();
    let servers = shown["mcp_servers"].as_array().unwrap();
    assert_eq!(servers[0], json!({"url": fake.url, "is_ready": true}));
    assert_eq!(servers[1]["url"], "http://127.0.0.1:1");
    assert_eq!(servers[1]["is_ready"], false);
    let human = roster.run(&["status"]).await.stdout;
    let (_, section) = human.split_once("mcp-servers\n").unwrap();
    let first = format!(
        "  url={} is_ready=true\n  url=http://127.0.0.1:1 is_ready=false error=",
        fake.url
    );
    assert!(section.starts_with(&first), "{section}");

    let not_ready = json!({
        "error": "service_unavailable", "message": "The ledger is not reachable.", "request_id": "x", "retryable": true,
        "details": {"component": "ledger", "retry_after_seconds": 1},
    });
    fake.answers("GET /health/ready", 503, not_ready);
    let ran = roster.run(&["status", "--json"]).await;
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.document()["mcp_servers"][0]["is_ready"], false);
    let error = ran.error();
    assert_eq!(error["details"]["component"], "mcp-server");
    assert!(
        error["message"].as_str().unwrap().contains("ledger"),
        "{error}"
    );

    let without = Roster::at(&fake.url).with("ROSTER_MCP_URLS", "none");
    let ran = without.run(&["status", "--json"]).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.document()["mcp_servers"], json!([]));
}

#[tokio::test]
async fn a_query_service_without_a_build_has_none_and_a_shard_without_an_owner_is_nobodys() {
    let fake = Fake::start().await;
    let status = json!({
        "shards": {"0": {"owner": null, "pos": 1, "published": 1}},
        "query_services": [{"name": "q-1", "person_build": "b-1", "company_build": null}],
    });
    fake.answers("GET /admin/status", 200, status);
    fake.answers("GET /admin/builds", 200, json!({"builds": []}));
    fake.answers("GET /admin/lag", 200, json!({"topics": {}}));
    let shown = Roster::at(&fake.url).run(&["status"]).await.stdout;
    let service = "name=q-1 person_build=b-1 company_build=none\n";
    assert!(shown.contains(service), "{shown}");
    assert!(shown.contains("nobody  1"), "{shown}");
}

#[tokio::test]
async fn a_build_that_cannot_be_read_may_be_the_active_one() {
    let fake = Fake::start().await;
    fake.answers("GET /admin/status", 200, json!({}));
    let roster = Roster::at(&fake.url).with("ROSTER_PROJECTOR_URL", "http://127.0.0.1:1");
    let mut active = view("b-1", "person");
    active["status"] = json!("active");
    for (builds, of_active) in [(json!([]), "unknown"), (json!([active]), "b-1")] {
        let listed = json!({"builds": builds, "unreadable": ["b-3"]});
        fake.answers("GET /admin/builds", 200, listed);
        let shown = roster.run(&["status", "--json"]).await.document();
        assert_eq!(shown["unreadable_builds"], json!(["b-3"]));
        let human = roster.run(&["status"]).await.stdout;
        let (_, section) = human.split_once("active builds\n").unwrap();
        assert!(section.contains(of_active), "{section}");
        assert!(section.contains("cannot be read: b-3"), "{section}");
    }
}

#[tokio::test]
async fn what_status_could_not_learn_is_unknown_and_no_number() {
    let fake = Fake::start().await;
    fake.answers("GET /admin/status", 200, json!({"shards": {}}));
    fake.answers("GET /admin/builds", 200, json!({"builds": []}));
    let lag = json!({
        "topics": {
            "credits.v1": {"events_behind": null, "partitions": [{"lag": 2}, {"lag": null}]},
            "reports.v1": {"events_behind": 0, "partitions": [{"lag": 2}, {"lag": 1}]},
        },
        "untold_outcomes": [],
    });
    fake.answers("GET /admin/lag", 200, lag);
    let shown = Roster::at(&fake.url).run(&["status"]).await.stdout;
    assert!(shown.contains("credits.v1  unknown  unknown\n"), "{shown}");
    assert!(shown.contains("reports.v1  3        0\n"), "{shown}");
    assert!(
        shown.contains("outcomes that nobody takes\n  none\n"),
        "{shown}"
    );
    let silent = Roster::at(&fake.url).with("ROSTER_PROJECTOR_URL", "http://127.0.0.1:1");
    let shown = silent.run(&["status"]).await.stdout;
    assert!(
        shown.contains("outcomes that nobody takes\n  unknown\n"),
        "{shown}"
    );
}

#[tokio::test]
async fn a_build_of_an_earlier_edition_is_named_with_what_that_means() {
    let fake = Fake::start().await;
    fake.answers("GET /admin/status", 200, json!({"shards": {}}));
    fake.answers("GET /admin/builds", 200, json!({"builds": []}));
    let behind = json!({"build": "b-1", "kind": "person", "status": "active", "edition": 0});
    for (behind, shown) in [
        (json!([behind]), "b-1    person  active  0\n"),
        (json!([]), "none\n"),
        // A projector of before there were editions.
        (json!(null), "unknown\n"),
    ] {
        let is_behind = behind.as_array().is_some_and(|all| !all.is_empty());
        let lag =
            json!({"topics": {}, "untold_outcomes": [], "edition": 3, "builds_behind": behind});
        fake.answers("GET /admin/lag", 200, lag);
        let human = Roster::at(&fake.url).run(&["status"]).await.stdout;
        let (_, section) = human.split_once("builds of an earlier edition\n").unwrap();
        assert!(section.contains(shown), "{section}");
        let meaning = "the edition of this version is 3: requests may miss records";
        assert_eq!(section.contains(meaning), is_behind, "{section}");
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_written_is_a_failure_that_names_the_key_of_the_command() {
    let fake = Fake::start().await;
    fake.answers(
        "POST /admin/keys",
        200,
        json!({"api_key": "rk_live_invented"}),
    );
    fake.answers("GET /admin/builds", 200, json!({"builds": []}));
    let roster = Roster::at(&fake.url);
    let full = || {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let named = [
        "key",
        "create",
        "--account",
        ACCOUNT,
        "--idempotency-key",
        "k-1",
        "--json",
    ];
    let ran = roster.run_into(&named, full()).await;
    assert_eq!(ran.code, 1, "{ran:?}");
    let error = ran.error();
    assert_eq!(error["error"], "answer_not_written");
    assert_eq!(error["details"]["idempotency_key"], "k-1");
    let ran = roster.run_into(&["builds", "list", "--json"], full()).await;
    assert_eq!(
        (ran.code, &ran.error()["error"]),
        (1, &json!("answer_not_written"))
    );
    // Who has read enough is another matter.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ran = roster.run_into(&["builds", "list", "--json"], writer).await;
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[tokio::test]
async fn a_command_whose_outcome_is_open_names_its_key() {
    let fake = Fake::start().await;
    // As something in front of the service answers for it.
    fake.answers("POST /admin/accounts", 502, Value::Null);
    let arguments = [
        "account",
        "create",
        "--name",
        "Acme",
        "--idempotency-key",
        "k-1",
        "--json",
    ];
    let ran = Roster::at(&fake.url).run(&arguments).await;
    let error = ran.error();
    assert_eq!(
        (ran.code, &error["error"]),
        (1, &json!("service_unavailable"))
    );
    assert_eq!(error["details"]["idempotency_key"], "k-1");
    assert_eq!(fake.sent().len(), 5, "it was repeated");
    fake.answers("POST /admin/accounts", 422, refusal("bad_request", "No."));
    let refused = Roster::at(&fake.url).run(&arguments).await.error();
    assert_eq!(refused["details"].get("idempotency_key"), None);
}

#[tokio::test]
async fn a_command_that_is_interrupted_names_its_key() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let roster = Roster::at(&url);
    let arguments = ["contract", "grant", CONTRACT, "--credits", "200", "--json"];
    let child = roster.start(&arguments, Stdio::piped());
    let (_connection, _) = silent.accept().await.unwrap();
    let interrupt = format!("kill -INT {}", child.id().unwrap());
    let sent = std::process::Command::new("sh")
        .args(["-c", &interrupt])
        .status();
    assert!(sent.unwrap().success());
    let ran = ended(child).await;
    let error = ran.error();
    assert_eq!((ran.code, &error["error"]), (1, &json!("interrupted")));
    let key = error["details"]["idempotency_key"].as_str().unwrap();
    assert!(key.parse::<uuid::Uuid>().is_ok(), "{key}");
}
