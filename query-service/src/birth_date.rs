//! `birth_date` of a request: what the canon cannot read of a date in the right form is told by what is wrong with it.

use normalize::Unreadable;
use normalize::birth_date::{self, BirthDate};

/// Years beyond which the canon reads none; before the next a birth lies in the future, whatever the clock says.
const YEARS: std::ops::RangeInclusive<u32> = 1850..=2100;

/// Reads a date of birth.
///
/// # Errors
/// When it has another form, no such day exists, or nobody alive was born then.
pub(crate) fn clean(text: &str) -> Result<BirthDate, Unreadable> {
    birth_date::clean(text).map_err(|fault| match wrong(text) {
        Some(reason) => Unreadable { reason, ..fault },
        None => fault,
    })
}

/// What is wrong with a date that has the form `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; nothing where it has another one.
pub(crate) fn wrong(text: &str) -> Option<&'static str> {
    let parts: Vec<&str> = text.trim().split(['-', '/', '.']).collect();
    let number = |part: &str, digits: usize| {
        let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (year, rest) = parts.split_first()?;
    let year = number(year, 4)?;
    let rest: Option<Vec<u32>> = rest.iter().map(|part| number(part, 2)).collect();
    if rest?.len() > 2 {
        return None;
    }
    Some(if year > *YEARS.end() {
        "date of birth lies in the future"
    } else if year < *YEARS.start() {
        "date of birth is more than 122 years ago"
    } else {
        "there is no such day in the calendar"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_in_the_right_form_is_told_what_is_wrong_with_it() {
        for (given, said) in [
            ("1990-02-30", "no such day"),
            ("1990-13", "no such day"),
            ("2150", "in the future"),
            ("1790-01-01", "122 years"),
            ("born in may", "expected YYYY"),
            ("30-02-1990", "expected YYYY"),
        ] {
            let reason = clean(given).unwrap_err().reason;
            assert!(reason.contains(said), "{given}: {reason}");
        }
        assert!(clean("1990-02-28").is_ok());
    }
}
