//! How well two normalized values agree, for the scoring of candidates. Pure and symmetric.

use crate::name::{self, nicknames};
use crate::{keys, text};

/// How two names of persons agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameAgreement {
    /// They contradict each other.
    Different,
    /// They could be one person's: a word agrees, none contradicts.
    Weak,
    /// They agree but for initials, nicknames, middle names, accents or word order.
    Strong,
    /// Given and family name are the same.
    Exact,
}

/// How two other values agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agreement {
    /// They contradict each other.
    Different,
    /// One contains the other.
    Partial,
    /// They are the same but for spelling.
    Same,
}

/// Names of persons in any form.
#[must_use]
pub fn names(a: &str, b: &str) -> NameAgreement {
    let (Ok(a), Ok(b)) = (name::full(a), name::full(b)) else {
        return NameAgreement::Different;
    };
    if a.cleaned == b.cleaned {
        return NameAgreement::Exact;
    }
    let (first_a, first_b) = (part(a.first.as_deref()), part(b.first.as_deref()));
    let (last_a, last_b) = (part(a.last.as_deref()), part(b.last.as_deref()));
    let (middle_a, middle_b) = (part(a.middle.as_deref()), part(b.middle.as_deref()));
    if first_a == last_b && last_a == first_b && !last_a.is_empty() {
        return NameAgreement::Strong;
    }
    let last = last_a == last_b || shares_word(a.last.as_deref(), b.last.as_deref());
    if !last {
        return NameAgreement::Different;
    }
    if first_a == first_b {
        return if middles_agree(&middle_a, &middle_b) {
            NameAgreement::Exact
        } else {
            NameAgreement::Weak
        };
    }
    let given = starts(&first_a, &first_b)
        || nicknames::are_forms(&first_a, &first_b)
        || first_a == middle_b
        || first_b == middle_a;
    if given && middles_agree(&middle_a, &middle_b) {
        NameAgreement::Strong
    } else if given {
        NameAgreement::Weak
    } else {
        NameAgreement::Different
    }
}

/// Names, websites or domains of companies.
#[must_use]
pub fn companies(a: &str, b: &str) -> Agreement {
    let (a, b) = (keys::company_name_key(a), keys::company_name_key(b));
    if a == b {
        Agreement::Same
    } else if !a.is_empty() && !b.is_empty() && (a.starts_with(&b) || b.starts_with(&a)) {
        Agreement::Partial
    } else {
        Agreement::Different
    }
}

/// Names of places.
#[must_use]
pub fn places(a: &str, b: &str) -> Agreement {
    words(a, b)
}

/// Job titles, abbreviations written out.
#[must_use]
pub fn titles(a: &str, b: &str) -> Agreement {
    let clean = |title: &str| crate::title::clean(title).unwrap_or_default();
    words(&clean(a), &clean(b))
}

fn words(a: &str, b: &str) -> Agreement {
    let (a, b) = (text::fold(a), text::fold(b));
    if a == b {
        return Agreement::Same;
    }
    let within = |small: &str, large: &str| {
        !small.is_empty()
            && small
                .split(' ')
                .all(|word| large.split(' ').any(|other| other == word))
    };
    if within(&a, &b) || within(&b, &a) {
        Agreement::Partial
    } else {
        Agreement::Different
    }
}

fn part(part: Option<&str>) -> String {
    text::fold(part.unwrap_or("")).replace(' ', "")
}

/// An absent middle name agrees with any, an initial with what it starts.
fn middles_agree(a: &str, b: &str) -> bool {
    a.is_empty() || b.is_empty() || starts(a, b)
}

/// One is the initial of the other, or they are the same.
fn starts(a: &str, b: &str) -> bool {
    a == b || (a.len() == 1 && b.starts_with(a)) || (b.len() == 1 && a.starts_with(b))
}

fn shares_word(a: Option<&str>, b: Option<&str>) -> bool {
    let (a, b) = (text::fold(a.unwrap_or("")), text::fold(b.unwrap_or("")));
    a.split(' ')
        .filter(|word| word.len() > 1 && !name::is_particle(word))
        .any(|word| b.split(' ').any(|other| other == word))
}
