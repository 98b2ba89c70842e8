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

/// Reads a link, whatever it leads to.
pub(crate) fn read(text: &str) -> Option<Link<'_>> {
    let text = text::trim(text);
    of_page(text)
        .or_else(|| of_markdown(text))
        .or_else(|| of_chat(text))
}

/// `<a class="x" href="address">label</a>`; some cut it off behind the opening tag.
fn of_page(text: &str) -> Option<Link<'_>> {
    const OPEN: &str = "<a ";
    const CLOSE: &str = "</a>";
    let starts = |text: &str, with: &str| {
        text.get(..with.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    if !starts(text, OPEN) {
        return None;
    }
    let end = text.len().saturating_sub(CLOSE.len());
    let inner = match text.get(end..) {
        Some(close) if close.eq_ignore_ascii_case(CLOSE) => text.get(OPEN.len()..end)?,
        _ => text.get(OPEN.len()..).filter(|rest| rest.ends_with('>'))?,
    };
    let name = inner
        .match_indices('=')
        .find(|(at, _)| is_href(inner.get(..*at).unwrap_or_default()))?;
    let value = inner.get(name.0 + 1..)?.trim_start();
    let (address, rest) = match value.chars().next()? {
        quote @ ('"' | '\'') => value.get(1..)?.split_once(quote)?,
        _ => value.split_at(value.find([' ', '>'])?),
    };
    let (_, label) = rest.split_once('>')?;
    // Two links have two addresses.
    let is_one = !label.contains("href");
    is_one.then(|| Link {
        address: garbled::without_entities(address).map_or(Cow::Borrowed(address), Cow::Owned),
        label,
    })
}

/// Whether the name of an attribute stands at the end: `class="x" href`.
fn is_href(before: &str) -> bool {
    let before = before.trim_end();
    let name = before.rsplit([' ', '"', '\'']).next().unwrap_or(before);
    name.eq_ignore_ascii_case("href")
}

/// `[label](address)`, `[label](address "title")`.
fn of_markdown(text: &str) -> Option<Link<'_>> {
    let inner = text.strip_prefix('[')?.strip_suffix(')')?;
    let (label, target) = inner.split_once("](")?;
    if target.contains("](") {
        return None;
    }
    let address = target.trim().split(' ').next().unwrap_or_default();
    let address = Cow::Borrowed(address.trim_matches(['<', '>']));
    Some(Link { address, label })
}

/// `<https://host|label>`, `<mailto:address|address>`.
fn of_chat(text: &str) -> Option<Link<'_>> {
    let inner = text.strip_prefix('<')?.strip_suffix('>')?;
    let (address, label) = inner.split_once('|')?;
    let has_scheme = ["http://", "https://", "mailto:", "tel:"]
        .iter()
        .any(|scheme| address.starts_with(scheme));
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
            "[a](a.com) [b](b.com)",
            "[Acme] (acme.com)",
            "<a href=",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
