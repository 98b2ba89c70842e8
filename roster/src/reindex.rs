//! Search files of a data build anew: asked of the projector, then watched until the read models name them.

use std::time::{Duration, Instant};

use events_schema::api::admin::{Reindex, ReindexState};
use events_schema::ids::BuildName;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;

const POLL: Duration = Duration::from_millis(200);
/// A service that is being restarted in between is no reason to give up.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two plain lines.
const EVERY: Duration = Duration::from_secs(5);
const BAR: &str = "{prefix} [{bar:30}] {percent}% {msg} {elapsed}";

/// Asks for the files, and waits if told to; returns how far they are then.
pub(crate) async fn run(
    client: &Client,
    build: &BuildName,
    wait: Option<Duration>,
    output: Output,
) -> Result<Value, Failure> {
    let path = format!("/admin/builds/{build}/reindex");
    let asked: Reindex = client.post(&path, &json!({})).await?;
    let Some(wait) = wait else {
        return document(&asked);
    };
    let watch = Watch::new(output, &asked);
    let ended = until_ended(client, &path, wait, &watch).await;
    watch.bar.finish_and_clear();
    let ended = ended?;
    match ended.state {
        ReindexState::Failed => Err(failed(&ended)),
        _ => document(&ended),
    }
}

async fn until_ended(
    client: &Client,
    path: &str,
    wait: Duration,
    watch: &Watch,
) -> Result<Reindex, Failure> {
    let start = Instant::now();
    let (mut last_answer, mut last_line) = (start, start);
    loop {
        match client.get::<Reindex>(path).await {
            Ok(now) if matches!(now.state, ReindexState::Done | ReindexState::Failed) => {
                return Ok(now);
            }
            Ok(now) => {
                last_answer = Instant::now();
                if watch.show(&now, last_line.elapsed() >= EVERY) {
                    last_line = Instant::now();
                }
            }
            Err(failure) if failure.is_retryable() && last_answer.elapsed() < PATIENCE => {}
            Err(failure) => return Err(failure),
        }
        if start.elapsed() >= wait {
            let seconds = wait.as_secs();
            let message =
                format!("the search files are not there after {seconds} s; they are still written");
            let details = json!({"waited_seconds": seconds});
            return Err(Failure::refused("not_reindexed_yet", message, details));
        }
        tokio::time::sleep(POLL).await;
    }
}

fn failed(ended: &Reindex) -> Failure {
    let fault = ended.fault.clone().unwrap_or_default();
    let message = format!(
        "the search files of {} were not written: {fault}",
        ended.build
    );
    let details = json!({"attempts": ended.attempts});
    Failure::refused("reindex_failed", message, details)
}

fn document(reindex: &Reindex) -> Result<Value, Failure> {
    serde_json::to_value(reindex).map_err(|fault| Failure::internal(fault.to_string()))
}

/// What the user sees meanwhile: a bar on a terminal, else a line now and then.
struct Watch {
    output: Output,
    bar: ProgressBar,
}

impl Watch {
    fn new(output: Output, asked: &Reindex) -> Self {
        let bar = if output.has_terminal() {
            let style = ProgressStyle::with_template(BAR);
            // The template is a constant; if it were wrong the bar would be plain.
            ProgressBar::new(asked.rows)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        } else {
            ProgressBar::hidden()
        };
        bar.set_prefix(asked.build.to_string());
        Self { output, bar }
    }

    /// Whether a line was due.
    fn show(&self, now: &Reindex, is_line_due: bool) -> bool {
        self.bar.set_position(now.rows_written);
        self.bar.set_message(words(now));
        if is_line_due && !self.output.has_terminal() {
            self.output.note(&format!("{}: {}", now.build, words(now)));
        }
        is_line_due
    }
}

fn words(now: &Reindex) -> String {
    let (written, rows) = (now.rows_written, now.rows);
    match (now.state, &now.fault) {
        (ReindexState::Waiting, Some(fault)) => {
            format!("try {} failed, another one follows: {fault}", now.attempts)
        }
        (ReindexState::Waiting, None) => "waiting for a projector".to_owned(),
        (ReindexState::Writing, _) => format!("{written} of {rows} rows written"),
        (ReindexState::Written | ReindexState::Done | ReindexState::Failed, _) => {
            "written; the other parts are being told".to_owned()
        }
    }
}
