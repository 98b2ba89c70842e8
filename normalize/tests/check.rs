//! What `/utility/clean` and `/utility/validate` say of one value (`docs/CANON.md`).

use chrono::NaiveDate;
use normalize::check::{self, Cleaned, Field};

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 21).unwrap_or_default()
}

fn suggestion(field: Field, value: &str) -> Option<String> {
    check::clean(field, value, "US")
        .err()
        .and_then(|refusal| refusal.suggestion)
}

fn warnings(field: Field, value: &str) -> Vec<(&'static str, Option<String>)> {
    check::warnings(field, value, "US")
        .into_iter()
        .map(|warning| (warning.text, warning.suggestion))
        .collect()
}

#[test]
fn every_field_is_found_by_its_name() {
    for field in Field::ALL {
        assert_eq!(field.as_str().parse(), Ok(field));
    }
    assert_eq!("nickname".parse::<Field>(), Err(check::UnknownField));
    assert!(!Field::Address.is_cleanable());
    assert!(Field::CLEANABLE.into_iter().all(Field::is_cleanable));
}

#[test]
fn the_example_of_the_docs_is_answered_as_it_says() {
    assert_eq!(
        suggestion(Field::Email, "maya@@example.com").as_deref(),
        Some("maya@example.com")
    );
    assert_eq!(
        warnings(Field::Phone, "+15551234567"),
        [("number is in a range reserved for fiction", None)]
    );
    assert_eq!(
        check::clean(Field::Company, "Northwind Tools Inc.", "US"),
        Ok(Cleaned::Company {
            name: "northwind tools".to_owned(),
            kind: normalize::company::Kind::Name
        })
    );
}

#[test]
fn a_slip_brings_the_value_that_was_meant() {
    for (field, value, meant) in [
        (Field::Email, "maya@example,com", "maya@example.com"),
        (Field::Email, "maya@gmailcom", "maya@gmail.com"),
        (Field::Email, "maya@hotmail", "maya@hotmail.com"),
        (Field::Email, "maya at example.com", "maya@example.com"),
        (Field::Phone, "44 20 7946 0018", "+442079460018"),
        (Field::Phone, "4.42079460018E+11", "+442079460018"),
        (Field::Country, "Untied States", "united states"),
        (Field::Country, "Germny", "germany"),
        (Field::State, "Califronia", "california"),
        (Field::State, "Massachussets", "massachusetts"),
        (Field::Domain, "example,com", "example.com"),
        (Field::Domain, "example..com", "example.com"),
        (Field::BirthDate, "13/02/1990", "1990-02-13"),
        (Field::BirthDate, "12.31.1990", "1990-12-31"),
        (Field::BirthDate, "Feb 3rd, 1990", "1990-02-03"),
        (
            Field::SocialUrl,
            "linkdin.com/in/maya",
            "linkedin.com/in/maya",
        ),
        (
            Field::LinkedinCompanyUrl,
            "linkedin/company/northwind",
            "linkedin.com/company/northwind",
        ),
    ] {
        assert_eq!(suggestion(field, value).as_deref(), Some(meant), "{value}");
        assert!(check::clean(field, meant, "US").is_ok(), "{meant}");
    }
}

#[test]
fn a_guess_between_two_values_is_not_made() {
    for (field, value) in [
        (Field::BirthDate, "03/04/1990"),
        (Field::Country, "qqqqqq"),
        (Field::State, "x"),
        (Field::Domain, "localhost"),
        (Field::Phone, "12345"),
        (Field::Phone, "4.47911E+11"),
        (Field::Phone, "3.12555E9"),
        (Field::SocialUrl, "example.com/maya"),
        (Field::Email, "maya"),
    ] {
        assert_eq!(suggestion(field, value), None, "{value}");
    }
}

#[test]
fn a_doubtful_value_is_read_and_warned_of() {
    for (field, value, text, meant) in [
        (
            Field::Email,
            "maya@gmial.com",
            "host looks like a mistyped mail provider",
            Some("maya@gmail.com"),
        ),
        (
            Field::Email,
            "maya@gmail.con",
            "host looks like a mistyped mail provider",
            Some("maya@gmail.com"),
        ),
        (
            Field::Email,
            "maya@mailinator.com",
            "host gives mailboxes that are thrown away",
            None,
        ),
        (
            Field::Email,
            "info@northwind.io",
            "mailbox of a role, not of a person",
            None,
        ),
        (
            Field::Email,
            "maya@example.com",
            "domain is reserved for examples and tests",
            None,
        ),
        (
            Field::Phone,
            "+442079460018",
            "number is in a range reserved for fiction",
            None,
        ),
        (
            Field::Phone,
            "+12125550142",
            "number is in a range reserved for fiction",
            None,
        ),
        (
            Field::Phone,
            "+12001234567",
            "number is possible but in no assigned range",
            None,
        ),
        (
            Field::FullName,
            "Test User",
            "placeholder, not a person's name",
            None,
        ),
        (
            Field::FirstName,
            "N/A",
            "placeholder, not a person's name",
            None,
        ),
        (
            Field::Company,
            "Self-Employed",
            "placeholder, not a company's name",
            None,
        ),
        (
            Field::Domain,
            "northwind.example",
            "domain is reserved for examples and tests",
            None,
        ),
        (
            Field::State,
            "Limburg",
            "several countries have a state of this name",
            None,
        ),
    ] {
        assert_eq!(
            warnings(field, value),
            [(text, meant.map(str::to_owned))],
            "{value}"
        );
    }
}

#[test]
fn an_ordinary_value_is_not_warned_of() {
    for (field, value) in [
        (Field::Email, "maya.okafor@northwind.io"),
        (Field::Email, "maya@ymail.com"),
        (Field::Email, "maya@mail.com"),
        (Field::Phone, "+12023330123"),
        (Field::FullName, "Maya Okafor"),
        (Field::Company, "Northwind Tools"),
        (Field::Company, "northwind.io"),
        (Field::State, "California"),
        (Field::State, "ON"),
        (Field::Country, "Georgia"),
    ] {
        assert_eq!(warnings(field, value), [], "{value}");
    }
}

#[test]
fn a_birth_date_that_nobody_alive_has_is_refused() {
    for (value, valid) in [
        ("1988-04-09", true),
        ("2026-11-21", true),
        ("2026-11-22", false),
        ("2027", false),
        ("1904", true),
        ("1903-12-31", false),
    ] {
        let verdict = check::validate(Field::BirthDate, value, "US", today());
        assert_eq!(verdict.cleaned.is_ok(), valid, "{value}");
    }
}

#[test]
fn a_birth_date_is_refused_for_what_is_wrong_with_it() {
    const FORM: &str = "expected YYYY, YYYY-MM or YYYY-MM-DD";
    const FUTURE: &str = "date of birth lies in the future";
    const OLD: &str = "date of birth is more than 122 years ago";
    for (value, reason, meant) in [
        ("1988-02-30", "no such day", None),
        ("1988-04-00", "no such day", None),
        ("1988-13", "no such month", None),
        ("2999-01-01", FUTURE, None),
        ("2099-12-31", FUTURE, None),
        ("1849", OLD, None),
        ("1880-01-01", OLD, None),
        ("1990-01-01T25:00:00Z", "no such time of day", None),
        ("1990-01-01 12:60", "no such time of day", None),
        ("1990-01-01T24:01", "no such time of day", None),
        ("88", FORM, None),
        ("13/02/1990", FORM, Some("1990-02-13")),
        ("31/12/2099", FORM, None),
        ("31/12/1880", FORM, None),
    ] {
        let verdict = check::validate(Field::BirthDate, value, "US", today());
        let refusal = verdict.cleaned.err();
        let said = refusal
            .as_ref()
            .map(|refusal| (refusal.reason, refusal.suggestion.as_deref()));
        assert_eq!(said, Some((reason, meant)), "{value}");
    }
    for value in [
        "1990-01-01T23:59:60Z",
        "1990-01-01T24:00:00",
        "1990-01-01T120000Z",
        "1990-01-01T12",
        "1990-01-01 12:00 AM",
        "1990-01-01 9:05:00.123+02:00",
        "1990-01-01 (registered)",
    ] {
        let verdict = check::validate(Field::BirthDate, value, "US", today());
        let date = verdict.cleaned.ok().map(|date| date.text().to_owned());
        assert_eq!(date.as_deref(), Some("1990-01-01"), "{value}");
    }
}
