//! The column files of the active build, mapped by this process and searched on one thread.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use column_files::{Columns, Manifest, Page, Search, Start};
use serde_json::{Map, Value};
use sqlx::types::Json;

use super::queries::Asked;
use super::{Timed, postgres};
use crate::world::World;

const LIMIT: u32 = 100;

pub(crate) struct Engine {
    columns: Arc<Columns>,
}

impl Engine {
    /// Opens the files where projector put them.
    pub(crate) async fn open(world: &World) -> anyhow::Result<Self> {
        let files: Json<Value> = sqlx::query_scalar(
            "select b.search_files from data_build b join active_build a using (build) where a.kind = 'person'",
        )
        .fetch_one(world.stack.read_model())
        .await
        .context("the active build has no search files")?;
        let object = files.0.get("manifest").and_then(Value::as_str);
        let manifest: PathBuf = world.stack.objects().join(object.context("no manifest")?);
        let folder = manifest.parent().context("a manifest without a folder")?;
        let named: Manifest = serde_json::from_slice(&std::fs::read(&manifest)?)?;
        Ok(Self {
            columns: Arc::new(Columns::open(folder, &named)?),
        })
    }

    pub(crate) fn rows(&self) -> u32 {
        self.columns.rows()
    }

    /// A record from the middle of the build that has every value which the queries ask for.
    pub(crate) async fn middle_record(&self, world: &World) -> anyhow::Result<Map<String, Value>> {
        postgres::record_from(world, self.rows() / 2).await
    }

    /// Each query a few times, after once to warm it.
    pub(crate) fn run(&self, queries: &[Asked], runs: usize) -> anyhow::Result<Vec<Timed>> {
        queries.iter().map(|asked| self.time(asked, runs)).collect()
    }

    fn time(&self, asked: &Asked, runs: usize) -> anyhow::Result<Timed> {
        let page = Page {
            limit: LIMIT,
            start: Start::Offset(asked.offset),
        };
        let mut times = Vec::new();
        let mut last = None;
        for _ in 0..=runs {
            let start = Instant::now();
            let search = Search::new(Arc::clone(&self.columns), &asked.query, page, None);
            let found = search.run()?;
            times.push(start.elapsed().as_secs_f64() * 1_000.0);
            last = Some(found);
        }
        let warm = times.get_mut(1..).unwrap_or_default();
        warm.sort_by(f64::total_cmp);
        let (total, ranks) = last.map_or((0, Vec::new()), |found| (found.total, found.ranks));
        Ok(Timed {
            total,
            ranks,
            milliseconds: warm.get(warm.len() / 2).copied().unwrap_or_default(),
        })
    }
}
