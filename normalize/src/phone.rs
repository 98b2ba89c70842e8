//! Phone numbers: E.164 by libphonenumber's metadata (docs/adr/0010-phone-numbers.md).
//!
//! [`clean`] takes every number that is possible by its length; [`assess`] says whether it also lies in an assigned
//! range, for the warnings of `/utility/validate`.

use std::borrow::Cow;

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumberFormat, Region};

use crate::{Unreadable, garbled, link, sheet, text};

const INVALID: Unreadable = Unreadable::new("not a possible phone number");
/// Longer than any number with extension and decoration; what is above is not looked at.
const MAX_BYTES: usize = 250;

/// How good a number in E.164 is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhoneStanding {
    /// In a range that is assigned.
    Valid,
    /// Of a possible length, but in no assigned range.
    PossibleOnly,
    /// In a range kept for films and books, e.g. +1 555 0100 to 0199.
    Fiction,
}

/// The number in E.164; an extension is dropped. `region` (ISO alpha-2) reads numbers without a country code.
///
/// # Errors
/// When no number of a possible length stands there.
pub fn clean(text: &str, region: &str) -> Result<String, Unreadable> {
    if text.len() > MAX_BYTES {
        return Err(INVALID);
    }
    let region = Region::from_code(region).ok();
    let decoded = garbled::without_entities(text);
    let text = decoded.as_deref().unwrap_or(text);
    let link = link::read(text).filter(leads_to_a_number);
    let text = link.as_ref().map_or(text, |link| &*link.address);
    // Phones set marks of direction round a number and within it, which the library takes for its end.
    let narrow = text::narrowed(text);
    let text = text::visible(&narrow);
    let text = with_plain_signs(sheet::of_plain_formula(text::trim(&text)));
    let whole = of_quantity(&text)?;
    let text = without_fraction(&whole);
    let before_word = without_extension(text)
        .or_else(|| without_kind(text))
        .or_else(|| without_remark(text))
        .and_then(|bare| read(bare, region).ok());
    match before_word {
        Some(number) if assess(&number) != PhoneStanding::PossibleOnly => Ok(number),
        _ => read(text, region).or_else(|refusal| from_abroad(text, region).ok_or(refusal)),
    }
}

/// The number with points in the middle of the line and underscores as the hyphens that they stand for: `312·726·1000`.
fn with_plain_signs(text: &str) -> Cow<'_, str> {
    const SIGNS: [char; 4] = ['·', '•', '∙', '_'];
    if text.contains(SIGNS) {
        Cow::Owned(text.replace(SIGNS, "-"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A number as it is dialled from most countries, `0044 20 …`, where the region dials otherwise. Only one in an assigned range: nothing else
/// tells that a code stands there. A North American number behind zeros, in an assigned range and in the groups that it has
/// there, may be meant as well: `00479 736 1000`.
fn from_abroad(text: &str, region: Option<Region>) -> Option<String> {
    let rest = text
        .trim_start_matches('+')
        .strip_prefix("00")?
        .trim_start();
    if !rest.starts_with(|c: char| matches!(c, '1'..='9')) {
        return None;
    }
    let groups = rest
        .split(|c: char| !c.is_numeric())
        .map(|group| group.chars().count())
        .filter(|length| *length > 0);
    let is_north_american =
        region.and_then(|region| PHONE_NUMBER_UTIL.get_country_code_for_region(region)) == Some(1);
    let is_assigned =
        || read(rest, region).is_ok_and(|number| assess(&number) != PhoneStanding::PossibleOnly);
    if is_north_american && groups.eq([3, 3, 4]) && is_assigned() {
        return None;
    }
    let number = read(&format!("+{rest}"), None).ok()?;
    (assess(&number) != PhoneStanding::PossibleOnly).then_some(number)
}

/// The number that a spreadsheet took for a quantity and prints as one: `3.125550142E+09`. Where it does not print all digits, nobody knows
/// which they are. Any other text is as it was.
///
/// # Errors
/// When digits of the number are lost.
pub(crate) fn of_quantity(text: &str) -> Result<Cow<'_, str>, Unreadable> {
    let Some((digits, exponent)) = quantity(text) else {
        return Ok(Cow::Borrowed(text));
    };
    if digits.len() == exponent + 1 {
        Ok(Cow::Owned(digits))
    } else {
        Err(INVALID)
    }
}

/// The digits before the exponent, of which the first stands before the point, and the exponent.
fn quantity(text: &str) -> Option<(String, usize)> {
    let (mantissa, exponent) = text.split_once(['E', 'e'])?;
    let (first, rest) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    let is_one = first.len() == 1
        && matches!(exponent.len(), 1 | 2)
        && [first, rest, exponent].into_iter().all(are_digits);
    is_one.then_some(())?;
    Some((format!("{first}{rest}"), exponent.parse().ok()?))
}

/// The number without `.0`, which spreadsheets write behind what they take for a quantity.
fn without_fraction(text: &str) -> &str {
    let is_digit = |(at, b): (usize, u8)| b.is_ascii_digit() || at == 0 && b == b'+';
    match text.strip_suffix(".0") {
        Some(whole) if whole.len() >= MIN_DIGITS && whole.bytes().enumerate().all(is_digit) => {
            whole
        }
        _ => text,
    }
}

/// The number before a remark in brackets that is no word for digits: `(chamada para a rede fixa)`, `（代表）`.
fn without_remark(text: &str) -> Option<&str> {
    let (number, remark) = text.strip_suffix([')', ']'])?.rsplit_once(['(', '['])?;
    let digits = number.chars().filter(|c| c.is_numeric()).count();
    let is_word = |c: char| c.is_lowercase() || !c.is_ascii() && c.is_alphabetic();
    let is_against = remark
        .split(|c: char| !c.is_alphabetic())
        .any(|word| AGAINST.contains(&word.to_lowercase().as_str()));
    let is_remark = !remark.contains(char::is_numeric) && remark.contains(is_word) && !is_against;
    (digits >= MIN_DIGITS && is_remark).then(|| number.trim_end())
}

/// Remarks that say of a number that it is nobody's phone.
const AGAINST: [&str; 6] = ["fax", "telefax", "wrong", "not", "invalid", "disconnected"];

/// Whether a link leads to the number that its label shows, or to a number whose label shows none and says nothing against it.
fn leads_to_a_number(link: &link::Link<'_>) -> bool {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let (called, shown) = (digits(&link.address), digits(&text::narrowed(link.label)));
    let label = link.label.to_lowercase();
    let is_against = AGAINST.iter().any(|word| label.contains(word));
    let is_shown = shown.is_empty() || called.ends_with(shown.trim_start_matches('0'));
    link.address.starts_with("tel:") && is_shown && !is_against
}

/// The number before an extension in another language than the library knows: `poste 12`, `内線12`, `(내선 12)`.
fn without_extension(text: &str) -> Option<&str> {
    let marks = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '(' | ')' | '[' | ']' | '.' | ',' | ':' | ';' | '-' | '/' | '#'
            )
    };
    let inner = text.trim_end_matches(marks);
    let before = inner.trim_end_matches(char::is_numeric);
    let length = inner.len() - before.len();
    let before = before.trim_end_matches(marks);
    let is_letter =
        |c: char| c.is_alphabetic() || unicode_normalization::char::is_combining_mark(c);
    let number = before.trim_end_matches(is_letter);
    let word = before.get(number.len()..)?.to_lowercase();
    // Letters that stand for digits: `1-800-222-APP1`.
    let is_apart = !word.is_ascii() || number.ends_with(marks);
    let number = number.trim_end_matches(marks);
    let is_number = number.ends_with(char::is_numeric)
        && number.chars().filter(|c| c.is_numeric()).count() >= MIN_DIGITS;
    ((1..=6).contains(&length) && is_apart && is_number && EXTENSIONS.contains(&&*word))
        .then_some(number)
}

/// Words for an extension. What follows a `Durchwahl` (`DW`), `Klappe` (`Kl.`) or `Nebenstelle` is dialled behind the number.
const EXTENSIONS: [&str; 41] = [
    "ext",
    "extn",
    "xtn",
    "opt",
    "option",
    "press",
    "poste",
    "apparat",
    "app",
    "interno",
    "int",
    "interior",
    "ramal",
    "anexo",
    "extensión",
    "extension",
    "extensao",
    "extensão",
    "toestel",
    "tst",
    "anknytning",
    "lokal",
    "lok",
    "linka",
    "klapka",
    "wew",
    "wewn",
    "wewnętrzny",
    "mellék",
    "dahili",
    "εσωτ",
    "εσωτερικό",
    "доб",
    "внутр",
    "вн",
    "内線",
    "转",
    "轉",
    "分机",
    "내선",
    "שלוחה",
];

/// The number before the word for which of somebody's it is: `(312) 726-1000 (mobile)`. The library reads such letters as digits, as
/// they are in `1-800-555-HOME`.
fn without_kind(text: &str) -> Option<&str> {
    let marks =
        |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '.' | ',' | '/' | ':');
    let (before, kind) = text
        .trim_end_matches(marks)
        .rsplit_once(|c: char| marks(c) && c != '.')?;
    let before = before.trim_end_matches(|c: char| marks(c) || matches!(c, '-' | '–' | '|'));
    let digits = before.chars().filter(|c| c.is_numeric()).count();
    let is_kind = KINDS.contains(&kind.to_lowercase().as_str());
    // Letters that stand for digits are in capitals: `1300 22 WORK`.
    let is_word = kind.contains(char::is_lowercase) || text.ends_with([')', ']']);
    (is_kind && is_word && digits >= MIN_DIGITS && before.ends_with(char::is_numeric))
        .then_some(before)
}

/// What people call their numbers.
const KINDS: [&str; 18] = [
    "mobile", "mob", "cell", "cellular", "office", "work", "home", "direct", "main", "business",
    "personal", "landline", "desk", "mobil", "handy", "móvil", "celular", "portable",
];
/// Fewer digits before such a word are a number of emergency or service, or one only with its letters.
const MIN_DIGITS: usize = 7;

fn read(text: &str, region: Option<Region>) -> Result<String, Unreadable> {
    let number = PHONE_NUMBER_UTIL.parse(text, region).map_err(|_| INVALID)?;
    if !PHONE_NUMBER_UTIL.is_possible_number(&number) {
        return Err(INVALID);
    }
    let e164 = PHONE_NUMBER_UTIL
        .format(&number, PhoneNumberFormat::E164)
        .into_owned();
    // A number in no assigned range can hold a trunk prefix that reading it again would take off.
    if PHONE_NUMBER_UTIL.is_valid_number(&number)
        || PHONE_NUMBER_UTIL.parse(&e164, None).as_ref() == Ok(&number)
    {
        Ok(e164)
    } else {
        Err(INVALID)
    }
}

/// True for an ISO 3166-1 alpha-2 code whose numbering plan is known, in any letter case.
#[must_use]
pub fn is_region(code: &str) -> bool {
    code.len() == 2
        && Region::from_code(code).is_ok_and(|region| {
            PHONE_NUMBER_UTIL
                .get_country_code_for_region(region)
                .is_some()
        })
}

/// How good a number is that [`clean`] gave.
#[must_use]
pub fn assess(e164: &str) -> PhoneStanding {
    if is_fiction(e164) {
        return PhoneStanding::Fiction;
    }
    match PHONE_NUMBER_UTIL.parse(e164, None) {
        Ok(number) if PHONE_NUMBER_UTIL.is_valid_number(&number) => PhoneStanding::Valid,
        _ => PhoneStanding::PossibleOnly,
    }
}

/// The ranges that regulators keep for fiction: NANPA 555-01xx and the area code 555, Ofcom's and ACMA's drama numbers.
fn is_fiction(e164: &str) -> bool {
    if let Some(national) = e164.strip_prefix("+1").filter(|n| n.len() == 10) {
        return national.starts_with("555") || national.get(3..8) == Some("55501");
    }
    FICTION_PREFIXES
        .iter()
        .any(|(prefix, length)| e164.len() == *length && e164.starts_with(prefix))
}

/// Prefix and length in characters of the whole number.
const FICTION_PREFIXES: &[(&str, usize)] = &[
    ("+441134960", 13),
    ("+441144960", 13),
    ("+441154960", 13),
    ("+441164960", 13),
    ("+441174960", 13),
    ("+441184960", 13),
    ("+441214960", 13),
    ("+441314960", 13),
    ("+441414960", 13),
    ("+441514960", 13),
    ("+441614960", 13),
    ("+441632960", 13),
    ("+442079460", 13),
    ("+442890180", 13),
    ("+442920180", 13),
    ("+447700900", 13),
    ("+448081570", 13),
    ("+449098790", 13),
    ("+443069990", 13),
    ("+61255501", 12),
    ("+61270101", 12),
    ("+61355501", 12),
    ("+61370101", 12),
    ("+61755501", 12),
    ("+61770101", 12),
    ("+61855501", 12),
    ("+61870101", 12),
    ("+61491570", 12),
];
