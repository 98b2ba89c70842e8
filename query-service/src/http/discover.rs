//! `POST /person/discover` and `POST /company/discover`: plain words become a query of search, and the rest is a search.

use std::sync::Arc;

use ::discover::{Interpretation, Translation};
use chrono::NaiveDate;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::Receipt;
use events_schema::credits::Credits;
use events_schema::record::RecordKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::App;
use super::builds::delivered_before;
use super::paid::{Answer, Operation, Outcome};
use super::problem::NotAnswered;
use super::search::{Body, Member, Page, not_read};
use crate::builds::NotSearchable;
use crate::discover::lexicon::BuildLexicon;
use crate::discover::request::DiscoverRequest;
use crate::read_model::StoredDocument;
use crate::search::asked::Asked;
use crate::search::cursor::Fingerprint;
use crate::search::files::BuildFiles;
use crate::search::warning::warning;
use crate::spending::MaxCredits;

/// Discovering persons or companies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discover(pub(super) RecordKind);

impl Operation for Discover {
    type Request = DiscoverRequest;

    fn endpoint(self) -> Endpoint {
        match self.0 {
            RecordKind::Person => Endpoint::PersonDiscover,
            RecordKind::Company => Endpoint::CompanyDiscover,
        }
    }

    fn read(self, body: &Map<String, Value>) -> Result<DiscoverRequest, NotAnswered> {
        DiscoverRequest::read(self.0, body).map_err(|refusal| not_read(self.0, refusal))
    }

    async fn would_refuse(self, app: &App, request: &DiscoverRequest) -> Result<(), NotAnswered> {
        // What it would make of the words is known to the model alone.
        if app.model.is_some() && !request.strict {
            return Ok(());
        }
        let files = match app.builds.searchable(self.0, None).await {
            Ok(place) => Some(place.files),
            Err(NotSearchable::NoBuild) => None,
            // Which words the build knows is not known now.
            Err(_) => return Ok(()),
        };
        let translated = self.translated_locally(app, request, files.as_ref());
        translated.map(|_| ())
    }

    fn units(self, request: &DiscoverRequest) -> u32 {
        request.limit
    }

    fn max_credits(self, request: &DiscoverRequest) -> Option<MaxCredits> {
        request.max_credits
    }

    async fn perform(
        self,
        app: &App,
        request: &DiscoverRequest,
        _: Credits,
    ) -> Result<Outcome, NotAnswered> {
        let place = match app.builds.searchable(self.0, None).await {
            Ok(place) => place,
            Err(NotSearchable::NoBuild) => return self.nothing(app, request),
            Err(why) => return Err(NotAnswered::NotSearchable(why, None)),
        };
        let (query, tail, made) = self.translated(app, request, &place.files).await?;
        let request = request.as_search(query);
        let found = app
            .searches
            .find(&place.files, &request.query, request.page())
            .await
            .map_err(NotAnswered::Search)?;
        let page = Page::of(&request, &place, found);
        let mut outcome = page.delivered(&request, &place, Some(&tail)).await?;
        outcome.receipt.extra = json!(made);
        Ok(outcome)
    }

    /// A receipt does not keep what a customer wrote, nor the query, in which names may stand: the words are translated again,
    /// and what becomes of them is told if it is the query that was answered. What was paid for is answered anyway.
    async fn replay(
        self,
        app: &App,
        request: &DiscoverRequest,
        receipt: Receipt,
    ) -> Result<Answer, NotAnswered> {
        let kept = receipt
            .build
            .as_ref()
            .and_then(|build| app.builds.files(build));
        let made = serde_json::from_value(receipt.extra.clone()).ok();
        let again = self.translated_again(app, request, kept.as_ref(), made);
        let (warning, tail) = match again.await {
            Some((query, tail, _)) => {
                let columns = kept.as_ref().map(|files| &*files.columns);
                let total = receipt.total.unwrap_or_default();
                (warning(columns, query.query(), &[], total), tail)
            }
            None => (None, untold(made.map(|made| made.source))),
        };
        let answer = |build, records: &[StoredDocument]| {
            let body = Body {
                view: &request.view,
                build,
                total: receipt.total.unwrap_or_default(),
                tail: &tail,
                warning: warning.as_deref(),
            };
            body.answer(records)
        };
        let Some(build) = &receipt.build else {
            return answer(None, &[]);
        };
        if receipt.ids.is_empty() {
            return answer(Some(build), &[]);
        }
        let (build, records) = delivered_before(app, self.0, build, &receipt).await?;
        answer(Some(&build), &records)
    }
}

/// A query, the members of the answer that say how it came about, and what the receipt keeps of it.
type Translated = (Asked, [Member; 2], Made);

/// What a receipt keeps of a query: neither the words nor the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Made {
    /// Of the query.
    query: Fingerprint,
    source: Source,
}

/// Who read the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Source {
    Local,
    Model,
}

impl Discover {
    /// The query that the words mean.
    async fn translated(
        self,
        app: &App,
        request: &DiscoverRequest,
        files: &Arc<BuildFiles>,
    ) -> Result<Translated, NotAnswered> {
        match self.translated_by_model(app, request, Some(files)).await {
            Some(translated) => Ok(translated),
            None => self.translated_locally(app, request, Some(files)),
        }
    }

    /// The query that was answered before, if the words become that one now. They may not: a build's files are held for a
    /// while only, a day passes without a build, and a model may be gone or of another mind.
    async fn translated_again(
        self,
        app: &App,
        request: &DiscoverRequest,
        files: Option<&Arc<BuildFiles>>,
        made: Option<Made>,
    ) -> Option<Translated> {
        let made = made?;
        let translated = match made.source {
            Source::Local => self.translated_locally(app, request, files).ok(),
            Source::Model => self.translated_by_model(app, request, files).await,
        };
        translated.filter(|(_, _, again)| *again == made)
    }

    /// Words that are not known locally are asked of the language model, if there is one; by `strict` they are refused anyway,
    /// and without a build there are no names to link its values to.
    async fn translated_by_model(
        self,
        app: &App,
        request: &DiscoverRequest,
        files: Option<&Arc<BuildFiles>>,
    ) -> Option<Translated> {
        let (Some(model), Some(files), false) = (&app.model, files, request.strict) else {
            return None;
        };
        let today = today(app, Some(files));
        let helped = model.translation(self.0, &request.text, files, today).await;
        helped.map(|translation| answered_by(&translation, Source::Model))
    }

    fn translated_locally(
        self,
        app: &App,
        request: &DiscoverRequest,
        files: Option<&Arc<BuildFiles>>,
    ) -> Result<Translated, NotAnswered> {
        let lexicon = BuildLexicon::of(files.map(|files| &*files.columns));
        let today = today(app, files.map(|files| &**files));
        let found = ::discover::translate(self.0, &request.text, &lexicon, today);
        let translation = found.map_err(|refused| NotAnswered::Form(request.refused(&refused)))?;
        if request.strict && !translation.interpretation.unsupported.is_empty() {
            let unsupported = &translation.interpretation.unsupported;
            return Err(NotAnswered::Form(request.too_strict(unsupported)));
        }
        Ok(answered_by(&translation, Source::Local))
    }

    /// The answer while no build of the kind is active: no record exists.
    fn nothing(self, app: &App, request: &DiscoverRequest) -> Result<Outcome, NotAnswered> {
        let (_, tail, made) = self.translated_locally(app, request, None)?;
        let body = Body {
            view: &request.view,
            build: None,
            total: 0,
            tail: &tail,
            warning: None,
        };
        Ok(Outcome {
            units: 0,
            receipt: Receipt {
                total: Some(0),
                extra: json!(made),
                ..Receipt::default()
            },
            answer: body.answer(&[])?,
        })
    }
}

/// From which day dates count.
fn today(app: &App, files: Option<&BuildFiles>) -> NaiveDate {
    files
        .and_then(|files| files.reference_date)
        .unwrap_or_else(|| app.clock.now().date_naive())
}

/// A translation with the part of an answer that shows it.
fn answered_by(translation: &Translation, source: Source) -> Translated {
    let query = Asked::from(translation.query.clone());
    let text = query.query().text();
    let tail = how(Some(&text), &translation.interpretation, Some(source));
    let made = Made {
        query: query.fingerprint(),
        source,
    };
    (query, tail, made)
}

/// What is told where the query that was answered is not known any more.
fn untold(source: Option<Source>) -> [Member; 2] {
    how(None, &Interpretation::default(), source)
}

/// How an answer came about; `source` says who read the words.
fn how(query: Option<&str>, said: &Interpretation, source: Option<Source>) -> [Member; 2] {
    let mut interpretation = json!(said);
    if let Some(members) = interpretation.as_object_mut() {
        members.insert("source".to_owned(), json!(source));
    }
    [
        ("generated_query", json!(query)),
        ("interpretation", interpretation),
    ]
}
