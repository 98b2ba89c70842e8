//! Warnings: values that can be read and still deserve a second look (`docs/CANON.md`, "What validate says").

use super::{Cleaned, Field, Warning, near};
use crate::phone::PhoneStanding;
use crate::{company, domain, email, name, phone, state, table, text};

/// Top-level domains that never lead anywhere (RFC 2606, RFC 6761), and the second-level ones of RFC 2606.
const RESERVED_HOSTS: [&str; 7] = [
    "example",
    "test",
    "invalid",
    "localhost",
    "example.com",
    "example.net",
    "example.org",
];

/// The mail hosts whose names are mistyped most, each long enough that a slip is no other word.
pub(super) const MAIL_HOSTS: [&str; 12] = [
    "gmail.com",
    "yahoo.com",
    "hotmail.com",
    "outlook.com",
    "icloud.com",
    "protonmail.com",
    "hotmail.co.uk",
    "yahoo.co.uk",
    "yahoo.co.in",
    "comcast.net",
    "verizon.net",
    "googlemail.com",
];

pub(super) fn of(field: Field, value: &str, cleaned: &Cleaned) -> Vec<Warning> {
    let text = cleaned.text();
    let mut warnings = Vec::new();
    match field {
        Field::Email => mailbox(text, &mut warnings),
        Field::Phone => warnings.extend(number(text)),
        Field::FirstName | Field::LastName | Field::FullName => {
            warnings.extend(
                name::is_placeholder(text).then(|| warning("placeholder, not a person's name")),
            );
        }
        Field::State => {
            warnings.extend(
                state::is_shared(value)
                    .then(|| warning("several countries have a state of this name")),
            );
        }
        Field::Company => firm(cleaned, &mut warnings),
        Field::Domain => warnings.extend(host(text)),
        Field::School if domain::has_listed_suffix(text) => warnings.extend(host(text)),
        Field::School => {
            warnings.extend(
                company::is_placeholder(text).then(|| warning("placeholder, not a school's name")),
            );
        }
        Field::BirthDate
        | Field::SocialUrl
        | Field::Address
        | Field::Country
        | Field::TickerSymbol
        | Field::LinkedinCompanyUrl => {}
    }
    warnings
}

const fn warning(text: &'static str) -> Warning {
    Warning {
        text,
        suggestion: None,
    }
}

fn number(e164: &str) -> Option<Warning> {
    match phone::assess(e164) {
        PhoneStanding::Valid => None,
        PhoneStanding::PossibleOnly => Some(warning("number is possible but in no assigned range")),
        PhoneStanding::Fiction => Some(warning("number is in a range reserved for fiction")),
    }
}

fn mailbox(address: &str, warnings: &mut Vec<Warning>) {
    let Some((local, at)) = address.rsplit_once('@') else {
        return;
    };
    if let Some(meant) = mistyped_mail_host(at) {
        warnings.push(Warning {
            text: "host looks like a mistyped mail provider",
            suggestion: Some(format!("{local}@{meant}")),
        });
        return;
    }
    warnings.extend(host(at));
    if email::is_disposable(at) {
        warnings.push(warning("host gives mailboxes that are thrown away"));
    }
    if table::ROLE_MAILBOXES.contains(local) {
        warnings.push(warning("mailbox of a role, not of a person"));
    }
}

/// The provider that a host is one slip away from.
fn mistyped_mail_host(host: &str) -> Option<&'static str> {
    if email::is_free_provider(host) || domain::registrable(host) != Some(host) {
        return None;
    }
    MAIL_HOSTS
        .into_iter()
        .find(|known| near::is_near(host, known, 1))
}

fn host(host: &str) -> Option<Warning> {
    let reserved = RESERVED_HOSTS.iter().any(|name| {
        host.strip_suffix(name)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    });
    if reserved {
        return Some(warning("domain is reserved for examples and tests"));
    }
    (!domain::has_listed_suffix(host)).then(|| warning("top-level domain is not known"))
}

fn firm(cleaned: &Cleaned, warnings: &mut Vec<Warning>) {
    let Cleaned::Company { name, kind } = cleaned else {
        return;
    };
    if *kind != company::Kind::Name {
        warnings.extend(host(name));
    } else if company::is_placeholder(name) {
        warnings.push(warning("placeholder, not a company's name"));
    } else if text::fold(name).chars().all(|c| c.is_ascii_digit()) {
        warnings.push(warning("a number only, hardly a company's name"));
    }
}
