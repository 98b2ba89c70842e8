//! The settings of query-service, read once in `main`; defaults are compiled in (`QUERY_SERVICE_X` over `X`).

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use events_schema::api::limits::{MAX_BODY_BYTES, REQUEST_TIMEOUT};
use service_kit::EdgeConfig;
use service_kit::client::ClientConfig;
use service_kit::config::{ConfigFault, Reader, Secret};
use service_kit::serve::ServeConfig;
use service_kit::telemetry::TelemetryConfig;
use service_kit::token::{Tokens, refuse_public_bind_without_token};

use crate::credit_gate::GateConfig;
use crate::discover::model::{ModelConfig, base_url};
use crate::read_model::ReadLimits;
use crate::search::threads::ThreadLimits;

const DEFAULT_PORT: u16 = 8081;
const DEFAULT_COMMAND_SERVICE: &str = "http://127.0.0.1:8083";

/// Everything that can be set.
#[derive(Debug)]
pub struct Config {
    /// Where requests are taken.
    pub listen: SocketAddr,
    /// By what others reach this service; the listen address if it is not set. Names it in heartbeats.
    pub name: String,
    /// Postgres with the read models; a role that can only read.
    pub read_model_url: Secret<String>,
    /// Limits of reading.
    pub read: ReadLimits,
    /// Folder or `file://` URL of the object store, for search files.
    pub object_store: String,
    /// Local folder for the search files, of this process alone; about 400 bytes a record for each build that is held.
    pub search_folder: PathBuf,
    /// Limits of searches.
    pub search: ThreadLimits,
    /// A language model for words that discover does not know; none unless `DISCOVER_LLM_URL` is set.
    pub model: Option<ModelConfig>,
    /// How often the pointers to the active builds are read.
    pub build_poll: Duration,
    /// How often command-service is told which builds answer here.
    pub heartbeat: Duration,
    /// Limits of the calls to command-service.
    pub gate: GateConfig,
    /// The connections to command-service.
    pub client: ClientConfig,
    /// Guard of `/internal`.
    pub internal_tokens: Tokens,
    /// Key of the hashes of idempotency keys and requests; the same for all instances.
    pub hash_secret: Secret<String>,
    /// Told to clients when the database does not answer.
    pub retry_after_seconds: u32,
    /// Limits of one request.
    pub edge: EdgeConfig,
    /// Limits of connections.
    pub serve: ServeConfig,
    /// Logs, traces and metrics.
    pub telemetry: TelemetryConfig,
}

impl Config {
    /// Reads the environment.
    ///
    /// # Errors
    /// All faults together.
    pub fn from_env() -> Result<Self, ConfigFault> {
        Self::read(Reader::from_env("QUERY_SERVICE"))
    }

    /// Reads settings from `reader`.
    ///
    /// # Errors
    /// All faults together.
    pub fn read(mut reader: Reader) -> Result<Self, ConfigFault> {
        let settings = &mut reader;
        let default_listen = SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT));
        let listen = settings.socket_addr("LISTEN", default_listen);
        let config = Self {
            listen,
            name: settings.get("URL", listen.to_string()),
            read_model_url: settings.secret("READ_MODEL_URL"),
            read: read_limits(settings),
            object_store: settings.get("OBJECT_STORE", ".data/objects".to_owned()),
            search_folder: settings.get("SEARCH_FOLDER", PathBuf::from(".data/search")),
            search: thread_limits(settings),
            model: model(settings),
            build_poll: settings.duration("BUILD_POLL", Duration::from_millis(250)),
            heartbeat: settings.duration("HEARTBEAT", Duration::from_secs(1)),
            gate: gate(settings),
            client: ClientConfig {
                connect_timeout: settings.duration("CONNECT_TIMEOUT", Duration::from_secs(1)),
                total_timeout: settings.duration("LEDGER_TIMEOUT", Duration::from_secs(10)),
                token: settings.optional_secret("INTERNAL_TOKEN"),
                ..ClientConfig::default()
            },
            internal_tokens: settings.get("INTERNAL_TOKENS", Tokens::default()),
            hash_secret: settings.secret("REQUEST_HASH_SECRET"),
            retry_after_seconds: settings.count("RETRY_AFTER_SECONDS", 2),
            edge: edge(settings),
            serve: ServeConfig::read(settings),
            telemetry: TelemetryConfig::read(settings),
        };
        if let Err(fault) = refuse_public_bind_without_token(config.listen, &config.internal_tokens)
        {
            reader.fault("INTERNAL_TOKENS", &fault.to_string());
        }
        reader.finish()?;
        Ok(config)
    }
}

fn read_limits(settings: &mut Reader) -> ReadLimits {
    let default = ReadLimits::default();
    ReadLimits {
        connections: settings.at_least_one("CONNECTIONS", default.connections),
        retained_connections: settings.count("RETAINED_CONNECTIONS", default.retained_connections),
        ledger_connections: settings
            .at_least_one("LEDGER_PAGE_CONNECTIONS", default.ledger_connections),
        ledger_wait: settings.duration_or_none("LEDGER_PAGE_WAIT", default.ledger_wait),
        queue_timeout: settings.duration("QUEUE_TIMEOUT", default.queue_timeout),
        acquire_timeout: settings.duration("ACQUIRE_TIMEOUT", default.acquire_timeout),
        statement_timeout: settings.duration("STATEMENT_TIMEOUT", default.statement_timeout),
        entries_per_key: settings.at_least_one("MAX_ENTRIES_PER_KEY", default.entries_per_key),
        candidates: settings.at_least_one("MAX_CANDIDATES", default.candidates),
    }
}

fn thread_limits(settings: &mut Reader) -> ThreadLimits {
    let default = ThreadLimits::default();
    ThreadLimits {
        threads: settings.at_least_one("SEARCH_THREADS", default.threads),
        waiting: settings.at_least_one("SEARCH_QUEUE", default.waiting),
        under_way: settings.at_least_one("SEARCHES_UNDER_WAY", default.under_way),
        time_limit: settings.duration("SEARCH_TIMEOUT", default.time_limit),
    }
}

/// Off unless its address is set; then the model has to be named, too.
fn model(settings: &mut Reader) -> Option<ModelConfig> {
    let url = settings.parsed("DISCOVER_LLM_URL", base_url);
    let model = settings.optional::<String>("DISCOVER_LLM_MODEL");
    let key = settings.optional_secret("DISCOVER_LLM_KEY");
    let time_limit = settings.duration("DISCOVER_LLM_TIMEOUT", ModelConfig::TIME_LIMIT);
    let calls = settings.count("DISCOVER_LLM_CALLS", ModelConfig::CALLS);
    let url = url?;
    if model.is_none() {
        settings.fault("DISCOVER_LLM_MODEL", "is required with DISCOVER_LLM_URL");
    }
    if time_limit > ModelConfig::LONGEST {
        let rule = format!("must be 1ms to {}s", ModelConfig::LONGEST.as_secs());
        settings.fault("DISCOVER_LLM_TIMEOUT", &rule);
    }
    if !(1..=ModelConfig::MAX_CALLS).contains(&calls) {
        let rule = format!("must be 1 to {}", ModelConfig::MAX_CALLS);
        settings.fault("DISCOVER_LLM_CALLS", &rule);
    }
    Some(ModelConfig {
        url,
        model: model.unwrap_or_default(),
        key,
        time_limit,
        calls,
    })
}

fn gate(settings: &mut Reader) -> GateConfig {
    let default = GateConfig::default();
    let urls = settings.list("COMMAND_SERVICE_URLS");
    GateConfig {
        urls: if urls.is_empty() {
            vec![DEFAULT_COMMAND_SERVICE.to_owned()]
        } else {
            urls
        },
        queue_calls: settings.at_least_one("LEDGER_QUEUE_CALLS", default.queue_calls),
        requests_in_flight: settings
            .at_least_one("LEDGER_REQUESTS_IN_FLIGHT", default.requests_in_flight),
        silent_requests: settings.count("LEDGER_SILENT_REQUESTS", default.silent_requests),
        late_requests: settings.count("LEDGER_LATE_REQUESTS", default.late_requests),
        attempts: settings.at_least_one("LEDGER_ATTEMPTS", default.attempts),
        settle_attempts: settings.at_least_one("LEDGER_SETTLE_ATTEMPTS", default.settle_attempts),
        retry_pause: settings.duration_or_none("LEDGER_RETRY_PAUSE", default.retry_pause),
        retry_after_seconds: settings
            .count("LEDGER_RETRY_AFTER_SECONDS", default.retry_after_seconds),
    }
}

fn edge(settings: &mut Reader) -> EdgeConfig {
    let default = EdgeConfig::read(settings);
    let max_body_bytes = u64::try_from(MAX_BODY_BYTES).unwrap_or(default.max_body_bytes);
    EdgeConfig {
        max_body_bytes: settings.bytes("MAX_BODY_BYTES", max_body_bytes),
        body_read_timeout: settings.duration("BODY_READ_TIMEOUT", default.body_read_timeout),
        request_timeout: settings.duration("REQUEST_TIMEOUT", REQUEST_TIMEOUT),
        ..default
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDED: [(&str, &str); 2] = [
        (
            "QUERY_SERVICE_READ_MODEL_URL",
            "postgres://reader@127.0.0.1/read",
        ),
        ("REQUEST_HASH_SECRET", "a secret"),
    ];

    fn config(more: &[(&str, &str)]) -> Result<Config, ConfigFault> {
        let pairs = NEEDED.iter().chain(more).copied();
        Config::read(Reader::from_pairs("QUERY_SERVICE", pairs))
    }

    #[test]
    fn every_setting_stands_on_the_page_of_settings() {
        let page = include_str!("../../docs/SETTINGS.md");
        let fault = config(&[("QUERY_SERVICE_NOPE", "1")])
            .unwrap_err()
            .to_string();
        let (_, accepted) = fault.rsplit_once(" accepts ").unwrap();
        for setting in accepted.trim().split(", ") {
            assert!(page.contains(&format!("`{setting}`")), "{setting}");
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_docs() {
        let config = config(&[]).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:8081");
        assert_eq!(config.gate.urls, [DEFAULT_COMMAND_SERVICE]);
        assert_eq!(config.edge.max_body_bytes, 1_048_576);
        assert_eq!(config.edge.request_timeout, Duration::from_secs(30));
        assert_eq!(config.search.time_limit, Duration::from_secs(10));
    }

    #[test]
    fn what_one_process_takes_on_can_be_set_and_must_be_something() {
        let set = [
            ("MAX_REQUESTS", "10"),
            ("MAX_HELD_BYTES", "4MiB"),
            ("MAX_STREAMS_PER_CONNECTION", "5"),
        ];
        let config = config(&set).unwrap();
        assert_eq!(config.edge.max_requests, 10);
        assert_eq!(config.edge.max_held_bytes, 4 * 1024 * 1024);
        assert_eq!(config.serve.max_concurrent_streams, 5);
        let none = [
            ("MAX_REQUESTS", "0"),
            ("MAX_STREAMS_PER_CONNECTION", "0"),
            ("MAX_CONNECTIONS", "0"),
        ];
        assert_eq!(self::config(&none).unwrap_err().0.len(), 3);
    }

    #[test]
    fn settings_that_others_know_this_service_by_are_no_faults() {
        let shared = [
            ("QUERY_SERVICE_URL", "http://query-service:8081"),
            ("COMMAND_SERVICE_URLS", "http://a:8083, http://b:8083"),
        ];
        let config = config(&shared).unwrap();
        assert_eq!(config.name, "http://query-service:8081");
        assert_eq!(config.gate.urls, ["http://a:8083", "http://b:8083"]);
    }

    #[test]
    fn a_language_model_is_off_unless_its_address_is_set() {
        assert!(config(&[]).unwrap().model.is_none());
        let empty = [("DISCOVER_LLM_URL", ""), ("DISCOVER_LLM_MODEL", "small")];
        assert!(config(&empty).unwrap().model.is_none());
        let set = [
            ("DISCOVER_LLM_URL", "http://127.0.0.1:8000/v1/"),
            ("DISCOVER_LLM_MODEL", "small"),
            ("DISCOVER_LLM_KEY", "sesame"),
        ];
        let config = config(&set).unwrap();
        assert!(!format!("{config:?}").contains("sesame"));
        let model = config.model.unwrap();
        assert_eq!(model.url.to_string(), "http://127.0.0.1:8000/v1");
        assert_eq!(model.model, "small");
        assert_eq!(model.time_limit, Duration::from_millis(1_500));
        assert_eq!(
            model.key.map(|key| key.expose().clone()).as_deref(),
            Some("sesame")
        );
    }

    #[test]
    fn a_language_model_without_a_name_or_with_limits_that_are_none_is_a_fault() {
        let url = ("DISCOVER_LLM_URL", "http://127.0.0.1:8000/v1");
        let name = ("DISCOVER_LLM_MODEL", "small");
        for (faults, more) in [
            (1, vec![url]),
            (1, vec![url, ("DISCOVER_LLM_MODEL", " ")]),
            (1, vec![("DISCOVER_LLM_URL", "127.0.0.1:8000"), name]),
            (1, vec![("DISCOVER_LLM_URL", "http://a:b@c/v1"), name]),
            (1, vec![url, name, ("DISCOVER_LLM_TIMEOUT", "0s")]),
            (1, vec![url, name, ("DISCOVER_LLM_TIMEOUT", "11s")]),
            (2, vec![url, ("DISCOVER_LLM_CALLS", "0")]),
            (1, vec![url, name, ("QUERY_SERVICE_DISCOVER_LLM_ULR", "x")]),
        ] {
            assert_eq!(config(&more).unwrap_err().0.len(), faults, "{more:?}");
        }
    }

    #[test]
    fn a_public_address_without_a_token_and_a_misspelt_setting_are_refused_together() {
        let fault = config(&[
            ("QUERY_SERVICE_LISTEN", "0.0.0.0:8081"),
            ("QUERY_SERVICE_LISTNE", "x"),
        ]);
        assert_eq!(fault.unwrap_err().0.len(), 2);
    }
}
