//! Logs as JSON lines, traces and metrics over OTLP, and the W3C trace context between the parts.
//!
//! Without an endpoint nothing is exported; the trace context still travels, so that one log line finds the others.
//! Never log: arguments, e-mail addresses, phone numbers, names, keys, tokens, bodies, query strings.

mod export;
mod propagate;
mod span;

use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use tracing::Metadata;
use tracing_subscriber::filter::{EnvFilter, LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub use export::{Guard, TelemetryFault};
pub use propagate::{current_traceparent, extract, inject};
pub(crate) use span::{Finished, finish_request, request_span};

/// Libraries whose finer levels print headers, bodies or messages, each with the finest level that may be logged. They have
/// a filter of their own beside the setting's: one that names a module of theirs would win over a line for the whole.
const QUIET: &[(&str, LevelFilter)] = &[
    ("hyper", LevelFilter::INFO),
    ("hyper_util", LevelFilter::INFO),
    ("h2", LevelFilter::INFO),
    ("reqwest", LevelFilter::INFO),
    ("rmcp", LevelFilter::OFF),
];

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
    /// Reads `LOG`, `METRIC_INTERVAL` and the standard `OTEL_EXPORTER_OTLP_ENDPOINT`.
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
    let filter = EnvFilter::try_new(&config.log_filter).map_err(TelemetryFault::filter)?;
    let guard = export::start(service, config)?;
    let tracer = guard.tracer_provider().tracer(service);
    tracing_subscriber::registry()
        .with(filter)
        .with(filter_fn(may_be_logged))
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

/// Whether the quiet libraries leave it open.
fn may_be_logged(metadata: &Metadata<'_>) -> bool {
    let is_of = |library: &str| {
        let rest = metadata.target().strip_prefix(library);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let quiet = QUIET.iter().find(|(library, _)| is_of(library));
    quiet.is_none_or(|(_, finest)| metadata.level() <= finest)
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing::{Event, Subscriber};
    use tracing_subscriber::Layer;
    use tracing_subscriber::layer::Context;

    use super::*;

    /// Keeps the targets of what is logged.
    #[derive(Clone, Default)]
    struct Logged(Arc<Mutex<Vec<&'static str>>>);

    impl<S: Subscriber> Layer<S> for Logged {
        fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
            self.0.lock().unwrap().push(event.metadata().target());
        }
    }

    #[test]
    fn no_setting_opens_a_library_that_prints_messages_or_headers() {
        let logged = Logged::default();
        let setting = "info,rmcp::transport=trace,hyper::proto=trace,own=trace";
        let subscriber = tracing_subscriber::registry()
            .with(EnvFilter::try_new(setting).unwrap())
            .with(filter_fn(may_be_logged))
            .with(logged.clone());
        tracing::subscriber::with_default(subscriber, || {
            tracing::error!(target: "rmcp::transport", "an answer");
            tracing::trace!(target: "rmcp::transport", "an answer");
            tracing::trace!(target: "hyper::proto", "a header");
            tracing::info!(target: "hyper::proto", "a connection");
            tracing::trace!(target: "own", "a step");
            tracing::info!(target: "rmcp_like", "another");
        });
        let logged = logged.0.lock().unwrap();
        assert_eq!(*logged, ["hyper::proto", "own", "rmcp_like"]);
    }
}
