//! `POST /person/discover` and `POST /company/discover`: plain words become a query of search, and the rest is a search.

use ::discover::Translation;
use chrono::NaiveDate;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::Receipt;
use events_schema::credits::Credits;
use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};

use super::App;
use super::paid::{Answer, Operation, Outcome};
use super::problem::NotAnswered;
use super::search::{Body, Member, Page, delivered_before, not_read};
use crate::builds::NotSearchable;
use crate::discover::lexicon::{BuildLexicon, reference_date};
use crate::discover::request::DiscoverRequest;
use crate::read_model::StoredDocument;
use crate::search::files::BuildFiles;
use crate::search::warning::warning;

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

    fn units(self, request: &DiscoverRequest) -> u32 {
        request.limit
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
        let (query, tail) = self.translated(app, request, Some(&place.files)).await?;
        let request = request.as_search(query);
        let found = app
            .searches
            .find(&place.files, &request.query, request.page())
            .await
            .map_err(NotAnswered::Search)?;
        let page = Page::of(&request, &place, found);
        page.delivered(&request, &place, Some(&tail)).await
    }

    /// The words are translated again, by the words of the build that answered while its files are held: a receipt does not
    /// keep what a customer wrote.
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
        let (query, tail) = self.translated(app, request, kept.as_deref()).await?;
        let warning = warning(kept.as_ref().map(|files| &*files.columns), &query, &[]);
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

/// A query, and the members of the answer that say how it came about.
type Translated = (dialect::Query, [Member; 2]);

impl Discover {
    /// The query that the words mean. Words that are not known locally are asked of the language model, if there is one; by
    /// `strict` they are refused anyway, and without a build there are no names to link its values to.
    async fn translated(
        self,
        app: &App,
        request: &DiscoverRequest,
        files: Option<&BuildFiles>,
    ) -> Result<Translated, NotAnswered> {
        if let (Some(model), Some(files), false) = (&app.model, files, request.strict) {
            let today = today(self.0, app, Some(files));
            let helped = model.translation(self.0, &request.text, files, today).await;
            if let Some(translation) = helped {
                return Ok(told(&translation, "model"));
            }
        }
        self.translated_locally(app, request, files)
    }

    fn translated_locally(
        self,
        app: &App,
        request: &DiscoverRequest,
        files: Option<&BuildFiles>,
    ) -> Result<Translated, NotAnswered> {
        let lexicon = BuildLexicon::of(files.map(|files| &*files.columns));
        let today = today(self.0, app, files);
        let found = ::discover::translate(self.0, &request.text, &lexicon, today);
        let translation = found.map_err(|refused| NotAnswered::Form(request.refused(&refused)))?;
        if request.strict && !translation.interpretation.unsupported.is_empty() {
            let unsupported = &translation.interpretation.unsupported;
            return Err(NotAnswered::Form(request.too_strict(unsupported)));
        }
        Ok(told(&translation, "local"))
    }

    /// The answer while no build of the kind is active: no record exists.
    fn nothing(self, app: &App, request: &DiscoverRequest) -> Result<Outcome, NotAnswered> {
        let (_, tail) = self.translated_locally(app, request, None)?;
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
                ..Receipt::default()
            },
            answer: body.answer(&[])?,
        })
    }
}

/// From which day dates count.
fn today(kind: RecordKind, app: &App, files: Option<&BuildFiles>) -> NaiveDate {
    files
        .and_then(|files| reference_date(kind, files))
        .unwrap_or_else(|| app.clock.now().date_naive())
}

/// A translation as it is told; `source` says who read the words.
fn told(translation: &Translation, source: &str) -> Translated {
    let mut interpretation = json!(translation.interpretation);
    if let Some(members) = interpretation.as_object_mut() {
        members.insert("source".to_owned(), json!(source));
    }
    let tail = [
        ("generated_query", json!(translation.query.text())),
        ("interpretation", interpretation),
    ];
    (translation.query.clone(), tail)
}
