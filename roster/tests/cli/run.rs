//! Runs the binary in a folder of its own, with an environment of its own.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};
use uuid::Uuid;

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The one JSON document on stdout of a command that did what it was asked.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{self:?}");
        self.document()
    }

    /// The one JSON document on stdout.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }

    /// The error body on stderr.
    pub(crate) fn error(&self) -> Value {
        let body: Value =
            serde_json::from_str(&self.stderr).unwrap_or_else(|fault| panic!("{fault}: {self:?}"));
        let keys: Vec<_> = body.as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            keys,
            ["error", "message", "request_id", "retryable", "details"]
        );
        body
    }
}

/// A folder that is gone when the test is over.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("roster-cli-{}", Uuid::new_v4()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The binary with its surroundings.
pub(crate) struct Roster {
    pub(crate) folder: Folder,
    environment: Vec<(String, String)>,
}

impl Roster {
    pub(crate) fn new() -> Self {
        Self {
            folder: Folder::new(),
            environment: Vec::new(),
        }
    }

    /// The binary that finds an admin server in its environment.
    pub(crate) fn at(url: &str) -> Self {
        Self::new()
            .with("ROSTER_ADMIN_URL", url)
            .with("ROSTER_ADMIN_TOKEN", "secret")
            .with("ROSTER_PROJECTOR_URL", url)
            .with("ROSTER_MCP_URLS", url)
    }

    /// The same in a folder that another run has used.
    pub(crate) fn in_folder(self, folder: Folder) -> Self {
        Self { folder, ..self }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) async fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with_input(arguments, b"").await
    }

    pub(crate) async fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = self.start(arguments, Stdio::piped());
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // A command that reads no input may be gone before it is written.
        tokio::spawn(async move { stdin.write_all(&input).await });
        ended(child).await
    }

    /// With this in place of the stdout that is kept.
    pub(crate) async fn run_into(&self, arguments: &[&str], stdout: impl Into<Stdio>) -> Ran {
        ended(self.start(arguments, stdout)).await
    }

    /// Still running; [`ended`] waits for it.
    pub(crate) fn start(&self, arguments: &[&str], stdout: impl Into<Stdio>) -> Child {
        Command::new(env!("CARGO_BIN_EXE_roster"))
            .args(arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(stdout)
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap()
    }
}

/// What it left behind when it has ended.
pub(crate) async fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().await.unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
