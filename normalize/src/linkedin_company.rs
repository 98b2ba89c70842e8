//! LinkedIn pages of organizations: `linkedin.com/company/x`, `linkedin.com/school/x`, `linkedin.com/showcase/x`.

use crate::{Unreadable, domain, text, url};

/// Of organizations.
const SECTIONS: [&str; 3] = ["company", "school", "showcase"];

const INVALID: Unreadable = Unreadable::new("not a LinkedIn company page");

/// The word or number by which LinkedIn knows a clean page.
#[must_use]
pub fn slug(page: &str) -> Option<&str> {
    let (section, slug) = page.strip_prefix("linkedin.com/")?.split_once('/')?;
    SECTIONS.contains(&section).then_some(slug)
}

/// Every address of a clean page: a company's, a school's and a showcase's page of one word are one. None of another text.
pub fn addresses(page: &str) -> impl Iterator<Item = String> {
    let slug = slug(page).map(str::to_owned);
    let of = move |section| Some(format!("linkedin.com/{section}/{}", slug.as_ref()?));
    SECTIONS.into_iter().filter_map(of)
}

/// Whether two clean pages are one: a company's, a school's and a showcase's page of one word are.
#[must_use]
pub fn are_one(a: &str, b: &str) -> bool {
    slug(a).is_some_and(|a| Some(a) == slug(b))
}

/// The page in its one spelling.
///
/// # Errors
/// When it is another page of LinkedIn or another site.
pub fn clean(page: &str) -> Result<String, Unreadable> {
    let tidied = url::tidy_link(page);
    let split = url::split(&tidied).ok_or(INVALID)?;
    let host = domain::host(split.host).ok_or(INVALID)?;
    let sub = host.strip_suffix("linkedin.com").ok_or(INVALID)?;
    if !(sub.is_empty() || sub.ends_with('.')) || sub.len() > 6 {
        return Err(INVALID);
    }
    let mut path = split.path.split('/').filter(|part| !part.is_empty());
    let section = loop {
        match path.next().map(str::to_ascii_lowercase).as_deref() {
            Some("mwlite" | "organization-guest" | "m" | "comm" | "edu" | "sales") => {}
            Some("company" | "companies" | "company-beta" | "organization" | "biz") => {
                break "company";
            }
            Some("school") => break "school",
            Some("showcase") => break "showcase",
            _ => return Err(INVALID),
        }
    };
    let decoded = url::percent_decode(path.next().ok_or(INVALID)?);
    let slug = text::clean_slug(&decoded);
    // A query that was glued on without its `?`.
    let is_query = |(at, _): &(usize, &str)| {
        let part = slug.get(at + 1..).unwrap_or_default();
        part.split('&')
            .next()
            .is_some_and(|part| part.contains('='))
    };
    let query = slug.match_indices('&').find(is_query);
    let slug = query.and_then(|(at, _)| slug.get(..at)).unwrap_or(&slug);
    let slug = slug
        .trim_start_matches('@')
        .trim_matches([',', '!', '\'', '.', ';', '\u{200c}', '\u{200d}']);
    let shaped = slug.chars().any(char::is_alphanumeric)
        && slug.chars().count() <= 150
        && slug
            .chars()
            .all(|c| !c.is_whitespace() && (!c.is_ascii_punctuation() || "-_.'&~+,!".contains(c)));
    if !shaped || matches!(slug, "unavailable" | "setup" | "new") {
        return Err(INVALID);
    }
    Ok(format!("linkedin.com/{section}/{slug}"))
}
