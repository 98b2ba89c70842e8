//! What every step of loading has, whoever takes it (`workers`).
//!
//! Any number of workers and processes share the work through row locks (`skip locked`), which a killed process gives
//! back by itself.

use service_kit::client::Client;
use service_kit::objects::{Objects, ObjectsFault};
use sqlx::PgPool;

use crate::config::BuildsConfig;
use crate::metrics::Metrics;

/// Whether a step found something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Look again at once.
    Done,
    /// Nothing is due.
    Idle,
}

/// What loads data builds. Clones share everything.
#[derive(Clone)]
pub struct Loader {
    pub(super) pool: PgPool,
    pub(super) config: BuildsConfig,
    pub(super) objects: Objects,
    pub(super) client: Client,
    pub(super) command_service_urls: Vec<String>,
    pub(super) metrics: Metrics,
}

impl Loader {
    /// A loader that does nothing yet.
    ///
    /// # Errors
    /// When the object store cannot be used.
    pub fn new(
        pool: PgPool,
        config: BuildsConfig,
        client: Client,
        command_service_urls: Vec<String>,
        metrics: Metrics,
    ) -> Result<Self, ObjectsFault> {
        let objects = Objects::open(&config.object_store)?;
        Ok(Self {
            pool,
            config,
            objects,
            client,
            command_service_urls,
            metrics,
        })
    }
}
