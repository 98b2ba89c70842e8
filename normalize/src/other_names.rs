//! Organisations with several names of which no rule makes one of the other: `jpmc`, `jpmorgan chase`; `iqvia`, once `quintiles`.
//!
//! A line of a table is an organisation: the name by which it is known best, its other names, and names of before, those of companies that it
//! has taken over among them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::company::Asides;
use crate::compare::SchoolWords;
use crate::keys::{self, CompanyForm};
use crate::table;

/// What many organisations are called leads to none of them.
pub(crate) const MOST_BEARERS: usize = 3;

/// Names of companies, agencies and other employers.
pub(crate) static COMPANIES: LazyLock<OtherNames> = LazyLock::new(|| {
    let file = include_str!("../tables/company_names.tsv");
    OtherNames::read(file, |name| {
        // `alfa (mexico)` is called alfa.
        let today = Asides::of(name).map(|asides| asides.name);
        let form = CompanyForm::of(today.as_deref().unwrap_or(name));
        Read {
            spellings: vec![form.whole.clone()],
            key: form.key,
            is_told_apart: today.is_some(),
        }
    })
});

/// Names of schools.
pub(crate) static SCHOOLS: LazyLock<OtherNames> = LazyLock::new(|| {
    let file = include_str!("../tables/school_names.tsv");
    OtherNames::read(file, |name| {
        let key = keys::school_name_key(name);
        let words = SchoolWords::of(name);
        let known_as = words.iter().flat_map(SchoolWords::known_as);
        Read {
            spellings: std::iter::once(key.clone()).chain(known_as).collect(),
            key,
            is_told_apart: false,
        }
    })
});

/// The organisations that bear a company's name.
pub(crate) fn bearers_of_company(name: &CompanyForm) -> &'static [Bearer] {
    let bearers = COMPANIES.bearers(&name.whole);
    match name.without_closing_words() {
        Some(key) if bearers.is_empty() => COMPANIES.best_of_key(key),
        _ => bearers,
    }
}

/// The organisations that bear a school's name, given by its key and its words.
pub(crate) fn bearers_of_school(key: &str, words: Option<&SchoolWords>) -> &'static [Bearer] {
    let bearers = SCHOOLS.bearers(key);
    if !bearers.is_empty() {
        return bearers;
    }
    let mut known_by = words.into_iter().flat_map(SchoolWords::known_by);
    let found =
        known_by.find_map(|name| Some(SCHOOLS.bearers(&name)).filter(|all| !all.is_empty()));
    found.unwrap_or_default()
}

/// A line of a table.
pub(crate) type Line = u32;

/// What a name is to an organisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// It is known best by it.
    Best,
    /// It is called so as well.
    Other,
    /// It was, or what it has taken over was.
    Former,
    /// Others are known best by it, too: a bracket tells it from them.
    Shared,
}

/// An organisation that bears a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bearer {
    pub(crate) line: Line,
    pub(crate) name_is: Use,
}

/// A name as a table has it.
struct Read {
    /// By what it is known.
    spellings: Vec<String>,
    /// Under what a record is stored that has it.
    key: String,
    /// Whether it has a bracket that tells it from others who are called so.
    is_told_apart: bool,
}

/// The names of a table.
pub(crate) struct OtherNames {
    bearers: HashMap<String, Vec<Bearer>>,
    /// By the keys of their best names: a word that is left of any other (`united` of `united group`) says nothing.
    best: HashMap<String, Vec<Bearer>>,
    /// The keys under which records of each line's organisation are stored.
    keys: Vec<Vec<String>>,
    file: &'static str,
}

impl OtherNames {
    fn read(file: &'static str, read: impl Fn(&str) -> Read) -> Self {
        let mut names = Self {
            bearers: HashMap::new(),
            best: HashMap::new(),
            keys: Vec::new(),
            file,
        };
        for (text, line) in table::lines(file).zip(0..) {
            let mut keys = Vec::new();
            let mut shared = Vec::new();
            let columns = text.split('\t').zip([Use::Best, Use::Other, Use::Former]);
            let told = columns.flat_map(|(column, name_is)| {
                let alternatives = column.split('|').filter(|name| !name.is_empty());
                alternatives.map(move |name| (name, name_is))
            });
            for (name, name_is) in told {
                let read = read(name);
                if read.is_told_apart {
                    shared.clone_from(&read.spellings);
                }
                let is_shared = read
                    .spellings
                    .iter()
                    .any(|spelling| shared.contains(spelling));
                let name_is = if is_shared { Use::Shared } else { name_is };
                let bearer = Bearer { line, name_is };
                for spelling in read.spellings {
                    push(&mut names.bearers, spelling, bearer);
                }
                if name_is == Use::Best {
                    push(&mut names.best, read.key.clone(), bearer);
                }
                if !keys.contains(&read.key) {
                    keys.push(read.key);
                }
            }
            names.keys.push(keys);
        }
        names.bearers.remove("");
        names
    }

    /// Who bears a name.
    pub(crate) fn bearers(&self, name: &str) -> &[Bearer] {
        self.bearers.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whose best name has this key.
    fn best_of_key(&self, key: &str) -> &[Bearer] {
        self.best.get(key).map_or(&[], Vec::as_slice)
    }

    /// The names of today of each line.
    pub(crate) fn names(&self) -> impl Iterator<Item = Vec<&'static str>> {
        let today = |line: &'static str| line.split('\t').take(2);
        table::lines(self.file)
            .map(move |line| today(line).flat_map(|one| one.split('|')).collect())
    }

    /// The keys of what few organisations are called.
    pub(crate) fn keys(&self, bearers: &[Bearer]) -> impl Iterator<Item = &str> {
        let few = bearers.iter().filter(|_| bearers.len() <= MOST_BEARERS);
        let keys = few.filter_map(|bearer| self.keys.get(usize::try_from(bearer.line).ok()?));
        keys.flatten().map(String::as_str)
    }
}

/// A line bears a name once, for the best of its uses.
fn push(bearers: &mut HashMap<String, Vec<Bearer>>, name: String, bearer: Bearer) {
    let of_name = bearers.entry(name).or_default();
    if of_name.last().is_none_or(|last| last.line != bearer.line) {
        of_name.push(bearer);
    }
}
