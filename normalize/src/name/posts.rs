//! What somebody is by trade, behind the comma after a name: `AMY ROSS, CEO`, `Amy Ross, Realtor`.
//!
//! In capitals or small letters nothing else tells such a word from the given name of `Last, First`; none of the table is one.

use std::sync::LazyLock;

use super::affixes::{Affixes, is_around_names, is_known_given};
use super::bare::bare;
use super::shares;
use crate::table::{self, Words};
use crate::{text, vocabulary};

static POSTS: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/name_posts.txt")));

/// Abbreviations that are nobody's name, whatever stands before them: `ROSS, CEO`.
const SURE: [&str; 8] = ["ceo", "cfo", "cto", "cmo", "ciso", "chro", "svp", "evp"];
/// What stands before a post: `Managing Director`, `Co-Founder and CEO`.
const BESIDE: [&str; 26] = [
    "head",
    "lead",
    "junior",
    "staff",
    "life",
    "registered",
    "global",
    "national",
    "international",
    "real",
    "estate",
    "staatl",
    "vice",
    "chief",
    "deputy",
    "associate",
    "assistant",
    "regional",
    "public",
    "senior",
    "managing",
    "executive",
    "general",
    "licensed",
    "independent",
    "and",
];

/// True for words that name a post and nothing else; behind one word, which may be a family name, for few of them.
pub(super) fn is_post(words: &[String], behind_whole_name: bool) -> bool {
    // With points they are initials: `Rao, S.V.P.`.
    let is_sure = |word: &String| !word.contains('.') && SURE.contains(&&*bare(word));
    // `Founder/CEO`.
    let is_any = |word: &String| {
        is_sure(word)
            || word.split('/').all(|part| {
                POSTS.contains(&*bare(part)) || !part.contains('.') && SURE.contains(&&*bare(part))
            })
    };
    let is_beside =
        |word: &String| is_any(word) || BESIDE.contains(&&*bare(word)) || is_field(word);
    // What stands behind `at` says where: `Director of Sales at Northwind`.
    let place = words
        .iter()
        .position(|word| matches!(&*bare(word), "at" | "of" | "for" | "in"));
    let post = words.get(..place.unwrap_or(words.len())).unwrap_or(words);
    let all_sure = !words.is_empty() && words.iter().all(is_sure);
    all_sure
        || behind_whole_name
            && (post.iter().any(is_any) && post.iter().all(is_beside)
                || is_certificate(words)
                || is_head(words))
}

/// `Head of Marketing`; `Head` is a family name as well.
fn is_head(words: &[String]) -> bool {
    matches!(words, [head, of, _, ..] if &*bare(head) == "head" && &*bare(of) == "of")
}

impl Affixes {
    /// A post in a place of its own behind a whole name, and what stands behind it: `Jane Doe, CEO, Acme Inc.` Before a given name only the
    /// post goes, unless another one stands in front: `García López, CEO, María`. `whole` is how many words a name must have.
    pub(super) fn take_behind_post(&mut self, segments: &mut Vec<Vec<String>>, whole: usize) {
        let mut own = 0;
        let place = segments.iter().enumerate().position(|(at, words)| {
            let is_found = at > 0 && own >= whole && is_post(words, true);
            own += words.iter().filter(|word| !is_around_names(word)).count();
            is_found
        });
        // Behind what stands last there is nothing to take.
        let Some(at) = place.filter(|at| at + 1 < segments.len()) else {
            return;
        };
        let is_given = |words: &Vec<String>| {
            let (first, rest) = (words.first(), words.get(1..).unwrap_or_default());
            first.is_some_and(|word| shares::is_more_given(&text::fold(word)))
                && rest
                    .iter()
                    .all(|word| bare(word).chars().count() < 2 || is_known_given(word))
        };
        let begins_given = segments
            .first()
            .and_then(|name| name.first())
            .is_some_and(|word| shares::is_more_given(&text::fold(word)));
        let is_before_given =
            at == 1 && !begins_given && segments.get(at + 1).is_some_and(is_given);
        self.suffixes.extend(segments.remove(at));
        if !is_before_given {
            segments.truncate(at);
        }
    }
}

/// A field that people work in: `Software`, `Marketing`; `Grant` and `Art` are given names.
fn is_field(word: &str) -> bool {
    !is_known_given(word) && vocabulary::job_function(word).known
}

/// `AWS Certified`, `Lean Six Sigma Black Belt`.
fn is_certificate(words: &[String]) -> bool {
    words.iter().any(|word| &*bare(word) == "certified")
        || words
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if &*bare(a) == "six" && &*bare(b) == "sigma"))
}

#[cfg(test)]
mod tests {
    use super::{POSTS, is_post};
    use crate::name::shares;

    #[test]
    fn no_post_is_a_given_name() {
        for post in POSTS.iter() {
            assert_eq!(shares::given(post), None, "{post}");
        }
    }

    #[test]
    fn a_post_is_told_from_a_given_name() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        for (text, behind_whole_name, expected) in [
            ("CEO", false, true),
            ("S.V.P.", false, false),
            ("Founder CEO", true, true),
            ("Managing Director", true, true),
            ("Realtor", false, false),
            ("Retired", true, true),
            ("CEO at Northwind", true, true),
            ("Vice President of Sales", true, true),
            ("AWS Certified", true, true),
            ("Six Sigma Black Belt", true, true),
            ("Senior Software Engineer", true, true),
            ("VP Marketing", true, true),
            ("Attorney at Law", true, true),
            ("Founder/CEO", true, true),
            ("Founder/Maria", true, false),
            ("Head of Marketing", true, true),
            ("Head Maria", true, false),
            ("Head of", true, false),
            ("Software", true, false),
            ("Grant Engineer", true, false),
            ("Maria of Rome", true, false),
            ("Managing", true, false),
            ("Maria CEO", true, false),
            ("Dean", true, false),
        ] {
            assert_eq!(is_post(&words(text), behind_whole_name), expected, "{text}");
        }
    }
}
