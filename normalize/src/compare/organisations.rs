//! Companies and schools, each by a name or by a domain.

use super::schools::SchoolWords;
use super::typo;
use crate::company::{self, Asides};
use crate::keys::{self, CompanyForm};

/// Names as short as this begin alike in spite of a slip, or are two names.
const SHORT: usize = 5;
/// Fewer first letters stand for too many names.
const MIN_LETTERS: usize = 3;
/// The shortest name that may stand for a longer one which it begins.
const MIN_PART: usize = 4;
/// So many words of its own say which company it is: a word more makes it a relative of it at most.
const WORDS_THAT_SAY_WHICH: usize = 2;

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
    /// They differ by a slip or by words that say nothing (`services`), one is a domain that is made of the other, or the one is a
    /// former name of the other.
    Near,
    /// The same but for what stands in brackets beside one of them.
    Beside,
    /// They are the same but for spelling.
    Same,
}

/// A name or domain read once, to be compared with many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organisation {
    /// All that was given as one name, and then each name in it where something stands beside one: today's before the others.
    readings: Vec<Reading>,
    /// What else stands beside it.
    remarks: Vec<String>,
    /// [`Self::country`]
    country: Option<&'static str>,
    /// Of a school's name.
    school: Option<SchoolWords>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    form: CompanyForm,
    /// Of a domain: its own label, letters and digits only. `northwind-tools.example` → `northwindtools`
    label: Option<String>,
    /// As [`keys::company_letters`] writes them.
    letters: Vec<String>,
}

impl Organisation {
    /// A company's name, website or domain.
    #[must_use]
    pub fn company(text: &str) -> Self {
        let asides = Asides::of(text);
        Self {
            country: asides.as_ref().and_then(|asides| asides.country),
            ..Self::of(
                CompanyForm::beside(text, asides.as_ref()),
                asides.map_or_else(Vec::new, |asides| asides.remarks),
            )
        }
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
        let is_host = keys::domain_label(&form.key).is_some();
        Self {
            school: (!is_host).then(|| SchoolWords::of(text)).flatten(),
            ..Self::of(vec![form], Vec::new())
        }
    }

    fn of(readings: Vec<CompanyForm>, remarks: Vec<String>) -> Self {
        let readings = readings.into_iter().map(Reading::of).collect();
        Self {
            readings,
            remarks,
            country: None,
            school: None,
        }
    }

    /// The names in it: all as one, then each by itself.
    pub fn forms(&self) -> impl Iterator<Item = &CompanyForm> {
        self.readings.iter().map(|reading| &reading.form)
    }

    /// Whether it was given by a website or domain.
    #[must_use]
    pub fn is_domain(&self) -> bool {
        self.all().is_some_and(|reading| reading.label.is_some())
    }

    /// Whether today's name of the one is that of the other with its closing words: `acme group` is `acme` to [`Self::finding`], not
    /// here.
    #[must_use]
    pub fn is_whole(&self, other: &Self) -> bool {
        let (a, b) = (self.today(), other.today());
        a.zip(b)
            .is_some_and(|(a, b)| !a.form.whole.is_empty() && a.form.whole == b.form.whole)
    }

    /// Whether it is so short that many have it as their first letters: `IBM`.
    #[must_use]
    pub fn is_short(&self) -> bool {
        let length = |reading: &Reading| reading.label.as_ref().unwrap_or(&reading.form.key).len();
        self.readings.iter().map(length).max() <= Some(MIN_LETTERS)
    }

    /// Whether something stands in brackets beside it that tells it from others of its name.
    #[must_use]
    pub const fn has_remarks(&self) -> bool {
        !self.remarks.is_empty()
    }

    /// The country that stands beside it, by its code: `acme (germany)`.
    #[must_use]
    pub const fn country(&self) -> Option<&'static str> {
        self.country
    }

    /// How two stand to each other; the nearest of their names counts, a former or another name for near. A domain and a name never
    /// contradict each other: the one need not be made of the other.
    #[must_use]
    pub fn finding(&self, other: &Self) -> OrganisationFinding {
        let (Some(a), Some(b)) = (self.all(), other.all()) else {
            return OrganisationFinding::Different;
        };
        let as_one = a.finding(b);
        if let (Some(a), Some(b)) = (&self.school, &other.school) {
            return a.finding(b).map_or(as_one, |by_words| by_words.max(as_one));
        }
        if as_one == OrganisationFinding::Same || (self.is_plain() && other.is_plain()) {
            return as_one;
        }
        let today = match (self.today(), other.today()) {
            (Some(a), Some(b)) => a.finding(b),
            _ => OrganisationFinding::Different,
        };
        if self.is_told_from(other) {
            return today.min(OrganisationFinding::Partial);
        }
        let pairs = self
            .readings
            .iter()
            .flat_map(|a| other.readings.iter().map(move |b| a.finding(b)));
        // The first pair is all as one.
        let any = pairs.skip(1).max();
        let any = any.unwrap_or(OrganisationFinding::Different);
        let today = today.min(OrganisationFinding::Beside);
        today.max(any.min(OrganisationFinding::Near))
    }

    fn all(&self) -> Option<&Reading> {
        self.readings.first()
    }

    /// The name without what stands beside it.
    fn today(&self) -> Option<&Reading> {
        self.readings.get(1).or_else(|| self.all())
    }

    const fn is_plain(&self) -> bool {
        self.readings.len() <= 1
    }

    fn is_told_from(&self, other: &Self) -> bool {
        self.has_remarks()
            && other.has_remarks()
            && !self
                .remarks
                .iter()
                .any(|remark| other.remarks.contains(remark))
    }
}

impl Reading {
    fn of(form: CompanyForm) -> Self {
        let label = keys::domain_label(&form.key);
        let letters = keys::company_letters(&form).collect();
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
        // Their keys differ by a closing word, since no space stands before it in one of them: `relogroup`.
        if self.form.whole == other.form.whole {
            return OrganisationFinding::Same;
        }
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
        self.letters.iter().any(|letters| letters == text)
    }
}

fn is_slip(a: &str, b: &str) -> bool {
    let shorter = a.len().min(b.len());
    let begin_alike = a.bytes().next() == b.bytes().next();
    shorter >= keys::MIN_SLIPPED && (shorter > SHORT || begin_alike) && typo::is_slip(a, b)
}

/// Two names of which one has words more: one word anywhere, or common ones at its end. Nothing where what they share is common.
fn by_words(a: &[String], b: &[String]) -> Option<OrganisationFinding> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let more = long.len() - short.len();
    if more == 0 {
        return None;
    }
    let alike = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let rest = long.get(alike..)?;
    let is_end = alike == short.len();
    let is_one_more = more == 1 && short.get(alike..) == rest.get(1..);
    // Most names end here: what they share is looked up of the others alone.
    if !is_one_more && (!is_end || more > keys::MOST_COMMON_END) {
        return None;
    }
    let own = CompanyForm::own_words(short);
    if own == 0 {
        return None;
    }
    // A country is light at the end alone: `jersey mikes` is not `mikes`.
    let says_nothing =
        |word: &String| company::is_light_word(word) || (is_end && company::is_country(word));
    if is_one_more {
        let word = rest.first()?;
        return Some(if says_nothing(word) {
            OrganisationFinding::Near
        } else if own >= WORDS_THAT_SAY_WHICH || company::is_common_word(word) {
            OrganisationFinding::Kind
        } else {
            OrganisationFinding::Word
        });
    }
    if rest.iter().all(says_nothing) {
        return Some(OrganisationFinding::Near);
    }
    let is_common = rest.iter().all(|word| company::is_common_word(word));
    is_common.then_some(OrganisationFinding::Kind)
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
            ("northwindgroup", "Northwind Group"),
            ("northwindtechnologies", "Northwind Technologies Ltd"),
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
        ] {
            assert_eq!(companies(a, b), Found::Near, "{a} {b}");
            assert_eq!(companies(b, a), Found::Near, "{b} {a}");
        }
        for (a, b) in [
            ("northwind harrow tools", "northwind harrow"),
            ("quillmoss northwind", "quillmoss ostermarsh northwind"),
            ("marks spencer", "marks & spencer bank"),
        ] {
            assert_eq!(companies(a, b), Found::Kind, "{a} {b}");
        }
        assert_eq!(companies("virgin", "virgin mobile"), Found::Kind);
        assert_eq!(companies("mikes", "jersey mikes"), Found::Kind);
        assert_eq!(companies("michael", "michael jordan"), Found::Word);
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
        for (a, b, found) in [
            ("Acme (Germany) GmbH", "acme", Found::Beside),
            ("puma (brand)", "puma se", Found::Beside),
            ("Atlasport, f/k/a Northwind", "atlasport", Found::Beside),
            ("Northwind (now Atlasport)", "atlasport", Found::Beside),
            (
                "ATLASPORT (formerly Northwind Tools)",
                "northwind tools",
                Found::Near,
            ),
            ("acme (publ)", "acme", Found::Same),
            ("puma (brand)", "PUMA (Brand)", Found::Same),
            (
                "Bank of China (Hong Kong)",
                "bank of china hong kong",
                Found::Same,
            ),
            (
                "southwestern college (ks)",
                "southwestern college (ca)",
                Found::Partial,
            ),
            ("acme (germany)", "acme (france)", Found::Partial),
            ("acme (germany)", "acme (Deutschland)", Found::Beside),
        ] {
            assert_eq!(companies(a, b), found, "{a} {b}");
            assert_eq!(companies(b, a), found, "{b} {a}");
        }
    }

    #[test]
    fn letters_of_other_scripts_are_no_words() {
        assert_ne!(companies("京东方", "京东"), Found::Near);
        assert!(companies("中国农银行", "中国银行") < Found::Kind);
    }

    #[test]
    fn a_slip_in_a_short_name_leaves_its_first_letter() {
        assert_eq!(companies("acmee", "acme"), Found::Partial);
        assert_eq!(companies("dneso", "denso"), Found::Near);
        assert_eq!(companies("kenso", "denso"), Found::Different);
    }
}
