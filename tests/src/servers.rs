//! The servers that tests run against: those of the test run, or private ones that a test may stop.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use uuid::Uuid;

use crate::process::{free_port, send_signal, temporary_folder};

/// A Postgres on which databases can be made, and a Kafka broker.
#[derive(Debug, Clone)]
pub struct Servers {
    /// Administrator's URL, to the database `postgres`.
    pub postgres_url: String,
    /// `host:port`.
    pub kafka_brokers: String,
}

impl Servers {
    /// The servers of the test run.
    ///
    /// # Errors
    /// When the environment does not name them: `make test` does.
    pub fn of_test_run() -> anyhow::Result<Self> {
        let variable = |name: &str| {
            std::env::var(name).with_context(|| format!("{name} is not set; run `make test`"))
        };
        Ok(Self {
            postgres_url: variable("TEST_POSTGRES_URL")?,
            kafka_brokers: variable("TEST_KAFKA_BROKERS")?,
        })
    }

    /// Makes an empty database with a unique name and gives its URL.
    ///
    /// # Errors
    /// When the server refuses.
    pub async fn create_database(&self, name: &str) -> anyhow::Result<String> {
        let name = format!("roster_test_{}_{name}", Uuid::new_v4().simple());
        let mut admin = PgConnection::connect(&self.postgres_url)
            .await
            .context("TEST_POSTGRES_URL")?;
        admin
            .execute(AssertSqlSafe(format!("create database {name}")))
            .await?;
        admin.close().await?;
        self.url_of(&name)
    }

    /// Drops a database with whatever is connected to it, and makes it anew, empty: as an operator makes read models anew.
    ///
    /// # Errors
    /// When the server refuses.
    pub async fn make_database_anew(&self, name: &str) -> anyhow::Result<()> {
        let mut admin = PgConnection::connect(&self.postgres_url)
            .await
            .context("TEST_POSTGRES_URL")?;
        for statement in [
            format!("drop database {name} with (force)"),
            format!("create database {name}"),
        ] {
            admin.execute(AssertSqlSafe(statement)).await?;
        }
        Ok(admin.close().await?)
    }

    fn url_of(&self, database: &str) -> anyhow::Result<String> {
        let (server, _) = self
            .postgres_url
            .rsplit_once('/')
            .context("TEST_POSTGRES_URL names no database")?;
        Ok(format!("{server}/{database}"))
    }
}

/// A Postgres and a Kafka that belong to one test, which may stop and kill them. Removed with the value.
#[derive(Debug)]
pub struct PrivateServers {
    folder: PathBuf,
    ports: Vec<(&'static str, u16)>,
    /// Whether Postgres' files lie on a small disk of their own.
    is_on_small_disk: bool,
}

impl PrivateServers {
    /// Starts both.
    ///
    /// # Errors
    /// When the scripts of `deploy/stack` fail.
    pub fn start() -> anyhow::Result<Self> {
        let mut ports = Vec::new();
        for name in ["POSTGRES_PORT", "KAFKA_PORT", "KAFKA_CONTROLLER_PORT"] {
            ports.push((name, free_port()?));
        }
        let servers = Self {
            folder: temporary_folder("servers")?,
            ports,
            is_on_small_disk: false,
        };
        servers.command(&["start", "postgres", "kafka"])?;
        Ok(servers)
    }

    /// How to reach them.
    ///
    /// # Errors
    /// When the password that the scripts made cannot be read.
    pub fn servers(&self) -> anyhow::Result<Servers> {
        let secrets = std::fs::read_to_string(self.folder.join("secrets.env"))?;
        let password = secrets
            .lines()
            .find_map(|line| line.strip_prefix("POSTGRES_PASSWORD="))
            .context("no password")?;
        let port = |wanted: &str| {
            let found = self.ports.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, port)| *port).context("no such port")
        };
        Ok(Servers {
            postgres_url: format!(
                "postgres://roster:{password}@127.0.0.1:{}/postgres",
                port("POSTGRES_PORT")?
            ),
            kafka_brokers: format!("127.0.0.1:{}", port("KAFKA_PORT")?),
        })
    }

    /// Sends a signal to `postgres` or `kafka`: `QUIT` is Postgres' immediate stop.
    ///
    /// # Errors
    /// When it does not run.
    pub fn signal(&self, part: &str, signal: &str) -> anyhow::Result<()> {
        let file = self.folder.join("run").join(format!("{part}.pid"));
        let pid = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        send_signal(pid.trim().parse()?, signal)
    }

    /// `stack.sh start|stop|kill postgres|kafka`, as an operator would; returns when it is done.
    ///
    /// # Errors
    /// When the script fails.
    pub fn command(&self, arguments: &[&str]) -> anyhow::Result<()> {
        let script = checkout().join("deploy/stack/stack.sh");
        let output = Command::new(&script)
            .args(arguments)
            .env("ROSTER_DATA", &self.folder)
            .env("POSTGRES_FSYNC", "off")
            .envs(
                self.ports
                    .iter()
                    .map(|(name, port)| (name, port.to_string())),
            )
            .stdin(Stdio::null())
            .output()
            .with_context(|| script.display().to_string())?;
        ensure!(
            output.status.success(),
            "stack.sh {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }
}

/// What an operator does to the files of Postgres.
impl PrivateServers {
    /// Takes a base backup of the running server.
    ///
    /// # Errors
    /// When `pg_basebackup` fails.
    pub fn back_up(&self) -> anyhow::Result<()> {
        let url = self.servers()?.postgres_url;
        let mut backup = Command::new("pg_basebackup");
        backup.args(["--checkpoint=fast", "--wal-method=stream", "-d", &url, "-D"]);
        done(backup.arg(self.backup()))
    }

    /// Kills Postgres, takes all its files away and starts it from the base backup.
    ///
    /// # Errors
    /// When it does not start.
    pub fn restore(&self) -> anyhow::Result<()> {
        self.command(&["kill", "postgres"])?;
        std::fs::remove_dir_all(self.data())?;
        done(
            Command::new("cp")
                .arg("-a")
                .args([self.backup(), self.data()]),
        )?;
        self.give_to_postgres()?;
        self.command(&["start", "postgres"])
    }

    /// Moves the files of Postgres to a disk of so many MiB; false where mounting is not allowed.
    ///
    /// # Errors
    /// When Postgres does not start again.
    pub fn move_to_small_disk(&mut self, mib: u32) -> anyhow::Result<bool> {
        self.command(&["stop", "postgres"])?;
        std::fs::rename(self.data(), self.backup())?;
        std::fs::create_dir(self.data())?;
        let size = format!("size={mib}m,mode=700");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]);
        if done(mount.arg(self.data())).is_err() {
            return Ok(false);
        }
        self.is_on_small_disk = true;
        done(
            Command::new("cp")
                .arg("-aT")
                .args([self.backup(), self.data()]),
        )?;
        self.give_to_postgres()?;
        self.command(&["start", "postgres"])?;
        Ok(true)
    }

    /// Takes every free byte of the disk on which Postgres' files lie.
    ///
    /// # Errors
    /// When the file that takes them cannot be made.
    pub fn fill_disk(&self) -> anyhow::Result<()> {
        ensure!(self.is_on_small_disk, "only a small disk is filled");
        let mut ballast = std::fs::File::create(self.data().join("ballast"))?;
        for piece in [vec![0; 1 << 20], vec![0; 1 << 12]] {
            while ballast.write_all(&piece).is_ok() {}
        }
        Ok(())
    }

    /// Gives the bytes back.
    ///
    /// # Errors
    /// When there is nothing to give back.
    pub fn free_disk(&self) -> anyhow::Result<()> {
        Ok(std::fs::remove_file(self.data().join("ballast"))?)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("postgres/data")
    }

    fn backup(&self) -> PathBuf {
        self.folder.join("backup")
    }

    /// Under root the server runs as another user, to whom the folder above its files belongs.
    fn give_to_postgres(&self) -> anyhow::Result<()> {
        let owner = std::fs::canonicalize(self.folder.join("postgres"))?;
        let mut owner_of = std::ffi::OsString::from("--reference=");
        owner_of.push(owner);
        done(
            Command::new("chown")
                .arg("-R")
                .arg(owner_of)
                .arg(self.data()),
        )
    }
}

fn done(command: &mut Command) -> anyhow::Result<()> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("{command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

impl Drop for PrivateServers {
    fn drop(&mut self) {
        if self.is_on_small_disk {
            let _ = self.command(&["kill", "postgres"]);
            let _ = done(Command::new("umount").arg(self.data()));
        }
        // A failure here cannot fail the test any more; the folder is a temporary one.
        let _ = self.command(&["clean-data"]);
    }
}

/// The root of the checkout.
#[must_use]
pub fn checkout() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
