//! The clocks of all services step by an hour, forward and back, as often as the seed says. Those of Postgres and Kafka go on.

use std::path::Path;

use tokio::time::sleep;

use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};
use crate::process::temporary_folder;

/// Debian's package `libfaketime`.
const LIBRARY: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    if !Path::new(LIBRARY).is_file() {
        return Ok(Seen {
            skipped: Some("apt-get install libfaketime"),
            ..Seen::default()
        });
    }
    let folder = temporary_folder("clocks")?;
    let clock = folder.join("clock");
    std::fs::write(&clock, "+0s")?;
    let needs = Needs {
        settings: vec![
            ("LD_PRELOAD", LIBRARY.to_owned()),
            ("FAKETIME_TIMESTAMP_FILE", clock.display().to_string()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            // A step changes what time of day it is, not how long anything takes.
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ],
        ..Needs::default()
    };
    let mut world = World::start("clocks", plan, needs).await?;
    let load = world.load();
    for _ in 0..plan.choose(4, 20) {
        load.until_paid(50).await?;
        let step = ["+0s", "+3600s", "-3600s"];
        let step = step.get(world.random.below(3) as usize).copied();
        std::fs::write(&clock, step.unwrap_or("+0s"))?;
        sleep(world.random.millis(500, 4_000)).await;
    }
    load.until_paid(100).await?;
    let seen = world.finish(load, Allowed::default()).await;
    std::fs::remove_dir_all(&folder)?;
    seen
}
