//! Domains: the host in lower case without `www.`, international names as they are read (U-labels).
//!
//! Deeper hosts are kept by [`clean`]; [`registrable`] cuts them, for telling whether two hosts belong to one owner.

use std::borrow::Cow;

use psl::Type;

use crate::{Unreadable, text, url};

const INVALID: Unreadable = Unreadable::new("not a valid domain");

/// The longest host name of DNS, in bytes of its ASCII form.
const MAX_HOST_BYTES: usize = 253;
/// The longest label of DNS.
const MAX_LABEL_BYTES: usize = 63;

/// The domain in a host name, URL or e-mail address.
///
/// # Errors
/// When there is no host, or the host is an IP address, a single label or a bare public suffix (`co.uk`).
pub fn clean(text: &str) -> Result<String, Unreadable> {
    let tidied = url::tidy_link(text);
    let split = url::split(&tidied).ok_or(INVALID)?;
    let host = host(split.host).ok_or(INVALID)?;
    let bare = strip_www(&host);
    if is_owned(bare) {
        Ok(bare.to_owned())
    } else {
        Err(INVALID)
    }
}

/// The part of a domain that somebody registered: `example.co.uk` of `shop.example.co.uk`.
///
/// Expects a domain as [`clean`] gives it; a name below a hosting suffix (`acme.github.io`) counts as registered.
#[must_use]
pub fn registrable(domain: &str) -> Option<&str> {
    psl::domain_str(domain).or_else(|| is_owned(domain).then_some(domain))
}

/// True when the domain ends in a suffix of the public suffix list's ICANN section: `acme.com`, not `node.js`.
#[must_use]
pub fn has_listed_suffix(domain: &str) -> bool {
    psl::suffix(domain.as_bytes()).is_some_and(|suffix| suffix.typ().is_some())
}

/// A host name in canonical form: valid labels, lower case, U-labels; `None` for IP addresses and broken names.
pub(crate) fn host(name: &str) -> Option<String> {
    if name.len() > text::MAX_LINE_BYTES {
        return None;
    }
    let ascii: Cow<'_, str> = if is_plain(name) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Owned(idna::domain_to_ascii(&text::narrowed(name)).ok()?)
    };
    if ascii.len() > MAX_HOST_BYTES || !ascii.split('.').all(is_label) {
        return None;
    }
    let last = ascii.rsplit('.').next()?;
    if last.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if !ascii.contains("xn--") {
        return Some(ascii.into_owned());
    }
    let (unicode, verdict) = idna::domain_to_unicode(&ascii);
    let letters = unicode.chars().all(|c| {
        c.is_alphanumeric()
            || is_mark(c)
            || matches!(c, '.' | '-' | '_' | '·' | '・' | '\u{200c}' | '\u{200d}')
    });
    // What decodes to another encoded label, or to one that a host cannot have, would be read differently a second time.
    let settled = unicode.split('.').all(|label| {
        !label.starts_with("xn--") && !label.starts_with('-') && !label.ends_with('-')
    });
    // A joiner at the end joins nothing; around a text it is cut off.
    let settled = settled && !unicode.ends_with(['\u{200c}', '\u{200d}']);
    // IDNA writes Cherokee in capitals; everything stored is in lower case.
    (verdict.is_ok() && letters && settled).then(|| unicode.to_lowercase())
}

/// True when no IDNA mapping can change the text beyond letter case.
fn is_plain(text: &str) -> bool {
    text.is_ascii() && !text.to_ascii_lowercase().contains("xn--")
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    !bytes.is_empty()
        && bytes.len() <= MAX_LABEL_BYTES
        && bytes.first() != Some(&b'-')
        && bytes.last() != Some(&b'-')
        && bytes
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// `www.` goes, also a doubled one, unless the name is nothing without it (`www.com`).
fn strip_www(mut host: &str) -> &str {
    while let Some(rest) = host.strip_prefix("www.").filter(|rest| is_owned(rest)) {
        host = rest;
    }
    host
}

/// True when the name, or what it ends in, can be registered. A private suffix (`github.io`) is its operator's own.
fn is_owned(host: &str) -> bool {
    if psl::domain_str(host).is_some() {
        return registrable_part_has_no_underscore(host);
    }
    let private =
        psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.typ() == Some(Type::Private));
    private && host.contains('.')
}

/// Underscores occur in host names below a domain, never in the registered label itself.
fn registrable_part_has_no_underscore(host: &str) -> bool {
    psl::domain_str(host).is_some_and(|domain| !domain.contains('_'))
}
