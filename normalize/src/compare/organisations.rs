//! Companies and schools, each by a name or by a domain.

use super::{Agreement, typo};
use crate::keys;

/// Shorter names that are one slip apart are two names.
const MIN_SLIPPED: usize = 6;
/// Fewer first letters stand for too many names.
const MIN_LETTERS: usize = 3;
/// The shortest name that may stand for a longer one which it begins.
const MIN_PART: usize = 4;

/// A name or domain read once, to be compared with many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organisation {
    /// As [`keys::company_name_key`] or [`keys::school_name_key`] writes it.
    key: String,
    /// As [`keys::company_whole_key`] writes it, for slips: a slip in a closing word hides what it is.
    whole: String,
    /// Of a domain: its own label, letters and digits only. `northwind-tools.example` → `northwindtools`
    label: Option<String>,
    /// Of a name: the first letters of its words, without and with the light ones; empty for one word or two.
    letters: [String; 2],
}

impl Organisation {
    /// A company's name, website or domain.
    #[must_use]
    pub fn company(text: &str) -> Self {
        let words = keys::company_words(text);
        Self::of(
            keys::company_name_key(text),
            keys::company_whole_key(text),
            words,
        )
    }

    /// A school's name, website or domain.
    #[must_use]
    pub fn school(text: &str) -> Self {
        let key = keys::school_name_key(text);
        Self::of(key.clone(), key, keys::school_words(text))
    }

    fn of(key: String, whole: String, words: [Vec<String>; 2]) -> Self {
        let label = keys::domain_label(&key);
        let letters = if label.is_some() {
            Default::default()
        } else {
            words.map(|words| first_letters(&words))
        };
        Self {
            key,
            whole,
            label,
            letters,
        }
    }

    /// Whether it was given by a website or domain.
    #[must_use]
    pub const fn is_domain(&self) -> bool {
        self.label.is_some()
    }

    /// Whether the names are the same with their closing words: `acme group` is `acme` to [`Self::agreement`], not here.
    #[must_use]
    pub fn is_whole(&self, other: &Self) -> bool {
        self.whole == other.whole
    }

    /// How well two agree. A domain and a name never contradict each other: the one need not be made of the other.
    #[must_use]
    pub fn agreement(&self, other: &Self) -> Agreement {
        if self.key.is_empty() || other.key.is_empty() {
            return Agreement::Different;
        }
        match (&self.label, &other.label) {
            _ if self.key == other.key => Agreement::Same,
            (Some(a), Some(b)) if a == b => Agreement::Partial,
            (Some(_), Some(_)) => Agreement::Different,
            (Some(label), None) => other.is_made_into(label),
            (None, Some(label)) => self.is_made_into(label),
            (None, None) => self.by_names(other),
        }
    }

    fn is_made_into(&self, label: &str) -> Agreement {
        if self.key == label || (self.has_letters(label) && label.len() >= MIN_LETTERS) {
            Agreement::Near
        } else {
            Agreement::Partial
        }
    }

    fn by_names(&self, other: &Self) -> Agreement {
        let (a, b) = (self.key.as_str(), other.key.as_str());
        let is_slip = |a: &str, b: &str| a.len().min(b.len()) >= MIN_SLIPPED && typo::is_slip(a, b);
        let slipped = is_slip(a, b) || is_slip(&self.whole, &other.whole);
        let part = |short: &str, long: &str| short.len() >= MIN_PART && long.starts_with(short);
        if slipped || self.has_letters(b) || other.has_letters(a) {
            Agreement::Near
        } else if part(a, b) || part(b, a) {
            Agreement::Partial
        } else {
            Agreement::Different
        }
    }

    fn has_letters(&self, text: &str) -> bool {
        self.letters
            .iter()
            .any(|letters| !letters.is_empty() && letters == text)
    }
}

fn first_letters(words: &[String]) -> String {
    let letters: String = words
        .iter()
        .filter_map(|word| word.chars().next())
        .collect();
    if letters.len() < MIN_LETTERS {
        String::new()
    } else {
        letters
    }
}

#[cfg(test)]
mod tests {
    use crate::compare::{Agreement, companies, schools};

    #[test]
    fn a_company_is_the_same_whatever_its_form_and_spelling() {
        for (a, b) in [
            ("Coca-Cola Company", "the coca cola co."),
            ("Smith & Sons Ltd", "smith and sons"),
            ("US Senate", "united states senate"),
            ("U.S. Steel Corp", "united states steel corporation"),
            ("https://www.acme.com/about", "acme.com"),
            ("northwind intl", "Northwind International Inc."),
        ] {
            assert_eq!(companies(a, b), Agreement::Same, "{a} {b}");
            assert_eq!(companies(b, a), Agreement::Same, "{b} {a}");
        }
    }

    #[test]
    fn a_slip_first_letters_or_a_domain_of_the_name_are_near() {
        for (a, b) in [
            ("northwnid tools", "northwind tools"),
            ("IBM", "international business machines"),
            ("northwind-tools.example", "Northwind Tools, Inc."),
            ("ibm.com", "International Business Machines"),
        ] {
            assert_eq!(companies(a, b), Agreement::Near, "{a} {b}");
            assert_eq!(companies(a, b), companies(b, a), "{a} {b}");
        }
        assert_eq!(
            schools("MIT", "Massachusetts Institute of Technology"),
            Agreement::Near
        );
        assert_eq!(schools("UCLA", "ucla.edu"), Agreement::Near);
    }

    #[test]
    fn a_domain_and_a_name_never_contradict_each_other() {
        assert_eq!(companies("giii.com", "g-iii apparel"), Agreement::Partial);
        assert_eq!(companies("acme.com", "acme.de"), Agreement::Partial);
        assert_eq!(companies("acme.com", "initech.com"), Agreement::Different);
        assert_eq!(companies("acme", "initech"), Agreement::Different);
        assert_eq!(
            companies("acme", "acme holdings europe"),
            Agreement::Partial
        );
    }
}
