//! The simulator: several owners of one shard over one store, with clients and operators, in virtual time.
//!
//! Everything that can go wrong does, by a seed: owners crash, pause and lose their leases; statements are lost before and
//! after they were carried out, or carried out late; answers are lost; callers hang up and repeat; clocks step. After each run
//! the history is checked against what was promised (`checks.rs`). The same seed is the same run.

mod checks;
mod clients;
mod faults;
mod history;
mod operators;
mod owners;
mod people;
mod plan;
mod postgres;
mod schedules;
mod world;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Mutant;
use faults::Faults;
use history::Counts;
use world::World;

/// Runs one schedule; what is broken, if anything, and what happened.
fn run(seed: u64, mutant: Option<Mutant>) -> (Vec<String>, Counts) {
    let mut world = World::new(seed, Faults::of(seed), mutant);
    world.run();
    let (broken, later_windows) = checks::broken(&world);
    world.history.counts.later_windows = later_windows;
    (broken, world.history.counts)
}

/// Runs schedules on all processors until one is broken; which one, or what happened in all.
fn run_all(first: u64, count: u64, mutant: Option<Mutant>) -> Result<Counts, (u64, Vec<String>)> {
    let next = AtomicU64::new(first);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let one = || {
        let mut all = Counts::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return Ok(all);
            }
            let (broken, counts) = run(seed, mutant);
            if !broken.is_empty() {
                // The others stop at their next one.
                next.store(first + count, Ordering::Relaxed);
                return Err((seed, broken));
            }
            all.add(&counts);
        }
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        let mut all = Counts::default();
        for thread in running {
            all.add(&thread.join().unwrap()?);
        }
        Ok(all)
    })
}

fn schedules(default: u64) -> (u64, u64) {
    let of = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    (of("FIRST").unwrap_or(0), of("SEEDS").unwrap_or(default))
}

/// `make sim SEEDS=… FIRST=…` runs others and more.
#[test]
#[expect(clippy::print_stdout, reason = "what happened is worth a look")]
fn no_schedule_breaks_a_promise() {
    let (first, count) = schedules(100_000);
    match run_all(first, count, None) {
        Ok(counts) => {
            println!("{count} schedules from {first}: {counts:?}");
            if count >= 1_000 {
                counts.assert_that_everything_happened();
            }
        }
        Err((seed, broken)) => panic!(
            "FIRST={seed} SEEDS=1 make sim repeats it:\n{}\n{:?}",
            broken.join("\n"),
            Faults::of(seed)
        ),
    }
}

#[test]
fn a_seed_is_a_schedule() {
    for seed in 0..20 {
        let told = |(broken, counts): (Vec<String>, Counts)| (broken, format!("{counts:?}"));
        assert_eq!(told(run(seed, None)), told(run(seed, None)));
    }
}

/// Each fault of earlier logic or of a rule left out, by what it breaks.
#[test]
fn every_fault_of_earlier_logic_is_found() {
    let faults = BTreeMap::from([
        ("one charge a name", Mutant::NameTrustsMemory),
        ("rate limit", Mutant::WindowResets),
        ("revoked key", Mutant::KeysFollowAnswers),
        ("told that nothing", Mutant::UnknownIsNothing),
        ("the ledger is told to end", Mutant::LooksBehind),
        ("a contract that was ended", Mutant::EndedServes),
    ]);
    for (promise, mutant) in faults {
        match run_all(0, 10_000, Some(mutant)) {
            Ok(_) => panic!("{mutant:?} is not found in 10,000 schedules"),
            Err((seed, broken)) => {
                let is_why = broken.iter().any(|broken| broken.contains(promise));
                assert!(is_why, "{mutant:?} by seed {seed}: {broken:?}");
            }
        }
    }
}
