//! Laws of matching by evidence.

use events_schema::record::{Confidence, RecordKind};
use proptest::prelude::*;
use proptest::sample::subsequence;
use query_service::enrich::choose::Miss;
use query_service::enrich::compared::Compared;
use query_service::enrich::evidence::Known;
use query_service::enrich::evidence::{Led, of_person};
use query_service::enrich::person::{NameParts, PersonClue};
use query_service::enrich::rarity::{Counted, Counts, Uncounted};
use serde_json::{Map, Value, json};

use crate::explain::explained_among;
use crate::fixture::{Record, person};
use crate::matching::{enrich, enrich_in};

/// What is true of the person who is meant, field by field.
const TRUE: [(&str, &str); 7] = [
    ("company", "northwind tools"),
    ("job_title", "director of operations"),
    ("city", "chicago"),
    ("country", "US"),
    ("postal_code", "60607"),
    ("address", "12 Main St"),
    ("birth_date", "1988-04-09"),
];

fn okafor(number: u128, name: &str) -> Record {
    let (first, last) = name.split_once(' ').unwrap();
    person(
        number,
        json!({"full_name": name, "first_name": first, "last_name": last,
            "company_name": "northwind tools", "job_title": "director of operations",
            "city": "chicago", "country_code": "US", "birth_date": "1988-04-09",
            "birth_year": 1988, "birth_month": 4, "birth_day": 9,
            "locations": [{"street_address": "12 main street", "postal_code": "60607", "city": "chicago", "country_code": "US"}]}),
    )
}

/// Who is found, and how surely.
fn found(records: &[Record], name: &str, contexts: &[(&str, &str)]) -> Option<(u128, Confidence)> {
    let mut body = Map::new();
    body.insert("full_name".to_owned(), name.into());
    for (field, value) in contexts {
        body.insert((*field).to_owned(), (*value).into());
    }
    match enrich(records, RecordKind::Person, Value::Object(body)) {
        Ok((matches, _)) => matches.first().map(|one| (one.0, one.1)),
        Err(Miss::NoMatch | Miss::Ambiguous(_)) => None,
        Err(other) => panic!("{other:?}"),
    }
}

fn level(records: &[Record], name: &str, contexts: &[(&str, &str)]) -> Option<Confidence> {
    found(records, name, contexts).map(|one| one.1)
}

#[test]
fn an_employer_in_a_job_title_counts_like_a_company() {
    let records = [okafor(1, "maya okafor")];
    let city = ("city", "chicago");
    let by = |contexts: &[(&str, &str)]| level(&records, "maya okafor", contexts);
    let title = |title| by(&[("job_title", title)]);
    assert_eq!(
        title("Surgeon at Northwind Tools, Inc."),
        by(&[("job_title", "surgeon"), ("company", "northwind tools")])
    );
    assert!(title("Surgeon at Northwind Tools").is_some());
    assert_eq!(title("Surgeon"), None);
    // An employer that is known contradicts, one that nobody knows may be none.
    let in_chicago = |title| by(&[("job_title", title), city]);
    assert_eq!(
        in_chicago("Director of Operations at Siemens"),
        by(&[
            ("job_title", "director of operations at siemens"),
            ("company", "siemens"),
            city
        ])
    );
    assert_eq!(
        in_chicago("Surgeon at Quillmoss"),
        in_chicago("Surgeon of Quillmoss")
    );
    // One that is given stands beside the title.
    let given = |company| {
        by(&[
            ("job_title", "Surgeon at Northwind Tools"),
            ("company", company),
        ])
    };
    assert_eq!(given("siemens"), None);
    assert_eq!(given("n/a"), title("Surgeon"));
}

#[test]
fn an_employer_may_be_told_without_its_place() {
    let record = person(
        1,
        json!({"full_name": "maya okafor", "first_name": "maya", "last_name": "okafor",
            "company_name": "iowa house of representatives",
            "state": "iowa", "state_code": "US-IA", "country_code": "US"}),
    );
    let records = [record];
    let state = ("state", "Iowa");
    let by = |company| level(&records, "maya okafor", &[("company", company), state]);
    assert!(level(&records, "maya okafor", &[state]).is_some());
    assert!(by("House of Representatives").is_some());
    // In another state it is another one.
    assert_eq!(by("Ohio House of Representatives"), None);
    assert_eq!(by("Senate"), None);
}

#[test]
fn a_title_does_not_make_up_for_another_employer() {
    let records = [okafor(1, "maya okafor")];
    let at = |company| {
        let contexts = [
            ("job_title", "director of operations"),
            ("company", company),
        ];
        level(&records, "maya okafor", &contexts)
    };
    assert!(at("northwind tools").is_some());
    assert_eq!(at("siemens"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn more_that_agrees_never_lowers_a_level(
        name in prop::sample::select(vec!["maya okafor", "m okafor", "mayaa okafro", "okafor maya"]),
        // Without the company and the birth date no key of these records is met.
        contexts in subsequence(TRUE[1..6].to_vec(), 0..=5),
        more in 1_usize..6,
    ) {
        let records = [okafor(1, "maya okafor")];
        let mut few = vec![TRUE[0]];
        few.extend(contexts);
        let mut all = few.clone();
        if !all.contains(&TRUE[more]) {
            all.push(TRUE[more]);
        }
        prop_assert!(level(&records, name, &all) >= level(&records, name, &few));
    }

    #[test]
    fn the_order_of_inputs_changes_nothing(contexts in Just(TRUE.to_vec()).prop_shuffle(), some in 1_usize..7) {
        let records = [okafor(1, "maya okafor"), okafor(2, "mara okafor")];
        let mut given: Vec<_> = contexts.into_iter().take(some).collect();
        given.push(TRUE[0]);
        let mut turned = given.clone();
        turned.reverse();
        prop_assert_eq!(level(&records, "maya okafor", &given), level(&records, "maya okafor", &turned));
    }
}

#[test]
fn a_record_far_away_changes_no_answer_and_one_nearby_takes_its_share() {
    let contexts = &[TRUE[0], TRUE[2]];
    let alone = level(&[okafor(1, "maya okafor")], "maya okafor", contexts);
    assert_eq!(alone, Some(Confidence::High));
    let with_stranger = [okafor(1, "maya okafor"), okafor(2, "tomas lindqvist")];
    assert_eq!(level(&with_stranger, "maya okafor", contexts), alone);
    let twice = [okafor(1, "maya okafor"), okafor(2, "maya okafor")];
    assert_eq!(level(&twice, "maya okafor", contexts), None);
}

#[test]
fn an_acronym_or_a_name_of_another_does_not_agree() {
    let david = |number, company: &str| {
        person(
            number,
            json!({"full_name": "david lee", "first_name": "david", "last_name": "lee", "company_name": company}),
        )
    };
    let records = [david(1, "atlantic business consulting")];
    assert_eq!(level(&records, "David Lee", &[("company", "ABC")]), None);
    let records = [person(
        1,
        json!({"full_name": "douglas j fyock", "first_name": "douglas", "last_name": "fyock",
            "company_name": "northwind tools", "city": "chicago"}),
    )];
    let contexts = &[("company", "northwind tools"), ("city", "chicago")];
    assert_eq!(level(&records, "Alice J Douglas", contexts), None);
}

#[test]
fn a_given_name_of_two_takes_no_family_name_for_its_own() {
    let records = [person(
        1,
        json!({"full_name": "karl-ludwig kleyndert", "first_name": "karl-ludwig", "last_name": "kleyndert",
            "company_name": "northwind tools"}),
    )];
    let contexts = &[("company", "northwind tools")];
    for name in ["Karl-Ludwig Riel", "Karl Ludwig Riel", "Riel, Karl-Ludwig"] {
        assert_eq!(level(&records, name, contexts), None, "{name}");
    }
    for name in ["Karl-Ludwig Kleyndert", "karlludwig kleyndert"] {
        assert!(level(&records, name, contexts).is_some(), "{name}");
    }
}

#[test]
fn a_womans_name_is_no_spelling_of_a_mans() {
    let at_work = &[TRUE[0]];
    let at_home = &[TRUE[4], TRUE[5]];
    for (known, asked) in [
        ("françois okafor", "Françoise Okafor"),
        ("christiane okafor", "Christian Okafor"),
        ("norman okafor", "Norma Okafor"),
        ("paul okafor", "Polly Okafor"),
    ] {
        let records = [okafor(1, known)];
        for contexts in [&at_work[..], at_home] {
            assert_eq!(level(&records, asked, contexts), None, "{asked}");
            assert!(level(&records, known, contexts).is_some(), "{known}");
        }
    }
    // Whoever writes it so, where the very birth date agrees, too.
    let born_then = &[TRUE[0], TRUE[6]];
    let records = [okafor(1, "françois okafor")];
    assert!(level(&records, "Françoise Okafor", born_then).is_some());
}

#[test]
fn what_contradicts_is_never_high() {
    let smith = |number, name: &str, first: &str| {
        person(
            number,
            json!({"full_name": name, "first_name": first, "last_name": "smith", "company_name": "northwind tools",
                "job_title": "plant manager", "city": "chicago", "birth_date": "1988-04-09", "birth_year": 1988, "birth_month": 4,
                "birth_day": 9, "emails": [{"address": "one@northwind.example", "current": true, "confidence": "high"}]}),
        )
    };
    let contexts = &[("company", "northwind tools"), ("city", "chicago")];
    // Another middle name, and another given name one letter away.
    let john = [smith(1, "john b. smith", "john")];
    assert_ne!(
        level(&john, "John A. Smith", contexts),
        Some(Confidence::High)
    );
    let mark = [smith(1, "mark smith", "mark")];
    assert_eq!(level(&mark, "Mary Smith", contexts), None);
    let by_email = level(&mark, "Mary Smith", &[("email", "one@northwind.example")]);
    assert_eq!(by_email, Some(Confidence::Moderate));
    // Twins: the given name is another.
    let born = &[("company", "northwind tools"), ("birth_date", "1988-04-09")];
    assert_eq!(level(&mark, "Anna Smith", born), Some(Confidence::Low));
    // One word of a name, and a place that is told three times.
    let one_word = level(&mark, "Mark", contexts);
    assert!(one_word <= Some(Confidence::Low), "{one_word:?}");
    let placed = &[("company", "northwind tools"), ("country", "US")];
    let record = [okafor(1, "maya okafor")];
    assert_eq!(
        level(&record, "maya okafor", placed),
        Some(Confidence::Moderate)
    );
}

#[test]
fn somebody_elses_identifier_is_no_match_for_sure() {
    let of = |number, name: &str, email: Value| {
        let (first, last) = name.split_once(' ').unwrap();
        person(
            number,
            json!({"full_name": name, "first_name": first, "last_name": last, "company_name": "northwind tools", "city": "chicago",
                "emails": email}),
        )
    };
    let records = [
        of(
            1,
            "tomas lindqvist",
            json!([{"address": "tomas@northwind.example", "current": true, "confidence": "high"}]),
        ),
        of(2, "maya okafor", json!([])),
    ];
    let contexts = &[
        ("email", "tomas@northwind.example"),
        ("company", "northwind tools"),
        ("city", "chicago"),
    ];
    assert_ne!(
        level(&records, "Maya Okafor", contexts),
        Some(Confidence::High)
    );
}

#[test]
fn a_name_turned_round_says_as_much_where_nobody_is_called_so() {
    let of = |name: &str, known: &str| {
        let records = [okafor(1, known)];
        level(&records, name, &TRUE[..1])
    };
    assert!(of("okafor maya", "maya okafor").is_some());
    let bits = |asked: f64| query_service::enrich::weights::turned(asked);
    assert!(bits(0.0) > -0.01 && bits(1e-6) > -0.01);
    assert!(bits(1.0) < -5.0 && bits(100.0) >= -7.0);
}

#[test]
fn an_employer_with_a_place_or_a_department_beside_it_is_told_shortly() {
    let records = [okafor(1, "maya okafor")];
    for company in [
        "Northwind Tools Newark",
        "Northwind Tools - Group HR",
        "R&D, Northwind Tools",
        "Northwind Tools Marketing Dept.",
    ] {
        let found = level(&records, "Maya Okafor", &[("company", company)]);
        assert!(found.is_some(), "{company}");
    }
    let found = level(&records, "Maya Okafor", &[("company", "Quillmoss Tools")]);
    assert_eq!(found, None);
}

#[test]
fn an_employer_with_a_place_of_the_record_or_a_department_behind_it_is_the_employer() {
    let records = [okafor(1, "maya okafor")];
    let explained = |company: &str| {
        let body = json!({"full_name": "Maya Okafor", "company": company});
        let (explanation, _) = explained_among(&records, RecordKind::Person, body);
        let mut features = explanation.features.into_iter().map(|one| one.feature);
        features
            .find(|feature| feature.starts_with("company"))
            .unwrap()
    };
    for company in [
        "Northwind Tools Chicago",
        "Northwind Tools (Chicago)",
        "Northwind Tools USA",
        "Northwind Tools - United States",
        "Northwind Tools Procurement",
        "Northwind Tools IT Department",
        "Northwind Tools HQ",
    ] {
        assert_eq!(explained(company), "company_same", "{company}");
    }
    for company in ["Northwind Tools Newark", "Northwind Tools Finance"] {
        assert_eq!(explained(company), "company_short", "{company}");
    }
}

#[test]
fn an_employer_and_a_school_agree_under_all_their_names() {
    let at = |number: u128, employer: &str, school: &str| {
        person(
            number,
            json!({"full_name": "maya okafor", "first_name": "maya", "last_name": "okafor",
                "company_name": employer, "city": "chicago", "country_code": "US",
                "education": [{"organization": {"name": {"cleaned": school}}}]}),
        )
    };
    let records = [at(1, "jpmorgan chase", "northwestern university")];
    let found = |field: &str, value: &str| found(&records, "Maya Okafor", &[(field, value)]);
    for employer in ["J.P. Morgan", "JPMorgan Chase Procurement", "JPMC Chicago"] {
        assert!(found("company", employer).is_some(), "{employer}");
    }
    for school in [
        "Kellogg School of Management",
        "Northwestern University Pritzker School of Law",
        "Northwestern",
    ] {
        assert!(found("school", school).is_some(), "{school}");
    }
    assert_eq!(found("company", "Citi"), None);
    assert_eq!(found("school", "Northeastern University"), None);
}

#[test]
fn the_only_bearer_of_a_name_at_an_employer_is_no_guess_among_names_like_it() {
    let like = |number: u128, letter: char| okafor(number, &format!("aoao{letter}o tester"));
    let records: Vec<Record> = (1..)
        .zip("aeiouhwy".chars())
        .map(|(number, letter)| like(number, letter))
        .collect();
    let found = level(&records, "aoaoho tester", &TRUE[..1]);
    assert!(found >= Some(Confidence::Low), "{found:?}");
}

#[test]
fn a_letter_in_a_short_given_name_needs_the_home_or_the_birth_date_where_nobody_has_counted() {
    let records = [okafor(1, "maya okafor")];
    let low = Some(Confidence::Low);
    let of = |name: &str, contexts: &[(&str, &str)]| level(&records, name, contexts);
    let home = ("address", "12 Main St");
    assert_eq!(of("mayw okafor", &[home, ("postal_code", "60607")]), low);
    assert_eq!(
        of("mayw okafor", &[home, ("birth_date", "1988-04-09")]),
        low
    );
    // Colleagues of a town, and a name that somebody has.
    let work = [("company", "northwind tools"), ("city", "chicago")];
    assert_eq!(of("mayw okafor", &work), None);
    assert_eq!(of("mara okafor", &[home, ("postal_code", "60607")]), None);
}

fn at_home(number: u128, name: &str, born: &str) -> Record {
    let words: Vec<&str> = name.split(' ').collect();
    let (first, last) = (words[0], words[words.len() - 1]);
    let day: Vec<u32> = born.split('-').map(|part| part.parse().unwrap()).collect();
    person(
        number,
        json!({"full_name": name, "first_name": first, "last_name": last,
            "birth_date": born, "birth_year": day[0], "birth_month": day[1], "birth_day": day[2],
            "locations": [{"street_address": "517 franklin street", "city": "anytown", "country_code": "US"}]}),
    )
}

const AT_HOME: [(&str, &str); 2] = [("address", "517 Franklin St"), ("city", "Anytown")];

/// Who is found at home, by name and birth date.
fn answer(records: &[Record], name: &str, born: &str) -> Option<u128> {
    let [street, city] = AT_HOME;
    found(records, name, &[street, city, ("birth_date", born)]).map(|one| one.0)
}

/// Forms are filled in for each other: whose name it is, is meant, and not whose birth date it is.
#[test]
fn at_one_address_the_name_says_who_is_meant() {
    let gregory = || at_home(2, "gregory a herzog", "2009-06-25");
    let both = [at_home(1, "jennifer a herzog", "1980-07-23"), gregory()];
    assert_eq!(answer(&both, "Jennifer A Herzog", "2009-06-25"), Some(1));
    assert_eq!(answer(&both, "Gregory A Herzog", "2009-06-25"), Some(2));
    // Alone, he may be called so.
    assert_eq!(
        answer(&[gregory()], "Jennifer Herzog", "2009-06-25"),
        Some(2)
    );
}

#[test]
fn another_given_and_another_middle_name_are_another_person_born_on_the_same_day() {
    let etta = [at_home(1, "etta p hicks", "1942-05-30")];
    assert_eq!(answer(&etta, "George R Hicks", "1942-05-30"), None);
    assert_eq!(answer(&etta, "Etta R Hicks", "1942-05-30"), Some(1));
}

#[test]
fn no_initial_carries_a_name_that_is_turned_round() {
    let records = [at_home(1, "jeannie j jason", "1965-11-29")];
    assert_eq!(answer(&records, "Jason J Mckendrick", "1965-11-29"), None);
    assert_eq!(answer(&records, "Jason Jeannie J", "1965-11-29"), Some(1));
}

/// A record may have no more than a letter itself: it is not the rare name that no table knows.
#[test]
fn the_same_initial_on_both_sides_says_no_more_than_beside_a_whole_name() {
    let bits = |asked: &str, known: &str| {
        let name = NameParts::new(asked, 0, true);
        let clues = [PersonClue::FullName(asked.to_owned())];
        let json = serde_json::to_vec(&okafor(1, known).doc).unwrap();
        let doc = Compared::read(&json).unwrap();
        let nowhere = |_| Led::Nowhere;
        let evidence = of_person(
            &clues,
            Some(&name),
            &doc,
            &Uncounted,
            &Known::default(),
            nowhere,
        );
        evidence.lines[0].bits
    };
    let beside_whole = bits("m okafor", "maya okafor");
    assert!((bits("m okafor", "m okafor") - beside_whole).abs() < 0.01);
    assert!((bits("maya okafor", "m okafor") - beside_whole).abs() < 0.01);
    assert!(bits("maya okafor", "maya okafor") > beside_whole + 5.0);
}

#[test]
fn a_family_name_of_one_letter_is_an_initial_or_that_of_a_middle_name() {
    let records = [at_home(1, "maya i okafor", "1988-04-09")];
    for name in ["Maya O", "Maya I", "M Okafor"] {
        assert_eq!(answer(&records, name, "1988-04-09"), Some(1), "{name}");
    }
    assert_eq!(answer(&records, "X Okafor", "1988-04-09"), None);
}

#[test]
fn a_space_that_was_left_out_or_stands_a_letter_off_is_a_slip() {
    let records = [
        at_home(1, "jeff blevins", "1970-02-03"),
        at_home(2, "otto garcia", "1971-02-03"),
    ];
    for (name, born, who) in [
        ("JEFFBLEVINS", "1970-02-03", Some(1)),
        ("Jef Fblevins", "1970-02-03", Some(1)),
        ("Ottog Arcia", "1971-02-03", Some(2)),
        // Nothing but the very name, read so.
        ("Jefblevins", "1971-02-03", None),
        ("Ottomartinez", "1971-02-03", None),
    ] {
        assert_eq!(answer(&records, name, born), who, "{name}");
    }
}

/// A build of a million in which each value stands so often.
struct Each(u32);

impl Counts for Each {
    fn rows(&self) -> u32 {
        1_000_000
    }

    fn count(&self, _what: Counted, value: &str) -> Option<u32> {
        Some(if value == "mayw" { self.0 } else { 20 })
    }
}

#[test]
fn at_work_a_letter_is_let_pass_where_nobody_is_called_so() {
    let records = [okafor(1, "maya okafor")];
    let body = json!({"full_name": "mayw okafor", "company": "northwind tools", "city": "chicago"});
    let of = |count| enrich_in(&Each(count), &records, RecordKind::Person, body.clone());
    let low = of(0).unwrap().0.first().map(|one| one.1);
    assert_eq!(low, Some(Confidence::Low));
    assert_eq!(of(1).unwrap_err(), Miss::NoMatch);
}

/// A build of a million, of whom a tenth are at one employer.
struct AtOne;

impl Counts for AtOne {
    fn rows(&self) -> u32 {
        1_000_000
    }

    fn count(&self, what: Counted, value: &str) -> Option<u32> {
        Some(match (what, value) {
            (Counted::Employer, "northwind tools") => 100_000,
            (Counted::EmployerDomain, "northwind.com") => 100_000,
            (Counted::School, "lakeside university") => 100_000,
            (Counted::Employer | Counted::EmployerDomain | Counted::School, _) => 0,
            _ => 2_000,
        })
    }
}

#[test]
fn an_employer_or_school_of_many_says_as_little_by_its_domain_as_by_its_name() {
    let john = person(
        1,
        json!({"full_name": "john okafor", "first_name": "john", "last_name": "okafor",
            "company_name": "northwind tools", "company_domain": "northwind.com",
            "education": [{"organization": {"name": {"cleaned": "lakeside university"}, "website": "lakeside.edu"}}]}),
    );
    let of = |field: &str, value: &str| {
        let body = json!({"full_name": "John Okafor", field: value});
        let found = enrich_in(
            &AtOne,
            std::slice::from_ref(&john),
            RecordKind::Person,
            body,
        );
        found.map(|(matches, _)| matches.first().map(|one| one.1))
    };
    assert_eq!(
        of("company", "northwind.com"),
        of("company", "Northwind Tools")
    );
    assert_eq!(
        of("school", "lakeside.edu"),
        of("school", "Lakeside University")
    );
    assert_ne!(
        of("company", "northwind.com"),
        Ok(Some(Confidence::Moderate))
    );
}

/// A namesake by an initial, by part of a name, or in another town, takes nobody's place who is of that birth date.
#[test]
fn only_who_is_told_in_full_takes_the_place_of_a_housemate() {
    let born = "1988-04-09";
    let other = "1955-01-02";
    for (meant, beside, name) in [
        ("jane okafor", "j smith", "Jane Smith"),
        ("maria okafor", "marie smith", "Maria Smith"),
        ("gregory herzog", "herzog", "Butch Herzog"),
        ("noah smith", "n smith", "Noqh Smith"),
    ] {
        let records = [at_home(1, meant, born), at_home(2, beside, other)];
        let who = answer(&records, name, born);
        assert_ne!(who, Some(2), "{name} beside {beside}");
    }
}

#[test]
fn a_name_that_lives_at_a_like_address_elsewhere_takes_nobodys_place() {
    let far = |number, name: &str| {
        person(
            number,
            json!({"full_name": name, "first_name": "jennifer", "last_name": "herzog", "birth_date": "1951-01-01",
                "birth_year": 1951, "birth_month": 1, "birth_day": 1,
                "locations": [{"street_address": "517 franklin street", "city": "boston", "country_code": "US"}]}),
        )
    };
    let records = [
        at_home(1, "gregory herzog", "1988-04-09"),
        far(2, "jennifer herzog"),
    ];
    assert_eq!(answer(&records, "Jennifer Herzog", "1988-04-09"), Some(1));
}

#[test]
fn an_initial_carries_no_other_name_however_it_is_read() {
    let work = [("company", "northwind tools"), ("city", "chicago")];
    for (known, asked) in [
        ("thomas drew", "D Thomas Reed"),
        ("maya jones", "J Maya Lindqvist"),
        ("r thomas", "Thomas R Drew"),
        ("j jason", "Jason J Mckendrick"),
        ("john okafor", "J O"),
    ] {
        let level = level(&[okafor(1, known)], asked, &work);
        assert_eq!(level, None, "{asked}");
    }
    // A letter of a family name, or a name that is left out, is low at most.
    for (known, asked) in [
        ("john okafor", "John O"),
        ("minji o", "Minji Ong"),
        ("james drew", "Drew James Reed"),
        ("maya okafor", "Okafor Maya Ifeoma"),
    ] {
        let level = level(&[okafor(1, known)], asked, &work);
        assert!(level <= Some(Confidence::Low), "{asked}: {level:?}");
    }
}

#[test]
fn names_with_an_elided_article_a_called_name_and_a_maiden_initial_are_found() {
    let work = [("company", "northwind tools"), ("city", "chicago")];
    for (known, asked) in [
        ("john odonnell", "John O Donnel"),
        ("maria dangelo", "Maria D Angello"),
    ] {
        assert!(
            found(&[okafor(1, known)], asked, &work).is_some(),
            "{asked}"
        );
    }
    for (known, asked) in [
        ("ifeoma maya okafor", "M Okafor"),
        ("robert okafor", "B Okafor"),
        ("mary ann okafor", "Mary O Lind"),
    ] {
        let records = [at_home(1, known, "1988-04-09")];
        assert_eq!(answer(&records, asked, "1988-04-09"), Some(1), "{asked}");
    }
}

#[test]
fn what_was_found_out_beside_one_record_changes_nothing_beside_another() {
    let record = |full: &str,
                  first: &str,
                  last: &str,
                  aliases: &[&str],
                  city: &str,
                  title: &str| {
        let doc = json!({"full_name": full, "first_name": first, "last_name": last, "_name_aliases": aliases, "city": city,
            "country_code": "US", "experience": [{"title": {"cleaned": title}}]});
        Compared::read(&serde_json::to_vec(&doc).unwrap()).unwrap()
    };
    // Neighbours share a name as their own, as an alias, or with other parts.
    let records = [
        record(
            "maya okafor",
            "maya",
            "okafor",
            &[],
            "chicago",
            "plant manager",
        ),
        record(
            "may okafor",
            "may",
            "okafor",
            &["maya okafor"],
            "chicago",
            "manager",
        ),
        record(
            "maya okafor",
            "maya okafor",
            "",
            &["m okafor"],
            "chicagoo",
            "plant manager",
        ),
        record(
            "m okafor",
            "m",
            "okafor",
            &["maya okafor", "maya, okafor"],
            "boston",
            "nurse",
        ),
        record(
            "maya lind",
            "maya",
            "lind",
            &["maya okafor", "okafor maya"],
            "boston",
            "plant manager",
        ),
        record("okafor", "okafor", "", &["okafor, 5th"], "chicago", ""),
    ];
    for asked in ["maya okafor", "okafor maya", "m okafor", "maya okafro"] {
        let name = NameParts::new(asked, 0, true);
        let clues = [
            PersonClue::FullName(asked.to_owned()),
            PersonClue::LastName("okafor".to_owned()),
            PersonClue::City("chicago".to_owned()),
            PersonClue::JobTitle("plant manager".to_owned()),
        ];
        let shared = Known::default();
        for _ in 0..2 {
            for doc in &records {
                let told = |known: &Known| {
                    let nowhere = |_| Led::Nowhere;
                    let evidence = of_person(&clues, Some(&name), doc, &Uncounted, known, nowhere);
                    let lines = evidence.lines.iter();
                    lines
                        .map(|line| format!("{:?} {}", line.finding, line.bits))
                        .collect::<Vec<_>>()
                };
                assert_eq!(told(&shared), told(&Known::default()), "{asked}");
            }
        }
    }
}
