//! One token that every task of a process watches; SIGTERM and SIGINT cancel it.

use tokio::signal::unix::{SignalKind, signal};
pub use tokio_util::sync::CancellationToken;

/// A token that is cancelled by the first SIGTERM or SIGINT. Must be called inside a runtime.
///
/// # Errors
/// When the process may not install signal handlers.
pub fn on_signal() -> std::io::Result<CancellationToken> {
    let (mut term, mut int) = (
        signal(SignalKind::terminate())?,
        signal(SignalKind::interrupt())?,
    );
    let token = CancellationToken::new();
    let cancel = token.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = term.recv() => tracing::info!(signal = "SIGTERM", "shutting down"),
            _ = int.recv() => tracing::info!(signal = "SIGINT", "shutting down"),
        }
        cancel.cancel();
    });
    Ok(token)
}
