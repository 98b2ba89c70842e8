//! How the parts are put together and in which order they start and end. `main` and the tests start the same thing.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use service_kit::client::{CallFault, Client, Instances};
use service_kit::clock::Clock;
use service_kit::serve::serve;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::application::Application;
use crate::config::Config;
use crate::http::admin::{self, AdminState};
use crate::http::internal;
use crate::http::public::{self, PublicState};
use crate::http::{Forwarder, Peers, Presence, Proofs, Records};
use crate::publisher::{Publisher, SettingsFault};
use crate::store::{HandedOver, Store, StoreFault};
use service_kit::objects::{Objects, ObjectsFault};
pub use service_kit::watched::Ended;

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartFault {
    /// An address that is in use or is not this machine's.
    #[error("{0} cannot be bound")]
    Bind(SocketAddr, #[source] std::io::Error),
    /// The event store.
    #[error("the event store cannot be opened")]
    Store(#[from] StoreFault),
    /// The folder of chunks.
    #[error("the object store cannot be opened")]
    Objects(#[from] ObjectsFault),
    /// The Kafka producer.
    #[error(transparent)]
    Publisher(#[from] SettingsFault),
    /// The HTTP client.
    #[error("the HTTP client cannot be made")]
    Client(#[from] CallFault),
    /// A store has one publisher.
    #[error("the committed events have another taker")]
    Taken,
}

/// The three sockets, bound before anything else: an address in use is found at once.
#[derive(Debug)]
pub struct Listeners {
    /// Reports and credits.
    pub public: TcpListener,
    /// The other parts.
    pub internal: TcpListener,
    /// Operators.
    pub admin: TcpListener,
}

impl Listeners {
    /// Binds the addresses of the settings.
    ///
    /// # Errors
    /// [`StartFault::Bind`].
    pub async fn bind(config: &Config) -> Result<Self, StartFault> {
        Ok(Self {
            public: bind(config.public_listen).await?,
            internal: bind(config.internal_listen).await?,
            admin: bind(config.admin_listen).await?,
        })
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, StartFault> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|fault| StartFault::Bind(address, fault))
}

/// Everything but the sockets.
pub struct Service {
    config: Config,
    application: Application,
    publisher: Publisher<Store>,
    handed_over: HandedOver,
    admin: AdminState,
    public: PublicState,
}

impl Service {
    /// Puts the parts together over an open store and a clock.
    ///
    /// # Errors
    /// [`StartFault`]; neither Kafka nor query-service needs to be there.
    pub fn new(config: Config, store: Store, clock: Arc<dyn Clock>) -> Result<Self, StartFault> {
        let handed_over = store.take_handed_over().ok_or(StartFault::Taken)?;
        let application = Application::new(store.clone(), clock.clone(), config.policy.clone());
        let publisher = Publisher::new(store, config.publisher.clone())?;
        let peers = Client::new(config.peers.clone())?;
        let admin = AdminState::new(
            application.clone(),
            publisher.clone(),
            Presence::new(clock.clone()),
            Objects::open(&config.object_store)?,
            Forwarder::new(
                Client::new(config.forwarding.clone())?,
                Proofs::new(
                    config.forward_secrets.clone(),
                    &config.store.address,
                    clock.clone(),
                ),
            ),
        );
        let public = PublicState {
            peers: Peers::new(application.clone(), peers),
            records: Records::new(Instances::new(
                Client::new(config.records.clone())?,
                &config.query_service_urls,
            )),
            request_hash_secret: config.request_hash_secret.clone(),
            hold_timeout: config.policy.limits.hold_timeout,
            clock,
        };
        Ok(Self {
            config,
            application,
            publisher,
            handed_over,
            admin,
            public,
        })
    }

    /// Serves until `stop`. Then requests in flight end, the publisher sends what they committed, and the leases, without
    /// which neither could, are given back last.
    ///
    /// # Errors
    /// [`Ended`] when a task that must run ended by itself, after the same orderly end: whoever started the process starts it
    /// again.
    pub async fn run(self, listeners: Listeners, stop: CancellationToken) -> Result<(), Ended> {
        let store = self.application.store().clone();
        let (no_more_events, no_more_leases) = (CancellationToken::new(), CancellationToken::new());
        let owned = store.watch_ownership();
        let mut watched = self.application.take_drivers();
        let publishing = self
            .publisher
            .run(owned, self.handed_over, no_more_events.clone());
        let published = watched.spawn("publisher", publishing);
        let leasing = store.clone().run_leases(no_more_leases.clone());
        let given_back = watched.spawn("leases", leasing);
        watched.spawn("writer of batches", store.until_group_writer_ends());
        watched.spawn("forgetting", self.application.run_forgetting(stop.clone()));

        let config = self.config;
        let publisher = self.admin.publisher.clone();
        let public = public::router(self.public, store, publisher, config.public_edge);
        let internal = internal::router(&self.admin, &config.internal_tokens, config.internal_edge);
        let admin = admin::router(&self.admin, config.admin_tokens, config.admin_edge);
        let on = |listener, router| serve(listener, router, config.serve.clone(), stop.clone());
        let served = async {
            tokio::join!(
                on(listeners.public, public),
                on(listeners.internal, internal),
                on(listeners.admin, admin),
            );
        };
        watched.guard(&stop, served).await;
        no_more_events.cancel();
        published.cancelled().await;
        no_more_leases.cancel();
        given_back.cancelled().await;
        // The drivers of the shards have nothing left to do and are told to end by nobody.
        watched.finish(Duration::ZERO).await
    }
}
