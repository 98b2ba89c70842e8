//! Companies and schools, each by a name or by a domain.

use super::schools::{self, SchoolWords, Wholes};
use super::trades::{Trades, is_trade};
use super::typo;
use crate::company::{self, Asides};
use crate::keys::{self, CompanyForm};
use crate::other_names::{self, Bearer, Use};
use crate::text::Scripts;

/// Names as short as this begin alike in spite of a slip, or are two names.
const SHORT: usize = 5;
/// Fewer first letters stand for too many names.
const MIN_LETTERS: usize = 3;
/// The shortest name that may stand for a longer one which it begins.
const MIN_PART: usize = 4;
/// So many words of its own say which company it is: a word more makes it a relative of it at most.
const WORDS_THAT_SAY_WHICH: usize = 2;

/// Of so many words even common ones say which company it is: `national petroleum services`.
const WORDS_THAT_ARE_MANY: usize = 3;
/// Fewer letters begin too many words.
const MIN_ABBREVIATED: usize = 3;
/// Fewer are often another word, unless the longer one is common: `paul`, `paulson`.
const MIN_OF_ANY: usize = 5;

/// How two names of organisations stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrganisationFinding {
    /// They contradict each other.
    Different,
    /// One begins with the other: they could be the same.
    Partial,
    /// One has words more, which could make it another: `northwind`, `northwind harrow`.
    Word,
    /// One has words more that many have, of a kind or a trade, or words beyond several of its own: `northwind`, `northwind metals`.
    Kind,
    /// One is the first letters of the other: `ibm`.
    Letters,
    /// They differ by a slip, by words that say nothing (`services`) or that one cuts short (`pharm`), one is a domain that is made of the other, or the one is a
    /// former name of the other.
    Near,
    /// The table of names knows both as those of one organisation: `jpmc`, `jpmorgan chase`.
    OtherName,
    /// The same but for what stands in brackets beside one of them.
    Beside,
    /// They are the same but for spelling.
    Same,
}

/// A slip that nothing else in a name outweighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlipAlone {
    /// Of the shorter of the two words, or of all where their words are divided otherwise.
    pub letters: usize,
    /// Whether the first letters are the same.
    pub is_behind_first: bool,
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
    /// Of a company's name that tells its trade, in each of its spellings.
    trades: Vec<Trades>,
    /// Where the table of names has its name of today.
    known: Known,
    /// Of a part of a school.
    wholes: Option<Wholes>,
}

/// The organisations of the table of names that bear a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known(&'static [Bearer]);

impl Known {
    const NOBODYS: Self = Self(&[]);

    /// Nothing where no organisation bears both, or both are names of before, which can be those of two that have become one. A name that
    /// several bear says as much as first letters do.
    fn finding(self, other: Self) -> Option<OrganisationFinding> {
        let found = self.shared(other).filter_map(|(a, b)| match (a, b) {
            (Use::Former, Use::Former) => None,
            (Use::Shared, _) | (_, Use::Shared) => Some(OrganisationFinding::Letters),
            _ => Some(OrganisationFinding::OtherName),
        });
        let found = found.max()?;
        Some(match (self.0, other.0) {
            ([_], [_]) => found,
            _ => found.min(OrganisationFinding::Letters),
        })
    }

    /// What both names are to each organisation that bears both.
    fn shared(self, other: Self) -> impl Iterator<Item = (Use, Use)> {
        self.0.iter().filter_map(move |a| {
            let b = other.0.iter().find(|b| b.line == a.line)?;
            Some((a.name_is, b.name_is))
        })
    }

    /// Whether it is the best name of an organisation that does not bear the other.
    fn is_anothers_best(self, other: Self) -> bool {
        let has = |line| other.0.iter().any(|bearer| bearer.line == line);
        let mut best = self.0.iter().filter(|bearer| bearer.name_is == Use::Best);
        best.any(|bearer| !has(bearer.line))
    }
}

/// Of a domain nobody is known: what it is made of is called so by many, under other endings.
fn known_of_company(name: Option<&Reading>) -> Known {
    let name = name.filter(|name| name.label.is_none());
    name.map_or(Known::NOBODYS, |name| {
        Known(other_names::bearers_of_company(&name.form))
    })
}

/// Whether several words are left without the last ones.
fn key_has_several_words(name: &Reading, last: &[String]) -> bool {
    name.form.words.len() > last.len() + 1
}

/// An employer's name without words that can be those of a place or a department.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithoutPlace {
    key: String,
    known: Known,
    /// What must be places.
    places: Vec<String>,
}

impl WithoutPlace {
    /// How another stands to it, if all that was left out are places, and what stands beside the other is. `siemens seoul` is `siemens` where
    /// `is_place` knows Seoul, `gtbank lagos` is called `guaranty trust bank` where it knows Lagos.
    pub fn finding(
        &self,
        other: &Organisation,
        is_place: impl Fn(&str) -> bool,
    ) -> Option<OrganisationFinding> {
        let form = &other.today()?.form;
        let is_elsewhere = other.remarks.iter().any(|remark| !is_place(remark));
        if is_elsewhere {
            return None;
        }
        let found = if form.key == self.key || form.whole == self.key {
            OrganisationFinding::Same
        } else {
            self.known.finding(other.known)?
        };
        self.places
            .iter()
            .all(|place| is_place(place))
            .then_some(found)
    }
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
        let read = Self::of(
            CompanyForm::beside(text, asides.as_ref()),
            asides
                .as_ref()
                .map_or_else(Vec::new, |asides| asides.remarks.clone()),
        );
        Self {
            country: asides.and_then(|asides| asides.country),
            trades: keys::company_words(text)
                .iter()
                .filter_map(|words| Trades::of(words))
                .collect(),
            known: known_of_company(read.today()),
            ..read
        }
    }

    /// A school's name, website or domain.
    #[must_use]
    pub fn school(name: &str) -> Self {
        let text = schools::without_faculty(name);
        let key = keys::school_name_key(text);
        let form = CompanyForm {
            whole: key.clone(),
            key,
            words: Vec::new(),
            spelt: keys::school_words(text),
            scripts: Scripts::of(text),
            is_marked: false,
            plain: None,
        };
        let is_host = keys::domain_label(&form.key).is_some();
        let school = (!is_host).then(|| SchoolWords::of(text)).flatten();
        let known = match is_host {
            true => Known::NOBODYS,
            false => Known(other_names::bearers_of_school(&form.key, school.as_ref())),
        };
        Self {
            wholes: (!is_host).then(|| Wholes::of(text, known.0)).flatten(),
            known,
            school,
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
            trades: Vec::new(),
            known: Known::NOBODYS,
            wholes: None,
        }
    }

    /// The names in it: all as one, then each by itself.
    pub fn forms(&self) -> impl Iterator<Item = &CompanyForm> {
        self.readings.iter().map(|reading| &reading.form)
    }

    /// Whether the table of companies' names has it.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.known != Known::NOBODYS
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

    /// The slip between two names where no other word says that the same company is meant; nothing where one does, or where they do not
    /// differ by a slip.
    #[must_use]
    pub fn slip_alone(&self, other: &Self) -> Option<SlipAlone> {
        let (a, b) = self.today().zip(other.today())?;
        if a.label.is_some() || b.label.is_some() || !a.is_slip_of(b) {
            return None;
        }
        let (a, b) = (&a.form, &b.form);
        if a.words
            .iter()
            .any(|word| is_own(word) && b.words.contains(word))
        {
            return None;
        }
        let is_word_by_word = a.words.len() == b.words.len();
        let mut pairs = a.words.iter().zip(&b.words).filter(|_| is_word_by_word);
        let (a, b) = pairs.find(|(a, b)| a != b).unwrap_or((&a.key, &b.key));
        Some(SlipAlone {
            letters: a.len().min(b.len()),
            is_behind_first: a.bytes().next() == b.bytes().next(),
        })
    }

    /// Whether it has words more than the other, which has several that say which company it is.
    #[must_use]
    pub fn goes_beyond(&self, other: &Self) -> bool {
        self.today().zip(other.today()).is_some_and(|(a, b)| {
            let (a, b) = (&a.form.words, &b.form.words);
            a.len() > b.len() && CompanyForm::own_words(b) >= WORDS_THAT_SAY_WHICH
        })
    }

    /// Whether the other's name goes on after this one's words: of a name that was cut short all is known that others could share with it.
    #[must_use]
    pub fn begins(&self, other: &Self) -> bool {
        self.today().zip(other.today()).is_some_and(|(a, b)| {
            let (short, long) = (&a.form.words, &b.form.words);
            short.len() < long.len() && begins(short, long)
        })
    }

    /// Whether few organisations of the table of names are called so, one of them both ways, and none of them best: beside a person's name
    /// one of those is no likelier than any other.
    #[must_use]
    pub fn is_one_of_few(&self, other: &Self) -> bool {
        let (a, b) = (self.known, other.known);
        let is_few = a.0.len().max(b.0.len()) <= other_names::MOST_BEARERS;
        let is_name = |(a, b): (Use, Use)| a <= Use::Other && b <= Use::Other;
        is_few
            && !self.is_short()
            && !other.is_short()
            && a.shared(b).any(is_name)
            && !a.is_anothers_best(b)
            && !b.is_anothers_best(a)
            && !self.is_told_from(other)
    }

    /// What is left of it without its last words, which can say where or in which part of it somebody works.
    #[must_use]
    pub fn without_places(&self) -> Vec<WithoutPlace> {
        let Some(today) = self.today().filter(|today| today.label.is_none()) else {
            return Vec::new();
        };
        let parted = today.form.without_last_words();
        parted
            .filter_map(|(key, last)| {
                if last.is_empty() && !self.has_remarks() {
                    return None;
                }
                let bearers = other_names::COMPANIES.bearers(&key);
                // `procurement` is a department of who is known, and of a name of several words: `apex recruiting` is a company.
                let may_have_department = !bearers.is_empty() || key_has_several_words(today, last);
                let is_signed = company::is_department_behind(last, false);
                let is_department =
                    is_signed || company::is_department_behind(last, may_have_department);
                let is_sure =
                    key.len() > MIN_LETTERS || bearers.iter().any(|one| one.name_is == Use::Best);
                let place = (!last.is_empty() && !is_department).then(|| last.join(" "));
                is_sure.then(|| WithoutPlace {
                    known: match is_department && !is_signed {
                        true => Known::NOBODYS,
                        false => Known(bearers),
                    },
                    key,
                    places: place
                        .into_iter()
                        .chain(self.remarks.iter().cloned())
                        .collect(),
                })
            })
            .collect()
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
        let found = self.by_spelling(other).max(self.by_part_of_school(other));
        match self.known.finding(other.known) {
            Some(known) if !self.is_told_from(other) => found.max(known),
            _ => found,
        }
    }

    /// A part of a school is one of it: who was at the one was at the other.
    fn by_part_of_school(&self, other: &Self) -> OrganisationFinding {
        let part = |part: &Self, whole: &Self| {
            let key = &whole.all()?.form.key;
            part.wholes.as_ref()?.finding(key, whole.known.0)
        };
        let found = part(self, other).max(part(other, self));
        found.unwrap_or(OrganisationFinding::Different)
    }

    /// The same, by what stands there alone.
    fn by_spelling(&self, other: &Self) -> OrganisationFinding {
        let (Some(a), Some(b)) = (self.all(), other.all()) else {
            return OrganisationFinding::Different;
        };
        let as_one = a.finding(b);
        if let (Some(a), Some(b)) = (&self.school, &other.school) {
            return a.finding(b).map_or(as_one, |by_words| by_words.max(as_one));
        }
        let mut pairs = self
            .trades
            .iter()
            .flat_map(|a| other.trades.iter().map(move |b| (a, b)));
        let as_one = match pairs.any(|(a, b)| a.is_translation_of(b)) {
            true => as_one.max(OrganisationFinding::Near),
            false => as_one,
        };
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
        let today = if self.is_told_alone() && other.is_told_alone() {
            today
        } else {
            today.min(OrganisationFinding::Beside)
        };
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

    /// Whether nothing stands beside it but what says nothing of which company it is: an office, a department.
    const fn is_told_alone(&self) -> bool {
        self.remarks.is_empty() && self.readings.len() <= 2
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
            (None, None) => self.by_names(other).max(self.by_plain_names(other)),
        }
    }

    /// With plain vowels where the one has marked vowels, which the other writes out; of names in two scripts with Latin letters as they
    /// are spoken.
    fn by_plain_names(&self, other: &Self) -> OrganisationFinding {
        let (a, b) = (&self.form, &other.form);
        if a.scripts.are_apart(b.scripts) {
            return match (a.plain(), b.plain()) {
                (Some(spoken), None) => without_slips(spoken, b),
                (None, Some(spoken)) => without_slips(a, spoken),
                _ => OrganisationFinding::Different,
            };
        }
        let unmarked = if a.is_marked { b } else { a };
        if a.is_marked == b.is_marked || unmarked.plain().is_none() {
            return OrganisationFinding::Different;
        }
        without_slips(a.plain().unwrap_or(a), b.plain().unwrap_or(b))
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
        let part = |short: &str, long: &str| short.len() >= MIN_PART && long.starts_with(short);
        if self.is_slip_of(other) {
            return OrganisationFinding::Near;
        }
        if self.has_letters(b) || other.has_letters(a) {
            return OrganisationFinding::Letters;
        }
        match by_words(&self.form.words, &other.form.words) {
            Some(found) => found,
            // Names in two scripts are often translations of each other.
            None if self.form.scripts.are_apart(other.form.scripts) => OrganisationFinding::Partial,
            None if part(a, b) || part(b, a) => OrganisationFinding::Partial,
            None => OrganisationFinding::Different,
        }
    }

    fn is_slip_of(&self, other: &Self) -> bool {
        let (a, b) = (&self.form, &other.form);
        is_slip(&a.key, &b.key) || is_slip(&a.whole, &b.whole)
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

/// The same, or by words: a slip would be one more beside another spelling.
fn without_slips(a: &CompanyForm, b: &CompanyForm) -> OrganisationFinding {
    if a.key == b.key || a.whole == b.whole {
        return OrganisationFinding::Same;
    }
    by_words(&a.words, &b.words).unwrap_or(OrganisationFinding::Different)
}

/// Two names of which one has words more or is cut short: word by word from the first on, where words may be abbreviated, or with one
/// word more anywhere. Nothing where what they share is common.
fn by_words(a: &[String], b: &[String]) -> Option<OrganisationFinding> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let more = long.len() - short.len();
    let alike = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let rest = long.get(alike..)?;
    if more == 1 && alike < short.len() && short.get(alike..) == rest.get(1..) {
        return one_more(short, rest.first()?);
    }
    if !begins(short, long) {
        return None;
    }
    let (shared, rest) = long.split_at_checked(short.len())?;
    let own = own_of_both(short, shared);
    let is_many = shared.len() >= WORDS_THAT_ARE_MANY;
    let says_nothing = |word: &String| company::is_light_word(word) || company::is_country(word);
    let is_common = || {
        rest.len() <= keys::MOST_COMMON_END && rest.iter().all(|word| company::is_common_word(word))
    };
    if (own > 0 || is_many) && rest.iter().all(says_nothing) {
        Some(OrganisationFinding::Near)
    } else if own >= WORDS_THAT_SAY_WHICH || is_many || (own > 0 && is_common()) {
        Some(OrganisationFinding::Kind)
    } else {
        (own > 0).then_some(OrganisationFinding::Word)
    }
}

/// Two names of which one has this word more before its end.
fn one_more(short: &[String], word: &str) -> Option<OrganisationFinding> {
    let own = CompanyForm::own_words(short);
    if own == 0 {
        return None;
    }
    // A country is light at the end alone: `jersey mikes` is not `mikes`.
    Some(if company::is_light_word(word) {
        OrganisationFinding::Near
    } else if own >= WORDS_THAT_SAY_WHICH || company::is_common_word(word) {
        OrganisationFinding::Kind
    } else {
        OrganisationFinding::Word
    })
}

/// Places at which both have a word that says which company it is: of `pharma` and `pharmaceuticals` the longer is common.
fn own_of_both(a: &[String], b: &[String]) -> usize {
    let pairs = a.iter().zip(b);
    pairs.filter(|(a, b)| is_own(a) && is_own(b)).count()
}

fn is_own(word: &String) -> bool {
    CompanyForm::own_words(std::slice::from_ref(word)) > 0
}

/// Whether a name begins as another does, its words whole or abbreviated, the first one only where it tells a trade and others follow:
/// `transp. raya`.
fn begins(short: &[String], long: &[String]) -> bool {
    let is_one =
        |(a, b): (&String, &String)| a == b || is_abbreviated(a, b) || is_abbreviated(b, a);
    let is_first = |(a, b): (&String, &String)| {
        let is_long = a.len().min(b.len()) >= MIN_OF_ANY;
        a == b || short.len() > 1 && is_long && (is_trade(a) || is_trade(b)) && is_one((a, b))
    };
    let mut pairs = short.iter().zip(long);
    pairs.next().is_some_and(is_first) && pairs.all(is_one)
}

/// The first letters of a longer word, one that many have, a trade, or most of it: `pharm`, `ing`, `develop`. Countries are themselves
/// (`niger`).
fn is_abbreviated(short: &str, long: &str) -> bool {
    let is_country = || company::is_country(short) || company::is_country(long);
    short.len() >= MIN_ABBREVIATED
        && long.starts_with(short)
        && (short.len() >= MIN_OF_ANY || company::is_common_word(long) || is_trade(long))
        && !is_country()
}

#[cfg(test)]
mod tests {
    use crate::compare::{
        Organisation, OrganisationFinding as Found, SlipAlone, companies, schools,
    };

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
            ("Doerr & Soehne KG", "Dörr & Söhne"),
        ] {
            assert_eq!(companies(a, b), Found::Same, "{a} {b}");
            assert_eq!(companies(b, a), Found::Same, "{b} {a}");
        }
    }

    #[test]
    fn a_slip_first_letters_or_a_domain_of_the_name_are_near() {
        for (a, b, found) in [
            ("northwnid tools", "northwind tools", Found::Near),
            ("NWT", "northwind worldwide tools", Found::Letters),
            (
                "northwind-tools.example",
                "Northwind Tools, Inc.",
                Found::Near,
            ),
            ("nwt.example", "Northwind Worldwide Tools", Found::Letters),
        ] {
            assert_eq!(companies(a, b), found, "{a} {b}");
            assert_eq!(companies(a, b), companies(b, a), "{a} {b}");
        }
        assert_eq!(
            schools("HIT", "Harrow Institute of Technology"),
            Found::Letters
        );
        assert_eq!(schools("HIT", "hit.example"), Found::Near);
    }

    #[test]
    fn an_organisation_is_the_same_under_all_its_names() {
        for (a, b) in [
            ("J.P. Morgan", "JPMorgan Chase & Co."),
            ("Quintiles", "IQVIA Holdings Inc."),
            ("Facebook", "Meta Platforms"),
            ("IBM", "International Business Machines"),
            ("Instituto Mexicano del Seguro Social", "IMSS"),
        ] {
            assert_eq!(companies(a, b), Found::OtherName, "{a} {b}");
            assert_eq!(companies(b, a), Found::OtherName, "{b} {a}");
        }
        for (a, b) in [
            ("NYU", "New York University"),
            ("Manchester University", "University of Manchester"),
            ("北京大学", "Peking University"),
            ("Universidad de Stanford", "Stanford"),
        ] {
            assert_eq!(schools(a, b), Found::OtherName, "{a} {b}");
            assert_eq!(schools(b, a), Found::OtherName, "{b} {a}");
        }
        // Several are called so: few by the one, many by the other.
        for (a, b, is_one_of_few) in [
            ("JPMC", "JPMorgan Chase", true),
            ("MSU", "Michigan State University", false),
            ("Queen's University", "Queen's University Belfast", false),
        ] {
            let of = |name| match is_one_of_few {
                true => Organisation::company(name),
                false => Organisation::school(name),
            };
            assert_eq!(of(a).finding(&of(b)), Found::Letters, "{a} {b}");
            assert_eq!(of(a).is_one_of_few(&of(b)), is_one_of_few, "{a} {b}");
        }
        for (a, b) in [
            ("United Group", "United Airlines"),
            ("MM Group", "Mahindra & Mahindra"),
            ("Total Group", "TotalEnergies"),
            ("Premier Inc", "Premier Research"),
            // Names of before, of companies that have become one.
            ("Texaco", "Hess"),
            ("Quintiles", "IMS Health"),
            // What a domain is made of is many's.
            ("target.com.au", "target.com"),
            ("ge.ch", "General Electric"),
            ("Audi", "Volkswagen"),
            ("JPMC", "Citibank"),
        ] {
            assert!(companies(a, b) < Found::Near, "{a} {b}");
        }
    }

    #[test]
    fn a_place_or_a_department_behind_a_name_is_none_of_it() {
        let without = |a: &str, b: &str, place: &str| {
            let without = Organisation::company(a).without_places();
            let known = Organisation::company(b);
            let found = without
                .iter()
                .filter_map(|name| name.finding(&known, |text| text == place));
            found.max()
        };
        let found = |a, b| without(a, b, "seoul");
        assert_eq!(found("Siemens Seoul", "Siemens AG"), Some(Found::Same));
        assert_eq!(found("Siemens (Seoul)", "Siemens AG"), Some(Found::Same));
        assert_eq!(found("Siemens IT Department", "Siemens"), Some(Found::Same));
        assert_eq!(found("Procter & Gamble HR", "P&G"), None);
        assert_eq!(
            found("Northwind Harrow Procurement", "Northwind Harrow"),
            Some(Found::Same)
        );
        assert_eq!(found("Apex Recruiting", "Apex"), None);
        assert_eq!(found("Olive Branch", "Olive"), None);
        assert_eq!(found("HM Treasury", "H&M"), None);
        assert_eq!(found("Siemens Seoul", "Siemens (Brazil)"), None);
        assert_eq!(
            found("Deutsche Bank Seoul", "Deutsche Bank AG"),
            Some(Found::Same)
        );
        assert_eq!(
            found("Facebook HQ", "Meta Platforms"),
            Some(Found::OtherName)
        );
        assert_eq!(found("Siemens Energy", "Siemens"), None);
        assert_eq!(found("Toyota Finance", "Toyota"), None);
        assert_eq!(found("Siemens Paris", "Siemens"), None);
        assert_eq!(found("Siemens", "Siemens AG"), None);
        assert_eq!(found("Bank Seoul", "Bank"), None);
    }

    #[test]
    fn a_trade_is_the_same_in_all_its_languages() {
        for (a, b) in [
            ("Isakov Logistics", "ПАО «Исаков Логистика»"),
            ("Potapov Group", "АО «Группа Потапов»"),
            ("CKC Construction", "CKC건설 주식회사"),
            ("Bae Logistics", "배물류 주식회사"),
            ("Moros Transport", "Μόρος Μεταφορές Α.Ε."),
            ("Ostermarsh Insurance", "Ostermarsh Versicherungen AG"),
            ("Rallis Constructions", "Ράλλης Κατασκευές Ο.Ε."),
            ("Stravosnichis Transport", "Στραβοσνίχης Μεταφορές Ε.Π.Ε."),
            ("Transp. Raya S.C.", "Transportes Raya S.C."),
        ] {
            assert_eq!(companies(a, b), Found::Near, "{a} {b}");
            assert_eq!(companies(b, a), Found::Near, "{b} {a}");
        }
        for (a, b) in [
            ("Isakov Insurance", "ПАО «Исаков Логистика»"),
            ("Bank of China", "China Bank"),
            ("Insurance", "Versicherung"),
            ("Harrow Insurance", "Ostermarsh Versicherungen"),
        ] {
            assert!(companies(a, b) < Found::Near, "{a} {b}");
        }
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
    fn words_may_be_cut_short_or_left_out_at_the_end() {
        for (a, b) in [
            ("telix pharma", "Telix Pharmaceuticals Ltd"),
            ("China Resources Pharm", "China Resources Pharmaceutical"),
            ("Emaar Develop", "Emaar Development PJSC"),
        ] {
            assert_eq!(companies(a, b), Found::Near, "{a} {b}");
            assert_eq!(companies(b, a), Found::Near, "{b} {a}");
        }
        for (a, b) in [
            (
                "Zhejiang Huatie Construction",
                "Zhejiang Huatie Construction Safety Science and Technology Co Ltd",
            ),
            (
                "Joincare Pharm",
                "Joincare Pharmaceutical Group Industry Co Ltd",
            ),
            (
                "China Auto Engineering",
                "China Automotive Engineering Research Institute",
            ),
        ] {
            assert_eq!(companies(a, b), Found::Kind, "{a} {b}");
        }
        assert_eq!(
            companies("Karel", "Karel Elektronik Sanayi ve Ticaret AS"),
            Found::Word
        );
        for (a, b) in [
            ("China Res", "China Resources"),
            ("John Paul", "John Paulson"),
            ("Central Bank of Niger", "Central Bank of Nigeria"),
        ] {
            assert!(companies(a, b) < Found::Kind, "{a} {b}");
            assert!(companies(b, a) < Found::Kind, "{b} {a}");
        }
        assert_eq!(
            companies("First Capital Bank", "First Capital Bank Ostermarsh"),
            Found::Kind
        );
        assert!(companies("telix pharma", "tel pharmaceuticals") < Found::Kind);
    }

    #[test]
    fn a_slip_is_alone_where_no_other_word_says_which_company_it_is() {
        let alone =
            |a: &str, b: &str| Organisation::company(a).slip_alone(&Organisation::company(b));
        let slip = |letters, is_behind_first| {
            Some(SlipAlone {
                letters,
                is_behind_first,
            })
        };
        assert_eq!(alone("Mazda", "Maeda Corp"), slip(5, true));
        assert_eq!(alone("SFC Energy", "AFC Energy"), slip(3, false));
        assert_eq!(alone("northwnid tools", "northwind tools"), slip(9, true));
        for (a, b) in [
            ("northwnid harrow", "northwind harrow"),
            ("rtl gruop", "rtl group"),
            ("acme", "acme"),
            ("acme", "initech"),
        ] {
            assert_eq!(alone(a, b), None, "{a} {b}");
        }
    }

    #[test]
    fn a_small_word_counts_where_a_name_begins_with_it() {
        assert_eq!(companies("DuPont", "Du Pont"), Found::Same);
        assert_eq!(companies("De Longhi", "De'Longhi"), Found::Same);
        assert_eq!(
            companies("Compagnie de Saint-Gobain", "Compagnie Saint Gobain"),
            Found::Same
        );
        for (a, b) in [("De La Rue", "Rue"), ("Del Taco", "Taco")] {
            assert!(companies(a, b) < Found::Near, "{a} {b}");
        }
    }

    #[test]
    fn two_vowels_are_one_only_beside_a_mark() {
        assert_eq!(
            companies("Voestalpine Boehler", "voestalpine böhler"),
            Found::Same
        );
        for (a, b) in [
            ("CAE Inc.", "CA, Inc."),
            ("Saab", "Sab"),
            ("Boeing Capital", "Boing Capital"),
        ] {
            assert_ne!(companies(a, b), Found::Same, "{a} {b}");
        }
    }

    #[test]
    fn names_in_two_scripts_never_contradict() {
        assert_eq!(
            companies("Gerasimov Insurance", "Исаков Страхование"),
            Found::Partial
        );
        assert_eq!(
            companies("Κούτσικος", "Κούτσικος Τρόφιμα Α.Ε."),
            Found::Word
        );
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
