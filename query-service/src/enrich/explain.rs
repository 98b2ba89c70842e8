//! `explain: true`: which inputs agreed, which contradicted, what each weighed, and who came next (`docs/API.md`, "How sure a match is").
//!
//! A feature is named after the input and how it stands to the record: `email_exact`, `email_hash_sha256`,
//! `name_nickname`, `company_same`, `city_contradicts`. The closing words are those of [`How::as_str`]; `full_name` is
//! `name`. Every input has its feature: one of which the record knows nothing is `…_unknown`, with contribution 0.
//!
//! The contributions add up to the level: from 0.6 on high, from 0.4 on moderate, from 0.2 on low. What the level rests on
//! weighs 0.62, 0.42 or 0.22: the best identifier alone; or a person's name (0.12) and its contexts, which share the
//! rest; or a company's name. Every other input that agrees weighs 0.01, as it orders matches of one level; every
//! contradiction takes 0.20, a level.

use events_schema::ids::BuildName;
use events_schema::record::Confidence;
use normalize::email_hash::Algorithm;
use serde::Serialize;
use uuid::Uuid;

use super::company::{self, CompanyClue};
use super::evidence::{self, Led};
use super::finding::{Finding, How, Verdict};
use super::person::PersonClue;
use super::probe::Probe;
use super::rarity::Counts;
use super::request::Query;
use super::verdict::{Hits, company_findings};
use super::{Basis, Scored};

/// Hundredths that a person's name weighs where a match rests on it.
const NAME: i32 = 12;
/// Hundredths of an input that agrees beside what the level rests on.
const BESIDE: i32 = 1;
/// Hundredths that a contradiction takes.
const CONTRADICTION: i32 = -20;

/// Why a record was matched.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// One an input, in the order of `docs/API.md`.
    pub features: Vec<Feature>,
    /// That the record is the one who is meant, by all of that and beside all other candidates; only of persons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Inputs that say nothing: they cannot be read, or stand for none.
    pub not_read: Vec<&'static str>,
    /// The build that the record is of.
    pub data_build: String,
    /// The best candidate that was not returned.
    pub runner_up: Option<RunnerUp>,
}

/// What one input did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Feature {
    /// Its name.
    pub feature: String,
    /// What it weighed; below zero for a contradiction.
    pub contribution: f64,
    /// The input as it was normalized.
    pub input: String,
    /// The record's value that agreed or contradicted.
    pub record: Option<String>,
}

/// A candidate that was not returned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RunnerUp {
    /// Its record.
    pub service_id: Uuid,
    /// How sure a match it would have been.
    pub match_confidence: Confidence,
    /// That it is the one who is meant; only of persons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// One clue of either kind with its finding.
struct Line<'a> {
    field: &'static str,
    /// For a hash the algorithm.
    detail: Option<&'static str>,
    input: String,
    role: Role,
    finding: Finding<'a>,
    agrees: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Identifier,
    Name,
    Context,
}

/// What a match is explained from, beside itself.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// The request.
    pub query: &'a Query,
    /// Its probes.
    pub probes: &'a [Probe],
    /// The build that was asked.
    pub build: &'a BuildName,
    /// What is counted in it.
    pub counts: &'a dyn Counts,
    /// [`super::request::EnrichRequest::not_read`]
    pub not_read: &'a [&'static str],
}

/// To a ten-thousandth; what is not quite sure is not told as sure.
pub(super) fn rounded(probability: f64) -> f64 {
    (probability * 10_000.0).floor() / 10_000.0
}

/// Explains a match.
#[must_use]
pub fn explain(told: &Told<'_>, one: &Scored, runner_up: Option<RunnerUp>) -> Explanation {
    let lines = lines(told, one);
    let weights = match told.query {
        Query::Person { .. } => one.bits.clone(),
        Query::Company { .. } => weights(&lines, one.basis, false)
            .into_iter()
            .map(|weight| f64::from(weight) / 100.0)
            .collect(),
    };
    let features = lines.into_iter().zip(weights).map(feature);
    Explanation {
        features: features.collect(),
        probability: one.probability.map(rounded),
        not_read: told.not_read.to_vec(),
        data_build: told.build.as_str().to_owned(),
        runner_up,
    }
}

fn lines<'a>(told: &Told<'_>, one: &'a Scored) -> Vec<Line<'a>> {
    let hits = Hits {
        probes: told.probes,
        candidate: &one.candidate,
    };
    let doc = &one.candidate.doc;
    let is_hit = |clue: usize| hits.best(clue).is_some();
    let mut lines: Vec<Line<'_>> = match told.query {
        Query::Person { clues, name } => {
            let led = |clue| {
                if is_hit(clue) {
                    Led::Here(1)
                } else {
                    // What it weighs was told before.
                    Led::Nowhere
                }
            };
            let evidence = evidence::of_person(clues, name.as_ref(), doc, told.counts, led);
            let of =
                |(clue, line): (&PersonClue, evidence::Line<'a>)| of_person(clue, line.finding);
            clues.iter().zip(evidence.lines).map(of).collect()
        }
        Query::Company { clues } => clues
            .iter()
            .zip(company_findings(clues, doc, is_hit))
            .map(|(clue, finding)| of_company(clue, finding, one))
            .collect(),
    };
    for line in &mut lines {
        // The score says whether a slip in a name was carried by its context.
        let matched_on = &one.metadata.matched_on;
        line.agrees = matched_on.iter().any(|field| field == line.field);
        if line.finding.how == How::Exact && line.finding.record.is_none() {
            line.finding.record = Some(match line.field {
                "service_id" => one.candidate.service_id.to_string().into(),
                _ => line.input.clone().into(),
            });
        }
    }
    lines
}

fn of_person<'a>(clue: &PersonClue, finding: Finding<'a>) -> Line<'a> {
    let detail = match clue {
        PersonClue::EmailHash(hash) => Some(algorithm(hash.algorithm)),
        _ => None,
    };
    let role = match (clue.is_identifier(), clue.is_name()) {
        (true, _) => Role::Identifier,
        (false, true) => Role::Name,
        (false, false) => Role::Context,
    };
    Line {
        field: clue.field(),
        detail,
        input: clue.normalized(),
        role,
        finding,
        agrees: false,
    }
}

const fn algorithm(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Sha256 => "sha256",
        Algorithm::Sha1 => "sha1",
        Algorithm::Md5 => "md5",
    }
}

/// The host that led to a company may be another than the one given: the part that was registered.
fn of_company<'a>(clue: &CompanyClue, mut finding: Finding<'a>, one: &'a Scored) -> Line<'a> {
    if finding.how == How::Exact && !clue.is_own(&one.candidate.doc) {
        finding.record = company::hosts(&one.candidate.doc)
            .first()
            .map(|host| (*host).into());
    }
    let role = match (clue.is_identifier(), clue.is_context()) {
        (true, _) => Role::Identifier,
        (false, true) => Role::Context,
        (false, false) => Role::Name,
    };
    Line {
        field: clue.field(),
        detail: None,
        input: clue.normalized(),
        role,
        finding,
        agrees: false,
    }
}

/// In hundredths, one a line.
fn weights(lines: &[Line<'_>], basis: Basis, is_person: bool) -> Vec<i32> {
    let carried = |line: &Line<'_>| match basis {
        Basis::Identifier(..) => false,
        Basis::Name(_) => {
            line.agrees && (line.role == Role::Name || (is_person && line.role == Role::Context))
        }
    };
    let count = |role: Role| {
        lines
            .iter()
            .filter(|line| carried(line) && line.role == role)
            .count()
    };
    let whole = level_weight(basis.level());
    let name = if is_person { NAME } else { whole };
    let mut of_names = Shares::new(name, count(Role::Name));
    let mut of_contexts = Shares::new(whole - name, count(Role::Context));
    let weigh = |(at, line): (usize, &Line<'_>)| match line.role {
        _ if matches!(basis, Basis::Identifier(clue, _) if clue == at) => whole,
        Role::Name if carried(line) => of_names.next(),
        Role::Context if carried(line) => of_contexts.next(),
        _ if line.agrees => BESIDE,
        _ if line.finding.verdict() == Verdict::Contradicts => CONTRADICTION,
        _ => 0,
    };
    lines.iter().enumerate().map(weigh).collect()
}

const fn level_weight(level: Confidence) -> i32 {
    match level {
        Confidence::High => 62,
        Confidence::Moderate => 42,
        Confidence::Low => 22,
    }
}

/// A whole number in equal parts; what does not divide goes to the first.
struct Shares {
    left: i32,
    parts: i32,
}

impl Shares {
    fn new(whole: i32, parts: usize) -> Self {
        Self {
            left: whole,
            parts: i32::try_from(parts).unwrap_or(1),
        }
    }

    fn next(&mut self) -> i32 {
        if self.parts < 1 {
            return 0;
        }
        let share = (self.left + self.parts - 1) / self.parts;
        self.left -= share;
        self.parts -= 1;
        share
    }
}

fn feature((line, weight): (Line<'_>, f64)) -> Feature {
    let field = if line.field == "full_name" {
        "name"
    } else {
        line.field
    };
    let how = match (line.finding.how, line.detail) {
        (How::Exact, Some(detail)) => detail,
        (how, _) => how.as_str(),
    };
    Feature {
        feature: format!("{field}_{how}"),
        contribution: (weight * 100.0).round() / 100.0,
        input: line.input,
        record: line.finding.record.map(std::borrow::Cow::into_owned),
    }
}
