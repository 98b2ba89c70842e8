//! A woman's and a man's name that are a letter apart are two names, also where they sound alike: `françoise` and `françois`.
//!
//! From lists of some forty languages (`tables/README.md`): each name stands in two of them at least, and as a name of its gender in
//! five times as many as one of the other.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::table;

static PAIRS: LazyLock<HashSet<(&str, &str)>> = LazyLock::new(|| {
    let lines = table::lines(include_str!("../../tables/given_name_counterparts.tsv"));
    lines.filter_map(|line| line.split_once('\t')).collect()
});

/// Whether of two folded given names, a letter apart, one is a woman's and the other a man's.
#[must_use]
pub fn are(a: &str, b: &str) -> bool {
    PAIRS.contains(&(a, b)) || PAIRS.contains(&(b, a))
}

#[cfg(test)]
mod tests {
    use super::are;

    #[test]
    fn two_spellings_of_one_name_are_no_counterparts() {
        assert!(are("francois", "francoise") && are("christina", "christian"));
        for (a, b) in [
            ("michael", "micheal"),
            ("marion", "marian"),
            ("zzyzx", "zzyzxe"),
        ] {
            assert!(!are(a, b), "{a} {b}");
        }
    }
}
