//! Waits until a sealed build is loaded or never will be.

use std::time::{Duration, Instant};

use events_schema::api::admin::{BuildStatus, BuildView};
use events_schema::ids::BuildName;
use serde_json::json;

use crate::client::Client;
use crate::failure::Failure;

const POLL: Duration = Duration::from_millis(200);
/// A service that is being restarted in between is no reason to give up.
const PATIENCE: Duration = Duration::from_secs(60);

/// The build once it is no longer `loading`.
pub(crate) async fn until_loaded(
    client: &Client,
    name: &BuildName,
    wait: Duration,
) -> Result<BuildView, Failure> {
    let start = Instant::now();
    let mut last_answer = start;
    loop {
        match client
            .get::<BuildView>(&format!("/admin/builds/{name}"))
            .await
        {
            Ok(build) if build.status != BuildStatus::Loading => return Ok(build),
            Ok(_) => last_answer = Instant::now(),
            Err(failure) if failure.is_retryable() && last_answer.elapsed() < PATIENCE => {}
            Err(failure) => return Err(failure),
        }
        if start.elapsed() >= wait {
            let seconds = wait.as_secs();
            let message =
                format!("data build {name} is not loaded after {seconds} s; it goes on loading");
            return Err(Failure::refused(
                "not_loaded_yet",
                message,
                json!({"waited_seconds": seconds}),
            ));
        }
        tokio::time::sleep(POLL).await;
    }
}
