//! What a person request says, and how a record compares with it: each input here, the ways to read a name in `name`, the comparisons
//! in `beside`.

mod beside;
mod name;

use normalize::birth_date::BirthDate;
use normalize::compare::{Address, AddressFinding, Organisation, PersonName, WithoutPlace};
use normalize::email::Email;
use normalize::email_hash::EmailHash;
use normalize::linkedin_company;
use normalize::social::{Network, SocialUrl};
use uuid::Uuid;

use super::agree::{city, country, state};
use super::compared::Compared;
use super::finding::{Finding, How};
use super::memo::{ClueMemo, Memo};
pub(super) use beside::{BirthDateParts, birth_date_parts, names};
use beside::{
    alma_mater, birth_date, compare_name, employer, employer_of_page, job_title, postal_code,
};
pub use name::{NameParts, Reading};

/// One input of a person request, normalized, in the order of `docs/API.md`, "POST /person/enrich".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PersonClue {
    /// `email`
    Email(Email),
    /// `email_hash`
    EmailHash(EmailHash),
    /// `phone`, in E.164
    Phone(String),
    /// `social_url`
    SocialUrl(SocialUrl),
    /// `linkedin_id`
    LinkedinId(String),
    /// `service_id`
    ServiceId(Uuid),
    /// `full_name`
    FullName(String),
    /// `first_name`
    FirstName(String),
    /// `last_name`
    LastName(String),
    /// `company`: a name, website or domain
    Company(Given),
    /// `school`: a name, website or domain
    School(Given),
    /// `job_title`
    JobTitle(String),
    /// `address`
    Address(Street),
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
    /// `postal_code`
    PostalCode(String),
    /// `birth_date`
    BirthDate(BirthDate),
}

/// An organisation as it was given, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Normalized; of a page the words that it is called by.
    pub text: String,
    /// For comparison.
    pub read: Organisation,
    /// The same without what may be a place or a department behind it.
    pub without_places: Vec<WithoutPlace>,
    /// Its LinkedIn page, if it was given by that.
    pub page: Option<String>,
    /// Whether only a job title named what may be an employer: then it speaks for records that have it, and against none.
    pub may_be_none: bool,
}

impl Given {
    /// An employer.
    #[must_use]
    pub fn company(text: String) -> Self {
        let read = Organisation::company(&text);
        Self {
            text,
            without_places: read.without_places(),
            read,
            page: None,
            may_be_none: false,
        }
    }

    /// An employer given by its LinkedIn page, in its one spelling.
    #[must_use]
    pub fn page(page: String) -> Self {
        let words = linkedin_company::slug(&page).unwrap_or_default();
        Self {
            page: Some(page.clone()),
            ..Self::company(words.replace('-', " "))
        }
    }

    /// A school.
    #[must_use]
    pub fn school(text: String) -> Self {
        let read = Organisation::school(&text);
        Self {
            text,
            without_places: Vec::new(),
            read,
            page: None,
            may_be_none: false,
        }
    }
}

/// A street line as it was given, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Street {
    /// Normalized.
    pub text: String,
    /// For comparison.
    pub read: Address,
}

impl Street {
    /// Reads a line; `None` where it has no street: `16`.
    #[must_use]
    pub fn new(text: String) -> Option<Self> {
        let read = Address::read(&text);
        (!read.street().is_empty()).then_some(Self { text, read })
    }

    /// How the nearest of a record's addresses compares with it, with that address.
    #[must_use]
    pub fn beside_all<'a>(&self, doc: &'a Compared) -> Option<(AddressFinding, &'a str)> {
        let lines = doc.texts("locations.street_address");
        let found = lines.map(|line| (self.read.beside(&Address::read(line)), line));
        found.min_by_key(|(found, _)| *found)
    }
}

impl PersonClue {
    /// The parameter's name.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Email(_) => "email",
            Self::EmailHash(_) => "email_hash",
            Self::Phone(_) => "phone",
            Self::SocialUrl(_) => "social_url",
            Self::LinkedinId(_) => "linkedin_id",
            Self::ServiceId(_) => "service_id",
            Self::FullName(_) => "full_name",
            Self::FirstName(_) => "first_name",
            Self::LastName(_) => "last_name",
            Self::Company(_) => "company",
            Self::School(_) => "school",
            Self::JobTitle(_) => "job_title",
            Self::Address(_) => "address",
            Self::City(_) => "city",
            Self::State { .. } => "state",
            Self::Country(_) => "country",
            Self::PostalCode(_) => "postal_code",
            Self::BirthDate(_) => "birth_date",
        }
    }

    /// Whether a hit on it is a match by itself.
    #[must_use]
    pub const fn is_identifier(&self) -> bool {
        matches!(
            self,
            Self::Email(_)
                | Self::EmailHash(_)
                | Self::Phone(_)
                | Self::SocialUrl(_)
                | Self::LinkedinId(_)
                | Self::ServiceId(_)
        )
    }

    /// Whether it makes a name into a match.
    #[must_use]
    pub const fn is_context(&self) -> bool {
        !self.is_identifier()
            && !matches!(
                self,
                Self::FullName(_) | Self::FirstName(_) | Self::LastName(_)
            )
    }

    /// Whether it says where somebody lives, all of which hangs together.
    #[must_use]
    pub const fn is_place(&self) -> bool {
        matches!(
            self,
            Self::City(_) | Self::State { .. } | Self::Country(_) | Self::PostalCode(_)
        )
    }

    /// Whether it is a place so large that many bear any name there.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        matches!(self, Self::State { .. } | Self::Country(_))
    }

    /// Whether it is the name or a part of it.
    #[must_use]
    pub const fn is_name(&self) -> bool {
        matches!(
            self,
            Self::FullName(_) | Self::FirstName(_) | Self::LastName(_)
        )
    }

    /// How the record compares with the input; for an identifier only whether the record has another one of its kind.
    #[must_use]
    pub fn compare<'a>(&self, doc: &'a Compared, memo: ClueMemo<'_>) -> Finding<'a> {
        match self {
            Self::Email(_) | Self::EmailHash(_) => {
                Finding::unless_known(doc.has("emails") || doc.has("work_email"))
            }
            Self::Phone(_) => Finding::unless_known(doc.has("phones") || doc.has("mobile_phone")),
            Self::SocialUrl(social) => Finding::unless_known(has_account(doc, social.network)),
            Self::LinkedinId(_) => Finding::unless_known(doc.has("linkedin_id")),
            Self::ServiceId(_) => Finding::bare(How::Contradicts),
            Self::FullName(_) | Self::FirstName(_) | Self::LastName(_) => {
                self.part_of_name(doc, memo.all())
            }
            Self::Company(company) => {
                let found = match &company.page {
                    Some(page) => employer_of_page(page, company, doc, memo),
                    None => employer(company, doc, memo),
                };
                let is_against = found.how == How::Contradicts && company.may_be_none;
                if is_against { Finding::UNKNOWN } else { found }
            }
            Self::School(school) => alma_mater(school, doc, memo),
            Self::JobTitle(title) => job_title(title, doc, memo),
            Self::Address(street) => match street.beside_all(doc) {
                Some((found, line)) => Finding::of(How::of_address(found), line),
                None => Finding::UNKNOWN,
            },
            Self::City(name) => city(doc, name, memo),
            Self::State { name, code } => state(doc, name, code.as_deref()),
            Self::Country(code) => country(doc, code),
            Self::PostalCode(code) => {
                Finding::nearest(doc.texts("locations.postal_code"), |value| {
                    postal_code(code, value)
                })
            }
            Self::BirthDate(date) => birth_date(*date, doc),
        }
    }

    /// A part of a name alone: with the record's other part beside it, so that word order and initials are forgiven.
    pub(super) fn part_of_name<'a>(&self, doc: &'a Compared, memo: &Memo) -> Finding<'a> {
        let known = |field| doc.texts(field).next();
        let read = match self {
            Self::FirstName(first) => match known("last_name") {
                Some(last) => PersonName::of_parts(first, last),
                None => PersonName::read(first),
            },
            Self::LastName(last) => match known("first_name") {
                Some(first) => PersonName::of_parts(first, last),
                None => PersonName::read(last),
            },
            Self::FullName(name) => PersonName::read(name),
            _ => None,
        };
        read.map_or(Finding::UNKNOWN, |name| compare_name(&name, doc, memo))
    }

    /// The input as it is compared: what `explain` shows.
    #[must_use]
    pub fn normalized(&self) -> String {
        match self {
            Self::Email(email) => email.address.clone(),
            Self::EmailHash(hash) => hash.hex.clone(),
            Self::SocialUrl(social) => social.url.clone(),
            Self::ServiceId(id) => id.to_string(),
            Self::Company(given) | Self::School(given) => {
                given.page.as_ref().unwrap_or(&given.text).clone()
            }
            Self::Address(street) => street.text.clone(),
            Self::State { name, code } => code.as_ref().unwrap_or(name).clone(),
            Self::BirthDate(date) => date.to_string(),
            Self::Phone(text)
            | Self::LinkedinId(text)
            | Self::FullName(text)
            | Self::FirstName(text)
            | Self::LastName(text)
            | Self::JobTitle(text)
            | Self::City(text)
            | Self::Country(text)
            | Self::PostalCode(text) => text.clone(),
        }
    }
}

fn has_account(doc: &Compared, network: Network) -> bool {
    let mut networks = doc.texts("socials.network");
    (network == Network::Linkedin && doc.has("linkedin_url"))
        || networks.any(|known| known == network.as_str())
}
