//! Calls that any instance of another part answers alike.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::{HeaderMap, Method};
use serde::de::DeserializeOwned;

use super::{Answer, CallFault, Client, typed};

/// The instances of one part. Each call begins at the next one, and goes on to another only where it surely was not seen:
/// what was sent may have been done. Clones share the turn.
#[derive(Debug, Clone)]
pub struct Instances {
    client: Client,
    /// Without a slash at the end.
    urls: Arc<[String]>,
    turn: Arc<AtomicUsize>,
}

impl Instances {
    /// The instances at `urls`, asked by `client`.
    pub fn new(client: Client, urls: &[String]) -> Self {
        let urls = urls.iter().map(|url| url.trim_end_matches('/').to_owned());
        Self {
            client,
            urls: urls.collect(),
            turn: Arc::default(),
        }
    }

    /// As [`Client::send`], to the first of them that can be reached.
    ///
    /// # Errors
    /// As there; of the last one where none can be reached.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, CallFault> {
        let mut outcome = Err(CallFault::Malformed("no instance is named".to_owned()));
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % self.urls.len().max(1);
        for url in self.urls.iter().cycle().skip(turn).take(self.urls.len()) {
            let url = format!("{url}{path}");
            let sent = self
                .client
                .send(method.clone(), &url, headers.clone(), body.clone());
            outcome = sent.await;
            if !matches!(outcome, Err(CallFault::Unreachable(_))) {
                break;
            }
        }
        outcome
    }

    /// As [`Client::get_json`], of the first of them that can be reached.
    ///
    /// # Errors
    /// As there.
    pub async fn get_json<T: DeserializeOwned>(&self, path: &str) -> Result<T, CallFault> {
        let sent = self.send(Method::GET, path, HeaderMap::new(), Bytes::new());
        typed(&sent.await?)
    }
}
