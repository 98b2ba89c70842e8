//! `POST /person/enrich/bulk` and `POST /company/enrich/bulk` (`docs/API.md`): up to a hundred enrich requests in one, answered from one
//! build and paid by one charge. Price, rights and rate limit are those of a single one, of which this is one request.
//!
//! Guarantee: results are in the order of the items. An item that is refused, or finds nothing, costs nothing and says why; a part that
//! does not answer refuses the whole, which then costs nothing.

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::Receipt;
use events_schema::api::refusal::Asked;
use events_schema::credits::Credits;
use events_schema::ids::BuildName;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use service_kit::Problem;

use super::found::Found;
use super::{AT_LEAST, Enrich};
use crate::enrich::choose::Miss;
use crate::enrich::request::bulk::{BulkRequest, Item};
use crate::http::App;
use crate::http::builds::{answered_from, is_there};
use crate::http::headers::put;
use crate::http::paid::{Answer, Operation, Outcome};
use crate::http::problem::{About, NotAnswered};
use crate::read_model::BuildReader;
use crate::render::Text;
use crate::spending::MaxCredits;

/// Items of a request that are looked up at a time: the others of its customer and of everybody else come between.
const LOOK_UPS_AT_A_TIME: usize = 2;
/// What became of the items, in a receipt; the ids of their records stand there.
const ITEMS: &str = "items";
/// Bodies of so many bytes are read beside the requests at work.
const LONG_BYTES: usize = 16 * 1024;

/// Enriching many.
#[derive(Debug, Clone, Copy)]
pub(in crate::http) struct BulkEnrich(pub(in crate::http) Enrich);

/// What became of an item: of one in hand with what was found, of one that is kept with what a replay needs.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OfItem<F> {
    Found(F),
    Missed(Miss),
    /// The item itself says why.
    Refused,
}

impl Operation for BulkEnrich {
    type Request = BulkRequest;

    fn endpoint(self) -> Endpoint {
        self.0.endpoint()
    }

    fn path(self) -> String {
        format!("{}/bulk", self.endpoint().path())
    }

    fn long_bytes(self) -> usize {
        LONG_BYTES
    }

    fn read(self, body: &Map<String, Value>) -> Result<BulkRequest, NotAnswered> {
        BulkRequest::read(self.0.0, body).map_err(NotAnswered::Request)
    }

    async fn would_refuse(self, app: &App, request: &BulkRequest) -> Result<(), NotAnswered> {
        is_there(app, self.0.0, request.pin.as_ref()).await
    }

    fn max_credits(self, request: &BulkRequest) -> Option<MaxCredits> {
        request.max_credits
    }

    fn units(self, request: &BulkRequest) -> u32 {
        let requests = request.items.iter().flat_map(|item| &item.request);
        requests.map(|request| request.wanted.limit).sum()
    }

    async fn perform(
        self,
        app: &App,
        request: &BulkRequest,
        _price: Credits,
    ) -> Result<Outcome, NotAnswered> {
        let miss = NotAnswered::Miss(self.0.0, Miss::NoMatch, None);
        let reader = self.0.reader(app, request.pin.as_ref()).await?;
        let reader = reader.ok_or(miss)?;
        let mut looks = Vec::with_capacity(request.items.len());
        for item in &request.items {
            looks.push(self.find(app, &reader, item));
        }
        let found = in_turn(looks).await?;
        let build = reader.build();
        Ok(Outcome {
            units: found.iter().map(OfItem::units).sum(),
            receipt: receipt(build, &found),
            answer: self.answer(app, request, build, &found)?,
        })
    }

    async fn replay(
        self,
        app: &App,
        request: &BulkRequest,
        receipt: Receipt,
    ) -> Result<Answer, NotAnswered> {
        let kept = receipt.extra.get(ITEMS).cloned().unwrap_or_default();
        let kept: Vec<OfItem<Receipt>> = serde_json::from_value(kept).unwrap_or_default();
        if kept.len() != request.items.len() {
            tracing::error!("a receipt of a bulk request is not one of its items");
            return Err(NotAnswered::Form(Problem::internal()));
        }
        let reader = answered_from(app, self.0.0, receipt.build.as_ref()).await?;
        let mut looks = Vec::with_capacity(request.items.len());
        for (item, kept) in request.items.iter().zip(kept) {
            looks.push(self.find_again(app, &reader, item, kept));
        }
        let found = in_turn(looks).await?;
        self.answer(app, request, reader.build(), &found)
    }
}

impl BulkEnrich {
    async fn find(
        self,
        app: &App,
        reader: &BuildReader,
        item: &Item,
    ) -> Result<OfItem<Found>, NotAnswered> {
        let Ok(request) = &item.request else {
            return Ok(OfItem::Refused);
        };
        Ok(match self.0.find(app, reader, request).await? {
            Ok(found) => OfItem::Found(found),
            Err(miss) => OfItem::Missed(miss),
        })
    }

    async fn find_again(
        self,
        app: &App,
        reader: &BuildReader,
        item: &Item,
        kept: OfItem<Receipt>,
    ) -> Result<OfItem<Found>, NotAnswered> {
        Ok(match (kept, &item.request) {
            (OfItem::Found(receipt), Ok(request)) => {
                let found = self.0.find_again(app, reader, request, &receipt);
                OfItem::Found(found.await?)
            }
            (OfItem::Missed(miss), Ok(_)) => OfItem::Missed(miss),
            (OfItem::Refused, _) | (_, Err(_)) => OfItem::Refused,
        })
    }

    fn answer(
        self,
        app: &App,
        request: &BulkRequest,
        build: &BuildName,
        found: &[OfItem<Found>],
    ) -> Result<Answer, NotAnswered> {
        let mut text = Text::new(request.pretty_print, 0);
        text.begin('{');
        text.key("results");
        text.begin('[');
        for (item, found) in request.items.iter().zip(found) {
            text.element();
            text.begin('{');
            match (found, &item.request) {
                (OfItem::Found(found), Ok(request)) => {
                    found.write(&mut text, &request.view, build)?;
                    text.key("error");
                    text.value(&Value::Null);
                }
                (OfItem::Missed(miss), Ok(_)) => {
                    let why = NotAnswered::Miss(self.0.0, *miss, None);
                    nothing(&mut text, &self.part(app, why));
                }
                (_, Err(refusal)) => {
                    let why = NotAnswered::Request(refusal.clone());
                    nothing(&mut text, &self.part(app, why));
                }
                // A version that took less did not look for it, nor charge it.
                (OfItem::Refused, Ok(_)) => {
                    let why = "was refused when this request was carried out first";
                    nothing(
                        &mut text,
                        &Problem::invalid_field(ITEMS, &Value::Null, why, None).part(),
                    );
                }
            }
            text.key("metadata");
            text.value(&Value::Object(item.metadata.clone()));
            text.end('}');
        }
        text.end(']');
        text.end('}');
        let mut answer = Answer::new(text.finish(), Some(build.clone()));
        let is_at_least =
            |of: &OfItem<Found>| matches!(of, OfItem::Found(found) if !found.total.is_exact);
        if found.iter().any(is_at_least) {
            put(&mut answer.headers, "total-count-status", &AT_LEAST);
        }
        Ok(answer)
    }

    /// The error of an item.
    fn part(self, app: &App, why: NotAnswered) -> Value {
        let asked = Asked {
            endpoint: self.endpoint(),
            idempotency_key: None,
        };
        let about = About {
            asked,
            rate: None,
            retry_after_seconds: app.retry_after_seconds,
        };
        why.problem(about).part()
    }
}

impl OfItem<Found> {
    fn units(&self) -> u32 {
        match self {
            Self::Found(found) => found.units(),
            Self::Missed(_) | Self::Refused => 0,
        }
    }

    fn kept(&self) -> OfItem<Receipt> {
        match self {
            Self::Found(found) => OfItem::Found(found.receipt(None)),
            Self::Missed(miss) => OfItem::Missed(*miss),
            Self::Refused => OfItem::Refused,
        }
    }
}

fn receipt(build: &BuildName, found: &[OfItem<Found>]) -> Receipt {
    let kept: Vec<OfItem<Receipt>> = found.iter().map(OfItem::kept).collect();
    Receipt {
        build: Some(build.clone()),
        ids: Vec::new(),
        total: None,
        extra: json!({ITEMS: kept}),
    }
}

/// Looks for some items at a time; what became of each, in their order.
async fn in_turn<L>(looks: Vec<L>) -> Result<Vec<OfItem<Found>>, NotAnswered>
where
    L: Future<Output = Result<OfItem<Found>, NotAnswered>> + Send,
{
    stream::iter(looks)
        .buffered(LOOK_UPS_AT_A_TIME)
        .try_collect()
        .await
}

/// An item without a match.
fn nothing(text: &mut Text, error: &Value) {
    text.key("matches");
    text.value(&json!([]));
    text.key("total");
    text.value(&json!(0));
    text.key("error");
    text.value(error);
}
