//! The name of a company that is asked for by it: brackets, words more and less, legal forms, former names, slips.

use serde_json::Value;

use super::dice::Dice;
use super::{names, organisations, text};

/// Remarks that lists and registers set behind a name.
const REMARKS: &[&str] = &[
    "HQ",
    "Head Office",
    "Headquarters",
    "Main Office",
    "Global",
    "Worldwide",
];
/// How a former or another name is told; `{}` is the company's, `@` the other.
const OTHER_NAMES: &[&str] = &[
    "{} (formerly @)",
    "{} (formerly known as @)",
    "{} (f/k/a @)",
    "{} (was @)",
    "@ (now {})",
    "{} (ex @)",
    "{}, formerly @",
    "{} d/b/a @",
    "{} (previously @)",
    "{} / ex @",
];
/// Names of nobody, for the other name.
const NOBODIES: &[&str] = &[
    "Quillmoss Partners",
    "Old Harrowgate Trading",
    "Zentrovia",
    "Brindlecote & Sons",
    "Ostermarsh Industries",
    "Pellucid Forge",
];
/// Words that are added behind, as letterheads have them.
const ADDED: &[&str] = &[
    "Services",
    "Solutions",
    "Technologies",
    "Europe",
    "USA",
    "North America",
    "Deutschland",
    "UK",
    "Worldwide",
    "Enterprises",
    // Words that the canon's tables of light words lack, so that they are not judged by themselves alone.
    "Operations",
    "Division",
    "Online Shop",
    "Labs",
    "Shared Service Center",
    "Österreich",
];
/// Two legal forms, or one of several parts.
const TWO_FORMS: &[&str] = &[
    " GmbH & Co. KG",
    " Pvt. Ltd.",
    " Co., Ltd.",
    " Inc., LLC",
    " Holding GmbH",
    " S.A. de C.V.",
    " Sp. z o.o. Sp. k.",
    " Ltd. Inc.",
    " Company Limited",
    " Pty Ltd",
    " AG & Co. KGaA",
    " Corporation, N.A.",
];
/// The longest name that counts as short, without its spaces.
const SHORT: usize = 8;

/// A company's name as somebody else would give it, and what was done to it.
pub(super) fn spoilt(record: &Value, dice: &mut Dice) -> Option<(String, &'static str)> {
    let name = text(record, "/name/cleaned")?;
    let words: Vec<&str> = name.split_whitespace().collect();
    let (given, how) = match dice.below(14) {
        0 | 1 => (in_brackets(record, name, dice), "brackets"),
        2 => (other_name(name, dice), "another name beside it"),
        3 => (word_less(&words, dice), "a word less"),
        4 => (
            dice.of(ADDED).map(|word| format!("{name} {word}")),
            "a word more",
        ),
        5 => (
            dice.of(TWO_FORMS).map(|forms| format!("{name}{forms}")),
            "two legal forms",
        ),
        6 => (
            (name.len() <= SHORT)
                .then(|| short_slip(name, dice))
                .flatten(),
            "a slip in a short name",
        ),
        _ => (None, ""),
    };
    match given {
        Some(given) => Some((given, how)),
        None => Some(organisations::company(name, text(record, "/domain"), dice)),
    }
}

fn in_brackets(record: &Value, name: &str, dice: &mut Dice) -> Option<String> {
    let place = match dice.below(4) {
        0 => text(record, "/locations/0/country"),
        1 => text(record, "/locations/0/country_code"),
        2 => text(record, "/locations/0/city"),
        _ => dice.of(REMARKS),
    };
    Some(format!("{name} ({})", place?))
}

fn other_name(name: &str, dice: &mut Dice) -> Option<String> {
    let form = dice.of(OTHER_NAMES)?;
    Some(form.replace("{}", name).replace('@', dice.of(NOBODIES)?))
}

/// The last word of three or more, or one in the middle.
fn word_less(words: &[&str], dice: &mut Dice) -> Option<String> {
    if words.len() < 3 {
        return None;
    }
    let left_out = words.len() - 1 - dice.below(words.len() - 1);
    let kept = words.iter().zip(0..).filter(|(_, at)| *at != left_out);
    Some(kept.map(|(word, _)| *word).collect::<Vec<_>>().join(" "))
}

fn short_slip(name: &str, dice: &mut Dice) -> Option<String> {
    if dice.once_in(3) {
        names::transposed(name, dice)
    } else {
        names::slipped(name, dice)
    }
}
