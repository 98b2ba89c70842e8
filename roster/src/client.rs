//! The admin listeners, and what mcp-server says of its health, over HTTP: one request, one JSON document, and refusals passed on as the
//! service sent them.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::settings::Settings;

/// Longer than an activation, which waits up to 30 s for the query-services.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(90);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Where the projector listens when nothing else is set.
const DEFAULT_PROJECTOR_URL: &str = "http://127.0.0.1:8086";
/// The same of mcp-server.
const DEFAULT_MCP_URL: &str = "http://127.0.0.1:8085";

/// A client of one listener.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    base_url: String,
    /// Of an operator; none for a listener that asks for none.
    token: Option<String>,
    /// Names the part in messages.
    part: &'static str,
}

impl Client {
    /// The admin listener of command-service.
    pub(crate) fn of_command_service(settings: &Settings) -> Result<Self, Failure> {
        let url = settings.required("ROSTER_ADMIN_URL")?;
        Self::new(
            "command-service",
            "ROSTER_ADMIN_URL",
            url,
            Some(settings.required("ROSTER_ADMIN_TOKEN")?),
        )
    }

    /// The admin listener of the projector.
    pub(crate) fn of_projector(settings: &Settings) -> Result<Self, Failure> {
        let url = settings
            .optional("ROSTER_PROJECTOR_URL")
            .unwrap_or_else(|| DEFAULT_PROJECTOR_URL.to_owned());
        let token = settings.required("ROSTER_ADMIN_TOKEN")?;
        Self::new("projector", "ROSTER_PROJECTOR_URL", url, Some(token))
    }

    /// The listeners of mcp-server, each instance's; they have no token of operators. None where the setting is `none`.
    pub(crate) fn of_mcp_servers(settings: &Settings) -> Result<Vec<Self>, Failure> {
        let urls = settings
            .optional("ROSTER_MCP_URLS")
            .unwrap_or_else(|| DEFAULT_MCP_URL.to_owned());
        urls.split(',')
            .filter(|url| url.trim() != "none")
            .map(|url| Self::new("mcp-server", "ROSTER_MCP_URLS", url.trim().to_owned(), None))
            .collect()
    }

    /// `name` is the setting that the address stands in.
    fn new(
        part: &'static str,
        name: &str,
        base_url: String,
        token: Option<String>,
    ) -> Result<Self, Failure> {
        let is_http = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        if !base_url.parse().is_ok_and(|url| is_http(&url)) {
            return Err(Failure::usage(format!(
                "{name} is {base_url:?}, which is no address like http://127.0.0.1:8084"
            )));
        }
        let http = reqwest::Client::builder()
            .timeout(REQUEST_TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            // The tokens go to the address that is set and to no proxy.
            .no_proxy()
            .build()
            .map_err(|fault| Failure::internal(fault.to_string()))?;
        let base_url = base_url.trim_end_matches('/').to_owned();
        Ok(Self {
            http,
            base_url,
            token,
            part,
        })
    }

    /// Where it asks.
    pub(crate) fn url(&self) -> &str {
        &self.base_url
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.document(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        self.document(self.request(Method::POST, path).json(body))
            .await
    }

    /// A POST that is carried out once under this name, however often it is sent.
    pub(crate) async fn post_named<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        key: &str,
    ) -> Result<T, Failure> {
        let request = self.request(Method::POST, path);
        self.document(request.header("Idempotency-Key", key).json(body))
            .await
    }

    /// A POST that may take up to `limit`.
    pub(crate) async fn post_within<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        limit: Duration,
    ) -> Result<T, Failure> {
        let request = self.request(Method::POST, path).timeout(limit);
        self.document(request.json(body)).await
    }

    /// All pages of a list: `path` is asked again with the cursor of each page until there is no further one.
    pub(crate) async fn all_pages(&self, path: &str, key: &str) -> Result<Value, Failure> {
        let mut page: Value = self.get(path).await?;
        let mut all = Vec::new();
        loop {
            if let Some(Value::Array(some)) = page.get_mut(key) {
                all.append(some);
            }
            let Some(cursor) = page.get("next_cursor").and_then(Value::as_str) else {
                return Ok(json!({ key: all }));
            };
            page = self.get(&format!("{path}?cursor={cursor}")).await?;
        }
    }

    /// A POST whose answer may be empty: then `null`.
    pub(crate) async fn act(&self, path: &str) -> Result<Value, Failure> {
        self.maybe(self.request(Method::POST, path)).await
    }

    /// A DELETE whose answer may be empty: then `null`.
    pub(crate) async fn delete(&self, path: &str) -> Result<Value, Failure> {
        self.maybe(self.request(Method::DELETE, path)).await
    }

    async fn maybe(&self, request: RequestBuilder) -> Result<Value, Failure> {
        let answer = self.answer(request).await?;
        let body = answer
            .bytes()
            .await
            .map_err(|fault| self.unreachable(&fault))?;
        if body.is_empty() {
            return Ok(Value::Null);
        }
        self.parsed(&body)
    }

    /// A PUT of bytes; the answer holds nothing.
    pub(crate) async fn put(
        &self,
        path: &str,
        body: Bytes,
        headers: &[(&'static str, String)],
    ) -> Result<(), Failure> {
        let request = headers.iter().fold(
            self.request(Method::PUT, path)
                .header("Content-Type", "application/x-ndjson")
                .body(body),
            |request, (name, value)| request.header(*name, value),
        );
        self.answer(request).await.map(drop)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self
            .http
            .request(method, format!("{}{path}", self.base_url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    async fn document<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Failure> {
        let answer = self.answer(request).await?;
        let body = answer
            .bytes()
            .await
            .map_err(|fault| self.unreachable(&fault))?;
        self.parsed(&body)
    }

    fn parsed<T: DeserializeOwned>(&self, body: &[u8]) -> Result<T, Failure> {
        serde_json::from_slice(body).map_err(|fault| {
            Failure::internal(format!(
                "{} answered what cannot be read: {fault}",
                self.part
            ))
        })
    }

    /// The answer if it is a success, else the refusal in it.
    async fn answer(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let answer = request
            .send()
            .await
            .map_err(|fault| self.unreachable(&fault))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let body = answer
            .bytes()
            .await
            .map_err(|fault| self.unreachable(&fault))?;
        Err(serde_json::from_slice(&body).unwrap_or_else(|_| self.without_body(status)))
    }

    /// Such a 5xx answer is not the service's own but comes from something in front of it, which cannot know what was done.
    fn without_body(&self, status: StatusCode) -> Failure {
        if status.is_server_error() {
            let reason = format!("{status} without an error body");
            return Failure::unavailable_because(self.part, &reason);
        }
        Failure::internal(format!(
            "{} answered {status} without an error body",
            self.part
        ))
    }

    fn unreachable(&self, fault: &reqwest::Error) -> Failure {
        Failure::unavailable(self.part, fault)
    }
}
