//! The accept loop: HTTP/1.1 and HTTP/2 with prior knowledge on one port, every wait with a limit.
//!
//! `axum::serve` sets no header timeout and no cap of connections; both are what a slow client would use up.
//! Guarantee: no fault of one connection, and no fault of `accept`, ends the loop. When the token is cancelled, no
//! connection is taken any more, requests in flight are finished within the drain time, and then the call returns. What
//! is not finished shortly before its end is given up and told so by the edge: 503, to come again.

mod first_bytes;
mod unreadable;

use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::config::Reader;
use first_bytes::FirstBytes;
use unreadable::Unreadable;

/// How long to wait after `accept` failed for want of file descriptors.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);
/// Above what the edge allows, so that the edge refuses first, with what it is about; what is above is [`unreadable`].
const HEADER_BUFFER_FACTOR: usize = 4;
/// Lines of headers that a client may send (`docs/API.md`, "Limits").
const MAX_HEADERS: usize = 250;
/// Lines that a gateway adds to them.
const GATEWAY_HEADERS: usize = 6;
/// The last part of the drain time, in which what is not finished is answered 503: a tenth, at most so long.
const LAST_WORDS_PART: u32 = 10;
const MAX_LAST_WORDS: Duration = Duration::from_secs(1);

/// Cancelled when the drain time is nearly over. Every request has it in its extensions.
#[derive(Debug, Clone)]
pub(crate) struct Ending(pub(crate) CancellationToken);

/// The limits of one listener's connections.
#[derive(Debug, Clone)]
pub struct ServeConfig {
    /// Connections at a time; the next one waits in the kernel's queue.
    pub max_connections: usize,
    /// From the first wait for a request to the end of its headers; also how long an idle connection is kept.
    pub header_read_timeout: Duration,
    /// What the edge of this listener allows ([`crate::edge::EdgeConfig::max_header_bytes`]); the socket lets more pass.
    pub max_header_bytes: usize,
    /// Requests at a time on one HTTP/2 connection, of which its client is told; the next one waits there.
    pub max_concurrent_streams: u32,
    /// How often an HTTP/2 connection is asked whether its client still lives, and how long the answer may take.
    pub ping_interval: Duration,
    /// How long requests in flight may go on after the shutdown began.
    pub drain_timeout: Duration,
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self {
            max_connections: 4096,
            header_read_timeout: Duration::from_secs(10),
            max_header_bytes: 16 * 1024,
            max_concurrent_streams: 256,
            ping_interval: Duration::from_secs(20),
            drain_timeout: Duration::from_secs(30),
        }
    }
}

impl ServeConfig {
    /// Reads `MAX_CONNECTIONS`, `MAX_STREAMS_PER_CONNECTION`, `HEADER_READ_TIMEOUT` and `DRAIN_TIMEOUT`.
    pub fn read(reader: &mut Reader) -> Self {
        let default = Self::default();
        Self {
            max_connections: reader.at_least_one("MAX_CONNECTIONS", default.max_connections),
            max_concurrent_streams: reader
                .at_least_one("MAX_STREAMS_PER_CONNECTION", default.max_concurrent_streams),
            header_read_timeout: reader
                .duration("HEADER_READ_TIMEOUT", default.header_read_timeout),
            drain_timeout: reader.duration("DRAIN_TIMEOUT", default.drain_timeout),
            ..default
        }
    }
}

/// Serves `router` until `shutdown` is cancelled and what was in flight is finished or its time is over.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    config: ServeConfig,
    shutdown: CancellationToken,
) {
    let builder = Arc::new(builder(&config));
    let slots = Arc::new(Semaphore::new(config.max_connections));
    let ending = Ending(CancellationToken::new());
    let router = router.layer(Extension(ending.clone()));
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        let (socket, slot) = tokio::select! {
            () = shutdown.cancelled() => break,
            next = next_connection(&listener, &slots) => next,
            Some(_ended) = connections.join_next() => continue,
        };
        let served = Connection {
            socket,
            router: router.clone(),
            max_header_bytes: config.max_header_bytes,
            _slot: slot,
        };
        let timeout = config.header_read_timeout;
        connections.spawn(served.run(builder.clone(), timeout, graceful.watcher()));
    }
    drop(listener);
    let last_words = (config.drain_timeout / LAST_WORDS_PART).min(MAX_LAST_WORDS);
    let drained = async {
        let mut drained = std::pin::pin!(graceful.shutdown());
        let time = config.drain_timeout.saturating_sub(last_words);
        if tokio::time::timeout(time, &mut drained).await.is_err() {
            tracing::warn!("requests were still in flight near the end of the drain time");
            ending.0.cancel();
            drained.await;
        }
    };
    if tokio::time::timeout(config.drain_timeout, drained)
        .await
        .is_err()
    {
        tracing::warn!(
            left = connections.len(),
            "connections were still open at the end of the drain time"
        );
    }
    connections.shutdown().await;
}

fn builder(config: &ServeConfig) -> auto::Builder<TokioExecutor> {
    let buffer = config.max_header_bytes.saturating_mul(HEADER_BUFFER_FACTOR);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(config.header_read_timeout)
        .max_headers(MAX_HEADERS + GATEWAY_HEADERS)
        .max_buf_size(buffer);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(config.max_concurrent_streams)
        .max_header_list_size(u32::try_from(buffer).unwrap_or(u32::MAX))
        .keep_alive_interval(config.ping_interval)
        .keep_alive_timeout(config.ping_interval);
    builder
}

/// Waits for a free slot first: what cannot be served stays in the kernel's queue instead of taking memory.
async fn next_connection(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed; were it, connections would be served without a cap rather than not at all.
    let slot = slots.clone().acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((socket, _peer)) => return (socket, slot),
            Err(fault) => {
                tracing::warn!(%fault, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_BACKOFF).await;
            }
        }
    }
}

struct Connection {
    socket: TcpStream,
    router: Router,
    max_header_bytes: usize,
    _slot: Option<OwnedSemaphorePermit>,
}

impl Connection {
    async fn run(
        self,
        builder: Arc<auto::Builder<TokioExecutor>>,
        timeout: Duration,
        watcher: Watcher,
    ) {
        if let Err(fault) = self.socket.set_nodelay(true) {
            tracing::debug!(%fault, "a connection has no TCP_NODELAY");
        }
        let socket = FirstBytes::new(self.socket, timeout);
        let io = TokioIo::new(Unreadable::new(socket, self.max_header_bytes));
        let connection = builder
            .serve_connection(io, TowerToHyperService::new(self.router))
            .into_owned();
        if let Err(fault) = watcher.watch(connection).await {
            tracing::debug!(%fault, "a connection ended early");
        }
    }
}
