//! What the language accepts, and what it is written as.

use dialect::{Query, Reading};
use events_schema::record::RecordKind::{Company, Person};

use crate::{company, person, printed};

#[test]
fn keywords_tables_aliases_and_semicolons_are_taken_in_any_form() {
    let plain = person("SELECT * FROM person WHERE city = 'turku'")
        .unwrap()
        .query;
    for text in [
        "select * from PEOPLE where CITY = 'Turku';",
        "  SELECT\t*\r\nFROM persons\n WHERE person.city = 'TURKU' ; ;",
        "SELECT * FROM person p WHERE p.city = 'turku'",
        "SELECT * FROM person AS \"P\" WHERE P.\"City\" = 'turku'",
        "SELECT * FROM \"person\" WHERE 'turku' = city",
        "SELECT * FROM person WHERE lower(city) = 'Turku'",
        "SELECT * FROM person WHERE ((city)) IN ('turku', 'TURKU')",
    ] {
        assert_eq!(person(text).unwrap().query, plain, "{text}");
    }
    for text in [
        "SELECT * FROM company",
        "select * from Companies c;",
        "SELECT * FROM company AS x",
    ] {
        let query = company(text).unwrap().query;
        assert_eq!(
            query,
            Query {
                kind: Company,
                filter: None,
                order: Vec::new()
            }
        );
    }
}

#[test]
fn conditions_are_written_in_their_normal_form() {
    for (given, written) in [
        ("city = 'b' OR city = 'A'", "city IN ('a', 'b')"),
        ("city <> 'b' AND NOT city = 'a'", "city NOT IN ('a', 'b')"),
        ("NOT (age < 5)", "age >= 5"),
        ("5 < age", "age > 5"),
        ("age > 5 AND age >= 6 AND age < 10", "age >= 6 AND age < 10"),
        ("age BETWEEN 5 AND 10", "age BETWEEN 5 AND 10"),
        ("age NOT BETWEEN 5 AND 10", "age < 5 OR age > 10"),
        ("age > 5.5 AND age < 7.5", "age > 5 AND age <= 7"),
        ("age = 7.0", "age = 7"),
        ("age > -3", "age > -3"),
        ("is_decision_maker <> true", "is_decision_maker = false"),
        (
            "NOT (city = 'a' OR state IS NULL)",
            "city <> 'a' AND state IS NOT NULL",
        ),
        ("full_name ILIKE '%Ann\\_%'", "full_name LIKE '%ann\\_%'"),
        ("last_name NOT LIKE 'O''B%'", "last_name NOT LIKE 'o''b%'"),
        (
            "last_seen >= '2026-03' AND last_seen <= '2026'",
            "last_seen BETWEEN '2026-03' AND '2026'",
        ),
        (
            "last_seen > '2025' AND last_seen > '2025-06'",
            "last_seen > '2025' AND last_seen > '2025-06'",
        ),
        ("headline LIKE '%x%'", "headline.cleaned LIKE '%x%'"),
        ("avg_tenure_months > 1e2", "avg_tenure_months > 100.0"),
        (
            "service_id = '{5B0D6A0E-5D1F-4C0C-9A53-3C1F8A7F2B10}'",
            "service_id = '5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10'",
        ),
    ] {
        assert_eq!(printed(Person, given), written, "{given}");
    }
}

#[test]
fn conditions_on_one_list_stay_together_or_apart() {
    for (given, written) in [
        (
            "emails.type = 'work' AND (emails.current = true AND city = 'x') AND (emails.confidence = 'high' OR emails.validated = true)",
            "city = 'x' AND emails.type = 'work' AND emails.current = true AND (emails.validated = true OR emails.confidence = 'high')",
        ),
        ("NOT (emails.type = 'work')", "NOT (emails.type = 'work')"),
        ("NOT NOT emails.type = 'work'", "emails.type = 'work'"),
        (
            "emails.type = 'work' AND NOT (NOT (emails.current = true))",
            "emails.type = 'work' AND NOT (NOT (emails.current = true))",
        ),
        (
            "emails.type = 'work' AND (emails.current = true OR city = 'x')",
            "(city = 'x' AND emails.type = 'work') OR (emails.type = 'work' AND emails.current = true)",
        ),
        (
            "emails.type = 'work' AND NOT (NOT (emails.current = true OR city = 'x'))",
            "(city = 'x' OR emails.current = true) AND NOT (NOT (emails.type = 'work'))",
        ),
        ("emails.type <> 'work'", "emails.type <> 'work'"),
        (
            "emails IS NULL OR phones IS NOT NULL",
            "emails IS NULL OR phones IS NOT NULL",
        ),
        (
            "skills = 'a' AND skills = 'B'",
            "skills = 'a' AND skills = 'b'",
        ),
        ("skills = 'a' OR skills = 'B'", "skills IN ('a', 'b')"),
        ("skills IS NULL", "skills IS NULL"),
        ("title IS NULL", "title IS NULL"),
        ("title IS NOT NULL", "title IS NOT NULL"),
        ("NOT title IS NULL", "title IS NOT NULL"),
        ("experience.title.cleaned = 'chef'", "title = 'chef'"),
        (
            "title = 'chef' AND organization_name = 'inn'",
            "organization_name = 'inn' AND title = 'chef'",
        ),
        (
            "experience.title = 'chef' AND experience.organization.name = 'inn'",
            "experience.title.cleaned = 'chef' AND experience.organization.name.cleaned = 'inn'",
        ),
        (
            "emails.type = 'work' OR (emails.current = true OR city = 'x')",
            "city = 'x' OR (emails.type = 'work' OR emails.current = true)",
        ),
    ] {
        let written: std::collections::BTreeSet<&str> = written.split(' ').collect();
        let given_as = printed(Person, given);
        assert_eq!(
            given_as
                .split(' ')
                .collect::<std::collections::BTreeSet<_>>(),
            written,
            "{given}: {given_as}"
        );
    }
}

#[test]
fn maps_periods_and_forms_of_names_are_reached() {
    for (given, written) in [
        (
            "service_employee_growth_rate.12m > 0.05",
            "service_employee_growth_rate.12m > 0.05",
        ),
        (
            "c.service_turnover_rate.\"1m\" <= -0.5",
            "service_turnover_rate.1m <= -0.5",
        ),
        (
            "service_seniority_distribution.Director > 3",
            "service_seniority_distribution.director > 3.0",
        ),
        (
            "service_job_function_distribution.\"human resources\" >= 3",
            "service_job_function_distribution.\"human resources\" >= 3.0",
        ),
        (
            "service_seniority_growth_rate.vp.12m < 1",
            "service_seniority_growth_rate.vp.12m < 1.0",
        ),
        (
            "service_seniority_distribution IS NULL",
            "service_seniority_distribution IS NULL",
        ),
        (
            "name LIKE 'a%' AND name LIKE '%b'",
            "name LIKE '%b' AND name LIKE 'a%'",
        ),
        ("name IS NOT NULL", "name IS NOT NULL"),
        ("name.cleaned > 'm'", "name.cleaned > 'm'"),
    ] {
        let text = format!("SELECT * FROM company c WHERE {given}");
        let query = company(&text)
            .unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"))
            .query;
        assert_eq!(
            query.text(),
            format!("SELECT * FROM company WHERE {written}")
        );
        assert_eq!(company(&query.text()).unwrap().query, query);
    }
}

#[test]
fn an_order_names_columns_of_the_record() {
    for (given, written) in [
        ("last_seen DESC, city", "last_seen DESC, city"),
        ("p.City ASC NULLS FIRST", "city NULLS FIRST"),
        ("city, city DESC, state NULLS LAST", "city, state"),
        ("headline", "headline.cleaned"),
    ] {
        let query = person(&format!("SELECT * FROM person p ORDER BY {given}"))
            .unwrap()
            .query;
        assert_eq!(
            query.text(),
            format!("SELECT * FROM person ORDER BY {written}")
        );
        assert_eq!(person(&query.text()).unwrap().query, query);
    }
    let query = company("SELECT * FROM company ORDER BY name, service_turnover_rate.3m DESC")
        .unwrap()
        .query;
    assert_eq!(
        query.text(),
        "SELECT * FROM company ORDER BY name.cleaned, service_turnover_rate.3m DESC"
    );
}

#[test]
fn literals_are_read_as_they_are_stored() {
    for (given, written) in [
        (
            "work_email = 'Maya.Okafor+news@Example.com'",
            "work_email = 'maya.okafor@example.com'",
        ),
        (
            "mobile_phone = '(202) 555-0123'",
            "mobile_phone = '+12025550123'",
        ),
        ("country = 'USA'", "country = 'united states'"),
        ("country_code = 'Germany'", "country_code = 'de'"),
        ("state_code = 'IL'", "state_code = 'us-il'"),
        ("city = 'Chicago, IL'", "city = 'chicago'"),
        (
            "job_title = 'Sr. Dir, Eng'",
            "job_title = 'senior director, engineering'",
        ),
        (
            "company_domain = 'https://www.Example.com/about'",
            "company_domain = 'example.com'",
        ),
        (
            "linkedin_url = 'https://www.linkedin.com/in/Maya-Okafor/'",
            "linkedin_url = 'linkedin.com/in/maya-okafor'",
        ),
        ("socials.network = 'X'", "socials.network = 'twitter'"),
        ("company_size = '250 employees'", "company_size = '201-500'"),
        (
            "company_size = '100001+'",
            "company_size IN ('100001-500000', '500001-5000000')",
        ),
        (
            "company_size <> '51-500'",
            "company_size NOT IN ('201-500', '51-200')",
        ),
        (
            "company_size = 'Myself  Only'",
            "company_size = 'myself only'",
        ),
        // No range of the list, nor some of them.
        ("company_size = '501-1500'", "company_size = '501-1500'"),
        (
            "highest_degree_level = 'High School'",
            "highest_degree_level = 'high_school'",
        ),
        // No mailbox: searched for as it is.
        ("work_email = 'Maya'", "work_email = 'maya'"),
        // A pattern or a range is about the stored text.
        ("country LIKE 'USA'", "country LIKE 'usa'"),
        ("country >= 'USA'", "country >= 'usa'"),
    ] {
        assert_eq!(printed(Person, given), written, "{given}");
    }
}

#[test]
fn a_reading_is_told_where_it_changes_more_than_the_case() {
    let parsed =
        person("SELECT * FROM person WHERE country IN ('USA', 'Germany') AND city = 'BERLIN'");
    let told = Reading {
        column: "country".to_owned(),
        given: "USA".to_owned(),
        read_as: "united states".to_owned(),
        also_as_given: false,
    };
    assert_eq!(parsed.unwrap().readings, [told]);
    let parsed = person("SELECT * FROM person WHERE company_size = '10001+'");
    let told = Reading {
        column: "company_size".to_owned(),
        given: "10001+".to_owned(),
        read_as: "10001-50000 to 500001-5000000".to_owned(),
        also_as_given: false,
    };
    assert_eq!(parsed.unwrap().readings, [told]);
}

#[test]
fn a_state_and_a_name_are_also_found_as_given() {
    assert_eq!(printed(Person, "state = 'CA'"), "state = 'ca'");
    let query = person("SELECT * FROM person WHERE state = 'CA'")
        .unwrap()
        .query;
    assert!(format!("{query:?}").contains("california"), "{query:?}");
    for (given, stored) in [
        ("District of Columbia", "washington dc"),
        ("W. Virginia", "west virginia"),
        ("State of Maine", "maine"),
        ("Bayern, Germany", "bavaria"),
    ] {
        let query = person(&format!("SELECT * FROM person WHERE state = '{given}'")).unwrap();
        assert!(format!("{query:?}").contains(stored), "{query:?}");
    }
    // Two countries have one of that name, and spell it in ways of their own.
    assert_eq!(
        printed(Person, "state = 'North-West'"),
        "state = 'north-west'"
    );
    let query = person("SELECT * FROM person WHERE state = 'North-West'").unwrap();
    assert!(!format!("{query:?}").contains("northwest"), "{query:?}");
    // Shown as it was given, in characters that clean texts do not have.
    assert_eq!(
        printed(Company, "name.display = 'Northwind To\u{ad}ols'"),
        "name.display = 'northwind to\u{ad}ols'"
    );
    assert_eq!(
        printed(Company, "name = 'Northwind Tools, Inc.'"),
        "name = 'northwind tools, inc.'"
    );
    let query = company("SELECT * FROM company WHERE name = 'Northwind Tools, Inc.'")
        .unwrap()
        .query;
    assert!(
        format!("{query:?}").contains("\"northwind tools\""),
        "{query:?}"
    );
}

#[test]
fn an_unknown_word_of_a_closed_list_is_a_query() {
    for condition in [
        "seniority_level = 'zzmachine'",
        "company_industry = 'machine'",
    ] {
        assert_eq!(printed(Person, condition), condition);
    }
    assert_eq!(
        printed(Company, "industry = 'machine'"),
        "industry = 'machine'"
    );
}

/// Cursors of a version before are good in the next one.
#[test]
fn a_digest_is_the_same_in_every_version() {
    let text = "SELECT * FROM company WHERE name <> 'x' AND (founded BETWEEN 1990 AND 2000 OR domains IS NULL OR city LIKE 'a%') \
                AND service_seniority_growth_rate.vp.12m > 0.5 ORDER BY founded DESC NULLS FIRST, city";
    let digests = company(text).unwrap().query.digests();
    let hex = |digest: [u8; 32]| digest.map(|byte| format!("{byte:02x}")).concat();
    assert_eq!(
        hex(digests.condition),
        "9be0f55752feb47186dafb267f9c4f28a8b5208378da7a6dd58207f4aef80696"
    );
    assert_eq!(
        hex(digests.query),
        "48b79a16bdcc3e1bab380a798fb2c1922cacea168ac05371fee1e72a3f10fe3c"
    );
}

#[test]
fn queries_that_are_nearly_the_same_have_digests_of_their_own() {
    let texts = [
        "SELECT * FROM company",
        "SELECT * FROM person",
        "SELECT * FROM person ORDER BY city",
        "SELECT * FROM person ORDER BY city DESC",
        "SELECT * FROM person ORDER BY city NULLS FIRST",
        "SELECT * FROM person ORDER BY state",
        "SELECT * FROM person WHERE city IS NULL",
        "SELECT * FROM person WHERE city IS NOT NULL",
        "SELECT * FROM person WHERE city = 'a'",
        "SELECT * FROM person WHERE city <> 'a'",
        "SELECT * FROM person WHERE city IN ('a', 'b')",
        "SELECT * FROM person WHERE city = 'ab'",
        "SELECT * FROM person WHERE city LIKE 'a%'",
        "SELECT * FROM person WHERE city NOT LIKE 'a%'",
        "SELECT * FROM person WHERE city > 'a'",
        "SELECT * FROM person WHERE city >= 'a'",
        "SELECT * FROM person WHERE city < 'a'",
        "SELECT * FROM person WHERE city BETWEEN 'a' AND 'b'",
        "SELECT * FROM person WHERE country = 'a'",
        "SELECT * FROM person WHERE city = 'a' AND age = 1",
        "SELECT * FROM person WHERE city = 'a' OR age = 1",
        "SELECT * FROM person WHERE emails.type = 'a' AND emails.current = true",
        "SELECT * FROM person WHERE emails.type = 'a' AND NOT (NOT (emails.current = true))",
        "SELECT * FROM person WHERE NOT (emails.type = 'a')",
        "SELECT * FROM person WHERE emails.type = 'a'",
        "SELECT * FROM person WHERE emails IS NULL",
        "SELECT * FROM person WHERE emails IS NOT NULL",
        "SELECT * FROM person WHERE phones IS NULL",
    ];
    let of = |text: &str| {
        Query::parse(Person, text)
            .or_else(|_| company(text))
            .unwrap()
    };
    let digests = texts.map(|text| of(text).query.digests().query);
    let different: std::collections::BTreeSet<[u8; 32]> = digests.into();
    assert_eq!(different.len(), texts.len());
}
