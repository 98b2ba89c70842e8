//! What is above a listener's bounds is 503, and only that.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::server::{Answer, Server, limits, read_answer, start_with};

fn assert_overloaded(answer: &Answer) {
    let details = answer.refusal(503, "service_unavailable");
    assert_eq!(
        details,
        json!({"component": "upstream", "retry_after_seconds": 1})
    );
    assert_eq!(answer.header("retry-after"), Some("1"));
}

/// A server that takes on one request at a time, and that one.
async fn with_one_at_work_of_one() -> (Server, TcpStream) {
    let (mut edge, serve) = limits();
    edge.max_requests = 1;
    let server = start_with(edge, serve).await;
    let mut first = server.connect().await;
    first
        .write_all(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        .await
        .unwrap();
    server.entered.notified().await;
    (server, first)
}

#[tokio::test]
async fn above_the_bound_of_requests_there_is_503_until_one_ends_and_health_is_answered() {
    let (server, mut first) = with_one_at_work_of_one().await;
    for path in ["/id/x", "/wait", "/no"] {
        assert_overloaded(&server.get(path).await);
    }
    assert_eq!(server.get("/health/live").await.status, 200);
    server.leave.notify_one();
    assert_eq!(read_answer(&mut first).await.body, b"done");
    assert_eq!(server.get("/id/x").await.status, 200);
}

#[tokio::test]
async fn a_request_whose_client_goes_away_makes_room() {
    let (server, first) = with_one_at_work_of_one().await;
    assert_overloaded(&server.get("/id/x").await);
    drop(first);
    let room = async { while server.get("/id/x").await.status != 200 {} };
    tokio::time::timeout(crate::server::DEADLINE, room)
        .await
        .expect("there is room again");
}

async fn read_until(socket: &mut TcpStream, end: &[u8]) {
    let mut read = Vec::new();
    while !read.ends_with(end) {
        read.push(socket.read_u8().await.unwrap());
    }
}

#[tokio::test]
async fn an_answer_that_is_still_being_made_counts_as_a_request_at_work() {
    let (mut edge, serve) = limits();
    edge.max_requests = 1;
    let server = start_with(edge, serve).await;
    let mut streamed = server.connect().await;
    let request = b"GET /stream HTTP/1.1\r\nHost: a\r\n\r\n";
    streamed.write_all(request).await.unwrap();
    read_until(&mut streamed, b"one\n\r\n").await;
    assert_overloaded(&server.get("/id/x").await);
    server.leave.notify_one();
    read_until(&mut streamed, b"0\r\n\r\n").await;
    let free = async { while server.get("/id/x").await.status != 200 {} };
    tokio::time::timeout(crate::server::DEADLINE, free)
        .await
        .expect("there is room again");
}

/// A request that has sent 60 of its 64 bytes.
async fn most_of_a_body(server: &Server) -> TcpStream {
    let mut socket = server.connect().await;
    let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 64\r\n\r\n";
    let body = format!("{{\"a\":\"{}", "x".repeat(54));
    socket
        .write_all(format!("{head}{body}").as_bytes())
        .await
        .unwrap();
    socket
}

#[tokio::test]
async fn above_the_bound_of_bytes_there_is_503_until_a_body_has_gone() {
    let (mut edge, serve) = limits();
    edge.max_held_bytes = 100;
    let server = start_with(edge, serve).await;
    let mut first = most_of_a_body(&server).await;
    let json = "Content-Type: application/json\r\n";
    let body = format!("{{\"a\":\"{}\"}}", "x".repeat(52));
    let refused = async {
        loop {
            // Until the first body has arrived, there is room.
            let answer = server.post("/echo", json, &body).await;
            if answer.status != 200 {
                return answer;
            }
        }
    };
    let refused = tokio::time::timeout(crate::server::DEADLINE, refused).await;
    assert_overloaded(&refused.expect("the bound is reached"));
    assert_eq!(server.post("/echo", json, "{}").await.status, 200);
    first.write_all(b"xx\"}").await.unwrap();
    assert_eq!(read_answer(&mut first).await.status, 200);
    assert_eq!(server.post("/echo", json, &body).await.status, 200);
}

#[tokio::test]
async fn an_http2_client_is_told_how_many_requests_one_connection_may_have() {
    let (edge, mut serve) = limits();
    serve.max_concurrent_streams = 7;
    let server = start_with(edge, serve).await;
    let mut socket = server.connect().await;
    // The preface and an empty SETTINGS frame.
    socket
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0")
        .await
        .unwrap();
    let mut frame = [0; 9];
    socket.read_exact(&mut frame).await.unwrap();
    assert_eq!(frame[3], 4, "the first frame is SETTINGS");
    let mut settings = vec![0; usize::from(frame[2])];
    socket.read_exact(&mut settings).await.unwrap();
    let most_streams = settings
        .chunks(6)
        .find(|setting| setting[..2] == [0, 3])
        .expect("SETTINGS_MAX_CONCURRENT_STREAMS");
    assert_eq!(most_streams[2..], [0, 0, 0, 7]);
}
