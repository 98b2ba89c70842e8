//! What spreadsheets and lists set around a value: `="01234"` and `'01234`, which keep it a text, and the name of its column:
//! `Company: Acme`.

use std::borrow::Cow;

use crate::text;

/// A text as a formula without what makes it one: `="Acme ""A"" Ltd"`, also as a file of comma-separated values has it: `"=""Acme"""`. A
/// text of which a quote stands alone joins several: `="A"&"B"`.
pub(crate) fn of_formula(text: &str) -> Cow<'_, str> {
    let mut plain = Cow::Borrowed(text);
    if text.len() > text::MAX_LINE_BYTES {
        return plain;
    }
    // Each time twice as many quotes go.
    while let Some(inner) = inside_formula(&plain) {
        plain = Cow::Owned(inner);
    }
    plain
}

/// As [`of_formula`], of a text that holds no quotes.
pub(crate) fn of_plain_formula(text: &str) -> &str {
    match formula(text) {
        Some(inner) if !inner.contains('"') => inner.trim(),
        _ => text,
    }
}

fn formula(text: &str) -> Option<&str> {
    text.strip_prefix("=\"")?.strip_suffix('"')
}

fn inside_formula(text: &str) -> Option<String> {
    let of_file = || text.strip_prefix("\"=\"\"")?.strip_suffix("\"\"\"");
    let inner = formula(text).or_else(of_file)?;
    let is_whole = inner.split("\"\"").all(|part| !part.contains('"'));
    let value = inner.replace("\"\"", "\"");
    is_whole.then(|| value.trim().to_owned())
}

/// The text without the apostrophe that keeps it one, before a capital: `'Acme`. One that closes a word says that the other opens a
/// quotation, and before a letter alone (`'N Sync`) or a word cut short (`'Til Death`) it is the name's.
pub(crate) fn without_apostrophe(text: &str) -> &str {
    const CUT_SHORT: [&str; 24] = [
        "til",
        "till",
        "tis",
        "twas",
        "twill",
        "cause",
        "bout",
        "em",
        "round",
        "neath",
        "nuff",
        "burgh",
        "merica",
        "murica",
        "cuse",
        "nsync",
        "hood",
        "cue",
        "za",
        "sup",
        "wichcraft",
        "stache",
        "zine",
        "tude",
    ];
    let Some(rest) = text.strip_prefix('\'') else {
        return text;
    };
    let is_capital = |c: char| c.is_uppercase() && c.to_lowercase().next() != Some(c);
    let mut letters = rest.chars();
    let begins = letters.next().is_some_and(is_capital)
        && !matches!(letters.next(), None | Some(' ' | '-' | '–'));
    let end = rest
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(rest.len());
    let is_cut_short = rest
        .get(..end)
        .is_some_and(|word| CUT_SHORT.contains(&word.to_lowercase().as_str()));
    if begins && !is_cut_short && !has_closing_mark(rest) && !is_arabic(rest) {
        rest
    } else {
        text
    }
}

/// As [`without_apostrophe`], of what may be named by a word of Hawaii, where the sign is a letter: `'Iolani School`.
pub(crate) fn without_apostrophe_of_text(text: &str) -> &str {
    let bare = without_apostrophe(text);
    let word = bare.split([' ', ',']).next().unwrap_or_default();
    if is_hawaiian(word) { text } else { bare }
}

fn has_closing_mark(text: &str) -> bool {
    let next = text.chars().skip(1).chain([' ']);
    text.chars()
        .zip(next)
        .any(|(c, next)| matches!(c, '\'' | '’' | '‘') && !next.is_alphanumeric())
}

/// A name of which the apostrophe is a letter, in a scholar's spelling or with an article: `'Abd al-Rahman`.
fn is_arabic(text: &str) -> bool {
    const ARTICLES: [&str; 5] = [" al-", " ad-", " ar-", " as-", " el-"];
    let is_scholars = |c: char| "āīūḥḫṣṭḍẓġĀĪŪḤḪṢṬḌẒĠ".contains(c);
    text.contains(is_scholars) || ARTICLES.iter().any(|article| text.contains(article))
}

/// A vowel first and last, no other consonants than Hawaiian has, and never two of them together.
fn is_hawaiian(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_vowel = |c: char| "aeiou".contains(c);
    let are_letters = lower.chars().all(|c| is_vowel(c) || "hklmnpw".contains(c));
    let are_apart = lower
        .chars()
        .zip(lower.chars().skip(1))
        .all(|(a, b)| is_vowel(a) || is_vowel(b));
    lower.starts_with(is_vowel) && lower.ends_with(is_vowel) && are_letters && are_apart
}

/// What stands behind the name of its column, however often that was written.
pub(crate) fn behind_label<'a>(text: &'a str, labels: &[&str]) -> &'a str {
    let mut rest = text;
    while let Some((label, value)) = rest.split_once(':') {
        let is_label = || {
            let label = label.trim().to_lowercase();
            labels.contains(&label.as_str())
        };
        // No label is as long as this.
        if label.len() > 64 || text::is_blank(value) || !is_label() {
            break;
        }
        rest = value.trim();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::{behind_label, of_formula, without_apostrophe, without_apostrophe_of_text};

    #[test]
    fn a_text_is_read_out_of_the_formula_that_keeps_it_one() {
        for (given, value) in [
            ("=\"Acme\"", "Acme"),
            ("=\" Acme \"", "Acme"),
            ("=\"Acme \"\"A\"\" Ltd\"", "Acme \"A\" Ltd"),
            ("\"=\"\"Acme\"\"\"", "Acme"),
            ("=\"=\"\"Acme\"\"\"", "Acme"),
        ] {
            assert_eq!(of_formula(given), value, "{given}");
        }
        for as_it_is in [
            "=Acme",
            "=\"Acme",
            "Acme\"",
            "=\"",
            "=\"A\"&\"B\"",
            "\"Acme\"",
            "A=\"B\"",
            "=''Acme''",
            "x =\"Acme\"",
            "=\"Acme\" Ltd",
            "=",
        ] {
            assert_eq!(of_formula(as_it_is), as_it_is);
        }
    }

    #[test]
    fn an_apostrophe_before_a_capital_goes_where_it_is_not_the_names() {
        for (given, value) in [
            ("'Acme", "Acme"),
            ("'Emily", "Emily"),
            ("'O'Brien", "O'Brien"),
            ("'J. Smith", "J. Smith"),
            ("'Élodie", "Élodie"),
            ("'Анна", "Анна"),
        ] {
            assert_eq!(without_apostrophe(given), value, "{given}");
        }
        for as_it_is in [
            "'t Hooft",
            "'T Hooft",
            "'s-Gravenhage",
            "'S-Gravenhage",
            "'Til Death",
            "'N Sync",
            "'NSYNC",
            "'47 Brand",
            "'Acme'",
            "'Acme' Ltd",
            "'Teachers' Union",
            "'abd",
            "'Abd al-Rahman",
            "'Alā",
            "''Acme",
            "'",
            "'A",
            "‘Acme",
            "Acme",
        ] {
            assert_eq!(without_apostrophe(as_it_is), as_it_is);
        }
        for as_it_is in ["'Iolani School", "'Ohana Realty", "'Aiea"] {
            assert_eq!(without_apostrophe_of_text(as_it_is), as_it_is);
        }
        assert_eq!(without_apostrophe_of_text("'Stanford"), "Stanford");
        assert_eq!(without_apostrophe_of_text("'Alabama"), "Alabama");
    }

    #[test]
    fn a_label_stands_before_something() {
        for (given, value) in [
            ("Company: Acme", "Acme"),
            ("COMPANY : Company:Acme", "Acme"),
            ("Company:", "Company:"),
            ("Company: -", "Company: -"),
            ("The Company: Acme", "The Company: Acme"),
            ("Acme: Company", "Acme: Company"),
        ] {
            assert_eq!(behind_label(given, &["company"]), value, "{given}");
        }
    }
}
