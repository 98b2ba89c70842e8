//! The admin and internal listeners.

use command_service::store::Store;
use events_schema::api::internal::{Answer, Answered};
use events_schema::ids::{AccountId, BuildName, ReportId, Shard};
use http::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use uuid::Uuid;

use crate::kafka::{Read, read_until};
use crate::service::{ADMIN_TOKEN, Running, Setup, sha256, text};
use crate::support::until;

const POST: Method = Method::POST;
const GET: Method = Method::GET;
const DELETE: Method = Method::DELETE;

#[tokio::test]
async fn a_request_without_a_valid_token_is_refused_on_both_listeners() {
    let service = Running::start(&Setup::without_kafka().await).await;
    for url in [
        format!("{}/admin/accounts", service.admin),
        format!("{}/internal/builds/b", service.internal),
        format!("{}/internal/forwarded/admin/accounts", service.internal),
    ] {
        let none = service.http.get(&url).send().await.unwrap();
        assert_eq!(none.status(), 401, "{url}");
        let wrong = service.http.get(&url).bearer_auth("wrong-token-0123456789");
        let wrong = wrong.send().await.unwrap();
        assert_eq!(wrong.status(), 401);
        let body: Value = wrong.json().await.unwrap();
        assert_eq!(body["error"], "unauthorized");
    }
    for url in [&service.public, &service.internal, &service.admin] {
        for probe in ["live", "ready"] {
            let health = service.http.get(format!("{url}/health/{probe}"));
            assert_eq!(health.send().await.unwrap().status(), 200);
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn accounts_contracts_and_keys_are_made_shown_and_listed() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (account, key_id, _) = service.customer().await;
    let accounts = service.ok(GET, "/admin/accounts", Value::Null).await;
    assert_eq!(accounts["accounts"][0]["name"], "acme");

    let wish = json!({"account_id": account, "credits": 10, "endpoints": {"only": ["person_enrich"]},
        "starts_on": "2020-01-01", "expires_on": "2999-12-31", "prices": {"person_enrich": 3}});
    let contract = service.ok(POST, "/admin/contracts", wish).await;
    assert_eq!(contract["is_expired"], false);
    assert_eq!(contract["prices"], json!({"person_enrich": 3}));
    let path = format!("/admin/contracts/{}", text(&contract["contract_id"]));
    let granted = service
        .ok(POST, &format!("{path}/grants"), json!({"credits": 5}))
        .await;
    assert_eq!(granted["credits_remaining"], 15);
    assert_eq!(
        service.ok(GET, &path, Value::Null).await["credits_total"],
        15
    );
    let list = format!("/admin/contracts?account={account}");
    let list = service.ok(GET, &list, Value::Null).await;
    assert_eq!(list["contracts"].as_array().unwrap().len(), 1);

    let keys = format!("/admin/keys?account={account}");
    let keys = service.ok(GET, &keys, Value::Null).await;
    assert_eq!(keys["keys"][0]["api_key_id"], json!(key_id));
    let revoked = service
        .ok(POST, &format!("/admin/keys/{key_id}/revoke"), json!({}))
        .await;
    assert!(revoked["revoked_at"].is_string());
    service.stop().await;
}

#[tokio::test]
async fn a_contract_is_ended_once_and_takes_no_credits_then() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (account, ..) = service.customer().await;
    let made = async |days: Value| {
        let wish = json!({"account_id": account, "credits": 10, "endpoints": "all",
            "starts_on": "2020-01-01", "expires_on": days, "prices": {}});
        let contract = service.ok(POST, "/admin/contracts", wish).await;
        format!("/admin/contracts/{}", text(&contract["contract_id"]))
    };
    let is_over = async |path: &str| {
        let grant = json!({"credits": 5});
        let (status, body) = service.admin(POST, &format!("{path}/grants"), grant).await;
        assert_eq!(
            (status, &body["details"]["reason"]),
            (409, &json!("contract_expired")),
            "{body}"
        );
        service.ok(GET, path, Value::Null).await
    };
    let expired = is_over(&made(json!("2020-12-31")).await).await;
    assert_eq!(expired["expiration_date"], "2020-12-31");
    assert_eq!(expired["ended_at"], Value::Null);

    let path = made(Value::Null).await;
    let end = format!("{path}/end");
    let (status, body) = service.admin(POST, &end, json!({})).await;
    assert_eq!(
        (status, &body["details"]["parameters"]),
        (400, &json!(["reason"]))
    );
    for bad in ["", "a\nb", &"a".repeat(501)] {
        let (status, body) = service.admin(POST, &end, json!({"reason": bad})).await;
        assert_eq!(
            (status, &body["details"]["fields"][0]["field"]),
            (422, &json!("reason")),
            "{body}"
        );
    }
    let ended = service
        .ok(POST, &end, json!({"reason": "wrong account"}))
        .await;
    assert_eq!(
        (&ended["is_expired"], &ended["end_reason"]),
        (&json!(true), &json!("wrong account"))
    );
    let at = text(&ended["ended_at"]);
    assert_eq!(text(&ended["expiration_date"]), at[..10]);
    let again = service
        .ok(POST, &end, json!({"reason": "another one"}))
        .await;
    assert_eq!(again, ended);
    let shown = is_over(&path).await;
    assert_eq!(shown, ended);
    assert_eq!(shown["credits_remaining"], 10);
    service.stop().await;
}

#[tokio::test]
async fn what_a_request_was_charged_or_granted_is_found_by_its_id() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (account, key_id, key) = service.customer().await;
    let contract = json!({"account_id": account, "credits": 10, "endpoints": "all"});
    let contract = service.ok(POST, "/admin/contracts", contract).await;
    let contract_id = text(&contract["contract_id"]);
    let request_id = Uuid::now_v7();
    let admit = json!({"call": "admit", "api_key": key, "endpoint": "person_enrich",
        "request_id": request_id, "ask": {"units": 3}, "idempotency": null});
    let Answer::Admitted { hold, .. } = &service.calls(&json!({"calls": [admit]})).await[&0] else {
        panic!("not admitted");
    };
    let path = format!("/admin/movements/{request_id}");
    let (status, body) = service.admin(GET, &path, Value::Null).await;
    assert_eq!(
        (status, &body["error"]),
        (404, &json!("not_found")),
        "{body}"
    );

    let settle = json!({"call": "settle", "hold": hold, "units": 2,
        "receipt": {"build": null, "ids": [], "total": null}});
    service.calls(&json!({"calls": [settle]})).await;
    let mut charge = service.ok(GET, &path, Value::Null).await;
    let at = charge["occurred_at"].take();
    assert!(at.is_string(), "{at}");
    let told = json!({"request_id": request_id, "kind": "charge", "account_id": account,
        "contract_id": contract_id, "endpoint": "person_enrich", "units": 2, "credits": -2,
        "balance_after": 8, "occurred_at": null, "actor": format!("api_key:{key_id}")});
    assert_eq!(charge, told);

    let grants = format!("{}/admin/contracts/{contract_id}/grants", service.admin);
    let grant = service.http.post(grants).bearer_auth(ADMIN_TOKEN);
    let grant = grant.json(&json!({"credits": 5})).send().await.unwrap();
    let request_id = grant.headers()["request-id"].to_str().unwrap();
    let path = format!("/admin/movements/{request_id}");
    let grant = service.ok(GET, &path, Value::Null).await;
    let told = ["kind", "credits", "balance_after", "endpoint"].map(|name| &grant[name]);
    assert_eq!(told, [&json!("grant"), &json!(5), &json!(13), &Value::Null]);
    assert!(text(&grant["actor"]).starts_with("operator:"));

    // A named grant is found by the id that follows from its name, which stands in the ledger.
    let grants = format!("{}/admin/contracts/{contract_id}/grants", service.admin);
    let grant = service.http.post(grants).bearer_auth(ADMIN_TOKEN);
    let grant = grant.header("idempotency-key", "order-4711");
    let grant = grant.json(&json!({"credits": 1})).send().await.unwrap();
    let request_id = grant.headers()["request-id"].to_str().unwrap();
    let path = format!("/admin/movements/{request_id}");
    let (status, _) = service.admin(GET, &path, Value::Null).await;
    assert_eq!(status, 404);
    let pool = sqlx::PgPool::connect(&service.database).await.unwrap();
    let stored: Uuid = sqlx::query_scalar(
        "SELECT request_id FROM event WHERE event_type = 'contract.credits_granted.v1' ORDER BY pos DESC LIMIT 1",
    )
    .fetch_one(&pool)
    .await
    .unwrap();
    let path = format!("/admin/movements/{stored}");
    let grant = service.ok(GET, &path, Value::Null).await;
    assert_eq!(grant["balance_after"], 14);

    let (status, _) = service
        .admin(GET, "/admin/movements/4711", Value::Null)
        .await;
    assert_eq!(status, 404);
    service.stop().await;
}

#[tokio::test]
async fn accounts_are_listed_page_by_page_each_once() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let mut opened = Vec::new();
    for _ in 0..6 {
        opened.push(service.customer().await.0);
    }
    // The second page ends with the last one, and says so.
    let (mut listed, mut path) = (Vec::new(), "/admin/accounts?limit=3".to_owned());
    for _ in 0..2 {
        let page = service.ok(GET, &path, Value::Null).await;
        let accounts = page["accounts"].as_array().unwrap();
        listed.extend(accounts.iter().map(|account| text(&account["account_id"])));
        let cursor = page["next_cursor"].as_str();
        assert_eq!(cursor.is_none(), listed.len() == opened.len());
        path = format!(
            "/admin/accounts?limit=3&cursor={}",
            cursor.unwrap_or_default()
        );
    }
    assert_eq!(listed, opened);
    let (rest, last) = opened[0].split_at(opened[0].len() - 1);
    let nobody = format!("cursor={rest}{}", if last == "0" { "1" } else { "0" });
    for bad in ["limit=0", "limit=1001", "cursor=x", "page=2", &nobody] {
        let path = format!("/admin/accounts?{bad}");
        let (status, _) = service.admin(GET, &path, Value::Null).await;
        assert!((400..500).contains(&status), "{bad}: {status}");
    }
    service.stop().await;
}

/// A parameter that is ignored would be an answer to another question.
#[tokio::test]
async fn an_act_of_operators_takes_no_parameters() {
    let service = Running::start(&Setup::without_kafka().await).await;
    for (method, path) in [
        (GET, "/admin/builds"),
        (GET, "/admin/status"),
        (POST, "/admin/accounts"),
        (POST, "/admin/republish"),
    ] {
        let path = format!("{path}?limit=1");
        let (status, refused) = service.admin(method, &path, json!({})).await;
        let details = &refused["details"];
        assert_eq!(
            (status, &refused["error"]),
            (400, &json!("bad_request")),
            "{path}"
        );
        assert_eq!(details["reason"], "unknown_parameter", "{path}");
        assert_eq!(details["parameters"], json!(["limit"]), "{path}");
    }
    service.stop().await;
}

#[tokio::test]
async fn an_account_that_was_never_opened_has_neither_keys_nor_contracts() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let open = json!({"name": "without anything"});
    let opened = service.ok(POST, "/admin/accounts", open).await;
    for what in ["contracts", "keys"] {
        let of = |account: &str| format!("/admin/{what}?account={account}");
        let of_opened = of(&text(&opened["account_id"]));
        let none = service.ok(GET, &of_opened, Value::Null).await;
        assert_eq!(none, json!({ what: [] }));
        let nobody = of(&AccountId::new([7; 16]).to_string());
        let (status, refused) = service.admin(GET, &nobody, Value::Null).await;
        assert_eq!(status, 404, "{refused}");
        assert_eq!(refused["details"]["subject_type"], "account");
    }
    service.stop().await;
}

#[tokio::test]
async fn bad_values_of_operators_are_refused_field_by_field() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (account, _, _) = service.customer().await;
    let contract = |more: Value| {
        let mut body = json!({"account_id": account, "credits": 1, "endpoints": "all"});
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        body
    };
    for (more, field) in [
        (json!({"credits": -1}), "credits"),
        (json!({"credits": 1_000_000_000_000_001_i64}), "credits"),
        (json!({"credits": 1.5}), "credits"),
        (json!({"endpoints": ["person_fly"]}), "endpoints"),
        (json!({"endpoints": []}), "endpoints"),
        (json!({"starts_on": "2026-02-30"}), "starts_on"),
        (
            json!({"starts_on": "2026-02-02", "expires_on": "2026-02-01"}),
            "expires_on",
        ),
        // Without a first day it is today.
        (json!({"expires_on": "2020-01-01"}), "expires_on"),
        (
            json!({"prices": {"person_enrich": -1}}),
            "prices.person_enrich",
        ),
        (
            json!({"prices": {"person_enrich": 1_000_000_001}}),
            "prices.person_enrich",
        ),
        (json!({"prices": {"person_fly": 1}}), "prices.person_fly"),
        (
            json!({"prices": {"report_person": 0}}),
            "prices.report_person",
        ),
        (json!({"account_id": "acme"}), "account_id"),
    ] {
        let (status, body) = service
            .admin(POST, "/admin/contracts", contract(more.clone()))
            .await;
        assert_eq!(
            (status, &body["error"]),
            (422, &json!("validation_error")),
            "{more}"
        );
        assert_eq!(body["details"]["fields"][0]["field"], field, "{more}");
    }
    for (path, body, status) in [
        ("/admin/contracts", contract(json!({"colour": 1})), 400),
        ("/admin/contracts", json!({"credits": 1}), 400),
        ("/admin/accounts", json!({"name": " "}), 422),
        ("/admin/accounts", json!({"name": "x".repeat(201)}), 422),
        (
            "/admin/keys",
            json!({"account_id": account, "endpoints": "all",
            "rate_limits": {"person_enrich": 0}}),
            422,
        ),
        ("/admin/builds", json!({"kind": "animal"}), 422),
        (
            "/admin/builds",
            json!({"kind": "person", "build": "../x"}),
            422,
        ),
        ("/admin/republish", json!({"shard": 64, "from": 1}), 422),
        ("/admin/republish", json!([]), 400),
    ] {
        let (answered, error) = service.admin(POST, path, body.clone()).await;
        assert_eq!(answered, status, "{path} {body}: {error}");
    }
    let key = json!({"account_id": account, "endpoints": "all",
        "rate_limits": {"person_enrich": 0, "person_search": 1_000_001, "company_enrich": 1}});
    let (_, error) = service.admin(POST, "/admin/keys", key).await;
    let faults = error["details"]["fields"].as_array().unwrap().iter();
    let faults: Vec<_> = faults
        .map(|fault| (text(&fault["field"]), fault["value"].clone()))
        .collect();
    assert_eq!(
        faults,
        [
            ("rate_limits.person_enrich".to_owned(), json!(0)),
            ("rate_limits.person_search".to_owned(), json!(1_000_001))
        ]
    );
    // What only the ledger can refuse is shown as it was sent, too.
    let full = contract(json!({"credits": 1_000_000_000_000_000_i64}));
    let full = service.ok(POST, "/admin/contracts", full).await;
    let grants = format!("/admin/contracts/{}/grants", text(&full["contract_id"]));
    let grant = service.admin(POST, &grants, json!({"credits": 7})).await;
    let build = json!({"kind": "person", "build": "b"});
    service.ok(POST, "/admin/builds", build).await;
    let chunk = service.put_chunk("b", 1_000_000, "{}\n").await;
    for ((status, body), value) in [(grant, 7), (chunk, 1_000_000)] {
        let given = &body["details"]["fields"][0]["value"];
        assert_eq!((status, given), (422, &json!(value)), "{body}");
    }
    service.stop().await;
}

#[tokio::test]
async fn what_does_not_exist_is_a_404() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (account, ..) = service.customer().await;
    let id = Uuid::new_v4();
    for (method, path) in [
        (GET, format!("/admin/contracts/{id}")),
        // What is of another kind, too.
        (GET, format!("/admin/contracts/{account}")),
        (GET, format!("/admin/reports/{account}")),
        (GET, "/admin/contracts/x".to_owned()),
        (POST, "/admin/keys/00aaaaaaaaaa/revoke".to_owned()),
        (GET, "/admin/builds/none".to_owned()),
        (POST, "/admin/builds/none/activate".to_owned()),
        (GET, format!("/admin/reports/{id}")),
        (POST, format!("/admin/reports/{id}/accept")),
    ] {
        let (status, body) = service.admin(method, &path, json!({})).await;
        assert_eq!(
            (status, &body["error"]),
            (404, &json!("not_found")),
            "{path}"
        );
    }
    let (status, body) = service
        .admin(GET, "/admin/reports?state=x", Value::Null)
        .await;
    assert_eq!(
        (status, &body["details"]["reason"]),
        (400, &json!("unknown_parameter"))
    );
    service.stop().await;
}

#[tokio::test]
async fn a_build_goes_from_its_chunks_to_its_activation() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let started = service
        .ok(
            POST,
            "/admin/builds",
            json!({"kind": "person", "build": "b1"}),
        )
        .await;
    assert_eq!(started["status"], "loading");
    let lines = "{\"full_name\":\"a\"}\n{\"full_name\":\"b\"}\n";
    assert_eq!(service.put_chunk("b1", 0, lines).await.0, 204);
    assert_eq!(service.put_chunk("b1", 0, lines).await.0, 204);
    let (status, differs) = service.put_chunk("b1", 0, "{\"full_name\":\"c\"}\n").await;
    assert_eq!(
        (status, &differs["details"]["reason"]),
        (409, &json!("chunk_differs"))
    );
    let object = format!("builds/b1/chunks/0-{}.ndjson", sha256(lines));
    let stored = std::fs::read_to_string(service.objects.join(object));
    assert_eq!(stored.unwrap(), lines);
    let (status, wrong) = service.put_chunk_as("b1", 1, lines, &sha256("other")).await;
    assert_eq!(
        (status, &wrong["details"]["fields"][0]["field"]),
        (422, &json!("Chunk-Sha256"))
    );

    let (status, early) = service
        .admin(POST, "/admin/builds/b1/seal", json!({"chunks": 2}))
        .await;
    assert_eq!(
        (status, &early["details"]["reason"]),
        (409, &json!("incomplete"))
    );
    let sealed = service
        .ok(POST, "/admin/builds/b1/seal", json!({"chunks": 1}))
        .await;
    assert_eq!(
        (&sealed["sealed"], &sealed["rows"]),
        (&json!(true), &json!(2))
    );
    let (status, early) = service
        .admin(POST, "/admin/builds/b1/activate", json!({}))
        .await;
    assert_eq!(
        (status, &early["details"]["reason"]),
        (409, &json!("not_loaded"))
    );

    let outcome = json!({"result": "loaded", "rows": 2, "rejected": 0, "rejects_object": null,
        "reference_date": "2026-11-01", "report": {}});
    for _ in 0..2 {
        let path = "/internal/builds/b1/outcome";
        assert_eq!(service.internal(POST, path, outcome.clone()).await.0, 204);
    }
    let heartbeat = json!({"instance": Uuid::new_v4(), "name": "query-1",
        "person_build": "b1", "company_build": null});
    assert_eq!(
        service
            .internal(POST, "/internal/heartbeat", heartbeat)
            .await
            .0,
        204
    );
    let active = service
        .ok(POST, "/admin/builds/b1/activate", json!({}))
        .await;
    assert_eq!(active, json!({"build": "b1", "waiting_for": []}));
    let (_, view) = service
        .internal(GET, "/internal/builds/b1", Value::Null)
        .await;
    assert_eq!(view["status"], "active");
    let (status, _) = service
        .admin(POST, "/admin/builds/b1/abandon", json!({}))
        .await;
    assert_eq!(status, 409);
    let builds = service.ok(GET, "/admin/builds", Value::Null).await;
    assert_eq!(builds["builds"][0]["build"], "b1");
    service.stop().await;
}

/// Query-services that follow the later one will never answer from the earlier.
#[tokio::test]
async fn an_activation_that_another_one_overtakes_says_so() {
    let service = Running::start(&Setup::without_kafka().await).await;
    for build in ["b1", "b2"] {
        let start = json!({"kind": "person", "build": build});
        service.ok(POST, "/admin/builds", start).await;
        let line = format!("{{\"full_name\":\"{build}\"}}\n");
        assert_eq!(service.put_chunk(build, 0, &line).await.0, 204);
        let seal = format!("/admin/builds/{build}/seal");
        service.ok(POST, &seal, json!({"chunks": 1})).await;
        let outcome = json!({"result": "loaded", "rows": 1, "rejected": 0, "rejects_object": null,
            "reference_date": "2026-11-01", "report": {}});
        let path = format!("/internal/builds/{build}/outcome");
        assert_eq!(service.internal(POST, &path, outcome).await.0, 204);
    }
    let heartbeat = json!({"instance": Uuid::new_v4(), "name": "query-1",
        "person_build": "b2", "company_build": null});
    // It lives until the end, however long that takes.
    let beats = async || -> std::convert::Infallible {
        loop {
            let beat = service.internal(POST, "/internal/heartbeat", heartbeat.clone());
            assert_eq!(beat.await.0, 204);
        }
    };
    let beat = service.internal(POST, "/internal/heartbeat", heartbeat.clone());
    assert_eq!(beat.await.0, 204);

    let overtaken = service.admin(POST, "/admin/builds/b1/activate", json!({}));
    let overtaking = async {
        let is_active = || async {
            let view = service.ok(GET, "/admin/builds/b1", Value::Null).await;
            view["status"] == "active"
        };
        until(is_active).await;
        service
            .ok(POST, "/admin/builds/b2/activate", json!({}))
            .await
    };
    let ((status, refused), active) = tokio::select! {
        both = async { tokio::join!(overtaken, overtaking) } => both,
        never = beats() => match never {},
    };
    assert_eq!(
        (status, &refused["details"]["reason"]),
        (409, &json!("overtaken")),
        "{refused}"
    );
    assert_eq!(active["build"], "b2");
    service.stop().await;
}

#[tokio::test]
async fn a_report_is_triaged_step_by_step() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let id = Uuid::new_v4();
    service.records.add("company", id, Value::Null);
    let body = json!({"service_id": id, "issue_type": "duplicate", "issue_level": "record", "comment": "x"});
    let headers = [("API-Key", key.as_str())];
    let filed = service
        .post("/utility/report/company", &headers, &body)
        .await;
    let path = format!("/admin/reports/{}", text(&filed.body["report_id"]));

    let shown = service.ok(GET, &path, Value::Null).await;
    assert_eq!(shown["report_id"], filed.body["report_id"]);
    assert_eq!(shown["details"]["comment"], "x");
    let reviewed = service.ok(POST, &format!("{path}/review"), json!({})).await;
    assert_eq!(reviewed["status"], "under_review");
    let reject = json!({"reason": "cannot be reproduced"});
    let rejected = service.ok(POST, &format!("{path}/reject"), reject).await;
    assert_eq!(rejected["history"][2]["reason"], "cannot be reproduced");
    let (status, late) = service
        .admin(POST, &format!("{path}/accept"), json!({}))
        .await;
    assert_eq!(
        (status, &late["details"]["reason"]),
        (409, &json!("out_of_order"))
    );

    let listed = service
        .ok(GET, "/admin/reports?status=rejected&limit=1", Value::Null)
        .await;
    assert_eq!(listed["reports"].as_array().unwrap().len(), 1);
    assert_eq!(listed["next_cursor"], Value::Null);
    let next = format!("/admin/reports?cursor={}", text(&rejected["report_id"]));
    assert_eq!(
        service.ok(GET, &next, Value::Null).await["reports"],
        json!([])
    );
    let none = service
        .ok(GET, "/admin/reports?status=received", Value::Null)
        .await;
    assert_eq!(none["reports"], json!([]));
    service.stop().await;
}

/// Reasons are in events, which stay when the values are erased.
#[tokio::test]
async fn a_reason_that_holds_what_was_reported_is_refused_and_not_said_again() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let path = file_report(&service, json!("Director of Nothing")).await;
    for (reason, of) in [
        ("It is not CHIEF  operating officer.", "correct_value"),
        ("she is director of nothing", "stored_value"),
        ("ask maya.okafor@example.com", "e-mail address"),
    ] {
        let body = json!({ "reason": reason });
        let (status, refused) = service.admin(POST, &format!("{path}/reject"), body).await;
        assert_eq!(
            (status, &refused["error"]),
            (422, &json!("validation_error"))
        );
        let told = refused.to_string();
        assert_eq!(refused["details"]["fields"][0]["field"], "reason");
        assert!(told.contains(of) && !told.contains(reason), "{told}");
    }
    let body = json!({"reason": "two people of one name"});
    service.ok(POST, &format!("{path}/reject"), body).await;
    service.stop().await;
}

#[tokio::test]
async fn a_report_is_corrected_by_a_build_that_was_loaded_after_it_and_is_there() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let path = file_report(&service, Value::Null).await;
    service.ok(POST, &format!("{path}/accept"), json!({})).await;
    // The one that the report is about.
    service.load_build("person", "b1-person").await;
    service.load_build("person", "abandoned").await;
    let abandon = "/admin/builds/abandoned/abandon";
    service.ok(POST, abandon, json!({})).await;
    service.seal_build("person", "loading").await;
    for build in ["failed", "dropped"] {
        service.seal_build("person", build).await;
        let failed =
            json!({"result": "failed", "reason": "x", "rejected": 1, "rejects_object": null});
        service.tell_outcome(build, failed).await;
    }
    let dropping = json!({"result": "dropping"});
    service.tell_outcome("dropped", dropping).await;
    for (build, reason) in [
        ("b1-person", "same_build"),
        ("abandoned", "not_loaded"),
        ("loading", "not_loaded"),
        ("failed", "not_loaded"),
        ("dropped", "dropped"),
    ] {
        let body = json!({ "build": build });
        let (status, refused) = service.admin(POST, &format!("{path}/correct"), body).await;
        let told = (status, &refused["details"]["reason"]);
        assert_eq!(told, (409, &json!(reason)), "{build}: {refused}");
    }
    service.load_build("person", "b2-person").await;
    let body = json!({"build": "b2-person"});
    let corrected = service.ok(POST, &format!("{path}/correct"), body).await;
    assert_eq!(corrected["status"], "corrected");
    service.stop().await;
}

/// The path of a report as [`Running::file_report`] files it.
async fn file_report(service: &Running, stored: Value) -> String {
    format!("/admin/reports/{}", service.file_report(stored).await)
}

#[tokio::test]
async fn an_act_without_parameters_takes_none() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let report = file_report(&service, Value::Null).await;
    for (method, path) in [
        (POST, format!("{report}/review")),
        (POST, format!("{report}/accept")),
        (Method::DELETE, format!("{report}/details")),
        (POST, "/admin/builds/b1/activate".to_owned()),
        (POST, "/admin/builds/b1/abandon".to_owned()),
        (POST, "/admin/keys/00aaaaaaaaaa/revoke".to_owned()),
    ] {
        let (status, refused) = service.admin(method, &path, json!({"x": 1})).await;
        let told = (status, &refused["details"]["reason"]);
        assert_eq!(
            told,
            (400, &json!("unknown_parameter")),
            "{path}: {refused}"
        );
    }
    let path = format!("{report}/review");
    let reviewed = service.ok(POST, &path, json!({})).await;
    assert_eq!(reviewed["status"], "under_review");
    service.stop().await;
}

#[tokio::test]
async fn reports_are_listed_in_the_order_in_which_they_came() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let headers = [("API-Key", key.as_str())];
    let id = Uuid::new_v4();
    service.records.add("company", id, Value::Null);
    let mut filed: Vec<String> = Vec::new();
    // Ids are drawn: until their order is not that of times.
    while filed.len() < 3 || filed.is_sorted() {
        let body = json!({"service_id": id, "issue_type": "duplicate", "issue_level": "record",
            "comment": filed.len().to_string()});
        let report = service
            .post("/utility/report/company", &headers, &body)
            .await;
        filed.push(text(&report.body["report_id"]).to_owned());
    }
    let first = format!("/admin/reports/{}/review", filed[0]);
    service.ok(POST, &first, json!({})).await;
    let received = filed.get(1..).unwrap_or_default();
    for (status, filed) in [("", &*filed), ("&status=received", received)] {
        let (mut listed, mut cursor) = (Vec::new(), String::new());
        for _ in filed {
            let path = format!("/admin/reports?limit=1{status}{cursor}");
            let page = service.ok(GET, &path, Value::Null).await;
            listed.push(text(&page["reports"][0]["report_id"]).to_owned());
            let next = page["next_cursor"].as_str();
            assert_eq!(next.is_none(), listed.len() == filed.len(), "{status}");
            cursor = format!("&cursor={}", next.unwrap_or_default());
        }
        assert_eq!(listed, filed, "{status}");
    }
    let nowhere = format!("/admin/reports?cursor={}", Uuid::new_v4());
    let (status, refused) = service.admin(GET, &nowhere, Value::Null).await;
    assert_eq!(
        (status, &refused["details"]["fields"][0]["field"]),
        (422, &json!("cursor"))
    );
    service.stop().await;
}

/// What is damaged hides nothing but itself: operators find the others, and are told of it by its id.
#[tokio::test]
async fn a_list_names_what_cannot_be_read_and_shows_all_else() {
    let setup = Setup::without_kafka().await;
    let service = Running::start(&setup).await;
    let (_, _, key) = service.customer().await;
    let company = Uuid::new_v4();
    service.records.add("company", company, Value::Null);
    let mut filed: Vec<String> = Vec::new();
    for number in 0..5 {
        let body = json!({"service_id": company, "issue_type": "duplicate", "issue_level": "record", "comment": number.to_string()});
        let path = "/utility/report/company";
        let report = service.post(path, &[("API-Key", &key)], &body).await;
        filed.push(text(&report.body["report_id"]));
    }
    for build in ["sound", "damaged", "lost"] {
        let start = json!({"kind": "person", "build": build});
        service.ok(POST, "/admin/builds", start).await;
    }
    service.stop().await;
    let pool = sqlx::PgPool::connect(&setup.database).await.unwrap();
    // A form that nobody knows, one that is no form at all, and nothing.
    for (damage, report, build) in [
        ("UPDATE event SET payload = '{}'", &filed[1], "damaged"),
        (
            "UPDATE event SET payload = (repeat('[', 200) || repeat(']', 200))::jsonb",
            &filed[3],
            "",
        ),
        ("DELETE FROM event", &filed[4], "lost"),
    ] {
        let damage = format!(
            "{damage} WHERE aggregate_id = $1::uuid OR event_type LIKE 'build.started.%' AND payload->>'build' = $2"
        );
        let damaged = sqlx::query(AssertSqlSafe(damage)).bind(report).bind(build);
        damaged.execute(&pool).await.unwrap();
    }
    // A name that is none, and an active build of such a name.
    for damage in [
        "INSERT INTO data_build (build, created_at) VALUES ('no name', now())",
        "INSERT INTO active_build (kind, build) VALUES ('company', 'a/b')",
    ] {
        sqlx::query(damage).execute(&pool).await.unwrap();
    }

    let service = Running::start(&setup).await;
    let (mut listed, mut unreadable, mut cursor) = (Vec::new(), Vec::new(), String::new());
    for _ in &filed {
        let path = format!("/admin/reports?limit=1{cursor}");
        let page = service.ok(GET, &path, Value::Null).await;
        let reports = page["reports"].as_array().unwrap().iter();
        listed.extend(reports.map(|report| text(&report["report_id"])));
        unreadable.extend(page["unreadable"].as_array().unwrap().iter().map(text));
        let next = page["next_cursor"].as_str();
        cursor = format!("&cursor={}", next.unwrap_or_default());
    }
    assert_eq!(listed, [filed[0].clone(), filed[2].clone()]);
    let damaged = [1, 3, 4].map(|place: usize| filed[place].clone());
    assert_eq!(unreadable, damaged);
    for (id, expected) in damaged.iter().zip([503, 503, 404]) {
        let path = format!("/admin/reports/{id}");
        let (status, told) = service.admin(GET, &path, Value::Null).await;
        assert_eq!(status, expected, "{told}");
    }
    // Of another kind, though what is stored of it cannot be read either: no place on this list.
    let damaged: BuildName = "damaged".parse().unwrap();
    let path = format!("/admin/reports?cursor={}", damaged.id());
    let (status, told) = service.admin(GET, &path, Value::Null).await;
    assert_eq!(status, 422, "{told}");
    let builds = service.ok(GET, "/admin/builds", Value::Null).await;
    assert_eq!(builds["builds"].as_array().unwrap().len(), 1, "{builds}");
    assert_eq!(builds["builds"][0]["build"], "sound");
    let unreadable = json!(["damaged", "lost", "no name", "a/b"]);
    assert_eq!(builds["unreadable"], unreadable);
    let sound = service.ok(GET, "/admin/builds/sound", Value::Null).await;
    assert_eq!(sound["build"], "sound");
    service.stop().await;
}

#[tokio::test]
async fn calls_are_answered_by_their_places_and_events_can_be_read_back() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let calls =
        json!({"calls": [{"call": "check", "api_key": key}, {"call": "check", "api_key": "x"}]});
    let answers = service.calls(&calls).await;
    assert_eq!(answers.len(), 2);
    assert!(matches!(answers[&0], Answer::Valid(_)), "{answers:?}");
    assert!(matches!(answers[&1], Answer::Refused { .. }), "{answers:?}");
    let many = json!({"calls": vec![json!({"call": "check", "api_key": "x"}); 257]});
    assert_eq!(service.internal(POST, "/internal/calls", many).await.0, 422);
    assert_eq!(
        service
            .internal(POST, "/internal/calls", json!({"calls": []}))
            .await
            .0,
        422
    );

    let status = service.ok(GET, "/admin/status", Value::Null).await;
    let shards = status["shards"].as_object().unwrap();
    let (shard, head) = shards.iter().find(|(_, head)| head["pos"] != 0).unwrap();
    assert_eq!((shards.len(), &head["pos"]), (64, &json!(2)));
    let events =
        format!("/internal/events?topic=accounts.v1&shard={shard}&after_topic_seq=1&limit=10");
    let (_, events) = service.internal(GET, &events, Value::Null).await;
    assert_eq!(events["events"].as_array().unwrap().len(), 1);
    assert_eq!(events["events"][0]["type"], "account.api_key_issued.v1");
    assert_eq!(events["events"][0]["actor"], "operator:ops");
    let bad = "/internal/events?topic=none.v1&shard=1";
    assert_eq!(service.internal(GET, bad, Value::Null).await.0, 422);
    service.stop().await;
}

#[tokio::test]
async fn two_instances_answer_for_all_shards_and_pass_on_what_the_other_owns() {
    let setup = Setup::without_kafka().await;
    let first = Running::start(&setup).await;
    let second = Running::start_rival(&setup).await;
    until_shared(&first, &second).await;
    for service in [&first, &second] {
        for _ in 0..8 {
            let (account, key_id, key) = service.customer().await;
            let id = Uuid::new_v4();
            for other in [&first, &second] {
                other.records.add("person", id, Value::Null);
                assert_eq!(other.credits(&key).await.status, 200);
                let body = json!({"service_id": id, "issue_type": "incorrect",
                    "issue_level": "record", "comment": "x"});
                let headers = [("API-Key", key.as_str())];
                let report = other.post("/utility/report/person", &headers, &body).await;
                assert_eq!(report.status, 200, "{}", report.body);
                let path = format!("/admin/reports/{}", text(&report.body["report_id"]));
                other.ok(GET, &path, Value::Null).await;
                let contracts = format!("/admin/contracts?account={account}");
                other.ok(GET, &contracts, Value::Null).await;
            }
            let revoke = format!("/admin/keys/{key_id}/revoke");
            first.ok(POST, &revoke, json!({})).await;
            assert_eq!(second.credits(&key).await.status, 401);
        }
    }
    first
        .ok(
            POST,
            "/admin/builds",
            json!({"kind": "person", "build": "b1"}),
        )
        .await;
    assert_eq!(second.put_chunk("b1", 0, "{}\n").await.0, 204);
    let actor = second
        .internal(GET, "/internal/events?topic=builds.v1&shard=0", Value::Null)
        .await;
    assert_eq!(actor.1["events"][1]["actor"], "operator:ops");
    second.stop().await;
    first.stop().await;
}

#[tokio::test]
async fn values_are_erased_and_events_sent_again_by_the_owner_of_their_shard() {
    let setup = Setup::with_kafka().await;
    let first = Running::start(&setup).await;
    // Whatever this one would send itself would get nowhere.
    let without_kafka = Setup {
        brokers: "127.0.0.1:1".to_owned(),
        database: setup.database.clone(),
        topic_prefix: setup.topic_prefix.clone(),
    };
    let second = Running::start_rival(&without_kafka).await;
    until_shared(&first, &second).await;
    let (_, _, key) = first.customer().await;
    let report = loop {
        let id = Uuid::new_v4();
        if first.store.owns(Shard::of_record(id)) {
            first.records.add("person", id, Value::Null);
            let body = json!({"service_id": id, "issue_type": "incorrect",
                "issue_level": "record", "comment": "somebody's"});
            let path = "/utility/report/person";
            let filed = first.post(path, &[("API-Key", key.as_str())], &body).await;
            break text(&filed.body["report_id"]);
        }
    };
    let shard = report.parse::<ReportId>().unwrap().shard();
    let topic = |name: &str| format!("{}{name}", setup.topic_prefix);
    read_until(topic("report-details.v1"), |read| !read.is_empty()).await;

    let accept = format!("/admin/reports/{report}/accept");
    second.ok(POST, &accept, json!({})).await;
    read_until(topic("report-status.v1"), |read| read.len() >= 2).await;
    let erase = format!("/admin/reports/{report}/details");
    assert_eq!(second.admin(DELETE, &erase, json!({})).await.0, 204);
    let mut store = PgConnection::connect(&setup.database).await.unwrap();
    let erased_by: String =
        sqlx::query_scalar("SELECT erased_by FROM report WHERE report_id = $1::uuid")
            .bind(&report)
            .fetch_one(&mut store)
            .await
            .unwrap();
    assert_eq!(erased_by, "operator:ops");
    until(|| async {
        let again = json!({"shard": shard, "from": 1});
        let sent = second.ok(POST, "/admin/republish", again).await;
        sent["sent"].as_i64().unwrap() >= 2
    })
    .await;
    let details = read_until(topic("report-details.v1"), |read| read.len() >= 3).await;
    assert!(details[0].value.is_some(), "{details:?}");
    assert!(details[1..].iter().all(|message| message.value.is_none()));
    let status = read_until(topic("report-status.v1"), |read| read.len() >= 4).await;
    let newest = |read: &Read| read.value.as_ref().unwrap()["status"] == "accepted";
    assert!(status[1..].iter().all(newest), "{status:?}");
    second.stop().await;
    first.stop().await;
}

/// Both own shards, together all of them, and each knows where the others are.
pub(crate) async fn until_shared(first: &Running, second: &Running) {
    let (one, two) = (&first.store, &second.store);
    until(|| async {
        let (ones, twos) = (one.owned_shards(), two.owned_shards());
        let routes = |store: &Store, others: &[Shard], address: &str| {
            let owner = |shard: &Shard| store.owner_of(*shard);
            others
                .iter()
                .all(|shard| owner(shard).as_deref() == Some(address))
        };
        !twos.is_empty()
            && ones.len() + twos.len() == 64
            && ones.len() == 32
            && routes(one, &twos, &second.internal)
            && routes(two, &ones, &first.internal)
    })
    .await;
}

#[tokio::test]
async fn a_call_whose_batch_waits_holds_up_no_other_call_of_its_request() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (account, _, key) = service.customer().await;
    let contract = json!({"account_id": account, "credits": 10, "endpoints": "all"});
    service.ok(POST, "/admin/contracts", contract).await;
    let admit = json!({"call": "admit", "api_key": key, "endpoint": "person_enrich",
        "request_id": Uuid::new_v4(), "ask": {"units": 1}, "idempotency": null});
    let calls = json!({"calls": [admit]});
    let Answer::Admitted { hold, .. } = &service.calls(&calls).await[&0] else {
        panic!("not admitted");
    };

    let pool = sqlx::PgPool::connect(&service.database).await.unwrap();
    let mut heads = pool.begin().await.unwrap();
    sqlx::query("SELECT pos FROM shard_head FOR UPDATE")
        .execute(&mut *heads)
        .await
        .unwrap();
    let settle = json!({"call": "settle", "hold": hold, "units": 1,
        "receipt": {"build": null, "ids": [], "total": null}});
    let request = service
        .http
        .post(format!("{}/internal/calls", service.internal))
        .bearer_auth(crate::service::QUERY_SERVICE_TOKEN)
        .json(&json!({"calls": [settle, {"call": "check", "api_key": key}]}));
    let mut response = request.send().await.unwrap();
    let line: Answered = serde_json::from_slice(&response.chunk().await.unwrap().unwrap()).unwrap();
    assert!(
        matches!(&line.answers[..], [(1, Answer::Valid(_))]),
        "{line:?}"
    );
    heads.rollback().await.unwrap();
    let line: Answered = serde_json::from_slice(&response.chunk().await.unwrap().unwrap()).unwrap();
    assert!(
        matches!(&line.answers[..], [(0, Answer::Settled { .. })]),
        "{line:?}"
    );
    assert!(response.chunk().await.unwrap().is_none());
    service.stop().await;
}
