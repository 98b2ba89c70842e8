//! What query-service knows of the record that a report is about.

use events_schema::api::internal::RecordLookup;
use events_schema::record::RecordKind;
use http::StatusCode;
use service_kit::client::{CallFault, Client};
use uuid::Uuid;

/// Largest value of a record that is kept with a report, as JSON; what is larger is left out.
const MAX_STORED_VALUE_BYTES: usize = 64 * 1024;

/// Look-ups at query-service. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Records {
    client: Client,
    base_url: String,
}

impl Records {
    /// Look-ups at `base_url` with the token that `client` sends.
    #[must_use]
    pub fn new(client: Client, base_url: &str) -> Self {
        Self {
            client,
            base_url: base_url.trim_end_matches('/').to_owned(),
        }
    }

    /// The record with what it holds in `field`; `None` if there is none, a merged id gives its survivor.
    ///
    /// # Errors
    /// When query-service gives no answer.
    pub async fn find(
        &self,
        kind: RecordKind,
        service_id: Uuid,
        field: Option<&str>,
    ) -> Result<Option<RecordLookup>, CallFault> {
        // A field's path is made of letters, digits, `_` and `.`: it needs no escaping.
        let query = field.map_or_else(String::new, |field| format!("?field={field}"));
        let url = format!(
            "{}/internal/records/{kind}/{service_id}{query}",
            self.base_url
        );
        match self.client.get_json::<RecordLookup>(&url).await {
            Ok(found) => Ok(Some(bounded(found))),
            Err(CallFault::Status(StatusCode::NOT_FOUND, body)) if says_not_found(&body) => {
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }
}

/// Whether a 404 is about the record; one about the route means that something else answers there.
fn says_not_found(body: &[u8]) -> bool {
    let body: Result<serde_json::Value, _> = serde_json::from_slice(body);
    body.is_ok_and(|body| {
        body.get("error").and_then(serde_json::Value::as_str) == Some("not_found")
    })
}

fn bounded(mut found: RecordLookup) -> RecordLookup {
    if found.stored_value.to_string().len() > MAX_STORED_VALUE_BYTES {
        found.stored_value = serde_json::Value::Null;
    }
    found
}
