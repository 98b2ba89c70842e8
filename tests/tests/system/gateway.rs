//! What the gateway itself says where no service answers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::process::{free_port, temporary_folder};
use tests::servers::checkout;

/// A gateway alone.
pub(crate) struct Gateway {
    nginx: Child,
    port: u16,
    folder: std::path::PathBuf,
}

/// Where the instances of each part are that a gateway stands before.
pub(crate) struct Instances<'a> {
    pub(crate) query_service: &'a [SocketAddr],
    pub(crate) command_service: &'a [SocketAddr],
    pub(crate) mcp_server: &'a [SocketAddr],
}

impl Gateway {
    /// All parts are at these addresses, as instances of each other.
    fn start(services: &[SocketAddr]) -> Self {
        Self::before(&Instances {
            query_service: services,
            command_service: services,
            mcp_server: services,
        })
    }

    pub(crate) fn before(instances: &Instances<'_>) -> Self {
        let folder = temporary_folder("gateway").unwrap();
        std::fs::create_dir_all(folder.join("temp")).unwrap();
        let port = free_port().unwrap();
        std::fs::write(
            folder.join("nginx.conf"),
            configuration(&folder, port, instances),
        )
        .unwrap();
        let nginx = Command::new("nginx")
            .env(
                "PATH",
                format!("{}:/usr/sbin", std::env::var("PATH").unwrap()),
            )
            .args(["-p", folder.to_str().unwrap(), "-c", "nginx.conf", "-g"])
            // Where root starts it, the workers may write where root may; elsewhere nginx ignores the line.
            .arg(format!(
                "daemon off; user root; pid {}/pid;",
                folder.display()
            ))
            .stderr(Stdio::null())
            .spawn()
            .expect("nginx is installed");
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "the gateway does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
        Self {
            nginx,
            port,
            folder,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Status and body of an answer.
    fn ask(&self, request: &str) -> (u16, Value) {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        socket.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).expect(body))
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // SIGTERM, so that the workers end, too.
        let _ = Command::new("kill")
            .arg(self.nginx.id().to_string())
            .status();
        let _ = self.nginx.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn configuration(folder: &Path, port: u16, instances: &Instances<'_>) -> String {
    let deploy = checkout().join("deploy/gateway");
    let template = std::fs::read_to_string(deploy.join("nginx.conf.template")).unwrap();
    let refusals = deploy.join("refusals.conf");
    let server = |address: &SocketAddr| format!("server {address} max_fails=1 fail_timeout=1s;");
    let servers = |of: &[SocketAddr]| of.iter().map(server).collect::<String>();
    [
        ("GATEWAY_LISTEN", format!("127.0.0.1:{port}")),
        ("GATEWAY_ACCESS_LOG", "/dev/null".to_owned()),
        ("GATEWAY_TEMP", folder.join("temp").display().to_string()),
        ("GATEWAY_REFUSALS", refusals.display().to_string()),
        ("QUERY_SERVERS", servers(instances.query_service)),
        ("COMMAND_SERVERS", servers(instances.command_service)),
        ("MCP_SERVERS", servers(instances.mcp_server)),
    ]
    .into_iter()
    .fold(template, |text, (name, value)| {
        text.replace(&format!("${{{name}}}"), &value)
    })
}

const POST: &str =
    "POST /person/enrich HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
const GET: &str = "GET /credits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

#[test]
fn what_a_dying_service_left_unanswered_is_told_as_unknown_and_what_no_service_saw_is_not() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    let gateway = Gateway::start(&[service.local_addr().unwrap()]);
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

    let (status, body) = Gateway::start(&[nobody()]).ask(POST);
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

#[test]
fn while_one_of_several_instances_is_gone_another_answers_each_request_once() {
    let (there, asked) = service(Some("{}"));
    let gateway = Gateway::start(&[nobody(), there, nobody()]);
    for request in 1..=20 {
        assert_eq!(gateway.ask(POST), (200, json!({})));
        assert_eq!(asked.load(Ordering::SeqCst), request);
    }
}

#[test]
fn a_request_that_an_instance_has_taken_is_sent_to_no_other() {
    let instances = [service(None), service(None)];
    let gateway = Gateway::start(&[instances[0].0, instances[1].0]);
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
#[test]
fn a_path_without_its_slash_is_a_service_s_to_answer_and_no_redirect() {
    let (there, _) = service(Some("{}"));
    let gateway = Gateway::start(&[there]);
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
