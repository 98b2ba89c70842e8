//! A customer with a contract and a key, and what the service answers to it.

use std::time::Duration;

use anyhow::Context;
use events_schema::api::endpoint::Endpoint;
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::stack::Stack;

/// An account with one contract and one key, and a connection pool.
#[derive(Debug, Clone)]
pub struct Customer {
    /// The account.
    pub account_id: String,
    /// Its contract.
    pub contract_id: String,
    /// Public part of its key.
    pub api_key_id: String,
    /// Its key.
    pub api_key: String,
    /// The trace that each of its requests belongs to, if they are told one.
    trace: Option<String>,
    client: reqwest::Client,
    query_url: String,
    command_url: String,
    mcp_url: String,
}

/// An answer as a client sees it.
#[derive(Debug, Clone)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// JSON body; null if it is none.
    pub body: Value,
}

impl Answer {
    /// A header's text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A header's whole number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        self.header(name)?.parse().ok()
    }

    /// The slug of an error body.
    #[must_use]
    pub fn error(&self) -> &str {
        self.body
            .pointer("/error")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The value at a JSON pointer; null if there is none.
    #[must_use]
    pub fn at(&self, pointer: &str) -> &Value {
        self.body.pointer(pointer).unwrap_or(&Value::Null)
    }

    /// The result of an MCP tool as the answer of its endpoint (docs/AGENTS.md, "Results" and "Errors"); anything else as it is.
    fn of_tool(self) -> Self {
        let meta = |name: &str| self.at(&format!("/result/_meta/{name}")).clone();
        let status = meta("status")
            .as_u64()
            .and_then(|status| status.try_into().ok());
        let Some(status) = status else {
            return self;
        };
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("request-id", meta("request_id")),
            ("credits-used", meta("credits_used")),
            ("credits-remaining", meta("credits_remaining")),
            ("retry-after", meta("details/retry_after_seconds")),
        ] {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.insert(name, value);
            }
        }
        let body = if status == 200 {
            self.at("/result/structuredContent").clone()
        } else {
            json!({
                "error": meta("error"),
                "message": self.at("/result/content/0/text"),
                "request_id": meta("request_id"),
                "retryable": meta("retryable").as_bool().unwrap_or(false),
                "details": meta("details"),
            })
        };
        Self {
            status,
            headers,
            body,
        }
    }
}

impl Stack {
    /// A new customer whose rate limits are out of the way.
    ///
    /// # Errors
    /// When an operator's command fails.
    pub async fn customer(&self, credits: i64) -> anyhow::Result<Customer> {
        self.customer_of(credits, 1_000_000).await
    }

    /// A new customer whose key lets so many requests a minute through, of each endpoint.
    ///
    /// # Errors
    /// As for [`Stack::customer`].
    pub async fn customer_of(&self, credits: i64, a_minute: u32) -> anyhow::Result<Customer> {
        let text = |value: &Value, key: &str| -> anyhow::Result<String> {
            let text = value.get(key).and_then(Value::as_str);
            Ok(text
                .with_context(|| format!("{key} in {value}"))?
                .to_owned())
        };
        let account = self
            .roster(&["account", "create", "--name", "a customer"])
            .await?;
        let account_id = text(&account, "account_id")?;
        let credits = credits.to_string();
        let contract = self
            .roster(&[
                "contract",
                "create",
                "--account",
                &account_id,
                "--credits",
                &credits,
                // Also where a test sets the clock back across midnight.
                "--starts",
                "2026-01-01",
            ])
            .await?;
        let mut arguments = vec!["key", "create", "--account", &account_id];
        let limits: Vec<String> = Endpoint::ALL
            .iter()
            .map(|endpoint| format!("{endpoint}={a_minute}"))
            .collect();
        for limit in &limits {
            arguments.extend(["--rate-limit", limit]);
        }
        let key = self.roster(&arguments).await?;
        Ok(Customer {
            contract_id: text(&contract, "contract_id")?,
            api_key_id: text(&key, "api_key_id")?,
            api_key: text(&key, "api_key")?,
            account_id,
            trace: None,
            client: reqwest::Client::builder()
                .no_proxy()
                .timeout(Duration::from_secs(35))
                // Below the 10 s after which a listener ends an idle connection: a request on its way then would be lost.
                .pool_idle_timeout(Duration::from_secs(5))
                .build()?,
            query_url: format!("http://127.0.0.1:{}", self.ports.query),
            command_url: format!("http://127.0.0.1:{}", self.ports.command),
            mcp_url: format!("http://127.0.0.1:{}", self.ports.mcp),
        })
    }
}

impl Customer {
    /// Base URL of the query-service, for programs that ask it by themselves.
    #[must_use]
    pub fn query_url(&self) -> &str {
        &self.query_url
    }

    /// The same customer, who asks everything of the gateway at `url`.
    #[must_use]
    pub fn through(&self, url: &str) -> Self {
        Self {
            query_url: url.to_owned(),
            command_url: url.to_owned(),
            mcp_url: url.to_owned(),
            ..self.clone()
        }
    }

    /// The same customer, whose requests belong to a trace: 32 hexadecimal digits, which the events of each request carry.
    #[must_use]
    pub fn traced(&self, trace: &str) -> Self {
        Self {
            trace: Some(trace.to_owned()),
            ..self.clone()
        }
    }

    /// POST with the key.
    ///
    /// # Errors
    /// When there is no whole answer: the connection was refused or broke.
    pub async fn post(&self, path: &str, body: &Value) -> reqwest::Result<Answer> {
        self.send(self.request(path, body)).await
    }

    /// As [`Customer::post`], with the body as it came: for measurements, in which reading it is no part.
    ///
    /// # Errors
    /// As for [`Customer::post`].
    pub async fn post_unread(&self, path: &str, body: &Value) -> reqwest::Result<(u16, Vec<u8>)> {
        let answer = self.request(path, body).send().await?;
        Ok((answer.status().as_u16(), answer.bytes().await?.into()))
    }

    /// POST with the key and an `Idempotency-Key`.
    ///
    /// # Errors
    /// As for [`Customer::post`].
    pub async fn post_once(&self, path: &str, body: &Value, key: &str) -> reqwest::Result<Answer> {
        self.send(self.request(path, body).header("Idempotency-Key", key))
            .await
    }

    /// `POST /person/enrich` by e-mail, with a small answer.
    ///
    /// # Errors
    /// As for [`Customer::post`].
    pub async fn enrich(&self, email: &str) -> reqwest::Result<Answer> {
        let body = json!({ "email": email, "include_fields": "full_name" });
        self.post("/person/enrich", &body).await
    }

    /// `GET /credits`.
    ///
    /// # Errors
    /// As for [`Customer::post`].
    pub async fn credits(&self) -> reqwest::Result<Answer> {
        self.get("/credits").await
    }

    /// GET with the key.
    ///
    /// # Errors
    /// As for [`Customer::post`].
    pub async fn get(&self, path: &str) -> reqwest::Result<Answer> {
        let request = self.client.get(format!("{}{path}", self.base(path)));
        self.send(request.header("API-Key", &self.api_key)).await
    }

    /// A call of an MCP tool.
    ///
    /// # Errors
    /// As for [`Customer::post`].
    pub async fn call_tool(&self, name: &str, arguments: &Value) -> reqwest::Result<Answer> {
        let params = json!({ "name": name, "arguments": arguments });
        self.mcp(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }))
            .await
    }

    /// A call of an MCP tool under the name of the request, if it has one: the answer as REST would give it.
    ///
    /// # Errors
    /// As for [`Customer::post`].
    pub async fn call_tool_once(
        &self,
        name: &str,
        arguments: &Value,
        key: Option<&str>,
    ) -> reqwest::Result<Answer> {
        let params = json!({ "name": name, "arguments": arguments });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let mut request = self.mcp_request(&message);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        Ok(self.send(request).await?.of_tool())
    }

    /// One JSON-RPC message to the MCP server.
    ///
    /// # Errors
    /// As for [`Customer::post`].
    pub async fn mcp(&self, message: &Value) -> reqwest::Result<Answer> {
        self.send(self.mcp_request(message)).await
    }

    fn mcp_request(&self, message: &Value) -> reqwest::RequestBuilder {
        self.client
            .post(format!("{}/mcp", self.mcp_url))
            .header("Accept", "application/json, text/event-stream")
            .header("API-Key", &self.api_key)
            .json(message)
    }

    fn request(&self, path: &str, body: &Value) -> reqwest::RequestBuilder {
        self.client
            .post(format!("{}{path}", self.base(path)))
            .header("API-Key", &self.api_key)
            .json(body)
    }

    /// The split that the gateway makes.
    fn base(&self, path: &str) -> &str {
        if path == "/credits" || path.starts_with("/utility/report/") {
            &self.command_url
        } else {
            &self.query_url
        }
    }

    async fn send(&self, mut request: reqwest::RequestBuilder) -> reqwest::Result<Answer> {
        if let Some(trace) = &self.trace {
            request = request.header("traceparent", format!("00-{trace}-0000000000000001-01"));
        }
        let answer = request.send().await?;
        Ok(Answer {
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            body: serde_json::from_slice(&answer.bytes().await?).unwrap_or_default(),
        })
    }
}
