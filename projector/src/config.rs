//! Settings, read once in `main`. Every default stands here.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use service_kit::config::{ConfigFault, Reader, Secret};
use service_kit::kafka::KafkaAddress;
use service_kit::serve::ServeConfig;
use service_kit::telemetry::TelemetryConfig;
use service_kit::token::Tokens;

use crate::comparison::ComparisonConfig;
use crate::consumer::gap::PAGE;
use crate::database::Limits;

/// Where Kafka is and what its topics are called.
#[derive(Debug, Clone)]
pub struct KafkaConfig {
    /// Where it is.
    pub address: KafkaAddress,
    /// Before every topic's name.
    pub topic_prefix: String,
    /// Partitions of a topic.
    pub partitions: i32,
    /// What the client may read ahead.
    pub max_queued_kib: u32,
}

impl KafkaConfig {
    /// The whole name of a topic.
    #[must_use]
    pub fn topic(&self, name: &str) -> String {
        format!("{}{name}", self.topic_prefix)
    }
}

/// How events are consumed.
#[derive(Debug, Clone)]
pub struct ConsumerConfig {
    /// Kafka.
    pub kafka: KafkaConfig,
    /// Most events in a transaction.
    pub max_batch: usize,
    /// Longest wait for a batch to fill after its first event.
    pub max_wait: Duration,
    /// How long a partition is held without renewal.
    pub lease: Duration,
    /// How often the read models are compared with the event store.
    pub tail_look: Duration,
    /// Above so many parked keys consuming stops.
    pub max_parked_keys: i64,
    /// How long the database is waited for.
    pub limits: Limits,
}

/// How data builds are loaded.
#[derive(Debug, Clone)]
pub struct BuildsConfig {
    /// Folder or `file://` URL of the object store.
    pub object_store: String,
    /// Chunks that are loaded at a time.
    pub workers: usize,
    /// How often the loader looks for work.
    pub poll: Duration,
    /// Tries of a chunk, and of ranking, until the build fails; a fault that would come again for certain has only one.
    pub attempts: i32,
    /// Between the first try and the second; doubled each time, up to 5 minutes.
    pub pause: Duration,
    /// A build fails above this many rejected lines, if they are also above `max_rejected_share`.
    pub max_rejected: u64,
    /// One in so many lines.
    pub max_rejected_share: u64,
    /// What a current data point needs to be high or moderate where the build gives no level.
    pub levels: Levels,
    /// Builds of a kind that stay readable after they were active.
    pub kept_builds: i64,
    /// A retired build is kept at least this long (answers of an `Idempotency-Key` are rendered from it).
    pub keep_retired: Duration,
    /// An abandoned build is dropped after this; above the 30 s of a request.
    pub drop_grace: Duration,
    /// A failed build, with its rejects file, is dropped after this.
    pub failed_grace: Duration,
    /// Memory for sorting and for building indexes, in MiB.
    pub sort_memory_mib: u32,
    /// Role that reads builds; none = only the owner.
    pub reader_role: Option<String>,
    /// How their search files are written.
    pub search_files: SearchFilesConfig,
    /// How long the database is waited for.
    pub limits: Limits,
}

/// How the search files of a build are written, one build at a time in a process.
#[derive(Debug, Clone)]
pub struct SearchFilesConfig {
    /// Folder on the local disk, for this service and its read model alone: values and finished files lie here until
    /// they are in the object store. It takes about twice what the files of a build take.
    pub spool: PathBuf,
    /// What the writer may hold in memory, about, in bytes.
    pub memory_bytes: usize,
    /// How long a build is another process's after its last word.
    pub lease: Duration,
    /// Tries until a build fails; what passes by itself (the database is away, an orderly stop) is not counted.
    pub attempts: i32,
    /// Between the first try and the second; doubled each time, up to 5 minutes.
    pub pause: Duration,
}

/// Levels of data points that the build does not give (`docs/RECORDS.md`, "Confidence").
#[derive(Debug, Clone, Copy)]
pub struct Levels {
    /// Sources of a high data point.
    pub high_sources: i64,
    /// Months within which it was seen.
    pub high_months: u32,
    /// Sources that make a data point moderate whenever it was seen.
    pub moderate_sources: i64,
    /// Months within which any data point is moderate.
    pub moderate_months: u32,
}

impl Default for Levels {
    fn default() -> Self {
        Self {
            high_sources: 3,
            high_months: 12,
            moderate_sources: 2,
            moderate_months: 24,
        }
    }
}

/// Everything.
#[derive(Debug, Clone)]
pub struct Config {
    /// Database of the read models, as their owner.
    pub read_model_url: Secret<String>,
    /// Connections to it, unless loading needs more.
    pub max_connections: u32,
    /// How long it is waited for.
    pub limits: Limits,
    /// The admin listener.
    pub listen: SocketAddr,
    /// Tokens that may use it.
    pub tokens: Tokens,
    /// Internal base addresses of command-service.
    pub command_service_urls: Vec<String>,
    /// The token that it sends to command-service.
    pub internal_token: Option<Secret<String>>,
    /// Events.
    pub consumer: ConsumerConfig,
    /// Read models beside the event store.
    pub comparison: ComparisonConfig,
    /// Data builds.
    pub builds: BuildsConfig,
    /// Connections of the listener.
    pub serve: ServeConfig,
    /// Logs, traces, metrics.
    pub telemetry: TelemetryConfig,
}

/// What the writer of search files may hold unless it is set.
const DEFAULT_SEARCH_MEMORY: u64 = 512 << 20;
/// Below this the writer would spend its time on merging.
const LEAST_SEARCH_MEMORY: usize = 16 << 20;
/// A lease is renewed three times in its time.
const SHORTEST_LEASE: Duration = Duration::from_millis(300);
/// Without a pause the comparison would take all that store and read models can give.
const SHORTEST_COMPARE_PAUSE: Duration = Duration::from_millis(10);
/// Connections that everything but loading needs: consumer, listener, outcomes, search files, comparison.
const OTHER_CONNECTIONS: usize = 10;

impl Config {
    /// Connections of the pool: a worker that loads holds two at a time and must never wait for another one's.
    #[must_use]
    pub fn connections(&self) -> u32 {
        let needed = self
            .builds
            .workers
            .saturating_mul(2)
            .saturating_add(OTHER_CONNECTIONS);
        u32::try_from(needed)
            .unwrap_or(u32::MAX)
            .max(self.max_connections)
    }

    /// Reads the settings.
    ///
    /// # Errors
    /// All faults together.
    pub fn read(mut r: Reader) -> Result<Self, ConfigFault> {
        let mut urls = r.list("COMMAND_SERVICE_URLS");
        if urls.is_empty() {
            urls.push("http://127.0.0.1:8083".to_owned());
        }
        let limits = limits(&mut r);
        let config = Self {
            limits,
            read_model_url: r.secret("READ_MODEL_URL"),
            max_connections: r.at_least_one("MAX_DATABASE_CONNECTIONS", 16),
            listen: r.socket_addr("LISTEN", SocketAddr::from((Ipv4Addr::LOCALHOST, 8086))),
            tokens: r.optional("ADMIN_TOKENS").unwrap_or_default(),
            command_service_urls: urls,
            internal_token: r.optional_secret("INTERNAL_TOKEN"),
            consumer: consumer(&mut r, limits),
            comparison: comparison(&mut r, limits),
            builds: builds(&mut r, limits),
            serve: ServeConfig::read(&mut r),
            telemetry: TelemetryConfig::read(&mut r),
        };
        r.finish()?;
        Ok(config)
    }
}

fn limits(r: &mut Reader) -> Limits {
    let default = Limits::default();
    Limits {
        answer: r.duration("ANSWER_TIMEOUT", default.answer),
        write: r.duration("WRITE_TIMEOUT", default.write),
        load: r.duration("LOAD_TIMEOUT", default.load),
        rank: r.duration("RANK_TIMEOUT", default.rank),
        schema: r.duration("SCHEMA_TIMEOUT", default.schema),
    }
}

fn consumer(r: &mut Reader, limits: Limits) -> ConsumerConfig {
    ConsumerConfig {
        limits,
        kafka: KafkaConfig {
            address: r.kafka(),
            topic_prefix: r.get("TOPIC_PREFIX", String::new()),
            partitions: r.at_least_one("TOPIC_PARTITIONS", 8),
            max_queued_kib: r.at_least_one("MAX_QUEUED_KIB", 65_536),
        },
        max_batch: r.at_least_one("MAX_BATCH", 5_000),
        max_wait: r.duration("MAX_WAIT", Duration::from_millis(50)),
        lease: r.duration_of_at_least("LEASE", Duration::from_secs(6), SHORTEST_LEASE),
        tail_look: r.duration("TAIL_LOOK", Duration::from_secs(10)),
        max_parked_keys: r.count("MAX_PARKED_KEYS", 100),
    }
}

fn comparison(r: &mut Reader, limits: Limits) -> ComparisonConfig {
    let config = ComparisonConfig {
        limits,
        events: r.count("COMPARE_EVENTS", 500),
        pause: r.duration_of_at_least(
            "COMPARE_PAUSE",
            Duration::from_secs(1),
            SHORTEST_COMPARE_PAUSE,
        ),
    };
    if !(1..=PAGE).contains(&config.events) {
        r.fault("COMPARE_EVENTS", "must be 1 to 1000");
    }
    config
}

fn builds(r: &mut Reader, limits: Limits) -> BuildsConfig {
    let levels = Levels::default();
    BuildsConfig {
        limits,
        object_store: r.get("OBJECT_STORE", ".data/objects".to_owned()),
        workers: r.at_least_one(
            "LOAD_WORKERS",
            std::thread::available_parallelism().map_or(2, usize::from),
        ),
        poll: r.duration("LOAD_POLL", Duration::from_millis(250)),
        attempts: r.at_least_one("LOAD_ATTEMPTS", 8),
        pause: r.duration_or_none("LOAD_PAUSE", Duration::from_secs(5)),
        max_rejected: r.count("MAX_REJECTED", 100),
        max_rejected_share: r.count("MAX_REJECTED_ONE_IN", 10),
        levels: Levels {
            high_sources: r.count("HIGH_SOURCES", levels.high_sources),
            high_months: r.count("HIGH_MONTHS", levels.high_months),
            moderate_sources: r.count("MODERATE_SOURCES", levels.moderate_sources),
            moderate_months: r.count("MODERATE_MONTHS", levels.moderate_months),
        },
        kept_builds: r.count("KEPT_BUILDS", 3),
        keep_retired: r.duration_or_none("KEEP_RETIRED", Duration::from_secs(24 * 3600)),
        drop_grace: r.duration_or_none("DROP_GRACE", Duration::from_secs(60)),
        failed_grace: r.duration_or_none("FAILED_GRACE", Duration::from_secs(24 * 3600)),
        sort_memory_mib: r.at_least_one("SORT_MEMORY_MIB", 256),
        reader_role: r.optional("READER_ROLE"),
        search_files: search_files(r),
    }
}

fn search_files(r: &mut Reader) -> SearchFilesConfig {
    let config = SearchFilesConfig {
        spool: r.get("SEARCH_SPOOL", PathBuf::from(".data/spool")),
        memory_bytes: usize::try_from(r.bytes("SEARCH_MEMORY", DEFAULT_SEARCH_MEMORY))
            .unwrap_or(usize::MAX),
        lease: r.duration_of_at_least("SEARCH_LEASE", Duration::from_secs(30), SHORTEST_LEASE),
        attempts: r.at_least_one("SEARCH_ATTEMPTS", 6),
        pause: r.duration_or_none("SEARCH_PAUSE", Duration::from_secs(5)),
    };
    if config.memory_bytes < LEAST_SEARCH_MEMORY {
        r.fault("SEARCH_MEMORY", "must be at least 16MiB");
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &[(&str, &str)]) -> Result<Config, ConfigFault> {
        let url = [("READ_MODEL_URL", "postgres://localhost/read_model")];
        let settings = url.iter().chain(settings).copied();
        Config::read(Reader::from_pairs("PROJECTOR", settings))
    }

    #[test]
    fn every_setting_stands_on_the_page_of_settings() {
        let page = include_str!("../../docs/SETTINGS.md");
        let fault = read(&[("PROJECTOR_NOPE", "1")]).unwrap_err().to_string();
        let (_, accepted) = fault.rsplit_once(" accepts ").unwrap();
        for setting in accepted.trim().split(", ") {
            assert!(page.contains(&format!("`{setting}`")), "{setting}");
        }
    }

    #[test]
    fn a_setting_by_which_nothing_would_ever_be_done_is_refused() {
        read(&[]).unwrap();
        for setting in [
            ("MAX_BATCH", "0"),
            ("MAX_QUEUED_KIB", "0"),
            ("TOPIC_PARTITIONS", "0"),
            ("TOPIC_PARTITIONS", "-1"),
            ("LEASE", "0s"),
            ("LOAD_ATTEMPTS", "0"),
            ("LOAD_TIMEOUT", "0s"),
            ("RANK_TIMEOUT", "0s"),
            ("WRITE_TIMEOUT", "0s"),
            ("SEARCH_ATTEMPTS", "0"),
            ("SORT_MEMORY_MIB", "0"),
        ] {
            let ConfigFault(faults) = read(&[setting]).unwrap_err();
            assert_eq!(faults.len(), 1, "{setting:?}");
            let begins = format!("PROJECTOR_{}: must be ", setting.0);
            assert!(faults[0].starts_with(&begins), "{faults:?}");
        }
    }
}
