//! Calls from one part to another: pooled HTTP/2 with prior knowledge, time limits, trace context, bearer token.
//!
//! Guarantee: a call ends within its total time and gives a [`CallFault`] that says whether the other part could have
//! acted: after [`CallFault::Unreachable`] it has not, after [`CallFault::TimedOut`] and [`CallFault::Broken`] it may have.

mod instances;

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use instances::Instances;

use crate::config::Secret;
use crate::telemetry;

/// The limits of a client.
#[derive(Debug, Clone)]
pub struct ClientConfig {
    /// Until the connection stands.
    pub connect_timeout: Duration,
    /// From the call to the last byte of the answer.
    pub total_timeout: Duration,
    /// Largest answer that is read.
    pub max_answer_bytes: usize,
    /// The token of the other part's listener.
    pub token: Option<Secret<String>>,
}

impl Default for ClientConfig {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(2),
            total_timeout: Duration::from_secs(30),
            max_answer_bytes: 32 * 1024 * 1024,
            token: None,
        }
    }
}

/// Why a call gave no answer of the wanted form.
#[derive(Debug, thiserror::Error)]
pub enum CallFault {
    /// No connection: the other part has not seen the call.
    #[error("the other part cannot be reached")]
    Unreachable(#[source] reqwest::Error),
    /// The total time is over; the other part may have acted.
    #[error("the other part did not answer in time")]
    TimedOut,
    /// The connection broke during the call; the other part may have acted.
    #[error("the connection to the other part broke")]
    Broken(#[source] reqwest::Error),
    /// An answer with another status than 2xx, with its body.
    #[error("the other part answered {0}")]
    Status(StatusCode, Bytes),
    /// An answer that is not of the expected form, or is too large.
    #[error("the answer of the other part has another form: {0}")]
    Malformed(String),
}

/// A whole answer, whatever its status.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, at most `max_answer_bytes`.
    pub body: Bytes,
}

/// A pool of connections to other parts. Clones share it.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    authorization: Option<HeaderValue>,
    total_timeout: Duration,
    max_answer_bytes: usize,
}

impl Client {
    /// A client with its own pool.
    ///
    /// # Errors
    /// When the token cannot stand in a header or the pool cannot be built.
    pub fn new(config: ClientConfig) -> Result<Self, CallFault> {
        let http = reqwest::Client::builder()
            .http2_prior_knowledge()
            .http2_keep_alive_interval(Duration::from_secs(20))
            .http2_keep_alive_timeout(Duration::from_secs(10))
            .connect_timeout(config.connect_timeout)
            .timeout(config.total_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(CallFault::Unreachable)?;
        Ok(Self {
            http,
            authorization: config.token.as_ref().map(authorization).transpose()?,
            total_timeout: config.total_timeout,
            max_answer_bytes: config.max_answer_bytes,
        })
    }

    /// Sends `request` as JSON and reads a 2xx answer as `T`.
    ///
    /// # Errors
    /// Every way in which there is no such answer.
    pub async fn post_json<Q, T>(&self, url: &str, request: &Q) -> Result<T, CallFault>
    where
        Q: Serialize + ?Sized,
        T: DeserializeOwned,
    {
        let body =
            serde_json::to_vec(request).map_err(|fault| CallFault::Malformed(fault.to_string()))?;
        let answer = self
            .send(Method::POST, url, HeaderMap::new(), body.into())
            .await?;
        typed(&answer)
    }

    /// Sends `request` as JSON and hands out each line of a 2xx answer as soon as it is there.
    ///
    /// # Errors
    /// Every way in which there is no such answer, or not all of it; lines before may have been handed out.
    pub async fn post_json_lines<Q, T>(
        &self,
        url: &str,
        request: &Q,
        mut each: impl FnMut(T) + Send,
    ) -> Result<(), CallFault>
    where
        Q: Serialize + ?Sized,
        T: DeserializeOwned,
    {
        let body =
            serde_json::to_vec(request).map_err(|fault| CallFault::Malformed(fault.to_string()))?;
        let request = self.request(Method::POST, url, HeaderMap::new(), body.into());
        let call = async {
            let mut response = request.send().await.map_err(fault)?;
            if !response.status().is_success() {
                return typed(&self.whole(response).await?);
            }
            let (mut lines, mut bytes, mut looked_at) = (BytesMut::new(), 0, 0);
            while let Some(chunk) = response.chunk().await.map_err(fault)? {
                bytes += chunk.len();
                self.is_within(bytes)?;
                lines.extend_from_slice(&chunk);
                while let Some(end) = lines.iter().skip(looked_at).position(|byte| *byte == b'\n') {
                    let line = lines.split_to(looked_at + end + 1);
                    looked_at = 0;
                    each(parsed(&line)?);
                }
                looked_at = lines.len();
            }
            if lines.is_empty() {
                Ok(())
            } else {
                Err(CallFault::Malformed("its last line has no end".to_owned()))
            }
        };
        tokio::time::timeout(self.total_timeout, call)
            .await
            .unwrap_or(Err(CallFault::TimedOut))
    }

    /// Reads a 2xx answer to a GET as `T`.
    ///
    /// # Errors
    /// Every way in which there is no such answer.
    pub async fn get_json<T: DeserializeOwned>(&self, url: &str) -> Result<T, CallFault> {
        typed(
            &self
                .send(Method::GET, url, HeaderMap::new(), Bytes::new())
                .await?,
        )
    }

    /// Sends a body as it is, with `headers` besides the client's own, and hands out the answer whatever its status.
    ///
    /// # Errors
    /// All but [`CallFault::Status`].
    pub async fn send(
        &self,
        method: Method,
        url: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, CallFault> {
        let request = self.request(method, url, headers, body);
        let call = async { self.whole(request.send().await.map_err(fault)?).await };
        tokio::time::timeout(self.total_timeout, call)
            .await
            .unwrap_or(Err(CallFault::TimedOut))
    }

    fn request(
        &self,
        method: Method,
        url: &str,
        mut headers: HeaderMap,
        body: Bytes,
    ) -> reqwest::RequestBuilder {
        if method != Method::GET && !headers.contains_key(header::CONTENT_TYPE) {
            headers.insert(
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            );
        }
        if let Some(authorization) = &self.authorization {
            headers.insert(header::AUTHORIZATION, authorization.clone());
        }
        telemetry::inject(&mut headers);
        self.http.request(method, url).headers(headers).body(body)
    }

    async fn whole(&self, mut response: reqwest::Response) -> Result<Answer, CallFault> {
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(fault)? {
            self.is_within(body.len() + chunk.len())?;
            body.extend_from_slice(&chunk);
        }
        let headers = std::mem::take(response.headers_mut());
        Ok(Answer {
            status: response.status(),
            headers,
            body: body.freeze(),
        })
    }

    fn is_within(&self, bytes: usize) -> Result<(), CallFault> {
        if bytes > self.max_answer_bytes {
            return Err(CallFault::Malformed(format!(
                "it exceeds {} bytes",
                self.max_answer_bytes
            )));
        }
        Ok(())
    }
}

fn typed<T: DeserializeOwned>(answer: &Answer) -> Result<T, CallFault> {
    if !answer.status.is_success() {
        return Err(CallFault::Status(answer.status, answer.body.clone()));
    }
    parsed(&answer.body)
}

fn parsed<T: DeserializeOwned>(text: &[u8]) -> Result<T, CallFault> {
    // The text of serde's fault may quote the answer, which may be personal: only the place is kept.
    serde_json::from_slice(text).map_err(|fault| {
        CallFault::Malformed(format!("line {}, column {}", fault.line(), fault.column()))
    })
}

fn authorization(token: &Secret<String>) -> Result<HeaderValue, CallFault> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose()))
        .map_err(|_| CallFault::Malformed("the token cannot stand in a header".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

fn fault(fault: reqwest::Error) -> CallFault {
    let fault = fault.without_url();
    match () {
        () if fault.is_connect() => CallFault::Unreachable(fault),
        () if fault.is_timeout() => CallFault::TimedOut,
        () => CallFault::Broken(fault),
    }
}
