//! Years, as those of founding: "founded in the 1990s", "since 2015", "in or before 1950", "between 1990 and 2000".

use chrono::{Datelike, NaiveDate};

use crate::amount::Bounds;
use crate::meaning::Cue;
use crate::text::Text;

/// Words in front of a time that say nothing of it.
const IN_FRONT: &[&str] = &[
    "in the year",
    "year",
    ":",
    "is",
    "was",
    "were",
    "sometime",
    "back",
    "only",
    "the",
];

/// Behind a year these make it the first one.
const LATER: &[&str] = &[
    "or later",
    "and later",
    "or after",
    "and after",
    "or afterwards",
    "or afterward",
    "or thereafter",
    "or newer",
    "or younger",
    "or more",
    "or more recently",
    "or onwards",
    "and onwards",
    "and onward",
    "and beyond",
    "onwards",
    "onward",
];
/// Behind a year these make it the last one.
const EARLIER: &[&str] = &[
    "or earlier",
    "and earlier",
    "or before",
    "and before",
    "or older",
];

/// What may lead to one year or one decade, in the order in which it is asked.
const BOUNDS: [Cue; 7] = [
    Cue::Since,
    Cue::After,
    Cue::More,
    Cue::Before,
    Cue::Less,
    Cue::AtLeast,
    Cue::AtMost,
];

/// Years of founding, from piece `at` on, seen from `today`.
pub(crate) fn founded(text: Text<'_>, from: usize, today: NaiveDate) -> Option<(Bounds, usize)> {
    let at = text.skip(from, IN_FRONT);
    let this = f64::from(today.year());
    if text.may_be(at, Cue::This) {
        return Some((at_least(this), at + 1));
    }
    if let Some(found) = this_century(text, at, this) {
        return Some(found);
    }
    if text.may_be(at, Cue::Last) {
        return last_years(text, at, this);
    }
    if let Some(found) = in_decade(text, at) {
        return Some(found);
    }
    if text.may_be(at, Cue::Between) || text.said(at) == "from" {
        return between(text, at);
    }
    inclusive(text, at)
        .or_else(|| bounded(text, at))
        .or_else(|| in_year(text, at))
}

/// "In this century", but not "until this century"
fn this_century(text: Text<'_>, at: usize, this: f64) -> Option<(Bounds, usize)> {
    let century = text.skip(at, &["in", "within", "during"]);
    let is_until = century.checked_sub(1).is_some_and(|before| {
        let said = text.said(before);
        let last = said.rsplit(' ').next().unwrap_or_default();
        matches!(last, "until" | "till" | "to" | "through" | "by")
    });
    let is_said = text.said(century) == "this" && text.stem(century + 1) == "century";
    let first = this - this.rem_euclid(100.0);
    (is_said && !is_until).then(|| (at_least(first), century + 2))
}

/// "In the last 5 years", "in the last decade"
fn last_years(text: Text<'_>, at: usize, this: f64) -> Option<(Bounds, usize)> {
    let (count, unit) = text.count(at + 1);
    let years = match text.stem(unit).as_str() {
        // A count is at most 10,000.
        "year" | "yr" | "y" => count as f64,
        "decade" => 10.0,
        _ => return None,
    };
    Some((at_least(this - years), unit + 1))
}

/// "In the 1990s"
fn in_decade(text: Text<'_>, at: usize) -> Option<(Bounds, usize)> {
    let (first, to) = decade(text, behind_in(text, at, &["the"]))?;
    Some((within(first, first + 9.0), to))
}

/// "Between 1990 and 2000", "from 1990 to 2000", "from 1990"
fn between(text: Text<'_>, at: usize) -> Option<(Bounds, usize)> {
    let low = text.year(at + 1)?;
    let next = at + 2;
    if (text.may_be(next, Cue::And) || text.may_be(next, Cue::To) || text.is_mark(next, '–'))
        && let Some(high) = text.year(next + 1)
    {
        return Some((years(low, high), next + 2));
    }
    let end = behind_bound(text, next, &["onwards", "onward", "and onwards"]);
    (text.said(at) == "from").then(|| (at_least(f64::from(low)), end.unwrap_or(next)))
}

/// "Before the 80s", "after 1990", "since 2015", "no later than 2020"
fn bounded(text: Text<'_>, at: usize) -> Option<(Bounds, usize)> {
    let cue = bound_in_front(text, at)?;
    let (years, to) = decade_behind(text, at).or_else(|| year_behind(text, at))?;
    Some((beyond(cue, years), to))
}

/// "No later than 2020" takes in the year as "at most" does, although it is one of the words for "before".
fn bound_in_front(text: Text<'_>, at: usize) -> Option<Cue> {
    if text.said(at) == "no later than" {
        return Some(Cue::AtMost);
    }
    BOUNDS.into_iter().find(|cue| text.may_be(at, *cue))
}

/// "(Since) the 80s": the first and the last year.
fn decade_behind(text: Text<'_>, at: usize) -> Option<((f64, f64), usize)> {
    let (first, to) = decade(text, text.skip(at + 1, &["the"]))?;
    Some(((first, first + 9.0), to))
}

/// "(Since) the year 2015": the first and the last year, which are one.
fn year_behind(text: Text<'_>, at: usize) -> Option<((f64, f64), usize)> {
    let place = text.skip(at + 1, &["the year", "year", "the", "of"]);
    let year = f64::from(text.year(place)?);
    Some(((year, year), place + 1))
}

/// "In 1990", "1990 to 2000", "2015+", "2015 or later"
fn in_year(text: Text<'_>, at: usize) -> Option<(Bounds, usize)> {
    let start = behind_in(text, at, &["the year", "year", "the"]);
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
    if let Some(end) = behind_bound(text, to, LATER) {
        return Some((at_least(year), end));
    }
    if let Some(end) = behind_bound(text, to, EARLIER) {
        return Some((at_most(year), end));
    }
    Some((within(year, year), to))
}

/// The piece behind one of `words`, but not in "2010 or after 2018", where it is said of the next year.
fn behind_bound(text: Text<'_>, at: usize, words: &[&str]) -> Option<usize> {
    let end = text.said_as(text.skip(at, &[","]), words)?;
    let year = text.skip(end, &["the", "year", "the year"]);
    (text.number(year).is_none() && decade(text, year).is_none()).then_some(end)
}

/// The piece behind "in" or "during" and `passed` words, if it is said.
fn behind_in(text: Text<'_>, at: usize, passed: &[&str]) -> usize {
    if text.may_be(at, Cue::In) || text.may_be(at, Cue::During) {
        text.skip(at + 1, passed)
    } else {
        at
    }
}

const fn at_least(year: f64) -> Bounds {
    Bounds {
        low: Some((year, true)),
        high: None,
    }
}

const fn at_most(year: f64) -> Bounds {
    Bounds {
        low: None,
        high: Some((year, true)),
    }
}

const fn within(first: f64, last: f64) -> Bounds {
    Bounds {
        low: Some((first, true)),
        high: Some((last, true)),
    }
}

/// The years that a cue before them means; the first and the last one that are said, which are one where it is a single year.
fn beyond(cue: Cue, (first, last): (f64, f64)) -> Bounds {
    let (low, high) = match cue {
        Cue::Since | Cue::AtLeast => (Some((first, true)), None),
        Cue::After | Cue::More => (Some((last, false)), None),
        Cue::AtMost => (None, Some((last, true))),
        _ => (None, Some((first, false))),
    };
    Bounds { low, high }
}

/// "In or before 1950", "after or in 1950", "until 1950": the year belongs to it.
fn inclusive(text: Text<'_>, at: usize) -> Option<(Bounds, usize)> {
    let is_in = |at| text.may_be(at, Cue::In) || text.may_be(at, Cue::During);
    let is_up_to = matches!(
        text.said(at).as_str(),
        "until" | "till" | "through" | "up to"
    );
    let (is_before, next) = if is_up_to {
        (true, at + 1)
    } else if text.may_be(at + 1, Cue::Or) && (is_in(at) || text.said(at) == "on") {
        (text.may_be(at + 2, Cue::Before), at + 3)
    } else if text.may_be(at + 1, Cue::Or) && is_in(at + 2) {
        (text.may_be(at, Cue::Before), at + 3)
    } else {
        return None;
    };
    let is_after = || {
        let says_after = |at| text.may_be(at, Cue::After) || text.may_be(at, Cue::Since);
        says_after(at) || says_after(at + 2)
    };
    let year = Some((f64::from(text.year(next)?), true));
    let bounds = match is_before {
        true => Bounds {
            low: None,
            high: year,
        },
        false if is_after() => Bounds {
            low: year,
            high: None,
        },
        false => return None,
    };
    Some((bounds, next + 1))
}

fn years(a: i32, b: i32) -> Bounds {
    let (low, high) = (f64::from(a.min(b)), f64::from(a.max(b)));
    within(low, high)
}

/// "1990s", "90s", "nineties".
pub(crate) fn decade(text: Text<'_>, at: usize) -> Option<(f64, usize)> {
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
    let is_plural = said.ends_with('s') || text.said(at + 1) == "s";
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
