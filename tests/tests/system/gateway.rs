//! What the gateway itself says where no service answers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tests::gateway::{Behind, Gateway};
use tests::process::{free_port, temporary_folder};

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
        let ports: Vec<u16> = services.iter().map(SocketAddr::port).collect();
        Self::before(&Behind {
            query: ports.clone(),
            command: ports.clone(),
            mcp: ports,
        })
        .await
    }

    pub(crate) async fn before(behind: &Behind) -> Self {
        let folder = Folder(temporary_folder("gateway").unwrap());
        Self {
            gateway: Gateway::start(&folder.0, behind).await.unwrap(),
            _folder: folder,
        }
    }

    pub(crate) fn url(&self) -> String {
        self.gateway.url()
    }

    /// Status and body of an answer.
    fn ask(&self, request: &str) -> (u16, Value) {
        let url = self.url();
        let mut socket = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
        socket.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).expect(body))
    }
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
