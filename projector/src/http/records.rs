//! `GET /admin/builds/{build}/records/{id}`: one record's document, for operators.

use axum::Json;
use axum::extract::{Path, State};
use service_kit::problem::{BAD_REQUEST, Problem};
use uuid::Uuid;

use super::{Admin, NOT_FOUND, database};
use crate::builds::lookup::{self, LookupFault, Stored};

pub(super) async fn show(
    State(admin): State<Admin>,
    Path((build, id)): Path<(String, String)>,
) -> Result<Json<Stored>, Problem> {
    let id = Uuid::parse_str(&id)
        .map_err(|_| Problem::new(BAD_REQUEST, "The id of a record is a UUID."))?;
    let found = lookup::record(&admin.pool, &build, id).await;
    found.map(Json).map_err(|fault| match fault {
        LookupFault::NoBuild => Problem::new(
            NOT_FOUND,
            "There is no data build of this name with records to read.",
        ),
        LookupFault::NoRecord => {
            Problem::new(NOT_FOUND, "The data build has no record with this id.")
        }
        LookupFault::Database(fault) => database(fault),
        LookupFault::Damaged(_) | LookupFault::NotJson(_) => {
            tracing::error!(
                build,
                error = &fault as &dyn std::error::Error,
                "a record cannot be shown"
            );
            Problem::internal()
        }
    })
}
