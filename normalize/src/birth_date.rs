//! Birth dates: a year, a year and month, or a full date (`docs/CANON.md`, "birth_date").

use std::fmt;

use chrono::{Datelike as _, NaiveDate};

use crate::{Unreadable, text};

const INVALID: Unreadable = Unreadable::new("expected YYYY, YYYY-MM or YYYY-MM-DD");
const NO_MONTH: Unreadable = Unreadable::new("no such month");
const NO_DAY: Unreadable = Unreadable::new("no such day");
const NO_TIME: Unreadable = Unreadable::new("no such time of day");
/// Said of a birth after the day that counts.
pub const IN_FUTURE: Unreadable = Unreadable::new("date of birth lies in the future");
const TOO_OLD: Unreadable = Unreadable::new("date of birth is more than 122 years ago");
/// The oldest year of birth that a living person's record may hold.
const FIRST_YEAR: i32 = 1850;
/// Far enough ahead that no clock is needed; that a birth lies in the future is for who knows the date.
const LAST_YEAR: i32 = 2100;

/// The longest documented life, in years.
const MAX_AGE_YEARS: i32 = 122;

/// What is known of a birth date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BirthDate {
    /// The year.
    pub year: i32,
    /// 1 to 12.
    pub month: Option<u32>,
    /// 1 to 31; only with a month.
    pub day: Option<u32>,
}

impl BirthDate {
    /// Whether somebody alive `today` can be born then.
    ///
    /// # Errors
    /// When the date lies in the future or further back than anybody has lived.
    pub fn must_be_plausible(&self, today: NaiveDate) -> Result<(), Unreadable> {
        let earliest = (self.year, self.month.unwrap_or(1), self.day.unwrap_or(1));
        if earliest > (today.year(), today.month(), today.day()) {
            return Err(IN_FUTURE);
        }
        if self.year < today.year() - MAX_AGE_YEARS {
            return Err(TOO_OLD);
        }
        Ok(())
    }
}

impl fmt::Display for BirthDate {
    /// `1988`, `1988-04` or `1988-04-09`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in [self.month, self.day].into_iter().flatten() {
            write!(f, "-{part:02}")?;
        }
        Ok(())
    }
}

/// Reads the ISO forms; a time after a full date is dropped, `/` and `.` pass for `-` where the year comes first.
///
/// # Errors
/// When it has another form, no such day or time exists, or it lies too far from the present for any clock.
pub fn clean(date: &str) -> Result<BirthDate, Unreadable> {
    let narrow = text::narrowed(date);
    let trimmed = text::trim(&narrow);
    let (day_only, time) = trimmed.split_once(['T', ' ']).unwrap_or((trimmed, ""));
    let mut parts = day_only.split(['-', '/', '.']);
    let year = number(parts.next(), 4)?.ok_or(INVALID)?;
    let year = i32::try_from(year).map_err(|_| INVALID)?;
    let month = number(parts.next(), 2)?;
    let day = number(parts.next(), 2)?;
    if parts.next().is_some() {
        return Err(INVALID);
    }
    if month.is_some_and(|month| !(1..=12).contains(&month)) {
        return Err(NO_MONTH);
    }
    if NaiveDate::from_ymd_opt(year, month.unwrap_or(1), day.unwrap_or(1)).is_none() {
        return Err(NO_DAY);
    }
    if year > LAST_YEAR {
        return Err(IN_FUTURE);
    }
    if year < FIRST_YEAR {
        return Err(TOO_OLD);
    }
    if !may_be_time(time) {
        return Err(NO_TIME);
    }
    Ok(BirthDate { year, month, day })
}

/// Whether what stands behind a day is no impossible time: `24:00` ends a day, `23:59:60` is a leap second. Words may stand there too.
fn may_be_time(text: &str) -> bool {
    let text = text.trim_start();
    let is_part = |c: char| c.is_ascii_digit() || c == ':';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let clock = text.get(..end).unwrap_or(text);
    let parts: Option<Vec<u32>> = match clock.len() {
        0 => return true,
        // `T120000Z`.
        4 | 6 if !clock.contains(':') => (0..clock.len())
            .step_by(2)
            .map(|at| clock.get(at..at + 2)?.parse().ok())
            .collect(),
        _ => clock.split(':').map(|part| part.parse().ok()).collect(),
    };
    let Some([hour, rest @ ..]) = parts.as_deref() else {
        return false;
    };
    match rest {
        [] | [0] | [0, 0] if *hour == 24 => true,
        [] => *hour < 24,
        [minute] => *hour < 24 && *minute < 60,
        // With thousandths behind another colon, as some databases print them.
        [minute, second] | [minute, second, _] => *hour < 24 && *minute < 60 && *second <= 60,
        _ => false,
    }
}

/// A date written day or month first, where only one order is a date: `13/02/1990`, `12.31.1990`, `13 February 1990`.
///
/// For suggestions: `03/04/1990` is two dates, so nothing is read.
#[must_use]
pub fn in_other_order(date: &str) -> Option<BirthDate> {
    let lower = text::clean(date);
    let parts: Vec<&str> = lower
        .split(['-', '/', '.', ' ', ','])
        .filter(|part| !part.is_empty())
        .collect();
    let [a, b, year] = parts.as_slice() else {
        return None;
    };
    let read = |month: Option<u32>, day: &str| {
        let day = day.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        clean(&format!("{year}-{:02}-{day:0>2}", month?)).ok()
    };
    let number = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() < 3);
    let written = [read(month_name(a), b), read(month_name(b), a)];
    if let Some(found) = written.into_iter().flatten().next() {
        return Some(found);
    }
    match [read(number(a), b), read(number(b), a)] {
        [Some(one), Some(other)] if one != other => None,
        [one, other] => one.or(other),
    }
}

/// 1 to 12 of an English month or its first three letters.
fn month_name(word: &str) -> Option<u32> {
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
    let at = MONTHS
        .iter()
        .position(|month| *month == word || word.len() >= 3 && month.starts_with(word))?;
    u32::try_from(at + 1).ok()
}

fn number(part: Option<&str>, digits: usize) -> Result<Option<u32>, Unreadable> {
    let Some(part) = part else { return Ok(None) };
    let short = digits == 2 && part.len() == 1;
    if (part.len() != digits && !short) || !part.bytes().all(|b| b.is_ascii_digit()) {
        return Err(INVALID);
    }
    part.parse().map(Some).map_err(|_| INVALID)
}
