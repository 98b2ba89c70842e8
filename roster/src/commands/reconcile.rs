//! `roster reconcile`: the proof, and counts of what was compared.

use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::output::{Output, record};
use crate::reconcile::{self, Places, Stop, Summary};
use crate::settings::Settings;

/// Prove that event store, topics and read models hold the same; exit code 1 at the first difference.
///
/// Reads all of them, changes nothing, and may run while requests are served. Needs EVENT_STORE_URL, READ_MODEL_URL and KAFKA_BROKERS from
/// the environment or .data/env; TOPIC_PREFIX if one is set.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  roster reconcile\n  roster reconcile --wait 300 --json")]
pub(crate) struct Reconcile {
    /// How long a topic or the projector may make no progress before a missing event counts as a difference.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    wait: u64,
}

impl Reconcile {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let places = Places::read(settings)?;
        let mut summary = Summary::default();
        let difference =
            match reconcile::run(&places, Duration::from_secs(self.wait), &mut summary).await {
                Ok(()) => None,
                Err(Stop::Different(difference)) => Some(difference),
                Err(Stop::Fault(failure)) => return Err(failure),
            };
        summary.ok = difference.is_none();
        summary.first_difference.clone_from(&difference);
        output.answer(&summary, human)?;
        difference.map_or(Ok(()), |difference| {
            let details = serde_json::to_value(&difference).unwrap_or_else(|_| json!({}));
            Err(Failure::refused(
                "not_reconciled",
                difference.to_string(),
                details,
            ))
        })
    }
}

fn human(summary: &Summary) -> String {
    let shown = serde_json::to_value(summary)
        .map_or_else(|fault| fault.to_string(), |value| record(&value));
    let verdict = if summary.ok {
        "event store = topics = read models"
    } else {
        "NOT the same; seen until the difference:"
    };
    format!("{verdict}\n{shown}")
}
