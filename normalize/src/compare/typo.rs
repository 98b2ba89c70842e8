//! One slip of the keyboard: a letter too many, too few, another one, or two in the wrong order.

/// Words shorter than this are other words, not slips: `dan` and `don`.
const MIN_LETTERS: usize = 4;

/// True when one slip turns one text into the other; never for equal texts. ASCII letters expected.
pub(super) fn is_one_slip(a: &str, b: &str) -> bool {
    let (a, b) = if a.len() <= b.len() {
        (a.as_bytes(), b.as_bytes())
    } else {
        (b.as_bytes(), a.as_bytes())
    };
    if a.len() < MIN_LETTERS || b.len() - a.len() > 1 {
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

#[cfg(test)]
mod tests {
    use super::is_one_slip;

    #[test]
    fn one_slip_is_one_letter_more_less_other_or_two_swapped() {
        for (a, b) in [
            ("lindqvist", "lindqist"),
            ("lindqvist", "lindqviist"),
            ("lindqvist", "lindqvost"),
            ("lindqvist", "lindvqist"),
        ] {
            assert!(is_one_slip(a, b), "{a} {b}");
            assert!(is_one_slip(b, a), "{b} {a}");
        }
    }

    #[test]
    fn equal_short_and_further_texts_are_no_slips() {
        for (a, b) in [
            ("maya", "maya"),
            ("dan", "don"),
            ("lindqvist", "lindvist2"),
            ("", ""),
            ("a", ""),
        ] {
            assert!(!is_one_slip(a, b), "{a} {b}");
        }
    }
}
