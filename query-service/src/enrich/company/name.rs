//! The name of a company, as it was given and as a record has it.

use normalize::compare::{Organisation, OrganisationFinding};
use normalize::text;

use super::hosts;
use crate::enrich::Document;
use crate::enrich::agree::{both, organisation, texts};
use crate::enrich::finding::{Finding, How};

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
    pub(super) fn compare<'a>(&self, doc: &'a Document) -> Finding<'a> {
        let forms = ["name.cleaned", "name.display", "name.raw"];
        let names: Vec<&str> = forms.iter().flat_map(|path| texts(doc, path)).collect();
        let very = names.iter().find(|name| text::fold(name) == self.whole);
        if let Some(very) = very {
            return Finding::of(How::Same, very);
        }
        let is_letters = self.read.is_short() && !self.read.is_domain();
        let found = organisation(&self.read, hosts(doc), names.clone(), Organisation::company);
        let mut found = match found.how {
            How::Same | How::Part => self.of_same(found, &names),
            How::Near | How::Initial if is_letters => Finding {
                how: self.by_letters(&names, doc),
                ..found
            },
            How::Initial if is_short(&found) => Finding {
                how: How::Unsure,
                ..found
            },
            _ => found,
        };
        if self.is_abroad(doc) {
            found.how = match found.how {
                // It could be a sister.
                How::Same | How::But | How::Part => How::Near,
                How::Near | How::Initial | How::Kind | How::Word => How::Unsure,
                how => how,
            };
        }
        found
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

    /// Whether the country beside the name is none of the record's.
    fn is_abroad(&self, doc: &Document) -> bool {
        let codes = both(doc, "country_code");
        self.read.country().is_some_and(|country| {
            !codes.is_empty() && !codes.iter().any(|code| code.eq_ignore_ascii_case(country))
        })
    }

    /// Three letters are the first ones of too many, and somebody's domain: `IBM` is whose name and domain they are.
    fn by_letters(&self, names: &[&str], doc: &Document) -> How {
        let is_any = |texts: &[&str], wanted: OrganisationFinding| {
            let mut found = texts.iter().map(|text| Organisation::company(text));
            found.any(|one| self.read.finding(&one) == wanted)
        };
        let is_both = is_any(names, OrganisationFinding::Letters)
            && is_any(&hosts(doc), OrganisationFinding::Near);
        if is_both { How::Near } else { How::Unsure }
    }
}

fn is_short(found: &Finding<'_>) -> bool {
    let record = found.record.as_deref().map(Organisation::company);
    record.is_some_and(|record| record.is_short())
}
