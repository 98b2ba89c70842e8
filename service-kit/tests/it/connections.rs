//! The accept loop: slow clients, the cap of connections, HTTP/2, and the end.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;

use crate::server::{DEADLINE, limits, read_answer, read_to_close, start, start_with};

#[tokio::test]
async fn a_client_that_is_slow_with_its_headers_is_closed() {
    let (edge, mut serve) = limits();
    serve.header_read_timeout = Duration::from_millis(300);
    let server = start_with(edge, serve).await;
    // Nothing; a part of a request; a part of the preface of HTTP/2; a second request that does not come.
    for sent in [
        "",
        "GET /id/x HTT",
        "PRI * HTTP/2.0\r\n",
        "GET /id/x HTTP/1.1\r\nHost: a\r\n\r\n",
    ] {
        let mut socket = server.connect().await;
        let started = Instant::now();
        socket.write_all(sent.as_bytes()).await.unwrap();
        read_to_close(&mut socket).await;
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "{sent:?} stayed"
        );
    }
}

#[tokio::test]
async fn an_answer_that_takes_longer_than_the_header_timeout_is_not_cut() {
    let (edge, mut serve) = limits();
    serve.header_read_timeout = Duration::from_millis(300);
    let longer = serve.header_read_timeout * 2;
    let server = start_with(edge, serve).await;
    let mut socket = server.connect().await;
    socket
        .write_all(b"GET /wait HTTP/1.0\r\n\r\n")
        .await
        .unwrap();
    server.entered.notified().await;
    let leave = server.leave.clone();
    tokio::spawn(async move {
        tokio::time::sleep(longer).await;
        leave.notify_one();
    });
    assert_eq!(read_answer(&mut socket).await.body, b"done");
}

#[tokio::test]
async fn a_connection_above_the_cap_waits_until_one_is_free() {
    let (edge, mut serve) = limits();
    serve.max_connections = 1;
    let server = start_with(edge, serve).await;
    let mut first = server.connect().await;
    first
        .write_all(b"GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    server.entered.notified().await;
    let mut second = server.connect().await;
    second
        .write_all(b"GET /id/x HTTP/1.1\r\nHost: a\r\n\r\n")
        .await
        .unwrap();
    let early = tokio::time::timeout(Duration::from_millis(100), second.readable()).await;
    assert!(
        early.is_err(),
        "the second connection was served above the cap"
    );
    server.leave.notify_one();
    assert_eq!(read_answer(&mut first).await.status, 200);
    assert_eq!(read_answer(&mut second).await.status, 200);
}

#[tokio::test]
async fn a_shutdown_finishes_the_request_in_flight_and_takes_no_new_one() {
    let server = start().await;
    let mut socket = server.connect().await;
    socket
        .write_all(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        .await
        .unwrap();
    server.entered.notified().await;
    server.shutdown.cancel();
    let refused = async {
        while tokio::net::TcpStream::connect(server.addr).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(DEADLINE, refused)
        .await
        .expect("new connections are refused");
    server.leave.notify_one();
    assert_eq!(read_answer(&mut socket).await.body, b"done");
    tokio::time::timeout(DEADLINE, server.task)
        .await
        .expect("the loop ends")
        .unwrap();
}

#[tokio::test]
async fn a_request_that_is_not_finished_in_the_drain_time_is_told_to_come_again() {
    let (edge, mut serve) = limits();
    serve.drain_timeout = Duration::from_secs(1);
    let server = start_with(edge, serve).await;
    let mut socket = server.connect().await;
    socket
        .write_all(b"POST /wait/change HTTP/1.1\r\nHost: a\r\n\r\n")
        .await
        .unwrap();
    server.entered.notified().await;
    server.shutdown.cancel();
    tokio::time::timeout(DEADLINE, server.task)
        .await
        .expect("the loop ends")
        .unwrap();
    let answer = read_answer(&mut socket).await;
    let refusal = answer.refusal(503, "service_unavailable");
    assert_eq!(refusal["outcome"], "unknown");
    assert_eq!(answer.header("retry-after"), Some("5"));
}

#[tokio::test]
async fn http2_with_prior_knowledge_is_served_on_the_same_port() {
    let server = start().await;
    let client = reqwest::Client::builder()
        .http2_prior_knowledge()
        .no_proxy()
        .build()
        .unwrap();
    let answer = client
        .get(format!("http://{}/id/x", server.addr))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (answer.version(), answer.status().as_u16()),
        (http::Version::HTTP_2, 200)
    );
    let answer = client
        .get(format!("http://{}/no", server.addr))
        .send()
        .await
        .unwrap();
    let body: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(body["error"], "route_not_found");
}

#[tokio::test]
async fn what_is_no_http_is_closed_and_the_server_goes_on() {
    let server = start().await;
    for junk in [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".as_slice(),
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ] {
        let mut socket = server.connect().await;
        socket.write_all(junk).await.unwrap();
        read_to_close(&mut socket).await;
    }
    assert_eq!(server.get("/id/x").await.status, 200);
}
