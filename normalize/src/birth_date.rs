//! Birth dates: a year, a year and month, or a full date (contract C2).

use std::fmt;

use chrono::NaiveDate;

use crate::{Unreadable, text};

const INVALID: Unreadable = Unreadable::new("expected YYYY, YYYY-MM or YYYY-MM-DD");
/// The oldest year of birth that a living person's record may hold.
const FIRST_YEAR: i32 = 1850;
/// Far enough ahead that no clock is needed; that a birth lies in the future is for who knows the date.
const LAST_YEAR: i32 = 2100;

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
/// When it has another form or no such day exists.
pub fn clean(date: &str) -> Result<BirthDate, Unreadable> {
    let trimmed = text::trim(date);
    let day_only = trimmed.split(['T', ' ']).next().unwrap_or(trimmed);
    let mut parts = day_only.split(['-', '/', '.']);
    let year = number(parts.next(), 4)?.ok_or(INVALID)?;
    let year = i32::try_from(year).map_err(|_| INVALID)?;
    let month = number(parts.next(), 2)?;
    let day = number(parts.next(), 2)?;
    let known = NaiveDate::from_ymd_opt(year, month.unwrap_or(1), day.unwrap_or(1)).is_some();
    if parts.next().is_some() || !known || !(FIRST_YEAR..=LAST_YEAR).contains(&year) {
        return Err(INVALID);
    }
    Ok(BirthDate { year, month, day })
}

fn number(part: Option<&str>, digits: usize) -> Result<Option<u32>, Unreadable> {
    let Some(part) = part else { return Ok(None) };
    let short = digits == 2 && part.len() == 1;
    if (part.len() != digits && !short) || !part.bytes().all(|b| b.is_ascii_digit()) {
        return Err(INVALID);
    }
    part.parse().map(Some).map_err(|_| INVALID)
}
