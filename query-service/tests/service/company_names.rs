//! Companies by name: what stands beside it, words more and less, first letters, and who is not meant.

use events_schema::record::{Confidence, RecordKind};
use query_service::enrich::choose::Miss;
use query_service::enrich::request::EnrichRequest;
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
        ("Quillmoss Tools Inc. (f/k/a Pellucid Forge, Inc.)", 1),
        ("Quillmoss Tools (AG)", 1),
        ("Quillmoss Tools, formerly known as Pellucid Forge", 1),
        ("Harrow (Freight Company)", 2),
        ("Brindlecote Ltd", 3),
        ("Ostermarsh (now Brindlecote)", 3),
    ] {
        assert_eq!(by_name(&records, name), Some((number, MODERATE)), "{name}");
    }
    // A former name alone, a bracket that only the record has, another country than the record's: less sure.
    for (name, number) in [
        ("Ostermarsh", 3),
        ("Harrow", 2),
        ("Quillmoss Tools (Brazil)", 1),
    ] {
        assert_eq!(by_name(&records, name), Some((number, LOW)), "{name}");
    }
    assert_eq!(by_name(&records, "Harrow (Bakery)"), None);
}

#[test]
fn a_bracket_that_says_no_name_and_no_place_changes_nothing() {
    let records = [
        named(1, "harrow"),
        named(2, "closed"),
        named(3, "boston"),
        named(4, "oracle"),
    ];
    for name in [
        "Harrow (now closed)",
        "Harrow (formerly of Boston)",
        "Harrow (HQ)",
    ] {
        assert_eq!(by_name(&records, name), Some((1, MODERATE)), "{name}");
    }
    assert_eq!(by_name(&records, "Oracle DBA Services"), None);
    let states = [placed(1, "quillmoss", "atlanta", "US")];
    for name in ["Quillmoss (GA)", "Quillmoss (Georgia)", "Quillmoss (US)"] {
        assert_eq!(by_name(&states, name), Some((1, MODERATE)), "{name}");
    }
}

#[test]
fn the_name_of_today_comes_before_a_former_one() {
    let records = [named(1, "quillmoss"), named(2, "harrow")];
    for name in [
        "Harrow (formerly Quillmoss)",
        "Harrow, formerly Quillmoss",
        "Quillmoss (now Harrow)",
    ] {
        assert_eq!(by_name(&records, name), Some((2, MODERATE)), "{name}");
    }
}

#[test]
fn brackets_are_spelling_where_all_is_there() {
    let records = [
        named(1, "bank of china hong kong"),
        named(2, "acme precision tools"),
    ];
    assert_eq!(
        by_name(&records, "Bank of China (Hong Kong)"),
        Some((1, MODERATE))
    );
    assert_eq!(
        by_name(&records, "Acme (Precision Tools)"),
        Some((2, MODERATE))
    );
}

#[test]
fn two_inputs_with_one_key_are_both_led() {
    let record = company(
        1,
        json!({"name": {"cleaned": "harrow"}, "linkedin_id": "1441"}),
    );
    let both = json!({"linkedin_url": "linkedin.com/company/1441", "linkedin_id": "1441"});
    let (matches, _) = ask(&[record], both).unwrap();
    assert_eq!(
        matches,
        [(1, Confidence::High, "linkedin_url linkedin_id".to_owned())]
    );
}

#[test]
fn more_that_agrees_never_lowers_a_name() {
    let worlds = [
        vec![
            placed(1, "quillmoss group", "hamburg", "DE"),
            placed(2, "quillmoss ostermarsh", "hamburg", "DE"),
        ],
        vec![
            placed(1, "quillmoss services", "hamburg", "DE"),
            placed(2, "quillmoss metals", "hamburg", "DE"),
        ],
        vec![
            placed(1, "quilmoss", "hamburg", "DE"),
            placed(2, "quillmoss ostermarsh", "hamburg", "DE"),
        ],
        vec![placed(1, "quillmoss metals", "hamburg", "DE")],
    ];
    for records in worlds {
        let alone = by_name(&records, "Quillmoss");
        for context in [json!({"country": "DE"}), json!({"city": "Hamburg"})] {
            let mut body = json!({"name": "Quillmoss"});
            body.as_object_mut()
                .unwrap()
                .extend(context.as_object().unwrap().clone());
            let found = ask(&records, body).ok().and_then(|(matches, _)| {
                matches.first().map(|(number, level, _)| (*number, *level))
            });
            assert!(
                found.map(|(_, level)| level) >= alone.map(|(_, level)| level),
                "{alone:?} {found:?} {context}"
            );
        }
    }
}

#[test]
fn a_name_that_very_many_have_a_part_of_is_carried_by_nothing() {
    let records: Vec<Record> = (1..=40)
        .map(|number| placed(number, &format!("summit quill{number}moss"), "boston", "US"))
        .collect();
    let body = json!({"name": "Summit", "city": "Boston"});
    assert_eq!(ask(&records, body), Err(Miss::NoMatch));
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
    let far_sister = [
        named(1, "quillmoss metals"),
        named(2, "quillmoss bank europe"),
    ];
    assert_eq!(by_name(&far_sister, "Quillmoss"), None);
}

#[test]
fn a_word_that_makes_another_company_needs_a_context() {
    let records = [placed(1, "quillmoss", "hamburg", "DE")];
    assert_eq!(by_name(&records, "Quillmoss Ostermarsh"), None);
    let there = json!({"name": "Quillmoss Ostermarsh", "city": "Hamburg"});
    let (matches, _) = ask(&records, there).unwrap();
    assert_eq!(matches, [(1, LOW, "name city".to_owned())]);
    let somewhere = json!({"name": "Quillmoss Ostermarsh", "country": "DE"});
    assert_eq!(
        ask(&records, somewhere),
        Err(Miss::NoMatch),
        "a country is no place"
    );
    let elsewhere = json!({"name": "Quillmoss Ostermarsh", "city": "Boston"});
    assert_eq!(ask(&records, elsewhere), Err(Miss::NoMatch));
}

#[test]
fn a_name_that_is_cut_short_means_the_only_one_that_goes_on_after_it() {
    let records = [
        placed(1, "quillmoss ostermarsh", "hamburg", "DE"),
        named(2, "harrow pharmaceuticals and brindle chemicals"),
    ];
    for (name, number) in [
        ("Quillmoss", 1),
        ("Harrow Pharma", 2),
        ("Harrow Pharm & Brindle Chem", 2),
        ("Harrow Pharmaceuticals", 2),
    ] {
        assert_eq!(by_name(&records, name), Some((number, LOW)), "{name}");
    }
    let elsewhere = json!({"name": "Quillmoss", "city": "Boston"});
    assert_eq!(ask(&records, elsewhere), Err(Miss::NoMatch));
    let [first, second] = records;
    let records = [
        first,
        second,
        named(3, "quillmoss forge"),
        named(4, "harrow pharmacies"),
    ];
    assert_eq!(by_name(&records, "Quillmoss"), None, "could be either");
    let whole = by_name(&records, "Harrow Pharm");
    assert_eq!(whole, Some((4, LOW)), "no word of it is missing");
}

#[test]
fn a_name_begun_by_more_than_are_read_means_none_of_them() {
    let crowd = || (2..=20).map(|number| named(number, &format!("quillmoss phantom{number}")));
    let only = named(1, "quillmoss pharmaceuticals");
    assert_eq!(
        by_name(std::slice::from_ref(&only), "Quillmoss Pharm"),
        Some((1, LOW))
    );
    let crowded: Vec<Record> = std::iter::once(only).chain(crowd()).collect();
    assert_eq!(
        by_name(&crowded, "Quillmoss Pharm"),
        None,
        "pharmacies may follow"
    );
    let goes_on = named(1, "quillmoss toolworks harrow");
    let tools = (2..=20).map(|number| named(number, &format!("quillmoss tool{number}")));
    let crowded: Vec<Record> = std::iter::once(goes_on).chain(tools).collect();
    assert_eq!(by_name(&crowded, "Quillmoss Toolw"), None);
}

#[test]
fn only_what_goes_on_after_a_name_is_meant_by_its_first_words() {
    assert_eq!(
        by_name(&[named(1, "ostermarsh quillmoss")], "Quillmoss"),
        None
    );
    let records = [
        named(1, "first capital bank ostermarsh"),
        named(2, "first capital bank ostermarsh harrow"),
    ];
    assert_eq!(by_name(&records, "First Capital Bank"), None);
}

#[test]
fn a_place_that_agrees_takes_nothing_from_a_name_that_is_sure() {
    let here = |number, name| placed(number, name, "hamburg", "DE");
    let records = [
        here(1, "quillmoss metals ostermarsh"),
        here(2, "quillmoss"),
        here(3, "quillmoss"),
    ];
    for body in [
        json!({"name": "Quillmoss Metals"}),
        json!({"name": "Quillmoss Metals", "city": "Hamburg"}),
    ] {
        assert_eq!(ask(&records, body).unwrap().0[0].0, 1);
    }
}

#[test]
fn a_domain_made_of_a_name_outweighs_a_slip_in_it() {
    let flicker = company(
        1,
        json!({"name": {"cleaned": "flicker"}, "domain": "flickr.com"}),
    );
    assert_eq!(by_name(&[flicker], "Flickr"), Some((1, LOW)));
    let abroad = json!({"name": "Dneso (Brazil)", "city": "Kariya"});
    let denso = placed(1, "denso", "kariya", "JP");
    assert_eq!(ask(&[denso], abroad), Err(Miss::NoMatch));
}

#[test]
fn a_department_and_a_place_behind_a_dash_are_no_part_of_a_name() {
    let records = [placed(1, "quillmoss tools", "milan", "IT")];
    for name in [
        "Quillmoss Tools - Sales",
        "Quillmoss Tools, IT Department",
        "Quillmoss Tools - HQ",
        "Quillmoss Tools - Milano",
    ] {
        assert_eq!(by_name(&records, name), Some((1, MODERATE)), "{name}");
    }
    assert_eq!(
        by_name(&records, "Quillmoss Tools - Germany"),
        Some((1, LOW))
    );
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
fn one_word_of_a_name_is_enough_where_the_domain_is_made_of_it() {
    let at = |number, name: &str, domain: &str| {
        company(number, json!({"name": {"cleaned": name}, "domain": domain}))
    };
    let records = [
        at(1, "klm royal dutch airlines", "klm.com"),
        at(2, "bharti airtel", "airtel.in"),
        at(3, "bharti quillmoss", "bharti-quillmoss.in"),
        at(4, "harrow airlines", "harrowair.com"),
    ];
    assert_eq!(by_name(&records, "KLM"), Some((1, LOW)));
    assert_eq!(by_name(&records, "Airtel"), Some((2, LOW)));
    for other in ["Bharti", "Dutch", "Airlines"] {
        assert_eq!(by_name(&records, other), None, "{other}");
    }
}

#[test]
fn first_letters_are_those_of_too_many_companies() {
    let with_domain = company(
        1,
        json!({"name": {"cleaned": "northwind worldwide forge"}, "domain": "nwf.com"}),
    );
    assert_eq!(by_name(&[with_domain], "NWF"), Some((1, LOW)));
    let without = named(1, "northwind worldwide forge");
    assert_eq!(by_name(std::slice::from_ref(&without), "NWF"), None);
    let records = [
        without,
        placed(2, "quillmoss harrow brindle forge", "kariya", "JP"),
    ];
    assert_eq!(by_name(&records, "QHBF"), None);
    let there = json!({"name": "QHBF", "city": "Kariya"});
    assert_eq!(ask(&records, there).unwrap().0[0].0, 2);
    let with_domain = company(
        3,
        json!({"name": {"cleaned": "quillmoss harrow brindle forge"}, "domain": "qhbf.com"}),
    );
    assert_eq!(by_name(&[with_domain], "QHBF"), Some((3, LOW)));
    let stranger = company(
        6,
        json!({"name": {"cleaned": "arcs company"}, "domain": "arcs-g.co.jp"}),
    );
    assert_eq!(by_name(&[stranger], "American Red Cross Society"), None);
    let stranger = company(
        7,
        json!({"name": {"cleaned": "franklin pierce law center"}, "domain": "fplc.edu"}),
    );
    assert_eq!(by_name(&[stranger], "Florida Power Light Company"), None);
    let there = json!({"name": "ABC", "country": "US"});
    let stranger = placed(4, "american brindle consulting", "boston", "US");
    assert_eq!(ask(&[stranger], there), Err(Miss::NoMatch));
    let by_domain = company(5, json!({"name": {"cleaned": "bmw"}, "domain": "bmw.de"}));
    assert_eq!(by_name(&[by_domain], "bmw.com"), Some((5, LOW)));
    let letters = named(3, "nwf");
    assert_eq!(by_name(&[letters], "Northwind Worldwide Forge"), None);
}

#[test]
fn a_company_is_found_by_what_it_is_or_was_called_otherwise() {
    let records = [
        placed(1, "meta platforms, inc.", "menlo park", "US"),
        named(2, "imss"),
        named(3, "united airlines holdings"),
        named(4, "腾讯控股有限公司"),
        named(5, "commonwealth bank of australia"),
    ];
    assert_eq!(by_name(&records, "Facebook"), Some((1, LOW)));
    assert_eq!(by_name(&records, "Facebook - HQ"), Some((1, LOW)));
    assert_eq!(
        by_name(&records, "Instituto Mexicano del Seguro Social"),
        Some((2, LOW))
    );
    assert_eq!(by_name(&records, "Tencent"), Some((4, LOW)));
    assert_eq!(by_name(&records, "CommBank"), Some((5, LOW)));
    // A word that many names have is nobody's without the words beside it, and several companies are called by these letters.
    for other in ["United Group", "CBA", "Instagram"] {
        assert_eq!(by_name(&records, other), None, "{other}");
    }
    let abroad = json!({"name": "Facebook (Germany)"});
    assert_eq!(ask(&records, abroad), Err(Miss::NoMatch), "a sister");
    let both = [named(1, "meta platforms"), named(6, "facebook")];
    assert_eq!(by_name(&both, "Facebook"), Some((6, MODERATE)));
}

#[test]
fn a_slip_in_a_short_name_needs_a_place() {
    let records = [placed(1, "denso", "kariya", "JP"), named(2, "quillmoss")];
    assert_eq!(by_name(&records, "Dneso"), None, "another may be called so");
    let there = json!({"name": "Dneso", "city": "Kariya"});
    assert_eq!(ask(&records, there).unwrap().0[0].0, 1);
    let there = json!({"name": "Kenso", "city": "Kariya"});
    assert_eq!(
        ask(&records, there),
        Err(Miss::NoMatch),
        "its first letter is kept"
    );
    assert_eq!(
        by_name(&records, "Qiullmoss"),
        Some((2, LOW)),
        "few words are like it"
    );
    assert_eq!(by_name(&records, "Huillmoss"), None);
    let beside = [named(1, "denso brindle"), named(2, "denso energy")];
    assert_eq!(
        by_name(&beside, "Dneso Brindle"),
        Some((1, LOW)),
        "brindle says which"
    );
    assert_eq!(by_name(&beside, "Dneso Energy"), None);
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

#[test]
fn an_unknown_host_means_who_owns_its_domain() {
    let named = |number, name: &str, host: &str| {
        company(number, json!({"name": {"cleaned": name}, "domain": host}))
    };
    let owner = named(1, "northwind", "northwind.com");
    let records = [named(2, "northwind shop", "shop.northwind.com"), owner];
    let ask = |records: &[Record], host: &str| {
        let found = enrich(records, RecordKind::Company, json!({"domain": host}));
        let (matches, total) = found.unwrap();
        (matches[0].0, matches[0].1, total)
    };
    let moderate = Confidence::Moderate;
    assert_eq!(ask(&records, "www2.northwind.com"), (1, moderate, 1));
    assert_eq!(
        ask(&records, "shop.northwind.com"),
        (2, Confidence::High, 1)
    );
    // Where nobody has it, what is below it stands for it.
    assert_eq!(ask(&records[..1], "www2.northwind.com"), (2, moderate, 1));
}

#[test]
fn a_linkedin_page_is_found_whichever_kind_of_page_it_is_called() {
    let school = company(
        1,
        json!({"name": {"cleaned": "lakeside"}, "linkedin_url": "linkedin.com/school/lakeside"}),
    );
    let body = json!({"linkedin_url": "https://www.linkedin.com/company/lakeside/"});
    let found = enrich(&[school], RecordKind::Company, body).unwrap();
    let matched = (1, Confidence::High, "linkedin_url".to_owned());
    assert_eq!(found, (vec![matched], 1));
}

/// The northwind tools of a page, and the networks on which pages are.
fn of_networks() -> [Record; 4] {
    let network = |number, name: &str, host: &str| {
        company(number, json!({"name": {"cleaned": name}, "domain": host}))
    };
    [
        network(1, "linkedin", "linkedin.com"),
        network(2, "twitter", "twitter.com"),
        network(3, "instagram", "instagram.com"),
        company(
            4,
            json!({"name": {"cleaned": "northwind tools"}, "domain": "northwind-tools.example",
                "linkedin_url": "linkedin.com/company/northwind-tools",
                "socials": [{"url": "twitter.com/northwind"}, {"url": "instagram.com/northwind"}]}),
        ),
    ]
}

fn asked(field: &str, value: &str) -> Result<Matches, Miss> {
    enrich(&of_networks(), RecordKind::Company, json!({field: value}))
}

#[test]
fn a_page_given_as_domain_or_name_is_that_page_and_not_its_network() {
    for field in ["domain", "name", "linkedin_url", "social_url"] {
        for page in [
            "https://www.linkedin.com/company/northwind-tools/about",
            "https://twitter.com/Northwind",
            "https://www.instagram.com/northwind/",
        ] {
            let matched = (4, Confidence::High, field.to_owned());
            assert_eq!(asked(field, page), Ok((vec![matched], 1)), "{field} {page}");
        }
        let nobodys = "https://www.linkedin.com/company/southwind-fools";
        assert_eq!(asked(field, nobodys), Err(Miss::NoMatch), "{field}");
    }
    let itself = (1, Confidence::High, "domain".to_owned());
    assert_eq!(
        asked("domain", "https://www.linkedin.com/"),
        Ok((vec![itself], 1))
    );
    let feed = json!({"domain": "https://www.linkedin.com/feed"});
    let read = EnrichRequest::read(RecordKind::Company, feed.as_object().unwrap());
    assert!(read.is_err());
}
