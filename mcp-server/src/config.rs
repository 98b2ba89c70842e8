//! The settings of mcp-server; defaults stand here, the environment over them (`MCP_SERVER_X`, then `X`).

use std::net::SocketAddr;
use std::time::Duration;

use events_schema::api::limits;
use service_kit::EdgeConfig;
use service_kit::config::{ConfigFault, Reader, Secret};
use service_kit::serve::ServeConfig;
use service_kit::telemetry::TelemetryConfig;

/// All settings.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Address by which clients reach the gateway, without a slash at its end.
    pub public_base_url: String,
    /// REST of query-service, each instance.
    pub query_service_urls: Vec<String>,
    /// REST of command-service, each instance: the reports.
    pub command_service_urls: Vec<String>,
    /// Internal listeners of command-service, asked whether a key is valid.
    pub internal_urls: Vec<String>,
    /// The token of those listeners; it opens nothing else.
    pub internal_token: Option<Secret<String>>,
    /// Whether the methods that only describe the server answer without a key.
    pub anonymous_listing: bool,
    /// The limits of a request.
    pub edge: EdgeConfig,
    /// How long the answer to "is this key valid" is kept.
    pub key_memory: Duration,
    /// How many keys are remembered at most.
    pub key_memory_entries: usize,
    /// Longest time for one call of a REST endpoint; below the limit of a request, so that the tool can report it.
    pub call_timeout: Duration,
    /// The connections.
    pub serve: ServeConfig,
    /// Logs, traces, metrics.
    pub telemetry: TelemetryConfig,
}

impl Config {
    /// Reads the process's environment.
    ///
    /// # Errors
    /// Every fault of the settings at once.
    pub fn from_env() -> Result<Self, ConfigFault> {
        Self::read(Reader::from_env("MCP_SERVER"))
    }

    /// Reads from `reader`.
    ///
    /// # Errors
    /// Every fault of the settings at once.
    pub fn read(mut reader: Reader) -> Result<Self, ConfigFault> {
        let mut internal_urls = reader.list("COMMAND_SERVICE_URLS");
        if internal_urls.is_empty() {
            internal_urls.push("http://127.0.0.1:8083".to_owned());
        }
        let config = Self {
            listen: reader.socket_addr("LISTEN", SocketAddr::from(([127, 0, 0, 1], 8085))),
            public_base_url: url(&mut reader, "PUBLIC_BASE_URL", "http://127.0.0.1:8080"),
            query_service_urls: urls(&mut reader, "QUERY_SERVICE_URL", "http://127.0.0.1:8081"),
            command_service_urls: urls(
                &mut reader,
                "COMMAND_SERVICE_PUBLIC_URL",
                "http://127.0.0.1:8082",
            ),
            internal_urls: internal_urls
                .iter()
                .map(|text| text.trim_end_matches('/').to_owned())
                .collect(),
            internal_token: reader.optional_secret("INTERNAL_TOKEN"),
            anonymous_listing: reader.get("MCP_ANONYMOUS_LISTING", false),
            edge: EdgeConfig {
                max_body_bytes: reader.bytes("MAX_BODY_BYTES", limits::MAX_BODY_BYTES as u64),
                // 401 comes before the 400 of a malformed Correlation-ID.
                checks_correlation_id: false,
                ..EdgeConfig::read(&mut reader)
            },
            key_memory: reader.duration_or_none("KEY_MEMORY", Duration::from_secs(1)),
            key_memory_entries: reader.count("KEY_MEMORY_ENTRIES", 10_000),
            call_timeout: reader.duration("CALL_TIMEOUT", Duration::from_secs(29)),
            serve: ServeConfig::read(&mut reader),
            telemetry: TelemetryConfig::read(&mut reader),
        };
        reader.finish().map(|()| config)
    }
}

fn url(reader: &mut Reader, name: &'static str, default: &str) -> String {
    reader
        .parsed(name, base)
        .unwrap_or_else(|| default.to_owned())
}

/// One or several, with commas between.
fn urls(reader: &mut Reader, name: &'static str, default: &str) -> Vec<String> {
    let parse = |text: &str| text.split(',').map(str::trim).map(base).collect();
    reader
        .parsed(name, parse)
        .unwrap_or_else(|| vec![default.to_owned()])
}

/// An `http` or `https` address, without the slash at its end.
fn base(text: &str) -> Result<String, String> {
    let parsed = reqwest::Url::parse(text).map_err(|fault| fault.to_string())?;
    let is_base = matches!(parsed.scheme(), "http" | "https") && parsed.query().is_none();
    let kept = text.trim_end_matches('/').to_owned();
    is_base
        .then_some(kept)
        .ok_or_else(|| "must be an address such as http://127.0.0.1:8080".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_stands_on_the_page_of_settings() {
        let page = include_str!("../../docs/SETTINGS.md");
        let fault = Config::read(Reader::from_pairs("MCP_SERVER", [("MCP_SERVER_NOPE", "1")]))
            .unwrap_err()
            .to_string();
        let (_, accepted) = fault.rsplit_once(" accepts ").unwrap();
        for setting in accepted.trim().split(", ") {
            assert!(page.contains(&format!("`{setting}`")), "{setting}");
        }
    }

    #[test]
    fn the_defaults_are_the_ports_of_the_docs() {
        let config = Config::read(Reader::from_pairs("MCP_SERVER", [("HOME", "/")])).unwrap();
        assert_eq!(config.listen.port(), 8085);
        assert_eq!(config.internal_urls, ["http://127.0.0.1:8083"]);
        assert!(!config.anonymous_listing);
    }

    #[test]
    fn several_instances_stand_with_commas_between_and_each_is_an_address() {
        let read = |text: &str| {
            let pairs = [("QUERY_SERVICE_URL", text)];
            Config::read(Reader::from_pairs("MCP_SERVER", pairs))
        };
        let config = read("http://a:8081/, http://b:8081").unwrap();
        assert_eq!(
            config.query_service_urls,
            ["http://a:8081", "http://b:8081"]
        );
        assert!(read("http://a:8081, b").is_err());
    }

    #[test]
    fn an_address_of_another_form_is_refused() {
        for bad in ["data.example.com", "ftp://x", "http://x/?a=1", "http://"] {
            let reader = Reader::from_pairs("MCP_SERVER", [("PUBLIC_BASE_URL", bad)]);
            assert!(Config::read(reader).is_err(), "{bad}");
        }
    }
}
