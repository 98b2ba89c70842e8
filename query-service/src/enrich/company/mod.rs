//! What a company request says, and how a record stands to it.

mod name;

use normalize::compare::{Organisation, OrganisationFinding};
use normalize::{domain, linkedin_company, vocabulary};
use uuid::Uuid;

use super::agree::{city, country, state};
use super::compared::Compared;
use super::finding::{Finding, How};
use super::memo::ClueMemo;

pub use name::CompanyGiven;

/// One input of a company request, normalized, in the order of `docs/API.md`, "POST /company/enrich".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompanyClue {
    /// `service_id`
    ServiceId(Uuid),
    /// `domain`
    Domain(String),
    /// `name`: a name, website or domain
    Name(Box<CompanyGiven>),
    /// `linkedin_url` or `social_url`, or a profile that was given as `domain` or `name`
    Profile {
        /// The parameter's name.
        field: &'static str,
        /// In its one spelling.
        url: String,
    },
    /// `linkedin_id`
    LinkedinId(String),
    /// `ticker_symbol`
    Ticker(String),
    /// `industry`
    Industry(String),
    /// `city`
    City(String),
    /// `state`; the code where one is known
    State {
        /// Name in lower case.
        name: String,
        /// ISO 3166-2.
        code: Option<String>,
    },
    /// `country`, its ISO 3166-1 alpha-2 code
    Country(String),
}

impl CompanyClue {
    /// The parameter's name.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::ServiceId(_) => "service_id",
            Self::Domain(_) => "domain",
            Self::Name(_) => "name",
            Self::Profile { field, .. } => field,
            Self::LinkedinId(_) => "linkedin_id",
            Self::Ticker(_) => "ticker_symbol",
            Self::Industry(_) => "industry",
            Self::City(_) => "city",
            Self::State { .. } => "state",
            Self::Country(_) => "country",
        }
    }

    /// Whether a unique hit on it is a high match.
    #[must_use]
    pub const fn is_identifier(&self) -> bool {
        !self.is_context() && !matches!(self, Self::Name(_))
    }

    /// Whether it only tells companies of one name apart.
    #[must_use]
    pub const fn is_context(&self) -> bool {
        matches!(
            self,
            Self::Industry(_) | Self::City(_) | Self::State { .. } | Self::Country(_)
        )
    }

    /// Whether it is a name of more words than the record's, and that of several which say which company it is.
    pub(super) fn goes_beyond(&self, doc: &Compared) -> bool {
        matches!(self, Self::Name(given) if given.goes_beyond(doc))
    }

    /// Whether it is a name after which the record's goes on.
    pub(super) fn begins(&self, doc: &Compared) -> bool {
        matches!(self, Self::Name(given) if given.begins(doc))
    }

    /// Whether a key of the clue that led to the record is the record's own: the index also holds the registrable part
    /// of every domain, by which the owner of `shop.acme.com` is found from `acme.com`.
    #[must_use]
    pub fn is_own(&self, doc: &Compared) -> bool {
        match self {
            Self::Domain(domain) => hosts(doc).any(|host| host == domain),
            _ => true,
        }
    }

    /// Whether the record has what was registered of the domain that is asked for: `acme.com` of `www2.acme.com`.
    #[must_use]
    pub fn is_owners(&self, doc: &Compared) -> bool {
        match self {
            Self::Domain(domain) => domain::registrable(domain)
                .is_some_and(|registered| hosts(doc).any(|host| host == registered)),
            _ => false,
        }
    }

    /// How the record stands to the input; an identifier that led to the record agrees.
    #[must_use]
    pub fn compare<'a>(&self, doc: &'a Compared, is_hit: bool, memo: ClueMemo<'_>) -> Finding<'a> {
        if is_hit && self.is_identifier() {
            return Finding::bare(How::Exact);
        }
        match self {
            Self::ServiceId(_) => Finding::bare(How::Contradicts),
            Self::Domain(domain) => compare_host(domain, doc),
            Self::Name(given) => given.compare(doc, memo),
            Self::Profile { url, .. } => profile(url, doc),
            Self::LinkedinId(_) => Finding::unless_known(doc.has("linkedin_id")),
            Self::Ticker(_) => Finding::unless_known(doc.has("tickers")),
            Self::Industry(given) => industry(given, doc),
            Self::City(name) => city(doc, name, memo),
            Self::State { name, code } => state(doc, name, code.as_deref()),
            Self::Country(code) => country(doc, code),
        }
    }

    /// The input as it is compared: what `explain` shows.
    #[must_use]
    pub fn normalized(&self) -> String {
        match self {
            Self::ServiceId(id) => id.to_string(),
            Self::Name(given) => given.name.clone(),
            Self::State { name, code } => code.as_ref().unwrap_or(name).clone(),
            Self::Domain(text)
            | Self::Profile { url: text, .. }
            | Self::LinkedinId(text)
            | Self::Ticker(text)
            | Self::Industry(text)
            | Self::City(text)
            | Self::Country(text) => text.clone(),
        }
    }
}

pub(super) fn hosts(doc: &Compared) -> impl Iterator<Item = &str> + Clone {
    doc.texts("domain").chain(doc.texts("domains.domain"))
}

/// A domain by what was registered.
fn compare_host<'a>(given: &str, doc: &'a Compared) -> Finding<'a> {
    let given = Organisation::company(given);
    Finding::nearest(hosts(doc), |host| {
        let found = given.finding(&Organisation::company(host));
        How::of_equal(found == OrganisationFinding::Same)
    })
}

/// A profile contradicts only one of the same network. A LinkedIn page has two addresses, by its number and by its word;
/// one says nothing about the other.
fn profile<'a>(url: &str, doc: &'a Compared) -> Finding<'a> {
    let site = |url: &str| url.split('/').next().unwrap_or_default().to_owned();
    let number = linkedin_number(url);
    if let (Some(number), Some(id)) = (number, doc.texts("linkedin_id").next()) {
        return Finding::of(How::of_equal(number == id), id);
    }
    let known = doc.texts("linkedin_url").chain(doc.texts("socials.url"));
    let comparable = known.filter(|other| {
        site(other) == site(url) && linkedin_number(other).is_some() == number.is_some()
    });
    Finding::nearest(comparable, |other| {
        How::of_equal(other == url || linkedin_company::are_one(other, url))
    })
}

/// LinkedIn's number of a company where it stands for the page's word: `linkedin.com/company/1441`.
pub(super) fn linkedin_number(url: &str) -> Option<&str> {
    let id = linkedin_company::slug(url)?;
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(id)
}

/// By the product's vocabulary; a word that it does not know can agree, not contradict.
fn industry<'a>(given: &str, doc: &'a Compared) -> Finding<'a> {
    let mapped = vocabulary::industry(given);
    Finding::nearest(doc.texts("industry"), |known| match known == mapped.value {
        true => How::Same,
        false if mapped.known => How::Contradicts,
        false => How::Unsure,
    })
}
