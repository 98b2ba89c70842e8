//! command-service: reads its settings, opens its parts, serves three listeners, and leaves in order.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use command_service::application::Application;
use command_service::config::Config;
use command_service::http::admin::AdminState;
use command_service::http::public::PublicState;
use command_service::http::{
    Forwarder, Objects, Peers, Presence, Records, admin, internal, public,
};
use command_service::publisher::Publisher;
use command_service::store::Store;
use service_kit::client::Client;
use service_kit::serve::{ServeConfig, serve};
use service_kit::{SystemClock, shutdown, telemetry};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Longest wait for Postgres at the start, before the process gives up and is started again.
const STORE_WAIT: Duration = Duration::from_secs(60);
const STORE_PAUSE: Duration = Duration::from_secs(1);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::from_env()?;
    let _telemetry = telemetry::init("command-service", &config.telemetry)?;
    let stop = shutdown::on_signal().context("signals cannot be handled")?;
    let listeners = Listeners::bind(&config).await?;
    let store = tokio::select! {
        store = open_store(&config) => store?,
        () = stop.cancelled() => return Ok(()),
    };
    let parts = Parts::open(&config, store)?;
    // Leases, publisher and clean-up outlive the listeners: what is still in flight needs them.
    let after = CancellationToken::new();
    let background = parts.start_background(&after)?;
    listeners.serve(&config, &parts, &stop).await;
    after.cancel();
    background.await;
    tracing::info!("stopped");
    Ok(())
}

async fn open_store(config: &Config) -> anyhow::Result<Store> {
    let deadline = tokio::time::Instant::now() + STORE_WAIT;
    loop {
        match Store::open(config.store.clone()).await {
            Ok(store) => return Ok(store),
            Err(fault) if tokio::time::Instant::now() < deadline => {
                tracing::warn!(%fault, cause = ?std::error::Error::source(&fault), "the event store cannot be opened yet");
                tokio::time::sleep(STORE_PAUSE).await;
            }
            Err(fault) => return Err(fault).context("the event store cannot be opened"),
        }
    }
}

/// What the listeners share.
struct Parts {
    application: Application,
    publisher: Publisher<Store>,
    admin: AdminState,
    public: PublicState,
}

impl Parts {
    fn open(config: &Config, store: Store) -> anyhow::Result<Self> {
        let clock = Arc::new(SystemClock);
        let application = Application::new(store.clone(), clock.clone(), config.policy.clone());
        let publisher = Publisher::new(store, config.publisher.clone())
            .context("the Kafka producer cannot be made")?;
        let client = Client::new(config.peers.clone()).context("the HTTP client")?;
        let admin = AdminState::new(
            application.clone(),
            publisher.clone(),
            Presence::new(clock),
            Objects::open(&config.object_store).context("the object store cannot be opened")?,
            Forwarder::new(client.clone()),
        );
        let records = Client::new(config.records.clone()).context("the HTTP client")?;
        let public = PublicState {
            peers: Peers::new(application.clone(), client),
            records: Records::new(records, &config.query_service_url),
            request_hash_secret: config.request_hash_secret.clone(),
        };
        Ok(Self {
            application,
            publisher,
            admin,
            public,
        })
    }

    /// Starts what runs beside the listeners; the future ends when all of it has ended after `stop`.
    fn start_background(
        &self,
        stop: &CancellationToken,
    ) -> anyhow::Result<impl Future<Output = ()> + use<>> {
        let store = self.application.store().clone();
        let handed_over = store
            .take_handed_over()
            .context("the committed events have another taker")?;
        let publisher = self.publisher.clone();
        let published = publisher.run(store.watch_ownership(), handed_over, stop.clone());
        let tasks = [
            tokio::spawn(published),
            tokio::spawn(store.run_leases(stop.clone())),
            tokio::spawn(self.application.clone().run_forgetting(stop.clone())),
        ];
        Ok(async move {
            for task in tasks {
                if task.await.is_err() {
                    tracing::error!("a background task ended with a panic");
                }
            }
        })
    }
}

/// The three sockets, bound before anything else: an address in use is found at once.
struct Listeners {
    public: TcpListener,
    internal: TcpListener,
    admin: TcpListener,
}

impl Listeners {
    async fn bind(config: &Config) -> anyhow::Result<Self> {
        Ok(Self {
            public: bind(config.public_listen).await?,
            internal: bind(config.internal_listen).await?,
            admin: bind(config.admin_listen).await?,
        })
    }

    /// Serves until `stop`, then lets requests in flight end.
    async fn serve(self, config: &Config, parts: &Parts, stop: &CancellationToken) {
        let store = parts.application.store().clone();
        let public = public::router(parts.public.clone(), store, config.public_edge.clone());
        let tokens = config.internal_tokens.clone();
        let internal = internal::router(&parts.admin, tokens, config.internal_edge.clone());
        let tokens = config.admin_tokens.clone();
        let admin = admin::router(&parts.admin, tokens, config.admin_edge.clone());
        tracing::info!(public = %config.public_listen, internal = %config.internal_listen, admin = %config.admin_listen, "listening");
        let on = |listener, router: Router, serve_config: &ServeConfig| {
            serve(listener, router, serve_config.clone(), stop.clone())
        };
        tokio::join!(
            on(self.public, public, &config.serve),
            on(self.internal, internal, &config.serve),
            on(self.admin, admin, &config.serve),
        );
    }
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| format!("{address} cannot be bound"))
}
