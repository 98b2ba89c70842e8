//! What the gateway itself says where no service answers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::process::{free_port, temporary_folder};
use tests::servers::checkout;

/// A gateway alone; its services are at one address.
struct Gateway {
    nginx: Child,
    port: u16,
    folder: std::path::PathBuf,
}

impl Gateway {
    fn start(services: &str) -> Self {
        let folder = temporary_folder("gateway").unwrap();
        std::fs::create_dir_all(folder.join("temp")).unwrap();
        let port = free_port().unwrap();
        std::fs::write(
            folder.join("nginx.conf"),
            configuration(&folder, port, services),
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

fn configuration(folder: &Path, port: u16, services: &str) -> String {
    let deploy = checkout().join("deploy/gateway");
    let template = std::fs::read_to_string(deploy.join("nginx.conf.template")).unwrap();
    let refusals = deploy.join("refusals.conf");
    [
        ("GATEWAY_LISTEN", format!("127.0.0.1:{port}")),
        ("GATEWAY_ACCESS_LOG", "/dev/null".to_owned()),
        ("GATEWAY_TEMP", folder.join("temp").display().to_string()),
        ("GATEWAY_REFUSALS", refusals.display().to_string()),
        ("QUERY_ADDRESS", services.to_owned()),
        ("COMMAND_ADDRESS", services.to_owned()),
        ("MCP_ADDRESS", services.to_owned()),
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
    let gateway = Gateway::start(&service.local_addr().unwrap().to_string());
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

    let nobody = format!("127.0.0.1:{}", free_port().unwrap());
    let (status, body) = Gateway::start(&nobody).ask(POST);
    assert_eq!((status, &body["details"]), (503, &details(None)));
}
