//! The operator: the `roster` command line against a stack.

use std::process::{Output, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use tokio::process::Command;
use tokio::time::timeout;

use crate::process::binary;
use crate::stack::Stack;

/// The limit of every command that is not given another: small builds are loaded in seconds.
const ENDS_WITHIN: Duration = Duration::from_secs(90);

/// How often a build is activated until all answer from it; each time is waited for half a minute.
const ACTIVATIONS: usize = 4;

impl Stack {
    /// Runs `roster … --json` and gives what it printed.
    ///
    /// # Errors
    /// When it refuses, or prints anything else than one JSON document.
    pub async fn roster(&self, arguments: &[&str]) -> anyhow::Result<Value> {
        self.roster_within(arguments, ENDS_WITHIN).await
    }

    /// [`Stack::roster`] for what takes longer: large builds.
    ///
    /// # Errors
    /// As for [`Stack::roster`].
    pub async fn roster_within(
        &self,
        arguments: &[&str],
        limit: Duration,
    ) -> anyhow::Result<Value> {
        let output = self.output_within(arguments, limit).await?;
        ensure!(
            output.status.success(),
            "roster {arguments:?}: {}{}",
            String::from_utf8_lossy(&output.stderr),
            String::from_utf8_lossy(&output.stdout)
        );
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("roster {arguments:?} printed no single JSON document"))
    }

    /// Runs `roster … --json`, whatever comes of it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn roster_output(&self, arguments: &[&str]) -> anyhow::Result<Output> {
        self.output_within(arguments, ENDS_WITHIN).await
    }

    async fn output_within(&self, arguments: &[&str], limit: Duration) -> anyhow::Result<Output> {
        let output = timeout(limit, self.command(arguments)?.output()).await;
        Ok(output
            .with_context(|| format!("roster {arguments:?} did not end within {limit:?}"))??)
    }

    /// `roster … --json`, ready to be started: it needs the stack no more, which may be hurt meanwhile.
    ///
    /// # Errors
    /// When the binary is not there.
    pub fn command(&self, arguments: &[&str]) -> anyhow::Result<Command> {
        // In the stack's folder, so that no `.data/env` of a running stack is found.
        let mut command = Command::new(binary("roster")?);
        command
            .args(arguments)
            .arg("--json")
            .current_dir(self.file(""))
            .env(
                "ROSTER_ADMIN_URL",
                format!("http://127.0.0.1:{}", self.ports.admin),
            )
            .env("ROSTER_ADMIN_TOKEN", &self.admin_token)
            .env(
                "ROSTER_PROJECTOR_URL",
                format!("http://127.0.0.1:{}", self.ports.projector),
            )
            .env(
                "ROSTER_MCP_URLS",
                format!("http://127.0.0.1:{}", self.ports.mcp),
            )
            .env("OBJECT_STORE", self.objects())
            .env("EVENT_STORE_URL", &self.event_store_url)
            .env("READ_MODEL_URL", &self.read_model_url)
            .env("KAFKA_BROKERS", &self.kafka_brokers)
            .env("TOPIC_PREFIX", &self.topic_prefix)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        Ok(command)
    }

    /// Loads `lines` as an active build of the kind, from which every query-service answers, and gives the answer of `ingest`.
    ///
    /// # Errors
    /// When the build is refused or fails.
    pub async fn ingest(&self, kind: &str, lines: &str) -> anyhow::Result<Value> {
        let file = self.file(&format!("{kind}.ndjson"));
        std::fs::write(&file, lines)?;
        let Some(file) = file.to_str() else {
            bail!("the temporary folder's path is not UTF-8");
        };
        let loaded = self.roster(&["ingest", "--kind", kind, file]).await?;
        self.until_answering(&loaded).await?;
        Ok(loaded)
    }

    /// An activation that was waited for in vain may have its answers later: on a slow machine, or in bad weather.
    async fn until_answering(&self, loaded: &Value) -> anyhow::Result<()> {
        let is_answering = |said: &Value| {
            said.get("waiting_for")
                .and_then(Value::as_array)
                .map(Vec::is_empty)
        };
        let mut said = loaded.clone();
        for _ in 0..ACTIVATIONS {
            if is_answering(&said).context("who is waited for is not said")? {
                return Ok(());
            }
            let build = loaded.get("build").and_then(Value::as_str);
            let build = build.context("the build has no name")?;
            said = self.roster(&["builds", "activate", build]).await?;
        }
        bail!("a build is active and not answered from: {said}");
    }
}
