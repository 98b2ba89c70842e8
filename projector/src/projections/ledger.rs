//! `credits.v1` into `ledger`: one row a grant or charge. The sum of a contract's rows is its balance.

use events_schema::Envelope;
use events_schema::contract::movement::Movement;
use events_schema::event::CreditsEvent;
use events_schema::topics::Topic;
use sqlx::PgConnection;

use crate::projection::Projection;

/// Every movement of credits by place in its shard.
pub(super) struct Ledger;

impl Projection for Ledger {
    const NAME: &'static str = "ledger";
    const TOPIC: Topic = Topic::Credits;

    async fn apply(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
        let mut rows = Rows::default();
        for envelope in events {
            rows.push(envelope);
        }
        if rows.shards.is_empty() {
            return Ok(());
        }
        // A row that is there already would mean that an event was taken twice: the primary key refuses it.
        sqlx::query(include_str!("../../sql/credits/insert_ledger.sql"))
            .bind(rows.shards)
            .bind(rows.positions)
            .bind(rows.contracts)
            .bind(rows.accounts)
            .bind(rows.kinds)
            .bind(rows.credits)
            .bind(rows.balances)
            .bind(rows.endpoints)
            .bind(rows.units)
            .bind(rows.requests)
            .bind(rows.times)
            .execute(db)
            .await?;
        Ok(())
    }
}

#[derive(Default)]
struct Rows {
    shards: Vec<i16>,
    positions: Vec<i64>,
    contracts: Vec<uuid::Uuid>,
    accounts: Vec<uuid::Uuid>,
    kinds: Vec<&'static str>,
    credits: Vec<i64>,
    balances: Vec<i64>,
    endpoints: Vec<Option<&'static str>>,
    units: Vec<Option<i32>>,
    requests: Vec<uuid::Uuid>,
    times: Vec<chrono::DateTime<chrono::Utc>>,
}

impl Rows {
    fn push(&mut self, envelope: &Envelope) {
        let Some(movement) = Movement::of(&envelope.event) else {
            return;
        };
        let call = CreditsEvent::of(&envelope.event).and_then(|event| match event {
            CreditsEvent::CreditsCharged(e) => Some((e.endpoint.name(), e.units)),
            CreditsEvent::ContractCreated(_)
            | CreditsEvent::CreditsGranted(_)
            | CreditsEvent::ContractEnded(_) => None,
        });
        self.shards.push(i16::from(envelope.shard.number()));
        self.positions.push(envelope.pos);
        self.contracts.push(movement.contract_id.uuid());
        self.accounts.push(movement.account_id.uuid());
        self.kinds.push(movement.kind);
        self.credits.push(movement.credits.0);
        self.balances.push(movement.balance_after.0);
        self.endpoints.push(call.map(|(endpoint, _)| endpoint));
        self.units
            .push(call.map(|(_, units)| i32::try_from(units).unwrap_or(i32::MAX)));
        self.requests.push(envelope.request_id);
        self.times.push(envelope.occurred_at);
    }
}
