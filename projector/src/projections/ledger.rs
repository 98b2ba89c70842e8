//! `credits.v1` into `ledger`: one row a grant or charge. The sum of a contract's rows is its balance.

use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
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
        let (contract, account, kind, credits, balance, call) = match &envelope.event {
            Event::ContractCreated(e) => (
                e.contract_id,
                e.account_id,
                "grant",
                e.credits,
                e.credits,
                None,
            ),
            Event::CreditsGranted(e) => (
                e.contract_id,
                e.account_id,
                "grant",
                e.credits,
                e.balance_after,
                None,
            ),
            Event::CreditsCharged(e) => {
                let call = Some((e.endpoint.name(), e.units));
                (
                    e.contract_id,
                    e.account_id,
                    "charge",
                    e.credits,
                    e.balance_after,
                    call,
                )
            }
            _ => return,
        };
        self.shards.push(i16::from(envelope.shard.number()));
        self.positions.push(envelope.pos);
        self.contracts.push(contract.uuid());
        self.accounts.push(account.uuid());
        self.kinds.push(kind);
        self.credits.push(credits.0);
        self.balances.push(balance.0);
        self.endpoints.push(call.map(|(endpoint, _)| endpoint));
        self.units
            .push(call.map(|(_, units)| i32::try_from(units).unwrap_or(i32::MAX)));
        self.requests.push(envelope.request_id);
        self.times.push(envelope.occurred_at);
    }
}
