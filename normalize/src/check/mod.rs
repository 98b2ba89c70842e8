//! What `/utility/clean` and `/utility/validate` (`docs/CANON.md`) say of one value: its canonical form or the
//! reason why there is none, and what a reader should be warned of.
//!
//! One table of fields over the functions that everything else calls. No rule of a field stands here: what is canonical
//! is said in the field's own file, what is suggested in `check/suggest.rs`, what is warned of in
//! `check/warn.rs`.

mod near;
mod suggest;
mod warn;

use chrono::NaiveDate;

use crate::{
    Unreadable, address, birth_date, company, country, domain, email, linkedin_company, name,
    phone, school, social, state, ticker,
};

/// A field of `docs/CANON.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// `email`
    Email,
    /// `phone`
    Phone,
    /// `first_name`
    FirstName,
    /// `last_name`
    LastName,
    /// `full_name`
    FullName,
    /// `birth_date`
    BirthDate,
    /// `social_url`
    SocialUrl,
    /// `school`
    School,
    /// `address`
    Address,
    /// `state`
    State,
    /// `country`
    Country,
    /// `company`
    Company,
    /// `domain`
    Domain,
    /// `ticker_symbol`
    TickerSymbol,
    /// `linkedin_company_url`
    LinkedinCompanyUrl,
}

impl Field {
    /// Every field that can be validated, in the order in which they are told.
    pub const ALL: [Self; 15] = [
        Self::Email,
        Self::Phone,
        Self::FirstName,
        Self::LastName,
        Self::FullName,
        Self::BirthDate,
        Self::SocialUrl,
        Self::School,
        Self::Address,
        Self::State,
        Self::Country,
        Self::Company,
        Self::Domain,
        Self::TickerSymbol,
        Self::LinkedinCompanyUrl,
    ];

    /// The fields that can be cleaned, in the order in which they are listed as accepted.
    pub const CLEANABLE: [Self; 13] = [
        Self::Email,
        Self::Phone,
        Self::FullName,
        Self::FirstName,
        Self::LastName,
        Self::State,
        Self::Country,
        Self::SocialUrl,
        Self::School,
        Self::Domain,
        Self::Company,
        Self::LinkedinCompanyUrl,
        Self::TickerSymbol,
    ];

    /// The name in requests and answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
            Self::FirstName => "first_name",
            Self::LastName => "last_name",
            Self::FullName => "full_name",
            Self::BirthDate => "birth_date",
            Self::SocialUrl => "social_url",
            Self::School => "school",
            Self::Address => "address",
            Self::State => "state",
            Self::Country => "country",
            Self::Company => "company",
            Self::Domain => "domain",
            Self::TickerSymbol => "ticker_symbol",
            Self::LinkedinCompanyUrl => "linkedin_company_url",
        }
    }

    /// True for the fields of `/utility/clean`; `address` and `birth_date` are for validation only.
    #[must_use]
    pub fn is_cleanable(self) -> bool {
        Self::CLEANABLE.contains(&self)
    }
}

/// A name that is no field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown field")]
pub struct UnknownField;

impl std::str::FromStr for Field {
    type Err = UnknownField;

    fn from_str(name: &str) -> Result<Self, UnknownField> {
        Self::ALL
            .into_iter()
            .find(|field| field.as_str() == name)
            .ok_or(UnknownField)
    }
}

/// A canonical value, in the shape that its field has in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cleaned {
    /// A string.
    Text(String),
    /// A country or state.
    Place {
        /// In lower case.
        full_name: &'static str,
        /// ISO 3166, in capitals.
        code: &'static str,
    },
    /// A company.
    Company {
        /// The name, or the domain of a website or domain.
        name: String,
        /// How the input was understood; `type` in answers.
        kind: company::Kind,
    },
}

impl Cleaned {
    /// The text under which the value is found again.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Place { full_name, .. } => full_name,
            Self::Company { name, .. } => name,
        }
    }
}

/// What deserves a second look in a value that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The text shown to users; it never repeats the value.
    pub text: &'static str,
    /// The value that was probably meant.
    pub suggestion: Option<String>,
}

/// What `/utility/validate` says of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The canonical form, or why there is none.
    pub cleaned: Result<Cleaned, Unreadable>,
    /// Empty for a value that cannot be read.
    pub warnings: Vec<Warning>,
}

/// The canonical form. `region` (ISO alpha-2) reads phone numbers without a country code.
///
/// # Errors
/// When the value cannot be read, with a near value that could where one is evident.
pub fn clean(field: Field, value: &str, region: &str) -> Result<Cleaned, Unreadable> {
    read(field, value, region).map_err(|refusal| Unreadable {
        suggestion: refusal
            .suggestion
            .or_else(|| suggest::for_field(field, value, region)),
        reason: refusal.reason,
    })
}

/// The canonical form and the warnings; `today` tells a birth date in the future from one in the past.
#[must_use]
pub fn validate(field: Field, value: &str, region: &str, today: NaiveDate) -> Verdict {
    let mut cleaned = clean(field, value, region);
    if field == Field::BirthDate {
        cleaned = plausible(value, cleaned, today);
    }
    let warnings = match &cleaned {
        Ok(cleaned) => warn::of(field, value, cleaned),
        Err(_) => Vec::new(),
    };
    Verdict { cleaned, warnings }
}

/// What was made of a birth date, if somebody alive can be born then; nothing is suggested that would be refused itself.
fn plausible(
    value: &str,
    cleaned: Result<Cleaned, Unreadable>,
    today: NaiveDate,
) -> Result<Cleaned, Unreadable> {
    let must_be = |date: &str| birth_date::clean(date)?.must_be_plausible(today);
    match cleaned {
        Ok(cleaned) => must_be(value).map(|()| cleaned),
        Err(refusal) => Err(Unreadable {
            suggestion: refusal.suggestion.filter(|date| must_be(date).is_ok()),
            reason: refusal.reason,
        }),
    }
}

/// The warnings alone; none for a value that cannot be read.
#[must_use]
pub fn warnings(field: Field, value: &str, region: &str) -> Vec<Warning> {
    read(field, value, region)
        .map(|cleaned| warn::of(field, value, &cleaned))
        .unwrap_or_default()
}

fn read(field: Field, value: &str, region: &str) -> Result<Cleaned, Unreadable> {
    let text = |result: Result<String, Unreadable>| result.map(Cleaned::Text);
    match field {
        Field::Email => text(email::clean(value).map(|email| email.address)),
        Field::Phone => text(phone::clean(value, region)),
        Field::FirstName => text(name::first(value)),
        Field::LastName => text(name::last(value)),
        Field::FullName => text(name::full(value).map(|name| name.cleaned)),
        Field::BirthDate => text(birth_date::clean(value).map(|date| date.to_string())),
        Field::SocialUrl => text(social::clean(value).map(|profile| profile.url)),
        Field::School => text(school::clean(value)),
        Field::Address => text(address::clean(value)),
        Field::State => state::clean(value, None).map(|state| Cleaned::Place {
            full_name: state.full_name,
            code: state.code,
        }),
        Field::Country => country::clean(value).map(|country| Cleaned::Place {
            full_name: country.full_name,
            code: country.code,
        }),
        Field::Company => company::clean(value).map(|company| Cleaned::Company {
            name: company.name,
            kind: company.kind,
        }),
        Field::Domain => text(domain::clean(value)),
        Field::TickerSymbol => text(ticker::clean(value)),
        Field::LinkedinCompanyUrl => text(linkedin_company::clean(value)),
    }
}
