//! The name of a company, as it was given and as a record has it.

use normalize::compare::{Organisation, OrganisationFinding};
use normalize::{company, text};

use super::hosts;
use crate::enrich::agree::{countries, organisation};
use crate::enrich::compared::Compared;
use crate::enrich::finding::{Finding, How};
use crate::enrich::memo::ClueMemo;

/// The name of a company as it was given, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyGiven {
    /// Normalized: without its legal form.
    pub name: String,
    /// Folded with its legal form, which tells companies of one name apart.
    pub whole: String,
    /// For comparison.
    pub read: Organisation,
}

impl CompanyGiven {
    /// Reads a name, given as `name` and normalized as `cleaned`.
    #[must_use]
    pub fn new(given: &str, name: String) -> Self {
        Self {
            whole: text::fold(given),
            read: Organisation::company(&name),
            name,
        }
    }

    /// A name in any of the record's forms; a domain given as the name is compared with domains. The very form, legal form
    /// and all, is nearer than the name with its closing words, and that is nearer than the name without them.
    pub(super) fn compare<'a>(&self, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
        let names: Vec<&str> = names_of(doc).collect();
        let very = names.iter().find(|name| text::fold(name) == self.whole);
        if let Some(very) = very {
            return Finding::of(How::Same, very);
        }
        let is_letters = self.read.is_short() && !self.read.is_domain();
        let found = organisation(
            self.read.is_domain(),
            hosts(doc),
            names.iter().copied(),
            |name| memo.how(name, || self.how(&Organisation::company(name))),
        );
        let mut found = match found.how {
            How::Same | How::Part => self.of_same(found, &names),
            How::Near | How::Initial if is_letters => Finding {
                how: if self.is_both(&names, doc) {
                    How::Near
                } else {
                    How::Unsure
                },
                ..found
            },
            How::Initial if is_short(&found) => Finding {
                how: How::Unsure,
                ..found
            },
            How::Initial if self.is_both(&names, doc) => Finding {
                how: How::Near,
                ..found
            },
            How::Near if self.is_common() && is_host(&found, doc) => Finding {
                how: How::Unsure,
                ..found
            },
            _ => found,
        };
        if !matches!(
            found.how,
            How::Same | How::But | How::Part | How::Near | How::OtherName
        ) && let Some(name) = self.of_own_domain(&names, doc)
        {
            found = Finding::of(How::Near, name);
        }
        if self.is_abroad(doc) {
            found.how = match found.how {
                // It could be a sister.
                How::Same | How::But | How::Part => How::Near,
                How::Near | How::OtherName | How::Initial | How::Slip | How::Kind | How::Word => {
                    How::Unsure
                }
                how => how,
            };
        }
        found
    }

    pub(super) fn begins(&self, doc: &Compared) -> bool {
        names_of(doc).any(|name| self.read.begins(&Organisation::company(name)))
    }

    pub(super) fn goes_beyond(&self, doc: &Compared) -> bool {
        names_of(doc).any(|name| self.read.goes_beyond(&Organisation::company(name)))
    }

    /// The same name: with its closing words, without them, or with something beside the record's that tells it from others.
    fn of_same<'a>(&self, found: Finding<'a>, names: &[&'a str]) -> Finding<'a> {
        let known = found.record.as_deref().map(Organisation::company);
        let is_told = known.is_some_and(|known| known.has_remarks() && !self.read.has_remarks());
        if is_told && found.how == How::Part {
            return Finding {
                how: How::Near,
                ..found
            };
        }
        let is_whole = |name: &&&str| self.read.is_whole(&Organisation::company(name));
        match names.iter().find(is_whole) {
            Some(whole) => Finding::of(How::But, whole),
            None => Finding {
                how: How::Part,
                ..found
            },
        }
    }

    /// One of the record's names. Another company is likelier than a slip of the pen where the one word that says which company it is differs,
    /// and is so short that some company is called by nearly every word that is like it (`mazda`, `maeda`).
    fn how(&self, known: &Organisation) -> How {
        let how = How::of_organisation(self.read.finding(known));
        let is_bare = || {
            let slip = self.read.slip_alone(known);
            slip.is_some_and(|slip| !slip.is_behind_first || slip.letters < SURE_SLIP)
        };
        if how == How::Near && is_bare() {
            How::Slip
        } else {
            how
        }
    }

    /// Whether no word of it says which company it is, so that a domain that is made of it may be anybody's: `The Bank` at `bank.no`, `London` at
    /// `london.ac.uk`.
    fn is_common(&self) -> bool {
        let folded = text::fold(&self.name);
        let words = folded.split(|c: char| !c.is_alphanumeric());
        let mut words = words.filter(|word| !word.is_empty()).peekable();
        words.peek().is_some() && words.all(company::is_common_word)
    }

    /// Whether the country beside the name is none of the record's.
    fn is_abroad(&self, doc: &Compared) -> bool {
        let mut codes = countries(doc).peekable();
        self.read.country().is_some_and(|country| {
            codes.peek().is_some() && !codes.any(|code| code.eq_ignore_ascii_case(country))
        })
    }

    /// The record's name that has this one word among others, where the domain is made of that alone: `KLM Royal Dutch Airlines` at
    /// `klm.com`, `Bharti Airtel` at `airtel.in`.
    fn of_own_domain<'a>(&self, names: &[&'a str], doc: &Compared) -> Option<&'a str> {
        let word = text::fold(&self.name);
        let is_one = word.len() >= MIN_OF_DOMAIN && word.chars().all(char::is_alphanumeric);
        if self.read.is_domain() || !is_one || company::is_common_word(&word) {
            return None;
        }
        let is_made_of_it = |host: &str| {
            self.read.finding(&Organisation::company(host)) == OrganisationFinding::Near
        };
        let has_it = |name: &&&str| {
            let folded = text::fold(name);
            let mut words = folded.split(|c: char| !c.is_alphanumeric());
            words.any(|one| one == word)
        };
        let name = names.iter().find(has_it)?;
        doc.texts("domain").any(is_made_of_it).then_some(*name)
    }

    /// Whether a record's name begins with these letters, and its domain is made of them: `IBM` is whose name and domain they are.
    fn is_both(&self, names: &[&str], doc: &Compared) -> bool {
        let is = |text: &str, wanted: OrganisationFinding| {
            self.read.finding(&Organisation::company(text)) == wanted
        };
        names
            .iter()
            .any(|name| is(name, OrganisationFinding::Letters))
            && hosts(doc).any(|host| is(host, OrganisationFinding::Near))
    }
}

/// Whether what was found to agree is a domain of the record.
fn is_host(found: &Finding<'_>, doc: &Compared) -> bool {
    let record = found.record.as_deref();
    hosts(doc).any(|host| Some(host) == record)
}

/// Fewer letters are the domain of a country or a word (`go.com`) more often than a company's name.
const MIN_OF_DOMAIN: usize = 3;
/// From so many letters on, few words are like another company's.
const SURE_SLIP: usize = 8;

fn names_of(doc: &Compared) -> impl Iterator<Item = &str> {
    ["name.cleaned", "name.display", "name.raw"]
        .into_iter()
        .flat_map(|path| doc.texts(path))
}

fn is_short(found: &Finding<'_>) -> bool {
    let record = found.record.as_deref().map(Organisation::company);
    record.is_some_and(|record| record.is_short())
}
