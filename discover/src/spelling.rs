//! Repair of slips in words that nothing else knows.

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

/// The word of the vocabulary that an unknown one was meant to be, if there is one and no other is as near.
pub(crate) fn repaired(word: &str) -> Option<String> {
    let length = word.chars().count();
    if !(SHORTEST..=LONGEST).contains(&length) || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    let most = if length >= TWO_SLIPS { 2 } else { 1 };
    let mut best: Option<(usize, bool, &str)> = None;
    let mut is_tied = false;
    let mut plural = String::new();
    let stem = crate::lex::stem(word);
    for known in vocabulary().words_of(length.saturating_sub(most)..=length + most) {
        if known.len() < SHORTEST || !may_turn(word, known) {
            continue;
        }
        // Most slips leave the first letter, or swap it with the second one.
        let first = |word: &str| word.bytes().next();
        let is_near = first(known) == first(word)
            || known.as_bytes().get(1).copied() == first(word)
            || known
                .get(1..)
                .is_some_and(|rest| word.starts_with(rest.get(..2).unwrap_or(rest)))
            || word
                .get(1..)
                .is_some_and(|rest| rest.starts_with(known.get(1..3).unwrap_or(known)));
        if !is_near {
            continue;
        }
        // No plural ends in "eds".
        if word.ends_with('s') && known.ends_with("ed") {
            continue;
        }
        // In the plural the ending tells more than the stem does; of a slip near the end the stem does.
        let as_plural = word.ends_with('s') && !known.ends_with('s');
        let written = if as_plural {
            plural.clear();
            plural.push_str(known);
            plural.push('s');
            distance(word, &plural, most)
        } else {
            distance(word, known, most)
        };
        let by_stem = if as_plural {
            distance(&stem, known, most)
        } else {
            None
        };
        let Some(slips) = written.into_iter().chain(by_stem).min() else {
            continue;
        };
        let is_first_other = known.chars().next() != word.chars().next();
        let is_place =
            |meaning: &Meaning| matches!(meaning, Meaning::Place(_) | Meaning::Demonym(_));
        if slips > 1 && length < TWO_SLIPS_IN_A_PLACE && vocabulary().means(known, is_place) {
            continue;
        }
        // Two slips in a word that begins differently are another word.
        if is_first_other && slips > 1 {
            continue;
        }
        let found = (
            slips,
            is_first_other || word.ends_with('s') && written.is_none_or(|written| written > slips),
            known,
        );
        match &best {
            Some(before) if (before.0, before.1) < (found.0, found.1) => {}
            Some(before) if (before.0, before.1) == (found.0, found.1) => {
                is_tied |= before.2 != known;
                // The longer word says more; the order of the words does not decide.
                if (before.2.len(), known) < (known.len(), before.2) {
                    best = Some(found);
                }
            }
            _ => {
                is_tied = false;
                best = Some(found);
            }
        }
    }
    let (slips, _, known) = best?;
    // Of several at one slip any may be meant; those with two are too many to guess, and so is a word that would be passed over.
    let is_near = slips == 1 || !is_tied && !is_passed_over(known);
    is_near.then(|| known.to_owned())
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
        heads.iter().filter_map(move |(at, head)| {
            let rest = word.get(at + behind..)?;
            Some(format!("{head}{rest}"))
        })
    };
    let (with, replaced) = (followed_by(0), followed_by(1));
    swapped
        .chain(with)
        .chain(without)
        .chain(replaced)
        .find(|candidate| candidate != word && lexicon.has(column, candidate))
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
