//! A second way to write a name in plain Latin letters, beside that of [`text::fold`](crate::text::fold): `müller` is `muller` to one source and
//! `mueller` to another, and `Γιώργος Βασιλείου` is `giorgos vasileiou` to himself.

use unicode_normalization::UnicodeNormalization as _;

/// The text as people write it who have no such letters; `None` when it has none of them.
///
/// Letters with marks are written by two (`ü` as `ue`), Greek as it is spoken (ELOT 743), Cyrillic as in English texts.
pub(crate) fn other_spelling(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let letters: Vec<char> = text.nfd().flat_map(char::to_lowercase).collect();
    if letters.iter().any(|letter| is_greek(*letter)) {
        return Some(greek(&letters));
    }
    if text.chars().any(is_cyrillic) {
        let composed: String = letters.into_iter().nfc().collect();
        return Some(cyrillic(&composed));
    }
    if !text.chars().any(|letter| pair(letter).is_some()) {
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

/// Whether a text has letters of which Latin ones are made in two ways: as they stand, and as they are spoken.
pub(crate) fn is_spoken_otherwise(text: &str) -> bool {
    let is_spoken = |letter: char| {
        is_cyrillic(letter) || is_greek(letter) || matches!(letter, '\u{1f00}'..='\u{1fff}')
    };
    !text.is_ascii() && text.chars().any(is_spoken)
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

const fn is_greek(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{3ff}')
}

const fn is_cyrillic(letter: char) -> bool {
    matches!(letter, '\u{400}'..='\u{52f}')
}

/// Of letters in lower case, taken apart from their marks.
fn greek(letters: &[char]) -> String {
    const DIAERESIS: char = '\u{308}';
    let is_mark = |letter: &char| matches!(letter, '\u{300}'..='\u{36f}');
    let plain: Vec<char> = letters
        .iter()
        .copied()
        .filter(|letter| !is_mark(letter) || *letter == DIAERESIS)
        .collect();
    let mut out = String::with_capacity(plain.len() + 4);
    let mut rest = plain.as_slice();
    let mut before = ' ';
    while let [letter, behind @ ..] = rest {
        let next = behind.first().copied().unwrap_or(' ');
        let after = behind.get(1).copied().unwrap_or(' ');
        let is_soft = matches!(
            after,
            'θ' | 'κ' | 'ξ' | 'π' | 'σ' | 'ς' | 'τ' | 'φ' | 'χ' | 'ψ'
        );
        let v = if is_soft || after == ' ' { 'f' } else { 'v' };
        let is_first = !is_greek(before);
        let two = match (letter, next) {
            _ if after == DIAERESIS => None,
            ('α', 'υ') => Some(format!("a{v}")),
            ('ε', 'υ') => Some(format!("e{v}")),
            ('η', 'υ') => Some(format!("i{v}")),
            ('ο', 'υ') => Some("ou".to_owned()),
            ('γ', 'γ') => Some("ng".to_owned()),
            ('γ', 'χ') => Some("nch".to_owned()),
            ('γ', 'ξ') => Some("nx".to_owned()),
            ('μ', 'π') if is_first => Some("b".to_owned()),
            _ => None,
        };
        before = *letter;
        match two {
            Some(two) => {
                out.push_str(&two);
                rest = behind.get(1..).unwrap_or_default();
            }
            None => {
                push_greek(&mut out, *letter);
                rest = behind;
            }
        }
    }
    out
}

fn push_greek(out: &mut String, letter: char) {
    let latin = match letter {
        'α' => "a",
        'β' => "v",
        'γ' => "g",
        'δ' => "d",
        'ε' => "e",
        'ζ' => "z",
        'η' | 'ι' => "i",
        'θ' => "th",
        'κ' => "k",
        'λ' => "l",
        'μ' => "m",
        'ν' => "n",
        'ξ' => "x",
        'ο' | 'ω' => "o",
        'π' => "p",
        'ρ' => "r",
        'σ' | 'ς' => "s",
        'τ' => "t",
        'υ' => "y",
        'φ' => "f",
        'χ' => "ch",
        'ψ' => "ps",
        '\u{308}' => "",
        other => return out.push(other),
    };
    out.push_str(latin);
}

/// Of a text in lower case; in Ukrainian letters as Ukrainians write themselves.
fn cyrillic(text: &str) -> String {
    let is_ukrainian = text.contains(['і', 'ї', 'є', 'ґ']);
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(letters.len() + 8);
    for (at, letter) in letters.iter().enumerate() {
        let at_edge = |neighbour: Option<&char>| neighbour.is_none_or(|c| !is_cyrillic(*c));
        let is_first = at_edge(at.checked_sub(1).and_then(|before| letters.get(before)));
        let is_last = at_edge(letters.get(at + 1));
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let latin = match letter {
            'а' => "a",
            'б' => "b",
            'в' => "v",
            'г' if is_ukrainian => "h",
            'г' | 'ґ' => "g",
            'д' => "d",
            'е' | 'э' => "e",
            'ё' => "yo",
            'є' if is_first => "ye",
            'є' => "ie",
            'ж' => "zh",
            'з' => "z",
            'и' if is_ukrainian => "y",
            'и' | 'і' => "i",
            'ї' if is_first => "yi",
            'ї' => "i",
            // The end of names of men: `dmitry`, `dostoevsky`.
            'й' if is_last && matches!(before, Some('и')) => {
                if !is_ukrainian {
                    out.pop();
                    out.push('y');
                }
                ""
            }
            'й' if is_last && matches!(before, Some('ы')) => "",
            'й' => "y",
            'к' => "k",
            'л' => "l",
            'м' => "m",
            'н' => "n",
            'о' => "o",
            'п' => "p",
            'р' => "r",
            'с' => "s",
            'т' => "t",
            'у' => "u",
            'ў' => "u",
            'ф' => "f",
            'х' => "kh",
            'ц' => "ts",
            'ч' => "ch",
            'ш' => "sh",
            'щ' => "shch",
            'ы' => "y",
            'ю' => "yu",
            'я' => "ya",
            'ђ' => "dj",
            'ј' => "j",
            'љ' => "lj",
            'њ' => "nj",
            'ћ' => "c",
            'џ' => "dz",
            'ъ' | 'ь' => "",
            other => {
                out.push(*other);
                ""
            }
        };
        out.push_str(latin);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::other_spelling;

    #[test]
    fn only_letters_that_are_written_otherwise_are() {
        let spelt = |text: &str| other_spelling(text);
        assert_eq!(spelt("jörg møller").as_deref(), Some("joerg moeller"));
        assert_eq!(spelt("josé łukasz"), None);
        assert_eq!(spelt("maya"), None);
    }

    #[test]
    fn greek_is_written_as_it_is_spoken() {
        for (greek, latin) in [
            ("Χαρίλαος Πανούσης", "charilaos panousis"),
            ("Βασίλης Παπαδημητρίου", "vasilis papadimitriou"),
            ("Ευάγγελος Μπακογιάννης", "evangelos bakogiannis"),
            ("Ευθύμιος Καραϊσκάκης", "efthymios karaiskakis"),
            ("Λαμπρινή Αντωνίου", "lamprini antoniou"),
        ] {
            assert_eq!(other_spelling(greek).as_deref(), Some(latin));
        }
    }

    #[test]
    fn cyrillic_is_written_as_in_english() {
        for (cyrillic, latin) in [
            ("Яков Юдин", "yakov yudin"),
            ("Дмитрий Достоевский", "dmitry dostoevsky"),
            ("Любов Єрченко", "lyubov yerchenko"),
            ("Сергій Гнатюк", "serhiy hnatyuk"),
            ("Наталья Хрущева", "natalya khrushcheva"),
            ("Горький", "gorky"),
        ] {
            assert_eq!(other_spelling(cyrillic).as_deref(), Some(latin));
        }
    }
}
