//! How far an input may be from the record and still mean it, and what tells namesakes apart.

use events_schema::record::{Confidence, RecordKind};
use query_service::enrich::choose::Miss;
use serde_json::{Value, json};

use crate::fixture::{Record, company, person};
use crate::matching::{Matches, enrich};

const MODERATE: Confidence = Confidence::Moderate;
const LOW: Confidence = Confidence::Low;

fn named(number: u128, name: &str, more: Value) -> Record {
    let (first, last) = name.rsplit_once(' ').unwrap();
    let mut doc = json!({"full_name": name, "first_name": first, "last_name": last});
    for (key, value) in more.as_object().unwrap() {
        doc[key] = value.clone();
    }
    person(number, doc)
}

fn ask(records: &[Record], body: Value) -> Result<Matches, Miss> {
    enrich(records, RecordKind::Person, body)
}

fn ask_company(records: &[Record], body: Value) -> Result<Matches, Miss> {
    enrich(records, RecordKind::Company, body)
}

fn numbers(answer: Result<Matches, Miss>) -> Vec<(u128, Confidence)> {
    let matches = answer.map(|(matches, _)| matches).unwrap_or_default();
    matches
        .into_iter()
        .map(|(number, level, _)| (number, level))
        .collect()
}

/// One match, of this number.
fn is_likely(found: &[(u128, Confidence)], number: u128) -> bool {
    matches!(found, [(one, _)] if *one == number)
}

#[test]
fn a_company_given_by_its_domain_is_an_employer_known_by_name_and_the_other_way_round() {
    let by_name = named(1, "maya okafor", json!({"company_name": "northwind tools"}));
    let by_domain = named(
        2,
        "tomas lindqvist",
        json!({"company_domain": "northwind-tools.example"}),
    );
    let records = [by_name, by_domain];
    for (name, company, number) in [
        (
            "Maya Okafor",
            "https://www.northwind-tools.example/about",
            1,
        ),
        ("Maya Okafor", "Northwind Tools LLC", 1),
        ("Tomas Lindqvist", "Northwind Tools", 2),
        ("Tomas Lindqvist", "northwind-tools.example", 2),
    ] {
        let found = ask(&records, json!({"full_name": name, "company": company}));
        assert!(is_likely(&numbers(found), number), "{name} {company}");
    }
}

#[test]
fn an_employer_given_by_its_linkedin_page_is_that_employer() {
    let at = |number, company: Value| named(number, "john smith", company);
    let page = "https://www.linkedin.com/company/northwind-tools/";
    let body = json!({"full_name": "John Smith", "company": page});
    for company in [
        json!({"company_name": "nwt", "company_linkedin_url": "linkedin.com/company/northwind-tools"}),
        json!({"company_name": "nwt", "company_linkedin_url": "linkedin.com/school/northwind-tools"}),
        json!({"company_name": "northwind tools"}),
    ] {
        let records = [
            at(1, company.clone()),
            at(2, json!({"company_domain": "linkedin.com"})),
        ];
        assert!(
            is_likely(&numbers(ask(&records, body.clone())), 1),
            "{company}"
        );
    }
    let mail =
        json!([{"address": "john@northwind.example", "current": true, "confidence": "high"}]);
    let john = at(
        1,
        json!({"emails": mail, "company_name": "northwind tools"}),
    );
    for company in [
        "gmail.com",
        "https://twitter.com/northwind",
        "instagram.com/northwind",
    ] {
        let body = json!({"email": "john@northwind.example", "company": company});
        let found = numbers(ask(std::slice::from_ref(&john), body));
        assert_eq!(found, [(1, Confidence::High)], "{company}");
        let gmail = at(
            2,
            json!({"company_domain": "gmail.com", "company_name": "twitter"}),
        );
        let body = json!({"full_name": "John Smith", "company": company});
        assert_eq!(ask(&[gmail], body), Err(Miss::NoMatch), "{company}");
    }
}

#[test]
fn a_short_name_of_an_employer_or_a_school_lets_a_rare_name_carry_it() {
    let school = |name: &str| json!({"education": [{"organization": {"name": {"cleaned": name}}}]});
    for (more, field, value) in [
        (
            json!({"company_name": "deloitte consulting"}),
            "company",
            "Deloitte",
        ),
        (
            json!({"company_name": "deloitte"}),
            "company",
            "Deloitte Consulting LLP",
        ),
        (school("quillmoss university"), "school", "Quillmoss"),
    ] {
        let of = |name: &str| {
            let records = [named(1, name, more.clone())];
            numbers(ask(&records, json!({"full_name": name, field: value})))
        };
        assert!(is_likely(&of("maya okafor"), 1), "{value}");
        assert!(of("john smith").is_empty(), "{value}");
    }
    let records = [named(1, "maya okafor", school("university of chicago"))];
    let body = json!({"full_name": "Maya Okafor", "school": "University"});
    assert_eq!(ask(&records, body), Err(Miss::NoMatch));
}

#[test]
fn an_employer_is_meant_by_its_short_forms_first_letters_and_with_a_slip() {
    let records = [
        named(
            1,
            "maya okafor",
            json!({"company_name": "united states senate"}),
        ),
        named(
            2,
            "tomas lindqvist",
            json!({"company_name": "international business machines"}),
        ),
    ];
    for (name, company, number) in [
        ("maya okafor", "US Senate", 1),
        ("maya okafor", "U.S. Senate", 1),
        ("maya okafor", "united states senaet", 1),
        ("tomas lindqvist", "IBM", 2),
        ("tomas lindqvist", "Intl. Business Machines Corp.", 2),
    ] {
        let found = ask(&records, json!({"full_name": name, "company": company}));
        assert!(is_likely(&numbers(found), number), "{company}");
    }
}

#[test]
fn a_slip_counts_as_far_as_what_stands_beside_it_and_only_where_it_points_to_one_person() {
    let northwind = || json!({"company_name": "northwind tools", "city": "chicago"});
    let records = [named(1, "maya lindqvist", northwind())];
    for body in [
        json!({"full_name": "Maya Lindqvits", "company": "Northwind Tools"}),
        json!({"full_name": "Maya Lindqvits", "company": "Northwnid Tools"}),
        json!({"full_name": "Maya Lindqvits", "company": "Northwind Tools", "city": "Chicago"}),
    ] {
        let found = ask(&records, body.clone());
        assert!(is_likely(&numbers(found), 1), "{body}");
    }
    let both = [
        named(1, "maya lindqvist", northwind()),
        named(2, "maya lindqvitz", northwind()),
    ];
    let slip = json!({"full_name": "Maya Lindqvits", "company": "Northwind Tools"});
    assert_eq!(ask(&both, slip), Err(Miss::Ambiguous(2)));
}

#[test]
fn what_one_name_says_is_not_outweighed_by_what_its_family_shares() {
    let records = [named(
        1,
        "maya lindqvist",
        json!({"company_name": "northwind tools", "city": "chicago", "birth_date": "1988-04-09",
            "birth_year": 1988, "birth_month": 4, "birth_day": 9}),
    )];
    let brother =
        json!({"full_name": "Tomas Lindqvist", "company": "Northwind Tools", "city": "Chicago"});
    assert_eq!(ask(&records, brother), Err(Miss::NoMatch));
    let married = json!({"full_name": "Maya Okafor", "company": "Northwind Tools", "birth_date": "1988-04-09"});
    assert!(is_likely(&numbers(ask(&records, married)), 1));
    let colleague =
        json!({"full_name": "Maya Okafor", "company": "Northwind Tools", "city": "Chicago"});
    assert_eq!(ask(&records, colleague), Err(Miss::NoMatch));
}

#[test]
fn the_middle_name_tells_namesakes_apart() {
    let at = |number, name| named(number, name, json!({"company_name": "northwind tools"}));
    let records = [
        at(1, "maya okafor"),
        at(2, "maya ifeoma okafor"),
        at(3, "maya kate okafor"),
    ];
    let by = |name: &str| {
        numbers(ask(
            &records,
            json!({"full_name": name, "company": "northwind tools"}),
        ))
    };
    assert_eq!(by("Maya I. Okafor"), [(2, LOW)]);
    assert_eq!(by("Maya Kate Okafor"), [(3, LOW)]);
    assert_eq!(by("Maya J. Okafor"), [(1, LOW)]);
}

#[test]
fn more_context_comes_before_a_nearer_name() {
    let records = [
        named(1, "bob okafor", json!({"company_name": "northwind tools"})),
        named(
            2,
            "robert okafor",
            json!({"company_name": "northwind tools", "city": "chicago"}),
        ),
    ];
    let found = ask(
        &records,
        json!({"full_name": "Bob Okafor", "company": "northwind tools", "city": "Chicago"}),
    );
    assert_eq!(numbers(found), [(2, LOW)]);
}

#[test]
fn letters_with_marks_may_be_dropped_or_written_by_two() {
    let records = [named(
        1,
        "jürgen müller",
        json!({"company_name": "nordwerk", "city": "munich"}),
    )];
    for (name, city) in [
        ("Juergen Mueller", "München"),
        ("Jurgen Muller", "MUNICH"),
        ("MÜLLER, JÜRGEN", "Muenchen"),
    ] {
        let found = ask(
            &records,
            json!({"full_name": name, "company": "Nordwerk GmbH", "city": city}),
        );
        assert_eq!(numbers(found), [(1, Confidence::High)], "{name}");
    }
}

fn companies() -> Vec<Record> {
    vec![
        company(
            101,
            json!({"name": {"cleaned": "northwind tools", "raw": ["Northwind Tools, Inc."]}, "domain": "northwind-tools.example"}),
        ),
        company(
            102,
            json!({"name": {"cleaned": "international business machines"}, "domain": "ibm.example"}),
        ),
        company(
            103,
            json!({"name": {"cleaned": "acme", "raw": ["Acme GmbH"]}, "domain": "acme.example", "country_code": "DE"}),
        ),
        company(
            104,
            json!({"name": {"cleaned": "acme", "raw": ["Acme Inc."]}, "domain": "acme-two.example", "country_code": "US"}),
        ),
    ]
}

#[test]
fn a_companys_name_with_a_slip_its_first_letters_or_its_domains_label_is_a_low_match() {
    for (name, number) in [
        ("Northwnid Tools", 101),
        ("IBM", 102),
        ("northwindtools", 101),
    ] {
        let found = numbers(ask_company(&companies(), json!({"name": name})));
        assert_eq!(
            found.first().map(|(number, _)| *number),
            Some(number),
            "{name}"
        );
    }
    assert_eq!(
        numbers(ask_company(
            &companies(),
            json!({"name": "Northwnid Tools"})
        )),
        [(101, LOW)]
    );
    assert_eq!(
        ask_company(&companies(), json!({"name": "Southwind Fools"})),
        Err(Miss::NoMatch)
    );
}

#[test]
fn a_legal_form_tells_companies_of_one_name_apart() {
    assert_eq!(
        numbers(ask_company(&companies(), json!({"name": "Acme Inc."}))),
        [(104, MODERATE)]
    );
    assert_eq!(
        numbers(ask_company(&companies(), json!({"name": "ACME GMBH"}))),
        [(103, MODERATE)]
    );
    let bare = ask_company(
        &companies(),
        json!({"name": "Acme", "multiple_results": true}),
    )
    .unwrap();
    assert_eq!((bare.1, bare.0[0].1), (2, LOW));
}

#[test]
fn two_given_names_one_letter_apart_are_two_people() {
    let mary = named(1, "mary smith", json!({"company_name": "northwind tools"}));
    for name in ["Mark Smith", "Gary Smith"] {
        let found = ask(
            std::slice::from_ref(&mary),
            json!({"full_name": name, "company": "Northwind Tools"}),
        );
        assert_eq!(found, Err(Miss::NoMatch), "{name}");
    }
}

#[test]
fn a_city_one_letter_away_is_another_city() {
    let john = named(1, "john murphy", json!({"city": "cork"}));
    let found = ask(&[john], json!({"full_name": "John Murphy", "city": "York"}));
    assert_eq!(found, Err(Miss::NoMatch));
    let john = named(1, "john murphy", json!({"city": "chicago"}));
    let found = ask(
        &[john],
        json!({"full_name": "John Murphy", "city": "Chicago, IL"}),
    );
    assert!(is_likely(&numbers(found), 1));
}

#[test]
fn a_city_is_meant_by_its_area_its_short_name_and_with_its_state() {
    for (city, known) in [
        ("San Francisco Bay Area", "san francisco"),
        ("SF", "san francisco"),
        ("Greater Chicago Area", "chicago"),
        ("Chicago IL", "chicago"),
        ("London Area, United Kingdom", "london"),
        ("LA", "los angeles"),
        ("Chicago", "greater chicago area"),
    ] {
        let maya = named(1, "maya okafor", json!({"city": known}));
        let body = json!({"full_name": "Maya Okafor", "city": city});
        assert!(is_likely(&numbers(ask(&[maya], body)), 1), "{city}");
    }
    let noida = named(1, "maya okafor", json!({"city": "noida"}));
    let body = json!({"full_name": "Maya Okafor", "city": "Greater Noida"});
    assert_eq!(ask(&[noida], body), Err(Miss::NoMatch));
}

#[test]
fn a_name_of_one_word_is_a_name() {
    let taro = person(
        1,
        json!({"full_name": "山田太郎", "first_name": "山田太郎", "company_name": "トヨタ自動車"}),
    );
    let found = ask(
        &[taro],
        json!({"full_name": "山田太郎", "company": "トヨタ自動車株式会社"}),
    );
    assert!(is_likely(&numbers(found), 1));
}

#[test]
fn a_surname_that_is_also_a_placeholder_is_a_name() {
    let guest = named(
        1,
        "christopher guest",
        json!({"company_name": "northwind tools"}),
    );
    let found = ask(
        &[guest],
        json!({"first_name": "Christopher", "last_name": "Guest", "company": "Northwind Tools"}),
    );
    assert!(is_likely(&numbers(found), 1));
}

#[test]
fn a_family_name_that_is_a_placeholder_by_itself_is_asked_for() {
    for family in ["first", "null", "private", "member"] {
        let name = format!("ruth {family}");
        let ruth = named(1, &name, json!({"company_name": "northwind tools"}));
        let body = json!({"first_name": "Ruth", "last_name": family, "company": "Northwind Tools"});
        assert!(is_likely(&numbers(ask(&[ruth], body)), 1), "{family}");
    }
    let mail =
        json!([{"address": "maya@northwind.example", "current": true, "confidence": "high"}]);
    let maya = named(1, "maya okafor", json!({"emails": mail}));
    for (first, last) in [("First", "Last"), ("Maya", "Unknown"), ("N/A", "Okafor")] {
        let body =
            json!({"email": "maya@northwind.example", "first_name": first, "last_name": last});
        let found = numbers(ask(std::slice::from_ref(&maya), body));
        assert_eq!(found, [(1, Confidence::High)], "{first} {last}");
    }
}

#[test]
fn a_first_name_alone_adds_nothing_to_a_phone_that_many_share() {
    let phone = json!([{"number": "+13125550100", "current": true, "confidence": "high"}]);
    let records: Vec<Record> = (1..=3)
        .map(|number| {
            let more =
                json!({"phones": phone, "city": "chicago", "company_name": "northwind tools"});
            named(
                number,
                ["maya okafor", "sam reed", "li wei"][usize::try_from(number).unwrap() - 1],
                more,
            )
        })
        .collect();
    let found = ask(
        &records,
        json!({"phone": "+13125550100", "first_name": "Maya", "company": "northwind tools", "city": "chicago"}),
    );
    assert_eq!(numbers(found), [(1, LOW)]);
}

#[test]
fn an_address_finds_the_record_that_holds_only_its_digest() {
    let hashes = normalize::email::hashes("maya@northwind.example");
    let mut hidden = named(1, "maya okafor", json!({}));
    let key = normalize::keys::key(normalize::keys::PersonKey::EmailMd5, &hashes.md5);
    let kind = normalize::keys::KeyKind::number(normalize::keys::PersonKey::EmailMd5);
    hidden.keys.push((kind, uuid::Uuid::from_bytes(key), 0));
    let found = ask(&[hidden], json!({"email": "Maya@Northwind.example"}));
    assert_eq!(found.map(|(matches, _)| matches.len()), Ok(1));
}

#[test]
fn namesakes_of_whom_none_is_likelier_are_no_answer_unless_several_are_wanted() {
    let at = |number, name| named(number, name, json!({"company_name": "northwind tools"}));
    let records = [
        at(1, "john a. smith"),
        at(2, "john smith"),
        at(3, "john b. smith"),
    ];
    let mut body = json!({"full_name": "John Smith", "company": "Northwind Tools"});
    assert_eq!(ask(&records, body.clone()), Err(Miss::Ambiguous(3)));
    body["multiple_results"] = json!(true);
    body["limit"] = json!(3);
    let several = numbers(ask(&records, body));
    assert_eq!(several, [(1, LOW), (2, LOW), (3, LOW)]);
}

#[test]
fn a_linkedin_page_is_found_by_its_number_in_the_url() {
    let northwind = company(
        1,
        json!({"name": {"cleaned": "northwind tools"}, "linkedin_url": "linkedin.com/company/northwind-tools", "linkedin_id": "4410021", "domain": "northwind.example"}),
    );
    let records = [northwind];
    let by_number = json!({"linkedin_url": "https://www.linkedin.com/company/4410021/"});
    assert_eq!(
        numbers(ask_company(&records, by_number)),
        [(1, Confidence::High)]
    );
    let other = json!({"domain": "northwind.example", "linkedin_url": "linkedin.com/company/99"});
    assert_eq!(numbers(ask_company(&records, other)), [(1, MODERATE)]);
}

#[test]
fn a_company_may_be_called_like_a_placeholder_of_persons() {
    let abc = company(1, json!({"name": {"cleaned": "abc"}}));
    assert_eq!(
        numbers(ask_company(&[abc], json!({"name": "ABC"}))),
        [(1, MODERATE)]
    );
}
