//! `POST /person/search` and `POST /company/search`: a unit is a returned record (docs/SEARCH.md, How a search travels).

use column_files::Found;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::Receipt;
use events_schema::credits::Credits;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use http::HeaderMap;
use serde_json::{Map, Value, json};

use super::App;
use super::builds::{delivered_before, is_there};
use super::headers::put;
use super::paid::{Answer, Operation, Outcome, would_cost};
use super::problem::NotAnswered;
use crate::builds::{NotSearchable, Searchable};
use crate::enrich::request::RequestRefusal;
use crate::read_model::{ReadFault, StoredDocument};
use crate::render::View;
use crate::search::cursor::Cursor;
use crate::search::request::{SearchRefusal, SearchRequest};
use crate::search::warning::warning;
use crate::spending::MaxCredits;

/// What is shorter is read in a few milliseconds, whatever it says: each literal may cost some microseconds, and what it is
/// multiplied out to has a bound of its own.
const LONG_BYTES: usize = 4 * 1024;

/// Searching persons or companies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search(pub(super) RecordKind);

impl Operation for Search {
    type Request = SearchRequest;

    fn endpoint(self) -> Endpoint {
        match self.0 {
            RecordKind::Person => Endpoint::PersonSearch,
            RecordKind::Company => Endpoint::CompanySearch,
        }
    }

    /// A query of a few dozen literals is shorter.
    fn long_bytes(self) -> usize {
        LONG_BYTES
    }

    fn read(self, body: &Map<String, Value>) -> Result<SearchRequest, NotAnswered> {
        SearchRequest::read(self.0, body).map_err(|refusal| not_read(self.0, refusal))
    }

    fn check(self, request: &SearchRequest) -> Result<(), NotAnswered> {
        request.check().map_err(|refusal| not_read(self.0, refusal))
    }

    async fn would_refuse(self, app: &App, request: &SearchRequest) -> Result<(), NotAnswered> {
        self.check(request)?;
        is_there(app, self.0, request.pin.as_ref()).await
    }

    fn units(self, request: &SearchRequest) -> u32 {
        request.limit
    }

    fn max_credits(self, request: &SearchRequest) -> Option<MaxCredits> {
        request.max_credits
    }

    fn is_dry_run(self, request: &SearchRequest) -> bool {
        request.dry_run
    }

    async fn perform(
        self,
        app: &App,
        request: &SearchRequest,
        price: Credits,
    ) -> Result<Outcome, NotAnswered> {
        let pinned = request.pin.as_ref().map(|pin| &pin.build);
        let place = match app.builds.searchable(self.0, pinned).await {
            Ok(place) => place,
            Err(NotSearchable::NoBuild) => return nothing(request, price),
            Err(why) => return Err(NotAnswered::NotSearchable(why, request.pin.clone())),
        };
        let found = app
            .searches
            .find(&place.files, &request.query, request.page())
            .await
            .map_err(NotAnswered::Search)?;
        let page = Page::of(request, &place, found);
        if request.dry_run {
            return Ok(page.priced(request, price));
        }
        page.delivered(request, &place, None).await
    }

    /// Rendered from its build while that can be read, else from the active one. A record that is gone stays out. What
    /// the receipt does not hold, because it is the customer's text, is made from the request again.
    async fn replay(
        self,
        app: &App,
        request: &SearchRequest,
        receipt: Receipt,
    ) -> Result<Answer, NotAnswered> {
        let Some(build) = &receipt.build else {
            return no_records(request);
        };
        let next_cursor = receipt.extra.get("next_cursor").and_then(Value::as_str);
        let answer = |build: &BuildName, records: &[StoredDocument]| {
            let files = app.builds.files(build);
            let columns = files.as_ref().map(|files| &*files.columns);
            let total = receipt.total.unwrap_or_default();
            let warning = warning(columns, request.query.query(), &request.readings, total);
            let body = Body {
                view: &request.view,
                build: Some(build),
                total,
                tail: &[("next_cursor", json!(next_cursor))],
                warning: warning.as_deref(),
            };
            body.answer(records)
        };
        if receipt.ids.is_empty() {
            return answer(build, &[]);
        }
        let (build, records) = delivered_before(app, self.0, build, &receipt).await?;
        answer(&build, &records)
    }
}

/// Why a body is no request of search or discover.
pub(super) fn not_read(kind: RecordKind, refusal: SearchRefusal) -> NotAnswered {
    match refusal {
        SearchRefusal::Form(problem) => NotAnswered::Form(problem),
        SearchRefusal::Page(query, belongs) => NotAnswered::Page(query, Box::new(belongs)),
        SearchRefusal::Query(refusal) => NotAnswered::Query(refusal),
        SearchRefusal::UnknownFields(unknown) => {
            NotAnswered::Request(RequestRefusal::UnknownFields { unknown, kind })
        }
    }
}

/// What a search found, cut to the page that was asked for.
pub(super) struct Page {
    build: BuildName,
    ranks: Vec<u32>,
    total: u64,
    next_cursor: Option<String>,
    warning: Option<String>,
}

impl Page {
    pub(super) fn of(request: &SearchRequest, place: &Searchable, found: Found) -> Self {
        let Found { mut ranks, total } = found;
        let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
        let has_more = ranks.len() > limit;
        ranks.truncate(limit);
        let build = place.files.build.clone();
        let next = |last_rank: &u32| Cursor {
            build: build.clone(),
            query: request.query.fingerprint(),
            last_rank: *last_rank,
        };
        let last = ranks.last().filter(|_| has_more);
        Self {
            next_cursor: last.map(next).map(|cursor| cursor.encode()),
            warning: warning(
                Some(&place.files.columns),
                request.query.query(),
                &request.readings,
                total,
            ),
            build,
            ranks,
            total,
        }
    }

    /// The answer to a dry run.
    fn priced(self, request: &SearchRequest, price: Credits) -> Outcome {
        Outcome {
            units: 0,
            receipt: Receipt::default(),
            answer: Answer {
                text: priced(request, self.total, price),
                headers: headers(self.warning.as_deref()),
                build: Some(self.build),
            },
        }
    }

    /// The answer with its records; `tail` are the members behind the total, the next page's cursor without it.
    pub(super) async fn delivered(
        self,
        request: &SearchRequest,
        place: &Searchable,
        tail: Option<&[Member]>,
    ) -> Result<Outcome, NotAnswered> {
        let records = if self.ranks.is_empty() {
            Vec::new()
        } else {
            let records = place.reader.by_ranks(&self.ranks).await;
            records.map_err(NotAnswered::Read)?
        };
        let next_cursor = [("next_cursor", json!(self.next_cursor))];
        let body = Body {
            view: &request.view,
            build: Some(&self.build),
            total: self.total,
            tail: tail.unwrap_or(&next_cursor),
            warning: self.warning.as_deref(),
        };
        let answer = body.answer(&records)?;
        Ok(Outcome {
            units: u32::try_from(records.len()).unwrap_or(u32::MAX),
            receipt: Receipt {
                ids: records.iter().map(|record| record.service_id).collect(),
                total: Some(self.total),
                // Not the warning: it repeats literals, which may be personal data.
                extra: json!({"next_cursor": self.next_cursor}),
                build: Some(self.build),
            },
            answer,
        })
    }
}

/// The answer while no build of the kind is active: no record exists.
fn nothing(request: &SearchRequest, price: Credits) -> Result<Outcome, NotAnswered> {
    let answer = if request.dry_run {
        Answer {
            text: priced(request, 0, price),
            headers: headers(readings_of(request).as_deref()),
            build: None,
        }
    } else {
        no_records(request)?
    };
    Ok(Outcome {
        units: 0,
        receipt: Receipt {
            total: Some(0),
            ..Receipt::default()
        },
        answer,
    })
}

/// What is said of the literals of a query, where no build says which words are stored.
fn readings_of(request: &SearchRequest) -> Option<String> {
    warning(None, request.query.query(), &request.readings, 0)
}

fn no_records(request: &SearchRequest) -> Result<Answer, NotAnswered> {
    let warning = readings_of(request);
    let body = Body {
        view: &request.view,
        build: None,
        total: 0,
        tail: &[("next_cursor", Value::Null)],
        warning: warning.as_deref(),
    };
    body.answer(&[])
}

/// A member of an answer.
pub(super) type Member = (&'static str, Value);

/// A 200 in the making.
pub(super) struct Body<'a> {
    pub(super) view: &'a View,
    pub(super) build: Option<&'a BuildName>,
    pub(super) total: u64,
    /// What stands behind the total.
    pub(super) tail: &'a [Member],
    pub(super) warning: Option<&'a str>,
}

impl Body<'_> {
    /// From documents to text, without a tree in between.
    pub(super) fn answer(self, records: &[StoredDocument]) -> Result<Answer, NotAnswered> {
        let view = self.view;
        let bytes = records.iter().map(|record| record.json.len()).sum();
        let mut text = view.text(bytes);
        text.begin('{');
        text.key("matches");
        text.begin('[');
        if let Some(build) = self.build {
            for record in records {
                text.element();
                text.begin('{');
                text.key(view.key());
                view.write(&mut text, record.service_id, build, &record.json)
                    .map_err(|_| NotAnswered::Read(ReadFault::Form("document")))?;
                text.end('}');
            }
        }
        text.end(']');
        text.key("total");
        text.value(&json!(self.total));
        for (key, value) in self.tail {
            text.key(key);
            text.value(value);
        }
        text.end('}');
        Ok(Answer {
            text: text.finish(),
            headers: headers(self.warning),
            build: self.build.cloned(),
        })
    }
}

fn priced(request: &SearchRequest, total: u64, price: Credits) -> String {
    would_cost(&request.view, total, request.limit, price)
}

fn headers(warning: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    put(&mut headers, "total-count-status", &"exact");
    if let Some(warning) = warning {
        put(&mut headers, "search-warning", &warning);
    }
    headers
}
