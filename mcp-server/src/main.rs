//! Starts mcp-server: reads the settings, wires the parts, serves until SIGTERM.

use anyhow::Context;
use mcp_server::{app, settings::Settings};
use service_kit::{serve::serve, shutdown, telemetry};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let settings = Settings::from_env()?;
    let _telemetry = telemetry::init("mcp-server", &settings.telemetry)?;
    let shutdown = shutdown::on_signal()?;
    let listener = tokio::net::TcpListener::bind(settings.listen)
        .await
        .with_context(|| format!("cannot listen on {}", settings.listen))?;
    tracing::info!(address = %listener.local_addr()?, "mcp-server is listening");
    let router = app::router(&settings)?;
    serve(listener, router, settings.serve, shutdown).await;
    tracing::info!("mcp-server has stopped");
    Ok(())
}
