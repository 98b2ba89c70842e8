//! Which builds were loaded by an earlier edition of canon and keys than this process has (`normalize::EDITION`).
//!
//! They answer, and requests by what has changed since find nothing in them; so operators hear of it here, in the metric `builds_behind` and in
//! `roster status`. What must not be put here: a decision to load anything again. The original file and the time for it are the operator's.

use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;

use normalize::EDITION;
use serde::Serialize;
use sqlx::PgPool;

use crate::builds::loader::Loader;
use crate::database::within;

/// How often it is looked for: builds change by the hour.
const LOOK: Duration = Duration::from_secs(30);
/// The status of a build that requests are answered from.
const ACTIVE: &str = "active";

/// A build of an earlier edition.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, sqlx::FromRow)]
pub struct Behind {
    /// Its name.
    pub build: String,
    /// Person or company.
    pub kind: String,
    /// Active, loaded or retired.
    pub status: String,
    /// 0 if it was loaded before editions were recorded.
    pub edition: i32,
}

/// The builds of an earlier edition, the active ones first.
///
/// # Errors
/// When the database fails.
pub async fn behind(pool: &PgPool) -> Result<Vec<Behind>, sqlx::Error> {
    sqlx::query_as(include_str!("../../sql/loader/behind.sql"))
        .bind(EDITION)
        .fetch_all(pool)
        .await
}

/// Names each active build of an earlier edition once, and counts them. Never ends.
pub(super) async fn watch(loader: Loader) -> Infallible {
    let mut told = HashSet::new();
    loop {
        let behind = behind(&loader.pool);
        match within(loader.config.limits.answer, behind).await {
            Ok(behind) => told = tell(&loader, behind, &told),
            Err(fault) => tracing::debug!(%fault, "the editions of builds cannot be read"),
        }
        tokio::time::sleep(LOOK).await;
    }
}

fn tell(loader: &Loader, behind: Vec<Behind>, told: &HashSet<Behind>) -> HashSet<Behind> {
    let active = behind.into_iter().filter(|one| one.status == ACTIVE);
    let active: HashSet<Behind> = active.collect();
    loader.metrics.builds_behind(active.len());
    for one in active.difference(told) {
        tracing::warn!(
            build = one.build,
            kind = one.kind,
            edition = one.edition,
            current = EDITION,
            "an active build was loaded by an earlier edition of canon and keys: requests may miss its records until its data is loaded again"
        );
    }
    active
}
