//! `builds reindex`: asked of the projector, waited for, and told as it ended.

use serde_json::{Value, json};

use crate::fake::{Fake, refusal};
use crate::run::{Ran, Roster};

const PATH: &str = "/admin/builds/b-1/reindex";

fn progress(state: &str, fault: Value) -> Value {
    json!({
        "build": "b-1", "state": state, "asked_at": "2026-11-02T07:00:00Z", "attempts": 1, "rows_written": 5, "rows": 5,
        "fault": fault,
        "search_files": {"manifest": "builds/b-1/search/aa/manifest.json", "sha256": "aa", "files": 3, "bytes": 90},
    })
}

/// What is sent and printed when asking is answered with one state and looking with another.
async fn reindex(arguments: &[&str], asked: Value, seen: Value) -> (Vec<String>, Ran) {
    let fake = Fake::start().await;
    fake.answers(&format!("POST {PATH}"), 202, asked);
    fake.answers(&format!("GET {PATH}"), 200, seen);
    let all = [&["builds", "reindex", "b-1"], arguments].concat();
    let ran = Roster::at(&fake.url).run(&all).await;
    let sent = fake.sent();
    let sent = sent
        .iter()
        .map(|sent| format!("{} {}", sent.method, sent.path));
    (sent.collect(), ran)
}

#[tokio::test]
async fn a_reindex_is_asked_for_and_waited_for() {
    let done = progress("done", Value::Null);
    let waiting = progress("waiting", Value::Null);
    let (sent, ran) = reindex(&["--json"], waiting, done.clone()).await;
    assert_eq!(sent, [format!("POST {PATH}"), format!("GET {PATH}")]);
    assert_eq!(ran.json(), done);
    assert_eq!(ran.stderr, "");
}

#[tokio::test]
async fn without_waiting_the_answer_is_what_was_asked_for() {
    let waiting = progress("waiting", Value::Null);
    let (sent, ran) = reindex(&["--no-wait", "--json"], waiting.clone(), Value::Null).await;
    assert_eq!(sent, [format!("POST {PATH}")]);
    assert_eq!(ran.json(), waiting);
}

#[tokio::test]
async fn a_reindex_that_failed_is_told_with_its_fault_and_exit_code_1() {
    let failed = progress(
        "failed",
        json!("a search file cannot be written: no storage space"),
    );
    let (_, ran) = reindex(&["--json"], progress("waiting", Value::Null), failed).await;
    let error = ran.error();
    assert_eq!((ran.code, &error["error"]), (1, &"reindex_failed".into()));
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("no storage space")
    );
    assert_eq!(error["details"], json!({"attempts": 1}));
}

#[tokio::test]
async fn a_reindex_that_takes_longer_than_the_wait_says_that_it_goes_on() {
    let writing = progress("writing", Value::Null);
    let (_, ran) = reindex(&["--wait", "0", "--json"], writing.clone(), writing).await;
    let error = ran.error();
    assert_eq!(
        (ran.code, &error["error"]),
        (1, &"not_reindexed_yet".into())
    );
}

#[tokio::test]
async fn a_refusal_of_the_projector_is_passed_on() {
    let fake = Fake::start().await;
    let refused = refusal("bad_request", "The build is not loaded.");
    fake.answers(&format!("POST {PATH}"), 409, refused.clone());
    let ran = Roster::at(&fake.url)
        .run(&["builds", "reindex", "b-1", "--json"])
        .await;
    assert_eq!(ran.code, 1);
    assert_eq!(ran.error(), refused);
}
