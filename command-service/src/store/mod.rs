//! The event store: 64 shards in Postgres, written batch by batch.
//!
//! Guarantee: what [`aggregates::Aggregates`] reports as committed is durable, has the next positions of its
//! shard without a gap, and was decided on the state that those positions follow. Two rival owners of a shard
//! cannot both write: the compare-and-set on `shard_head` lets one batch through and makes the other reload.
//!
//! Not here: rules of the domain, HTTP, Kafka. `sqlx` is used nowhere else in this service.

pub mod aggregates;
mod batch;
mod fault;
mod lease;
mod read;
mod rows;
mod settings;
mod shard;
mod writer;

use std::sync::{Arc, Mutex, RwLock};

use events_schema::Envelope;
use events_schema::ids::{SHARDS, Shard};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio::sync::{mpsc, watch};

pub use fault::StoreFault;
pub use read::{ApiKeyProof, KeptCharge, ShardStatus};
pub use rows::{IdempotencyRow, Row, SideRows};
pub use settings::StoreSettings;

use shard::ShardSlot;
use writer::Writer;

/// Committed batches on their way to the publisher.
pub type HandedOver = mpsc::Receiver<Arc<Vec<Envelope>>>;

/// The event store of one process. Cheap to clone.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    pool: PgPool,
    settings: StoreSettings,
    shards: Vec<ShardSlot>,
    owned: watch::Sender<u64>,
    owners: RwLock<Vec<Option<String>>>,
    handed_over: Mutex<Option<HandedOver>>,
}

impl Store {
    /// Connects, brings the schema up to date and starts one writer a shard. No shard is owned yet:
    /// see [`Store::run_leases`].
    ///
    /// # Errors
    /// When Postgres cannot be reached or refuses a migration.
    pub async fn open(settings: StoreSettings) -> Result<Self, StoreFault> {
        let pool = PgPoolOptions::new()
            .max_connections(settings.max_connections)
            .acquire_timeout(settings.acquire_timeout)
            .connect_with(settings.connect_options()?)
            .await?;
        sqlx::migrate!("./migrations")
            .run(&pool)
            .await
            .map_err(StoreFault::from_migration)?;
        let (hand_over, handed_over) = mpsc::channel(settings.hand_over_batches);
        let (slots, queues): (Vec<_>, Vec<_>) = Shard::all()
            .map(|shard| ShardSlot::new(shard, settings.queue_commands))
            .unzip();
        let store = Self(Arc::new(Inner {
            pool,
            settings,
            shards: slots,
            owned: watch::Sender::new(0),
            owners: RwLock::new(vec![None; usize::from(SHARDS)]),
            handed_over: Mutex::new(Some(handed_over)),
        }));
        for (shard, queue) in Shard::all().zip(queues) {
            tokio::spawn(Writer::new(store.clone(), shard, queue, hand_over.clone()).run());
        }
        Ok(store)
    }

    /// Whether this process may decide for the shard now, by its own monotonic clock.
    #[must_use]
    pub fn owns(&self, shard: Shard) -> bool {
        self.slot(shard).is_owned()
    }

    /// Address of the shard's owner as last read; none when nobody owns it.
    #[must_use]
    pub fn owner_of(&self, shard: Shard) -> Option<String> {
        let owners = self
            .0
            .owners
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        owners.get(usize::from(shard.number())).cloned().flatten()
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

    /// Whether Postgres answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreFault> {
        sqlx::query("SELECT 1").execute(&self.0.pool).await?;
        Ok(())
    }

    /// Changes whenever state of the shard in memory must be loaded anew.
    #[must_use]
    pub fn generation(&self, shard: Shard) -> u64 {
        self.slot(shard).generation()
    }

    fn slot(&self, shard: Shard) -> &ShardSlot {
        #[expect(
            clippy::indexing_slicing,
            reason = "a Shard is below SHARDS, and there are SHARDS slots"
        )]
        &self.0.shards[usize::from(shard.number())]
    }
}
