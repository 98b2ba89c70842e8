//! The event store: 64 shards in Postgres, written batch by batch.
//!
//! Guarantee: a batch is written as a whole at the next positions of its shard, or not at all. Two rival owners of a shard
//! cannot both write: the compare-and-set on `shard_head` lets one batch through. Every statement has a time limit of our own,
//! and leases have a connection of their own.
//!
//! Not here: what is written and why (`shard`), rules of the domain, HTTP, Kafka. `sqlx` is used nowhere else in this service.

mod append;
mod balance;
mod erasure;
mod fault;
mod group;
mod history;
mod lease;
mod load;
mod read;
mod schema;
mod settings;
mod shown_keys;
mod slot;
mod write;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use events_schema::Envelope;
use events_schema::ids::{SHARDS, Shard};
use service_kit::clock::{Clock, SystemClock};
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgPoolOptions;
use sqlx::{PgPool, Postgres};
use tokio::sync::{mpsc, watch};

pub use erasure::OwedTombstone;
pub use fault::StoreFault;
pub use read::ShardStatus;
pub use settings::StoreSettings;

use group::Groups;
use shown_keys::ShownKeys;
use slot::Slot;

/// Committed batches on their way to the publisher.
pub type HandedOver = mpsc::Receiver<Arc<Vec<Envelope>>>;

/// The event store of one process. Cheap to clone.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    pool: PgPool,
    /// Of batches alone, and of leases alone: a busy pool must cost neither a charge nor a shard.
    write_pool: PgPool,
    /// Of keys that nobody here has seen.
    key_pool: PgPool,
    lease_pool: PgPool,
    settings: StoreSettings,
    clock: Arc<dyn Clock>,
    slots: Vec<Slot>,
    groups: Groups,
    shown_keys: ShownKeys,
    hand_over: mpsc::Sender<Arc<Vec<Envelope>>>,
    owned: watch::Sender<u64>,
    owners: RwLock<Vec<Option<String>>>,
    handed_over: Mutex<Option<HandedOver>>,
    went_back: AtomicBool,
}

/// Answers one statement on a connection of a [`Use`], within its time limit. A connection that did not answer in time is
/// closed: what it would still say belongs to nobody.
macro_rules! answer {
    ($of:expr, $statement:expr => $how:ident) => {
        match $of.connection().await {
            Ok(mut connection) => {
                let answered = tokio::time::timeout($of.limit(), $statement.$how(&mut *connection));
                match answered.await {
                    Ok(answer) => answer.map_err($crate::store::StoreFault::from),
                    Err(_) => {
                        drop(connection.detach());
                        Err($crate::store::StoreFault::NoAnswer)
                    }
                }
            }
            Err(fault) => Err(fault),
        }
    };
}
use answer;

/// Connections of one use, with the time limit of its statements.
struct Use<'a> {
    pool: &'a PgPool,
    limit: Duration,
}

impl Use<'_> {
    async fn connection(&self) -> Result<PoolConnection<Postgres>, StoreFault> {
        self.pool.acquire().await.map_err(StoreFault::not_asked)
    }

    const fn limit(&self) -> Duration {
        self.limit
    }
}

impl Store {
    /// Connects and brings the schema up to date. No shard is owned yet: see [`Store::run_leases`].
    ///
    /// # Errors
    /// When Postgres cannot be reached or refuses a migration.
    pub async fn open(settings: StoreSettings) -> Result<Self, StoreFault> {
        let pool = |connections| {
            PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(settings.acquire_timeout)
        };
        let options = settings.connect_options()?;
        let lease_pool = pool(1).connect_lazy_with(options.clone());
        let write_pool = pool(settings.write_connections).connect_lazy_with(options.clone());
        let key_pool = pool(settings.key_connections).connect_lazy_with(options.clone());
        let pool = pool(settings.max_connections).connect_with(options).await?;
        schema::bring_up(&pool, &settings).await?;
        let groups = Groups::start(&settings)?;
        let shown_keys = ShownKeys::new(settings.key_connections);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let (hand_over, handed_over) = mpsc::channel(settings.hand_over_batches);
        Ok(Self(Arc::new(Inner {
            pool,
            write_pool,
            key_pool,
            lease_pool,
            settings,
            slots: Shard::all().map(|_| Slot::new(clock.clone())).collect(),
            groups,
            shown_keys,
            clock,
            hand_over,
            owned: watch::Sender::new(0),
            owners: RwLock::new(vec![None; usize::from(SHARDS)]),
            handed_over: Mutex::new(Some(handed_over)),
            went_back: AtomicBool::new(false),
        })))
    }

    /// Of whatever no shard waits for.
    fn reads(&self) -> Use<'_> {
        Use {
            pool: &self.0.pool,
            limit: self.0.settings.answer_timeout,
        }
    }

    /// Of batches: no flood of look-ups makes them wait.
    fn writes(&self) -> Use<'_> {
        Use {
            pool: &self.0.write_pool,
            limit: self.0.settings.shard_answer_timeout,
        }
    }

    /// Of what shards look up.
    fn look_ups(&self) -> Use<'_> {
        Use {
            pool: &self.0.pool,
            limit: self.0.settings.shard_answer_timeout,
        }
    }

    /// Of keys that nobody here has seen: no flood of invented ones makes anything else wait.
    fn key_look_ups(&self) -> Use<'_> {
        Use {
            pool: &self.0.key_pool,
            limit: self.0.settings.shard_answer_timeout,
        }
    }

    /// Of leases.
    fn leases(&self) -> Use<'_> {
        Use {
            pool: &self.0.lease_pool,
            limit: self.0.settings.lease / lease::RENEWALS,
        }
    }

    /// Until when the lease on a shard holds, and which one it is; none = it does not.
    #[must_use]
    pub fn lease(&self, shard: Shard) -> Option<(Instant, u64)> {
        let slot = self.slot(shard);
        slot.is_owned().then(|| slot.lease())
    }

    /// Hands committed events to the publisher and tells whoever waits for their positions.
    pub fn hand_over(&self, shard: Shard, events: Arc<Vec<Envelope>>) {
        let (Some(first), Some(last)) = (events.first(), events.last()) else {
            return;
        };
        let pos = last.pos;
        let seen = self.slot(shard).see(pos);
        if first.pos <= seen {
            // Before the publisher has them: it must not take them for what it has sent.
            self.note_that_it_went_back(shard, seen, first.pos - 1);
        }
        // A full channel is no fault: the publisher sees the gap and reads the store.
        let _ = self.0.hand_over.try_send(events);
        self.slot(shard).committed.send_replace(pos);
    }

    /// Whether the store was seen to lack what it had committed: it was replaced by an older state under this process.
    #[must_use]
    pub fn has_gone_back(&self) -> bool {
        self.0.went_back.load(Ordering::Acquire)
    }

    fn note_that_it_went_back(&self, shard: Shard, from: i64, to: i64) {
        self.0.went_back.store(true, Ordering::Release);
        tracing::error!(%shard, from, to, "the event store lacks what was committed here: it went back");
    }

    /// Whether this process may decide for the shard now, by its own monotonic clock.
    #[must_use]
    pub fn owns(&self, shard: Shard) -> bool {
        self.slot(shard).is_owned()
    }

    /// Address of the other process that owned the shard when that was last read; none when nobody is known to own it.
    #[must_use]
    pub fn owner_of(&self, shard: Shard) -> Option<String> {
        let owners = self
            .0
            .owners
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let owner = owners.get(usize::from(shard.number())).cloned().flatten();
        owner.filter(|address| *address != self.0.settings.address)
    }

    /// The shards that this process owns.
    #[must_use]
    pub fn owned_shards(&self) -> Vec<Shard> {
        Shard::all().filter(|shard| self.owns(*shard)).collect()
    }

    /// Bit `n` is set while shard `n` is owned here.
    #[must_use]
    pub fn watch_ownership(&self) -> watch::Receiver<u64> {
        self.0.owned.subscribe()
    }

    /// The highest position committed here, shard by shard; changes with every batch.
    #[must_use]
    pub fn committed(&self, shard: Shard) -> watch::Receiver<i64> {
        self.slot(shard).committed.subscribe()
    }

    /// Committed batches, in order within a shard, for the one publisher. Dropped when the channel is full:
    /// the publisher then reads the store. `None` from the second call on.
    #[must_use]
    pub fn take_handed_over(&self) -> Option<HandedOver> {
        self.0
            .handed_over
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .take()
    }

    /// How many batches wait for the statement before theirs.
    #[must_use]
    pub fn waiting_batches(&self) -> usize {
        self.0.groups.len()
    }

    /// Whether Postgres answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreFault> {
        let statement = sqlx::query("SELECT 1");
        answer!(self.reads(), statement => execute)?;
        Ok(())
    }

    fn slot(&self, shard: Shard) -> &Slot {
        #[expect(
            clippy::indexing_slicing,
            reason = "a Shard is below SHARDS, and there are SHARDS slots"
        )]
        &self.0.slots[usize::from(shard.number())]
    }
}
