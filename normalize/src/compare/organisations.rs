//! Companies and schools, each by a name or by a domain.

use super::typo;
use crate::company::{self, Asides};
use crate::keys::{self, CompanyForm};

/// Shorter names that are one slip apart are two names.
const MIN_SLIPPED: usize = 5;
/// Names as short as this begin alike in spite of a slip, or are two names.
const SHORT: usize = 5;
/// Fewer first letters stand for too many names.
const MIN_LETTERS: usize = 3;
/// The shortest name that may stand for a longer one which it begins.
const MIN_PART: usize = 4;
/// So many words of its own say which company it is, whatever else is said.
const WORDS_THAT_SAY_WHICH: usize = 2;
/// Common words that may stand behind a name beyond its own.
const MOST_COMMON_END: usize = 3;

/// How two names of organisations stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrganisationFinding {
    /// They contradict each other.
    Different,
    /// One begins with the other: they could be the same.
    Partial,
    /// One has a word more, which could make it another: `northwind`, `northwind harrow`.
    Word,
    /// One has a word more that many have, of a kind or a trade: `northwind`, `northwind metals`.
    Kind,
    /// One is the first letters of the other: `ibm`.
    Letters,
    /// They differ by a slip or by words that say nothing (`services`), or one is a domain that is made of the other.
    Near,
    /// The same but for what stands beside one of them: a bracket, a former name.
    Beside,
    /// They are the same but for spelling.
    Same,
}

/// A name or domain read once, to be compared with many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organisation {
    /// All that was given, and then each name in it where something stands beside one.
    all: CompanyForm,
    readings: Vec<Reading>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    form: CompanyForm,
    /// Of a domain: its own label, letters and digits only. `northwind-tools.example` → `northwindtools`
    label: Option<String>,
    /// Of a name: the first letters of its words, without and with the light ones; empty for one word or two.
    letters: [String; 2],
}

impl Organisation {
    /// A company's name, website or domain.
    #[must_use]
    pub fn company(text: &str) -> Self {
        let all = CompanyForm::of(text);
        let readings = if Asides::of(text).is_some() {
            CompanyForm::readings(text)
        } else {
            vec![all.clone()]
        };
        Self::of(all, readings)
    }

    /// A school's name, website or domain.
    #[must_use]
    pub fn school(text: &str) -> Self {
        let key = keys::school_name_key(text);
        let form = CompanyForm {
            whole: key.clone(),
            key,
            words: Vec::new(),
            spelt: keys::school_words(text),
        };
        Self::of(form.clone(), vec![form])
    }

    fn of(all: CompanyForm, readings: Vec<CompanyForm>) -> Self {
        let readings = readings.into_iter().map(Reading::of).collect();
        Self { all, readings }
    }

    /// Whether it was given by a website or domain.
    #[must_use]
    pub fn is_domain(&self) -> bool {
        self.readings
            .first()
            .is_some_and(|reading| reading.label.is_some())
    }

    /// Whether a name of the one is a name of the other with its closing words: `acme group` is `acme` to [`Self::finding`], not here.
    #[must_use]
    pub fn is_whole(&self, other: &Self) -> bool {
        let is_among = |whole: &String| other.readings.iter().any(|one| one.form.whole == *whole);
        let mut names = self.readings.iter().map(|one| &one.form.whole);
        names.any(|whole| !whole.is_empty() && is_among(whole))
    }

    /// Whether it is so short that many have it as their first letters: `IBM`.
    #[must_use]
    pub fn is_short(&self) -> bool {
        let length = |reading: &Reading| reading.label.as_ref().unwrap_or(&reading.form.key).len();
        self.readings.iter().map(length).max() <= Some(MIN_LETTERS)
    }

    /// How two stand to each other; the nearest of their names counts. A domain and a name never contradict each other: the one need
    /// not be made of the other.
    #[must_use]
    pub fn finding(&self, other: &Self) -> OrganisationFinding {
        if !self.all.key.is_empty() && self.all.key == other.all.key {
            return OrganisationFinding::Same;
        }
        let is_beside = self.is_beside() || other.is_beside();
        let pairs = self
            .readings
            .iter()
            .flat_map(|a| other.readings.iter().map(move |b| a.finding(b)));
        match pairs.max().unwrap_or(OrganisationFinding::Different) {
            OrganisationFinding::Same if is_beside => OrganisationFinding::Beside,
            found => found,
        }
    }

    fn is_beside(&self) -> bool {
        !matches!(self.readings.as_slice(), [only] if only.form.key == self.all.key)
    }
}

impl Reading {
    fn of(form: CompanyForm) -> Self {
        let label = keys::domain_label(&form.key);
        let letters = if label.is_some() {
            Default::default()
        } else {
            form.spelt.each_ref().map(|words| first_letters(words))
        };
        Self {
            form,
            label,
            letters,
        }
    }

    fn finding(&self, other: &Self) -> OrganisationFinding {
        let (a, b) = (&self.form.key, &other.form.key);
        if a.is_empty() || b.is_empty() {
            return OrganisationFinding::Different;
        }
        match (&self.label, &other.label) {
            _ if a == b => OrganisationFinding::Same,
            (Some(a), Some(b)) if a == b => OrganisationFinding::Partial,
            (Some(_), Some(_)) => OrganisationFinding::Different,
            (Some(label), None) => other.is_made_into(label),
            (None, Some(label)) => self.is_made_into(label),
            (None, None) => self.by_names(other),
        }
    }

    fn is_made_into(&self, label: &str) -> OrganisationFinding {
        if self.form.key == label {
            OrganisationFinding::Near
        } else if self.has_letters(label) && label.len() >= MIN_LETTERS {
            OrganisationFinding::Letters
        } else {
            OrganisationFinding::Partial
        }
    }

    fn by_names(&self, other: &Self) -> OrganisationFinding {
        let (a, b) = (self.form.key.as_str(), other.form.key.as_str());
        let slipped = is_slip(a, b) || is_slip(&self.form.whole, &other.form.whole);
        let part = |short: &str, long: &str| short.len() >= MIN_PART && long.starts_with(short);
        if slipped {
            return OrganisationFinding::Near;
        }
        if self.has_letters(b) || other.has_letters(a) {
            return OrganisationFinding::Letters;
        }
        match by_words(&self.form.words, &other.form.words) {
            Some(found) => found,
            None if part(a, b) || part(b, a) => OrganisationFinding::Partial,
            None => OrganisationFinding::Different,
        }
    }

    fn has_letters(&self, text: &str) -> bool {
        self.letters
            .iter()
            .any(|letters| !letters.is_empty() && letters == text)
    }
}

fn is_slip(a: &str, b: &str) -> bool {
    let shorter = a.len().min(b.len());
    let begin_alike = a.bytes().next() == b.bytes().next();
    shorter >= MIN_SLIPPED && (shorter > SHORT || begin_alike) && typo::is_slip(a, b)
}

/// Two names of which one has words more: one word anywhere, or common ones at its end. Nothing where what they share is common.
fn by_words(a: &[String], b: &[String]) -> Option<OrganisationFinding> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let own = |words: &[String]| {
        let is_own = |word: &&String| word.len() > 1 && !company::is_common_word(word);
        words.iter().filter(is_own).count()
    };
    let more = long.len() - short.len();
    if more == 0 || own(short) == 0 {
        return None;
    }
    let alike = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let end = long.get(alike..)?;
    if more == 1 && short.get(alike..) == end.get(1..) {
        let is = |of: fn(&str) -> bool| end.first().is_some_and(|word| of(word));
        return Some(
            if own(short) >= WORDS_THAT_SAY_WHICH || is(company::is_light_word) {
                OrganisationFinding::Near
            } else if is(company::is_common_word) {
                OrganisationFinding::Kind
            } else {
                OrganisationFinding::Word
            },
        );
    }
    if alike < short.len() || more > MOST_COMMON_END {
        return None;
    }
    let all = |of: fn(&str) -> bool| end.iter().all(|word| of(word));
    if all(company::is_light_word) {
        Some(OrganisationFinding::Near)
    } else {
        all(company::is_common_word).then_some(OrganisationFinding::Kind)
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
    use crate::compare::{OrganisationFinding as Found, companies, schools};

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
            assert_eq!(companies(a, b), Found::Same, "{a} {b}");
            assert_eq!(companies(b, a), Found::Same, "{b} {a}");
        }
    }

    #[test]
    fn a_slip_first_letters_or_a_domain_of_the_name_are_near() {
        for (a, b, found) in [
            ("northwnid tools", "northwind tools", Found::Near),
            ("IBM", "international business machines", Found::Letters),
            (
                "northwind-tools.example",
                "Northwind Tools, Inc.",
                Found::Near,
            ),
            ("ibm.com", "International Business Machines", Found::Letters),
        ] {
            assert_eq!(companies(a, b), found, "{a} {b}");
            assert_eq!(companies(a, b), companies(b, a), "{a} {b}");
        }
        assert_eq!(
            schools("MIT", "Massachusetts Institute of Technology"),
            Found::Letters
        );
        assert_eq!(schools("UCLA", "ucla.edu"), Found::Near);
    }

    #[test]
    fn a_domain_and_a_name_never_contradict_each_other() {
        assert_eq!(companies("giii.com", "g-iii apparel"), Found::Partial);
        assert_eq!(companies("acme.com", "acme.de"), Found::Partial);
        assert_eq!(companies("acme.com", "initech.com"), Found::Different);
        assert_eq!(companies("acme", "initech"), Found::Different);
        assert_eq!(companies("acme", "acmeville"), Found::Partial);
    }

    #[test]
    fn words_that_many_have_say_little_and_others_make_another_company() {
        for (a, b) in [
            ("acme", "acme holdings europe"),
            ("northwind services germany", "northwind"),
            ("northwind harrow tools", "northwind harrow"),
            ("quillmoss northwind", "quillmoss ostermarsh northwind"),
        ] {
            assert_eq!(companies(a, b), Found::Near, "{a} {b}");
            assert_eq!(companies(b, a), Found::Near, "{b} {a}");
        }
        assert_eq!(companies("quillmoss", "quillmoss ostermarsh"), Found::Word);
        assert_eq!(companies("quillmoss", "quillmoss metals"), Found::Kind);
        assert_eq!(
            companies("quillmoss", "quillmoss metals germany"),
            Found::Kind
        );
        assert_eq!(
            companies("university of science", "university of arts"),
            Found::Different
        );
        assert_ne!(companies("bank of china", "bank"), Found::Near);
    }

    #[test]
    fn what_stands_beside_a_name_is_told_apart() {
        for (a, b) in [
            ("Acme (Germany) GmbH", "acme"),
            ("ATLASPORT (formerly Northwind Tools)", "northwind tools"),
            ("Atlasport, f/k/a Northwind", "atlasport"),
            ("puma (brand)", "puma se"),
        ] {
            assert_eq!(companies(a, b), Found::Beside, "{a} {b}");
            assert_eq!(companies(b, a), Found::Beside, "{b} {a}");
        }
        assert_eq!(companies("acme (publ)", "acme"), Found::Same);
        assert_eq!(companies("puma (brand)", "PUMA (Brand)"), Found::Same);
    }

    #[test]
    fn a_slip_in_a_short_name_leaves_its_first_letter() {
        assert_eq!(companies("acmee", "acme"), Found::Partial);
        assert_eq!(companies("dneso", "denso"), Found::Near);
        assert_eq!(companies("kenso", "denso"), Found::Different);
    }
}
