//! Each process of `make up`, killed with -9 one by one, is back after the next `make up`, and the whole answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tests::process::{free_port, temporary_folder};
use tests::servers::checkout;
use tests::wait::until;

const WITHIN: Duration = Duration::from_secs(30);

/// The settings of `deploy/settings.env` that are ports.
const PORTS: [&str; 10] = [
    "GATEWAY_PORT",
    "QUERY_PORT",
    "COMMAND_PORT",
    "COMMAND_INTERNAL_PORT",
    "COMMAND_ADMIN_PORT",
    "MCP_PORT",
    "PROJECTOR_PORT",
    "POSTGRES_PORT",
    "KAFKA_PORT",
    "KAFKA_CONTROLLER_PORT",
];
const PARTS: [&str; 7] = [
    "postgres",
    "kafka",
    "command-service",
    "projector",
    "query-service",
    "mcp-server",
    "gateway",
];

/// A stack that the scripts of `make up` started, in a folder of its own.
struct Scripted {
    folder: PathBuf,
    ports: BTreeMap<&'static str, u16>,
}

impl Scripted {
    fn new() -> Self {
        let ports = PORTS.map(|name| (name, free_port().unwrap()));
        Self {
            folder: temporary_folder("scripted").unwrap(),
            ports: BTreeMap::from(ports),
        }
    }

    fn stack(&self, arguments: &[&str]) {
        let output = Command::new(checkout().join("deploy/stack/stack.sh"))
            .args(arguments)
            .env("ROSTER_DATA", &self.folder)
            .env("POSTGRES_FSYNC", "off")
            .env("POSTGRES_SHARED_BUFFERS", "64MB")
            .env("TOPIC_PARTITIONS", "2")
            .envs(
                self.ports
                    .iter()
                    .map(|(name, port)| (name, port.to_string())),
            )
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "stack.sh {arguments:?}: {said}");
    }

    fn main_process(&self, part: &str) -> u32 {
        let file = self.folder.join(format!("run/{part}.pid"));
        std::fs::read_to_string(file)
            .unwrap()
            .trim()
            .parse()
            .unwrap()
    }

    /// The main process of a part, then its children.
    fn processes(&self, part: &str) -> Vec<u32> {
        let main = self.main_process(part);
        let mut processes = vec![main];
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let pid = entry.file_name().to_string_lossy().parse::<u32>();
            let parent = std::fs::read_to_string(entry.path().join("stat"))
                .ok()
                .and_then(|stat| {
                    stat.rsplit_once(')')?
                        .1
                        .split_whitespace()
                        .nth(1)?
                        .parse()
                        .ok()
                });
            processes.extend(pid.ok().filter(|_| parent == Some(main)));
        }
        processes
    }

    /// What each way through the gateway answers who has no key, and whether the projector is ready.
    async fn answers(&self) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let at = |port: &str, path: &str| format!("http://127.0.0.1:{}{path}", self.ports[port]);
        let json = |url: String| client.post(url).json(&serde_json::json!({}));
        until("everything answers", Duration::from_secs(60), async || {
            let asked = [
                (json(at("GATEWAY_PORT", "/person/enrich")), 401),
                (client.get(at("GATEWAY_PORT", "/credits")), 401),
                (json(at("GATEWAY_PORT", "/mcp")), 401),
                (client.get(at("PROJECTOR_PORT", "/health/ready")), 200),
            ];
            for (request, status) in asked {
                let answer = request.timeout(Duration::from_secs(5)).send().await.ok()?;
                if answer.status() != status {
                    return None;
                }
            }
            Some(())
        })
        .await
        .unwrap();
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stack(&["clean-data"]);
        }
    }
}

fn kill(process: u32) {
    let killed = Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

fn is_there(process: u32) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat"));
    // A zombie has ended.
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_process_that_is_killed_is_back_after_the_next_make_up() {
    let stack = Scripted::new();
    stack.stack(&["start"]);
    stack.answers().await;
    for part in PARTS {
        // Of Postgres' many children one will do: it starts all of them anew when one is killed.
        let count = stack.processes(part).len().min(3);
        assert!(part != "gateway" || count > 1, "nginx has workers");
        for place in 0..count {
            kill(stack.processes(part)[place]);
            stack.stack(&["start"]);
            stack.answers().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_of_a_killed_gateway_give_its_port_back_whatever_is_known_of_them() {
    let stack = Scripted::new();
    let crashes: [fn(&Scripted); 3] = [
        |_| {},
        // `make down` or `make restart` in between.
        |stack| stack.stack(&["stop", "gateway"]),
        |stack| std::fs::remove_file(stack.folder.join("run/gateway.pid")).unwrap(),
    ];
    stack.stack(&["start", "gateway"]);
    for crash in crashes {
        until("nginx has workers", WITHIN, async || {
            (stack.processes("gateway").len() > 1).then_some(())
        })
        .await
        .unwrap();
        let processes = stack.processes("gateway");
        kill(processes[0]);
        crash(&stack);
        stack.stack(&["start", "gateway"]);
        assert!(processes.iter().all(|process| !is_there(*process)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_whose_children_do_not_end_with_it_starts_again() {
    let stack = Scripted::new();
    stack.stack(&["start", "postgres"]);
    let processes = stack.processes("postgres");
    // As one that computes for minutes without looking whether its server lives.
    let stopped = processes[1].to_string();
    let held = Command::new("kill").args(["-STOP", &stopped]).status();
    assert!(held.unwrap().success());
    kill(processes[0]);
    stack.stack(&["start", "postgres"]);
    assert!(!is_there(processes[1]));
}
