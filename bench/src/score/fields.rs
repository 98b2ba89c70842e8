//! The fields of `/utility/clean`: every case of `normalize/cases` over HTTP, by the scorer that lies beside them.

use std::path::{Path, PathBuf};

use anyhow::Context;
use tests::Stack;
use tokio::process::Command;

/// More than there are cases.
const CREDITS: i64 = 1_000_000;

/// Which cases are asked, and the file that holds the least percent of each field.
const ROUNDS: [(&[&str], &str); 2] = [
    (&["--fails", "5"], "floor.json"),
    (&["--closed"], "floor_closed.json"),
];

/// Prints the table of all cases and that of the cases that `docs/CANON.md` settles; true when every field reaches
/// its bar in both.
pub(crate) async fn score() -> anyhow::Result<bool> {
    let stack = Stack::start().await?;
    let customer = stack.customer(CREDITS).await?;
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../normalize/cases");
    let mut reached = true;
    for (options, floor) in ROUNDS {
        let floor: PathBuf = cases.join(floor);
        let status = Command::new("python3")
            .arg(cases.join("score.py"))
            .args(["--url", customer.query_url(), "--key", &customer.api_key])
            .args(options)
            .arg("--floor")
            .arg(floor)
            .kill_on_drop(true)
            .status()
            .await
            .context("python3 cannot be started")?;
        reached &= status.success();
    }
    Ok(reached)
}
