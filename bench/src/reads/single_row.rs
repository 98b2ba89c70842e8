//! `pgbench -S` on the active build: a prepared statement that reads one row by its primary key.

use std::process::Stdio;
use std::time::Duration;

use ::tests::Stack;
use anyhow::{Context, ensure};
use tokio::process::Command;

use crate::measure::Rate;
use crate::reads::PERSONS;

const CLIENTS: &str = "16";

pub(crate) async fn measure(stack: &Stack, length: Duration) -> anyhow::Result<Rate> {
    let schema: String =
        sqlx::query_scalar("SELECT schema_name FROM active_build WHERE kind = 'person'")
            .fetch_one(stack.read_model())
            .await?;
    let script = stack.file("single_row.sql");
    let text =
        format!("\\set n random(1, {PERSONS})\nSELECT doc FROM {schema}.person WHERE rank = :n;\n");
    std::fs::write(&script, text)?;
    let program = std::env::var("PGBENCH").unwrap_or_else(|_| "pgbench".to_owned());
    let output = Command::new(&program)
        .args([
            "--no-vacuum",
            "--protocol=prepared",
            "--jobs=2",
            "--client",
            CLIENTS,
            "--time",
        ])
        .arg(length.as_secs().to_string())
        .arg("--file")
        .arg(&script)
        .arg(&stack.read_model_url)
        .stdin(Stdio::null())
        .output()
        .await
        .with_context(|| format!("{program} cannot be run; PGBENCH names its path"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success(),
        "{program}: {said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    read(&said).with_context(|| format!("{program} said nothing that can be read: {said}"))
}

/// `tps = 40000.1 (without initial connection time)`; it gives no percentiles.
fn read(said: &str) -> Option<Rate> {
    let rest = said.lines().find_map(|line| line.strip_prefix("tps = "))?;
    let per_second = rest.split_whitespace().next()?.parse().ok()?;
    Some(Rate {
        per_second,
        latency: None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_figures_of_pgbench_are_read() {
        let said = "number of failed transactions: 0 (0.000%)\nlatency average = 0.381 ms\ninitial connection time = 21 ms\n\
                    tps = 41982.5 (without initial connection time)\n";
        let rate = read(said).unwrap();
        assert!((rate.per_second - 41_982.5).abs() < 1e-9);
        assert!(read("nothing").is_none());
    }
}
