//! The name of a company, as it was given and as a record has it.

use normalize::compare::{Organisation, OrganisationFinding};
use normalize::keys::CompanyForm;
use normalize::{company, country, text};

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
    /// For keys: each name in it where something stands beside one.
    pub readings: Vec<CompanyForm>,
    /// The country that stands beside it, by its code: `acme (germany)`.
    pub country: Option<String>,
}

impl CompanyGiven {
    /// Reads a name, given as `name` and normalized as `cleaned`.
    #[must_use]
    pub fn new(given: &str, name: String) -> Self {
        let asides = company::Asides::of(&name);
        let remarks = asides.iter().flat_map(|asides| &asides.remarks);
        let mut known = remarks.filter_map(|remark| country::clean(remark).ok());
        Self {
            whole: text::fold(given),
            read: Organisation::company(&name),
            readings: CompanyForm::readings(&name),
            country: known.next().map(|country| country.code.to_owned()),
            name,
        }
    }

    /// A name in any of the record's forms; a domain given as the name is compared with domains. The very form, legal form
    /// and all, is nearer than the name with its closing words, and that is nearer than the name without them or without what
    /// stands beside it.
    pub(super) fn compare<'a>(&self, doc: &'a Document) -> Finding<'a> {
        let forms = ["name.cleaned", "name.display", "name.raw"];
        let names: Vec<&str> = forms.iter().flat_map(|path| texts(doc, path)).collect();
        let very = names.iter().find(|name| text::fold(name) == self.whole);
        if let Some(very) = very {
            return Finding::of(How::Same, very);
        }
        let is_whole = |name: &&&str| self.read.is_whole(&Organisation::company(name));
        let mut found = match names.iter().find(is_whole) {
            Some(whole) => Finding::of(How::But, whole),
            None => organisation(&self.read, hosts(doc), names.clone(), Organisation::company),
        };
        found.how = match found.how {
            // It could be a sister.
            How::But | How::Same | How::Part if self.is_abroad(doc) => How::Near,
            How::Same => How::Part,
            How::Near | How::Initial if self.read.is_short() => self.by_letters(&names, doc),
            How::Initial if is_short(&found) => How::Word,
            how => how,
        };
        found
    }

    /// Whether the country beside the name is none of the record's.
    fn is_abroad(&self, doc: &Document) -> bool {
        let codes = both(doc, "country_code");
        self.country.as_ref().is_some_and(|country| {
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
        if is_both { How::Near } else { How::Word }
    }
}

fn is_short(found: &Finding<'_>) -> bool {
    let record = found.record.as_deref().map(Organisation::company);
    record.is_some_and(|record| record.is_short())
}
