//! E-mail addresses: one spelling a mailbox, and the hashes under which it is found.
//!
//! Canonical form (`docs/CANON.md`, "email"): lower case, the tag after the first `+` cut at every host, dots dropped at Gmail
//! only, `googlemail.com` as `gmail.com`, international hosts as U-labels. Quoted local parts, domain literals and
//! comments are not read: no real record holds them.

use std::borrow::Cow;

use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

use crate::{Unreadable, domain, garbled, link, sheet, text};

const INVALID: &str = "not a valid e-mail address";
/// RFC 5321: the longest local part. Counted in characters, since RFC 6531 left open what the octets of an
/// international one are.
const MAX_LOCAL_CHARS: usize = 64;
/// RFC 5321 and erratum 1690: the longest address, in bytes.
const MAX_ADDRESS_BYTES: usize = 254;

/// An address in its two forms. Sources hash one or the other, so both are kept (`docs/CANON.md`, "Hashes of e-mail addresses").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    /// The canonical form: stored, compared, shown.
    pub address: String,
    /// Trimmed and in lower case, tag and dots as given.
    pub lowercase: String,
}

/// Lower-case hex digests of one form of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailHashes {
    /// 64 characters.
    pub sha256: String,
    /// 40 characters.
    pub sha1: String,
    /// 32 characters.
    pub md5: String,
}

/// Reads an address, also in the forms `Jane Doe <jane@example.com>` and `mailto:jane@example.com`.
///
/// # Errors
/// When it is no address that a mail server could have; a suggestion is made where one slip explains it.
pub fn clean(text: &str) -> Result<Email, Unreadable> {
    read(text).ok_or_else(|| Unreadable {
        reason: INVALID,
        suggestion: suggest(text),
    })
}

/// The host of a cleaned address.
#[must_use]
pub fn domain(email: &Email) -> &str {
    email.address.rsplit_once('@').map_or("", |(_, host)| host)
}

/// The three digests of the text as it is; the caller chooses the form.
#[must_use]
pub fn hashes(address: &str) -> EmailHashes {
    EmailHashes {
        sha256: hex::encode(Sha256::digest(address)),
        sha1: hex::encode(Sha1::digest(address)),
        md5: hex::encode(md5::Md5::digest(address)),
    }
}

/// True for hosts that give mailboxes to anybody: their domain says nothing about an employer.
#[must_use]
pub fn is_free_provider(host: &str) -> bool {
    crate::table::FREE_MAIL.contains(host)
}

/// True for hosts whose mailboxes are thrown away after use.
#[must_use]
pub fn is_disposable(host: &str) -> bool {
    crate::table::DISPOSABLE_MAIL.contains(host)
        || domain::registrable(host).is_some_and(|d| crate::table::DISPOSABLE_MAIL.contains(d))
}

fn read(given: &str) -> Option<Email> {
    if given.len() > text::MAX_LINE_BYTES {
        return None;
    }
    let decoded = garbled::without_entities(given);
    let given = decoded.as_deref().unwrap_or(given);
    let given = sheet::of_plain_formula(text::trim(given));
    match link::read(given) {
        Some(link) => read_plain(&link.address),
        None if given.contains(['@', '＠']) => read_plain(given),
        None => read_plain(&spelled_out(given)?),
    }
}

/// An address whose sign somebody spelt out to hide it from machines: `maya [at] acme [dot] com`, `maya(at)acme.com`, and in words alone
/// `maya at acme dot com`. Nothing else may stand around it: `maya okafor (at) acme.com` is half of one, and `maya at acme.com` says where
/// somebody works.
fn spelled_out(text: &str) -> Option<String> {
    let lower = text::clean(text);
    let bare = sheet::behind_label(&lower, &LABELS);
    let address = in_brackets(bare).or_else(|| in_words(bare))?;
    let (local, host) = address.split_once('@')?;
    let is_one = !local.is_empty() && !host.contains('@') && !address.contains(char::is_whitespace);
    (is_one && domain::has_listed_suffix(host)).then_some(address)
}

fn in_brackets(text: &str) -> Option<String> {
    const PAIRS: [(char, char); 3] = [('[', ']'), ('(', ')'), ('{', '}')];
    PAIRS.iter().find_map(|(open, close)| {
        let bracketed = |word: &str| format!("{open}{word}{close}");
        let (local, host) = text.split_once(&bracketed("at"))?;
        let joined = |part: &str| {
            let dot = bracketed("dot");
            let labels: Vec<&str> = part.split(&*dot).map(str::trim).collect();
            labels.join(".")
        };
        Some(format!("{}@{}", joined(local), joined(host)))
    })
}

fn in_words(text: &str) -> Option<String> {
    let (local, host) = text.split_once(" at ")?;
    let is_spelled = host.contains(" dot ") && !host.contains('.');
    is_spelled.then(|| {
        let joined = |part: &str| part.replace(" dot ", ".");
        format!("{}@{}", joined(local), joined(host))
    })
}

/// An address that is no link.
fn read_plain(given: &str) -> Option<Email> {
    let visible = text::visible(given);
    // Who types the sign in full width has typed the whole so; else a local part of full width is another mailbox.
    let visible = if visible.contains('＠') {
        text::narrowed(&visible)
    } else {
        Cow::Borrowed(&*visible)
    };
    let visible = match text::without_ligatures(&visible) {
        Cow::Owned(letters) => Cow::Owned(letters),
        Cow::Borrowed(_) => visible,
    };
    // A keyboard that corrects what is typed sets the apostrophe of `o’neil@`.
    let visible = if visible.contains('’') {
        Cow::Owned(visible.replace('’', "'"))
    } else {
        visible
    };
    let trimmed = text::trim(&visible);
    let bare = unwrap(trimmed);
    let email = address(bare)?;
    let is_other =
        |word: &str| address(unwrap(word)).is_some_and(|other| other.address != email.address);
    let beside = || trimmed.split([' ', ',', ';', '<', '>', '"', '(', ')', '“', '”', '«', '»']);
    // What stands before the one in angle brackets is a display name, whatever it holds.
    let is_named = trimmed.ends_with('>') && trimmed.matches('<').count() == 1;
    let is_all = bare.len() == trimmed.len();
    (is_all || is_named || !beside().any(is_other)).then_some(email)
}

/// An address with nothing around it.
fn address(bare: &str) -> Option<Email> {
    let (local, host) = bare.rsplit_once('@')?;
    if host.ends_with('.') || host.contains('_') {
        return None;
    }
    let lowercase: String = bare.to_lowercase().nfc().collect();
    let host = domain::host(host).filter(|host| host.contains('.') && !host.ends_with('.'))?;
    let local: String = local.to_lowercase().nfc().collect();
    if !is_local(&local) || local.len() + 1 + host.len() > MAX_ADDRESS_BYTES {
        return None;
    }
    let gmail = matches!(host.as_str(), "gmail.com" | "googlemail.com");
    let host = if gmail { "gmail.com" } else { &host };
    let untagged = match local.split_once('+') {
        Some((name, _)) if !name.trim_end_matches('.').is_empty() => name.trim_end_matches('.'),
        // A tag is no mailbox there; elsewhere a number may be one (`+13125550142@`).
        Some(_) if gmail => return None,
        _ => &local,
    };
    let address = if gmail {
        format!("{}@{host}", untagged.replace('.', ""))
    } else {
        format!("{untagged}@{host}")
    };
    Some(Email { address, lowercase })
}

/// Takes the address out of `Name <address>`, `[address]`, `Name (address)`, `address (Name)`, `mailto:address`, `Email: address`,
/// `Name - address` and quotes.
fn unwrap(text: &str) -> &str {
    let text = text.trim_end_matches([',', ';', ' ']);
    let inside = |(open, close): (char, char)| {
        let (_, inner) = text.strip_suffix(close)?.rsplit_once(open)?;
        inner.contains('@').then_some(inner)
    };
    // `jane@example.com (Jane Doe)`.
    let before = |(open, close): (char, char)| {
        let (before, name) = text.strip_suffix(close)?.split_once(open)?;
        (before.contains('@') && !name.contains('@')).then_some(before)
    };
    let pairs = || AROUND.into_iter();
    let inner = pairs()
        .find_map(inside)
        .or_else(|| pairs().find_map(before));
    let inner = inner.unwrap_or(text);
    let inner = text::trim(inner)
        .trim_matches([
            '"', '\'', '(', ')', ',', ';', '“', '”', '„', '‘', '‚', '«', '»', '‹', '›',
        ])
        // No host ends with these.
        .trim_end_matches(['>', ']', '}', '`', '/']);
    let inner = beside_sign(inner).unwrap_or(inner);
    let Some((label, address)) = inner.split_once(':') else {
        return inner;
    };
    if label.eq_ignore_ascii_case("mailto") {
        let address = address.trim_start_matches('/');
        return address.split('?').next().unwrap_or(address);
    }
    let is_name = |label: &str| {
        label
            .chars()
            .all(|c| c.is_alphabetic() || " -.".contains(c))
    };
    let is_label = LABELS.iter().any(|known| label.eq_ignore_ascii_case(known))
        || address.starts_with(' ') && is_name(label);
    if is_label {
        address.trim_start()
    } else {
        inner
    }
}

/// What stands around an address.
const AROUND: [(char, char); 5] = [('<', '>'), ('(', ')'), ('[', ']'), ('{', '}'), ('`', '`')];

/// The one address that signs part from the words around it: `Jane Doe - jane@example.com`, `• jane@example.com`. Behind one word it may
/// be half of one: `jane doe@example.com`, `mary.jane - smith@example.com`.
fn beside_sign(text: &str) -> Option<&str> {
    let is_sign = |word: &str| {
        let is_part_of_one = |c: char| c.is_alphanumeric() || ".@_+/&%=!#$^~?'".contains(c);
        !word.contains(is_part_of_one)
    };
    let is_one_word = |text: &str| {
        let mut words = text.split(' ').filter(|word| !is_sign(word));
        let is_label = |word: &str| LABELS.iter().any(|label| word.eq_ignore_ascii_case(label));
        words.next().is_some_and(|word| !is_label(word)) && words.next().is_none()
    };
    let at = text.find('@')?;
    let start = text.get(..at)?.rfind(' ').map_or(0, |space| space + 1);
    let end = text
        .get(at..)?
        .find(' ')
        .map_or(text.len(), |space| at + space);
    let before = text.get(..start)?.trim_end();
    let after = text.get(end..)?.trim_start();
    if before.is_empty() && after.is_empty() || is_one_word(before) {
        return None;
    }
    let is_apart = (before.is_empty() || before.rsplit(' ').next().is_some_and(is_sign))
        && (after.is_empty() || after.split(' ').next().is_some_and(is_sign));
    is_apart.then(|| text.get(start..end)).flatten()
}

/// What stands before an address in lists and directories, with a colon.
const LABELS: [&str; 6] = ["email", "e-mail", "mail", "e mail", "smtp", "sip"];

/// A dot-atom of RFC 5322, with letters of every script (RFC 6531).
fn is_local(local: &str) -> bool {
    local.chars().count() <= MAX_LOCAL_CHARS
        && !local.is_empty()
        && local.split('.').all(|atom| {
            !atom.is_empty()
                && atom.chars().all(|c| {
                    if c.is_ascii() {
                        c.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(c)
                    } else {
                        c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
                    }
                })
        })
}

/// The same text without the usual slips: doubled `@` and dots, spaces, commas for dots, a closing dot.
fn suggest(text: &str) -> Option<String> {
    let mut tidy = String::with_capacity(text.len());
    for c in text::trim(&text::narrowed(text)).chars() {
        let c = if c == ',' { '.' } else { c };
        let doubled = matches!(c, '@' | '.') && tidy.ends_with(c);
        if !c.is_whitespace() && !doubled {
            tidy.push(c);
        }
    }
    let tidy = tidy.replace(".@", "@").replace("@.", "@");
    let tidy = tidy.trim_matches(|c| matches!(c, '.' | ';' | ':'));
    read(tidy).map(|email| email.address)
}
