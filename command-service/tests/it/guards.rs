//! What the store guards and what a caller is told when it does not answer: L1 to L6 of the ledger, tried on Postgres.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use command_service::application::{CommandError, Once, Reason};
use command_service::domain::account::AccountRefusal;
use command_service::domain::aggregate::{Aggregate, Kind};
use command_service::service::Ended;
use command_service::shard::{Found, Limits, Wanted};
use command_service::store::{Store, StoreFault, StoreSettings};
use events_schema::Credits;
use events_schema::api::admin::{IssueApiKey, OpenAccount};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::api::internal::{Answer, Ask, Call, Hold, IdempotencyClaim, Refusal};
use events_schema::ids::{AccountId, ApiKeyId, Shard};
use futures::future::join_all;
use serde_json::Value;
use service_kit::clock::{Clock, SystemClock};
use service_kit::config::Secret;
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tests::silent_wire::Wire;
use uuid::Uuid;

use crate::service::{Running, Setup};
use crate::support::{Process, admit, cause, contract_of, database, held, until};

fn once(key: &str) -> Once {
    Once::named(key, &cause())
}

fn is_another_request<T>(answer: Result<T, CommandError>) -> bool {
    matches!(answer, Err(CommandError::Refused(Reason::NamedDifferently)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_is_settled_again_is_charged_once_and_told_the_same() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let hold = held(process.admit(&customer.api_key, 3, None).await);
    let first = format!("{:?}", process.settle(hold.clone(), 2).await);
    assert!(first.contains("Settled"), "{first}");
    let neighbours: Vec<Hold> = {
        let admits = (0..20).map(|_| process.admit(&customer.api_key, 1, None));
        join_all(admits).await.into_iter().map(held).collect()
    };
    // Again, at the same time as others: none of those is the worse for it.
    let again = process.settle(hold, 2);
    let others = join_all(neighbours.into_iter().map(|hold| process.settle(hold, 1)));
    let (again, others) = tokio::join!(again, others);
    assert_eq!(format!("{again:?}"), first);
    for other in others {
        assert!(matches!(other, Answer::Settled { .. }), "{other:?}");
    }
    assert_eq!(process.charged().await, 22);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_hold_settled_thirty_times_at_once_is_charged_once() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let hold = held(process.admit(&customer.api_key, 1, None).await);
    let answers = join_all((0..30).map(|_| process.settle(hold.clone(), 1))).await;
    let told: std::collections::BTreeSet<String> =
        answers.iter().map(|answer| format!("{answer:?}")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(process.charged().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_who_repeats_a_named_command_changes_nothing() {
    let process = Process::alone().await;
    let app = &process.application;
    let name = |name: &str| OpenAccount { name: name.into() };
    let account = app
        .open_account(name("acme"), &once("a"), &cause())
        .await
        .unwrap();
    let again = app
        .open_account(name("acme"), &once("a"), &cause())
        .await
        .unwrap();
    assert_eq!(again.account_id, account.account_id);
    assert_eq!(again.opened_at, account.opened_at);
    assert!(is_another_request(
        app.open_account(name("other"), &once("a"), &cause()).await
    ));

    let id = account.account_id;
    let make = async |credits| {
        let contract = contract_of(id, credits);
        app.create_contract(contract, &once("c"), &cause()).await
    };
    let (made, twice) = tokio::join!(make(100), make(100));
    let (made, twice) = (made.unwrap(), twice.unwrap());
    assert_eq!(made.contract_id, twice.contract_id);
    assert!(is_another_request(make(200).await));

    let grant = async |credits, name: &Once| {
        app.grant_credits(made.contract_id, Credits(credits), name, &cause())
            .await
    };
    let g = once("g");
    for granted in join_all((0..10).map(|_| grant(50, &g))).await {
        assert_eq!(granted.unwrap().credits_remaining, Credits(150));
    }
    assert!(is_another_request(grant(51, &g).await));
    let unnamed = grant(1, &Once::default()).await.unwrap();
    assert_eq!(unnamed.credits_remaining, Credits(151));
    // The contract that is made again is the one that was granted to.
    let again = make(100).await.unwrap();
    assert_eq!(again.credits_remaining, Credits(151));

    let issue = async |limit| {
        let wish = IssueApiKey {
            account_id: id,
            endpoints: EndpointSet::All,
            rate_limits: [(Endpoint::PersonEnrich, limit)].into(),
        };
        app.issue_api_key(wish, &once("k"), &cause()).await
    };
    let key = issue(100).await.unwrap();
    assert_eq!(issue(100).await.unwrap().api_key, key.api_key);
    assert!(is_another_request(issue(101).await));
    held(process.admit(&key.api_key, 1, None).await);
    // Nobody is told a key that opens nothing any more.
    app.revoke_api_key(key.api_key_id, &cause()).await.unwrap();
    let revoked = Reason::from(AccountRefusal::IssuedAndRevoked);
    let again = issue(100).await.map(|_| ());
    assert!(
        matches!(&again, Err(CommandError::Refused(reason)) if *reason == revoked),
        "{again:?}"
    );
    let operator = command_service::application::Cause {
        actor: "operator:other".into(),
        ..cause()
    };
    let theirs = app
        .open_account(name("acme"), &Once::named("a", &operator), &operator)
        .await;
    assert_ne!(theirs.unwrap().account_id, id);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_that_is_not_known_is_told_as_unknown_and_its_name_stays_taken() {
    let process = Process::impatient().await;
    let customer = process.customer(10).await;
    let name = Some(IdempotencyClaim {
        key_hash: "k".into(),
        request_hash: "r".into(),
    });
    let hold = held(process.admit(&customer.api_key, 1, name.clone()).await);
    let heads = process.lock_heads().await;
    let answer = process.settle_in_a_task(hold).await.unwrap();
    assert!(matches!(answer, Answer::Unknown { .. }), "{answer:?}");
    // It may still be written: nobody may begin the same.
    let meanwhile = process.admit(&customer.api_key, 1, name.clone()).await;
    assert!(
        matches!(meanwhile, Answer::Unavailable { .. }),
        "{meanwhile:?}"
    );
    heads.rollback().await.unwrap();
    until(|| async {
        matches!(
            process.admit(&customer.api_key, 1, name.clone()).await,
            Answer::Replay { .. }
        )
    })
    .await;
    assert_eq!(process.charged().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_behind_an_unknown_batch_is_sent_away_uncharged_and_its_credits_are_free() {
    let process = Process::impatient().await;
    let customer = process.customer(2).await;
    let first = held(process.admit(&customer.api_key, 1, None).await);
    let second = held(process.admit(&customer.api_key, 1, None).await);
    let heads = process.lock_heads().await;
    let first = process.settle_in_a_task(first);
    process.until_a_statement_waits().await;
    let behind = process.settle_in_a_task(second).await.unwrap();
    assert!(matches!(behind, Answer::Unavailable { .. }), "{behind:?}");
    assert!(matches!(first.await.unwrap(), Answer::Unknown { .. }));
    heads.rollback().await.unwrap();
    until(|| async {
        let admitted = process.admit(&customer.api_key, 1, None).await;
        matches!(admitted, Answer::Admitted { .. })
    })
    .await;
    assert_eq!(process.charged().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_whose_operator_hung_up_is_carried_out() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    held(process.admit(&customer.api_key, 1, None).await);
    let heads = process.lock_heads().await;
    let (app, id) = (process.application.clone(), customer.api_key_id.clone());
    let revoking = tokio::spawn(async move { app.revoke_api_key(id, &cause()).await });
    until(|| async {
        let refused = process.admit(&customer.api_key, 1, None).await;
        // Refused from the decision on, though it is not durable yet.
        matches!(
            refused,
            Answer::Refused {
                refusal: Refusal::InvalidApiKey,
                ..
            }
        )
    })
    .await;
    revoking.abort();
    heads.rollback().await.unwrap();
    let keys = process
        .application
        .api_keys(customer.account)
        .await
        .unwrap();
    assert!(keys[0].revoked_at.is_some());
    let after = process.admit(&customer.api_key, 1, None).await;
    assert!(matches!(
        after,
        Answer::Refused {
            refusal: Refusal::InvalidApiKey,
            ..
        }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_that_cannot_be_read_costs_time_and_nothing_else() {
    let process = Process::alone().await;
    let customer = process.customer(1_000).await;
    let hold = held(process.admit(&customer.api_key, 7, None).await);
    process.settle(hold, 7).await;
    sqlx::query("INSERT INTO snapshot (aggregate_id, seq, state, version) VALUES ($1, 2, '{}', 1), ($2, 3, '{\"keys\": {}}', 99)")
        .bind(customer.contract.uuid())
        .bind(customer.account.uuid())
        .execute(&process.pool)
        .await
        .unwrap();
    process.shutdown.cancel();
    let next = Process::beside(&process, "http://two").await;
    next.until_owner_of_all().await;
    let view = next.application.contract(customer.contract).await.unwrap();
    assert_eq!(view.credits_remaining, Credits(993));
    held(next.admit(&customer.api_key, 1, None).await);
}

/// Whoever asks chooses the id.
#[tokio::test(flavor = "multi_thread")]
async fn an_id_of_another_kind_is_that_of_nothing_and_costs_no_snapshot() {
    let process = Process::alone().await;
    let customer = process.customer(1_000).await;
    let (store, id) = (process.application.store(), customer.contract.uuid());
    let find = async |kind| {
        let wanted = Wanted::Aggregate(kind, id);
        match store.fetch(customer.account.shard(), &wanted).await {
            Ok(Found::Aggregate { state, seq, .. }) => (state, seq),
            other => panic!("{other:?}"),
        }
    };
    let (contract, seq) = find(Kind::Contract).await;
    store.keep_snapshot(id, seq, &contract).await;
    for kind in [Kind::Account, Kind::Report, Kind::DataBuild] {
        assert_eq!(find(kind).await, (Aggregate::new(kind), 0));
    }
    let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM snapshot WHERE aggregate_id = $1")
        .bind(id)
        .fetch_one(&process.pool)
        .await
        .unwrap();
    assert_eq!(kept, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_read_and_builds_are_seen_by_who_does_not_own_them() {
    let process = Process::alone().await;
    let customer = process.customer(1).await;
    let wish = events_schema::api::admin::StartBuild {
        kind: events_schema::record::RecordKind::Person,
        build: None,
        as_of: None,
    };
    let build = process
        .application
        .start_build(wish, &cause())
        .await
        .unwrap();
    let other = Process::beside(&process, "http://two").await;
    assert!(other.application.store().owned_shards().is_empty());
    let seen = other.application.build(&build.build).await.unwrap();
    assert_eq!(seen.created_at, build.created_at);
    assert_eq!(other.application.builds().await.unwrap().found.len(), 1);
    let (accounts, _) = other.application.accounts(None, 10).await.unwrap();
    assert_eq!(accounts.len(), 1);
    assert_eq!(accounts[0].account_id, customer.account);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_asks_for_its_credits_too_often_is_told_so() {
    use command_service::application::CreditsOf;
    use events_schema::api::limits::OWN_ACCOUNT_RATE_LIMIT;
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let asks =
        (0..OWN_ACCOUNT_RATE_LIMIT + 5).map(|_| process.application.credits(&customer.api_key));
    let answers = join_all(asks).await;
    let refused = answers
        .into_iter()
        .filter(|answer| match answer.as_ref().unwrap() {
            CreditsOf::Account(credits) => {
                assert_eq!(credits.contracts[0].credits_remaining, Credits(10));
                false
            }
            CreditsOf::Refused(refusal, rate) => {
                assert_eq!(*refusal, Refusal::RateLimited);
                assert!(rate.unwrap().retry_after_seconds > 0);
                true
            }
        });
    assert_eq!(refused.count(), 5);
    // What else is read of one's own account is counted with it.
    let look = Call::Look {
        api_key: customer.api_key.clone(),
    };
    let answer = process.application.answer(look).await;
    let is_limited = matches!(
        answer,
        Answer::Refused {
            refusal: Refusal::RateLimited,
            ..
        }
    );
    assert!(is_limited, "{answer:?}");
    // Requests that are paid for have windows of their own.
    held(process.admit(&customer.api_key, 1, None).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_gets_no_more_contracts_than_the_limit_and_one_that_has_more_keeps_them() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let make = async |process: &Process, name: &str| {
        let (contract, named, cause) = (contract_of(customer.account, 10), once(name), cause());
        let made = process
            .application
            .create_contract(contract, &named, &cause);
        made.await
    };
    let second = make(&process, "2").await.unwrap();
    make(&process, "3").await.unwrap();
    let next = Process::beside_with(
        &process,
        Limits {
            max_contracts: 2,
            ..Limits::default()
        },
    );
    let next = next.await;
    process.shutdown.cancel();
    next.until_owner_of_all().await;
    let refused = make(&next, "4").await.unwrap_err().to_string();
    assert_eq!(refused, "an account has at most 2 contracts");
    // What is there goes on, and whoever repeats a command is told of what it made.
    let again = make(&next, "2").await.unwrap();
    assert_eq!(again.contract_id, second.contract_id);
    held(next.admit(&customer.api_key, 1, None).await);
    let all = next.application.contracts(customer.account).await.unwrap();
    assert_eq!(all.len(), 3);
}

/// The answer to giving leases back is not waited for any more, the same process takes them again, and then the statement
/// is carried out.
#[tokio::test(flavor = "multi_thread")]
async fn leases_that_are_given_back_late_are_not_those_that_were_taken_since() {
    let process = Process::alone().await;
    let store = process.application.store();
    let mut gate = process.pool.acquire().await.unwrap();
    let late = "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                IF current_query() LIKE '%SET owner = NULL%' THEN PERFORM pg_advisory_xact_lock(42); END IF; \
                RETURN NULL; END $$; \
                CREATE TRIGGER late BEFORE UPDATE ON shard_lease FOR EACH STATEMENT EXECUTE FUNCTION late(); \
                SELECT pg_advisory_lock(42)";
    sqlx::raw_sql(late).execute(&mut *gate).await.unwrap();
    // As if there were another instance for a moment: half of the leases are to be given back.
    let ghost = "INSERT INTO instance VALUES (gen_random_uuid(), 'http://ghost', now() + interval '1 hour')";
    sqlx::query(ghost).execute(&process.pool).await.unwrap();
    let giving_back = async || -> i64 {
        let waiting = "SELECT count(*) FROM pg_stat_activity \
                       WHERE datname = current_database() AND state = 'active' AND query LIKE '%SET owner = NULL%' \
                       AND pid <> pg_backend_pid()";
        let waiting = sqlx::query_scalar(waiting).fetch_one(&process.pool);
        waiting.await.unwrap()
    };
    until(async || giving_back().await == 1).await;
    sqlx::query("DELETE FROM instance WHERE address = 'http://ghost'")
        .execute(&process.pool)
        .await
        .unwrap();
    process.until_owner_of_all().await;
    let taken: Vec<_> = Shard::all()
        .filter_map(|shard| store.lease(shard))
        .collect();
    assert_eq!((taken.len(), giving_back().await), (64, 1));
    sqlx::query("SELECT pg_advisory_unlock(42)")
        .execute(&mut *gate)
        .await
        .unwrap();
    until(async || giving_back().await == 0).await;
    // After the next renewal every lease is still the one that was taken.
    let is_renewed = |(shard, (before, _)): (Shard, &(Instant, u64))| {
        store.lease(shard).is_some_and(|(until, _)| until > *before)
    };
    until(async || Shard::all().zip(&taken).all(is_renewed)).await;
    for (shard, (_, grant)) in Shard::all().zip(taken) {
        assert_eq!(store.lease(shard).unwrap().1, grant, "{shard}");
    }
}

#[tokio::test]
async fn an_update_that_finds_two_movements_of_one_request_says_what_to_look_for() {
    let url = database().await;
    let open = async || {
        let settings = StoreSettings::new(Secret::new(url.clone()), Uuid::new_v4(), "a".into());
        Store::open(settings).await
    };
    drop(open().await.unwrap());
    // As an older version left it.
    let before = "DROP INDEX event_movement; \
                  ALTER TABLE snapshot DROP COLUMN version; ALTER TABLE shard_head DROP COLUMN fence; \
                  DELETE FROM _sqlx_migrations WHERE version = 2; \
                  INSERT INTO event SELECT 1, n, 1, n, gen_random_uuid(), 1, 'contract.credits_charged.v1', jsonb_build_object('balance_after', 0), \
                  '00000000-0000-0000-0000-000000000007', 'x', NULL, now() FROM generate_series(1, 2) AS n";
    let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
    sqlx::raw_sql(before)
        .execute(&mut connection)
        .await
        .unwrap();
    let fault = open().await.err().unwrap().to_string();
    assert!(fault.contains("docs/BACKUP.md"), "{fault}");
}

/// A key of the right form that was never issued.
fn forged(number: u8) -> String {
    const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let id = ApiKeyId::new(AccountId::new([number; 16]), [number; 10]);
    let body = format!("rk_live_{id}_{}", "a".repeat(32));
    let digest = Sha256::digest(body.as_bytes());
    let mut rest = u64::from_be_bytes(*digest.first_chunk().unwrap());
    let mut check = String::new();
    for _ in 0..6 {
        check.push(char::from(BASE62[usize::try_from(rest % 62).unwrap()]));
        rest /= 62;
    }
    format!("{body}_{check}")
}

#[tokio::test(flavor = "multi_thread")]
async fn look_ups_of_keys_that_somebody_made_up_keep_no_connection_from_anybody_else() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    held(process.admit(&customer.api_key, 1, None).await);
    // Each look-up of a key hangs from now on.
    let mut keys = process.pool.begin().await.unwrap();
    sqlx::query("LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *keys)
        .await
        .unwrap();
    let crowd: Vec<_> = (1..=60)
        .map(|number| {
            let application = process.application.clone();
            let call = admit(&forged(number), Ask::Units(1), None);
            tokio::spawn(async move { application.answer(Call::Admit(call)).await })
        })
        .collect();
    process.until_a_statement_waits().await;
    // What a name stands for is looked up in the store, too.
    for name in 0..20 {
        let claim = IdempotencyClaim {
            key_hash: format!("name {name}"),
            request_hash: "a".into(),
        };
        held(process.admit(&customer.api_key, 1, Some(claim)).await);
    }
    keys.rollback().await.unwrap();
    for answer in join_all(crowd).await {
        // Refused, or told to come again where the look-up was given up.
        let answer = answer.unwrap();
        assert!(!matches!(answer, Answer::Admitted { .. }), "{answer:?}");
    }
}

/// A process whose store is at the other end of a wire, and the store's own URL.
async fn over_a_wire() -> (Wire, Process, String) {
    let direct = database().await;
    let server: PgConnectOptions = direct.parse().unwrap();
    let wire = Wire::to(format!("{}:{}", server.get_host(), server.get_port()))
        .await
        .unwrap();
    let over_it = server.host("127.0.0.1").port(wire.port).to_url_lossy();
    let process = Process::impatient_on(over_it.as_str()).await;
    (wire, process, direct)
}

/// No connection is asked for and none is proved: the statement is at work already, and its answer never arrives.
#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_is_at_work_when_the_wire_to_the_store_dies_is_given_up() {
    let (wire, process, direct) = over_a_wire().await;
    let customer = process.customer(100).await;
    let mut gate = sqlx::PgConnection::connect(&direct).await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE snapshot, event IN ACCESS EXCLUSIVE MODE")
        .execute(&mut gate)
        .await
        .unwrap();
    let (shard, id) = (customer.account.shard(), customer.account.uuid());
    let store = process.application.store().clone();
    let look_up = tokio::spawn(async move {
        let wanted = Wanted::Aggregate(Kind::Account, id);
        store.fetch(shard, &wanted).await.err()
    });
    let store = process.application.store().clone();
    let read = tokio::spawn(async move { store.events_after(id, 0).await.err() });
    process.until_statements_wait(2).await;
    wire.silence();
    sqlx::raw_sql("ROLLBACK").execute(&mut gate).await.unwrap();
    for told in [look_up, read] {
        // Three seconds at most, and somebody else's work on this machine.
        let told = tokio::time::timeout(Duration::from_secs(20), told).await;
        let told = told.expect("somebody is held by a silent wire").unwrap();
        assert!(matches!(told, Some(StoreFault::NoAnswer)), "{told:?}");
    }
}

/// Nothing is refused and nothing is reset: packets to Postgres are dropped. Whoever waits is told within the limits, leases and writers
/// are there again by themselves once the wire is mended, and what was told is what the store holds.
#[tokio::test(flavor = "multi_thread")]
async fn a_wire_to_the_store_that_dies_in_silence_holds_nobody_and_the_ledger_goes_on_once_it_is_mended()
 {
    let (wire, process, direct) = over_a_wire().await;
    let customer = process.customer(100).await;
    let hold = held(process.admit(&customer.api_key, 1, None).await);
    let paid = hold.request_id;
    assert!(matches!(
        process.settle(hold, 1).await,
        Answer::Settled { .. }
    ));
    let holds = [
        held(process.admit(&customer.api_key, 1, None).await),
        held(process.admit(&customer.api_key, 1, None).await),
    ];
    // What was told of each request. What is unknown may be carried out later.
    let told = RefCell::new(BTreeMap::from([(paid, true)]));
    let note = |request: Uuid, answer: &Answer| {
        match answer {
            Answer::Settled { .. } => told.borrow_mut().insert(request, true),
            Answer::Unavailable { .. } => told.borrow_mut().insert(request, false),
            Answer::Unknown { .. } => told.borrow_mut().remove(&request),
            other => panic!("{other:?}"),
        };
    };
    let now = sqlx::query_scalar("SELECT now()").fetch_one(&process.pool);
    let silent_from: DateTime<Utc> = now.await.unwrap();
    wire.silence();
    let settled = holds.map(|hold| async { (hold.request_id, process.settle(hold, 1).await) });
    let settled = tokio::time::timeout(Duration::from_secs(20), join_all(settled)).await;
    for (request, answer) in settled.expect("somebody is held by a silent wire") {
        assert!(!matches!(answer, Answer::Settled { .. }), "{answer:?}");
        note(request, &answer);
    }
    let store = process.application.store();
    let shard = customer.account.shard();
    let read = tokio::time::timeout(Duration::from_secs(20), store.committed_after(shard, 0, 1));
    let read = read.await.expect("a read waits for a silent wire");
    assert!(
        matches!(read, Err(StoreFault::NoAnswer | StoreFault::NotAsked(_))),
        "{read:?}"
    );
    until(async || wire.unheard() > 1 && !store.owns(shard)).await;
    wire.mend();
    process.until_owner_of_all().await;
    until(async || store.committed_after(shard, 0, 1).await.is_ok()).await;
    until(async || {
        let answer = process.admit(&customer.api_key, 1, None).await;
        let Answer::Admitted { hold, .. } = answer else {
            return false;
        };
        let request = hold.request_id;
        let answer = process.settle(hold, 1).await;
        note(request, &answer);
        matches!(answer, Answer::Settled { .. })
    })
    .await;
    let pool = sqlx::PgPool::connect(&direct).await.unwrap();
    // The thread that writes batches together has a connection again, too.
    until(async || {
        let writers = "SELECT count(*) FROM pg_stat_activity \
                       WHERE datname = current_database() AND application_name LIKE '%group-writer' AND backend_start > $1";
        let writers = sqlx::query_scalar::<_, i64>(writers).bind(silent_from);
        writers.fetch_one(&pool).await.unwrap() > 0
    })
    .await;
    let charges = "SELECT request_id, count(*) FROM event \
                   WHERE event_type = 'contract.credits_charged.v1' GROUP BY request_id";
    let charges = sqlx::query_as::<_, (Uuid, i64)>(charges).fetch_all(&pool);
    let charges: BTreeMap<Uuid, i64> = charges.await.unwrap().into_iter().collect();
    assert!(charges.values().all(|count| *count == 1), "{charges:?}");
    for (request, is_charged) in told.into_inner() {
        assert_eq!(charges.contains_key(&request), is_charged, "{request}");
    }
}

/// The machine's clock, until it is told to break once.
#[derive(Debug, Default)]
struct Breaking(AtomicBool);

impl Clock for Breaking {
    fn now(&self) -> DateTime<Utc> {
        SystemClock.now()
    }

    fn monotonic(&self) -> Instant {
        let breaks = self.0.swap(false, Ordering::Relaxed);
        assert!(!breaks, "the test lets a step of a shard break off");
        SystemClock.monotonic()
    }
}

/// Its shard would answer nobody for as long as the process kept its lease.
#[tokio::test(flavor = "multi_thread")]
async fn a_driver_of_a_shard_that_breaks_off_ends_the_service_by_name() {
    let clock = Arc::new(Breaking::default());
    let running = Running::start_by(&Setup::without_kafka().await, clock.clone()).await;
    let (account, _, _) = running.customer().await;
    clock.0.store(true, Ordering::Relaxed);
    let keys = format!("/admin/keys?account={account}");
    let (status, told) = running.admin(http::Method::GET, &keys, Value::Null).await;
    assert_eq!(status, 503, "{told}");
    let ended = tokio::time::timeout(Duration::from_secs(30), running.ended()).await;
    let ended = ended.expect("the service goes on without a driver");
    assert_eq!(ended, Err(Ended("driver of a shard")));
}
