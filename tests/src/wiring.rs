//! The wires between the parts of a stack: any of them can be led through a bad one.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context;

use crate::chaos::proxy::Proxy;

/// From whom to whom. Two instances of command-service have one address each for everybody, other instances too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wire {
    /// From query-service, mcp-server, projector and the second command-service to the internal listener of the first.
    Ledger,
    /// The same to the second one, from the first one too.
    SecondLedger,
    /// From both instances of command-service to query-service: what a report is about.
    Records,
    /// From command-service to Postgres.
    EventStore,
    /// From the second command-service to Postgres.
    SecondEventStore,
    /// From query-service to Postgres.
    Answers,
    /// From projector to Postgres.
    Folds,
    /// From mcp-server to query-service.
    Tools,
    /// From mcp-server to the public listener of command-service.
    ReportTools,
    /// From the gateway to query-service.
    GatewayToQueryService,
    /// From the gateway to the public listener of the first command-service.
    GatewayToCommandService,
    /// From the gateway to mcp-server.
    GatewayToMcpServer,
}

impl Wire {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Ledger,
        Self::SecondLedger,
        Self::Records,
        Self::EventStore,
        Self::SecondEventStore,
        Self::Answers,
        Self::Folds,
        Self::Tools,
        Self::ReportTools,
        Self::GatewayToQueryService,
        Self::GatewayToCommandService,
        Self::GatewayToMcpServer,
    ];
}

/// How the parts of a stack are wired.
#[derive(Debug, Default)]
pub struct Wiring {
    /// Two instances of command-service share the shards.
    pub is_pair: bool,
    /// A gateway stands before the services, beside which they can still be asked.
    pub has_gateway: bool,
    /// The wires that can be bad. All others are direct.
    pub wires: BTreeMap<Wire, Arc<Proxy>>,
}

impl Wiring {
    /// Makes the wire one that can be bad.
    ///
    /// # Errors
    /// When there is no port for it.
    pub async fn lay(&mut self, wire: Wire) -> anyhow::Result<Arc<Proxy>> {
        let proxy = Arc::new(Proxy::listen().await?);
        self.wires.insert(wire, proxy.clone());
        Ok(proxy)
    }

    /// The port at which the wire's near end reaches what listens on `port`.
    pub(crate) fn port(&self, wire: Wire, port: u16) -> u16 {
        self.wires.get(&wire).map_or(port, |proxy| {
            proxy.lead_to(port);
            proxy.port()
        })
    }

    /// The URL of a database as the wire's near end is given it.
    pub(crate) fn database(&self, wire: Wire, url: &str) -> anyhow::Result<String> {
        if !self.wires.contains_key(&wire) {
            return Ok(url.to_owned());
        }
        let (server, database) = url.rsplit_once('/').context("a URL without a database")?;
        let (host, port) = server.rsplit_once(':').context("a URL without a port")?;
        Ok(format!(
            "{host}:{}/{database}",
            self.port(wire, port.parse()?)
        ))
    }
}
