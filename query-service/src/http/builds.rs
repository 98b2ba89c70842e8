//! Which build a request is answered from: the one that it names, the one that it was answered from before, else the active one.

use events_schema::api::internal::Receipt;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;

use super::App;
use super::problem::NotAnswered;
use crate::builds::{ActiveBuild, NotSearchable};
use crate::pin::Pin;
use crate::read_model::{BuildReader, StoredDocument};

/// Whether the build that a request names can be asked, so far as that is the request's own fault.
///
/// # Errors
/// The build is gone.
pub(super) async fn is_there(
    app: &App,
    kind: RecordKind,
    pin: Option<&Pin>,
) -> Result<(), NotAnswered> {
    let Some(pin) = pin else {
        return Ok(());
    };
    match app.builds.searchable(kind, Some(&pin.build)).await {
        Err(why @ NotSearchable::Gone { .. }) => {
            Err(NotAnswered::NotSearchable(why, Some(pin.clone())))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The build that a charge was answered from while that can be read, else the active one.
///
/// # Errors
/// The read model does not answer, or there is no build.
pub(super) async fn answered_from(
    app: &App,
    kind: RecordKind,
    build: Option<&BuildName>,
) -> Result<BuildReader, NotAnswered> {
    let kept = match build {
        Some(build) => app.builds.by_name(kind, build).await,
        None => Ok(None),
    };
    match (kept.map_err(NotAnswered::Read)?, app.builds.active(kind)) {
        (Some(reader), _) | (None, ActiveBuild::Open(reader)) => Ok(reader),
        (None, ActiveBuild::None | ActiveBuild::Unknown) => Err(NotAnswered::NoBuildKnown),
    }
}

/// The records of a receipt, from the build of [`answered_from`]; and which it is.
///
/// # Errors
/// As [`answered_from`].
pub(super) async fn delivered_before(
    app: &App,
    kind: RecordKind,
    build: &BuildName,
    receipt: &Receipt,
) -> Result<(BuildName, Vec<StoredDocument>), NotAnswered> {
    let reader = answered_from(app, kind, Some(build)).await?;
    let records = reader.by_ids(&receipt.ids).await;
    Ok((reader.build().clone(), records.map_err(NotAnswered::Read)?))
}
