//! What each token opens on the internal listener, and by what proof a request of an operator is taken there.

use std::sync::Arc;
use std::time::Duration;

use command_service::http::{Passed, Place, Proofs};
use http::{HeaderMap, Method};
use serde_json::{Value, json};
use service_kit::SystemClock;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;

use crate::service::{
    ADMIN_TOKEN, FORWARD_SECRET, MCP_SERVER_TOKEN, PEER_TOKEN, PROJECTOR_TOKEN,
    QUERY_SERVICE_TOKEN, Running, Setup,
};

const POST: Method = Method::POST;
const GET: Method = Method::GET;
const ACCOUNTS: &str = "/internal/forwarded/admin/accounts";
const LINE: &str = "/internal/line";

#[tokio::test]
async fn the_token_of_a_part_opens_what_that_part_asks_and_nothing_else() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let tokens = [
        ("query-service", QUERY_SERVICE_TOKEN),
        ("projector", PROJECTOR_TOKEN),
        ("mcp-server", MCP_SERVER_TOKEN),
        ("peer", PEER_TOKEN),
        ("operator", ADMIN_TOKEN),
    ];
    let routes: [(Method, &str, &[&str]); 14] = [
        (POST, "/internal/calls", &["query-service", "peer"]),
        (POST, "/internal/heartbeat", &["query-service"]),
        (POST, "/internal/checks", &["mcp-server"]),
        (POST, "/internal/credits", &["peer"]),
        (POST, "/internal/reports", &["peer"]),
        (GET, "/internal/events", &["projector"]),
        (GET, "/internal/heads", &["projector"]),
        (GET, "/internal/builds/b", &["projector"]),
        (POST, "/internal/builds/b/outcome", &["projector"]),
        (GET, LINE, &["peer"]),
        (GET, ACCOUNTS, &[]),
        (POST, ACCOUNTS, &[]),
        (POST, "/internal/forwarded/admin/contracts/c/grants", &[]),
        (POST, "/internal/forwarded/internal/builds/b/outcome", &[]),
    ];
    for (method, path, opened_by) in routes {
        for (part, token) in tokens {
            let (status, body) = service
                .internal_as(token, method.clone(), path, json!({}))
                .await;
            let is_open = status != 401;
            assert_eq!(
                is_open,
                opened_by.contains(&part),
                "{part} at {method} {path}: {body}"
            );
            if !is_open {
                assert_eq!(body["error"], "unauthorized");
                assert!(body["request_id"].is_string() && body["retryable"] == false);
            }
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn a_part_that_may_only_check_keys_can_neither_hold_nor_charge() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (_, _, key) = service.customer().await;
    let checks = json!({"calls": [{"call": "check", "api_key": key}]});
    let (status, answers) = service.internal(POST, "/internal/checks", checks).await;
    assert_eq!(
        (status, &answers["answers"][0]["answer"]),
        (200, &json!("valid"))
    );
    let admit = json!({"call": "admit", "api_key": key, "endpoint": "person_enrich",
        "request_id": Uuid::new_v4(), "ask": {"units": 1}, "idempotency": null});
    let calls = json!({"calls": [{"call": "check", "api_key": key}, admit]});
    let (status, body) = service
        .internal(POST, "/internal/checks", calls.clone())
        .await;
    assert_eq!((status, &body["error"]), (422, &json!("validation_error")));
    assert_eq!(body["details"]["fields"][0]["value"], "admit", "{body}");
    assert_eq!(
        service.internal(POST, "/internal/calls", calls).await.0,
        200
    );
    service.stop().await;
}

/// A request of an operator as another instance would pass it on.
struct Wish {
    actor: &'static str,
    id: Uuid,
    path: String,
    body: Value,
}

impl Wish {
    fn account(name: &str) -> Self {
        Self {
            actor: "alice",
            id: Uuid::new_v4(),
            path: ACCOUNTS.to_owned(),
            body: json!({"name": name}),
        }
    }

    /// What `instance` says, by the place at which `owner` is on its line.
    fn proof(&self, instance: &Proofs, owner: &str, at: Place) -> HeaderMap {
        let json = "application/json".parse().unwrap();
        let body = self.body.to_string();
        let passed = Passed {
            actor: self.actor,
            request_id: self.id,
            method: &POST,
            path: &self.path,
            headers: &[Some(&json), None, None, None],
            body: body.as_bytes(),
        };
        instance.sign(owner, at, &passed)
    }

    /// The line that `service` tells `instance` for this wish, or the status of its refusal.
    async fn line(&self, service: &Running, instance: &Proofs) -> Result<Place, u16> {
        let owner = &service.internal;
        let ask = service.http.get(format!("{owner}{LINE}"));
        let ask = ask
            .bearer_auth(PEER_TOKEN)
            .header("Forwarded-Request-Id", self.id.to_string())
            .headers(instance.ask(owner, self.id));
        let answer = ask.send().await.unwrap();
        let told = instance.told_place(owner, self.id, answer.headers());
        told.ok_or(answer.status().as_u16())
    }

    /// Status and reason of the answer.
    async fn send(&self, service: &Running, proof: &HeaderMap) -> (u16, String) {
        let request = service
            .http
            .post(format!("{}{}", service.internal, self.path))
            .bearer_auth(PEER_TOKEN)
            .header("Content-Type", "application/json")
            .header("Forwarded-Actor", self.actor)
            .header("Forwarded-Request-ID", self.id.to_string())
            .headers(proof.clone());
        let answer = request.body(self.body.to_string()).send().await.unwrap();
        let status = answer.status().as_u16();
        let body: Value = answer.json().await.unwrap();
        let reason = body["details"]["reason"].as_str().unwrap_or_default();
        if status == 401 {
            assert_eq!(body["error"], "unauthorized");
            assert!(body["request_id"].is_string() && body["message"].is_string());
        }
        (status, reason.to_owned())
    }
}

/// Another instance of command-service, with this secret.
fn instance(secret: &str) -> Proofs {
    let secrets = secret.parse().unwrap();
    Proofs::new(secrets, "http://127.0.0.1:1", Arc::new(SystemClock))
}

fn refused(reason: &str) -> (u16, String) {
    (401, reason.to_owned())
}

#[tokio::test]
async fn nobody_becomes_an_operator_by_a_header() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let (ours, others) = (
        instance(FORWARD_SECRET),
        instance("a secret of somebody else"),
    );
    let wish = Wish::account("forged");
    assert_eq!(
        wish.send(&service, &HeaderMap::new()).await,
        refused("missing_proof")
    );
    assert_eq!(wish.line(&service, &others).await, Err(401));
    let at = wish.line(&service, &ours).await.unwrap();
    let by_others = wish.proof(&others, &service.internal, at);
    assert_eq!(
        wish.send(&service, &by_others).await,
        refused("invalid_proof")
    );

    let proof = wish.proof(&ours, &service.internal, at);
    let renamed = Wish {
        actor: "bob",
        ..Wish::account("forged")
    };
    let renamed = Wish {
        id: wish.id,
        ..renamed
    };
    assert_eq!(
        renamed.send(&service, &proof).await,
        refused("invalid_proof")
    );
    let body = Wish {
        id: wish.id,
        ..Wish::account("another")
    };
    assert_eq!(body.send(&service, &proof).await, refused("invalid_proof"));
    let path = Wish {
        path: "/internal/forwarded/admin/keys".to_owned(),
        id: wish.id,
        ..Wish::account("forged")
    };
    assert_eq!(path.send(&service, &proof).await, refused("invalid_proof"));
    let elsewhere = wish.proof(&ours, "http://10.0.0.1:8083", at);
    assert_eq!(
        wish.send(&service, &elsewhere).await,
        refused("invalid_proof")
    );
    let accounts = service.ok(GET, "/admin/accounts", Value::Null).await;
    assert_eq!(accounts["accounts"], json!([]));

    assert_eq!(wish.send(&service, &proof).await.0, 200);
    assert_eq!(wish.send(&service, &proof).await, refused("replayed_proof"));
    let accounts = service.ok(GET, "/admin/accounts", Value::Null).await;
    assert_eq!(accounts["accounts"].as_array().unwrap().len(), 1);
    service.stop().await;
}

#[tokio::test]
async fn what_was_signed_for_a_process_is_not_taken_by_the_next_one_which_tells_its_own_line() {
    let setup = Setup::without_kafka().await;
    let (before, ours) = (Running::start(&setup).await, instance(FORWARD_SECRET));
    let wish = Wish::account("once");
    let at = wish.line(&before, &ours).await.unwrap();
    let proof = wish.proof(&ours, &before.internal, at);
    assert_eq!(wish.send(&before, &proof).await.0, 200);
    let address = before.internal.clone();
    before.stop().await;

    let after = Running::start_at(&setup, &address).await;
    assert_eq!(after.internal, address);
    assert_eq!(wish.send(&after, &proof).await, refused("stale_proof"));
    let next = Wish::account("another");
    let at = next.line(&after, &ours).await.unwrap();
    let proof = next.proof(&ours, &address, at);
    assert_eq!(next.send(&after, &proof).await.0, 200);
    let accounts = after.ok(GET, "/admin/accounts", Value::Null).await;
    assert_eq!(accounts["accounts"].as_array().unwrap().len(), 2);
    after.stop().await;
}

#[tokio::test]
async fn who_has_no_key_is_told_so_before_the_body_has_come() {
    let service = Running::start(&Setup::without_kafka().await).await;
    let address = service.public.trim_start_matches("http://");
    let large = " ".repeat(20_000);
    for (key, begun) in [("", "{"), ("API-Key: rk_live_bad\r\n", large.as_str())] {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /utility/report/person HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
             {key}Content-Length: 90000\r\n\r\n{begun}"
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut first = [0; 12];
        let read = socket.read_exact(&mut first);
        tokio::time::timeout(Duration::from_secs(5), read)
            .await
            .expect("an answer before the body's time is over")
            .unwrap();
        assert_eq!(&first, b"HTTP/1.1 401");
    }
    service.stop().await;
}
