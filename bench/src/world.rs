//! A stack with an active build of generated persons: loaded once, measured by whoever needs it.

use std::time::{Duration, Instant};

use anyhow::Context;
use sqlx::PgPool;
use tests::Stack;
use tests::servers::Servers;

use crate::lines::Generated;
use crate::measure::{Rate, whole};

/// How often the read model is asked how far the loading is.
const POLL: Duration = Duration::from_millis(100);
/// Longer than any build of a bench takes.
const LOADED_WITHIN: Duration = Duration::from_secs(3600);

/// What was loaded, and how long each part of it took.
pub(crate) struct World {
    pub(crate) stack: Stack,
    pub(crate) lines: Generated,
    rows: u64,
    total: Duration,
    pub(crate) phases: [(&'static str, Duration); 3],
}

impl World {
    /// Generates so many persons and loads them with `roster ingest`.
    pub(crate) async fn load(servers: &Servers, persons: u32) -> anyhow::Result<Self> {
        let lines = Generated::make(persons)?;
        let stack = Stack::start_on(servers).await?;
        let file = lines.file();
        let file = file.to_str().context("a path that is not UTF-8")?;
        let start = Instant::now();
        let arguments = ["ingest", "--kind", "person", file];
        let ingest = stack.roster_within(&arguments, LOADED_WITHIN);
        let (answer, [staged, loaded]) =
            tokio::try_join!(ingest, watch(stack.read_model(), start))?;
        let total = start.elapsed();
        let rows = answer
            .get("rows")
            .and_then(serde_json::Value::as_u64)
            .context("ingest said nothing of rows")?;
        Ok(Self {
            stack,
            lines,
            rows,
            total,
            phases: [
                ("staged and looked through", staged),
                ("normalized and copied", loaded.saturating_sub(staged)),
                ("ranked, indexed, activated", total.saturating_sub(loaded)),
            ],
        })
    }

    /// Persons a second, from the file to the active build.
    pub(crate) fn rate(&self) -> Rate {
        Rate {
            per_second: whole(self.rows) / self.total.as_secs_f64(),
            latency: None,
        }
    }
}

/// When the reference date was settled, and when the last chunk was loaded.
async fn watch(read_model: &PgPool, start: Instant) -> anyhow::Result<[Duration; 2]> {
    let mut staged = None;
    loop {
        let (is_settled, is_loaded): (bool, bool) = sqlx::query_as(
            "select exists (select from build_load),
                    exists (select from data_build b where b.chunks <=
                        (select count(*) from build_chunk c where c.build = b.build and c.state = 'loaded'))",
        )
        .fetch_one(read_model)
        .await?;
        if is_settled {
            staged = staged.or_else(|| Some(start.elapsed()));
        }
        if let Some(staged) = staged.filter(|_| is_loaded) {
            return Ok([staged, start.elapsed()]);
        }
        tokio::time::sleep(POLL).await;
    }
}
