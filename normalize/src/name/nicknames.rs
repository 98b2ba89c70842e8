//! Given names and their short forms: `william` is asked for as `bill`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::table;

static FORMS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut forms: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in table::lines(include_str!("../../tables/nicknames.tsv")) {
        let mut names = line.split_whitespace();
        let Some(formal) = names.next() else { continue };
        for short in names {
            forms.entry(formal).or_default().push(short);
            forms.entry(short).or_default().push(formal);
        }
    }
    forms
});

/// The other forms of a folded given name; a short form gives its formal names, a formal name its short forms.
#[must_use]
pub fn forms(name: &str) -> &'static [&'static str] {
    FORMS.get(name).map_or(&[], Vec::as_slice)
}

/// True when one is a form of the other, or both are short for one name.
#[must_use]
pub fn are_forms(a: &str, b: &str) -> bool {
    let of_a = forms(a);
    of_a.contains(&b) || forms(b).iter().any(|form| of_a.contains(form))
}
