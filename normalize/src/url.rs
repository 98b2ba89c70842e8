//! Splitting what people write for a URL, as leniently as a browser's address bar.
//!
//! No canonical URL is made here: domains, social profiles and company pages each have their own file.

use std::borrow::Cow;

use crate::{garbled, link, sheet, text};

/// The parts of a URL that the fields need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split<'a> {
    /// A scheme or a leading `//` was written.
    pub has_scheme: bool,
    /// The text before an `@` of the authority, e.g. the local part of an e-mail address.
    pub user: Option<&'a str>,
    /// Host as written, without port and closing dot.
    pub host: &'a str,
    /// What follows the host up to `?` or `#`.
    pub path: &'a str,
    /// What follows `?`, up to `#`.
    pub query: &'a str,
    /// What follows `#`.
    pub fragment: &'a str,
}

/// Slashes as the URL standard reads them: a backslash is a slash, control characters that are no white space are not there;
/// quotes and brackets around the whole are dropped.
#[must_use]
pub fn tidy(text: &str) -> Cow<'_, str> {
    let inner = sheet::of_plain_formula(text::trim(text))
        .trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | ',' | ';') || BRACKETS.contains(&c))
        .trim();
    let inner = without_label(inner);
    if inner.contains(|c: char| c == '\\' || is_dropped(c)) {
        let kept = inner.chars().filter(|c| !is_dropped(*c));
        Cow::Owned(kept.map(|c| if c == '\\' { '/' } else { c }).collect())
    } else {
        Cow::Borrowed(inner)
    }
}

/// As [`tidy`], of the address that a link leads to; entities in front, with which no URL begins, are what they stand for.
#[must_use]
pub fn tidy_link(text: &str) -> Cow<'_, str> {
    let text = text::trim(text);
    if text.starts_with('&')
        && let Some(decoded) = garbled::without_entities(text)
    {
        return Cow::Owned(of_link(&decoded).into_owned());
    }
    of_link(text)
}

fn of_link(text: &str) -> Cow<'_, str> {
    match link::read(text) {
        Some(link) => Cow::Owned(tidy(&link.address).into_owned()),
        None => tidy(text),
    }
}

const BRACKETS: [char; 8] = ['<', '>', '(', ')', '[', ']', '{', '}'];

/// `LinkedIn: https://host`, `Twitter - https://host`: what a list calls the address before it; before one without a scheme, a word that
/// says so.
fn without_label(text: &str) -> &str {
    const LABELS: [&str; 13] = [
        "website", "web", "web site", "site", "url", "link", "homepage", "domain", "linkedin",
        "twitter", "x", "github", "facebook",
    ];
    const SIGNS: [&str; 5] = [":", " - ", " – ", " — ", " | "];
    SIGNS
        .iter()
        .filter_map(|sign| Some((*sign, text.split_once(sign)?)))
        .find_map(|(sign, (label, rest))| {
            let address = rest.trim_start();
            let starts = |scheme: &str| {
                let start = address.get(..scheme.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            };
            let has_scheme = starts("http://") || starts("https://");
            let is_word = !label.is_empty() && label.chars().all(|c| c.is_alphabetic() || c == ' ');
            let is_known = LABELS.iter().any(|known| label.eq_ignore_ascii_case(known));
            // `github:8080` is a host and its port, and `X - Rite.com` a name.
            let is_parted = sign != ":" || address.len() < rest.len();
            let is_label = match has_scheme {
                true => is_known || is_parted && is_word,
                false => is_known && is_parted && !label.eq_ignore_ascii_case("x"),
            };
            is_label.then_some(address)
        })
        .unwrap_or(text)
}

/// White space stays: dropped, it would join the words of two lines or cells to a host.
fn is_dropped(c: char) -> bool {
    !c.is_whitespace() && (c.is_control() || text::is_invisible(c))
}

/// Splits a tidied text; `None` when no host could stand there.
#[must_use]
pub fn split(tidied: &str) -> Option<Split<'_>> {
    let (has_scheme, rest) = strip_scheme(tidied);
    let mut rest = rest.trim_start();
    // `https://https://host`: pasted behind a scheme that was already there.
    while has_scheme && let (true, inner) = strip_scheme(rest) {
        rest = inner;
    }
    let rest = rest.strip_prefix("*.").unwrap_or(rest);
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.is_empty() {
        return None;
    }
    Some(Split {
        has_scheme,
        user,
        host,
        path,
        query,
        fragment,
    })
}

/// Cuts `https://`, `//`, and the slips `https:host`, `https:/host`, `https//host`; a port after a host is no scheme.
fn strip_scheme(text: &str) -> (bool, &str) {
    if let Some(rest) = text.strip_prefix("://").or_else(|| text.strip_prefix("//")) {
        return (true, rest.trim_start_matches('/'));
    }
    if let Some((scheme, rest)) = text.split_once("//")
        && ["http", "https"]
            .iter()
            .any(|k| scheme.eq_ignore_ascii_case(k))
    {
        return (true, rest);
    }
    let Some((scheme, rest)) = text.split_once(':') else {
        return (false, text);
    };
    let word = !scheme.is_empty()
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    if word && rest.starts_with("//") {
        // `http:///path` has an empty host; more slashes than two are no slip worth guessing at.
        return (true, rest.strip_prefix("//").unwrap_or(rest));
    }
    let known = ["http", "https", "mailto", "ftp"]
        .iter()
        .any(|k| scheme.eq_ignore_ascii_case(k));
    if known {
        (true, rest.strip_prefix('/').unwrap_or(rest))
    } else {
        (false, text)
    }
}

/// Decodes `%41` where the result is UTF-8; otherwise the text as it came.
#[must_use]
pub fn percent_decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let pair = (byte == b'%')
            .then(|| Some((hex(ahead.next()?)?, hex(ahead.next()?)?)))
            .flatten();
        match pair {
            Some((high, low)) => {
                out.push(high << 4 | low);
                bytes = ahead;
            }
            None => out.push(byte),
        }
    }
    match String::from_utf8(out) {
        Ok(decoded) => Cow::Owned(decoded),
        Err(_) => Cow::Borrowed(text),
    }
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}
