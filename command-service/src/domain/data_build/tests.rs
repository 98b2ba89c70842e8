use events_schema::data_build::v1::LoadReport;
use events_schema::record::RecordKind;

use super::*;

fn name() -> BuildName {
    "2026.11.1-person".parse().unwrap()
}

fn started() -> DataBuild {
    let mut build = DataBuild::default();
    carry_out(&mut build, start(RecordKind::Person)).unwrap();
    build
}

fn start(kind: RecordKind) -> DataBuildCommand {
    DataBuildCommand::Start(DataBuildStarted {
        build: name(),
        kind,
        as_of: None,
        started_at: DateTime::UNIX_EPOCH,
    })
}

fn chunk(number: u32, sha256: &str) -> DataBuildCommand {
    DataBuildCommand::StageChunk(DataBuildChunkStaged {
        build: name(),
        chunk: number,
        object: format!("builds/b/chunks/{number}.ndjson"),
        sha256: sha256.into(),
        rows: 10,
        first_line: u64::from(number) * 10 + 1,
        bytes: 100,
    })
}

fn loaded() -> DataBuildCommand {
    DataBuildCommand::RecordLoaded(Box::new(DataBuildLoaded {
        build: name(),
        rows: 20,
        rejected: 0,
        rejects_object: None,
        reference_date: NaiveDate::default(),
        report: LoadReport::default(),
        search_files: None,
    }))
}

fn files(digest: &str) -> SearchFiles {
    SearchFiles {
        manifest: format!("builds/2026.11.1-person/search/{digest}/manifest.json"),
        sha256: digest.into(),
        files: 3,
        bytes: 100,
    }
}

fn carry_out(build: &mut DataBuild, command: DataBuildCommand) -> Result<usize, DataBuildRefusal> {
    let events = build.decide(command)?;
    events.iter().for_each(|event| build.evolve(event));
    Ok(events.len())
}

#[test]
fn a_chunk_staged_twice_is_one_event() {
    let mut build = started();
    assert_eq!(carry_out(&mut build, chunk(0, "aa")), Ok(1));
    assert_eq!(carry_out(&mut build, chunk(0, "aa")), Ok(0));
    assert_eq!(
        carry_out(&mut build, chunk(0, "bb")),
        Err(DataBuildRefusal::ChunkDiffers(0))
    );
}

#[test]
fn chunks_that_hold_the_same_lines_are_refused_in_whatever_order_they_come() {
    let at = |number: u32, first_line: u64| {
        let DataBuildCommand::StageChunk(mut staged) = chunk(number, "aa") else {
            panic!("a chunk");
        };
        staged.first_line = first_line;
        DataBuildCommand::StageChunk(staged)
    };
    let overlap = |chunk, other| Err(DataBuildRefusal::Overlap { chunk, other });
    let mut build = started();
    assert_eq!(carry_out(&mut build, at(0, 1)), Ok(1));
    assert_eq!(carry_out(&mut build, at(3, 1)), overlap(3, 0));
    assert_eq!(carry_out(&mut build, at(3, 10)), overlap(3, 0));
    assert_eq!(carry_out(&mut build, at(3, 31)), Ok(1));
    assert_eq!(carry_out(&mut build, at(2, 22)), overlap(2, 3));
    assert_eq!(carry_out(&mut build, at(2, u64::MAX)), overlap(2, 3));
    assert_eq!(carry_out(&mut build, at(2, 21)), Ok(1));
    assert_eq!(carry_out(&mut build, at(1, 11)), Ok(1));
}

#[test]
fn a_chunk_whose_first_line_was_not_kept_overlaps_with_none() {
    let DataBuildCommand::StageChunk(mut old) = chunk(1, "aa") else {
        panic!("a chunk");
    };
    old.first_line = 0;
    let mut build = started();
    assert_eq!(
        carry_out(&mut build, DataBuildCommand::StageChunk(old)),
        Ok(1)
    );
    assert_eq!(carry_out(&mut build, chunk(0, "bb")), Ok(1));
    let DataBuildCommand::StageChunk(mut next) = chunk(2, "cc") else {
        panic!("a chunk");
    };
    next.first_line = 5;
    assert_eq!(
        carry_out(&mut build, DataBuildCommand::StageChunk(next)),
        Ok(1)
    );
}

#[test]
fn a_build_takes_chunks_up_to_the_most_and_none_when_it_is_sealed_or_given_up() {
    let mut build = started();
    let most = build.decide(chunk(MAX_CHUNKS, "aa"));
    assert_eq!(most, Err(DataBuildRefusal::TooManyChunks(MAX_CHUNKS)));
    assert!(build.decide(chunk(MAX_CHUNKS - 1, "aa")).is_ok());
    let mut given_up = build.clone();
    let (is_active, at) = (false, DateTime::UNIX_EPOCH);
    carry_out(&mut given_up, DataBuildCommand::Abandon { is_active, at }).unwrap();
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    for ended in [build, given_up] {
        assert_eq!(
            ended.decide(chunk(0, "aa")),
            Err(DataBuildRefusal::NotStaging)
        );
        assert_eq!(
            ended.decide(DataBuildCommand::Seal { chunks: 1 }),
            Err(DataBuildRefusal::NotStaging)
        );
    }
}

#[test]
fn sealing_says_how_much_was_staged_and_again_changes_nothing() {
    let mut build = started();
    carry_out(&mut build, chunk(0, "aa")).unwrap();
    carry_out(&mut build, chunk(1, "bb")).unwrap();
    let sealed = build.decide(DataBuildCommand::Seal { chunks: 2 }).unwrap();
    let [DataBuildEvent::DataBuildSealed(event)] = &sealed[..] else {
        panic!("{sealed:?}");
    };
    assert_eq!((event.chunks, event.rows), (2, 20));
    assert_eq!(build.rows_staged(), 20);
    build.evolve(&sealed[0]);
    assert_eq!(
        carry_out(&mut build, DataBuildCommand::Seal { chunks: 2 }),
        Ok(0)
    );
}

#[test]
fn a_build_is_sealed_with_as_many_chunks_as_were_staged() {
    let mut build = started();
    carry_out(&mut build, chunk(0, "aa")).unwrap();
    carry_out(&mut build, chunk(1, "bb")).unwrap();
    let incomplete = |expected, at| Err(DataBuildRefusal::Incomplete { expected, at });
    let seal = |chunks| build.decide(DataBuildCommand::Seal { chunks });
    assert_eq!(seal(3), incomplete(2, 2));
    assert_eq!(seal(1), incomplete(0, 1));
}

#[test]
fn a_build_with_a_missing_chunk_is_not_sealed() {
    let mut build = started();
    carry_out(&mut build, chunk(0, "aa")).unwrap();
    carry_out(&mut build, chunk(2, "cc")).unwrap();
    let refusal = build
        .decide(DataBuildCommand::Seal { chunks: 3 })
        .unwrap_err();
    assert_eq!(refusal, DataBuildRefusal::Incomplete { expected: 2, at: 1 });
}

#[test]
fn a_build_is_activated_only_when_loaded_and_never_abandoned_while_active() {
    let at = DateTime::UNIX_EPOCH;
    let mut build = started();
    carry_out(&mut build, chunk(0, "aa")).unwrap();
    let activate = DataBuildCommand::Activate {
        is_active: false,
        at,
    };
    assert_eq!(
        carry_out(&mut build, activate.clone()),
        Err(DataBuildRefusal::NotLoaded)
    );
    assert_eq!(
        carry_out(&mut build, loaded()),
        Err(DataBuildRefusal::NotSealed)
    );
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 1 }).unwrap();
    assert_eq!(carry_out(&mut build, loaded()), Ok(1));
    assert_eq!(carry_out(&mut build, loaded()), Ok(0));
    assert_eq!(carry_out(&mut build, activate), Ok(1));
    let abandon = DataBuildCommand::Abandon {
        is_active: true,
        at,
    };
    assert_eq!(
        carry_out(&mut build, abandon),
        Err(DataBuildRefusal::Active)
    );
}

#[test]
fn a_build_that_was_dropped_is_never_activated_and_the_active_one_is_never_dropped() {
    let at = DateTime::UNIX_EPOCH;
    let activate = |is_active| DataBuildCommand::Activate { is_active, at };
    let drop = |is_active| DataBuildCommand::Drop { is_active, at };
    let mut build = started();
    assert_eq!(
        carry_out(&mut build, drop(false)),
        Err(DataBuildRefusal::Kept)
    );
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    carry_out(&mut build, loaded()).unwrap();
    assert_eq!(
        carry_out(&mut build, drop(false)),
        Err(DataBuildRefusal::Kept)
    );
    carry_out(&mut build, activate(false)).unwrap();
    assert_eq!(
        carry_out(&mut build, drop(true)),
        Err(DataBuildRefusal::Active)
    );
    assert_eq!(carry_out(&mut build, drop(false)), Ok(1), "it is retired");
    assert_eq!(carry_out(&mut build, drop(false)), Ok(0));
    assert_eq!(
        carry_out(&mut build, activate(false)),
        Err(DataBuildRefusal::Dropped)
    );
    assert_eq!(
        carry_out(&mut build, DataBuildCommand::RecordReindexed(files("aa"))),
        Err(DataBuildRefusal::Dropped)
    );
    let abandon = DataBuildCommand::Abandon {
        is_active: false,
        at,
    };
    assert_eq!(carry_out(&mut build, abandon), Ok(0));
}

#[test]
fn a_build_keeps_its_counts_when_it_is_abandoned() {
    let abandon = || DataBuildCommand::Abandon {
        is_active: false,
        at: DateTime::UNIX_EPOCH,
    };
    let mut build = started();
    carry_out(&mut build, chunk(0, "aa")).unwrap();
    let staged = Counted {
        rows: build.rows_staged(),
        rejected: 0,
    };
    assert_eq!(build.counted(), staged);
    let mut unloaded = build.clone();
    carry_out(&mut unloaded, abandon()).unwrap();
    assert_eq!(unloaded.counted(), Counted::default());

    carry_out(&mut build, DataBuildCommand::Seal { chunks: 1 }).unwrap();
    let DataBuildCommand::RecordLoaded(mut loaded) = loaded() else {
        panic!("the outcome of loading");
    };
    (loaded.rows, loaded.rejected) = (7, 3);
    let counted = Counted {
        rows: 7,
        rejected: 3,
    };
    carry_out(&mut build, DataBuildCommand::RecordLoaded(loaded)).unwrap();
    assert_eq!(build.counted(), counted);
    carry_out(&mut build, abandon()).unwrap();
    assert_eq!(build.counted(), counted);
}

#[test]
fn a_build_without_a_record_is_not_activated() {
    let mut build = started();
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    let DataBuildCommand::RecordLoaded(mut empty) = loaded() else {
        panic!("the outcome of loading");
    };
    empty.rows = 0;
    carry_out(&mut build, DataBuildCommand::RecordLoaded(empty)).unwrap();
    let activate = DataBuildCommand::Activate {
        is_active: false,
        at: DateTime::UNIX_EPOCH,
    };
    assert_eq!(
        carry_out(&mut build, activate),
        Err(DataBuildRefusal::Empty)
    );
}

#[test]
fn the_active_build_is_activated_again_without_an_event() {
    let at = DateTime::UNIX_EPOCH;
    let mut build = started();
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    carry_out(&mut build, loaded()).unwrap();
    let activate = |is_active| DataBuildCommand::Activate { is_active, at };
    assert_eq!(carry_out(&mut build, activate(false)), Ok(1));
    assert_eq!(build.activated_at, Some(at));
    assert_eq!(carry_out(&mut build, activate(true)), Ok(0));
    // Another one was active meanwhile.
    assert_eq!(carry_out(&mut build, activate(false)), Ok(1));
}

#[test]
fn a_build_that_is_not_active_is_given_up_once() {
    let (is_active, at) = (false, DateTime::UNIX_EPOCH);
    let abandon = || DataBuildCommand::Abandon { is_active, at };
    let mut build = started();
    assert_eq!(carry_out(&mut build, abandon()), Ok(1));
    assert_eq!(carry_out(&mut build, abandon()), Ok(0));
}

#[test]
fn a_build_that_was_dropped_has_no_search_files() {
    let (is_active, at) = (false, DateTime::UNIX_EPOCH);
    let mut build = started();
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    carry_out(&mut build, loaded()).unwrap();
    carry_out(&mut build, DataBuildCommand::RecordReindexed(files("aa"))).unwrap();
    carry_out(&mut build, DataBuildCommand::Activate { is_active, at }).unwrap();
    assert_eq!(build.search_files(), Some(&files("aa")));
    carry_out(&mut build, DataBuildCommand::Drop { is_active, at }).unwrap();
    assert_eq!(build.search_files(), None);
}

#[test]
fn an_abandoned_build_keeps_the_reference_date_of_its_rows() {
    let mut build = started();
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    carry_out(&mut build, loaded()).unwrap();
    let (is_active, at) = (false, DateTime::UNIX_EPOCH);
    carry_out(&mut build, DataBuildCommand::Abandon { is_active, at }).unwrap();
    assert_eq!(build.reference_date(), Some(NaiveDate::default()));
}

#[test]
fn a_build_is_resumed_by_its_date_or_without_one() {
    let day = NaiveDate::from_ymd_opt(2026, 11, 1);
    let with = |as_of| {
        let DataBuildCommand::Start(wish) = start(RecordKind::Person) else {
            panic!("a start");
        };
        DataBuildCommand::Start(DataBuildStarted { as_of, ..wish })
    };
    let mut build = DataBuild::default();
    assert_eq!(build.reference_date(), None);
    assert_eq!(carry_out(&mut build, with(day)), Ok(1));
    assert_eq!(build.reference_date(), day);
    assert_eq!(carry_out(&mut build, with(day)), Ok(0));
    assert_eq!(carry_out(&mut build, with(None)), Ok(0));
    let other = NaiveDate::from_ymd_opt(2026, 11, 2);
    assert_eq!(
        carry_out(&mut build, with(other)),
        Err(DataBuildRefusal::NameTaken)
    );
}

#[test]
fn what_was_given_up_is_dropped_without_having_been_active() {
    let at = DateTime::UNIX_EPOCH;
    let is_active = false;
    let mut build = started();
    carry_out(&mut build, DataBuildCommand::Abandon { is_active, at }).unwrap();
    assert_eq!(
        carry_out(&mut build, DataBuildCommand::Drop { is_active, at }),
        Ok(1)
    );
    assert_eq!(
        carry_out(&mut build, start(RecordKind::Person)),
        Err(DataBuildRefusal::NameTaken)
    );
}

#[test]
fn only_a_loaded_build_is_reindexed_and_the_same_files_change_nothing() {
    let reindexed = |digest| DataBuildCommand::RecordReindexed(files(digest));
    let unknown = DataBuild::default().decide(reindexed("aa"));
    assert_eq!(unknown, Err(DataBuildRefusal::Unknown));
    let mut build = started();
    assert_eq!(
        carry_out(&mut build, reindexed("aa")),
        Err(DataBuildRefusal::NotLoaded)
    );
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    carry_out(&mut build, loaded()).unwrap();
    assert_eq!(build.search_files(), None);
    assert_eq!(carry_out(&mut build, reindexed("aa")), Ok(1));
    assert_eq!(carry_out(&mut build, reindexed("aa")), Ok(0));
    assert_eq!(build.search_files(), Some(&files("aa")));
    assert_eq!(carry_out(&mut build, reindexed("bb")), Ok(1));
    assert_eq!(build.search_files(), Some(&files("bb")));
    // The outcome of loading, told late and again, does not bring the first files back.
    assert_eq!(carry_out(&mut build, loaded()), Ok(0));
    assert_eq!(build.search_files(), Some(&files("bb")));
}

#[test]
fn a_build_that_failed_or_was_abandoned_is_dropped_and_neither_reindexed_nor_activated() {
    let mut failed = started();
    carry_out(&mut failed, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    let failure = DataBuildFailed {
        build: name(),
        reason: "disk full".into(),
        rejected: 0,
        rejects_object: None,
    };
    carry_out(&mut failed, DataBuildCommand::RecordFailed(failure)).unwrap();
    let at = DateTime::UNIX_EPOCH;
    let abandon = || DataBuildCommand::Abandon {
        is_active: false,
        at,
    };
    assert_eq!(carry_out(&mut failed, abandon()), Ok(0), "its reason stays");
    assert!(matches!(failed.ended, Some(End::Failed(_))));
    let mut abandoned = started();
    carry_out(&mut abandoned, abandon()).unwrap();
    for build in [failed, abandoned] {
        assert_eq!(
            build.decide(DataBuildCommand::RecordReindexed(files("aa"))),
            Err(DataBuildRefusal::NotLoaded)
        );
        let is_active = false;
        let activate = build.decide(DataBuildCommand::Activate { is_active, at });
        assert_eq!(activate, Err(DataBuildRefusal::NotLoaded));
        // What was never active is of no use to anybody.
        let drop = build.decide(DataBuildCommand::Drop { is_active, at });
        assert_eq!(drop.map(|events| events.len()), Ok(1));
    }
}

#[test]
fn the_name_of_a_build_that_is_loading_resumes_it_and_any_other_is_taken() {
    let mut build = started();
    assert_eq!(carry_out(&mut build, start(RecordKind::Person)), Ok(0));
    assert_eq!(
        carry_out(&mut build, start(RecordKind::Company)),
        Err(DataBuildRefusal::NameTaken)
    );
    carry_out(&mut build, DataBuildCommand::Seal { chunks: 0 }).unwrap();
    carry_out(&mut build, loaded()).unwrap();
    assert_eq!(
        carry_out(&mut build, start(RecordKind::Person)),
        Err(DataBuildRefusal::NameTaken)
    );
}
