//! Repair of slips in words that nothing else knows.

use std::cmp::Reverse;

use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning};
use crate::vocabulary::vocabulary;
use dialect::ColumnId;

/// Shorter words have too many neighbours.
const SHORTEST: usize = 4;
/// Longer ones are no words.
const LONGEST: usize = 24;
/// From so many letters on two slips are repaired, of a place's name later: "Parisian" is nobody from Pakistan.
const TWO_SLIPS: usize = 7;
const TWO_SLIPS_IN_A_PLACE: usize = 10;

/// Words that turn round what follows them. A slip into one makes a sentence its opposite: `node engineers` are no engineers of `none`.
const TURNING: &[&str] = &[
    "aside",
    "avoid",
    "barring",
    "drop",
    "except",
    "excl",
    "exclude",
    "excluding",
    "ignore",
    "ignoring",
    "lack",
    "lacking",
    "minus",
    "missing",
    "never",
    "nobody",
    "none",
    "nothing",
    "omit",
    "omitting",
    "outside",
    "remove",
    "skip",
    "skipping",
    "without",
];
/// Fewer letters are no slip of one of these.
const SHORTEST_TURNING: usize = 6;

/// Whether a word may be a slip of one that turns round: a long one that begins alike.
fn may_turn(word: &str, known: &str) -> bool {
    let is_long = |word: &str| word.chars().count() >= SHORTEST_TURNING;
    let begins_alike = word.chars().take(2).eq(known.chars().take(2));
    !TURNING.contains(&known) || is_long(word) && is_long(known) && begins_alike
}

/// The word of the vocabulary that an unknown one was meant to be, if there is one and no other is as near: `enginers` is `engineer`.
pub(crate) fn repaired(word: &str) -> Option<String> {
    let unknown = Unknown::of(word)?;
    let lengths = unknown.length.saturating_sub(unknown.most)..=unknown.length + unknown.most;
    let known = vocabulary().words_of(lengths);
    let near: Vec<Near<'_>> = known.filter_map(|known| unknown.near(known)).collect();
    let nearest = near.iter().map(Near::rank).min()?;
    let as_near = || near.iter().filter(|one| one.rank() == nearest);
    // The longer word says more; the order of the words does not decide.
    let best = as_near().max_by_key(|one| (one.known.len(), Reverse(one.known)))?;
    let is_tied = as_near().any(|one| one.known != best.known);
    // Of several at one slip any may be meant; those with two are too many to guess, and so is a word that would be passed over.
    let is_meant = best.slips == 1 || !is_tied && !is_passed_over(best.known);
    is_meant.then(|| best.known.to_owned())
}

/// A word that nothing knows.
struct Unknown<'a> {
    word: &'a str,
    stem: String,
    /// In letters.
    length: usize,
    /// So many slips in it are repaired.
    most: usize,
}

/// A word of the vocabulary that an unknown one may be a slip of.
struct Near<'a> {
    slips: usize,
    /// Whether it begins with another letter, or only the stem is so near: of as many slips another word comes first.
    is_farther: bool,
    known: &'a str,
}

impl Near<'_> {
    fn rank(&self) -> (usize, bool) {
        (self.slips, self.is_farther)
    }
}

impl<'a> Unknown<'a> {
    /// Letters alone, neither too few nor too many.
    fn of(word: &'a str) -> Option<Self> {
        let length = word.chars().count();
        let is_word =
            (SHORTEST..=LONGEST).contains(&length) && word.chars().all(char::is_alphabetic);
        is_word.then(|| Self {
            word,
            stem: crate::lex::stem(word),
            length,
            most: if length >= TWO_SLIPS { 2 } else { 1 },
        })
    }

    /// How near a word of the vocabulary is, if it may have been meant.
    fn near<'k>(&self, known: &'k str) -> Option<Near<'k>> {
        let may_be_meant = known.len() >= SHORTEST
            && may_turn(self.word, known)
            && self.begins_nearly_as(known)
            && !self.is_plural_of_past(known);
        if !may_be_meant {
            return None;
        }
        let (written, by_stem) = self.distances(known);
        let slips = written.into_iter().chain(by_stem).min()?;
        let is_first_other = known.chars().next() != self.word.chars().next();
        // Two slips in a word that begins differently are another word.
        if slips > 1 && (is_first_other || self.is_short_for_place(known)) {
            return None;
        }
        let is_by_stem = self.word.ends_with('s') && written.is_none_or(|written| written > slips);
        Some(Near {
            slips,
            is_farther: is_first_other || is_by_stem,
            known,
        })
    }

    /// Most slips leave the first letter; others lose it, swap it with the second one or replace it: `ngineer`, `negineer`, `wngineer`.
    fn begins_nearly_as(&self, known: &str) -> bool {
        let first = |word: &str| word.bytes().next();
        first(known) == first(self.word)
            || known.as_bytes().get(1).copied() == first(self.word)
            || known
                .get(1..)
                .is_some_and(|rest| self.word.starts_with(rest.get(..2).unwrap_or(rest)))
            || self
                .word
                .get(1..)
                .is_some_and(|rest| rest.starts_with(known.get(1..3).unwrap_or(known)))
    }

    /// No plural ends in "eds".
    fn is_plural_of_past(&self, known: &str) -> bool {
        self.word.ends_with('s') && known.ends_with("ed")
    }

    /// The slips in the word as it is written, and in its stem. In the plural the ending tells more than the stem does; of a slip near
    /// the end the stem does.
    fn distances(&self, known: &str) -> (Option<usize>, Option<usize>) {
        if !self.word.ends_with('s') || known.ends_with('s') {
            return (distance(self.word, known, self.most), None);
        }
        (
            distance(self.word, &format!("{known}s"), self.most),
            distance(&self.stem, known, self.most),
        )
    }

    /// "Parisian" is nobody from Pakistan: whether the word is too short for two slips in the name of a place.
    fn is_short_for_place(&self, known: &str) -> bool {
        let is_place =
            |meaning: &Meaning| matches!(meaning, Meaning::Place(_) | Meaning::Demonym(_));
        self.length < TWO_SLIPS_IN_A_PLACE && vocabulary().means(known, is_place)
    }
}

/// Whether a word asks nothing: read as it, another one would be lost.
fn is_passed_over(known: &str) -> bool {
    let meanings = vocabulary().get(known);
    let asks_nothing = |meaning: &Meaning| {
        matches!(
            meaning,
            Meaning::Word(Cue::Filler | Cue::People | Cue::Companies | Cue::Sector | Cue::In)
        )
    };
    !meanings.is_empty() && meanings.iter().all(asks_nothing)
}

/// The value of a column at one slip from a word.
pub(crate) fn stored_near(word: &str, column: ColumnId, lexicon: &impl Lexicon) -> Option<String> {
    let letters: Vec<char> = word.chars().collect();
    if !(5..=LONGEST).contains(&letters.len()) || !letters.iter().all(char::is_ascii_lowercase) {
        return None;
    }
    // What stands before a slip begins a value, and with a letter that is put there it still does.
    let head = |at: usize| word.get(..at).unwrap_or(word);
    let begins = |start: &str| lexicon.begins(column, start);
    let end = 1
        + (1..=letters.len())
            .take_while(|at| begins(head(*at)))
            .count();
    let heads: Vec<(usize, String)> = (1..end)
        .flat_map(|at| ('a'..='z').map(move |letter| (at, format!("{}{letter}", head(at)))))
        .filter(|(_, head)| begins(head))
        .collect();
    let swapped = (0..end.min(letters.len() - 1)).map(|at| {
        let mut swapped = letters.clone();
        swapped.swap(at, at + 1);
        swapped.into_iter().collect::<String>()
    });
    let without = (0..end.min(letters.len())).map(|at| {
        let mut without = letters.clone();
        without.remove(at);
        without.into_iter().collect::<String>()
    });
    let followed_by = |behind: usize| {
        move |(at, head): &(usize, String)| {
            let rest = word.get(at + behind..)?;
            Some(format!("{head}{rest}"))
        }
    };
    let with = heads.iter().filter_map(followed_by(0));
    let is_slip = |(at, head): &&(usize, String)| may_be_hit(&letters, *at, head);
    let replaced = heads.iter().filter(is_slip).filter_map(followed_by(1));
    swapped
        .chain(with)
        .chain(without)
        .chain(replaced)
        .find(|candidate| candidate != word && lexicon.has(column, candidate))
}

/// Rows of keys.
const KEYS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
/// In words of so many letters another consonant makes another name, unless its key is beside the one that was meant.
const SHORT_NAME: usize = 6;

/// Whether the last letter of `head` may have been meant by the letter at a place: Mersin by "Mersim", but not Manisa by "Manila".
fn may_be_hit(letters: &[char], at: usize, head: &str) -> bool {
    let is_vowel = |letter: char| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    match (letters.get(at), head.chars().last()) {
        (Some(written), Some(meant)) => {
            letters.len() > SHORT_NAME
                || is_vowel(*written)
                || is_vowel(meant)
                || are_beside(*written, meant)
        }
        _ => false,
    }
}

/// Whether the keys of two letters are neighbours.
fn are_beside(one: char, other: char) -> bool {
    let place = |letter: char| {
        let mut rows = KEYS.iter().enumerate();
        rows.find_map(|(row, keys)| Some((row, keys.find(letter)?)))
    };
    match (place(one), place(other)) {
        (Some((row, key)), Some((of_other, other))) => {
            row.abs_diff(of_other) <= 1 && key.abs_diff(other) <= 1
        }
        _ => false,
    }
}

/// Letters of the longest word that is compared, and one.
const ROW: usize = LONGEST + 4;

/// Insertions, deletions, replacements and swaps of neighbours between two words, if not more than `most`.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > most || a.len() >= ROW || b.len() >= ROW {
        return None;
    }
    let at = |row: &[usize; ROW], place: usize| row.get(place).copied().unwrap_or(ROW);
    let (mut before, mut last, mut row) = ([0; ROW], [0; ROW], [0; ROW]);
    for (place, cost) in last.iter_mut().enumerate() {
        *cost = place;
    }
    for (i, x) in a.iter().enumerate() {
        row[0] = i + 1;
        let mut least = row[0];
        for (j, y) in b.iter().enumerate() {
            let mut cost = (at(&last, j + 1) + 1)
                .min(at(&row, j) + 1)
                .min(at(&last, j) + usize::from(x != y));
            let is_swap = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if is_swap {
                cost = cost.min(at(&before, j - 1) + 1);
            }
            if let Some(place) = row.get_mut(j + 1) {
                *place = cost;
            }
            least = least.min(cost);
        }
        if least > most {
            return None;
        }
        before = last;
        last = row;
    }
    Some(at(&last, b.len())).filter(|cost| *cost <= most)
}
