//! Logs as JSON lines, traces and metrics over OTLP, and the W3C trace context between the parts.
//!
//! Without an endpoint nothing is exported; the trace context still travels, so that one log line finds the others.
//! Never log: arguments, e-mail addresses, phone numbers, names, keys, tokens, bodies, query strings.

mod export;
mod propagate;
mod span;

use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use tracing_subscriber::filter::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub use export::{Guard, TelemetryFault};
pub use propagate::{current_traceparent, extract, inject};
pub(crate) use span::{Finished, finish_request, request_span};

/// Libraries whose finer levels print headers, bodies or messages; they come last, so that no setting opens them.
const QUIET: &str = "hyper=info,hyper_util=info,h2=info,reqwest=info,rmcp=off";

/// What is logged and where traces and metrics go.
#[derive(Debug, Clone)]
pub struct TelemetryConfig {
    /// A filter in the form of `RUST_LOG`, e.g. `info,hyper=warn`.
    pub log_filter: String,
    /// Base address of an OTLP collector over HTTP; `None` exports nothing.
    pub otlp_endpoint: Option<String>,
    /// How often metrics are sent.
    pub metric_interval: Duration,
}

impl Default for TelemetryConfig {
    fn default() -> Self {
        Self {
            log_filter: "info".to_owned(),
            otlp_endpoint: None,
            metric_interval: Duration::from_secs(15),
        }
    }
}

impl TelemetryConfig {
    /// Reads `LOG` and the standard `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub fn read(reader: &mut crate::config::Reader) -> Self {
        let default = Self::default();
        Self {
            log_filter: reader.get("LOG", default.log_filter),
            otlp_endpoint: reader.optional("OTEL_EXPORTER_OTLP_ENDPOINT"),
            metric_interval: reader.duration("METRIC_INTERVAL", default.metric_interval),
        }
    }
}

/// Starts logging and export for the process. Must be called once, inside a multi-thread runtime; keep the guard until
/// the end of `main`, since dropping it sends what is still buffered.
///
/// # Errors
/// When the filter cannot be read, the exporter cannot be built, or a subscriber is already set.
pub fn init(service: &'static str, config: &TelemetryConfig) -> Result<Guard, TelemetryFault> {
    propagate::install();
    let filter = format!("{},{QUIET}", config.log_filter);
    let filter = EnvFilter::try_new(filter).map_err(TelemetryFault::filter)?;
    let guard = export::start(service, config)?;
    let tracer = guard.tracer_provider().tracer(service);
    tracing_subscriber::registry()
        .with(filter)
        .with(
            tracing_subscriber::fmt::layer()
                .json()
                .flatten_event(true)
                .with_span_list(false)
                .with_writer(std::io::stderr),
        )
        .with(
            // Two looks at the clock each time that a task goes on, for times that no dashboard shows.
            tracing_opentelemetry::layer()
                .with_tracer(tracer)
                .with_tracked_inactivity(false),
        )
        .try_init()
        .map_err(TelemetryFault::subscriber)?;
    log_panics();
    Ok(guard)
}

/// A panic is logged with its place only: its message may quote a value that must not be logged.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::error!(place, "a task panicked");
    }));
}
