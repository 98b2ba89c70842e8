//! How often something can be done in a second, by so many workers at once.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::task::JoinSet;

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

/// More acts than this at a time end an open loop: what comes faster than it is done never ends.
const MAX_AT_ONCE: usize = 200_000;

/// Begins acts at a rate, for `length`, whether or not those before have ended. The time of an act counts from when it should have
/// begun, so that waiting for a place in the queue is part of it.
pub(crate) async fn open_loop<A, F>(
    per_second: f64,
    length: Duration,
    act: A,
) -> anyhow::Result<Rate>
where
    A: Fn() -> F + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<u64>> + Send + 'static,
{
    let start = Instant::now();
    let mut acts = JoinSet::new();
    let (mut done, mut times) = (0_u64, Vec::new());
    let mut begun = 0_u64;
    let mut tick = tokio::time::interval(Duration::from_millis(1));
    while start.elapsed() < length {
        tick.tick().await;
        while whole(begun) < start.elapsed().as_secs_f64() * per_second {
            let due = start + Duration::from_secs_f64(whole(begun) / per_second);
            let act = act();
            acts.spawn(async move { anyhow::Ok((act.await?, due.elapsed())) });
            begun += 1;
        }
        while let Some(ended) = acts.try_join_next() {
            let (count, time) = ended.context("an act ended early")??;
            done += count;
            times.push(time);
        }
        anyhow::ensure!(
            acts.len() < MAX_AT_ONCE,
            "{per_second:.0} a second is more than is done"
        );
    }
    let seconds = start.elapsed().as_secs_f64();
    while let Some(ended) = acts.join_next().await {
        let (count, time) = ended.context("an act ended early")??;
        done += count;
        times.push(time);
    }
    times.sort_unstable();
    Ok(Rate {
        per_second: whole(done) / seconds,
        latency: latency(&times),
    })
}

/// A count as a figure to divide by: far below the 2^53 up to which this is exact.
pub(crate) const fn whole(count: u64) -> f64 {
    count as f64
}

/// Percentiles of sorted times.
pub(crate) fn latency(sorted: &[Duration]) -> Option<Latency> {
    let at = |percent: usize| {
        let index = (sorted.len() * percent / 100).min(sorted.len().checked_sub(1)?);
        Some(sorted.get(index)?.as_secs_f64() * 1_000.0)
    };
    Some(Latency {
        p50: at(50)?,
        p99: at(99)?,
    })
}

/// The median of each figure by itself: the round of the median rate says nothing of the others' times.
pub(crate) fn median(rates: &[Rate]) -> Option<Rate> {
    let latencies: Vec<_> = rates.iter().filter_map(|rate| rate.latency).collect();
    Some(Rate {
        per_second: middle(rates.iter().map(|rate| rate.per_second))?,
        latency: median_latency(&latencies),
    })
}

/// As [`median`].
pub(crate) fn median_latency(latencies: &[Latency]) -> Option<Latency> {
    Some(Latency {
        p50: middle(latencies.iter().map(|latency| latency.p50))?,
        p99: middle(latencies.iter().map(|latency| latency.p99))?,
    })
}

fn middle(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let mut figures: Vec<_> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_has_a_median_of_its_own() {
        let of = |per_second, p99| Rate {
            per_second,
            latency: Some(Latency { p50: 1.0, p99 }),
        };
        let middle = median(&[of(9.0, 20.0), of(1.0, 30.0), of(5.0, 90.0)]).unwrap();
        assert!((middle.per_second - 5.0).abs() < f64::EPSILON);
        assert!((middle.latency.unwrap().p99 - 30.0).abs() < f64::EPSILON);
        assert!(median(&[]).is_none());
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
        let failed = open_loop(1e3, Duration::from_secs(60), async || anyhow::bail!("no")).await;
        assert!(failed.is_err());
    }
}
