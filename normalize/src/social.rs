//! Social profiles of persons: one spelling a profile, `network/handle` without scheme and `www.` (`docs/CANON.md`, "social_url").
//!
//! LinkedIn, Twitter/X, GitHub and Facebook are read. Sub-pages reduce to the account; reserved paths and look-alike
//! hosts are no profiles. Accounts of other networks are kept by [`stored`] and never matched on.

use std::sync::LazyLock;

use crate::table::{self, Words};
use crate::{Unreadable, domain, text, url};

const INVALID: Unreadable = Unreadable::new("not a LinkedIn, Twitter, GitHub or Facebook profile");

/// The networks whose profiles are matched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Network {
    /// `linkedin.com/in/x`
    Linkedin,
    /// `twitter.com/x`, also from x.com
    Twitter,
    /// `github.com/x`
    Github,
    /// `facebook.com/x`
    Facebook,
}

impl Network {
    /// The name used in records (`socials.network`).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linkedin => "linkedin",
            Self::Twitter => "twitter",
            Self::Github => "github",
            Self::Facebook => "facebook",
        }
    }
}

/// A profile in its one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocialUrl {
    /// Whose profile it is.
    pub network: Network,
    /// Canonical URL without scheme.
    pub url: String,
    /// The handle in lower case.
    pub username: String,
}

/// Reads any variant of a profile's URL.
///
/// # Errors
/// When it is no profile of the four networks.
pub fn clean(profile: &str) -> Result<SocialUrl, Unreadable> {
    let tidied = url::tidy_link(profile);
    let rewritten = scp_form(&tidied);
    let split = url::split(rewritten.as_deref().unwrap_or(&tidied)).ok_or(INVALID)?;
    let host = domain::host(split.host).ok_or(INVALID)?;
    let (network, username) = account(&host, &split).ok_or(INVALID)?;
    let url = match network {
        Network::Linkedin => format!("linkedin.com/in/{username}"),
        other => format!("{}.com/{username}", other.as_str()),
    };
    Ok(SocialUrl {
        network,
        url,
        username,
    })
}

/// How an account of any network is kept in a data build: host in lower case without `www.`, path as given.
#[must_use]
pub fn stored(profile: &str) -> Option<String> {
    if let Ok(known) = clean(profile) {
        return Some(known.url);
    }
    let tidied = url::tidy_link(profile);
    let split = url::split(&tidied)?;
    let host = domain::clean(split.host).ok()?;
    let path = split.path.trim_end_matches('/');
    if split.query.is_empty() {
        Some(format!("{host}{path}"))
    } else {
        Some(format!("{host}{path}?{}", split.query))
    }
}

static NETWORKS: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../tables/networks.txt")));

/// Whether a text is the address of a page of a network, which is somebody's there: `instagram.com/northwind` says nothing about
/// Instagram.
#[must_use]
pub fn is_page(text: &str) -> bool {
    let tidied = url::tidy(text);
    let Some(split) = url::split(&tidied).filter(|_| !tidied.contains(char::is_whitespace)) else {
        return false;
    };
    let host = domain::clean(split.host).ok();
    let network = host.as_deref().and_then(domain::registrable);
    let is_below = !split.path.trim_matches('/').is_empty() || split.fragment.starts_with('!');
    is_below && network.is_some_and(|network| NETWORKS.contains(network))
}

/// An account of a network that [`clean`] does not read, as [`stored`] keeps it: a page below a host, `instagram.com/northwind`.
///
/// # Errors
/// When it is no URL with a path, or one of the networks that are read.
pub fn account_elsewhere(profile: &str) -> Result<String, Unreadable> {
    let tidied = url::tidy_link(profile);
    let split = url::split(&tidied).ok_or(INVALID)?;
    let host = domain::host(split.host).ok_or(INVALID)?;
    if site(&host).is_some() || split.path.trim_matches('/').is_empty() {
        return Err(INVALID);
    }
    stored(profile).ok_or(INVALID)
}

/// `git@github.com:user/repo.git` as the URL that it stands for.
fn scp_form(text: &str) -> Option<String> {
    let rest = text.strip_prefix("git@")?;
    let (host, path) = rest.split_once(':')?;
    Some(format!("{host}/{path}"))
}

fn account(host: &str, split: &url::Split<'_>) -> Option<(Network, String)> {
    if let Some(user) = host.strip_suffix(".github.io") {
        return handle(Network::Github, user);
    }
    if host == "lnkd.in" {
        return None;
    }
    let mut path = Segments::of(split);
    match site(host)? {
        "linkedin.com" => linkedin(&mut path),
        "twitter.com" | "x.com" => match path.next()? {
            "intent" => handle(Network::Twitter, parameter(split, "screen_name")?),
            user => handle(Network::Twitter, user),
        },
        "github.com" | "githubusercontent.com" => {
            let user = match path.next()? {
                "users" | "orgs" | "sponsors" | "stars" => path.next()?,
                user => user,
            };
            handle(Network::Github, user.trim_end_matches(".git"))
        }
        _ => facebook(split, &mut path),
    }
}

/// The four sites with their language and device hosts; anything else that merely contains the name is a look-alike.
fn site(host: &str) -> Option<&'static str> {
    const SITES: [&str; 9] = [
        "linkedin.com",
        "twitter.com",
        "x.com",
        "github.com",
        "githubusercontent.com",
        "facebook.com",
        "fb.com",
        "fb.me",
        "m.me",
    ];
    let site = SITES.into_iter().find(|site| {
        host.strip_suffix(site)
            .is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
    })?;
    let sub = host.strip_suffix(site)?.trim_end_matches('.');
    let known = match site {
        "linkedin.com" => sub.split('.').all(|part| part.len() <= 5) && !sub.contains("api"),
        "github.com" => matches!(sub, "" | "www" | "gist" | "m" | "mobile" | "api"),
        "githubusercontent.com" => matches!(sub, "raw" | "gist"),
        "twitter.com" | "x.com" => matches!(sub, "" | "www" | "m" | "mobile") || is_language(sub),
        _ => {
            matches!(
                sub,
                "" | "www"
                    | "m"
                    | "mobile"
                    | "web"
                    | "business"
                    | "touch"
                    | "mbasic"
                    | "free"
                    | "0"
                    | "x"
                    | "p"
                    | "d"
                    | "iphone"
            ) || is_language(sub)
                || sub
                    .split_once('-')
                    .is_some_and(|(a, b)| is_language(a) && is_language(b))
        }
    };
    known.then_some(site)
}

fn is_language(sub: &str) -> bool {
    sub.len() == 2 && sub.bytes().all(|b| b.is_ascii_lowercase())
}

fn linkedin(path: &mut Segments<'_>) -> Option<(Network, String)> {
    match path.next()?.to_ascii_lowercase().as_str() {
        "in" => handle(Network::Linkedin, path.next()?),
        "mwlite" | "m" | "comm" | "profile" => linkedin(path),
        // Public profiles of before 2014: /pub/name/1/2ab/345 became /in/name-3452ab1.
        "pub" => {
            let name = path.next()?;
            let ids: Vec<&str> = path.collect();
            match ids.as_slice() {
                [a, b, c] => handle(Network::Linkedin, &format!("{name}-{c}{b:0>3}{a}")),
                _ => None,
            }
        }
        _ => None,
    }
}

fn facebook(split: &url::Split<'_>, path: &mut Segments<'_>) -> Option<(Network, String)> {
    let first = path.next()?;
    let user = match first.to_ascii_lowercase().as_str() {
        "profile.php" => parameter(split, "id")?,
        "pg" => path.next()?,
        "people" => path.nth(1)?,
        // A page's number stands behind its name: /pages/Name/123, /p/Name-123, /pages/category/Shop/Name-123.
        "pages" | "p" => {
            let last = path.last()?;
            let number = last.rsplit('-').next().unwrap_or(last);
            let long = number.len() > 5 && number.bytes().all(|b| b.is_ascii_digit());
            long.then_some(number)?
        }
        _ => first,
    };
    handle(Network::Facebook, user)
}

fn parameter<'a>(split: &url::Split<'a>, name: &str) -> Option<&'a str> {
    split
        .query
        .split('&')
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Lower case, decoded, and a shape that the network allows; reserved words are no handles.
fn handle(network: Network, raw: &str) -> Option<(Network, String)> {
    let decoded = url::percent_decode(raw);
    if decoded.contains(char::is_control) {
        return None;
    }
    // A query that was glued on without its `?`, and what closes a sentence.
    let plain = decoded.split('&').next().unwrap_or(&decoded);
    let cleaned = text::clean_slug(plain);
    let username = cleaned
        .trim_start_matches(['@', ' '])
        .trim_end_matches(['.', ',', ';', '\'', ' ', '\u{200c}', '\u{200d}']);
    let shaped = match network {
        // Twitter allows 15 characters and no hyphen today; records hold older and mistyped accounts.
        Network::Twitter => {
            (1..=50).contains(&username.len())
                && username
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        }
        Network::Github => {
            (1..=39).contains(&username.len())
                && username
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
                && !username.starts_with('-')
        }
        Network::Facebook => {
            username
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
                && (username.len() >= 2 || username.bytes().all(|b| b.is_ascii_digit()))
                && username.bytes().any(|b| b.is_ascii_alphanumeric())
        }
        Network::Linkedin => {
            username.chars().count() <= 100
                && username.chars().all(|c| {
                    !c.is_whitespace() && (!c.is_ascii_punctuation() || "-_.'~".contains(c))
                })
                && username.chars().any(char::is_alphanumeric)
        }
    };
    let reserved = crate::table::RESERVED_PATHS
        .get(network.as_str())
        .is_some_and(|words| words.contains(username));
    (shaped && !reserved).then(|| (network, username.to_owned()))
}

/// The path's parts, those of a `#!` fragment after them (`twitter.com/#!/name`).
struct Segments<'a> {
    rest: std::iter::Chain<std::str::Split<'a, char>, std::str::Split<'a, char>>,
}

impl<'a> Segments<'a> {
    fn of(split: &url::Split<'a>) -> Self {
        let bang = split.fragment.strip_prefix('!').unwrap_or("");
        Self {
            rest: split.path.split('/').chain(bang.split('/')),
        }
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest.find(|part| !part.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::{account_elsewhere, is_page};

    #[test]
    fn a_page_of_a_network_is_not_the_network() {
        for page in [
            "https://www.linkedin.com/company/northwind-tools",
            "instagram.com/northwind",
            "https://twitter.com/#!/northwind",
            "https://m.facebook.com/northwind/",
        ] {
            assert!(is_page(page), "{page}");
        }
        for other in [
            "linkedin.com",
            "https://www.linkedin.com/",
            "northwind.com/about",
            "Northwind Tools",
        ] {
            assert!(!is_page(other), "{other}");
        }
    }

    #[test]
    fn an_account_of_another_network_is_kept_as_it_is_stored() {
        let account = account_elsewhere("https://www.Instagram.com/Northwind/");
        assert_eq!(account.as_deref(), Ok("instagram.com/Northwind"));
        for none in [
            "instagram.com",
            "https://github.com/features",
            "linkedin.com/in",
            "northwind",
        ] {
            assert!(account_elsewhere(none).is_err(), "{none}");
        }
    }
}
