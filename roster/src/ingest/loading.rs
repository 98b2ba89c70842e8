//! Waits until a sealed build is loaded or has failed.

use std::time::{Duration, Instant};

use events_schema::api::admin::{BuildStatus, BuildView};
use events_schema::ids::BuildName;
use serde_json::json;

use crate::client::Client;
use crate::failure::Failure;

/// Between the first two questions; each later pause is half as long again.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
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
    let mut pause = FIRST_PAUSE;
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
        tokio::time::sleep(pause).await;
        pause = next(pause);
    }
}

fn next(pause: Duration) -> Duration {
    pause.mul_f64(1.5).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_build_is_asked_for_often_and_a_large_one_seldom() {
        let pauses = || std::iter::successors(Some(FIRST_PAUSE), |pause| Some(next(*pause)));
        let in_first_second = pauses().scan(Duration::ZERO, |at, pause| {
            *at += pause;
            Some(*at)
        });
        let asked = in_first_second.take_while(|at| *at < Duration::from_secs(1));
        assert_eq!(asked.count(), 4);
        assert!(
            pauses()
                .skip(8)
                .take(100)
                .all(|pause| pause == LONGEST_PAUSE)
        );
    }
}
