//! Data builds from staged chunks to an active build.

use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use documents::{Dictionary, Unpacker};
use events_schema::Envelope;
use events_schema::data_build::v1::{
    DataBuildAbandoned, DataBuildActivated, DataBuildChunkStaged, DataBuildDropped,
    DataBuildFailed, DataBuildLoaded, DataBuildSealed, DataBuildStarted, LoadReport,
};
use events_schema::ids::Shard;
use events_schema::record::RecordKind;
use normalize::keys::{CompanyKey, PersonKey, key};
use projector::builds::schema::{Tables, schema_name};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use tokio_util::sync::CancellationToken;

use crate::stack::Stack;

pub(crate) struct Build<'a> {
    stack: &'a Stack,
    pub(crate) name: &'static str,
    kind: RecordKind,
    lines: u64,
    chunks: u32,
}

impl<'a> Build<'a> {
    pub(crate) async fn start(stack: &'a Stack, name: &'static str, kind: RecordKind) -> Self {
        Self::start_as_of(stack, name, kind, None).await
    }

    /// With a reference date chunks are loaded as they come.
    pub(crate) async fn start_as_of(
        stack: &'a Stack,
        name: &'static str,
        kind: RecordKind,
        as_of: Option<NaiveDate>,
    ) -> Self {
        let started = DataBuildStarted {
            build: name.parse().unwrap(),
            kind,
            as_of,
            started_at: chrono::Utc::now(),
        };
        stack.happen(Shard::DATA_BUILDS, started).await;
        Self {
            stack,
            name,
            kind,
            lines: 0,
            chunks: 0,
        }
    }

    /// As a client would stage them that has lost count: the next chunk begins at these lines' first one, too.
    async fn stage_over(&mut self, lines: &[String]) {
        self.stage(lines).await;
        self.lines -= lines.len() as u64;
    }

    pub(crate) async fn stage(&mut self, lines: &[String]) -> Envelope {
        let text = lines.join("\n");
        let object = format!("builds/{}/chunks/{}.ndjson", self.name, self.chunks);
        let path = self.stack.objects.join(&object);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &text).unwrap();
        let digest = hex::encode(Sha256::digest(text.as_bytes()));
        let rows = u32::try_from(lines.len()).unwrap();
        let staged = DataBuildChunkStaged {
            build: self.name.parse().unwrap(),
            chunk: self.chunks,
            object,
            sha256: digest,
            rows,
            first_line: self.lines + 1,
            bytes: text.len() as u64,
        };
        self.chunks += 1;
        self.lines += u64::from(rows);
        self.stack.happen(Shard::DATA_BUILDS, staged).await
    }

    pub(crate) async fn seal(&self) -> Value {
        self.sealed().await;
        self.taken_outcome().await
    }

    async fn sealed(&self) {
        let sealed = DataBuildSealed {
            build: self.name.parse().unwrap(),
            chunks: self.chunks,
            rows: self.lines,
        };
        self.stack.happen(Shard::DATA_BUILDS, sealed).await;
    }

    /// The outcome that command-service took.
    async fn taken_outcome(&self) -> Value {
        self.stack
            .until("the outcome is told", || async {
                self.stack
                    .command_service
                    .outcomes
                    .lock()
                    .unwrap()
                    .get(self.name)
                    .cloned()
            })
            .await
    }

    /// Loaded, told as such by an event, and made active.
    pub(crate) async fn seal_and_activate(&self) {
        self.seal_and_be_loaded().await;
        self.activate().await;
    }

    pub(crate) async fn seal_and_be_loaded(&self) {
        self.seal().await;
        let loaded = DataBuildLoaded {
            build: self.name.parse().unwrap(),
            rows: self.lines,
            rejected: 0,
            rejects_object: None,
            reference_date: NaiveDate::default(),
            report: LoadReport::default(),
            search_files: None,
        };
        let last = self.stack.happen(Shard::DATA_BUILDS, loaded).await;
        self.stack.until_projected(&last).await;
    }

    pub(crate) async fn activate(&self) {
        let activated = DataBuildActivated {
            build: self.name.parse().unwrap(),
            kind: self.kind,
            activated_at: chrono::Utc::now(),
        };
        let last = self.stack.happen(Shard::DATA_BUILDS, activated).await;
        self.stack.until_projected(&last).await;
    }

    /// The documents in the order of ranks, unpacked by the dictionary that the build keeps.
    pub(crate) async fn docs(&self) -> Vec<Value> {
        let sql = format!(
            "select doc from {}.{} order by rank",
            schema_name(self.name),
            self.kind
        );
        let packed: Vec<Vec<u8>> = sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&self.stack.pool)
            .await
            .unwrap();
        let unpacker = Unpacker::new(self.dictionary().await).unwrap();
        let documents = packed.iter().map(|packed| unpacker.unpack(packed).unwrap());
        documents
            .map(|document| serde_json::from_slice(&document).unwrap())
            .collect()
    }

    /// Once the build has tables that can be read.
    async fn until_final(&self) {
        let tables = Tables::new(self.name, self.kind);
        let is_final = || async {
            let mut db = self.stack.pool.acquire().await.unwrap();
            tables.are_final(&mut db).await.unwrap().then_some(())
        };
        self.stack.until("the tables are final", is_final).await;
    }

    async fn dictionary(&self) -> Dictionary {
        let tables = Tables::new(self.name, self.kind);
        let mut db = self.stack.pool.acquire().await.unwrap();
        tables.dictionary(&mut db).await.unwrap().unwrap()
    }

    async fn found(&self, kind: i16, key: [u8; 16]) -> Vec<(i32, i16)> {
        let sql = format!(
            "select rank, flags from {}.{}_key where kind = $1 and key = $2 order by rank",
            schema_name(self.name),
            self.kind
        );
        sqlx::query_as(AssertSqlSafe(sql))
            .bind(kind)
            .bind(uuid::Uuid::from_bytes(key))
            .fetch_all(&self.stack.pool)
            .await
            .unwrap()
    }
}

pub(crate) fn person(id: u32, name: &str, more: Value) -> String {
    let mut line =
        json!({"service_id": format!("00000000-0000-4000-8000-{id:012}"), "full_name": name});
    line.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    line.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_is_loaded_ranked_and_its_bad_lines_are_listed() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = Build::start(&stack, "2026.10.1-person", RecordKind::Person).await;
    let low = person(
        1,
        "Low Level",
        json!({"num_sources": 9, "last_seen": "2026-10-02"}),
    );
    let high_old = person(
        2,
        "High Old",
        json!({"confidence": "high", "num_sources": 2, "last_seen": "2025-01-01"}),
    );
    let high_new = person(
        3,
        "High New",
        json!({"confidence": "high", "num_sources": 2, "last_seen": "2026-01-01"}),
    );
    let most = person(
        4,
        "High Most",
        json!({"confidence": "high", "num_sources": 3}),
    );
    let again = person(2, "High Repeated", json!({}));
    let chunk = build
        .stage(&[low, "{broken".into(), high_old, "[1]".into()])
        .await;
    build
        .stage(&[
            again,
            high_new,
            json!({"service_id": "x", "full_name": "Bad Id"}).to_string(),
            most,
            "{}".into(),
        ])
        .await;
    stack.send(&chunk).await;
    let outcome = build.seal().await;
    assert_eq!(outcome["result"], "loaded", "{outcome}");
    assert_eq!(
        (&outcome["rows"], &outcome["rejected"]),
        (&4.into(), &5.into())
    );
    assert_eq!(
        outcome["reference_date"], "2026-10-02",
        "the newest last_seen"
    );
    let names: Vec<Value> = build
        .docs()
        .await
        .iter()
        .map(|doc| doc["full_name"].clone())
        .collect();
    assert_eq!(names, ["high most", "high new", "high old", "low level"]);
    let rejects = rejects(&stack, "2026.10.1-person");
    let lines: Vec<i64> = rejects
        .iter()
        .map(|r| r["line"].as_i64().unwrap())
        .collect();
    assert_eq!(lines, [2, 4, 5, 7, 9]);
    assert_eq!(rejects[0]["text"], "{broken");
    let reason = rejects[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("not JSON"), "{reason}");
    assert_eq!(rejects[2]["reason"], "service_id came before, in line 3");
    assert!(
        rejects[2]["text"]
            .as_str()
            .unwrap()
            .contains("High Repeated")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn activation_flips_the_pointer_and_retires_the_older_build() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut old = Build::start(&stack, "old", RecordKind::Person).await;
    old.stage(&[person(1, "Ada Old", json!({}))]).await;
    old.seal().await;
    old.activate().await;
    let mut new = Build::start(&stack, "new", RecordKind::Person).await;
    new.stage(&[person(1, "Ada New", json!({}))]).await;
    new.seal().await;
    assert_eq!(
        stack
            .number("select count(*) from active_build where build = 'old'")
            .await,
        1
    );
    new.activate().await;
    let pointer: (String, String) = sqlx::query_as("select build, schema_name from active_build")
        .fetch_one(&stack.pool)
        .await
        .unwrap();
    assert_eq!(pointer, ("new".to_owned(), schema_name("new")));
    assert_eq!(
        stack
            .number("select count(*) from data_build where build = 'old' and status = 'retired'")
            .await,
        1
    );
    assert_eq!(old.docs().await.len(), 1, "a retired build stays readable");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_activation_that_was_parked_never_turns_the_pointer_back() {
    let stack = Stack::new().await;
    let admin = stack.start().await;
    let loaded = async |name: &'static str| {
        let mut build = Build::start(&stack, name, RecordKind::Person).await;
        build.stage(&[person(1, "Ada", json!({}))]).await;
        build.seal_and_be_loaded().await;
        build
    };
    let (first, parked, last) = (loaded("a").await, loaded("b").await, loaded("c").await);
    first.activate().await;
    sqlx::raw_sql(
        "alter table data_build add constraint not_b check (build <> 'b' or status <> 'active')",
    )
    .execute(&stack.pool)
    .await
    .unwrap();
    parked.activate().await;
    last.activate().await;
    sqlx::raw_sql("alter table data_build drop constraint not_b")
        .execute(&stack.pool)
        .await
        .unwrap();
    let letters = stack.get(&format!("{admin}/admin/dead-letters")).await;
    let id = &letters["dead_letters"][0]["id"];
    let (_, retried) = stack
        .post(&format!("{admin}/admin/dead-letters/{id}/retry"))
        .await;
    assert_eq!(
        (&retried["applied"], &retried["left"]),
        (&1.into(), &0.into()),
        "{letters}"
    );
    let pointed: String = sqlx::query_scalar("select build from active_build")
        .fetch_one(&stack.pool)
        .await
        .unwrap();
    assert_eq!(pointed, "c");
    let statuses: Vec<(String, String)> =
        sqlx::query_as("select build, status from data_build order by build")
            .fetch_all(&stack.pool)
            .await
            .unwrap();
    let named = |build: &str, status: &str| (build.to_owned(), status.to_owned());
    assert_eq!(
        statuses,
        [
            named("a", "retired"),
            named("b", "retired"),
            named("c", "active")
        ]
    );
    // And an activation of today still moves it.
    first.activate().await;
    let flipped = "select count(*) from active_build where build = 'a'";
    assert_eq!(stack.number(flipped).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_with_too_many_bad_lines_fails_with_its_rejects() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = Build::start(&stack, "bad", RecordKind::Company).await;
    let lines: Vec<String> = (0..300)
        .map(|n| {
            if n < 101 {
                "?".into()
            } else {
                format!(r#"{{"name":"C {n}"}}"#)
            }
        })
        .collect();
    build.stage(&lines).await;
    let outcome = build.seal().await;
    assert_eq!(
        (&outcome["result"], &outcome["rejected"]),
        (&"failed".into(), &101.into())
    );
    assert_eq!(outcome["rejects_object"], "builds/bad/rejects.ndjson");
    let failed = DataBuildFailed {
        build: "bad".parse().unwrap(),
        reason: "r".into(),
        rejected: 101,
        rejects_object: None,
    };
    let last = stack.happen(Shard::DATA_BUILDS, failed).await;
    stack.until_projected(&last).await;
    assert_eq!(
        stack
            .number("select rejected from data_build where status = 'failed'")
            .await,
        101
    );
}

/// Reasons become part of an event: they say nothing of what stands in a line.
#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_fails_names_the_commonest_reasons_with_their_first_lines() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = Build::start(&stack, "reasons", RecordKind::Person).await;
    let mut lines =
        vec![r#"{"full_name": "Ada Byron", "work_email": "info@x.example"}"#.to_owned(); 60];
    lines.extend(vec![r#"{"city": "Boston"}"#.to_owned(); 80]);
    build.stage(&lines).await;
    let outcome = build.seal().await;
    assert_eq!(
        outcome["reason"],
        "139 of 140 lines were rejected: 80 \"no name\", first in line 61; 59 \"service_id, given or made, came before\", first in line 2"
    );
    let rejects = rejects(&stack, "reasons");
    assert_eq!(rejects[0]["reason"], "same work_email as line 1");
    assert!(rejects[0]["text"].as_str().unwrap().contains("Ada Byron"));
}

/// A slip in one line must not age all records.
#[tokio::test(flavor = "multi_thread")]
async fn a_day_in_the_future_is_no_reference_date() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = Build::start(&stack, "ahead", RecordKind::Person).await;
    let seen = |id: u32, last_seen: &str| person(id, "Ada Byron", json!({"last_seen": last_seen}));
    build
        .stage(&[seen(1, "2025-03-04"), seen(2, "2099-01-01")])
        .await;
    let outcome = build.seal().await;
    assert_eq!(outcome["reference_date"], "2025-03-04", "{outcome}");
    assert_eq!(outcome["report"]["unreadable"]["last_seen"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_fails_as_soon_as_too_many_bad_lines_are_certain() {
    let stack = Stack::new().await;
    let as_of = NaiveDate::from_ymd_opt(2026, 10, 2);
    let mut build = Build::start_as_of(&stack, "certain", RecordKind::Company, as_of).await;
    // Its second chunk never comes, so that nothing is ever loaded to its end.
    let sealed = DataBuildSealed {
        build: "certain".parse().unwrap(),
        chunks: 2,
        rows: 400,
    };
    stack.happen(Shard::DATA_BUILDS, sealed).await;
    build.stage(&vec!["?".to_owned(); 150]).await;
    stack.start().await;
    let outcome = build.taken_outcome().await;
    assert_eq!(
        (&outcome["result"], &outcome["reason"]),
        (
            &"failed".into(),
            &"at least 150 of 400 lines were rejected: 150 \"not JSON; of CSV: not as many values as the header has columns\", first in line 1"
                .into()
        )
    );
    assert_eq!(outcome["rejected"], 150);
    assert_eq!(rejects(&stack, "certain").len(), 150);
}

/// The lines of the rejects file.
fn rejects(stack: &Stack, build: &str) -> Vec<Value> {
    let file = stack.objects.join(format!("builds/{build}/rejects.ndjson"));
    let file = std::fs::read_to_string(file).unwrap();
    file.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn rejects_of_very_many_repeated_ids_are_told_with_the_text_of_each() {
    const LINES: u32 = 50_000;
    let mut stack = Stack::new().await;
    stack.config.builds.limits.load = Duration::from_secs(5);
    let mut build = Build::start(&stack, "doubled", RecordKind::Company).await;
    let line = |number| format!("{{\"name\":\"Company {number}\"}}");
    for lines in [1..=LINES / 2, LINES / 2 + 1..=LINES] {
        build.stage(&lines.map(line).collect::<Vec<_>>()).await;
    }
    sqlx::raw_sql(AssertSqlSafe(format!(
        "insert into build_load (build, stage, rejected) values ('doubled', 'failed', {LINES});
         insert into build_reject (build, line, reason)
         select 'doubled', line, 'came before' from generate_series(1, {LINES}) as line"
    )))
    .execute(&stack.pool)
    .await
    .unwrap();
    stack.start().await;
    assert_eq!(build.taken_outcome().await["rejected"], LINES);
    let rejects = rejects(&stack, "doubled");
    assert_eq!(rejects.len(), LINES as usize);
    for (number, reject) in (1..).zip(&rejects) {
        assert_eq!(reject["line"], number);
        assert_eq!(reject["text"], line(number), "{number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_build_leaves_neither_tables_nor_objects() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = Build::start(&stack, "gone", RecordKind::Person).await;
    build.stage(&[person(1, "Ada Gone", json!({}))]).await;
    abandon(&stack, "gone").await;
    stack.until_dropped("gone").await;
    let left: i64 = sqlx::query_scalar(
        "select count(*) from information_schema.schemata where schema_name = $1",
    )
    .bind(schema_name("gone"))
    .fetch_one(&stack.pool)
    .await
    .unwrap();
    assert_eq!(left, 0);
    assert!(!stack.objects.join("builds/gone/chunks/0.ndjson").exists());
}

/// The operator gives the build up.
async fn abandon(stack: &Stack, build: &str) {
    let abandoned = DataBuildAbandoned {
        build: build.parse().unwrap(),
        abandoned_at: chrono::Utc::now(),
    };
    stack.happen(Shard::DATA_BUILDS, abandoned).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_is_abandoned_while_it_is_ranked_goes_and_leaves_the_others_alone() {
    let stack = Stack::new().await;
    sqlx::raw_sql(
        "create function lasting() returns trigger language plpgsql as $$ begin
             perform pg_sleep(300);
             return new;
         end $$;
         create trigger lasting before update on build_load for each row
             when (new.build = 'ranking' and new.stage = 'ranked') execute function lasting();",
    )
    .execute(&stack.pool)
    .await
    .unwrap();
    stack.start().await;
    let mut build = Build::start(&stack, "ranking", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    build.sealed().await;
    stack
        .until("it is being ranked", || async {
            let ranked = "select count(*) from pg_stat_activity
                          where datname = current_database() and wait_event = 'PgSleep'";
            (stack.number(ranked).await == 1).then_some(())
        })
        .await;
    abandon(&stack, "ranking").await;
    stack.until_dropped("ranking").await;
    let mut other = Build::start(&stack, "other", RecordKind::Person).await;
    other.stage(&[maya(2)]).await;
    assert_eq!(other.seal().await["result"], "loaded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_cannot_be_removed_keeps_no_other_from_going() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut read = Build::start(&stack, "read", RecordKind::Person).await;
    read.stage(&[maya(1)]).await;
    read.seal().await;
    let mut reader = stack.pool.begin().await.unwrap();
    let schema = schema_name("read");
    let select = format!("select count(*) from {schema}.person");
    sqlx::raw_sql(AssertSqlSafe(select))
        .execute(&mut *reader)
        .await
        .unwrap();
    abandon(&stack, "read").await;
    let mut gone = Build::start(&stack, "gone", RecordKind::Person).await;
    gone.stage(&[maya(2)]).await;
    abandon(&stack, "gone").await;
    stack.until_dropped("gone").await;
    reader.rollback().await.unwrap();
    stack.until_dropped("read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_customer_wrote_stands_in_the_report_beside_the_rejects_and_is_not_told() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = Build::start(&stack, "told", RecordKind::Person).await;
    let job = json!({"title": "Baker", "company_industry": "maya's moon cheese"});
    let more = json!({"maya@x.example": 1, "experience": [job], "birth_date": "maya"});
    build.stage(&[person(1, "Ada Told", more)]).await;
    let outcome = build.seal().await;
    assert_eq!(
        outcome["report"],
        json!({
            "unreadable": {"birth_date": 1}, "unknown_keys": {}, "unmapped": {}, "unknown": 1,
            "unlisted": {"experience.organization.industry": 1}, "object": "builds/told/report.json",
        })
    );
    assert!(!outcome.to_string().contains("maya"), "{outcome}");
    let file = std::fs::read(stack.objects.join("builds/told/report.json")).unwrap();
    let report: Value = serde_json::from_slice(&file).unwrap();
    assert_eq!(report["unknown_keys"], json!({"maya@x.example": 1}));
    assert_eq!(
        report["unmapped"],
        json!({"experience.organization.industry": {"maya's moon cheese": 1}})
    );
}

/// Tells in vain at least twice; the row of `/admin/lag` that says so.
async fn told_in_vain(stack: &Stack, admin: &str) -> Value {
    stack
        .until("it was told in vain twice", || async {
            let lag = stack.get(&format!("{admin}/admin/lag")).await;
            let untold = lag["untold_outcomes"][0].clone();
            (untold["attempts"].as_i64()? >= 2).then_some(untold)
        })
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_is_told_until_command_service_itself_takes_it() {
    let stack = Stack::new().await;
    let admin = stack.start().await;
    // Whoever listens at a wrong address.
    let page = json!({"error": "route_not_found", "details": {"path": "/internal"}});
    stack.command_service.refuse("loaded", 404, page);
    let mut build = Build::start(&stack, "untold", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    build.sealed().await;
    let untold = told_in_vain(&stack, &admin).await;
    assert_eq!(
        (&untold["build"], &untold["outcome"]),
        (&"untold".into(), &"loaded".into())
    );
    assert!(
        untold["fault"].as_str().unwrap().contains("404"),
        "{untold}"
    );
    stack.command_service.refuse_because("loaded", "not_sealed");
    let again = "update build_load set tell_due_at = now()";
    stack
        .until("the refusal is seen", || async {
            sqlx::raw_sql(again).execute(&stack.pool).await.unwrap();
            let untold = told_in_vain(&stack, &admin).await;
            let fault = untold["fault"].as_str().unwrap();
            (fault == "command-service refuses: not_sealed (409 Conflict)").then_some(())
        })
        .await;
    stack.command_service.take("loaded");
    assert_eq!(build.taken_outcome().await["result"], "loaded");
    let lag = stack.get(&format!("{admin}/admin/lag")).await;
    assert_eq!(lag["untold_outcomes"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_is_not_told_any_more_once_the_build_is_known_to_have_ended() {
    let mut stack = Stack::new().await;
    // Events here are of a day long past: without this the build could be dropped before its outcome is looked at.
    stack.config.builds.failed_grace = Duration::from_secs(100 * 365 * 24 * 3600);
    let admin = stack.start().await;
    stack.command_service.refuse("loaded", 404, Value::Null);
    let mut build = Build::start(&stack, "ended", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    build.sealed().await;
    told_in_vain(&stack, &admin).await;
    let failed = DataBuildFailed {
        build: "ended".parse().unwrap(),
        reason: "r".into(),
        rejected: 0,
        rejects_object: None,
    };
    stack.happen(Shard::DATA_BUILDS, failed).await;
    stack
        .until("nobody is told any more", || async {
            let reported = "select count(*) from build_load where reported_at is not null";
            (stack.number(reported).await == 1).then_some(())
        })
        .await;
    assert!(stack.command_service.outcomes.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_without_a_record_fails_and_says_so() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut rejected = Build::start(&stack, "rejected", RecordKind::Person).await;
    rejected.stage(&["{}".to_owned()]).await;
    let outcome = rejected.seal().await;
    assert_eq!(
        (&outcome["result"], &outcome["rejected"]),
        (&"failed".into(), &1.into()),
        "{outcome}"
    );
    assert_eq!(
        outcome["reason"],
        "it holds no record: 1 of 1 lines were rejected: 1 \"no name\", first in line 1"
    );
    assert_eq!(outcome["rejects_object"], "builds/rejected/rejects.ndjson");
    let blank = Build::start(&stack, "blank", RecordKind::Company).await;
    let outcome = blank.seal().await;
    assert_eq!(outcome["result"], "failed", "{outcome}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_command_service_does_not_let_go_keeps_its_rows() {
    let mut stack = Stack::new().await;
    (
        stack.config.builds.kept_builds,
        stack.config.builds.keep_retired,
    ) = (0, Duration::ZERO);
    stack.start().await;
    // As if the older build had been activated again by an event that has not come yet.
    stack.command_service.refuse_because("dropping", "active");
    let mut old = Build::start(&stack, "old", RecordKind::Person).await;
    old.stage(&[person(1, "Ada Old", json!({}))]).await;
    old.seal_and_activate().await;
    let mut new = Build::start(&stack, "new", RecordKind::Person).await;
    new.stage(&[person(1, "Ada New", json!({}))]).await;
    new.seal_and_activate().await;
    stack
        .until("it was asked three times", || async {
            (stack.command_service.drops_of("old") >= 3).then_some(())
        })
        .await;
    assert_eq!(old.docs().await.len(), 1);
    assert!(stack.objects.join("builds/old/chunks/0.ndjson").exists());
    stack.command_service.take("dropping");
    stack.until_dropped("old").await;
    assert!(!stack.objects.join("builds/old/chunks/0.ndjson").exists());
    let asked = stack.command_service.drops_of("old");
    let dropped = DataBuildDropped {
        build: "old".parse().unwrap(),
        dropped_at: chrono::Utc::now(),
    };
    let last = stack.happen(Shard::DATA_BUILDS, dropped).await;
    stack.until_projected(&last).await;
    let known = "select count(*) from data_build where build = 'old' and status = 'dropped'";
    assert_eq!(stack.number(known).await, 1);
    assert_eq!(stack.command_service.drops_of("old"), asked, "told once");
    assert_eq!(stack.command_service.drops_of("new"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_dropped_before_anybody_was_told_is_told_late() {
    let stack = Stack::new().await;
    let mut build = Build::start(&stack, "gone", RecordKind::Person).await;
    let last = build.stage(&[person(1, "Ada Gone", json!({}))]).await;
    stack.start().await;
    stack.until_projected(&last).await;
    sqlx::raw_sql(
        "update data_build set status = 'retired', retired_at = now();
         insert into build_load (build, stage) values ('gone', 'dropped')
         on conflict (build) do update set stage = 'dropped'",
    )
    .execute(&stack.pool)
    .await
    .unwrap();
    stack
        .until("it is told", || async {
            let told = "select count(*) from build_load where drop_told_at is not null and stage = 'dropped'";
            (stack.number(told).await == 1).then_some(())
        })
        .await;
    assert_eq!(stack.command_service.drops_of("gone"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn read_models_that_are_made_anew_get_the_rows_of_their_builds_again() {
    let mut stack = Stack::new().await;
    let first_life = CancellationToken::new();
    stack.start_until(&first_life).await;
    let told = {
        let mut before = Build::start(&stack, "retired", RecordKind::Person).await;
        before.stage(&[maya(1)]).await;
        before.seal_and_activate().await;
        let mut active = Build::start(&stack, "active", RecordKind::Person).await;
        active.stage(&[maya(2), maya(3)]).await;
        active.stage(&[maya(4)]).await;
        active.seal_and_activate().await;
        active.taken_outcome().await
    };
    first_life.cancel();
    stack.status = Arc::default();
    stack.make_database_anew().await;
    // The folder comes back later than the database, which is for ever for a build that is loaded for the first time.
    let away = stack.objects.with_extension("away");
    std::fs::rename(&stack.objects, &away).unwrap();

    let admin = stack.start().await;
    let untold = stack
        .until("both builds are named", || async {
            let lag = stack.get(&format!("{admin}/admin/lag")).await;
            let untold = lag["untold_outcomes"].as_array()?.clone();
            let is_tried = |one: &Value| one["attempts"].as_i64() >= Some(2);
            (untold.len() == 2 && untold.iter().all(is_tried)).then_some(untold)
        })
        .await;
    assert_eq!(untold[0]["build"], "active", "{untold:?}");
    assert_eq!(untold[0]["outcome"], "loaded again", "{untold:?}");
    let fault = untold[0]["fault"].as_str().unwrap();
    assert!(fault.contains("not in the object store"), "{fault}");
    let statuses = "select string_agg(build || ' ' || status, ', ' order by build) from data_build";
    let statuses: String = sqlx::query_scalar(statuses)
        .fetch_one(&stack.pool)
        .await
        .unwrap();
    assert_eq!(statuses, "active active, retired retired");

    std::fs::remove_dir_all(&stack.objects).ok();
    std::fs::rename(&away, &stack.objects).unwrap();
    for (name, number) in [("active", 3), ("retired", 1)] {
        let build = Build {
            stack: &stack,
            name,
            kind: RecordKind::Person,
            lines: 0,
            chunks: 0,
        };
        build.until_final().await;
        assert_eq!(build.docs().await.len(), number);
        // Their search files are made anew and told by themselves; that the build was loaded is nothing new.
        let is_reindexed = || async {
            let outcomes = stack.command_service.outcomes.lock().unwrap();
            let outcome = outcomes.get(name)?;
            (outcome["result"] == "reindexed").then_some(outcome["search_files"].clone())
        };
        let files = stack.until("its files are told", is_reindexed).await;
        if name == "active" {
            assert_eq!(
                files, told["search_files"],
                "the same rows in the same order"
            );
        }
    }
    let untold = stack.get(&format!("{admin}/admin/lag")).await["untold_outcomes"].clone();
    assert_eq!(untold, json!([]));
    // The events name them, and would say nothing new.
    let are_named = || async {
        let unnamed = "select count(*) from data_build where search_files is null";
        (stack.number(unnamed).await == 0).then_some(())
    };
    stack.until("the files are named", are_named).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_failed_before_it_was_known_as_loaded_is_loaded_again() {
    let mut stack = Stack::new().await;
    let first_life = CancellationToken::new();
    stack.start_until(&first_life).await;
    let mut build = Build::start(&stack, "anew", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    build.seal_and_activate().await;
    first_life.cancel();
    stack.status = Arc::default();
    stack.make_database_anew().await;
    // As where the chunk was read for the last time between the batches of the start and of the end, and a table outlived the rows.
    stack
        .change(&format!(
            "insert into build_load (build, stage, reason, reference_date) values ('anew', 'failed', 'gone', '2020-01-01');
             create schema {0}; create table {0}.dictionary (is_only boolean primary key default true, bytes bytea not null)",
            schema_name("anew")
        ))
        .await;
    stack.start().await;
    let build = Build {
        stack: &stack,
        name: "anew",
        kind: RecordKind::Person,
        lines: 0,
        chunks: 0,
    };
    build.until_final().await;
    let date: NaiveDate = sqlx::query_scalar("select reference_date from build_load")
        .fetch_one(&stack.pool)
        .await
        .unwrap();
    assert_eq!(date, NaiveDate::default(), "that of the event");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chunk_whose_bytes_changed_fails_the_build() {
    let stack = Stack::new().await;
    let mut build = Build::start(&stack, "torn", RecordKind::Person).await;
    build.stage(&[person(1, "Ada Torn", json!({}))]).await;
    std::fs::write(stack.objects.join("builds/torn/chunks/0.ndjson"), "{}").unwrap();
    stack.start().await;
    let outcome = build.seal().await;
    assert_eq!(outcome["result"], "failed");
    assert!(outcome["reason"].as_str().unwrap().contains("chunk 0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chunk_of_an_object_store_that_is_not_mounted_yet_is_tried_again() {
    let mut stack = Stack::new().await;
    stack.config.builds.attempts = 1_000;
    let mut build = Build::start(&stack, "early", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    let (store, away) = (stack.objects.join("builds"), stack.objects.join("away"));
    std::fs::rename(&store, &away).unwrap();
    stack.start().await;
    stack
        .until("it was tried in vain", || async {
            let tried = "select count(*) from build_chunk where attempts > 0";
            (stack.number(tried).await == 1).then_some(())
        })
        .await;
    std::fs::rename(&away, &store).unwrap();
    assert_eq!(build.seal().await["result"], "loaded");
}

#[tokio::test(flavor = "multi_thread")]
async fn chunks_that_hold_the_same_lines_end_the_build() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = Build::start(&stack, "over", RecordKind::Person).await;
    build.stage_over(&[maya(1), maya(2)]).await;
    build.stage(&[maya(3)]).await;
    let outcome = build.seal().await;
    assert_eq!(outcome["result"], "failed", "{outcome}");
    assert_eq!(
        outcome["reason"],
        "ranking: chunk 1 begins at line 1, which another chunk holds"
    );
}

/// Lets writes to the chunks' marks fail by this SQLSTATE for the first `times`.
async fn chunks_fail(stack: &Stack, code: &str, times: u32) {
    sqlx::raw_sql(AssertSqlSafe(format!(
        "create sequence failures;
         create function failing() returns trigger language plpgsql as $$ begin
             if nextval('failures') <= {times} then
                 raise exception 'could not extend file of maya' using errcode = '{code}';
             end if;
             return new;
         end $$;
         create trigger failing before update on build_chunk for each row
             when (new.state = 'loaded') execute function failing();"
    )))
    .execute(&stack.pool)
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_that_passes_is_tried_again() {
    let stack = Stack::new().await;
    chunks_fail(&stack, "53100", 2).await;
    stack.start().await;
    let mut build = Build::start(&stack, "passing", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    let outcome = build.seal().await;
    assert_eq!(outcome["result"], "loaded", "{outcome}");
    assert_eq!(
        stack
            .number("select attempts::bigint from build_chunk")
            .await,
        2
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_that_stays_ends_the_build_with_its_reason_after_a_number_of_tries() {
    let stack = Stack::new().await;
    chunks_fail(&stack, "53100", 1_000).await;
    stack.start().await;
    let mut build = Build::start(&stack, "staying", RecordKind::Person).await;
    build.stage(&[maya(1), "{}".to_owned()]).await;
    let outcome = build.seal().await;
    assert_eq!(
        (&outcome["result"], &outcome["reason"]),
        (
            &"failed".into(),
            &"chunk 0: the database refused: SQLSTATE 53100, could not extend file of maya (after 3 tries)".into()
        )
    );
    assert_eq!(stack.number("select last_value from failures").await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_that_would_come_again_ends_the_build_at_once_and_no_other() {
    let stack = Stack::new().await;
    chunks_fail(&stack, "22P02", 1).await;
    stack.start().await;
    let mut build = Build::start(&stack, "broken", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    let outcome = build.seal().await;
    assert_eq!(
        (&outcome["result"], &outcome["reason"]),
        (
            &"failed".into(),
            &"chunk 0: the database refused: SQLSTATE 22P02".into()
        ),
        "what the database says of values may quote them"
    );
    let mut sound = Build::start(&stack, "sound", RecordKind::Person).await;
    sound.stage(&[maya(2)]).await;
    assert_eq!(sound.seal().await["result"], "loaded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ranking_that_fails_for_ever_ends_the_build() {
    let stack = Stack::new().await;
    let mut build = Build::start(&stack, "unranked", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    sqlx::raw_sql(
        "create function failing() returns trigger language plpgsql as $$ begin
             raise exception 'no room' using errcode = '53100';
         end $$;
         create trigger failing before update on build_load for each row
             when (new.stage = 'ranked') execute function failing();",
    )
    .execute(&stack.pool)
    .await
    .unwrap();
    stack.start().await;
    let outcome = build.seal().await;
    assert_eq!(
        (&outcome["result"], &outcome["reason"]),
        (
            &"failed".into(),
            &"ranking: the database refused: SQLSTATE 53100, no room (after 3 tries)".into()
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn real_records_are_found_by_every_identifier() {
    let stack = Stack::new().await;
    stack.start().await;
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let mut people = Build::start(&stack, "people", RecordKind::Person).await;
    let persons = lines(include_str!("../fixtures/persons.ndjson"));
    people.stage(&persons).await;
    let outcome = people.seal().await;
    assert_eq!(
        (&outcome["rows"], &outcome["rejected"]),
        (&persons.len().into(), &0.into()),
        "{outcome}"
    );
    for line in &persons {
        let given: Value = serde_json::from_str(line).unwrap();
        for email in given["emails"].as_array().unwrap() {
            let address = normalize::email::clean(email["address"].as_str().unwrap()).unwrap();
            let hash = normalize::email::hashes(&address.lowercase).sha256;
            assert!(
                !people
                    .found(
                        PersonKey::Email as i16,
                        key(PersonKey::Email, &address.address)
                    )
                    .await
                    .is_empty()
            );
            assert!(
                !people
                    .found(
                        PersonKey::EmailSha256 as i16,
                        key(PersonKey::EmailSha256, &hash)
                    )
                    .await
                    .is_empty()
            );
        }
        for phone in given["phones"].as_array().unwrap() {
            let number = phone["number"].as_str().unwrap();
            assert!(
                !people
                    .found(PersonKey::Phone as i16, key(PersonKey::Phone, number))
                    .await
                    .is_empty()
            );
        }
    }
    let mut companies = Build::start(&stack, "companies", RecordKind::Company).await;
    let records = lines(include_str!("../fixtures/companies.ndjson"));
    companies.stage(&records).await;
    let outcome = companies.seal().await;
    assert_eq!(
        (&outcome["rows"], &outcome["rejected"]),
        (&records.len().into(), &0.into()),
        "{outcome}"
    );
    for line in &records {
        let given: Value = serde_json::from_str(line).unwrap();
        let host = given["domain"].as_str().unwrap();
        assert!(
            !companies
                .found(CompanyKey::Domain as i16, key(CompanyKey::Domain, host))
                .await
                .is_empty(),
            "{host}"
        );
    }
}

/// A build of which the first two chunks were loaded, a rejected line among them, and then lost.
async fn after_a_crash_of_postgres<'s>(stack: &'s Stack, name: &'static str) -> Build<'s> {
    let as_of = NaiveDate::from_ymd_opt(2026, 10, 1);
    let mut build = Build::start_as_of(stack, name, RecordKind::Person, as_of).await;
    build.stage(&[maya(1), maya(2)]).await;
    build.stage(&[maya(3), "no record".to_owned()]).await;
    stack
        .until("both chunks are loaded", || async {
            let loaded = "select count(*) from build_chunk where state = 'loaded'";
            (stack.number(loaded).await == 2).then_some(())
        })
        .await;
    // What recovery does to tables that are not logged.
    let schema = schema_name(build.name);
    sqlx::raw_sql(AssertSqlSafe(format!(
        "truncate {schema}.person_load, {schema}.person_key_load, {schema}.chunk_load"
    )))
    .execute(&stack.pool)
    .await
    .unwrap();
    build
}

pub(crate) fn maya(number: u32) -> String {
    person(number, &format!("maya okafor {number}"), json!({}))
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_chunks_that_another_worker_gave_back_are_waited_for() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = after_a_crash_of_postgres(&stack, "2026.10.8-person").await;
    // The first worker that looks gives nothing back, as if another one had done so between its look and its lock.
    sqlx::raw_sql(
        "create sequence given_back;
         create function by_another() returns trigger language plpgsql as $$ begin
             if nextval('given_back') <= 2 then return null; end if;
             return new;
         end $$;
         create trigger by_another before update on build_chunk for each row
             when (old.state = 'loaded' and new.state = 'staged') execute function by_another();",
    )
    .execute(&stack.pool)
    .await
    .unwrap();
    build.stage(&[maya(4)]).await;
    let outcome = build.seal().await;
    assert_eq!(outcome["rows"], 4, "{outcome}");
    assert_eq!(build.docs().await.len(), 4);
    let given_back = stack.number("select last_value from given_back").await;
    assert_eq!(given_back, 4, "two in vain, two again");
}

#[tokio::test(flavor = "multi_thread")]
async fn chunks_that_a_crash_of_postgres_took_are_loaded_again() {
    let stack = Stack::new().await;
    stack.start().await;
    let mut build = after_a_crash_of_postgres(&stack, "2026.10.9-person").await;
    let dictionary = build.dictionary().await;
    build.stage(&[maya(4)]).await;
    let outcome = build.seal().await;
    assert_eq!(outcome["rows"], 4, "{outcome}");
    assert_eq!(outcome["rejected"], 1, "{outcome}");
    assert_eq!(build.docs().await.len(), 4);
    assert_eq!(
        build.dictionary().await,
        dictionary,
        "it is logged, and never made again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_packed_by_one_dictionary_made_of_the_first_chunk_that_is_loaded() {
    let stack = Stack::new().await;
    let as_of = NaiveDate::from_ymd_opt(2026, 10, 1);
    let mut build = Build::start_as_of(&stack, "packed", RecordKind::Person, as_of).await;
    // Every chunk is large enough to make a dictionary, and each would make another one.
    let chunk = |chunk: u32| -> Vec<String> {
        let line = |number: u32| {
            let employer = format!("northwind tools {chunk} and harbour lines {}", number % 7);
            let more = json!({"company_name": employer, "city": "chicago", "summary": "x".repeat(4_000 * usize::from(number == 1))});
            person(
                chunk * 1_000 + number,
                &format!("maya okafor {number}"),
                more,
            )
        };
        (0..400).map(line).collect()
    };
    for number in 0..4 {
        build.stage(&chunk(number)).await;
    }
    // Two processes with all their workers meet at the first chunks.
    stack.start().await;
    stack.load_beside();
    let outcome = build.seal().await;
    assert_eq!(
        (&outcome["rows"], &outcome["rejected"]),
        (&1_600.into(), &0.into()),
        "{outcome}"
    );
    assert!(!build.dictionary().await.bytes().is_empty());
    let schema = schema_name(build.name);
    let number = async |what: String| -> i64 {
        let statement = sqlx::query_scalar(AssertSqlSafe(format!("select {what}")));
        statement.fetch_one(&stack.pool).await.unwrap()
    };
    assert_eq!(
        number(format!("count(*) from {schema}.dictionary")).await,
        1
    );
    // Nothing of it is compressed again, neither in its row nor beside it.
    let compressed = format!("count(pg_column_compression(doc)) from {schema}.person");
    assert_eq!(number(compressed).await, 0);
    let external = format!(
        "count(*) from pg_attribute where attrelid = '{schema}.person'::regclass and attname = 'doc' and attstorage = 'e'"
    );
    assert_eq!(number(external).await, 1);
    let documents = build.docs().await;
    assert_eq!(documents.len(), 1_600);
    let is_first = |document: &&Value| document["full_name"] == "maya okafor 1";
    assert_eq!(documents.iter().filter(is_first).count(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_a_record_by_its_own_id_and_by_one_that_was_merged_into_it() {
    let stack = Stack::new().await;
    let admin = stack.start().await;
    let id = |number: u32| format!("00000000-0000-4000-8000-{number:012}");
    let mut build = Build::start(&stack, "shown", RecordKind::Person).await;
    let merged = person(
        1,
        "Maya Okafor",
        json!({"merged_ids": [id(3), id(2)], "city": "Chicago"}),
    );
    build
        .stage(&[merged, person(2, "Sam Reed", json!({}))])
        .await;
    let url = |build: &str, id: &str| format!("{admin}/admin/builds/{build}/records/{id}");
    assert_eq!(
        stack.answer(&url("shown", &id(1))).await.0,
        404,
        "it is not ranked"
    );
    build.seal().await;
    let (status, own) = stack.answer(&url("shown", &id(1))).await;
    assert_eq!(status, 200, "{own}");
    assert_eq!(own["kind"], "person");
    assert_eq!(own["service_id"], json!(id(1)));
    assert_eq!(own["document"]["full_name"], "maya okafor");
    assert_eq!(own["document"]["_merged_ids"], json!([id(3), id(2)]));
    assert_eq!(
        own["document_bytes"],
        json!(own["document"].to_string().len())
    );
    assert_eq!(stack.answer(&url("shown", &id(3))).await, (200, own));
    let (_, second) = stack.answer(&url("shown", &id(2))).await;
    assert_eq!(
        second["document"]["full_name"], "sam reed",
        "its own record goes before"
    );
    for (url, expected) in [
        (url("shown", &id(9)), 404),
        (url("none", &id(1)), 404),
        (url("shown", "maya"), 400),
    ] {
        assert_eq!(stack.answer(&url).await.0, expected, "{url}");
    }
    let schema = schema_name(build.name);
    sqlx::raw_sql(AssertSqlSafe(format!(
        "update {schema}.person set doc = substr(doc, 1, 20)"
    )))
    .execute(&stack.pool)
    .await
    .unwrap();
    assert_eq!(stack.answer(&url("shown", &id(1))).await.0, 500, "damaged");
}
