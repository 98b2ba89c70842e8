//! The name that a request gives, in every way to read it.

use normalize::compare::PersonName;
use normalize::keys::NameKeys;
use normalize::name::{Generation, shares};
use normalize::text;

/// The name that a request gives in one piece or in two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameParts {
    /// For comparison: as it was given, then with two of its words as one; none when there is no letter in it.
    pub readings: Vec<Reading>,
    /// Index of the clue that stands for the name.
    pub clue: usize,
    /// Whether that clue is the whole name; if not, a given and a family name were given separately.
    pub in_one: bool,
    /// Which member of a family with this name it is: `jr.`
    pub generation: Option<Generation>,
}

/// One way to read a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// For comparison.
    pub name: PersonName,
    /// The forms that candidates are looked up by; none where nothing in the name could lead to any.
    pub keys: Option<NameKeys>,
    /// Whether a space was taken for a slip: `okaf or`, `johnsmith`.
    pub is_joined: bool,
    /// Whether the name could be read in many ways: it has more than two words, its space is elsewhere, or a letter between two names
    /// was joined to one of them, which may as well be an initial.
    pub is_loose: bool,
}

/// Names of more words are not read with two of them as one.
const MAX_JOINED_WORDS: usize = 5;

/// Shorter names are not taken apart.
const MIN_SPACELESS: usize = 6;
/// The shortest part of one.
const MIN_PART: usize = 2;

/// A given and a family name that the tables know, where the space between them was left out, or stands a letter off: `johnsmith`,
/// `joh nsmith`. None where both words are names as they stand.
fn respaced(words: &[&str]) -> Option<String> {
    let folded: Vec<String> = words.iter().map(|word| text::fold(word)).collect();
    let share = |given: &str, family: &str| Some(shares::given(given)? * shares::family(family)?);
    let (letters, places) = match folded.as_slice() {
        [only] if only.len() >= MIN_SPACELESS => (only.clone(), MIN_PART..=only.len() - MIN_PART),
        [given, family] if share(given, family).is_none() => {
            let at = given.len();
            (format!("{given}{family}"), at.saturating_sub(1)..=at + 1)
        }
        _ => return None,
    };
    let parts = places.filter_map(|at| {
        let (given, family) = letters.split_at_checked(at)?;
        let is_long = given.len() >= MIN_PART && family.len() >= MIN_PART;
        Some((share(given, family).filter(|_| is_long)?, given, family))
    });
    parts
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, given, family)| format!("{given} {family}"))
}

impl NameParts {
    /// Reads a name in one piece.
    #[must_use]
    pub fn new(full: &str, clue: usize, in_one: bool) -> Self {
        let name = PersonName::read(full);
        Self {
            readings: readings(full, name.zip(Some(NameKeys::of(full)))),
            clue,
            in_one,
            generation: None,
        }
    }

    /// Another name under which the person may be known. Nothing says that it must be read this way, so no part of it may contradict.
    #[must_use]
    pub fn also_called(mut self, others: &[String]) -> Self {
        self.readings.extend(others.iter().filter_map(|other| {
            Some(Reading {
                name: PersonName::read(other)?,
                keys: NameKeys::of(other),
                is_joined: true,
                is_loose: true,
            })
        }));
        self
    }

    /// Reads a given and a family name.
    #[must_use]
    pub fn of_parts(first: &str, last: &str, clue: usize) -> Self {
        let name = PersonName::of_parts(first, last);
        let keys = NameKeys::of_parts(first, last);
        Self {
            readings: readings(&format!("{first} {last}"), name.zip(Some(keys))),
            clue,
            in_one: false,
            generation: None,
        }
    }
}

/// The name as it was read, then with two of its words as one.
fn readings(full: &str, own: Option<(PersonName, Option<NameKeys>)>) -> Vec<Reading> {
    let words: Vec<&str> = full.split_whitespace().collect();
    let is_long = words.len() > 2;
    let own = own.map(|(name, keys)| Reading {
        name,
        keys,
        is_joined: false,
        is_loose: is_long,
    });
    let joined = match words.len() {
        2..=MAX_JOINED_WORDS => 1..words.len(),
        _ => 0..0,
    };
    let joined = joined.filter_map(|at| {
        let (before, behind) = words.split_at_checked(at)?;
        let joined = format!("{}{}", before.join(" "), behind.join(" "));
        let is_letter = |word: Option<&&str>| word.is_some_and(|word| word.len() == 1);
        // `o donnell` and `d angelo` are one word.
        let is_elided = matches!(before.last(), Some(&("o" | "d")));
        let takes_initial = before.len() > 1 && is_letter(before.last()) && !is_elided
            || behind.len() > 1 && is_letter(behind.first());
        // Of two words one would be left, with an initial that is lost.
        let is_only_word = words.len() == 2 && words.iter().any(|word| word.len() == 1);
        (!is_only_word).then_some((joined, takes_initial))
    });
    let respaced = respaced(&words).into_iter().map(|text| (text, true));
    let reading = |(text, is_loose): (String, bool)| {
        let name = PersonName::read(&text)?;
        // `karl-ludwig riel` is no `karl` of any family.
        if name.is_given_alone() {
            return None;
        }
        Some(Reading {
            name,
            keys: NameKeys::of(&text),
            is_joined: true,
            is_loose: is_loose || text.split_whitespace().count() > 2,
        })
    };
    let others = joined.chain(respaced).filter_map(reading);
    own.into_iter().chain(others).collect()
}
