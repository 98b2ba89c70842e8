//! The search files that the service holds: fetched, checked, switched, let go.

use std::path::{Path, PathBuf};

use events_schema::data_build::v1::SearchFiles;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use query_service::builds::ActiveBuild;
use query_service::search::files::{FolderFault, Shelf, Wanted};
use serde_json::{Value, json};
use service_kit::objects::Objects;
use sqlx::{AssertSqlSafe, Executor};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::fixture;
use crate::ledger::GOOD_KEY;
use crate::stack::{Answered, Stack, build_name, schema_name};
use query_service::metrics::Metrics;

const MAIL: &str = "p1@crowd.example";

/// An object store and a local folder without a database.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("query_service_files_{}", Uuid::new_v4().simple())))
    }

    fn write(&self, build: &str, number: u128) -> Wanted {
        let records = fixture::crowd(number);
        let docs = records.iter().map(|record| &record.doc);
        let files = fixture::write_search_files(&self.0, build, RecordKind::Person, docs);
        wanted(build, files)
    }

    /// As a process that starts.
    fn shelf(&self) -> Shelf {
        self.try_shelf().unwrap()
    }

    fn try_shelf(&self) -> Result<Shelf, FolderFault> {
        let objects = Objects::open(self.0.join("objects").to_str().unwrap()).unwrap();
        Shelf::open(&self.0.join("search"), objects, Metrics::default())
    }

    /// The local folder of a build.
    fn local(&self, wanted: &Wanted) -> PathBuf {
        self.0.join("search").join(&wanted.files.sha256[..32])
    }

    /// The folder of a build in the object store.
    fn stored(&self, wanted: &Wanted) -> PathBuf {
        let manifest = self.0.join("objects").join(&wanted.files.manifest);
        manifest.parent().unwrap().to_owned()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn wanted(build: &str, files: SearchFiles) -> Wanted {
    Wanted {
        kind: RecordKind::Person,
        build: build.parse().unwrap(),
        files,
        reference_date: None,
    }
}

fn rows(shelf: &Shelf, build: &BuildName) -> Option<u32> {
    shelf.get(build).map(|files| files.columns.rows())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The largest file that a manifest names.
fn largest(folder: &Path) -> PathBuf {
    let files = names(folder).into_iter().map(|name| folder.join(name));
    let files = files.filter(|file| !file.ends_with("manifest.json"));
    files
        .max_by_key(|file| file.metadata().unwrap().len())
        .unwrap()
}

fn flip_a_bit(file: &Path) {
    let mut bytes = std::fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    // A new file: the old one may be mapped.
    std::fs::remove_file(file).unwrap();
    std::fs::write(file, bytes).unwrap();
}

#[tokio::test]
async fn what_a_killed_process_left_is_never_taken_for_whole() {
    let place = Place::new();
    let build = place.write("b", 50);
    let local = place.local(&build);
    std::fs::create_dir_all(&local).unwrap();
    let stored = largest(&place.stored(&build));
    let name = stored.file_name().unwrap();
    // Half a file under its temporary name, half a file of an older program under its own, and something else.
    let half = &std::fs::read(&stored).unwrap()[..10];
    std::fs::write(local.join(format!(".part-{}", name.display())), half).unwrap();
    std::fs::write(local.join(name), half).unwrap();
    std::fs::write(local.join("manifest.json"), "{").unwrap();
    std::fs::write(local.join("something-else"), "x").unwrap();
    let shelf = place.shelf();
    shelf.want(vec![build.clone()]);
    shelf.fill().await;
    assert_eq!(rows(&shelf, &build.build), Some(50));
    assert_eq!(names(&local), names(&place.stored(&build)));
}

#[tokio::test]
async fn a_local_file_that_is_damaged_or_missing_is_fetched_again_and_the_others_are_not() {
    let place = Place::new();
    let build = place.write("b", 50);
    let shelf = place.shelf();
    shelf.want(vec![build.clone()]);
    shelf.fill().await;
    drop(shelf);
    let local = place.local(&build);
    let damaged = largest(&local);
    let mut files = names(&local).into_iter().map(|name| local.join(name));
    let other = files.rfind(|file| *file != damaged).unwrap();
    let age = || other.metadata().unwrap().modified().unwrap();
    let before = age();
    for damage in [flip_a_bit, |file: &Path| {
        std::fs::remove_file(file).unwrap()
    }] {
        damage(&damaged);
        let shelf = place.shelf();
        shelf.want(vec![build.clone()]);
        shelf.fill().await;
        assert_eq!(rows(&shelf, &build.build), Some(50));
        let stored = place.stored(&build).join(damaged.file_name().unwrap());
        assert_eq!(
            std::fs::read(&damaged).unwrap(),
            std::fs::read(stored).unwrap()
        );
        assert_eq!(age(), before);
    }
}

#[tokio::test]
async fn files_damaged_in_the_store_are_not_held_until_they_are_mended() {
    let place = Place::new();
    let (build, other) = (place.write("b", 50), place.write("c", 3));
    let stored = place.stored(&build);
    for name in [
        "manifest.json".into(),
        largest(&stored).file_name().unwrap().to_owned(),
    ] {
        let file = stored.join(name);
        let whole = std::fs::read(&file).unwrap();
        for damage in [flip_a_bit, |file: &Path| {
            std::fs::remove_file(file).unwrap()
        }] {
            damage(&file);
            let shelf = place.shelf();
            shelf.want(vec![build.clone(), other.clone()]);
            shelf.fill().await;
            assert_eq!(rows(&shelf, &build.build), None);
            // One build does not stop another.
            assert_eq!(rows(&shelf, &other.build), Some(3));
            std::fs::write(&file, &whole).unwrap();
            shelf.fill().await;
            assert_eq!(rows(&shelf, &build.build), Some(50));
            drop(shelf);
            std::fs::remove_dir_all(place.local(&build)).unwrap();
        }
    }
}

#[tokio::test]
async fn what_is_not_wanted_any_more_is_let_go_and_what_is_not_ours_stays() {
    let place = Place::new();
    let (first, second) = (place.write("b", 2), place.write("c", 3));
    let strange = place.0.join("search/strange");
    std::fs::create_dir_all(&strange).unwrap();
    let shelf = place.shelf();
    // Before the builds are known nothing is removed.
    std::fs::create_dir_all(place.local(&first)).unwrap();
    shelf.fill().await;
    assert!(place.local(&first).exists());
    shelf.want(vec![first.clone(), second.clone()]);
    shelf.fill().await;
    let kept = shelf.get(&first.build).unwrap();
    shelf.want(vec![second.clone()]);
    assert_eq!(rows(&shelf, &first.build), None);
    shelf.fill().await;
    assert!(!place.local(&first).exists() && place.local(&second).exists() && strange.exists());
    // Whoever holds them still reads them.
    assert_eq!(kept.columns.rows(), 2);
}

#[tokio::test]
async fn one_folder_serves_one_process() {
    let place = Place::new();
    let shelf = place.shelf();
    assert!(matches!(place.try_shelf(), Err(FolderFault::InUse)));
    drop(shelf);
    assert!(place.try_shelf().is_ok());
}

#[tokio::test]
async fn a_build_that_is_written_anew_replaces_its_files_and_a_running_fetch_gives_way() {
    let place = Place::new();
    let shelf = place.shelf();
    let stop = CancellationToken::new();
    let running = tokio::spawn(shelf.clone().run(stop.clone()));
    let mut changes = shelf.changes();
    let first = place.write("b", 20);
    shelf.want(vec![first.clone()]);
    changes.changed().await.unwrap();
    let anew = place.write("b", 21);
    shelf.want(vec![anew.clone()]);
    changes.changed().await.unwrap();
    assert_eq!(rows(&shelf, &anew.build), Some(21));
    stop.cancel();
    running.await.unwrap();
}

/// Three persons in an active build of rows alone, and the persons.
async fn with_a_build_without_files() -> (Stack, Vec<fixture::Record>) {
    let stack = Stack::start_empty(100).await;
    let persons = fixture::crowd(3);
    let database = &stack.database;
    database.load_rows(RecordKind::Person, 1, &persons).await;
    database.activate(RecordKind::Person, 1).await;
    stack.follow().await;
    (stack, persons)
}

async fn enrich(stack: &Stack) -> Answered {
    stack
        .post("/person/enrich", GOOD_KEY, json!({"email": MAIL}))
        .await
}

async fn search(stack: &Stack) -> Answered {
    let body = json!({"query": "SELECT * FROM person", "limit": 1});
    stack.post("/person/search", GOOD_KEY, body).await
}

fn build(answered: &Answered) -> Option<&str> {
    assert_eq!(answered.status, 200, "{}", answered.text);
    answered.header("data-build")
}

#[tokio::test]
async fn at_the_start_enriching_does_not_wait_for_the_search_files_and_a_switch_does() {
    let stack = Stack::start_empty(100).await;
    stack
        .database
        .load(RecordKind::Person, 1, &fixture::crowd(3))
        .await;
    stack.database.activate(RecordKind::Person, 1).await;
    stack.builds.poll().await.unwrap();
    assert_eq!(build(&enrich(&stack).await), Some("2026.10.1-person"));
    let answered = search(&stack).await;
    assert_eq!(
        (answered.status.as_u16(), answered.header("retry-after")),
        (503, Some("2"))
    );
    assert_eq!(answered.body()["details"]["component"], "search");
    assert_eq!(
        (answered.header("credits-used"), stack.ledger.holds()),
        (Some("0"), 0)
    );
    stack.follow().await;
    assert_eq!(build(&search(&stack).await), Some("2026.10.1-person"));
    // Another one: until its files are here, the first one answers everything.
    stack
        .database
        .load(RecordKind::Person, 2, &fixture::crowd(4))
        .await;
    stack.database.activate(RecordKind::Person, 2).await;
    stack.builds.poll().await.unwrap();
    for answered in [enrich(&stack).await, search(&stack).await] {
        assert_eq!(build(&answered), Some("2026.10.1-person"));
    }
    stack.follow().await;
    for answered in [enrich(&stack).await, search(&stack).await] {
        assert_eq!(build(&answered), Some("2026.10.2-person"));
    }
    stack.stop().await;
}

#[tokio::test]
async fn a_loaded_build_is_held_before_it_is_activated_and_cannot_be_asked_for() {
    let stack = Stack::start_empty(100).await;
    stack
        .database
        .load(RecordKind::Person, 1, &fixture::crowd(3))
        .await;
    stack.database.activate(RecordKind::Person, 1).await;
    stack
        .database
        .load(RecordKind::Person, 2, &fixture::crowd(4))
        .await;
    stack.follow().await;
    let next: BuildName = "2026.10.2-person".parse().unwrap();
    assert_eq!(rows(&stack.shelf, &next), Some(4));
    let body = json!({"query": "SELECT * FROM person", "data_build": next});
    assert_eq!(
        stack.post("/person/search", GOOD_KEY, body).await.status,
        422
    );
    stack.database.activate(RecordKind::Person, 2).await;
    stack.builds.poll().await.unwrap();
    assert_eq!(build(&search(&stack).await), Some("2026.10.2-person"));
    stack.stop().await;
}

#[tokio::test]
async fn a_build_without_search_files_enriches_and_is_told_as_not_to_be_searched() {
    let (stack, records) = with_a_build_without_files().await;
    assert_eq!(build(&enrich(&stack).await), Some("2026.10.1-person"));
    let answered = search(&stack).await;
    assert_eq!(answered.status, 503);
    // What mends it is for operators, in the log.
    assert_eq!(
        answered.body()["message"],
        "The data build 2026.10.1-person cannot be searched."
    );
    stack.database.index(RecordKind::Person, 1, &records).await;
    stack.follow().await;
    assert_eq!(build(&search(&stack).await), Some("2026.10.1-person"));
    stack.stop().await;
}

#[tokio::test]
async fn a_build_that_cannot_be_opened_holds_up_its_own_kind_alone() {
    let stack = Stack::start_empty(100).await;
    let companies = fixture::build(RecordKind::Company);
    let persons = fixture::crowd(3);
    let (person, company) = (RecordKind::Person, RecordKind::Company);
    stack.database.load(person, 1, &persons).await;
    stack.database.load(company, 1, &companies).await;
    let hide = |number: u64| {
        let schema = schema_name(person, number);
        AssertSqlSafe(format!("alter table {schema}.dictionary rename to hidden"))
    };
    let mut own = stack.database.connect().await;
    own.execute(hide(1)).await.unwrap();
    stack.database.activate(person, 1).await;
    stack.database.activate(company, 1).await;
    stack.follow().await;
    // The company's build answers. Of persons it is not known that there are none.
    assert!(matches!(stack.builds.active(company), ActiveBuild::Open(_)));
    assert!(matches!(stack.builds.active(person), ActiveBuild::Unknown));
    assert_eq!(search(&stack).await.status, 503);
    assert_eq!(enrich(&stack).await.status, 503);

    stack.database.load(person, 2, &persons).await;
    stack.database.activate(person, 2).await;
    stack.follow().await;
    assert_eq!(build(&search(&stack).await), Some("2026.10.2-person"));
    stack.database.load(person, 3, &persons).await;
    own.execute(hide(3)).await.unwrap();
    stack.database.activate(person, 3).await;
    stack.follow().await;
    assert_eq!(build(&search(&stack).await), Some("2026.10.2-person"));
    stack.stop().await;
}

#[tokio::test]
async fn a_switch_that_another_process_saw_first_is_no_reason_to_refuse_its_cursor() {
    let stack = Stack::start_empty(100).await;
    let persons = fixture::crowd(3);
    for number in [1, 2] {
        stack
            .database
            .load(RecordKind::Person, number, &persons)
            .await;
    }
    stack.database.activate(RecordKind::Person, 1).await;
    stack.follow().await;
    // Held, active elsewhere, and not yet polled here.
    stack.database.activate(RecordKind::Person, 2).await;
    let next = build_name(RecordKind::Person, 2);
    let body = json!({"query": "SELECT * FROM person", "data_build": next});
    let answered = stack.post("/person/search", GOOD_KEY, body).await;
    assert_eq!(
        build(&answered),
        Some("2026.10.2-person"),
        "{}",
        answered.text
    );
    stack.stop().await;
}

#[tokio::test]
async fn a_build_before_without_search_files_is_told_as_not_to_be_searched() {
    let (stack, persons) = with_a_build_without_files().await;
    stack.database.load(RecordKind::Person, 2, &persons).await;
    stack.database.activate(RecordKind::Person, 2).await;
    stack.follow().await;
    let before = build_name(RecordKind::Person, 1);
    let body = json!({"query": "SELECT * FROM person", "data_build": before});
    let answered = stack.post("/person/search", GOOD_KEY, body).await;
    assert_eq!(answered.status, 503);
    assert!(
        answered.text.contains("cannot be searched."),
        "{}",
        answered.text
    );
    stack.stop().await;
}

#[tokio::test]
async fn without_any_build_nothing_is_found() {
    let stack = Stack::start_empty(100).await;
    stack.follow().await;
    let answered = search(&stack).await;
    assert_eq!(
        answered.body(),
        json!({"matches": [], "total": 0, "next_cursor": Value::Null})
    );
    assert_eq!(
        (answered.status.as_u16(), answered.header("credits-used")),
        (200, Some("0"))
    );
    assert_eq!(answered.header("data-build"), None);
    stack.stop().await;
}
