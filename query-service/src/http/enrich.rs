//! `POST /person/enrich` and `POST /company/enrich` (`docs/API.md`): a unit is a returned match.

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::Receipt;
use events_schema::credits::Credits;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::App;
use super::facts::put;
use super::paid::{Answer, Operation, Outcome};
use super::problem::NotAnswered;
use crate::builds::ActiveBuild;
use crate::builds::FileCounts;
use crate::enrich::choose::{Chosen, Miss, choose};
use crate::enrich::explain::{Explanation, Told, explain};
use crate::enrich::rarity::{Counts, Uncounted};
use crate::enrich::request::EnrichRequest;
use crate::enrich::{Cut, MatchMetadata};
use crate::read_model::{BuildReader, ReadFault};
use crate::render::View;

/// Enriching persons or companies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Enrich(pub(super) RecordKind);

impl Operation for Enrich {
    type Request = EnrichRequest;

    fn endpoint(self) -> Endpoint {
        match self.0 {
            RecordKind::Person => Endpoint::PersonEnrich,
            RecordKind::Company => Endpoint::CompanyEnrich,
        }
    }

    fn read(self, body: &Map<String, Value>) -> Result<EnrichRequest, NotAnswered> {
        EnrichRequest::read(self.0, body).map_err(NotAnswered::Request)
    }

    fn units(self, request: &EnrichRequest) -> u32 {
        request.wanted.limit
    }

    async fn perform(
        self,
        app: &App,
        request: &EnrichRequest,
        _price: Credits,
    ) -> Result<Outcome, NotAnswered> {
        let miss = |miss| NotAnswered::Miss(self.0, miss);
        let reader = match app.builds.active(self.0) {
            ActiveBuild::Open(reader) => reader,
            ActiveBuild::None => return Err(miss(Miss::NoMatch)),
            ActiveBuild::Unknown => return Err(NotAnswered::NoBuildKnown),
        };
        let (chosen, cut) = self.look_up(app, &reader, request).await?;
        let chosen = chosen.map_err(miss)?;
        let build = reader.build();
        let total = Total {
            number: chosen.total,
            is_exact: cut.is_nothing(),
        };
        let receipt = receipt(build, &chosen, total);
        let mut explanations = explanations(app, request, build, &chosen, &cut);
        let shown = chosen.matches.into_iter().map(|one| Shown {
            explanation: explanations.next(),
            service_id: one.candidate.service_id,
            json: one.candidate.json,
            metadata: Some(one.metadata),
        });
        Ok(Outcome {
            units: u32::try_from(receipt.ids.len()).unwrap_or(u32::MAX),
            answer: answer(&request.view, build, shown, total)?,
            receipt,
        })
    }

    /// Rendered from its build while that can be read, else from the active one. A record that is gone stays out.
    async fn replay(
        self,
        app: &App,
        request: &EnrichRequest,
        receipt: Receipt,
    ) -> Result<Answer, NotAnswered> {
        let kept = match &receipt.build {
            Some(build) => app.builds.by_name(self.0, build).await,
            None => Ok(None),
        };
        let reader = match (kept.map_err(NotAnswered::Read)?, app.builds.active(self.0)) {
            (Some(reader), _) | (None, ActiveBuild::Open(reader)) => reader,
            (None, ActiveBuild::None | ActiveBuild::Unknown) => {
                return Err(NotAnswered::NoBuildKnown);
            }
        };
        let records = reader.by_ids(&receipt.ids).await;
        let metadata = receipt.extra.get("matches").cloned().unwrap_or_default();
        let metadata: Vec<MatchMetadata> = serde_json::from_value(metadata).unwrap_or_default();
        let records = records.map_err(NotAnswered::Read)?;
        // What is explained is not kept: the request is matched again.
        let mut explained = if request.explain {
            match self.explain_again(app, &reader, request).await {
                Ok(explained) => explained,
                Err(fault) => {
                    // What was paid for is given all the same.
                    tracing::warn!(?fault, "a replay is answered without its explanation");
                    Vec::new()
                }
            }
        } else {
            Vec::new()
        };
        let shown = records.into_iter().map(|record| {
            let service_id = record.service_id;
            let at = receipt.ids.iter().position(|id| *id == service_id);
            let explained_at = explained.iter().position(|(id, _)| *id == service_id);
            Shown {
                service_id,
                json: record.json,
                metadata: at.and_then(|at| metadata.get(at).cloned()),
                explanation: explained_at.map(|at| explained.swap_remove(at).1),
            }
        });
        let total = Total {
            number: receipt.total.unwrap_or(receipt.ids.len() as u64),
            is_exact: receipt.extra.get(AT_LEAST) != Some(&Value::Bool(true)),
        };
        answer(&request.view, reader.build(), shown, total)
    }
}

impl Enrich {
    async fn look_up(
        self,
        app: &App,
        reader: &BuildReader,
        request: &EnrichRequest,
    ) -> Result<(Result<Chosen, Miss>, Cut), NotAnswered> {
        let probes = request.query.probes();
        let id = request.query.service_id();
        let id = id
            .and_then(|(clue, id)| Some((probes.iter().position(|probe| probe.clue == clue)?, id)));
        let found = reader.candidates(&probes, id).await;
        let (found, cut) = found.map_err(NotAnswered::Read)?;
        app.metrics.candidates(self.0, found.len());
        let scored = with_counts(app, reader.build(), |counts| {
            request.query.score(&probes, found, counts)
        });
        Ok((choose(scored, &request.wanted), cut))
    }

    async fn explain_again(
        self,
        app: &App,
        reader: &BuildReader,
        request: &EnrichRequest,
    ) -> Result<Vec<(Uuid, Explanation)>, NotAnswered> {
        let (Ok(chosen), cut) = self.look_up(app, reader, request).await? else {
            return Ok(Vec::new());
        };
        let ids = chosen.matches.iter().map(|one| one.candidate.service_id);
        Ok(ids
            .zip(explanations(app, request, reader.build(), &chosen, &cut))
            .collect())
    }
}

/// Counts values in the search files of a build; without them the product's own tables say how common a value is.
fn with_counts<T>(app: &App, build: &BuildName, with: impl FnOnce(&dyn Counts) -> T) -> T {
    match app.builds.files(build) {
        Some(files) => with(&FileCounts(&files.columns)),
        None => with(&Uncounted),
    }
}

/// One a match where they were asked for, else none.
fn explanations(
    app: &App,
    request: &EnrichRequest,
    build: &BuildName,
    chosen: &Chosen,
    cut: &Cut,
) -> std::vec::IntoIter<Explanation> {
    let explained = request.explain.then(|| {
        with_counts(app, build, |counts| {
            let probes = request.query.probes();
            let told = Told {
                query: &request.query,
                probes: &probes,
                build,
                cut,
                counts,
                not_read: &request.not_read,
            };
            let matches = chosen.matches.iter();
            matches
                .map(|one| explain(&told, one, chosen.runner_up))
                .collect::<Vec<_>>()
        })
    });
    explained.unwrap_or_default().into_iter()
}

/// How many candidates there are.
#[derive(Debug, Clone, Copy)]
struct Total {
    number: u64,
    /// Whether all were looked at.
    is_exact: bool,
}

/// The word for a total that could be higher, in the header and in receipts.
const AT_LEAST: &str = "at_least";

/// A match as it is shown.
struct Shown {
    service_id: Uuid,
    json: Vec<u8>,
    metadata: Option<MatchMetadata>,
    explanation: Option<Explanation>,
}

/// What a replay of this answer needs.
fn receipt(build: &BuildName, chosen: &Chosen, total: Total) -> Receipt {
    let metadata: Vec<&MatchMetadata> = chosen.matches.iter().map(|one| &one.metadata).collect();
    Receipt {
        build: Some(build.clone()),
        ids: chosen
            .matches
            .iter()
            .map(|one| one.candidate.service_id)
            .collect(),
        total: Some(total.number),
        extra: if total.is_exact {
            json!({"matches": metadata})
        } else {
            json!({"matches": metadata, AT_LEAST: true})
        },
    }
}

fn answer(
    view: &View,
    build: &BuildName,
    shown: impl Iterator<Item = Shown>,
    total: Total,
) -> Result<Answer, NotAnswered> {
    let mut text = view.text(0);
    text.begin('{');
    text.key("matches");
    text.begin('[');
    for one in shown {
        text.element();
        text.begin('{');
        text.key(view.key());
        view.write(&mut text, one.service_id, build, &one.json)
            .map_err(|_| NotAnswered::Read(ReadFault::Form("document")))?;
        text.key("match_metadata");
        text.value(&json!(one.metadata));
        if let Some(explanation) = one.explanation {
            text.key("explanation");
            text.value(&json!(explanation));
        }
        text.end('}');
    }
    text.end(']');
    text.key("total");
    text.value(&json!(total.number));
    text.end('}');
    let mut answer = Answer::new(text.finish(), Some(build.clone()));
    if !total.is_exact {
        put(&mut answer.headers, "total-count-status", &AT_LEAST);
    }
    Ok(answer)
}
