//! Nicknames and remarks: the parts of a name in quotes or brackets.

const PAIRS: [(char, char); 9] = [
    ('(', ')'),
    ('[', ']'),
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('\'', '\''),
    ('‘', '’'),
    ('（', '）'),
];

/// The text without parts in brackets or quotes.
pub(super) fn without(name: &str) -> String {
    let mut out = name.to_owned();
    for (open, close) in PAIRS {
        while let Some((start, end)) = find(&out, open, close) {
            out.replace_range(start..end, " ");
        }
    }
    out
}

/// Where a quoted part stands: it opens at the start of a word and closes at the end of one, so that the apostrophes
/// of `O'Neil D'Angelo` are none.
fn find(text: &str, open: char, close: char) -> Option<(usize, usize)> {
    let bracket = matches!(open, '(' | '[' | '（');
    let start = text.match_indices(open).map(|(at, _)| at).find(|&at| {
        bracket
            || text
                .get(..at)
                .is_some_and(|before| before.is_empty() || before.ends_with([' ', '(', ',']))
    })?;
    let inside = start + open.len_utf8();
    let length = text
        .get(inside..)?
        .match_indices(close)
        .map(|(at, _)| at)
        .find(|&at| {
            text.get(inside + at + close.len_utf8()..)
                .is_some_and(|after| !after.starts_with(char::is_alphanumeric))
        })?;
    Some((start, inside + length + close.len_utf8()))
}
