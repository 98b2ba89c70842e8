//! One line in, one document and its keys out. Pure: no server is asked.

use std::collections::BTreeMap;

use events_schema::api::limits::MAX_LINE_BYTES;
use events_schema::record::RecordKind;
use normalize::keys::{CompanyKey, KeyKind, PersonKey, key};
use projector::builds::record::{Found, Lines, Reading, Record, Reject};
use projector::config::Levels;
use serde_json::{Value, json};

fn reading() -> Reading {
    Reading {
        build: "b1".to_owned(),
        reference_date: "2026-10-02".parse().unwrap(),
        today: "2026-11-01".parse().unwrap(),
        levels: Levels::default(),
    }
}

fn record(kind: RecordKind, line: &Value) -> (Record, Found) {
    let (read, found) = read(kind, line.to_string().as_bytes());
    (read.unwrap(), found)
}

/// A line without others.
fn read(kind: RecordKind, line: &[u8]) -> (Result<Record, Reject>, Found) {
    let reading = reading();
    let mut lines = Lines::of(kind, &reading);
    (lines.read(line), lines.into_found())
}

fn doc(kind: RecordKind, line: &Value) -> Value {
    serde_json::from_slice(&record(kind, line).0.doc).unwrap()
}

fn person(line: &Value) -> Value {
    doc(RecordKind::Person, line)
}

fn flags(record: &Record, kind: impl KeyKind, text: &str) -> Option<i16> {
    let wanted = (kind.number(), key(kind, text));
    record
        .keys
        .iter()
        .find(|key| (key.kind, key.key) == wanted)
        .map(|key| key.flags)
}

#[test]
fn a_golden_person_is_read_whole() {
    let line: Value = serde_json::from_str(include_str!("../fixtures/golden_person.json")).unwrap();
    let wanted: Value =
        serde_json::from_str(include_str!("../fixtures/golden_person_doc.json")).unwrap();
    assert_eq!(person(&line), wanted, "{:#}", person(&line));
}

#[test]
fn a_line_is_as_long_as_a_line_may_be_or_rejected_as_too_long() {
    let read = |bytes| {
        let mut line = br#"{"full_name":"Ada Byron"}"#.to_vec();
        line.resize(bytes, b' ');
        read(RecordKind::Person, &line).0.map(|_| ())
    };
    assert_eq!(read(MAX_LINE_BYTES), Ok(()));
    assert_eq!(read(MAX_LINE_BYTES + 1), Err(Reject::TooLong));
    assert_eq!(
        Reject::TooLong.to_string(),
        "too long: a line has at most 16777214 bytes"
    );
}

#[test]
fn what_cannot_be_is_left_out_and_counted() {
    let line = json!({"full_name": "Ada Byron", "birth_date": "2031-04-09", "num_sources": -1, "last_seen": "2027",
        "linkedin_followers": -5, "emails": [{"address": "a@x.example", "last_seen": "2026-11-03", "num_sources": -2}]});
    let (read, found) = record(RecordKind::Person, &line);
    let doc: Value = serde_json::from_slice(&read.doc).unwrap();
    let gone = [
        "birth_date",
        "birth_year",
        "age",
        "num_sources",
        "last_seen",
        "linkedin_followers",
    ];
    assert!(gone.iter().all(|field| doc.get(field).is_none()), "{doc}");
    let mail = &doc["emails"][0];
    assert!(
        mail.get("last_seen").is_none() && mail.get("num_sources").is_none(),
        "{mail}"
    );
    let counted: Vec<&str> = found.unreadable.keys().map(String::as_str).collect();
    assert_eq!(
        counted,
        [
            "birth_date",
            "emails.last_seen",
            "emails.num_sources",
            "last_seen",
            "linkedin_followers",
            "num_sources"
        ]
    );

    // Of a month or a year that has begun something was seen; records are of the dead, too.
    let line = json!({"full_name": "Ada Byron", "birth_year": 1903, "birth_month": 13, "last_seen": "2026-11", "num_sources": 0});
    let (read, found) = record(RecordKind::Person, &line);
    let doc: Value = serde_json::from_slice(&read.doc).unwrap();
    assert_eq!(doc["birth_year"], 1903);
    assert_eq!(
        (&doc["last_seen"], &doc["num_sources"]),
        (&json!("2026-11"), &json!(0))
    );
    let counted: Vec<&str> = found.unreadable.keys().map(String::as_str).collect();
    assert_eq!(counted, ["birth_month"]);

    // Born next month: no part of it can be meant.
    let line = json!({"full_name": "Ada Byron", "birth_year": 2026, "birth_month": 12});
    let (read, found) = record(RecordKind::Person, &line);
    let doc: Value = serde_json::from_slice(&read.doc).unwrap();
    assert_eq!(
        (&doc["birth_year"], &doc["birth_month"]),
        (&Value::Null, &Value::Null)
    );
    let counted: Vec<&str> = found.unreadable.keys().map(String::as_str).collect();
    assert_eq!(counted, ["birth_date"]);

    let line = json!({"name": "Acme", "last_seen": "2026-12", "num_sources": -3});
    let (_, found) = record(RecordKind::Company, &line);
    let counted: Vec<&str> = found.unreadable.keys().map(String::as_str).collect();
    assert_eq!(counted, ["last_seen", "num_sources"]);
}

#[test]
fn a_place_that_no_table_knows_is_counted_and_kept_as_text() {
    let given = json!({"state": "Atlantis", "state_code": "XX-Y", "country": "Lemuria", "country_code": "QZ", "city": "R'lyeh"});
    for kind in RecordKind::ALL {
        let mut line = json!({"full_name": "Ada Byron", "name": "Acme", "locations": [given]});
        line.as_object_mut()
            .unwrap()
            .extend(given.as_object().unwrap().clone());
        let (read, found) = record(kind, &line);
        let doc: Value = serde_json::from_slice(&read.doc).unwrap();
        for place in [&doc, &doc["locations"][0]] {
            assert_eq!(place["state"], "atlantis", "{kind}");
            assert_eq!(place["country"], "lemuria", "{kind}");
            assert_eq!(place["city"], "r'lyeh");
        }
        for field in ["state", "state_code", "country", "country_code"] {
            for field in [field.to_owned(), format!("locations.{field}")] {
                let counts = match field.ends_with("country_code") {
                    true => &found.unreadable,
                    false => &found.unlisted,
                };
                assert_eq!(counts.get(&field), Some(&1), "{kind} {field}");
            }
        }
    }
    // A state of another country, or of several, is one.
    for (given, state) in [
        (json!({"state": "Bavaria", "country": "US"}), "bavaria"),
        (json!({"state": "Limburg"}), "limburg"),
    ] {
        let mut line = given;
        line["full_name"] = json!("Ada Byron");
        let (read, found) = record(RecordKind::Person, &line);
        let doc: Value = serde_json::from_slice(&read.doc).unwrap();
        assert_eq!(doc["state"], state);
        assert!(found.unreadable.is_empty(), "{:?}", found.unreadable);
    }
}

#[test]
fn an_id_that_was_made_says_of_which_field() {
    for (line, of) in [
        (
            json!({"full_name": "A B", "service_id": "5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10"}),
            None,
        ),
        (
            json!({"full_name": "A B", "mobile_phone": "+1 312 555 0142"}),
            Some("mobile_phone"),
        ),
        (
            json!({"full_name": "A B", "work_email": "a@x.example"}),
            Some("work_email"),
        ),
        (json!({"full_name": "A B"}), Some("record")),
    ] {
        assert_eq!(record(RecordKind::Person, &line).0.id_of, of, "{line}");
    }
    let company = json!({"name": "Acme", "domain": "acme.example"});
    assert_eq!(
        record(RecordKind::Company, &company).0.id_of,
        Some("domain")
    );
}

#[test]
fn a_line_in_another_encoding_is_rejected_as_such() {
    let line = b"{\"full_name\": \"Jos\xe9 Diaz\"}";
    assert_eq!(
        read(RecordKind::Person, line).0.err(),
        Some(Reject::NotUtf8)
    );
    assert_eq!(Reject::NotUtf8.to_string(), "not UTF-8");
}

#[test]
fn a_tenure_that_nobody_can_have_is_left_out_and_counted() {
    let job = |months: i64| json!({"title": "engineer", "tenure_months": months});
    let line = json!({
        "full_name": "Ada Byron",
        "experience": [job(i64::MAX), job(i64::MAX), job(-1), job(1_201), job(1_200)],
    });
    let (record, found) = record(RecordKind::Person, &line);
    let doc: Value = serde_json::from_slice(&record.doc).unwrap();
    assert_eq!(doc["avg_tenure_months"], 1_200.0);
    let unreadable = found.unreadable;
    assert_eq!(unreadable["experience.tenure_months"], 4);
}

#[test]
fn a_fraction_of_a_monthly_count_is_left_out_and_counted_and_a_rate_is_kept() {
    let month = json!({"month": "2026-09", "count": 287.5, "hires": "12", "departures": 1e16, "growth_rate": 0.5});
    let line = json!({"name": "Acme", "service_employee_count_by_month": [month]});
    let (record, found) = record(RecordKind::Company, &line);
    let doc: Value = serde_json::from_slice(&record.doc).unwrap();
    assert_eq!(
        doc["service_employee_count_by_month"],
        json!([{"month": "2026-09", "hires": 12, "growth_rate": 0.5}])
    );
    let unreadable = found.unreadable;
    assert_eq!(unreadable["service_employee_count_by_month.count"], 1);
    assert_eq!(unreadable["service_employee_count_by_month.departures"], 1);
}

#[test]
fn a_company_of_very_many_names_keeps_them_and_is_matched_by_the_first() {
    let names: Vec<String> = (0..20_000).map(|n| format!("Maker {n}")).collect();
    let line = json!({"name": {"raw": names}});
    let (record, _) = record(RecordKind::Company, &line);
    let doc: Value = serde_json::from_slice(&record.doc).unwrap();
    assert_eq!(doc["name"]["raw"].as_array().unwrap().len(), 20_000);
    assert!(record.keys.len() < 1_000, "{}", record.keys.len());
    assert_eq!(flags(&record, CompanyKey::Name, "maker7"), Some(0));
}

#[test]
fn a_wrapped_line_is_the_same_record() {
    let bare = json!({"full_name": "Ada Byron", "emails": ["Ada+x@Gmail.com"]});
    assert_eq!(person(&bare), person(&json!({"person": bare})));
}

#[test]
fn both_forms_of_an_address_are_found_by_their_hashes() {
    let (record, _) = record(
        RecordKind::Person,
        &json!({"full_name": "Ada Byron", "work_email": "A.Da+News@Gmail.com"}),
    );
    for form in ["ada@gmail.com", "a.da+news@gmail.com"] {
        let hashes = normalize::email::hashes(form);
        assert!(
            flags(&record, PersonKey::EmailSha256, &hashes.sha256).is_some(),
            "{form}"
        );
        assert!(
            flags(&record, PersonKey::EmailSha1, &hashes.sha1).is_some(),
            "{form}"
        );
        assert!(
            flags(&record, PersonKey::EmailMd5, &hashes.md5).is_some(),
            "{form}"
        );
    }
}

#[test]
fn a_key_carries_the_standing_of_its_data_point() {
    let line = json!({"full_name": "Ada Byron", "phones": [
        {"number": "+13125550142", "current": false, "confidence": "high"},
        {"number": "+13125550143", "num_sources": 3, "last_seen": "2026-01-01"},
        {"number": "+13125550144", "num_sources": 1, "last_seen": "2020-01-01"}]});
    let (record, _) = record(RecordKind::Person, &line);
    let of = |number| flags(&record, PersonKey::Phone, number);
    assert_eq!(
        (of("+13125550142"), of("+13125550143"), of("+13125550144")),
        (Some(0b111), Some(0b110), Some(0b010))
    );
}

#[test]
fn levels_count_from_the_reference_date() {
    for (sources, seen, level) in [
        (3, "2025-10-02", "high"),
        (3, "2025-10-01", "moderate"),
        (2, "2001-01-01", "moderate"),
        (1, "2024-10-02", "moderate"),
        (1, "2024-10-01", "low"),
    ] {
        let read = person(&json!({"full_name": "Ada Byron", "phones": [
            {"number": "+13125550142", "num_sources": sources, "last_seen": seen}]}));
        assert_eq!(
            (&read["phones"][0]["confidence"], &read["confidence"]),
            (&json!(level), &json!(level)),
            "{seen}"
        );
    }
    assert_eq!(
        person(&json!({"full_name": "Ada Byron"}))["confidence"],
        "low"
    );
}

#[test]
fn flat_columns_come_from_the_best_current_element() {
    let read = person(&json!({"full_name": "Ada Byron", "emails": [
        {"address": "old@a.example.com", "type": "work", "current": false, "confidence": "high"},
        {"address": "low@a.example.com", "type": "work", "confidence": "low"},
        {"address": "good@a.example.com", "type": "work", "confidence": "moderate"}]}));
    assert_eq!(read["work_email"], "good@a.example.com");
}

#[test]
fn a_name_given_in_parts_loses_nothing_where_they_meet() {
    for (line, full_name, first, last, suffix) in [
        (
            json!({"first_name": "Don", "middle_name": "Allen", "last_name": "Smith"}),
            "don allen smith",
            "don",
            "smith",
            json!(null),
        ),
        (
            json!({"first_name": "Maria Elena", "last_name": "Cota"}),
            "maria elena cota",
            "maria elena",
            "cota",
            json!(null),
        ),
        (
            json!({"first_name": "Judge", "middle_name": "Ahmed", "last_name": "Khan Jr."}),
            "judge ahmed khan",
            "judge",
            "khan",
            json!("jr."),
        ),
        (
            json!({"full_name": "Judge Ahmed Khan", "first_name": "Judge", "last_name": "Khan"}),
            "judge ahmed khan",
            "judge",
            "khan",
            json!(null),
        ),
    ] {
        let read = person(&line);
        assert_eq!(read["full_name"], full_name, "{line}");
        assert_eq!(read["first_name"], first, "{line}");
        assert_eq!(read["last_name"], last, "{line}");
        assert_eq!(
            read.get("suffix").cloned().unwrap_or_default(),
            suffix,
            "{line}"
        );
    }
}

#[test]
fn the_location_of_a_company_that_the_flat_columns_show_is_primary() {
    let places =
        json!([{"city": "Boston", "country": "US"}, {"city": "Paris", "country": "France"}]);
    let primary = |line: &Value| {
        let read = doc(RecordKind::Company, line);
        let places = read["locations"].as_array().unwrap().iter();
        places
            .map(|place| place.get("primary").cloned().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    let flat = json!({"name": "Acme", "city": "Paris", "country": "FR", "locations": places});
    assert_eq!(primary(&flat), [json!(null), json!(true)]);
    let unmarked = json!({"name": "Acme", "locations": places});
    assert_eq!(primary(&unmarked), [json!(true), json!(null)]);
    let marked = json!({"name": "Acme", "locations": [{"city": "Boston"}, {"city": "Paris", "primary": true}]});
    assert_eq!(primary(&marked), [json!(null), json!(true)]);
}

#[test]
fn a_middle_name_is_what_stands_between_the_parts() {
    for (first, last, full_name, middle) in [
        (
            "Jennifer",
            "Carroll Foy",
            "Jennifer Carroll Foy",
            json!(null),
        ),
        (
            "Jennifer",
            "Carroll Foy",
            "Jennifer Ann Carroll Foy",
            json!("ann"),
        ),
        ("Maria Elena", "Cota", "Maria Elena Cota", json!(null)),
        (
            "Malcolm",
            "Hodgson",
            "Malcolm Malcolm Hodgson",
            json!("malcolm"),
        ),
        ("Don", "Smith", "Don Allen Smith", json!("allen")),
    ] {
        let read = person(&json!({"full_name": full_name, "first_name": first, "last_name": last}));
        assert_eq!(
            read.get("middle_name").cloned().unwrap_or_default(),
            middle,
            "{full_name}"
        );
    }
}

#[test]
fn a_postal_code_is_a_key_in_one_spelling() {
    let line = json!({"full_name": "Maya Okafor", "locations": [{"postal_code": "SW1A 1AA"}, {"postal_code": "60607-1234"}]});
    let (record, _) = record(RecordKind::Person, &line);
    for code in ["sw1a1aa", "60607"] {
        let keys = normalize::keys::name_context("maya okafor", PersonKey::NamePostalCode, code);
        let is_stored = |wanted: &[u8; 16]| record.keys.iter().any(|key| key.key == *wanted);
        assert!(!keys.is_empty() && keys.iter().all(is_stored), "{code}");
    }
}

#[test]
fn a_given_name_is_neither_a_title_nor_a_bracket() {
    for (line, first) in [
        (
            json!({"full_name": "Dr. Felix J. Grawert", "first_name": "Dr.", "last_name": "Grawert"}),
            "felix",
        ),
        (
            json!({"full_name": "sir john ritblat", "first_name": "sir", "last_name": "ritblat"}),
            "john",
        ),
        (
            json!({"full_name": "james c. moylan", "first_name": "james (jim)", "last_name": "moylan"}),
            "james",
        ),
        (
            json!({"full_name": "prince fielder", "first_name": "prince", "last_name": "fielder"}),
            "prince",
        ),
    ] {
        assert_eq!(person(&line)["first_name"], json!(first), "{line}");
    }
    let called = json!({"first_name": "Dr.", "middle_name": "Maya", "last_name": "Okafor"});
    assert_eq!(person(&called)["full_name"], "maya okafor");
    // The whole name knows better which one it is.
    let whole = json!({"full_name": "Dr. Jose Maria Lopez", "first_name": "Dr.", "middle_name": "Maria", "last_name": "Lopez"});
    assert_eq!(person(&whole)["first_name"], "jose");
    for full_name in ["Dr. Maya Okafor", "---"] {
        let line = json!({"full_name": full_name, "first_name": "Dr.", "middle_name": "Maya", "last_name": "Okafor"});
        let read = person(&line);
        assert_eq!(
            (&read["first_name"], &read["full_name"]),
            (&json!("maya"), &json!("maya okafor"))
        );
        assert!(read.get("middle_name").is_none_or(Value::is_null), "{read}");
    }
}

#[test]
fn a_sex_is_read_by_its_letter_and_in_other_languages() {
    let of = |sex: &str| person(&json!({"full_name": "maya okafor", "sex": sex}))["sex"].clone();
    for (given, sex) in [
        ("F", "female"),
        ("w", "female"),
        ("Frau", "female"),
        ("M", "male"),
        ("homme", "male"),
        ("Other", "other"),
    ] {
        assert_eq!(of(given), sex, "{given}");
    }
    assert_eq!(of("h"), Value::Null);
    // Mujer.
    for place in [
        json!({"country": "Mexico"}),
        json!({"locations": [{"city": "Monterrey", "country": "Mexico"}]}),
    ] {
        let mut line = json!({"full_name": "Ana Diaz", "sex": "M"});
        let place = place.as_object().unwrap().clone();
        line.as_object_mut().unwrap().extend(place);
        let (_, found) = record(RecordKind::Person, &line);
        assert_eq!(person(&line)["sex"], Value::Null);
        assert_eq!(found.unreadable["sex"], 1);
    }
}

#[test]
fn lists_come_from_flat_columns() {
    let read = person(
        &json!({"first_name": "Ada", "last_name": "Byron", "job_title": "VP Sales", "company_name": "Acme, Inc.",
        "city": "Chicago", "state": "IL", "country": "US", "linkedin_url": "https://www.linkedin.com/in/Ada-B/", "mobile_phone": "(312) 555-0142"}),
    );
    assert_eq!(read["full_name"], "ada byron");
    assert_eq!(
        read["experience"][0]["organization"]["name"],
        json!({"cleaned": "acme", "raw": ["Acme, Inc."]})
    );
    assert_eq!(read["experience"][0]["current"], true);
    assert_eq!(read["seniority_level"], "vp");
    assert_eq!(read["locations"][0]["state_code"], "US-IL");
    assert_eq!(read["locations"][0]["continent_code"], "NA");
    assert_eq!(read["socials"][0]["url"], "linkedin.com/in/ada-b");
    assert_eq!(read["phones"][0]["number"], "+13125550142");
}

#[test]
fn what_cannot_be_read_is_counted_and_left_out() {
    let line = json!({"full_name": "Ada Byron", "phones": ["12"], "birth_date": "soon", "shoe_size": 38,
        "experience": [{"title": "Baker", "company_industry": "Moon Cheese", "boss": 1}], "num_sources": "x"});
    let (record, found) = record(RecordKind::Person, &line);
    let report = found;
    let counts = |pairs: &[&str]| {
        pairs
            .iter()
            .map(|name| ((*name).to_owned(), 1))
            .collect::<BTreeMap<_, _>>()
    };
    assert_eq!(
        report.unreadable,
        counts(&["birth_date", "num_sources", "phones.number"])
    );
    assert_eq!(
        report.unknown_keys,
        counts(&["experience.boss", "shoe_size"])
    );
    assert_eq!(
        report.unmapped["experience.organization.industry"],
        counts(&["moon cheese"])
    );
    // The event has nothing of it but counts.
    let told = report.counts();
    assert_eq!(told.unreadable, report.unreadable);
    assert_eq!(told.unlisted, counts(&["experience.organization.industry"]));
    assert_eq!(told.unknown, 2);
    assert!(told.unknown_keys.is_empty() && told.unmapped.is_empty());
    let read: Value = serde_json::from_slice(&record.doc).unwrap();
    assert_eq!(
        read["company_industry"], "moon cheese",
        "kept as it came, in lower case"
    );
    assert!(read.get("phones").is_none() && read.get("birth_date").is_none());
}

#[test]
fn lines_that_are_no_records_say_why() {
    let reason = |line: &str| read(RecordKind::Person, line.as_bytes()).0.err();
    assert_eq!(reason("{"), Some(Reject::NotJson));
    assert_eq!(reason("7"), Some(Reject::NotAnObject));
    assert_eq!(reason(r#"{"first_name":"Ada"}"#), Some(Reject::NoName));
    assert_eq!(
        reason(r#"{"full_name":"Ada Byron","service_id":"1"}"#),
        Some(Reject::BadServiceId)
    );
    assert_eq!(
        reason(r#"{"full_name":"Ada\u0000 Byron"}"#),
        None,
        "a NUL is dropped"
    );
}

#[test]
fn a_record_without_an_id_gets_the_same_one_again() {
    let id = |line: Value| record(RecordKind::Person, &line).0.service_id;
    let by_mail = json!({"full_name": "Ada Byron", "work_email": "ada@a.example.com"});
    assert_eq!(
        id(by_mail.clone()),
        id(json!({"full_name": "A. Byron", "emails": ["ADA@a.example.com"]}))
    );
    assert_ne!(id(by_mail), id(json!({"full_name": "Ada Byron"})));
    assert_eq!(
        id(json!({"full_name": "Ada Byron"})),
        id(json!({"full_name": "Ada  BYRON"}))
    );
}

#[test]
fn a_company_is_read_from_short_and_long_forms() {
    let line = json!({"name": "Northwind Tools, Inc.", "domain": "https://www.northwind-tools.example/about", "type": "Privately Held",
        "size": "201-500", "founded": "1994", "locations": [{"city": "Chicago", "state": "Illinois", "country": "USA"}],
        "tickers": ["nwt "], "last_seen": "2026-09-14", "service_employee_growth_rate": {"12m": 0.071, "5m": 1}});
    let (record, found) = record(RecordKind::Company, &line);
    let read: Value = serde_json::from_slice(&record.doc).unwrap();
    assert_eq!(
        read["name"],
        json!({"cleaned": "northwind tools", "display": "Northwind Tools, Inc.", "raw": ["Northwind Tools, Inc."]})
    );
    assert_eq!(read["domain"], "northwind-tools.example");
    assert_eq!(
        read["domains"],
        json!([{"domain": "northwind-tools.example"}])
    );
    assert_eq!(
        (&read["state_code"], &read["country_code"]),
        (&json!("US-IL"), &json!("US"))
    );
    assert_eq!(
        (&read["last_seen"], &read["founded"]),
        (&json!("2026-09"), &json!(1994))
    );
    assert_eq!(read["service_employee_growth_rate"], json!({"12m": 0.071}));
    assert_eq!(
        found.unknown_keys.keys().collect::<Vec<_>>(),
        ["service_employee_growth_rate.5m"]
    );
    assert!(flags(&record, CompanyKey::Ticker, "NWT").is_some());
    assert!(flags(&record, CompanyKey::Domain, "northwind-tools.example").is_some());
}

#[test]
fn states_and_countries_are_stored_by_name_and_code_in_flat_fields_and_in_locations() {
    let table = [
        (
            json!({"state": "IL", "country": "US"}),
            ["illinois", "US-IL", "united states", "US"],
        ),
        (
            json!({"state": "il"}),
            ["illinois", "US-IL", "united states", "US"],
        ),
        (
            json!({"state": "Illinois", "country_code": "us"}),
            ["illinois", "US-IL", "united states", "US"],
        ),
        (
            json!({"state_code": "US-IL"}),
            ["illinois", "US-IL", "united states", "US"],
        ),
        (
            json!({"state_code": "il", "country": "United States of America"}),
            ["illinois", "US-IL", "united states", "US"],
        ),
        (
            json!({"state": "us-il", "state_code": ""}),
            ["illinois", "US-IL", "united states", "US"],
        ),
        (
            json!({"state": "NSW", "country": "Australia"}),
            ["new south wales", "AU-NSW", "australia", "AU"],
        ),
        (
            json!({"state": "BY", "country": "DE"}),
            ["bavaria", "DE-BY", "germany", "DE"],
        ),
        (
            json!({"state": "Bayern", "country": "Deutschland"}),
            ["bavaria", "DE-BY", "germany", "DE"],
        ),
        (
            json!({"state": "ON", "country_code": "CA"}),
            ["ontario", "CA-ON", "canada", "CA"],
        ),
        (
            json!({"state": "Île-de-France", "country": "FR"}),
            ["île-de-france", "FR-IDF", "france", "FR"],
        ),
        // California in the United States, no state of Canada.
        (
            json!({"state": "CA"}),
            ["california", "US-CA", "united states", "US"],
        ),
        (
            json!({"state": "Texas", "state_code": "US-CA"}),
            ["california", "US-CA", "united states", "US"],
        ),
        (
            json!({"state": "Atlantis", "country": "US"}),
            ["atlantis", "", "united states", "US"],
        ),
        (
            json!({"state": "Atlantis", "country": "Lemuria"}),
            ["atlantis", "", "lemuria", ""],
        ),
        (json!({"country": "de"}), ["", "", "germany", "DE"]),
    ];
    let stored = |place: &Value| {
        ["state", "state_code", "country", "country_code"]
            .map(|field| place[field].as_str().unwrap_or_default().to_owned())
    };
    for (given, expected) in table {
        for kind in RecordKind::ALL {
            let name = match kind {
                RecordKind::Person => ("full_name", "Ada Byron"),
                RecordKind::Company => ("name", "Acme"),
            };
            let mut flat = given.clone();
            flat[name.0] = json!(name.1);
            let read = doc(kind, &flat);
            assert_eq!(stored(&read), expected, "{kind} {given}");
            assert_eq!(
                stored(&read["locations"][0]),
                expected,
                "{kind}: the location of {given}"
            );
            let mut listed = json!({"locations": [given.clone()]});
            listed[name.0] = json!(name.1);
            let read = doc(kind, &listed);
            assert_eq!(
                stored(&read["locations"][0]),
                expected,
                "{kind}: {given} in locations"
            );
            assert_eq!(
                stored(&read),
                expected,
                "{kind}: the flat fields of {given} in locations"
            );
            // One place said in two ways is one place.
            let mut both = flat.clone();
            both["locations"] = json!([{"state": expected[0], "country": expected[2]}]);
            assert_eq!(
                doc(kind, &both)["locations"].as_array().unwrap().len(),
                1,
                "{kind} {given}"
            );
        }
    }
}
