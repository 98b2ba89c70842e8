//! Data builds: bad lines, repeated chunks, resumed loads.

use std::time::Duration;

use events_schema::topics::Topic;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::ledger::Published;
use tests::records::{email, person, persons};
use tests::servers::Servers;
use tests::wait::until;
use tests::{Part, Stack};

#[tokio::test(flavor = "multi_thread")]
async fn broken_lines_are_listed_with_their_numbers_and_the_good_ones_are_loaded() {
    let stack = Stack::start().await.unwrap();
    let id = "5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10";
    let mut first = person(1);
    first["service_id"] = json!(id);
    let mut again = person(2);
    again["service_id"] = json!(id);
    let mut bad_id = person(3);
    bad_id["service_id"] = json!("not-a-uuid");
    let lines = [
        first.to_string(),
        "{\"full_name\": ".to_owned(),
        "[1, 2]".to_owned(),
        json!({ "city": "chicago" }).to_string(),
        bad_id.to_string(),
        again.to_string(),
        json!({ "person": person(4) }).to_string(),
    ];
    let build = stack.ingest("person", &lines.join("\n")).await.unwrap();
    assert_eq!(
        (build["rows"].as_u64(), build["rejected"].as_u64()),
        (Some(2), Some(5)),
        "{build}"
    );

    let rejects = std::fs::read_to_string(build["rejects_file"].as_str().unwrap()).unwrap();
    let numbers: Vec<_> = rejects
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .inspect(|reject| assert!(!reject["reason"].as_str().unwrap().is_empty()))
        .map(|reject| reject["line"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [2, 3, 4, 5, 6]);

    let customer = stack.customer(10).await.unwrap();
    assert_eq!(
        customer
            .enrich(&email(1))
            .await
            .unwrap()
            .at("/matches/0/person/service_id"),
        id
    );
    assert_eq!(customer.enrich(&email(4)).await.unwrap().status, 200);
    assert_eq!(customer.enrich(&email(2)).await.unwrap().status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_customer_wrote_is_in_the_report_of_a_build_and_never_in_the_store() {
    let mut stack = Stack::start().await.unwrap();
    let mut line = person(1);
    line["unheard-of@words.example"] = json!(1);
    line["experience"] = json!([{"title": "baker", "company_industry": "unheard-of trade"}]);
    let build = stack.ingest("person", &line.to_string()).await.unwrap();
    let name = build["build"].as_str().unwrap();
    let report = stack.roster(&["builds", "report", name]).await.unwrap();
    assert_eq!(
        report["unknown_keys"],
        json!({"unheard-of@words.example": 1}),
        "{report}"
    );
    let shown = stack.roster(&["builds", "show", name]).await.unwrap();
    assert_eq!(shown["report"]["unknown"], 1, "{shown}");
    stack.until_projected().await.unwrap();
    let in_store = "select count(*) from event where payload::text like '%unheard-of%'";
    let in_store: i64 = sqlx::query_scalar(in_store)
        .fetch_one(stack.event_store())
        .await
        .unwrap();
    assert_eq!(in_store, 0);
    let topic = stack.topic(Topic::Builds).await.unwrap();
    let told = |message: &Published| message.payload.to_string().contains("unheard-of");
    assert!(!topic.iter().any(told), "{topic:?}");
}

/// Sends chunks as `roster ingest` does, one by one.
struct Uploader {
    base: String,
    token: String,
    client: reqwest::Client,
}

impl Uploader {
    fn new(stack: &Stack) -> Self {
        Self {
            base: format!("http://127.0.0.1:{}/admin/builds", stack.ports.admin),
            token: stack.admin_token.clone(),
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
        }
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self
            .client
            .post(format!("{}{path}", self.base))
            .bearer_auth(&self.token)
            .json(body);
        let answer = request.send().await.unwrap();
        (
            answer.status().as_u16(),
            answer.json().await.unwrap_or_default(),
        )
    }

    async fn get(&self, path: &str) -> Value {
        let request = self
            .client
            .get(format!("{}{path}", self.base))
            .bearer_auth(&self.token);
        request.send().await.unwrap().json().await.unwrap()
    }

    async fn put_chunk(&self, build: &str, chunk: u32, first_line: u32, lines: &str) -> u16 {
        let digest = hex::encode(Sha256::digest(lines));
        let request = self
            .client
            .put(format!("{}/{build}/chunks/{chunk}", self.base))
            .bearer_auth(&self.token)
            .header("Content-Type", "application/x-ndjson")
            .header("Chunk-Sha256", digest)
            .header("Chunk-First-Line", first_line)
            .body(lines.to_owned());
        request.send().await.unwrap().status().as_u16()
    }

    async fn until_loaded(&self, build: &str) -> Value {
        until("the build is loaded", Duration::from_secs(60), async || {
            let view = self.get(&format!("/{build}")).await;
            (view["status"].is_string() && view["status"] != "loading").then_some(view)
        })
        .await
        .unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chunk_sent_twice_changes_nothing_and_another_under_its_number_is_refused() {
    let stack = Stack::start().await.unwrap();
    let uploader = Uploader::new(&stack);
    let (status, view) = uploader
        .post(
            "",
            &json!({ "kind": "person", "build": "twice", "as_of": null }),
        )
        .await;
    assert_eq!(
        (status, view["status"].as_str()),
        (200, Some("loading")),
        "{view}"
    );

    let all = persons(60);
    let (first, second) = all.split_at(all.match_indices('\n').nth(29).unwrap().0 + 1);
    assert_eq!(uploader.put_chunk("twice", 0, 1, first).await, 204);
    assert_eq!(uploader.put_chunk("twice", 0, 1, first).await, 204);
    assert_eq!(uploader.put_chunk("twice", 0, 1, second).await, 409);
    // Lines that chunk 0 holds already, as of a client that counts wrongly.
    assert_eq!(uploader.put_chunk("twice", 1, 30, second).await, 409);
    assert_eq!(uploader.put_chunk("twice", 1, 31, second).await, 204);
    assert_eq!(uploader.put_chunk("twice", 1, 31, second).await, 204);
    let (status, _) = uploader.post("/twice/seal", &json!({ "chunks": 2 })).await;
    assert_eq!(status, 200);

    let loaded = uploader.until_loaded("twice").await;
    assert_eq!(
        (loaded["status"].as_str(), loaded["rows"].as_u64()),
        (Some("loaded"), Some(60)),
        "{loaded}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_load_goes_on_where_a_killed_projector_left_it() {
    let mut stack = Stack::start().await.unwrap();
    let uploader = Uploader::new(&stack);
    let (status, view) = uploader
        .post(
            "",
            &json!({ "kind": "person", "build": "resumed", "as_of": null }),
        )
        .await;
    assert_eq!(status, 200, "{view}");
    stack.process(Part::Projector).kill().unwrap();
    let all = persons(3_000);
    let lines: Vec<_> = all.lines().collect();
    for (chunk, part) in (0..).zip(lines.chunks(500)) {
        let text = part.join("\n") + "\n";
        assert_eq!(
            uploader
                .put_chunk("resumed", chunk, chunk * 500 + 1, &text)
                .await,
            204
        );
    }
    assert_eq!(
        uploader
            .post("/resumed/seal", &json!({ "chunks": 6 }))
            .await
            .0,
        200
    );
    stack.process(Part::Projector).spawn().unwrap();
    stack.crash(Part::Projector).await.unwrap();

    let loaded = uploader.until_loaded("resumed").await;
    assert_eq!(
        (loaded["status"].as_str(), loaded["rows"].as_u64()),
        (Some("loaded"), Some(3_000)),
        "{loaded}"
    );
    stack
        .roster(&["builds", "activate", "resumed"])
        .await
        .unwrap();
    let customer = stack.customer(5).await.unwrap();
    let answer = customer.enrich(&email(2_999)).await.unwrap();
    assert_eq!(
        (answer.status, answer.header("Data-Build")),
        (200, Some("resumed")),
        "{}",
        answer.body
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_whose_rows_are_gone_cannot_be_activated() {
    let settings = [
        ("PROJECTOR_KEPT_BUILDS", "0"),
        ("PROJECTOR_KEEP_RETIRED", "1s"),
    ];
    let servers = Servers::of_test_run().unwrap();
    let stack = Stack::start_with(&servers, &settings).await.unwrap();
    let name = |loaded: &Value| loaded["build"].as_str().unwrap().to_owned();
    let old = name(&stack.ingest("person", &persons(20)).await.unwrap());
    let new = name(&stack.ingest("person", &persons(30)).await.unwrap());
    until("it is dropped", Duration::from_secs(60), async || {
        let build = stack.roster(&["builds", "show", &old]).await.ok()?;
        (build["status"] == "dropped").then_some(())
    })
    .await
    .unwrap();

    let refused = stack.roster_output(&["builds", "activate", &old]).await;
    let refused = refused.unwrap();
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("was dropped"), "{said}");
    let customer = stack.customer(5).await.unwrap();
    let answer = customer.enrich(&email(3)).await.unwrap();
    assert_eq!(
        (answer.status, answer.header("Data-Build")),
        (200, Some(new.as_str()))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn builds_answer_again_when_the_read_models_were_made_anew() {
    let servers = Servers::of_test_run().unwrap();
    let mut stack = Stack::start_on(&servers).await.unwrap();
    let before = stack.ingest("person", &persons(20)).await.unwrap();
    let active = stack.ingest("person", &persons(30)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();
    assert_eq!(customer.enrich(&email(29)).await.unwrap().status, 200);
    stack.until_projected().await.unwrap();

    for part in [Part::QueryService, Part::Projector] {
        stack.process(part).kill().unwrap();
    }
    let database = stack.read_model().connect_options();
    let database = database.get_database().unwrap().to_owned();
    servers.make_database_anew(&database).await.unwrap();
    for part in [Part::Projector, Part::QueryService] {
        stack.process(part).spawn().unwrap();
    }

    let name = |build: &Value| build["build"].as_str().unwrap().to_owned();
    let query = json!({ "query": "SELECT * FROM person", "limit": 1 });
    let older = json!({ "query": "SELECT * FROM person", "limit": 1, "data_build": name(&before) });
    for (query, build, total) in [(query, &active, 30), (older, &before, 20)] {
        let minute = Duration::from_secs(60);
        let answer = until("it is searched again", minute, async || {
            let answer = customer.post("/person/search", &query).await.ok()?;
            assert!(
                [200, 422, 502, 503].contains(&answer.status),
                "{}",
                answer.body
            );
            // Before the pointer is folded there is no build, and nothing to be found.
            (answer.header("Data-Build") == Some(name(build).as_str())).then_some(answer)
        });
        let answer = answer.await.unwrap();
        assert_eq!(answer.at("/total"), total);
    }
    let answer = customer.enrich(&email(29)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.header("Credits-Remaining"), Some("6"));
    // The older build answered by the files that its events name; it is not sound before those of its new rows are told.
    until("it is reconciled", Duration::from_secs(60), async || {
        let output = stack.roster_output(&["reconcile"]).await.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let is_proved = output.status.success();
        assert!(is_proved || said.contains("loading_again"), "{said}");
        is_proved.then_some(())
    })
    .await
    .unwrap();
}

/// Every search file of a build in the object store, with its bytes; whether they are what the manifest says.
fn search_files(stack: &Stack, build: &Value) -> (Vec<std::path::PathBuf>, bool) {
    let files = &build["search_files"];
    let manifest = stack.objects().join(files["manifest"].as_str().unwrap());
    let digest = |path: &std::path::Path| -> String {
        let bytes = std::fs::read(path).unwrap_or_default();
        hex::encode(Sha256::digest(bytes))
    };
    let mut is_whole = digest(&manifest) == files["sha256"].as_str().unwrap();
    let text = std::fs::read_to_string(&manifest).unwrap_or_default();
    let named: Value = serde_json::from_str(&text).unwrap_or_default();
    let mut found = vec![manifest.clone()];
    for file in named["files"].as_array().into_iter().flatten() {
        let path = manifest.with_file_name(file["name"].as_str().unwrap());
        is_whole &= digest(&path) == file["sha256"].as_str().unwrap();
        found.push(path);
    }
    (found, is_whole)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_search_file_is_written_again_by_a_reindex() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(200)).await.unwrap();
    let builds = stack.roster(&["builds", "list"]).await.unwrap();
    let name = builds["builds"][0]["build"].as_str().unwrap().to_owned();
    let build = stack.roster(&["builds", "show", &name]).await.unwrap();
    let (files, is_whole) = search_files(&stack, &build);
    assert!(is_whole && files.len() > 1, "{build}");

    std::fs::write(&files[1], "damaged").unwrap();
    std::fs::remove_file(&files[2]).unwrap();
    assert!(!search_files(&stack, &build).1);
    // Asked while nobody can write: the wish outlives the projector.
    let asked = stack
        .roster(&["builds", "reindex", &name, "--no-wait"])
        .await
        .unwrap();
    assert_eq!(asked["build"], name.as_str());
    stack.crash(Part::Projector).await.unwrap();
    let done = stack.roster(&["builds", "reindex", &name]).await.unwrap();
    assert_eq!(
        (&done["state"], &done["rows_written"]),
        (&json!("done"), &json!(200)),
        "{done}"
    );
    assert_eq!(done["search_files"], build["search_files"], "the same rows");
    assert!(search_files(&stack, &build).1, "{done}");
    let refused = stack.roster_output(&["builds", "reindex", "none"]).await;
    assert_eq!(refused.unwrap().status.code(), Some(1));
}
