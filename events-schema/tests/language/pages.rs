//! The tables of `docs/API.md` and `docs/RECORDS.md` are those of the code, row by row.

use std::time::Duration;

use events_schema::api::endpoint::Endpoint;
use events_schema::api::limits as l;
use events_schema::record::{Field, FieldType, RecordKind};
use events_schema::report::v1::{IssueLevel, IssueType};
use serde_json::to_value;

const API: &str = include_str!("../../../docs/API.md");
const RECORDS: &str = include_str!("../../../docs/RECORDS.md");
const REPORTS: &str = include_str!("../../../docs/REPORTS.md");

/// The cells of the table with this header in the section of this heading.
fn table(page: &'static str, heading: &str, header: &str) -> Vec<Vec<&'static str>> {
    let lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let section = lines.take_while(|line| !line.starts_with("## "));
    let rows = section.skip_while(|line| *line != header).skip(2);
    let rows: Vec<_> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(!rows.is_empty(), "no table {header} under {heading}");
    rows
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// `1048576` as the pages write it.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|g| std::str::from_utf8(g).unwrap()).collect();
    groups.join(",")
}

#[test]
fn the_table_of_prices_and_rate_limits_is_that_of_the_code() {
    let header = "| endpoint | request | credits | unit | requests a minute |";
    let rows = table(API, "## Credits", header);
    let shown = rows
        .iter()
        .map(|row| [row[0], row[1], row[2], row[3], row[4]]);
    let expected: Vec<[String; 5]> = Endpoint::ALL
        .iter()
        .map(|endpoint| {
            [
                code(endpoint.name()),
                code(&endpoint.route()),
                endpoint.default_price().to_string(),
                endpoint.unit().to_owned(),
                endpoint.default_rate_limit().to_string(),
            ]
        })
        .collect();
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    let words = API.split_whitespace().collect::<Vec<_>>().join(" ");
    let of_credits = format!(
        "has a window of its own ({} a minute)",
        l::OWN_ACCOUNT_RATE_LIMIT
    );
    assert!(words.contains(&of_credits));
    assert!(words.contains(&format!("One window of {} seconds", l::RATE_WINDOW_SECONDS)));
    for endpoint in Endpoint::ALL {
        assert!(API.contains(&endpoint.route()), "{endpoint} has no section");
    }
}

#[test]
fn the_table_of_limits_is_that_of_the_code() {
    let size = |number: usize| grouped(u64::try_from(number).unwrap());
    let upto = |first: usize, last: u32| format!("{first} to {}", grouped(last.into()));
    let seconds = |time: Duration| format!("{} s", time.as_secs());
    let values = size(l::MAX_REPORT_VALUE_CHARS);
    assert_eq!(values, size(l::MAX_REPORT_COMMENT_CHARS));
    let expected = [
        (
            "body of a request",
            format!("{} bytes", size(l::MAX_BODY_BYTES)),
        ),
        (
            "one text parameter",
            format!("{} characters", size(l::MAX_STRING_CHARS)),
        ),
        ("a whole request", seconds(l::REQUEST_TIMEOUT)),
        (
            "`limit` of enrich with `multiple_results`",
            format!(
                "{}, default {}",
                upto(1, l::MAX_ENRICH_LIMIT),
                l::DEFAULT_ENRICH_LIMIT
            ),
        ),
        (
            "`limit` of search",
            format!(
                "{}, default {}",
                upto(1, l::MAX_PAGE_LIMIT),
                l::DEFAULT_SEARCH_LIMIT
            ),
        ),
        (
            "`limit` of discover",
            format!("{}, required", upto(1, l::MAX_PAGE_LIMIT)),
        ),
        ("`offset` of search and discover", upto(0, l::MAX_OFFSET)),
        (
            "description of discover",
            format!(
                "{} to {} characters",
                l::MIN_DISCOVER_CHARS,
                size(l::MAX_DISCOVER_CHARS)
            ),
        ),
        (
            "`limit` of the ledger",
            format!(
                "{}, default {}",
                upto(1, l::MAX_LEDGER_LIMIT),
                l::DEFAULT_LEDGER_LIMIT
            ),
        ),
        (
            "values and comment of a report",
            format!("{values} characters each"),
        ),
        (
            "`Idempotency-Key`",
            format!(
                "1 to {} printable ASCII characters, kept {} hours",
                l::MAX_IDEMPOTENCY_KEY_CHARS,
                l::IDEMPOTENCY_HOURS
            ),
        ),
    ];
    let rows = table(API, "## Limits", "| of | limit |");
    for (name, limit) in expected {
        let row = rows.iter().find(|row| row[0] == name);
        let row = row.unwrap_or_else(|| panic!("no row {name}"));
        assert_eq!(row[1], limit, "{name}");
    }
}

#[test]
fn the_tables_of_fields_are_those_of_the_code() {
    for (kind, heading) in [
        (RecordKind::Person, "## Fields of a person"),
        (RecordKind::Company, "## Fields of a company"),
    ] {
        let rows = table(RECORDS, heading, "| field | type | T | |");
        let shown: Vec<_> = rows.iter().map(|row| [row[0], row[1], row[2]]).collect();
        let mut expected = Vec::new();
        push(kind.fields(), "", &mut expected);
        assert_eq!(shown, expected, "{kind}");
    }
}

/// The rows of fields and of those below them.
fn push(fields: &[Field], above: &str, rows: &mut Vec<[String; 3]>) {
    for field in fields {
        let path = format!("{above}{}", field.name);
        let titled = if field.titlecase { "T" } else { "" };
        rows.push([code(&path), words(field.kind), titled.to_owned()]);
        match field.kind {
            FieldType::Object { .. } | FieldType::List(_) => {
                push(field.children(), &format!("{path}."), rows);
            }
            FieldType::CleanedList(further) => {
                let is_further = |field: &&Field| !["cleaned", "raw"].contains(&field.name);
                let further: Vec<Field> = further.iter().filter(is_further).copied().collect();
                push(&further, &format!("{path}."), rows);
            }
            _ => {}
        }
    }
}

fn words(kind: FieldType) -> String {
    let plain = match kind {
        FieldType::Enum(values) => {
            let values: Vec<_> = values.iter().map(|value| code(value)).collect();
            return format!("one of {}", values.join(", "));
        }
        FieldType::Vocabulary(name) => return format!("closed list {}", code(name)),
        FieldType::Text => "text",
        FieldType::Id => "UUID",
        FieldType::Url => "URL",
        FieldType::Code => "code",
        FieldType::Date => "date",
        FieldType::Integer => "whole number",
        FieldType::Number => "number",
        FieldType::Boolean => "true or false",
        FieldType::Cleaned => "cleaned text",
        FieldType::Object { .. } => "object",
        FieldType::List(_) => "list",
        FieldType::TextList => "list of texts",
        FieldType::CleanedList(_) => "list of cleaned texts",
        FieldType::Map => "map of numbers",
        FieldType::Periods => "figures by period",
        FieldType::PeriodsMap => "map of figures by period",
    };
    plain.to_owned()
}

#[test]
fn the_page_of_reports_names_every_issue_every_topic_and_every_event() {
    use IssueType as I;
    let types = [
        I::Incorrect,
        I::Outdated,
        I::Misattributed,
        I::Frankenstein,
        I::NotARealPerson,
        I::Duplicate,
    ];
    let levels = [IssueLevel::Record, IssueLevel::Group, IssueLevel::Field];
    let issues = types.map(|issue| to_value(issue).unwrap());
    let levels = levels.map(|level| to_value(level).unwrap());
    let mut names: Vec<String> = issues.into_iter().chain(levels).map(named).collect();
    let topics = events_schema::topics::all();
    names.extend(topics.iter().map(|topic| topic.name.to_owned()));
    let reports = events_schema::Event::STORED_TYPES.iter();
    let reports =
        reports.filter(|name| name.starts_with("report.") && **name != "report.received.v1");
    names.extend(reports.map(|name| (*name).to_owned()));
    names.extend(crate::REPORT_WIRE_TYPES.map(str::to_owned));
    for name in names {
        assert!(REPORTS.contains(&code(&name)), "{name}");
    }
}

fn named(value: serde_json::Value) -> String {
    value.as_str().unwrap().to_owned()
}
