//! `make score`: is the answer right? Values whose canonical form is known, and enrich requests whose true record is known,
//! asked over HTTP of a stack of its own.
//!
//! [`fields`] sends the case files of `normalize/cases` through `POST /utility/clean`.
//!
//! Two worlds are asked for: synthetic records of `data/generate` with the generator's noisy requests, and the real sample
//! with noise of this program's own ([`noise`]). One table a world says per kind of request how often there was an answer,
//! how often it was the right one, and how long it took; a bar that is missed makes the exit code 1.
//!
//! Needs `TEST_POSTGRES_URL`, `TEST_KAFKA_BROKERS` and `ROSTER_BIN_DIR`, as `make score` sets them, and `python3`. With
//! `--in-process` it needs none of them: the records are read by the loader's own code and matched in this process, which
//! says the same but for what HTTP, the ledger and SQL add.

mod door;
mod fields;
mod matching;
mod noise;
mod query;
mod report;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

use crate::door::Door;
use crate::query::Query;
use crate::report::Table;
use crate::world::World;

/// Asks for records that are known, and counts right answers.
#[derive(Debug, Clone, Parser)]
#[command(
    after_help = "Examples:\n  make score\n  score --in-process --persons 100000 --companies 10000"
)]
struct Arguments {
    /// Synthetic persons; 0 leaves that world out.
    #[arg(long, default_value_t = 1_000_000)]
    persons: u32,
    /// Synthetic companies.
    #[arg(long, default_value_t = 100_000)]
    companies: u32,
    /// Requests a world, of each of generator and noise.
    #[arg(long, default_value_t = 20_000)]
    queries: u32,
    /// Of the synthetic world and all noise.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder with `generate/` and `sample/`.
    #[arg(long, default_value = "data")]
    data: PathBuf,
    /// Where generated records are written (default: a temporary folder, removed at the end).
    #[arg(long)]
    scratch: Option<PathBuf>,
    /// Matches in this process instead of over HTTP.
    #[arg(long)]
    in_process: bool,
    /// Leaves the real sample out.
    #[arg(long)]
    no_sample: bool,
    /// Leaves the field cases out; they are asked over HTTP alone.
    #[arg(long)]
    no_fields: bool,
    /// Prints up to 40 requests of this kind or noise that were answered wrongly or not at all.
    #[arg(long)]
    show: Option<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    report::preface(cfg!(debug_assertions), arguments.in_process);
    let fields = arguments.no_fields || arguments.in_process || fields::score().await?;
    let mut tables = Vec::new();
    if arguments.persons > 0 {
        let world = World::synthetic(&arguments).context("the synthetic world")?;
        let of_generator = world.generated_queries()?;
        let count = arguments.queries / 2;
        let own = noise::queries(&world, count, arguments.seed)?;
        let title = format!(
            "{} persons, {} companies",
            arguments.persons, arguments.companies
        );
        tables.extend(
            score(
                &arguments,
                &world,
                &title,
                [("generator", of_generator), ("own noise", own)],
            )
            .await?,
        );
    }
    if !arguments.no_sample {
        let world = World::sample(&arguments).context("the sample")?;
        let own = noise::queries(&world, arguments.queries, arguments.seed)?;
        tables.extend(score(&arguments, &world, "the sample", [("own noise", own)]).await?);
    }
    let missed: usize = tables.iter().map(Table::missed).sum();
    report::conclusion(missed);
    Ok(if missed == 0 && fields {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Loads one world and asks it.
async fn score<const N: usize>(
    arguments: &Arguments,
    world: &World,
    title: &str,
    lists: [(&str, Vec<Query>); N],
) -> anyhow::Result<Vec<Table>> {
    let door = if arguments.in_process {
        Door::in_process(world)?
    } else {
        Door::http(world).await?
    };
    let mut tables = Vec::new();
    for (name, queries) in lists {
        let tally = matching::ask(&door, queries, arguments.show.as_deref()).await?;
        let table = Table::new(format!("{title}, {name}"), tally);
        table.print();
        tables.push(table);
    }
    Ok(tables)
}
