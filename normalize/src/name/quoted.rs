//! Nicknames and remarks: the parts of a name in quotes or brackets.
//!
//! Double quotation marks of every language are one mark here; where one is left alone, the words are read without it
//! (`super::parse`). An apostrophe is a mark only where it opens before a word of two letters or more and closes behind one.

use std::borrow::Cow;

use super::affixes;

const BRACKETS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('（', '）'), ('{', '}'), ('<', '>')];

const QUOTES: [(char, char); 11] = [
    ('"', '"'),
    ('\'', '\''),
    ('‘', '’'),
    ('‚', '’'),
    ('‚', '‘'),
    ('’', '’'),
    ('‹', '›'),
    ('›', '‹'),
    ('`', '`'),
    ('`', '\''),
    ('´', '´'),
];

/// A text with more marks than this is left as it stands: each pair may ask for another look at all of them.
const MAX_MARKS: usize = 16;

fn pairs() -> impl Iterator<Item = (char, char)> {
    BRACKETS.into_iter().chain(QUOTES)
}

/// A whole name without its nicknames. A quoted part is none where it is all there is (`"Doe, Jane"`) or the only given
/// name (`"Jane" Doe`): its marks go, and its words stay.
pub(super) fn without_nicknames(name: &str) -> Cow<'_, str> {
    cleared(
        name,
        |_| false,
        |name, outside| {
            let given = (names(&outside) == 1).then(|| with_given(name)).flatten();
            // A pair of marks is gone, so that this ends after MAX_MARKS at most.
            given.map_or(outside, |name| without_nicknames(&name).into_owned())
        },
    )
}

/// A given name without its nicknames: `Sarah "Sally"`.
pub(super) fn part_without_nicknames(part: &str) -> Cow<'_, str> {
    cleared(part, |_| false, |_, outside| outside)
}

/// A family name without its nicknames, with the suffixes that stand in marks: `Smith (Jr.)`.
pub(super) fn family_without_nicknames(part: &str) -> Cow<'_, str> {
    cleared(part, affixes::are_suffixes, |_, outside| outside)
}

/// The text without marks where nobody is named outside of them, else as `named` makes it of the text and of what is outside;
/// the parts in marks for which `stays` is true count as outside.
fn cleared(
    text: &str,
    stays: impl Fn(&str) -> bool,
    named: impl FnOnce(&str, String) -> String,
) -> Cow<'_, str> {
    let is_mark = |c: &char| is_double(*c) || pairs().any(|(open, _)| *c == open);
    let marks = text.chars().filter(is_mark).take(MAX_MARKS + 1).count();
    if marks == 0 || marks > MAX_MARKS {
        return Cow::Borrowed(text);
    }
    let text = with_plain_marks(text);
    let text = inside(&text);
    let outside = without(text, stays);
    Cow::Owned(if names(&outside) == 0 {
        without(text, |_| true)
    } else {
        named(text, outside)
    })
}

/// The text with one mark for the double ones of all languages, and one where a file of comma-separated values has two:
/// `"Doe, Jane ""Janie"""`.
fn with_plain_marks(text: &str) -> String {
    let text = text.replace(is_double, "\"");
    let field = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .filter(|field| field.contains("\"\""));
    let mut out = String::with_capacity(text.len());
    for c in field.unwrap_or(&text).chars() {
        if !matches!(c, '"' | '\'') || !out.ends_with(c) {
            out.push(c);
        }
    }
    out
}

const fn is_double(c: char) -> bool {
    matches!(
        c,
        '"' | '“'
            | '”'
            | '„'
            | '‟'
            | '«'
            | '»'
            | '＂'
            | '〝'
            | '〞'
            | '「'
            | '」'
            | '『'
            | '』'
    )
}

/// What marks around the whole hold, which may be other marks: `"Jane "Janie" Doe"`, but not `"Jane" "Doe"`.
fn inside(text: &str) -> &str {
    let inner = QUOTES.iter().find_map(|&(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        let first = inner
            .match_indices([open, close])
            .map(|(at, mark)| (opens(inner, at), closes(inner, at + mark.len())))
            .find(|(opens, closes)| *opens || *closes);
        let is_whole = first.is_none_or(|(opens, _)| opens);
        (is_whole && !is_elision(inner)).then_some(inner.trim())
    });
    inner.unwrap_or(text)
}

/// The text without parts in brackets or quotes, of which some lose their marks only.
fn without(text: &str, stays: impl Fn(&str) -> bool) -> String {
    let mut out = text.to_owned();
    for (open, close) in pairs() {
        while let Some((start, end)) = find(&out, open, close) {
            let words = out
                .get(start + open.len_utf8()..end - close.len_utf8())
                .filter(|words| stays(words))
                .unwrap_or_default();
            let part = format!(" {words} ");
            out.replace_range(start..end, &part);
        }
    }
    out
}

/// The text without the marks of a part that stands where the given name does: in front, or behind the comma.
fn with_given(text: &str) -> Option<String> {
    QUOTES.iter().find_map(|&(open, close)| {
        let (start, end) = find(text, open, close)?;
        let before = text.get(..start)?;
        let in_front = before.rsplit(',').next().unwrap_or(before);
        let given = text.get(start + open.len_utf8()..end - close.len_utf8())?;
        let after = text.get(end..)?;
        (names(in_front) == 0).then(|| format!("{before} {given} {after}"))
    })
}

/// How many words are a person's names: no titles, suffixes or particles.
fn names(text: &str) -> usize {
    text.split([' ', ','])
        .filter(|word| word.contains(char::is_alphabetic) && !affixes::is_around_names(word))
        .count()
}

/// Where a part in brackets or quotes stands.
fn find(text: &str, open: char, close: char) -> Option<(usize, usize)> {
    let is_bracket = BRACKETS.contains(&(open, close));
    let is_single = !is_bracket && open != '"';
    text.match_indices(open).find_map(|(start, _)| {
        let inside = start + open.len_utf8();
        let inner = text.get(inside..)?;
        if !is_bracket && !opens(text, start) || is_single && is_elision(inner) {
            return None;
        }
        // `Prof.(Dr.)Anil`.
        let are_titles = |at| is_bracket && inner.get(..at).is_some_and(affixes::are_titles);
        let length = inner
            .match_indices(close)
            .map(|(at, _)| at)
            .find(|&at| closes(text, inside + at + close.len_utf8()) || are_titles(at))?;
        let end = inside + length + close.len_utf8();
        let are_letters = is_single && are_letters(inner.get(..length)?, text.get(end..)?);
        (!are_letters).then_some((start, end))
    })
}

/// `‘Alā’ al-Dīn`: the marks are letters of an Arabic name in a scholar's spelling, or before its article.
fn are_letters(inner: &str, after: &str) -> bool {
    const SCHOLARS: &str = "āīūḥḫṣṭḍẓġĀĪŪḤḪṢṬḌẒĠ";
    inner.contains(|c| SCHOLARS.contains(c)) || after.starts_with(" al-")
}

/// Whether a word begins at a mark, so that the apostrophes of `O'Neil D'Angelo` open nothing.
fn opens(text: &str, at: usize) -> bool {
    text.get(..at)
        .is_some_and(|before| before.is_empty() || before.ends_with([' ', '(', ',']))
}

/// Whether a word ends at the end of a mark.
fn closes(text: &str, end: usize) -> bool {
    text.get(end..)
        .is_some_and(|after| !after.starts_with(char::is_alphanumeric))
}

/// `'t` of `'t Hooft` and `'n` are words of one letter, which nobody puts in quotes.
fn is_elision(behind_mark: &str) -> bool {
    let mut letters = behind_mark.chars();
    letters.next().is_some_and(char::is_alphabetic) && matches!(letters.next(), Some(' ' | '-'))
}

/// What else somebody may be called who has a name in brackets: by it instead of the given name (`Kevin (Jianting) Su`), and by it
/// instead of the family name (`Anna Weber (Keller)`). Nothing where more or fewer than one pair of brackets has one word or two in it, or
/// fewer than two names stand outside.
#[must_use]
pub fn beside_brackets(full: &str) -> Vec<String> {
    let is_bracket = |c: char| {
        BRACKETS
            .iter()
            .any(|(open, close)| c == *open || c == *close)
    };
    if full.chars().filter(|c| is_bracket(*c)).count() != 2 || full.contains(',') {
        return Vec::new();
    }
    let found = BRACKETS.iter().find_map(|&(open, close)| {
        let (start, end) = find(full, open, close)?;
        let inside = full.get(start + open.len_utf8()..end - close.len_utf8())?;
        Some((
            inside,
            format!("{} {}", full.get(..start)?, full.get(end..)?),
        ))
    });
    let Some((inside, outside)) = found.filter(|(inside, _)| (1..=2).contains(&names(inside)))
    else {
        return Vec::new();
    };
    let words: Vec<&str> = outside.split_whitespace().collect();
    match words.as_slice() {
        [given @ .., family] if names(&outside) > 1 && names(family) == 1 => {
            vec![
                format!("{inside} {family}"),
                format!("{} {inside}", given.join(" ")),
            ]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Cow, MAX_MARKS, beside_brackets, family_without_nicknames, part_without_nicknames,
        without_nicknames,
    };

    fn words(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn a_name_in_brackets_stands_for_the_given_or_the_family_name() {
        for (full, others) in [
            ("Anna Weber (Keller)", ["Keller Weber", "Anna Keller"]),
            ("Kevin (Jianting) Su", ["Jianting Su", "Kevin Jianting"]),
        ] {
            assert_eq!(beside_brackets(full), others, "{full}");
        }
        for none in [
            "Anna Weber",
            "(Anna) Weber",
            "A B (C) (D)",
            "Weber, Anna (Ann)",
            "Anna Weber ()",
            "Robert Smith (Bob) Jr.",
        ] {
            assert!(beside_brackets(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn a_quoted_part_is_a_nickname_beside_a_whole_name_only() {
        for (name, without) in [
            ("Sarah \"Sally\" Jones", "Sarah Jones"),
            ("Sarah «Sally» Jones", "Sarah Jones"),
            ("\"Jane\" Doe", "Jane Doe"),
            ("Dr. ‚Jane’ Doe", "Dr. Jane Doe"),
            ("Doe, \"Jane\"", "Doe, Jane"),
            ("\"Jane \"\"Janie\"\" Doe\"", "Jane Doe"),
            ("\"Doe, Jane \"\"Janie\"\"\"", "Doe, Jane"),
            ("'Jane O'Brien'", "Jane O'Brien"),
            ("\"Buzz\" Edwin Aldrin", "Edwin Aldrin"),
            ("(Jane Doe)", "Jane Doe"),
        ] {
            assert_eq!(words(&without_nicknames(name)), words(without), "{name}");
        }
        assert_eq!(words(&part_without_nicknames("Sarah (Sally)")), ["Sarah"]);
        assert_eq!(words(&part_without_nicknames("“Sarah”")), ["Sarah"]);
    }

    #[test]
    fn an_apostrophe_in_a_word_or_before_one_letter_is_no_mark() {
        for name in [
            "O'Brien",
            "Sean D'Angelo O'Brien",
            "'t Hooft",
            "'t Hooft, Paul d'",
            "Gerard ’t Hooft",
            "Mari' Aube'",
            "ד\"ר דוד",
            "‘Alā’ al-Dīn Ḥusayn",
            "Jamāl ‘Abd al-Razzāq ‘Alā’ Ḥusayn",
            "'Ala' al-Din Husayn",
        ] {
            assert_eq!(without_nicknames(name), name);
        }
    }

    #[test]
    fn suffixes_in_marks_stay_behind_a_family_name() {
        for (part, kept) in [
            ("Smith (Jr.)", &["Smith", "Jr."][..]),
            ("Smith \"III\"", &["Smith", "III"]),
            ("Smith (Smitty)", &["Smith"]),
        ] {
            assert_eq!(words(&family_without_nicknames(part)), kept, "{part}");
        }
        assert_eq!(words(&part_without_nicknames("James (JD)")), ["James"]);
    }

    #[test]
    fn a_text_of_many_marks_is_not_looked_at_pair_by_pair() {
        for piece in ["'d ", "\"a\" ", "(a)", "“", "‘a’ "] {
            let many = format!("{}Doe", piece.repeat(16_384 / piece.len()));
            assert!(
                matches!(without_nicknames(&many), Cow::Borrowed(_)),
                "{piece}"
            );
        }
        let most = format!("{} Jane Doe", "'Jo' ".repeat(MAX_MARKS / 2));
        assert_eq!(words(&without_nicknames(&most)), ["Jane", "Doe"]);
    }
}
