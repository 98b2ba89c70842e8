//! Numbers with their bounds: "at least 5", "50 to 200", "8+".

use crate::meaning::Cue;
use crate::text::Text;

/// A lower and an upper bound, each with whether it belongs to the range.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Bounds {
    pub(crate) low: Option<(f64, bool)>,
    pub(crate) high: Option<(f64, bool)>,
}

/// Marks of a currency.
pub(crate) const MONEY: [char; 3] = ['$', '€', '£'];

/// What makes a number behind which it stands the least one.
pub(crate) const UP: &[&str] = &[
    "or more",
    "and more",
    "or above",
    "and above",
    "or higher",
    "and up",
    "or over",
    "and over",
    "or greater",
    "or later",
    "and later",
    "or longer",
    "or newer",
    "or upwards",
];
/// What makes it the greatest one.
pub(crate) const DOWN: &[&str] = &[
    "or less",
    "or fewer",
    "or under",
    "or below",
    "and under",
    "and below",
    "or earlier",
    "or smaller",
    "and earlier",
    "or lower",
];

impl Bounds {
    /// From the lower bound on.
    pub(crate) const fn open_above(self) -> Self {
        Self {
            low: self.low,
            high: None,
        }
    }

    /// Up to the upper bound.
    pub(crate) const fn open_below(self) -> Self {
        Self {
            low: None,
            high: self.high,
        }
    }
}

/// A number or a range as it is said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Amount {
    pub(crate) bounds: Bounds,
    pub(crate) is_percent: bool,
    pub(crate) is_money: bool,
    /// Said as a range of two ends.
    pub(crate) is_range: bool,
    /// Said without "over", "at least" and the like.
    pub(crate) is_bare: bool,
    /// The piece behind it.
    pub(crate) to: usize,
}

/// Words in front of an amount that say nothing of it.
const IN_FRONT: &[&str] = &[
    "a", "an", "the", "is", "are", "of", ":", "be", "by", "is in", "has been",
];

/// What compares with the number behind it, in the order in which it is asked.
const COMPARISONS: [Cue; 5] = [
    Cue::AtLeast,
    Cue::AtMost,
    Cue::More,
    Cue::Less,
    Cue::Exactly,
];

impl Text<'_> {
    /// A number with its bounds (docs/DISCOVER.md, R6): "over 200", "50 to 200", "between 5 and 10", "8+".
    pub(crate) fn amount(&self, from: usize) -> Option<Amount> {
        let start = self.skip(from, IN_FRONT);
        let compares = |cue: &Cue| self.may_be(start, *cue);
        if let Some(comparison) = COMPARISONS.into_iter().find(compares) {
            return self.compared(start, comparison);
        }
        if self.may_be(start, Cue::Between) || self.said(start) == "from" {
            return self.between_ends(start);
        }
        self.one(start)
    }

    /// "Over 200", "exactly 5", "at least 4 but no more than 12".
    fn compared(&self, at: usize, comparison: Cue) -> Option<Amount> {
        let mut number = self.one(self.skip(at + 1, &["a", "an", "the", "of"]))?;
        number.is_bare = false;
        let (value, _) = number.bounds.low?;
        if number.is_range {
            return Some(number);
        }
        if comparison != Cue::Exactly {
            number.bounds = beyond(comparison, value);
        }
        if let Some((further, second)) = self.opposite(number, comparison) {
            let (value, _) = second.bounds.low?;
            let end = beyond(further, value);
            number.bounds = Bounds {
                low: end.low.or(number.bounds.low),
                high: end.high.or(number.bounds.high),
            };
            number.to = second.to;
        }
        Some(number)
    }

    /// "(At least 4) but no more than 12": the comparison that bounds a number on its other side, and its number.
    fn opposite(&self, first: Amount, comparison: Cue) -> Option<(Cue, Amount)> {
        let join = self.skip(first.to, &[","]);
        let joins = self.may_be(join, Cue::But) || self.may_be(join, Cue::And);
        let next = self.skip(join + usize::from(joins), &[","]);
        let is_joined = next > first.to || self.said(next).starts_with("but ");
        let opposite = match comparison {
            Cue::More | Cue::AtLeast => [Cue::AtMost, Cue::Less],
            _ => [Cue::AtLeast, Cue::More],
        };
        let further = opposite.into_iter().find(|cue| self.may_be(next, *cue))?;
        let second = self.one(next + 1)?;
        let is_alike = !second.is_range && second.is_percent == first.is_percent;
        (is_joined && is_alike).then_some((further, second))
    }

    /// "Between 5 and 10", "from 50 to 200".
    fn between_ends(&self, at: usize) -> Option<Amount> {
        let low = self.single(at + 1)?;
        let is_joined = self.may_be(low.to, Cue::And) || self.may_be(low.to, Cue::To);
        let high = self.single(low.to + 1).filter(|_| is_joined)?;
        Some(range(low, high))
    }

    /// A number, or a range without a word in front.
    fn one(&self, at: usize) -> Option<Amount> {
        let low = self.single(at)?;
        let is_range = self.is_mark(low.to, '–') || self.may_be(low.to, Cue::To);
        if is_range && let Some(high) = self.single(low.to + 1) {
            return Some(range(low, high));
        }
        let mut found = low;
        let is_plus =
            self.is_mark(low.to, '+') || matches!(self.said(low.to).as_str(), "+" | "plus");
        if is_plus {
            found.bounds = low.bounds.open_above();
            found.to += 1;
            // 20%+ and 20+%
            if self.is_mark(found.to, '%') {
                found.is_percent = true;
                found.to += 1;
            }
        } else if let Some(to) = self.bound_behind(low.to, UP) {
            found.bounds = low.bounds.open_above();
            found.to = to;
        } else if let Some(to) = self.bound_behind(low.to, DOWN) {
            found.bounds = low.bounds.open_below();
            found.to = to;
        }
        found.is_bare = found.to == low.to;
        Some(found)
    }

    /// "or over", but not in "under 50 or over 5,000", where it is said of the next number.
    pub(crate) fn bound_behind(&self, at: usize, words: &[&str]) -> Option<usize> {
        self.said_as(at, words)
            .filter(|to| self.number(*to).is_none())
    }

    /// One number with its scale and unit: "5 thousand", "$2 million", "30%".
    fn single(&self, at: usize) -> Option<Amount> {
        let mut at = self.skip(at, &["a", "about", "around", "roughly", "approximately"]);
        let mut is_money = false;
        while let Some(piece) = self.piece(at)
            && MONEY.iter().any(|mark| piece.is_mark(*mark))
        {
            is_money = true;
            at += 1;
        }
        let mut value = self.number(at)?;
        let mut to = at + 1;
        loop {
            let word = self.said(to);
            let times = times(&word);
            if times.is_none() && !says_money(&word) {
                break;
            }
            value *= times.unwrap_or(1.0);
            is_money |= says_money(&word);
            to += 1;
        }
        let is_percent = self.is_mark(to, '%')
            || matches!(
                self.said(to).as_str(),
                "percent" | "pct" | "per cent" | "percnt"
            );
        if is_percent {
            to += 1;
        }
        let bound = Some((value, true));
        Some(Amount {
            bounds: Bounds {
                low: bound,
                high: bound,
            },
            is_percent,
            is_money,
            is_range: false,
            is_bare: true,
            to,
        })
    }
}

/// "(Two) hundred": how many times its number a word says.
fn times(word: &str) -> Option<f64> {
    match word {
        "dozen" => Some(12.0),
        "hundred" => Some(100.0),
        "thousand" => Some(1_000.0),
        "million" | "mn" | "mm" => Some(1_000_000.0),
        "billion" | "bn" | "b" => Some(1_000_000_000.0),
        _ => None,
    }
}

/// "(5) euros"; so many that they are millions are said of money, too.
fn says_money(word: &str) -> bool {
    matches!(
        word,
        "million"
            | "mn"
            | "mm"
            | "billion"
            | "bn"
            | "b"
            | "dollars"
            | "euros"
            | "usd"
            | "eur"
            | "gbp"
            | "pounds"
            | "dollar"
            | "euro"
    )
}

/// What a comparison with a number leaves of all numbers: "over 5", "at least 5", "up to 5", "under 5".
const fn beyond(comparison: Cue, number: f64) -> Bounds {
    let (low, high) = match comparison {
        Cue::AtLeast => (Some((number, true)), None),
        Cue::More => (Some((number, false)), None),
        Cue::AtMost => (None, Some((number, true))),
        _ => (None, Some((number, false))),
    };
    Bounds { low, high }
}

fn range(low: Amount, high: Amount) -> Amount {
    let (a, b) = (low.bounds.low, high.bounds.low);
    let (a, b) = if a.zip(b).is_some_and(|(a, b)| a.0 > b.0) {
        (b, a)
    } else {
        (a, b)
    };
    Amount {
        bounds: Bounds { low: a, high: b },
        is_percent: low.is_percent || high.is_percent,
        is_money: low.is_money || high.is_money,
        is_range: true,
        is_bare: false,
        to: high.to,
    }
}
