//! kill -9 under load: nothing is lost, nothing is charged twice, and everything goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::records::{email, persons};
use tests::wait::until;
use tests::{Customer, Part, Stack};
use tokio::task::JoinSet;

const CLIENTS: u32 = 16;
const WITHIN: Duration = Duration::from_secs(60);

/// Clients that each send one request after the other, and repeat one with its `Idempotency-Key` until it is answered 200.
struct Load {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
    clients: JoinSet<()>,
}

impl Load {
    fn start(customer: &Customer) -> Self {
        let mut load = Self {
            stop: Arc::default(),
            answered: Arc::default(),
            clients: JoinSet::new(),
        };
        for client in 0..CLIENTS {
            let (customer, stop, answered) =
                (customer.clone(), load.stop.clone(), load.answered.clone());
            load.clients.spawn(async move {
                for number in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    answer_to(&customer, &format!("{client}-{number}"), number % 100).await;
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        load
    }

    fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    async fn until_answered_more(&self, more: u64) {
        let wanted = self.answered() + more;
        until(
            "requests are answered",
            Duration::from_secs(60),
            async || (self.answered() >= wanted).then_some(()),
        )
        .await
        .unwrap();
    }

    /// Ends the clients, each behind its last request, and gives how many requests were answered 200.
    async fn finish(mut self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        while let Some(client) = self.clients.join_next().await {
            client.unwrap();
        }
        self.answered()
    }
}

/// Sends one named request until it is answered 200; the body of that answer.
async fn answer_to(customer: &Customer, key: &str, number: u32) -> Value {
    let body = json!({ "email": email(number), "include_fields": "full_name" });
    let end = Instant::now() + Duration::from_secs(90);
    loop {
        // No answer: the process was killed under the request.
        if let Ok(answer) = customer.post_once("/person/enrich", &body, key).await {
            match answer.status {
                200 => return answer.body,
                409 => assert_eq!(answer.at("/details/reason"), "in_progress"),
                503 => assert!(answer.header("Retry-After").is_some(), "{answer:?}"),
                other => panic!("{other}: {}", answer.body),
            }
        }
        assert!(Instant::now() < end, "request {key} is not answered");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_each_service_under_load_loses_no_charge_and_takes_none_twice() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(100)).await.unwrap();
    let customer = stack.customer(1_000_000).await.unwrap();
    let load = Load::start(&customer);

    for part in [Part::CommandService, Part::Projector, Part::QueryService] {
        load.until_answered_more(200).await;
        stack.crash(part).await.unwrap();
    }
    load.until_answered_more(200).await;
    let answered = load.finish().await;

    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!(u64::try_from(sums.charges).unwrap(), answered);
    assert_eq!(sums.charged, sums.charges);
    stack.roster(&["reconcile"]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn named_requests_sent_thirty_times_while_the_ledger_is_killed_again_and_again_are_charged_once()
 {
    const NAMES: u32 = 8;
    const KILLS: u32 = 25;
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(100)).await.unwrap();
    let customer = stack.customer(1_000).await.unwrap();
    let mut senders = JoinSet::new();
    for number in 0..NAMES * 30 {
        let name = number % NAMES;
        let customer = customer.clone();
        senders.spawn(async move {
            let key = format!("name {name}");
            (name, answer_to(&customer, &key, name).await)
        });
    }
    // The schedule itself, not a wait: now and then it lives long enough to charge.
    for kill in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(200 + 150 * u64::from(kill % 5))).await;
        let ledger = stack.process(Part::CommandService);
        ledger.kill().unwrap();
        ledger.spawn().unwrap();
    }
    stack
        .process(Part::CommandService)
        .until_ready()
        .await
        .unwrap();
    let mut bodies: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    while let Some(answered) = senders.join_next().await {
        let (name, body) = answered.unwrap();
        bodies.entry(name).or_default().insert(body.to_string());
    }
    for (name, bodies) in bodies {
        assert_eq!(bodies.len(), 1, "name {name} has two answers: {bodies:?}");
    }
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!((sums.charged, sums.charges), (NAMES.into(), NAMES.into()));
}

/// Files in the one folder under `folder`.
fn fetched(folder: &Path) -> Option<usize> {
    let mut entries = std::fs::read_dir(folder).ok()?.flatten();
    let build = entries.find(|entry| entry.path().is_dir())?;
    Some(std::fs::read_dir(build.path()).ok()?.count())
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_the_query_service_while_it_fetches_search_files_changes_no_answer() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(300)).await.unwrap();
    let customer = stack.customer(1_000).await.unwrap();
    let body = json!({ "query": "SELECT * FROM person ORDER BY full_name", "limit": 20 });
    let before = customer.post("/person/search", &body).await.unwrap();
    assert_eq!(before.status, 200, "{}", before.body);

    // Nothing is held any more, and one of the objects does not come.
    stack.process(Part::QueryService).kill().unwrap();
    let held = stack.file("search");
    std::fs::remove_dir_all(&held).unwrap();
    let manifest: String = sqlx::query_scalar(
        "select search_files ->> 'manifest' from data_build join active_build using (build)",
    )
    .fetch_one(stack.read_model())
    .await
    .unwrap();
    let stored = stack.objects().join(manifest);
    let stored = stored.parent().unwrap();
    let mut objects: Vec<_> = std::fs::read_dir(stored)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with("manifest.json"))
        .collect();
    objects.sort();
    let whole = objects.len() + 1;
    let object = objects.swap_remove(objects.len() / 2);
    let aside = stack.file("aside");
    std::fs::rename(&object, &aside).unwrap();
    stack.process(Part::QueryService).spawn().unwrap();
    let some = until("some files are there", WITHIN, async || {
        fetched(&held).filter(|files| (2..whole).contains(files))
    });
    some.await.unwrap();
    stack.process(Part::QueryService).kill().unwrap();
    std::fs::rename(&aside, &object).unwrap();

    stack.process(Part::QueryService).start().await.unwrap();
    let after = until("searches are answered again", WITHIN, async || {
        let answer = customer.post("/person/search", &body).await.ok()?;
        if answer.status == 503 {
            assert!(answer.header("Retry-After").is_some());
            return None;
        }
        Some(answer)
    });
    let after = after.await.unwrap();
    assert_eq!(after.status, 200, "{}", after.body);
    assert_eq!(after.at("/matches"), before.at("/matches"));
    assert_eq!(after.at("/total"), before.at("/total"));
    assert_eq!(fetched(&held), Some(whole));
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!(sums.charged, 40);
}
