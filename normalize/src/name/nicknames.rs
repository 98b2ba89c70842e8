//! Given names and their other forms: `william` is asked for as `bill`, `hussein` as `husain`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::table;

/// A name's other forms, of either direction.
#[derive(Default)]
struct Forms {
    all: Vec<&'static str>,
    /// Those of the narrower of the two tables, and the formal names among them.
    frequent: Vec<&'static str>,
    formal: Vec<&'static str>,
}

static FORMS: LazyLock<HashMap<&'static str, Forms>> = LazyLock::new(|| {
    let mut forms: HashMap<&str, Forms> = HashMap::new();
    for line in table::lines(include_str!("../../tables/nicknames.tsv")) {
        let mut names = line.split_whitespace();
        let Some(formal) = names.next() else { continue };
        for short in names {
            let of_formal = forms.entry(formal).or_default();
            of_formal.all.push(short);
            of_formal.frequent.push(short);
            let of_short = forms.entry(short).or_default();
            of_short.all.push(formal);
            of_short.frequent.push(formal);
            of_short.formal.push(formal);
        }
    }
    for line in table::lines(include_str!("../../tables/given_name_forms.txt")) {
        let mut names = line.split_whitespace();
        let Some(name) = names.next() else { continue };
        for form in names {
            forms.entry(name).or_default().all.push(form);
            forms.entry(form).or_default().all.push(name);
        }
    }
    forms
});

/// The other forms of a folded given name; a short form gives its formal names, a formal name its short forms.
#[must_use]
pub fn forms(name: &str) -> &'static [&'static str] {
    FORMS.get(name).map_or(&[], |forms| &forms.all)
}

/// The frequent ones among them: by these a name without any context is looked for.
#[must_use]
pub fn frequent_forms(name: &str) -> &'static [&'static str] {
    FORMS.get(name).map_or(&[], |forms| &forms.frequent)
}

/// True for a given name of the narrower table, in whichever form.
#[must_use]
pub fn is_known(name: &str) -> bool {
    !frequent_forms(name).is_empty()
}

/// True when one is a form of the other, or both are short for one name. Two names with one short form are two: `chuck`
/// may be a charles or a charlotte, who is no charles.
#[must_use]
pub fn are_forms(a: &str, b: &str) -> bool {
    let formal = |name: &str| FORMS.get(name).map_or(&[][..], |forms| &forms.formal);
    forms(a).contains(&b) || formal(a).iter().any(|name| formal(b).contains(name))
}
