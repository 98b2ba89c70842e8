//! Starts mcp-server: reads the config, wires the parts, serves until SIGTERM.

use anyhow::Context;
use mcp_server::{app, config::Config};
use service_kit::{serve::serve, shutdown, telemetry};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::from_env()?;
    let _telemetry = telemetry::init("mcp-server", &config.telemetry)?;
    let shutdown = shutdown::on_signal()?;
    let listener = tokio::net::TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    tracing::info!(address = %listener.local_addr()?, "mcp-server is listening");
    let router = app::router(&config)?;
    serve(listener, router, config.serve, shutdown).await;
    tracing::info!("mcp-server has stopped");
    Ok(())
}
