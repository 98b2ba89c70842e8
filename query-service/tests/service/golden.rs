//! Golden files: each names a request and the whole answer. `UPDATE_GOLDEN=1` writes what the service answers; read the
//! difference before committing it.

use std::path::PathBuf;

use axum::body::Body;
use http::{Method, Request};
use serde_json::{Map, Value, json};

use crate::stack::{Answered, Stack};

/// Headers that differ from run to run; their presence is checked instead.
const VARYING: &[&str] = &["request-id", "process-time"];

pub(crate) fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    files
}

fn request(golden: &Value) -> Request<Body> {
    let given = &golden["request"];
    let method = given["method"].as_str().unwrap_or("POST");
    let mut request = Request::builder()
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .uri(given["path"].as_str().unwrap());
    for (name, value) in given["headers"].as_object().unwrap() {
        request = request.header(name, value.as_str().unwrap());
    }
    // A text is a body that is not JSON.
    let body = match &given["body"] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    request.body(Body::from(body)).unwrap()
}

fn response(answered: &Answered) -> Value {
    let mut headers = Map::new();
    for (name, value) in &answered.headers {
        if !VARYING.contains(&name.as_str()) {
            headers.insert(name.to_string(), json!(value.to_str().unwrap()));
        }
    }
    headers.sort_keys();
    let mut body = answered.body();
    if let Some(id) = body.get_mut("request_id") {
        assert_eq!(id.as_str(), answered.header("request-id"));
        *id = json!("<request id>");
    }
    json!({"status": answered.status.as_u16(), "headers": headers, "body": body})
}

#[tokio::test]
async fn every_answer_is_that_of_its_golden_file() {
    let is_update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut differing = Vec::new();
    let stack = Stack::start(0).await;
    for file in files() {
        let mut golden: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        stack
            .ledger
            .set_balance(golden["balance"].as_i64().unwrap_or(100));
        let answered = stack.send(request(&golden)).await;
        for name in VARYING {
            assert!(
                answered.header(name).is_some(),
                "{} lacks {name}",
                file.display()
            );
        }
        let got = response(&answered);
        if got != golden["response"] {
            differing.push(format!(
                "{}: {}",
                file.display(),
                serde_json::to_string_pretty(&got).unwrap()
            ));
        }
        assert_eq!(stack.ledger.holds(), 0, "{} leaves a hold", file.display());
        if is_update {
            golden["response"] = got;
            let text = serde_json::to_string_pretty(&golden).unwrap();
            std::fs::write(&file, text + "\n").unwrap();
        }
    }
    stack.stop().await;
    assert!(
        is_update || differing.is_empty(),
        "{}",
        differing.join("\n")
    );
}
