//! `POST /autocomplete`: the stored values that a text may become. Free (`docs/SEARCH.md`, "Completing values").

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::Receipt;
use events_schema::credits::Credits;
use events_schema::ids::BuildName;
use serde_json::{Map, Value, json};

use super::App;
use super::paid::{Answer, Operation, Outcome};
use super::problem::NotAnswered;
use crate::autocomplete::request::AutocompleteRequest;
use crate::builds::NotSearchable;

/// Completing a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Autocomplete;

impl Operation for Autocomplete {
    type Request = AutocompleteRequest;

    fn endpoint(self) -> Endpoint {
        Endpoint::Autocomplete
    }

    fn read(self, body: &Map<String, Value>) -> Result<AutocompleteRequest, NotAnswered> {
        AutocompleteRequest::read(body).map_err(NotAnswered::Form)
    }

    fn units(self, _request: &AutocompleteRequest) -> u32 {
        0
    }

    async fn perform(
        self,
        app: &App,
        request: &AutocompleteRequest,
        _price: Credits,
    ) -> Result<Outcome, NotAnswered> {
        let place = match app.builds.searchable(request.kind, None).await {
            Ok(place) => place,
            Err(NotSearchable::NoBuild) => return Ok(outcome(Vec::new(), None)),
            Err(why) => return Err(NotAnswered::NotSearchable(why, None)),
        };
        let completions = app
            .searches
            .complete(&place.files, request.column, &request.text, request.limit)
            .await
            .map_err(NotAnswered::Search)?;
        let results = completions
            .into_iter()
            .map(|completion| json!({"value": completion.value, "count": completion.count}));
        Ok(outcome(results.collect(), Some(place.files.build.clone())))
    }

    /// What is free has no receipt: completed again.
    async fn replay(
        self,
        app: &App,
        request: &AutocompleteRequest,
        _receipt: Receipt,
    ) -> Result<Answer, NotAnswered> {
        let outcome = self.perform(app, request, Credits::ZERO).await?;
        Ok(outcome.answer)
    }
}

fn outcome(results: Vec<Value>, build: Option<BuildName>) -> Outcome {
    Outcome {
        units: 0,
        receipt: Receipt::default(),
        answer: Answer::new(json!({"results": results}).to_string(), build),
    }
}
