//! Links as pages, mail programs and chats write them: `<a href="address">label</a>`, `[label](address)`, `<address|label>`.

use std::borrow::Cow;

use crate::{garbled, text};

/// A text that is one link and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link<'a> {
    /// Where it leads, as written but for entities.
    pub(crate) address: Cow<'a, str>,
    /// What is shown for it.
    pub(crate) label: &'a str,
}

/// Longer texts are no link that somebody wrote.
const MAX_BYTES: usize = 4_096;

/// With which an address that is a link begins, if with any.
const SCHEMES: [&str; 4] = ["http://", "https://", "mailto:", "tel:"];

/// Reads a link, whatever it leads to. One whose label shows another address is none: nobody knows which of the two is meant.
pub(crate) fn read(text: &str) -> Option<Link<'_>> {
    let text = text::trim(text);
    if text.len() > MAX_BYTES {
        return None;
    }
    let link = of_page(text)
        .or_else(|| of_markdown(text))
        .or_else(|| of_chat(text))?;
    agrees(&link).then_some(link)
}

/// Whether every address that the label shows is the one that the link leads to, or how it begins: `acme.com` for `https://acme.com/about`.
fn agrees(link: &Link<'_>) -> bool {
    let address = bare(&link.address);
    let label = text::narrowed(link.label);
    label
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '@'))
        .filter(|word| is_address(word))
        .all(|word| match word.strip_prefix('@') {
            Some(account) => address
                .rsplit('/')
                .next()
                .is_some_and(|last| last.trim_start_matches('@') == account.to_lowercase()),
            None => address
                .strip_prefix(&*bare(word))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#', ':'])),
        })
}

/// `acme.com`, `maya@acme.com`, `@maya`, `acme/team`; a point at the end is none of an address.
fn is_address(word: &str) -> bool {
    word.contains(['@', '/', '[', '(']) || word.trim_end_matches('.').contains('.')
}

/// Without scheme, `www.` and a slash at the end, in small letters.
fn bare(address: &str) -> String {
    let address = text::narrowed(address).to_lowercase();
    let host = SCHEMES
        .iter()
        .find_map(|scheme| address.strip_prefix(scheme));
    let host = host.unwrap_or(&address);
    let host = host.strip_prefix("www.").unwrap_or(host);
    host.trim_end_matches('/').to_owned()
}

/// `<a class="x" href="address">label</a>`; some cut it off behind the opening tag.
fn of_page(text: &str) -> Option<Link<'_>> {
    const OPEN: &str = "<a ";
    const CLOSE: &str = "</a>";
    let start = text.get(..OPEN.len())?;
    if !start.eq_ignore_ascii_case(OPEN) {
        return None;
    }
    let mut rest = text.get(OPEN.len()..)?;
    let mut address = None;
    let inner = loop {
        rest = rest.trim_start();
        if let Some(inner) = rest.strip_prefix('>') {
            break inner;
        }
        let (name, value, behind) = attribute(rest)?;
        if name.eq_ignore_ascii_case("href") {
            // Two addresses are none.
            if address.is_some() {
                return None;
            }
            address = Some(value);
        }
        rest = behind;
    };
    let end = inner.len().saturating_sub(CLOSE.len());
    let label = match inner.get(end..) {
        Some(close) if close.eq_ignore_ascii_case(CLOSE) => inner.get(..end)?,
        _ if inner.is_empty() => inner,
        _ => return None,
    };
    let address = address?;
    (!label.contains('<')).then(|| Link {
        address: garbled::without_entities(address).map_or(Cow::Borrowed(address), Cow::Owned),
        label,
    })
}

/// Name and value of the attribute at the beginning, and what stands behind it: `class="x"`, `target=_blank`, `download`.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let end = text.find(|c: char| c == '=' || c == '>' || c.is_whitespace())?;
    let (name, rest) = text.split_at_checked(end)?;
    let Some(value) = rest.trim_start().strip_prefix('=') else {
        return (!name.is_empty()).then_some((name, "", rest));
    };
    let value = value.trim_start();
    match value.chars().next()? {
        quote @ ('"' | '\'') => {
            let (value, behind) = value.get(1..)?.split_once(quote)?;
            Some((name, value, behind))
        }
        _ => {
            let end = value.find(|c: char| c == '>' || c.is_whitespace())?;
            let (value, behind) = value.split_at_checked(end)?;
            Some((name, value, behind))
        }
    }
}

/// `[label](address)`, `[label](address "title")`.
fn of_markdown(text: &str) -> Option<Link<'_>> {
    let inner = text.strip_prefix('[')?.strip_suffix(')')?;
    let (label, target) = inner.split_once("](")?;
    let target = target.trim();
    let (address, title) = target.split_once(' ').unwrap_or((target, ""));
    let title = title.trim();
    let is_title = |quote| {
        title.len() > 1
            && title
                .strip_prefix(quote)
                .and_then(|rest| rest.strip_suffix(quote))
                .is_some_and(|inner| !inner.contains(quote))
    };
    let is_one = title.is_empty() || is_title('"') || is_title('\'');
    let is_balanced = address.matches('(').count() == address.matches(')').count();
    if !is_one || !is_balanced || address.contains(['[', ']', ',', ';']) {
        return None;
    }
    let address = Cow::Borrowed(address.trim_matches(['<', '>']));
    Some(Link { address, label })
}

/// `<https://host|label>`, `<mailto:address|address>`.
fn of_chat(text: &str) -> Option<Link<'_>> {
    let inner = text.strip_prefix('<')?.strip_suffix('>')?;
    let (address, label) = inner.split_once('|')?;
    let has_scheme = SCHEMES.iter().any(|scheme| address.starts_with(scheme));
    let is_one = has_scheme && !label.contains(['<', '|']);
    is_one.then_some(Link {
        address: Cow::Borrowed(address),
        label,
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_link_has_an_address_and_a_label() {
        for (text, address, label) in [
            (
                "<a href=\"https://acme.com/?a=1&amp;b=2\">Acme</a>",
                "https://acme.com/?a=1&b=2",
                "Acme",
            ),
            (
                "<A class='x' HREF='acme.com' target=_blank>Acme</A>",
                "acme.com",
                "Acme",
            ),
            ("<a href=acme.com>Acme</a>", "acme.com", "Acme"),
            ("<a href=\"acme.com\">", "acme.com", ""),
            ("[Acme](https://acme.com/x)", "https://acme.com/x", "Acme"),
            ("[Acme](<acme.com> \"Acme\")", "acme.com", "Acme"),
            (
                "<a title=\"x href=evil.com\" href=\"acme.com\">Acme</a>",
                "acme.com",
                "Acme",
            ),
            (
                "<https://www.acme.com/about|acme.com>",
                "https://www.acme.com/about",
                "acme.com",
            ),
            (
                "<https://twitter.com/jane|@Jane>",
                "https://twitter.com/jane",
                "@Jane",
            ),
            (
                "[Jane (jane@x.com)](mailto:jane@x.com?subject=Hi)",
                "mailto:jane@x.com?subject=Hi",
                "Jane (jane@x.com)",
            ),
            (
                "<https://acme.com|acme.com>",
                "https://acme.com",
                "acme.com",
            ),
        ] {
            let link = read(text).unwrap();
            assert_eq!((&*link.address, link.label), (address, label), "{text}");
        }
    }

    #[test]
    fn what_is_no_single_link_is_none() {
        for text in [
            "https://acme.com",
            "<https://acme.com>",
            "<Acme|Apex>",
            "<a friend>",
            "<a name=\"href\">x</a>",
            "<a href=\"a.com\">a</a> <a href=\"b.com\">b</a>",
            "<a href=\"a.com\">a</a> <a HREF=\"b.com\">b</a>",
            "<a href=\"a.com\" href=\"b.com\">a</a>",
            "<a href=\"a.com\">x</a> y",
            "[a](a.com) [b](b.com)",
            "[Acme](acme.com) (apex.com)",
            "[Acme](acme.com), Apex (apex.com)",
            "[Office](+4930 901820)",
            "[+1](650) 253-0000 (mobile)",
            "[jane](jane@x.com;tom@y.com)",
            // The label shows another address.
            "[bank.com](https://evil.com)",
            "[acme.com](https://acme.com.evil.com)",
            "<https://evil.com|bank.com>",
            "<https://twitter.com/evil|@jane>",
            "[twitter.com/jane](https://twitter.com/evil)",
            "<mailto:evil@x.com|ceo＠bank.com>",
            "<mailto:evil@x.com|ceo at bank.com>",
            "<a href=\"mailto:evil@x.com\">ceo[at]bank.com</a>",
            "[Acme] (acme.com)",
            "<a href=",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
