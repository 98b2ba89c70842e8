//! Given names and their short forms: `william` is asked for as `bill`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::table;

/// A name's other forms, of either direction, and its formal names among them.
#[derive(Default)]
struct Forms {
    all: Vec<&'static str>,
    formal: Vec<&'static str>,
}

static FORMS: LazyLock<HashMap<&'static str, Forms>> = LazyLock::new(|| {
    let mut forms: HashMap<&str, Forms> = HashMap::new();
    for line in table::lines(include_str!("../../tables/nicknames.tsv")) {
        let mut names = line.split_whitespace();
        let Some(formal) = names.next() else { continue };
        for short in names {
            forms.entry(formal).or_default().all.push(short);
            let of_short = forms.entry(short).or_default();
            of_short.all.push(formal);
            of_short.formal.push(formal);
        }
    }
    forms
});

/// The other forms of a folded given name; a short form gives its formal names, a formal name its short forms.
#[must_use]
pub fn forms(name: &str) -> &'static [&'static str] {
    FORMS.get(name).map_or(&[], |forms| &forms.all)
}

/// True for a given name of the table, in whichever form.
#[must_use]
pub fn is_known(name: &str) -> bool {
    FORMS.contains_key(name)
}

/// True when one is a form of the other, or both are short for one name. Two names with one short form are two: `chuck`
/// may be a charles or a charlotte, who is no charles.
#[must_use]
pub fn are_forms(a: &str, b: &str) -> bool {
    let formal = |name: &str| FORMS.get(name).map_or(&[][..], |forms| &forms.formal);
    forms(a).contains(&b) || formal(a).iter().any(|name| formal(b).contains(name))
}
