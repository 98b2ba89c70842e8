//! Numbers with their bounds ("at least 5", "50 to 200", "8+"), and times ("in the last 3 months", "since June 2026").

use chrono::{Datelike, Days, Months, NaiveDate};

use crate::annotate::Piece;
use crate::lex::Token;
use crate::meaning::Cue;

/// A lower and an upper bound, each with whether it belongs to the range.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Bounds {
    pub(crate) low: Option<(f64, bool)>,
    pub(crate) high: Option<(f64, bool)>,
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

/// Pieces with their tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) pieces: &'a [Piece],
    pub(crate) tokens: &'a [Token],
}

impl<'a> Text<'a> {
    pub(crate) fn piece(&self, at: usize) -> Option<&'a Piece> {
        self.pieces.get(at)
    }

    /// The words of a piece in the singular.
    pub(crate) fn stem(&self, at: usize) -> String {
        self.words(at, |token| token.stem.as_str())
    }

    /// The words of a piece.
    pub(crate) fn said(&self, at: usize) -> String {
        self.words(at, |token| token.text.as_str())
    }

    fn words(&self, at: usize, of: impl Fn(&Token) -> &str) -> String {
        let tokens = self
            .piece(at)
            .and_then(|piece| self.tokens.get(piece.from..piece.to));
        tokens
            .unwrap_or_default()
            .iter()
            .map(of)
            .collect::<Vec<_>>()
            .join(" ")
    }

    pub(crate) fn may_be(&self, at: usize, cue: Cue) -> bool {
        self.piece(at).is_some_and(|piece| piece.may_be(cue))
    }

    pub(crate) fn is_mark(&self, at: usize, mark: char) -> bool {
        self.piece(at).is_some_and(|piece| piece.is_mark(mark))
    }

    /// A number in digits or as a word.
    pub(crate) fn number(&self, at: usize) -> Option<f64> {
        let piece = self.piece(at)?;
        piece.number().or_else(|| number_word(&self.said(at)))
    }

    /// Passes words that say nothing between a subject and its number.
    pub(crate) fn skip(&self, mut at: usize, words: &[&str]) -> usize {
        while words.contains(&self.said(at).as_str()) {
            at += 1;
        }
        at
    }

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
        if self.may_be(start, Cue::Between)
            || self.may_be(start, Cue::From)
            || self.said(start) == "from"
        {
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
        let value = low.bounds.low?.0;
        let said = self.said(low.to);
        let two = format!("{said} {}", self.said(low.to + 1));
        let units = ["people", "employees", "years", "staff", "%", "percent"];
        let behind_unit = units
            .contains(&said.as_str())
            .then(|| format!("{} {}", self.said(low.to + 1), self.said(low.to + 2)));
        let ends = |text: &str, words: &[&str]| words.contains(&text);
        const UP: &[&str] = &[
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
        const DOWN: &[&str] = &[
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
        if self.is_mark(low.to, '+') || said == "+" || said == "plus" {
            found.bounds = Bounds {
                low: Some((value, true)),
                high: None,
            };
            found.is_bare = false;
            found.to += 1;
            // 20%+ and 20+%
            if self.is_mark(found.to, '%') {
                found.is_percent = true;
                found.to += 1;
            }
        } else if ends(&two, UP) || ends(&said, UP) {
            found.bounds = Bounds {
                low: Some((value, true)),
                high: None,
            };
            found.is_bare = false;
            found.to += if ends(&said, UP) { 1 } else { 2 };
        } else if ends(&two, DOWN) || ends(&said, DOWN) {
            found.bounds = Bounds {
                low: None,
                high: Some((value, true)),
            };
            found.is_bare = false;
            found.to += if ends(&said, DOWN) { 1 } else { 2 };
        } else if behind_unit.as_deref().is_some_and(|text| ends(text, UP)) {
            found.bounds = Bounds {
                low: Some((value, true)),
                high: None,
            };
            found.is_bare = false;
        }
        Some(found)
    }

    fn single(&self, at: usize) -> Option<Amount> {
        let mut at = self.skip(at, &["a", "about", "around", "roughly", "approximately"]);
        let mut is_money = false;
        while let Some(piece) = self.piece(at)
            && ["$", "€", "£"]
                .iter()
                .any(|mark| piece.is_mark(mark.chars().next().unwrap_or('$')))
        {
            is_money = true;
            at += 1;
        }
        let mut value = self.number(at)?;
        let mut to = at + 1;
        loop {
            match self.said(to).as_str() {
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

fn number_word(word: &str) -> Option<f64> {
    const WORDS: &[(&str, f64)] = &[
        ("one", 1.0),
        ("two", 2.0),
        ("three", 3.0),
        ("four", 4.0),
        ("five", 5.0),
        ("six", 6.0),
        ("seven", 7.0),
        ("eight", 8.0),
        ("nine", 9.0),
        ("ten", 10.0),
        ("eleven", 11.0),
        ("twelve", 12.0),
        ("fifteen", 15.0),
        ("eighteen", 18.0),
        ("twenty", 20.0),
        ("thirty", 30.0),
        ("forty", 40.0),
        ("fifty", 50.0),
        ("sixty", 60.0),
        ("hundred", 100.0),
        ("thousand", 1_000.0),
    ];
    WORDS
        .iter()
        .find(|(known, _)| *known == word)
        .map(|(_, value)| *value)
}

/// A span of days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Period {
    pub(crate) first: Option<NaiveDate>,
    pub(crate) last: Option<NaiveDate>,
    /// The piece behind it.
    pub(crate) to: usize,
}

impl Text<'_> {
    /// A time, from piece `at` on.
    pub(crate) fn period(&self, from: usize, today: NaiveDate) -> Option<Period> {
        let at = self.skip(
            from,
            &[
                "at", "some", "any", "time", "sometime", "only", "again", "is", "was", ":",
            ],
        );
        if self.may_be(at, Cue::This) {
            return Some(Period {
                first: today.with_month(1)?.with_day(1),
                last: None,
                to: at + 1,
            });
        }
        if self.may_be(at, Cue::Last)
            && let Some((first, to)) = self.window(at + 1, today)
        {
            return Some(Period {
                first: Some(first),
                last: None,
                to,
            });
        }
        if self.may_be(at, Cue::Between)
            && let Some((low, next)) = self.date(at + 1)
            && (self.may_be(next, Cue::And) || self.may_be(next, Cue::To))
            && let Some((high, to)) = self.date(next + 1)
        {
            return Some(Period {
                first: Some(low.0),
                last: Some(high.1),
                to,
            });
        }
        for (cue, is_after, is_inside) in [
            (Cue::Since, true, true),
            (Cue::After, true, false),
            (Cue::Before, false, false),
        ] {
            if self.may_be(at, cue)
                && let Some((date, to)) = self.date(at + 1)
            {
                let said = self.said(at);
                return Some(match (is_after, is_inside) {
                    (true, true) => Period {
                        first: Some(date.0),
                        last: None,
                        to,
                    },
                    (true, false) => Period {
                        first: date.1.succ_opt(),
                        last: None,
                        to,
                    },
                    _ if said == "no later than" => Period {
                        first: None,
                        last: Some(date.1),
                        to,
                    },
                    _ => Period {
                        first: None,
                        last: date.0.pred_opt(),
                        to,
                    },
                });
            }
        }
        let start = if self.may_be(at, Cue::During) || self.may_be(at, Cue::In) {
            self.skip(at + 1, &["the", "year"])
        } else {
            at
        };
        let (date, to) = self.date(start)?;
        if (self.is_mark(to, '–') || self.may_be(to, Cue::To))
            && let Some((high, to)) = self.date(to + 1)
        {
            return Some(Period {
                first: Some(date.0),
                last: Some(high.1),
                to,
            });
        }
        match format!("{} {}", self.said(to), self.said(to + 1)).as_str() {
            "or later" | "and later" | "or after" | "or newer" => {
                return Some(Period {
                    first: Some(date.0),
                    last: None,
                    to: to + 2,
                });
            }
            "or earlier" | "or before" => {
                return Some(Period {
                    first: None,
                    last: Some(date.1),
                    to: to + 2,
                });
            }
            _ => {}
        }
        Some(Period {
            first: Some(date.0),
            last: Some(date.1),
            to,
        })
    }

    /// "3 months", "year": the first day of so long a time up to today.
    fn window(&self, at: usize, today: NaiveDate) -> Option<(NaiveDate, usize)> {
        let (count, at) = self.count(at);
        let unit = self.stem(at);
        let first =
            match unit.as_str() {
                "day" | "d" => today.checked_sub_days(Days::new(count)),
                "week" | "wk" => today.checked_sub_days(Days::new(count.checked_mul(7)?)),
                "month" | "mo" | "mth" | "mon" | "mont" => {
                    today.checked_sub_months(Months::new(u32::try_from(count).ok()?))
                }
                "quarter" => today
                    .checked_sub_months(Months::new(u32::try_from(count).ok()?.checked_mul(3)?)),
                "half year" | "half" => today.checked_sub_months(Months::new(6)),
                "year" | "yr" | "y" => today
                    .checked_sub_months(Months::new(u32::try_from(count).ok()?.checked_mul(12)?)),
                _ => None,
            }?;
        Some((first, at + 1))
    }

    /// A whole number in front of a unit, 1 without one.
    pub(crate) fn count(&self, at: usize) -> (u64, usize) {
        let at = self.skip(at, &["the", "a", "an"]);
        match self.number(at) {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "rounded towards a count, bounded"
            )]
            Some(number) if (0.0..=10_000.0).contains(&number) => (number as u64, at + 1),
            _ => (1, at),
        }
    }

    /// A day, a month or a year: its first and last day.
    fn date(&self, at: usize) -> Option<((NaiveDate, NaiveDate), usize)> {
        let mut at = self.skip(
            at,
            &["the", "year", "of", "start", "beginning", "january 1st"],
        );
        if let Some(day) = self.day(at) {
            return Some(((day.0, day.0), day.1));
        }
        let mut month = None;
        if let Some(found) = month_of(&self.said(at)) {
            month = Some(found);
            at = self.skip(at + 1, &["of", ",", "1st", "1"]);
        }
        let year = self.year(at);
        match (month, year) {
            (Some(month), Some(year)) => {
                let first = NaiveDate::from_ymd_opt(year, month, 1)?;
                let last = first.checked_add_months(Months::new(1))?.pred_opt()?;
                Some(((first, last), at + 1))
            }
            (None, Some(year)) => {
                if self.is_mark(at + 1, '–')
                    && let Some(number) = self.piece(at + 2).and_then(Piece::number)
                    && (1.0..=12.0).contains(&number)
                {
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "between 1 and 12"
                    )]
                    let first = NaiveDate::from_ymd_opt(year, number as u32, 1)?;
                    let last = first.checked_add_months(Months::new(1))?.pred_opt()?;
                    return Some(((first, last), at + 3));
                }
                if self.is_mark(at + 1, '–') {
                    return None;
                }
                let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
                let last = NaiveDate::from_ymd_opt(year, 12, 31)?;
                Some(((first, last), at + 1))
            }
            _ => None,
        }
    }

    /// A day: 2026-02-03, March 15, 2026, 15 March 2026.
    fn day(&self, at: usize) -> Option<(NaiveDate, usize)> {
        let whole = |at: usize| -> Option<u32> {
            let number = self.piece(at)?.number()?;
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 1 and 31"
            )]
            ((1.0..=31.0).contains(&number) && number.fract() == 0.0).then_some(number as u32)
        };
        if let (Some(year), true, Some(month), true, Some(day)) = (
            self.year(at),
            self.is_mark(at + 1, '–'),
            whole(at + 2),
            self.is_mark(at + 3, '–'),
            whole(at + 4),
        ) {
            return Some((NaiveDate::from_ymd_opt(year, month, day)?, at + 5));
        }
        let ordinal = |at: usize| {
            if matches!(self.said(at).as_str(), "st" | "nd" | "rd" | "th" | "of") {
                at + 1
            } else {
                at
            }
        };
        if let (Some(month), Some(day)) = (month_of(&self.said(at)), whole(at + 1)) {
            let next = ordinal(at + 2);
            let next = if self.is_mark(next, ',') {
                next + 1
            } else {
                next
            };
            return Some((
                NaiveDate::from_ymd_opt(self.year(next)?, month, day)?,
                next + 1,
            ));
        }
        let day = whole(at)?;
        let next = ordinal(ordinal(at + 1));
        let month = month_of(&self.said(next))?;
        Some((
            NaiveDate::from_ymd_opt(self.year(next + 1)?, month, day)?,
            next + 2,
        ))
    }

    /// A year of the time in which companies exist.
    pub(crate) fn year(&self, at: usize) -> Option<i32> {
        let number = self.piece(at)?.number()?;
        #[allow(clippy::cast_possible_truncation, reason = "between 1000 and 2100")]
        ((1000.0..=2100.0).contains(&number) && number.fract() == 0.0).then_some(number as i32)
    }
}

fn month_of(word: &str) -> Option<u32> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let at = MONTHS.iter().position(|month| {
        *month == word || (word.len() >= 3 && word.len() <= 4 && month.starts_with(word))
    })?;
    u32::try_from(at + 1).ok()
}

/// Years of founding, from piece `at` on, seen from `today`.
pub(crate) fn founded(text: Text<'_>, from: usize, today: NaiveDate) -> Option<(Bounds, usize)> {
    let at = text.skip(
        from,
        &[
            "in the year",
            "year",
            ":",
            "is",
            "was",
            "were",
            "sometime",
            "back",
            "only",
            "around",
            "the",
        ],
    );
    let this = f64::from(today.year());
    let at_least = |year: f64| Bounds {
        low: Some((year, true)),
        high: None,
    };
    if text.may_be(at, Cue::This) {
        return Some((at_least(this), at + 1));
    }
    if text.may_be(at, Cue::Last) {
        let (count, unit) = text.count(at + 1);
        if matches!(text.stem(unit).as_str(), "year" | "yr" | "y") {
            #[allow(clippy::cast_precision_loss, reason = "at most 10,000")]
            return Some((at_least(this - count as f64), unit + 1));
        }
        if text.stem(unit) == "decade" {
            return Some((at_least(this - 10.0), unit + 1));
        }
        return None;
    }
    let decade_at = if text.may_be(at, Cue::In) || text.may_be(at, Cue::During) {
        text.skip(at + 1, &["the"])
    } else {
        at
    };
    if let Some((first, to)) = decade(text, decade_at) {
        return Some((
            Bounds {
                low: Some((first, true)),
                high: Some((first + 9.0, true)),
            },
            to,
        ));
    }
    if text.may_be(at, Cue::Between) || text.said(at) == "from" {
        let low = text.year(at + 1)?;
        let next = at + 2;
        if (text.may_be(next, Cue::And) || text.may_be(next, Cue::To) || text.is_mark(next, '–'))
            && let Some(high) = text.year(next + 1)
        {
            return Some((years(low, high), next + 2));
        }
        return (text.said(at) == "from").then_some((at_least(f64::from(low)), at + 2));
    }
    for cue in [
        Cue::Since,
        Cue::After,
        Cue::Before,
        Cue::AtLeast,
        Cue::AtMost,
    ] {
        if text.may_be(at, cue)
            && let Some(year) = text.year(text.skip(at + 1, &["the year", "year", "the", "of"]))
        {
            let to = text.skip(at + 1, &["the year", "year", "the", "of"]) + 1;
            let year = f64::from(year);
            let bounds = match cue {
                Cue::Since | Cue::AtLeast => at_least(year),
                Cue::After => Bounds {
                    low: Some((year, false)),
                    high: None,
                },
                Cue::AtMost => Bounds {
                    low: None,
                    high: Some((year, true)),
                },
                _ if text.said(at) == "no later than" => Bounds {
                    low: None,
                    high: Some((year, true)),
                },
                _ => Bounds {
                    low: None,
                    high: Some((year, false)),
                },
            };
            return Some((bounds, to));
        }
    }
    let start = if text.may_be(at, Cue::In) || text.may_be(at, Cue::During) {
        text.skip(at + 1, &["the year", "year", "the"])
    } else {
        at
    };
    let year = text.year(start)?;
    let to = start + 1;
    if (text.is_mark(to, '–') || text.may_be(to, Cue::To))
        && let Some(high) = text.year(to + 1)
    {
        return Some((years(year, high), to + 2));
    }
    let year = f64::from(year);
    if text.is_mark(to, '+') || text.said(to) == "+" {
        return Some((at_least(year), to + 1));
    }
    match format!("{} {}", text.said(to), text.said(to + 1)).as_str() {
        "or later" | "and later" | "or after" | "or newer" | "and after" | "or more" => {
            return Some((at_least(year), to + 2));
        }
        "or earlier" | "or before" | "and earlier" => {
            return Some((
                Bounds {
                    low: None,
                    high: Some((year, true)),
                },
                to + 2,
            ));
        }
        _ => {}
    }
    Some((
        Bounds {
            low: Some((year, true)),
            high: Some((year, true)),
        },
        to,
    ))
}

fn years(a: i32, b: i32) -> Bounds {
    let (low, high) = (f64::from(a.min(b)), f64::from(a.max(b)));
    Bounds {
        low: Some((low, true)),
        high: Some((high, true)),
    }
}

/// "1990s", "90s", "nineties".
fn decade(text: Text<'_>, at: usize) -> Option<(f64, usize)> {
    const WORDS: &[(&str, f64)] = &[
        ("twenties", 1920.0),
        ("thirties", 1930.0),
        ("forties", 1940.0),
        ("fifties", 1950.0),
        ("sixties", 1960.0),
        ("seventies", 1970.0),
        ("eighties", 1980.0),
        ("nineties", 1990.0),
        ("noughties", 2000.0),
    ];
    let said = text.said(at);
    if let Some((_, first)) = WORDS.iter().find(|(word, _)| *word == said) {
        return Some((*first, at + 1));
    }
    let digits = said
        .strip_suffix('s')
        .unwrap_or(&said)
        .trim_end_matches('\'');
    let is_plural = said.ends_with('s') || matches!(text.said(at + 1).as_str(), "s");
    let number: f64 = digits.parse().ok()?;
    if !is_plural || number % 10.0 != 0.0 {
        return None;
    }
    let to = if said.ends_with('s') { at + 1 } else { at + 2 };
    match number {
        n if (1000.0..=2100.0).contains(&n) => Some((n, to)),
        n if (20.0..=90.0).contains(&n) => Some((1900.0 + n, to)),
        _ => None,
    }
}
