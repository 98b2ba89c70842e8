//! `builds.v1`: every data build of the store is in the read models, in the status that the store says, with its rows and search files, and
//! the pointer rows name the active ones. Rows and files are the loader's: of read models that were made anew they come later than the
//! events, and until then a build is `loading_again`.

use std::collections::BTreeMap;

use events_schema::Event;
use events_schema::data_build::v1::SearchFiles;
use events_schema::event::BuildsEvent;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use futures::TryStreamExt;

use crate::reconcile::difference::same;
use crate::reconcile::read_model::{self, ReadModel};
use crate::reconcile::store::Store;
use crate::reconcile::{Difference, Stop, Summary};

/// A build as the events or the read models say. Builds are few: all are held at once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Build {
    kind: String,
    status: String,
    /// Records and rejected lines, once loaded.
    loaded: Option<(i64, i64)>,
    /// Digest of the manifest of its search files, if it has any.
    search_files: Option<String>,
    pointed_at: bool,
}

impl Build {
    /// Whether its rows are to be there.
    fn is_there(&self) -> bool {
        matches!(self.status.as_str(), "loaded" | "active" | "retired")
    }
}

type Builds = BTreeMap<String, Build>;

/// A build in the read models.
#[derive(sqlx::FromRow)]
struct Row {
    build: String,
    kind: String,
    status: String,
    rows: i64,
    rejected: i64,
    search_files: Option<String>,
    pointed_at: bool,
    /// The loader has not made its rows, or not all.
    lacks_rows: bool,
    /// Its search files are made anew, or were and no event says so yet.
    files_are_made: bool,
}

impl Row {
    /// Whether what it lacks of `wanted` will be made without an operator.
    fn is_loading(&self, wanted: &Build) -> bool {
        let other_files = self.search_files != wanted.search_files;
        let files_come = wanted.search_files.is_some() && other_files && self.files_are_made;
        wanted.is_there() && (self.lacks_rows || files_come)
    }

    fn into_build(self, is_loaded: bool) -> Build {
        Build {
            kind: self.kind,
            status: self.status,
            // Before a build is loaded its counts are the loader's own business.
            loaded: is_loaded.then_some((self.rows, self.rejected)),
            search_files: self.search_files,
            pointed_at: self.pointed_at,
        }
    }
}

/// The first build that is being loaded again, after all others were proved: what it lacks will be made without an operator.
pub(crate) async fn prove(
    store: &mut Store,
    read_model: &mut ReadModel,
    summary: &mut Summary,
) -> Result<Option<Difference>, Stop> {
    let expected = fold(store, read_model.cut(Topic::Builds, Shard::DATA_BUILDS)).await?;
    summary.builds = i64::try_from(expected.len()).unwrap_or(i64::MAX);
    let mut found = read(read_model).await?;
    let mut loading = None;
    for (name, build) in &expected {
        let place = || format!("read model data_build {name}");
        let row = found.remove(name);
        let is_loading = row.as_ref().is_some_and(|row| row.is_loading(build));
        let row = row.map(|row| row.into_build(build.loaded.is_some()));
        let row = row.map(|row| match is_loading {
            // All but these must be as the events say.
            true => Build {
                search_files: build.search_files.clone(),
                ..row
            },
            false => row,
        });
        same("wrong_row", place, &Some(build), &row.as_ref())?;
        if is_loading && loading.is_none() {
            let again = Difference::new("loading_again", place(), "loaded", "loading");
            loading = Some(again);
        }
    }
    Ok(loading)
}

async fn read(read_model: &mut ReadModel) -> Result<BTreeMap<String, Row>, Stop> {
    let rows: Vec<Row> = sqlx::query_as(include_str!("../../sql/read_model/builds.sql"))
        .fetch_all(&mut read_model.db)
        .await
        .map_err(read_model::fault)?;
    Ok(rows
        .into_iter()
        .map(|row| (row.build.clone(), row))
        .collect())
}

async fn fold(store: &mut Store, cut: i64) -> Result<Builds, Stop> {
    let mut builds = Builds::new();
    let mut events = store.events_between(Shard::DATA_BUILDS, Topic::Builds, 0, cut);
    while let Some(stored) = events.try_next().await? {
        apply(&mut builds, &stored.event()?);
    }
    Ok(builds)
}

fn apply(builds: &mut Builds, event: &Event) {
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let mut ended = |name: &str, status: &str, loaded: Option<(i64, i64)>| {
        if let Some(build) = builds.get_mut(name) {
            status.clone_into(&mut build.status);
            build.loaded = loaded.or(build.loaded);
        }
    };
    let Some(event) = BuildsEvent::of(event) else {
        return;
    };
    match event {
        BuildsEvent::DataBuildStarted(e) => {
            let build = Build {
                kind: e.kind.name().to_owned(),
                status: "loading".to_owned(),
                loaded: None,
                search_files: None,
                pointed_at: false,
            };
            builds.insert(e.build.to_string(), build);
        }
        BuildsEvent::DataBuildLoaded(e) => {
            ended(
                e.build.as_str(),
                "loaded",
                Some((whole(e.rows), whole(e.rejected))),
            );
            has_files(builds, e.build.as_str(), e.search_files.as_ref());
        }
        BuildsEvent::DataBuildReindexed(e) => {
            has_files(builds, e.build.as_str(), Some(&e.search_files));
        }
        BuildsEvent::DataBuildFailed(e) => ended(e.build.as_str(), "failed", None),
        BuildsEvent::DataBuildAbandoned(e) => ended(e.build.as_str(), "abandoned", None),
        BuildsEvent::DataBuildDropped(e) => {
            ended(e.build.as_str(), "dropped", None);
            has_files(builds, e.build.as_str(), None);
        }
        BuildsEvent::DataBuildActivated(e) => activate(builds, e.build.as_str(), e.kind.name()),
        // Chunks and their sum are the loader's.
        BuildsEvent::DataBuildChunkStaged(_) | BuildsEvent::DataBuildSealed(_) => {}
    }
}

fn has_files(builds: &mut Builds, name: &str, files: Option<&SearchFiles>) {
    if let Some(build) = builds.get_mut(name) {
        build.search_files = files.map(|files| files.sha256.clone());
    }
}

/// The active build of the kind is retired by the activation of another.
fn activate(builds: &mut Builds, name: &str, kind: &str) {
    for (other, build) in builds.iter_mut().filter(|(_, build)| build.kind == kind) {
        let chosen = other == name;
        if chosen {
            "active".clone_into(&mut build.status);
        } else if build.status == "active" {
            "retired".clone_into(&mut build.status);
        }
        build.pointed_at = chosen;
    }
}
