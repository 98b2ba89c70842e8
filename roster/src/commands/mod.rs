//! One file a noun: its arguments, its help, and the requests it makes. No rule of the service belongs here: the service that is asked
//! decides what is allowed.

pub(crate) mod account;
pub(crate) mod builds;
pub(crate) mod contract;
pub(crate) mod dlq;
pub(crate) mod ingest;
pub(crate) mod key;
pub(crate) mod movement;
pub(crate) mod reconcile;
pub(crate) mod reports;
pub(crate) mod republish;
pub(crate) mod status;

use crate::cli::Command;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// Runs one command to its end.
pub(crate) async fn run(command: Command, output: &Output) -> Result<(), Failure> {
    let settings = Settings::read()?;
    match command {
        Command::Account(command) => command.run(&settings, *output).await,
        Command::Contract(command) => command.run(&settings, *output).await,
        Command::Key(command) => command.run(&settings, *output).await,
        Command::Movement(command) => command.run(&settings, *output).await,
        Command::Ingest(command) => command.run(&settings, *output).await,
        Command::Builds(command) => command.run(&settings, *output).await,
        Command::Reports(command) => command.run(&settings, *output).await,
        Command::Dlq(command) => command.run(&settings, *output).await,
        Command::Republish(command) => command.run(&settings, *output).await,
        Command::Reconcile(command) => command.run(&settings, *output).await,
        Command::Status(command) => command.run(&settings, *output).await,
    }
}
