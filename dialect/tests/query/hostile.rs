//! What the language refuses, and that nothing makes it stumble.

use std::collections::BTreeSet;

use dialect::{Condition, Filter, MAX_CHARS, MAX_ITEMS, Reason, Test, Value, Values};

use crate::{company, person, reason, refused};

/// Whole texts.
const TEXTS: &[(Reason, &[&str])] = &[
    (
        Reason::ForbiddenConstruct,
        &[
            "DROP TABLE person",
            "DELETE FROM person",
            "UPDATE person SET city = 'x'",
            "INSERT INTO person (city) VALUES ('x')",
            "TRUNCATE person",
            "CREATE TABLE t (a int)",
            "GRANT ALL ON person TO public",
            "COPY person TO '/tmp/t'",
            "EXPLAIN SELECT * FROM person",
            "WITH x AS (SELECT * FROM person) SELECT * FROM x",
            "SET timeout = 0",
            "SHOW ALL",
            "BEGIN",
            "VACUUM",
            "CALL f()",
            "VALUES (1)",
            "TABLE person",
            "EXECUTE x",
            "MERGE INTO person USING company ON true WHEN MATCHED THEN DELETE",
            "DO $$ BEGIN PERFORM 1; END $$",
            "\\d person",
            "[]",
            "{\"sql\": 1}",
            "`",
            "SELECT * FROM person; DROP TABLE person",
            "SELECT * FROM person;;SELECT 1",
            "SELECT 1; SELECT * FROM person",
            "SELECT * FROM person p; x",
            "SELECT * FROM person WHERE city = 'x' UNION SELECT * FROM person",
            "SELECT * FROM person INTERSECT SELECT * FROM person",
            "(SELECT * FROM person) UNION (SELECT * FROM company)",
            "SELECT * FROM (SELECT * FROM person) t",
            "SELECT * FROM person JOIN company ON true",
            "SELECT * FROM person, company",
            "SELECT * FROM person NATURAL JOIN company",
            "SELECT * FROM person, LATERAL (SELECT 1) x",
            "SELECT * FROM person TABLESAMPLE SYSTEM (1)",
            "SELECT * INTO t FROM person",
            "SELECT * FROM person GROUP BY city",
            "SELECT * FROM person HAVING count(*) > 1",
            "SELECT * FROM person FOR UPDATE",
            "SELECT * FROM person WINDOW w AS (ORDER BY city)",
            "/* a */ SELECT * FROM person",
            "SELECT/**/*/**/FROM/**/person",
            "--\nSELECT * FROM person",
            "SELECT * FROM person('x')",
            "SELECT * FROM person ORDER BY random()",
            "SELECT * FROM person ORDER BY (SELECT 1)",
            "SELECT * FROM person ORDER BY CASE WHEN 1 = 1 THEN city END",
            "SELECT * FROM person ORDER BY city || 'x'",
            "SELECT * FROM person ORDER BY 1",
            "SELECT * FROM person ORDER BY emails.address",
            "SELECT * FROM person ORDER BY emails",
            "SELECT * FROM person ORDER BY title",
            "SELECT * FROM person ORDER BY city; DROP TABLE person",
        ],
    ),
    (
        Reason::ParseError,
        &[
            "",
            "   ",
            ";",
            "SELECT",
            "SELECT *",
            "SELECT * FROM",
            "SELEKT * FROM person",
            "🙂",
            "'",
            "\"",
            "SELECT * FROM person WHERE",
            "SELECT * FROM person ORDER BY",
            "SELECT * FROM person ORDER city",
            "SELECT * FROM person AS",
            "SELECT * FROM person p q",
            "ＳＥＬＥＣＴ * FROM person",
            "SELECT * FRM person",
            "SELECT * FROM WHERE city = 'x'",
            "SELECT * FROM person WHERE city = 'x",
            "SELECT * FROM person ORDER BY city NULLS",
            "SELECT * FROM person WHERE ORDER BY city",
        ],
    ),
    (
        Reason::NotSelectStar,
        &[
            "SELECT 1",
            "SELECT full_name FROM person",
            "SELECT *, 1 FROM person",
            "SELECT count(*) FROM person",
            "SELECT person.* FROM person",
            "SELECT DISTINCT * FROM person",
            "SELECT pg_sleep(5)",
            "SELECT * EXCEPT (city) FROM person",
        ],
    ),
    (
        Reason::UnknownTable,
        &[
            "SELECT * FROM company",
            "SELECT * FROM companies",
            "SELECT * FROM x",
            "SELECT * FROM public.person",
            "SELECT * FROM pg_catalog.pg_tables",
            "SELECT * FROM person.person",
            "SELECT * FROM pg_ls_dir('/')",
            "SELECT * FROM generate_series(1, 9)",
            "SELECT * FROM contract",
        ],
    ),
    (
        Reason::LimitInSql,
        &[
            "SELECT * FROM person LIMIT 1",
            "SELECT * FROM person LIMIT ALL",
            "SELECT * FROM person OFFSET 5",
            "SELECT * FROM person WHERE city = 'x' LIMIT 10",
            "SELECT * FROM person FETCH FIRST 5 ROWS ONLY",
            "SELECT * FROM person ORDER BY city LIMIT 1",
        ],
    ),
    (
        Reason::UnknownColumn,
        &[
            "SELECT * FROM person ORDER BY ctid",
            "SELECT * FROM person ORDER BY x.city",
        ],
    ),
];

/// Conditions.
const CONDITIONS: &[(Reason, &[&str])] = &[
    (
        Reason::ForbiddenConstruct,
        &[
            "pg_sleep(1) IS NULL",
            "city = pg_read_file('x')",
            "upper(city) = 'X'",
            "length(city) > 1",
            "coalesce(city, 'x') = 'x'",
            "city::text = 'x'",
            "CAST(city AS text) = 'x'",
            "city || 'x' = 'y'",
            "years_of_experience + 1 = 2",
            "years_of_experience / 0 = 1",
            "years_of_experience * 2 = 4",
            "years_of_experience - 1 = 2",
            "- - 1 = age",
            "-age = 1",
            "CASE WHEN city = 'x' THEN true ELSE false END",
            "city ~ 'x.*'",
            "city SIMILAR TO 'x'",
            "city = ANY (ARRAY['x'])",
            "city = ANY ('x')",
            "interval '1 day' > last_seen",
            "(city, country) = ('a', 'b')",
            "lower(pg_sleep(5)) = 'x'",
            "lower(lower(city)) = 'x'",
            "lower('X') = city",
            "lower(age) = 5",
            "lower(city, 'x') = 'x'",
            "city = lower((SELECT 'x'))",
            "row_number() OVER () = 1",
            "city COLLATE \"C\" = 'x'",
            "city = E'x'",
            "city = x'41'",
            "city = N'x'",
            "city = $$x$$",
            "city = U&'x'",
            "city = B'1'",
            "city = 'x' -- c",
            "city = 'x' /* c */",
            "city = $1",
            "city = ?",
            "city = :x",
            "city = @x",
            "city = `x`",
            "city = ‘x’",
            "city = ARRAY['x']",
            "city == 'x'",
            "service_id IN (SELECT service_id FROM person)",
            "EXISTS (SELECT 1 FROM company)",
            "city = (SELECT 'x')",
            "1 = 1",
            "'a' = 'a'",
            "true",
            "NOT false",
            "1",
            "'x'",
            "NULL IS NULL",
            "city = 'x' OR 1 = 1",
            "city = state",
            "city = NULL",
            "city <> NULL",
            "city IN ('a', NULL)",
            "city < NULL",
            "city LIKE NULL",
            "age BETWEEN NULL AND 5",
            "is_decision_maker",
            "NOT is_decision_maker",
            "is_decision_maker IS TRUE",
            "is_decision_maker IS NOT FALSE",
            "city IS DISTINCT FROM 'x'",
            "city LIKE 'x' ESCAPE '!'",
            "city LIKE 'x\\'",
            "age LIKE '1%'",
            "is_decision_maker LIKE 't%'",
            "city LIKE 5",
            "is_decision_maker > false",
            "is_decision_maker BETWEEN false AND true",
            "age = 'abc'",
            "age = '5'",
            "age = 5.5",
            "age IN (1, 2.5)",
            "age = 1e308",
            "age = 99999999999999999999",
            "is_decision_maker = 'maybe'",
            "is_decision_maker = 5",
            "city = 5",
            "city = true",
            "last_seen > 'yesterday'",
            "last_seen = 5",
            "last_seen = 2026",
            "last_seen = '2026-13'",
            "last_seen = '2026-1-1'",
            "last_seen = '26'",
            "last_seen = '2026-01-01T00:00:00Z'",
            "avg_tenure_months > 1e999",
            "service_id = 'not-a-uuid'",
            "emails = 'x'",
            "emails > 5",
            "emails IN ('x')",
            "emails LIKE 'x'",
            "age BETWEEN 'a' AND 'b'",
            "age ISNULL",
            "city ILIKE ANY ('x')",
            "age = 1_000",
            "age = 0x10",
            "date '2026-01-01' < last_seen",
            "age = 5L",
        ],
    ),
    (
        Reason::ParseError,
        &[
            "city =",
            "(city = 'x'",
            "city = 'x')",
            "city = 'x' OR",
            "city = ''y''",
            "city = 'x' AND AND city = 'y'",
            "= 'x'",
            "city IN ()",
            "IN ('x')",
            "NOT OR city = 'x'",
            "(AND city = 'x')",
            "city = 'x' OR IS NULL",
            "city NOT LIKE",
            "city IN 'x'",
            "city BETWEEN 1",
            "city IS",
            "city NOT 'x'",
            "city 'x'",
            "city = 'x' city = 'y'",
            "city IN ('x',)",
            "city LIKE",
            "()",
            "city = 'x' = 'y' = ",
        ],
    ),
    (
        Reason::UnknownColumn,
        &[
            "ctid IS NOT NULL",
            "xmin = 1",
            "password = 'x'",
            "rank > 1",
            "person IS NOT NULL",
            "doc IS NULL",
            "pg_catalog.x = 1",
            "person.emails.nope = 1",
            "emails.address.x = 'x'",
            "__proto__ IS NULL",
            "a.b.c.d.e.f = 1",
            "name.cleaned = 'x'",
            "city = \"chicago\"",
            "city = current_user",
            "experience.title.raw = 'x'",
            "q.city = 'x'",
            "_merged_ids IS NULL",
            "\"person.city\" = 'x'",
            "full_nam = 'x'",
            "city = 'x' AND nope = 1",
            "domain = 'x'",
        ],
    ),
];

#[test]
fn texts_that_are_no_query_are_refused_for_what_they_are() {
    for (reason, texts) in TEXTS {
        for text in *texts {
            assert_eq!(refused(text).reason, *reason, "{text}\n{:?}", refused(text));
        }
    }
}

#[test]
fn conditions_that_say_nothing_of_a_record_are_refused_for_what_they_are() {
    for (expected, conditions) in CONDITIONS {
        for condition in *conditions {
            let refusal = refused(&format!("SELECT * FROM person WHERE {condition}"));
            assert_eq!(refusal.reason, *expected, "{condition}\n{refusal:?}");
        }
    }
}

#[test]
fn both_kinds_refuse_the_same() {
    for (reason, conditions) in CONDITIONS {
        for condition in *conditions {
            if condition.contains("emails") || condition.contains("age") {
                continue;
            }
            let refusal = company(&format!("SELECT * FROM company WHERE {condition}"));
            assert!(
                refusal.is_err() || *reason == Reason::UnknownColumn,
                "{condition}"
            );
        }
    }
}

#[test]
fn sql_in_a_literal_is_a_value() {
    for value in [
        "x'; DROP TABLE person; --",
        "' OR '1'='1",
        "/* x */",
        "a -- b",
        "x; SELECT 1",
        "$1",
        "%s",
        "{}",
        "\\",
        "\\'; x",
        "LIMIT 10",
        "SELECT",
        "((((",
        "NOT NOT",
        "\0\u{1}\r\n\t",
        "🙂 ‘’",
        "",
    ] {
        let text = format!(
            "SELECT * FROM person WHERE full_name = '{}'",
            value.replace('\'', "''")
        );
        assert!(person(&text).is_ok(), "{text}");
    }
}

#[test]
fn nesting_beyond_the_limit_is_too_complex_and_harmless() {
    let deep = |open: &str, n: usize, close: &str| {
        format!("{}city = 'x'{}", open.repeat(n), close.repeat(n))
    };
    for condition in [
        deep("(", 4_000, ")"),
        deep("NOT ", 2_000, ""),
        deep("NOT (", 1_500, ")"),
        deep("(", 33, ")"),
        deep("NOT ", 33, ""),
        deep("NOT (", 17, ")"),
        deep("(", 60_000, ""),
    ] {
        assert_eq!(reason(&condition), Reason::TooComplex);
    }
    for condition in [
        deep("(", 32, ")"),
        deep("NOT ", 32, ""),
        deep("NOT (", 16, ")"),
        deep("age = 1 OR city = 'y' AND NOT (", 16, ")"),
        deep("(age = 1 OR city = 'y' AND ", 32, ")"),
        deep("(age = 1 AND ", 32, " OR city = 'y')"),
    ] {
        person(&format!("SELECT * FROM person WHERE {condition}")).unwrap();
    }
    // What is open elsewhere is not deep here.
    let beside = vec!["((NOT (city = 'x')))"; 100].join(" AND ");
    person(&format!("SELECT * FROM person WHERE {beside}")).unwrap();
    for text in [
        format!("SELECT * FROM {}person", "(".repeat(4_000)),
        format!("SELECT * FROM person WHERE {}", "- ".repeat(30_000)),
        format!("SELECT * FROM person WHERE {}", "lower(".repeat(9_000)),
        format!("SELECT * FROM person WHERE {}", "CASE WHEN ".repeat(6_000)),
        format!("SELECT * FROM person WHERE city = {}", "'".repeat(60_001)),
        format!("SELECT * FROM person WHERE {}", "a.".repeat(30_000)),
        format!(
            "SELECT * FROM person WHERE city{} = 'x'",
            ".1m".repeat(20_000)
        ),
        "((".repeat(30_000),
        "NOT ".repeat(16_000),
        "\"".repeat(60_001),
    ] {
        refused(&text);
    }
}

#[test]
fn five_hundred_and_twelve_conditions_are_the_most() {
    let joined = |n: usize, op: &str| {
        let conditions: Vec<String> = (0..n).map(|i| format!("city = 'c{i}'")).collect();
        conditions.join(op)
    };
    for op in [" OR ", " AND "] {
        person(&format!("SELECT * FROM person WHERE {}", joined(512, op))).unwrap();
        assert_eq!(reason(&joined(513, op)), Reason::TooComplex);
    }
    let between = vec!["age BETWEEN 1 AND 2"; 512].join(" OR ");
    person(&format!("SELECT * FROM person WHERE {between}")).unwrap();
    assert_eq!(reason(&vec!["age"; 513].join(" AND ")), Reason::TooComplex);
}

#[test]
fn a_thousand_items_are_the_most() {
    let items = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    person(&format!(
        "SELECT * FROM person WHERE age IN ({})",
        items(MAX_ITEMS)
    ))
    .unwrap();
    assert_eq!(
        reason(&format!("age IN ({})", items(MAX_ITEMS + 1))),
        Reason::TooComplex
    );
    let both = format!("age IN ({0}) OR age IN ({0})", items(MAX_ITEMS));
    person(&format!("SELECT * FROM person WHERE {both}")).unwrap();
}

#[test]
fn the_longest_text_is_counted_in_characters() {
    let of = |chars: usize| {
        let begin = "SELECT * FROM person WHERE city = '";
        format!("{begin}{}'", "é".repeat(chars - begin.len() - 1))
    };
    person(&of(MAX_CHARS)).unwrap();
    let refusal = refused(&of(MAX_CHARS + 1));
    assert_eq!(refusal.reason, Reason::TooComplex);
    assert_eq!((refusal.line, refusal.column), (1, 65_537));
}

#[test]
fn a_small_stack_is_enough() {
    let condition = format!(
        "{}city = 'x'{}",
        "NOT (age = 1 AND NOT (".repeat(8),
        "))".repeat(8)
    );
    let chain = format!("{condition} AND {}", vec!["age > 5"; 500].join(" OR "));
    // The threads that serve requests have two mebibytes, and other calls below this one.
    let thread = std::thread::Builder::new()
        .stack_size(1024 * 1024)
        .spawn(move || {
            person(&format!("SELECT * FROM person WHERE {chain}")).map(|parsed| parsed.query.text())
        });
    assert!(thread.unwrap().join().unwrap().is_ok());
}

#[test]
fn a_chain_of_sums_or_products_is_refused_before_it_nests() {
    let texts = [
        format!("WHERE age = 1{}", "*1".repeat(30_000)),
        format!("WHERE age = 1{}", "+1".repeat(30_000)),
        format!("WHERE age = 1{}", " - 1".repeat(15_000)),
        format!("WHERE age IN (1{})", "+1".repeat(30_000)),
        format!("WHERE city = 'x'{}", "*1".repeat(30_000)),
        format!("ORDER BY 1{}", "*1".repeat(30_000)),
        format!("ORDER BY age{}", "+1".repeat(30_000)),
    ];
    let thread = std::thread::Builder::new()
        .stack_size(1024 * 1024)
        .spawn(move || {
            for text in texts {
                let refusal = person(&format!("SELECT * FROM person {text}")).unwrap_err();
                assert_eq!(refusal.reason, Reason::ForbiddenConstruct, "{text:.40}");
                assert!(refusal.column > 20, "{text:.40}");
            }
        });
    thread.unwrap().join().unwrap();
    for text in [
        "age > -1",
        "age IN (-1, +2)",
        "age BETWEEN -1 AND +1",
        "-1 < age",
    ] {
        assert!(
            person(&format!("SELECT * FROM person WHERE {text}")).is_ok(),
            "{text}"
        );
    }
}

#[test]
fn sixteen_columns_of_an_order_are_the_most() {
    let columns = [
        "city",
        "state",
        "country",
        "job_title",
        "age",
        "sex",
        "prefix",
        "suffix",
        "last_seen",
        "full_name",
        "first_name",
        "last_name",
        "middle_name",
        "work_email",
        "num_sources",
        "confidence",
        "birth_year",
    ];
    let of = |count: usize| {
        format!(
            "SELECT * FROM person ORDER BY {}",
            columns[..count].join(", ")
        )
    };
    assert!(person(&of(16)).is_ok());
    assert_eq!(person(&of(17)).unwrap_err().reason, Reason::TooComplex);
}

/// The lists of values of a filter, and where they are.
fn lists_of<'f>(filter: &'f Filter, lists: &mut Vec<&'f Values>) {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => {
            parts.iter().for_each(|part| lists_of(part, lists));
        }
        Filter::Element { filter, .. } => lists_of(filter, lists),
        Filter::Test(Condition { test, .. }) => {
            if let Test::In { values, .. } = test {
                lists.push(values);
            }
        }
        Filter::Empty { .. } => {}
    }
}

#[test]
fn branches_share_the_values_of_a_list() {
    let names: Vec<String> = (0..900).map(|name| format!("'a{name}'")).collect();
    let years: Vec<String> = (1..54).map(|year| format!("founded = {year}")).collect();
    let text = format!(
        "SELECT * FROM company WHERE name NOT IN ({}) AND locations.city = 'a' AND (locations.city = 'b' OR {})",
        names.join(", "),
        years.join(" OR ")
    );
    let query = crate::company(&text).unwrap().query;
    let filter = query.filter.unwrap();
    let mut lists = Vec::new();
    lists_of(&filter, &mut lists);
    let long: Vec<&Values> = lists.into_iter().filter(|list| list.len() >= 900).collect();
    let places: BTreeSet<*const Value> = long.iter().map(|list| list.as_ptr()).collect();
    assert_eq!((long.len(), places.len()), (54, 1));
}
