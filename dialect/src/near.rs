//! Nearest words, and which words a column can hold at all.

use events_schema::record::FieldType;
use normalize::vocabulary;

use crate::column::Column;

/// The longest word that distances are measured for, in characters; longer ones are cut.
const MAX_CHARS: usize = 64;

/// The closed list of a column's values, where it has one. A build may hold others, too: what no table knew was kept.
#[must_use]
pub const fn closed_values(column: &Column) -> Option<&'static [&'static str]> {
    match column.field.kind {
        FieldType::Enum(values) => Some(values),
        FieldType::Vocabulary(name) => vocabulary_of(name),
        _ => None,
    }
}

const fn vocabulary_of(name: &str) -> Option<&'static [&'static str]> {
    // A `match` on text is not const; on its bytes it is.
    match name.as_bytes() {
        b"seniority_level" => Some(vocabulary::SENIORITY_LEVELS),
        b"job_function" => Some(vocabulary::JOB_FUNCTIONS),
        b"industry" => Some(vocabulary::INDUSTRIES),
        b"size" => Some(vocabulary::COMPANY_SIZES),
        b"type" => Some(vocabulary::COMPANY_TYPES),
        _ => None,
    }
}

/// The candidates that look most like a word, best first, at most `limit`; those that do not look like it are left out.
#[must_use]
pub fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    let word: Vec<char> = word.chars().take(MAX_CHARS).collect();
    let mut found: Vec<((usize, usize), usize, &str)> = candidates
        .into_iter()
        .enumerate()
        .filter_map(|(at, candidate)| Some((distance(&word, candidate)?, at, candidate)))
        .collect();
    found.sort_unstable();
    found.truncate(limit);
    found
        .into_iter()
        .map(|(_, _, candidate)| candidate)
        .collect()
}

/// Twice the edit distance, or 3 where one is a part of the other, then the distance itself; nothing where they have
/// little in common.
fn distance(word: &[char], candidate: &str) -> Option<(usize, usize)> {
    let other: Vec<char> = candidate.chars().take(MAX_CHARS).collect();
    let edits = edits(word, &other);
    if edits <= (word.len().max(other.len()) / 3).max(1) {
        return Some((edits * 2, edits));
    }
    let (short, long) = if word.len() < other.len() {
        (word, other.as_slice())
    } else {
        (other.as_slice(), word)
    };
    let is_part = short.len() >= 3 && long.windows(short.len()).any(|part| part == short);
    is_part.then_some((3, edits))
}

/// Insertions, deletions, replacements and swaps of neighbours.
#[allow(
    clippy::indexing_slicing,
    reason = "three rows of one length, indexed below it"
)]
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_a_swap_and_a_part_are_near() {
        let near = |word| nearest(word, vocabulary::INDUSTRIES.iter().copied(), 1);
        assert_eq!(near("machine"), ["machinery"]);
        assert_eq!(near("bnaking"), ["banking"]);
        assert_eq!(near("aviation"), ["airlines/aviation"]);
        assert!(near("zzzzzz").is_empty());
    }
}
