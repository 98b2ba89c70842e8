//! Organisations with several names of which no rule makes one of the other: `jpmc`, `jpmorgan chase`; `iqvia`, once `quintiles`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::compare::SchoolWords;
use crate::{keys, table};

/// Names of companies, agencies and other employers.
pub(crate) static COMPANIES: LazyLock<OtherNames> = LazyLock::new(|| {
    let file = include_str!("../tables/company_names.tsv");
    OtherNames::read(file, |name| {
        let form = keys::CompanyForm::of(name);
        let spellings = form.known_by().map(str::to_owned).collect();
        (form.key, spellings)
    })
});

/// Names of schools.
pub(crate) static SCHOOLS: LazyLock<OtherNames> = LazyLock::new(|| {
    let file = include_str!("../tables/school_names.tsv");
    OtherNames::read(file, |name| {
        let key = keys::school_name_key(name);
        let words = SchoolWords::of(name);
        let known_as = words.iter().flat_map(SchoolWords::known_as);
        let spellings = std::iter::once(key.clone()).chain(known_as).collect();
        (key, spellings)
    })
});

/// The lines in which a school stands, given by its name or domain.
pub(crate) fn school_lines(school: &str) -> &'static [Line] {
    let key = keys::school_name_key(school);
    match keys::domain_label(&key) {
        Some(label) => lines_of_school(&label, None),
        None => lines_of_school(&key, SchoolWords::of(school).as_ref()),
    }
}

/// The same by its key, or what its domain is made of, and its words.
pub(crate) fn lines_of_school(key: &str, words: Option<&SchoolWords>) -> &'static [Line] {
    let lines = SCHOOLS.lines(std::iter::once(key));
    if !lines.is_empty() {
        return lines;
    }
    let known_by: Vec<String> = words.into_iter().flat_map(SchoolWords::known_by).collect();
    SCHOOLS.lines(known_by.iter().map(String::as_str))
}

/// A line of a table: the names of one organisation.
pub(crate) type Line = u32;

/// The names of a table.
pub(crate) struct OtherNames {
    /// The lines in which a name stands: several organisations may be called `cba`.
    lines: HashMap<String, Vec<Line>>,
    /// The keys under which records of each line's organisation are stored.
    keys: Vec<Vec<String>>,
    file: &'static str,
}

impl OtherNames {
    /// `read` gives the key of a name, and by what it is known.
    fn read(file: &'static str, read: impl Fn(&str) -> (String, Vec<String>)) -> Self {
        let mut lines: HashMap<String, Vec<Line>> = HashMap::new();
        let mut keys: Vec<Vec<String>> = Vec::new();
        for (line, at) in table::lines(file).zip(0..) {
            let (mut keys_of_line, spellings): (Vec<String>, Vec<Vec<String>>) =
                line.split(['\t', '|']).map(&read).unzip();
            for spelling in spellings.into_iter().flatten() {
                let known = lines.entry(spelling).or_default();
                if known.last() != Some(&at) {
                    known.push(at);
                }
            }
            keys_of_line.retain(|key| !key.is_empty());
            keys_of_line.sort_unstable();
            keys_of_line.dedup();
            keys.push(keys_of_line);
        }
        lines.remove("");
        Self { lines, keys, file }
    }

    /// The names of each line.
    pub(crate) fn names(&self) -> impl Iterator<Item = Vec<&'static str>> {
        table::lines(self.file).map(|line| line.split(['\t', '|']).collect())
    }

    /// The lines in which the first of these names stands that is known.
    pub(crate) fn lines<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> &[Line] {
        let known = names.find_map(|name| self.lines.get(name));
        known.map_or(&[], Vec::as_slice)
    }

    /// The keys of what the organisations of these lines are called.
    pub(crate) fn keys(&self, lines: &[Line]) -> impl Iterator<Item = &str> {
        let keys = lines
            .iter()
            .filter_map(|line| self.keys.get(usize::try_from(*line).ok()?));
        keys.flatten().map(String::as_str)
    }
}
