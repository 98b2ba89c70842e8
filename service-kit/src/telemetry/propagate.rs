//! The W3C trace context (`traceparent`, `tracestate`) in and out of headers.

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry::{Context, global};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const TRACEPARENT: &str = "traceparent";

pub(super) fn install() {
    global::set_text_map_propagator(TraceContextPropagator::new());
}

/// The context that a request's headers carry; the empty one if they carry none.
pub fn extract(headers: &HeaderMap) -> Context {
    TraceContextPropagator::new().extract(&Carrier(headers))
}

/// Writes the context of the current span into the headers of a call.
pub fn inject(headers: &mut HeaderMap) {
    TraceContextPropagator::new()
        .inject_context(&Span::current().context(), &mut CarrierMut(headers));
}

/// The `traceparent` of the current span, for messages that have no header map; `None` outside of a trace.
pub fn current_traceparent() -> Option<String> {
    let mut headers = HeaderMap::new();
    inject(&mut headers);
    headers.get(TRACEPARENT)?.to_str().ok().map(str::to_owned)
}

struct Carrier<'a>(&'a HeaderMap);

impl Extractor for Carrier<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

struct CarrierMut<'a>(&'a mut HeaderMap);

impl Injector for CarrierMut<'_> {
    fn set(&mut self, key: &str, value: String) {
        let pair = (
            HeaderName::from_bytes(key.as_bytes()),
            HeaderValue::from_str(&value),
        );
        if let (Ok(name), Ok(value)) = pair
            && !value.is_empty()
        {
            self.0.insert(name, value);
        }
    }
}
