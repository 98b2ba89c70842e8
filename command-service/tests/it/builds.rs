//! Data builds over a store that fails.

use command_service::application::ChunkReceived;
use events_schema::api::admin::{BuildStatus, StartBuild};
use events_schema::api::internal::LoadOutcome;
use events_schema::record::RecordKind;
use serde_json::json;

use crate::support::{Process, cause};

/// From each event on, which builds are active cannot be read.
const SPOIL: &str = "ALTER TABLE active_build ALTER COLUMN build DROP NOT NULL; \
    CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS \
    $$ BEGIN INSERT INTO active_build (kind) VALUES ('animal') ON CONFLICT DO NOTHING; RETURN NULL; END $$; \
    CREATE TRIGGER spoil AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION spoil()";

async fn mend(process: &Process) {
    let mended = sqlx::query("DELETE FROM active_build WHERE kind = 'animal'");
    let mended = mended.execute(&process.pool).await.unwrap();
    assert_eq!(mended.rows_affected(), 1, "nothing was written");
}

#[tokio::test]
async fn a_build_command_that_was_carried_out_is_answered_although_the_store_fails_right_after() {
    let process = Process::alone().await;
    sqlx::raw_sql(SPOIL).execute(&process.pool).await.unwrap();
    let (app, cause) = (&process.application, cause());
    let unnamed = StartBuild {
        kind: RecordKind::Person,
        build: None,
        as_of: None,
    };
    let started = app.start_build(unnamed.clone(), &cause).await.unwrap();
    assert_eq!(started.status, BuildStatus::Loading);
    let build = started.build;
    assert!(app.build(&build).await.is_err(), "the store should fail");
    mend(&process).await;

    let chunk = ChunkReceived {
        chunk: 0,
        object: "0".to_owned(),
        sha256: "0".repeat(64),
        rows: 2,
        first_line: 1,
        bytes: 6,
    };
    app.stage_chunk(&build, chunk, &cause).await.unwrap();
    mend(&process).await;
    let sealed = app.seal_build(&build, 1, &cause).await.unwrap();
    assert!(sealed.sealed);
    mend(&process).await;
    let loaded = json!({"result": "loaded", "rows": 2, "rejected": 0, "rejects_object": null,
        "reference_date": "2026-11-01", "report": {}});
    let loaded: LoadOutcome = serde_json::from_value(loaded).unwrap();
    let recorded = app.record_load_outcome(&build, loaded.result, &cause);
    recorded.await.unwrap();
    mend(&process).await;
    let active = app.activate_build(&build, &cause).await.unwrap();
    assert_eq!(active.status, BuildStatus::Active);
    mend(&process).await;
    // What is sealed again is told as it stands.
    let again = app.seal_build(&build, 1, &cause).await.unwrap();
    assert_eq!(again.status, BuildStatus::Active);

    let other = app.start_build(unnamed, &cause).await.unwrap().build;
    mend(&process).await;
    let abandoned = app.abandon_build(&other, &cause).await.unwrap();
    assert_eq!(abandoned.status, BuildStatus::Abandoned);
    mend(&process).await;
    assert_eq!(app.builds().await.unwrap().found.len(), 2);
}
