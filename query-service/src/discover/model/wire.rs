//! One call: `POST {base}/chat/completions`, over a client of its own. HTTP/1.1, no proxy, no redirect is followed, an answer
//! of bounded size. How long it may take and how many there may be is the caller's.

use bytes::Bytes;
use discover::model::{Question, instructions, schema};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde::Deserialize;
use serde_json::json;
use service_kit::config::Secret;

/// The largest answer that is read; a tree has a few hundred bytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The most that a model is let write.
const MAX_TOKENS: u32 = 1_024;

/// Why there is no answer. Never with a part of one.
#[derive(Debug, thiserror::Error)]
pub enum WireFault {
    /// The key has characters that no header has.
    #[error("the key cannot stand in a header")]
    Key,
    /// No certificates of the system.
    #[error("the certificates of the system cannot be read")]
    Certificates(#[source] std::io::Error),
    /// The call could not be written.
    #[error("the call cannot be written")]
    Call,
    /// No connection, or it broke.
    #[error("the connection failed")]
    Connection,
    /// Another status than 200; redirects are among them.
    #[error("it answered {0}")]
    Status(StatusCode),
    /// The body broke off.
    #[error("its answer broke off")]
    Body,
    /// The body is too large.
    #[error("its answer is larger than is read")]
    TooLarge,
    /// No answer of the protocol.
    #[error("its answer is none of the protocol")]
    Form,
    /// The model wrote nothing, as where it refuses.
    #[error("it has no text")]
    NoText,
}

impl WireFault {
    /// Whether the server answered, though nothing of use: that is said of the sentence, not of the server, so that nobody
    /// can have the model left alone by what they write.
    pub(super) fn is_answer(&self) -> bool {
        match self {
            Self::Status(status) => !is_failure(*status),
            Self::TooLarge | Self::Form | Self::NoText => true,
            Self::Key | Self::Certificates(_) | Self::Call | Self::Connection | Self::Body => false,
        }
    }
}

/// Whether a status is of the server, its key or its load, not of what it was asked.
fn is_failure(status: StatusCode) -> bool {
    status.as_u16() >= 500
        || matches!(
            status,
            StatusCode::UNAUTHORIZED
                | StatusCode::FORBIDDEN
                | StatusCode::REQUEST_TIMEOUT
                | StatusCode::TOO_MANY_REQUESTS
        )
}

/// The address, the key and the connections.
#[derive(Debug)]
pub(super) struct Wire {
    client: Connections,
    url: Uri,
    model: String,
    authorization: Option<HeaderValue>,
}

/// Certificates are read only where they are needed: a machine without any may still ask a model beside it.
#[derive(Debug)]
enum Connections {
    Plain(Client<HttpConnector, Full<Bytes>>),
    Tls(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

/// The answer, as far as it is looked at.
#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

/// Reads the base address of a model.
///
/// # Errors
/// When it is no `http` or `https` address, or has a name, password or query in it.
pub fn base_url(text: &str) -> Result<Uri, String> {
    let rule = || "must be an http or https address such as http://127.0.0.1:8000/v1".to_owned();
    let url: Uri = text.trim_end_matches('/').parse().map_err(|_| rule())?;
    let has_host = url.host().is_some_and(|host| !host.is_empty());
    let is_bare = url.query().is_none()
        && url
            .authority()
            .is_some_and(|authority| !authority.as_str().contains('@'));
    match url.scheme_str() {
        Some("http" | "https") if has_host && is_bare => Ok(url),
        _ => Err(rule()),
    }
}

impl Wire {
    pub(super) fn new(
        base: &Uri,
        model: String,
        key: Option<&Secret<String>>,
    ) -> Result<Self, WireFault> {
        let builder = Client::builder(TokioExecutor::new());
        let client = if base.scheme_str() == Some("https") {
            let connector = HttpsConnectorBuilder::new()
                .with_native_roots()
                .map_err(WireFault::Certificates)?;
            Connections::Tls(builder.build(connector.https_only().enable_http1().build()))
        } else {
            Connections::Plain(builder.build(HttpConnector::new()))
        };
        let url = format!(
            "{}/chat/completions",
            base.to_string().trim_end_matches('/')
        );
        Ok(Self {
            client,
            url: url.parse().map_err(|_| WireFault::Call)?,
            model,
            authorization: key.map(bearer).transpose()?,
        })
    }

    /// The text that the model wrote.
    pub(super) async fn ask(&self, question: &Question) -> Result<String, WireFault> {
        let request = self.request(question)?;
        let answered = match &self.client {
            Connections::Plain(client) => client.request(request).await,
            Connections::Tls(client) => client.request(request).await,
        };
        let response = answered.map_err(|_| WireFault::Connection)?;
        if response.status() != StatusCode::OK {
            return Err(WireFault::Status(response.status()));
        }
        let body = Limited::new(response.into_body(), MAX_ANSWER_BYTES);
        let body = body.collect().await.map_err(|fault| unread(&*fault))?;
        let Completion { choices } =
            serde_json::from_slice(&body.to_bytes()).map_err(|_| WireFault::Form)?;
        let first = choices.into_iter().next().ok_or(WireFault::Form)?;
        first.message.content.ok_or(WireFault::NoText)
    }

    fn request(&self, question: &Question) -> Result<Request<Full<Bytes>>, WireFault> {
        let kind = question.kind();
        let body = json!({
            "model": self.model,
            "messages": [
                {"role": "system", "content": instructions(kind)},
                {"role": "user", "content": question.asked().to_string()},
            ],
            "temperature": 0,
            "max_tokens": MAX_TOKENS,
            "stream": false,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "tree", "strict": true, "schema": schema(kind)},
            },
        });
        let mut request = Request::new(Full::new(Bytes::from(body.to_string())));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.clone();
        let headers = request.headers_mut();
        let json = HeaderValue::from_static("application/json");
        headers.insert(CONTENT_TYPE, json.clone());
        headers.insert(ACCEPT, json);
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        Ok(request)
    }
}

/// Why a body was not read.
fn unread(fault: &(dyn std::error::Error + 'static)) -> WireFault {
    if fault.is::<LengthLimitError>() {
        WireFault::TooLarge
    } else {
        WireFault::Body
    }
}

fn bearer(key: &Secret<String>) -> Result<HeaderValue, WireFault> {
    let mut value =
        HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|_| WireFault::Key)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_address_is_bare() {
        for (text, url) in [
            (
                "http://127.0.0.1:8000/v1",
                "http://127.0.0.1:8000/v1/chat/completions",
            ),
            (
                "http://127.0.0.1:8000/v1/",
                "http://127.0.0.1:8000/v1/chat/completions",
            ),
            ("http://[::1]:8000", "http://[::1]:8000/chat/completions"),
        ] {
            let wire = Wire::new(&base_url(text).unwrap(), "m".to_owned(), None).unwrap();
            assert_eq!(wire.url.to_string(), url);
        }
        assert!(base_url("https://api.example/v1").is_ok());
        for text in [
            "",
            "/v1",
            "127.0.0.1:8000",
            "ftp://api.example/v1",
            "file:///etc/passwd",
            "http:///v1",
            "http://user:secret@api.example/v1",
            "http://api.example/v1?key=secret",
            "http://api example/v1",
        ] {
            assert!(base_url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_a_server_answers_to_a_sentence_is_no_failure_of_the_server() {
        let status = |code| WireFault::Status(StatusCode::from_u16(code).unwrap());
        for code in [204, 302, 307, 400, 404, 413, 422] {
            assert!(status(code).is_answer(), "{code}");
        }
        for code in [401, 403, 408, 429, 500, 502, 503, 529, 999] {
            assert!(!status(code).is_answer(), "{code}");
        }
    }

    #[test]
    fn a_key_that_no_header_can_have_is_a_fault_and_never_shown() {
        let base = base_url("http://127.0.0.1:8000/v1").unwrap();
        let key = |text: &str| Secret::new(text.to_owned());
        let fault = Wire::new(&base, "m".to_owned(), Some(&key("sesame\n"))).unwrap_err();
        assert!(!format!("{fault} {fault:?}").contains("sesame"));
        let wire = Wire::new(&base, "m".to_owned(), Some(&key("sesame"))).unwrap();
        assert!(!format!("{wire:?}").contains("sesame"));
    }
}
