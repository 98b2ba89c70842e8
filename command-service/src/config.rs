//! Every setting of command-service with its default: `COMMAND_SERVICE_<NAME>` over `<NAME>`.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use events_schema::api::limits::{MAX_BODY_BYTES, MAX_CHUNK_BYTES, REQUEST_TIMEOUT};
use events_schema::ids::SHARDS;
use service_kit::EdgeConfig;
use service_kit::client::ClientConfig;
use service_kit::config::{ConfigFault, Reader, Secret};
use service_kit::serve::ServeConfig;
use service_kit::telemetry::TelemetryConfig;
use service_kit::token::{Tokens, refuse_public_bind_without_token};
use uuid::Uuid;

use crate::application::Policy;
use crate::http::ForwardSecrets;
use crate::http::internal::InternalTokens;
use crate::publisher::{BackoffSettings, PublisherSettings, TopicSettings};
use crate::shard::Limits;
use crate::store::StoreSettings;

/// Media types of the admin listener: objects, and the lines of a chunk.
const ADMIN_CONTENT_TYPES: &[&str] = &["application/json", "application/x-ndjson"];
/// What an instance passes on to another: a chunk, or many calls.
const MAX_INTERNAL_BODY_BYTES: usize = MAX_CHUNK_BYTES + 1_048_576;
/// Eight chunks at a time, each held twice while it may have to be passed on, and as much again.
const MAX_HELD_CHUNK_BYTES: u64 = 512 * 1024 * 1024;
/// An activation waits up to 30 s; a re-publication and a slow chunk may take longer.
const ADMIN_REQUEST_TIMEOUT: Duration = Duration::from_secs(300);
const ADMIN_BODY_READ_TIMEOUT: Duration = Duration::from_secs(60);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A lease is renewed five times in its time.
const SHORTEST_LEASE: Duration = Duration::from_millis(300);

/// All settings, read once in `main`.
#[derive(Debug)]
pub struct Config {
    /// The public listener.
    pub public_listen: SocketAddr,
    /// The internal listener.
    pub internal_listen: SocketAddr,
    /// The admin listener.
    pub admin_listen: SocketAddr,
    /// Tokens that the internal listener takes, by part.
    pub internal_tokens: InternalTokens,
    /// Tokens that the admin listener takes.
    pub admin_tokens: Tokens,
    /// The event store.
    pub store: StoreSettings,
    /// Secrets and limits of the application.
    pub policy: Policy,
    /// Kafka.
    pub publisher: PublisherSettings,
    /// Folder or `file://` URL of the chunks.
    pub object_store: String,
    /// Base URLs of query-service, each instance.
    pub query_service_urls: Vec<String>,
    /// Calls to query-service.
    pub records: ClientConfig,
    /// Calls to other instances.
    pub peers: ClientConfig,
    /// Operators' requests that are passed on to other instances.
    pub forwarding: ClientConfig,
    /// Key the proofs of requests that are passed on; the same for all instances, and for nobody else.
    pub forward_secrets: ForwardSecrets,
    /// Keys the hashes of `Idempotency-Key` and request.
    pub request_hash_secret: Secret<String>,
    /// Limits of a request, by listener.
    pub public_edge: EdgeConfig,
    /// Limits of a request, by listener.
    pub internal_edge: EdgeConfig,
    /// Limits of a request, by listener.
    pub admin_edge: EdgeConfig,
    /// Limits of the sockets of each listener.
    pub serve: ServeConfig,
    /// Logs, traces, metrics.
    pub telemetry: TelemetryConfig,
}

impl Config {
    /// Reads the environment.
    ///
    /// # Errors
    /// All faults together.
    pub fn from_env() -> Result<Self, ConfigFault> {
        Self::read(Reader::from_env("COMMAND_SERVICE"))
    }

    /// Reads settings from `reader`.
    ///
    /// # Errors
    /// All faults together.
    pub fn read(mut reader: Reader) -> Result<Self, ConfigFault> {
        let r = &mut reader;
        // Settings of other parts whose names begin like this service's prefix; one environment may hold all.
        let _others: [Option<String>; 2] = [r.optional("URLS"), r.optional("PUBLIC_URL")];
        let loopback = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let internal_listen = r.socket_addr("INTERNAL_LISTEN", loopback(8083));
        let mut query_service_urls = r.list("QUERY_SERVICE_URL");
        if query_service_urls.is_empty() {
            query_service_urls.push("http://127.0.0.1:8081".to_owned());
        }
        let peers = client(r, "PEER_TOKEN", Duration::from_secs(60));
        let forwarding = ClientConfig {
            total_timeout: ADMIN_REQUEST_TIMEOUT,
            ..peers.clone()
        };
        let config = Self {
            public_listen: r.socket_addr("PUBLIC_LISTEN", loopback(8082)),
            internal_listen,
            admin_listen: r.socket_addr("ADMIN_LISTEN", loopback(8084)),
            internal_tokens: internal_tokens(r),
            admin_tokens: r.get("ADMIN_TOKENS", Tokens::default()),
            store: store(r, internal_listen),
            policy: policy(r),
            publisher: publisher(r),
            object_store: r.get("OBJECT_STORE", ".data/objects".to_owned()),
            query_service_urls,
            records: client(r, "RECORDS_TOKEN", Duration::from_secs(10)),
            peers,
            forwarding,
            forward_secrets: r.required("FORWARD_SECRETS"),
            request_hash_secret: r.secret("REQUEST_HASH_SECRET"),
            public_edge: public_edge(r),
            internal_edge: internal_edge(),
            admin_edge: admin_edge(),
            serve: ServeConfig::read(r),
            telemetry: TelemetryConfig::read(r),
        };
        let listeners = [
            (
                config.internal_listen,
                config.internal_tokens.all(),
                "INTERNAL_TOKENS_QUERY_SERVICE",
            ),
            (
                config.admin_listen,
                config.admin_tokens.clone(),
                "ADMIN_TOKENS",
            ),
        ];
        for (address, tokens, setting) in listeners {
            if let Err(fault) = refuse_public_bind_without_token(address, &tokens) {
                reader.fault(setting, &fault.to_string());
            }
        }
        reader.finish()?;
        Ok(config)
    }
}

fn store(r: &mut Reader, internal_listen: SocketAddr) -> StoreSettings {
    let url = r.secret("EVENT_STORE_URL");
    let address = r.optional("INTERNAL_ADDRESS").unwrap_or_else(|| {
        if internal_listen.ip().is_unspecified() {
            r.fault(
                "INTERNAL_ADDRESS",
                "must be set where INTERNAL_LISTEN is every address: it is where other instances reach this one",
            );
        }
        format!("http://{internal_listen}")
    });
    let default = StoreSettings::new(url, Uuid::new_v4(), address);
    StoreSettings {
        max_connections: r.at_least_one("MAX_DATABASE_CONNECTIONS", default.max_connections),
        key_connections: r.at_least_one("MAX_KEY_CONNECTIONS", default.key_connections),
        acquire_timeout: r.duration("DATABASE_ACQUIRE_TIMEOUT", default.acquire_timeout),
        lease: r.duration_of_at_least("SHARD_LEASE", default.lease, SHORTEST_LEASE),
        write_connections: r.at_least_one("MAX_WRITE_CONNECTIONS", default.write_connections),
        write_groups: r.at_least_one("MAX_WRITE_GROUPS", default.write_groups),
        group_events: r.at_least_one("GROUP_EVENTS", default.group_events),
        group_patience: r.duration("GROUP_PATIENCE", default.group_patience),
        answer_timeout: r.duration("DATABASE_ANSWER_TIMEOUT", default.answer_timeout),
        shard_answer_timeout: r.duration("SHARD_ANSWER_TIMEOUT", default.shard_answer_timeout),
        schema_timeout: r.duration("SCHEMA_TIMEOUT", default.schema_timeout),
        ..default
    }
}

fn policy(r: &mut Reader) -> Policy {
    Policy {
        api_key_pepper: r.secret("API_KEY_PEPPER"),
        limits: limits(r),
    }
}

/// Those of memory are told for the whole process; a shard has its part of them.
fn limits(r: &mut Reader) -> Limits {
    let default = Limits::default();
    let part = |all: usize| all.div_ceil(usize::from(SHARDS));
    let all = |part: usize| part * usize::from(SHARDS);
    Limits {
        hold_timeout: r.duration("HOLD_TIMEOUT", default.hold_timeout),
        idempotency_for: default.idempotency_for,
        max_holds: r.at_least_one("MAX_HOLDS_PER_CONTRACT", default.max_holds),
        max_contracts: r.at_least_one("MAX_CONTRACTS_PER_ACCOUNT", default.max_contracts),
        max_claims: part(r.at_least_one("MAX_NAMED_REQUESTS_AT_WORK", all(default.max_claims))),
        max_windows: part(r.at_least_one("MAX_RATE_WINDOWS", all(default.max_windows))),
        max_waiting: r.at_least_one("SHARD_QUEUE_COMMANDS", default.max_waiting),
        max_cells: part(r.at_least_one("MAX_AGGREGATES_IN_MEMORY", all(default.max_cells))),
        max_keys: part(r.at_least_one("MAX_KEYS_IN_MEMORY", all(default.max_keys))),
        max_key_lookups: r.at_least_one("MAX_KEY_LOOKUPS_PER_SHARD", default.max_key_lookups),
        batch_events: r.at_least_one("BATCH_EVENTS", default.batch_events),
        snapshot_every: r.at_least_one("SNAPSHOT_EVERY", default.snapshot_every),
        commit_deadline: r.duration("COMMIT_DEADLINE", default.commit_deadline),
    }
}

fn publisher(r: &mut Reader) -> PublisherSettings {
    PublisherSettings {
        kafka: r.kafka(),
        topics: TopicSettings {
            prefix: r.get("TOPIC_PREFIX", String::new()),
            partitions: r.at_least_one("TOPIC_PARTITIONS", 8),
            replication: r.at_least_one("TOPIC_REPLICATION", 1),
            compaction_lag: r.duration("TOPIC_COMPACTION_LAG", DAY),
            tombstone_retention: r.duration("TOPIC_TOMBSTONE_RETENTION", 7 * DAY),
        },
        in_flight_events: r.at_least_one("PUBLISH_IN_FLIGHT_EVENTS", 8_192),
        queue_messages: r.at_least_one("PUBLISH_QUEUE_MESSAGES", 100_000),
        feed_events: r.at_least_one("PUBLISH_FEED_EVENTS", 8_192),
        read_events: r.at_least_one("PUBLISH_READ_EVENTS", 1_000),
        mark_interval: r.duration("PUBLISH_MARK_INTERVAL", Duration::from_millis(200)),
        handover_grace: r.duration_or_none("PUBLISH_HANDOVER_GRACE", Duration::from_millis(20)),
        poll_interval: r.duration("PUBLISH_POLL_INTERVAL", Duration::from_secs(10)),
        backoff: BackoffSettings {
            first: r.duration("PUBLISH_FIRST_PAUSE", Duration::from_millis(100)),
            longest: r.duration("PUBLISH_LONGEST_PAUSE", Duration::from_secs(5)),
        },
    }
}

fn internal_tokens(r: &mut Reader) -> InternalTokens {
    InternalTokens {
        query_service: r.get("INTERNAL_TOKENS_QUERY_SERVICE", Tokens::default()),
        projector: r.get("INTERNAL_TOKENS_PROJECTOR", Tokens::default()),
        mcp_server: r.get("INTERNAL_TOKENS_MCP_SERVER", Tokens::default()),
        peers: r.get("INTERNAL_TOKENS_PEERS", Tokens::default()),
    }
}

/// `token` is the setting of what the other side asks for.
fn client(r: &mut Reader, token: &'static str, total_timeout: Duration) -> ClientConfig {
    ClientConfig {
        total_timeout,
        token: r.optional_secret(token),
        ..ClientConfig::default()
    }
}

fn public_edge(r: &mut Reader) -> EdgeConfig {
    EdgeConfig {
        max_body_bytes: r.bytes("MAX_BODY_BYTES", bytes(MAX_BODY_BYTES)),
        request_timeout: REQUEST_TIMEOUT,
        ..EdgeConfig::read(r)
    }
}

fn internal_edge() -> EdgeConfig {
    EdgeConfig {
        max_body_bytes: bytes(MAX_INTERNAL_BODY_BYTES),
        max_held_bytes: MAX_HELD_CHUNK_BYTES,
        request_timeout: ADMIN_REQUEST_TIMEOUT,
        content_types: ADMIN_CONTENT_TYPES,
        ..EdgeConfig::default()
    }
}

fn admin_edge() -> EdgeConfig {
    EdgeConfig {
        max_body_bytes: bytes(MAX_CHUNK_BYTES),
        max_held_bytes: MAX_HELD_CHUNK_BYTES,
        body_read_timeout: ADMIN_BODY_READ_TIMEOUT,
        request_timeout: ADMIN_REQUEST_TIMEOUT,
        content_types: ADMIN_CONTENT_TYPES,
        ..EdgeConfig::default()
    }
}

fn bytes(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRETS: [(&str, &str); 4] = [
        ("EVENT_STORE_URL", "postgres://127.0.0.1/store"),
        ("API_KEY_PEPPER", "pepper"),
        ("REQUEST_HASH_SECRET", "secret"),
        ("FORWARD_SECRETS", "0123456789abcdef"),
    ];

    /// By which other parts know this one.
    const OF_OTHERS: [&str; 2] = ["URLS", "PUBLIC_URL"];

    fn with(more: &[(&str, &str)]) -> Result<Config, ConfigFault> {
        let pairs = SECRETS.iter().chain(more).copied();
        Config::read(Reader::from_pairs("COMMAND_SERVICE", pairs))
    }

    #[test]
    fn the_secrets_are_required_and_everything_else_has_a_default() {
        let config = with(&[]).unwrap();
        assert_eq!(config.public_listen.port(), 8082);
        assert_eq!(config.store.address, "http://127.0.0.1:8083");
        let none: [(&str, &str); 0] = [];
        let faults = Config::read(Reader::from_pairs("COMMAND_SERVICE", none)).unwrap_err();
        assert_eq!(faults.0.len(), SECRETS.len(), "{faults}");
    }

    #[test]
    fn every_setting_stands_on_the_page_of_settings() {
        let page = include_str!("../../docs/SETTINGS.md");
        let fault = with(&[("COMMAND_SERVICE_NOPE", "1")])
            .unwrap_err()
            .to_string();
        let (_, accepted) = fault.rsplit_once(" accepts ").unwrap();
        for setting in accepted
            .trim()
            .split(", ")
            .filter(|name| !OF_OTHERS.contains(name))
        {
            assert!(page.contains(&format!("`{setting}`")), "{setting}");
        }
    }

    #[test]
    fn a_setting_by_which_nothing_would_ever_be_done_is_refused() {
        for setting in [
            ("BATCH_EVENTS", "0"),
            ("COMMIT_DEADLINE", "0s"),
            ("HOLD_TIMEOUT", "0s"),
            ("MAX_AGGREGATES_IN_MEMORY", "0"),
            ("MAX_BODY_BYTES", "0"),
            ("MAX_DATABASE_CONNECTIONS", "0"),
            ("MAX_HOLDS_PER_CONTRACT", "0"),
            ("MAX_NAMED_REQUESTS_AT_WORK", "0"),
            ("MAX_WRITE_CONNECTIONS", "0"),
            ("METRIC_INTERVAL", "0s"),
            ("PUBLISH_IN_FLIGHT_EVENTS", "0"),
            ("PUBLISH_IN_FLIGHT_EVENTS", "18446744073709551615"),
            ("PUBLISH_MARK_INTERVAL", "0ms"),
            ("PUBLISH_READ_EVENTS", "0"),
            ("SHARD_LEASE", "299ms"),
            ("SHARD_QUEUE_COMMANDS", "0"),
            ("TOPIC_PARTITIONS", "0"),
            ("TOPIC_PARTITIONS", "-1"),
        ] {
            let ConfigFault(faults) = with(&[setting]).unwrap_err();
            assert_eq!(faults.len(), 1, "{setting:?}");
            let begins = format!("COMMAND_SERVICE_{}: must be ", setting.0);
            assert!(faults[0].starts_with(&begins), "{faults:?}");
        }
    }

    #[test]
    fn the_addresses_that_other_parts_have_for_this_one_may_stand_in_the_same_environment() {
        let others = [
            ("COMMAND_SERVICE_URLS", "http://127.0.0.1:8083"),
            ("COMMAND_SERVICE_PUBLIC_URL", "http://127.0.0.1:8082"),
        ];
        assert!(with(&others).is_ok());
        assert!(with(&[("COMMAND_SERVICE_PUBLIC_LISTNE", "127.0.0.1:1")]).is_err());
    }

    #[test]
    fn a_listener_beyond_loopback_needs_its_tokens() {
        for (listen, tokens) in [
            ("COMMAND_SERVICE_ADMIN_LISTEN", "ADMIN_TOKENS"),
            (
                "COMMAND_SERVICE_INTERNAL_LISTEN",
                "INTERNAL_TOKENS_PROJECTOR",
            ),
        ] {
            assert!(with(&[(listen, "0.0.0.0:1")]).is_err());
            let token = "ops:0123456789abcdef";
            let address = ("COMMAND_SERVICE_INTERNAL_ADDRESS", "http://one:1");
            assert!(with(&[(listen, "0.0.0.0:1"), (tokens, token), address]).is_ok());
        }
    }

    #[test]
    fn an_address_that_is_every_address_is_told_to_no_other_instance() {
        let tokens = ("INTERNAL_TOKENS_PROJECTOR", "ops:0123456789abcdef");
        for every in ["0.0.0.0:8083", "[::]:8083"] {
            let listen = ("COMMAND_SERVICE_INTERNAL_LISTEN", every);
            let faults = with(&[listen, tokens]).unwrap_err();
            assert!(faults.to_string().contains("INTERNAL_ADDRESS"), "{faults}");
            let address = ("COMMAND_SERVICE_INTERNAL_ADDRESS", "http://one:8083");
            let config = with(&[listen, tokens, address]).unwrap();
            assert_eq!(config.store.address, "http://one:8083");
        }
    }
}
