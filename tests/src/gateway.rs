//! The gateway of a stack: nginx with the configuration that is deployed.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpStream;

use crate::process::{free_port, send_signal};
use crate::servers::checkout;
use crate::wait::until;

/// The ports of the instances behind it.
#[derive(Debug, Default)]
pub struct Behind {
    /// query-service.
    pub query: Vec<u16>,
    /// command-service's public listeners.
    pub command: Vec<u16>,
    /// mcp-server.
    pub mcp: Vec<u16>,
}

impl Behind {
    /// Every part at each of these addresses of this machine.
    #[must_use]
    pub fn all_at(services: &[SocketAddr]) -> Self {
        let ports: Vec<u16> = services.iter().map(SocketAddr::port).collect();
        Self {
            query: ports.clone(),
            command: ports.clone(),
            mcp: ports,
        }
    }
}

/// A running gateway. It ends with the value.
#[derive(Debug)]
pub struct Gateway {
    nginx: Child,
    port: u16,
}

impl Gateway {
    /// Starts it with its files in `folder`; it listens when this returns.
    ///
    /// # Errors
    /// When nginx is not there, or does not listen.
    pub async fn start(folder: &Path, behind: &Behind) -> anyhow::Result<Self> {
        Self::start_with(folder, behind, &[]).await
    }

    /// The same where some of its lines, each in the words of the template, are others.
    ///
    /// # Errors
    /// As of [`Self::start`]; when the template has no such line.
    pub async fn start_with(
        folder: &Path,
        behind: &Behind,
        lines: &[(&str, &str)],
    ) -> anyhow::Result<Self> {
        let port = free_port()?;
        let folder = folder.join("gateway");
        std::fs::create_dir_all(folder.join("temp"))?;
        let file = folder.join("nginx.conf");
        let mut text = configuration(&folder, port, behind)?;
        for (deployed, here) in lines {
            anyhow::ensure!(text.contains(deployed), "the gateway has no {deployed:?}");
            text = text.replace(deployed, here);
        }
        std::fs::write(&file, text)?;
        let log = File::create(folder.with_extension("log"))?;
        let nginx = Command::new(nginx())
            .arg("-p")
            .arg(&folder)
            .arg("-c")
            .arg(&file)
            .arg("-g")
            // Where root starts it, the workers may write where root may; elsewhere nginx ignores the line.
            .arg(format!(
                "daemon off; user root; pid {}/pid;",
                folder.display()
            ))
            .stdin(Stdio::null())
            .stderr(log)
            .spawn()
            .context("nginx")?;
        let gateway = Self { nginx, port };
        until("the gateway listens", Duration::from_secs(20), async || {
            TcpStream::connect(("127.0.0.1", port)).await.ok().map(drop)
        })
        .await?;
        Ok(gateway)
    }

    /// Where clients reach it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // SIGTERM, so that the workers end, too.
        let _ = send_signal(self.nginx.id(), "TERM");
        let _ = self.nginx.wait();
    }
}

/// Debian has it where only root looks.
fn nginx() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = std::env::split_paths(&path).collect();
    folders.push(PathBuf::from("/usr/sbin"));
    let mut files = folders.iter().map(|folder| folder.join("nginx"));
    let found = files.find(|file| file.is_file());
    found.unwrap_or_else(|| PathBuf::from("nginx"))
}

fn configuration(folder: &Path, port: u16, behind: &Behind) -> anyhow::Result<String> {
    let deploy = checkout().join("deploy/gateway");
    let template = std::fs::read_to_string(deploy.join("nginx.conf.template"))?;
    let servers = |ports: &[u16]| -> String {
        let server = |port| format!("server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;");
        ports.iter().map(server).collect()
    };
    let shown = |path: PathBuf| path.display().to_string();
    let settings = [
        ("GATEWAY_LISTEN", format!("127.0.0.1:{port}")),
        ("GATEWAY_ACCESS_LOG", "/dev/null".to_owned()),
        ("GATEWAY_TEMP", shown(folder.join("temp"))),
        ("GATEWAY_REFUSALS", shown(deploy.join("refusals.conf"))),
        ("QUERY_SERVERS", servers(&behind.query)),
        ("COMMAND_SERVERS", servers(&behind.command)),
        ("MCP_SERVERS", servers(&behind.mcp)),
    ];
    Ok(settings.into_iter().fold(template, |text, (name, value)| {
        text.replace(&format!("${{{name}}}"), &value)
    }))
}
