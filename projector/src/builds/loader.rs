//! x
use crate::config::BuildsConfig;
use crate::metrics::Metrics;
use service_kit::client::Client;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
/// x
pub struct Loader;
impl Loader {
    /// x
    /// # Errors
    /// x
    pub fn new(_: PgPool, _: BuildsConfig, _: Client, _: Vec<String>, _: Metrics) -> anyhow::Result<Self> { Ok(Self) }
    /// x
    pub async fn run(self, _: CancellationToken) {}
}
