//! Where refusals point, and what they suggest.

use dialect::Reason;

use crate::{company, refused};

fn at(text: &str) -> (u64, u64, String) {
    let refusal = refused(text);
    (refusal.line, refusal.column, refusal.near)
}

#[test]
fn a_refusal_points_at_the_place() {
    for (text, line, column, near) in [
        (
            "SELECT * FROM person WHERE city = 'x' LIMIT 10",
            1,
            39,
            "LIMIT 10",
        ),
        ("SELECT *\nFROM person\nWHERE nope = 1", 3, 7, "nope = 1"),
        ("SELECT *\r\nFROM person\r\nWHERE\tcity = 5", 3, 14, "5"),
        ("SELECT * FROM person WHERE city = -5", 1, 35, "-5"),
        ("SELECT * FROM person WHERE city = + 5", 1, 35, "+ 5"),
        (
            "SELECT * FROM person WHERE city IN ('x',\n-1.5)",
            2,
            1,
            "-1.5)",
        ),
        (
            "SELECT * FROM person WHERE age BETWEEN -1 AND - '1'",
            1,
            47,
            "- '1'",
        ),
        (
            "SELECT * FROM person WHERE city =",
            1,
            34,
            "* FROM person WHERE city =",
        ),
        ("SELECT * FROM person WHERE city = 'x' -- c", 1, 39, "-- c"),
        (
            "SELECT * FROM person WHERE city = 'é🙂' AND nope = 1",
            1,
            44,
            "nope = 1",
        ),
        (
            "SELECT * FROM person WHERE city = 'x'; DROP TABLE person",
            1,
            40,
            "DROP TABLE person",
        ),
        (
            "SELECT * FROM person WHERE age > 5 AND (city = 'x' OR upper(city) = 'X')",
            1,
            55,
            "upper(city) = 'X')",
        ),
        ("SELECT * FROM company", 1, 15, "company"),
        (
            "SELECT * FROM person WHERE age = 1 AND AND age = 2",
            1,
            40,
            "AND age = 2",
        ),
        ("SELECT city FROM person", 1, 8, "city FROM person"),
        ("", 1, 1, ""),
    ] {
        let expected = (line, column, near);
        let (line, column, near) = at(text);
        assert_eq!((line, column, near.as_str()), expected, "{text:?}");
    }
    let (_, _, near) = at("SELECT * FROM person WHERE city = 'x");
    assert!(near.ends_with("'x"), "{near}");
}

#[test]
fn a_refusal_says_what_would_be_accepted() {
    for (condition, suggestion) in [
        ("job_titel = 'x'", "job_title"),
        ("address = 'x'", "emails.address"),
        ("emails.adress = 'x'", "emails.address"),
        ("name = 'x'", "full_name"),
        ("experience.title.raw = 'x'", "experience.title.cleaned"),
        ("city = NULL", "city IS NULL"),
        ("is_decision_maker", "is_decision_maker = true"),
        ("is_decision_maker IS FALSE", "is_decision_maker = false"),
        ("city IS TRUE", "city = '…'"),
        ("age", "age = 1"),
        ("city IS UNKNOWN", "IS NULL"),
        ("last_seen = DATE '2026-03-31'", "'2026-03-31'"),
        ("city = 5", "'5'"),
        ("city = -5", "'-5'"),
        ("city = \"turku\"", "'turku'"),
        ("age = '5'", "5"),
        ("last_seen = 2026", "'2026'"),
        ("emails = 'x'", "emails.address"),
        ("city = 'x' LIMIT 25", "set \"limit\": 25"),
        ("city = 'x' OFFSET 25", "set \"offset\": 25"),
        (
            "city = 'x' LIMIT 500",
            "set \"limit\" in the request, from 1 to 100",
        ),
        (
            "city = 'x' LIMIT -1",
            "set \"limit\" in the request, from 1 to 100",
        ),
        (
            "city = 'x' OFFSET 20000",
            "set \"offset\" in the request, from 0 to 10000",
        ),
        ("city = 'x' FETCH FIRST 5 ROWS ONLY", "set \"limit\": 5"),
    ] {
        let refusal = refused(&format!("SELECT * FROM person WHERE {condition}"));
        assert!(
            refusal.suggestions.iter().any(|s| s == suggestion),
            "{condition}: {refusal:?}"
        );
    }
    for (condition, suggestion) in [
        ("name.raw = 'x'", "name"),
        (
            "service_seniority_distribution > 3",
            "service_seniority_distribution.<entry>",
        ),
        (
            "service_seniority_growth_rate.vp > 3",
            "service_seniority_growth_rate.<entry>.12m",
        ),
        ("domains = 'x'", "domains.domain"),
    ] {
        let refusal = company(&format!("SELECT * FROM company WHERE {condition}")).unwrap_err();
        assert!(
            refusal.suggestions.iter().any(|s| s == suggestion),
            "{condition}: {refusal:?}"
        );
    }
}

#[test]
fn words_at_the_ends_of_a_statement_become_what_stands_for_them_here() {
    for (text, reason, suggestions) in [
        (
            "SELECT * FROM person LIMIT 10 OFFSET 5",
            Reason::LimitInSql,
            &["set \"limit\": 10", "set \"offset\": 5"][..],
        ),
        (
            "SELECT * FROM person OFFSET 5 LIMIT 10",
            Reason::LimitInSql,
            &["set \"limit\": 10", "set \"offset\": 5"],
        ),
        (
            "SELECT * FROM person LIMIT 5, 10",
            Reason::LimitInSql,
            &["set \"limit\": 10", "set \"offset\": 5"],
        ),
        (
            "SELECT * FROM person WEHRE city = 'x'",
            Reason::ParseError,
            &["WHERE"],
        ),
        (
            "SELECT * FROM person ODRER BY city",
            Reason::ParseError,
            &["ORDER BY"],
        ),
        (
            "SELECT * FROM person orders LIMIT 10",
            Reason::LimitInSql,
            &["set \"limit\": 10"],
        ),
        (
            "SELECT * FROM person WHERE last_seen > TIMESTAMP '2026-03-31 10:00:00'",
            Reason::ForbiddenConstruct,
            &["'2026-03-31'"],
        ),
        (
            "SELECT * FROM person WHERE last_seen > TIME '10:00'",
            Reason::ForbiddenConstruct,
            &[],
        ),
        (
            "SELECT * FROM person WHERE age = '5.5'",
            Reason::ForbiddenConstruct,
            &[],
        ),
        (
            "SELECT * FROM person WHERE last_seen IS TRUE",
            Reason::ForbiddenConstruct,
            &["last_seen = '2026-03-31'", "last_seen IS NOT NULL"],
        ),
        (
            "SELECT * FROM person WHERE service_id IS TRUE",
            Reason::ForbiddenConstruct,
            &["service_id IS NOT NULL"],
        ),
    ] {
        let refusal = refused(text);
        assert_eq!(refusal.reason, reason, "{refusal:?}");
        assert_eq!(refusal.suggestions, suggestions, "{refusal:?}");
    }
    let refusal = refused("SELECT TOP 5 * FROM person");
    assert_eq!(refusal.reason, Reason::LimitInSql, "{refusal:?}");
    // A word is named once.
    let refusal = refused("SELECT * FROM person WHERE city LIKE 'x' ESCAPE '!'");
    assert_eq!(refusal.message.matches("ESCAPE").count(), 1, "{refusal:?}");
}

#[test]
fn a_wrong_literal_names_the_type_of_the_column() {
    for (condition, type_name) in [
        ("age = 'x'", "whole number"),
        ("city = 5", "text"),
        ("last_seen = 'x'", "date"),
        ("is_decision_maker = 5", "boolean"),
        ("service_id = 'x'", "id"),
        ("avg_tenure_months = 'x'", "number"),
    ] {
        let refusal = refused(&format!("SELECT * FROM person WHERE {condition}"));
        assert!(refusal.message.contains(type_name), "{refusal:?}");
    }
}
