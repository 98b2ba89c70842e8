//! Every projection, one file each. `fold`, with or without a savepoint, is the only way in: consumer and dead-letter retries
//! both use it.

mod accounts;
mod api_keys;
mod builds;
mod contracts;
mod ledger;
pub(crate) mod reports;

use events_schema::Envelope;
use events_schema::topics::Topic;
use serde::Serialize;
use serde_json::Value;
use sqlx::{Acquire, PgConnection};

use crate::projection::{Projection, is_poison};

/// Applies events of any topics, in order within each topic, by every projection of each.
///
/// # Errors
/// The first fault of a projection.
pub async fn fold(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
    for topic in Topic::ALL {
        let of_topic: Vec<&Envelope> = events
            .iter()
            .copied()
            .filter(|envelope| envelope.event.topic() == topic)
            .collect();
        if of_topic.is_empty() {
            continue;
        }
        match topic {
            Topic::Accounts => {
                run::<accounts::Accounts>(db, &of_topic).await?;
                run::<api_keys::ApiKeys>(db, &of_topic).await?;
            }
            Topic::Credits => {
                run::<contracts::Contracts>(db, &of_topic).await?;
                run::<ledger::Ledger>(db, &of_topic).await?;
            }
            Topic::Reports => run::<reports::Reports>(db, &of_topic).await?,
            Topic::Builds => run::<builds::Builds>(db, &of_topic).await?,
        }
    }
    Ok(())
}

/// As [`fold`], behind a savepoint: the fault where values were refused, after which nothing of these events is applied.
///
/// # Errors
/// Any other fault: the whole transaction is given up then.
pub async fn fold_unless_refused(
    db: &mut PgConnection,
    events: &[&Envelope],
) -> Result<Option<sqlx::Error>, sqlx::Error> {
    let mut savepoint = db.begin().await?;
    match fold(&mut savepoint, events).await {
        Ok(()) => {
            savepoint.commit().await?;
            Ok(None)
        }
        Err(fault) if is_poison(&fault) => {
            savepoint.rollback().await?;
            Ok(Some(fault))
        }
        Err(fault) => Err(fault),
    }
}

async fn run<P: Projection>(
    db: &mut PgConnection,
    events: &[&Envelope],
) -> Result<(), sqlx::Error> {
    debug_assert!(events.iter().all(|e| e.event.topic() == P::TOPIC));
    P::apply(db, events).await.inspect_err(|_| {
        tracing::warn!(
            projection = P::NAME,
            events = events.len(),
            "a batch was not applied"
        );
    })
}

/// A value of the language as JSON for a jsonb column.
fn json(value: &impl Serialize) -> Result<Value, sqlx::Error> {
    serde_json::to_value(value).map_err(|fault| sqlx::Error::Encode(Box::new(fault)))
}

/// An enum of the language as the text that stands in its JSON.
fn text(value: &impl Serialize) -> Result<String, sqlx::Error> {
    match json(value)? {
        Value::String(text) => Ok(text),
        other => Ok(other.to_string()),
    }
}
