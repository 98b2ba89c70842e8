//! `roster`: what people type to run the service (`docs/OPERATING.md`). Accounts, contracts, keys, data builds, reports, dead
//! letters go through the admin listeners; `roster reconcile` alone reads the stores and the topics themselves.
//!
//! Guarantee: exit code 0 done, 1 refused or failed, 2 wrong usage; with `--json` stdout holds one JSON document and
//! nothing else, and an error is the error body (`docs/API.md`, "Errors") on stderr. Not here: any rule of the service.

mod again;
mod arguments;
mod cli;
mod client;
mod commands;
mod failure;
mod ingest;
mod once;
mod output;
mod reconcile;
mod reindex;
mod settings;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output::Output;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(fault) => return usage(&fault),
    };
    let output = Output::new(cli.json);
    match commands::run(cli.command, &output).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// What clap has to say: help and version on stdout, everything else is wrong usage.
fn usage(fault: &clap::Error) -> ExitCode {
    let json = std::env::args_os().any(|argument| argument == "--json");
    if json && fault.use_stderr() {
        let failure = Failure::usage(fault.render().to_string().trim_end());
        Output::new(true).failure(&failure);
        return ExitCode::from(failure.exit_code());
    }
    // If even this cannot be written, there is no way left to tell the user.
    let _ = fault.print();
    ExitCode::from(u8::try_from(fault.exit_code()).unwrap_or(2))
}
