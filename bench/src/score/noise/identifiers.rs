//! E-mails, phones and profiles as others write them.

use super::dice::Dice;

/// Where numbers are written without a country code: region, code, what stands before the number at home.
const NATIONAL: &[(&str, &str, &str)] = &[
    ("US", "+1", ""),
    ("GB", "+44", "0"),
    ("DE", "+49", "0"),
    ("FR", "+33", "0"),
    ("AU", "+61", "0"),
    ("NL", "+31", "0"),
    ("ES", "+34", ""),
    ("SE", "+46", "0"),
    ("CH", "+41", "0"),
    ("IN", "+91", "0"),
    ("JP", "+81", "0"),
    ("PL", "+48", ""),
];

pub(crate) fn email(address: &str, dice: &mut Dice) -> (String, &'static str) {
    let Some((local, host)) = address.split_once('@') else {
        return (address.to_owned(), "as it is");
    };
    match dice.below(7) {
        0 => (format!("{local}+crm-2026@{host}"), "tag"),
        1 => (address.to_uppercase(), "capitals"),
        2 if host == "gmail.com" => (
            format!("{}@googlemail.com", local.replace('.', "")),
            "other host",
        ),
        3 if host == "gmail.com" => (dotted(local) + "@gmail.com", "dots"),
        4 => (format!("<{address}>"), "brackets"),
        5 => (format!("mailto:{address}"), "mailto"),
        6 => (format!("\u{a0}{address}\u{200b} "), "invisible"),
        _ => (address.to_owned(), "as it is"),
    }
}

fn dotted(local: &str) -> String {
    let letters: Vec<String> = local.replace('.', "").chars().map(String::from).collect();
    letters.join(".")
}

/// A number, the region to read it in, and what was done.
pub(crate) fn phone(number: &str, dice: &mut Dice) -> (String, Option<&'static str>, &'static str) {
    let home = NATIONAL
        .iter()
        .find(|(_, code, _)| number.starts_with(code));
    let Some((region, code, trunk)) = home else {
        return (grouped(number, " "), None, "groups");
    };
    let rest = number.strip_prefix(code).unwrap_or(number);
    match dice.below(7) {
        0 => (
            format!("{trunk}{}", grouped(rest, " ")),
            Some(region),
            "national",
        ),
        1 => (
            format!("{trunk}{}", grouped(rest, ".")),
            Some(region),
            "dots",
        ),
        2 => (
            format!("00{} {}", code.trim_start_matches('+'), rest),
            Some("DE"),
            "00",
        ),
        3 => (format!("{code}-{}", grouped(rest, "-")), None, "hyphens"),
        4 => (
            format!("{code} ({trunk}){rest}").replace("()", ""),
            None,
            "trunk in brackets",
        ),
        5 => (format!("{number} ext. 204"), None, "extension"),
        _ => (format!("Tel: {code} {}", grouped(rest, " ")), None, "label"),
    }
}

fn grouped(digits: &str, by: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == 0 && at + 1 < digits.len() {
            out.push_str(by);
        }
        out.push(digit);
    }
    out
}

/// A profile given as `host/path` in lower case.
pub(crate) fn profile(url: &str, dice: &mut Dice) -> (String, &'static str) {
    match dice.below(9) {
        0 => (format!("https://www.{url}/"), "https"),
        1 => (format!("HTTP://WWW.{}", url.to_uppercase()), "capitals"),
        2 => (
            format!("https://{url}?utm_source=share&utm_medium=web"),
            "query",
        ),
        3 => (format!("https://m.{url}"), "mobile"),
        4 if url.starts_with("linkedin.com") => {
            (format!("https://de.{url}/?locale=de_DE"), "language")
        }
        5 if url.starts_with("twitter.com/") => {
            (url.replace("twitter.com/", "https://x.com/@"), "at")
        }
        6 if url.starts_with("twitter.com/") => {
            (format!("https://{url}/status/1770000000000000000"), "post")
        }
        7 => (format!("<https://www.{url}>"), "brackets"),
        _ => (format!(" {url}#top "), "fragment"),
    }
}
