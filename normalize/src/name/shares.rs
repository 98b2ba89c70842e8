//! How common a name is: of all people, the part that bears it.
//!
//! From the United States' census of 1990 (`tables/README.md`). It knows 95 of a hundred names that are met in its country, of
//! others those that came with their bearers; a name that it does not know is rarer there than one in a hundred thousand.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::table;

const MILLION: f64 = 1_000_000.0;

type Shares = HashMap<&'static str, f64>;

static GIVEN: LazyLock<Shares> =
    LazyLock::new(|| shares(include_str!("../../tables/given_names.tsv")));
static FAMILY: LazyLock<Shares> =
    LazyLock::new(|| shares(include_str!("../../tables/surnames.tsv")));

fn shares(file: &'static str) -> Shares {
    let read = |line: &'static str| {
        let (name, per_million) = line.split_once('\t')?;
        Some((name, per_million.parse::<f64>().ok()? / MILLION))
    };
    table::lines(file).filter_map(read).collect()
}

/// The part of all people who bear a folded given name; `None` for one that no table knows.
#[must_use]
pub fn given(name: &str) -> Option<f64> {
    GIVEN.get(name).copied()
}

/// The part of all people who bear a folded family name, its words joined; `None` for one that no table knows.
#[must_use]
pub fn family(name: &str) -> Option<f64> {
    FAMILY.get(name).copied()
}

/// Whether ten times as many have a folded name as a given name than as a family name: `linda`, not `martin`.
#[must_use]
pub fn is_more_given(name: &str) -> bool {
    given(name).is_some_and(|given| given >= 10.0 * family(name).unwrap_or_default())
}

/// Whether a folded name is known as a family name, and not for a given one: `casanova`, not `linda`.
#[must_use]
pub fn is_family(name: &str) -> bool {
    family(name).is_some() && !is_more_given(name)
}

#[cfg(test)]
mod tests {
    use super::{family, given, is_family, is_more_given};

    #[test]
    fn a_common_name_has_a_greater_part_than_a_rare_one() {
        assert!(family("smith") > Some(0.005) && family("okafor") < family("smith"));
        assert!(given("mary") > given("maya") && given("maya") > Some(0.0));
        assert_eq!((given("zzyzx"), family("zzyzx")), (None, None));
        assert!(is_more_given("linda") && !is_more_given("martin") && !is_more_given("zzyzx"));
        assert!(is_family("martin") && !is_family("linda") && !is_family("zzyzx"));
    }
}
