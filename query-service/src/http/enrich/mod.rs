//! `POST /person/enrich` and `POST /company/enrich` (`docs/API.md`): a unit is a returned match. Many of them at once: [`bulk`].

mod bulk;
mod found;

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::Receipt;
use events_schema::credits::Credits;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::App;
use super::builds::{answered_from, is_there};
use super::headers::put;
use super::paid::{Answer, Operation, Outcome, would_cost};
use super::problem::NotAnswered;
use crate::builds::ActiveBuild;
use crate::builds::FileCounts;
use crate::enrich::choose::{Chosen, Miss, choose};
use crate::enrich::explain::{Explanation, Told, explain};
use crate::enrich::rarity::{Counts, Uncounted};
use crate::enrich::request::EnrichRequest;
use crate::enrich::{Cut, MatchMetadata};
use crate::pin::Pin;
use crate::read_model::BuildReader;
use crate::render::View;
use crate::spending::MaxCredits;

pub(super) use bulk::BulkEnrich;
use found::{AT_LEAST, Found, Shown, Total};

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

    async fn would_refuse(self, app: &App, request: &EnrichRequest) -> Result<(), NotAnswered> {
        is_there(app, self.0, request.pin.as_ref()).await
    }

    fn units(self, request: &EnrichRequest) -> u32 {
        request.wanted.limit
    }

    fn max_credits(self, request: &EnrichRequest) -> Option<MaxCredits> {
        request.max_credits
    }

    fn is_dry_run(self, request: &EnrichRequest) -> bool {
        request.dry_run
    }

    async fn perform(
        self,
        app: &App,
        request: &EnrichRequest,
        price: Credits,
    ) -> Result<Outcome, NotAnswered> {
        let miss = |miss, build| NotAnswered::Miss(self.0, miss, build);
        let reader = self.reader(app, request.pin.as_ref()).await?;
        let reader = reader.ok_or_else(|| miss(Miss::NoMatch, None))?;
        let build = reader.build();
        let found = self.find(app, &reader, request).await?;
        let found = found.map_err(|why| miss(why, Some(build.clone())))?;
        if request.dry_run {
            return Ok(priced(request, build, found.total, price));
        }
        Ok(Outcome {
            units: found.units(),
            receipt: found.receipt(Some(build)),
            answer: answer(&request.view, build, &found)?,
        })
    }

    async fn replay(
        self,
        app: &App,
        request: &EnrichRequest,
        receipt: Receipt,
    ) -> Result<Answer, NotAnswered> {
        let reader = answered_from(app, self.0, receipt.build.as_ref()).await?;
        let found = self.find_again(app, &reader, request, &receipt).await?;
        answer(&request.view, reader.build(), &found)
    }
}

impl Enrich {
    /// The active build; none where no record exists.
    fn active(self, app: &App) -> Result<Option<BuildReader>, NotAnswered> {
        match app.builds.active(self.0) {
            ActiveBuild::Open(reader) => Ok(Some(reader)),
            ActiveBuild::None => Ok(None),
            ActiveBuild::Unknown => Err(NotAnswered::NoBuildKnown),
        }
    }

    /// The build that a request names, else the active one; none where no record exists.
    async fn reader(
        self,
        app: &App,
        pin: Option<&Pin>,
    ) -> Result<Option<BuildReader>, NotAnswered> {
        let Some(pin) = pin else {
            return self.active(app);
        };
        let named = app.builds.named(self.0, &pin.build).await;
        named
            .map(Some)
            .map_err(|why| NotAnswered::NotSearchable(why, Some(pin.clone())))
    }

    /// What a request is answered with.
    async fn find(
        self,
        app: &App,
        reader: &BuildReader,
        request: &EnrichRequest,
    ) -> Result<Result<Found, Miss>, NotAnswered> {
        let (chosen, cut) = self.look_up(app, reader, request).await?;
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(miss) => return Ok(Err(miss)),
        };
        let mut explanations = explanations(app, request, reader.build(), &chosen, &cut);
        let matches = chosen.matches.into_iter();
        let shown = matches.map(|one| Shown {
            explanation: explanations.next(),
            service_id: one.candidate.service_id,
            json: one.candidate.json,
            metadata: Some(one.metadata),
        });
        Ok(Ok(Found {
            shown: shown.collect(),
            total: Total {
                number: chosen.total,
                is_exact: cut.is_nothing(),
            },
        }))
    }

    /// The same of a charge that stands. A record that is gone stays out.
    async fn find_again(
        self,
        app: &App,
        reader: &BuildReader,
        request: &EnrichRequest,
        receipt: &Receipt,
    ) -> Result<Found, NotAnswered> {
        let records = reader.by_ids(&receipt.ids).await;
        let metadata = receipt.extra.get("matches").cloned().unwrap_or_default();
        let metadata: Vec<MatchMetadata> =
            serde_json::from_value(metadata).unwrap_or_else(|fault| {
                // What was paid for is given all the same.
                tracing::error!(%fault, "a replay is answered without how it was matched");
                Vec::new()
            });
        let records = records.map_err(NotAnswered::Read)?;
        // What is explained is not kept: the request is matched again.
        let mut explained = if request.explain {
            match self.explain_again(app, reader, request).await {
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
        Ok(Found {
            shown: shown.collect(),
            total: Total::of(receipt),
        })
    }

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

fn answer(view: &View, build: &BuildName, found: &Found) -> Result<Answer, NotAnswered> {
    let mut text = view.text(0);
    text.begin('{');
    found.write(&mut text, view, build)?;
    text.end('}');
    Ok(answered(text.finish(), build, found.total))
}

/// The answer to a dry run.
fn priced(request: &EnrichRequest, build: &BuildName, total: Total, price: Credits) -> Outcome {
    let text = would_cost(&request.view, total.number, request.wanted.limit, price);
    Outcome {
        units: 0,
        receipt: Receipt::default(),
        answer: answered(text, build, total),
    }
}

fn answered(text: String, build: &BuildName, total: Total) -> Answer {
    let mut answer = Answer::new(text, Some(build.clone()));
    if !total.is_exact {
        put(&mut answer.headers, "total-count-status", &AT_LEAST);
    }
    answer
}
