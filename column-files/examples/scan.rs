//! Runs queries over the files of a build and prints how long each takes: count and page of 100, nothing cached.
//!
//! `scan FOLDER [RUNS] [PART OF A NAME]`: the folder holds the files and `manifest.json`, as `examples/write.rs` leaves
//! them. One thread; every query runs a few times, and the middle is what counts.
#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a report to a person; samples are never empty"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use column_files::{Columns, Found, Manifest, Page, Search, Start};
use dialect::Query;
use events_schema::record::RecordKind;

/// A name, what stands behind `SELECT * FROM person`, and where the page starts.
type Case = (&'static str, &'static str, Start);

const FIRST: Start = Start::Offset(0);
const DEEP: Start = Start::Offset(10_000);

const CASES: &[Case] = &[
    ("email = unique", "where work_email = '{email}'", FIRST),
    (
        "emails.address = unique",
        "where emails.address = '{email}'",
        FIRST,
    ),
    (
        "email hash = unique",
        "where emails.hash_sha256 = '{sha256}'",
        FIRST,
    ),
    (
        "linkedin = unique",
        "where linkedin_id = '{linkedin}'",
        FIRST,
    ),
    ("country = common", "where country_code = 'us'", FIRST),
    ("seniority = x", "where seniority_level = 'director'", FIRST),
    ("last_name = rare", "where last_name = '{rare}'", FIRST),
    ("last_name = common", "where last_name = '{common}'", FIRST),
    ("company = top", "where company_name = '{company}'", FIRST),
    (
        "company domain = top",
        "where company_domain = '{domain}'",
        FIRST,
    ),
    (
        "3-AND, few values",
        "where country_code = 'us' and seniority_level = 'director' and is_decision_maker = true",
        FIRST,
    ),
    (
        "5-AND, mixed",
        "where country_code = 'us' and seniority_level = 'vp' and company_size = '201-500' and years_of_experience > 8 and last_seen >= '2026-01'",
        FIRST,
    ),
    (
        "company and seniority",
        "where company_domain = '{domain}' and seniority_level in ('director', 'vp', 'cxo')",
        FIRST,
    ),
    ("city IN 20", "where city in ({cities})", FIRST),
    ("job_title IN 20", "where job_title in ({titles})", FIRST),
    (
        "city IN 20 AND title IN 20",
        "where city in ({cities}) and job_title in ({titles})",
        FIRST,
    ),
    (
        "first and last name",
        "where first_name = 'maria' and last_name = '{common}'",
        FIRST,
    ),
    (
        "OR across columns",
        "where seniority_level = 'vp' or job_function = 'sales' or company_size = '10001+'",
        FIRST,
    ),
    (
        "OR of two names",
        "where first_name = 'maria' or last_name = '{common}'",
        FIRST,
    ),
    ("NOT country", "where not country_code = 'us'", FIRST),
    (
        "NOT industry, nulls",
        "where not company_industry = '{industry}'",
        FIRST,
    ),
    (
        "NOT (a OR b)",
        "where not (seniority_level = 'vp' or state = 'california')",
        FIRST,
    ),
    (
        "years BETWEEN",
        "where years_of_experience between 5 and 10",
        FIRST,
    ),
    (
        "NOT years BETWEEN",
        "where not years_of_experience between 5 and 10",
        FIRST,
    ),
    ("tenure > 40", "where avg_tenure_months > 40", FIRST),
    ("last_seen in a month", "where last_seen = '2026-03'", FIRST),
    ("last_seen broad", "where last_seen >= '2025-06'", FIRST),
    ("years IS NULL", "where years_of_experience is null", FIRST),
    ("email IS NULL", "where work_email is null", FIRST),
    (
        "email NOT NULL AND dm",
        "where work_email is not null and is_decision_maker = true",
        FIRST,
    ),
    ("title LIKE vp%", "where job_title like 'vp%'", FIRST),
    (
        "title LIKE %engineer%",
        "where job_title like '%engineer%'",
        FIRST,
    ),
    (
        "NOT title LIKE %engineer%",
        "where job_title not like '%engineer%'",
        FIRST,
    ),
    (
        "company LIKE %bank%",
        "where company_name like '%bank%'",
        FIRST,
    ),
    (
        "email LIKE %smith%",
        "where work_email like '%smith%'",
        FIRST,
    ),
    ("email LIKE %x%", "where work_email like '%x%'", FIRST),
    ("email LIKE smi%", "where work_email like 'smi%'", FIRST),
    (
        "email LIKE %@%.com",
        "where work_email like '%@%.com'",
        FIRST,
    ),
    (
        "emails.address LIKE %gmail%",
        "where emails.address like '%gmail%'",
        FIRST,
    ),
    (
        "full_name LIKE %maria%",
        "where full_name like '%maria%'",
        FIRST,
    ),
    (
        "title %engineer% AND US AND sen",
        "where job_title like '%engineer%' and country_code = 'us' and seniority_level = 'manager'",
        FIRST,
    ),
    (
        "emails work+current",
        "where emails.type = 'work' and emails.current = true",
        FIRST,
    ),
    (
        "emails work+cur+high AND US",
        "where emails.type = 'work' and emails.current = true and emails.confidence = 'high' and country_code = 'us'",
        FIRST,
    ),
    (
        "NOT emails work+current",
        "where not (emails.type = 'personal' and emails.confidence = 'high')",
        FIRST,
    ),
    ("emails IS NULL", "where emails is null", FIRST),
    (
        "phones mobile current",
        "where phones.type = 'mobile' and phones.current = true",
        FIRST,
    ),
    (
        "past employer",
        "where experience.organization.name = '{company}' and experience.current = false",
        FIRST,
    ),
    (
        "past title LIKE",
        "where experience.title like '%engineer%' and experience.current = false",
        FIRST,
    ),
    (
        "past title LIKE AND rare",
        "where experience.title like '%engineer%' and experience.current = false and company_domain = '{domain}'",
        FIRST,
    ),
    ("title shortcut LIKE", "where title like '%nurse%'", FIRST),
    (
        "school AND degree",
        "where education.organization.name = '{school}' and education.degree_level = 'masters'",
        FIRST,
    ),
    (
        "skill = x AND city",
        "where skills = '{skill}' and city = '{city}'",
        FIRST,
    ),
    ("skill = top", "where skills = '{skill}'", FIRST),
    ("NOT skill = top", "where not skills = '{skill}'", FIRST),
    (
        "skill a AND skill b",
        "where skills = '{skill}' and skills = '{skill2}'",
        FIRST,
    ),
    (
        "skill a OR skill b, dm",
        "where (skills = '{skill}' or skills = '{skill2}') and is_decision_maker = true",
        FIRST,
    ),
    ("no filter, offset 10k", "", DEEP),
    ("US offset 10k", "where country_code = 'us'", DEEP),
    (
        "US cursor deep",
        "where country_code = 'us'",
        Start::After(0),
    ),
    (
        "US+sen+dm ORDER tenure desc",
        "where country_code = 'us' and seniority_level = 'director' and is_decision_maker = true order by avg_tenure_months desc",
        FIRST,
    ),
    (
        "US+sen+dm ORDER tenure desc 10k",
        "where country_code = 'us' and seniority_level = 'director' and is_decision_maker = true order by avg_tenure_months desc",
        DEEP,
    ),
    (
        "US+sen+dm ORDER tenure cursor",
        "where country_code = 'us' and seniority_level = 'director' and is_decision_maker = true order by avg_tenure_months desc",
        Start::After(0),
    ),
    (
        "no filter ORDER tenure",
        "order by avg_tenure_months desc",
        FIRST,
    ),
    (
        "no filter ORDER tenure 10k",
        "order by avg_tenure_months desc",
        DEEP,
    ),
    (
        "no filter ORDER tenure cursor",
        "order by avg_tenure_months desc",
        Start::After(0),
    ),
    (
        "US ORDER last_seen",
        "where country_code = 'us' order by last_seen desc, full_name",
        FIRST,
    ),
    (
        "US ORDER last_seen 10k",
        "where country_code = 'us' order by last_seen desc, full_name",
        DEEP,
    ),
    ("no filter ORDER country", "order by country", FIRST),
    (
        "no filter ORDER country cursor",
        "order by country",
        Start::After(0),
    ),
    (
        "US ORDER sen, name 10k",
        "where country_code = 'us' order by seniority_level, full_name desc",
        DEEP,
    ),
    (
        "US ORDER title",
        "where country_code = 'us' order by job_title",
        FIRST,
    ),
    (
        "US ORDER title 10k",
        "where country_code = 'us' order by job_title",
        DEEP,
    ),
    ("no filter ORDER email 10k", "order by work_email", DEEP),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let runs: usize = arguments.next().map_or(Ok(7), |runs| runs.parse())?;
    let only = arguments.next().unwrap_or_default();
    let manifest: Manifest = serde_json::from_slice(&std::fs::read(folder.join("manifest.json"))?)?;
    let columns = Arc::new(Columns::open(&folder, &manifest)?);
    let words = stored(&columns);
    println!(
        "{} rows; ms a query, one thread, {runs} runs each",
        columns.rows()
    );
    println!(
        "{:<34} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "query", "count", "min", "median", "max", "slice"
    );
    let mut medians = Vec::new();
    for (name, rest, start) in CASES.iter().filter(|(name, ..)| name.contains(&only)) {
        let text = words.iter().fold(
            format!("select * from person {rest}"),
            |text, (word, value)| text.replace(word, value),
        );
        let query = Query::parse(RecordKind::Person, &text)
            .map_err(|refusal| format!("{text}: {refusal:?}"))?
            .query;
        let start = match start {
            // A cursor in the middle of the build.
            Start::After(_) => Start::After(columns.rows() / 2),
            start => *start,
        };
        let page = Page { limit: 100, start };
        let mut times = Vec::new();
        let (mut total, mut longest) = (0, Duration::ZERO);
        for _ in 0..runs.max(1) {
            let (found, time, slice) = run(&columns, &query, page);
            (total, longest) = (found.total, longest.max(slice));
            times.push(time);
        }
        times.sort();
        let median = times[times.len() / 2];
        medians.push((median, *name));
        println!(
            "{name:<34} {total:>9} {:>8} {:>8} {:>8} {:>8}",
            ms(times[0]),
            ms(median),
            ms(times[times.len() - 1]),
            ms(longest)
        );
    }
    medians.sort();
    let at = |part: usize| ms(medians[(medians.len() * part).div_ceil(100).max(1) - 1].0);
    println!(
        "{} queries: median {}, p95 {}, p99 {}",
        medians.len(),
        at(50),
        at(95),
        at(99)
    );
    Ok(())
}

/// Runs a search to its end: what it found, how long it took, and its longest slice.
fn run(columns: &Arc<Columns>, query: &Query, page: Page) -> (Found, Duration, Duration) {
    let begin = Instant::now();
    let mut search = Search::new(Arc::clone(columns), query, page, None);
    let (mut before, mut longest) = (begin, Duration::ZERO);
    loop {
        let found = search.advance();
        let now = Instant::now();
        longest = longest.max(now - before);
        before = now;
        if let Some(found) = found {
            return (found, now - begin, longest);
        }
    }
}

fn ms(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

/// Literals that are stored: of a column the value of a row in the middle, or the most frequent ones.
fn stored(columns: &Columns) -> Vec<(&'static str, String)> {
    let email = value(columns, "work_email", columns.rows() / 2);
    let hex: String =
        sha2::Digest::finalize(<sha2::Sha256 as sha2::Digest>::new_with_prefix(&email))
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
    let quoted = |values: Vec<String>| {
        values
            .iter()
            .map(|value| format!("'{value}'"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let top = |path, place: usize| frequent(columns, path, place + 1).pop().unwrap_or_default();
    vec![
        ("{email}", email),
        ("{sha256}", hex),
        (
            "{linkedin}",
            value(columns, "linkedin_id", columns.rows() / 2),
        ),
        ("{rare}", top("last_name", 900)),
        ("{common}", top("last_name", 1)),
        ("{company}", top("company_name", 0)),
        ("{domain}", top("company_domain", 1)),
        ("{industry}", top("company_industry", 0)),
        ("{cities}", quoted(frequent(columns, "city", 20))),
        ("{city}", top("city", 3)),
        (
            "{titles}",
            quoted(frequent(columns, "job_title", 40).split_off(20)),
        ),
        ("{school}", top("education.organization.name.cleaned", 0)),
        ("{skill}", top("skills.cleaned", 0)),
        ("{skill2}", top("skills.cleaned", 1)),
    ]
}

/// The value of the first row from `row` on that has one.
fn value(columns: &Columns, path: &str, row: u32) -> String {
    let Some(view) = dialect::Catalog::of(RecordKind::Person)
        .find(path)
        .map(|id| columns.column(id))
    else {
        return String::new();
    };
    let code = (row..columns.rows())
        .map(|row| view.codes.get(row as usize))
        .find(|code| *code > 0);
    text(&view, code.unwrap_or(0))
}

/// The most frequent values.
fn frequent(columns: &Columns, path: &str, values: usize) -> Vec<String> {
    let Some(view) = dialect::Catalog::of(RecordKind::Person)
        .find(path)
        .map(|id| columns.column(id))
    else {
        return Vec::new();
    };
    let mut counts: Vec<(u32, u32)> = view
        .counts
        .unwrap_or_default()
        .iter()
        .copied()
        .zip(1..)
        .collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    counts
        .iter()
        .take(values)
        .map(|(_, code)| text(&view, *code).replace('\'', "''"))
        .collect()
}

fn text(view: &column_files::view::ColumnView<'_>, code: u32) -> String {
    match view.dictionary {
        column_files::view::Dictionary::Text(texts) => {
            String::from_utf8_lossy(&texts.text(code).unwrap_or_default()).into_owned()
        }
        _ => String::new(),
    }
}
