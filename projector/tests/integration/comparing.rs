//! Read models beside the event store, all the time.

use std::time::Duration;

use chrono::DateTime;
use events_schema::account::v1::{AccountOpened, ApiKeyIssued, ApiKeyRevoked};
use events_schema::api::endpoint::EndpointSet;
use events_schema::data_build::v1::DataBuildStarted;
use events_schema::ids::{ApiKeyId, ReportId, Shard};
use events_schema::record::RecordKind;
use events_schema::report::v1::{IssueLevel, IssueType, ReportAccepted, ReportReceived};
use projector::comparison::{Comparison, ComparisonConfig};
use projector::consumer::gap::EventStore;
use projector::metrics::Metrics;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::stack::{Customer, Stack};

const ENDED: &str = "select (extract(epoch from ended_at) * 1000000)::bigint from comparison";
const FOUND: &str = "select last_differences from comparison";

impl Stack {
    /// Compares, three events a step.
    fn compare(&self, stop: &CancellationToken) {
        let urls = self.config.command_service_urls.clone();
        let config = ComparisonConfig {
            events: 3,
            pause: Duration::from_millis(10),
            limits: self.config.limits,
        };
        let store = EventStore::new(self.client(), urls);
        let comparison = Comparison::new(self.pool.clone(), store, config, Metrics::default());
        tokio::spawn(comparison.run(stop.clone()));
    }

    /// What a round finds that begins after this call.
    async fn differences(&self) -> i64 {
        for _ in 0..2 {
            let before = self.number(ENDED).await;
            self.until("a round ends", || async {
                (self.number(ENDED).await > before).then_some(())
            })
            .await;
        }
        self.number(FOUND).await
    }
}

/// One row of each kind, and a few more in the ledger.
async fn everything(stack: &Stack, customer: &Customer) {
    let shard = customer.shard();
    let account_id = customer.account;
    let api_key_id = ApiKeyId::new(account_id, *b"abcdefghij");
    stack
        .happen(
            shard,
            AccountOpened {
                account_id,
                name: "Acme".to_owned(),
            },
        )
        .await;
    let issued = ApiKeyIssued {
        account_id,
        api_key_id: api_key_id.clone(),
        endpoints: EndpointSet::All,
        rate_limits: std::collections::BTreeMap::new(),
        issued_at: DateTime::UNIX_EPOCH,
    };
    stack.happen(shard, issued).await;
    let revoked = ApiKeyRevoked {
        account_id,
        api_key_id,
        revoked_at: DateTime::UNIX_EPOCH,
    };
    let last_of_account = stack.happen(shard, revoked).await;
    stack.happen(shard, customer.created(100)).await;
    for balance in (93..100).rev() {
        stack.happen(shard, customer.charged(1, balance)).await;
    }
    let last = stack.happen(shard, customer.ended(93)).await;
    let last_of_report = file_report(stack).await;
    let started = DataBuildStarted {
        build: "b-1".parse().unwrap(),
        kind: RecordKind::Person,
        as_of: None,
        started_at: DateTime::UNIX_EPOCH,
    };
    let last_of_builds = stack.happen(Shard::DATA_BUILDS, started).await;
    for one in [last_of_account, last, last_of_report, last_of_builds] {
        stack.until_projected(&one).await;
    }
}

async fn file_report(stack: &Stack) -> events_schema::Envelope {
    let service_id = Uuid::from_u128(9);
    let report_id = ReportId::new(service_id, [3; 16]);
    let received = ReportReceived {
        report_id,
        subject_type: RecordKind::Person,
        service_id,
        issue_type: IssueType::Incorrect,
        issue_level: IssueLevel::Record,
        field: None,
        data_build: "b-1".parse().unwrap(),
        record_last_seen: None,
        request_id: Uuid::nil(),
        reporter: "somebody".to_owned(),
        received_at: DateTime::UNIX_EPOCH,
    };
    stack.happen(report_id.shard(), received).await;
    let accepted = ReportAccepted {
        report_id,
        service_id,
        at: DateTime::UNIX_EPOCH,
    };
    stack.happen(report_id.shard(), accepted).await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_row_that_is_not_what_the_events_say_is_found_and_sound_ones_are_not() {
    let stack = Stack::new().await;
    stack.start().await;
    everything(&stack, &Customer::new(1)).await;
    let stop = CancellationToken::new();
    stack.compare(&stop);
    assert_eq!(stack.differences().await, 0);

    let spoilt = [
        "update ledger set credits = 2 where balance_after = 95",
        "update ledger set request_id = gen_random_uuid() where balance_after = 99",
        "delete from ledger where balance_after = 97",
        "insert into ledger select shard, pos + 1, contract_id, account_id, kind, credits, balance_after, endpoint, units, \
             request_id, occurred_at from ledger where balance_after = 96",
        "update contract set balance = balance + 1",
        "update contract set ended_at = null",
        "delete from contract",
        "update account set name = 'Other'",
        "update api_key set revoked_at = null",
        "delete from api_key",
        "delete from report_history where seq = 1",
        "update report set status = 'received'",
        "update data_build set kind = 'company'",
    ];
    let tables = "account, api_key, contract, ledger, report, report_history, data_build";
    for table in tables.split(", ") {
        stack
            .change(&format!("create table sound_{table} as table {table}"))
            .await;
    }
    for spoil in spoilt {
        stack.change(spoil).await;
        assert!(stack.differences().await > 0, "{spoil}");
        stack.change(&format!("truncate {tables}")).await;
        for table in tables.split(", ") {
            stack
                .change(&format!("insert into {table} select * from sound_{table}"))
                .await;
        }
    }
    assert_eq!(stack.differences().await, 0);
    stop.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_behind_a_dead_letter_is_no_difference() {
    let stack = Stack::of_kafka_alone().await;
    stack.start().await;
    let customer = Customer::new(2);
    let poison = stack.stored(customer.shard(), customer.created(100));
    stack.send_raw(&poison, "{}").await;
    let behind = stack
        .happen(customer.shard(), customer.charged(1, 99))
        .await;
    stack.until_projected(&behind).await;
    let stop = CancellationToken::new();
    stack.compare(&stop);
    assert_eq!(stack.differences().await, 0);
    // Without its letter nobody knows any more that it is missing.
    stack.change("delete from dead_letter").await;
    assert!(stack.differences().await > 0);
    stop.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_goes_on_where_an_earlier_process_stopped_and_two_count_a_difference_once() {
    let stack = Stack::new().await;
    stack.start().await;
    let customer = Customer::new(3);
    everything(&stack, &customer).await;
    stack
        .change("update ledger set credits = 2 where balance_after = 99")
        .await;
    stack
        .change("update ledger set credits = 2 where balance_after = 93")
        .await;
    // An earlier process has compared up to the fourth event of the shard's credits.
    let shard = customer.shard();
    let pos = stack
        .number("select pos from ledger where balance_after = 97")
        .await;
    let stood = format!(
        "update comparison set topic = 'credits.v1', shard = {shard}, seq = 4, pos = {pos}, differences = 1"
    );
    stack.change(&stood).await;
    let before = stack.number(ENDED).await;
    let stop = CancellationToken::new();
    stack.compare(&stop);
    stack.compare(&stop);
    stack
        .until("the round ends", || async {
            (stack.number(ENDED).await > before).then_some(())
        })
        .await;
    // The one before it was counted already, the one behind it once.
    assert_eq!(stack.number(FOUND).await, 2);
    assert_eq!(stack.differences().await, 2);
    stop.cancel();
}
