//! What a fault of loading leads to: another try later, or the end of the build.
//!
//! A fault that would come again (what a row is, what was staged, a bug of the parser) ends the build at once. Any other is
//! tried again with pauses, `PROJECTOR_LOAD_ATTEMPTS` times in all. A try counts only once it is written down, so that a
//! database that is away, in which nothing can be written, costs none.
//!
//! A build that was loaded according to the events, but whose rows are missing here, can no longer fail: it is tried again for as long as
//! it is wanted, at the longest pause, and `roster status` shows why.

use std::time::Duration;

use sqlx::postgres::PgRow;
use sqlx::{FromRow, PgConnection, Postgres, Transaction};

use crate::builds::fault::LoadFault;
use crate::builds::loader::Loader;
use crate::builds::outcome;
use crate::database::{self, within};

/// The longest pause between two tries, whatever the settings say.
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// What failed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// Scanning or loading a chunk.
    Chunk(i32),
    /// Ranking.
    Ranking,
}

/// A try of one step of one build.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt<'a> {
    pub(super) build: &'a str,
    pub(super) part: Part,
}

/// Claims what is due with the statement `claim`, and begins the step: what the step writes from here on can be undone without giving the
/// claim back.
///
/// # Errors
/// When the database fails.
pub(super) async fn begin<T>(
    loader: &Loader,
    claim: &'static str,
) -> Result<Option<(Transaction<'static, Postgres>, T)>, sqlx::Error>
where
    T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let limit = loader.config.limits.write;
    let claimed = database::claim(&loader.pool, limit, sqlx::query_as(claim)).await?;
    let Some((mut tx, claimed)) = claimed else {
        return Ok(None);
    };
    let savepoint = sqlx::raw_sql("savepoint step").execute(&mut *tx);
    within(limit, savepoint).await?;
    Ok(Some((tx, claimed)))
}

/// Ends a step according to its result: what it wrote is kept or undone, and a fault is noted before another worker can claim the step.
///
/// # Errors
/// When a fault cannot be noted: then the try did not count.
pub(super) async fn end(
    loader: &Loader,
    mut tx: Transaction<'_, Postgres>,
    done: Result<(), LoadFault>,
    attempt: Attempt<'_>,
) -> Result<(), LoadFault> {
    let limits = loader.config.limits;
    let fault = match done {
        // The tables of a build are large, and its indexes wait for the disk here.
        Ok(()) => match within(limits.load, tx.commit()).await {
            Ok(()) => return Ok(()),
            Err(fault) => fault.into(),
        },
        Err(fault) => {
            let undone = sqlx::raw_sql("rollback to savepoint step").execute(&mut *tx);
            if within(limits.write, undone).await.is_ok() {
                return noted(loader, tx, attempt, &fault).await;
            }
            drop(tx);
            fault
        }
    };
    // The connection is lost, and with it all that the step wrote.
    let fresh = within(limits.answer, loader.pool.begin()).await?;
    noted(loader, fresh, attempt, &fault).await
}

async fn noted(
    loader: &Loader,
    mut tx: Transaction<'_, Postgres>,
    attempt: Attempt<'_>,
    fault: &LoadFault,
) -> Result<(), LoadFault> {
    within(loader.config.limits.write, async {
        note(loader, &mut tx, attempt, fault).await?;
        Ok(tx.commit().await?)
    })
    .await
}

/// Notes a try that failed: its build is tried again later, or has failed.
async fn note(
    loader: &Loader,
    db: &mut PgConnection,
    attempt: Attempt<'_>,
    fault: &LoadFault,
) -> Result<(), sqlx::Error> {
    let build = attempt.build;
    let why = match attempt.part {
        Part::Chunk(chunk) => format!("chunk {chunk}: {}", fault.words()),
        Part::Ranking => format!("ranking: {}", fault.words()),
    };
    let (tries, is_known) = count(loader, db, attempt, &why).await?;
    if is_known {
        tracing::error!(
            build,
            why,
            tries,
            "a build that is known as loaded cannot be loaded again yet"
        );
        Ok(())
    } else if fault.is_lasting() {
        give_up(db, build, &why).await
    } else if tries >= loader.config.attempts {
        give_up(db, build, &format!("{why} (after {tries} tries)")).await
    } else {
        tracing::warn!(build, why, tries, "a step of loading is taken again");
        Ok(())
    }
}

/// Tries so far, this one among them, and whether the events say that the build was loaded.
async fn count(
    loader: &Loader,
    db: &mut PgConnection,
    attempt: Attempt<'_>,
    why: &str,
) -> Result<(i32, bool), sqlx::Error> {
    let (first, longest) = (
        loader.config.pause.as_secs_f64(),
        LONGEST_PAUSE.as_secs_f64(),
    );
    let Attempt { build, part } = attempt;
    let counted: Option<(i32, Option<bool>)> = match part {
        Part::Chunk(chunk) => {
            sqlx::query_as(include_str!("../../sql/loader/chunk_failed_again.sql"))
                .bind(build)
                .bind(chunk)
                .bind(why)
                .bind(first)
                .bind(longest)
                .fetch_optional(db)
                .await?
        }
        Part::Ranking => {
            sqlx::query_as(include_str!("../../sql/loader/rank_failed_again.sql"))
                .bind(build)
                .bind(why)
                .bind(first)
                .bind(longest)
                .fetch_optional(db)
                .await?
        }
    };
    // No row: the build was dropped meanwhile, and nothing of it is due again.
    let (tries, is_known) = counted.unwrap_or_default();
    Ok((tries, is_known.unwrap_or(false)))
}

async fn give_up(db: &mut PgConnection, build: &str, why: &str) -> Result<(), sqlx::Error> {
    let rejected: i64 = sqlx::query_scalar(include_str!("../../sql/loader/count_rejects.sql"))
        .bind(build)
        .fetch_one(&mut *db)
        .await?;
    outcome::fail(db, build, why, rejected).await
}
