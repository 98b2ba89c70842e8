//! What a person request says, and whether a record agrees with it.

use normalize::compare::{self, Agreement, NameAgreement};
use normalize::email::Email;
use normalize::email_hash::EmailHash;
use normalize::social::{Network, SocialUrl};
use normalize::{birth_date::BirthDate, keys};
use serde_json::Value;
use uuid::Uuid;

use super::agree::{any, city, company_name, country, equal, has_value, host, state, texts, whole};
use super::{Document, Verdict};

/// One input of a person request, normalized, in the order of contract C2.
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
    Company(String),
    /// `school`: a name, website or domain
    School(String),
    /// `job_title`
    JobTitle(String),
    /// `address`
    Address(String),
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

/// The name that a request gives in one piece or in two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameParts {
    /// Given and family name.
    pub full: String,
    /// Index of the clue that stands for the name.
    pub clue: usize,
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

    /// How the record stands to the input; an identifier that led to the record agrees.
    #[must_use]
    pub fn verdict(&self, doc: &Document, is_hit: bool) -> Verdict {
        if is_hit {
            return Verdict::Agrees;
        }
        match self {
            Self::Email(_) | Self::EmailHash(_) => {
                unless_known(has_value(doc, "emails") || has_value(doc, "work_email"))
            }
            Self::Phone(_) => {
                unless_known(has_value(doc, "phones") || has_value(doc, "mobile_phone"))
            }
            Self::SocialUrl(social) => unless_known(has_account(doc, social.network)),
            Self::LinkedinId(_) => unless_known(has_value(doc, "linkedin_id")),
            Self::ServiceId(_) => Verdict::Contradicts,
            Self::FullName(name) => name_verdict(name, doc),
            Self::FirstName(first) => first_name(first, doc),
            Self::LastName(last) => last_name(last, doc),
            Self::Company(company) => employer(company, doc),
            Self::School(school) => alma_mater(school, doc),
            Self::JobTitle(title) => job_title(title, doc),
            Self::Address(line) => any(texts(doc, "locations.street_address"), |value| {
                whole(compare::places(line, value))
            }),
            Self::City(name) => city(doc, name),
            Self::State { name, code } => state(doc, name, code.as_deref()),
            Self::Country(code) => country(doc, code),
            Self::PostalCode(code) => any(texts(doc, "locations.postal_code"), |value| {
                equal(same_postal_code(code, value))
            }),
            Self::BirthDate(date) => birth_date(*date, doc),
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

fn has_account(doc: &Document, network: Network) -> bool {
    (network == Network::Linkedin && has_value(doc, "linkedin_url"))
        || texts(doc, "socials.network").contains(&network.as_str())
}

/// The names under which a record is known: its own and those that are matched but not shown. A form with initials
/// only (`j.m. nemes`) says less than the full name and would agree with strangers, so it is left out.
fn names(doc: &Document) -> Vec<&str> {
    let mut names = texts(doc, "full_name");
    names.extend(
        texts(doc, "_name_aliases")
            .into_iter()
            .filter(|name| is_written_out(name)),
    );
    names
}

fn is_written_out(name: &str) -> bool {
    let is_word =
        |word: &&str| !word.contains('.') && word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    name.split_whitespace().filter(is_word).count() > 1
}

/// How well a name in one piece agrees with the best of the record's names.
#[must_use]
pub fn name_agreement(name: &str, doc: &Document) -> Option<NameAgreement> {
    names(doc)
        .into_iter()
        .map(|known| compare::names(name, known))
        .max()
}

/// A name that could be another's (a second given name that differs) says nothing.
fn name_verdict(name: &str, doc: &Document) -> Verdict {
    match name_agreement(name, doc) {
        Some(NameAgreement::Exact | NameAgreement::Strong) => Verdict::Agrees,
        Some(NameAgreement::Different) => Verdict::Contradicts,
        Some(NameAgreement::Weak) | None => Verdict::Unknown,
    }
}

fn first_name(first: &str, doc: &Document) -> Verdict {
    match texts(doc, "last_name").first() {
        Some(last) => name_verdict(&format!("{first} {last}"), doc),
        None => any(texts(doc, "first_name"), |known| {
            equal(folded(first) == folded(known))
        }),
    }
}

fn last_name(last: &str, doc: &Document) -> Verdict {
    match texts(doc, "first_name").first() {
        Some(first) => name_verdict(&format!("{first} {last}"), doc),
        None => any(texts(doc, "last_name"), |known| {
            equal(folded(last) == folded(known))
        }),
    }
}

fn folded(text: &str) -> String {
    normalize::text::fold(text)
}

/// An employer, past or present: names with names, hosts with hosts.
fn employer(company: &str, doc: &Document) -> Verdict {
    if is_host(company) {
        let mut hosts = texts(doc, "company_domain");
        hosts.extend(texts(doc, "experience.organization.website"));
        return host(company, hosts);
    }
    let mut names = texts(doc, "company_name");
    names.extend(texts(doc, "experience.organization.name.cleaned"));
    names.extend(texts(doc, "experience.organization.name.raw"));
    company_name(company, names)
}

fn alma_mater(school: &str, doc: &Document) -> Verdict {
    if is_host(school) {
        return host(school, texts(doc, "education.organization.website"));
    }
    let key = keys::school_name_key(school);
    any(texts(doc, "education.organization.name.cleaned"), |name| {
        if keys::school_name_key(name) == key {
            Verdict::Agrees
        } else {
            whole(compare::places(school, name))
        }
    })
}

fn is_host(text: &str) -> bool {
    normalize::school::kind(text) != normalize::company::Kind::Name
}

/// A title of any job. Of two words at least, a part is enough: `vp sales` is in `vp of sales, emea`.
fn job_title(title: &str, doc: &Document) -> Verdict {
    let mut titles = texts(doc, "job_title");
    titles.extend(texts(doc, "experience.title.cleaned"));
    any(titles, |known| match compare::titles(title, known) {
        Agreement::Partial if words(title).min(words(known)) > 1 => Verdict::Agrees,
        other => whole(other),
    })
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A US code agrees with its ZIP+4.
fn same_postal_code(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// As far as both know it: the year, then the month, then the day.
fn birth_date(given: BirthDate, doc: &Document) -> Verdict {
    let number = |field: &str| doc.get(field).and_then(Value::as_i64);
    let Some(year) = number("birth_year") else {
        return Verdict::Unknown;
    };
    let parts = [
        (Some(i64::from(given.year)), Some(year)),
        (given.month.map(i64::from), number("birth_month")),
        (given.day.map(i64::from), number("birth_day")),
    ];
    let known = parts.iter().map_while(|(given, known)| given.zip(*known));
    equal(known.into_iter().all(|(given, known)| given == known))
}
