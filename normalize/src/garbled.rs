//! Undoing what exports do to text: HTML entities (`AT&amp;T`, `Jos&eacute;`), tags (`<b>Acme</b>`), and UTF-8 that was read as Latin-1
//! (`JosÃ©`).
//!
//! Only what cannot be meant is undone: an entity with its semicolon, a tag that HTML knows, and a capital that no letter follows in any
//! language. What comes out holds none of them any more, so that cleaning it again changes nothing.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use crate::{company, name, text};

/// No text that is not made up is garbled more often than this, and each time takes as long as the text is.
const MAX_PASSES: usize = 8;
/// As many bytes are read in all before a text is left as it is: more than enough for a line.
const MAX_READ: usize = 1 << 20;

/// How often a text of this length is looked at again.
pub(crate) const fn passes(length: usize) -> usize {
    let most = MAX_READ / (length + 1);
    if most < MAX_PASSES { MAX_PASSES } else { most }
}

/// Whether there may be anything left that an export garbled.
pub(crate) fn is_suspect(text: &str) -> bool {
    text.contains(['&', '<']) || !text.is_ascii() && text.contains(LEADS)
}

/// The text with what stands in it for letters of Latin-1 and Latin Extended-A put right.
pub(crate) fn reread(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    // A letter that is put right may be half of another one, or tell what stands before it.
    for _ in 0..passes(text.len()) {
        if !text.contains(LEADS) {
            break;
        }
        let Some(shorter) = reread_once(&text) else {
            break;
        };
        text = Cow::Owned(shorter);
    }
    text
}

/// The text with what its entities stand for; none where there is none. White space that they stood for is single spaces.
pub(crate) fn without_entities(text: &str) -> Option<String> {
    text.split_once('&')
        .is_some_and(|(_, rest)| rest.contains(';'))
        .then(|| decoded(text))
        .filter(|out| out != text)
}

/// The longest name of an entity in the table, or number of one.
const MAX_ENTITY: usize = 8;

/// Whenever a semicolon comes, the end of what is written so far may be an entity: one pass leaves none, however they are nested
/// (`&amp;amp;`).
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == ';' && close(&mut out) {
            continue;
        }
        out.push(c);
    }
    out
}

/// Replaces the entity at the end of the text, whose semicolon comes next.
fn close(out: &mut String) -> bool {
    let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '#';
    let length = out
        .chars()
        .rev()
        .take(MAX_ENTITY)
        .take_while(is_part)
        .count();
    let Some(rest) = out.len().checked_sub(length) else {
        return false;
    };
    let Some((before, name)) = out.split_at_checked(rest) else {
        return false;
    };
    let Some(before) = before.strip_suffix('&') else {
        return false;
    };
    let Some(c) = entity(name) else {
        return false;
    };
    let length = before.len();
    out.truncate(length);
    // What another form of an ASCII sign stands for can end an entity in turn.
    for c in text::narrowed(c.encode_utf8(&mut [0; 4])).nfc() {
        if c == ';' && close(out) {
            continue;
        }
        if c.is_whitespace() || c.is_control() {
            out.push(' ');
        } else if !text::is_invisible(c) {
            out.push(c);
        }
    }
    true
}

fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?);
    }
    let lower = name.to_ascii_lowercase();
    let (_, c) = ENTITIES.iter().find(|(known, _)| *known == lower)?;
    let is_capital = name.starts_with(|c: char| c.is_ascii_uppercase());
    let mut capital = c.to_uppercase();
    match (is_capital, capital.next(), capital.next()) {
        (true, Some(capital), None) => Some(capital),
        _ => Some(*c),
    }
}

/// The longest tag that is looked for, in bytes: one with an address in it.
const MAX_TAG: usize = 300;

/// The text with a space for each of its HTML tags, but for those that stand within words (`H<sub>2</sub>O`, `<b>A</b>cme`); none where there is
/// none. Whenever a `>` comes, the end of what is written so far may be a tag: one pass leaves none, however they are nested.
pub(crate) fn without_tags(text: &str) -> Option<String> {
    if !text.contains('<') {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut is_changed = false;
    let mut inside = 0;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let tag = (c == '>').then(|| tag_at_end(&out)).flatten();
        match tag {
            Some(start) => {
                const WITHIN_WORDS: [&str; 3] = ["sub", "sup", "u"];
                const BEHIND_INITIALS: [&str; 4] = ["/b", "/i", "/em", "/strong"];
                let tag = out.split_off(start).to_ascii_lowercase();
                let tag = tag.trim_start_matches('<');
                let is_initial = BEHIND_INITIALS.contains(&tag)
                    && out.get(inside..).is_some_and(is_capital)
                    && is_rest_of_word(rest.as_str());
                if !(WITHIN_WORDS.contains(&tag.trim_start_matches('/')) || is_initial) {
                    out.push(' ');
                }
                inside = out.len();
                is_changed = true;
            }
            None => out.push(c),
        }
    }
    is_changed.then_some(out)
}

fn is_capital(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
}

/// Whether what follows an initial that was set apart goes on with its word: `cme` of `<b>A</b>cme`, but not `gmbh`, `van` or `company`.
fn is_rest_of_word(text: &str) -> bool {
    const FUNCTION_WORDS: [&str; 14] = [
        "and", "or", "of", "the", "in", "on", "at", "for", "to", "by", "with", "from", "is", "as",
    ];
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let word = text.get(..end).unwrap_or_default();
    let folded = text::fold(word);
    word.starts_with(char::is_lowercase)
        && !FUNCTION_WORDS.contains(&word)
        && !name::is_particle(word)
        && !company::is_light_word(&folded)
        && !company::is_common_word(&folded)
}

/// Where the tag begins that a `>` behind the text ends: `<b`, `</span`, `<br /`, `<a href="x"`.
fn tag_at_end(text: &str) -> Option<usize> {
    const TAGS: [&str; 24] = [
        "a", "b", "br", "big", "center", "div", "em", "font", "h1", "h2", "h3", "i", "img", "li",
        "nobr", "p", "small", "span", "strong", "sub", "sup", "td", "tr", "u",
    ];
    let length = text.bytes().rev().take(MAX_TAG).position(|b| b == b'<')?;
    let start = text.len() - length - 1;
    let inner = text.get(start + 1..)?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let (name, rest) = inner.split_at(inner.find([' ', '/']).unwrap_or(inner.len()));
    // `<a friend>` is what somebody wrote.
    let is_markup = rest.trim_matches([' ', '/']).is_empty() || rest.contains('=');
    let is_tag = TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag));
    (is_tag && is_markup).then_some(start)
}

/// HTML's names of the signs and letters that names have, in lower case: the capital letter's name has a capital.
const ENTITIES: [(&str, char); 66] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("apos", '\''),
    ("quot", '"'),
    ("nbsp", ' '),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("hellip", '…'),
    ("middot", '·'),
    ("reg", '®'),
    ("trade", '™'),
    ("copy", '©'),
    ("shy", '\u{ad}'),
    ("ordf", 'ª'),
    ("ordm", 'º'),
    ("acute", '´'),
    ("agrave", 'à'),
    ("aacute", 'á'),
    ("acirc", 'â'),
    ("atilde", 'ã'),
    ("auml", 'ä'),
    ("aring", 'å'),
    ("aelig", 'æ'),
    ("ccedil", 'ç'),
    ("egrave", 'è'),
    ("eacute", 'é'),
    ("ecirc", 'ê'),
    ("euml", 'ë'),
    ("igrave", 'ì'),
    ("iacute", 'í'),
    ("icirc", 'î'),
    ("iuml", 'ï'),
    ("eth", 'ð'),
    ("ntilde", 'ñ'),
    ("ograve", 'ò'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("otilde", 'õ'),
    ("ouml", 'ö'),
    ("oslash", 'ø'),
    ("ugrave", 'ù'),
    ("uacute", 'ú'),
    ("ucirc", 'û'),
    ("uuml", 'ü'),
    ("yacute", 'ý'),
    ("thorn", 'þ'),
    ("yuml", 'ÿ'),
    ("szlig", 'ß'),
    ("oelig", 'œ'),
    ("scaron", 'š'),
    ("zcaron", 'ž'),
    ("ccaron", 'č'),
    ("rcaron", 'ř'),
    ("ecaron", 'ě'),
    ("cacute", 'ć'),
    ("nacute", 'ń'),
    ("sacute", 'ś'),
    ("zacute", 'ź'),
    ("lstrok", 'ł'),
];

/// The first of the characters that a letter or sign was read as: of two, and of the two or three of a sign.
const LEADS: [char; 5] = ['Ã', 'Ä', 'Å', 'Â', 'â'];

fn reread_once(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut is_changed = false;
    for word in text.split_inclusive(' ') {
        match reread_word(word, false) {
            Reread::Not => out.push_str(word),
            Reread::Signs(signs) => {
                is_changed = true;
                out.push_str(&signs);
            }
            Reread::Letters(letters) => {
                is_changed = true;
                // One letter tells of the whole word: `GÃœNEÅž`, `JÃ‰RÃ”ME`.
                match reread_word(word, true) {
                    Reread::Signs(all) | Reread::Letters(all) => out.push_str(&all),
                    Reread::Not => out.push_str(&letters),
                }
            }
        }
    }
    is_changed.then_some(out)
}

/// What came of a word.
enum Reread {
    Not,
    /// Nothing but signs was put right in it.
    Signs(String),
    Letters(String),
}

fn reread_word(word: &str, is_sure: bool) -> Reread {
    let mut out = String::with_capacity(word.len());
    let mut is_changed = false;
    let mut has_letters = false;
    let mut before = [' '; 2];
    let mut rest = word.chars();
    while let Some(mut c) = rest.next() {
        // What comes out may be the first half of another letter: `ÃƒÂ©`.
        loop {
            let mut ahead = rest.clone();
            let Some(next) = ahead.next() else { break };
            let behind = ahead.clone().next();
            if let Some(letter) = misread(before, c, next, behind, is_sure) {
                has_letters = true;
                c = letter;
                rest = ahead;
            } else if let Some(sign) = misread_of_two(before, c, next) {
                c = sign;
                rest = ahead;
            } else if let Some(sign) = behind.and_then(|third| misread_of_three(c, next, third)) {
                _ = ahead.next();
                c = sign;
                rest = ahead;
            } else if matches!((c, next), ('â' | 'Â', '€'))
                && !behind.is_some_and(char::is_alphanumeric)
            {
                // The last of its three is a control character, which is lost on the way.
                c = '”';
                rest = ahead;
            } else {
                break;
            }
            is_changed = true;
        }
        before = [before[1], c];
        out.push(c);
    }
    match (is_changed, has_letters) {
        (false, _) => Reread::Not,
        (true, false) => Reread::Signs(out),
        (true, true) => Reread::Letters(out),
    }
}

/// The letter whose two bytes of UTF-8 stand there as characters of Windows-1252. `MÄKELÄ–NIEMI`, `UMEÅ’s` and `»IRMÃ»` have a
/// capital and a mark of their own: the capital of a misread letter stands in no word of capitals, and a mark has small letters beside it.
/// One capital alone is the first of a name: `PÃ©rez`, but not `SÃ–x` and `KÅ’s`. In a word that is surely misread (`is_sure`), no other
/// capital is meant.
fn misread(
    [second_last, before]: [char; 2],
    lead: char,
    low: char,
    behind: Option<char>,
    is_sure: bool,
) -> Option<char> {
    if !matches!(lead, 'Ã' | 'Ä' | 'Å') {
        return None;
    }
    let byte = windows_1252(low)?;
    let is_before_small = behind.is_some_and(char::is_lowercase);
    let is_in_small = before.is_lowercase() || is_before_small;
    let is_mark = low.is_whitespace() || "‘’‚“”„–—…•«»·®©™°´¨¸§\u{ad}".contains(low);
    // `Äšïm` is a name that is spelt so; the letter that it would be stands in front of none.
    let is_spelt_so = (lead, low) == ('Ä', 'š');
    let joins_words = low.is_whitespace() || "‘’–—…•·".contains(low);
    let is_first = !second_last.is_alphabetic() && !joins_words;
    let is_in_capitals = before.is_uppercase() && (is_mark && !is_first || !is_before_small);
    let is_meant = is_in_capitals || is_mark && !is_in_small || is_spelt_so;
    let is_sure = is_sure && !joins_words && !is_spelt_so;
    if is_meant && !is_sure && !is_never_meant(before, lead, low, behind) {
        return None;
    }
    let letter = char::from_u32(u32::from(lead) % 0x20 * 0x40 + byte % 0x40)?;
    letter.is_alphabetic().then_some(letter)
}

/// Signs and small letters that stand in no word of capitals: `PÃ‰REZ`, `MÃœLLER`, `MUÃ‘OZ`. A dagger or quotation mark may stand at the end of
/// one.
fn is_never_meant(before: char, lead: char, low: char, behind: Option<char>) -> bool {
    let is_before_capital = behind.is_some_and(char::is_uppercase);
    let is_between_capitals = before.is_uppercase() && is_before_capital;
    match low {
        '‰' | 'ˆ' | '˜' | 'œ' | 'ƒ' => lead == 'Ã',
        '‘' | '“' | '‡' | '†' => lead == 'Ã' && is_between_capitals,
        'š' | 'ž' => is_before_capital && (lead, low) != ('Ä', 'š'),
        _ => matches!(low, '\u{80}'..='\u{9f}') && !low.is_whitespace(),
    }
}

/// The sign of Latin-1 behind the `Â` that it was read with: `AcmeÂ®`, `MÂª`. No word of capitals ends so.
fn misread_of_two(before: [char; 2], lead: char, low: char) -> Option<char> {
    let is_sign = matches!(low, '\u{a0}'..='\u{bf}');
    let in_capitals = before.iter().all(|c| c.is_uppercase());
    (lead == 'Â' && is_sign && !in_capitals).then_some(if low == '\u{a0}' { ' ' } else { low })
}

/// The mark of punctuation that was read as three: `Oâ€™Brien`, `Acmeâ„¢`. Nobody writes a sign of money behind `â`. What would not be seen is a
/// space, so that it joins nothing when it is dropped.
fn misread_of_three(lead: char, middle: char, low: char) -> Option<char> {
    let row = match (lead, middle) {
        ('â' | 'Â', '€') => 0x2000,
        ('â' | 'Â', '‚') => 0x2080,
        ('â' | 'Â', '„') => 0x2100,
        _ => return None,
    };
    match char::from_u32(row + windows_1252(low)? % 0x40)? {
        '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' => Some(' '),
        '\u{2010}' | '\u{2011}' => Some('-'),
        sign if row == 0x2000 || matches!(sign, '€' | '™' | '№') => Some(sign),
        _ => None,
    }
}

/// The byte that a character is in Windows-1252, of those that follow the first one of a letter.
fn windows_1252(c: char) -> Option<u32> {
    const ABOVE_80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let code = u32::from(c);
    if (0x80..0xc0).contains(&code) {
        return Some(code);
    }
    let place = ABOVE_80.chars().position(|known| known == c)?;
    u32::try_from(0x80 + place).ok()
}

#[cfg(test)]
mod tests {
    use super::{reread, without_entities};

    #[test]
    fn entities_are_what_they_stand_for() {
        for (given, expected) in [
            ("AT&amp;T", "AT&T"),
            ("AT&amp;amp;T", "AT&T"),
            ("O&#39;Brien", "O'Brien"),
            ("O&#x27;Brien", "O'Brien"),
            ("O&amp;#39;Brien", "O'Brien"),
            ("Jos&eacute;", "José"),
            ("&Eacute;cole", "École"),
            ("A&nbsp;B", "A B"),
            ("AT&am&#112&#59;;T", "AT&T"),
        ] {
            assert_eq!(
                without_entities(given).as_deref(),
                Some(expected),
                "{given}"
            );
        }
        for as_it_is in [
            "AT&T",
            "R&D; Sales",
            "a & b; c",
            "&; x",
            "&#;",
            "&#xffffffff;",
            "&é;",
        ] {
            assert_eq!(without_entities(as_it_is), None, "{as_it_is}");
        }
    }

    #[test]
    fn letters_that_were_read_as_two_are_one() {
        for (given, expected) in [
            ("JosÃ©", "José"),
            ("GarcÃ\u{ad}a", "García"),
            ("MÃ¼ller", "Müller"),
            ("BjÃ¶rn", "Björn"),
            ("Ãœmit Ã–zgÃ¼r", "Ümit Özgür"),
            ("LukÃ¡Å¡", "Lukáš"),
            ("PÃ©rez", "Pérez"),
            ("SociÃ©tÃ© GÃ©nÃ©rale", "Société Générale"),
            ("NoÃ«l FÃ´ret", "Noël Fôret"),
            ("CÅ“ur", "Cœur"),
            ("PÃ‰REZ", "PÉREZ"),
            ("MUÃ‘OZ CARRIÃ“N", "MUÑOZ CARRIÓN"),
            ("GARCÃ\u{8d}A", "GARCÍA"),
            ("MÃœLLER", "MÜLLER"),
            ("CAFÃ‰ ROYAL", "CAFÉ ROYAL"),
            ("SÃƒO JOÃƒO", "SÃO JOÃO"),
            ("ÅžAHIN", "ŞAHIN"),
            ("Oâ€™Brien", "O’Brien"),
            ("Ã¢â‚¬â„¢", "’"),
            ("Acmeâ„¢", "Acme™"),
            ("Acme â€‘ Tools", "Acme - Tools"),
            ("â€œAcmeâ€ Ltd", "“Acme” Ltd"),
            ("MÂª", "Mª"),
            ("JohnÂ\u{a0}Smith", "John Smith"),
            ("d’HÃ¨re", "d’Hère"),
            ("JÃ‰RÃ”ME", "JÉRÔME"),
            ("GÃœNEÅž", "GÜNEŞ"),
            ("Â¿Â¡Â½Â²", "¿¡½²"),
            ("Å\u{81}ukasz Å»ak", "Łukasz Żak"),
            ("Ä°stanbul", "İstanbul"),
        ] {
            assert_eq!(reread(given), expected, "{given}");
        }
        for as_it_is in [
            "SÃO PAULO",
            "Ångström",
            "ÅSA",
            "ÄÖ",
            "Ã",
            "JOÃO",
            "MÄKELÄ–NIEMI",
            "MÄKELÄ–Niemi",
            "“PELTOLÄ”",
            "»IRMÃ»",
            "Äšïm",
            "UMEÅ’s Bageri",
            "SKELLEFTEÅ–kraft",
            "SÅ–kraft",
            "KÅ’s",
            "JOSÃ«maria",
            "TÂN",
            "HALÂ ",
            "crâ€x",
            "â‚x",
            "MÄKELÄ†",
            "IRMÃ“ X",
            "MAÇÃ–VERDE",
            "MAÇÃ’S",
        ] {
            assert_eq!(reread(as_it_is), as_it_is);
        }
    }

    #[test]
    fn a_text_is_passed_over_until_nothing_is_left() {
        assert_eq!(reread("Ã«Ã«Ã«Ã«Ã«a"), "ëëëëëa");
        let nested = reread("Aâ€â€â€â€â€™b");
        assert_eq!(reread(&nested), nested);
        assert_eq!(reread(&format!("Ã{}", "ƒ".repeat(40_000))), "Ã");
    }
}
