//! Charges per second on one hot contract. The limit is what most would write: lock the contract's row, insert into the
//! ledger, update the balance, commit. Same Postgres, same durability, one charge a client request. Beside it stands what Postgres
//! takes of such rows at all.

pub(crate) mod accounts;
mod bare_insert;
mod in_process;
mod listener;
mod row_lock;
mod shapes;

use chrono::{TimeDelta, Utc};
use events_schema::Credits;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{Answer, Call, Hold, Receipt, Settle};
use events_schema::ids::{AccountId, ApiKeyId, ContractId};
use uuid::Uuid;

use crate::measure::Plan;
use crate::report::Comparison;

/// More than any run charges.
const CREDITS: i64 = 1_000_000_000_000;

const NAMES: [&str; 5] = [
    "row-lock transaction",
    "the rows alone: INSERT … SELECT by Postgres, 1,000 at once",
    "command-service, in process: charge",
    "command-service, in process: hold, then charge",
    "command-service, internal listener: charge",
];

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<()> {
    let servers = tests::servers::Servers::of_test_run()?;
    let limit = row_lock::RowLock::prepare(&servers, plan).await?;
    let rows = bare_insert::BareInsert::prepare(&servers).await?;
    let in_process = in_process::InProcess::prepare(&servers).await?;
    let listener = listener::Listener::prepare(&servers).await?;
    let mut comparison = Comparison::new("Charges on one hot contract", &NAMES);
    for _ in 0..plan.rounds {
        let round = [
            limit.measure(plan.length).await?,
            rows.measure(plan.length).await?,
            in_process.charge(plan.length).await?,
            in_process.hold_and_charge(plan.length).await?,
            listener.charge(plan.length).await?,
        ];
        comparison.add(&round);
    }
    comparison.print();
    shapes::run(plan, &in_process, &listener).await
}

/// Who is charged.
#[derive(Debug, Clone)]
struct Charged {
    account_id: AccountId,
    api_key_id: ApiKeyId,
    contract_id: ContractId,
}

impl Charged {
    /// A charge of one credit. The owner takes a hold that it does not know, as after a takeover: so a charge is measured
    /// without the hold before it.
    fn settle(&self) -> Call {
        let hold = Hold {
            hold_id: Uuid::new_v4(),
            account_id: self.account_id,
            api_key_id: self.api_key_id.clone(),
            contract_id: Some(self.contract_id),
            endpoint: Endpoint::PersonEnrich,
            request_id: Uuid::now_v7(),
            units: 1,
            price: Credits(1),
            expires_at: Utc::now() + TimeDelta::seconds(40),
            idempotency: None,
        };
        settle(hold)
    }
}

fn settle(hold: Hold) -> Call {
    Call::Settle(Settle {
        hold,
        units: 1,
        receipt: Receipt::default(),
        traceparent: None,
    })
}

/// Every answer must be a charge of one credit: a refusal would be fast and worth nothing.
fn prove_charged(answer: &Answer) -> anyhow::Result<()> {
    match answer {
        Answer::Settled {
            credits_used: Credits(1),
            ..
        } => Ok(()),
        other => anyhow::bail!("not charged: {other:?}"),
    }
}
