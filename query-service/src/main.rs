//! query-service: reads its settings, wires its parts and serves until it is told to stop.

use std::sync::Arc;

use anyhow::Context as _;
use query_service::builds::{Builds, Heartbeats};
use query_service::config::Config;
use query_service::credit_gate::CreditGate;
use query_service::discover::model::Model;
use query_service::http::{App, LongReads, router};
use query_service::metrics::Metrics;
use query_service::read_model::{Ledgers, Pointers, Source};
use query_service::search::Searches;
use query_service::search::files::Shelf;
use query_service::search::threads::Threads;
use service_kit::client::Client;
use service_kit::clock::SystemClock;
use service_kit::objects::Objects;
use service_kit::serve::serve;
use service_kit::{Watched, shutdown, telemetry};
use tokio::net::TcpListener;
use uuid::Uuid;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::from_env()?;
    let _telemetry = telemetry::init("query-service", &config.telemetry)?;
    let stop = shutdown::on_signal().context("signal handlers cannot be installed")?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot bind {}", config.listen))?;

    // Before the first request, which would otherwise wait for the tables.
    normalize::warm_up();
    discover::warm_up();
    let source = Source::new(config.read_model_url.expose(), config.read.clone())
        .context("READ_MODEL_URL")?;
    let metrics = Metrics::default();
    let objects = Objects::open(&config.object_store).context("OBJECT_STORE")?;
    let shelf = Shelf::open(&config.search_folder, objects, metrics.clone())
        .context("QUERY_SERVICE_SEARCH_FOLDER")?;
    let threads = Threads::start(config.search, metrics.clone()).context("threads of searches")?;
    let ledgers = Ledgers::new(source.clone());
    let builds = Builds::new(Pointers::new(source), shelf.clone());
    let client = Client::new(config.client.clone()).context("the client of command-service")?;
    let model = config
        .model
        .map(|config| Model::new(config, metrics.clone()));
    let model = model.transpose().context("DISCOVER_LLM_URL")?;
    let heartbeats = Heartbeats {
        urls: config.gate.urls.clone(),
        client: client.clone(),
        instance: Uuid::new_v4(),
        name: config.name,
    };
    let mut watched = Watched::default();
    watched.spawn("fetching of search files", shelf.run(stop.clone()));
    let following = builds.clone().follow(config.build_poll, stop.clone());
    watched.spawn("following of builds", following);
    let beating = heartbeats.run(builds.clone(), config.heartbeat, stop.clone());
    watched.spawn("heartbeats", beating);

    let app = App {
        gate: CreditGate::new(config.gate, client, metrics.clone()),
        builds,
        ledgers,
        searches: Searches::new(threads),
        model,
        hash_secret: config.hash_secret,
        clock: Arc::new(SystemClock),
        retry_after_seconds: config.retry_after_seconds,
        long_reads: LongReads::default(),
        metrics,
    };
    tracing::info!(listen = %config.listen, "answering");
    let drain_timeout = config.serve.drain_timeout;
    let router = router(app, config.internal_tokens, config.edge);
    let served = serve(listener, router, config.serve, stop.clone());
    watched.guard(&stop, served).await;
    watched.finish(drain_timeout).await?;
    Ok(())
}
