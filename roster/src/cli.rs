//! The command line: one noun a command, with examples in every `--help`.

use clap::{Parser, Subcommand};

use crate::commands::{
    account, builds, contract, dlq, ingest, key, reconcile, reports, republish, status,
};

/// Operates a Roster: accounts, contracts, keys, data builds, reports.
///
/// Reads ROSTER_ADMIN_URL and ROSTER_ADMIN_TOKEN from the environment, or else from .data/env in this folder or one
/// above it (`make up` writes it).
#[derive(Debug, Parser)]
#[command(name = "roster", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Print one JSON document on stdout and nothing else; errors as JSON on stderr.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  roster account create --name \"Northwind Tools\"
  roster contract create --account ID --credits 5000
  roster key create --account ID
  roster ingest --kind person persons.ndjson.gz
  roster status

Exit code: 0 done, 1 refused or failed, 2 wrong usage.";

/// Every noun.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Customers.
    #[command(subcommand)]
    Account(account::Account),
    /// Billing contracts: credits, covered endpoints, dates, prices.
    #[command(subcommand)]
    Contract(contract::Contract),
    /// API keys.
    #[command(subcommand)]
    Key(key::Key),
    /// Load a file of records as a data build and activate it.
    Ingest(ingest::Ingest),
    /// Data builds.
    #[command(subcommand)]
    Builds(builds::Builds),
    /// Data-quality reports.
    #[command(subcommand)]
    Reports(reports::Reports),
    /// Events that a projection could not apply.
    #[command(subcommand)]
    Dlq(dlq::Dlq),
    /// Send events to Kafka again from the store.
    Republish(republish::Republish),
    /// Prove that event store, topics and read models hold the same.
    Reconcile(reconcile::Reconcile),
    /// Parts, shard owners, lag, active builds.
    Status(status::Status),
}
