//! How much goes wrong in one schedule. Chosen by the seed: some schedules are calm but for one kind of fault.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Chances in 1,000, and times in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Faults {
    pub(super) owners: usize,
    /// Of a statement to be lost on its way to the store.
    pub(super) lost_before: u32,
    /// Of its answer to be lost.
    pub(super) lost_after: u32,
    /// Of a statement to be carried out after its sender stopped waiting.
    pub(super) late: u32,
    /// Of a call to or an answer from an owner to be lost.
    pub(super) call_lost: u32,
    /// Of a caller to hang up.
    pub(super) hang_up: u32,
    /// Of a client to send its named request twice at once.
    pub(super) twice: u32,
    /// Mean time between crashes of an owner; 0 = none.
    pub(super) crash_every: u64,
    /// Mean time between pauses of an owner; 0 = none.
    pub(super) pause_every: u64,
    /// Mean time between leases taken by force; 0 = none.
    pub(super) steal_every: u64,
    /// Mean time between cuts of an owner from the store; 0 = none.
    pub(super) cut_every: u64,
    /// Mean time between steps of a wall clock; 0 = none.
    pub(super) step_every: u64,
    /// Longest way to the store and back.
    pub(super) latency: u64,
    /// Requests in all.
    pub(super) requests: usize,
    /// In which they begin.
    pub(super) length: u64,
    /// Requests a minute that one key may send.
    pub(super) rate_limit: u32,
    /// Of a request to take longer than its hold and claim live.
    pub(super) slow: u32,
    /// How long holds and claims live.
    pub(super) hold_timeout: u64,
    /// Memory of a shard: small, so that it is full.
    pub(super) max_cells: usize,
    pub(super) max_keys: usize,
    pub(super) max_holds: usize,
    pub(super) max_claims: usize,
    pub(super) max_windows: usize,
    pub(super) max_waiting: usize,
    pub(super) max_key_lookups: usize,
    /// Of a settle to come twice.
    pub(super) settled_twice: u32,
}

impl Faults {
    pub(super) fn of(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed ^ 0x5eed_fa17);
        let mut some = |most: u32| {
            if rng.random_bool(0.5) {
                0
            } else {
                rng.random_range(1..=most)
            }
        };
        let (lost_before, lost_after, late) = (some(150), some(150), some(150));
        let (call_lost, hang_up, twice) = (some(100), some(150), some(800));
        let mut every = || u64::from(some(8_000)).max(1) % 8_001;
        let [crash, pause, steal, step, cut] = std::array::from_fn(|_| match every() {
            1 => 0,
            mean => mean + 500,
        });
        Self {
            owners: rng.random_range(1..=3),
            lost_before,
            lost_after,
            late,
            call_lost,
            hang_up,
            twice,
            crash_every: crash,
            pause_every: pause,
            steal_every: steal,
            step_every: step,
            cut_every: cut,
            latency: rng.random_range(1..=60),
            requests: rng.random_range(5..=25),
            length: rng.random_range(10..=25_000),
            rate_limit: rng.random_range(4..=30),
            slow: if rng.random_bool(0.5) { 0 } else { 150 },
            hold_timeout: if rng.random_bool(0.7) { 40_000 } else { 5_000 },
            max_cells: rng.random_range(1..=6),
            max_keys: rng.random_range(1..=4),
            max_holds: small(&mut rng, 6),
            max_claims: small(&mut rng, 6),
            max_windows: small(&mut rng, 4),
            max_waiting: small(&mut rng, 8),
            max_key_lookups: rng.random_range(1..=3),
            settled_twice: if rng.random_bool(0.5) { 0 } else { 300 },
        }
    }
}

impl Faults {
    /// One process owns the shard from beginning to end.
    pub(super) const fn keeps_its_owner(&self) -> bool {
        self.owners == 1 && self.crash_every == 0 && self.steal_every == 0
    }
}

/// A limit that is met in some schedules and not in most: what stands behind it is to be tried, too.
fn small(rng: &mut StdRng, most: usize) -> usize {
    if rng.random_bool(0.25) {
        rng.random_range(1..=most)
    } else {
        1_000
    }
}
