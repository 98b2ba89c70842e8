//! A person's name as others write it.

use super::dice::Dice;

/// Given names and what they are called, for both directions.
const CALLED: &[(&str, &str)] = &[
    ("robert", "bob"),
    ("robert", "rob"),
    ("william", "bill"),
    ("william", "will"),
    ("richard", "rick"),
    ("richard", "dick"),
    ("james", "jim"),
    ("john", "jack"),
    ("michael", "mike"),
    ("thomas", "tom"),
    ("charles", "chuck"),
    ("joseph", "joe"),
    ("daniel", "dan"),
    ("matthew", "matt"),
    ("anthony", "tony"),
    ("christopher", "chris"),
    ("steven", "steve"),
    ("stephen", "steve"),
    ("edward", "ed"),
    ("edward", "ted"),
    ("kenneth", "ken"),
    ("timothy", "tim"),
    ("gregory", "greg"),
    ("andrew", "andy"),
    ("patrick", "pat"),
    ("jeffrey", "jeff"),
    ("lawrence", "larry"),
    ("benjamin", "ben"),
    ("samuel", "sam"),
    ("nicholas", "nick"),
    ("jonathan", "jon"),
    ("elizabeth", "liz"),
    ("elizabeth", "beth"),
    ("margaret", "peggy"),
    ("margaret", "maggie"),
    ("katherine", "kate"),
    ("catherine", "cathy"),
    ("patricia", "pat"),
    ("jennifer", "jen"),
    ("rebecca", "becky"),
    ("susan", "sue"),
    ("deborah", "debbie"),
    ("pamela", "pam"),
    ("kimberly", "kim"),
    ("cynthia", "cindy"),
    ("victoria", "vicky"),
    ("alexander", "alex"),
    ("francisco", "paco"),
];

/// Letters that are written without their marks, and by two letters.
const MARKED: &[(char, &str, &str)] = &[
    ('ü', "u", "ue"),
    ('ö', "o", "oe"),
    ('ä', "a", "ae"),
    ('ß', "ss", "ss"),
    ('ø', "o", "oe"),
    ('å', "a", "aa"),
    ('æ', "ae", "ae"),
    ('é', "e", "e"),
    ('è', "e", "e"),
    ('ê', "e", "e"),
    ('ë', "e", "e"),
    ('á', "a", "a"),
    ('à', "a", "a"),
    ('â', "a", "a"),
    ('ã', "a", "a"),
    ('ó', "o", "o"),
    ('ô', "o", "o"),
    ('õ', "o", "o"),
    ('ò', "o", "o"),
    ('í', "i", "i"),
    ('ì', "i", "i"),
    ('î', "i", "i"),
    ('ï', "i", "i"),
    ('ı', "i", "i"),
    ('ú', "u", "u"),
    ('ù', "u", "u"),
    ('û', "u", "u"),
    ('ç', "c", "c"),
    ('ñ', "n", "n"),
    ('ń', "n", "n"),
    ('ł', "l", "l"),
    ('ş', "s", "s"),
    ('ś', "s", "s"),
    ('š', "s", "s"),
    ('ğ', "g", "g"),
    ('ż', "z", "z"),
    ('ź', "z", "z"),
    ('ž', "z", "z"),
    ('č', "c", "c"),
    ('ć', "c", "c"),
    ('ę', "e", "e"),
    ('ą', "a", "a"),
];

/// How sounds are written by ear.
const BY_EAR: &[(&str, &str)] = &[
    ("ph", "f"),
    ("ck", "k"),
    ("ll", "l"),
    ("nn", "n"),
    ("tt", "t"),
    ("ss", "s"),
    ("rr", "r"),
    ("ie", "ei"),
    ("ei", "ie"),
    ("ee", "ea"),
    ("ch", "k"),
    ("y", "i"),
    ("sen", "son"),
    ("son", "sen"),
    ("th", "t"),
    ("c", "k"),
    ("z", "s"),
];

/// What a scanner reads.
const BY_EYE: &[(&str, &str)] = &[
    ("rn", "m"),
    ("m", "rn"),
    ("cl", "d"),
    ("l", "1"),
    ("o", "0"),
    ("vv", "w"),
    ("i", "l"),
];

const TITLES: &[&str] = &[
    "Dr. ", "Mr. ", "Mrs. ", "Ms ", "Prof. ", "Hon. ", "Sen. ", "Rep. ", "Sir ",
];
const SUFFIXES: &[&str] = &[
    ", PhD", " MBA", ", M.D.", " Jr.", ", Esq.", " III", ", CPA", " PMP",
];

/// A name and what was done to it; in two parts where they were asked for so.
pub(crate) struct Spoilt {
    pub(crate) full: String,
    pub(crate) how: &'static str,
}

/// One way of many; the name as it is where the way does not apply to it.
pub(crate) fn spoil(full: &str, first: &str, last: &str, dice: &mut Dice) -> Spoilt {
    let plain = format!("{first} {last}");
    let given = |given: &str| format!("{given} {last}");
    let (full, how) = match dice.below(20) {
        0 => (Some(full.to_uppercase()), "capitals"),
        1 | 2 => (called(first, dice).map(given), "called otherwise"),
        3 => (
            initial(first).map(|letter| format!("{letter}. {last}")),
            "initial",
        ),
        4 => (Some(format!("{last}, {first}")), "last, first"),
        5 => (Some(format!("{last} {first}")), "turned"),
        6 => (
            Some(unmarked(full, |mark| mark.1)).filter(|name| name != full),
            "marks dropped",
        ),
        7 => (
            Some(unmarked(full, |mark| mark.2)).filter(|name| name != full),
            "marks by two letters",
        ),
        8 => (transposed(&plain, dice), "two letters turned"),
        9 => (slipped(&plain, dice), "a wrong letter"),
        10 => (replaced(&plain, BY_EAR, dice), "by ear"),
        11 => (replaced(&plain, BY_EYE, dice), "by eye"),
        12 => (
            dice.of(TITLES).map(|title| format!("{title}{plain}")),
            "title",
        ),
        13 => (
            dice.of(SUFFIXES).map(|suffix| format!("{plain}{suffix}")),
            "suffix",
        ),
        14 => (Some(plain.clone()), "no middle name"),
        15 => (
            dice.of(&["J.", "M", "A."])
                .map(|middle| format!("{first} {middle} {last}"))
                .filter(|_| full == plain),
            "a middle initial",
        ),
        16 => (
            last.contains(['-', ' '])
                .then(|| format!("{first} {}", last.replace('-', " "))),
            "hyphen lost",
        ),
        17 => (
            last.split_once('-')
                .map(|(maiden, _)| given_to(first, maiden)),
            "half of a double name",
        ),
        18 => (curly(full, dice), "apostrophe"),
        _ => (Some(format!("  {}  ", full.replace(' ', "   "))), "spaces"),
    };
    match full {
        Some(full) => Spoilt { full, how },
        None => Spoilt {
            full: plain,
            how: "no middle name",
        },
    }
}

fn given_to(first: &str, last: &str) -> String {
    format!("{first} {last}")
}

fn called(first: &str, dice: &mut Dice) -> Option<&'static str> {
    let others: Vec<&str> = CALLED
        .iter()
        .filter_map(|(formal, short)| {
            if *formal == first {
                Some(*short)
            } else {
                (*short == first).then_some(*formal)
            }
        })
        .collect();
    dice.of(&others)
}

fn initial(first: &str) -> Option<char> {
    first
        .chars()
        .next()
        .filter(|letter| letter.is_ascii_alphabetic())
}

fn unmarked(
    name: &str,
    by: impl Fn(&(char, &'static str, &'static str)) -> &'static str,
) -> String {
    let mut out = String::with_capacity(name.len());
    for letter in name.chars() {
        match MARKED.iter().find(|mark| mark.0 == letter) {
            Some(mark) => out.push_str(by(mark)),
            None => out.push(letter),
        }
    }
    out
}

/// Two neighbouring letters in the wrong order, inside the last word of five letters or more.
pub(crate) fn transposed(text: &str, dice: &mut Dice) -> Option<String> {
    let (head, mut word) = long_word(text)?;
    let at = 1 + dice.below(word.len() - 3);
    word.swap(at, at + 1);
    Some(head + &word.into_iter().collect::<String>()).filter(|spoilt| spoilt != text)
}

/// One letter replaced, left out or doubled, inside the last word of five letters or more.
pub(crate) fn slipped(text: &str, dice: &mut Dice) -> Option<String> {
    let (head, mut word) = long_word(text)?;
    let at = 1 + dice.below(word.len() - 2);
    match dice.below(3) {
        0 => *word.get_mut(at)? = *dice.of(&[&'a', &'e', &'n', &'s', &'t'])?,
        1 => {
            word.remove(at);
        }
        _ => word.insert(at, *word.get(at)?),
    }
    Some(head + &word.into_iter().collect::<String>()).filter(|spoilt| spoilt != text)
}

/// The last word as letters, if it is long enough to be recognised with a slip, and what stands before it.
fn long_word(text: &str) -> Option<(String, Vec<char>)> {
    let (head, word) = text.rsplit_once(' ').unwrap_or(("", text));
    let word: Vec<char> = word.chars().collect();
    let head = if head.is_empty() {
        String::new()
    } else {
        format!("{head} ")
    };
    (word.len() > 4).then_some((head, word))
}

fn replaced(text: &str, table: &[(&str, &str)], dice: &mut Dice) -> Option<String> {
    let (head, word) = text.rsplit_once(' ')?;
    let fitting: Vec<&(&str, &str)> = table
        .iter()
        .filter(|(from, _)| word.get(1..).is_some_and(|rest| rest.contains(from)))
        .collect();
    let (from, to) = dice.of(&fitting)?;
    let at = 1 + word.get(1..)?.find(from)?;
    let spoilt = format!("{}{to}{}", word.get(..at)?, word.get(at + from.len()..)?);
    (word.len() > 4).then(|| format!("{head} {spoilt}"))
}

fn curly(name: &str, dice: &mut Dice) -> Option<String> {
    let other = dice.of(&["’", "", "`", "‘"])?;
    name.contains('\'').then(|| name.replace('\'', other))
}
