//! What a company request says, and whether a record agrees with it.

use normalize::company::{CompanyName, Kind};
use normalize::vocabulary;
use uuid::Uuid;

use super::agree::{any, city, company_name, country, equal, has_value, host, state, texts};
use super::{Document, Verdict};

/// One input of a company request, normalized, in the order of contract C3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompanyClue {
    /// `service_id`
    ServiceId(Uuid),
    /// `domain`
    Domain(String),
    /// `name`
    Name(CompanyName),
    /// `linkedin_url`: any profile of the company
    LinkedinUrl(String),
    /// `social_url`: any profile of the company
    SocialUrl(String),
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
            Self::LinkedinUrl(_) => "linkedin_url",
            Self::SocialUrl(_) => "social_url",
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

    /// Whether a key of the clue that led to the record is the record's own: the index also holds the registrable part
    /// of every domain, by which the owner of `shop.acme.com` is found from `acme.com`.
    #[must_use]
    pub fn is_own(&self, doc: &Document) -> bool {
        match self {
            Self::Domain(domain) => hosts(doc).contains(&domain.as_str()),
            _ => true,
        }
    }

    /// How the record stands to the input; what led to the record agrees.
    #[must_use]
    pub fn verdict(&self, doc: &Document, is_hit: bool) -> Verdict {
        if is_hit {
            return Verdict::Agrees;
        }
        match self {
            Self::ServiceId(_) => Verdict::Contradicts,
            Self::Domain(domain) => host(domain, hosts(doc)),
            Self::Name(name) => name_verdict(name, doc),
            Self::LinkedinUrl(url) | Self::SocialUrl(url) => profile(url, doc),
            Self::LinkedinId(_) => unless_known(has_value(doc, "linkedin_id")),
            Self::Ticker(_) => unless_known(has_value(doc, "tickers")),
            Self::Industry(given) => industry(given, doc),
            Self::City(name) => city(doc, name),
            Self::State { name, code } => state(doc, name, code.as_deref()),
            Self::Country(code) => country(doc, code),
        }
    }
}

const fn unless_known(known: bool) -> Verdict {
    if known {
        Verdict::Contradicts
    } else {
        Verdict::Unknown
    }
}

fn hosts(doc: &Document) -> Vec<&str> {
    let mut hosts = texts(doc, "domain");
    hosts.extend(texts(doc, "domains.domain"));
    hosts
}

/// A name in any of the record's forms; a domain given as the name is compared with domains.
pub fn name_verdict(name: &CompanyName, doc: &Document) -> Verdict {
    if name.kind != Kind::Name {
        return host(&name.name, hosts(doc));
    }
    let forms = ["name.cleaned", "name.display", "name.raw", "_name_aliases"];
    company_name(&name.name, forms.iter().flat_map(|path| texts(doc, path)))
}

/// A profile contradicts only one of the same network.
fn profile(url: &str, doc: &Document) -> Verdict {
    let site = |url: &str| url.split('/').next().unwrap_or_default().to_owned();
    let mut known = texts(doc, "linkedin_url");
    known.extend(texts(doc, "socials.url"));
    let same_site = known.into_iter().filter(|other| site(other) == site(url));
    any(same_site, |other| equal(other == url))
}

/// By the product's vocabulary; a word that it does not know can agree, not contradict.
fn industry(given: &str, doc: &Document) -> Verdict {
    let mapped = vocabulary::industry(given);
    any(texts(doc, "industry"), |known| {
        match known == mapped.value {
            true => Verdict::Agrees,
            false if mapped.known => Verdict::Contradicts,
            false => Verdict::Unknown,
        }
    })
}
