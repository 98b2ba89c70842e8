//! Reports to command-service: how loading ended, or that search files were written anew.

use events_schema::api::internal::{LoadOutcome, LoadResult};
use http::{HeaderMap, Method};
use service_kit::client::CallFault;

use crate::builds::fault::LoadFault;
use crate::builds::loader::Loader;
use crate::builds::refusal::Refusal;

/// What command-service said.
pub(super) enum Taken {
    /// It is durable.
    Yes,
    /// command-service itself refused.
    Refused(Refusal),
}

/// Reports to the first command-service that answers; the same report again changes nothing there.
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
            Ok(answer) => match Refusal::of(answer.status, &answer.body) {
                Some(refusal) => return Ok(Taken::Refused(refusal)),
                None => last = CallFault::Status(answer.status, answer.body),
            },
            Err(fault) => last = fault,
        }
    }
    Err(last.into())
}
