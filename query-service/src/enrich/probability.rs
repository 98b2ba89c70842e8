//! From evidence to probability: how likely each candidate is the one who is meant, against every other and against somebody
//! whom the build does not know.

/// Whom a request could mean besides those of the build: so many people, at least, since a small build is no small world, and so
/// many for each record.
const WORLD: f64 = 65_536.0;
const OTHERS_PER_RECORD: f64 = 0.1;

/// The probability of each candidate by its bits of evidence, in a build of so many records. Together they are less than 1: the
/// rest is somebody else.
#[must_use]
pub fn probabilities(bits: &[f64], rows: u32) -> Vec<f64> {
    let odds = |bits: &f64| bits.clamp(-200.0, 200.0).exp2();
    let others = (f64::from(rows) * OTHERS_PER_RECORD).max(WORLD);
    let all: f64 = bits.iter().map(odds).sum::<f64>() + others;
    bits.iter().map(|one| odds(one) / all).collect()
}

#[cfg(test)]
mod tests {
    use super::probabilities;

    #[test]
    fn one_who_stands_alone_is_sure_and_two_alike_share() {
        let alone = probabilities(&[40.0, 10.0], 1_000);
        assert!(alone.first() > Some(&0.999));
        let alike = probabilities(&[40.0, 40.0], 1_000);
        assert!(alike.iter().all(|one| (0.49..0.51).contains(one)));
        let weak = probabilities(&[10.0], 1_000);
        assert!(weak.first() < Some(&0.1));
    }
}
