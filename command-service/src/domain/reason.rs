//! What the reason of a rejection must not hold: it goes into an event, which stays for ever, and the reporter reads it.

use events_schema::report::v1::ReportDetails;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

/// Shorter values stand in words that have nothing to do with them.
const MIN_CHARS: usize = 4;
/// The same of scripts that write no spaces, where a name has few characters.
const MIN_UNSPACED: usize = 2;
/// Words of records that say nothing of anybody: kinds, levels and the like.
const SAY_NOTHING: &[&str] = &[
    "work",
    "personal",
    "professional",
    "current",
    "previous",
    "valid",
    "invalid",
    "verified",
    "unverified",
    "unknown",
    "high",
    "moderate",
    "medium",
    "none",
    "true",
    "false",
    "other",
    "male",
    "female",
    "person",
    "company",
];

/// What of a report stands in `reason`, by the name of its field, or `email` where an e-mail address does. Letters are compared without
/// their case, white space as one space.
#[must_use]
pub fn told_in(reason: &str, details: Option<&ReportDetails>) -> Option<&'static str> {
    let folded = folded(reason);
    let holds = |value: &str| {
        let value = self::folded(value);
        let mut letters = value.chars().filter(|c| !matches!(c, ' ' | '・'));
        let least = match letters.all(is_unspaced) {
            true => MIN_UNSPACED,
            false => MIN_CHARS,
        };
        value.chars().count() >= least
            && !SAY_NOTHING.contains(&value.as_str())
            && stands_in(&value, &folded)
    };
    let of_report = details.and_then(|details| {
        let texts = [
            ("observed_value", &details.observed_value),
            ("correct_value", &details.correct_value),
            ("comment", &details.comment),
        ];
        let stored = details.stored_value.as_ref();
        let mut told = texts
            .into_iter()
            .filter(|(_, text)| text.as_deref().is_some_and(holds));
        told.next().map(|(field, _)| field).or_else(|| {
            stored
                .is_some_and(|value| any_text(value, &holds))
                .then_some("stored_value")
        })
    });
    of_report.or_else(|| folded.split_whitespace().any(is_address).then_some("email"))
}

/// Scripts whose words stand side by side, or with an ending against them: Thai, Chinese, Japanese, Korean.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3005}'..='\u{3007}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}')
}

/// Whether a value stands there as words of its own: `male` does not in `female`.
fn stands_in(value: &str, text: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    text.match_indices(value).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + value.len()..);
        !is_part(before) && !is_part(after.and_then(|after| after.chars().next()))
    })
}

/// Whether one of the values in a list or an object does.
fn any_text(value: &Value, holds: &impl Fn(&str) -> bool) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(number) => holds(&number.to_string()),
        Value::String(text) => holds(text),
        Value::Array(list) => list.iter().any(|value| any_text(value, holds)),
        Value::Object(map) => map.values().any(|value| any_text(value, holds)),
    }
}

fn folded(text: &str) -> String {
    let words = text.split_whitespace().map(str::to_lowercase);
    words.collect::<Vec<_>>().join(" ").nfc().collect()
}

/// Whether a word holds what looks like an address: something on both sides of an `@`, and behind it a dot before letters.
fn is_address(word: &str) -> bool {
    let word = word.replace('＠', "@");
    word.match_indices('@').any(|(at, _)| {
        let (local, host) = word.split_at(at);
        let is_of_host = |c: char| c.is_alphanumeric() || "-.".contains(c);
        let host = host.get(1..).unwrap_or_default();
        let end = host.find(|c| !is_of_host(c)).unwrap_or(host.len());
        let host = host.get(..end).unwrap_or_default().trim_end_matches('.');
        local.ends_with(|c: char| c.is_alphanumeric() || "_-.+\"".contains(c))
            && host
                .rsplit_once('.')
                .is_some_and(|(_, last)| last.chars().any(char::is_alphabetic))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn details() -> ReportDetails {
        ReportDetails {
            observed_value: Some("Director of\nOperations".to_owned()),
            stored_value: Some(
                json!([{"title": {"cleaned": "Straßenbau"}, "since": 1987}, "ab", "Straßenbau Okafor", "José", "田中太郎", "佐々木", "李 明", "work"]),
            ),
            correct_value: Some("CEO".to_owned()),
            comment: Some("she told me so".to_owned()),
        }
    }

    #[test]
    fn a_value_of_the_report_is_found_however_it_is_written() {
        for (reason, told) in [
            ("it is no DIRECTOR  of operations", Some("observed_value")),
            ("She told me so, they say", Some("comment")),
            ("the STRASSENBAU of today", None),
            ("nothing before 1987", Some("stored_value")),
            ("work for Straßenbau Okafor", Some("stored_value")),
            ("she is no codirector of operations", None),
            ("this is Straßenbau", Some("stored_value")),
            ("Jose\u{301} is right", Some("stored_value")),
            ("田中太郎は正しい", Some("stored_value")),
            ("佐々木さんは正しい", Some("stored_value")),
            ("李 明", Some("stored_value")),
            ("it is no work", None),
            ("two companies of one group", None),
            // Of three letters: it stands in many words.
            ("the ceo said no", None),
        ] {
            assert_eq!(told_in(reason, Some(&details())), told, "{reason}");
            assert_eq!(told_in(reason, None), None, "{reason}");
        }
    }

    #[test]
    fn an_address_is_found_whoever_reported_it() {
        for reason in [
            "ask Jane@Example.com.",
            "(mailto:j.d+x@mail.example.org)",
            "ein@bücher.example",
            "mailto:jane@example.com?cc=bob@corp",
            "jane@example.com@",
            "jane＠example.com",
            "\"jane doe\"@example.com",
        ] {
            assert_eq!(told_in(reason, None), Some("email"), "{reason}");
        }
        for reason in [
            "three @ work",
            "see @ example.com",
            "the @name of it",
            "at 3.5",
            "roster@1.2.3",
        ] {
            assert_eq!(told_in(reason, None), None, "{reason}");
        }
    }
}
