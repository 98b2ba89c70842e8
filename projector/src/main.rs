//! Starts the projector: settings, database, consumer, loader, listener, and their orderly end.

use std::sync::Arc;

use anyhow::Context;
use projector::builds::loader::Loader;
use projector::builds::schema::grant_read_models;
use projector::comparison::Comparison;
use projector::config::Config;
use projector::consumer::gap::EventStore;
use projector::consumer::session::Consumer;
use projector::database;
use projector::http::{self, Admin};
use projector::metrics::Metrics;
use projector::schema;
use projector::status::Status;
use service_kit::client::{Client, ClientConfig};
use service_kit::config::Reader;
use service_kit::token::refuse_public_bind_without_token;
use service_kit::{Watched, serve, shutdown, telemetry};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::read(Reader::from_env("PROJECTOR"))?;
    let _telemetry = telemetry::init("projector", &config.telemetry)?;
    refuse_public_bind_without_token(config.listen, &config.tokens)?;
    let stop = shutdown::on_signal()?;
    let pool = database::pool(config.connections(), config.limits)
        .connect(config.read_model_url.expose())
        .await
        .context("the read-model database cannot be reached")?;
    schema::bring_up(&pool, config.limits).await?;
    if let Some(role) = &config.builds.reader_role {
        let mut connection = pool.acquire().await?;
        grant_read_models(&mut connection, role)
            .await
            .context("the reader's role cannot be granted")?;
    }

    let client = Client::new(ClientConfig {
        token: config.internal_token.clone(),
        ..ClientConfig::default()
    })?;
    let (status, metrics) = (Arc::new(Status::default()), Metrics::default());
    let store = EventStore::new(client.clone(), config.command_service_urls.clone());
    let comparison = Comparison::new(
        pool.clone(),
        store.clone(),
        config.comparison,
        metrics.clone(),
    );
    let consumer = Consumer::new(
        pool.clone(),
        config.consumer.clone(),
        store.clone(),
        status.clone(),
        metrics.clone(),
    )?;
    let loader = Loader::new(
        pool.clone(),
        config.builds.clone(),
        client,
        config.command_service_urls.clone(),
        metrics,
    )?;

    let listener = tokio::net::TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("{} cannot be bound", config.listen))?;
    tracing::info!(listen = %config.listen, "the projector is up");
    let mut watched = Watched::default();
    watched.spawn("consumer", consumer.clone().run(stop.clone()));
    watched.spawn("loader", loader.run(stop.clone()));
    watched.spawn("comparison", comparison.run(stop.clone()));
    let router = http::router(
        Admin {
            pool,
            consumer,
            store,
            status,
        },
        config.tokens,
    );
    let drain_timeout = config.serve.drain_timeout;
    let served = serve::serve(listener, router, config.serve, stop.clone());
    watched.guard(&stop, served).await;
    watched.finish(drain_timeout).await?;
    Ok(())
}
