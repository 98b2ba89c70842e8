//! What a request lets itself cost, what it would cost, and the build that it names.

use events_schema::record::RecordKind;
use serde_json::{Value, json};

use crate::fixture;
use crate::ledger::GOOD_KEY;
use crate::search::{ALL, crowd, load};
use crate::stack::{Answered, Stack, build_name};

const ENRICH: &str = "/person/enrich";
const BULK: &str = "/person/enrich/bulk";
const SEARCH: &str = "/person/search";
const DISCOVER: &str = "/person/discover";

async fn ask(stack: &Stack, path: &str, body: Value) -> Answered {
    stack.post(path, GOOD_KEY, body).await
}

fn someone() -> Value {
    json!({"service_id": fixture::crowd(1)[0].id})
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

/// Requests that may cost so many credits, at one credit a unit.
fn requests() -> [(&'static str, Value, i64); 5] {
    let several =
        json!({"service_id": someone()["service_id"], "multiple_results": true, "limit": 5});
    [
        (ENRICH, someone(), 1),
        (ENRICH, several, 5),
        (
            BULK,
            json!({"items": [someone(), someone(), {"email": "bad"}]}),
            2,
        ),
        (SEARCH, json!({"query": ALL, "limit": 7}), 7),
        (DISCOVER, json!({"query": "directors", "limit": 4}), 4),
    ]
}

#[tokio::test]
async fn a_request_that_may_cost_more_than_it_lets_itself_is_refused_and_costs_nothing() {
    let stack = crowd(30, 1_000).await;
    for (path, body, worst) in requests() {
        let before = stack.ledger.balance();
        let refused = ask(
            &stack,
            path,
            with(body.clone(), "max_credits", json!(worst - 1)),
        )
        .await;
        assert_eq!(refused.status, 422, "{path} {body}: {}", refused.text);
        let smaller = if worst > 1 {
            "; a smaller limit or fewer items cost less"
        } else {
            ""
        };
        let error = format!("the request may cost up to {worst} credits{smaller}");
        let field = json!({
            "field": "max_credits", "value": worst - 1, "suggestion": worst.to_string(),
            "error": error,
        });
        assert_eq!(
            refused.body()["details"]["fields"],
            json!([field]),
            "{path}"
        );
        assert_eq!(refused.header("credits-used"), Some("0"));
        assert_eq!((stack.ledger.balance(), stack.ledger.holds()), (before, 0));

        let answered = ask(&stack, path, with(body, "max_credits", json!(worst))).await;
        assert_eq!(answered.status, 200, "{path}: {}", answered.text);
        let used: i64 = answered.header("credits-used").unwrap().parse().unwrap();
        assert!((1..=worst).contains(&used), "{path}: {used}");
    }
    for wrong in [json!(-1), json!("3"), json!(1.5)] {
        let refused = ask(&stack, ENRICH, with(someone(), "max_credits", wrong)).await;
        assert_eq!(
            refused.body()["details"]["fields"][0]["field"],
            "max_credits"
        );
    }
    stack.stop().await;
}

#[tokio::test]
async fn a_dry_run_of_enrich_says_how_many_there_are_and_what_they_would_cost() {
    // Without a credit left, too.
    let stack = crowd(3, 0).await;
    let dry = |body: Value| with(body, "dry_run", json!(true));
    for (body, text) in [
        (
            someone(),
            r#"{"matches":[],"total":1,"credits_required":1}"#,
        ),
        (
            json!({"service_id": someone()["service_id"], "multiple_results": true, "limit": 5, "max_credits": 0}),
            r#"{"matches":[],"total":1,"credits_required":5}"#,
        ),
    ] {
        let answered = ask(&stack, ENRICH, dry(body)).await;
        assert_eq!(
            (answered.status.as_u16(), answered.text.as_str()),
            (200, text)
        );
        assert_eq!(answered.header("credits-used"), Some("0"));
        assert_eq!(answered.header("data-build"), Some("2026.10.1-person"));
    }
    let none = ask(
        &stack,
        ENRICH,
        dry(json!({"email": "nobody@nowhere.example"})),
    )
    .await;
    assert_eq!(none.status, 404);
    assert_eq!(stack.ledger.holds(), 0);
    assert_eq!(stack.ledger.calls(), ["admit", "release"].repeat(3));
    stack.stop().await;
}

#[tokio::test]
async fn enrich_answers_from_the_build_that_it_is_told() {
    let stack = crowd(3, 100).await;
    load(&stack, 2, 5).await;
    let build = |number| json!(build_name(RecordKind::Person, number));
    for (path, body) in [(ENRICH, someone()), (BULK, json!({"items": [someone()]}))] {
        for (named, answers) in [(Value::Null, 2), (build(1), 1), (build(2), 2)] {
            let answered = ask(&stack, path, with(body.clone(), "data_build", named)).await;
            assert_eq!(answered.status, 200, "{path}: {}", answered.text);
            assert_eq!(answered.header("data-build"), build(answers).as_str());
        }
        let gone = with(body, "data_build", build(9));
        for balance in [0, 100] {
            stack.ledger.set_balance(balance);
            let refused = ask(&stack, path, gone.clone()).await;
            assert_eq!(refused.status, 422, "{path}: {}", refused.text);
            let fault = &refused.body()["details"]["fields"][0];
            assert_eq!(
                (&fault["field"], &fault["suggestion"]),
                (&json!("data_build"), &build(2))
            );
        }
    }
    let item = with(someone(), "data_build", build(1));
    let answered = ask(&stack, BULK, json!({"items": [item, someone()]}))
        .await
        .body();
    let fault = &answered["results"][0]["error"]["details"]["fields"][0];
    assert_eq!(fault["error"], "is an option of the whole, beside items");
    assert_eq!(answered["results"][1]["total"], 1);
    let dry = with(json!({"items": [someone()]}), "dry_run", json!(true));
    assert_eq!(
        ask(&stack, BULK, dry).await.body()["details"]["reason"],
        "unknown_parameter"
    );
    stack.stop().await;
}
