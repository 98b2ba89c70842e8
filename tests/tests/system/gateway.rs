//! What the gateway itself says where no service answers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use events_schema::api::operation::Operation;
use serde_json::{Value, json};
use tests::gateway::{Behind, Gateway};
use tests::process::{Process, free_port, temporary_folder};
use tests::wait::until;

/// A gateway alone. It ends before its folder does.
pub(crate) struct Alone {
    gateway: Gateway,
    _folder: Folder,
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Alone {
    /// All parts are at these addresses of this machine, as instances of each other.
    async fn start(services: &[SocketAddr]) -> Self {
        Self::before(&Behind::all_at(services)).await
    }

    pub(crate) async fn before(behind: &Behind) -> Self {
        Self::with(behind, &[]).await
    }

    /// With other lines than those that are deployed.
    async fn with(behind: &Behind, lines: &[(&str, &str)]) -> Self {
        let folder = Folder(temporary_folder("gateway").unwrap());
        let gateway = Gateway::start_with(&folder.0, behind, lines).await;
        Self {
            gateway: gateway.unwrap(),
            _folder: folder,
        }
    }

    pub(crate) fn url(&self) -> String {
        self.gateway.url()
    }

    /// Status and body of an answer.
    fn ask(&self, request: &str) -> (u16, Value) {
        let (status, _, body) = self.ask_in_full(request.as_bytes());
        (status, body)
    }

    /// Status, head and body of an answer.
    fn ask_in_full(&self, request: &[u8]) -> (u16, String, Value) {
        let answer = self.answer(request);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let json = serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"));
        (status, head.to_owned(), json)
    }

    /// All that comes back until the connection ends.
    fn answer(&self, request: &[u8]) -> String {
        String::from_utf8(self.bytes(request)).unwrap()
    }

    /// The same where it may be no text.
    fn bytes(&self, request: &[u8]) -> Vec<u8> {
        let url = self.url();
        let mut socket = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
        socket.write_all(request).unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).unwrap();
        answer
    }

    /// The error and the details of a refusal, after checking what all have in common.
    fn refusal(&self, request: &[u8]) -> (u16, String, Value) {
        let (status, head, body) = self.ask_in_full(request);
        let object = body.as_object().unwrap();
        let keys: Vec<&str> = object.keys().map(String::as_str).collect();
        let five = ["error", "message", "request_id", "retryable", "details"];
        assert_eq!(keys, five, "{head}");
        let id = header(&head, "request-id");
        assert_eq!(id, body["request_id"].as_str(), "{head}");
        let error = body["error"].as_str().unwrap().to_owned();
        (status, error, body["details"].clone())
    }
}

/// A header of an answer, by its name in small letters.
fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    let mut found = lines.filter(|(other, _)| other.eq_ignore_ascii_case(name));
    found.next().map(|(_, value)| value)
}

/// A request without a body that ends its connection.
fn with_method(method: &str, target: &str) -> Vec<u8> {
    format!("{method} {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").into_bytes()
}

/// A GET that ends its connection.
fn get(target: &str, headers: &str) -> Vec<u8> {
    format!("GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{headers}\r\n").into_bytes()
}

const POST: &str =
    "POST /person/enrich HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
const GET: &str = "GET /credits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

#[tokio::test]
async fn what_a_dying_service_left_unanswered_is_told_as_unknown_and_what_no_service_saw_is_not() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    let gateway = Alone::start(&[service.local_addr().unwrap()]).await;
    // It reads each request and dies with it.
    std::thread::spawn(move || {
        for socket in service.incoming() {
            let _ = socket.unwrap().read(&mut [0; 1_024]);
        }
    });
    let details = |outcome: Option<&str>| match outcome {
        Some(outcome) => {
            json!({"component": "upstream", "outcome": outcome, "retry_after_seconds": 2})
        }
        None => json!({"component": "upstream", "retry_after_seconds": 2}),
    };
    let (status, body) = gateway.ask(POST);
    assert_eq!((status, &body["details"]), (503, &details(Some("unknown"))));
    let (status, body) = gateway.ask(GET);
    assert_eq!((status, &body["details"]), (503, &details(None)));

    let (status, body) = Alone::start(&[nobody()]).await.ask(POST);
    assert_eq!((status, &body["details"]), (503, &details(None)));
}

/// An address at which nobody listens.
fn nobody() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], free_port().unwrap()))
}

/// A service that reads each request, counts it, and answers with `answer`, or ends the connection without one.
fn service(answer: Option<&'static str>) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            if socket.read(&mut [0; 1_024]).is_ok_and(|read| read > 0) {
                count.fetch_add(1, Ordering::SeqCst);
            }
            if let Some(answer) = answer {
                let _ = write!(
                    socket,
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{answer}",
                    answer.len()
                );
            }
        }
    });
    (address, asked)
}

#[tokio::test]
async fn while_one_of_several_instances_is_gone_another_answers_each_request_once() {
    let (there, asked) = service(Some("{}"));
    let gateway = Alone::start(&[nobody(), there, nobody()]).await;
    for request in 1..=20 {
        assert_eq!(gateway.ask(POST), (200, json!({})));
        assert_eq!(asked.load(Ordering::SeqCst), request);
    }
}

#[tokio::test]
async fn a_request_that_an_instance_has_taken_is_sent_to_no_other() {
    let instances = [service(None), service(None)];
    let gateway = Alone::start(&[instances[0].0, instances[1].0]).await;
    let (status, body) = gateway.ask(POST);
    assert_eq!(
        (status, &body["details"]["outcome"]),
        (503, &json!("unknown"))
    );
    let asked: usize = instances
        .iter()
        .map(|(_, asked)| asked.load(Ordering::SeqCst))
        .sum();
    assert_eq!(asked, 1);
}

/// nginx answers the name of a folder without its slash by a redirect in HTML, unless it is told better.
#[tokio::test]
async fn a_path_without_its_slash_is_a_service_s_to_answer_and_no_redirect() {
    let (there, _) = service(Some("{}"));
    let gateway = Alone::start(&[there]).await;
    for path in [
        "/person",
        "/company",
        "/utility",
        "/utility/report",
        "/health",
        "/credits",
        "/mcp",
        "/mcp/",
        "/.well-known/mcp",
        "/person/enrich/",
    ] {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{{}}"
        );
        assert_eq!(gateway.ask(&request), (200, json!({})), "{path}");
    }
}

#[tokio::test]
async fn what_the_parts_ask_each_other_is_no_route_of_the_gateway() {
    let (there, asked) = service(Some("{}"));
    let gateway = Alone::start(&[there]).await;
    let path = "/internal/records/person/1af178cd-36d8-5241-95d5-4caea36771eb";
    for target in [path, "/%69nternal/calls", "/person/../internal/calls"] {
        let (status, error, details) = gateway.refusal(&get(target, ""));
        assert_eq!((status, error.as_str()), (404, "route_not_found"));
        assert_eq!(details, json!({"path": target}));
    }
    // No text of a client breaks the JSON.
    let (_, _, details) = gateway.refusal(&get("/internal/\"x?email=y", ""));
    assert_eq!(details, json!({"path": "/internal/"}));
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_refusal_of_the_gateway_echoes_a_correlation_id_that_is_one() {
    let gateway = Alone::start(&[nobody()]).await;
    let long = "x".repeat(256);
    for (given, echoed) in [("c 1", Some("c 1")), (&long, None), ("caf\u{e9}", None)] {
        let request = get("/credits", &format!("Correlation-ID: {given}\r\n"));
        let (status, head, _) = gateway.ask_in_full(&request);
        assert_eq!((status, header(&head, "correlation-id")), (503, echoed));
    }
}

/// What the services would refuse anyhow is told by their limits.
#[tokio::test]
async fn a_head_that_is_too_large_for_any_service_is_refused_by_the_gateway() {
    let (there, asked) = service(Some("{}"));
    let gateway = Alone::start(&[there]).await;
    let long = "x".repeat(18 * 1024);
    let refused = gateway.refusal(&get("/credits", &format!("X: {long}\r\n")));
    let details = json!({"max_bytes": 16_384});
    assert_eq!(refused, (431, "headers_too_large".to_owned(), details));
    let refused = gateway.refusal(&get(&format!("/{long}"), ""));
    let details = json!({"max_bytes": 8_192});
    assert_eq!(refused, (414, "uri_too_long".to_owned(), details));
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

/// What it refuses before it asks anybody.
#[tokio::test]
async fn what_no_service_is_asked_is_refused_with_the_one_body_by_the_gateway() {
    let (there, asked) = service(Some("{}"));
    let gateway = Alone::start(&[there]).await;
    let malformed = json!({"reason": "malformed_header", "parameters": [], "accepted": []});
    for request in [
        b"no request\r\n\r\n".as_slice(),
        b"GET /credits HTTP/3.1\r\nHost: a\r\n\r\n",
        b"GET /credits HTTP/1.1\r\n\r\n",
        b"POST /person/enrich HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"POST /person/enrich HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: rot13\r\n\r\n",
    ] {
        let refused = gateway.refusal(request);
        let expected = (400, "bad_request".to_owned(), malformed.clone());
        assert_eq!(refused, expected, "{}", String::from_utf8_lossy(request));
    }
    // By its announced length: nothing of the body is waited for.
    let large = b"POST /person/enrich HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4194305\r\n\r\n";
    let details = json!({"max_bytes": 1_048_576, "received_bytes": 4_194_305});
    let expected = (413, "payload_too_large".to_owned(), details);
    assert_eq!(gateway.refusal(large), expected);
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

/// A service that answers everything with so many bytes of a media type, and with a tag.
fn tagged(content_type: &'static str, bytes: usize) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let _ = socket.read(&mut [0; 1_024]);
            let body = format!("\"{}\"", "x".repeat(bytes - 2));
            let _ = write!(
                socket,
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: {content_type}\r\nETag: \"a\"\r\nVary: Accept\r\nContent-Length: {bytes}\r\n\r\n{body}",
            );
        }
    });
    address
}

#[tokio::test]
async fn long_answers_in_json_are_compressed_for_who_takes_that() {
    const GZIP: &str = "Accept-Encoding: br, gzip\r\n";
    for (content_type, bytes, headers, is_compressed) in [
        ("application/json", 4_096, GZIP, true),
        ("application/openapi+json", 4_096, GZIP, true),
        // Asked by a proxy.
        (
            "application/json",
            4_096,
            "Accept-Encoding: gzip\r\nVia: 1.1 b\r\n",
            true,
        ),
        ("application/json", 4_096, "", false),
        ("application/json", 512, GZIP, false),
        ("text/plain", 4_096, GZIP, false),
    ] {
        let gateway = Alone::start(&[tagged(content_type, bytes)]).await;
        for path in ["/openapi.json", "/mcp/server-card", "/credits"] {
            let answer = gateway.bytes(&get(path, headers));
            let head = answer
                .windows(4)
                .position(|end| end == b"\r\n\r\n")
                .unwrap();
            let (head, body) = answer.split_at(head + 4);
            let head = String::from_utf8(head.to_vec()).unwrap();
            let encoding = header(&head, "content-encoding");
            assert_eq!(encoding, is_compressed.then_some("gzip"), "{head}");
            assert_eq!(body.len() < bytes, is_compressed, "{head}");
            // The same text by any name: a strong tag is of bytes, a weak one of what they say.
            let tag = if is_compressed { "W/\"a\"" } else { "\"a\"" };
            assert_eq!(header(&head, "etag"), Some(tag), "{head}");
            let varies = head.contains("\r\nVary: Accept-Encoding\r\n");
            let is_json = content_type != "text/plain";
            assert_eq!(varies, is_json && bytes > 1_024, "{head}");
            assert!(head.contains("\r\nVary: Accept\r\n"), "{head}");
        }
    }
}

/// nginx passes a TRACE on to nobody.
#[tokio::test]
async fn a_method_that_nginx_itself_refuses_is_told_the_methods_of_the_route() {
    let (there, asked) = service(Some("{}"));
    let gateway = Alone::start(&[there]).await;
    let report = "1af178cd-36d8-5241-95d5-4caea36771eb";
    let public = Operation::all().map(|operation| {
        let path = operation.path().replace("{report_id}", report);
        (path, methods(operation).to_vec())
    });
    let others = [
        ("/openapi.json", vec!["GET", "HEAD"]),
        ("/docs", vec!["GET", "HEAD"]),
        ("/mcp", vec!["POST"]),
        ("/mcp/", vec!["POST"]),
        (
            "/.well-known/mcp/server-card.json",
            vec!["GET", "HEAD", "OPTIONS"],
        ),
        ("/mcp/server-card", vec!["GET", "HEAD", "OPTIONS"]),
    ];
    let others = others.map(|(path, allowed)| (path.to_owned(), allowed));
    for (path, allowed) in public.chain(others) {
        let request = with_method("TRACE", &format!("{path}?x=y"));
        let expected = json!({"allowed": allowed});
        let refused = gateway.refusal(&request);
        assert_eq!(
            refused,
            (405, "method_not_allowed".to_owned(), expected),
            "{path}"
        );
        let (_, head, _) = gateway.ask_in_full(&request);
        let listed = allowed.join(", ");
        assert_eq!(header(&head, "allow"), Some(listed.as_str()), "{path}");
    }
    for path in ["/", "/person", "/utility/report/x", "/credits/"] {
        let expected = (404, "route_not_found".to_owned(), json!({"path": path}));
        let request = with_method("TRACE", path);
        assert_eq!(gateway.refusal(&request), expected);
        let (_, head, _) = gateway.ask_in_full(&request);
        assert_eq!(header(&head, "allow"), None, "{path}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

fn methods(operation: Operation) -> &'static [&'static str] {
    match operation.method().as_str() {
        "GET" => &["GET", "HEAD"],
        _ => &["POST"],
    }
}

/// Of any method, also one that nobody knows, the service says what the route takes.
#[tokio::test]
async fn every_public_request_reaches_the_service_that_answers_it() {
    let (query, of_query) = service(Some("{}"));
    let (command, of_command) = service(Some("{}"));
    let behind = Behind {
        query: vec![query.port()],
        command: vec![command.port()],
        mcp: vec![query.port()],
    };
    let gateway = Alone::before(&behind).await;
    for operation in Operation::all() {
        let (asked, not_asked) = if operation.is_of_command_service() {
            (&of_command, &of_query)
        } else {
            (&of_query, &of_command)
        };
        let count = || {
            (
                asked.load(Ordering::SeqCst),
                not_asked.load(Ordering::SeqCst),
            )
        };
        for method in [operation.method().as_str(), "PROPFIND"] {
            let before = count();
            let request = with_method(method, &operation.path());
            assert_eq!(gateway.ask_in_full(&request).0, 200, "{operation:?}");
            assert_eq!(count(), (before.0 + 1, before.1), "{operation:?}");
        }
    }
}

/// By a worker that has no connection left for a service: of three, one listens, one is its master's and one the client's.
#[tokio::test]
async fn what_the_gateway_cannot_do_itself_is_told_by_the_one_body() {
    let (there, asked) = service(Some("{}"));
    let few = [
        ("worker_processes auto;", "worker_processes 1;"),
        ("worker_connections 4096;", "worker_connections 3;"),
    ];
    let gateway = Alone::with(&Behind::all_at(&[there]), &few).await;
    let expected = (500, "internal_error".to_owned(), json!({}));
    assert_eq!(gateway.refusal(POST.as_bytes()), expected);
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

/// A service's own 408 comes first, since it waits less long.
#[tokio::test]
async fn a_body_that_no_service_gives_up_on_ends_with_its_connection() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let behind = Behind::all_at(&[silent.local_addr().unwrap()]);
    let impatient = [("client_body_timeout 35s;", "client_body_timeout 1s;")];
    let gateway = Alone::with(&behind, &impatient).await;
    let begun = POST.trim_end_matches('}');
    assert_eq!(gateway.answer(begun.as_bytes()), "");
}

/// One of the services, behind a gateway as for all: what is no request is refused alike by each of them.
#[tokio::test]
async fn what_a_service_cannot_read_is_refused_with_the_one_body_through_the_gateway() {
    let folder = Folder(temporary_folder("unreadable").unwrap());
    let port = free_port().unwrap();
    let listen = format!("127.0.0.1:{port}");
    let settings = vec![("MCP_SERVER_LISTEN".to_owned(), listen.clone())];
    let mut service = Process::new("mcp-server", port, &folder.0, settings);
    service.spawn().unwrap();
    until("mcp-server listens", Duration::from_secs(20), async || {
        TcpStream::connect(&listen).ok()
    })
    .await
    .unwrap();
    let gateway = Alone::start(&[listen.parse().unwrap()]).await;
    let not_utf8 = [
        b"GET /person/\xff HTTP/1.1\r\nConnection: close\r\n".as_slice(),
        b"Host: a\r\n\r\n",
    ];
    for request in [
        get("/person/<x>", ""),
        get("/person/`x`", ""),
        get("/person/x", "X: \u{1}\r\n"),
        not_utf8.concat(),
    ] {
        let (status, error, details) = gateway.refusal(&request);
        assert_eq!((status, error.as_str()), (400, "bad_request"));
        assert_eq!(details["reason"], "malformed_header");
    }
    let many = "a: b\r\n".repeat(300);
    let (status, error, details) = gateway.refusal(&get("/person/x", &many));
    assert_eq!((status, error.as_str()), (431, "headers_too_large"));
    assert_eq!(details, json!({"max_bytes": 16_384}));
    // Two headers that each fit into what the gateway takes.
    let large = "y".repeat(17 * 1024);
    let (status, ..) = gateway.refusal(&get("/person/x", &format!("X: {large}\r\nY: {large}\r\n")));
    assert_eq!(status, 431);
}
