//! Keys of companies and schools: legal forms, punctuation, articles and accents do not count.

use crate::compare::SchoolWords;
use crate::spelling::{is_spoken_otherwise, other_spelling};
use crate::text::Scripts;
use crate::{company, domain, other_names, school, text};

/// Words that a name has or has not in different sources without being another company.
const LIGHT: &[&str] = &["the", "and", "of", "le", "la", "der", "die", "das", "el"];

/// The same behind another word: first they are a part of a name (`du pont`, `de longhi`).
const LIGHT_WITHIN: &[&str] = &["for", "de", "du", "des", "del", "et", "und"];

/// Words at the end of a name that say only that it is a company.
const TAIL: &[&str] = &[
    "company",
    "co",
    "group",
    "holding",
    "holdings",
    "international",
    "corporation",
    "inc",
];

/// Places in which a slip is looked for: more make more keys, fewer make keys that many names share.
const GAPS: usize = 4;
/// Fewer letters have no key for slips: names so short differ by one letter and are others.
pub(crate) const MIN_SLIPPED: usize = 5;

/// A company's name, website or domain, read once for all that is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyForm {
    /// [`Self::key`]
    pub(crate) key: String,
    /// The same with its closing words: `dunelmgroup`.
    pub(crate) whole: String,
    /// The words of the key; none of a domain.
    pub(crate) words: Vec<String>,
    /// Folded words without legal form: without the light ones, and with them; none of a domain.
    pub(crate) spelt: [Vec<String>; 2],
    /// Of its letters.
    pub(crate) scripts: Scripts,
    /// Whether it has a vowel that is written out as two where its mark is missing.
    pub(crate) is_marked: bool,
    /// [`Self::plain`]
    pub(crate) plain: Option<Box<Self>>,
}

impl CompanyForm {
    /// It, and it with plain vowels: under the keys of both a name is stored and looked up.
    pub fn spellings(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.plain())
    }

    /// Reads a name, website or domain as one, whatever stands beside it.
    #[must_use]
    pub fn of(name: &str) -> Self {
        match company::clean(name) {
            Ok(cleaned) if cleaned.kind == company::Kind::Name => {
                let bare = company::bare_name(&cleaned.name);
                let mut form = Self::of_words(bare);
                if text::is_latin(bare) {
                    form.spelt = both_words(bare);
                }
                form
            }
            Ok(cleaned) => {
                let key = domain_key(&cleaned.name);
                Self {
                    whole: key.clone(),
                    key,
                    words: Vec::new(),
                    spelt: Default::default(),
                    scripts: Scripts::default(),
                    is_marked: false,
                    plain: None,
                }
            }
            Err(_) => Self::of_words(&text::clean(name)),
        }
    }

    fn of_words(name: &str) -> Self {
        let spelt = name.replace('&', " and ");
        let folded = text::fold(&spelt);
        let plain = match is_spoken_otherwise(name) {
            true => other_spelling(&spelt).map_or_else(String::new, |other| text::fold(&other)),
            false => with_plain_vowels(&folded),
        };
        let is_long = plain.len() >= MIN_PLAIN;
        Self {
            plain: (is_long && plain != folded).then(|| Box::new(Self::of_folded(name, &plain))),
            ..Self::of_folded(name, &folded)
        }
    }

    fn of_folded(name: &str, folded: &str) -> Self {
        let all = words(folded);
        let own = without_tail(&all, TAIL);
        let scripts = Scripts::of(name);
        let words = if scripts.have_words() { own } else { &[] };
        Self {
            key: in_one_spelling(joined(own, folded)),
            whole: in_one_spelling(joined(&all, folded)),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            spelt: Default::default(),
            scripts,
            is_marked: name.chars().any(|c| MARKED.contains(&c)),
            plain: None,
        }
    }

    /// The same with plain vowels, where that is another: `doerr` as `dorr`, which is also what `dörr` is folded to. Of a name in Greek or
    /// Cyrillic letters as it is written in Latin ones.
    #[must_use]
    pub fn plain(&self) -> Option<&Self> {
        self.plain.as_deref()
    }

    /// Folded, without legal form, light and closing words, words joined; of a domain the part that was registered.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Its key, where that has fewer words and still says which company it is.
    pub(crate) fn without_closing_words(&self) -> Option<&str> {
        let is_shorter = self.key != self.whole && self.key.len() >= MIN_LEFT;
        (is_shorter && Self::own_words(&self.words) > 0).then_some(self.key.as_str())
    }

    /// The name as one, and each name in it where something stands beside one: today's before the others.
    #[must_use]
    pub fn readings(name: &str) -> Vec<Self> {
        Self::beside(name, company::Asides::of(name).as_ref())
    }

    /// The same of a name that is taken apart already.
    pub(crate) fn beside(name: &str, asides: Option<&company::Asides>) -> Vec<Self> {
        let names = asides
            .into_iter()
            .flat_map(|asides| std::iter::once(&asides.name).chain(&asides.others));
        let mut readings = vec![Self::of(name)];
        readings.extend(names.map(|name| Self::of(name)));
        readings
    }

    /// Words that say which company it is: no common ones, and no single letters.
    pub(crate) fn own_words(words: &[String]) -> usize {
        words.iter().filter(|word| is_own_word(word)).count()
    }

    /// Its key, and the key of what is left without the last word, two and so on, which are given beside it, as long as that says which company
    /// it is: one word of its own, or two of any. A name that the table knows as it stands is whole.
    pub(crate) fn without_last_words(&self) -> impl Iterator<Item = (String, &[String])> {
        let is_known = !other_names::bearers_of_company(self).is_empty();
        let longest = if is_known { 0 } else { MOST_PLACE_WORDS };
        let parted = (0..=longest).filter_map(|last| {
            let at = self.words.len().checked_sub(last)?;
            self.words.split_at_checked(at)
        });
        parted.filter_map(|(kept, last)| {
            let words: Vec<&str> = kept.iter().map(String::as_str).collect();
            let kept = without_tail(&words, TAIL);
            let says_which = kept.len() > 1 || kept.iter().any(|word| is_own_word(word));
            says_which.then(|| (kept.concat().replace(' ', ""), last))
        })
    }

    /// The key without one of its words, each in turn, as long as what is left says which company it is.
    fn without_a_word(&self) -> impl Iterator<Item = String> {
        let places = if self.words.len() > MOST_WORDS {
            0
        } else {
            self.words.len()
        };
        (0..places).filter_map(|left_out| {
            let kept = self.words.iter().zip(0..).filter(|(_, at)| *at != left_out);
            let kept: Vec<String> = kept.map(|(word, _)| word.clone()).collect();
            says_which(&kept)
        })
    }

    /// The key without its last words, two or three, that many companies have.
    fn without_common_end(&self) -> impl Iterator<Item = String> {
        (2..=MOST_COMMON_END).filter_map(|count| {
            let (kept, end) = self
                .words
                .split_at_checked(self.words.len().checked_sub(count)?)?;
            let is_common = end.iter().all(|word| company::is_common_word(word));
            says_which(kept).filter(|_| is_common)
        })
    }
}

fn is_own_word(word: &str) -> bool {
    word.len() > 1 && !company::is_common_word(word)
}

/// Places and departments of more words are not looked for: `global it department`.
const MOST_PLACE_WORDS: usize = 3;
/// Names of more words are not looked for without one.
const MOST_WORDS: usize = 8;
/// Common words that may stand behind a name beyond its own.
pub(crate) const MOST_COMMON_END: usize = 3;
/// Fewer letters are left of too many names.
const MIN_LEFT: usize = 4;

/// The words joined, where one of them is not common.
fn says_which(words: &[String]) -> Option<String> {
    let key: String = words.iter().map(|word| word.replace(' ', "")).collect();
    (key.len() >= MIN_LEFT && CompanyForm::own_words(words) > 0).then_some(key)
}

/// The key of a company's name as one; of the name of today where something stands beside it.
///
/// `The Coca-Cola Company`, `Coca Cola Co.` and `coca-cola (beverages)` have one key.
#[must_use]
pub fn company_name_key(name: &str) -> String {
    let today = company::Asides::of(name).map(|asides| asides.name);
    CompanyForm::of(today.as_deref().unwrap_or(name)).key
}

/// By what a company's name is asked for: the keys of its readings and, for a domain given as a name, the name that it is made
/// of (`booking.com` → `booking`).
pub fn company_name_lookups(name: &str) -> impl Iterator<Item = String> {
    let readings = CompanyForm::readings(name).into_iter();
    readings.flat_map(|form| {
        let label = domain_label(&form.key);
        // So builds that were loaded by earlier versions have it.
        let glued = form.key.strip_suffix("technology");
        let glued = glued.map(|before| format!("{before}technologies"));
        let plain = form.plain.map(|plain| plain.key);
        std::iter::once(form.key)
            .chain(label)
            .chain(glued)
            .chain(plain)
    })
}

/// Other names are not looked for beyond so many: few organisations have more, and few names are those of so many organisations.
const MOST_OTHER_NAMES: usize = 16;

/// The keys of what a company is called otherwise, as far as the table of names knows it: `jpmc` leads to `jpmorganchase`. None of a domain.
#[must_use]
pub fn company_other_names(name: &str) -> Vec<&'static str> {
    let forms = CompanyForm::readings(name);
    let today = forms.get(1).or_else(|| forms.first());
    let bearers = today.map_or(&[][..], other_names::bearers_of_company);
    let keys = other_names::COMPANIES.keys(bearers);
    keys.take(MOST_OTHER_NAMES).collect()
}

/// The keys of an employer's name without its last words, which can say where or in which part of it somebody works, and of what it is
/// called otherwise: `siemens seoul`, `gtbank lagos`.
#[must_use]
pub fn company_without_place(name: &str) -> Vec<String> {
    let forms = CompanyForm::readings(name);
    let Some(today) = forms.get(1).or_else(|| forms.first()) else {
        return Vec::new();
    };
    let parted = today.without_last_words().skip(1);
    let keys = parted.flat_map(|(kept, _)| {
        let bearers = other_names::COMPANIES.bearers(&kept);
        let others = other_names::COMPANIES.keys(bearers).map(str::to_owned);
        let others: Vec<String> = others.collect();
        std::iter::once(kept).chain(others)
    });
    keys.take(MOST_OTHER_NAMES).collect()
}

/// The keys of what a school is called otherwise. None of a domain.
#[must_use]
pub fn school_other_names(name: &str) -> Vec<&'static str> {
    let key = school_name_key(name);
    let bearers = other_names::bearers_of_school(&key, SchoolWords::of(name).as_ref());
    let keys = other_names::SCHOOLS.keys(bearers);
    keys.take(MOST_OTHER_NAMES).collect()
}

/// A name by fewer words: its key without each of them in turn, and without common ones at its end. Under these it is stored, so
/// that it is found by them, and by these it is asked for, since it may have words more than the one that is stored.
pub fn company_word_keys(form: &CompanyForm) -> impl Iterator<Item = String> {
    form.without_a_word().chain(form.without_common_end())
}

/// Under what a company's name is stored so that it is found where its words are cut short or its last ones are left out: its first word,
/// alone and with the heads of the next one, two and so on. `national petroleum services` is found by `National Petroleum Svcs` and by
/// `national petro`.
pub fn company_head_keys(form: &CompanyForm) -> impl Iterator<Item = String> {
    let longest = form.words.len().min(MOST_WORDS);
    (1..=longest).filter_map(|count| heads(form.words.get(..count)?))
}

/// By what such a name is asked for: all of its words.
#[must_use]
pub fn company_head_lookup(form: &CompanyForm) -> Option<String> {
    let longest = form.words.len().min(MOST_WORDS);
    heads(form.words.get(..longest)?)
}

/// Letters of a word that are left where it is cut short.
const HEAD: usize = 3;

/// Nothing for one word or two that say nothing: many names begin with them.
fn heads(words: &[String]) -> Option<String> {
    let (first, others) = words.split_first()?;
    let says_which =
        !company::is_common_word(first) && (!others.is_empty() || first.len() >= MIN_LEFT);
    (says_which || others.len() > 1).then(|| {
        let heads = others.iter().map(|word| head(word));
        std::iter::once(first.as_str())
            .chain(heads)
            .collect::<Vec<_>>()
            .join(" ")
    })
}

fn head(word: &str) -> &str {
    let end = word
        .char_indices()
        .nth(HEAD)
        .map_or(word.len(), |(at, _)| at);
    word.get(..end).unwrap_or(word)
}

/// Under what a company's name is stored so that it is found in spite of a slip: its key with a gap in each of four
/// places, beside the length of the whole. A slip falls into one of the gaps. A name with a closing word is stored
/// without and with it.
pub fn company_slip_keys(form: &CompanyForm) -> impl Iterator<Item = String> {
    let whole = (form.whole != form.key).then_some(&form.whole);
    let keys = std::iter::once(&form.key).chain(whole);
    keys.flat_map(|key| with_gaps(key, key.len()))
}

/// By what a name with a slip is asked for: its key with the gaps of one that is as long, one shorter or one longer.
pub fn company_slip_lookups(form: &CompanyForm) -> impl Iterator<Item = String> {
    let key = &form.whole;
    let lengths = [key.len().saturating_sub(1), key.len(), key.len() + 1];
    lengths
        .into_iter()
        .flat_map(|length| with_gaps(key, length))
}

/// The name that a domain is made of, as a key: `northwind-tools.example` → `northwindtools`.
#[must_use]
pub fn domain_label(host: &str) -> Option<String> {
    if !host.contains('.') {
        return None;
    }
    let registered = domain_key(host);
    let (label, _) = registered.split_once('.')?;
    Some(in_one_spelling(label.replace('-', ""))).filter(|label| !label.is_empty())
}

/// What stands around each gap of a key that is `length` letters long, as far as this one has it. The gaps overlap, so
/// that two turned letters fall into one.
fn with_gaps(key: &str, length: usize) -> Vec<String> {
    if length < MIN_SLIPPED || key.contains('.') {
        return Vec::new();
    }
    let around = |gap: usize| {
        let from = (gap * length / GAPS).saturating_sub(1);
        let to = ((gap + 1) * length / GAPS + 1).min(length);
        let start = key.get(..from)?;
        let end = key.get(key.len().checked_sub(length - to)?..)?;
        Some(format!("{length} {start} {end}"))
    };
    (0..GAPS).filter_map(around).collect()
}

/// What a company's name may be called by its first letters (`ibm`), for names of three words or more.
pub fn company_letters(form: &CompanyForm) -> impl Iterator<Item = String> {
    let letters = |words: &[String]| {
        let letters: String = words
            .iter()
            .filter_map(|word| word.chars().next())
            .collect();
        Some(letters).filter(|letters| letters.len() > 2)
    };
    let [without, with] = &form.spelt;
    let (without, with) = (letters(without), letters(with));
    let with = with.filter(|letters| Some(letters) != without.as_ref());
    without.into_iter().chain(with)
}

/// The key of a school's name.
#[must_use]
pub fn school_name_key(name: &str) -> String {
    match school::clean(name) {
        Ok(cleaned) if school::kind(name) != school::Kind::Name => domain_key(&cleaned),
        Ok(cleaned) => joined_without(&cleaned, &["at", "in"]),
        Err(_) => joined_without(&text::clean(name), &[]),
    }
}

/// What a name context is keyed by: the registrable domain of a website or domain, the name key of a name.
#[must_use]
pub fn company_context(company_or_domain: &str) -> String {
    company_name_key(company_or_domain)
}

/// The folded words of a company's name without its legal form, in any script, in each of its spellings; none of a domain.
pub(crate) fn company_words(name: &str) -> Vec<Vec<String>> {
    match company::clean(name) {
        Ok(cleaned) if cleaned.kind == company::Kind::Name => {
            let bare = company::bare_name(&cleaned.name);
            let other = is_spoken_otherwise(bare).then(|| other_spelling(bare));
            let spellings = std::iter::once(bare.to_owned()).chain(other.flatten());
            spellings
                .map(|name| {
                    let [_, all] = both_words(&name);
                    all
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The folded words of a school's name: without the light ones, and with them.
pub(crate) fn school_words(name: &str) -> [Vec<String>; 2] {
    both_words(name)
}

fn both_words(name: &str) -> [Vec<String>; 2] {
    let folded = text::fold(name);
    let all = || folded.split(' ').filter(|word| !word.is_empty());
    let own = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    let heavy = all().filter(|word| !LIGHT.contains(word) && !matches!(*word, "at" | "in"));
    [own(heavy.collect()), own(all().collect())]
}

fn domain_key(host: &str) -> String {
    domain::registrable(host).unwrap_or(host).to_owned()
}

/// Folded, with the vowels that German and Scandinavian ones are written out with where their marks are missing: `soehne` as `söhne`.
/// Words that many companies have stay as they are.
pub(crate) fn with_plain_vowels(folded: &str) -> String {
    let plain = |word: &str| match PAIRS.iter().any(|(pair, _)| word.contains(pair))
        && !company::is_common_word(word)
    {
        true => PAIRS.iter().fold(word.to_owned(), |word, (pair, vowel)| {
            word.replace(pair, vowel)
        }),
        false => word.to_owned(),
    };
    folded.split(' ').map(plain).collect::<Vec<_>>().join(" ")
}

/// In shorter names two vowels are themselves: `saab`, `cae`.
const MIN_PLAIN: usize = 5;
const MARKED: &[char] = &['ä', 'ö', 'ü', 'å', 'æ', 'ø', 'Ä', 'Ö', 'Ü', 'Å', 'Æ', 'Ø'];
const PAIRS: [(&str, &str); 4] = [("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a")];

/// Folded words, short ones written out, without the light ones.
fn words(folded: &str) -> Vec<&str> {
    let words = folded.split(' ').filter(|word| !word.is_empty());
    let is_light = |(at, word): &(usize, &str)| {
        LIGHT.contains(word) || (*at > 0 && LIGHT_WITHIN.contains(word))
    };
    words
        .enumerate()
        .filter(|word| !is_light(word))
        .map(|(_, word)| written_out(word))
        .collect()
}

/// Words without those of `tail` at their end, unless nothing remains.
fn without_tail<'a, 'b>(words: &'a [&'b str], tail: &[&str]) -> &'a [&'b str] {
    let mut kept = words;
    while let [before @ .., last] = kept
        && !before.is_empty()
        && tail.contains(last)
    {
        kept = before;
    }
    kept
}

/// Without spaces; all of what is folded where no word is left.
fn joined(words: &[&str], folded: &str) -> String {
    if words.is_empty() {
        folded.replace(' ', "")
    } else {
        words.concat().replace(' ', "")
    }
}

fn joined_without(name: &str, tail: &[&str]) -> String {
    let folded = text::fold(&name.replace('&', " and "));
    joined(without_tail(&words(&folded), tail), &folded)
}

/// Written out at its end as its words are: `northwindtechnologies` as `northwind technologies`.
fn in_one_spelling(joined: String) -> String {
    match joined.strip_suffix("technologies") {
        Some(before) if !before.is_empty() => format!("{before}technology"),
        _ => joined,
    }
}

/// A word that is cut short in some sources, as it is in others.
fn written_out(word: &str) -> &str {
    match word {
        "us" | "usa" => "united states",
        "uk" => "united kingdom",
        "intl" | "int" => "international",
        "natl" => "national",
        "grp" => "group",
        "hld" | "hlds" | "hldg" | "hldgs" => "holdings",
        "bk" => "bank",
        "engg" => "engineering",
        "inds" => "industries",
        "univ" | "uni" => "university",
        "inst" => "institute",
        "dept" => "department",
        "govt" => "government",
        "assoc" => "associates",
        "assn" => "association",
        "bros" => "brothers",
        "mfg" => "manufacturing",
        "svcs" | "svc" | "servs" | "serv" => "services",
        "mgmt" | "mgt" => "management",
        "tech" | "technologies" => "technology",
        "labs" => "laboratories",
        "st" => "saint",
        "mt" => "mount",
        "ft" => "fort",
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::{CompanyForm, company_slip_keys, company_slip_lookups, company_word_keys};

    #[test]
    fn a_name_with_one_slip_is_found_around_it() {
        let stored: Vec<String> =
            company_slip_keys(&CompanyForm::of("Northwind Tools, Inc.")).collect();
        assert_eq!(
            stored,
            [
                "14  hwindtools",
                "14 no dtools",
                "14 northw ols",
                "14 northwind "
            ]
        );
        for asked in [
            "northwnd tools",
            "northwindd tools",
            "northwind tols",
            "nrothwind tools",
            "northwnid tools",
        ] {
            assert!(
                company_slip_lookups(&CompanyForm::of(asked)).any(|key| stored.contains(&key)),
                "{asked}"
            );
        }
        let count = |name: &str| company_slip_keys(&CompanyForm::of(name)).count();
        assert_eq!(count("acme"), 0);
        assert_eq!(count("https://northwind.example"), 0);
    }

    #[test]
    fn a_name_is_found_with_a_word_more_or_less_where_the_rest_says_which() {
        let stored = |name: &str| company_word_keys(&CompanyForm::of(name)).collect::<Vec<_>>();
        assert_eq!(stored("Northwind Tools, Inc."), ["northwind"]);
        assert_eq!(
            stored("northwind precision tools"),
            ["northwindtools", "northwindprecision", "northwind"]
        );
        assert_eq!(stored("northwind"), [""; 0]);
        assert_eq!(stored("bank of china"), [""; 0]);
        let asked: Vec<_> =
            company_word_keys(&CompanyForm::of("Northwind Services North America")).collect();
        assert!(asked.contains(&"northwind".to_owned()), "{asked:?}");
    }
}
