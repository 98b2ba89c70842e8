//! Degrees and memberships behind a name: where a degree is, all that is abbreviated behind it is of the same kind.

use super::affixes::{
    Affixes, is_around_names, is_beside_suffix, is_generation, is_known_given, is_listed_suffix,
    is_namelike_suffix, is_suffix, is_title,
};
use super::bare::bare;
use super::shares;
use crate::text;

impl Affixes {
    /// All that stands behind a degree in a place of its own: `LINDA FOX, MD, FACOG`. Who writes a name in capitals or in small
    /// letters gives no other sign that an unknown word is no given name.
    pub(super) fn take_behind_degree(&mut self, segments: &mut Vec<Vec<String>>, whole: usize) {
        let Some((name, behind)) = segments.split_first() else {
            return;
        };
        let own = name.iter().filter(|word| !is_around_names(word)).count();
        let generations = behind
            .iter()
            .take_while(|words| words.iter().all(|word| is_generation(word)))
            .count();
        let is_degree = behind
            .get(generations)
            .is_some_and(|words| is_degree_segment(words));
        let begins_given = whole > 1
            && name
                .first()
                .is_some_and(|word| shares::is_more_given(&text::fold(word)));
        let rest = behind.get(generations + 1..).unwrap_or_default();
        let is_person = rest
            .iter()
            .flatten()
            .any(|word| self.may_be_given(word, begins_given, whole));
        if own >= whole && is_degree && !rest.is_empty() && !is_person {
            self.suffixes.splice(0..0, segments.drain(1..).flatten());
        }
    }

    /// An initial, a given name that is known or, where the letter case tells something, a word that is spelt as one:
    /// `García López, PhD, Xiomara`. Behind `John Smith, Phd` it is none.
    fn may_be_given(&self, word: &str, begins_given: bool, whole: usize) -> bool {
        let is_spelt_as_name = || {
            !self.is_cased() && whole > 1
                || self.is_cased()
                    && !self.is_short_form(word)
                    && word.starts_with(char::is_uppercase)
        };
        let is_initial = bare(word).chars().count() < 2;
        !is_suffix(word)
            && (is_title(word)
                || is_initial
                || is_known_given(word)
                || !begins_given && is_spelt_as_name())
    }

    /// Where the post-nominals of `Emma Clarke BA Hons MXYZ` begin, of which the last are in no table: at a degree behind
    /// `keep` words or more, with nothing but abbreviations after it.
    pub(super) fn post_nominals(&self, words: &[String], keep: usize) -> Option<usize> {
        let first = words
            .iter()
            .rposition(|word| !self.may_be_post_nominal(word))
            .map_or(0, |at| at + 1);
        (first.max(keep)..words.len().saturating_sub(1)).find(|&at| {
            let after = words.get(at + 1);
            words
                .get(at)
                .is_some_and(|word| self.is_degree(word, after.is_some_and(|next| is_hons(next))))
        })
    }

    /// A degree that is no short name, as `Md` is before a family name in capitals. `MEng` is one in this spelling only. A
    /// generation is none: `João Carlos Junior NOGUEIRA`.
    fn is_degree(&self, word: &str, with_honours: bool) -> bool {
        let is_namelike = is_namelike_suffix(word) || is_beside_suffix(word);
        let in_spelling = is_namelike && self.is_short_form(word);
        let is_mixed = word.contains(char::is_lowercase);
        with_honours && (is_listed_suffix(word) || in_spelling)
            || bare(word).chars().count() > 2 && (is_listed_suffix(word) || in_spelling && is_mixed)
    }

    fn may_be_post_nominal(&self, word: &str) -> bool {
        is_suffix(word)
            || is_hons(word)
            || self.is_short_form(word)
                && (is_namelike_suffix(word)
                    || is_beside_suffix(word)
                    || is_unknown_post_nominal(word))
    }
}

/// Where a degree of two words begins at the end of a name, behind `keep` words: `Ph. D.`. Letters are initials without
/// points, and where only one word stands before them: `Rao M. D.`.
pub(super) fn degree_of_two_words(words: &[String], keep: usize) -> Option<usize> {
    let at = words.len().checked_sub(2)?;
    let [first, second] = words.get(at..)? else {
        return None;
    };
    let least = match (&*bare(first), &*bare(second)) {
        ("ph", "d") | ("dipl", "ing") => keep,
        ("m", "d") if first.ends_with('.') => keep.max(2),
        _ => return None,
    };
    (at >= least).then_some(at)
}

/// Nothing but degrees: `MD`, `DO`, `MD PhD`. `Ma` and `Do` are such between commas, where no name stands.
fn is_degree_segment(words: &[String]) -> bool {
    const NAMELIKE: [&str; 6] = ["do", "ma", "ba", "med", "meng", "pa"];
    !words.is_empty()
        && words
            .iter()
            .all(|word| is_listed_suffix(word) || NAMELIKE.contains(&&*bare(word)))
}

/// `MXQZ`, `FInstX`: spelt short, and no family name.
fn is_unknown_post_nominal(word: &str) -> bool {
    is_spelt_short(word) && shares::family(&bare(word)).is_none()
}

/// A few letters as names are not spelt, in capitals or otherwise: without a vowel (`MXQZ`), or with two capitals before a
/// small one (`FInstX`). `NGUEMA` behind a degree is a family name, as French and Portuguese write it.
pub(super) fn is_spelt_short(word: &str) -> bool {
    let letters = || word.chars().filter(|c| *c != '.');
    let is_mixed = letters().any(|c| c.is_ascii_lowercase());
    let longest = if is_mixed { 6 } else { 5 };
    (3..=longest).contains(&letters().count())
        && letters().all(|c| c.is_ascii_alphabetic())
        && if is_mixed {
            letters().take(2).all(|c| c.is_ascii_uppercase())
        } else {
            !letters().any(|c| "AEIOUY".contains(c))
        }
}

/// `BA Hons`, `MA Oxon`: of which kind or whose a degree is.
fn is_hons(word: &str) -> bool {
    const KINDS: [&str; 5] = ["hons", "honours", "oxon", "cantab", "econ"];
    KINDS.contains(&&*bare(word))
}
