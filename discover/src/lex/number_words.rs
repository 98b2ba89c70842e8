//! Numbers in words: "twenty-five", "one hundred and fifty" are one number, as "25" and "150" are.

use super::{Kind, Token};

const WORDS: &[(&str, f64)] = &[
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("dozen", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("hundred", 100.0),
    ("thousand", 1_000.0),
];

/// The number that a word is.
pub(crate) fn number_word(word: &str) -> Option<f64> {
    WORDS
        .iter()
        .find(|(known, _)| *known == word)
        .map(|(_, value)| *value)
}

/// Puts the words of one number together; a word alone stays the word that it is.
pub(super) fn compounds(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_between = found
            .last()
            .is_some_and(|before| matches!(before.text.as_str(), "between" | "from" | "both"));
        let whole = compound(tokens.get(at..).unwrap_or_default(), !is_between);
        match whole {
            Some((value, length)) if length > 1 => {
                let last = tokens.get(at + length - 1).unwrap_or(token);
                let words = tokens.get(at..at + length).unwrap_or_default();
                let words: Vec<&str> = words.iter().map(|token| token.text.as_str()).collect();
                let text = words.join(" ");
                found.push(Token {
                    kind: Kind::Number(value),
                    stem: text.clone(),
                    text,
                    end: last.end,
                    ..token.clone()
                });
                at += length;
            }
            _ => {
                found.push(token.clone());
                at += 1;
            }
        }
    }
    ranges(&mut found);
    long_times(&mut found);
    parts_of_percent(&mut found);
    found
}

/// "Half a percent", "a tenth of a percent" are a number of them.
fn parts_of_percent(tokens: &mut Vec<Token>) {
    const ARTICLES: &[&[&str]] = &[&["a"], &["of", "a"], &["of", "one"], &["of"]];
    for at in 0..tokens.len() {
        let said = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
        let part = match said(at) {
            "half" => 0.5,
            "third" => 1.0 / 3.0,
            "quarter" => 0.25,
            "fifth" => 0.2,
            "tenth" => 0.1,
            _ => continue,
        };
        let is_unit = |at: usize| matches!(said(at), "percent" | "pct" | "percentage");
        let mut spelt = ARTICLES.iter().map(|article| {
            let is_it = article
                .iter()
                .zip(at + 1..)
                .all(|(word, at)| said(at) == *word);
            (is_it && is_unit(at + 1 + article.len())).then_some(article.len())
        });
        let Some(articles) = spelt.find_map(|article| article) else {
            continue;
        };
        let end = tokens.get(at + articles).map(|token| token.end);
        if let (Some(count), Some(end)) = (tokens.get_mut(at), end) {
            becomes_number(count, part);
            count.end = end;
        }
        tokens.drain(at + 1..=at + articles);
    }
}

/// "One-two years" is a range, as "1-2 years" is.
fn ranges(tokens: &mut Vec<Token>) {
    let mut at = 1;
    while at < tokens.len() {
        if let Some((from, to)) = range(tokens, at)
            && let Some(mut mark) = tokens.get(at).cloned()
        {
            mark.end = mark.start;
            (mark.kind, mark.text, mark.stem) = (Kind::Mark('–'), "–".to_owned(), "–".to_owned());
            for (at, number) in [(at - 1, from), (at, to)] {
                if let Some(token) = tokens.get_mut(at) {
                    becomes_number(token, number);
                }
            }
            tokens.insert(at, mark);
            at += 1;
        }
        at += 1;
    }
}

/// The numbers of a range whose last one is token `at`: "one-two", not "two-dozen", nor "one-two-three".
fn range(tokens: &[Token], at: usize) -> Option<(f64, f64)> {
    let number = |at: usize| {
        let token = tokens.get(at).filter(|token| token.is_word())?;
        number_word(&token.text).filter(|_| token.text != "dozen")
    };
    let is_joined = |at: usize| tokens.get(at).is_some_and(|token| token.is_joined);
    let (from, to) = (number(at.checked_sub(1)?)?, number(at)?);
    let is_longer = is_joined(at - 1) || is_joined(at + 1);
    (is_joined(at) && !is_longer && from < to).then_some((from, to))
}

/// "Two decades", "a century" are numbers of years, and "half a decade" is half of one.
fn long_times(tokens: &mut Vec<Token>) {
    let mut at = 1;
    while at < tokens.len() {
        at = long_time(tokens, at).unwrap_or(at + 1);
    }
}

/// Reads a time or a dozen that is token `at`, and gives the token behind.
fn long_time(tokens: &mut Vec<Token>, at: usize) -> Option<usize> {
    let (unit, count) = (tokens.get(at)?, tokens.get(at - 1)?);
    let is_article = matches!(count.text.as_str(), "a" | "an");
    let is_half = is_article
        && at
            .checked_sub(2)
            .and_then(|half| tokens.get(half))
            .is_some_and(|half| half.text == "half");
    let (each, is_years) = match unit.stem.as_str() {
        "decade" => (10.0, true),
        "century" => (100.0, true),
        // "A dozen" is a number by itself.
        "dozen" if is_half && !unit.is_capital => (12.0, false),
        _ => return None,
    };
    let number = value(count).or(is_article.then_some(1.0))?;
    let said = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    // "A decade and a half", "three quarters of a decade"
    let goes_on = said(at + 1) == "and"
        && matches!((said(at + 2), said(at + 3)), ("a", "half") | ("half", _));
    let is_part = is_article
        && at.checked_sub(2).is_some_and(|of| {
            said(of) == "of"
                && of
                    .checked_sub(1)
                    .is_some_and(|part| is_fraction(said(part)))
        });
    if is_years && (goes_on || is_part) {
        return None;
    }
    let first = if is_half { at - 2 } else { at - 1 };
    // "One or two decades"
    let other = at.checked_sub(3).filter(|_| {
        let joins = tokens.get(at - 2);
        joins.is_some_and(|token| matches!(token.text.as_str(), "or" | "to" | "and" | "–"))
    });
    let scaled = other.and_then(|other| Some((other, value(tokens.get(other)?)?)));
    let last = if is_years { at - 1 } else { at };
    let end = tokens.get(last)?.end;
    if let Some((other, number)) = scaled {
        becomes_number(tokens.get_mut(other)?, number * each);
    }
    if is_years {
        let unit = tokens.get_mut(at)?;
        (unit.text, unit.stem) = ("years".to_owned(), "year".to_owned());
    }
    let count = tokens.get_mut(first)?;
    becomes_number(count, number * each * if is_half { 0.5 } else { 1.0 });
    count.end = end;
    tokens.drain(first + 1..=last);
    Some(first + 2)
}

fn is_fraction(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    matches!(
        word,
        "half" | "third" | "quarter" | "fifth" | "tenth" | "most" | "part" | "bulk"
    )
}

/// The number that a token is, in digits or as a word.
fn value(token: &Token) -> Option<f64> {
    token.number().or_else(|| number_word(&token.text))
}

pub(super) fn becomes_number(token: &mut Token, value: f64) {
    token.kind = Kind::Number(value);
    token.text = value.to_string();
    token.stem = token.text.clone();
}

/// The number with which the tokens begin, and how many they are. "Between one hundred and fifty thousand" has two, so that no "and" is
/// part of one there.
fn compound(tokens: &[Token], takes_and: bool) -> Option<(f64, usize)> {
    let word = |at: usize| tokens.get(at).filter(|token| token.is_word());
    let value = |at: usize| number_word(&word(at)?.text);
    let is_large = |at: usize| value(at).is_some_and(|value| value >= 100.0);
    let (mut whole, mut part, mut length) = (0.0, value(0)?, 1);
    if is_large(0) {
        (whole, part) = (part, 0.0);
    }
    loop {
        let is_and = takes_and
            && word(length).is_some_and(|word| word.text == "and")
            && is_large(length - 1)
            && !is_large(length + 2);
        let next = length + usize::from(is_and);
        let Some(more) = value(next) else {
            break;
        };
        // "Twenty five", "hundred twelve", "thousand two hundred"; "five twenty" are two numbers.
        let follows = match more {
            100.0 | 1_000.0 => false,
            _ if is_large(length - 1) => true,
            _ => part % 100.0 >= 20.0 && part % 10.0 == 0.0 && more < 10.0,
        };
        let is_hundreds = more == 100.0 && part < 100.0 && !is_large(length - 1);
        if !is_and && part >= 1.0 && (more == 1_000.0 || is_hundreds) {
            part *= more;
        } else if follows {
            part += more;
        } else {
            break;
        }
        if part >= 1_000.0 && more == 1_000.0 {
            (whole, part) = (whole + part, 0.0);
        }
        length = next + 1;
    }
    Some((whole + part, length))
}

#[cfg(test)]
mod tests {
    use crate::lex::tokens;

    #[test]
    fn the_words_of_one_number_are_one_token() {
        for (text, number) in [
            ("twenty-five", 25.0),
            ("one hundred", 100.0),
            ("one hundred and fifty", 150.0),
            ("hundred twelve", 112.0),
            ("two thousand five hundred", 2_500.0),
            ("twenty five thousand", 25_000.0),
            ("three hundred thousand", 300_000.0),
            ("one thousand two hundred and forty-one", 1_241.0),
            ("twelve hundred", 1_200.0),
            ("1'000", 1_000.0),
            ("10 000", 10_000.0),
            ("1.000", 1_000.0),
            ("1 250 000", 1_250_000.0),
            ("1.250.000", 1_250_000.0),
        ] {
            let found = tokens(text);
            let numbers: Vec<Option<f64>> = found.iter().map(|token| token.number()).collect();
            assert_eq!(numbers, [Some(number)], "{text}");
        }
    }

    #[test]
    fn two_numbers_stay_two() {
        for text in [
            "five twenty",
            "ten and five",
            "between one hundred and fifty",
            "one hundred and two hundred",
            "50 200",
            "2005 000",
            "0 000",
        ] {
            let found = tokens(text);
            assert!(found.len() > 1, "{text}");
        }
    }
}
