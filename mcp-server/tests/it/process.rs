//! The process itself: what it logs, and how it ends.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::stack::{KEY, play_upstreams};

/// Ends the process even if a test fails.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn no_argument_and_no_key_reaches_the_log_at_its_finest_level() {
    let (upstreams, pairs) = play_upstreams().await;
    upstreams.answers.lock().unwrap().push_back((
        200,
        vec![],
        json!({"matches": ["secretanswer"], "total": 1}),
    ));
    let child = Command::new(env!("CARGO_BIN_EXE_mcp-server"))
        .env_clear()
        .envs(pairs)
        .env("MCP_SERVER_LISTEN", "127.0.0.1:0")
        .env("LOG", "trace")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut process = Process(child);
    let mut lines = BufReader::new(process.0.stderr.take().unwrap()).lines();
    let address = loop {
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        if let Some(address) = line["address"].as_str() {
            break address.to_owned();
        }
    };
    let arguments = json!({"email": "secretmail@example.com", "full_name": "secretname"});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "person_enrich", "arguments": arguments}});
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client
        .post(format!("http://{address}/mcp?secretquery"))
        .header("API-Key", KEY);
    let response = request
        .header("Content-Type", "application/json")
        .body(call.to_string())
        .send()
        .await
        .unwrap();
    let body = response.text().await.unwrap();
    assert!(body.contains("secretanswer"), "{body}");

    let id = process.0.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    let log: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(process.0.wait().unwrap().success());
    assert!(
        log.iter().any(|line| line.contains("has stopped")),
        "{log:?}"
    );
    for line in log {
        assert!(!line.contains("secret") && !line.contains(KEY), "{line}");
    }
}

#[test]
fn settings_that_cannot_be_used_are_all_named_and_end_the_start() {
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-server"))
        .env_clear()
        .env("MCP_SERVER_LISTEN", "nowhere")
        .env("MCP_SERVER_LITSEN", "127.0.0.1:1")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(
        text.contains("MCP_SERVER_LISTEN:") && text.contains("MCP_SERVER_LITSEN: is not a setting"),
        "{text}"
    );
}
