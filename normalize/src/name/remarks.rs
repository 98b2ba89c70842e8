//! What lists, headings and mails set around a name: `Name: Maya Okafor`, `Maya Okafor | CEO`, `Maya Okafor - Recruiter`.

use super::affixes::is_around_names;
use super::{parse, posts};

/// The name without labels before it and remarks behind it. Most names hold nothing that could be one.
pub(super) fn without(name: &str) -> &str {
    // The signs beyond ASCII begin with these bytes, and letters of names rarely do.
    const LEADS: [u8; 2] = [0xc2, 0xe2];
    let is_plain = |b: u8| {
        b.is_ascii_alphabetic()
            || matches!(b, b' ' | b'.' | b',' | b'\'' | b'-')
            || !b.is_ascii() && !LEADS.contains(&b)
    };
    let has_dash = || name.contains('-') && name.contains(" - ");
    if name.bytes().all(is_plain) && !has_dash() {
        return name;
    }
    before_post(before_pronouns(before_sign(before_network(behind_label(
        name,
    )))))
}

/// The title of a page without whose page it is: `Maya Okafor - LinkedIn`.
fn before_network(name: &str) -> &str {
    const SIGNS: [&str; 4] = [" - ", " – ", " — ", " | "];
    SIGNS
        .iter()
        .filter_map(|sign| name.rsplit_once(sign))
        .find(|(name, network)| {
            network.eq_ignore_ascii_case("linkedin") && name.contains(char::is_alphabetic)
        })
        .map_or(name, |(name, _)| name)
}

/// `Maya Okafor she / her`, but not `Kim Lui / Him`.
fn before_pronouns(name: &str) -> &str {
    let is_one = |word: &str| parse::is_pronoun(word) && !word.contains(char::is_uppercase);
    let parted = name.rsplit_once(" / ");
    let before = parted.and_then(|(name, second)| {
        let (before, first) = name.rsplit_once(' ')?;
        (is_one(first) && is_one(second) && before.contains(' ')).then_some(before)
    });
    before.unwrap_or(name)
}

/// What stands behind the word for what it is (`Attn: Maya Okafor`) or a number of a list (`1. Maya Okafor`).
fn behind_label(name: &str) -> &str {
    const LABELS: [&str; 8] = [
        "name",
        "full name",
        "contact",
        "contact name",
        "attn",
        "attention",
        "att",
        "to",
    ];
    let label = name
        .split_once(": ")
        .filter(|(label, _)| LABELS.iter().any(|known| label.eq_ignore_ascii_case(known)));
    let care = || {
        name.get(..4)
            .filter(|start| start.eq_ignore_ascii_case("c/o "))
    };
    if let Some((_, rest)) = label {
        return rest;
    }
    if care().is_some() {
        return name.get(4..).unwrap_or(name);
    }
    let number = name.split_once(' ').filter(|(first, rest)| {
        let digits = first.trim_start_matches('#').trim_end_matches(['.', ')']);
        digits.len() < first.len()
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && rest.contains(' ')
    });
    number.map_or(name, |(_, rest)| rest)
}

/// What stands before an employer, an interest or an address: `Maya Okafor | CEO`, `Maya Okafor @ Northwind`, `Maya Okafor <maya@…>`.
fn before_sign(name: &str) -> &str {
    const SIGNS: [&str; 8] = [" | ", " || ", " @ ", " • ", " · ", " ∣ ", " ¦ ", " ● "];
    let mail = name.split_once(" <").filter(|(_, rest)| rest.contains('@'));
    let bare_mail = name
        .rsplit_once([' ', ','])
        .filter(|(_, word)| word.find('@').is_some_and(|at| at > 0));
    SIGNS
        .iter()
        .filter_map(|sign| name.split_once(sign))
        .chain(mail)
        .chain(bare_mail)
        .map(|(name, _)| name.trim_end_matches([' ', ',']))
        // `Jane Doe (she • her)`.
        .find(|name| name.contains(' ') && name.matches('(').count() == name.matches(')').count())
        .unwrap_or(name)
}

/// What stands before a dash or colon and a post, whatever follows the post: `Maya Okafor - Senior Engineer at Northwind`, `Maya Okafor: Life
/// Coach`, `Maya Okafor - CEO, Northwind`. A comma may part the post from the name instead: `Maya Okafor, CEO - Northwind`.
fn before_post(name: &str) -> &str {
    const SIGNS: [&str; 4] = [" - ", " – ", " — ", ": "];
    let is_whole = |name: &str| {
        let is_own = |word: &&str| word.contains(char::is_alphabetic) && !is_around_names(word);
        name.split([' ', ',']).filter(is_own).nth(1).is_some()
    };
    let is_post = |text: &str| posts::is_post(&parse::words(text), true);
    SIGNS
        .iter()
        .filter_map(|sign| name.split_once(sign))
        .find_map(|(before, behind)| {
            let post = behind.split(',').next().unwrap_or(behind);
            let of_comma = || before.rsplit_once(',').filter(|(_, post)| is_post(post));
            let name = if is_post(post) { before } else { of_comma()?.0 };
            is_whole(name).then_some(name)
        })
        .unwrap_or(name)
}

/// What stands before a dash and a post in a part of a name, if there is a name: `Okafor - CEO, Northwind`.
pub(super) fn before_dash_and_post(part: &str) -> Option<&str> {
    const DASHES: [&str; 3] = [" - ", " – ", " — "];
    let (name, behind) = DASHES.iter().find_map(|dash| part.split_once(dash))?;
    let post = behind.split(',').next().unwrap_or(behind);
    let is_post = posts::is_post(&parse::words(post), true);
    (name.contains(char::is_alphabetic) && is_post).then_some(name)
}
