//! Words that may turn round what a description says of others, wherever they stand: "honchos excluded", "hates honchos".
//!
//! The rules read some of them, and only in front of what they are said of. In doubt nobody is asked: beside one NOT in front of
//! the open words, none of these stands in the whole description, but in what was read.

use super::open::Said;
use crate::account::Account;
use crate::lex::Token;
use crate::read::{Is, Item};

/// Whole words. They negate, limit, compare, make an alternative or a wish of what is said, or say what was.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    // No.
    "no", "not", "non", "never", "nor", "neither", "nobody", "none", "nothing", "nowhere", "nope", "nah", "nil", "zero",
    "0", "cannot", "without", "minus", "sans", "sin", "ohne", "kein", "keine", "nicht", "pas", "negative", "anti", "contra",
    "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "wont", "cant", "shouldnt", "wouldnt", "havent", "hasnt", "aint",
    // All but.
    "but", "save", "saving", "bar", "barring", "barred", "ban", "bans", "banned", "banning", "out", "off", "away", "apart", "aside",
    "besides", "beyond", "outside", "less", "free", "leave", "leaves", "leaving", "left", "skip", "skips", "skipped", "skipping",
    "drop", "drops", "dropped", "dropping", "cut", "lose", "anything", "anyone", "anybody", "everything", "everyone",
    "everybody", "else", "other", "others", "unless", "until", "rid", "block", "blocked", "blocking", "strike", "scrap", "ditch",
    "spare", "spurn", "veto", "deny", "denied", "fail", "fails", "failed", "failing", "lack", "lacks", "lacked", "lacking", "miss",
    "missing", "absent", "shun", "shuns", "shunned", "stop", "unlike", "un", "ex", "nix", "refrain",
    // Hardly.
    "only", "just", "merely", "solely", "necessarily", "hardly", "barely", "scarcely", "rarely", "seldom", "few", "fewer", "fewest",
    "little", "least", "almost", "nearly", "partly", "quasi", "pseudo", "fake", "supposedly", "doubt", "doubtful", "doubtfully",
    // Against.
    "against", "opposite", "opposing", "versus", "vs", "v", "than", "rather", "instead", "contrary", "reverse", "inverse", "unwilling",
    "hate", "hates", "hated", "hating", "loathe", "loathes", "detest", "detests", "despise", "despises", "fear", "fears", "tired",
    "sick", "bad", "wrong", "irrelevant", "useless", "unsuitable", "ineligible", "unneeded", "unnecessary", "unimportant", "taboo",
    // Or.
    "otherwise", "whether", "if", "though", "although", "however", "yet", "despite", "regardless", "notwithstanding",
    "maybe", "perhaps", "possibly", "might", "may", "could", "ideally", "nice", "bonus", "plus", "welcome", "desirable", "desired",
    "optimally", "prefer", "prefers", "preferred", "preferably", "allowed", "ok", "okay", "fine", "considered",
    // Was.
    "former", "formerly", "previous", "previously", "past", "once", "retired", "late", "future", "aspiring", "becoming",
];

/// How such words begin.
const BEGINNINGS: &[&str] = &[
    "exclu",
    "except",
    "omit",
    "omis",
    "avoid",
    "ignor",
    "reject",
    "remov",
    "refus",
    "discard",
    "dismiss",
    "disqualif",
    "disregard",
    "disallow",
    "dislik",
    "eliminat",
    "filter",
    "forbid",
    "forbad",
    "prohibit",
    "oppos",
    "option",
    "alternat",
    "unwant",
    "unwelcom",
    "undesir",
    "uninterest",
    "disinterest",
    "subtract",
    "withhold",
    "withdraw",
    "delet",
    "eras",
    "declin",
    "abstain",
];

/// Marks that say it: of logic, and such as are put before a word.
const MARKS: &[char] = &[
    '¬', '≠', '∉', '∌', '∖', '\\', '✗', '✘', '✖', '❌', '❎', '🚫', '⛔', '👎', '×', '≢',
];
const MARKS_IN_FRONT: &[char] = &['-', '‐', '‑', '–', '—', '−', '!', '~', '^'];

/// What may turn round the words of a description.
#[derive(Debug)]
pub(super) struct Turning {
    /// Places of the NOTs that the rules read.
    nots: Vec<usize>,
    /// Something does that the rules did not read.
    is_unread: bool,
}

impl Turning {
    pub(super) fn of(account: &Account<'_>, items: &[Item]) -> Self {
        let is_not = |item: &Item| item.what.turns();
        let places = items.iter().enumerate();
        let nots = places.filter(|(_, item)| is_not(item)).map(|(at, _)| at);
        let unread = items.iter().enumerate().any(|(at, item)| match item.what {
            // Conditions are read, whatever words they are of, and how "or" ties is looked at by itself.
            Is::Condition(..) | Is::Not | Is::Except | Is::Unwanted | Is::Or | Is::Either => false,
            // "But not" is a NOT, and a comma says nothing of its own.
            Is::But => !items.get(at + 1).is_some_and(is_not) && !is_comma(account, item),
            _ => said(account, item).iter().any(turns),
        });
        Self {
            nots: nots.collect(),
            is_unread: unread || has_mark(account.text),
        }
    }

    /// How the words at a place are said, if by the NOTs in front of them they are `said` so: in doubt that is unclear.
    pub(super) fn judge(&self, said: Said, at: usize) -> Said {
        let is_plain = match (said, self.nots.as_slice()) {
            (Said::Plain, []) => true,
            (Said::Negated, [not]) => *not < at,
            _ => false,
        };
        if is_plain && !self.is_unread {
            said
        } else {
            Said::Unclear
        }
    }
}

/// The tokens of an item.
fn said<'a>(account: &Account<'a>, item: &Item) -> &'a [Token] {
    let view = account.view;
    let tokens = || {
        let first = view.piece(item.from)?.from;
        let last = view.piece(item.to.checked_sub(1)?)?.to;
        view.tokens.get(first..last)
    };
    tokens().unwrap_or_default()
}

fn is_comma(account: &Account<'_>, item: &Item) -> bool {
    matches!(said(account, item), [token] if token.text == ",")
}

fn turns(token: &Token) -> bool {
    let word = token.text.as_str();
    WORDS.contains(&word)
        || word.ends_with("n't")
        || BEGINNINGS
            .iter()
            .any(|beginning| word.starts_with(beginning))
}

fn has_mark(text: &str) -> bool {
    let is_front = |before: Option<char>, behind: Option<char>| {
        before.is_none_or(|c| !c.is_alphanumeric()) && behind.is_some_and(|c| !c.is_whitespace())
    };
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let behind = characters.peek().copied();
        let turns = MARKS.contains(&character)
            || MARKS_IN_FRONT.contains(&character) && is_front(before, behind)
            || matches!(
                (character, behind),
                ('!' | '~', Some('=')) | ('<', Some('>'))
            );
        if turns {
            return true;
        }
        before = Some(character);
    }
    false
}
