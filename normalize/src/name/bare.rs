//! A word as the tables hold it: lower case, without dots and closing punctuation, a final sigma as any other. Short ones, which nearly all are,
//! are not allocated: a name asks for several of each of its words.

use std::ops::Deref;

/// The bytes of a short word; the longest title of the tables has fewer.
const SHORT: usize = 30;

/// A bare word; see [`bare`].
pub(super) enum Bare<'a> {
    /// The word as it stands.
    Same(&'a str),
    /// ASCII letters, and how many there are.
    Short([u8; SHORT], usize),
    /// Any other.
    Long(String),
}

/// The word in lower case without dots and closing punctuation.
pub(super) fn bare(word: &str) -> Bare<'_> {
    let is_bare = |byte: u8| byte.is_ascii_lowercase() || byte == b'-' || byte == b'\'';
    if word.bytes().all(is_bare) {
        return Bare::Same(word);
    }
    if !word.is_ascii() || word.len() > SHORT {
        let kept = word.chars().filter(|c| !is_dropped(*c));
        // Which sigma a capital one stands for depends on what comes after it.
        let sigma = |c| if c == 'ς' { 'σ' } else { c };
        let letters = kept.flat_map(char::to_lowercase).map(sigma);
        return Bare::Long(letters.collect());
    }
    let mut letters = [0; SHORT];
    let kept = word.bytes().filter(|b| !is_dropped(char::from(*b)));
    let mut length = 0;
    for (place, byte) in letters.iter_mut().zip(kept) {
        *place = byte.to_ascii_lowercase();
        length += 1;
    }
    Bare::Short(letters, length)
}

fn is_dropped(c: char) -> bool {
    matches!(c, '.' | '。' | ',' | '(' | ')' | '\u{2019}' | '*')
}

impl Deref for Bare<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Same(word) => word,
            Self::Short(letters, length) => letters
                .get(..*length)
                .and_then(|letters| std::str::from_utf8(letters).ok())
                .unwrap_or_default(),
            Self::Long(word) => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn short_and_long_words_lose_the_same() {
        assert_eq!(&*bare("Ph.D.,"), "phd");
        assert_eq!(&*bare("É.C.。"), "éc");
        assert_eq!(&*bare(&"A.".repeat(40)), "a".repeat(40));
        assert_eq!(&*bare("o'neill-smith"), "o'neill-smith");
        assert_eq!(&*bare(""), "");
        assert_eq!(&*bare("Κος"), &*bare("ΚΟΣ"));
    }
}
