//! The command line: one noun a command, with examples in every `--help`.

use clap::{Parser, Subcommand};

use crate::commands::{
    account, builds, contract, dlq, ingest, key, movement, reconcile, reports, republish, status,
};

/// Operate a Roster: accounts, contracts, keys, data builds, reports.
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
    /// Open and list accounts, one for each customer.
    #[command(subcommand)]
    Account(account::Account),
    /// Make, extend and show billing contracts: credits, covered endpoints, dates, prices.
    #[command(subcommand)]
    Contract(contract::Contract),
    /// Issue, revoke and list API keys.
    #[command(subcommand)]
    Key(key::Key),
    /// Show what a request was charged or granted.
    #[command(subcommand)]
    Movement(movement::Movement),
    /// Load a file of records as a data build and activate it.
    Ingest(ingest::Ingest),
    /// Show, activate and give up data builds.
    #[command(subcommand)]
    Builds(builds::Builds),
    /// Work through data-quality reports.
    #[command(subcommand)]
    Reports(reports::Reports),
    /// List, retry and discard events that a projection could not apply.
    #[command(subcommand)]
    Dlq(dlq::Dlq),
    /// Send events to Kafka again from the store.
    Republish(republish::Republish),
    /// Prove that event store, topics and read models hold the same.
    Reconcile(reconcile::Reconcile),
    /// Show parts, shard owners, lag and active builds.
    Status(status::Status),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// The commands that do something, not the nouns over them.
    fn leaves(command: &clap::Command, path: &str, found: &mut Vec<(String, String)>) {
        let nested: Vec<&clap::Command> = command.get_subcommands().collect();
        if nested.is_empty() {
            let help = command.clone().render_long_help().to_string();
            found.push((path.to_owned(), help));
        }
        for command in nested {
            let path = format!("{path} {}", command.get_name());
            leaves(command, &path, found);
        }
    }

    #[test]
    fn every_command_has_a_help_with_an_example_and_takes_json() {
        let mut command = Cli::command().disable_help_subcommand(true);
        command.build();
        let mut found = Vec::new();
        leaves(&command, "roster", &mut found);
        assert!(found.len() > 25, "{found:?}");
        for (path, help) in found {
            assert!(help.contains(&format!("\n  {path}")), "{path}: {help}");
            assert!(help.contains("--json"), "{path}: {help}");
        }
    }
}
