//! Letters with marks that are also written by two: `müller` is `muller` to one source and `mueller` to another.

/// The text with such letters written by two; `None` when it has none of them.
pub(crate) fn by_two_letters(text: &str) -> Option<String> {
    if text.is_ascii() || !text.chars().any(|letter| pair(letter).is_some()) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 2);
    for letter in text.chars() {
        match pair(letter) {
            Some(pair) => out.push_str(pair),
            None => out.push(letter),
        }
    }
    Some(out)
}

const fn pair(letter: char) -> Option<&'static str> {
    match letter {
        'ä' | 'Ä' => Some("ae"),
        'ö' | 'Ö' | 'ø' | 'Ø' => Some("oe"),
        'ü' | 'Ü' => Some("ue"),
        'å' | 'Å' => Some("aa"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::by_two_letters;

    #[test]
    fn only_letters_that_are_written_by_two_are() {
        assert_eq!(
            by_two_letters("jörg møller").as_deref(),
            Some("joerg moeller")
        );
        assert_eq!(by_two_letters("josé łukasz"), None);
    }
}
