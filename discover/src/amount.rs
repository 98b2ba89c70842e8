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

impl Text<'_> {
    pub(crate) fn amount(&self, from: usize) -> Option<Amount> {
        let start = self.skip(
            from,
            &[
                "a", "an", "the", "is", "are", "of", ":", "be", "by", "is in", "has been",
            ],
        );
        let comparison = [
            Cue::AtLeast,
            Cue::AtMost,
            Cue::More,
            Cue::Less,
            Cue::Exactly,
        ]
        .into_iter()
        .find(|cue| self.may_be(start, *cue));
        if let Some(comparison) = comparison {
            let at = self.skip(start + 1, &["a", "an", "the", "of"]);
            let mut number = self.one(at)?;
            number.is_bare = false;
            let value = number.bounds.low?.0;
            let is_over = matches!(comparison, Cue::More | Cue::AtLeast);
            if number.is_range {
                return Some(number);
            }
            number.bounds = match comparison {
                Cue::AtLeast => Bounds {
                    low: Some((value, true)),
                    high: None,
                },
                Cue::More => Bounds {
                    low: Some((value, false)),
                    high: None,
                },
                Cue::AtMost => Bounds {
                    low: None,
                    high: Some((value, true)),
                },
                Cue::Less => Bounds {
                    low: None,
                    high: Some((value, false)),
                },
                _ => number.bounds,
            };
            // at least 4 but no more than 12
            let mut next = number.to;
            next = self.skip(next, &[","]);
            if self.may_be(next, Cue::But) || self.may_be(next, Cue::And) {
                next += 1;
            }
            next = self.skip(next, &[","]);
            let opposite = if is_over {
                [Cue::AtMost, Cue::Less]
            } else {
                [Cue::AtLeast, Cue::More]
            };
            if (next > number.to || self.said(next).starts_with("but "))
                && let Some(cue) = opposite.into_iter().find(|cue| self.may_be(next, *cue))
                && let Some(second) = self.one(next + 1)
                && !second.is_range
                && second.is_percent == number.is_percent
            {
                let value = second.bounds.low?.0;
                match cue {
                    Cue::AtMost => number.bounds.high = Some((value, true)),
                    Cue::Less => number.bounds.high = Some((value, false)),
                    Cue::AtLeast => number.bounds.low = Some((value, true)),
                    _ => number.bounds.low = Some((value, false)),
                }
                number.to = second.to;
            }
            return Some(number);
        }
        if self.may_be(start, Cue::Between) || self.said(start) == "from" {
            let low = self.single(start + 1)?;
            let is_joined = self.may_be(low.to, Cue::And) || self.may_be(low.to, Cue::To);
            if is_joined && let Some(high) = self.single(low.to + 1) {
                return Some(range(low, high));
            }
            if self.may_be(start, Cue::Between) && low.is_range {
                return Some(low);
            }
            return None;
        }
        self.one(start)
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
            match self.said(to).as_str() {
                "dozen" => value *= 12.0,
                "hundred" => value *= 100.0,
                "thousand" => value *= 1_000.0,
                "million" | "mn" | "mm" => {
                    value *= 1_000_000.0;
                    is_money = true;
                }
                "billion" | "bn" | "b" => {
                    value *= 1_000_000_000.0;
                    is_money = true;
                }
                "dollars" | "euros" | "usd" | "eur" | "gbp" | "pounds" | "dollar" | "euro" => {
                    is_money = true
                }
                _ => break,
            }
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
