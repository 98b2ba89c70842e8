//! Suggestions: the near value that would be read, for one that is not (`docs/CANON.md`, "What validate says").
//!
//! Made only where one slip explains the input; a guess that could be another's data is worse than none.

use super::{Field, near, warn};
use crate::{birth_date, country, domain, email, linkedin_company, phone, social, state, text};

/// What is longer holds more than one slip.
const MAX_BYTES: usize = 300;

/// The value that was probably meant; always one that its field reads.
pub(super) fn for_field(field: Field, value: &str, region: &str) -> Option<String> {
    if value.len() > MAX_BYTES {
        return None;
    }
    match field {
        Field::Phone => number(value, region),
        Field::Country => {
            let names = country::all().map(|country| country.full_name);
            near::nearest(&text::clean(value), names).map(str::to_owned)
        }
        Field::State => subdivision(value),
        Field::Domain => host(value),
        Field::BirthDate => birth_date::in_other_order(value).map(|date| date.to_string()),
        Field::SocialUrl => mistyped_site(value)
            .and_then(|url| social::clean(&url).ok())
            .map(|profile| profile.url),
        Field::LinkedinCompanyUrl => {
            mistyped_site(value).and_then(|url| linkedin_company::clean(&url).ok())
        }
        Field::Email => mailbox(value),
        // Nearly any text with a letter in it is read; what is not is near to nothing.
        Field::FirstName
        | Field::LastName
        | Field::FullName
        | Field::School
        | Field::Address
        | Field::Company
        | Field::TickerSymbol => None,
    }
}

/// What [`email::clean`] does not suggest itself: words for signs, and a mail provider without its dot or suffix.
fn mailbox(value: &str) -> Option<String> {
    let mut tidy = text::clean(value).replace([',', ';'], ".");
    for (word, sign) in [("at", "@"), ("dot", ".")] {
        for (open, close) in [('[', ']'), ('(', ')'), ('{', '}'), (' ', ' ')] {
            tidy = tidy.replace(&format!("{open}{word}{close}"), sign);
        }
    }
    tidy.retain(|c| !c.is_whitespace());
    if let Ok(read) = email::clean(&tidy) {
        return Some(read.address);
    }
    let (local, host) = tidy.rsplit_once('@')?;
    let provider = warn::MAIL_HOSTS.into_iter().find(|known| {
        let (name, suffix) = known.split_once('.').unwrap_or((known, ""));
        host.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest == suffix.replace('.', ""))
    })?;
    email::clean(&format!("{local}@{provider}"))
        .ok()
        .map(|read| read.address)
}

/// A whole international number whose `+` is missing.
fn number(value: &str, region: &str) -> Option<String> {
    let whole = phone::of_quantity(text::trim(value)).ok()?;
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    let number = digits.trim_start_matches('0');
    let e164 = phone::clean(&format!("+{number}"), region).ok()?;
    (phone::assess(&e164) != phone::PhoneStanding::PossibleOnly).then_some(e164)
}

/// The states of the country most asked about first: `califronia` lies near no other, `marylend` near two.
fn subdivision(value: &str) -> Option<String> {
    let typed = text::clean(value);
    let of = |home: bool| {
        let names = state::all()
            .filter(move |state| !home || state.country_code() == "US")
            .map(|state| state.full_name);
        near::nearest(&typed, names)
    };
    of(true).or_else(|| of(false)).map(str::to_owned)
}

/// Commas and spaces for dots, doubled dots, a dot at an end.
fn host(value: &str) -> Option<String> {
    let mut tidy = String::with_capacity(value.len());
    for c in text::trim(value).chars() {
        let c = if matches!(c, ',' | ';' | '。') {
            '.'
        } else {
            c
        };
        if !(c.is_whitespace() || c == '.' && tidy.ends_with('.')) {
            tidy.push(c);
        }
    }
    domain::clean(tidy.trim_matches(['.', '-']))
        .ok()
        .filter(|host| domain::has_listed_suffix(host))
}

/// The URL with the host of the network that it is near to: `linkdin.com/in/x`, `linkedin/in/x`.
fn mistyped_site(value: &str) -> Option<String> {
    const SITES: [&str; 4] = ["linkedin.com", "facebook.com", "twitter.com", "github.com"];
    let url = text::clean(value);
    let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let (host, path) = rest.split_once('/')?;
    let site = SITES
        .into_iter()
        .find(|site| near::is_near(host, site, 1) || site.strip_suffix(".com") == Some(host))?;
    Some(format!("{site}/{path}"))
}
