//! Companies by their own words and their trade, in whichever language that is told: `исаков логистика`, `isakov logistics`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::spelling::other_spelling;
use crate::{hangul, table, text};

/// The longest phrase of the table: `linee aeree`.
const MAX_PHRASE: usize = 2;

/// The table's words, folded, in English.
static TRADES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let english = told().map(|(english, _)| (english.to_owned(), english));
    let others = told().flat_map(|(english, other)| {
        let spelt = other_spelling(other).map(|spelt| text::fold(&spelt));
        let spellings = std::iter::once(text::fold(other)).chain(spelt);
        spellings.map(move |word| (word, english))
    });
    others.chain(english).collect()
});

/// What may end a word without a space: `배물류`. Folded, the longest first.
static ENDINGS: LazyLock<Vec<String>> =
    LazyLock::new(|| hangul::endings(told().map(|(_, other)| other)));

fn told() -> impl Iterator<Item = (&'static str, &'static str)> {
    table::alternatives(include_str!("../../tables/company_trades.tsv"))
}

/// Whether a folded word tells a trade, in any language.
pub(super) fn is_trade(word: &str) -> bool {
    TRADES.contains_key(word)
}

/// Small words, which one language has where another has none.
const SMALL: [&str; 16] = [
    "and", "da", "de", "del", "des", "di", "do", "du", "e", "et", "la", "of", "the", "und", "van",
    "y",
];

/// A name's own words and its trades, in no order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trades {
    words: Vec<String>,
    trades: Vec<&'static str>,
    /// Whether a trade is told otherwise than by its English word.
    is_translated: bool,
}

impl Trades {
    /// Of folded words; none where they tell no trade, or nothing else.
    pub(super) fn of(words: &[String]) -> Option<Self> {
        let words: Vec<&str> = words
            .iter()
            .flat_map(|word| hangul::parted(word, &ENDINGS))
            .collect();
        let mut read = Self {
            words: Vec::new(),
            trades: Vec::new(),
            is_translated: false,
        };
        let mut rest = words.as_slice();
        while let [word, behind @ ..] = rest {
            let known = (1..=rest.len().min(MAX_PHRASE)).rev().find_map(|length| {
                let (phrase, behind) = rest.split_at_checked(length)?;
                let phrase = phrase.join(" ");
                let trade = *TRADES.get(&phrase)?;
                read.is_translated |= trade != phrase;
                Some((trade, behind))
            });
            rest = if let Some((trade, behind)) = known {
                read.trades.push(trade);
                behind
            } else {
                if !SMALL.contains(word) {
                    read.words.push((*word).to_owned());
                }
                behind
            };
        }
        read.words.sort_unstable();
        read.trades.sort_unstable();
        (!read.words.is_empty() && !read.trades.is_empty()).then_some(read)
    }

    /// Whether both are one name, of which at least one tells its trade in another language. In one language the same words in another
    /// order are another company: `bank of china`, `china bank`.
    pub(super) fn is_translation_of(&self, other: &Self) -> bool {
        (self.is_translated || other.is_translated)
            && self.words == other.words
            && self.trades == other.trades
    }
}
