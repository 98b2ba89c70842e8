//! One request of each kind travels the whole way.

use events_schema::topics::Topic;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::records::{companies, email, person, persons, phone};
use tests::{Answer, Stack};

fn sha256_hex(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// The headers that every charged answer has (`docs/API.md`, "Response headers").
fn assert_headers(answer: &Answer, contract: &str, remaining: i64) {
    for name in [
        "Request-ID",
        "Process-Time",
        "RateLimit-Policy",
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "RateLimit-Reset",
    ] {
        assert!(
            answer.header(name).is_some(),
            "no {name} in {:?}",
            answer.headers
        );
    }
    assert_eq!(answer.header("Contract-ID"), Some(contract));
    assert_eq!(answer.number("Credits-Used"), Some(1));
    assert_eq!(answer.number("Credits-Remaining"), Some(remaining));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_identifier_finds_the_same_person_and_costs_one_credit() {
    let mut stack = Stack::start().await.unwrap();
    let build = stack.ingest("person", &persons(50)).await.unwrap();
    assert_eq!(
        (build["rows"].as_u64(), build["active"].as_bool()),
        (Some(50), Some(true))
    );
    let customer = stack.customer(100).await.unwrap();

    let identifiers = [
        json!({ "email": email(7) }),
        json!({ "email": "Person7+news@People.example" }),
        json!({ "email_hash": sha256_hex(&email(7)) }),
        json!({ "phone": phone(7) }),
        json!({ "social_url": "https://www.linkedin.com/in/person-7-example/" }),
        json!({ "full_name": person(7)["full_name"], "company": "Northwind Tools" }),
    ];
    let mut found = Vec::new();
    for (identifier, remaining) in identifiers.iter().zip((0..100).rev()) {
        let answer = customer.post("/person/enrich", identifier).await.unwrap();
        assert_eq!(answer.status, 200, "{identifier}: {}", answer.body);
        assert_headers(&answer, &customer.contract_id, remaining);
        assert_eq!(answer.at("/total"), 1, "{identifier}: {}", answer.body);
        found.push(answer.at("/matches/0/person/service_id").clone());
    }
    assert!(found[0].is_string());
    assert!(found.iter().all(|id| *id == found[0]), "{found:?}");

    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!((sums.granted, sums.charged, sums.charges), (100, 6, 6));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_miss_and_a_malformed_request_cost_nothing() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("company", &companies(20)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();

    let miss = customer
        .post("/company/enrich", &json!({ "domain": "nobody.example" }))
        .await
        .unwrap();
    assert_eq!((miss.status, miss.error()), (404, "not_found"));
    assert_eq!(miss.number("Credits-Used"), Some(0));
    assert_eq!(miss.number("Credits-Remaining"), Some(10));

    let unknown = customer
        .post("/company/enrich", &json!({ "domian": "company1.example" }))
        .await
        .unwrap();
    assert_eq!((unknown.status, unknown.error()), (400, "bad_request"));
    assert_eq!(unknown.at("/details/reason"), "unknown_parameter");

    let hit = customer
        .post(
            "/company/enrich",
            &json!({ "domain": "https://www.company1.example/x" }),
        )
        .await
        .unwrap();
    assert_eq!(hit.status, 200, "{}", hit.body);
    assert_eq!(hit.at("/matches/0/company/domain"), "company1.example");
    assert_eq!(hit.number("Credits-Remaining"), Some(9));
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!(sums.charges, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_reads_every_charge_in_the_ledger_right_after_it_and_what_became_of_a_report() {
    let stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(5)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();
    for remaining in (5..10).rev() {
        let answer = customer.enrich(&email(3)).await.unwrap();
        assert_eq!(answer.number("Credits-Remaining"), Some(remaining));
        let ledger = customer.get("/credits/ledger?limit=1").await.unwrap();
        assert_eq!(
            (ledger.status, ledger.at("/is_current")),
            (200, &json!(true)),
            "{}",
            ledger.body
        );
        let entry = ledger.at("/entries/0");
        let told = answer.header("Request-ID").unwrap();
        assert_eq!(
            (
                &entry["request_id"],
                &entry["credits"],
                &entry["balance_after"]
            ),
            (&json!(told), &json!(-1), &json!(remaining))
        );
    }
    let ledger = customer.get("/credits/ledger").await.unwrap();
    let entries = ledger.at("/entries").as_array().unwrap();
    let sum: i64 = entries
        .iter()
        .filter_map(|entry| entry["credits"].as_i64())
        .sum();
    assert_eq!((entries.len(), sum), (6, 5), "{}", ledger.body);
    assert_eq!(
        customer.credits().await.unwrap().at("/credits_remaining"),
        5
    );

    let found = customer.enrich(&email(3)).await.unwrap();
    let service_id = found.at("/matches/0/person/service_id");
    let body = json!({"service_id": service_id, "issue_type": "duplicate", "issue_level": "record", "comment": "twice"});
    let filed = customer
        .post("/utility/report/person", &body)
        .await
        .unwrap();
    let path = format!(
        "/utility/report/{}",
        filed.at("/report_id").as_str().unwrap()
    );
    let shown = customer.get(&path).await.unwrap();
    assert_eq!(
        (shown.status, shown.at("/history/0/status")),
        (200, &json!("received")),
        "{}",
        shown.body
    );
    let others = stack.customer(10).await.unwrap();
    assert_eq!(others.get(&path).await.unwrap().status, 404);
    assert_eq!(
        others
            .get("/credits/ledger")
            .await
            .unwrap()
            .at("/entries/0/kind"),
        "grant"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_reaches_the_topic_once_and_without_its_values() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(5)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();
    let match_ = customer.enrich(&email(3)).await.unwrap();
    let service_id = match_.at("/matches/0/person/service_id").clone();

    let body = json!({
        "service_id": service_id, "issue_type": "outdated", "issue_level": "field", "field": "job_title",
        "observed_value": "head of testing", "correct_value": "chief tester", "comment": "promoted in august",
    });
    let report = customer
        .post("/utility/report/person", &body)
        .await
        .unwrap();
    assert_eq!(report.status, 200, "{}", report.body);
    assert_eq!(report.at("/status"), "received");
    assert_eq!(report.at("/subject_type"), "person");
    assert_eq!(report.at("/service_id"), &service_id);

    stack.until_projected().await.unwrap();
    let published = stack.topic(Topic::Reports).await.unwrap();
    let own: Vec<_> = published
        .iter()
        .filter(|event| event.payload["report_id"] == *report.at("/report_id"))
        .collect();
    assert_eq!(own.len(), 1);
    assert_eq!(own[0].event_type, "report.person.received.v1");
    let text = own[0].payload.to_string();
    for value in ["chief tester", "promoted", "head of testing"] {
        assert!(!text.contains(value), "{text}");
    }

    let unknown = json!({ "service_id": "00000000-0000-4000-8000-000000000000", "issue_type": "outdated",
        "issue_level": "record", "comment": "nobody" });
    let refused = customer
        .post("/utility/report/person", &unknown)
        .await
        .unwrap();
    assert_eq!((refused.status, refused.error()), (404, "not_found"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_call_costs_what_the_rest_call_costs() {
    let stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(5)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();

    let list = customer
        .mcp(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))
        .await
        .unwrap();
    assert_eq!(
        list.at("/result/tools").as_array().map(Vec::len),
        Some(9),
        "{}",
        list.body
    );

    let arguments = json!({ "email": email(2), "include_fields": "full_name" });
    let call = customer
        .call_tool("person_enrich", &arguments)
        .await
        .unwrap();
    assert_eq!(call.status, 200, "{}", call.body);
    assert_eq!(
        call.at("/result/isError"),
        &Value::Bool(false),
        "{}",
        call.body
    );
    assert_eq!(call.at("/result/structuredContent/total"), 1);
    assert_eq!(call.at("/result/_meta/credits_used"), 1);
    assert_eq!(call.at("/result/_meta/credits_remaining"), 9);

    let credits = customer.credits().await.unwrap();
    assert_eq!(credits.status, 200, "{}", credits.body);
    assert_eq!(credits.at("/credits_remaining"), 9);
    assert_eq!(credits.at("/credits_used"), 1);
    assert_eq!(credits.at("/contract_id"), customer.contract_id.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loaded_build_is_searched_by_rest_and_by_tool_and_an_empty_page_is_replayed() {
    let stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(25)).await.unwrap();
    let customer = stack.customer(100).await.unwrap();

    let query = "SELECT * FROM person WHERE emails.address IS NOT NULL ORDER BY full_name";
    let page = json!({ "query": query, "limit": 10, "include_fields": "full_name" });
    let first = customer.post("/person/search", &page).await.unwrap();
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(first.number("Credits-Used"), Some(10));
    assert_eq!(first.number("Credits-Remaining"), Some(90));
    assert_eq!(first.at("/total"), 25);
    let mut arguments = page.clone();
    arguments["cursor"] = first.at("/next_cursor").clone();
    let second = customer
        .call_tool("person_search", &arguments)
        .await
        .unwrap();
    let found = "/result/structuredContent/matches";
    assert_eq!(
        second.at(found).as_array().map(Vec::len),
        Some(10),
        "{}",
        second.body
    );
    assert_ne!(second.at(found), first.at("/matches"));
    assert_eq!(second.at("/result/_meta/credits_remaining"), 80);
    assert_eq!(second.at("/result/_meta/total_count_status"), "exact");

    let typed = json!({ "field": "last_name", "text": "tset" });
    let completed = customer.post("/autocomplete", &typed).await.unwrap();
    assert_eq!(completed.status, 200, "{}", completed.body);
    let expected = json!([{ "value": "tester", "count": 25 }]);
    assert_eq!(completed.at("/results"), &expected);
    assert_eq!(completed.number("Credits-Used"), Some(0));

    let nobody = json!({ "query": "SELECT * FROM person WHERE full_name = 'nobody at all'" });
    for replayed in [None, Some("true")] {
        let empty = customer
            .post_once("/person/search", &nobody, "empty")
            .await
            .unwrap();
        assert_eq!(empty.status, 200, "{}", empty.body);
        assert_eq!(
            (empty.at("/total"), empty.number("Credits-Used")),
            (&json!(0), Some(0))
        );
        assert_eq!(empty.header("Idempotency-Replayed"), replayed);
    }
    assert_eq!(
        customer.credits().await.unwrap().at("/credits_remaining"),
        80
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_was_cleaned_or_hashed_finds_what_was_loaded() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(5)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();

    let given = json!({ "fields": { "email": "Person3+news@People.EXAMPLE", "phone": phone(3) } });
    let cleaned = customer.post("/utility/clean", &given).await.unwrap();
    assert_eq!(cleaned.status, 200, "{}", cleaned.body);
    assert_headers(&cleaned, &customer.contract_id, 9);
    let hashed = customer
        .call_tool(
            "utility_hash_email",
            &json!({ "email": "Person3+news@People.EXAMPLE" }),
        )
        .await
        .unwrap();
    assert_eq!(hashed.at("/result/_meta/credits_remaining"), 8);
    let hashes = hashed.at("/result/structuredContent/hashes");

    let identifiers = [
        json!({ "email": cleaned.at("/results/email/cleaned") }),
        json!({ "phone": cleaned.at("/results/phone/cleaned") }),
        json!({ "email_hash": hashes["md5"] }),
    ];
    for identifier in identifiers {
        let answer = customer.post("/person/enrich", &identifier).await.unwrap();
        assert_eq!(answer.status, 200, "{identifier}: {}", answer.body);
        assert_eq!(
            answer.at("/matches/0/person/emails/0/address"),
            email(3).as_str()
        );
    }
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!((sums.charged, sums.charges), (5, 5));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_personal_data_reaches_a_log() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(5)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();
    customer.enrich(&email(1)).await.unwrap();
    customer
        .enrich("somebody.else@people.example")
        .await
        .unwrap();
    customer
        .call_tool("person_enrich", &json!({ "phone": phone(1) }))
        .await
        .unwrap();
    stack.until_projected().await.unwrap();
    for part in [
        tests::Part::CommandService,
        tests::Part::Projector,
        tests::Part::QueryService,
        tests::Part::McpServer,
    ] {
        let log = stack.process(part).log();
        for secret in [
            email(1).as_str(),
            "somebody.else",
            &phone(1)[1..],
            customer.api_key.as_str(),
        ] {
            assert!(!log.contains(secret), "{part:?} logs {secret}");
        }
    }
}
