//! A word for hundreds or thousands that is said once for both ends of a range: "two to three hundred" is 200 to 300, "5-10k" is 5,000 to
//! 10,000.

use super::number_words::{becomes_number, number_word};
use super::{Kind, Token};

/// A number below one hundred that tokens say, and how many tokens it takes.
#[derive(Clone, Copy)]
struct Small {
    value: f64,
    length: usize,
}

/// Gives the first number of each such range the scale of the second.
pub(super) fn shared(tokens: &mut Vec<Token>) {
    let mut at = 0;
    while at < tokens.len() {
        if let Some((first, second, scale)) = range(tokens, at) {
            let is_beside = second == at + first.length;
            if let Some(token) = tokens.get_mut(at) {
                becomes_number(token, first.value * scale);
            }
            // "One-two hundred": the hyphen is no token of its own.
            if is_beside && let Some(mut mark) = tokens.get(second).cloned() {
                mark.end = mark.start;
                (mark.kind, mark.text, mark.stem) =
                    (Kind::Mark('–'), "–".to_owned(), "–".to_owned());
                if let Some(token) = tokens.get_mut(second) {
                    token.is_joined = false;
                }
                tokens.insert(second, mark);
            }
            tokens.drain(at + 1..at + first.length);
        }
        at += 1;
    }
}

/// The first number of a range that begins at a token, the token of the second one, and the scale that is said behind that.
fn range(tokens: &[Token], at: usize) -> Option<(Small, usize, f64)> {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    // "One hundred and five to ten thousand", "twenty-five": the number begins in front.
    let goes_on = |token: &Token| {
        token.number().is_some() || number_word(&token.text).is_some() || token.is_mark('$')
    };
    let is_between = before.is_some_and(|before| before.text == "between");
    if before.is_some_and(|before| goes_on(before) || before.text == "and") {
        return None;
    }
    let first = small(tokens, at)?;
    let behind = at + first.length;
    let joins = tokens.get(behind)?;
    let second = if joins.is_joined && joins.is_word() && number_word(&joins.text).is_some() {
        behind
    } else {
        let is_word = match joins.text.as_str() {
            "to" | "or" => true,
            "and" => is_between,
            _ => false,
        };
        let is_mark = matches!(joins.kind, Kind::Mark('-' | '–'));
        (is_word || is_mark).then_some(behind + 1)?
    };
    let (value, scale) = scaled(tokens, second)?;
    (first.value > 0.0 && first.value < value).then_some((first, second, scale))
}

/// A number and the scale that is said with it: "three hundred", "10k", "twenty-five thousand".
fn scaled(tokens: &[Token], at: usize) -> Option<(f64, f64)> {
    const THOUSAND: f64 = 1_000.0;
    let token = tokens.get(at)?;
    if let Kind::Number(value) = token.kind
        && token.text.ends_with('k')
    {
        return Some((value / THOUSAND, THOUSAND));
    }
    let small = small(tokens, at)?;
    let scale = match tokens.get(at + small.length)?.text.as_str() {
        "hundred" => 100.0,
        "thousand" => THOUSAND,
        _ => return None,
    };
    Some((small.value, scale))
}

/// The number below one hundred with which tokens begin.
fn small(tokens: &[Token], at: usize) -> Option<Small> {
    let token = tokens.get(at)?;
    let is_small = |value: &f64| *value < 100.0;
    if let Kind::Number(value) = token.kind {
        let is_plain = token.text.chars().all(|c| c.is_ascii_digit());
        let value = Some(value).filter(is_small).filter(|_| is_plain)?;
        return Some(Small { value, length: 1 });
    }
    let word = |at: usize| {
        let token = tokens.get(at).filter(|token| token.is_word())?;
        let value = number_word(&token.text).filter(is_small)?;
        (token.text != "dozen").then_some(value)
    };
    let tens = word(at)?;
    let ones = word(at + 1).filter(|ones| *ones < 10.0 && tens >= 20.0 && tens % 10.0 == 0.0);
    Some(Small {
        value: tens + ones.unwrap_or(0.0),
        length: 1 + usize::from(ones.is_some()),
    })
}

#[cfg(test)]
mod tests {
    use crate::lex::tokens;

    fn numbers(text: &str) -> Vec<f64> {
        let found = tokens(text);
        found.iter().filter_map(|token| token.number()).collect()
    }

    #[test]
    fn both_ends_have_the_scale_of_the_last() {
        for (text, ends) in [
            ("two to three hundred", [200.0, 300.0]),
            ("one-two hundred", [100.0, 200.0]),
            ("two-three thousand", [2_000.0, 3_000.0]),
            ("between two and three hundred", [200.0, 300.0]),
            ("5-10k", [5_000.0, 10_000.0]),
            ("five to twenty-five thousand", [5_000.0, 25_000.0]),
            ("twenty-five to thirty thousand", [25_000.0, 30_000.0]),
        ] {
            assert_eq!(numbers(text), ends, "{text}");
        }
    }

    #[test]
    fn what_has_its_own_size_keeps_it() {
        for (text, ends) in [
            ("50 to two hundred", [50.0, 200.0]),
            ("500 to 2k", [500.0, 2_000.0]),
            ("one hundred to two hundred", [100.0, 200.0]),
            ("1k to 2k", [1_000.0, 2_000.0]),
        ] {
            assert_eq!(numbers(text), ends, "{text}");
        }
    }
}
