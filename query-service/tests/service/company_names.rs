//! Companies by name: what stands beside it, words more and less, first letters, and who is not meant.

use events_schema::record::{Confidence, RecordKind};
use query_service::enrich::choose::Miss;
use serde_json::{Value, json};

use crate::fixture::{Record, company};
use crate::matching::{Matches, enrich};

const MODERATE: Confidence = Confidence::Moderate;
const LOW: Confidence = Confidence::Low;

fn named(number: u128, name: &str) -> Record {
    company(number, json!({"name": {"cleaned": name}}))
}

fn placed(number: u128, name: &str, city: &str, country: &str) -> Record {
    let place = json!([{"city": city, "country_code": country}]);
    company(
        number,
        json!({"name": {"cleaned": name}, "locations": place}),
    )
}

fn ask(records: &[Record], body: Value) -> Result<Matches, Miss> {
    enrich(records, RecordKind::Company, body)
}

fn by_name(records: &[Record], name: &str) -> Option<(u128, Confidence)> {
    match ask(records, json!({ "name": name })) {
        Ok((matches, _)) => matches.first().map(|(number, level, _)| (*number, *level)),
        Err(_) => None,
    }
}

#[test]
fn what_stands_beside_a_name_leads_to_the_company_all_the_same() {
    let records = [
        placed(1, "quillmoss tools", "hamburg", "DE"),
        placed(2, "harrow (freight company)", "boston", "US"),
        placed(3, "brindlecote, formerly ostermarsh", "leeds", "GB"),
    ];
    for (name, number) in [
        ("Quillmoss Tools (Germany)", 1),
        ("Quillmoss Tools (DE) GmbH", 1),
        ("Quillmoss Tools [Head Office]", 1),
        ("Quillmoss Tools - HQ", 1),
        ("Quillmoss Tools GmbH & Co. KG", 1),
        ("Pellucid Forge (now Quillmoss Tools)", 1),
        ("Quillmoss Tools, formerly known as Pellucid Forge", 1),
        ("Harrow", 2),
        ("Brindlecote Ltd", 3),
        ("Ostermarsh", 3),
        ("Ostermarsh (now Brindlecote)", 3),
    ] {
        assert_eq!(by_name(&records, name), Some((number, MODERATE)), "{name}");
    }
    assert_eq!(
        by_name(&records, "Quillmoss Tools (Brazil)"),
        Some((1, LOW))
    );
}

#[test]
fn of_two_the_one_whose_form_or_country_is_given_is_meant() {
    let records = [
        placed(1, "quillmoss group", "london", "GB"),
        placed(2, "quillmoss", "hamburg", "DE"),
        placed(3, "quillmoss holdings", "boston", "US"),
    ];
    assert_eq!(
        by_name(&records, "Quillmoss Holdings (formerly Harrow)"),
        Some((3, MODERATE))
    );
    assert_eq!(by_name(&records, "Quillmoss"), Some((2, MODERATE)));
    let two = [
        placed(1, "harrow", "london", "GB"),
        placed(2, "harrow", "hamburg", "DE"),
    ];
    assert_eq!(by_name(&two, "Harrow (Germany)"), Some((2, MODERATE)));
    assert_eq!(
        by_name(&two, "Harrow (United Kingdom)"),
        Some((1, MODERATE))
    );
    assert_eq!(by_name(&two, "Harrow"), Some((1, LOW)));
}

#[test]
fn words_that_say_nothing_are_told_over() {
    let records = [named(1, "quillmoss"), named(2, "harrow tools services")];
    for (name, number) in [
        ("Quillmoss Services", 1),
        ("Quillmoss Germany", 1),
        ("Quillmoss Solutions North America", 1),
        ("Harrow Tools", 2),
    ] {
        assert_eq!(by_name(&records, name), Some((number, LOW)), "{name}");
    }
}

#[test]
fn a_word_of_a_kind_is_told_over_only_where_nobody_else_is_called_so() {
    let alone = [named(1, "quillmoss metals")];
    assert_eq!(by_name(&alone, "Quillmoss"), Some((1, LOW)));
    let with_sister = [named(1, "quillmoss metals"), named(2, "quillmoss bank")];
    assert_eq!(by_name(&with_sister, "Quillmoss"), None);
    let with_mother = [named(1, "quillmoss"), named(2, "quillmoss metals")];
    assert_eq!(by_name(&with_mother, "Quillmoss"), Some((1, MODERATE)));
    assert_eq!(
        by_name(&with_mother, "Quillmoss Bank"),
        None,
        "a sister that is not there"
    );
}

#[test]
fn a_word_that_makes_another_company_needs_a_context() {
    let records = [placed(1, "quillmoss ostermarsh", "hamburg", "DE")];
    assert_eq!(by_name(&records, "Quillmoss"), None);
    let there = json!({"name": "Quillmoss", "city": "Hamburg"});
    let (matches, _) = ask(&records, there).unwrap();
    assert_eq!(matches, [(1, LOW, "name city".to_owned())]);
    let elsewhere = json!({"name": "Quillmoss", "city": "Boston"});
    assert_eq!(ask(&records, elsewhere), Err(Miss::NoMatch));
}

#[test]
fn what_is_left_must_say_which_company_it_is() {
    let records = [
        named(1, "bank of china"),
        named(2, "university of science"),
        named(3, "international mining"),
    ];
    for name in ["Bank", "China Mining", "University", "International"] {
        assert_eq!(by_name(&records, name), None, "{name}");
    }
}

#[test]
fn three_first_letters_are_too_many_companies() {
    let with_domain = company(
        1,
        json!({"name": {"cleaned": "international business machines"}, "domain": "ibm.com"}),
    );
    assert_eq!(by_name(&[with_domain], "IBM"), Some((1, LOW)));
    let without = named(1, "international business machines");
    assert_eq!(by_name(std::slice::from_ref(&without), "IBM"), None);
    let four = named(2, "quillmoss harrow brindle forge");
    assert_eq!(by_name(&[without, four], "QHBF"), Some((2, LOW)));
    let letters = named(3, "ibm");
    assert_eq!(by_name(&[letters], "International Business Machines"), None);
}

#[test]
fn a_slip_in_a_short_name_is_one_where_it_points_to_one_company() {
    let records = [named(1, "denso"), named(2, "quillmoss")];
    assert_eq!(by_name(&records, "Dneso"), Some((1, LOW)));
    assert_eq!(by_name(&records, "Kenso"), None, "its first letter is kept");
    let near = [named(1, "denso"), named(2, "denyo")];
    assert_eq!(by_name(&near, "Deno"), None, "four letters are another");
    assert_eq!(by_name(&near, "Densoo"), Some((1, LOW)));
}

#[test]
fn the_order_of_the_records_changes_nothing() {
    let names = [
        "quillmoss",
        "quillmoss group",
        "quillmoss metals",
        "quillmoss ostermarsh",
        "harrow",
        "harrow (germany)",
    ];
    let all = || (1..).zip(names).map(|(number, name)| named(number, name));
    let records: Vec<Record> = all().collect();
    let mut turned: Vec<Record> = all().collect();
    turned.reverse();
    for asked in [
        "Quillmoss",
        "Quillmoss Group",
        "Quillmoss Services",
        "Quillmoss Bank",
        "Harrow (Germany)",
        "Harow",
    ] {
        assert_eq!(by_name(&records, asked), by_name(&turned, asked), "{asked}");
    }
}
