//! `accounts.v1` into `api_key`: public parts of keys.

use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::projection::Projection;
use crate::projections::json;

/// API keys by id.
pub(super) struct ApiKeys;

impl Projection for ApiKeys {
    const NAME: &'static str = "api_keys";
    const TOPIC: Topic = Topic::Accounts;

    async fn apply(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
        issue(db, events).await?;
        revoke(db, events).await
    }
}

async fn issue(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
    let (mut ids, mut accounts, mut endpoints) = (Vec::new(), Vec::new(), Vec::new());
    let (mut limits, mut times) = (Vec::new(), Vec::new());
    for envelope in events {
        if let Event::ApiKeyIssued(issued) = &envelope.event {
            ids.push(issued.api_key_id.as_str());
            accounts.push(issued.account_id.uuid());
            endpoints.push(Json(json(&issued.endpoints)?));
            limits.push(Json(json(&issued.rate_limits)?));
            times.push(issued.issued_at);
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query(include_str!("../../sql/accounts/insert_keys.sql"))
        .bind(ids)
        .bind(accounts)
        .bind(endpoints)
        .bind(limits)
        .bind(times)
        .execute(db)
        .await?;
    Ok(())
}

async fn revoke(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
    let (mut ids, mut times) = (Vec::new(), Vec::new());
    for envelope in events {
        if let Event::ApiKeyRevoked(revoked) = &envelope.event {
            ids.push(revoked.api_key_id.as_str());
            times.push(revoked.revoked_at);
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query(include_str!("../../sql/accounts/revoke_keys.sql"))
        .bind(ids)
        .bind(times)
        .execute(db)
        .await?;
    Ok(())
}
