//! Discover with a language model: what it adds, and that nothing it does takes the local answer away.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::header::AUTHORIZATION;
use query_service::discover::model::ModelConfig;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::ledger::GOOD_KEY;
use crate::model_stub::{ModelStub, Reply, config};
use crate::search::{found, load};
use crate::stack::{Answered, Stack, post};

const PATH: &str = "/person/discover";
/// Read but for one word.
const WORDS: &str = "people in Chicago, honchos";
const LOCAL: &str = "SELECT * FROM person WHERE city = 'chicago'";
const MODEL: &str = "SELECT * FROM person WHERE city = 'chicago' AND seniority_level = 'director'";
/// Nothing of it is read.
const OPEN: &str = "honchos";

fn equals(column: &str, value: &str, phrase: &str) -> Value {
    json!({"condition": {"column": column, "operator": "equals", "values": [value], "phrase": phrase}})
}

fn tree(parts: &[Value]) -> String {
    json!({"tree": {"all": parts}}).to_string()
}

/// What was read of [`WORDS`], and one condition more.
fn with(part: Value) -> String {
    tree(&[equals("city", "chicago", "Chicago"), part])
}

fn good() -> String {
    with(equals("seniority_level", "director", "honchos"))
}

/// A stack with sixty persons that asks a model.
async fn asking(config: ModelConfig) -> Stack {
    let stack = Stack::start_asking(1_000, config).await;
    load(&stack, 1, 60).await;
    stack
}

async fn ask(stack: &Stack, body: Value) -> Answered {
    stack.post(PATH, GOOD_KEY, body).await
}

/// The answer to words, which is charged by the record whoever read them.
async fn answer(stack: &Stack, words: &str) -> Value {
    let before = stack.ledger.balance();
    let body = json!({"query": words, "limit": 3, "include_fields": "full_name"});
    let answered = ask(stack, body).await;
    assert_eq!(answered.status, 200, "{}", answered.text);
    assert_eq!(before - stack.ledger.balance(), 3);
    assert_eq!(stack.ledger.holds(), 0);
    answered.body()
}

/// Asserts that words are answered, or refused for nothing, as without a model.
async fn is_local(stack: &Stack, words: &str) {
    let body = answer(stack, words).await;
    assert_eq!(body["generated_query"], LOCAL, "{words}");
    assert_eq!(body["interpretation"]["source"], "local");
    let unsupported = &body["interpretation"]["unsupported"][0];
    assert_eq!(unsupported["reason"], "unknown_term");
}

async fn is_refused(stack: &Stack, words: &str) {
    let before = stack.ledger.balance();
    let answered = ask(stack, json!({"query": words, "limit": 3})).await;
    assert_eq!(answered.status, 422, "{}", answered.text);
    assert_eq!(answered.header("credits-used"), Some("0"));
    assert_eq!((before, stack.ledger.holds()), (stack.ledger.balance(), 0));
    let details = answered.body()["details"].clone();
    assert_eq!(
        details["fields"][0]["error"],
        "no searchable condition recognised"
    );
}

#[tokio::test]
async fn what_a_model_adds_is_answered_and_told_and_found_again_by_search() {
    let stub = ModelStub::start(Reply::Text(good())).await;
    let stack = asking(stub.config.clone()).await;
    let body = answer(&stack, WORDS).await;
    assert_eq!(body["generated_query"], MODEL);
    let said = &body["interpretation"];
    assert_eq!(said["source"], "model");
    assert_eq!(
        said["applied"],
        json!([
            {"phrase": "Chicago", "span": [10, 17], "clause": "city = 'chicago'"},
            {"phrase": "honchos", "span": [19, 26], "clause": "seniority_level = 'director'"},
        ])
    );
    assert_eq!(
        said["unsupported"],
        json!([{"phrase": "honchos", "span": [19, 26], "reason": "unknown_term"}])
    );
    let search = json!({"query": MODEL, "limit": 3, "include_fields": "full_name"});
    let searched = found(&stack, search).await;
    assert_eq!(searched["matches"], body["matches"]);
    assert_eq!(searched["total"], body["total"]);
    stack.stop().await;
}

#[tokio::test]
async fn a_model_is_told_the_rules_the_schema_and_the_words_as_data_and_the_key() {
    let stub = ModelStub::start(Reply::Text(good())).await;
    let stack = asking(stub.config.clone()).await;
    answer(&stack, WORDS).await;
    let calls = stub.calls();
    let [(headers, body)] = calls.as_slice() else {
        panic!("one call, not {}", calls.len())
    };
    assert_eq!(headers[AUTHORIZATION], "Bearer sesame");
    assert_eq!(body["model"], "small");
    assert_eq!(body["temperature"], 0);
    assert!(body["max_tokens"].as_u64().unwrap() <= 1_024);
    assert_eq!(body["response_format"]["type"], "json_schema");
    assert_eq!(body["response_format"]["json_schema"]["strict"], true);
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<&Value> = messages.iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["system", "user"]);
    assert!(!messages[0]["content"].as_str().unwrap().contains("honchos"));
    let asked: Value = serde_json::from_str(messages[1]["content"].as_str().unwrap()).unwrap();
    assert_eq!(asked["description"], WORDS);
    assert_eq!(asked["already_read"], equals("city", "chicago", "Chicago"));
    assert_eq!(
        asked["open_words"],
        json!([{"words": "honchos", "left_out": false}])
    );
    stack.stop().await;
}

#[tokio::test]
async fn words_of_which_nothing_is_read_may_be_read_by_the_model() {
    let stub = ModelStub::start(Reply::Text(tree(&[equals(
        "seniority_level",
        "director",
        OPEN,
    )])))
    .await;
    let stack = asking(stub.config.clone()).await;
    let body = answer(&stack, OPEN).await;
    assert_eq!(
        body["generated_query"],
        "SELECT * FROM person WHERE seniority_level = 'director'"
    );
    assert_eq!(body["interpretation"]["source"], "model");
    assert_eq!(body["interpretation"]["unsupported"][0]["phrase"], OPEN);
    stack.stop().await;
}

#[tokio::test]
async fn a_model_is_asked_only_for_words_that_nothing_knows() {
    let stub = ModelStub::start(Reply::Text(good())).await;
    let stack = asking(stub.config.clone()).await;
    for words in [
        "directors in Chicago",
        "directors in Chicago who speak Spanish",
        "female directors in Chicago",
        "top 10 directors in Chicago",
    ] {
        let body = answer(&stack, words).await;
        assert_eq!(body["generated_query"], MODEL, "{words}");
        assert_eq!(body["interpretation"]["source"], "local");
    }
    // Of the other kind, too strict, or no description: refused as without a model.
    for (path, body) in [
        (
            "/company/discover",
            json!({"query": "CTOs with 5 years of experience", "limit": 1}),
        ),
        (PATH, json!({"query": WORDS, "limit": 1, "strict": true})),
        (PATH, json!({"query": OPEN, "limit": 1, "strict": true})),
        (PATH, json!({"query": "hi", "limit": 1})),
        (PATH, json!({"query": WORDS, "limit": 101})),
    ] {
        let answered = stack.post(path, GOOD_KEY, body).await;
        assert_eq!(answered.status, 422, "{}", answered.text);
        assert_eq!(answered.header("credits-used"), Some("0"));
    }
    // Who may not ask does not make the model work.
    let unknown = stack.post(PATH, "rk_live_other", json!({"query": WORDS, "limit": 1}));
    assert_eq!(unknown.await.status, 401);
    assert_eq!(stub.asked(), 0);
    stack.stop().await;
}

#[tokio::test]
async fn without_a_build_no_model_is_asked() {
    let stub = ModelStub::start(Reply::Text(good())).await;
    let stack = Stack::start_asking(1_000, stub.config.clone()).await;
    stack.follow().await;
    let body = json!({"query": "directors, honchos", "limit": 1});
    let answered = ask(&stack, body).await;
    assert_eq!(answered.status, 200, "{}", answered.text);
    assert_eq!(answered.body()["interpretation"]["source"], "local");
    assert_eq!(stub.asked(), 0);
    stack.stop().await;
}

#[tokio::test]
async fn hostile_answers_leave_the_local_result() {
    let hostile = [
        with(equals("seniority_level", "' OR 1=1 --", "honchos")),
        with(equals("city", "chicago'; DROP TABLE person; --", "honchos")),
        with(equals("birth_date", "1960", "honchos")),
        with(equals("sex' = 'male' OR sex", "female", "honchos")),
        with(equals("seniority_level", "director", "Chicago")),
        with(equals("seniority_level", "director", "people in Chicago, honchos")),
        with(equals("company_name", "nowhere inc", "honchos")),
        with(json!({"not": equals("seniority_level", "director", "honchos")})),
        tree(&[equals("seniority_level", "director", "honchos")]),
        json!({"tree": {"any": [equals("city", "chicago", "Chicago"), equals("seniority_level", "director", "honchos")]}}).to_string(),
        json!({"tree": {"all": []}}).to_string(),
        json!({"query": "SELECT * FROM person"}).to_string(),
        "SELECT * FROM person; DROP TABLE person;".to_owned(),
        "I cannot help with that. <script>alert(1)</script> \u{0}\u{1b}[2J".to_owned(),
        format!("```json\n{}\n```", good()),
        format!("{{\"tree\": {}", "{\"not\":".repeat(5_000)),
        String::new(),
    ];
    let stub = ModelStub::start(Reply::Text(String::new())).await;
    let stack = asking(stub.config.clone()).await;
    for (at, text) in hostile.iter().enumerate() {
        stub.reply(Reply::Text(text.clone()));
        // Sentences of their own, so that each is asked.
        is_local(&stack, &format!("{WORDS}{}", ".".repeat(at))).await;
        assert_eq!(stub.asked(), at + 1);
    }
    stub.reply(Reply::Text(with(equals(
        "seniority_level",
        "director",
        OPEN,
    ))));
    is_refused(&stack, OPEN).await;
    // None of these was a failure: the model is still asked, and believed where it may be.
    stub.reply(Reply::Text(good()));
    let body = answer(&stack, &format!("{WORDS} ")).await;
    assert_eq!(body["generated_query"], MODEL);
    stack.stop().await;
}

#[tokio::test]
async fn a_server_that_fails_leaves_the_local_result() {
    for reply in [
        Reply::Status(500, good()),
        Reply::Status(429, good()),
        Reply::Status(401, good()),
        Reply::Status(204, good()),
        Reply::Redirect(good()),
        Reply::Body("<html>".to_owned()),
        Reply::Body(json!({"choices": []}).to_string()),
        Reply::Body(json!({"choices": [{"message": {"content": null}}]}).to_string()),
        Reply::Body(good()),
        Reply::Endless,
    ] {
        let stub = ModelStub::start(reply).await;
        let stack = asking(stub.config.clone()).await;
        is_local(&stack, WORDS).await;
        is_refused(&stack, OPEN).await;
        assert_eq!((stub.asked(), stub.followed()), (2, 0));
        stack.stop().await;
    }
}

#[tokio::test]
async fn a_server_that_is_slow_leaves_the_local_result_when_the_time_is_over() {
    for reply in [Reply::Silent, Reply::Stuck] {
        let stub = ModelStub::start(reply).await;
        let stack = asking(ModelConfig {
            time_limit: Duration::from_millis(50),
            ..stub.config.clone()
        })
        .await;
        is_local(&stack, WORDS).await;
        is_refused(&stack, OPEN).await;
        assert!(stub.asked() <= 2);
        stack.stop().await;
    }
}

#[tokio::test]
async fn a_connection_that_is_refused_or_closed_leaves_the_local_result() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let closing = tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut some = [0; 64];
            let _ = connection.read(&mut some).await;
            drop(connection);
        }
    });
    let stack = asking(config(&url)).await;
    is_local(&stack, WORDS).await;
    closing.abort();
    assert!(closing.await.unwrap_err().is_cancelled());
    is_refused(&stack, OPEN).await;
    stack.stop().await;
}

#[tokio::test]
async fn an_https_address_is_spoken_to_by_tls_and_trusted_by_certificate_only() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    let first = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut first = [0; 3];
        connection.read_exact(&mut first).await.unwrap();
        first
    });
    let stack = asking(config(&url)).await;
    is_local(&stack, WORDS).await;
    // A handshake, of TLS: neither the words nor the key.
    assert_eq!(first.await.unwrap()[..2], [0x16, 0x03]);
    stack.stop().await;
}

#[tokio::test]
async fn a_sentence_is_asked_once_for_all_its_pages_and_replays() {
    let stub = ModelStub::start(Reply::Text(good())).await;
    let stack = asking(stub.config.clone()).await;
    let request = || {
        let body = json!({"query": WORDS, "limit": 2, "include_fields": "full_name"});
        let request = post(PATH, GOOD_KEY).header("idempotency-key", "honchos");
        request.body(Body::from(body.to_string())).unwrap()
    };
    let first = stack.send(request()).await;
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!(first.body()["generated_query"], MODEL);
    stub.reply(Reply::Status(500, String::new()));
    let balance = stack.ledger.balance();
    let again = stack.send(request()).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.text, first.text);
    assert_eq!(stack.ledger.balance(), balance);
    let next = json!({"query": WORDS, "limit": 2, "offset": 2});
    let next = ask(&stack, next).await.body();
    assert_eq!(
        (&next["generated_query"], &next["total"]),
        (&json!(MODEL), &first.body()["total"])
    );
    assert_eq!(stub.asked(), 1);
    // Another build has other names: it is asked anew.
    stub.reply(Reply::Text(good()));
    load(&stack, 2, 30).await;
    assert_eq!(answer(&stack, WORDS).await["generated_query"], MODEL);
    assert_eq!(stub.asked(), 2);
    stack.stop().await;
}

#[tokio::test]
async fn what_was_not_accepted_or_not_answered_is_not_asked_again_at_once() {
    for reply in [
        Reply::Text("no".to_owned()),
        Reply::Status(500, String::new()),
    ] {
        let stub = ModelStub::start(reply).await;
        let stack = asking(stub.config.clone()).await;
        is_local(&stack, WORDS).await;
        stub.reply(Reply::Text(good()));
        is_local(&stack, WORDS).await;
        assert_eq!(stub.asked(), 1);
        stack.stop().await;
    }
}

#[tokio::test]
async fn a_model_that_fails_in_a_row_is_left_alone() {
    let stub = ModelStub::start(Reply::Status(500, String::new())).await;
    let stack = asking(stub.config.clone()).await;
    for at in 0..8 {
        is_local(&stack, &format!("{WORDS}{}", ".".repeat(at))).await;
    }
    assert_eq!(stub.asked(), 3);
    stack.stop().await;
}

#[tokio::test]
async fn when_too_many_calls_are_under_way_nobody_waits() {
    let stub = ModelStub::start(Reply::Held(good())).await;
    let config = ModelConfig {
        calls: 1,
        ..stub.config.clone()
    };
    let stack = Arc::new(asking(config).await);
    let first = tokio::spawn({
        let stack = Arc::clone(&stack);
        async move {
            let body = json!({"query": WORDS, "limit": 3});
            ask(&stack, body).await.body()
        }
    });
    stack.until("the call", |_| stub.asked() == 1).await;
    let body = json!({"query": format!("{WORDS}."), "limit": 3});
    let second = ask(&stack, body).await.body();
    assert_eq!(second["generated_query"], LOCAL);
    assert_eq!(stub.asked(), 1);
    stub.release();
    let first = first.await.unwrap();
    assert_eq!(first["generated_query"], MODEL);
    // The next page of the second is of the query that its first was.
    stub.reply(Reply::Text(good()));
    let body = json!({"query": format!("{WORDS}."), "limit": 3, "offset": 3});
    let page = ask(&stack, body).await.body();
    assert_eq!(page["generated_query"], LOCAL);
    assert_eq!(stub.asked(), 1);
    stop(stack).await;
}

/// Stops a stack that no request has any more.
async fn stop(stack: Arc<Stack>) {
    let Ok(stack) = Arc::try_unwrap(stack) else {
        panic!("nobody else has the stack")
    };
    stack.stop().await;
}

/// Asks for a page of [`WORDS`] beside the test.
fn asking_for_page(stack: &Arc<Stack>, offset: u32) -> JoinHandle<Value> {
    let stack = Arc::clone(stack);
    tokio::spawn(async move {
        let body = json!({"query": WORDS, "limit": 3, "offset": offset});
        ask(&stack, body).await.body()
    })
}

#[tokio::test]
async fn requests_for_one_sentence_at_once_share_a_call() {
    let stub = ModelStub::start(Reply::Held(good())).await;
    let stack = Arc::new(asking(stub.config.clone()).await);
    let pages = [0, 3, 6].map(|offset| asking_for_page(&stack, offset));
    stack.until("the call", |_| stub.asked() == 1).await;
    // A second call would be answered otherwise.
    stub.reply(Reply::Status(500, String::new()));
    stub.release();
    for page in pages {
        assert_eq!(page.await.unwrap()["generated_query"], MODEL);
    }
    assert_eq!(stub.asked(), 1);
    stop(stack).await;
}

#[tokio::test]
async fn a_call_goes_on_for_the_others_when_who_began_it_gives_up() {
    let stub = ModelStub::start(Reply::Held(good())).await;
    let stack = Arc::new(asking(stub.config.clone()).await);
    let first = asking_for_page(&stack, 0);
    stack.until("the call", |_| stub.asked() == 1).await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    let second = asking_for_page(&stack, 3);
    stub.release();
    assert_eq!(second.await.unwrap()["generated_query"], MODEL);
    assert_eq!(stub.asked(), 1);
    stop(stack).await;
}

#[tokio::test]
async fn no_sentence_has_the_model_left_alone_for_the_others() {
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "no"}}]});
    let stub = ModelStub::start(Reply::Silent).await;
    let stack = asking(stub.config.clone()).await;
    let replies = [
        Reply::Body(refusal.to_string()),
        Reply::Body(json!({"choices": [{"message": {"refusal": "no"}}]}).to_string()),
        Reply::Body(json!({"choices": []}).to_string()),
        Reply::Body("<html>".to_owned()),
        Reply::Endless,
        Reply::Redirect(good()),
        Reply::Status(400, good()),
        Reply::Status(404, good()),
        Reply::Status(413, good()),
        Reply::Status(422, good()),
    ];
    for (at, reply) in replies.into_iter().enumerate() {
        stub.reply(reply);
        is_local(&stack, &format!("{WORDS}{}", ".".repeat(at))).await;
        assert_eq!(stub.asked(), at + 1);
    }
    stub.reply(Reply::Text(good()));
    let body = answer(&stack, &format!("{WORDS} ")).await;
    assert_eq!(body["generated_query"], MODEL);
    stack.stop().await;
}

#[tokio::test]
async fn a_server_that_is_closed_or_overloaded_is_left_alone() {
    for status in [401, 403, 408, 429, 503] {
        let stub = ModelStub::start(Reply::Status(status, good())).await;
        let stack = asking(stub.config.clone()).await;
        for at in 0..4 {
            is_local(&stack, &format!("{WORDS}{}", ".".repeat(at))).await;
        }
        assert_eq!(stub.asked(), 3, "{status}");
        stack.stop().await;
    }
}

#[tokio::test]
async fn what_only_the_model_read_is_given_again_when_the_build_is_gone_and_the_model_too() {
    let only = tree(&[equals("seniority_level", "director", OPEN)]);
    let stub = ModelStub::start(Reply::Text(only)).await;
    let stack = asking(stub.config.clone()).await;
    let request = || {
        let body = json!({"query": OPEN, "limit": 2, "include_fields": "full_name"});
        let request = post(PATH, GOOD_KEY).header("idempotency-key", "honchos");
        request.body(Body::from(body.to_string())).unwrap()
    };
    let first = stack.send(request()).await;
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!(stack.send(request()).await.text, first.text);
    let balance = stack.ledger.balance();
    stub.reply(Reply::Status(500, String::new()));
    let first = first.body();
    let mut again = Value::Null;
    for build in 2..6 {
        load(&stack, build, 60).await;
        let answered = stack.send(request()).await;
        assert_eq!(answered.status, 200, "{}", answered.text);
        assert_eq!(answered.header("idempotency-replayed"), Some("true"));
        again = answered.body();
        assert_eq!(again["matches"], first["matches"]);
        assert_eq!(again["total"], first["total"]);
    }
    assert_eq!(again["generated_query"], Value::Null);
    assert_eq!(
        again["interpretation"],
        json!({"source": "model", "applied": [], "assumed": [], "ambiguous": [], "unsupported": []})
    );
    assert_eq!((stub.asked(), stack.ledger.balance()), (1, balance));
    stack.stop().await;
}
