//! `builds.v1`: every data build of the store is in the read models, where the store says, and the pointer rows name the
//! active ones.

use std::collections::BTreeMap;

use events_schema::Event;
use events_schema::data_build::v1::SearchFiles;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use futures::TryStreamExt;

use crate::reconcile::difference::same;
use crate::reconcile::read_model::{self, ReadModel};
use crate::reconcile::store::Store;
use crate::reconcile::{Stop, Summary};

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

type Builds = BTreeMap<String, Build>;
/// Name, kind, status, rows, rejected, search files, whether requests are answered from it.
type Row = (String, String, String, i64, i64, Option<String>, bool);

pub(crate) async fn prove(
    store: &mut Store,
    read_model: &mut ReadModel,
    summary: &mut Summary,
) -> Result<(), Stop> {
    let expected = fold(store, read_model.cut(Topic::Builds, Shard::DATA_BUILDS)).await?;
    summary.builds = i64::try_from(expected.len()).unwrap_or(i64::MAX);
    let found = read(read_model, &expected).await?;
    for (name, build) in &expected {
        let place = || format!("read model data_build {name}");
        same("wrong_row", place, &Some(build), &found.get(name))?;
    }
    Ok(())
}

async fn read(read_model: &mut ReadModel, expected: &Builds) -> Result<Builds, Stop> {
    let rows: Vec<Row> = sqlx::query_as(include_str!("../../sql/read_model/builds.sql"))
        .fetch_all(&mut read_model.db)
        .await
        .map_err(read_model::fault)?;
    let build = |(name, kind, status, rows, rejected, search_files, pointed_at): Row| {
        // Before a build is loaded its counts are the loader's own business.
        let is_loaded = expected
            .get(&name)
            .is_some_and(|build| build.loaded.is_some());
        let loaded = is_loaded.then_some((rows, rejected));
        (
            name,
            Build {
                kind,
                status,
                loaded,
                search_files,
                pointed_at,
            },
        )
    };
    Ok(rows.into_iter().map(build).collect())
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
    match event {
        Event::DataBuildStarted(e) => {
            let build = Build {
                kind: e.kind.name().to_owned(),
                status: "loading".to_owned(),
                loaded: None,
                search_files: None,
                pointed_at: false,
            };
            builds.insert(e.build.to_string(), build);
        }
        Event::DataBuildLoaded(e) => {
            ended(
                e.build.as_str(),
                "loaded",
                Some((whole(e.rows), whole(e.rejected))),
            );
            has_files(builds, e.build.as_str(), e.search_files.as_ref());
        }
        Event::DataBuildReindexed(e) => {
            has_files(builds, e.build.as_str(), Some(&e.search_files));
        }
        Event::DataBuildFailed(e) => ended(e.build.as_str(), "failed", None),
        Event::DataBuildAbandoned(e) => ended(e.build.as_str(), "abandoned", None),
        Event::DataBuildDropped(e) => {
            ended(e.build.as_str(), "dropped", None);
            has_files(builds, e.build.as_str(), None);
        }
        Event::DataBuildActivated(e) => activate(builds, e.build.as_str(), e.kind.name()),
        _ => {}
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
