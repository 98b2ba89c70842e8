//! command-service: reads its settings, opens the event store, and serves until it is told to stop.
//!
//! `command-service restored [--after-running]` begins a new history instead (`docs/BACKUP.md`): the event store went back.

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use command_service::config::Config;
use command_service::restored;
use command_service::service::{Listeners, Service};
use command_service::store::{Store, StoreFault};
use service_kit::{SystemClock, shutdown, telemetry};

/// Longest wait for Postgres at the start; then the process ends and whoever started it starts it again.
const STORE_WAIT: Duration = Duration::from_secs(60);
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// Longest wait for leases that stand in a restored store, or that a killed process left.
const LEASES_WAIT: Duration = Duration::from_secs(30);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let config = Config::from_env()?;
    match arguments.as_slice() {
        [] => serve(config).await,
        ["restored"] => begin_history(&config, false).await,
        ["restored", "--after-running"] => begin_history(&config, true).await,
        _ => anyhow::bail!("usage: command-service [restored [--after-running]]"),
    }
}

/// Prints the number of the history that begins.
async fn begin_history(config: &Config, has_run: bool) -> anyhow::Result<()> {
    let store = open_store(config).await?;
    let history = restored::begin(&store, has_run, LEASES_WAIT).await?;
    writeln!(std::io::stdout(), "{history}")?;
    Ok(())
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let _telemetry = telemetry::init("command-service", &config.telemetry)?;
    let stop = shutdown::on_signal().context("signals cannot be handled")?;
    let listeners = Listeners::bind(&config).await?;
    let store = tokio::select! {
        store = open_store(&config) => store?,
        () = stop.cancelled() => return Ok(()),
    };
    tracing::info!(
        public = %config.public_listen, internal = %config.internal_listen,
        admin = %config.admin_listen, "answering"
    );
    let service = Service::new(config, store, Arc::new(SystemClock))?;
    service.run(listeners, stop).await?;
    tracing::info!("stopped");
    Ok(())
}

async fn open_store(config: &Config) -> anyhow::Result<Store> {
    let deadline = tokio::time::Instant::now() + STORE_WAIT;
    loop {
        match Store::open(config.store.clone()).await {
            Ok(store) => return Ok(store),
            Err(fault @ StoreFault::OfAnotherVersion(_)) => {
                return Err(fault).context("the event store cannot be opened");
            }
            Err(fault) if tokio::time::Instant::now() < deadline => {
                let cause = fault.source().map(ToString::to_string);
                tracing::warn!(%fault, cause, "the event store cannot be opened yet");
                tokio::time::sleep(STORE_PAUSE).await;
            }
            Err(fault) => return Err(fault).context("the event store cannot be opened"),
        }
    }
}
