//! `make score`: is the answer right? Values whose canonical form is known, and enrich requests whose true record is known,
//! asked over HTTP of a stack of its own.
//!
//! [`sentences`] judges translations of plain words. [`fields`] sends the case files of `normalize/cases` through
//! `POST /utility/clean`. [`vocabulary`] counts how many values of the loaded sample are of the closed lists.
//!
//! Two worlds are asked for: synthetic records of `data/generate` with the generator's noisy requests, and the real sample
//! with noise of this program's own ([`noise`]). One table a world says per kind of request how often there was an answer,
//! how often it was the right one, and how long it took; a bar that is missed makes the exit code 1.
//!
//! Needs `TEST_POSTGRES_URL`, `TEST_KAFKA_BROKERS` and `ROSTER_BIN_DIR`, as `make score` sets them, and `python3`. With
//! `--in-process` it needs none of them: the records are read by the loader's own code and matched in this process, which
//! says the same but for what HTTP, the ledger and SQL add.

mod door;
mod febrl;
mod fields;
mod linkage;
mod matching;
mod namesakes;
mod noise;
mod query;
mod report;
mod sentences;
mod vocabulary;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use clap::Parser;
use events_schema::record::RecordKind;
use sqlx::PgPool;

use crate::door::Door;
use crate::linkage::{Pairs, Requests};
use crate::query::Query;
use crate::report::Table;
use crate::vocabulary::Share;
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
    /// The folder of Febrl's files: its data sets 1 to 3, and 4 only where it is named.
    #[arg(long)]
    febrl: Option<PathBuf>,
    /// Which of Febrl's data sets.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    febrl_sets: Vec<u8>,
    /// Folders with `queries.ndjson` and `persons.ndjson` or `companies.ndjson` of other populations (`bench/census`, `bench/listed`).
    #[arg(long, value_delimiter = ',')]
    population: Vec<PathBuf>,
    /// Where records, requests by name and answers are written for another engine to link (`bench/splink`).
    #[arg(long)]
    pairs: Option<PathBuf>,
    /// Prints requests of these kinds or noises that were answered wrongly or not at all.
    #[arg(long, value_delimiter = ',')]
    show: Vec<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    report::preface(cfg!(debug_assertions), arguments.in_process);
    let fields = arguments.no_fields || arguments.in_process || fields::score().await?;
    let sentences = sentences::score()?;
    let mut tables = Vec::new();
    if arguments.persons > 0 {
        let world = World::synthetic(&arguments).context("the synthetic world")?;
        let of_generator = world.generated_queries()?;
        let own = noise::queries(&world, arguments.queries / 2, arguments.seed)?;
        let title = format!(
            "{} persons, {} companies",
            arguments.persons, arguments.companies
        );
        let loaded = Loaded::open(&arguments, &world, title).await?;
        tables.push(loaded.score("generator", of_generator).await?);
        tables.push(loaded.score("own noise", own).await?);
    }
    if let Some(folder) = &arguments.febrl {
        for set in &arguments.febrl_sets {
            let (world, queries) = World::febrl(&arguments, folder, *set)?;
            let loaded = Loaded::open(&arguments, &world, format!("Febrl {set}")).await?;
            tables.push(loaded.score("its duplicates", queries).await?);
        }
    }
    for folder in &arguments.population {
        let (world, queries) = World::population(&arguments, folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let loaded = Loaded::open(&arguments, &world, format!("population {name}")).await?;
        tables.push(loaded.score("its own noise", queries).await?);
    }
    let mut listed = true;
    if !arguments.no_sample {
        let world = World::sample(&arguments).context("the sample")?;
        let own = noise::queries(&world, arguments.queries, arguments.seed)?;
        let loaded = Loaded::open(&arguments, &world, "the sample".to_owned()).await?;
        tables.push(loaded.score("own noise", own).await?);
        if let Some(read_model) = loaded.door.read_model() {
            listed = closed_lists(&world, read_model).await?;
        }
    }
    let missed: usize = tables.iter().map(Table::missed).sum();
    report::conclusion(missed);
    Ok(if missed == 0 && fields && sentences && listed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A world that can be asked.
struct Loaded<'a> {
    arguments: &'a Arguments,
    title: String,
    door: Door,
    pairs: Option<Pairs>,
}

impl<'a> Loaded<'a> {
    async fn open(arguments: &'a Arguments, world: &World, title: String) -> anyhow::Result<Self> {
        let started = Instant::now();
        let door = Door::open(world, arguments.in_process).await?;
        let loading = started.elapsed();
        let records = world.file(RecordKind::Person);
        let pairs = arguments.pairs.as_deref().filter(|_| world.has_persons);
        let pairs = pairs.map(|folder| Pairs::write(folder, &title, records, loading));
        Ok(Self {
            arguments,
            pairs: pairs.transpose().context("the files of --pairs")?,
            title,
            door,
        })
    }

    /// Asks one list of requests.
    async fn score(&self, list: &str, queries: Vec<Query>) -> anyhow::Result<Table> {
        let pairs = self.pairs.as_ref();
        let mut requests = pairs.map(|pairs| pairs.requests(list)).transpose()?;
        let show = &self.arguments.show;
        let tallies = matching::ask(&self.door, queries, show, requests.as_mut()).await?;
        requests.map(Requests::close).transpose()?;
        let table = Table::new(format!("{}, {list}", self.title), tallies);
        table.print();
        Ok(table)
    }
}

/// Prints how many loaded values are of the closed lists, and what the tables made of the given ones; true when every
/// column reaches its bar.
async fn closed_lists(world: &World, read_model: &PgPool) -> anyhow::Result<bool> {
    let shares = vocabulary::shares(read_model).await?;
    report::shares(&shares);
    let mut pairs = vocabulary::Pairs::default();
    for kind in [RecordKind::Person, RecordKind::Company] {
        pairs.read(world.file(kind))?;
    }
    report::pairs(&pairs.commonest());
    Ok(shares.iter().all(Share::reaches))
}
