//! Charges per second on one hot contract. The limit is what most would write: lock the contract's row, insert into the
//! ledger, update the balance, commit. Same Postgres, same durability, one charge a client request. Beside it stands what Postgres
//! takes of such rows at all.

pub(crate) mod accounts;
mod bare_insert;
mod in_process;
mod listener;
mod row_lock;
mod shapes;

use anyhow::bail;
use events_schema::Credits;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{Admit, Answer, Ask, Call, Receipt, Settle};
use uuid::Uuid;

use crate::measure::Plan;
use crate::report::Comparison;

/// More than any run charges.
const CREDITS: i64 = 1_000_000_000_000;

const NAMES: [&str; 4] = [
    "row-lock transaction",
    "the rows alone: INSERT … SELECT by Postgres, 1,000 at once",
    "command-service, in process: hold, then charge",
    "command-service, internal listener: hold, then charge",
];

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<()> {
    let servers = tests::servers::Servers::of_test_run()?;
    let limit = row_lock::RowLock::prepare(&servers, plan).await?;
    let rows = bare_insert::BareInsert::prepare(&servers).await?;
    let in_process = in_process::InProcess::prepare(&servers).await?;
    let mut listener = listener::Listener::prepare(&servers).await?;
    shapes::to_the_topic(plan, &listener).await?;
    let mut comparison = Comparison::new("Charges on one hot contract", &NAMES);
    for _ in 0..plan.rounds {
        let round = [
            limit.measure(plan.length).await?,
            rows.measure(plan.length).await?,
            in_process.charge(plan.length).await?,
            listener.charge(plan.length).await?,
        ];
        comparison.add(&round);
    }
    comparison.print();
    shapes::run(plan, &in_process, &rows).await
}

/// The first of the two calls of a charged request: key, rate window and a hold of one credit, all in memory.
fn admit(api_key: &str) -> Call {
    Call::Admit(Admit {
        api_key: api_key.to_owned(),
        endpoint: Endpoint::PersonEnrich,
        request_id: Uuid::now_v7(),
        ask: Ask::Units(1),
        idempotency: None,
    })
}

/// The second, which is durable before it is answered.
///
/// # Errors
/// The first was refused.
fn settle(admitted: Answer) -> anyhow::Result<Call> {
    let Answer::Admitted { hold, .. } = admitted else {
        bail!("not admitted: {admitted:?}");
    };
    Ok(Call::Settle(Settle {
        hold,
        units: 1,
        receipt: Receipt::default(),
        traceparent: None,
    }))
}

/// Every answer must be a charge of one credit: a refusal would be fast and worth nothing.
fn prove_charged(answer: &Answer) -> anyhow::Result<()> {
    match answer {
        Answer::Settled {
            credits_used: Credits(1),
            ..
        } => Ok(()),
        other => bail!("not charged: {other:?}"),
    }
}
