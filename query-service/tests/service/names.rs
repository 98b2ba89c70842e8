//! Whose name it is: titles that people are called by, names given in two parts, generations of a family.

use events_schema::record::{Confidence, RecordKind};
use query_service::enrich::choose::Miss;
use serde_json::{Value, json};

use crate::fixture::{Record, person};
use crate::matching::{Matches, enrich};

/// A record with the parts of its name, at Acme Steel in Gary.
fn at_acme(number: u128, [first, last]: [&str; 2], more: Value) -> Record {
    let mut doc = json!({"full_name": format!("{first} {last}"), "first_name": first, "last_name": last,
        "company_name": "acme steel", "city": "gary"});
    for (key, value) in more.as_object().unwrap() {
        doc[key] = value.clone();
    }
    person(number, doc)
}

fn ask(records: &[Record], name: Value) -> Result<Matches, Miss> {
    let mut body = json!({"company": "Acme Steel", "city": "Gary"});
    for (key, value) in name.as_object().unwrap() {
        body[key] = value.clone();
    }
    enrich(records, RecordKind::Person, body)
}

fn level(records: &[Record], name: Value) -> Option<(u128, Confidence)> {
    let (matches, _) = ask(records, name).ok()?;
    matches.first().map(|one| (one.0, one.1))
}

const HIGH: Confidence = Confidence::High;

#[test]
fn somebody_whose_given_name_is_also_a_title_is_asked_for_by_it() {
    for [first, last] in [["earl", "johnson"], ["tuan", "nguyen"], ["don", "smith"]] {
        let records = [at_acme(1, [first, last], json!({}))];
        for name in [
            json!({"full_name": format!("{first} {last}")}),
            json!({"first_name": first, "last_name": last}),
        ] {
            assert_eq!(level(&records, name.clone()), Some((1, HIGH)), "{name}");
        }
    }
    let records = [at_acme(1, ["anh", "nguyen"], json!({}))];
    let tuan = json!({"full_name": "Tuan Nguyen"});
    assert_eq!(ask(&records, tuan), Err(Miss::NoMatch));
}

#[test]
fn a_name_in_two_parts_is_not_guessed_apart_again() {
    let records = [
        at_acme(1, ["maria elena", "cota"], json!({})),
        at_acme(2, ["don", "garcia lopez"], json!({})),
        at_acme(3, ["judge ahmed", "khan"], json!({})),
    ];
    for (first, last, number) in [
        ("Maria Elena", "Cota", 1),
        ("Maria", "Cota", 1),
        ("Don", "Garcia Lopez", 2),
        ("Judge Ahmed", "Khan", 3),
    ] {
        let parts = json!({"first_name": first, "last_name": last});
        let found = level(&records, parts).map(|one| one.0);
        assert_eq!(found, Some(number), "{first} {last}");
    }
    let found = level(&records, json!({"full_name": "Maria Cota"}));
    assert_eq!(found.map(|one| one.0), Some(1));
    // Another man.
    let ahmed = [at_acme(1, ["ahmed", "khan"], json!({}))];
    let judge = json!({"first_name": "Judge", "last_name": "Khan"});
    assert_eq!(ask(&ahmed, judge), Err(Miss::NoMatch));
}

#[test]
fn a_son_is_not_his_father() {
    let home = |suffix: &str| json!({"suffix": suffix, "locations": [{"street_address": "12 main street", "city": "gary"}]});
    let john = ["john", "smith"];
    let senior = || at_acme(1, john, home("sr."));
    let junior = || at_acme(2, john, home("jr."));
    let unknown = || at_acme(3, john, json!({}));
    for name in [
        json!({"full_name": "John Smith Jr.", "address": "12 Main St"}),
        json!({"full_name": "Smith, John, III", "address": "12 Main St"}),
        json!({"first_name": "John", "last_name": "Smith Jr.", "address": "12 Main St"}),
    ] {
        assert_eq!(ask(&[senior()], name.clone()), Err(Miss::NoMatch), "{name}");
    }
    for (name, number) in [
        ("John Smith Jr.", 2),
        ("John Smith II", 2),
        ("John Smith Sr", 1),
    ] {
        let both = [senior(), junior()];
        let name = json!({"full_name": name});
        assert_eq!(level(&both, name.clone()), Some((number, HIGH)), "{name}");
    }
    // What only one of them says tells nothing.
    assert_eq!(
        level(&[unknown()], json!({"full_name": "John Smith Jr."})),
        Some((3, HIGH))
    );
    assert_eq!(
        level(&[senior()], json!({"full_name": "John Smith"})),
        Some((1, HIGH))
    );
    let plain = ask(&[senior(), junior()], json!({"full_name": "John Smith"}));
    assert_eq!(plain, Err(Miss::Ambiguous(2)));
}

#[test]
fn a_given_name_that_is_left_out_is_low_at_most() {
    for (known, asked) in [("james", "Earl James"), ("earl james", "James")] {
        let records = [at_acme(1, [known, "johnson"], json!({}))];
        for name in [
            json!({"full_name": format!("{asked} Johnson")}),
            json!({"first_name": asked, "last_name": "Johnson"}),
        ] {
            let low = Some((1, Confidence::Low));
            assert_eq!(level(&records, name.clone()), low, "{name}");
        }
    }
}

#[test]
fn a_year_that_no_slip_explains_and_a_generation_are_another_bearer_of_the_name() {
    let born = |suffix: Option<&str>, date: &str, year: i32| {
        let home = json!({"suffix": suffix, "birth_date": date, "birth_year": year, "birth_month": 5, "birth_day": 24,
            "locations": [{"street_address": "12 main street", "city": "gary"}]});
        [at_acme(1, ["anthony", "murray"], home)]
    };
    let asked = |date: &str| json!({"full_name": "Anthony Murray", "address": "12 Main St", "birth_date": date});
    let third = born(Some("iii"), "1980-05-24", 1980);
    assert_eq!(ask(&third, asked("1953-05-24")), Err(Miss::NoMatch));
    // A digit, two turned ones, or a year more or less.
    for slip in ["1986-05-24", "1908-05-24", "1981-05-24"] {
        assert!(level(&third, asked(slip)).is_some(), "{slip}");
    }
    // Without a generation it may be one man whose date somebody made up.
    let plain = born(None, "1980-05-24", 1980);
    let found = level(&plain, asked("1953-05-24"));
    assert_eq!(found, Some((1, Confidence::Low)));
}

#[test]
fn a_title_does_not_make_up_for_another_employer() {
    let records = [at_acme(
        1,
        ["rico", "doerr"],
        json!({"company_name": "kraus", "city": "cologne", "job_title": "data scientist"}),
    )];
    let name = json!({"full_name": "Rico Doerr", "job_title": "Data Scientist"});
    assert_eq!(ask(&records, name), Err(Miss::NoMatch));
}

#[test]
fn a_name_in_brackets_may_be_the_one_that_the_record_has() {
    let known = |first, last| [at_acme(1, [first, last], json!({}))];
    for (asked, [first, last]) in [
        ("Kevin (Jianting) Su", ["jianting", "su"]),
        ("Anna Weber (Keller)", ["anna", "keller"]),
        ("Anna (Keller) Weber", ["anna", "keller"]),
        ("Anna Weber (Keller)", ["anna", "weber"]),
    ] {
        let found = level(&known(first, last), json!({"full_name": asked}));
        assert_eq!(found.map(|one| one.0), Some(1), "{asked}");
    }
    let other = known("mary", "okafor");
    let asked = json!({"full_name": "Anna Weber (Keller)"});
    assert_eq!(ask(&other, asked), Err(Miss::NoMatch));
}

#[test]
fn two_who_share_a_middle_name_or_the_first_syllable_are_two() {
    for (asked, [first, last]) in [
        ("Nguyen Van Hieu", ["nguyen minh", "van"]),
        ("Kyu-sang Yi", ["min kyu", "yi"]),
        ("Seo-hyun Pak", ["seo jung", "pak"]),
    ] {
        let records = [at_acme(1, [first, last], json!({}))];
        let found = level(&records, json!({"full_name": asked}));
        assert!(
            found.is_none_or(|one| one.1 == Confidence::Low),
            "{asked}: {found:?}"
        );
    }
}
