//! Service processes: started with a log file, killed by their own pid, ended with the value.

use std::collections::HashSet;
use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use anyhow::{Context, bail};
use uuid::Uuid;

use crate::wait::until;

/// After a kill the shard leases of the dead owner must first run out.
const READY_WITHIN: Duration = Duration::from_secs(60);

/// One service: what it is started with, and its process while it runs.
#[derive(Debug)]
pub struct Process {
    name: &'static str,
    settings: Vec<(String, String)>,
    health_url: String,
    log: PathBuf,
    child: Option<Child>,
}

impl Process {
    /// Not started yet. `port` is that of its `/health/ready`.
    #[must_use]
    pub fn new(
        name: &'static str,
        port: u16,
        folder: &Path,
        settings: Vec<(String, String)>,
    ) -> Self {
        Self {
            name,
            settings,
            health_url: format!("http://127.0.0.1:{port}/health/ready"),
            log: folder.join(format!("{name}-{port}.log")),
            child: None,
        }
    }

    /// Starts the process and waits until it is ready.
    ///
    /// # Errors
    /// When it ends or is not ready in time: with the end of its log.
    pub async fn start(&mut self) -> anyhow::Result<()> {
        self.spawn()?;
        self.until_ready().await
    }

    /// Starts the process and returns at once.
    ///
    /// # Errors
    /// When the binary cannot be started.
    pub fn spawn(&mut self) -> anyhow::Result<()> {
        let log = File::options().create(true).append(true).open(&self.log)?;
        let child = Command::new(binary(self.name)?)
            .env_clear()
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("{} cannot be started", self.name))?;
        self.child = Some(child);
        Ok(())
    }

    /// Runs the binary with arguments and the same settings to its end; what it printed.
    ///
    /// # Errors
    /// When it cannot be started or fails: with what it said.
    pub fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let output = Command::new(binary(self.name)?)
            .args(arguments)
            .env_clear()
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{} {arguments:?}: {said}", self.name);
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Waits until the process answers that it is ready.
    ///
    /// # Errors
    /// As for [`Process::start`].
    pub async fn until_ready(&mut self) -> anyhow::Result<()> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let url = self.health_url.clone();
        let name = self.name;
        let ready = until(&format!("{name} is ready"), READY_WITHIN, async || {
            let ended = match self.child.as_mut().map(Child::try_wait) {
                Some(Ok(None)) => None,
                other => Some(format!("{name} has ended: {other:?}")),
            };
            if ended.is_some() {
                return Some(ended);
            }
            let answer = client
                .get(&url)
                .timeout(Duration::from_secs(2))
                .send()
                .await;
            answer
                .is_ok_and(|answer| answer.status().is_success())
                .then_some(None)
        })
        .await;
        match ready {
            Ok(None) => Ok(()),
            Ok(Some(ended)) => bail!("{ended}\n{}", self.end_of_log()),
            Err(fault) => bail!("{fault}\n{}", self.end_of_log()),
        }
    }

    /// SIGKILL to this very process; returns when it is gone.
    ///
    /// # Errors
    /// When it does not run.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        let mut child = self
            .child
            .take()
            .with_context(|| format!("{} does not run", self.name))?;
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    /// Sends a signal to this very process, as in `kill -s STOP`.
    ///
    /// # Errors
    /// When it does not run.
    pub fn signal(&self, signal: &str) -> anyhow::Result<()> {
        let child = self
            .child
            .as_ref()
            .with_context(|| format!("{} does not run", self.name))?;
        send_signal(child.id(), signal)
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.as_mut().map(Child::try_wait), Some(Ok(None)))
    }

    /// Everything that it has logged.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The last lines of its log.
    #[must_use]
    pub fn end_of_log(&self) -> String {
        let log = self.log();
        let lines: Vec<_> = log.lines().rev().take(15).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.child.is_some() {
            // The process may have ended already; there is nothing else to do about it here.
            let _ = self.kill();
        }
    }
}

/// `kill -s SIGNAL PID`.
///
/// # Errors
/// When there is no such process.
pub(crate) fn send_signal(pid: u32, signal: &str) -> anyhow::Result<()> {
    let pid = pid.to_string();
    let status = Command::new("kill").args(["-s", signal, &pid]).status()?;
    if !status.success() {
        bail!("kill -s {signal} {pid}: {status}");
    }
    Ok(())
}

/// The path of one of our binaries, as built by `make test`.
///
/// # Errors
/// When `ROSTER_BIN_DIR` is not set or holds no such binary.
pub fn binary(name: &str) -> anyhow::Result<PathBuf> {
    let folder =
        std::env::var("ROSTER_BIN_DIR").context("ROSTER_BIN_DIR is not set; run `make test`")?;
    let path = Path::new(&folder).join(name);
    if !path.is_file() {
        bail!("{} is not there; `make test` builds it", path.display());
    }
    Ok(path)
}

/// A port that is free now and that no other test of this process is given.
///
/// # Errors
/// When the system has none.
pub fn free_port() -> anyhow::Result<u16> {
    static GIVEN: LazyLock<Mutex<HashSet<u16>>> = LazyLock::new(Mutex::default);
    for _ in 0..1_000 {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let is_new = match GIVEN.lock() {
            Ok(mut given) => given.insert(port),
            Err(poisoned) => poisoned.into_inner().insert(port),
        };
        if is_new {
            return Ok(port);
        }
    }
    bail!("no free port")
}

/// A new empty folder in the system's place for temporary ones.
///
/// # Errors
/// When it cannot be made.
pub fn temporary_folder(name: &str) -> anyhow::Result<PathBuf> {
    let folder =
        std::env::temp_dir().join(format!("roster-test-{name}-{}", Uuid::new_v4().simple()));
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
