//! One tool call as one request to the REST endpoint of the tool.

use bytes::Bytes;
use events_schema::api::caller::{API_KEY, IDEMPOTENCY_KEY};
use events_schema::api::endpoint::Endpoint;
use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::{Map, Value};
use service_kit::client::{Answer, CallFault, Client, ClientConfig, Instances};

use crate::config::Config;

/// The REST services behind the tools. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Upstream {
    query_service: Instances,
    command_service: Instances,
}

impl Upstream {
    /// Clients for both services, without a token of our own: the caller's key is what counts.
    ///
    /// # Errors
    /// When the client cannot be built.
    pub fn new(config: &Config) -> Result<Self, CallFault> {
        let client = Client::new(ClientConfig {
            total_timeout: config.call_timeout,
            ..ClientConfig::default()
        })?;
        Ok(Self {
            query_service: Instances::new(client.clone(), &config.query_service_urls),
            command_service: Instances::new(client, &config.command_service_urls),
        })
    }

    /// Sends the arguments as the body of the endpoint, with the caller's key and each `Idempotency-Key` that it sent.
    ///
    /// # Errors
    /// When there is no whole answer; an answer of any status is one.
    pub async fn call(
        &self,
        endpoint: Endpoint,
        key: HeaderValue,
        idempotency_keys: Vec<HeaderValue>,
        arguments: Map<String, Value>,
    ) -> Result<Answer, CallFault> {
        let service = if endpoint.is_report() {
            &self.command_service
        } else {
            &self.query_service
        };
        let mut headers = HeaderMap::from_iter([
            (API_KEY, key),
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            ),
        ]);
        for key in idempotency_keys {
            headers.append(IDEMPOTENCY_KEY, key);
        }
        let body = Bytes::from(Value::Object(arguments).to_string());
        let sent = service.send(Method::POST, endpoint.path(), headers, body);
        sent.await
    }
}
