//! `POST /utility/clean`, `/utility/hash/email` and `/utility/validate`: a unit is a call.

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::Receipt;
use events_schema::credits::Credits;
use serde_json::{Map, Value};

use super::App;
use super::paid::{Answer, Operation, Outcome};
use super::problem::NotAnswered;
use crate::utility::{Utility, UtilityRequest};

impl Operation for Utility {
    type Request = UtilityRequest;

    fn endpoint(self) -> Endpoint {
        match self {
            Self::Clean => Endpoint::UtilityClean,
            Self::HashEmail => Endpoint::UtilityHashEmail,
            Self::Validate => Endpoint::UtilityValidate,
        }
    }

    fn read(self, body: &Map<String, Value>) -> Result<UtilityRequest, NotAnswered> {
        Self::read(self, body).map_err(NotAnswered::Form)
    }

    fn units(self, _request: &UtilityRequest) -> u32 {
        1
    }

    async fn perform(
        self,
        app: &App,
        request: &UtilityRequest,
        _price: Credits,
    ) -> Result<Outcome, NotAnswered> {
        Ok(Outcome {
            units: 1,
            receipt: Receipt::default(),
            answer: answer(app, request),
        })
    }

    /// Computed again: nothing of the values is kept.
    async fn replay(
        self,
        app: &App,
        request: &UtilityRequest,
        _receipt: Receipt,
    ) -> Result<Answer, NotAnswered> {
        Ok(answer(app, request))
    }
}

fn answer(app: &App, request: &UtilityRequest) -> Answer {
    let body = request.answer(app.clock.now().date_naive());
    Answer::new(body.to_string(), None)
}
