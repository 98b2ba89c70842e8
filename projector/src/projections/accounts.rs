//! `accounts.v1` into `account`.

use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
use sqlx::PgConnection;

use crate::projection::Projection;

/// Customers by id.
pub(super) struct Accounts;

impl Projection for Accounts {
    const NAME: &'static str = "accounts";
    const TOPIC: Topic = Topic::Accounts;

    async fn apply(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
        let (mut ids, mut names, mut times) = (Vec::new(), Vec::new(), Vec::new());
        for envelope in events {
            if let Event::AccountOpened(opened) = &envelope.event {
                ids.push(opened.account_id.uuid());
                names.push(opened.name.as_str());
                times.push(envelope.occurred_at);
            }
        }
        if ids.is_empty() {
            return Ok(());
        }
        sqlx::query(include_str!("../../sql/accounts/insert_accounts.sql"))
            .bind(ids)
            .bind(names)
            .bind(times)
            .execute(db)
            .await?;
        Ok(())
    }
}
