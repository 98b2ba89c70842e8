//! The word to command-service: how loading ended, or that search files were written anew.

use events_schema::api::internal::{LoadOutcome, LoadResult};
use http::{HeaderMap, Method, StatusCode};
use service_kit::client::CallFault;

use crate::builds::loader::{LoadFault, Loader};

/// What command-service said.
pub(super) enum Taken {
    /// It is durable.
    Yes,
    /// The build was abandoned meanwhile, or is none that waits for it.
    NotWanted(StatusCode),
}

/// Tells the first command-service that answers; the same word again changes nothing there.
pub(super) async fn tell(
    loader: &Loader,
    build: &str,
    result: LoadResult,
) -> Result<Taken, LoadFault> {
    let body = serde_json::to_vec(&LoadOutcome { result })?;
    let mut last = CallFault::Malformed("no command-service is configured".to_owned());
    for url in &loader.command_service_urls {
        let url = format!("{url}/internal/builds/{build}/outcome");
        match loader
            .client
            .send(Method::POST, &url, HeaderMap::new(), body.clone().into())
            .await
        {
            Ok(answer) if answer.status.is_success() => return Ok(Taken::Yes),
            Ok(answer) if matches!(answer.status.as_u16(), 404 | 409) => {
                let status = answer.status.as_u16();
                tracing::warn!(build, status, "the outcome is not wanted");
                return Ok(Taken::NotWanted(answer.status));
            }
            Ok(answer) => last = CallFault::Status(answer.status, answer.body),
            Err(fault) => last = fault,
        }
    }
    Err(last.into())
}
