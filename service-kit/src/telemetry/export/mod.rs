//! Sending traces and metrics to a collector over OTLP/HTTP.

use std::time::Duration;

use opentelemetry::global;
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::SdkTracerProvider;

use super::TelemetryConfig;
use runtime::OnRuntime;

mod runtime;

const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// Why telemetry could not start.
#[derive(Debug, thiserror::Error)]
#[error("telemetry cannot start: {what}")]
pub struct TelemetryFault {
    what: &'static str,
    #[source]
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl TelemetryFault {
    pub(super) fn filter(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self {
            what: "the log filter cannot be read",
            source: Box::new(source),
        }
    }

    pub(super) fn subscriber(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self {
            what: "a subscriber is already set",
            source: Box::new(source),
        }
    }

    fn exporter(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self {
            what: "the exporter cannot be built",
            source: Box::new(source),
        }
    }
}

/// Keeps the export running; dropping it sends what is buffered, for at most five seconds each.
#[derive(Debug)]
#[must_use = "dropping the guard ends the export"]
pub struct Guard {
    traces: SdkTracerProvider,
    metrics: SdkMeterProvider,
}

impl Guard {
    pub(super) fn tracer_provider(&self) -> &SdkTracerProvider {
        &self.traces
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // A collector that is gone at the end must not turn a clean stop into a failure.
        let _ = self.traces.shutdown_with_timeout(FLUSH_TIMEOUT);
        let _ = self.metrics.shutdown_with_timeout(FLUSH_TIMEOUT);
    }
}

/// Without an endpoint the providers have no exporter: spans get their ids, so that contexts travel, and end there.
pub(super) fn start(
    service: &'static str,
    config: &TelemetryConfig,
) -> Result<Guard, TelemetryFault> {
    let resource = Resource::builder().with_service_name(service).build();
    let mut traces = SdkTracerProvider::builder().with_resource(resource.clone());
    let mut metrics = SdkMeterProvider::builder().with_resource(resource);
    if let Some(endpoint) = config
        .otlp_endpoint
        .as_deref()
        .map(|text| text.trim_end_matches('/'))
    {
        let spans = SpanExporter::builder()
            .with_http()
            .with_endpoint(format!("{endpoint}/v1/traces"))
            .build();
        let points = MetricExporter::builder()
            .with_http()
            .with_endpoint(format!("{endpoint}/v1/metrics"))
            .build();
        let handle = tokio::runtime::Handle::current();
        let spans = OnRuntime::new(spans.map_err(TelemetryFault::exporter)?, handle.clone());
        let points = OnRuntime::new(points.map_err(TelemetryFault::exporter)?, handle);
        traces = traces.with_batch_exporter(spans);
        let reader = PeriodicReader::builder(points)
            .with_interval(config.metric_interval)
            .build();
        metrics = metrics.with_reader(reader);
    }
    let guard = Guard {
        traces: traces.build(),
        metrics: metrics.build(),
    };
    global::set_tracer_provider(guard.traces.clone());
    global::set_meter_provider(guard.metrics.clone());
    Ok(guard)
}
