//! Runs the case files of `normalize/cases` (its README says what a case is) in-process.

#![allow(
    clippy::indexing_slicing,
    reason = "JSON of the case files: a missing key is null"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use normalize::{
    company, country, domain, email, linkedin_company, name, phone, school, social, state, ticker,
};
use serde_json::{Value, json};

/// Cases and how many of them passed.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) cases: u32,
    pub(crate) passed: u32,
}

impl Tally {
    pub(crate) fn percent(self) -> f64 {
        if self.cases == 0 {
            100.0
        } else {
            100.0 * f64::from(self.passed) / f64::from(self.cases)
        }
    }

    fn count(&mut self, passed: bool) {
        self.cases += 1;
        self.passed += u32::from(passed);
    }
}

/// What one case file gave.
#[derive(Debug, Default)]
pub(crate) struct Score {
    pub(crate) field: String,
    pub(crate) closed: Tally,
    pub(crate) open: Tally,
    pub(crate) failures: Vec<String>,
    /// Profiles that came out in more than one spelling.
    pub(crate) spellings: Vec<String>,
}

impl Score {
    pub(crate) fn all(&self) -> f64 {
        Tally {
            cases: self.closed.cases + self.open.cases,
            passed: self.closed.passed + self.open.passed,
        }
        .percent()
    }
}

/// Every case file of a folder, in the order of the names.
pub(crate) fn run(folder: &Path) -> Result<Vec<Score>, Box<dyn Error>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .collect::<Result<Vec<_>, _>>()?
        .iter()
        .map(fs::DirEntry::path)
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    paths.sort();
    paths.iter().map(|path| score(path)).collect()
}

fn score(path: &Path) -> Result<Score, Box<dyn Error>> {
    let mut score = Score::default();
    let mut spellings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in fs::read_to_string(path)?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let field = case["field"].as_str().unwrap_or_default();
        field.clone_into(&mut score.field);
        let got = clean(
            field,
            case["input"].as_str().unwrap_or_default(),
            case["default_region"].as_str().unwrap_or("US"),
        );
        let url = case["compare"] == "url";
        let passed = wanted(&case).any(|want| agrees(want, &got, url));
        let tally = if case["open"] == true {
            &mut score.open
        } else {
            &mut score.closed
        };
        tally.count(passed);
        if !passed {
            let open = if case["open"] == true { " (open)" } else { "" };
            score.failures.push(format!(
                "{} want {} got {got}{open} {}",
                case["input"], case["expected"], case["note"]
            ));
        } else if url
            && let (Some(want), Some(got)) = (case["expected"].as_str(), got.as_str())
            && plain(want) == plain(got)
        {
            spellings
                .entry(want.to_owned())
                .or_default()
                .insert(got.to_owned());
        }
    }
    score.spellings = spellings
        .into_values()
        .filter(|forms| forms.len() > 1)
        .map(|forms| format!("{forms:?}"))
        .collect();
    Ok(score)
}

fn wanted(case: &Value) -> impl Iterator<Item = &Value> {
    std::iter::once(&case["expected"]).chain(case["accept"].as_array().into_iter().flatten())
}

fn agrees(want: &Value, got: &Value, url: bool) -> bool {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            want.iter().all(|(key, value)| got.get(key) == Some(value))
        }
        (Value::String(want), Value::String(got)) if url => plain(want) == plain(got),
        _ => want == got,
    }
}

/// What `compare: "url"` leaves to the project: scheme, `www.`, a closing slash, x.com for twitter.com.
fn plain(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest
        .strip_prefix("www.")
        .unwrap_or(rest)
        .trim_end_matches('/');
    rest.strip_prefix("x.com/")
        .map_or_else(|| rest.to_owned(), |path| format!("twitter.com/{path}"))
}

/// The `cleaned` value of `/utility/clean`.
pub(crate) fn clean(field: &str, input: &str, region: &str) -> Value {
    let text = |result: Result<String, normalize::Unreadable>| result.ok().map(Value::from);
    let value = match field {
        "email" => text(email::clean(input).map(|email| email.address)),
        "phone" => text(phone::clean(input, region)),
        "full_name" => text(name::full(input).map(|name| name.cleaned)),
        "first_name" => text(name::first(input)),
        "last_name" => text(name::last(input)),
        "social_url" => text(social::clean(input).map(|profile| profile.url)),
        "linkedin_company_url" => text(linkedin_company::clean(input)),
        "school" => text(school::clean(input)),
        "domain" => text(domain::clean(input)),
        "ticker_symbol" => text(ticker::clean(input)),
        "company" => company::clean(input)
            .ok()
            .map(|company| json!({"name": company.name, "type": company.kind.as_str()})),
        "country" => country::clean(input)
            .ok()
            .map(|country| json!({"full_name": country.full_name, "code": country.code})),
        "state" => state::clean(input, None)
            .ok()
            .map(|state| json!({"full_name": state.full_name, "code": state.code})),
        _ => None,
    };
    value.unwrap_or(Value::Null)
}
