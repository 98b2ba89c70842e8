//! `/admin/builds`, but for the chunks.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use chrono::NaiveDate;
use events_schema::api::admin::{Activation, BuildView, StartBuild};
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};
use service_kit::body::{RawBody, parse_object};
use service_kit::{Fields, Problem};

use super::read::{NoFields, parsed};
use super::{AdminState, ByOperator};
use crate::application::{Application, CommandError, Reason};
use crate::domain::data_build::DataBuildRefusal;
use crate::http::Failure;
use crate::http::failure::path_id;
use crate::http::presence::Awaited;

/// How long an activation waits for the query-services (`docs/OPERATING.md`, "The life of a data build").
const ACTIVATION_WAIT: Duration = Duration::from_secs(30);
/// How often a waiting activation looks whether its build is still the active one.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
const LONGEST_LOOK: Duration = Duration::from_secs(2);
const MAX_CHUNKS: i64 = u32::MAX as i64;
const NAME_RULE: &str = "must be 1 to 64 of a-z A-Z 0-9 . _ -, beginning with a letter or digit";

pub(super) async fn start(
    State(state): State<AdminState>,
    ByOperator(cause): ByOperator,
    RawBody(body): RawBody,
) -> Result<Json<BuildView>, Failure> {
    let build = read_start(&parse_object(&body)?)?;
    Ok(Json(state.application.start_build(build, &cause).await?))
}

fn read_start(map: &Map<String, Value>) -> Result<StartBuild, Problem> {
    let mut fields = Fields::new(map, &["kind", "build", "as_of"]);
    fields.require("kind");
    let kind = fields.one_of("kind", &["person", "company"], "person");
    let build = parsed::<BuildName>(&mut fields, "build", NAME_RULE);
    let date_rule = "must be a date of the form YYYY-MM-DD";
    let as_of = parsed::<NaiveDate>(&mut fields, "as_of", date_rule);
    fields.finish()?;
    let kind: RecordKind = kind.parse().map_err(|_| Problem::internal())?;
    Ok(StartBuild { kind, build, as_of })
}

pub(super) async fn list(State(state): State<AdminState>) -> Result<Json<Value>, Failure> {
    let builds = state.application.builds().await?;
    Ok(Json(
        json!({ "builds": builds.found, "unreadable": builds.unreadable }),
    ))
}

pub(super) async fn show(
    State(state): State<AdminState>,
    Path(build): Path<String>,
) -> Result<Json<BuildView>, Failure> {
    Ok(Json(state.application.build(&named(&build)?).await?))
}

pub(super) async fn seal(
    State(state): State<AdminState>,
    Path(build): Path<String>,
    ByOperator(cause): ByOperator,
    RawBody(body): RawBody,
) -> Result<Json<BuildView>, Failure> {
    let build = named(&build)?;
    let map = parse_object(&body)?;
    let mut fields = Fields::new(&map, &["chunks"]);
    fields.require("chunks");
    let chunks = fields.integer("chunks", 0..=MAX_CHUNKS, 0);
    fields.finish()?;
    let chunks = u32::try_from(chunks).map_err(|_| Problem::internal())?;
    let sealed = state.application.seal_build(&build, chunks, &cause);
    Ok(Json(sealed.await?))
}

/// Returns when every live query-service answers from the build and holds its search files, or after 30 s with the names of those that
/// do not. A build that another one takes the place of meanwhile is waited for in vain, and refused.
pub(super) async fn activate(
    State(state): State<AdminState>,
    Path(build): Path<String>,
    ByOperator(cause): ByOperator,
    NoFields: NoFields,
) -> Result<Json<Activation>, Failure> {
    let build = named(&build)?;
    let view = state.application.activate_build(&build, &cause).await?;
    let awaited = Awaited {
        build: &build,
        kind: view.kind,
        has_search_files: view.search_files.is_some(),
    };
    let waited = state.presence.wait_for(awaited, ACTIVATION_WAIT);
    tokio::select! {
        biased;
        waiting_for = waited => Ok(Json(Activation { build: build.clone(), waiting_for })),
        () = overtaken(&state.application, &build) => {
            Err(CommandError::from(Reason::from(DataBuildRefusal::Overtaken)).into())
        }
    }
}

/// Returns when the build is seen not to be active. A look that fails or is slow says nothing of an activation that is done.
async fn overtaken(application: &Application, build: &BuildName) {
    loop {
        tokio::time::sleep(LOOK_AGAIN).await;
        let look = tokio::time::timeout(LONGEST_LOOK, application.is_active(build));
        if let Ok(Ok(false)) = look.await {
            return;
        }
    }
}

pub(super) async fn abandon(
    State(state): State<AdminState>,
    Path(build): Path<String>,
    ByOperator(cause): ByOperator,
    NoFields: NoFields,
) -> Result<Json<BuildView>, Failure> {
    let build = named(&build)?;
    Ok(Json(state.application.abandon_build(&build, &cause).await?))
}

fn named(text: &str) -> Result<BuildName, Problem> {
    path_id(text, "data_build")
}
