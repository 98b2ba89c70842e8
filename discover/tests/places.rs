//! Names that are a city, a state and a country at once, in a build that has towns of all of them; and what else customers
//! asked that was read wrongly.
#![allow(clippy::unwrap_used, clippy::panic)]

use chrono::NaiveDate;
use dialect::{Catalog, ColumnId, Query};
use discover::{Lexicon, translate};
use events_schema::record::RecordKind;

const TOWNS: &[&str] = &[
    "texas",
    "virginia",
    "washington",
    "california",
    "atlanta",
    "boston",
    "denver",
    "phoenix",
    "austin",
    "savannah",
    "albany",
    "buffalo",
    "new york",
    "tbilisi",
    "florida",
    "paris",
    "ab",
    "medellín",
    "saint-étienne",
];

/// A build in which every state has given a town its name.
struct Towns(ColumnId);

impl Lexicon for Towns {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        column == self.0 && TOWNS.contains(&value)
    }

    fn begins(&self, column: ColumnId, start: &str) -> bool {
        column == self.0 && TOWNS.iter().any(|town| town.starts_with(start))
    }
}

fn check(kind: RecordKind, text: &str, condition: &str, unsupported: &[&str]) {
    let city = if kind == RecordKind::Person {
        "city"
    } else {
        "locations.city"
    };
    let towns = Towns(Catalog::of(kind).find(city).unwrap());
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    let found = translate(kind, text, &towns, today)
        .unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
    let expected = Query::parse(
        kind,
        &format!("SELECT * FROM {} WHERE {condition}", kind.name()),
    )
    .unwrap();
    assert_eq!(found.query.text(), expected.query.text(), "{text}");
    let said: Vec<&str> = found
        .interpretation
        .unsupported
        .iter()
        .map(|one| one.phrase.as_str())
        .collect();
    assert_eq!(said, unsupported, "{text}");
}

#[test]
fn names_are_found_however_their_accents_are_typed() {
    for (text, city) in [
        ("engineers in Medellín", "medellín"),
        ("engineers in Medelli\u{301}n", "medellín"),
        ("engineers in Saint-E\u{301}tienne", "saint-étienne"),
    ] {
        let condition = format!("city = '{city}' AND job_function = 'engineering'");
        check(RecordKind::Person, text, &condition, &[]);
    }
}

#[test]
fn a_name_that_is_a_city_and_a_state_is_read_by_what_stands_beside_it() {
    for (text, condition) in [
        ("nurses in Texas", "state = 'texas'"),
        (
            "nurses in Texas, California or Florida",
            "state IN ('texas', 'california', 'florida')",
        ),
        (
            "nurses in Washington, Oregon or Idaho",
            "state IN ('washington', 'oregon', 'idaho')",
        ),
        ("nurses in New York", "city = 'new york'"),
        (
            "nurses in New York, California or Texas",
            "state IN ('new york', 'california', 'texas')",
        ),
        (
            "nurses in Paris, Texas",
            "city = 'paris' AND state = 'texas'",
        ),
        (
            "nurses in Austin, Texas",
            "city = 'austin' AND state = 'texas'",
        ),
        (
            "nurses in Atlanta, Georgia",
            "city = 'atlanta' AND state = 'georgia'",
        ),
        (
            "nurses in Tbilisi, Georgia",
            "city = 'tbilisi' AND country = 'georgia'",
        ),
        (
            "nurses in Georgia, USA",
            "state = 'georgia' AND country = 'united states'",
        ),
        (
            "nurses in Florida, Georgia, Ohio",
            "state IN ('florida', 'georgia', 'ohio')",
        ),
        ("nurses in Georgia", "country = 'georgia'"),
        ("nurses in the state of Georgia", "state = 'georgia'"),
        ("nurses in TX or CA", "state IN ('texas', 'california')"),
        (
            "nurses in Boston, MA",
            "city = 'boston' AND state = 'massachusetts'",
        ),
        ("nurses in OR", "state = 'oregon'"),
        ("nurses in AB", "state = 'alberta'"),
    ] {
        check(
            RecordKind::Person,
            text,
            &format!("job_title LIKE '%nurse%' AND {condition}"),
            &[],
        );
    }
    check(
        RecordKind::Company,
        "banks in Texas",
        "industry = 'banking' AND locations.state = 'texas'",
        &[],
    );
}

#[test]
fn a_name_of_several_places_is_told_with_how_it_was_read() {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    for (text, chosen) in [
        ("nurses in Georgia", "country = 'georgia'"),
        ("nurses in Ohio or Georgia", "state = 'georgia'"),
    ] {
        let found = translate(RecordKind::Person, text, &discover::NoLexicon, today).unwrap();
        let ambiguous: Vec<&str> = found
            .interpretation
            .ambiguous
            .iter()
            .map(|one| one.chosen.as_str())
            .collect();
        assert_eq!(ambiguous, [chosen], "{text}");
    }
}

#[test]
fn an_unknown_name_does_not_change_what_the_others_mean() {
    let person = RecordKind::Person;
    check(
        person,
        "nurses in Atlantis or Boston",
        "job_title LIKE '%nurse%' AND city = 'boston'",
        &["Atlantis"],
    );
    check(
        person,
        "give us nurses in Boston",
        "job_title LIKE '%nurse%' AND city = 'boston'",
        &[],
    );
}

#[test]
fn negations_reach_each_of_their_parts() {
    let person = RecordKind::Person;
    for text in [
        "nurses without linkedin and without a work email",
        "nurses with no email and no linkedin",
        "nurses without work email and linkedin",
    ] {
        check(
            person,
            text,
            "job_title LIKE '%nurse%' AND linkedin_url IS NULL AND work_email IS NULL",
            &[],
        );
    }
    check(
        person,
        "nurses with no more than 5 years of experience",
        "job_title LIKE '%nurse%' AND years_of_experience <= 5",
        &[],
    );
    check(
        person,
        "nurses with no fewer than 5 years of experience",
        "job_title LIKE '%nurse%' AND years_of_experience >= 5",
        &[],
    );
    check(
        person,
        "nobody without a work email in Boston",
        "work_email IS NOT NULL AND city = 'boston'",
        &[],
    );
    check(
        person,
        "sales people, except directors in Boston",
        "job_function = 'sales' AND (seniority_level IS NULL OR seniority_level <> 'director' OR city IS NULL OR city <> 'boston')",
        &[],
    );
}

#[test]
fn numbers_that_cannot_be_compared_with_are_reported() {
    let (person, company) = (RecordKind::Person, RecordKind::Company);
    check(
        company,
        "banks with around 200 employees",
        "industry = 'banking'",
        &["around 200 employees"],
    );
    check(
        person,
        "nurses in Boston with 99999 years of experience",
        "job_title LIKE '%nurse%' AND city = 'boston'",
        &["99999 years of experience"],
    );
    check(
        person,
        "nurses in Boston with 3.5 years of experience",
        "job_title LIKE '%nurse%' AND city = 'boston'",
        &["3.5 years of experience"],
    );
    check(
        company,
        "banks with negative growth",
        "industry = 'banking' AND service_employee_growth_rate.12m < 0",
        &[],
    );
    check(
        company,
        "banks with zero growth",
        "industry = 'banking'",
        &["zero growth"],
    );
    check(
        person,
        "nurses below director level",
        "job_title LIKE '%nurse%'",
        &["below director level"],
    );
    check(
        person,
        "junior to senior marketing people",
        "seniority_level IN ('entry', 'mid', 'senior') AND job_function = 'marketing'",
        &[],
    );
}

#[test]
fn days_are_days() {
    for (text, condition) in [
        ("nurses seen since 2026-02-03", "last_seen >= '2026-02-03'"),
        (
            "nurses seen since March 15, 2026",
            "last_seen >= '2026-03-15'",
        ),
        (
            "nurses seen since 15 March 2026",
            "last_seen >= '2026-03-15'",
        ),
        (
            "nurses last seen before 2026-07-15",
            "last_seen < '2026-07-15'",
        ),
        (
            "nurses seen in 2019 or 2020",
            "(last_seen BETWEEN '2019-01-01' AND '2019-12-31' OR last_seen BETWEEN '2020-01-01' AND '2020-12-31')",
        ),
    ] {
        check(
            RecordKind::Person,
            text,
            &format!("job_title LIKE '%nurse%' AND {condition}"),
            &[],
        );
    }
}

#[test]
fn phrases_on_lines_of_their_own_are_alternatives() {
    for text in [
        "lawyers in Denver\n\nnurses in Boston",
        "lawyers in Denver; nurses in Boston",
    ] {
        check(
            RecordKind::Person,
            text,
            "(job_function = 'legal' AND city = 'denver') OR (job_title LIKE '%nurse%' AND city = 'boston')",
            &[],
        );
    }
}

#[test]
fn of_two_values_side_by_side_one_is_asked_and_the_other_reported() {
    let person = |text, condition, unsupported: &[&str]| {
        check(RecordKind::Person, text, condition, unsupported);
    };
    person("HR consultants", "job_function = 'consulting'", &["HR"]);
    person(
        "IT support engineers",
        "job_function = 'engineering'",
        &["IT", "support"],
    );
    person(
        "sales operations directors in Boston",
        "city = 'boston' AND seniority_level = 'director' AND job_function = 'operations'",
        &["sales"],
    );
    person(
        "sales and marketing consultants",
        "job_function = 'consulting'",
        &["sales and marketing"],
    );
    // What else the first one says stays.
    person(
        "VPs of HR consulting",
        "seniority_level = 'vp' AND job_function = 'consulting'",
        &["HR"],
    );
    person(
        "senior HR consultants",
        "seniority_level = 'senior' AND job_function = 'consulting'",
        &["HR"],
    );
    // Behind a preposition stands no head of a noun.
    person("consultants in HR", "job_function = 'consulting'", &["HR"]);
    person(
        "partner managers",
        "seniority_level = 'manager'",
        &["partner"],
    );
    person(
        "engineers at healthcare software companies",
        "job_function = 'engineering' AND company_industry = 'computer software'",
        &["healthcare"],
    );
    let company = |text, condition, unsupported: &[&str]| {
        check(RecordKind::Company, text, condition, unsupported);
    };
    company(
        "medical device manufacturers",
        "industry = 'medical devices'",
        &["manufacturers"],
    );
    company(
        "manufacturers of furniture",
        "industry = 'furniture'",
        &["manufacturers"],
    );
    company(
        "banking software companies in Boston",
        "industry = 'computer software' AND locations.city = 'boston'",
        &["banking"],
    );
    company("large startups", "size IN ('1-10', '11-50')", &["large"]);
    company(
        "startups with 201-500 employees",
        "size = '201-500'",
        &["startups"],
    );
    company(
        "public healthcare nonprofits",
        "type = 'nonprofit' AND industry IN ('hospital & health care', 'medical practice', 'mental health care')",
        &["public"],
    );
    person(
        "directors, HR consultants",
        "seniority_level = 'director' OR job_function = 'consulting'",
        &["HR"],
    );
    person(
        "people excluding interns, HR consultants and directors",
        "(seniority_level IS NULL OR seniority_level NOT IN ('director', 'training')) AND (job_function IS NULL OR job_function <> 'consulting')",
        &["HR"],
    );
    // A NOT turns round the whole noun, "non" the word behind it.
    person(
        "engineers in Boston but not HR consultants",
        "city = 'boston' AND job_function = 'engineering' AND (job_function IS NULL OR job_function <> 'consulting')",
        &["HR"],
    );
    person(
        "non-HR consultants",
        "job_function = 'consulting' AND (job_function IS NULL OR job_function <> 'human resources')",
        &[],
    );
    // What both can hold, and what is joined, is asked as before.
    company(
        "banking and insurance companies",
        "industry IN ('banking', 'insurance')",
        &[],
    );
    person(
        "consultants or HR people",
        "job_function IN ('consulting', 'human resources')",
        &[],
    );
}

#[test]
fn titles_that_hold_the_word_for_a_level_are_titles() {
    let person = |text, condition, unsupported: &[&str]| {
        check(RecordKind::Person, text, condition, unsupported);
    };
    person(
        "executive directors in Boston",
        "city = 'boston' AND seniority_level = 'director'",
        &[],
    );
    person(
        "non-executive directors",
        "seniority_level = 'director'",
        &[],
    );
    person(
        "chief executives in Boston",
        "city = 'boston' AND job_title LIKE '%chief executive%'",
        &[],
    );
    person(
        "chiefs of staff in Boston",
        "city = 'boston' AND job_title LIKE '%chief of staff%'",
        &[],
    );
    person(
        "tech leads in Boston",
        "city = 'boston' AND job_title LIKE '%tech lead%'",
        &[],
    );
    person(
        "chief people officers",
        "job_title LIKE '%chief people officer%'",
        &[],
    );
    person(
        "chief product officers or CTOs",
        "job_title LIKE '%chief product officer%' OR job_title LIKE '%chief technology officer%'",
        &[],
    );
    person(
        "chiefs in Boston",
        "city = 'boston' AND seniority_level = 'cxo'",
        &[],
    );
    person(
        "engineers more senior than managers",
        "job_function = 'engineering'",
        &["more senior than managers"],
    );
}

#[test]
fn a_list_of_levels_and_one_of_functions_must_both_hold() {
    let both = "seniority_level IN ('director', 'vp') AND job_function IN ('marketing', 'sales')";
    for text in [
        "directors or VPs, in marketing or sales",
        "directors or VPs, marketing or sales",
        "directors and VPs, marketing and sales",
        "marketing or sales, directors or VPs",
    ] {
        check(RecordKind::Person, text, both, &[]);
    }
    let person = |text, condition| check(RecordKind::Person, text, condition, &[]);
    person(
        "VPs or directors, of marketing",
        "seniority_level IN ('director', 'vp') AND job_function = 'marketing'",
    );
    person(
        "engineers or designers, senior",
        "seniority_level = 'senior' AND job_function IN ('arts and design', 'engineering')",
    );
    // A list of who is sought stays one.
    person(
        "engineers, juniors",
        "seniority_level = 'entry' OR job_function = 'engineering'",
    );
    person(
        "directors, engineers or nurses",
        "job_title LIKE '%nurse%' OR seniority_level = 'director' OR job_function = 'engineering'",
    );
    person(
        "engineers, senior designers",
        "(seniority_level = 'senior' AND job_function = 'arts and design') OR job_function = 'engineering'",
    );
}

/// A build of which these values are known: columns and values.
struct Stored(&'static [(&'static str, &'static str)], RecordKind);

impl Lexicon for Stored {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        let is_column = |path: &str| Catalog::of(self.1).find(path) == Some(column);
        self.0
            .iter()
            .any(|(path, known)| *known == value && is_column(path))
    }
}

fn read_stored(
    kind: RecordKind,
    stored: &'static [(&'static str, &'static str)],
    text: &str,
) -> discover::Translation {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    translate(kind, text, &Stored(stored, kind), today)
        .unwrap_or_else(|refused| panic!("{text}: {refused:?}"))
}

fn check_stored(
    kind: RecordKind,
    stored: &'static [(&'static str, &'static str)],
    text: &str,
    condition: &str,
) {
    let found = read_stored(kind, stored, text);
    let expected = format!("SELECT * FROM {} WHERE {condition}", kind.name());
    let expected = Query::parse(kind, &expected).unwrap();
    assert_eq!(found.query.text(), expected.query.text(), "{text}");
    assert_eq!(found.interpretation.unsupported, [], "{text}");
}

#[test]
fn a_name_that_the_build_has_as_it_was_said_is_found() {
    let company = RecordKind::Company;
    for (stored, text, condition) in [
        (
            &[("locations.city", "new delhi")][..],
            "banks in New Delhi",
            "locations.city = 'new delhi'",
        ),
        (
            &[("locations.city", "new delhi"), ("locations.city", "delhi")],
            "banks in New Delhi",
            "locations.city IN ('delhi', 'new delhi')",
        ),
        (
            &[("locations.city", "new delhi"), ("locations.city", "delhi")],
            "banks in Delhi",
            "locations.city = 'delhi'",
        ),
        (
            &[("locations.city", "delhi")],
            "banks in New Delhi",
            "locations.city = 'delhi'",
        ),
        (
            &[("locations.city", "kiev")],
            "banks in Kiev or Bangalore",
            "locations.city IN ('bengaluru', 'kiev')",
        ),
        (
            &[
                ("locations.state", "victoria"),
                ("locations.city", "victoria"),
            ],
            "banks in Victoria, Australia",
            "locations.state = 'victoria' AND locations.country = 'australia'",
        ),
        (
            &[
                ("locations.state", "victoria"),
                ("locations.city", "victoria"),
            ],
            "banks in Victoria, Canada",
            "locations.city = 'victoria' AND locations.country = 'canada'",
        ),
        (
            &[("locations.city", "ontario")],
            "banks in Ontario, California",
            "locations.city = 'ontario' AND locations.state = 'california'",
        ),
        (
            &[("locations.city", "ontario")],
            "banks in Ontario, California or Texas",
            "locations.state IN ('california', 'ontario', 'texas')",
        ),
        (
            &[],
            "banks in Ontario, California",
            "locations.state IN ('california', 'ontario')",
        ),
    ] {
        let condition = format!("industry = 'banking' AND {condition}");
        check_stored(company, stored, text, &condition);
    }
}

#[test]
fn a_name_that_the_build_has_only_as_a_state_is_the_state() {
    let person = RecordKind::Person;
    for (stored, text, condition) in [
        (
            &[("state", "new york")][..],
            "nurses in New York",
            "state = 'new york'",
        ),
        (
            &[("state", "new york"), ("city", "new york")],
            "nurses in New York",
            "city = 'new york'",
        ),
        (
            &[("state", "new york")],
            "nurses in New York City",
            "city = 'new york'",
        ),
        (
            &[("state", "puerto rico")],
            "nurses in Puerto Rico",
            "state = 'puerto rico'",
        ),
        (
            &[("country", "puerto rico")],
            "nurses in Puerto Rico",
            "country = 'puerto rico'",
        ),
        (
            &[("country", "puerto rico"), ("state", "puerto rico")],
            "nurses in the state of Puerto Rico",
            "state = 'puerto rico'",
        ),
    ] {
        let condition = format!("job_title LIKE '%nurse%' AND {condition}");
        check_stored(person, stored, text, &condition);
    }
}

#[test]
fn the_state_is_told_where_the_city_or_the_country_of_its_name_is_asked() {
    let person = RecordKind::Person;
    for (stored, text, alternative) in [
        (&[][..], "nurses in Georgia", Some("state = 'georgia'")),
        (
            &[("city", "new york")],
            "nurses in New York",
            Some("state = 'new york'"),
        ),
        (
            &[("country", "puerto rico"), ("state", "puerto rico")],
            "nurses in Puerto Rico",
            Some("state = 'puerto rico'"),
        ),
        (&[("city", "atlanta")], "nurses in Atlanta, Georgia", None),
        (&[("state", "new york")], "nurses in New York", None),
        (
            &[("city", "cambridge")],
            "nurses in Cambridge",
            Some("cambridge with its state or country"),
        ),
    ] {
        let found = read_stored(person, stored, text);
        let told: Vec<&str> = found
            .interpretation
            .ambiguous
            .iter()
            .flat_map(|one| one.alternatives.iter().map(String::as_str))
            .collect();
        assert_eq!(told, Vec::from_iter(alternative), "{text}");
    }
}

#[test]
fn names_of_companies_that_look_like_something_else_are_names() {
    const STORED: &[(&str, &str)] = &[
        ("company_name", "3m"),
        ("company_name", "home depot"),
        ("company_name", "apple"),
        ("name.cleaned", "3m"),
        ("name.cleaned", "universität st. gallen (hsg)"),
    ];
    for (text, condition) in [
        ("people at 3M", "company_name = '3m'"),
        (
            "CEO of 3M",
            "job_title LIKE '%chief executive officer%' AND company_name = '3m'",
        ),
        (
            "3M executives",
            "seniority_level IN ('cxo', 'vp') AND company_name = '3m'",
        ),
        (
            "nurses at Apple or 3M",
            "job_title LIKE '%nurse%' AND company_name IN ('3m', 'apple')",
        ),
        ("people at The Home Depot", "company_name = 'home depot'"),
    ] {
        check_stored(RecordKind::Person, STORED, text, condition);
    }
    for (text, condition) in [
        ("companies named 3M", "name.cleaned = '3m'"),
        (
            "companies with 3M employees",
            "service_employee_count = 3000000",
        ),
        ("3M+ employees", "service_employee_count >= 3000000"),
        (
            "companies named Universität St. Gallen (HSG)",
            "name.cleaned = 'universität st. gallen (hsg)'",
        ),
        (
            "companies named St. Gallen Foods in Zurich",
            "name.cleaned = 'st gallen foods' AND locations.city = 'zurich'",
        ),
    ] {
        check_stored(RecordKind::Company, STORED, text, condition);
    }
}

#[test]
fn a_territory_is_asked_for_where_the_build_has_it() {
    const AS_STATE: &[(&str, &str)] = &[("city", "san juan"), ("state", "puerto rico")];
    const AS_COUNTRY: &[(&str, &str)] = &[("city", "san juan"), ("country", "puerto rico")];
    for (stored, column) in [(AS_STATE, "state"), (AS_COUNTRY, "country")] {
        for (text, city) in [
            ("nurses in San Juan, PR", "city = 'san juan' AND "),
            ("Puerto Rican nurses", ""),
        ] {
            let condition = format!("{city}{column} = 'puerto rico' AND job_title LIKE '%nurse%'");
            check_stored(RecordKind::Person, stored, text, &condition);
        }
    }
}

#[test]
fn a_city_of_the_build_is_no_part_of_the_name_of_a_region() {
    const CENTRAL: &[(&str, &str)] = &[("locations.city", "central")];
    let stored = Stored(CENTRAL, RecordKind::Company);
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    let text = "banks in Central Europe";
    let found = translate(RecordKind::Company, text, &stored, today).unwrap();
    assert!(!found.query.text().contains("central"), "{text}");
    assert_eq!(found.interpretation.unsupported.len(), 1, "{text}");
}

#[test]
fn a_number_that_counts_is_no_name_of_a_company() {
    const NAMED: &[(&str, &str)] = &[("company_name", "3m")];
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    for (text, is_name) in [
        ("CEOs of 3M", true),
        ("managers of 3M budgets", false),
        ("managers at companies of 3M employees", false),
        ("nurses, a team of 3M", false),
    ] {
        let stored = Stored(NAMED, RecordKind::Person);
        let found = translate(RecordKind::Person, text, &stored, today).unwrap();
        assert_eq!(found.query.text().contains("'3m'"), is_name, "{text}");
    }
}

/// A build of persons in the United States alone.
struct OneCountry;

impl Lexicon for OneCountry {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        let is = |path: &str| Catalog::of(RecordKind::Person).find(path) == Some(column);
        is("country") && value == "united states"
            || is("state") && matches!(value, "georgia" | "texas")
            || is("city") && matches!(value, "chicago" | "atlanta")
    }
}

#[track_caller]
fn check_in_one_country(text: &str, condition: &str) {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    let found = translate(RecordKind::Person, text, &OneCountry, today)
        .unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
    let query = format!("SELECT * FROM person WHERE {condition}");
    let expected = Query::parse(RecordKind::Person, &query).unwrap();
    assert_eq!(found.query.text(), expected.query.text(), "{text}");
    assert_eq!(found.interpretation.unsupported, [], "{text}");
}

#[test]
fn a_known_city_is_one_by_its_own_name_as_by_another_whatever_the_build_has() {
    for (text, condition) in [
        ("people in Munich", "city = 'munich'"),
        ("people in München", "city = 'munich'"),
        (
            "CTOs in Berlin or Chicago",
            "job_title LIKE '%chief technology officer%' AND city IN ('berlin', 'chicago')",
        ),
        (
            "nurses not in Berlin",
            "job_title LIKE '%nurse%' AND (city <> 'berlin' OR city IS NULL)",
        ),
    ] {
        check_in_one_country(text, condition);
    }
}

#[test]
fn a_name_of_a_state_and_a_country_is_the_one_that_the_build_has() {
    for (text, condition) in [
        (
            "nurses in Georgia",
            "job_title LIKE '%nurse%' AND state = 'georgia'",
        ),
        (
            "nurses in Atlanta, Georgia",
            "job_title LIKE '%nurse%' AND city = 'atlanta' AND state = 'georgia'",
        ),
    ] {
        check_in_one_country(text, condition);
    }
}

#[test]
fn a_name_of_another_place_is_no_slip() {
    const KNOWN: &[(&str, &str)] = &[
        ("city", "manisa"),
        ("city", "mersin"),
        ("city", "tirana"),
        ("city", "berlin"),
    ];
    for (name, read_as) in [
        ("Manila", None),
        ("Manilla", None),
        ("Maniza", Some("manisa")),
        ("Tirane", Some("tirana")),
        ("Mersim", Some("mersin")),
        ("Mersil", None),
        ("Berln", Some("berlin")),
    ] {
        let found = read_stored(
            RecordKind::Person,
            KNOWN,
            &format!("nurses in {name} with linkedin"),
        );
        let query = found.query.text();
        match read_as {
            Some(city) => assert!(query.contains(&format!("city = '{city}'")), "{query}"),
            None => {
                assert!(!query.contains("city"), "{query}");
                let said = &found.interpretation.unsupported;
                assert!(said.iter().any(|one| one.phrase.contains(name)), "{said:?}");
            }
        }
    }
}
