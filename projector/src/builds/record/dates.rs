//! Dates of which a part may be unknown: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`.

use chrono::{Datelike, Months, NaiveDate};
use normalize::birth_date::{self, BirthDate};

/// Months since year 0.
pub(super) type MonthIndex = i64;

/// The last day that the text can mean; a month means its last day.
#[must_use]
pub fn newest_day(text: &str) -> Option<NaiveDate> {
    let date = birth_date::clean(text).ok()?;
    let month = date.month.unwrap_or(12);
    match date.day {
        Some(day) => NaiveDate::from_ymd_opt(date.year, month, day),
        None => NaiveDate::from_ymd_opt(date.year, month, 1)?
            .checked_add_months(Months::new(1))?
            .pred_opt(),
    }
}

/// Whether a date lies in the future for everybody: where `today` is counted in UTC, others may be a day ahead.
#[must_use]
pub fn is_ahead(text: &str, today: NaiveDate) -> bool {
    birth_date::clean(text).is_ok_and(|date| {
        let (month, day) = (date.month.unwrap_or(1), date.day.unwrap_or(1));
        let first = NaiveDate::from_ymd_opt(date.year, month, day);
        let tomorrow = today.succ_opt().unwrap_or(today);
        first.is_some_and(|first| first > tomorrow)
    })
}

/// Whether a date lies within so many months before the reference date, or after it.
pub(super) fn is_within(text: Option<&str>, months: u32, reference: NaiveDate) -> bool {
    let from = reference.checked_sub_months(Months::new(months));
    text.and_then(newest_day)
        .is_some_and(|day| from.is_none_or(|from| day >= from))
}

/// The month in which something began; a year alone means its January.
pub(super) fn first_month(text: &str) -> Option<MonthIndex> {
    let date = birth_date::clean(text).ok()?;
    Some(index(date.year, date.month.unwrap_or(1)))
}

/// The month in which something ended; a year alone means its December.
pub(super) fn last_month(text: &str) -> Option<MonthIndex> {
    let date = birth_date::clean(text).ok()?;
    Some(index(date.year, date.month.unwrap_or(12)))
}

/// The month of the reference date.
pub(super) fn month_of(reference: NaiveDate) -> MonthIndex {
    index(reference.year(), reference.month())
}

/// Whole years from a birth to the reference date; unknown parts count as reached.
pub(super) fn age(birth: BirthDate, reference: NaiveDate) -> Option<i64> {
    let born = (birth.month.unwrap_or(1), birth.day.unwrap_or(1));
    let is_before_birthday = (reference.month(), reference.day()) < born;
    let years = i64::from(reference.year()) - i64::from(birth.year) - i64::from(is_before_birthday);
    (years >= 0).then_some(years)
}

fn index(year: i32, month: u32) -> MonthIndex {
    i64::from(year) * 12 + i64::from(month) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_month_means_its_last_day() {
        assert_eq!(newest_day("2026-02"), Some(day("2026-02-28")));
        assert_eq!(newest_day("2026-10-02"), Some(day("2026-10-02")));
        assert_eq!(newest_day("2025"), Some(day("2025-12-31")));
        assert_eq!(newest_day("soon"), None);
    }

    #[test]
    fn what_is_ahead_of_today_is_so_for_everybody() {
        for (text, ahead) in [
            ("2026-10-04", true),
            ("2026-10-03", false),
            ("2026-10", false),
            ("2026-11", true),
            ("2026", false),
            ("2027", true),
            ("soon", false),
        ] {
            assert_eq!(is_ahead(text, day("2026-10-02")), ahead, "{text}");
        }
    }

    #[test]
    fn an_age_counts_whole_years_at_the_reference_date() {
        let age_of = |birth| age(birth_date::clean(birth).unwrap(), day("2026-10-02"));
        assert_eq!(age_of("1988-04"), Some(38));
        assert_eq!(age_of("1988-10-02"), Some(38));
        assert_eq!(age_of("1988-10-03"), Some(37));
        assert_eq!(age_of("1988"), Some(38));
        assert_eq!(age_of("2027"), None);
    }

    #[test]
    fn twelve_months_before_the_reference_date_still_count() {
        assert!(is_within(Some("2025-10-02"), 12, day("2026-10-02")));
        assert!(!is_within(Some("2025-10-01"), 12, day("2026-10-02")));
        assert!(!is_within(None, 12, day("2026-10-02")));
    }
}
