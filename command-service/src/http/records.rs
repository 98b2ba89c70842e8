//! What query-service knows of the record that a report is about.

use events_schema::api::internal::RecordLookup;
use events_schema::record::RecordKind;
use http::StatusCode;
use service_kit::client::{CallFault, Instances};
use uuid::Uuid;

/// Largest value of a record that is kept with a report, as JSON; what is larger is left out.
const MAX_STORED_VALUE_BYTES: usize = 64 * 1024;

/// Look-ups at query-service. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Records {
    query_services: Instances,
}

impl Records {
    /// Look-ups at whichever of them can be reached.
    #[must_use]
    pub fn new(query_services: Instances) -> Self {
        Self { query_services }
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
        let path = format!("/internal/records/{kind}/{service_id}{query}");
        match self.query_services.get_json::<RecordLookup>(&path).await {
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
