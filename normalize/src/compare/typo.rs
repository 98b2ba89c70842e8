//! One slip: of the keyboard (a letter too many, too few, another one, or two in the wrong order), of the ear or of the
//! scanner. ASCII letters expected.

/// Words shorter than this are other words, not slips: `dan` and `don`.
const MIN_LETTERS: usize = 4;
/// Shorter words that sound alike are other words.
const MIN_SOUNDED: usize = 5;

/// How one sound is spelt, and what one scanned letter is read as; the longer spelling first.
const SPELLINGS: &[(&str, &str)] = &[
    ("sch", "s"),
    ("sen", "son"),
    ("ph", "f"),
    ("ck", "k"),
    ("ch", "k"),
    ("th", "t"),
    ("rn", "m"),
    ("vv", "w"),
    ("ie", "i"),
    ("ei", "i"),
    ("ee", "i"),
    ("ea", "i"),
    ("c", "k"),
    ("y", "i"),
    ("z", "s"),
    ("0", "o"),
    ("1", "l"),
];

/// True when the texts are one slip apart; never for equal texts.
pub(super) fn is_slip(a: &str, b: &str) -> bool {
    is_one_slip(a, b) || sounds_alike(a, b)
}

/// True when one slip of the keyboard turns one text into the other; never for equal texts.
fn is_one_slip(a: &str, b: &str) -> bool {
    let (a, b) = if a.len() <= b.len() {
        (a.as_bytes(), b.as_bytes())
    } else {
        (b.as_bytes(), a.as_bytes())
    };
    if a.len() < MIN_LETTERS || b.len() - a.len() > 1 {
        return false;
    }
    // `engineer 1` and `engineer 2` are two.
    let digits = |text: &[u8]| {
        text.iter()
            .copied()
            .filter(u8::is_ascii_digit)
            .collect::<Vec<u8>>()
    };
    if digits(a) != digits(b) {
        return false;
    }
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (Some(rest_a), Some(rest_b)) = (a.get(start..), b.get(start..)) else {
        return false;
    };
    match (rest_a, rest_b) {
        ([], []) => false,
        ([], [_]) => true,
        (_, [_, tail @ ..]) if rest_b.len() > rest_a.len() => rest_a == tail,
        ([a1, a2, tail_a @ ..], [b1, b2, tail_b @ ..])
            if a1 == b2 && a2 == b1 && tail_a == tail_b =>
        {
            true
        }
        ([_, tail_a @ ..], [_, tail_b @ ..]) => tail_a == tail_b,
        _ => false,
    }
}

/// True when the texts are spelt differently but sound or look the same.
fn sounds_alike(a: &str, b: &str) -> bool {
    let near = a.len().abs_diff(b.len()) <= 3 && a.len().min(b.len()) >= MIN_SOUNDED;
    near && a != b && a.bytes().next() == b.bytes().next() && sound(a) == sound(b)
}

/// The text with one spelling a sound and no double letters.
fn sound(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let spelling = SPELLINGS
            .iter()
            .find_map(|(from, to)| Some((rest.strip_prefix(from)?, *to)));
        let (after, sound) = match spelling {
            Some((after, sound)) => (after, sound.chars().next()),
            None => (rest.get(letter.len_utf8()..).unwrap_or(""), Some(letter)),
        };
        if let Some((_, further)) = spelling.filter(|(_, sound)| sound.len() > 1) {
            out.push_str(further);
        } else if let Some(sound) = sound.filter(|sound| !out.ends_with(*sound)) {
            out.push(sound);
        }
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn one_slip_is_one_letter_more_less_other_or_two_swapped() {
        for (a, b) in [
            ("lindqvist", "lindqist"),
            ("lindqvist", "lindqviist"),
            ("lindqvist", "lindqvost"),
            ("lindqvist", "lindvqist"),
        ] {
            assert!(is_slip(a, b), "{a} {b}");
            assert!(is_slip(b, a), "{b} {a}");
        }
    }

    #[test]
    fn what_sounds_or_looks_the_same_is_one_slip() {
        for (a, b) in [
            ("phillips", "philips"),
            ("schmidt", "schmitt"),
            ("petersen", "peterson"),
            ("schneider", "sneider"),
            ("bernard", "bemard"),
            ("thompson", "tompson"),
        ] {
            assert!(is_slip(a, b), "{a} {b}");
        }
        assert!(!is_slip("phillips", "filips"), "another first letter");
    }

    #[test]
    fn equal_short_and_further_texts_are_no_slips() {
        for (a, b) in [
            ("maya", "maya"),
            ("dan", "don"),
            ("lindqvist", "lindvist2"),
            ("engineer 1", "engineer 2"),
            ("", ""),
            ("a", ""),
        ] {
            assert!(!is_slip(a, b), "{a} {b}");
        }
    }
}
