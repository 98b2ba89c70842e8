//! How often something can be done in a second, by so many workers at once.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;

/// How a bench is run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) rounds: u32,
    /// Of one measurement.
    pub(crate) length: Duration,
    /// Of a large build.
    pub(crate) persons: u32,
}

/// What one measurement found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    pub(crate) per_second: f64,
    /// Of one act, in milliseconds; none where it is not known.
    pub(crate) latency: Option<Latency>,
}

/// In milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Latency {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

/// Acts again and again with `workers` workers for `length`. An act gives how many things it did; the first that fails
/// ends the measurement.
pub(crate) async fn rate<A, F>(workers: usize, length: Duration, act: A) -> anyhow::Result<Rate>
where
    A: Fn(usize) -> F + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<u64>> + Send,
{
    let act = Arc::new(act);
    let start = Instant::now();
    let tasks: Vec<_> = (0..workers)
        .map(|worker| {
            let act = Arc::clone(&act);
            tokio::spawn(async move {
                let (mut done, mut times) = (0, Vec::new());
                while start.elapsed() < length {
                    let before = Instant::now();
                    done += act(worker).await?;
                    times.push(before.elapsed());
                }
                anyhow::Ok((done, times))
            })
        })
        .collect();
    let (mut done, mut times) = (0_u64, Vec::new());
    for task in tasks {
        let (of_worker, of_times) = task.await.context("a worker ended early")??;
        done += of_worker;
        times.extend(of_times);
    }
    let seconds = start.elapsed().as_secs_f64();
    times.sort_unstable();
    Ok(Rate {
        per_second: whole(done) / seconds,
        latency: latency(&times),
    })
}

/// A count as a figure to divide by: far below the 2^53 up to which this is exact.
#[allow(clippy::cast_precision_loss)]
pub(crate) const fn whole(count: u64) -> f64 {
    count as f64
}

fn latency(sorted: &[Duration]) -> Option<Latency> {
    let at = |percent: usize| {
        let index = (sorted.len() * percent / 100).min(sorted.len().checked_sub(1)?);
        Some(sorted.get(index)?.as_secs_f64() * 1_000.0)
    };
    Some(Latency {
        p50: at(50)?,
        p99: at(99)?,
    })
}

/// The middle one by rate.
pub(crate) fn median(mut rates: Vec<Rate>) -> Option<Rate> {
    rates.sort_by(|a, b| a.per_second.total_cmp(&b.per_second));
    rates.get(rates.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn of(per_second: f64) -> Rate {
        Rate {
            per_second,
            latency: None,
        }
    }

    #[test]
    fn the_median_is_the_middle_round() {
        let middle = median(vec![of(9.0), of(1.0), of(5.0)]).unwrap();
        assert!((middle.per_second - 5.0).abs() < f64::EPSILON);
        assert!(median(Vec::new()).is_none());
    }

    #[test]
    fn percentiles_are_those_of_the_sorted_times() {
        let times: Vec<_> = (1..=100).map(Duration::from_millis).collect();
        let found = latency(&times).unwrap();
        assert!(
            (found.p50 - 51.0).abs() < 1e-9 && (found.p99 - 100.0).abs() < 1e-9,
            "{found:?}"
        );
        assert!(latency(&[]).is_none());
    }

    #[tokio::test]
    async fn an_act_that_fails_ends_the_measurement() {
        let failed = rate(2, Duration::from_secs(60), async |_| anyhow::bail!("no")).await;
        assert!(failed.is_err());
    }
}
