//! One test's own stack: databases, topics, folder and the service processes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use sqlx::postgres::PgPoolOptions;
use sqlx::{PgPool, Row};
use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

use crate::gateway::{Behind, Gateway};
use crate::process::{Process, free_port, temporary_folder};
use crate::servers::Servers;
use crate::wait::until;
use crate::wiring::{Wire, Wiring};

/// Stacks that run at once: tests share two cores and one Postgres with a limited number of connections.
static STACKS: Semaphore = Semaphore::const_new(2);

/// The limit of every wait for a projection.
const PROJECTED_WITHIN: Duration = Duration::from_secs(60);

const HALVES: &str =
    "select count(*) from (select address from shard_lease where expires_at > now()
    group by address having count(*) = 32) half";

/// A service of the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Decides.
    CommandService,
    /// Folds.
    Projector,
    /// Answers.
    QueryService,
    /// Fronts.
    McpServer,
    /// Decides for the other shards, in a stack of [`Stack::start_pair`].
    SecondCommandService,
}

/// Where the parts of one stack listen.
#[derive(Debug, Clone, Copy)]
pub struct Ports {
    /// command-service's public listener.
    pub command: u16,
    /// command-service's internal listener.
    pub internal: u16,
    /// command-service's admin listener.
    pub admin: u16,
    /// query-service.
    pub query: u16,
    /// mcp-server.
    pub mcp: u16,
    /// projector's admin listener.
    pub projector: u16,
}

/// A running stack. Its processes are killed and its folder is removed with it.
#[derive(Debug)]
pub struct Stack {
    /// Ports of its services.
    pub ports: Ports,
    /// Those of the second command-service, in a stack of a pair.
    pub second: Option<CommandPorts>,
    /// Prefix of its topics.
    pub topic_prefix: String,
    /// Broker of its topics.
    pub kafka_brokers: String,
    /// The operators' token.
    pub admin_token: String,
    /// The token by which query-service admits, settles and releases.
    pub query_service_token: String,
    /// URL of the event store.
    pub event_store_url: String,
    /// URL of the read models.
    pub read_model_url: String,
    event_store: PgPool,
    read_model: PgPool,
    folder: PathBuf,
    processes: Vec<(Part, Process)>,
    gateway: Option<Gateway>,
    _permit: SemaphorePermit<'static>,
}

impl Stack {
    /// A stack on the servers of the test run, all parts ready.
    ///
    /// # Errors
    /// When something does not start: with the end of its log.
    pub async fn start() -> anyhow::Result<Self> {
        Self::start_on(&Servers::of_test_run()?).await
    }

    /// A stack on these servers, all parts ready.
    ///
    /// # Errors
    /// As for [`Stack::start`].
    pub async fn start_on(servers: &Servers) -> anyhow::Result<Self> {
        Self::start_with(servers, &[]).await
    }

    /// A stack on these servers whose services are given further settings.
    ///
    /// # Errors
    /// As for [`Stack::start`].
    pub async fn start_with(servers: &Servers, further: &[(&str, &str)]) -> anyhow::Result<Self> {
        Self::start_wired(servers, further, Wiring::default()).await
    }

    /// A stack with two instances of command-service, which share the shards.
    ///
    /// # Errors
    /// As for [`Stack::start`].
    pub async fn start_pair() -> anyhow::Result<Self> {
        let wiring = Wiring {
            is_pair: true,
            ..Wiring::default()
        };
        Self::start_wired(&Servers::of_test_run()?, &[], wiring).await
    }

    /// A stack on these servers whose parts are wired in another way, and are given further settings.
    ///
    /// # Errors
    /// As for [`Stack::start`].
    pub async fn start_wired(
        servers: &Servers,
        further: &[(&str, &str)],
        wiring: Wiring,
    ) -> anyhow::Result<Self> {
        let second = wiring.is_pair.then(CommandPorts::free).transpose()?;
        let permit = STACKS.acquire().await?;
        let folder = temporary_folder("stack")?;
        let ports = Ports {
            command: free_port()?,
            internal: free_port()?,
            admin: free_port()?,
            query: free_port()?,
            mcp: free_port()?,
            projector: free_port()?,
        };
        let event_store_url = servers.create_database("events").await?;
        let read_model_url = servers.create_database("reads").await?;
        let topic_prefix = format!("test-{}-", Uuid::new_v4().simple());
        let admin_token = Uuid::new_v4().simple().to_string();
        let tokens = PartTokens::new();
        let settings = Settings {
            ports,
            second,
            event_store_url: &event_store_url,
            read_model_url: &read_model_url,
            wiring: &wiring,
            kafka_brokers: &servers.kafka_brokers,
            topic_prefix: &topic_prefix,
            admin_token: &admin_token,
            tokens: &tokens,
            secret: Uuid::new_v4().simple().to_string(),
            folder: &folder,
            further,
        };
        let pool = |url: &str| PgPoolOptions::new().max_connections(2).connect_lazy(url);
        let mut stack = Self {
            event_store: pool(&event_store_url)?,
            read_model: pool(&read_model_url)?,
            processes: settings.processes()?,
            gateway: None,
            kafka_brokers: servers.kafka_brokers.clone(),
            ports,
            second,
            topic_prefix,
            admin_token,
            query_service_token: tokens.query_service,
            event_store_url,
            read_model_url,
            folder,
            _permit: permit,
        };
        for (_, process) in &mut stack.processes {
            process.start().await?;
        }
        if wiring.has_gateway {
            let behind = behind_gateway(&wiring, ports, second);
            stack.gateway = Some(Gateway::start(&stack.folder, &behind).await?);
        }
        Ok(stack)
    }

    /// Where clients reach the gateway, in a stack that has one.
    #[must_use]
    pub fn gateway_url(&self) -> Option<String> {
        self.gateway.as_ref().map(Gateway::url)
    }

    /// One of the processes.
    pub fn process(&mut self, part: Part) -> &mut Process {
        let mut processes = self.processes.iter_mut();
        let found = processes.find_map(|(one, process)| (*one == part).then_some(process));
        found.unwrap_or_else(|| unreachable!("only a stack of start_pair has {part:?}"))
    }

    /// `kill -9`, then started again and ready.
    ///
    /// # Errors
    /// When it does not become ready again.
    pub async fn crash(&mut self, part: Part) -> anyhow::Result<()> {
        let process = self.process(part);
        process.kill()?;
        process.start().await
    }

    /// Copies the logs of the processes into `folder`.
    ///
    /// # Errors
    /// When they cannot be copied.
    pub fn keep_logs(&self, folder: &Path) -> anyhow::Result<()> {
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let is_log = path.extension().is_some_and(|extension| extension == "log");
            if let Some(name) = path.file_name().filter(|_| is_log) {
                std::fs::copy(&path, folder.join(name))?;
            }
        }
        Ok(())
    }

    /// The folder of the object store.
    #[must_use]
    pub fn objects(&self) -> PathBuf {
        objects(&self.folder)
    }

    /// A place for files of the test.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The event store, for reading.
    #[must_use]
    pub fn event_store(&self) -> &PgPool {
        &self.event_store
    }

    /// The read models, for reading.
    #[must_use]
    pub fn read_model(&self) -> &PgPool {
        &self.read_model
    }

    /// Waits until the projector has applied everything that stands in the event store at this moment.
    ///
    /// # Errors
    /// When it has not within a minute: with the positions that are missing.
    pub async fn until_projected(&mut self) -> anyhow::Result<()> {
        let wanted = self.heads().await?;
        let pool = self.read_model.clone();
        let mut missing = Vec::new();
        let reached = until("the projector catches up", PROJECTED_WITHIN, async || {
            missing = behind(&pool, &wanted).await.ok()?;
            missing.is_empty().then_some(())
        })
        .await;
        reached.with_context(|| {
            let log = self.process(Part::Projector).end_of_log();
            format!("behind (topic, shard, wanted topic_seq): {missing:?}\n{log}")
        })
    }

    /// Waits until each instance of a pair owns its half of the shards, of which none moves any more.
    ///
    /// # Errors
    /// When they do not within a minute.
    pub async fn until_halves(&self) -> anyhow::Result<()> {
        until("both own a half", Duration::from_secs(60), async || {
            let halves = sqlx::query_scalar(HALVES).fetch_one(&self.event_store);
            (halves.await.ok() == Some(2_i64)).then_some(())
        })
        .await
    }

    /// The last place of every (topic, shard) in the event store.
    async fn heads(&self) -> anyhow::Result<Vec<(String, i16, i64)>> {
        let rows = sqlx::query("select shard, topic_seqs from shard_head")
            .fetch_all(&self.event_store)
            .await?;
        let mut heads = Vec::new();
        for row in rows {
            let shard: i16 = row.try_get("shard")?;
            let topic_seqs: Vec<i64> = row.try_get("topic_seqs")?;
            for (topic, last) in events_schema::topics::Topic::ALL.iter().zip(topic_seqs) {
                heads.push((topic.name().to_owned(), shard, last));
            }
        }
        Ok(heads)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        for (_, process) in &mut self.processes {
            if process.is_running() {
                let _ = process.kill();
            }
        }
        // Kept when a test fails: the logs say why.
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// Which of the wanted places the projector has not reached.
async fn behind(
    read_model: &PgPool,
    wanted: &[(String, i16, i64)],
) -> Result<Vec<(String, i16, i64)>, sqlx::Error> {
    let rows = sqlx::query("select topic, shard, topic_seq from shard_checkpoint")
        .fetch_all(read_model)
        .await?;
    let mut reached = std::collections::HashMap::new();
    for row in rows {
        let key: (String, i16) = (row.try_get("topic")?, row.try_get("shard")?);
        reached.insert(key, row.try_get::<i64, _>("topic_seq")?);
    }
    Ok(wanted
        .iter()
        .filter(|(topic, shard, last)| {
            reached.get(&(topic.clone(), *shard)).copied().unwrap_or(0) < *last
        })
        .cloned()
        .collect())
}

fn objects(folder: &Path) -> PathBuf {
    folder.join("objects")
}

fn behind_gateway(wiring: &Wiring, ports: Ports, second: Option<CommandPorts>) -> Behind {
    let command = wiring.port(Wire::GatewayToCommandService, ports.command);
    let second = second.map(|second| second.public);
    Behind {
        query: vec![wiring.port(Wire::GatewayToQueryService, ports.query)],
        command: [Some(command), second].into_iter().flatten().collect(),
        mcp: vec![wiring.port(Wire::GatewayToMcpServer, ports.mcp)],
    }
}

/// Where one instance of command-service listens.
#[derive(Debug, Clone, Copy)]
pub struct CommandPorts {
    /// For customers.
    pub public: u16,
    /// For the other parts.
    pub internal: u16,
    /// For operators.
    pub admin: u16,
}

impl CommandPorts {
    fn free() -> anyhow::Result<Self> {
        Ok(Self {
            public: free_port()?,
            internal: free_port()?,
            admin: free_port()?,
        })
    }
}

/// What the parts show to each other, and the secret of the instances of command-service.
struct PartTokens {
    query_service: String,
    projector: String,
    mcp_server: String,
    peers: String,
    records: String,
    forward_secret: String,
}

impl PartTokens {
    fn new() -> Self {
        let random = || Uuid::new_v4().simple().to_string();
        Self {
            query_service: random(),
            projector: random(),
            mcp_server: random(),
            peers: random(),
            records: random(),
            forward_secret: random(),
        }
    }
}

/// What the services are started with.
struct Settings<'a> {
    ports: Ports,
    second: Option<CommandPorts>,
    event_store_url: &'a str,
    read_model_url: &'a str,
    wiring: &'a Wiring,
    kafka_brokers: &'a str,
    topic_prefix: &'a str,
    admin_token: &'a str,
    tokens: &'a PartTokens,
    secret: String,
    folder: &'a Path,
    further: &'a [(&'a str, &'a str)],
}

impl Settings<'_> {
    /// In the order in which they start.
    fn processes(&self) -> anyhow::Result<Vec<(Part, Process)>> {
        let wiring = self.wiring;
        let at = |port: u16| format!("127.0.0.1:{port}");
        let url = |port: u16| format!("http://127.0.0.1:{port}");
        let ports = self.ports;
        let first = CommandPorts {
            public: ports.command,
            internal: ports.internal,
            admin: ports.admin,
        };
        let mut reached = vec![wiring.port(Wire::Ledger, first.internal)];
        let service = self.command_service(first, Wire::Ledger, Wire::EventStore)?;
        let mut processes = vec![(Part::CommandService, service)];
        if let Some(second) = self.second {
            reached.push(wiring.port(Wire::SecondLedger, second.internal));
            let service =
                self.command_service(second, Wire::SecondLedger, Wire::SecondEventStore)?;
            processes.push((Part::SecondCommandService, service));
        }
        let internals: Vec<String> = reached.into_iter().map(url).collect();
        let internals = internals.join(",");
        let projector = self.process(
            "projector",
            ports.projector,
            &[
                (
                    "READ_MODEL_URL",
                    wiring.database(Wire::Folds, self.read_model_url)?,
                ),
                ("PROJECTOR_LISTEN", at(ports.projector)),
                // A killed projector's build is taken over soon.
                ("SEARCH_LEASE", "2s".to_owned()),
                (
                    "SEARCH_SPOOL",
                    self.folder.join("spool").display().to_string(),
                ),
                ("COMMAND_SERVICE_URLS", internals.clone()),
                ("INTERNAL_TOKEN", self.tokens.projector.clone()),
                ("ADMIN_TOKENS", format!("operator:{}", self.admin_token)),
            ],
        );
        let query_service = self.process(
            "query-service",
            ports.query,
            &[
                (
                    "QUERY_SERVICE_READ_MODEL_URL",
                    wiring.database(Wire::Answers, self.read_model_url)?,
                ),
                ("QUERY_SERVICE_LISTEN", at(ports.query)),
                (
                    "SEARCH_FOLDER",
                    self.folder.join("search").display().to_string(),
                ),
                ("COMMAND_SERVICE_URLS", internals.clone()),
                ("INTERNAL_TOKEN", self.tokens.query_service.clone()),
                (
                    "INTERNAL_TOKENS",
                    format!("command-service:{}", self.tokens.records),
                ),
                ("REQUEST_HASH_SECRET", self.secret.clone()),
            ],
        );
        let mcp_server = self.process(
            "mcp-server",
            ports.mcp,
            &[
                ("MCP_SERVER_LISTEN", at(ports.mcp)),
                ("COMMAND_SERVICE_URLS", internals),
                ("INTERNAL_TOKEN", self.tokens.mcp_server.clone()),
                (
                    "COMMAND_SERVICE_PUBLIC_URL",
                    url(wiring.port(Wire::ReportTools, ports.command)),
                ),
                (
                    "QUERY_SERVICE_URL",
                    url(wiring.port(Wire::Tools, ports.query)),
                ),
            ],
        );
        processes.extend([
            (Part::Projector, projector),
            (Part::QueryService, query_service),
            (Part::McpServer, mcp_server),
        ]);
        Ok(processes)
    }

    /// `reached` is the wire by which others reach its internal listener, `store` its own to Postgres.
    fn command_service(
        &self,
        ports: CommandPorts,
        reached: Wire,
        store: Wire,
    ) -> anyhow::Result<Process> {
        let at = |port: u16| format!("127.0.0.1:{port}");
        let wiring = self.wiring;
        let own = [
            (
                "EVENT_STORE_URL",
                wiring.database(store, self.event_store_url)?,
            ),
            ("COMMAND_SERVICE_PUBLIC_LISTEN", at(ports.public)),
            ("COMMAND_SERVICE_INTERNAL_LISTEN", at(ports.internal)),
            (
                "COMMAND_SERVICE_INTERNAL_ADDRESS",
                format!("http://{}", at(wiring.port(reached, ports.internal))),
            ),
            ("COMMAND_SERVICE_ADMIN_LISTEN", at(ports.admin)),
            (
                "QUERY_SERVICE_URL",
                format!(
                    "http://{}",
                    at(wiring.port(Wire::Records, self.ports.query))
                ),
            ),
            ("ADMIN_TOKENS", format!("operator:{}", self.admin_token)),
            (
                "INTERNAL_TOKENS_QUERY_SERVICE",
                format!("query-service:{}", self.tokens.query_service),
            ),
            (
                "INTERNAL_TOKENS_PROJECTOR",
                format!("projector:{}", self.tokens.projector),
            ),
            (
                "INTERNAL_TOKENS_MCP_SERVER",
                format!("mcp-server:{}", self.tokens.mcp_server),
            ),
            (
                "INTERNAL_TOKENS_PEERS",
                format!("peer:{}", self.tokens.peers),
            ),
            ("PEER_TOKEN", self.tokens.peers.clone()),
            ("RECORDS_TOKEN", self.tokens.records.clone()),
            ("FORWARD_SECRETS", self.tokens.forward_secret.clone()),
            ("API_KEY_PEPPER", self.secret.clone()),
            ("REQUEST_HASH_SECRET", self.secret.clone()),
        ];
        Ok(self.process("command-service", ports.public, &own))
    }

    fn process(&self, name: &'static str, port: u16, own: &[(&str, String)]) -> Process {
        let shared = [
            ("KAFKA_BROKERS", self.kafka_brokers.to_owned()),
            ("TOPIC_PREFIX", self.topic_prefix.to_owned()),
            ("OBJECT_STORE", objects(self.folder).display().to_string()),
            ("LOG", "info".to_owned()),
            // Debug builds on a busy machine take long to connect; the tests are about other limits.
            ("DATABASE_ACQUIRE_TIMEOUT", "8s".to_owned()),
        ];
        let further = self.further.iter();
        let further = further.map(|(name, value)| (*name, (*value).to_owned()));
        let settings = own.iter().cloned().chain(shared).chain(further);
        let settings = settings
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Process::new(name, port, self.folder, settings)
    }
}
