//! When and how: a seed, and what is drawn from it.

use std::time::Duration;

/// Numbers that follow from a seed (SplitMix64): the same schedule for the same seed, on every machine.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The numbers of `seed`; another `stream` of one seed has others.
    #[must_use]
    pub fn of(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.draw();
        random
    }

    /// The next number of all.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u32) -> u32 {
        let number = self.draw() % u64::from(end.max(1));
        u32::try_from(number).unwrap_or_default()
    }

    /// Milliseconds of `from..to`.
    pub fn millis(&mut self, from: u32, to: u32) -> Duration {
        Duration::from_millis(u64::from(from + self.below(to.saturating_sub(from))))
    }
}

/// How long a fault lasts, and by which seed.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// What the schedule and the requests follow from.
    pub seed: u64,
    /// A few seconds, for the system tests; else as long as `make chaos` takes.
    pub is_short: bool,
}

impl Plan {
    /// The one of both that holds.
    #[must_use]
    pub fn choose<T>(&self, short: T, full: T) -> T {
        if self.is_short { short } else { full }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_again_and_each_stream_others() {
        let numbers = |seed, stream| {
            let mut random = Random::of(seed, stream);
            std::array::from_fn::<u64, 4, _>(|_| random.draw())
        };
        assert_eq!(numbers(7, 1), numbers(7, 1));
        assert_ne!(numbers(7, 1), numbers(7, 2));
        assert_ne!(numbers(7, 1), numbers(8, 1));
        assert!((0..1_000).all(|seed| Random::of(seed, 0).below(3) < 3));
    }
}
