//! `roster reconcile`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

#[derive(Debug, Args)]
pub(crate) struct Reconcile {}

impl Reconcile {
    pub(crate) async fn run(self, _settings: &Settings, _output: Output) -> Result<(), Failure> {
        Err(Failure::internal("x"))
    }
}
