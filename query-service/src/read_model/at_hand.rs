//! Connections of a pool that are kept at hand between two statements. A pool of sqlx asks the database whether a connection still
//! lives each time that it comes back, which is as many round trips as a read itself needs.
//!
//! Guarantee: who has one of the reader's places gets a connection at once, or a new one: those at hand and those in use are never more
//! than the places. What nobody used for a while, or is old, is closed: sqlx closes within five seconds, and would wait for a wire that
//! died in silence without end if it were given back. At its next use such a wire costs the one request that meets it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgPool;

/// How long a connection stays at hand that nobody uses, so that a build's connections are closed when its time is over.
const UNUSED: Duration = Duration::from_secs(60);
/// How often that is looked after.
const SWEEP: Duration = Duration::from_secs(10);
/// How long a connection is used: what a server keeps for it does not grow for ever, and a server that takes over another's address
/// is met.
const LIFETIME: Duration = Duration::from_secs(30 * 60);

/// A pool with connections at hand. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct AtHand(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    pool: PgPool,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// With the time of its last use; the last used is the last.
    connections: Vec<(Instant, Taken)>,
    /// A task closes what is not used; it ends when nothing is kept.
    is_swept: bool,
}

/// A connection out of the pool.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) connection: PoolConnection<Postgres>,
    /// When it left the pool, where none stays for long.
    pub(super) since: Instant,
}

impl Taken {
    fn close(mut self) {
        self.connection.close_on_drop();
    }
}

impl AtHand {
    /// Of a pool; nothing is connected yet.
    pub(super) fn of(pool: PgPool) -> Self {
        let kept = Mutex::default();
        Self(Arc::new(Inner { pool, kept }))
    }

    /// The one that was used last, else one of the pool.
    pub(super) async fn take(&self) -> Result<Taken, sqlx::Error> {
        let last = self.0.kept().connections.pop();
        match last {
            Some((_, taken)) => Ok(taken),
            None => Ok(Taken {
                connection: self.0.pool.acquire().await?,
                since: Instant::now(),
            }),
        }
    }

    /// Keeps one whose last statement has ended well, unless it is old.
    pub(super) fn keep(&self, taken: Taken) {
        if taken.since.elapsed() > LIFETIME {
            taken.close();
            return;
        }
        let mut kept = self.0.kept();
        kept.connections.push((Instant::now(), taken));
        if !kept.is_swept {
            kept.is_swept = true;
            tokio::spawn(sweep(Arc::downgrade(&self.0)));
        }
    }
}

impl Inner {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes out what is not used; none when nothing is kept any more.
    fn unused(&self) -> Option<Vec<Taken>> {
        let mut kept = self.kept();
        if kept.connections.is_empty() {
            kept.is_swept = false;
            return None;
        }
        let used = |(last, _): &(Instant, _)| last.elapsed() < UNUSED;
        let unused = kept.connections.iter().take_while(|one| !used(one)).count();
        let unused = kept.connections.drain(..unused);
        Some(unused.map(|(_, taken)| taken).collect())
    }
}

/// Does not keep the connections of a reader that is gone.
async fn sweep(inner: Weak<Inner>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(unused) = inner.upgrade().and_then(|inner| inner.unused()) else {
            return;
        };
        unused.into_iter().for_each(Taken::close);
    }
}
