//! A second way to write a name in plain Latin letters, beside that of [`text::fold`](crate::text::fold): `müller` is `muller` to one source and
//! `mueller` to another, and `Γιώργος Βασιλείου` is `giorgos vasileiou` to himself.

use unicode_normalization::UnicodeNormalization as _;

/// The text as people write it who have no such letters; `None` when it has none of them.
///
/// Letters with marks are written by two (`ü` as `ue`), Greek as it is spoken (ELOT 743), Cyrillic as in English texts.
pub(crate) fn other_spelling(text: &str) -> Option<String> {
    other_spelling_in(text, text)
}

/// The same of a part of a whole text, of which all letters say in which language it is.
pub(crate) fn other_spelling_in(text: &str, whole: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let letters: Vec<char> = text.nfd().flat_map(char::to_lowercase).collect();
    if letters.iter().any(|letter| is_greek(*letter)) {
        return Some(greek(&letters));
    }
    if text.chars().any(is_cyrillic) {
        let composed: String = letters.into_iter().nfc().collect();
        return Some(cyrillic(&composed, Language::of(whole)));
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
        let v = if is_soft || !is_greek(after) {
            'f'
        } else {
            'v'
        };
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
        if *letter != DIAERESIS {
            before = *letter;
        }
        match two {
            Some(two) => {
                out.push_str(&two);
                rest = behind.get(1..).unwrap_or_default();
            }
            None => {
                match latin_of_greek(*letter) {
                    Some(latin) => out.push_str(latin),
                    None => out.push(*letter),
                }
                rest = behind;
            }
        }
    }
    out
}

const fn latin_of_greek(letter: char) -> Option<&'static str> {
    Some(match letter {
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
        _ => return None,
    })
}

/// A language that is written in Cyrillic letters, as far as the letters tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Russian,
    Ukrainian,
    Serbian,
    Bulgarian,
}

impl Language {
    fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let has = |letters: &[char]| text.contains(letters);
        let mut letters = text.chars().peekable();
        let mut has_vowel = false;
        while let Some(letter) = letters.next() {
            // In Russian it only parts: `объект`.
            has_vowel |= letter == 'ъ' && !matches!(letters.peek(), Some('е' | 'ё' | 'ю' | 'я'));
        }
        if has(&['ђ', 'ј', 'љ', 'њ', 'ћ', 'џ']) {
            Self::Serbian
        } else if (has(&['і', 'ї', 'є', 'ґ']) || text.contains("ськ") || text.contains("цьк"))
            && !has(&['қ', 'ғ', 'ә', 'ө', 'ұ', 'ү', 'ң', 'һ'])
        {
            Self::Ukrainian
        } else if has_vowel && !has(&['ы', 'э', 'ё']) {
            Self::Bulgarian
        } else {
            Self::Russian
        }
    }
}

/// Of a text in lower case: Russian and Bulgarian as in English texts, Ukrainian as in its passports, Serbian in its own Latin letters without
/// their marks.
fn cyrillic(text: &str, language: Language) -> String {
    use Language::{Bulgarian, Russian, Serbian, Ukrainian};
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(letters.len() + 8);
    for (at, letter) in letters.iter().enumerate() {
        let at_edge = |neighbour: Option<&char>| neighbour.is_none_or(|c| !is_cyrillic(*c));
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let is_first = at_edge(before);
        let is_last = at_edge(letters.get(at + 1));
        let latin = match (letter, language) {
            // The ends of names of men: `dmitry`, `dostoevsky`, `bily`.
            ('й', Russian | Bulgarian) if is_last && before == Some(&'и') => {
                out.pop();
                "y"
            }
            ('й', Russian) if is_last && before == Some(&'ы') => "",
            ('й', Ukrainian) if !is_first => "i",
            ('й', _) => "y",
            ('г', Ukrainian) => "h",
            ('г' | 'ґ', _) => "g",
            ('е' | 'э' | 'ё', _) => "e",
            ('є', _) if is_first => "ye",
            ('є', _) => "ie",
            ('ї', _) if is_first => "yi",
            ('и', Ukrainian) => "y",
            ('и' | 'і' | 'ї', _) => "i",
            ('ж', Serbian) => "z",
            ('ж', _) => "zh",
            ('х', Serbian | Bulgarian) => "h",
            ('х', _) => "kh",
            ('ц', Serbian) => "c",
            ('ц', _) => "ts",
            ('ч', Serbian) => "c",
            ('ч', _) => "ch",
            ('ш', Serbian) => "s",
            ('ш', _) => "sh",
            ('щ', Bulgarian) => "sht",
            ('щ', _) => "shch",
            ('ъ', Bulgarian) => "a",
            ('ю', Ukrainian) if !is_first => "iu",
            ('я', Ukrainian) if !is_first => "ia",
            ('ю', _) => "yu",
            ('я', _) => "ya",
            ('ы', _) => "y",
            ('а', _) => "a",
            ('б', _) => "b",
            ('в', _) => "v",
            ('д', _) => "d",
            ('ђ', _) => "dj",
            ('з', _) => "z",
            ('к', _) => "k",
            ('л', _) => "l",
            ('м', _) => "m",
            ('н', _) => "n",
            ('о', _) => "o",
            ('п', _) => "p",
            ('р', _) => "r",
            ('с', _) => "s",
            ('т', _) => "t",
            ('у' | 'ў', _) => "u",
            ('ф', _) => "f",
            ('ј', _) => "j",
            ('љ', _) => "lj",
            ('њ', _) => "nj",
            ('ћ', _) => "c",
            ('џ', _) => "dz",
            ('ъ' | 'ь', _) => "",
            (other, _) => {
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
            ("Σταϊμπέκης Ευ-Παπάς", "staimpekis ef-papas"),
            ("Χ. Ϡ 中", "ch. ϡ 中"),
        ] {
            assert_eq!(other_spelling(greek).as_deref(), Some(latin));
        }
    }

    #[test]
    fn cyrillic_is_written_as_in_english() {
        for (cyrillic, latin) in [
            ("Яков Юдин", "yakov yudin"),
            ("Дмитрий Достоевский", "dmitry dostoevsky"),
            ("Любов Єрченко", "liubov yerchenko"),
            ("Сергій Гнатюк", "serhii hnatiuk"),
            ("Володимир Зеленський", "volodymyr zelenskyi"),
            ("Михаил Горбачёв", "mikhail gorbachev"),
            ("Љубица Живковић", "ljubica zivkovic"),
            ("Лъчезар Христов", "lachezar hristov"),
            ("Объедков", "obedkov"),
            ("Қасым Игілік", "қasym igilik"),
            ("Наталья Хрущева", "natalya khrushcheva"),
            ("Горький", "gorky"),
        ] {
            assert_eq!(other_spelling(cyrillic).as_deref(), Some(latin));
        }
    }
}
