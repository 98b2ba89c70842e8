//! `explain: true`: which inputs agreed, which contradicted, what each weighed, and who came next (`docs/API.md`, "How sure a match is").
//!
//! A feature is named after the input and how it stands to the record: `email_exact`, `email_hash_sha256`,
//! `name_nickname`, `company_same`, `city_contradicts`. The closing words are those of [`How::as_str`]; `full_name` is
//! `name`. Every input has its feature: one of which the record knows nothing is `…_unknown`, with contribution 0.
//!
//! Of a person the contributions are bits, from which the probability follows ([`super::evidence`]). Of a company they add up to the
//! level: from 0.6 on high, from 0.4 on moderate, from 0.2 on low. What the level rests on weighs 0.62, 0.42 or 0.22: the best
//! identifier, or the name. Every other input that agrees weighs 0.01, as it orders matches of one level; every contradiction takes
//! 0.20, a level.

use std::collections::BTreeSet;

use events_schema::ids::BuildName;
use events_schema::record::Confidence;
use normalize::email_hash::Algorithm;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::company::{self, CompanyClue};
use super::evidence::{self, Known, Led};
use super::finding::{Finding, How, Verdict};
use super::memo::Memo;
use super::person::PersonClue;
use super::probe::Probe;
use super::rarity::Counts;
use super::request::Query;
use super::verdict::{Hits, company_findings};
use super::{Basis, Cut, LevelBy, Scored};

/// Of a company's input that agrees beside what the level rests on.
const BESIDE: f64 = 0.01;
/// What a contradiction takes from a company's level.
const CONTRADICTION: f64 = -0.2;

/// Why a record was matched.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Explanation {
    /// One an input.
    pub features: Vec<Feature>,
    /// The rule that gave the level.
    pub level_by: LevelBy,
    /// That the record is the one who is meant, by all of that and beside all other candidates; only of persons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Inputs that say nothing: they cannot be read, or stand for none.
    pub not_read: Vec<&'static str>,
    /// What could be the record as well and was not looked at; nothing is said where there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<ToldCut>,
    /// The build that the record is of.
    pub data_build: String,
    /// The best candidate that was not returned.
    pub runner_up: Option<RunnerUp>,
}

/// What was not looked at, in the words of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToldCut {
    /// Inputs that lead to at least as many records as are looked at of one key.
    pub inputs: Vec<&'static str>,
    /// Whether as many candidates were looked at as a request may.
    pub is_full: bool,
}

/// What one input did.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
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
    finding: Finding<'a>,
    contribution: f64,
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
    /// What was not looked at.
    pub cut: &'a Cut,
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
    let features = lines(told, one).into_iter().map(|line| feature(line, one));
    Explanation {
        features: features.collect(),
        level_by: one.level_by,
        probability: one.probability.map(rounded),
        not_read: told.not_read.to_vec(),
        cut: cut(told),
        data_build: told.build.as_str().to_owned(),
        runner_up,
    }
}

fn cut(told: &Told<'_>) -> Option<ToldCut> {
    let clue = |probe: &usize| told.probes.get(*probe).map(|probe| probe.clue);
    let clues = told.cut.probes.iter().filter_map(clue);
    let clues: BTreeSet<usize> = clues.collect();
    let field = |clue| match told.query {
        Query::Person { clues, .. } => clues.get(clue).map(PersonClue::field),
        Query::Company { clues } => clues.get(clue).map(CompanyClue::field),
    };
    (!told.cut.is_nothing()).then(|| ToldCut {
        inputs: clues.into_iter().filter_map(field).collect(),
        is_full: told.cut.is_full,
    })
}

fn lines<'a>(told: &Told<'_>, one: &'a Scored) -> Vec<Line<'a>> {
    let hits = Hits {
        probes: told.probes,
        candidate: &one.candidate,
    };
    let doc = &one.candidate.doc;
    let is_hit = |clue: usize| hits.best(clue).is_some();
    match told.query {
        Query::Person { clues, name } => {
            // What an identifier weighs was told with the match: here only whether it led to the record counts.
            let led = |clue| {
                if is_hit(clue) {
                    Led::Here(1)
                } else {
                    Led::Nowhere
                }
            };
            let evidence = evidence::of_person(
                clues,
                name.as_ref(),
                doc,
                told.counts,
                &Known::default(),
                led,
            );
            let told = clues.iter().zip(evidence.lines).zip(&one.bits);
            told.map(|((clue, line), bits)| of_person(clue, line.finding, *bits))
                .collect()
        }
        Query::Company { clues } => {
            let findings = company_findings(clues, doc, is_hit, &Memo::default());
            let told = clues.iter().zip(findings).enumerate();
            told.map(|(at, (clue, finding))| of_company(clue, at, finding, one))
                .collect()
        }
    }
}

fn of_person<'a>(clue: &PersonClue, finding: Finding<'a>, bits: f64) -> Line<'a> {
    let detail = match clue {
        PersonClue::EmailHash(hash) => Some(algorithm(hash.algorithm)),
        _ => None,
    };
    Line {
        field: clue.field(),
        detail,
        input: clue.normalized(),
        finding,
        contribution: bits,
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
fn of_company<'a>(
    clue: &CompanyClue,
    at: usize,
    mut finding: Finding<'a>,
    one: &'a Scored,
) -> Line<'a> {
    if finding.how == How::Exact && !clue.is_own(&one.candidate.doc) {
        finding.record = company::hosts(&one.candidate.doc).next().map(Into::into);
    }
    let matched_on = &one.metadata.matched_on;
    let agrees = matched_on.iter().any(|field| field == clue.field());
    let carries = match one.basis {
        Basis::Identifier(clue, _) => clue == at,
        Basis::Name(_) => agrees && matches!(clue, CompanyClue::Name(_)),
    };
    let contribution = match finding.verdict() {
        _ if carries => level_weight(one.basis.level()),
        _ if agrees => BESIDE,
        Verdict::Contradicts => CONTRADICTION,
        Verdict::Agrees | Verdict::Unknown => 0.0,
    };
    Line {
        field: clue.field(),
        detail: None,
        input: clue.normalized(),
        finding,
        contribution,
    }
}

const fn level_weight(level: Confidence) -> f64 {
    match level {
        Confidence::High => 0.62,
        Confidence::Moderate => 0.42,
        Confidence::Low => 0.22,
    }
}

fn feature(line: Line<'_>, one: &Scored) -> Feature {
    let field = if line.field == "full_name" {
        "name"
    } else {
        line.field
    };
    let how = match (line.finding.how, line.detail) {
        (How::Exact, Some(detail)) => detail,
        (how, _) => how.as_str(),
    };
    let record = line.finding.record.map(std::borrow::Cow::into_owned);
    let is_key = line.finding.how == How::Exact;
    let own = || match line.field {
        "service_id" => one.candidate.service_id.to_string(),
        _ => line.input.clone(),
    };
    Feature {
        feature: format!("{field}_{how}"),
        contribution: (line.contribution * 100.0).round() / 100.0,
        record: record.or_else(|| is_key.then(own)),
        input: line.input,
    }
}
