//! What somebody is by trade, behind the comma after a name: `AMY ROSS, CEO`, `Amy Ross, Realtor`.
//!
//! In capitals or small letters nothing else tells such a word from the given name of `Last, First`; none of the table is one.

use std::sync::LazyLock;

use super::bare::bare;
use crate::table::{self, Words};

static POSTS: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/name_posts.txt")));

/// Abbreviations that are nobody's name, whatever stands before them: `ROSS, CEO`.
const SURE: [&str; 8] = ["ceo", "cfo", "cto", "cmo", "ciso", "chro", "svp", "evp"];
/// What stands before a post: `Managing Director`, `Co-Founder and CEO`.
const BESIDE: [&str; 7] = [
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
    let is_known = |word: &String| POSTS.contains(&*bare(word));
    let is_any = |word: &String| is_sure(word) || is_known(word);
    let all_sure = !words.is_empty() && words.iter().all(is_sure);
    all_sure
        || behind_whole_name
            && words.iter().any(is_any)
            && words
                .iter()
                .all(|word| is_any(word) || BESIDE.contains(&&*bare(word)))
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
            ("Managing", true, false),
            ("Maria CEO", true, false),
            ("Dean", true, false),
        ] {
            assert_eq!(is_post(&words(text), behind_whole_name), expected, "{text}");
        }
    }
}
